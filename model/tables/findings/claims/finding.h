/* model/tables/findings/claims/finding.h - what a rule of table findings gets, and how it adds a finding.
 *
 * A rule looks at one trace in a scope, and adds a row for each thing it finds. A finding that costs time claims
 * time of the account (claims.h): its share, time, count and evidence come from the claim, its saving from the
 * replay of the critical path without it. No time is claimed by two roots. */
#ifndef TT_MODEL_TABLES_FINDINGS_CLAIMS_FINDING_H
#define TT_MODEL_TABLES_FINDINGS_CLAIMS_FINDING_H

#include "model/tables/analysis/names/time_class.h"
#include "model/tables/devices/gpu_usage.h"
#include "model/tables/findings/claims/claims.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/path/critical_path.h"
#include "model/tables/path/replay.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/tables/table_util.h"

/* bits of the idle causes of the host itself */
enum { TT_FINDING_ON_HOST = 1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR | 1u << TT_WAIT_BETWEEN };

/* the time that a replay takes away; the saving is the smaller of the replay's saving and the bound */
typedef struct tt_finding_replay {
    tt_replay_change change;
    tt_replay_work *works; /* device slices that the change shortens; owned */
    int64_t bound;
} tt_finding_replay;

typedef struct tt_finding {    /* data of a row of the table */
    uint32_t rule;             /* index into findings.def */
    uint32_t trace;            /* index into the session's traces */
    tt_claim claim;            /* owned */
    const char *cause;         /* id of its root, instead of the roots in findings.def; NULL */
    const char *mild;          /* beginning of the title when the severity is not high; NULL = its name */
    tt_finding_replay *replay; /* owned; NULL = no saving is predicted */
} tt_finding;
typedef TT_VEC(tt_finding) tt_finding_list;

/* Claims of the roots of idle and exposed time, made before the rules run; empty if there is no such time. */
typedef enum tt_root_claim {
    TT_ROOT_FIRST_CALL,
    TT_ROOT_INPUT,
    TT_ROOT_SYNC,
    TT_ROOT_HOST,
    TT_ROOT_STREAM,
    TT_ROOT_UNSEEN,
    TT_ROOT_COMMUNICATION,
    TT_ROOT_COPY,
    TT_ROOT_COUNT_,
} tt_root_claim;

enum {
#define X(id, rank, under) TT_RULE_##id##_,
#include "model/tables/findings/claims/findings.def"
#undef X
    TT_RULES
};

typedef struct tt_finding_context {
    uint32_t rule;  /* index of the rule that runs */
    const char *id; /* id of that rule */
    const tt_query *q;
    const tt_trace *s;
    tt_table *t;
    uint32_t first;           /* row of the first finding of this trace */
    tt_finding_list of;       /* findings of this trace */
    uint32_t found[TT_RULES]; /* per rule: 1 + index of its first finding, 0 = none */
    tt_breakdown steps;
    tt_gpu_list gpus;
    int64_t t0, t1; /* time of the steps */
    const tt_device_work *work;
    tt_account account;
    tt_claim_source source;
    int64_t *idle;                  /* idle time by device and cause: tt_claim_idle() */
    tt_claim roots[TT_ROOT_COUNT_]; /* owned */
    tt_row first_call;              /* call that TT_ROOT_FIRST_CALL lies in; TT_NONE */
    /* calls in the account that launch, and those of them with device work in the file */
    uint32_t launches, launched;
    bool device_unseen;     /* most launches have no device work in the file: device time cannot be judged */
    tt_path *path;          /* critical path in the scope */
    tt_replay_list *replay; /* list for replays of the path; NULL = nobody has asked for it yet */
    tt_table *gpu_time;     /* one row per device; NULL where no device worked */
    tt_table *serving;      /* table serving of the trace; NULL = nobody has asked for it yet */
} tt_finding_context;

/* Add a finding of the rule that runs, about all steps; returns its row. The caller keeps the texts, and may then
 * set value and evidence. */
uint32_t tt_finding_add(tt_finding_context *c, const char *severity, const char *title, const char *detail);
/* The finding of a row; valid until the next one is added. */
tt_finding *tt_finding_of(tt_finding_context *c, uint32_t row);
/* Let the finding claim this time: it sets device, time, count, line, share of the account and evidence. Takes the
 * claim over. */
void tt_finding_claims(tt_finding_context *c, uint32_t row, tt_claim *claim);
/* Let the replay without these categories of the path (bits) give the saving, at most `bound`; nothing where no
 * launches are known. Returns the change, in which more may be taken away. */
tt_finding_replay *tt_finding_replays(tt_finding_context *c, uint32_t row, uint32_t categories, int64_t bound);
/* Row of the finding of this trace with this id; TT_NONE. */
uint32_t tt_finding_found(const tt_finding_context *c, const char *id);

/* ---- words and numbers ---- */

/* "high" above 30 %, "medium" above 10 %, else "info". */
const char *tt_finding_severity(double pct);
/* Percentage of the account of a device (TT_NONE: of the worker). */
double tt_finding_pct(const tt_finding_context *c, uint32_t device, int64_t ns);
/* "of the step time"; without steps "of the time". */
const char *tt_finding_of_time(const tt_finding_context *c);
/* "GPU 0"; with several workers "GPU 0 of rank 1". In the table's arena, like the texts below. */
const char *tt_finding_device(tt_finding_context *c, uint32_t device);
/* "352.4 ms" */
const char *tt_finding_ns(tt_finding_context *c, int64_t ns);
/* "352.4 ms in 6 waits, longest 68.7 ms"; "6.000 ms" for one wait. */
const char *tt_finding_time(tt_finding_context *c, const tt_claim *claim, const char *pieces);
/* Whether device time is in the file; not in captures of graphs or with lost events. */
bool tt_finding_device_known(const tt_finding_context *c);
/* Whether at least 90 % of the launches have device work in the file. */
bool tt_finding_launches_known(const tt_finding_context *c);
/* Idle time that can be saved at most: the rest of the account must remain. */
int64_t tt_finding_idle_bound(const tt_finding_context *c);

/* Length of all steps. */
int64_t tt_finding_steps(const tt_finding_context *c);
/* Percentage of a part (tt_time_class, TT_PART_OTHER) in the steps, and its time. */
double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns);
/* Compute a table of the finding's trace in its scope. The caller frees it. */
tt_table *tt_finding_own_table(const tt_finding_context *c, const tt_table_desc *d);
/* Compute a table where the trace brought tables; NULL when it brought none. */
tt_table *tt_finding_table(const tt_finding_context *c, const tt_table_desc *d);
/* A cell by the key of its column; unknown (TT_UNKNOWN, NaN, NULL) where there is no such column. */
int64_t tt_finding_int(const tt_table *t, uint32_t row, const char *key);
double tt_finding_real(const tt_table *t, uint32_t row, const char *key);
const char *tt_finding_text(const tt_table *t, uint32_t row, const char *key);
/* The part of a set of device work that no root has claimed. Takes the set over; the caller frees the result. */
tt_ivs tt_finding_untaken(const tt_finding_context *c, uint32_t device, tt_ivs set);
/* Use the longest slice of a class of time as evidence. */
void tt_finding_show_longest(const tt_finding_context *c, uint32_t row, tt_time_class of);

#endif

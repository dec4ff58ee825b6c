/* model/tables/findings/claims/finding.h - what a rule of table findings gets, and how it adds a finding.
 *
 * A rule looks at one trace in a scope, and adds a row for what it finds. What costs time claims time of the account
 * (claims.h): its share, time, count and evidence come from the claim, its saving from the replay of the critical path
 * without it, and no time is claimed by two roots. */
#ifndef TT_MODEL_TABLES_FINDINGS_FINDING_H
#define TT_MODEL_TABLES_FINDINGS_FINDING_H

#include "model/tables/analysis/names/time_class.h"
#include "model/tables/devices/gpu_usage.h"
#include "model/tables/findings/claims/claims.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/path/critical_path.h"
#include "model/tables/path/replay.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/tables/table_util.h"

/* Idle causes of the host itself, as bits. */
enum { TT_FINDING_ON_HOST = 1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR | 1u << TT_WAIT_BETWEEN };

/* What a replay takes away: the smaller of what it saves and the bound is the saving. */
typedef struct tt_finding_replay {
    tt_replay_change change;
    tt_replay_work *works; /* of the change: owned */
    int64_t bound;
} tt_finding_replay;

typedef struct tt_finding {    /* beside its row of the table */
    uint32_t rule;             /* index into findings.def */
    uint32_t trace;            /* index into the session's */
    tt_claim claim;            /* owned */
    const char *cause;         /* id of its root, instead of those in findings.def; NULL */
    const char *mild;          /* what the title begins with instead of its name when the severity is not high; NULL */
    tt_finding_replay *replay; /* owned; NULL = nothing is predicted */
} tt_finding;
typedef TT_VEC(tt_finding) tt_finding_list;

/* What roots of idle time and of exposed time claim, made before the rules are asked; empty where nothing is. */
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
    uint32_t rule;  /* index of the rule that is asked */
    const char *id; /* its id */
    const tt_query *q;
    const tt_trace *s;
    tt_table *t;
    uint32_t first;           /* row of the first finding of this trace */
    tt_finding_list of;       /* of each finding of this trace */
    uint32_t found[TT_RULES]; /* by rule: 1 + index of the first of them, 0 = none */
    tt_breakdown steps;
    tt_gpu_list gpus;
    int64_t t0, t1; /* the steps looked at */
    const tt_device_work *work;
    tt_account account;
    tt_claim_source source;
    int64_t *idle;                  /* by device and cause: tt_claim_idle() */
    tt_claim roots[TT_ROOT_COUNT_]; /* owned */
    tt_row first_call;              /* the call that TT_ROOT_FIRST_CALL is in, TT_NONE */
    uint32_t launches, launched;    /* calls that launch in the account; those with device work in the file */
    bool device_unseen;             /* most launches have no device work in the file: its time cannot be judged */
    tt_path *path;                  /* in scope */
    tt_replay_list *replay;         /* of the path; NULL = nobody has asked for it yet */
    tt_table *gpu_time;             /* a row a device; NULL where no device worked */
} tt_finding_context;

/* Add a finding of the rule that is asked, about all of the steps; the row. Texts stay the caller's, who may then
 * set value and evidence. */
uint32_t tt_finding_add(tt_finding_context *c, const char *severity, const char *title, const char *detail);
tt_finding *tt_finding_of(tt_finding_context *c, uint32_t row); /* valid until the next is added */
/* The finding claims this, which it takes over: device, time, count, line, share of the account, evidence. */
void tt_finding_claims(tt_finding_context *c, uint32_t row, tt_claim *claim);
/* Its saving is what the replay says without these categories of the path (bits), at most `bound`: nothing where no
 * launches are known. The change is returned: more may be taken away in it. */
tt_finding_replay *tt_finding_replays(tt_finding_context *c, uint32_t row, uint32_t categories, int64_t bound);
/* The row of a finding of this trace, TT_NONE. */
uint32_t tt_finding_found(const tt_finding_context *c, const char *id);

/* ---- words and numbers ---- */

/* high above 30 %, medium above 10 %, else info. */
const char *tt_finding_severity(double pct);
/* Share of the account of a device (TT_NONE: of the worker), in percent. */
double tt_finding_pct(const tt_finding_context *c, uint32_t device, int64_t ns);
/* "of the step time", without steps "of the time". */
const char *tt_finding_of_time(const tt_finding_context *c);
/* "GPU 0", of several workers "GPU 0 of rank 1". In the table's arena, as the following. */
const char *tt_finding_device(tt_finding_context *c, uint32_t device);
/* "352.4 ms" */
const char *tt_finding_ns(tt_finding_context *c, int64_t ns);
/* "352.4 ms in 6 waits, longest 68.7 ms"; "6.000 ms" of one. */
const char *tt_finding_time(tt_finding_context *c, const tt_claim *claim, const char *pieces);
/* Nothing is said of a device's time where it is not in the file: the recording of a graph, or lost events. */
bool tt_finding_device_known(const tt_finding_context *c);
/* At least 90 % of the launches have device work in the file. */
bool tt_finding_launches_known(const tt_finding_context *c);
/* What must remain of the account: idle time that can go at most. */
int64_t tt_finding_idle_bound(const tt_finding_context *c);

/* Length of the steps looked at. */
int64_t tt_finding_steps(const tt_finding_context *c);
/* Share of a part (tt_time_class, TT_PART_OTHER) in the steps, in percent, and its time. */
double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns);
/* A table of the finding's trace in its scope. Caller frees. */
tt_table *tt_finding_own_table(const tt_finding_context *c, const tt_table_desc *d);
/* The same where the trace brought tables; NULL when it brought none at all. */
tt_table *tt_finding_table(const tt_finding_context *c, const tt_table_desc *d);
/* A cell by its column; unknown (TT_UNKNOWN, NaN, NULL) where there is no such column. */
int64_t tt_finding_int(const tt_table *t, uint32_t row, const char *key);
double tt_finding_real(const tt_table *t, uint32_t row, const char *key);
const char *tt_finding_text(const tt_table *t, uint32_t row, const char *key);
/* What of a set of work on a device no root has claimed so far. The set is taken over; caller frees the result. */
tt_ivs tt_finding_untaken(const tt_finding_context *c, uint32_t device, tt_ivs set);
/* The evidence is the longest slice of a class of time. */
void tt_finding_show_longest(const tt_finding_context *c, uint32_t row, tt_time_class of);

#endif

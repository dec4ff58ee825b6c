/* model/tables/findings/claims/claims.h - what time of the account a finding claims: intervals on one device, in pieces
 * that are its evidence. For this folder only.
 *
 * Share, time, count and evidence of a finding all come from its claim. Claims of roots on a device are disjoint:
 * what an earlier one took is not there for a later one. Times are trace times. */
#ifndef TT_MODEL_TABLES_FINDINGS_CLAIMS_H
#define TT_MODEL_TABLES_FINDINGS_CLAIMS_H

#include "model/tables/idle/idle_scope.h"

typedef struct tt_claim_piece {
    int64_t t0, t1;      /* hull of the claim in it */
    int64_t ns;          /* length of the claim in it */
    uint32_t track;      /* charged host thread, TT_NONE = not known; of device work the stream's */
    tt_wait_cause cause; /* largest part of idle time; TT_WAIT_COUNT_ for device work */
} tt_claim_piece;

typedef struct tt_claim {
    uint32_t device;               /* index into tt_device_work.devices; TT_NONE = no claim */
    TT_VEC(tt_claim_piece) pieces; /* disjoint, in the order of time: one a gap, else one a merged interval */
    int64_t ns;                    /* all of them */
    int64_t part[TT_WAIT_COUNT_];  /* of idle time, by cause */
    const char *line; /* "zoom (scaling/resize.py:739)": the frame of the program with most of the time, when it
                         has a fifth; in the arena. NULL = none */
} tt_claim;
void tt_claim_free(tt_claim *c);

typedef struct tt_claim_source { /* a trace in a scope */
    const tt_session *session;
    uint32_t trace;
    const tt_account *account;
    const tt_device_work *work;
    tt_arena *arena; /* of lines */
} tt_claim_source;

/* Whether device a, which has ns, is rather the one that a finding speaks of than b, the best so far (TT_NONE = none),
 * which has most: the longer time, of equal ones the first name. Never with 0 ns. */
bool tt_claim_rather(const tt_claim_source *x, uint32_t a, int64_t ns, uint32_t b, int64_t most);

/* Idle time of each device by cause: n_devices * TT_WAIT_COUNT_ sums. Caller frees. O(gaps). */
int64_t *tt_claim_idle(const tt_claim_source *x);
/* The device with most idle time of the causes (bits; ties by name): the sums of tt_claim_idle(). TT_NONE = none has
 * any. */
uint32_t tt_claim_idlest(const tt_claim_source *x, const int64_t *idle, uint32_t causes);

/* What a few findings claim of the gaps of a device, in one pass: of each the causes (bits), the edges (bits of
 * tt_idle_edge), within (NULL = anywhere) or without an interval, and whether the launch of the next work must be
 * known. */
typedef struct tt_claim_of_idle {
    uint32_t device, causes, edges;
    const tt_iv *within, *without;
    bool known_launch;
    bool with_line;
    tt_claim *claim; /* out */
} tt_claim_of_idle;
#define TT_EDGES_ALL (1u << TT_EDGE_NONE | 1u << TT_EDGE_LEADING | 1u << TT_EDGE_EARLY | 1u << TT_EDGE_TRAILING)
void tt_claims_of_idle(const tt_claim_source *x, const tt_claim_of_idle *of, size_t n);

/* The part of a set of intervals that lies in the account: device work on a device. */
tt_claim tt_claim_of_set(const tt_claim_source *x, uint32_t device, const tt_ivs *set);

/* The longest piece, and how many have at least 1 % of it. 0 without pieces. */
int64_t tt_claim_longest(const tt_claim *c, uint32_t *count);
/* The shortest window from the start of a piece to the end of one that holds at least half of the claim; of equal ones
 * the earlier. O(pieces). */
tt_iv tt_claim_window(const tt_claim *c);

#endif

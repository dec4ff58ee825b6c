/* model/tables/findings/claims/claims.h - the time of the account that a finding claims: intervals on one device, in
 * pieces that are its evidence.
 *
 * Share, time, count and evidence of a finding all come from its claim. Claims of roots on a device are disjoint: an
 * earlier claim leaves nothing of its time for a later one. Times are trace times. */
#ifndef TT_MODEL_TABLES_FINDINGS_CLAIMS_CLAIMS_H
#define TT_MODEL_TABLES_FINDINGS_CLAIMS_CLAIMS_H

#include "model/tables/idle/idle_scope.h"

typedef struct tt_claim_piece {
    int64_t t0, t1;      /* hull of the claim in the piece */
    int64_t ns;          /* length of the claim in the piece */
    uint32_t track;      /* charged host thread, TT_NONE = not known; for device work the track of the stream */
    tt_wait_cause cause; /* largest cause of idle time; TT_WAIT_COUNT_ for device work */
} tt_claim_piece;

typedef struct tt_claim {
    uint32_t device;               /* index into tt_device_work.devices; TT_NONE = no claim */
    TT_VEC(tt_claim_piece) pieces; /* disjoint, in the order of time: one per gap, else one per merged interval */
    int64_t ns;                    /* length of all pieces */
    int64_t part[TT_WAIT_COUNT_];  /* idle time by cause */
    /* "zoom (scaling/resize.py:739)": frame of the program with most of the time, if that is a fifth; in the arena.
     * NULL = none */
    const char *line;
} tt_claim;
void tt_claim_free(tt_claim *c);

typedef struct tt_claim_source { /* a trace in a scope */
    const tt_session *session;
    uint32_t trace;
    const tt_account *account;
    const tt_device_work *work;
    tt_arena *arena; /* arena of the lines */
} tt_claim_source;

/* Whether a finding names device a, with ns, rather than b, the best so far (TT_NONE = none) with `most`: the longer
 * time, of equal times the first name. Never with 0 ns. */
bool tt_claim_rather(const tt_claim_source *x, uint32_t a, int64_t ns, uint32_t b, int64_t most);

/* Idle time of each device by cause: n_devices * TT_WAIT_COUNT_ sums. The caller frees them. O(gaps). */
int64_t *tt_claim_idle(const tt_claim_source *x);
/* Device with most idle time of the causes (bits; ties by name), by the sums of tt_claim_idle(); TT_NONE = no device
 * has any. */
uint32_t tt_claim_idlest(const tt_claim_source *x, const int64_t *idle, uint32_t causes);

/* What a few findings claim of the gaps of a device, in one pass. Each has causes (bits), edges (bits of
 * tt_idle_edge), an interval that it lies within (NULL = anywhere) or outside of, and whether the launch of the next
 * work must be known. */
typedef struct tt_claim_of_idle {
    uint32_t device, causes, edges;
    const tt_iv *within, *without;
    bool known_launch;
    bool with_line;
    tt_claim *claim; /* the claim that is made */
} tt_claim_of_idle;
#define TT_EDGES_ALL (1u << TT_EDGE_NONE | 1u << TT_EDGE_LEADING | 1u << TT_EDGE_EARLY | 1u << TT_EDGE_TRAILING)
void tt_claims_of_idle(const tt_claim_source *x, const tt_claim_of_idle *of, size_t n);

/* Claim the part of a set of intervals that lies in the account: device work on a device. */
tt_claim tt_claim_of_set(const tt_claim_source *x, uint32_t device, const tt_ivs *set);

/* The longest piece, and the number of pieces with at least 1 % of it. 0 without pieces. */
int64_t tt_claim_longest(const tt_claim *c, uint32_t *count);
/* The shortest window from the start of a piece to the end of one that holds at least half of the claim, the
 * earliest of several. O(pieces). */
tt_iv tt_claim_window(const tt_claim *c);

#endif

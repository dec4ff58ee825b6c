/* model/tables/idle/idle_gaps.h - the gaps in the work of each device, and why it waited.
 *
 * A gap [g0, g1) lies between two merged intervals of a device's work, of whatever stream; work without length is
 * work, too, and ends a gap. What starts at g1 is the next work; of several the one whose launch began first, known
 * launches first, then by row. Its launch [Ls, Le] says what the device waited for:
 *   launch not known:                   all of the gap is "unknown";
 *   Le <= g0, launched in time:         all of it is "queue";
 *   else up to h = min(g1, Le):         what the launching thread does at each instant (host_causes.h);
 *        from h on, TT_LAUNCH_NS long:  "launch"; what is later: "queue".
 * Idle time has edges (tt_idle_edge), where what is not in the file may be the reason: there "queue" is "unknown".
 * The parts add up to the gap exactly. A window cuts the gap first and keeps g0 and g1 for these rules, so the parts
 * of adjacent windows add up to those of the whole. Times are trace times. */
#ifndef TT_MODEL_TABLES_IDLE_IDLE_GAPS_H
#define TT_MODEL_TABLES_IDLE_IDLE_GAPS_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/device/wait_cause.h"

typedef enum tt_idle_edge {
    TT_EDGE_NONE,
    TT_EDGE_LEADING,  /* from the start of the account to the device's first work in the file, or in the account of the
                         whole trace: the device may still be at work that is not in the file, or a blocking call waited
                         for such, so "sync" is "unknown", too */
    TT_EDGE_EARLY,    /* before it has run TT_EARLY_NS of recorded work: more than TT_UNSEEN_NS of "queue", in which no
                         other device of the trace works */
    TT_EDGE_TRAILING, /* after its last work in the file: the host's */
} tt_idle_edge;
#define TT_EARLY_NS 1000000
#define TT_UNSEEN_NS 1000000

typedef struct tt_idle_gap {
    int64_t t0, t1;               /* the part in the window asked for */
    uint32_t device;              /* index into tt_device_work.devices */
    uint32_t next;                /* the work that ends it: index into tt_device_work.at; TT_NONE: there is none */
    uint32_t track;               /* host thread that launches the next work, TT_NONE = not known */
    tt_row op;                    /* innermost operator or data loader's range on it in the middle of the host's part;
                                     TT_NONE: none, or the host has no part */
    int64_t part[TT_WAIT_COUNT_]; /* add up to t1 - t0 */
    tt_wait_cause cause : 8;      /* of the largest part; of equal ones the first */
    tt_idle_edge edge : 8;
} tt_idle_gap;

typedef struct tt_idle_gaps {
    TT_VEC(tt_idle_gap) at; /* by device, then by t0 */
    TT_VEC(uint32_t) first; /* by device, and the end: n_devices + 1 */
} tt_idle_gaps;

/* The gaps of the whole trace: between the first and the last work of each device. Built once per trace and kept. */
const tt_idle_gaps *tt_idle_gaps_get(const tt_session *s, uint32_t trace);

/* All of the time that a device is idle, as a picture has it: the gaps of the whole trace, and before and after them
 * the time from the start of the account of the whole trace to the device's first work, and from its last work to the
 * end of the account. In the order of time, without overlap; the trace's. */
typedef struct tt_idle_lane {
    const tt_idle_gap *at;          /* the gaps of the whole trace */
    const tt_idle_gap *head, *tail; /* NULL = none */
    uint32_t n;                     /* with head and tail */
} tt_idle_lane;
tt_idle_lane tt_idle_lane_of(const tt_session *s, uint32_t trace, uint32_t device);
static inline const tt_idle_gap *tt_idle_lane_at(const tt_idle_lane *l, uint32_t i)
{
    if (l->head && i == 0) return l->head;
    return l->tail && i + 1 == l->n ? l->tail : &l->at[i - (l->head ? 1 : 0)];
}
/* The first that ends after t; n = none. O(log gaps). */
uint32_t tt_idle_lane_after(const tt_idle_lane *l, int64_t t);

typedef struct tt_idle_window {
    int64_t t0, t1;
    int64_t from;  /* start of the account that it is a part of: g0 of a leading gap */
    uint32_t host; /* track that is charged with the time after a device's last work; TT_NONE = the one that launched
                      the device's last work, "unknown" when that is not known */
} tt_idle_window;
/* The gaps of every device cut to a window, edges included. Caller frees with tt_idle_gaps_free(). */
tt_idle_gaps tt_idle_gaps_in(const tt_session *s, uint32_t trace, const tt_idle_window *w);
/* Likewise of one device, each shown to visit(): valid during the call. */
typedef void tt_idle_gap_visit(void *arg, const tt_idle_gap *gap);
void tt_idle_gaps_visit(const tt_session *s, uint32_t trace, uint32_t device, const tt_idle_window *w,
                        tt_idle_gap_visit *visit, void *arg);
void tt_idle_gaps_free(tt_idle_gaps *g);
/* A gap of the whole trace as if it were no edge: its time in the queue is "queue". */
tt_idle_gap tt_idle_gap_plain(const tt_session *s, uint32_t trace, const tt_idle_gap *g);
/* Of those of one device in a part of the account of the whole trace, the longest; of equal ones the first. False: it
 * has none. */
bool tt_idle_longest_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_idle_gap *out);

/* When in a gap (or part of one, of an account that begins at `from`) one of the causes (bits) holds: disjoint
 * intervals in the order of time, appended to *out; their length is that of the parts. O(log + what lies in it). */
void tt_idle_stretches(const tt_session *s, uint32_t trace, const tt_idle_gap *g, int64_t from, uint32_t causes,
                       tt_ivs *out);

static inline int64_t tt_idle_host_ns(const tt_idle_gap *g) /* the host's part of it */
{
    int64_t ns = 0;
    for (int k = 0; k <= TT_WAIT_BETWEEN; k++) ns += g->part[k];
    return ns;
}

/* The length of each cause in [t0, t1) on a device, inside of its lane: what a cell of a picture shows. part[] are
 * added to. O(log gaps), plus a few gaps. */
void tt_idle_parts_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1,
                      int64_t part[TT_WAIT_COUNT_]);

#endif

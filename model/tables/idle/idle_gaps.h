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
 * What lies after the beginning of work that had not ended when the recording did is "unknown", too.
 * The parts add up to the gap exactly. A window cuts the gap first and keeps g0 and g1 for these rules, so the parts
 * of adjacent windows add up to those of the whole. Times are trace times. */
#ifndef TT_MODEL_TABLES_IDLE_IDLE_GAPS_H
#define TT_MODEL_TABLES_IDLE_IDLE_GAPS_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/device/wait_cause.h"

typedef enum tt_idle_edge {
    TT_EDGE_NONE,
    /* from the start of the account to the device's first work in the file, or in the account of the whole trace.
     * The device may still do work that is not in the file, or a blocking call may wait for such work, so "sync" is
     * "unknown", too */
    TT_EDGE_LEADING,
    /* a gap before the device has run TT_EARLY_NS of recorded work, with more than TT_UNSEEN_NS of "queue" in which
     * no other device of the trace works */
    TT_EDGE_EARLY,
    TT_EDGE_TRAILING, /* after the device's last work in the file: charged to the host */
} tt_idle_edge;
#define TT_EARLY_NS 1000000
#define TT_UNSEEN_NS 1000000

typedef struct tt_idle_gap {
    int64_t t0, t1;  /* part in the window asked for */
    uint32_t device; /* index into tt_device_work.devices */
    uint32_t next;   /* work that ends the gap: index into tt_device_work.at; TT_NONE: none */
    uint32_t track;  /* host thread that launches the next work; TT_NONE = not known */
    /* innermost operator or data loader's range on that thread in the middle of the host's part; TT_NONE: none, or
     * the host has no part */
    tt_row op;
    int64_t part[TT_WAIT_COUNT_]; /* time of each cause; they add up to t1 - t0 */
    tt_wait_cause cause : 8;      /* cause of the largest part, the first of several equal ones */
    tt_idle_edge edge : 8;
} tt_idle_gap;

typedef struct tt_idle_gaps {
    TT_VEC(tt_idle_gap) at; /* gaps by device, then by t0 */
    TT_VEC(uint32_t) first; /* index of each device's first gap, and the end: n_devices + 1 values */
} tt_idle_gaps;

/* The gaps of the whole trace, between the first and the last work of each device. Built once per trace and kept. */
const tt_idle_gaps *tt_idle_gaps_get(const tt_session *s, uint32_t trace);

/* All idle time of a device, as a picture shows it: the gaps of the whole trace, the time from the start of the
 * account of the whole trace to the device's first work, and the time from its last work to the end of the account.
 * In the order of time, without overlap; owned by the trace. */
typedef struct tt_idle_lane {
    const tt_idle_gap *at;          /* gaps of the whole trace */
    const tt_idle_gap *head, *tail; /* time before the first and after the last work; NULL = none */
    uint32_t n;                     /* number of gaps, with head and tail */
} tt_idle_lane;
tt_idle_lane tt_idle_lane_of(const tt_session *s, uint32_t trace, uint32_t device);
static inline const tt_idle_gap *tt_idle_lane_at(const tt_idle_lane *l, uint32_t i)
{
    if (l->head && i == 0) return l->head;
    return l->tail && i + 1 == l->n ? l->tail : &l->at[i - (l->head ? 1 : 0)];
}
/* First gap that ends after t; n = none. O(log gaps). */
uint32_t tt_idle_lane_after(const tt_idle_lane *l, int64_t t);

typedef struct tt_idle_window {
    int64_t t0, t1;
    int64_t from; /* start of the account around the window: g0 of a leading gap */
    /* track that is charged with the time after a device's last work; TT_NONE = the track that launched that work,
     * "unknown" when it is not known */
    uint32_t host;
} tt_idle_window;
/* Gaps of every device, cut to a window, edges included. The caller frees them with tt_idle_gaps_free(). */
tt_idle_gaps tt_idle_gaps_in(const tt_session *s, uint32_t trace, const tt_idle_window *w);
/* Show the gaps of one device in a window to visit(); a gap is valid during the call. */
typedef void tt_idle_gap_visit(void *arg, const tt_idle_gap *gap);
void tt_idle_gaps_visit(const tt_session *s, uint32_t trace, uint32_t device, const tt_idle_window *w,
                        tt_idle_gap_visit *visit, void *arg);
void tt_idle_gaps_free(tt_idle_gaps *g);
/* A gap of the whole trace as if it were no edge: its time in the queue is "queue". */
tt_idle_gap tt_idle_gap_plain(const tt_session *s, uint32_t trace, const tt_idle_gap *g);
/* The longest gap of one device in a part of the account of the whole trace, the first of several equal ones. False:
 * there is none. */
bool tt_idle_longest_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_idle_gap *out);

/* Times in a gap, or part of one, at which one of the causes (bits) applies, in an account that begins at `from`:
 * disjoint intervals in the order of time, appended to *out, as long as the parts of those causes. O(log +
 * intervals). */
void tt_idle_stretches(const tt_session *s, uint32_t trace, const tt_idle_gap *g, int64_t from, uint32_t causes,
                       tt_ivs *out);

static inline int64_t tt_idle_host_ns(const tt_idle_gap *g) /* length of the host's part */
{
    int64_t ns = 0;
    for (int k = 0; k <= TT_WAIT_BETWEEN; k++) ns += g->part[k];
    return ns;
}

/* Add the length of each cause in [t0, t1) on a device, inside its lane, to part[], for a cell of a picture. O(log
 * gaps), plus a few gaps. */
void tt_idle_parts_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1,
                      int64_t part[TT_WAIT_COUNT_]);

#endif

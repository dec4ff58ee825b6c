/* model/index/flame.h - calls merged by the path that leads to them: what a flame graph ("left-heavy") is drawn from.
 *
 * The parent of a slice is the innermost slice of its track around it, Python frames and everything else taken
 * together, but never one that reaches out of the slice that the trace calls its parent. Below the calls that
 * launched something hang the kernels, copies and sets they launched. Steps are merged whatever their number. */
#ifndef TT_MODEL_INDEX_FLAME_H
#define TT_MODEL_INDEX_FLAME_H

#include <stdatomic.h>

#include "model/index/lod.h"
#include "model/trace/session.h"

typedef enum tt_flame_weight {
    TT_FLAME_TIME,   /* duration, cut to the windows */
    TT_FLAME_DEVICE, /* device work: of a host call what was launched inside, in the windows; sum of durations */
    TT_FLAME_WEIGHTS
} tt_flame_weight;

typedef struct tt_flame_spec {
    uint32_t trace;
    int64_t track; /* TT_ALL: every host thread, each a node under the root */
    tt_row root;   /* only what lies in this slice, whatever the track; TT_NONE = all of it */
    tt_sid of; /* with of_kinds: all that lies in slices of this name and these kinds (bits), merged; the outermost */
    uint32_t of_kinds; /* where they are nested. 0 = not asked for */
    bool callers; /* with of: not what lies in them but what they lie in, innermost first, the thread last. Device work
                           lies in what launched it, and has its duration as both weights */
    bool no_python; /* as if Python functions (not modules) had not been recorded, but for the root */
    bool fold;      /* objects of one class of modules are one node (Linear x18), and Python functions that only wrap
                       others count as not recorded */
    const tt_lod_filter *filter; /* only slices that pass are nodes (and what was asked for); the time and work of the
                                    others is that of what they lie in. NULL = all; the caller's */
    tt_windows windows;          /* of trace time; the caller's */
} tt_flame_spec;

typedef struct tt_flame_node {
    tt_sid name;       /* of a slice or of a track */
    uint32_t up;       /* TT_NONE: the root, node 0 */
    uint32_t first, n; /* children: order[first] ... */
    uint32_t depth;    /* of the root 0 */
    uint32_t objects;  /* modules of one class that were merged into it; 0 = none were */
    uint8_t kind;      /* tt_kind; TT_KIND_COUNT_: a track, or the root of several slices */
    int64_t calls;
    int64_t total[TT_FLAME_WEIGHTS], self[TT_FLAME_WEIGHTS]; /* self: without the children; never below 0 */
    tt_row longest;                                          /* the call with the largest part; TT_NONE */
    int64_t longest_ns;
} tt_flame_node;

typedef struct tt_flame {
    const tt_trace *trace;
    TT_VEC(tt_flame_node) nodes;  /* parents before children */
    uint32_t *order;              /* children of each node, by the weight that was asked for last */
    uint32_t depths;              /* 1 + greatest depth */
    int64_t unlaunched, launched; /* of all threads: device work in the windows without and with a recorded launch: only
                                     the latter is in the nodes */
} tt_flame;

/* Of callers 256 are told apart; what is around those is one node, so that endless recursion does not make endless
 * paths. Slices that cross are merged too; their times then count in both, so children may add up to more than their
 * parent. O(slices in the windows). Any thread. NULL once *stop (may be NULL) is true. */
tt_flame *tt_flame_new(const tt_session *s, const tt_flame_spec *spec, const atomic_bool *stop);
void tt_flame_free(tt_flame *f); /* NULL is fine */
/* Order children by a weight, the largest first, equal ones by name. New ones are ordered by TT_FLAME_TIME. */
void tt_flame_sort(tt_flame *f, tt_flame_weight w);
/* The name of a node; raw bytes of the input. Steps that were merged lose their number. buf may be used. */
const char *tt_flame_name(const tt_flame *f, uint32_t node, char *buf, size_t cap);
static inline uint32_t tt_flame_child(const tt_flame *f, uint32_t node, uint32_t i)
{
    return f->order[f->nodes.at[node].first + i];
}

#endif

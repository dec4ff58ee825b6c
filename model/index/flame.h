/* model/index/flame.h - calls merged by path: the data of a flame graph ("left-heavy").
 *
 * The parent of a slice is the innermost slice around it on its track, Python frames and all others together, but
 * never one that extends beyond the parent given by the trace. Kernels, copies and sets hang below the calls that
 * launched them; work of a graph below the operators around the captured call that owns it (graph_owner.h). Steps are
 * merged whatever their number, steps of a serving engine by their phase. */
#ifndef TT_MODEL_INDEX_FLAME_H
#define TT_MODEL_INDEX_FLAME_H

#include <stdatomic.h>

#include "model/index/lod.h"
#include "model/trace/session.h"

typedef enum tt_flame_weight {
    TT_FLAME_TIME,   /* duration, cut to the windows */
    TT_FLAME_DEVICE, /* device work; for a host call the work launched inside, in the windows; sum of durations */
    TT_FLAME_WEIGHTS
} tt_flame_weight;

typedef struct tt_flame_spec {
    uint32_t trace;
    int64_t track; /* track; TT_ALL: every host thread, each a node under the root */
    tt_row root;   /* restrict to the content of this slice, on any track; TT_NONE = no restriction */
    tt_sid of;     /* with of_kinds: restrict to the content of slices with this name and these kinds (bits), merged; of
                      nested ones */
    uint32_t of_kinds; /* the outermost. 0 = no restriction */
    bool callers;   /* with of: show callers of these slices instead, innermost first, the thread last. Device work is
                       called by its launch, and has its duration as both weights */
    bool no_python; /* treat Python functions (not modules) as not recorded, except the root */
    bool fold; /* merge objects of one module class (Linear x18), and treat Python functions that only wrap others as
                  not recorded */
    const tt_lod_filter *filter; /* only slices that pass (and requested ones) are nodes; time and work of others count
                                    for the slice around them. NULL = all; borrowed */
    tt_windows windows;          /* windows of trace time; borrowed */
} tt_flame_spec;

typedef struct tt_flame_node {
    tt_sid name;       /* name of a slice or track, for tt_flame_text() */
    uint32_t up;       /* TT_NONE: the root, node 0 */
    uint32_t first, n; /* range of its children in order[] */
    uint32_t depth;    /* depth, 0 for the root */
    uint32_t objects;  /* number of merged modules of one class; 0 = none */
    uint8_t kind;      /* tt_kind; TT_KIND_COUNT_: a track, or the root of several slices */
    int64_t calls;
    int64_t total[TT_FLAME_WEIGHTS], self[TT_FLAME_WEIGHTS]; /* self: total without the children; never below 0 */
    tt_row longest;                                          /* the call with the largest part; TT_NONE */
    int64_t longest_ns;
} tt_flame_node;

typedef struct tt_flame {
    const tt_trace *trace;
    tt_strings more;              /* names of captured calls and phases that the trace lacks */
    TT_VEC(tt_flame_node) nodes;  /* parents before children */
    uint32_t *order;              /* children of each node, by the last sorted weight */
    uint32_t depths;              /* 1 + greatest depth */
    int64_t unlaunched, launched; /* device work in the windows, all threads, without and with a recorded launch: only
                                     the latter is in nodes */
} tt_flame;

/* At most 256 callers are distinguished; outer ones are one node, so that endless recursion stays short. Crossing
 * slices are merged, too, and count in both, so children can exceed their parent. O(slices in the windows). Any
 * thread. NULL once *stop (can be NULL) is true. */
tt_flame *tt_flame_new(const tt_session *s, const tt_flame_spec *spec, const atomic_bool *stop);
void tt_flame_free(tt_flame *f); /* NULL is allowed */
/* Sort children by a weight, largest first, then by name. A new graph is sorted by TT_FLAME_TIME. */
void tt_flame_sort(tt_flame *f, tt_flame_weight w);
const char *tt_flame_text(const tt_flame *f, tt_sid name);
/* The name of a node; raw bytes of the input. Merged steps lose their number. buf may be used. */
const char *tt_flame_name(const tt_flame *f, uint32_t node, char *buf, size_t cap);
static inline uint32_t tt_flame_child(const tt_flame *f, uint32_t node, uint32_t i)
{
    return f->order[f->nodes.at[node].first + i];
}

#endif

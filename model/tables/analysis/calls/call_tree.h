/* model/tables/analysis/calls/call_tree.h - the calls of each host thread as a tree, with self times and the device
 * time launched inside.
 *
 * Two kinds of tree:
 *   OPS    operators, steps, nn.Modules, data loader items, optimizer steps, the basic collectives; other annotations
 *          are transparent, unless the trace has no operators at all: then they are counted in their place
 *   CALLS  what key_averages lists: operators, all annotations, steps, runtime and driver calls, overhead; no Python,
 *          and not the operators of the profiler's own bookkeeping.
 * Nodes are ordered by row: those of a track lie together, a parent comes before its children. A node that overruns
 * the end of the node it starts in is a child of the nearest node that contains it whole; nothing is dropped.
 * Self times do not depend on what is a node: self_time.h says what is off them. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_CALL_TREE_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_CALL_TREE_H

#include "model/trace/session.h"

typedef enum tt_call_tree_kind { TT_TREE_OPS, TT_TREE_CALLS } tt_call_tree_kind;

enum { /* tt_call_tree.flags */
       /* the only child of a node with the same name: merged into that node, not a call of its own */
       TT_CALL_DUP = 1,
       TT_CALL_COUNTED = 2,       /* OPS: an operator that the operator table counts */
       TT_CALL_ELIGIBLE = 4,      /* the node or a direct child can use tensor cores, or launched kernels that did */
       TT_CALL_LEAF_ELIGIBLE = 8, /* eligible by name, and no counted node below it is */
       TT_CALL_PARENT = 16,       /* has a child node */
       TT_CALL_FORK = 32,         /* has several child nodes */
       TT_CALL_DEVICE = 64,       /* the node or a node below it launched device work */
       TT_CALL_BELOW = 128,       /* a counted and eligible node is below */
};

typedef struct tt_call_tree {
    uint32_t n;
    tt_row *row;
    uint32_t *up; /* parent node, TT_NONE; for a merged node the node that it was merged into */
    uint8_t *flags;
    /* self time by self_time.h, of merged nodes too; modules also lose the time of modules inside */
    int64_t *host_self;
    /* device times by tt_call_tree_dev(node); index 0 is shared by all nodes without device work */
    int64_t *dev_self;  /* sum of durations of device work that the node launched, merged nodes included */
    int64_t *dev_total; /* dev_self of the node and everything below */
    int64_t *tensor_self, *tensor_total; /* tensor-core kernels alone; NULL in CALLS */
    int64_t *kernel_self;                /* kernels alone of dev_self; NULL in CALLS */
    uint32_t *of_dev;                    /* node that launched each piece of work, by index into trace->dev; TT_NONE */
    bool has_device;                     /* the trace has kernels, copies or sets */
    bool of_ranges;            /* OPS: the trace has no operators, and ranges that the program named replace them */
    bool ids_trusted;          /* External ids say which operator launched device work */
    struct tt_call_tree_rank { /* for each group of 64 nodes: */
        uint64_t with;         /* bit set: the node has device work */
        uint32_t before;       /* nodes with device work before the group */
    } * rank;
} tt_call_tree;

/* bits of the kinds that are modules of a model: nn.Module of PyTorch, layers of Paddle (ranges of Layer.__call__) */
#define TT_TREE_MODULES (1u << TT_KIND_MODULE | 1u << TT_KIND_FORWARD)

/* bits of the kinds that a program names, which replace operators (of_ranges) */
#define TT_TREE_RANGES                                                                                                 \
    (1u << TT_KIND_ANNOTATION | 1u << TT_KIND_DATALOADER | 1u << TT_KIND_FORWARD | 1u << TT_KIND_BACKWARD |            \
     1u << TT_KIND_OPTIMIZATION | 1u << TT_KIND_COMMUNICATION)

/* Index of the node's device times; 0 when it has none. */
static inline uint32_t tt_call_tree_dev(const tt_call_tree *t, uint32_t node)
{
    const struct tt_call_tree_rank *k = &t->rank[node / 64];
    uint64_t bit = (uint64_t)1 << node % 64;
    return k->with & bit ? k->before + (uint32_t)__builtin_popcountll(k->with & (bit - 1)) + 1 : 0;
}

/* Whether the trace has operators; else ranges that the program named may replace them. */
bool tt_call_tree_has_operators(const tt_trace *s);

/* Built once per trace and kept. Building is O(slices), tracks side by side. */
const tt_call_tree *tt_call_tree_get(const tt_session *s, uint32_t trace, tt_call_tree_kind kind);

/* First node whose row is at or after `row`. O(log n). */
uint32_t tt_call_tree_lower(const tt_call_tree *t, tt_row row);
/* The node that a merged node was merged into; any other node itself. */
static inline uint32_t tt_call_tree_owner(const tt_call_tree *t, uint32_t node)
{
    return t->flags[node] & TT_CALL_DUP ? t->up[node] : node;
}

/* remembers where the last question about a track ended */
typedef struct tt_call_tree_cursor {
    uint32_t first, end, top;
    int64_t time;
} tt_call_tree_cursor;
extern const tt_call_tree_cursor tt_call_tree_cursor_start;
/* Innermost node of a track that runs at a time; [first, end) are the track's nodes that have begun by then. TT_NONE
 * = no node runs. Questions about one track at rising times cost O(nodes) together, other questions O(depth). */
uint32_t tt_call_tree_running(const tt_trace *s, const tt_call_tree *t, tt_call_tree_cursor *c, uint32_t first,
                              uint32_t end, int64_t time);

#endif

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
#ifndef TT_MODEL_TABLES_ANALYSIS_CALL_TREE_H
#define TT_MODEL_TABLES_ANALYSIS_CALL_TREE_H

#include "model/trace/session.h"

typedef enum tt_call_tree_kind { TT_TREE_OPS, TT_TREE_CALLS } tt_call_tree_kind;

enum {                            /* tt_call_tree.flags */
       TT_CALL_DUP = 1,           /* only child of a node of the same name: merged into it, not a call of its own */
       TT_CALL_COUNTED = 2,       /* OPS: an operator of the operator table */
       TT_CALL_ELIGIBLE = 4,      /* itself or a direct child can use tensor cores, or it launched kernels that did */
       TT_CALL_LEAF_ELIGIBLE = 8, /* eligible by name, and no counted node below it is */
       TT_CALL_PARENT = 16,       /* has a child node */
       TT_CALL_FORK = 32,         /* has several */
       TT_CALL_DEVICE = 64,       /* it or a node below it launched device work */
       TT_CALL_BELOW = 128,       /* a counted node that is eligible is below */
};

typedef struct tt_call_tree {
    uint32_t n;
    tt_row *row;
    uint32_t *up; /* parent node, TT_NONE; of a merged one the node that it was merged into */
    uint8_t *flags;
    int64_t *host_self; /* as self_time.h has it, merged nodes included; of a module modules are children, too */
    /* Device work, by tt_call_tree_dev() of a node; [0] is of the many nodes that have none. */
    int64_t *dev_self;  /* device work launched by the node itself (merged ones included): sum of durations */
    int64_t *dev_total; /* the same with everything below */
    int64_t *tensor_self, *tensor_total; /* likewise, tensor-core kernels only; NULL in CALLS */
    int64_t *kernel_self;                /* kernels only, of dev_self; NULL in CALLS */
    uint32_t *of_dev;                    /* by index into trace->dev: the node that launched it, TT_NONE */
    bool has_device;                     /* the trace has kernels, copies or sets */
    bool of_ranges;   /* OPS: the trace has no operators, so the ranges that the program named stand for them */
    bool ids_trusted; /* External ids say which operator launched something */
    struct tt_call_tree_rank { /* of 64 nodes: */
        uint64_t with;         /* those with device work */
        uint32_t before;       /* how many nodes before them have some */
    } * rank;
} tt_call_tree;

/* Modules of a model, a bit each: nn.Module of PyTorch, layers of Paddle (the ranges of Layer.__call__). */
#define TT_TREE_MODULES (1u << TT_KIND_MODULE | 1u << TT_KIND_FORWARD)

/* What a program names: the kinds that stand for operators (of_ranges), a bit each. */
#define TT_TREE_RANGES                                                                                                 \
    (1u << TT_KIND_ANNOTATION | 1u << TT_KIND_DATALOADER | 1u << TT_KIND_FORWARD | 1u << TT_KIND_BACKWARD |            \
     1u << TT_KIND_OPTIMIZATION | 1u << TT_KIND_COMMUNICATION)

/* Where the device times of a node are, 0 when it has none. */
static inline uint32_t tt_call_tree_dev(const tt_call_tree *t, uint32_t node)
{
    const struct tt_call_tree_rank *k = &t->rank[node / 64];
    uint64_t bit = (uint64_t)1 << node % 64;
    return k->with & bit ? k->before + (uint32_t)__builtin_popcountll(k->with & (bit - 1)) + 1 : 0;
}

/* Whether the trace has operators; else what a program names may stand for them. */
bool tt_call_tree_has_operators(const tt_trace *s);

/* Built once per trace and kept. Building is O(slices), tracks side by side. */
const tt_call_tree *tt_call_tree_get(const tt_session *s, uint32_t trace, tt_call_tree_kind kind);

/* First node whose row is at or after `row`. O(log n). */
uint32_t tt_call_tree_lower(const tt_call_tree *t, tt_row row);
/* The node a merged one was merged into; itself otherwise. */
static inline uint32_t tt_call_tree_owner(const tt_call_tree *t, uint32_t node)
{
    return t->flags[node] & TT_CALL_DUP ? t->up[node] : node;
}

/* Where the last question about a track was. */
typedef struct tt_call_tree_cursor {
    uint32_t first, end, top;
    int64_t time;
} tt_call_tree_cursor;
extern const tt_call_tree_cursor tt_call_tree_cursor_start;
/* The innermost node of a track that runs at a time, when [first, end) are those of its nodes that have begun by
 * then; TT_NONE. Questions about one track at rising times cost O(nodes) together; any other O(depth). */
uint32_t tt_call_tree_running(const tt_trace *s, const tt_call_tree *t, tt_call_tree_cursor *c, uint32_t first,
                              uint32_t end, int64_t time);

#endif

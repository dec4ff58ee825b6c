/* model/index/self_time.h - self time of what a host thread did: how long a slice took without what it called. This
 * is the one definition that every table and screen shows: the duration minus the union of the direct children,
 * never below 0. Children are slices of the same track that lie inside the slice, with no other such slice between
 * them: operators, annotations, steps, stages, parts that only Paddle records, and runtime and driver calls. Python
 * functions, modules, overhead and waits are not children: recording them changes no number. A slice that outlasts
 * the parent is not a child either. Where slices cross, the later one holds what both contain (as in nesting.h), and
 * each instant is subtracted once. In a file of whole microseconds, children that overlap or outlast each other by
 * one microsecond cross only through rounding: both are subtracted whole, as PyTorch does. */
#ifndef TT_MODEL_INDEX_SELF_TIME_H
#define TT_MODEL_INDEX_SELF_TIME_H

#include "model/trace/trace.h"

/* Bits of the kinds of slices that take time from the self time of the slice around them. */
#define TT_SELF_KINDS                                                                                                  \
    (1u << TT_KIND_CPU_OP | 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_ENGINE_STEP | 1u << TT_KIND_STEP |                \
     1u << TT_KIND_RUNTIME | 1u << TT_KIND_DRIVER | 1u << TT_KIND_DATALOADER | 1u << TT_KIND_FORWARD |                 \
     1u << TT_KIND_BACKWARD | 1u << TT_KIND_OPTIMIZATION | 1u << TT_KIND_COMMUNICATION | 1u << TT_KIND_OP_INNER |      \
     1u << TT_KIND_PYTHON_OP)

static inline bool tt_self_counts(tt_kind k) { return TT_SELF_KINDS >> k & 1; }

typedef struct tt_self_open { /* a slice of the walk that has not ended */
    int64_t end, covered;     /* covered: end of the time that children have covered */
    uint32_t id;
} tt_self_open;

/* A walk over the slices of a track in the order of their rows. */
typedef struct tt_self_walk {
    int64_t rounding; /* ns by which times may be off; 0: times are exact */
    TT_VEC(tt_self_open) open;
} tt_self_walk;

void tt_self_begin(tt_self_walk *w, const tt_trace *s);
/* Add the next slice; ids are the caller's. Returns the id of the slice around it, TT_NONE = there is none; [*from,
 * end) is the time that the new slice takes from that slice's self time. O(1) amortised. */
uint32_t tt_self_next(tt_self_walk *w, uint32_t id, int64_t start, int64_t end, int64_t *from);
void tt_self_end(tt_self_walk *w);

/* Self time of a slice. A slice of another kind loses its direct children of the same layer (trace.h, parent).
 * TT_UNKNOWN when more than `most` slices would have to be looked at. O(slices inside). */
int64_t tt_row_self_ns(const tt_trace *s, tt_row row, uint32_t most);
/* Self time of every slice: s->n values, the caller frees. */
int64_t *tt_trace_self_ns(const tt_trace *s);

#endif

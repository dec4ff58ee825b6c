/* model/trace/self_time.h - self time of what a host thread did: how long a slice took without what it called.
 *
 * The one definition that every table and screen shows: duration minus the union of the direct children, never below 0.
 * Children are the slices of the same track that lie inside it with no other such slice in between, and are operators,
 * annotations of any name, steps, stages and parts that only Paddle records, or runtime and driver calls. Python
 * functions, modules, overhead and waits are no children: recording them changes no number. Nor is what outlasts the
 * slice. Where slices cross, the later one holds what both contain (as in nesting.h), and each instant is taken off
 * once, except that in a file of whole microseconds children that overlap by one, or of which one outlasts the other by
 * one, cross only because they were rounded: both are taken off whole, as PyTorch does. */
#ifndef TT_MODEL_TRACE_SELF_TIME_H
#define TT_MODEL_TRACE_SELF_TIME_H

#include "model/trace/trace.h"

/* Kinds of slices that take time from the self time of what is around them, a bit each. */
#define TT_SELF_KINDS                                                                                                  \
    (1u << TT_KIND_CPU_OP | 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_STEP | 1u << TT_KIND_RUNTIME |                    \
     1u << TT_KIND_DRIVER | 1u << TT_KIND_DATALOADER | 1u << TT_KIND_FORWARD | 1u << TT_KIND_BACKWARD |                \
     1u << TT_KIND_OPTIMIZATION | 1u << TT_KIND_COMMUNICATION | 1u << TT_KIND_OP_INNER | 1u << TT_KIND_PYTHON_OP)

static inline bool tt_self_counts(tt_kind k) { return TT_SELF_KINDS >> k & 1; }

typedef struct tt_self_open { /* a slice that has not ended */
    int64_t end, covered;     /* covered: by children, up to here */
    uint32_t id;
} tt_self_open;

/* A walk over the slices of a track in the order of their rows. */
typedef struct tt_self_walk {
    int64_t rounding; /* ns by which times may be wrong; 0: they are exact */
    TT_VEC(tt_self_open) open;
} tt_self_walk;

void tt_self_begin(tt_self_walk *w, const tt_trace *s);
/* The next slice; ids are the caller's. The id of the slice around it, TT_NONE = there is none: then [*from, end) is no
 * self time of that one. O(1) amortised. */
uint32_t tt_self_next(tt_self_walk *w, uint32_t id, int64_t start, int64_t end, int64_t *from);
void tt_self_end(tt_self_walk *w);

/* Self time of a slice. What is no child of another loses its direct children of the same layer (trace.h, parent).
 * TT_UNKNOWN when there are more than `most` slices to look at. O(slices in it). */
int64_t tt_row_self_ns(const tt_trace *s, tt_row row, uint32_t most);
/* The same of every slice: s->n values, caller frees. */
int64_t *tt_trace_self_ns(const tt_trace *s);

#endif

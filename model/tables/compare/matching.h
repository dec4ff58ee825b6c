/* model/tables/compare/matching.h - the matching of two runs: workers with workers, steps with steps as samples.
 *
 * Workers match by rank if all workers of both sides record one, else by name, else by order. Steps match by their
 * order among the complete steps in scope, never by number: sample i of a side is the i-th step of all matched
 * workers together. Rows of tables match by their keys elsewhere. */
#ifndef TT_MODEL_TABLES_COMPARE_MATCHING_H
#define TT_MODEL_TABLES_COMPARE_MATCHING_H

#include "model/tables/comparison.h"
#include "model/tables/table.h"

enum { TT_BASE, TT_NEW, TT_SIDES };

/* Note of every table of differences without a comparison. */
#define TT_NOTHING_TO_COMPARE "nothing to compare with: tracetty diff BASE NEW, or :diff PATH in the explorer"

typedef struct tt_step_sample { /* a step of a worker */
    uint32_t trace;             /* index into the side's session */
    uint32_t step;              /* index into its steps */
    int64_t account_start;      /* start of the account of the trace in the side's scope, trace time */
} tt_step_sample;

typedef struct tt_matched_worker {
    const char *name[TT_SIDES];        /* names; owned by the sessions */
    uint32_t trace[TT_SIDES];          /* first trace of the worker in scope; its others follow in the session */
    tt_step_sample *samples[TT_SIDES]; /* samples after skipping, at least n_samples of the side; owned */
    uint32_t n[TT_SIDES];
} tt_matched_worker;

typedef struct tt_matching {
    const tt_session *of[TT_SIDES];
    tt_scope scope[TT_SIDES];
    TT_VEC(tt_matched_worker) workers;
    TT_VEC(const char *) unmatched[TT_SIDES]; /* workers in scope without a partner; texts owned by the sessions */
    uint32_t n_samples[TT_SIDES];             /* number of steps common to all matched workers of the side */
    bool per_step;                            /* both sides have steps, and no totals of the run were requested */
    bool summary;                             /* a side is a summary file: its tables are of whole recordings */
    /* both sides are steps of serving engines, which last from the completion of the step before to their own: time_ns
     * of table engine_steps */
    bool of_completion;
    bool slow_first[TT_SIDES]; /* the first sample takes more than 1.5 x the median: warm-up that skip can leave out */
} tt_matching;

/* Match two runs. The caller frees with tt_matching_free(). O(steps). */
tt_matching tt_matching_make(const tt_session *new_run, const tt_scope *new_scope, const tt_comparison *c);
void tt_matching_free(tt_matching *m);
/* Index of the i-th trace of a matched worker on one side, in session order; TT_NONE = no more. */
uint32_t tt_matching_trace(const tt_matching *m, int side, uint32_t worker, uint32_t i);
/* Length of a sample, ns: the longest over the workers, as a step ends with its last worker. TT_UNKNOWN: a step of an
 * engine whose begin nothing tells. */
int64_t tt_matching_step_ns(const tt_matching *m, int side, uint32_t sample);
/* Median of the known lengths; TT_UNKNOWN without any. */
int64_t tt_matching_median_step(const tt_matching *m, int side);
/* By trace of the side's session, then by step: index of its sample, TT_NONE; NULL: no matched worker. The caller
 * frees each and the list. */
uint32_t **tt_matching_sample_of(const tt_matching *m, int side);

#endif

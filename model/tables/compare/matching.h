/* model/tables/compare/matching.h - what of two runs is compared with what: workers, and steps as samples.
 *
 * Workers meet by rank where all of both sides record one, else by name, else by their order. Steps meet by their
 * order among the complete steps in scope, never by their numbers: a sample of a side is the i-th step, of all matched
 * workers together. Nothing here decides how rows of tables meet: those have their keys. */
#ifndef TT_MODEL_TABLES_COMPARE_MATCHING_H
#define TT_MODEL_TABLES_COMPARE_MATCHING_H

#include "model/tables/comparison.h"
#include "model/tables/table.h"

enum { TT_BASE, TT_NEW, TT_SIDES };

/* Note of every table of differences where nothing is compared. */
#define TT_NOTHING_TO_COMPARE "nothing to compare with: tracetty diff BASE NEW, or :diff PATH in the explorer"

typedef struct tt_step_sample { /* a step of a worker */
    uint32_t trace;             /* index into the side's session */
    uint32_t step;              /* index into its steps */
    int64_t account_start;      /* of the trace in the side's scope, trace time */
} tt_step_sample;

typedef struct tt_matched_worker {
    const char *name[TT_SIDES];        /* the sessions' */
    uint32_t trace[TT_SIDES];          /* the first of its traces in scope; the others follow it in the session */
    tt_step_sample *samples[TT_SIDES]; /* at least n_samples of the side, those skipped left out; owned */
    uint32_t n[TT_SIDES];
} tt_matched_worker;

typedef struct tt_matching {
    const tt_session *of[TT_SIDES];
    tt_scope scope[TT_SIDES];
    TT_VEC(tt_matched_worker) workers;
    TT_VEC(const char *) unmatched[TT_SIDES]; /* workers in scope without a partner; the sessions' texts */
    uint32_t n_samples[TT_SIDES];             /* steps that every matched worker of the side has */
    bool per_step;             /* there are steps on both sides, and nobody asked for totals of the run */
    bool summary;              /* a side is a summary file, whose tables are of whole recordings */
    bool slow_first[TT_SIDES]; /* the first sample takes more than 1.5 x the median: warm-up, which skip leaves out */
} tt_matching;

/* Caller frees with tt_matching_free(). O(steps). */
tt_matching tt_matching_make(const tt_session *new_run, const tt_scope *new_scope, const tt_comparison *c);
void tt_matching_free(tt_matching *m);
/* The traces of a matched worker on one side, in the order of the session: index of the i-th, TT_NONE = no more. */
uint32_t tt_matching_trace(const tt_matching *m, int side, uint32_t worker, uint32_t i);
/* Length of a sample: over several workers the longest, as a step is over when the last is. ns. */
int64_t tt_matching_step_ns(const tt_matching *m, int side, uint32_t sample);
/* Median of these over the samples; TT_UNKNOWN without any. */
int64_t tt_matching_median_step(const tt_matching *m, int side);
/* By trace of the side's session: by step: the sample that it is part of, TT_NONE; NULL: no matched worker. The caller
 * frees each and the list. */
uint32_t **tt_matching_sample_of(const tt_matching *m, int side);

#endif

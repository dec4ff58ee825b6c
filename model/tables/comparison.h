/* model/tables/comparison.h - two runs, or two parts of one, and how they are to be compared.
 *
 * The session of a table is the new run, with the scope of the query; the base is said here. Tables with
 * TT_TABLE_COMPARE are computed from both (model/tables/compare). */
#ifndef TT_MODEL_TABLES_COMPARISON_H
#define TT_MODEL_TABLES_COMPARISON_H

#include "model/trace/session.h"

typedef struct tt_comparison {
    tt_session *base;    /* borrowed, outlives every table that is asked for with it; may be the new run itself: two
                            steps, ranks or spans of one run */
    uint64_t serial;     /* of base: another one for each session that was opened, as addresses come again */
    tt_scope base_scope; /* what of it */
    bool per_run;        /* totals of all in scope, even where both sides have steps */
    bool short_names;    /* match kernels without templates, arguments and suffixes of libraries */
    uint32_t skip;       /* so many steps of each side are left out at the beginning (warm-up) */
    double confidence;   /* of intervals, percent: 0 < confidence < 100 */
    double min_effect;   /* percent of the base: smaller changes are "same" however certain; >= 0 */
} tt_comparison;

/* What the options of `tracetty diff` are where nobody says otherwise; base NULL, everything in scope. */
#define TT_COMPARISON_DEFAULT ((tt_comparison){.base_scope = tt_scope_all, .confidence = 95, .min_effect = 1})

static inline bool tt_comparison_equal(const tt_comparison *a, const tt_comparison *b)
{
    if (!a || !b) return a == b;
    return a->base == b->base && a->serial == b->serial && tt_scope_equal(&a->base_scope, &b->base_scope) &&
           a->per_run == b->per_run && a->short_names == b->short_names && a->skip == b->skip &&
           !(a->confidence < b->confidence) && !(a->confidence > b->confidence) && !(a->min_effect < b->min_effect) &&
           !(a->min_effect > b->min_effect);
}

#endif

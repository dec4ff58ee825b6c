/* model/tables/comparison.h - two runs, or two parts of one run, and how they are compared.
 *
 * The session of a table is the new run, with the scope of the query; this struct names the base. Tables with
 * TT_TABLE_COMPARE are computed from both (model/tables/compare). */
#ifndef TT_MODEL_TABLES_COMPARISON_H
#define TT_MODEL_TABLES_COMPARISON_H

#include "model/trace/session.h"

typedef struct tt_comparison {
    tt_session *base; /* base run: borrowed, outlives every table computed with it; the new run itself when two steps,
                         ranks or spans of one run are compared */
    uint64_t serial;  /* number of the base: different for each session that was opened, as addresses are reused */
    tt_scope base_scope; /* part of the base */
    bool per_run;        /* compare totals over the scope, even where both sides have steps */
    bool short_names;    /* match kernels without templates, arguments and suffixes of libraries */
    uint32_t skip;       /* steps that are left out at the beginning of each side (warm-up) */
    double confidence;   /* confidence of intervals, percent: 0 < confidence < 100 */
    double min_effect;   /* percent of the base, >= 0: smaller changes are "same" however certain */
} tt_comparison;

/* The defaults of `tracetty diff`: everything in scope, base NULL. */
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

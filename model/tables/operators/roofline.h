/* model/tables/operators/roofline.h - operators against the device's peaks: FLOP and bytes of a call by formula, the
 * time of its device work, and the least time that the peaks allow.
 *
 * A device work counts for one call: the innermost operator around its launch with a formula for the recorded
 * shapes. The time of a call is the union of its work. FLOP and bytes are those of flops.h; the peaks those of
 * peaks.h, or from the options. The roof of a call is the longer of computing its FLOP at the peak and moving its
 * bytes at the bandwidth (S. Williams, A. Waterman, D. Patterson, "Roofline", 2009). */
#ifndef TT_MODEL_TABLES_OPERATORS_ROOFLINE_H
#define TT_MODEL_TABLES_OPERATORS_ROOFLINE_H

#include "model/tables/operators/roofline_work.h"
#include "model/tables/table.h"

/* Add the calls of another work. FLOP or bytes beyond 64 bits become TT_UNKNOWN; different types or devices have no
 * peaks. */
void tt_roofline_add(tt_roofline_work *w, const tt_roofline_work *more);

typedef struct tt_roofline_call {
    tt_row row; /* the operator */
    tt_roofline_work work;
} tt_roofline_call;

typedef struct tt_roofline_calls { /* calls with device work */
    tt_roofline_call *at;          /* by row */
    tt_row *of_dev;                /* by index into trace->dev: operator it counts for, TT_NONE; NULL: no calls */
    uint32_t n;
} tt_roofline_calls;

/* Built once per trace and kept. O(slices), and a sort of the device work that counts. */
const tt_roofline_calls *tt_roofline_get(const tt_session *s, uint32_t trace);
/* The call that a device work (index into trace->dev) counts for; NULL. O(log calls). */
const tt_roofline_call *tt_roofline_of_activity(const tt_roofline_calls *c, uint32_t activity);
/* Whether a trace can have such calls: it has device work, and operators with a formula. Makes no pass over the
 * trace. */
bool tt_roofline_any(const tt_trace *s);

typedef struct tt_roofline_rate {
    double intensity;                  /* FLOP per byte; NaN */
    double tflops_per_s, gb_per_s;     /* achieved rates; NaN */
    double peak_tflops, peak_gb_per_s; /* NaN = not known */
    double of_roof_pct; /* percent of the roof, NaN; above 100 if caches save bytes, a formula overestimates or the
                           clock exceeds the vendor's */
    int64_t roof_ns;    /* least time, ns; TT_UNKNOWN without peaks */
    bool compute_bound; /* limited by FLOP, else by bytes; valid if roof_ns is known */
} tt_roofline_rate;
tt_roofline_rate tt_roofline_rate_of(const tt_roofline_work *w, const tt_options *o);

typedef struct tt_roofline_row { /* row of table roofline */
    tt_sid name, shapes;         /* shapes 0 = not recorded */
    tt_roofline_work work;
} tt_roofline_row;
typedef TT_VEC(tt_roofline_row) tt_roofline_rows;
/* Calls in the query's scope by name, shapes and type, in order of first appearance; free with tt_vec_free(). */
tt_roofline_rows tt_roofline_rows_make(const tt_query *q);

/* Add problem peak_exceeded for each row above 100 %; the example is the row furthest above. */
void tt_roofline_problems(const tt_query *q, tt_problems *out);

#endif

/* model/tables/operators/roofline.h - operators against what the device could do: FLOP and bytes of a call by formula,
 * the time of its device work, and the least time that the device's peaks allow.
 *
 * A piece of device work counts for one call alone: of the operators around its launch the innermost that has a formula
 * for the shapes recorded. The time of a call is the union of its work. FLOP and bytes are those of flops.h; the
 * peaks those of peaks.h, or what the options say. The roof of a call is the longer of computing its FLOP at the peak
 * and moving its bytes at the bandwidth (S. Williams, A. Waterman, D. Patterson, "Roofline", 2009). */
#ifndef TT_MODEL_TABLES_OPERATORS_ROOFLINE_H
#define TT_MODEL_TABLES_OPERATORS_ROOFLINE_H

#include "model/tables/operators/peaks.h"
#include "model/tables/table.h"

/* One call, or calls of one operator with equal shapes and types. */
typedef struct tt_roofline_work {
    const tt_peaks *peaks; /* of the device; NULL = not known, or several different ones */
    int64_t calls, device_ns;
    int64_t flops, bytes; /* of all calls; TT_UNKNOWN: bytes, and sums beyond 64 bits */
    tt_op_kind kind;
    tt_data_type type;
} tt_roofline_work;

/* Adds the calls of another. FLOP or bytes beyond 64 bits are TT_UNKNOWN; peaks of several types or devices are not
 * known. */
void tt_roofline_add(tt_roofline_work *w, const tt_roofline_work *more);

typedef struct tt_roofline_call {
    tt_row row; /* the operator */
    tt_roofline_work work;
} tt_roofline_call;

typedef struct tt_roofline_calls { /* those with device work */
    tt_roofline_call *at;          /* by row */
    tt_row *of_dev; /* by index into trace->dev: the operator it counts for, TT_NONE; NULL: there are none */
    uint32_t n;
} tt_roofline_calls;

/* Built once per trace and kept. O(slices), and a sort of the device work that counts. */
const tt_roofline_calls *tt_roofline_get(const tt_session *s, uint32_t trace);
/* The call that a piece of device work counts for (index into trace->dev); NULL. O(log calls). */
const tt_roofline_call *tt_roofline_of_activity(const tt_roofline_calls *c, uint32_t activity);
/* Whether a trace can have such calls: it has device work, and operators with a formula. No pass over it. */
bool tt_roofline_any(const tt_trace *s);

typedef struct tt_roofline_rate {
    double intensity;                  /* FLOP a byte; NaN */
    double tflops_per_s, gb_per_s;     /* reached; NaN */
    double peak_tflops, peak_gb_per_s; /* NaN = not known */
    double of_roof_pct; /* NaN; above 100 where a cache spares bytes, a formula counts too much or a clock
                           is above the vendor's */
    int64_t roof_ns;    /* the least time; TT_UNKNOWN without peaks */
    bool compute_bound; /* by the FLOP; else by the bytes. Where roof_ns is known */
} tt_roofline_rate;
tt_roofline_rate tt_roofline_rate_of(const tt_roofline_work *w, const tt_options *o);

typedef struct tt_roofline_row { /* of table roofline */
    tt_sid name, shapes;         /* shapes 0 = not recorded */
    tt_roofline_work work;
} tt_roofline_row;
typedef TT_VEC(tt_roofline_row) tt_roofline_rows;
/* Calls in the scope of the query by name, shapes and type, in the order of their first; free with tt_vec_free(). */
tt_roofline_rows tt_roofline_rows_make(const tt_query *q);

/* Adds problem peak_exceeded for each such row that is above 100 %; the example is the one furthest above. */
void tt_roofline_problems(const tt_query *q, tt_problems *out);

#endif

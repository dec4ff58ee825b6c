/* model/tables/operators/peaks.h - the most that a device can compute and move, from what its vendor says of it. */
#ifndef TT_MODEL_TABLES_OPERATORS_PEAKS_H
#define TT_MODEL_TABLES_OPERATORS_PEAKS_H

#include "model/tables/analysis/names/flops.h"

typedef struct tt_peaks { /* a line of peaks.def */
    const char *words;
    int64_t least_gib;
    double gb_per_s;
    double vector[TT_DATA_COUNT_], matrix[TT_DATA_COUNT_]; /* TFLOP/s by type, 0 = none */
} tt_peaks;

/* By the name of the product and its memory (TT_UNKNOWN); NULL: not in the list, or a part or a weaker variant of what
 * is in it (MIG, laptops). */
const tt_peaks *tt_peaks_find(const char *product, int64_t memory_bytes);
/* Of a device of the trace, by its number; NULL when the trace does not say what it is. */
const tt_peaks *tt_peaks_of_device(const tt_trace *s, int64_t device);
/* The type that counts for operands of `type` in kernels on matrix units (matrix) or none: TF32 for fp32 where the
 * device has that. p may be NULL. */
tt_data_type tt_peaks_type(const tt_peaks *p, tt_data_type type, bool matrix);
/* TFLOP/s of an operator of this kind: matrix products, convolutions and attention by their type; all else on vector
 * units, which compute 16 bits as fp32. NaN when it is not known; p may be NULL. */
double tt_peaks_tflops(const tt_peaks *p, tt_op_kind kind, tt_data_type type);

#endif

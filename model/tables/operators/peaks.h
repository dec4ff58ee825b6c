/* model/tables/operators/peaks.h - peak rates of computation and memory of a device, from its vendor's data. */
#ifndef TT_MODEL_TABLES_OPERATORS_PEAKS_H
#define TT_MODEL_TABLES_OPERATORS_PEAKS_H

#include "model/tables/analysis/names/flops.h"

typedef struct tt_peaks { /* a line of peaks.def */
    const char *words;
    int64_t least_gib;
    double gb_per_s;
    double vector[TT_DATA_COUNT_], matrix[TT_DATA_COUNT_]; /* TFLOP/s by type, 0 = none */
} tt_peaks;

/* The peaks of a product with this memory (TT_UNKNOWN); NULL: not listed, or a part or weaker variant of a listed
 * product (MIG, laptops). */
const tt_peaks *tt_peaks_find(const char *product, int64_t memory_bytes);
/* The peaks of a device of the trace, by its number, or those of all devices where no properties have the number and
 * all are alike; NULL when the trace does not name the product. */
const tt_peaks *tt_peaks_of_device(const tt_trace *s, int64_t device);
/* The product that a device without a name is taken for, by its compute capability, processors and memory; NULL: it
 * has a name, or no product is known by them. */
const char *tt_peaks_taken_for(const tt_trace *s, const tt_device_props *d);
/* The type in which operands of `type` are computed, on matrix units or not: TF32 for fp32 if the device has it. p
 * can be NULL. */
tt_data_type tt_peaks_type(const tt_peaks *p, tt_data_type type, bool matrix);
/* Peak TFLOP/s of an operator of this kind: matrix products, convolutions and attention by type; all else on vector
 * units, which compute 16 bits as fp32. NaN if unknown; p can be NULL. */
double tt_peaks_tflops(const tt_peaks *p, tt_op_kind kind, tt_data_type type);

#endif

/* model/tables/analysis/names/element_type.h - elements of tensors: their size, and the types that devices compute
 * with at rates of their own, by the names in traces: "float", "c10::BFloat16", "Half", "Float8_e4m3fn". */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_ELEMENT_TYPE_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_ELEMENT_TYPE_H

#include <stddef.h>

typedef enum tt_data_type {
    TT_DATA_OTHER, /* unknown, or without a rate of its own: bool, complex */
    TT_DATA_FP64,
    TT_DATA_FP32,
    TT_DATA_TF32, /* fp32 in memory, which matrix units round when they multiply */
    TT_DATA_FP16,
    TT_DATA_BF16,
    TT_DATA_FP8,
    TT_DATA_INT8,
    TT_DATA_INT16,
    TT_DATA_INT32,
    TT_DATA_INT64,
    TT_DATA_COUNT_,
} tt_data_type;
extern const char *const tt_data_type_name[TT_DATA_COUNT_]; /* "fp64" ...; NULL for OTHER */

/* Bytes of an element of the type with this name (n bytes, any case); 0 = unknown. */
int tt_element_bytes(const char *name, size_t n);
/* Type that a device computes with for elements of the type with this name. */
tt_data_type tt_element_type(const char *name, size_t n);

#endif

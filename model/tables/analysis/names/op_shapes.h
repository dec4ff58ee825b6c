/* model/tables/analysis/names/op_shapes.h - recorded inputs of an operator call as numbers: shapes, types, values.
 * Private to flops.c. They are read from the JSON texts of the profiler; an unreadable one is absent. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_OP_SHAPES_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_OP_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tables/analysis/names/element_type.h"

enum { TT_SHAPE_INPUTS = 8, TT_SHAPE_DIMS = 8 };

typedef struct tt_shape {
    int n;
    int64_t dim[TT_SHAPE_DIMS];
} tt_shape;

/* Read the shapes of the first inputs, "[[32, 64], [], [64, 8]]"; a number has no dimensions. Reading ends at an
 * input that is no list of numbers (a list of tensors). Of named inputs, {"x": [[32, 64]], "y": [[64, 8]]}, x or
 * input comes first and the others keep their order; likewise for types. Returns how many were read. */
int tt_shapes_read(const char *text, tt_shape in[TT_SHAPE_INPUTS]);
/* Value k of a call as up to `most` numbers: "[1, 1]", "[1]" or "1". Returns how many; 0 for anything else. */
int tt_shapes_numbers(const char *concrete, int k, int64_t *out, int most);
bool tt_shapes_true(const char *concrete, int k);
/* Value k of a call as up to `most` flags: "[True, False]". Returns how many; 0 for anything else. */
int tt_shapes_flags(const char *concrete, int k, bool *out, int most);
/* Bytes of an element of input k; 0 = unknown. */
int64_t tt_shapes_element_bytes(const char *types, int k);
/* Type of the elements of input k; OTHER where it was not recorded or is unknown. */
tt_data_type tt_shapes_type(const char *types, int k);
/* Product of n non-negative factors; TT_UNKNOWN on overflow or when one is unknown. */
int64_t tt_shapes_product(const int64_t *v, int n);
int64_t tt_shapes_elements(const tt_shape *s);

#endif

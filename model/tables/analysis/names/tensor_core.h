/* model/tables/analysis/names/tensor_core.h - which kernels use matrix units, and which operators could.
 *
 * Traces do not say it; names do. Pure functions over names. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_TENSOR_CORE_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_TENSOR_CORE_H

#include <stdbool.h>

/* Whether the kernel runs on tensor cores (Volta to Blackwell) or matrix cores (CDNA), judged by its name. */
bool tt_tensor_kernel(const char *name);
/* The part of the name that reveals tensor cores; NULL: none, or the tile of a Tensile kernel does. */
const char *tt_tensor_kernel_word(const char *name);
/* Whether a library can run the operator on matrix units when its types allow. */
bool tt_tensor_eligible(const char *name);

#endif

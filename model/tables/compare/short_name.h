/* model/tables/compare/short_name.h - names by which two versions of a library meet (--match short).
 *
 * What depends on the version, the device or a tuner's choice goes: template and argument lists, return types, tile
 * sizes, stages, architectures, numbers of generated kernels. What a person keeps apart within one run stays: the
 * operation that a kernel for any operation was made for (vectorized_elementwise_kernel<exp_kernel_cuda>), layouts,
 * types that are part of a plain name. Not for identities: several names may have one short name. */
#ifndef TT_MODEL_TABLES_COMPARE_SHORT_NAME_H
#define TT_MODEL_TABLES_COMPARE_SHORT_NAME_H

#include "model/base/mem.h"

/* Both return `name` itself where there is nothing to leave out, else text in the arena; never NULL, and "" only for
 * "". Any bytes; O(length), but for mangled names, see model/text/demangle.h. */

/* Of a kernel, copy or set; copies and sets ("Memcpy HtoD (Pageable -> Device)") keep their names. */
const char *tt_short_kernel_name(tt_arena *a, const char *name);
/* Of an operator or range: AddmmBackward0 -> AddmmBackward, ProfilerStep#7 -> ProfilerStep. */
const char *tt_short_operator_name(tt_arena *a, const char *name);

#endif

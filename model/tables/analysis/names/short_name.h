/* model/tables/analysis/names/short_name.h - brief names of kernels and operators: by these two versions of a library
 * meet (--match short), and screens show them where a full name has no room.
 *
 * A kernel has a name at four levels, each a part of the one before: full, as people write it (model/text/demangle.h);
 * brief and function, here; fit to a number of columns (TT_CUT_KERNEL of tui/widgets/canvas.h; in a list, so that
 * different names look different, tui/widgets/short_names.h).
 *
 * What depends on the version, the device or a tuner's choice goes: template and argument lists, return types, tile
 * sizes, stages, architectures, numbers of generated kernels. What a person keeps apart within one run stays: the
 * operation that a kernel for any operation was made for (vectorized_elementwise_kernel<exp_kernel_cuda>), layouts,
 * types that are part of a plain name. Not for identities: several names may have one short name. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_SHORT_NAME_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_SHORT_NAME_H

#include "model/base/mem.h"

/* Both functions return `name` itself where nothing is left out, else text in the arena; never NULL, and "" only for
 * "". They accept any bytes. O(length), except for mangled names (model/text/demangle.h). */

/* Brief name of a kernel, copy or set; copies and sets ("Memcpy HtoD (Pageable -> Device)") keep their names. */
const char *tt_short_kernel_name(tt_arena *a, const char *name);
/* The function of a kernel in C++, without return type, arguments, template lists and namespaces. O(length). */
const char *tt_kernel_function(tt_arena *a, const char *name);
/* Brief name of an operator or range: AddmmBackward0 -> AddmmBackward, ProfilerStep#7 -> ProfilerStep. */
const char *tt_short_operator_name(tt_arena *a, const char *name);

#endif

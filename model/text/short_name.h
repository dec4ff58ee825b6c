/* model/text/short_name.h - short names of kernels and operators: by these two versions of a library meet (--match
 * short), and screens show them where a full name has no room.
 *
 * A kernel has a name at four levels, each a part of the one before: full, as people write it; brief; its function; and
 * fit to a number of columns, for screens only (tui/widgets/short_names.h).
 *
 * A brief name leaves out what depends on the version, the device or a tuner's choice: template and argument lists,
 * return types, tile sizes, stages, architectures, numbers of generated kernels. It keeps what a person keeps apart
 * within one run: the operation that a kernel for any operation was made for
 * (vectorized_elementwise_kernel<exp_kernel_cuda>), layouts, types that are part of a plain name. Not for identities:
 * several names may have one brief name. */
#ifndef TT_MODEL_TEXT_SHORT_NAME_H
#define TT_MODEL_TEXT_SHORT_NAME_H

#include <stdbool.h>

#include "model/base/mem.h"

typedef enum tt_kernel_level {
    TT_KERNEL_FULL,    /* demangled, for screens (tt_demangle_shown()) */
    TT_KERNEL_BRIEF,   /* copies and sets ("Memcpy HtoD (Pageable -> Device)") keep their names */
    TT_KERNEL_FUNCTION /* the function in C++, without return type, arguments, template lists and namespaces */
} tt_kernel_level;

/* Both functions return `name` itself where nothing is left out, else text in the arena; never NULL. A full or brief
 * name is "" only for "". They accept any bytes. O(length), except for mangled names (model/text/demangle.h). */

/* The name of a kernel, copy or set. */
const char *tt_kernel_name(tt_arena *a, const char *name, tt_kernel_level level);
/* Brief name of a kernel, or of an operator or range: AddmmBackward0 -> AddmmBackward, ProfilerStep#7 ->
 * ProfilerStep. */
const char *tt_brief_name(tt_arena *a, const char *name, bool is_device);

#endif

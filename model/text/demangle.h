/* model/text/demangle.h - the names of C++ kernels as people write them. */
#ifndef TT_MODEL_TEXT_DEMANGLE_H
#define TT_MODEL_TEXT_DEMANGLE_H

#include <stddef.h>

enum { TT_DEMANGLE_TRIES = 4 };

/* Length of a kernel's name without the suffix of ROCm's loader: ".kd", demangled " [clone .kd]". The suffix marks
 * the kernel's descriptor; the kernel is the same. */
size_t tt_kernel_name_length(const char *name, size_t n);

/* "_Z6vecaddPfS_i" -> "vecadd(float*, float*, int)". malloc'ed. NULL: no mangled name, longer than 64 KiB when
 * demangled, or with so many references to its own parts that it could unfold to more than 16 MiB.
 *
 * Takes any bytes, and at most a moment. A name that turns out longer than 64 KiB uses up one of *tries
 * (TT_DEMANGLE_TRIES for each file); when none are left, names that could be so long stay mangled. */
char *tt_demangle(const char *raw, unsigned *tries);

/* tt_demangle() for screens. It also demangles names with types that the library does not know yet (bfloat16). Of a
 * name that cannot be demangled it gives the part before the template arguments: "ns::kernel<...>". malloc'ed; NULL:
 * no mangled name. Takes a moment at most, and does not depend on earlier names. */
char *tt_demangle_shown(const char *raw);

#endif

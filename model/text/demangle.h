/* model/text/demangle.h - the names of C++ kernels as people write them. */
#ifndef TT_MODEL_TEXT_DEMANGLE_H
#define TT_MODEL_TEXT_DEMANGLE_H

#include <stddef.h>

enum { TT_DEMANGLE_TRIES = 4 };

/* Length of a kernel's name without what ROCm's loader puts behind it: ".kd", demangled " [clone .kd]". It marks the
 * kernel's descriptor: the kernel is the same. */
size_t tt_kernel_name_length(const char *name, size_t n);

/* "_Z6vecaddPfS_i" -> "vecadd(float*, float*, int)". malloc'ed; NULL: no such name, one that is longer than 64 KiB in
 * full, or one that refers to its own parts so often that it could unfold to more than 16 MiB.
 * Takes any bytes, and at most a moment: a name that turns out longer than 64 KiB costs one of *tries
 * (TT_DEMANGLE_TRIES for a file); without any left, names that could turn out so are left alone. */
char *tt_demangle(const char *raw, unsigned *tries);

/* The same for what a screen shows: also names with types that the library does not know yet (bfloat16), and of names
 * that cannot be demangled at all the part before their template arguments: "ns::kernel<...>". malloc'ed; NULL: no
 * mangled name. Takes a moment at most, and does not depend on names before. */
char *tt_demangle_shown(const char *raw);

#endif

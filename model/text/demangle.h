/* model/text/demangle.h - the names of C++ kernels as people write them. Private to parser/. */
#ifndef TT_MODEL_TEXT_DEMANGLE_H
#define TT_MODEL_TEXT_DEMANGLE_H

enum { TT_DEMANGLE_TRIES = 4 };

/* "_Z6vecaddPfS_i" -> "vecadd(float*, float*, int)". malloc'ed; NULL: no such name, one that is longer than 64 KiB in
 * full, or one that refers to its own parts so often that it could unfold to more than 16 MiB.
 * Takes any bytes, and at most a moment: a name that turns out longer than 64 KiB costs one of *tries
 * (TT_DEMANGLE_TRIES for a file); without any left, names that could turn out so are left alone. */
char *tt_demangle(const char *raw, unsigned *tries);

#endif

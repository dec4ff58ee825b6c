/* parser/demangle.h - the names of C++ kernels as people write them. Private to parser/.                                     */
#ifndef TT_PARSER_DEMANGLE_H
#define TT_PARSER_DEMANGLE_H

enum { TT_DEMANGLE_TRIES = 4 };

/* "_Z6vecaddPfS_i" -> "vecadd(float*, float*, int)". malloc'ed; NULL: no such name, or one that is longer than 64 KiB in full.
 * Takes any bytes: a name that unfolds without end costs a second of a process of its own, and one of *tries (TT_DEMANGLE_TRIES for
 * a file); without any left, names that may unfold are left alone.                                                        */
char *tt_demangle(const char *raw, unsigned *tries);

#endif

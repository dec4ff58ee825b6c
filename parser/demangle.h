/* parser/demangle.h - the names of C++ kernels as people write them. Private to parser/.                                     */
#ifndef TT_PARSER_DEMANGLE_H
#define TT_PARSER_DEMANGLE_H

/* "_Z6vecaddPfS_i" -> "vecadd(float*, float*, int)". malloc'ed; NULL: no such name, or one that is longer than 64 KiB in full.
 * Takes any bytes: a name that unfolds without end costs a second of a process of its own, and no more.                     */
char *tt_demangle(const char *raw);

#endif

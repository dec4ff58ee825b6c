/* model/text/regex.h - regular expressions that a person types: POSIX extended ones, of a size that the C library takes
 * in its stride.
 *
 * The library unfolds repetitions, so that a{1,32767} takes gigabytes, and goes one call deeper for every
 * parenthesis. Refused are more than TT_REGEX_DEPTH of them inside each other, expressions of more than
 * TT_REGEX_SIZE characters when repetitions are written out, anchors inside of what is repeated, as in (^|a)*, and
 * numbers of what may be empty, as in (a*){9}, whose ways double with each, and references back (\1), which are not
 * of POSIX and take for ever on some names. */
#ifndef TT_MODEL_TEXT_REGEX_H
#define TT_MODEL_TEXT_REGEX_H

#include <regex.h>

#include "model/base/err.h"

enum { TT_REGEX_DEPTH = 50, TT_REGEX_SIZE = 2000 };

/* Why such an expression is refused, a sentence; NULL = the library is asked. */
const char *tt_regex_refused(const char *text);
/* As regcomp() with REG_EXTENDED | REG_NOSUB. TT_ERR_USAGE with the reason; regfree() after TT_OK. */
tt_status tt_regex_compile(regex_t *out, const char *text, tt_err *err);

#endif

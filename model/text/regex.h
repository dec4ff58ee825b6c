/* model/text/regex.h - regular expressions typed by a person: POSIX extended, limited to what the C library handles
 * quickly.
 *
 * The library expands repetitions, so a{1,32767} takes gigabytes, and recurses for every parenthesis. Refused are
 * more than TT_REGEX_DEPTH nested parentheses, more than TT_REGEX_SIZE characters with repetitions expanded, anchors
 * inside of repetitions, as in (^|a)*, counted repetitions of possibly empty pieces, as in (a*){9}, whose matches
 * double with each, and back references (\1), which are not POSIX and take forever on some names. */
#ifndef TT_MODEL_TEXT_REGEX_H
#define TT_MODEL_TEXT_REGEX_H

#include <regex.h>

#include "model/base/err.h"

enum { TT_REGEX_DEPTH = 50, TT_REGEX_SIZE = 2000 };

/* The reason why an expression is refused, as a sentence; NULL = the library may compile it. */
const char *tt_regex_refused(const char *text);
/* As regcomp() with REG_EXTENDED | REG_NOSUB. TT_ERR_USAGE with the reason; regfree() after TT_OK. */
tt_status tt_regex_compile(regex_t *out, const char *text, tt_err *err);

#endif

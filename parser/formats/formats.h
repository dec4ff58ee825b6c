/* parser/formats/formats.h - the table of all formats that can be read. */
#ifndef TT_PARSER_FORMATS_FORMATS_H
#define TT_PARSER_FORMATS_FORMATS_H

#include "parser/input/format.h"

extern const tt_format tt_formats[];
extern const unsigned tt_n_formats;

/* The line whose format the first bytes of a text have; the last line if no other recognises them. */
const tt_format *tt_format_recognise(const char *head, size_t len);
/* Whether a run of the framework with this id, which may be NULL, leaves many forms of itself (tt_format). */
bool tt_format_many_forms(const char *id);
/* The line with this reader and id; NULL = none. */
const tt_format_info *tt_format_dialect(tt_read_fn *read, const char *id);

#endif

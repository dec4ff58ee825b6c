/* parser/formats.h - the formats of traces, recognised by their first bytes: one line of a table each. Private to
 * parser/.
 *
 * A new format is a function that looks at the beginning of the text, one that reads the source into a store, and a
 * line in formats.c. */
#ifndef TT_PARSER_FORMATS_H
#define TT_PARSER_FORMATS_H

#include "parser/input/reader.h"

tt_read_fn tt_read_store; /* by the reader of the format that the source has */
/* The span that the file at path names itself, in out; false when it names none or cannot be read. Opens the file. */
bool tt_format_span(const char *path, char *out, size_t cap);

#endif

/* parser/formats.h - reading an input of any format. formats.c has one line for each format; input/format.h says what
 * a line holds. */
#ifndef TT_PARSER_FORMATS_H
#define TT_PARSER_FORMATS_H

#include "parser/discover/discover.h"
#include "parser/input/format.h"

/* Read the input with the reader of this format; NULL = recognise the format by the input's first part. The function
 * sets names->format. */
tt_status tt_read_trace(tt_input *in, const tt_format *format, const tt_reader_names *names, unsigned threads,
                        tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_trace **out, tt_err *err);
/* Open the input that discovery found, with its parts. The caller frees it before the list. */
tt_input *tt_found_input(const tt_found_list *list, const tt_found *f, const _Atomic bool *stop);
/* Copy the span that the file at path names itself to out; false = it names none or cannot be read. Opens the file. */
bool tt_format_span(const char *path, char *out, size_t cap);
/* Whether a trace found at the paths may import tables. Standard input may, because it cannot be looked at twice. */
bool tt_formats_bring_tables(const char *const *paths, uint32_t n);

#endif

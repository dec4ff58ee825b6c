/* parser/formats.h - reading whatever format an input has. The formats are the lines of formats.c; what a line says:
 * input/format.h. */
#ifndef TT_PARSER_FORMATS_H
#define TT_PARSER_FORMATS_H

#include "parser/discover/discover.h"
#include "parser/input/format.h"

/* Read the input by the reader of this format; NULL: of the one that its first part is recognised as. names->format
 * is set here. */
tt_status tt_read_trace(tt_input *in, const tt_format *format, const tt_reader_names *names, unsigned threads,
                        tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_trace **out, tt_err *err);
/* The input that was found, with its parts; freed by the caller before the list. */
tt_input *tt_found_input(const tt_found_list *list, const tt_found *f, const _Atomic bool *stop);
/* The span that the file at path names itself, in out; false when it names none or cannot be read. Opens the file. */
bool tt_format_span(const char *path, char *out, size_t cap);
/* Whether a trace of what is found at the paths may bring tables; standard input, which cannot be looked at twice,
 * may. */
bool tt_formats_bring_tables(const char *const *paths, uint32_t n);

#endif

/* parser/discover/copies.h - lesser copies of a run that its profiler writes beside it (tt_format.copied_as), and words
 * about what is not opened. Private to parser/input. */
#ifndef TT_PARSER_INPUT_COPIES_H
#define TT_PARSER_INPUT_COPIES_H

#include "parser/discover/discover.h"

typedef struct tt_copies_file { /* of a folder; of its folders only the name */
    char *text;
    unsigned kind; /* names.h */
    bool empty;
} tt_copies_file;

/* Of the files in the folder at path: copies stand in where the file itself is empty, and hide behind it otherwise.
 * Either is a warning. */
void tt_copies_settle(tt_found_list *out, const char *path, tt_copies_file *files, size_t n);
/* The copy of the empty file at path, with a warning; malloc'ed, NULL when there is none. */
char *tt_copies_of(tt_found_list *out, const char *path);
/* A warning of one line; what a name has of line breaks would make more. */
void tt_found_warn(tt_found_list *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

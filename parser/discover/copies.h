/* parser/discover/copies.h - reduced copies of a run that its profiler writes beside it (tt_format.copied_as). Private
 * to parser/discover. */
#ifndef TT_PARSER_DISCOVER_COPIES_H
#define TT_PARSER_DISCOVER_COPIES_H

#include "parser/discover/found.h"

typedef struct tt_copies_file { /* a file or folder; of folders only the name is used */
    char *text;
    unsigned kind; /* kind of name (names.h) */
    bool empty;
} tt_copies_file;

/* Settle which files of the folder at path are used: a copy replaces an empty file and is hidden beside a full one.
 * Both add a warning. */
void tt_copies_settle(tt_found_list *out, const char *path, tt_copies_file *files, size_t n);
/* The copy beside the empty file at path, with a warning; malloc'ed, NULL = none. */
char *tt_copies_of(tt_found_list *out, const char *path);

#endif

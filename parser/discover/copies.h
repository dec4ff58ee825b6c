/* parser/discover/copies.h - lesser copies of a run that its profiler writes beside it (tt_format.copied_as).
 * Private to parser/discover. */
#ifndef TT_PARSER_DISCOVER_COPIES_H
#define TT_PARSER_DISCOVER_COPIES_H

#include "parser/discover/found.h"

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

#endif

/* tui/outfile.h - a file that is there whole or not at all: written beside its name and renamed at the end.
 *
 * A name that ends in .gz is compressed; "-" is standard output. One thread.                                            */
#ifndef TT_TUI_OUTFILE_H
#define TT_TUI_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/err.h"

typedef struct tt_outfile tt_outfile;

/* NULL and *err when it cannot be written. */
tt_outfile *tt_outfile_open(const char *path, tt_err *err);
/* False = it cannot be written any more; errno tells. arg is a tt_outfile. */
bool tt_outfile_write(void *arg, const char *p, size_t n);
/* keep: give it its name; else, or when something could not be written, nothing is left of it. Frees o. */
tt_status tt_outfile_close(tt_outfile *o, bool keep, tt_err *err);

/* Both names lead to the same file. */
bool tt_same_file(const char *a, const char *b);

#endif

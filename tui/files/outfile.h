/* tui/files/outfile.h - the one way to a file that is written, for every command and for the explorer.
 *
 * - A regular file is there whole or not at all: written beside its name and renamed at the end. What it replaces gives
 *   it its mode and, where the system allows, its owner; a file that may not be written is not replaced. A link is
 *   followed and stays.
 * - What is no regular file (device, FIFO, terminal, /dev/stdout, /dev/fd/1) is written through and stays what it is.
 *   "-" is standard output.
 * - An input of the session is never an output, by whatever name.
 * - Errors name the file. What is half written is removed, also when a signal ends the program.
 * A name that ends in .gz is compressed. One thread uses a file, several threads may use several. */
#ifndef TT_TUI_FILES_OUTFILE_H
#define TT_TUI_FILES_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/trace/session.h"

typedef struct tt_outfile tt_outfile;

/* How, combined; 0 = as a command does it. */
enum {
    TT_OUTFILE_JSON = 1,     /* what is written is JSON: controls in its strings become escapes (escape.h) */
    TT_OUTFILE_FRESH = 2,    /* replaces nothing, also nothing that appears meanwhile */
    TT_OUTFILE_HASTY = 4,    /* waits for nobody who reads, and writes on no terminal: for the explorer */
    TT_OUTFILE_PRIVATE = 8,  /* only the owner may read it, whatever was there */
    TT_OUTFILE_REGULAR = 16, /* to a regular file or a new one only */
};

/* inputs: files that it must not be, NULL = none. NULL and *err: TT_ERR_USAGE for an input, else TT_ERR_INPUT. */
tt_outfile *tt_outfile_open(const char *path, unsigned how, const tt_file_ids *inputs, tt_err *err);
/* False = it cannot be written any more; errno tells. arg is a tt_outfile. */
bool tt_outfile_write(void *arg, const char *p, size_t n);
/* The same as a stream, closed with it. */
FILE *tt_outfile_stream(tt_outfile *o);
/* keep: give it its name; else, or when something could not be written, nothing is left of it. Frees o. Not TT_OK
 * when something could not be written, whatever keep is. */
tt_status tt_outfile_close(tt_outfile *o, bool keep, tt_err *err);

typedef enum tt_output {
    TT_OUTPUT_NEW,     /* there is nothing of that name, or tt_outfile_open() will say what is wrong */
    TT_OUTPUT_FILE,    /* would be replaced */
    TT_OUTPUT_THROUGH, /* would be written through */
    TT_OUTPUT_INPUT,
} tt_output;
/* What would become of the name. */
tt_output tt_outfile_look(const char *path, const tt_file_ids *inputs);

#endif

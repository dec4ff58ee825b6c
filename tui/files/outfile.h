/* tui/files/outfile.h - the only way to write a file, for all commands and for the explorer.
 *
 * - A regular file is complete or absent: it is written beside its name and renamed at the end. It gets the mode and,
 *   where the system allows, the owner of the file that it replaces. A file without write permission is not replaced.
 *   A link is followed and stays.
 * - Anything but a regular file (device, FIFO, terminal, /dev/stdout, /dev/fd/1) is written through. "-" is standard
 *   output.
 * - An input of the session is never an output, by whatever name.
 * - Errors name the file. An incomplete file is removed, also when a signal ends the program.
 * A name that ends in .gz is compressed. One thread uses a file; several threads may use several files. */
#ifndef TT_TUI_FILES_OUTFILE_H
#define TT_TUI_FILES_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/trace/session.h"

typedef struct tt_outfile tt_outfile;

/* Ways to open a file, combined; 0 = the way of the commands. */
enum {
    TT_OUTFILE_JSON = 1,     /* the text is JSON: control characters in its strings become escapes (escape.h) */
    TT_OUTFILE_FRESH = 2,    /* fail if the file exists, also if it appears meanwhile */
    TT_OUTFILE_HASTY = 4,    /* never wait for a reader of a FIFO, and refuse terminals: for the explorer */
    TT_OUTFILE_PRIVATE = 8,  /* only the owner may read the file, whatever the old mode was */
    TT_OUTFILE_REGULAR = 16, /* refuse anything but a regular file or a new one */
};

/* Open an output. inputs: files that it must not be; NULL = none. Returns NULL with *err: TT_ERR_USAGE for an input,
 * else TT_ERR_INPUT. */
tt_outfile *tt_outfile_open(const char *path, unsigned how, const tt_file_ids *inputs, tt_err *err);
/* Write bytes; arg is a tt_outfile. False with errno: the file cannot be written any more. */
bool tt_outfile_write(void *arg, const char *p, size_t n);
/* The file as a stream; fclose() closes both. */
FILE *tt_outfile_stream(tt_outfile *o);
/* Close and free o. keep: give the file its name; without keep, or after a write error, the part is removed. An
 * error if a write has failed, whatever keep is. */
tt_status tt_outfile_close(tt_outfile *o, bool keep, tt_err *err);

typedef enum tt_output {
    TT_OUTPUT_NEW,     /* no file has this name; or tt_outfile_open() will give the reason */
    TT_OUTPUT_FILE,    /* a file would be replaced */
    TT_OUTPUT_THROUGH, /* something would be written through */
    TT_OUTPUT_INPUT,
} tt_output;
/* What opening this name would do. */
tt_output tt_outfile_look(const char *path, const tt_file_ids *inputs);

#endif

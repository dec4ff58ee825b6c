/* capture/spool/spool_writer.h - appends records to a spool file. Used inside the recorded process by its one writer
 * thread.
 *
 * Never ends the process or prints. When the disk fails, or the file is removed, replaced or truncated, writing stops,
 * the reason is kept, and every further record is counted. The last words are tried once more: they may fit below a
 * limit of file size, or on a disk that is nearly full. A descriptor that the program closed is reopened if the path
 * still leads to the file. Memory: one block buffer, allocated at opening. */
#ifndef TT_CAPTURE_SPOOL_SPOOL_WRITER_H
#define TT_CAPTURE_SPOOL_SPOOL_WRITER_H

#include <stdbool.h>

#include "capture/format/spool.h"
#include "capture/shared/control_file.h"
#include "capture/shared/files.h"

typedef struct tt_spool_writer {
    tt_own file;            /* closed: before opening, after closing, or failed */
    const char *path;       /* path as opened; owned by the caller */
    tt_stopped stopped;     /* why writing stopped: an error, or the limit of the file */
    int error;              /* errno of the first failure, 0 = none */
    int turn_error;         /* errno: the file to turn to could not be made */
    bool full;              /* refuse records until the last words */
    const char *turn;       /* file that the next block begins; NULL: none */
    uint32_t seq;           /* number of the next block */
    unsigned char *block;   /* header and records */
    size_t cap, n;          /* n: bytes used, header included */
    uint64_t bytes, limit;  /* bytes written so far; limit of bytes, 0 = none */
    uint64_t records, lost; /* every added record counts in one of the two */
    uint64_t in_block;      /* records not written yet */
    /* set after opening */
    bool sync;                             /* fsync every block */
    void (*named)(void *arg, uint32_t id); /* called before a record with this name is added; may add records */
    void *named_arg;
    void (*wrote)(void *arg, const unsigned char *records, size_t n); /* called when a block was written */
    void *wrote_arg;
} tt_spool_writer;

/* Create path (which must not exist); the text must stay valid until closing. 0 or -errno. */
int tt_spool_open(tt_spool_writer *w, const char *path, uint64_t limit);
/* Reserve one record of size bytes (rounded up to 8, zeroed) with type, size and a filled in; NULL when it cannot be
 * written (counted in lost). Valid until the next call. */
void *tt_spool_add(tt_spool_writer *w, unsigned type, size_t size, uint32_t a);
/* Add a META or STRING record; too long a text is cut. False when it was not written. */
bool tt_spool_add_text(tt_spool_writer *w, unsigned type, uint32_t a, const char *key, const char *text, size_t len);
void tt_spool_flush(tt_spool_writer *w); /* write the block */
/* Go on in a new file (which must not exist; path as for opening). The block must be flushed; the file is made when the
 * next one is written, so that it is never empty for long. */
void tt_spool_turn(tt_spool_writer *w, const char *path);
/* After that block: 0, or -errno: the file could not be made, the block is dropped, and the old file goes on. */
int tt_spool_turned(tt_spool_writer *w);
/* After an error: forget it, so that tt_spool_turn() can go on. */
void tt_spool_retry(tt_spool_writer *w);
/* From this call on, write records even beyond the file's limit and after an error: for the few that describe the
 * end of the recording. */
void tt_spool_last_words(tt_spool_writer *w);
void tt_spool_close(tt_spool_writer *w);

#endif

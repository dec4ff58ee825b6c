/* parser/reader.h - one source read by several threads into a store.
 *
 * The text is cut into windows between elements of the event list; a thread takes the next window under a lock (that is where
 * decompression happens) and reads it on its own. With T threads the lock is held about 1/T of the time or less, so a thread
 * that inflates and threads that parse keep each other busy without a queue.
 * The cuts are found by looking at raw text (window.h). Should a cut turn out wrong, the source is read again from the start by one
 * thread, which carries incomplete elements over and needs no cuts.                                                     */
#ifndef TT_PARSER_READER_H
#define TT_PARSER_READER_H

#include <stdatomic.h>

#include "model/build.h"
#include "parser/source.h"

typedef struct tt_reader_progress { /* shared with the thread that draws */
    atomic_uint_fast64_t text_bytes, events;
    atomic_bool cancel;
    _Atomic(const char *) phase;
} tt_reader_progress;

typedef struct tt_reader_names {
    const char *path, *worker, *span; /* copied */
    int64_t rank;                     /* from the name, -1 */
} tt_reader_names;

typedef struct tt_reader_hooks {                 /* called from reading threads; all may be NULL */
    void (*notify)(void *arg);                   /* progress was made */
    void (*preview)(void *arg, tt_store *store); /* a store of what has been read so far, handed over */
    /* The element that begins at this place, or the header up to there, is longer than element_most; the reading ends. */
    void (*too_long)(void *arg, uint64_t place, bool header);
    uint64_t element_most; /* bytes of text; 0 = 128 MiB */
    void *arg;
} tt_reader_hooks;

/* Read the whole source into a new store. The source is taken over: it lives on as the store's text, or is closed on error.
 * TT_ERR_INPUT when this is no trace; a cancelled reading gives the store of what was read, and the problem "cancelled". */
tt_status tt_read_store(tt_source *source, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                        const tt_reader_hooks *hooks, tt_store **out, tt_err *err);

#endif

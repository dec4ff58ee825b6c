/* parser/chrome/cutter.h - cuts the text of a part into windows that threads read on their own. Private to
 * parser/chrome.
 *
 * A window begins at the start of the text or at an element of the event list, and ends at such a place or at the end
 * of the text. The places are found in the raw text (parser/json/split.h); the first window also holds the text in
 * front of the events.
 *
 * Text that must be unpacked, or comes through a pipe, is handed out window by window under a lock: T threads hold it
 * about 1/T of the time or less, so a thread that inflates and threads that parse keep each other busy without a queue.
 * In a plain file each thread takes stretches of some MiB and reads them without a lock. A stretch begins with the
 * first event that starts at or behind its first byte and ends where the next stretch begins; both neighbours find that
 * place by one rule. */
#ifndef TT_PARSER_CHROME_CUTTER_H
#define TT_PARSER_CHROME_CUTTER_H

#include <pthread.h>
#include <stdatomic.h>

#include "model/base/mem.h"
#include "parser/input/input.h"

#define TT_CUT_WINDOW ((size_t)1 << 18) /* bytes; a window's text and index fit the second-level cache */

typedef struct tt_cursor { /* position of reading */
    TT_VEC(char) carry;    /* text behind the last window */
    uint64_t offset;       /* offset of carry in the text */
    uint64_t end;          /* end of the stretch: the next begins at an event from here on; UINT64_MAX = last */
    bool eof;
    bool over; /* the last window of the stretch has been taken */
} tt_cursor;

typedef struct tt_cutter { /* cutter of one part */
    tt_source *source;
    uint64_t element_most; /* most bytes of an element; larger ones are given up */
    bool shared;           /* threads read stretches of the source by themselves */
    uint64_t stretch;      /* bytes of a stretch */
    uint64_t stretches;    /* number of stretches */
    _Atomic uint64_t next; /* number of the next free stretch */
    _Atomic uint64_t read; /* end of the furthest window */
    atomic_bool miscut;    /* much text has no place for a cut: one thread must read it in order */
    atomic_bool failed;    /* reading the source failed: see status */
    pthread_mutex_t lock;  /* guards the next members */
    tt_cursor cursor;      /* position of windows given under the lock, without stretches */
    tt_status status;      /* result of reading the source */
    tt_err err;
} tt_cutter;

typedef struct tt_cut_window { /* one thread's window; reused */
    char *memory, *buf;        /* memory with the padding; start of the text in it */
    size_t cap, len;
    uint64_t offset;  /* offset of the window in the text */
    bool first, last; /* the window holds the text's start; its end */
    tt_cursor own;    /* position in the stretch that the thread has taken */
} tt_cut_window;

void tt_cutter_init(tt_cutter *w);
void tt_cutter_free(tt_cutter *w);
/* Begin to read the source from its beginning, for this number of threads. */
void tt_cutter_begin(tt_cutter *w, tt_source *source, uint64_t element_most, unsigned threads);
/* Fill k with a thread's next window; TT_SIMD_PADDING bytes may be written behind it. False: no more text, or
 * w->miscut, or w->failed. */
bool tt_cutter_next(tt_cutter *w, tt_cut_window *k);
/* Read on in order, by one thread without cuts: drop the used part of the window and let it grow to `want` bytes,
 * unless the text ends; w->cursor.eof tells. */
void tt_cutter_grow(tt_cutter *w, tt_cut_window *k, size_t want);

/* Prepare the window for a new part; its memory is kept. */
void tt_cut_window_begin(tt_cut_window *k);
void tt_cut_window_free(tt_cut_window *k);

#endif

/* parser/chrome/cutter.h - the text of a part, cut into windows that threads read on their own. Private to
 * parser/chrome.
 *
 * A window begins at the start of the text or where an element of the event list begins, and ends at the end of the
 * text or in front of such a place. The places are found in the raw text (parser/json/split.h); the first window has
 * everything in front of the events.
 *
 * Text that has to be unpacked, or that comes through a pipe, is handed out window by window under a lock: with T
 * threads it is held about 1/T of the time or less, so a thread that inflates and threads that parse keep each other
 * busy without a queue. Of a file as it is, each thread takes stretches of some MiB and reads them without a lock. A
 * stretch begins with the first event that starts at or behind its first byte and ends where the next one begins; both
 * of its neighbours find that place by themselves, by the same rule. */
#ifndef TT_PARSER_CHROME_CUTTER_H
#define TT_PARSER_CHROME_CUTTER_H

#include <pthread.h>
#include <stdatomic.h>

#include "model/base/mem.h"
#include "parser/source/source.h"

#define TT_CUT_WINDOW ((size_t)1 << 18) /* the text of a window and its index stay in the second-level cache */

typedef struct tt_cursor { /* where reading goes on */
    TT_VEC(char) carry;    /* text behind the last window */
    uint64_t offset;       /* of it in the text, which begins at 0 */
    uint64_t end;          /* the next stretch begins with the first event from here on; UINT64_MAX = none does */
    bool eof;
    bool over; /* the last window of the stretch has been given */
} tt_cursor;

typedef struct tt_cutter { /* of one part */
    tt_source *source;
    uint64_t element_most; /* an element larger than this is given up */
    bool shared;           /* threads read stretches of the source by themselves */
    uint64_t stretch;      /* bytes */
    uint64_t stretches;    /* how many there are */
    _Atomic uint64_t next; /* that nobody has taken */
    _Atomic uint64_t read; /* end of the furthest window */
    atomic_bool miscut;    /* there is no place for a cut in a lot of text: one thread has to read it, in order */
    atomic_bool failed;    /* status */
    pthread_mutex_t lock;  /* guards what follows */
    tt_cursor cursor;      /* without stretches */
    tt_status status;      /* of reading the source */
    tt_err err;
} tt_cutter;

typedef struct tt_cut_window { /* one thread's, from window to window */
    char *memory, *buf;        /* the text, and its start behind the padding in front */
    size_t cap, len;
    uint64_t offset;  /* of the window in the text */
    bool first, last; /* the text begins, ends here */
    tt_cursor own;    /* of the stretch that the thread has taken */
} tt_cut_window;

void tt_cutter_init(tt_cutter *w);
void tt_cutter_free(tt_cutter *w);
/* The source from its beginning, for so many threads. */
void tt_cutter_begin(tt_cutter *w, tt_source *source, uint64_t element_most, unsigned threads);
/* The next window of a thread; TT_SIMD_PADDING bytes may be written behind it. False: there is none, or w->miscut, or
 * w->failed. */
bool tt_cutter_next(tt_cutter *w, tt_cut_window *k);
/* For one thread that reads in order and needs no cuts: the text of the window, which begins where the last one did
 * plus what was used of it, grows to `want` bytes unless the text ends; w->cursor.eof tells. */
void tt_cutter_grow(tt_cutter *w, tt_cut_window *k, size_t want);

/* A window before the first of a part; its memory stays. */
void tt_cut_window_begin(tt_cut_window *k);
void tt_cut_window_free(tt_cut_window *k);

#endif

/* parser/chrome/paddle_dialect.h - what Paddle's Chrome traces spell differently (specs: schemas 1.0.0 to 1.0.2).
 * Private to the reader.
 *
 * Names of slices end in their duration, the layers of a thread are two tids, times are whole microseconds with the
 * true start as a text in the arguments, memory records have a place and a kind of their own. */
#ifndef TT_PARSER_CHROME_PADDLE_DIALECT_H
#define TT_PARSER_CHROME_PADDLE_DIALECT_H

#include "parser/chrome/document.h"

/* Does the beginning of a document say that Paddle wrote it? Then *d is filled: the clock is derived from the events
 * there. */
bool tt_paddle_sniff(const char *text, size_t len, tt_dialect *d);

/* Length of the name without "[12.345 us]" or "[12.345 ms]" at its end. */
size_t tt_paddle_name(const char *p, size_t len);
/* Length of a tid or thread name without "(Python)" or "(C++)" at its end. */
size_t tt_paddle_layer(const char *p, size_t len);
/* The start of a slice whose ts is `ts` ns: exact where the text of args.start_time is, else ts itself. Widens
 * w->jitter_ns. */
int64_t tt_paddle_start(tt_chrome_parser *w, const tt_chrome_event *e, int64_t ts);
/* Place, kind and peaks of a memory event. */
void tt_paddle_memory(const tt_chrome_event *e, tt_memory_record *m);
/* Device type (c10::DeviceType, or TT_DEVICE_PINNED) and index of "Place(gpu:0)". */
void tt_paddle_place(const char *p, size_t len, int16_t *type, int16_t *id);
/* Bytes of a copy, which were written as 32 bits: the value that fits the bandwidth. */
int64_t tt_paddle_bytes(const tt_chrome_event *e, int64_t bytes);

#endif

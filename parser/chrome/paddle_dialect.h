/* parser/chrome/paddle_dialect.h - the peculiarities of Paddle's Chrome traces (schemas 1.0.0 to 1.0.2). Private to the
 * reader.
 *
 * Names of slices end in their duration, the layers of a thread are two tids, times are whole microseconds with the
 * true start as a text in the arguments, memory records have a place and a kind of their own. */
#ifndef TT_PARSER_CHROME_PADDLE_DIALECT_H
#define TT_PARSER_CHROME_PADDLE_DIALECT_H

#include "parser/chrome/document.h"

/* Whether the beginning of a document shows Paddle as writer; fills *d then, with the clock derived from its events. */
bool tt_paddle_sniff(const char *text, size_t len, tt_dialect *d);

/* Length of a name without a final "[12.345 us]" or "[12.345 ms]". */
size_t tt_paddle_name(const char *p, size_t len);
/* Length of a tid or thread name without a final "(Python)" or "(C++)". */
size_t tt_paddle_layer(const char *p, size_t len);
/* Start of a slice whose ts is `ts` ns: from args.start_time if that is exact enough, else ts. Widens w->jitter_ns. */
int64_t tt_paddle_start(tt_chrome_parser *w, const tt_chrome_event *e, int64_t ts);
/* Read place, kind and peaks of a memory event. */
void tt_paddle_memory(const tt_chrome_event *e, tt_memory_record *m);
/* Device type (c10::DeviceType, or TT_DEVICE_PINNED) and index of a text such as "Place(gpu:0)". */
void tt_paddle_place(const char *p, size_t len, int16_t *type, int16_t *id);
/* Bytes of a copy, which Paddle wrote as 32 bits: the value that fits the bandwidth. */
int64_t tt_paddle_bytes(const tt_chrome_event *e, int64_t bytes);

#endif

/* parser/chrome/reader.h - JSON trace events of any writer, read by several threads.
 *
 * The text is cut into windows between elements of the event list; a thread takes the next window under a lock (that is
 * where decompression happens) and reads it on its own. With T threads the lock is held about 1/T of the time or less,
 * so a thread that inflates and threads that parse keep each other busy without a queue.
 * The cuts are found by looking at raw text (parser/json/split.h). Should a cut turn out wrong, the source is read
 * again from the start by one thread, which carries incomplete elements over and needs no cuts. */
#ifndef TT_PARSER_CHROME_READER_H
#define TT_PARSER_CHROME_READER_H

#include "parser/input/reader.h"

tt_read_fn tt_read_chrome; /* whatever the beginning is: says best what is wrong with a text that is no trace */
bool tt_chrome_recognise(const char *head, size_t len); /* always */
/* The number that Paddle gives to the span of a file, from its beginning. False when it is not there. */
bool tt_paddle_json_span(const char *head, size_t len, char *out, size_t cap);

#endif

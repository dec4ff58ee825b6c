/* parser/json/split.h - where a text may be cut so that every part can be read on its own. */
#ifndef TT_PARSER_JSON_SPLIT_H
#define TT_PARSER_JSON_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

/* Does the text at p (an opening brace) begin like an event: an object whose first key is one that only events start
 * with? */
bool tt_looks_like_event(const char *p, const char *end);

/* The first such place (see below) in [text + from, text + len); len when there is none. */
size_t tt_next_event_start(const char *text, size_t from, size_t len);

/* The last place in [text + from, text + len) where an element of the event list begins: an object that looks like
 * an event, right behind a comma or an opening bracket. 0 when there is none. The characters looked for cannot occur
 * like this inside a JSON string (its quotes would be escaped); an array of such objects inside args can fool it,
 * which the reader notices: the part before does not end between two elements. */
size_t tt_last_event_start(const char *text, size_t from, size_t len);

/* The first such place at or behind `from`, by the TT_SPLIT_LOOK bytes on either side of it and nothing else: readers
 * of different stretches of one text agree on it. SIZE_MAX when there is none up to len; the last TT_SPLIT_LOOK bytes
 * are only searched when the text ends there. As many bytes have to be there in front of `from`, or it is the
 * beginning of the text. */
enum { TT_SPLIT_LOOK = 4096 };
size_t tt_event_start_from(const char *text, size_t from, size_t len, bool ends);

#endif

/* parser/json/split.h - finds places to cut a text so that every part can be read on its own. */
#ifndef TT_PARSER_JSON_SPLIT_H
#define TT_PARSER_JSON_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text at p (an opening brace) looks like an event: its first key is one that only events begin with. */
bool tt_looks_like_event(const char *p, const char *end);

/* The first start of an event (as defined below) in [text + from, text + len); len when there is none. */
size_t tt_next_event_start(const char *text, size_t from, size_t len);

/* The last place in [text + from, text + len) where an element of the event list begins: an object that looks like an
 * event, right behind a comma or an opening bracket. 0 when there is none. This text cannot occur inside a JSON string
 * (its quotes would be escaped); an array of such objects inside args can deceive the search, and the reader notices:
 * the part before does not end between two elements. */
size_t tt_last_event_start(const char *text, size_t from, size_t len);

/* The first start of an event at or behind `from`, judged only by TT_SPLIT_LOOK bytes on either side: readers of
 * different stretches of a text agree on it. SIZE_MAX when there is none up to len; the last TT_SPLIT_LOOK bytes are
 * searched only at the text's end. As many bytes must be readable in front of `from`, unless the text begins there. */
enum { TT_SPLIT_LOOK = 4096 };
size_t tt_event_start_from(const char *text, size_t from, size_t len, bool ends);

#endif

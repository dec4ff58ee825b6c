/* parser/paddle_pb/event_text_pb.h - the members of one event of a protobuf dump. Private to parser/. */
#ifndef TT_PARSER_PADDLE_PB_EVENT_TEXT_PB_H
#define TT_PARSER_PADDLE_PB_EVENT_TEXT_PB_H

#include "parser/input/event_text.h"

/* List the members of the event whose node begins at text; its end may be missing. Strings go to the arena. False when
 * no node begins there. */
bool tt_pb_members(const char *text, size_t len, tt_field_list *out, tt_arena *a);

/* Append the event whose node begins at text in the form of Paddle's JSON, with exact times and the members that only
 * the dump has. False when no node begins there, or it does not end within len. */
bool tt_event_of_dump(const char *text, size_t len, tt_text *out);

#endif

/* parser/input/event_text.h - the full arguments of an event, read again from the text of the file. */
#ifndef TT_PARSER_INPUT_EVENT_TEXT_H
#define TT_PARSER_INPUT_EVENT_TEXT_H

#include "model/base/mem.h"
#include "model/trace/trace.h"

typedef struct tt_field {
    const char *key;   /* path of the member: "cat", "args.grid", decoded; raw input bytes */
    const char *value; /* strings decoded, everything else as JSON text; raw input bytes */
    bool is_text;      /* a string of JSON; false for what is none, also where the file is no JSON */
} tt_field;
typedef TT_VEC(tt_field) tt_field_list;
typedef struct tt_fields {
    tt_field *at;
    uint32_t n;
    tt_arena arena;
} tt_fields;

/* All members of the event whose text starts at `text`, in the order of the file, members of args as "args.KEY".
 * TT_ERR_INPUT when the text cannot be read again (the file is gone or was a pipe that was not kept). */
tt_status tt_event_fields(const tt_trace *s, uint64_t text, tt_fields *out, tt_err *err);
void tt_fields_free(tt_fields *f);

#endif

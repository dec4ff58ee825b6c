/* parser/input/event_text.h - the members of an event, read again from the text of the file. */
#ifndef TT_PARSER_INPUT_EVENT_TEXT_H
#define TT_PARSER_INPUT_EVENT_TEXT_H

#include "model/base/mem.h"
#include "model/trace/trace.h"

typedef struct tt_field {
    const char *key;   /* path of the member, decoded: "cat", "args.grid"; raw input bytes */
    const char *value; /* strings decoded, all other values as JSON text; raw input bytes */
    bool is_text;      /* the value is a JSON string; false for files that are no JSON, too */
} tt_field;
typedef TT_VEC(tt_field) tt_field_list;
typedef struct tt_fields {
    tt_field *at;
    uint32_t n;
    tt_arena arena;
} tt_fields;

/* All members of the event whose text starts at `text`, in file order; members of args are named "args.KEY".
 * TT_ERR_INPUT = the text cannot be read again (the file is gone, or was a pipe that was not kept). */
tt_status tt_event_fields(const tt_trace *s, uint64_t text, tt_fields *out, tt_err *err);
void tt_fields_free(tt_fields *f);

#endif

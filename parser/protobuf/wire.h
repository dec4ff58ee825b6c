/* parser/protobuf/wire.h - the wire form of protocol buffers: fields of a message in memory.
 *
 * Nothing is copied or allocated, and every length is compared with the bytes present. */
#ifndef TT_PARSER_PROTOBUF_WIRE_H
#define TT_PARSER_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tt_pb { /* the unread rest of a message */
    const char *p, *e;
    bool bad; /* the message ends inside a field, or has an invalid field */
} tt_pb;

enum { TT_PB_VARINT = 0, TT_PB_FIXED64 = 1, TT_PB_BYTES = 2, TT_PB_FIXED32 = 5 };

typedef struct tt_pb_field {
    uint32_t number;
    uint8_t type;
    uint64_t value;    /* VARINT, FIXED64, FIXED32 */
    const char *bytes; /* BYTES: text, or a nested message; else NULL */
    size_t len;
} tt_pb_field;

static inline tt_pb tt_pb_of(const char *bytes, size_t len) { return (tt_pb){bytes, bytes + len, false}; }
static inline tt_pb tt_pb_inside(const tt_pb_field *f) { return tt_pb_of(f->bytes ? f->bytes : "", f->len); }

/* Read the varint at p; returns its length in bytes, 0 when it is incomplete or longer than 64 bits. */
size_t tt_pb_varint(const char *p, const char *e, uint64_t *out);
/* Read the next field; false at the message's end, or with m->bad set. */
bool tt_pb_next(tt_pb *m, tt_pb_field *f);
/* The value of a field of type float or double. */
double tt_pb_float(const tt_pb_field *f);

/* Fields of a message by number, the last of each; fields from 16 on are left out. */
enum { TT_PB_FIELDS = 16 };
typedef struct tt_pb_fields {
    tt_pb_field at[TT_PB_FIELDS]; /* a zeroed field where absent: varint 0, no bytes */
    uint32_t have;                /* bit per number: present */
} tt_pb_fields;
/* Collect the fields. False when the message is damaged; the fields before the damage are in *out. */
bool tt_pb_collect(tt_pb m, tt_pb_fields *out);

#endif

/* parser/protobuf/stream.h - reads protocol buffers as a stream, for messages larger than memory.
 *
 * The buffer holds one field at a time, and grows only by bytes that arrive. The caller that walks a nested message
 * carries the rest of its length (`left`, TT_PB_WHOLE for the file itself), so nothing recurses and no length is
 * trusted. Reading ends at the first bytes that are no field, with one problem that has the offset; fields before it
 * were given. */
#ifndef TT_PARSER_PROTOBUF_STREAM_H
#define TT_PARSER_PROTOBUF_STREAM_H

#include "parser/input/reader.h"
#include "parser/protobuf/wire.h"

#define TT_PB_WHOLE UINT64_MAX

typedef struct tt_pb_stream {
    tt_source *source;
    tt_reader_progress *progress;
    void (*told)(void *arg, size_t bytes); /* called when bytes arrived; NULL */
    void *arg;
    tt_problems *problems; /* NULL: damage is not reported */
    char *buf;
    size_t cap, n, at;       /* buf[at .. n) is read but not used yet */
    uint64_t base;           /* offset of buf[0] in the text */
    bool eof, stop, damaged; /* stop: damaged here, or cancelled */
    tt_status status;        /* result of reading; details in err */
    tt_err err;
} tt_pb_stream;

void tt_pb_stream_init(tt_pb_stream *s, tt_source *source, tt_reader_progress *progress);
void tt_pb_stream_free(tt_pb_stream *s);
/* Offset of the next field. */
static inline uint64_t tt_pb_stream_at(const tt_pb_stream *s) { return s->base + s->at; }
/* Read tag and value of the next field; of a BYTES field only the length (f->len), its bytes follow in the stream.
 * *left: remaining bytes of the message around it. False at the end of that message or of readable text. */
bool tt_pb_stream_next(tt_pb_stream *s, uint64_t *left, tt_pb_field *f);
/* Read the bytes of the field, valid until the next call. False when they are incomplete, or exceed 1 GiB: damage. */
bool tt_pb_stream_take(tt_pb_stream *s, uint64_t *left, tt_pb_field *f);
/* Skip the bytes of the field. */
bool tt_pb_stream_skip(tt_pb_stream *s, uint64_t *left, const tt_pb_field *f);

#endif

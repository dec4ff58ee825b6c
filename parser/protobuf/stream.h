/* parser/protobuf/stream.h - protocol buffers as a stream: messages that are larger than what is held in memory.
 *
 * The buffer holds one field at a time, and grows only by what arrives. Whoever walks a nested message carries what is
 * left of it (`left`, TT_PB_WHOLE for the file itself), so nothing recurses and no length is believed. Reading ends at
 * the first thing that is no field, with one problem that says where; fields up to there were given. */
#ifndef TT_PARSER_PROTOBUF_STREAM_H
#define TT_PARSER_PROTOBUF_STREAM_H

#include "parser/input/reader.h"
#include "parser/protobuf/wire.h"

#define TT_PB_WHOLE UINT64_MAX

typedef struct tt_pb_stream {
    tt_source *source;
    tt_reader_progress *progress;
    void (*told)(void *arg, size_t bytes); /* bytes arrived; NULL */
    void *arg;
    tt_problems *problems; /* NULL: nobody is told of damage */
    char *buf;
    size_t cap, n, at;       /* buf[at .. n) was read and not used yet */
    uint64_t base;           /* place of buf[0] in the text */
    bool eof, stop, damaged; /* stop: damaged here, or cancelled */
    tt_status status;        /* of reading; with err */
    tt_err err;
} tt_pb_stream;

void tt_pb_stream_init(tt_pb_stream *s, tt_source *source, tt_reader_progress *progress);
void tt_pb_stream_free(tt_pb_stream *s);
/* Place of the next field. */
static inline uint64_t tt_pb_stream_at(const tt_pb_stream *s) { return s->base + s->at; }
/* Tag and value of the next field; of a BYTES field only the length (in f->len), its bytes follow in the stream.
 * *left: bytes of the message around it. False at the end of that message, or of what can be read. */
bool tt_pb_stream_next(tt_pb_stream *s, uint64_t *left, tt_pb_field *f);
/* The bytes of the field, to be used before the next call. False when they are not all there, or are more than a
 * field may have (1 GiB): damage. */
bool tt_pb_stream_take(tt_pb_stream *s, uint64_t *left, tt_pb_field *f);
/* Pass the bytes of the field. */
bool tt_pb_stream_skip(tt_pb_stream *s, uint64_t *left, const tt_pb_field *f);

#endif

/* parser/protobuf/stream.c - reads fields from a stream. See stream.h. */
#include "parser/protobuf/stream.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 18)
#define FIELD_MOST ((uint64_t)1 << 30) /* bytes; a larger field is damage */
#define HEAD_MOST 20                   /* most bytes of tag and length */

void tt_pb_stream_init(tt_pb_stream *s, tt_source *source, tt_reader_progress *progress)
{
    *s = (tt_pb_stream){.source = source, .progress = progress, .cap = CHUNK};
    s->buf = tt_malloc(s->cap);
}

void tt_pb_stream_free(tt_pb_stream *s)
{
    free(s->buf);
    s->buf = NULL;
}

/* Read once into the buffer, which has room. */
static void fill(tt_pb_stream *s)
{
    size_t got = 0;
    s->status = tt_source_read(s->source, s->buf + s->n, s->cap - s->n, &got, &s->err);
    if (s->status == TT_ERR_CANCELLED) s->status = TT_OK; /* keep what was read */
    s->eof = s->status != TT_OK || !got;
    s->n += got;
    if (s->told) s->told(s->arg, got);
    if (s->progress && atomic_load(&s->progress->cancel)) s->eof = s->stop = true;
}

/* Read until `want` bytes lie at s->at. False when the text ends before. */
static bool feed(tt_pb_stream *s, size_t want)
{
    if (s->n - s->at >= want) return true;
    memmove(s->buf, s->buf + s->at, s->n - s->at);
    s->base += s->at;
    s->n -= s->at;
    s->at = 0;
    while (s->n < want && !s->eof) {
        if (s->n == s->cap) {
            s->cap *= 2;
            s->buf = tt_realloc(s->buf, s->cap, 1);
        }
        fill(s);
    }
    return s->n >= want;
}

/* Stop: the rest cannot be divided into fields. */
static void pb_stream_give_up(tt_pb_stream *s)
{
    tt_problem_kind kind = s->eof ? TT_PROBLEM_TRUNCATED : TT_PROBLEM_MALFORMED_EVENT;
    if (!s->stop) {
        s->damaged = true;
        if (s->problems) tt_problem_add(s->problems, kind, (int64_t)tt_pb_stream_at(s), "", 0);
    }
    s->stop = true;
}

static void used(uint64_t *left, uint64_t n) { *left -= *left == TT_PB_WHOLE ? 0 : n; }

bool tt_pb_stream_next(tt_pb_stream *s, uint64_t *left, tt_pb_field *f)
{
    if (!*left || s->stop) return false;
    (void)feed(s, HEAD_MOST);
    if (s->n == s->at) { /* the text ends behind a field */
        if (*left != TT_PB_WHOLE) pb_stream_give_up(s);
        return false;
    }
    const char *p = s->buf + s->at, *e = s->buf + s->n;
    uint64_t tag;
    size_t n = tt_pb_varint(p, e, &tag), m = 0;
    *f = (tt_pb_field){.number = (uint32_t)(tag >> 3), .type = tag & 7};
    if (n && f->type == TT_PB_FIXED64) m = 8;
    if (n && f->type == TT_PB_FIXED32) m = 4;
    if (n && (f->type == TT_PB_VARINT || f->type == TT_PB_BYTES)) m = tt_pb_varint(p + n, e, &f->value);
    bool whole = m && n + m <= (size_t)(e - p) && n + m <= *left && f->number;
    if (!whole || (f->type == TT_PB_BYTES && *left != TT_PB_WHOLE && f->value > *left - n - m)) {
        pb_stream_give_up(s);
        return false;
    }
    s->at += n + m;
    used(left, n + m);
    if (f->type == TT_PB_BYTES) f->len = (size_t)f->value;
    return true;
}

bool tt_pb_stream_take(tt_pb_stream *s, uint64_t *left, tt_pb_field *f)
{
    if (f->len > FIELD_MOST || !feed(s, f->len)) {
        pb_stream_give_up(s);
        return false;
    }
    f->bytes = s->buf + s->at;
    s->at += f->len;
    used(left, f->len);
    return true;
}

bool tt_pb_stream_skip(tt_pb_stream *s, uint64_t *left, const tt_pb_field *f)
{
    uint64_t n = f->type == TT_PB_BYTES ? f->len : 0;
    used(left, n);
    while (s->n - s->at < n) {
        n -= s->n - s->at;
        s->base += s->n;
        s->n = s->at = 0;
        if (!s->eof) fill(s);
        if (s->n) continue;
        pb_stream_give_up(s);
        return false;
    }
    s->at += (size_t)n;
    return true;
}

/* parser/source/source_plain.c - raw bytes of files and pipes, the buffer that feeds decoders, and uncompressed text.
 *
 * Files are read with pread only: no mapping that a truncated file could turn into SIGBUS, and no file position that
 * readers would share. */
#include "parser/source/archive_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int64_t tt_raw_read(tt_raw *r, uint64_t at, void *out, size_t cap)
{
    int64_t n;

    if (r->inner || r->archive) {
        if (at >= r->limit) return 0;
        if (cap > r->limit - at) cap = (size_t)(r->limit - at);
        n = r->inner ? tt_source_read_at(r->inner, r->base + at, out, cap)
                     : tt_archive_read(r->archive, r->base + at, out, cap, &r->damage);
    } else if (r->pipe) {
        n = tt_pipe_read(r->pipe, r->fd, r->stop, at, out, cap);
    } else {
        do {
            n = pread(r->fd, out, cap, (off_t)(r->base + at));
        } while (n < 0 && errno == EINTR);
    }
    if (n > 0) atomic_store_explicit(&r->done, at + (uint64_t)n, memory_order_relaxed);
    return n;
}

void tt_feed_init(tt_feed *f, tt_raw *raw)
{
    f->raw = raw;
    f->buf = tt_malloc(TT_FEED_BEHIND + TT_FEED_SIZE);
    tt_feed_seek(f, 0);
}

void tt_feed_seek(tt_feed *f, uint64_t at)
{
    f->pos = f->end = 0;
    f->at = at;
}

int64_t tt_feed_more(tt_feed *f)
{
    size_t behind = f->pos < TT_FEED_BEHIND ? f->pos : TT_FEED_BEHIND, keep = behind + (f->end - f->pos);
    int64_t n;

    memmove(f->buf, f->buf + f->end - keep, keep);
    f->pos = behind;
    f->end = keep;
    n = tt_raw_read(f->raw, f->at, f->buf + f->end, TT_FEED_BEHIND + TT_FEED_SIZE - f->end);
    if (n > 0) {
        f->end += (size_t)n;
        f->at += (uint64_t)n;
    }
    return n;
}

int tt_feed_next(tt_feed *f, const unsigned char *magic, size_t n)
{
    for (;;) {
        int64_t more;

        while (f->pos < f->end && f->buf[f->pos] == 0) f->pos++;
        if (f->end - f->pos >= n) return memcmp(f->buf + f->pos, magic, n) == 0 ? 1 : 2;
        more = tt_feed_more(f);
        if (more < 0) return -1;
        if (more == 0) return f->pos == f->end ? 0 : 2;
    }
}

void tt_feed_free(tt_feed *f) { free(f->buf); }

/* A plain source needs no decoder: offsets in its text are offsets in the raw bytes. */
static void *plain_create(tt_raw *raw) { return raw; }
static void plain_restore(void *decoder, const void *mark)
{
    (void)decoder;
    (void)mark;
}
static void *plain_mark(const void *decoder)
{
    (void)decoder;
    return NULL;
}
static void plain_none(void *nothing) { (void)nothing; }

static int plain_read(tt_source *s, void *decoder, char *out, size_t cap, size_t *got)
{
    int64_t n = tt_raw_read(decoder, s->at, out, cap);

    if (n < 0) return -1;
    if (n == 0 && (s->raw.inner || s->raw.archive) && s->raw.limit != UINT64_MAX && s->at < s->raw.limit) {
        tt_source_note(s, s->at, true, "the archive ends inside this file");
    }
    *got = (size_t)n;
    return 0;
}

const tt_source_ops tt_source_plain = {
    .name = "plain",
    .direct = true,
    .create = plain_create,
    .read = plain_read,
    .mark = plain_mark,
    .restore = plain_restore,
    .mark_free = plain_none,
    .destroy = plain_none,
};

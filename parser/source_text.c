/* parser/source_text.c - arbitrary places of the text, after the source was read.
 *
 * Text stored as it is is read directly. Decoded text goes through two blocks of 1 MiB, the last two that were decoded, so
 * stepping through neighbouring events decodes nothing. A file is opened for each read and closed again: a job of a
 * thousand ranks must not hold a thousand descriptors, and a changed file is noticed every time.                     */
#include "parser/archive_impl.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)

typedef struct span {
    uint64_t at;
    size_t n;
    char *text; /* BLOCK bytes, NULL = never used */
} span;

typedef struct text_reader {
    tt_text_source base;
    pthread_mutex_t lock;
    tt_source *s;
    span recent[2]; /* [0] is the later decoded one */
} text_reader;

/* Open the file again; false when it is not the file that was loaded. */
static bool raw_open(tt_source *s)
{
    struct stat st;

    s = tt_source_bottom(s);
    if (s->raw.archive) return s->raw.entered = tt_archive_enter(s->raw.archive);
    if (s->raw.pipe) return true;
    if (s->raw.owns_fd) s->raw.fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (s->raw.fd < 0 || fstat(s->raw.fd, &st) != 0) return false;
    return !tt_source_changed(s) && (uint64_t)st.st_dev == s->raw.dev && (uint64_t)st.st_ino == s->raw.ino;
}

static void raw_close(tt_source *s)
{
    s = tt_source_bottom(s);
    if (s->raw.entered) tt_archive_leave(s->raw.archive);
    s->raw.entered = false;
    if (!s->raw.owns_fd || s->raw.fd < 0) return;
    close(s->raw.fd);
    s->raw.fd = -1;
}

static void drop_decoders(tt_source *s)
{
    for (; s; s = s->raw.inner) tt_source_drop_decoder(s);
}

/* Copy what the recent blocks have of the text from `at` on. */
static size_t from_recent(const text_reader *t, uint64_t at, char *out, size_t cap)
{
    for (int i = 0; i < 2; i++) {
        const span *b = &t->recent[i];

        if (at >= b->at && at - b->at < b->n) {
            size_t from = (size_t)(at - b->at);

            if (cap > b->n - from) cap = b->n - from;
            memcpy(out, b->text + from, cap);
            return cap;
        }
    }
    return 0;
}

/* Decode the next block on the way to `at`; false when the text ends before it or cannot be read (*failed). */
static bool decode_towards(text_reader *t, uint64_t at, bool *failed)
{
    span old = t->recent[1];

    tt_source_seek(t->s, at);
    do {
        if (!old.text) old.text = tt_malloc(BLOCK);
        old.at = t->s->at;
        *failed = tt_source_decode(t->s, old.text, BLOCK, &old.n) < 0;
        t->recent[1] = t->recent[0];
        t->recent[0] = old;
        if (*failed) t->recent[0].n = 0;
        if (*failed || old.n == 0) return false;
        old = t->recent[1];
    } while (t->s->at <= at);
    return true;
}

static int64_t text_read(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    text_reader *t = (text_reader *)self;
    tt_source *s = t->s;
    bool failed = false;
    size_t got = 0;

    pthread_mutex_lock(&t->lock);
    if (!raw_open(s)) failed = true;
    if (!failed && s->ops->direct) {
        tt_source_seek(s, offset);
        failed = tt_source_decode(s, out, cap, &got) < 0;
    }
    while (!failed && !s->ops->direct && got < cap) {
        size_t part = from_recent(t, offset + got, out + got, cap - got);

        got += part;
        if (!part && !decode_towards(t, offset + got, &failed)) break;
    }
    raw_close(s);
    if (failed) drop_decoders(s); /* they may stand in the middle of a read that failed */
    pthread_mutex_unlock(&t->lock);
    return failed ? -1 : (int64_t)got;
}

static void text_close(tt_text_source *self)
{
    text_reader *t = (text_reader *)self;

    pthread_mutex_destroy(&t->lock);
    tt_source_close(t->s);
    free(t->recent[0].text);
    free(t->recent[1].text);
    free(t);
}

tt_text_source *tt_source_text(tt_source *s)
{
    text_reader *t = tt_calloc(1, sizeof *t);

    t->base.read = text_read;
    t->base.close = text_close;
    pthread_mutex_init(&t->lock, NULL);
    t->s = s;
    s->raw.stop = NULL;
    if (s->raw.pipe) tt_pipe_end(s->raw.pipe);
    drop_decoders(s); /* a loaded file costs no decoder until someone asks */
    raw_close(s);
    return &t->base;
}

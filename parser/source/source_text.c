/* parser/source/source_text.c - reads the text at arbitrary offsets after the source was read.
 *
 * Uncompressed text is read directly. Decoded text comes from the blocks decoded last, so stepping through
 * neighbouring events decodes nothing. A file is opened for each read and closed again: a job of a thousand ranks must
 * not hold a thousand descriptors, and each read notices a changed file. */
#include "parser/source/archive_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct text_reader {
    tt_text_source base;
    pthread_mutex_t lock;
    tt_source *s;
    tt_recent recent;
} text_reader;

/* Open the file again; false = it is not the file that was loaded. */
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

static int64_t text_read(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    text_reader *t = (text_reader *)self;
    tt_source *s = t->s;
    bool failed = false;
    size_t got = 0;
    int why;

    pthread_mutex_lock(&t->lock);
    errno = ESTALE; /* another file has the name now */
    if (!raw_open(s)) failed = true;
    if (!failed && s->ops->direct) {
        tt_source_seek(s, offset);
        failed = tt_source_decode(s, out, cap, &got) < 0;
    }
    while (!failed && !s->ops->direct && got < cap) {
        int64_t part = tt_recent_read(&t->recent, s, offset + got, out + got, cap - got);

        if (part <= 0) failed = part < 0;
        if (part <= 0) break;
        got += (size_t)part;
    }
    why = errno;
    raw_close(s);
    if (failed) drop_decoders(s); /* a failed read may have left them in the middle */
    pthread_mutex_unlock(&t->lock);
    errno = why;
    return failed ? -1 : (int64_t)got;
}

static void text_close(tt_text_source *self)
{
    text_reader *t = (text_reader *)self;

    pthread_mutex_destroy(&t->lock);
    tt_source_close(t->s);
    tt_recent_free(&t->recent);
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
    drop_decoders(s); /* a loaded file needs no decoder until its text is read */
    raw_close(s);
    return &t->base;
}

/* capture/spool/spool_writer.c - buffers records in a block and writes it to the file. See spool_writer.h. */
#include "capture/spool/spool_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)

static void open_file(void *arg)
{
    tt_spool_writer *w = arg;
    w->error = -tt_own_open(&w->file, w->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
}

int tt_spool_open(tt_spool_writer *w, const char *path, uint64_t limit)
{
    *w = (tt_spool_writer){.file = {.fd = -1}, .path = path, .limit = limit, .cap = BLOCK, .n = sizeof(tt_spool_block)};
    w->block = malloc(w->cap);
    if (!w->block) return -ENOMEM;
    tt_files_run(open_file, w);
    if (!w->error) return 0;
    free(w->block);
    w->block = NULL;
    return -w->error;
}

void tt_spool_turn(tt_spool_writer *w, const char *path)
{
    w->turn = path;
    w->turn_error = 0;
}

int tt_spool_turned(tt_spool_writer *w)
{
    if (w->turn && !w->turn_error) w->turn_error = EIO; /* nothing was written */
    w->turn = NULL;
    return -w->turn_error;
}

/* Make the file that the block begins. False: the block is dropped. */
static bool turn_file(tt_spool_writer *w)
{
    tt_own next;
    w->turn_error = -tt_own_open(&next, w->turn, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
    if (w->turn_error) {
        w->seq--;
        w->records -= w->in_block;
        w->in_block = 0;
        w->n = sizeof(tt_spool_block);
        return false;
    }
    tt_own_close(&w->file);
    w->file = next;
    w->path = w->turn;
    w->turn = NULL;
    w->bytes = 0;
    return true;
}

void tt_spool_retry(tt_spool_writer *w)
{
    w->stopped = TT_STOPPED_NOT;
    w->error = 0;
    w->full = false;
}

static void fail(tt_spool_writer *w, tt_stopped why, int error)
{
    w->stopped = why;
    w->error = error;
    w->records -= w->in_block;
    w->lost += w->in_block;
    w->in_block = 0;
    w->n = sizeof(tt_spool_block);
    w->full = true;
    /* after a disk error keep the file open for the last words */
    if (why != TT_STOPPED_ERROR) tt_own_close(&w->file);
}

/* Check that the path still leads to our file, and that the file has the length that we left. */
static tt_stopped look(tt_spool_writer *w)
{
    struct stat st;
    if (!tt_own_keeps(&w->file, w->path, O_WRONLY | O_APPEND, &st)) return TT_STOPPED_CLOSED;
    if (!st.st_nlink) return TT_STOPPED_REMOVED;
    return (uint64_t)st.st_size < w->bytes ? TT_STOPPED_CUT : TT_STOPPED_NOT;
}

static void write_block(void *arg)
{
    tt_spool_writer *w = arg;
    if (w->turn && !turn_file(w)) return;
    tt_stopped why = look(w);
    if (why != TT_STOPPED_NOT) {
        fail(w, why, EIO);
        return;
    }
    for (size_t at = 0; at < w->n;) {
        ssize_t k = write(w->file.fd, w->block + at, w->n - at);
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) {
            /* truncate a partly written block, which would hide everything after it */
            int e = errno;
            if (tt_own_holds(&w->file, NULL) && ftruncate(w->file.fd, (off_t)w->bytes)) e = errno;
            w->seq--;
            fail(w, TT_STOPPED_ERROR, e);
            return;
        }
        at += (size_t)k;
    }
    if (w->wrote) w->wrote(w->wrote_arg, w->block + sizeof(tt_spool_block), w->n - sizeof(tt_spool_block));
    w->bytes += w->n;
    w->n = sizeof(tt_spool_block);
    w->in_block = 0;
    if (w->sync && fdatasync(w->file.fd) && errno != EINVAL && errno != EROFS)
        fail(w, TT_STOPPED_ERROR, errno); /* a pipe needs no fsync */
}

void tt_spool_flush(tt_spool_writer *w)
{
    if (w->file.fd < 0 || w->n == sizeof(tt_spool_block)) return;
    tt_spool_block head = {.len = (uint32_t)(w->n - sizeof head), .seq = w->seq++};
    memcpy(head.magic, TT_SPOOL_MAGIC, 4);
    head.sum = tt_spool_sum(w->block + sizeof head, head.len);
    memcpy(w->block, &head, sizeof head);
    tt_files_run(write_block, w);
}

void *tt_spool_add(tt_spool_writer *w, unsigned type, size_t size, uint32_t a)
{
    size = (size + 7) & ~(size_t)7;
    if (w->named && a && tt_spool_is_named(type)) w->named(w->named_arg, a);
    if (w->file.fd >= 0 && w->n + size > w->cap) tt_spool_flush(w);
    if (w->limit && w->bytes + w->n + size > w->limit) w->full = true;
    if (w->full && w->stopped == TT_STOPPED_NOT) w->stopped = TT_STOPPED_LIMIT;
    if (w->file.fd < 0 || w->full) {
        w->lost++;
        return NULL;
    }
    unsigned char *p = w->block + w->n;
    tt_spool_rec h = {(uint16_t)type, (uint16_t)size, a};
    memset(p, 0, size);
    memcpy(p, &h, sizeof h);
    w->n += size;
    w->records++;
    w->in_block++;
    return p;
}

bool tt_spool_add_text(tt_spool_writer *w, unsigned type, uint32_t a, const char *key, const char *text, size_t len)
{
    size_t head = key ? strlen(key) + 1 : 0;
    if (head > TT_SPOOL_STRING_MOST) return false;
    if (len > TT_SPOOL_STRING_MOST - head) len = TT_SPOOL_STRING_MOST - head;
    tt_spool_text *t = tt_spool_add(w, type, sizeof *t + head + len, a);
    if (!t) return false;
    t->len = (uint32_t)(head + len);
    if (head) memcpy(t->text, key, head);
    if (len) memcpy(t->text + head, text, len);
    return true;
}

void tt_spool_last_words(tt_spool_writer *w)
{
    w->limit = 0;
    w->full = false;
}

static void close_file(void *arg) { tt_own_close(&((tt_spool_writer *)arg)->file); }

void tt_spool_close(tt_spool_writer *w)
{
    tt_spool_flush(w);
    tt_files_run(close_file, w);
    free(w->block);
    w->block = NULL;
}

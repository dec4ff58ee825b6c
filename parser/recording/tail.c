/* parser/recording/tail.c - see tail.h. */
#include "parser/recording/tail.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "parser/recording/facts.h"

bool tt_spool_tail_open(tt_spool_tail *t, const char *path)
{
    tt_spool_block b;
    *t = (tt_spool_tail){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)};
    if (t->fd < 0) return false;
    if (pread(t->fd, &b, sizeof b, 0) == sizeof b) t->seq = b.seq;
    t->in = tt_malloc(TT_SPOOL_BLOCK_MOST);
    return true;
}

void tt_spool_tail_close(tt_spool_tail *t)
{
    if (t->fd >= 0) close(t->fd);
    free(t->in);
    *t = (tt_spool_tail){.fd = -1};
}

static bool whole_block(tt_spool_tail *t, tt_spool_block *b)
{
    return pread(t->fd, b, sizeof *b, (off_t)t->offset) == sizeof *b && tt_spool_block_fits(b) && b->seq == t->seq &&
           pread(t->fd, t->in, b->len, (off_t)(t->offset + sizeof *b)) == (ssize_t)b->len &&
           tt_spool_sum(t->in, b->len) == b->sum;
}

bool tt_spool_tail_read(tt_spool_tail *t, uint64_t until, void (*each)(void *arg, const tt_spool_rec *r), void *arg)
{
    tt_spool_block b;
    bool news = false;
    while (t->fd >= 0 && whole_block(t, &b) && t->offset + sizeof b + b.len <= until) {
        for (size_t at = 0; at + sizeof(tt_spool_rec) <= b.len;) {
            const tt_spool_rec *r = (const void *)(t->in + at);
            if (!tt_spool_record_fits(r, b.len - at)) break;
            each(arg, r);
            at += r->size;
        }
        t->offset += sizeof b + b.len;
        t->seq++;
        news = true;
    }
    return news;
}

/* capture/spool/ring.c - rotation of segments, and deletion of the oldest. See ring.h. */
#include "capture/spool/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/spool/ring_internal.h"

enum { PARTS = 16, TIMES = 8, TURN_LEAST_NS = 1000000000 };
#define NO_LIMIT (UINT64_MAX / 4)

bool tt_ring_path(const tt_ring *g, uint64_t number, char out[TT_RING_PATH])
{
    int n = snprintf(out, TT_RING_PATH, "%s.%06llu.ttspool", g->base, (unsigned long long)number);
    return n > 0 && n < TT_RING_PATH;
}

static void mark(tt_ring *g, unsigned what, int64_t now)
{
    tt_spool_segment *s = tt_spool_add(g->w, TT_SPOOL_SEGMENT, sizeof *s, what);
    if (!s) return;
    s->ts = now;
    s->number = g->now.number;
}

static void learn(void *arg, const unsigned char *records, size_t n)
{
    tt_ring *g = arg;
    if (!g->in_head) tt_ring_learn(&g->facts, records, n);
}

/* ---- rotation ---- */

int tt_ring_open(tt_ring *g, tt_spool_writer *w, const char *base, int64_t keep_ns, uint64_t most,
                 const tt_ring_hooks *user)
{
    uint64_t serial = g->serial + 1;
    *g = (tt_ring){.w = w, .user = *user, .keep_ns = keep_ns, .most = most ? most : NO_LIMIT, .serial = serial};
    g->now = (tt_ring_segment){.serial = serial, .began = user->clock(user->arg)};
    g->turn_ns = keep_ns / TIMES > TURN_LEAST_NS ? keep_ns / TIMES : TURN_LEAST_NS;
    g->turn_bytes = g->most / PARTS;
    if (snprintf(g->base, sizeof g->base, "%s", base) >= (int)sizeof g->base - 32) return -ENAMETOOLONG;
    (void)tt_ring_path(g, 0, g->path[0]);
    int e = tt_spool_open(w, g->path[0], 0);
    if (e) {
        g->keep_ns = 0;
        return e;
    }
    w->wrote = learn;
    w->wrote_arg = g;
    mark(g, TT_SPOOL_SEGMENT_BEGIN, g->now.began);
    return 0;
}

void tt_ring_begun(tt_ring *g)
{
    mark(g, TT_SPOOL_SEGMENT_HEAD, g->now.began);
    tt_spool_flush(g->w);
    g->facts.own = g->facts.n;
}

static void write_head(tt_ring *g, int64_t now)
{
    g->in_head = true;
    mark(g, TT_SPOOL_SEGMENT_BEGIN, now);
    tt_ring_repeat(&g->facts, g->w);
    g->user.head(g->user.arg);
    mark(g, TT_SPOOL_SEGMENT_HEAD, now);
    tt_spool_flush(g->w);
    g->in_head = false;
}

/* Begin the next segment; the writer holds no records. */
static int next_segment(tt_ring *g, int64_t now)
{
    const tt_ring_segment was = {g->now.number, g->w->bytes, g->now.serial, g->now.began};
    char *path = g->path[(was.number + 1) % 2]; /* the writer has the other one */
    if (!tt_ring_path(g, was.number + 1, path)) return -ENAMETOOLONG;
    g->now = (tt_ring_segment){.number = was.number + 1, .serial = ++g->serial, .began = now};
    tt_spool_turn(g->w, path);
    write_head(g, now);
    int e = tt_spool_turned(g->w);
    if (e) {
        g->now = was;
        return e;
    }
    g->kept[g->n_kept++] = was;
    g->kept_bytes += was.bytes;
    return 0;
}

int tt_ring_rotate(tt_ring *g)
{
    int64_t now = g->keep_ns ? g->user.clock(g->user.arg) : 0;
    if (!g->keep_ns) return -ENOSYS;
    if (g->n_kept == TT_RING_SEGMENTS) tt_ring_drop_oldest(g);
    if (g->n_kept == TT_RING_SEGMENTS) return -EBUSY;
    g->user.tail(g->user.arg);
    mark(g, TT_SPOOL_SEGMENT_END, now);
    tt_spool_flush(g->w);
    if (g->w->stopped != TT_STOPPED_NOT) return g->w->error ? -g->w->error : -EIO;
    return next_segment(g, now);
}

/* ---- deletion ---- */

static void delete_file(void *arg) { (void)unlink(arg); }

bool tt_ring_drop_oldest(tt_ring *g)
{
    char path[TT_RING_PATH];
    if (!g->n_kept) return false;
    for (uint32_t i = 0; i < g->n_jobs; i++) {
        if (g->kept[0].number >= g->jobs[i].next && g->kept[0].number <= g->jobs[i].last) return false;
    }
    if (tt_ring_path(g, g->kept[0].number, path)) tt_files_run(delete_file, path);
    g->kept_bytes -= g->kept[0].bytes;
    memmove(g->kept, g->kept + 1, --g->n_kept * sizeof *g->kept);
    return true;
}

/* The oldest segment is not needed: the others cover the time to keep, or all are too large. Room is kept for the
 * segment that is written. */
static bool is_over(const tt_ring *g, int64_t now)
{
    int64_t covered = g->n_kept > 1 ? g->kept[1].began : g->now.began;
    uint64_t room = g->turn_bytes + g->turn_bytes / 2;
    if (!g->n_kept) return false;
    return now - covered >= g->keep_ns || (g->n_kept > 1 && tt_ring_bytes(g) + room > g->most + g->w->bytes);
}

/* Writing failed for want of space: give up the oldest segment and begin a new one. */
static bool recover(tt_ring *g, int64_t now)
{
    int e = g->w->error;
    if (g->w->stopped != TT_STOPPED_ERROR || (e != ENOSPC && e != EDQUOT && e != EFBIG)) return false;
    if (!tt_ring_drop_oldest(g)) return false;
    tt_spool_retry(g->w);
    int again = next_segment(g, now);
    if (!again && g->w->stopped == TT_STOPPED_NOT) return true;
    if (again) { /* no new segment yet: writing stays stopped */
        g->w->stopped = TT_STOPPED_ERROR;
        g->w->error = e;
        g->w->full = true;
    }
    return false;
}

/* Recover as long as there is a segment to delete. */
static bool recover_all(tt_ring *g, int64_t now)
{
    for (uint32_t before = g->n_kept + 1; g->n_kept && g->n_kept < before;) {
        before = g->n_kept;
        if (recover(g, now)) return true;
    }
    return false;
}

bool tt_ring_poll(tt_ring *g)
{
    if (!g->keep_ns) return false;
    int64_t now = g->user.clock(g->user.arg);
    if (g->n_jobs) tt_ring_copy_on(g, now);
    if (g->w->stopped != TT_STOPPED_NOT) return recover_all(g, now);
    bool due = now - g->now.began >= g->turn_ns || g->w->bytes + g->w->n >= g->turn_bytes;
    bool turned = due && !tt_ring_rotate(g);
    while (is_over(g, now) && tt_ring_drop_oldest(g)) {}
    return turned;
}

uint64_t tt_ring_bytes(const tt_ring *g) { return g->kept_bytes + g->w->bytes; }

int64_t tt_ring_since(const tt_ring *g) { return g->n_kept ? g->kept[0].began : g->now.began; }

uint64_t tt_ring_oldest(const tt_ring *g) { return g->n_kept ? g->kept[0].serial : g->now.serial; }

void tt_ring_free(tt_ring *g)
{
    uint64_t serial = g->serial;
    tt_ring_facts_free(&g->facts);
    *g = (tt_ring){.serial = serial};
}

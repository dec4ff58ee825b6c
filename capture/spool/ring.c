/* capture/spool/ring.c - rotation of segments, deletion of the oldest, freezing. See ring.h. */
#include "capture/spool/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/shared/sysfile.h"
#include "capture/spool/segment_files.h"

enum { PARTS = 16, TIMES = 8, TURN_LEAST_NS = 1000000000 };
/* A piece is copied for PIECE_MS, and the next one begins PAUSE_NS later: the spool is written in between. */
enum { PIECE_MS = 20, PAUSE_NS = 40000000, FINISH_MS = 3000 };
#define NO_LIMIT (UINT64_MAX / 4)

/* Path of a segment; false: too long. */
static bool path_of(const tt_ring *g, uint64_t number, char out[TT_RING_PATH])
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
    if (!g->in_head) tt_ring_facts_learn(&g->facts, records, n);
}

/* ---- deletion ---- */

static void delete_file(void *arg) { (void)unlink(arg); }

/* Delete the oldest ended segment; false: there is none, or it is being copied. */
static bool drop_oldest(tt_ring *g)
{
    char path[TT_RING_PATH];
    if (!g->n_kept) return false;
    for (uint32_t i = 0; i < g->n_jobs; i++) {
        if (g->kept[0].number >= g->jobs[i].next && g->kept[0].number <= g->jobs[i].last) return false;
    }
    if (path_of(g, g->kept[0].number, path)) tt_files_run(delete_file, path);
    g->kept_bytes -= g->kept[0].bytes;
    memmove(g->kept, g->kept + 1, --g->n_kept * sizeof *g->kept);
    return true;
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
    (void)path_of(g, 0, g->path[0]);
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
    tt_ring_facts_repeat(&g->facts, g->w);
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
    if (!path_of(g, was.number + 1, path)) return -ENAMETOOLONG;
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

/* End the segment and begin the next. 0 or -errno: then the old one goes on. */
static int rotate(tt_ring *g)
{
    int64_t now = g->user.clock(g->user.arg);
    if (g->n_kept == TT_RING_SEGMENTS) drop_oldest(g);
    if (g->n_kept == TT_RING_SEGMENTS) return -EBUSY;
    g->user.tail(g->user.arg);
    mark(g, TT_SPOOL_SEGMENT_END, now);
    tt_spool_flush(g->w);
    if (g->w->stopped != TT_STOPPED_NOT) return g->w->error ? -g->w->error : -EIO;
    return next_segment(g, now);
}

/* ---- freezing ---- */

/* Paths of a segment here and in dir; false: too long. */
static bool both_paths(const tt_ring *g, const char *dir, uint64_t number, char from[TT_RING_PATH],
                       char to[TT_RING_PATH])
{
    if (!path_of(g, number, from)) return false;
    const char *slash = strrchr(from, '/');
    int n = snprintf(to, TT_RING_PATH, "%s/%s", dir, slash ? slash + 1 : from);
    return n > 0 && n < TT_RING_PATH;
}

typedef struct links {
    const tt_ring *g;
    const char *dir;
    uint32_t made;
    int error;     /* errno of the first link that could not be made */
    uint64_t from; /* with an error: number of its segment */
} links;

static void link_one(links *l, uint64_t number)
{
    char from[TT_RING_PATH], to[TT_RING_PATH];
    if (l->error) return;
    l->from = number;
    int e = both_paths(l->g, l->dir, number, from, to) ? tt_segment_link(from, to) : -ENAMETOOLONG;
    l->made += !e;
    if (e < 0) l->error = -e;
}

static void link_all(void *arg)
{
    links *l = arg;
    struct stat st;
    if (mkdir(l->dir, 0777) && errno != EEXIST) {
        l->error = errno;
    } else if (tt_sysfile_stat(l->dir, &st) || !S_ISDIR(st.st_mode)) {
        l->error = ENOTDIR;
    }
    for (uint32_t i = 0; i < l->g->n_kept; i++) link_one(l, l->g->kept[i].number);
}

static void link_current(void *arg) { link_one(arg, ((links *)arg)->g->now.number); }

int tt_ring_freeze(tt_ring *g, const char *dir)
{
    if (!g->keep_ns) return -ENOSYS;
    if (g->n_jobs == TT_RING_FREEZES) return -EBUSY;
    if (strlen(dir) >= TT_RING_PATH) return -ENAMETOOLONG;
    int e = rotate(g);
    links l = {.g = g, .dir = dir};
    tt_files_run(link_all, &l);
    if (e && !l.error) tt_files_run(link_current, &l); /* the newest is worth most, even if it goes on here */
    if (l.error && tt_segment_may_copy(l.error) && g->n_kept) {
        tt_ring_freeze_job *j = &g->jobs[g->n_jobs++];
        *j = (tt_ring_freeze_job){.next = l.from, .last = g->kept[g->n_kept - 1].number};
        memcpy(j->dir, dir, strlen(dir) + 1);
        return 0;
    }
    if (l.made) return 0;
    return l.error ? -l.error : e ? e : -ENOENT;
}

typedef struct copying {
    tt_ring *g;
    int64_t until; /* ms */
} copying;

static void copy_piece(void *arg)
{
    const copying *c = arg;
    tt_ring_freeze_job *j = &c->g->jobs[0];
    char from[TT_RING_PATH], to[TT_RING_PATH];
    while (j->next <= j->last && tt_segment_clock_ms() < c->until) {
        bool good = both_paths(c->g, j->dir, j->next, from, to);
        int e = good ? tt_segment_copy(from, to, &j->at, c->until) : -ENAMETOOLONG;
        if (e < 0 && !c->g->freeze_error) c->g->freeze_error = -e;
        if (e < 0) j->next = j->last + 1; /* what is there is whole segments, and perhaps the front of one */
        if (e <= 0) continue;
        j->next++;
        j->at = 0;
    }
}

/* Go on with the oldest freeze. */
static void copy_for(tt_ring *g, int ms)
{
    copying c = {.g = g, .until = tt_segment_clock_ms() + ms};
    tt_files_run(copy_piece, &c);
    if (g->jobs[0].next > g->jobs[0].last) memmove(g->jobs, g->jobs + 1, --g->n_jobs * sizeof *g->jobs);
}

static void copy_on(tt_ring *g, int64_t now)
{
    if (now - g->copied < PAUSE_NS) return;
    copy_for(g, PIECE_MS);
    g->copied = g->user.clock(g->user.arg);
}

void tt_ring_finish(tt_ring *g)
{
    int64_t end = tt_segment_clock_ms() + FINISH_MS;
    while (g->n_jobs && tt_segment_clock_ms() < end) copy_for(g, FINISH_MS);
}

/* ---- polling ---- */

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
    if (!drop_oldest(g)) return false;
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
    if (g->n_jobs) copy_on(g, now);
    if (g->w->stopped != TT_STOPPED_NOT) return recover_all(g, now);
    bool due = now - g->now.began >= g->turn_ns || g->w->bytes + g->w->n >= g->turn_bytes;
    bool turned = due && !rotate(g);
    while (is_over(g, now) && drop_oldest(g)) {}
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

/* capture/spool/ring_freeze.c - freezes a ring into another folder, by links, or by copies where the system cannot
 * link. See ring.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "capture/spool/memory.h"
#include "capture/spool/ring_internal.h"

/* A piece is copied for PIECE_MS, and the next one begins PAUSE_NS later: the spool is written in between. */
enum { PIECE = 1 << 18, PIECE_MS = 20, PAUSE_NS = 40000000, FINISH_MS = 3000 };

static int64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Paths of a segment here and in dir; false: too long. */
static bool both_paths(const tt_ring *g, const char *dir, uint64_t number, char from[TT_RING_PATH],
                       char to[TT_RING_PATH])
{
    if (!tt_ring_path(g, number, from)) return false;
    const char *slash = strrchr(from, '/');
    int n = snprintf(to, TT_RING_PATH, "%s/%s", dir, slash ? slash + 1 : from);
    return n > 0 && n < TT_RING_PATH;
}

/* ---- links ---- */

typedef struct links {
    const tt_ring *g;
    const char *dir;
    uint32_t made;
    int error;     /* errno of the first link that could not be made */
    uint64_t from; /* with an error: number of its segment */
} links;

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void link_one(links *l, uint64_t number)
{
    char from[TT_RING_PATH], to[TT_RING_PATH];
    if (l->error) return;
    l->from = number;
    if (!both_paths(l->g, l->dir, number, from, to)) {
        l->error = ENAMETOOLONG;
    } else if (!link(from, to) || (errno == EEXIST && is_same_file(from, to))) {
        l->made++;
    } else if (errno != ENOENT || access(from, F_OK) == 0) { /* ENOENT: somebody removed the segment */
        l->error = errno;
    }
}

static void link_all(void *arg)
{
    links *l = arg;
    struct stat st;
    if (mkdir(l->dir, 0777) && errno != EEXIST) {
        l->error = errno;
    } else if (stat(l->dir, &st) || !S_ISDIR(st.st_mode)) {
        l->error = ENOTDIR;
    }
    for (uint32_t i = 0; i < l->g->n_kept; i++) link_one(l, l->g->kept[i].number);
}

static void link_current(void *arg) { link_one(arg, ((links *)arg)->g->now.number); }

/* The system cannot link these files, or not into that folder; a copy may work. */
static bool copy_instead(int e) { return e == EXDEV || e == EPERM || e == EMLINK || e == EOPNOTSUPP || e == ENOSYS; }

int tt_ring_freeze(tt_ring *g, const char *dir)
{
    if (!g->keep_ns) return -ENOSYS;
    if (g->n_jobs == TT_RING_FREEZES) return -EBUSY;
    if (strlen(dir) >= TT_RING_PATH) return -ENAMETOOLONG;
    int e = tt_ring_rotate(g);
    links l = {.g = g, .dir = dir};
    tt_files_run(link_all, &l);
    if (e && !l.error) tt_files_run(link_current, &l); /* the newest is worth most, even if it goes on here */
    if (l.error && copy_instead(l.error) && g->n_kept) {
        tt_ring_freeze_job *j = &g->jobs[g->n_jobs++];
        *j = (tt_ring_freeze_job){.next = l.from, .last = g->kept[g->n_kept - 1].number};
        memcpy(j->dir, dir, strlen(dir) + 1);
        return 0;
    }
    if (l.made) return 0;
    return l.error ? -l.error : e ? e : -ENOENT;
}

/* ---- copies ---- */

typedef struct copying {
    tt_ring *g;
    tt_ring_freeze_job *job;
    char *piece;
    int ms;
} copying;

/* Copy bytes between open files until the time is over. 1: the file is complete, 0: not yet, -errno. */
static int copy_bytes(copying *c, int in, int out, int64_t until)
{
    tt_ring_freeze_job *j = c->job;
    for (;;) {
        ssize_t n = pread(in, c->piece, PIECE, (off_t)j->at);
        if (n <= 0) return n ? -errno : 1;
        for (ssize_t done = 0, k; done < n; done += k) {
            k = pwrite(out, c->piece + done, (size_t)(n - done), (off_t)j->at + done);
            if (k < 0 && errno == EINTR) k = 0;
            if (k < 0) return -errno;
        }
        j->at += (uint64_t)n;
        if (clock_ms() >= until) return 0;
    }
}

static int copy_segment(copying *c, int64_t until)
{
    char from[TT_RING_PATH], to[TT_RING_PATH];
    if (!both_paths(c->g, c->job->dir, c->job->next, from, to)) return -ENAMETOOLONG;
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (in < 0) return errno == ENOENT ? 1 : -errno; /* somebody removed the segment: a gap that readers tell */
    int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (c->job->at ? 0 : O_EXCL), 0644);
    int e = out < 0 ? -errno : copy_bytes(c, in, out, until);
    if (out >= 0 && close(out) && e >= 0) e = -errno;
    close(in);
    return e;
}

static void copy_piece(void *arg)
{
    copying *c = arg;
    tt_ring_freeze_job *j = c->job;
    int64_t until = clock_ms() + c->ms;
    while (j->next <= j->last && clock_ms() < until) {
        int e = copy_segment(c, until);
        if (e < 0) {
            if (!c->g->freeze_error) c->g->freeze_error = -e;
            j->next = j->last + 1; /* what is there is whole segments, and perhaps the front of one */
        }
        if (e != 1) continue;
        j->next++;
        j->at = 0;
    }
}

static void copy_for(tt_ring *g, int ms)
{
    copying c = {.g = g, .job = &g->jobs[0], .piece = tt_memory_take(PIECE), .ms = ms};
    if (!c.piece) return;
    tt_files_run(copy_piece, &c);
    tt_memory_give(c.piece, PIECE);
    if (g->jobs[0].next > g->jobs[0].last) memmove(g->jobs, g->jobs + 1, --g->n_jobs * sizeof *g->jobs);
}

void tt_ring_copy_on(tt_ring *g, int64_t now)
{
    if (now - g->copied < PAUSE_NS) return;
    copy_for(g, PIECE_MS);
    g->copied = g->user.clock(g->user.arg);
}

void tt_ring_finish(tt_ring *g)
{
    int64_t end = clock_ms() + FINISH_MS;
    while (g->n_jobs && clock_ms() < end) copy_for(g, FINISH_MS);
}

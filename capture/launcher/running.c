/* capture/launcher/running.c - reads the state of a recording from its folder. See running.h. */
#include "capture/launcher/running.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/format/dump_name.h"
#include "capture/format/spool_name.h"
#include "capture/shared/control_file.h"

enum { PROCESSES_MOST = 4096 };

typedef struct spool_file { /* a spool, HOST_PID.STAMP.ttspool or HOST_rankN.STAMP.ttspool, or all segments of a ring */
    char host[64];
    uint32_t pid;           /* 0 = not known */
    int64_t stamp, written; /* ns of CLOCK_REALTIME: start of its process; last growth of the file */
    bool segment;           /* one of a ring */
    bool told, ended;       /* told: its process has a record in a control file; ended: that record says so */
} spool_file;

typedef struct looking {
    tt_running *out;
    const char *dir;
    char host[64]; /* name of this machine */
    int64_t now, booted;
    spool_file *files;
    uint32_t n_files;
    bool controlled; /* a control file exists: every process that is recorded has a record in it */
} looking;

static int64_t now_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- is a process alive? ---- */

/* Start of a process of this machine, ns of CLOCK_REALTIME; -1: not running, or a zombie. */
static int64_t began(const looking *l, uint32_t pid)
{
    char path[40], text[1024], state = 0;
    unsigned long long ticks = 0;
    snprintf(path, sizeof path, "/proc/%u/stat", pid);
    FILE *f = fopen(path, "re");
    if (!f) return -1;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    const char *p = strrchr(text, ')'); /* skip the name, which may hold any character */
    if (!p || sscanf(p + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &state,
                     &ticks) != 2)
        return -1;
    if (state == 'Z' || state == 'X') return -1;
    return l->booted + (int64_t)(ticks * 1000000000ULL / (unsigned long long)sysconf(_SC_CLK_TCK));
}

/* Whether the process that was known at known_at runs here, and not a later one with its pid. False without /proc. */
static bool alive(const looking *l, uint32_t pid, int64_t known_at)
{
    enum { SLACK = 2000000000 }; /* the clock may have been set */
    int64_t at = began(l, pid);
    return at >= 0 && at <= known_at + SLACK;
}

/* ---- spools ---- */

static bool parse_name(const char *name, spool_file *out)
{
    size_t n = strlen(name), end = sizeof TT_SPOOL_ENDING - 1, whole;
    uint64_t number;
    if (n <= end || *name == '.' || strcmp(name + n - end, TT_SPOOL_ENDING) != 0) return false;
    *out = (spool_file){0};
    out->segment = tt_spool_is_segment(name, n, &whole, &number);
    const char *stamp = out->segment ? name + whole : name + n - end;
    while (stamp > name && stamp[-1] != '.') stamp--;
    out->stamp = strtoll(stamp, NULL, 10);
    const char *dot = stamp > name ? stamp - 1 : name, *under = dot;
    while (under > name && under[-1] != '_') under--;
    if (under == name) return true; /* not a name of a spool: somebody renamed the file */
    out->pid = (uint32_t)strtoul(under, NULL, 10);
    snprintf(out->host, sizeof out->host, "%.*s", (int)(under - 1 - name), name);
    return true;
}

static uint64_t hash(uint64_t h, const char *s)
{
    for (; *s; s++) h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001B3);
    return h;
}

/* The ring that the segment belongs to; NULL: it is the first one seen. */
static spool_file *ring_of(const looking *l, const spool_file *f)
{
    for (uint32_t i = l->n_files; i-- > 0;) {
        spool_file *o = &l->files[i];
        if (o->segment && o->stamp == f->stamp && o->pid == f->pid && !strcmp(o->host, f->host)) return o;
    }
    return NULL;
}

static void add_spool(looking *l, int dir, const char *name)
{
    struct stat st;
    spool_file f;
    if (l->n_files == PROCESSES_MOST || !parse_name(name, &f)) return;
    if (fstatat(dir, name, &st, 0) || !S_ISREG(st.st_mode)) return;
    f.written = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    spool_file *ring = f.segment ? ring_of(l, &f) : NULL;
    if (ring && ring->written < f.written) ring->written = f.written;
    if (!ring) {
        l->files[l->n_files++] = f;
        l->out->spools++;
    }
    l->out->bytes += (uint64_t)st.st_size;
    /* a sum of hashes: the order of the listing does not matter */
    l->out->names += hash(UINT64_C(0xCBF29CE484222325), name);
}

/* ---- records of recorders and processes ---- */

static void settle(looking *l, bool is_here, bool is_alive, int64_t last, bool recorder)
{
    bool silent = l->now - last > (int64_t)TT_RUNNING_SILENT_S * 1000000000;
    if (is_here ? is_alive : !silent) {
        l->out->open++;
        return;
    }
    l->out->killed++;
    l->out->recorder_killed |= recorder;
}

static int64_t last_written(const looking *l)
{
    int64_t last = 0;
    for (uint32_t i = 0; i < l->n_files; i++) last = l->files[i].written > last ? l->files[i].written : last;
    return last;
}

static void on_launcher(looking *l, const tt_control_launcher *p)
{
    char host[sizeof p->host + 1];
    if (p->ended) return;
    snprintf(host, sizeof host, "%.*s", (int)sizeof p->host, p->host);
    int64_t last = last_written(l);
    settle(l, !strcmp(host, l->host), alive(l, p->pid, p->started), last > p->started ? last : p->started, true);
}

/* Match a process's record to its spool. The record's id combines the start of the process, which the spool has in its
 * name, and its pid, which a rank's spool lacks (capture/agent/core/report_progress.c). */
static void on_process(looking *l, uint64_t id, const tt_control_process *p)
{
    /* TRIES: if a name is taken, the stamp grows by one, this many times at most */
    enum { TRIES = 100, PID_BITS = 22 };
    uint64_t mask = UINT64_MAX >> PID_BITS, begun = (id ^ p->pid) >> PID_BITS;
    for (uint32_t i = 0; i < l->n_files; i++) {
        spool_file *f = &l->files[i];
        if ((((uint64_t)f->stamp & mask) - begun) % (mask + 1) >= TRIES) continue;
        f->told = true;
        f->ended |= p->ended != 0;
        f->pid = p->pid;
    }
}

static void on_record(void *arg, const tt_control_record *r)
{
    if (r->kind == TT_CONTROL_LAUNCHER) on_launcher(arg, &r->launcher);
    if (r->kind == TT_CONTROL_PROCESS) on_process(arg, r->id, &r->process);
}

/* Decide about the process of a spool. If a control file has no record for a spool, the spool is of an earlier
 * cycle, or has just begun. */
static void on_spool(looking *l, const spool_file *f)
{
    bool here = !strcmp(f->host, l->host) && f->pid;
    if (f->ended || (l->controlled && !f->told)) return;
    uint32_t killed = l->out->killed;
    settle(l, here, alive(l, f->pid, f->stamp), f->written, false);
    /* the program records itself: only the spool tells whether it ended in order */
    if (!l->controlled) l->out->killed = killed;
}

static void read_control(looking *l, const char *name)
{
    char path[4096];
    tt_control c;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", l->dir, name) >= sizeof path || tt_control_watch(&c, path)) return;
    l->controlled |= tt_control_each(&c, on_record, l);
    tt_control_close(&c);
}

/* Visit the entries of the folder: names that begin with "ctl" (control), or spools. */
static void list(looking *l, bool control)
{
    DIR *d = opendir(l->dir);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        bool ours = !strcmp(e->d_name, TT_CONTROL_FILE) || !strncmp(e->d_name, TT_CONTROL_FILE "-rank", 8);
        if (control && ours) read_control(l, e->d_name);
        if (!control) add_spool(l, dirfd(d), e->d_name);
    }
    if (d) closedir(d);
}

/* Read the folder; false: no memory. The caller frees l->files. */
static bool read_folder(looking *l)
{
    l->now = now_of(CLOCK_REALTIME);
    l->booted = l->now - now_of(CLOCK_BOOTTIME);
    gethostname(l->host, sizeof l->host - 1);
    l->files = calloc(PROCESSES_MOST, sizeof *l->files);
    if (!l->files) return false;
    list(l, false);
    list(l, true);
    return true;
}

/* Whether the folder is that of a dump: nobody writes there any more. */
static bool is_dump(const char *dir)
{
    char whole[PATH_MAX];
    int64_t at, who;
    const char *slash = realpath(dir, whole) ? strrchr(whole, '/') : NULL;
    return slash && tt_dump_name_parse(slash + 1, &at, &who);
}

tt_running tt_running_look(const char *dir)
{
    tt_running out = {0};
    looking l = {.out = &out, .dir = dir};
    if (!read_folder(&l)) return out;
    bool dump = is_dump(dir);
    for (uint32_t i = 0; i < l.n_files && !dump; i++) on_spool(&l, &l.files[i]);
    if (l.n_files || l.controlled)
        out.state = out.open ? TT_RUNNING_LIVE : out.killed ? TT_RUNNING_KILLED : TT_RUNNING_ENDED;
    free(l.files);
    return out;
}

void tt_running_here(const char *dir, void (*each)(void *arg, uint32_t pid), void *arg)
{
    tt_running out = {0};
    looking l = {.out = &out, .dir = dir};
    if (!read_folder(&l)) return;
    for (uint32_t i = 0; i < l.n_files; i++) {
        const spool_file *f = &l.files[i];
        if (!f->ended && f->pid && !strcmp(f->host, l.host) && alive(&l, f->pid, f->stamp)) each(arg, f->pid);
    }
    free(l.files);
}

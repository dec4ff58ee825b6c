/* tui/cluster/folder.c - see folder.h. */
#include "tui/cluster/folder.h"
#include "model/base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/clock.h"
#include "model/base/mem.h"
#include "parser/input/walk.h"
#include "tui/args/cli.h"
#include "tui/files/outfile.h"
#include "tui/files/state_file.h"

enum {
    PATH_BYTES = 4096,
    LOOK_MS = 100,
    QUIET_MS = 1000,     /* say nothing during this time: the processes of a killed run mostly end within it */
    PATIENCE_MS = 30000, /* wait this long for the processes of a killed run */
    NAMED_MOST = 16      /* processes that a message lists */
};

/* ---- files ---- */

tt_status tt_cluster_folder_write(const char *folder, const char *name, const char *text, size_t n, tt_err *err)
{
    tt_arena a = {0};
    tt_outfile *o = tt_outfile_open(tt_arena_printf(&a, "%s/%s", folder, name), TT_OUTFILE_REGULAR, NULL, err);
    tt_status st = o ? TT_OK : err->code;
    if (o) {
        tt_outfile_write(o, text, n);
        st = tt_outfile_close(o, true, err);
    }
    tt_arena_free(&a);
    return st;
}

bool tt_cluster_folder_read(const char *folder, const char *name, char *out, size_t cap)
{
    tt_arena a = {0};
    FILE *f = tt_small_open(tt_arena_printf(&a, "%s/%s", folder, name));
    tt_arena_free(&a);
    if (!f) return false;
    size_t n = fread(out, 1, cap - 1, f);
    out[n] = '\0';
    fclose(f);
    return true;
}

/* The text can be part of a file name and of a printed command. */
static bool is_id(const char *id)
{
    return *id && !id[strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")];
}

bool tt_cluster_folder_run(const char *folder, tt_cluster_run_id *out)
{
    char text[200];
    *out = (tt_cluster_run_id){.pid = 0};
    return tt_cluster_folder_read(folder, TT_CLUSTER_RUN_FILE, text, sizeof text) &&
           sscanf(text, "%47s %d %63s %15s", out->id, &out->pid, out->host, out->engine) == 4 && is_id(out->id) &&
           out->pid > 0;
}

tt_status tt_cluster_folder_begin(const char *folder, const char *id, const char *engine, tt_err *err)
{
    char host[64] = "", text[200];
    gethostname(host, sizeof host - 1);
    int n = snprintf(text, sizeof text, "%s %d %s %s\n", id, (int)getpid(), *host ? host : "-", engine);
    return tt_cluster_folder_write(folder, TT_CLUSTER_RUN_FILE, text, (size_t)n, err);
}

tt_status tt_cluster_folder_cancel(const char *folder, const char *id, tt_err *err)
{
    char name[sizeof TT_CLUSTER_CANCELLED + 48];
    snprintf(name, sizeof name, TT_CLUSTER_CANCELLED "%s", id);
    return tt_cluster_folder_write(folder, name, "", 0, err);
}

/* ---- who has the folder open ---- */

/* Read the link of a process's descriptor. stat() of the file behind it could wait for a file server that is away.
 * False: the process has no such descriptor. */
static bool read_descriptor(const char *process, const char *descriptor, char out[PATH_BYTES])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/%s/fd/%s", process, descriptor);
    ssize_t n = readlink(link, out, PATH_BYTES - 1);
    out[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool has_open(int pid, const char *folder)
{
    char path[64], process[16], file[PATH_BYTES];
    bool found = false;
    tt_walk_names l = {0};
    snprintf(process, sizeof process, "%d", pid);
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    tt_walk_read(path, &l);
    for (size_t i = 0; i < l.n && !found; i++) found = read_descriptor(process, l.at[i], file) && !strcmp(file, folder);
    tt_walk_names_free(&l);
    return found;
}

/* List the other processes of this machine that have the folder open: "12 13 14". Returns their number. */
static size_t list_holders(const char *folder, char *out, size_t cap)
{
    size_t found = 0;
    tt_buf line = tt_buf_on(out, cap);
    tt_walk_names l = {0};
    tt_walk_read("/proc", &l);
    for (size_t i = 0; i < l.n; i++) {
        int pid = (int)strtol(l.at[i], NULL, 10);
        if (pid < 1 || pid == (int)getpid() || !has_open(pid, folder)) continue;
        if (found++ < NAMED_MOST && line.n + 12 < cap) tt_buf_list(&line, " ", "%d", pid);
    }
    tt_walk_names_free(&l);
    return found;
}

static bool is_here(const tt_cluster_run_id *r)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    return !strcmp(host, r->host);
}

/* ---- the lock ---- */

static tt_status open_folder(const char *folder, int *lock, tt_err *err)
{
    struct stat st;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: the folder for the ranks' summaries cannot be made: %s; -o chooses another place", folder,
                       strerror(errno));
    if (lstat(folder, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: is no folder of yours; remove it, or choose another place with -o",
                       folder);
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) return tt_fail(err, TT_ERR_INPUT, -1, "%s: cannot be opened: %s", folder, strerror(errno));
    return TT_OK;
}

/* The locked folder is still the one with this name: a run that ends removes its folder, so a waiting process may
 * lock a folder without a name. */
static bool has_name(const char *folder, int lock)
{
    struct stat named, locked;
    return stat(folder, &named) == 0 && fstat(lock, &locked) == 0 && named.st_ino == locked.st_ino &&
           named.st_dev == locked.st_dev;
}

static tt_status refuse_run(const char *folder, const tt_cluster_run_id *r, tt_err *err)
{
    return tt_fail(err, TT_ERR_INPUT, -1,
                   "%s: another tracetty cluster is at work there (process %d on %s); wait for its end, end it with "
                   "'kill %d' on that machine, or choose another result with -o",
                   folder, r->pid, r->host, r->pid);
}

typedef struct waiting {
    const char *folder;
    char open_as[PATH_BYTES];  /* path of the folder as /proc shows it */
    int64_t begin_ms, seen_ms; /* seen_ms: when a process of this machine last had the folder open */
    bool cancelled, said;      /* cancelled: the killed run is cancelled; said: the note about waiting is printed */
} waiting;

/* Decide whether to wait for the holder of the lock. TT_OK: wait, since processes that a killed run left end soon.
 * Else the error names the run or processes that hold the folder. */
static tt_status look_at_holder(waiting *w, tt_err *err)
{
    tt_cluster_run_id r;
    tt_err unused;
    char pids[NAMED_MOST * 12];
    bool known = tt_cluster_folder_run(w->folder, &r), here = known && is_here(&r);
    if (here && has_open(r.pid, w->open_as)) return refuse_run(w->folder, &r, err);
    size_t n = list_holders(w->open_as, pids, sizeof pids);
    int64_t now = tt_clock_ms();
    if (n) w->seen_ms = now;
    if (n && here && !w->cancelled) w->cancelled = tt_cluster_folder_cancel(w->folder, r.id, &unused) == TT_OK;
    if (now - w->seen_ms >= QUIET_MS && known) return refuse_run(w->folder, &r, err);
    if (now - w->seen_ms >= QUIET_MS)
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: another tracetty cluster is at work there, on another machine; wait for its end, or choose "
                       "another result with -o",
                       w->folder);
    if (now - w->begin_ms >= PATIENCE_MS)
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: %zu processes of an earlier run are still at work there; wait for their end, end them with "
                       "'kill %s', or choose another result with -o",
                       w->folder, n, pids);
    if (n && !w->said && now - w->begin_ms >= QUIET_MS) {
        tt_note("waiting for the end of what an earlier run left; 'kill %s' ends it now", pids);
        w->said = true;
    }
    return TT_OK;
}

static tt_status wait_for_lock(const char *folder, int lock, tt_err *err)
{
    const struct timespec nap = {.tv_nsec = LOOK_MS * 1000000L};
    waiting w = {.folder = folder, .begin_ms = tt_clock_ms()};
    char number[16];
    w.seen_ms = w.begin_ms;
    snprintf(number, sizeof number, "%d", lock);
    read_descriptor("self", number, w.open_as);
    while (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        bool held = errno == EWOULDBLOCK;
        TT_TRY(look_at_holder(&w, err));
        if (!held) return TT_OK; /* this file system has no locks */
        nanosleep(&nap, NULL);
    }
    return TT_OK;
}

tt_status tt_cluster_folder_take(const char *folder, int *lock, tt_err *err)
{
    for (;;) {
        TT_TRY(open_folder(folder, lock, err));
        tt_status st = wait_for_lock(folder, *lock, err);
        if (st == TT_OK && has_name(folder, *lock)) return TT_OK;
        close(*lock);
        *lock = -1;
        if (st != TT_OK) return st;
    }
}

/* tui/app/runs.c - what lies in a folder, for a person who chooses a run. */
#include "tui/app/runs.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "parser/input/names.h"

enum { PATH_CAP = 4096 };

static bool is_trace(const char *name) { return tt_names_kind(name) != TT_NAMES_NONE || tt_names_may_be_trace(name); }

/* A folder that is a worker as a whole, as Ascend's profiler writes one. */
static bool is_worker(const char *name)
{
    tt_found f = {0};
    bool any = tt_names_owner(&f, name);
    free(f.worker);
    free(f.stamp);
    return any;
}

/* Traces that lie in a folder, and folders there that are a worker each. */
static void look_into(const char *path, tt_run_entry *e)
{
    DIR *d = opendir(path);
    for (struct dirent *f; d && (f = readdir(d)) != NULL;) {
        char inside[PATH_CAP];
        struct stat st;
        bool worker = is_worker(f->d_name);
        if (f->d_name[0] == '.' || !(worker || is_trace(f->d_name))) continue;
        if (snprintf(inside, sizeof inside, "%s/%s", path, f->d_name) >= (int)sizeof inside) continue;
        if (stat(inside, &st) != 0 || !(worker ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode))) continue;
        e->n_traces++;
        e->bytes += worker ? 0 : (uint64_t)st.st_size;
        if (st.st_mtime > e->changed) e->changed = st.st_mtime;
    }
    if (d) closedir(d);
}

static int by_age(const void *x, const void *y)
{
    const tt_run_entry *a = x, *b = y;
    bool up_a = !strcmp(a->name, "../"), up_b = !strcmp(b->name, "../");
    if (up_a != up_b) return up_a ? -1 : 1;
    bool run_a = a->n_traces > 0, run_b = b->n_traces > 0;
    if (run_a != run_b) return run_a ? -1 : 1;
    if (a->changed != b->changed) return a->changed > b->changed ? -1 : 1;
    return strcmp(a->name, b->name);
}

tt_run_list tt_runs_in(const char *folder, bool inside)
{
    tt_run_list l = {0};
    DIR *d = opendir(*folder ? folder : ".");
    for (struct dirent *f; d && (f = readdir(d)) != NULL;) {
        char path[PATH_CAP];
        struct stat st;
        bool up = !strcmp(f->d_name, "..");
        if (f->d_name[0] == '.' && !up) continue;
        if (snprintf(path, sizeof path, "%s%s", folder, f->d_name) >= (int)sizeof path || stat(path, &st) != 0)
            continue;
        tt_run_entry e = {.folder = S_ISDIR(st.st_mode), .changed = up ? 0 : st.st_mtime};
        if (e.folder && !up && inside) look_into(path, &e);
        if (e.folder && !e.n_traces && is_worker(f->d_name)) e.n_traces = 1;
        if (!e.folder && !(S_ISREG(st.st_mode) && is_trace(f->d_name))) continue;
        if (!e.folder) {
            e.n_traces = 1;
            e.bytes = (uint64_t)st.st_size;
        }
        size_t n = strlen(f->d_name);
        e.name = tt_malloc(n + 2);
        snprintf(e.name, n + 2, "%s%s", f->d_name, e.folder ? "/" : "");
        *tt_vec_push(&l) = e;
    }
    if (d) closedir(d);
    if (l.n) qsort(l.at, l.n, sizeof *l.at, by_age);
    return l;
}

void tt_runs_free(tt_run_list *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->at[i].name);
    tt_vec_free(l);
}

void tt_runs_folder(const char *path, char *out, size_t cap)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') n--;
    while (n && path[n - 1] != '/') n--;
    snprintf(out, cap, "%.*s", (int)n, path);
}

void tt_runs_age(char out[32], int64_t changed)
{
    static const struct {
        int64_t s;
        const char *unit;
    } units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}};
    int64_t ago = (int64_t)time(NULL) - changed;
    snprintf(out, 32, "now");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        int64_t n = ago / units[i].s;
        if (n <= 0) continue;
        snprintf(out, 32, "%" PRId64 " %s%s", n, units[i].unit, n == 1 ? "" : "s");
        return;
    }
}

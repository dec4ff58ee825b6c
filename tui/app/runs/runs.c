/* tui/app/runs/runs.c - lists the traces and folders in a folder, to choose a run from. */
#include "tui/app/runs/runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parser/discover/names.h"
#include "parser/input/walk.h"

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

/* Count the traces in a folder, and the folders there that are a worker each. */
static void look_into(const char *path, tt_run_entry *e)
{
    tt_walk_entries l = {0};
    tt_walk_list(NULL, path, &l);
    for (size_t i = 0; i < l.n; i++) {
        const tt_walk_entry *f = &l.at[i];
        if (!(f->folder ? is_worker(f->name) : is_trace(f->name))) continue;
        e->n_traces++;
        e->bytes += f->folder ? 0 : f->bytes;
        if (f->changed > e->changed) e->changed = f->changed;
    }
    tt_walk_entries_free(&l);
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

static char *with_slash(const char *name, bool slash)
{
    size_t n = strlen(name);
    char *s = tt_malloc(n + 2);
    snprintf(s, n + 2, "%s%s", name, slash ? "/" : "");
    return s;
}

tt_run_list tt_runs_in(const char *folder, bool inside)
{
    tt_run_list out = {0};
    tt_walk_entries l = {0};
    if (tt_walk_list(NULL, folder, &l) || l.n)
        *tt_vec_push(&out) = (tt_run_entry){.name = tt_strdup("../"), .folder = true};
    for (size_t i = 0; i < l.n; i++) {
        const tt_walk_entry *f = &l.at[i];
        tt_run_entry e = {.folder = f->folder, .changed = f->changed};
        if (!f->folder && !is_trace(f->name)) continue;
        if (f->folder && inside) {
            char *path = tt_names_join(folder, f->name);
            look_into(path, &e);
            free(path);
        }
        if (f->folder && !e.n_traces && is_worker(f->name)) e.n_traces = 1;
        if (!f->folder) {
            e.n_traces = 1;
            e.bytes = f->bytes;
        }
        e.name = with_slash(f->name, f->folder);
        *tt_vec_push(&out) = e;
    }
    tt_walk_entries_free(&l);
    if (out.n) qsort(out.at, out.n, sizeof *out.at, by_age);
    return out;
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

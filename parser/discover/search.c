/* parser/discover/search.c - see search.h. */
#include "parser/discover/search.h"

#include <stdlib.h>
#include <string.h>

#include "parser/discover/discover.h"
#include "parser/discover/key_files.h"

const tt_search_limits tt_search_usual = {.depth = 8, .entries = 50000, .folders = 4000, .heads = 200, .ms = 2000};
const tt_search_limits tt_search_quick = {.depth = 6, .entries = 8000, .folders = 800, .heads = 50, .ms = 250};

enum { ARCHIVE_MOST = 16 << 20 }; /* a compressed archive is read to its end */

static bool lies_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    if (!strcmp(folder, ".")) return true;
    return !strncmp(path, folder, n) && (path[n] == '/' || folder[n - 1] == '/');
}

/* Whether opening the run's folder opens just this run: the folder holds no other run, and no links, which may lead
 * out of it. Otherwise the run is opened by its inputs. */
static bool opens_alone(const tt_found_list *l, size_t run)
{
    const tt_found_run *r = &l->runs.at[run];

    if (!r->folder || r->linked) return false;
    for (size_t i = 0; i < l->runs.n; i++)
        if (i != run && (lies_below(l->runs.at[i].path, r->path) || !strcmp(l->runs.at[i].path, r->path))) return false;
    return true;
}

/* Path without "./" if it lies below the current folder. */
static char *named(const char *path, bool here)
{
    return tt_strdup(here && !strncmp(path, "./", 2) && path[2] ? path + 2 : path);
}

static void add(tt_search *s, const tt_found_list *l, size_t run, bool here)
{
    const tt_found_run *r = &l->runs.at[run];
    tt_search_run *out = tt_vec_push(&s->runs);
    bool alone = opens_alone(l, run);
    const char *last = NULL;
    const tt_found_key **keys;
    uint32_t n_keys = 0;

    *out = (tt_search_run){.name = tt_strdup(r->name),
                           .path = named(r->path, here),
                           .folder = r->folder,
                           .n_traces = r->inputs,
                           .n_workers = r->workers,
                           .bytes = r->bytes,
                           .changed = r->at_ns / 1000000000};
    if (alone) *tt_vec_push(&out->inputs) = named(r->path, here);
    for (size_t i = 0; i < l->n && !alone; i++) {
        const char *path = l->at[i].path;

        if (strcmp(l->at[i].run, r->name) != 0) continue;
        if (last && !strcmp(last, path)) continue; /* another numbered worker of the same folder */
        *tt_vec_push(&out->inputs) = named(path, here);
        last = path;
    }
    keys = alone ? NULL : tt_key_files_of_run(l, r->name, &n_keys);
    for (uint32_t i = 0; i < n_keys; i++) *tt_vec_push(&out->inputs) = named(keys[i]->path, here);
    free(keys);
}

tt_search tt_search_runs(const char *root, const tt_search_limits *limits, const _Atomic bool *stop)
{
    const tt_walk_limits walk = {limits->depth, limits->entries, limits->folders, limits->ms};
    const tt_discover_limits most = {.walk = &walk, .heads = limits->heads, .archives = ARCHIVE_MOST};
    const tt_discover_how how = {.most = &most, .stop = stop};
    const char *path = *root ? root : ".";
    tt_found_list found = {0};
    tt_search s = {0};
    tt_err err;

    if (tt_discover_as(&path, 1, &how, &found, &err) == TT_OK) {
        for (size_t i = 0; i < found.runs.n; i++) add(&s, &found, i, !strcmp(path, "."));
    }
    s.stopped = found.stopped;
    s.closed = found.left.closed;
    s.led_out = found.left.out;
    tt_found_free(&found);
    return s;
}

void tt_search_free(tt_search *s)
{
    for (size_t i = 0; i < s->runs.n; i++) {
        tt_search_run *r = &s->runs.at[i];

        for (size_t k = 0; k < r->inputs.n; k++) free(r->inputs.at[k]);
        tt_vec_free(&r->inputs);
        free(r->name);
        free(r->path);
    }
    tt_vec_free(&s->runs);
}

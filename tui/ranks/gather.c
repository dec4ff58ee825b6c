/* tui/ranks/gather.c - see gather.h. */
#include "tui/ranks/gather.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/sort_by.h"
#include "parser/discover/inputs.h"
#include "parser/discover/names.h"
#include "parser/input/walk.h"
#include "parser/source/source.h"

typedef struct files {
    TT_VEC(char *) at;
    const char *leave;
    tt_gather_warn *warn;
    void *arg;
    uint32_t damaged; /* number of damaged files */
} files;

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);
    return n > k && !strcmp(name + n - k, ending);
}

static bool is_summary(const char *name) { return ends_in(name, ".tts"); }

/* The entry is the file `leave`, by whatever name. */
static bool is_left_out(const files *l, const tt_walk_entry *e)
{
    struct stat st;
    return l->leave && !stat(l->leave, &st) && st.st_dev == e->dev && st.st_ino == e->ino;
}

static tt_status find_below(files *l, const char *folder, tt_err *err)
{
    tt_walk *w = tt_walk_begin(folder, is_summary, &tt_walk_whole, NULL);
    for (tt_walk_folder *f; tt_walk_next(w, &f);) {
        for (size_t i = 0; i < f->entries.n; i++) {
            const tt_walk_entry *e = &f->entries.at[i];
            if (e->folder || !is_summary(e->name) || (e->alias && is_summary(e->alias)) || is_left_out(l, e)) continue;
            *tt_vec_push(&l->at) = tt_names_join(f->path, e->name);
        }
    }
    tt_walk_tell(w, l->warn, l->arg);
    int error = tt_walk_error(w);
    tt_walk_end(w);
    return error ? tt_fail(err, TT_ERR_INPUT, -1, "%s: the directory cannot be read: %s", folder, strerror(error))
                 : TT_OK;
}

/* Find all summary files; a folder that cannot be read counts as a damaged file. */
static void find_all(files *l, const char *const *paths, uint32_t n, tt_err *first)
{
    for (uint32_t i = 0; i < n; i++) {
        struct stat st;
        tt_err err = {.code = TT_OK};
        if (!stat(paths[i], &st) && S_ISDIR(st.st_mode)) {
            if (find_below(l, paths[i], &err) == TT_OK) continue;
            if (first->code == TT_OK) *first = err;
            if (n > 1) l->warn(l->arg, err.message);
            l->damaged++;
        } else {
            *tt_vec_push(&l->at) = tt_strdup(paths[i]);
        }
    }
    TT_SORT_UP(l->at.at, l->at.n);
}

/* Add the intact sources of a file. */
static tt_status add_file(const char *path, tt_tts_union *out, uint32_t *damaged, tt_gather_warn *warn, void *arg,
                          tt_err *err)
{
    tt_source *source;
    tt_tts *f;
    TT_TRY(tt_source_open(path, &source, err));
    TT_TRY(tt_tts_open(tt_source_text(source), path, &f, err));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->n_sources; i++) {
        tt_err one;
        if (tt_tts_source_copy(&f->sources[i], NULL, NULL, &one) == TT_OK) {
            f->sources[kept++] = f->sources[i];
            continue;
        }
        warn(arg, one.message);
        ++*damaged;
    }
    f->n_sources = kept;
    tt_tts_union_file(out, f);
    return TT_OK;
}

tt_status tt_gather(const char *const *paths, uint32_t n, const char *leave, tt_tts_union *out, uint32_t *damaged,
                    tt_file_ids *inputs, tt_gather_warn *warn, void *arg, tt_err *err)
{
    files l = {.leave = leave, .warn = warn, .arg = arg};
    tt_err first = {.code = TT_OK};
    uint32_t opened = 0;
    find_all(&l, paths, n, &first);
    *damaged = l.damaged;
    for (size_t i = 0; i < l.at.n; i++) {
        tt_err one;
        tt_inputs_add(inputs, l.at.at[i]);
        if (add_file(l.at.at[i], out, damaged, warn, arg, &one) == TT_OK) {
            opened++;
            continue;
        }
        if (first.code == TT_OK) first = one;
        if (l.at.n > 1) warn(arg, one.message);
        ++*damaged;
    }
    if (!l.at.n && first.code == TT_OK)
        tt_fail(&first, TT_ERR_INPUT, -1, "%s: no summary (*.tts) is there; 'tracetty summarize' makes one of a trace",
                paths[0]);
    for (size_t i = 0; i < l.at.n; i++) free(l.at.at[i]);
    tt_vec_free(&l.at);
    tt_tts_union_settle(out);
    if (opened) return TT_OK;
    *err = first;
    return first.code;
}

/* ---- what is wrong with a run ---- */

/* "3, 5-7 and 12 more": at most `most` ranges. */
static const char *ranks_text(const int64_t *at, size_t n, tt_arena *a)
{
    enum { MOST = 12 };
    const char *text = "";
    size_t i = 0, ranges = 0;
    while (i < n && ranges < MOST) {
        size_t k = i;
        while (k + 1 < n && at[k + 1] == at[k] + 1) k++;
        text = tt_arena_printf(a, k > i ? "%s%s%" PRId64 "-%" PRId64 : "%s%s%" PRId64, text, ranges ? ", " : "", at[i],
                               at[k]);
        i = k + 1;
        ranges++;
    }
    return i < n ? tt_arena_printf(a, "%s and %zu more", text, n - i) : text;
}

bool tt_gather_tell(const tt_tts_union *u, tt_gather_warn *warn, void *arg)
{
    tt_arena a = {0};
    tt_tts_run r = tt_tts_run_of(u);
    if (r.mixed)
        warn(arg,
             tt_arena_printf(&a, "world sizes differ: most recordings say %" PRId64 "; they may be of different runs",
                             r.world));
    if (r.missing.n)
        warn(arg, tt_arena_printf(&a, "%zu of %" PRId64 " ranks are missing: %s", r.missing.n, r.world,
                                  ranks_text(r.missing.at, r.missing.n, &a)));
    if (r.foreign.n)
        warn(arg, tt_arena_printf(&a, "ranks beyond the world of %" PRId64 " are of another run: %s", r.world,
                                  ranks_text(r.foreign.at, r.foreign.n, &a)));
    if (r.repeated.n)
        warn(arg, tt_arena_printf(&a, "different recordings of one rank and the same time: rank %s",
                                  ranks_text(r.repeated.at, r.repeated.n, &a)));
    if (u->doubles.n) {
        const tt_tts_source *s = u->doubles.at[0];
        warn(arg, tt_arena_printf(&a, "%zu recordings came twice and count once, as %s", u->doubles.n, s->path));
    }
    bool whole = !r.mixed && !r.missing.n && !r.foreign.n;
    tt_tts_run_free(&r);
    tt_arena_free(&a);
    return whole;
}

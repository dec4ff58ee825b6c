/* parser/input/search.c - see search.h. */
#include "parser/input/search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "parser/input/folder.h"
#include "parser/input/names.h"
#include "parser/input/walk.h"
#include "parser/source/source.h"

const tt_search_limits tt_search_usual = {.depth = 8, .entries = 50000, .folders = 4000, .heads = 200, .ms = 2000};
const tt_search_limits tt_search_quick = {.depth = 6, .entries = 8000, .folders = 800, .heads = 50, .ms = 250};

enum { HEAD = 256 << 10 }; /* Kineto writes the properties of all devices in front of the events */

typedef struct search {
    tt_search out;
    const tt_search_limits *most;
    tt_walk *tree;
    uint32_t heads;
} search;

/* ---- what is in a file */

static size_t head_of(const char *path, char *head, size_t cap, tt_err *err)
{
    tt_source *s;
    size_t n = 0;

    *err = (tt_err){.code = TT_OK};
    if (tt_source_open(path, &s, err) != TT_OK) return 0;
    for (size_t got = 1; got && n < cap; n += got) {
        if (tt_source_read(s, head + n, cap - n, &got, err) != TT_OK) break;
    }
    tt_source_close(s);
    return n;
}

/* A list of events without anything around it. */
static bool is_event_list(const char *head, size_t n)
{
    size_t at = 0;

    while (at < n && strchr(" \t\r\n", head[at])) at++;
    if (at >= n || head[at] != '[') return false;
    for (at++; at < n && strchr(" \t\r\n", head[at]);) at++;
    return at < n && head[at] == '{' && memmem(head, n, "\"ph\"", 4) && memmem(head, n, "\"ts\"", 4);
}

bool tt_search_is_trace(const char *path, tt_err *err)
{
    char *head = tt_malloc(HEAD);
    size_t n = head_of(path, head, HEAD, err);
    bool is = n && (memmem(head, n, "\"traceEvents\"", 13) || is_event_list(head, n));

    for (unsigned i = 0; n && !is && i + 1 < tt_n_formats; i++) /* the last one takes everything */
        is = tt_formats[i].recognise && tt_formats[i].recognise(head, n);
    free(head);
    return is;
}

/* ---- folders */

static tt_search_run *add(search *s, const char *path, bool folder)
{
    tt_search_run *r = tt_vec_push(&s->out.runs);

    *r = (tt_search_run){.path = tt_strdup(*path ? path : "."), .folder = folder};
    return r;
}

static void count(tt_search_run *r, const char *path, const tt_walk_entry *e)
{
    r->n_traces++;
    r->linked |= e->away;
    r->bytes += e->folder ? 0 : e->bytes;
    if (e->changed > r->changed) r->changed = e->changed;
    *tt_vec_push(&r->inputs) = tt_strdup(path);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* How many workers the names speak of; 0: a folder's own numbers do. */
static uint32_t workers_of(const tt_search_run *r)
{
    TT_VEC(char *) names = {0};
    uint32_t n = 0;

    for (size_t i = 0; i < r->inputs.n; i++) {
        const char *base = tt_names_base(r->inputs.at[i]);
        tt_found f = {.path = r->inputs.at[i]};

        if (!tt_names_owner(&f, base)) tt_names_parse(&f, base);
        free(f.stamp);
        *tt_vec_push(&names) = f.worker;
    }
    if (names.n) qsort(names.at, names.n, sizeof *names.at, by_text);
    for (size_t i = 0; i < names.n; i++) {
        n += !i || strcmp(names.at[i - 1], names.at[i]) != 0;
        if (i) free(names.at[i - 1]);
    }
    if (names.n) free(names.at[names.n - 1]);
    tt_vec_free(&names);
    return n;
}

/* The folder is one input: its files are no traces of their own. */
static bool take_whole(search *s, const tt_walk_folder *f)
{
    tt_folder_files files = {0};
    bool any;

    tt_folder_of_directory(tt_formats, tt_n_formats, f, s->tree, &files);
    any = files.n > 0;
    if (any) {
        tt_search_run *r = add(s, f->path, true);

        for (size_t i = 0; i < files.n; i++) {
            char *full = tt_names_join(f->path, files.at[i].name);
            struct stat st;

            if (stat(full, &st) == 0) {
                r->bytes += (uint64_t)st.st_size;
                if (st.st_mtime > r->changed) r->changed = st.st_mtime;
            }
            free(full);
        }
        r->n_traces = 1;
        *tt_vec_push(&r->inputs) = tt_strdup(r->path);
    }
    tt_folder_free(&files);
    return any;
}

static bool is_owner(const char *name)
{
    tt_found f = {0};
    bool is = tt_names_owner(&f, name);

    free(f.worker);
    free(f.stamp);
    return is;
}

/* The folder's own run: files of the first kind of name that it has, and folders of workers. */
static bool take_named(search *s, const tt_walk_folder *f)
{
    unsigned lowest = TT_NAMES_ARCHIVE;
    tt_search_run *r = NULL;

    for (size_t i = 0; i < f->entries.n; i++) {
        const tt_walk_entry *e = &f->entries.at[i];
        unsigned kind = e->folder ? TT_NAMES_NONE : tt_names_kind(e->name);

        if (kind < lowest) lowest = kind;
    }
    for (size_t i = 0; i < f->entries.n; i++) {
        const tt_walk_entry *e = &f->entries.at[i];
        bool taken = e->folder ? is_owner(e->name) : lowest < TT_NAMES_ARCHIVE && tt_names_kind(e->name) == lowest;
        char *full;

        if (!taken || tt_names_again(e)) continue;
        if (!r) r = add(s, f->path, true);
        full = tt_names_join(f->path, e->name);
        count(r, full, e);
        free(full);
    }
    if (r) r->n_workers = workers_of(r);
    return r != NULL;
}

/* Files that only their content makes traces: each is a run. */
static void take_unnamed(search *s, const tt_walk_folder *f)
{
    for (size_t i = 0; i < f->entries.n && !tt_walk_ended(s->tree); i++) {
        const tt_walk_entry *e = &f->entries.at[i];
        char *full;
        tt_err err;

        if (e->folder || !e->bytes || !tt_names_may_be_trace(e->name) || tt_names_again(e)) continue;
        if (s->heads >= s->most->heads) {
            if (!s->out.stopped) s->out.stopped = "opening files after many without a trace";
            return;
        }
        full = tt_names_join(f->path, e->name);
        s->heads++;
        if (tt_search_is_trace(full, &err)) {
            tt_search_run *r = add(s, full, false);
            count(r, full, e);
            r->n_workers = 1;
        } else if (err.code != TT_OK && !s->out.unread) {
            s->out.unread = tt_strdup(err.message);
        }
        free(full);
    }
}

static void visit(search *s, tt_walk_folder *f)
{
    bool whole = !tt_walk_ended(s->tree) && take_whole(s, f);

    if (!whole && !take_named(s, f)) take_unnamed(s, f);
    for (size_t i = 0; i < f->entries.n; i++) f->entries.at[i].skip = whole || is_owner(f->entries.at[i].name);
}

/* ---- the list */

static int by_path(const void *pa, const void *pb)
{
    const tt_search_run *a = pa, *b = pb;

    return strcmp(a->path, b->path);
}

static int by_age(const void *pa, const void *pb)
{
    const tt_search_run *a = pa, *b = pb;

    if (a->changed != b->changed) return a->changed > b->changed ? -1 : 1;
    return by_path(pa, pb);
}

static bool lies_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    if (!strcmp(folder, ".")) return strcmp(path, ".") != 0;
    return !strncmp(path, folder, n) && (path[n] == '/' || folder[n - 1] == '/') && path[n];
}

/* A folder is opened by its name, which opens the first run below it: where there are several, by its traces. So
 * it is where its traces lie elsewhere. */
static void settle_inputs(search *s)
{
    for (size_t i = 0; i < s->out.runs.n; i++) {
        tt_search_run *r = &s->out.runs.at[i];
        bool alone = !r->linked;

        for (size_t k = 0; k < s->out.runs.n && r->folder && alone; k++)
            alone = k == i || !lies_below(s->out.runs.at[k].path, r->path);
        if (!alone) continue;
        for (size_t k = 0; k < r->inputs.n; k++) free(r->inputs.at[k]);
        r->inputs.n = 0;
        *tt_vec_push(&r->inputs) = tt_strdup(r->path);
    }
    if (s->out.runs.n) qsort(s->out.runs.at, s->out.runs.n, sizeof *s->out.runs.at, by_age);
}

tt_search tt_search_runs(const char *root, const tt_search_limits *limits, const _Atomic bool *stop)
{
    const tt_walk_limits most = {limits->depth, limits->entries, limits->folders, limits->ms};
    search s = {.most = limits};
    tt_walk_folder *f;
    tt_walk_left left;

    s.tree = tt_walk_begin(strcmp(root, ".") != 0 ? root : "", tt_names_wanted, &most, stop);
    while (tt_walk_next(s.tree, &f)) visit(&s, f);
    left = tt_walk_over(s.tree);
    if (left.stopped) s.out.stopped = left.stopped;
    s.out.closed = left.closed;
    s.out.led_out = left.out;
    settle_inputs(&s);
    tt_walk_end(s.tree);
    return s.out;
}

void tt_search_free(tt_search *s)
{
    for (size_t i = 0; i < s->runs.n; i++) {
        tt_search_run *r = &s->runs.at[i];

        for (size_t k = 0; k < r->inputs.n; k++) free(r->inputs.at[k]);
        tt_vec_free(&r->inputs);
        free(r->path);
    }
    tt_vec_free(&s->runs);
    free(s->unread);
}

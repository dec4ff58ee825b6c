/* parser/input/search.c - see search.h. Folders wait in a list and are taken in the order of their depth, so that what
 * a limit leaves out is what lies deepest. */
#include "parser/input/search.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/clock.h"
#include "parser/input/folder.h"
#include "parser/input/names.h"
#include "parser/source/source.h"

const tt_search_limits tt_search_usual = {.depth = 8, .entries = 50000, .folders = 4000, .heads = 200, .ms = 2000};
const tt_search_limits tt_search_quick = {.depth = 6, .entries = 8000, .folders = 800, .heads = 50, .ms = 250};

enum { HEAD = 256 << 10 }; /* Kineto writes the properties of all devices in front of the events */

typedef struct identity {
    dev_t dev;
    ino_t ino;
} identity;

typedef struct waiting {
    char *path; /* "" = the current folder */
    uint32_t depth;
} waiting;

typedef struct entry { /* of the folder that is looked at */
    char *name;
    struct stat st;
    unsigned kind;
} entry;
typedef TT_VEC(entry) entry_list;

typedef struct search {
    tt_search out;
    const tt_search_limits *most;
    const _Atomic bool *stop;
    uint32_t entries, heads;
    int64_t until; /* ms */
    TT_VEC(waiting) folders;
    TT_VEC(identity) seen;
} search;

/* ---- what is in a file */

static size_t head_of(const char *path, char *head, size_t cap)
{
    tt_source *s;
    tt_err err;
    size_t n = 0;

    if (tt_source_open(path, &s, &err) != TT_OK) return 0;
    for (size_t got = 1; got && n < cap; n += got) {
        if (tt_source_read(s, head + n, cap - n, &got, &err) != TT_OK) break;
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

bool tt_search_is_trace(const char *path)
{
    char *head = tt_malloc(HEAD);
    size_t n = head_of(path, head, HEAD);
    bool is = n && (memmem(head, n, "\"traceEvents\"", 13) || is_event_list(head, n));

    for (unsigned i = 0; n && !is && i + 1 < tt_n_formats; i++) /* the last one takes everything */
        is = tt_formats[i].recognise && tt_formats[i].recognise(head, n);
    free(head);
    return is;
}

/* ---- folders */

static bool ended(search *s)
{
    if (!s->out.stopped && s->stop && atomic_load(s->stop)) s->out.stopped = "because it was not wanted any more";
    if (!s->out.stopped && s->entries >= s->most->entries) s->out.stopped = "after many files";
    if (!s->out.stopped && tt_clock_ms() >= s->until) s->out.stopped = "as it took long";
    return s->out.stopped != NULL;
}

static int by_name(const void *a, const void *b) { return strcmp(((const entry *)a)->name, ((const entry *)b)->name); }

static entry_list list(search *s, const char *path, DIR *d)
{
    entry_list l = {0};

    for (struct dirent *e; !ended(s) && (e = readdir(d)) != NULL;) {
        char *full;
        entry one = {0};

        if (e->d_name[0] == '.') continue;
        s->entries++;
        full = tt_names_join(path, e->d_name);
        if (stat(full, &one.st) == 0 && (S_ISDIR(one.st.st_mode) || S_ISREG(one.st.st_mode))) {
            one.name = tt_strdup(e->d_name);
            one.kind = S_ISREG(one.st.st_mode) ? tt_names_kind(e->d_name) : TT_NAMES_NONE;
            *tt_vec_push(&l) = one;
        }
        free(full);
    }
    if (l.n) qsort(l.at, l.n, sizeof *l.at, by_name);
    return l;
}

static tt_search_run *add(search *s, const char *path, bool folder)
{
    tt_search_run *r = tt_vec_push(&s->out.runs);

    *r = (tt_search_run){.path = tt_strdup(*path ? path : "."), .folder = folder};
    return r;
}

static void count(tt_search_run *r, const char *path, const struct stat *st)
{
    r->n_traces++;
    r->bytes += S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
    if (st->st_mtime > r->changed) r->changed = st->st_mtime;
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
static bool take_whole(search *s, const char *path)
{
    tt_folder_files files = {0};
    bool any;

    tt_folder_of_directory(tt_formats, tt_n_formats, *path ? path : ".", &files);
    any = files.n > 0;
    if (any) {
        tt_search_run *r = add(s, path, true);

        for (size_t i = 0; i < files.n; i++) {
            char *full = tt_names_join(path, files.at[i].name);
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
static bool take_named(search *s, const char *path, const entry_list *l)
{
    unsigned lowest = TT_NAMES_ARCHIVE;
    tt_search_run *r = NULL;

    for (size_t i = 0; i < l->n; i++)
        if (l->at[i].kind < lowest) lowest = l->at[i].kind;
    for (size_t i = 0; i < l->n; i++) {
        const entry *e = &l->at[i];
        bool worker = S_ISDIR(e->st.st_mode) && is_owner(e->name);
        char *full;

        if (!worker && (!S_ISREG(e->st.st_mode) || e->kind != lowest || lowest == TT_NAMES_ARCHIVE)) continue;
        if (!r) r = add(s, path, true);
        full = tt_names_join(path, e->name);
        count(r, full, &e->st);
        free(full);
    }
    if (r) r->n_workers = workers_of(r);
    return r != NULL;
}

/* Files that only their content makes traces: each is a run. */
static void take_unnamed(search *s, const char *path, const entry_list *l)
{
    for (size_t i = 0; i < l->n && s->heads < s->most->heads && !ended(s); i++) {
        const entry *e = &l->at[i];
        char *full;

        if (!S_ISREG(e->st.st_mode) || !e->st.st_size || !tt_names_may_be_trace(e->name)) continue;
        full = tt_names_join(path, e->name);
        s->heads++;
        if (tt_search_is_trace(full)) {
            tt_search_run *r = add(s, full, false);
            count(r, full, &e->st);
            r->n_workers = 1;
        }
        free(full);
    }
}

/* Whether it was entered before, by whatever name. */
static bool again(search *s, const struct stat *st)
{
    for (size_t i = 0; i < s->seen.n; i++)
        if (s->seen.at[i].dev == st->st_dev && s->seen.at[i].ino == st->st_ino) return true;
    *tt_vec_push(&s->seen) = (identity){st->st_dev, st->st_ino};
    return false;
}

static void visit(search *s, const char *path, uint32_t depth)
{
    const char *real = *path ? path : ".";
    struct stat st;
    entry_list l;
    bool whole;
    DIR *d;

    if (stat(real, &st) != 0 || again(s, &st)) return;
    d = opendir(real);
    if (!d) {
        s->out.closed++;
        return;
    }
    l = list(s, path, d);
    closedir(d);
    whole = !ended(s) && take_whole(s, path);
    if (!whole && !take_named(s, path, &l)) take_unnamed(s, path, &l);
    for (size_t i = 0; i < l.n; i++) {
        if (!whole && S_ISDIR(l.at[i].st.st_mode) && !is_owner(l.at[i].name)) {
            if (depth < s->most->depth && s->folders.n < s->most->folders)
                *tt_vec_push(&s->folders) = (waiting){tt_names_join(path, l.at[i].name), depth + 1};
            else if (!s->out.stopped)
                s->out.stopped = depth < s->most->depth ? "after many folders" : "some levels down";
        }
        free(l.at[i].name);
    }
    tt_vec_free(&l);
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

/* A folder is opened by its name, which opens the first run below it: where there are several, by its traces. */
static void settle_inputs(search *s)
{
    for (size_t i = 0; i < s->out.runs.n; i++) {
        tt_search_run *r = &s->out.runs.at[i];
        bool alone = true;

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
    search s = {.most = limits, .stop = stop, .until = tt_clock_ms() + limits->ms};

    *tt_vec_push(&s.folders) = (waiting){tt_strdup(strcmp(root, ".") != 0 ? root : ""), 0};
    for (size_t i = 0; i < s.folders.n; i++) { /* grows */
        char *path = s.folders.at[i].path;

        if (!ended(&s)) visit(&s, path, s.folders.at[i].depth);
        free(path);
    }
    settle_inputs(&s);
    tt_vec_free(&s.folders);
    tt_vec_free(&s.seen);
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
}

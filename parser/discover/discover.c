/* parser/discover/discover.c - finds traces in directories and archives.
 *
 * From a directory only the files with the lowest kind of name are taken (names.h), so next to *.pt.trace.json no
 * other file counts as a trace. walk.h enters a directory once, so "latest -> run7" does not count run7 twice. */
#include "parser/discover/discover.h"
#include "model/keys/graph_capture.h"
#include "model/text/text_order.h"
#include "parser/discover/copies.h"
#include "parser/discover/file_name.h"
#include "parser/discover/folder.h"
#include "parser/discover/head.h"
#include "parser/discover/key_files.h"
#include "parser/discover/names.h"
#include "parser/discover/rings.h"
#include "parser/discover/runs.h"
#include "parser/formats/formats.h"
#include "parser/input/ring_paths.h"
#include "parser/input/walk.h"
#include "parser/source/archive.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/sort_by.h"

typedef struct walk {
    tt_found_list *out;
    const char *root;
    tt_walk *tree;
    const tt_discover_limits *most;
    uint32_t heads;
    char *unread; /* why the first file that may be a trace could not be read; owned */
} walk;

static const tt_discover_limits everything = {
    .walk = &tt_walk_whole,
    .heads = 200,
    .archives = UINT64_MAX,
};

static void warn_line(void *arg, const char *line) { tt_found_warn(arg, "%s", line); }

static void add_file(tt_found_list *out, const char *path, const char *run)
{
    const char *base = tt_names_base(path);
    tt_found *f = tt_vec_push(out);

    *f = (tt_found){.path = tt_strdup(path), .run = tt_strdup(run), .rank = -1};
    if (strcmp(path, "-") == 0) {
        f->worker = tt_strdup("stdin");
        f->stamp = tt_strdup("");
        return;
    }
    tt_names_parse(f, base);
}

/* Whether b belongs to the worker `number`, or is shared by all workers of a's folder; number -1 = the folder has one
 * worker. */
static bool of_worker(const tt_folder_file *a, const tt_folder_file *b, int64_t number)
{
    return !strcmp(a->folder, b->folder) && (b->number < 0 || number < 0 || b->number == number);
}

/* Add the inputs of one folder with the files l->at[from..to): one for each number in the names of its main parts, or
 * a single one without numbers. */
static void add_folder(tt_found_list *out, const char *path, const char *called, const char *run,
                       const tt_folder_files *l, size_t from, size_t to, size_t archive)
{
    TT_VEC(int64_t) numbers = {0};

    for (size_t i = from; i < to; i++) {
        const tt_folder_part *part = &l->at[i].format->parts[l->at[i].part];
        bool known = l->at[i].number < 0 || part->beside;

        for (size_t k = 0; k < numbers.n && !known; k++) known = numbers.at[k] == l->at[i].number;
        if (!known) *tt_vec_push(&numbers) = l->at[i].number;
    }
    if (!numbers.n) *tt_vec_push(&numbers) = -1;
    for (size_t k = 0; k < numbers.n; k++) {
        tt_found *f = tt_vec_push(out);
        char number[24];

        *f = (tt_found){.path = tt_strdup(path), .run = tt_strdup(run), .rank = numbers.at[k], .archive = archive};
        snprintf(number, sizeof number, "%" PRId64, numbers.at[k]);
        f->worker = tt_strdup(numbers.at[k] < 0 ? called : number);
        f->stamp = tt_strdup("");
        f->format = l->at[from].format;
        if (numbers.at[k] < 0) {
            tt_names_owner(f, called);
            f->rank = tt_discover_rank(f->worker);
        }
        for (size_t i = from; i < to; i++) {
            const tt_folder_file *p = &l->at[i];

            if (!of_worker(&l->at[from], p, numbers.at[k])) continue;
            *tt_vec_push(&f->parts) = (tt_found_part){.role = f->format->parts[p->part].role,
                                                      .path = tt_names_join(path, p->name),
                                                      .member = archive ? tt_names_join(p->folder, p->name) : NULL};
            if (numbers.at[k] < 0 && p->number >= 0) f->rank = p->number;
        }
    }
    tt_vec_free(&numbers);
}

/* ---- archives */

/* A file of an archive, and the facts in its name. */
typedef struct archive_entry {
    const char *name;
    size_t folder; /* length of the name's folder part */
    size_t at;
    unsigned kind;
    bool again, taken;
} archive_entry;

/* Sort by folder and name; of equal names the later entry comes last. */
static int by_place(const void *pa, const void *pb)
{
    const archive_entry *a = pa, *b = pb;
    int c = memcmp(a->name, b->name, a->folder < b->folder ? a->folder : b->folder);

    if (!c) c = (a->folder > b->folder) - (a->folder < b->folder);
    if (!c) c = strcmp(a->name, b->name);
    return c ? c : (a->at > b->at) - (a->at < b->at);
}

static bool same_folder(const archive_entry *a, const archive_entry *b)
{
    return a->folder == b->folder && memcmp(a->name, b->name, a->folder) == 0;
}

static bool is_trace_name(const archive_entry *p)
{
    return p->kind < TT_NAMES_ARCHIVE || tt_names_may_be_trace(p->name + p->folder);
}

/* Whether the file's folder makes it a key, whatever its name. */
static bool is_key_name(const archive_entry *p)
{
    return tt_key_path(p->name, NULL) && is_trace_name(p) && strcmp(p->name + p->folder, TT_KEY_DETAILS) != 0;
}

/* As in a directory, take the files with the lowest kind of name in each folder of the archive, and keys. p[0..n) are
 * sorted by place. */
static void choose(archive_entry *p, size_t n, bool any_known)
{
    for (size_t from = 0, to; from < n; from = to) {
        unsigned lowest = TT_NAMES_NONE;

        for (to = from; to < n && same_folder(&p[from], &p[to]); to++) {
            if (p[to].kind < lowest) lowest = p[to].kind;
        }
        for (size_t i = from; i < to; i++) {
            bool wanted =
                any_known ? p[i].kind < TT_NAMES_ARCHIVE && p[i].kind == lowest : n == 1 || is_trace_name(&p[i]);
            p[i].taken = (wanted || (any_known && is_key_name(&p[i]))) && !p[i].again;
        }
    }
}

/* List the readable files of an archive. Unreadable files that may have been traces are counted as problems. */
static size_t list_archive(const tt_archive *a, archive_entry *all, tt_folder_files *folders, tt_problems *problems)
{
    size_t count = tt_archive_count(a), n = 0;

    for (size_t i = 0; i < count; i++) {
        const tt_member *m = tt_archive_member(a, i);
        archive_entry p = {.name = m->name, .folder = (size_t)(tt_names_base(m->name) - m->name), .at = i};

        p.kind = tt_names_kind(m->name + p.folder);
        if (m->left_out == TT_MEMBER_TAKEN) {
            all[n++] = p;
            tt_folder_of_member(tt_formats, tt_n_formats, m->name, i, folders);
        } else if (is_trace_name(&p)) {
            tt_problem_add(problems, m->left_out, (int64_t)m->offset, m->name, strlen(m->name));
        }
    }
    if (n) qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0; i + 1 < n; i++) {
        all[i].again = strcmp(all[i].name, all[i + 1].name) == 0;
        if (all[i].again && is_trace_name(&all[i])) {
            const tt_member *m = tt_archive_member(a, all[i].at);
            tt_problem_add(problems, TT_PROBLEM_MEMBER_REPLACED, (int64_t)m->offset, m->name, strlen(m->name));
        }
    }
    return n;
}

/* Warn about missing files of an archive, one line for each problem. */
static void warn_archive(tt_found_list *out, const char *path, const tt_problems *problems)
{
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &problems->of[k];

        if (p->count && tt_problem_level_of[k] == TT_LEVEL_LOSS)
            tt_found_warn(out, "%s: %s (%" PRIu64 "%s%s)", path, tt_problem_meaning[k], p->count,
                          p->count > 1 ? "; the first: " : ": ", p->example);
    }
}

/* Refuse an archive without a trace; the message names each problem briefly. */
static tt_status refuse_archive(const char *path, size_t files, const tt_problems *problems, tt_err *err)
{
    tt_arena a = {0};
    const char *why = "";

    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &problems->of[k];

        if (p->count)
            why = tt_arena_printf(&a, "%s; %s (%" PRIu64 ": %s)", why, tt_problem_meaning[k], p->count, p->example);
    }
    tt_fail(err, TT_ERR_INPUT, -1, "%s: is an archive without a trace (%zu files)%s; looked for %s", path, files, why,
            tt_names_looked_for(&a));
    tt_arena_free(&a);
    return TT_ERR_INPUT;
}

/* Place of a folder of an archive; the archive lies at `below` under the root, NULL = the user named the archive. */
static char *place_in_archive(const char *path, const char *below, const char *folder)
{
    return below ? tt_names_join(below, folder) : tt_strdup(*folder ? folder : tt_names_base(path));
}

/* Add the folders of the archive that are inputs. Returns the number of other files, which are moved to the front of
 * all[]. */
static size_t add_folders(tt_found_list *out, const char *path, const char *below, tt_folder_files *l,
                          archive_entry *all, size_t n)
{
    size_t left = 0;

    tt_folder_sort(l);
    for (size_t from = 0, to; from < l->n; from = to) {
        const char *folder = l->at[from].folder;
        char *full = *folder ? tt_names_join(path, folder) : tt_strdup(path), *above = tt_strdup(folder), *place;

        for (to = from + 1; to < l->n && !strcmp(l->at[to].folder, folder);) to++;
        *(strrchr(above, '/') ? strrchr(above, '/') : above) = '\0';
        place = place_in_archive(path, below, above);
        add_folder(out, full, tt_names_base(full), place, l, from, to, out->archives.n + 1);
        free(full);
        free(above);
        free(place);
    }
    for (size_t i = 0; i < n; i++) {
        bool inside = false;

        for (size_t k = 0; k < l->n && !inside; k++) {
            size_t m = strlen(l->at[k].folder);
            inside = !m || (strncmp(all[i].name, l->at[k].folder, m) == 0 && all[i].name[m] == '/');
        }
        if (!inside) all[left++] = all[i];
    }
    return left;
}

/* Add the traces in the archive at path. False = the file is no archive, or an empty one (err: TT_OK), or has no
 * traces. */
static bool add_archive(tt_found_list *out, const char *path, const char *below, tt_err *err)
{
    tt_archive *a = tt_archive_open(path);
    size_t before = out->n, n;
    bool any_known = false;
    tt_folder_files folders = {0};
    tt_problems problems;
    archive_entry *all;

    err->code = TT_OK;
    if (!a) return false;
    problems = *tt_archive_problems(a);
    all = tt_calloc(tt_archive_count(a), sizeof *all);
    n = list_archive(a, all, &folders, &problems);
    n = add_folders(out, path, below, &folders, all, n);
    for (size_t i = 0; i < n; i++) any_known |= all[i].kind < TT_NAMES_ARCHIVE;
    any_known |= out->n > before;
    choose(all, n, any_known);
    TT_SORT_BY(all, n, TT_ASC(archive_entry, at));
    for (size_t i = 0; i < n; i++) {
        const char *member = all[i].name;
        char *full, *folder, *place;

        if (!all[i].taken) continue;
        full = tt_names_join(path, member);
        folder = tt_strndup(member, all[i].folder ? all[i].folder - 1 : 0);
        place = place_in_archive(path, below, folder);
        add_file(out, full, place);
        out->at[out->n - 1].archive = out->archives.n + 1;
        out->at[out->n - 1].member = tt_strdup(member);
        free(full);
        free(folder);
        free(place);
    }
    free(all);
    tt_folder_free(&folders);
    if (out->n == before && tt_archive_count(a)) {
        refuse_archive(path, tt_archive_count(a), &problems, err);
    }
    if (tt_archive_count(a)) warn_archive(out, path, &problems);
    if (out->n == before) {
        tt_archive_free(a);
        return false;
    }
    *tt_vec_push(&out->archives) = (tt_found_archive){a, problems};
    return true;
}

/* ---- directories */

typedef tt_copies_file name;
typedef TT_VEC(name) name_list;

/* Place of a directory's run below the root; for Ascend the folder that holds the folders of the workers. */
static char *place_of(const char *below)
{
    char *place = tt_strdup(below), *slash;

    if (strcmp(place, TT_NAMES_ASCEND) == 0) *place = '\0';
    slash = strrchr(place, '/');
    if (slash && strcmp(slash + 1, TT_NAMES_ASCEND) == 0) {
        *slash = '\0';
        slash = strrchr(place, '/');
        *(slash ? slash : place) = '\0';
    }
    return place;
}

/* The files with the name of a trace or an archive. */
static name_list traces_among(const tt_walk_entries *l)
{
    name_list files = {0};

    for (size_t i = 0; i < l->n; i++) {
        const tt_walk_entry *e = &l->at[i];
        unsigned kind = e->folder || tt_names_again(e) ? TT_NAMES_NONE : tt_names_kind(e->name);

        if (kind != TT_NAMES_NONE) *tt_vec_push(&files) = (name){e->name, kind, !e->bytes};
    }
    return files;
}

static void take_archive(walk *w, const char *path, const char *below)
{
    struct stat st;
    tt_err unused;

    if (stat(path, &st) != 0 || (uint64_t)st.st_size > w->most->archives) return;
    (void)add_archive(w->out, path, below, &unused);
}

/* Take the files with the lowest kind of name, and files with other formats' own names, which may belong to another
 * framework (runs.h). inner: the folder already is one input. */
static void take_files(walk *w, const tt_walk_folder *f, const name_list *files, bool inner)
{
    unsigned lowest = inner ? 0 : TT_NAMES_NONE;
    char *place = place_of(f->below);

    for (size_t i = 0; i < files->n; i++) {
        if (files->at[i].kind < lowest) lowest = files->at[i].kind;
    }
    for (size_t i = 0; i < files->n; i++) {
        const name *x = &files->at[i];
        char *full = tt_names_join(f->path, x->text), *below = tt_names_join(f->below, x->text);

        if (x->kind == lowest && lowest == TT_NAMES_ARCHIVE) {
            take_archive(w, full, below);
        } else if (x->kind == lowest ||
                   (x->kind < TT_NAMES_ARCHIVE && (tt_names_of_profile(x->text) || tt_ends_with(x->text, ".tts")))) {
            add_file(w->out, full, place);
            w->out->at[w->out->n - 1].lesser = x->kind == lowest && !inner ? 0 : 1 + x->kind;
            w->out->at[w->out->n - 1].inner = inner;
        }
        free(full);
        free(below);
    }
    free(place);
}

static bool is_owner(const char *folder)
{
    tt_found f = {0};
    bool is = tt_names_owner(&f, folder);

    free(f.worker);
    free(f.stamp);
    return is;
}

static bool holds_workers(const tt_walk_folder *f)
{
    bool any = false;

    for (size_t i = 0; i < f->entries.n && !any; i++) any = f->entries.at[i].folder && is_owner(f->entries.at[i].name);
    return any;
}

/* Take files that are traces by their content only: each is a run. */
static void take_unnamed(walk *w, const tt_walk_folder *f)
{
    for (size_t i = 0; i < f->entries.n && !tt_walk_ended(w->tree); i++) {
        const tt_walk_entry *e = &f->entries.at[i];
        char *full, *below;
        tt_err err;

        if (e->folder || !e->bytes || !tt_names_may_be_trace(e->name) || tt_names_again(e)) continue;
        if (w->heads >= w->most->heads) {
            if (!w->out->stopped) w->out->stopped = "opening files after many without a trace";
            return;
        }
        full = tt_names_join(f->path, e->name);
        below = tt_names_join(f->below, e->name);
        w->heads++;
        if (tt_head_read(full, &err).trace)
            add_file(w->out, full, below);
        else if (err.code != TT_OK && !w->unread)
            w->unread = tt_strdup(err.message);
        free(full);
        free(below);
    }
}

/* Ascend: a finished trace hides the raw data beside it. */
static void skip_raw_data(walk *w, tt_walk_folder *f)
{
    tt_walk_entries finished = {0};
    bool any = false;

    for (size_t i = 0; i < f->entries.n; i++) {
        const tt_walk_entry *e = &f->entries.at[i];

        if (e->folder && strcmp(e->name, TT_NAMES_ASCEND) == 0) {
            char *path = tt_names_join(f->path, TT_NAMES_ASCEND);
            tt_walk_list(w->tree, path, &finished);
            free(path);
        }
    }
    for (size_t i = 0; i < finished.n; i++)
        any |= !finished.at[i].folder && tt_names_kind(finished.at[i].name) != TT_NAMES_NONE;
    for (size_t i = 0; i < f->entries.n && any; i++)
        f->entries.at[i].skip = strcmp(f->entries.at[i].name, TT_NAMES_ASCEND) != 0;
    tt_walk_entries_free(&finished);
}

/* The user named a directory whose name a format uses for the folder of its parts: take the directory above as the
 * input if files in the named one make it one. */
static bool take_folder_above(walk *w)
{
    tt_folder_files files = {0};
    char *whole = realpath(w->root, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
    bool any = false;

    if (slash && slash > whole && tt_folder_is_inner(tt_formats, tt_n_formats, slash + 1)) {
        size_t n = strlen(slash + 1);
        char *inner = tt_strdup(slash + 1);
        tt_walk *above;
        tt_walk_folder *f;
        *slash = '\0';
        above = tt_walk_begin(whole, tt_names_wanted, &tt_walk_whole, NULL);
        if (tt_walk_next(above, &f)) tt_folder_of_directory(tt_formats, tt_n_formats, f, above, &files);
        for (size_t i = 0; i < files.n && !any; i++)
            any = !strncmp(files.at[i].name, inner, n) && files.at[i].name[n] == '/';
        if (any) {
            add_folder(w->out, whole, tt_names_base(whole), "", &files, 0, files.n, 0);
            tt_walk_tell(above, warn_line, w->out);
        }
        tt_walk_end(above);
        free(inner);
    }
    tt_folder_free(&files);
    free(whole);
    return any;
}

/* Take the directory as one input and return true; then only files of other frameworks in it are looked at. */
static bool take_folder(walk *w, tt_walk_folder *f)
{
    tt_folder_files parts = {0};
    char *above, *place, *whole;
    bool any;

    tt_folder_of_directory(tt_formats, tt_n_formats, f, w->tree, &parts);
    any = parts.n > 0;
    if (any) {
        above = tt_strdup(f->below);
        *(strrchr(above, '/') ? strrchr(above, '/') : above) = '\0';
        place = place_of(above);
        whole = realpath(f->path, NULL);
        add_folder(w->out, f->path, tt_names_base(whole ? whole : f->path), place, &parts, 0, parts.n, 0);
        free(above);
        free(place);
        free(whole);
        for (size_t i = 0; i < f->entries.n; i++) f->entries.at[i].skip = true;
    }
    tt_folder_free(&parts);
    return any;
}

/* Take dumps of flight recorders, whose names tell nothing: the folder is their run. A folder of many files that begins
 * with none has none. */
static void take_dumps(walk *w, const tt_walk_folder *f)
{
    enum { OTHERS_MOST = 200 };
    char *place = place_of(f->below);
    uint32_t others = 0;

    for (size_t i = 0; i < f->entries.n && others < OTHERS_MOST && !tt_walk_ended(w->tree); i++) {
        const tt_walk_entry *e = &f->entries.at[i];
        bool named = e->folder || tt_names_kind(e->name) != TT_NAMES_NONE;
        char *full;

        if (named || !e->bytes || e->alias) continue;
        full = tt_names_join(f->path, e->name);
        if (tt_head_is_dump(full)) {
            add_file(w->out, full, place);
            others = 0;
        } else {
            others++;
        }
        free(full);
    }
    free(place);
}

static void visit(walk *w, tt_walk_folder *f)
{
    size_t before = w->out->n;
    bool whole = take_folder(w, f);
    name_list files = traces_among(&f->entries);

    tt_copies_settle(w->out, f->path, files.at, files.n);
    take_files(w, f, &files, whole);
    if (!whole) take_dumps(w, f);
    if (w->out->n == before && !holds_workers(f)) take_unnamed(w, f);
    if (!whole) skip_raw_data(w, f);
    tt_vec_free(&files);
}

typedef struct joined {
    tt_arena *a;
    const char *text;
} joined;

static void join_line(void *arg, const char *line)
{
    joined *j = arg;

    j->text = tt_arena_printf(j->a, "%s; %s", j->text, line);
}

static tt_status no_trace(const walk *w, tt_err *err)
{
    tt_arena a = {0};
    joined left = {&a, ""};

    if (w->unread) return tt_fail(err, TT_ERR_INPUT, -1, "%s", w->unread);
    tt_walk_tell(w->tree, join_line, &left);
    tt_fail(err, TT_ERR_INPUT, -1, "no trace in %s; looked for %s (a file given by name may be called anything)%s",
            w->root, tt_names_looked_for(&a), left.text);
    tt_arena_free(&a);
    return err->code;
}

static void add_left(tt_walk_left *sum, const tt_walk_left *one)
{
    sum->closed += one->closed;
    sum->too_long += one->too_long;
    sum->out += one->out;
    if (!sum->stopped) sum->stopped = one->stopped;
}

static tt_status add_dir(tt_found_list *out, const char *root, const tt_discover_how *how, tt_err *err)
{
    walk w = {.out = out, .root = root, .most = how->most ? how->most : &everything};
    size_t before = out->n;
    tt_status st = TT_OK;
    tt_walk_left left;
    tt_walk_folder *f;

    if (take_folder_above(&w)) return TT_OK;
    w.tree = tt_walk_begin(root, tt_names_wanted, w.most->walk, how->stop);
    while (tt_walk_next(w.tree, &f)) visit(&w, f);
    if (how->stop && atomic_load(how->stop))
        st = tt_fail(err, TT_ERR_CANCELLED, -1, "reading was cancelled before anything was read");
    else if (tt_walk_error(w.tree))
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: the directory cannot be read: %s", root,
                     strerror(tt_walk_error(w.tree)));
    if (st == TT_OK && out->n == before) st = no_trace(&w, err);
    left = tt_walk_over(w.tree);
    add_left(&out->left, &left);
    if (left.stopped) out->stopped = left.stopped;
    tt_walk_tell(w.tree, warn_line, out);
    tt_walk_end(w.tree);
    free(w.unread);
    return st;
}

/* ---- order, spans */

static int same_worker(const tt_found *a, const tt_found *b)
{
    int c = strcmp(a->run, b->run);

    return c ? c : tt_natural_order(a->worker, b->worker);
}

/* Files of one stamp are spans of their own by the stages in their names. */
static int by_span(const tt_found *a, const tt_found *b)
{
    int c = strcmp(a->stamp, b->stamp);

    return c ? c : strcmp(a->span ? a->span : "", b->span ? b->span : "");
}

static int by_stamp(const void *pa, const void *pb)
{
    const tt_found *a = pa, *b = pb;
    int c = same_worker(a, b);

    if (!c) c = by_span(a, b);
    return c ? c : strcmp(a->path, b->path);
}

/* Make equal (run, worker, stamp) unique by the names of workers: first with the folder in front, then the whole path,
 * then a number. */
static bool rename_equal(tt_found_list *l, int attempt)
{
    bool any = false;

    for (size_t i = 0, end; i < l->n; i = end) {
        for (end = i + 1; end < l->n && !same_worker(&l->at[i], &l->at[end]) && !by_span(&l->at[i], &l->at[end]);) {
            end++;
        }
        for (size_t k = i; end - i > 1 && k < end; k++) {
            tt_found *f = &l->at[k];
            const char *slash = strrchr(f->path, '/');
            int dir = slash ? (int)(slash + 1 - f->path) : 0;
            char *worker = NULL;
            int n = attempt == 0   ? asprintf(&worker, "%.*s%s", dir, f->path, f->worker)
                    : attempt == 1 ? asprintf(&worker, "%s", f->path)
                                   : asprintf(&worker, "%s#%zu", f->path, k - i + 1);

            if (n < 0) tt_mem_fail();
            free(f->worker);
            f->worker = worker;
            any = true;
        }
    }
    return any;
}

static void number_spans(tt_found_list *l)
{
    unsigned span = 0;

    for (size_t i = 0; i < l->n; i++) {
        char text[16];

        if (i == 0 || same_worker(&l->at[i - 1], &l->at[i]) != 0) span = 0;
        if (l->at[i].span) continue;
        if (*l->at[i].stamp) span++;
        snprintf(text, sizeof text, "%u", span);
        l->at[i].span = tt_strdup(*l->at[i].stamp ? text : "default");
    }
}

/* With several paths all inputs form one run; from a directory of several runs only one is taken. */
static tt_status take_run(tt_found_list *l, size_t from, size_t first_run, const char *root, const char *run,
                          tt_err *err)
{
    tt_found_list own = {.runs = {0}};
    tt_arena a = {0};
    size_t taken = 0, kept = from;
    tt_status st;

    own.runs.at = l->runs.at + first_run;
    own.runs.n = l->runs.n - first_run;
    st = tt_found_choose(&own, root, run, &taken, err);
    if (st == TT_OK && !run && own.runs.n > 1) tt_found_warn(l, "%s", tt_found_words(&own, root, taken, &a));
    for (size_t i = from; i < l->n && st == TT_OK; i++) {
        tt_found *f = &l->at[i];

        if (strcmp(f->run, own.runs.at[taken].name) != 0) {
            tt_found_clear(f);
            continue;
        }
        *f->run = '\0';
        l->at[kept++] = *f;
    }
    if (st == TT_OK) l->n = kept;
    tt_arena_free(&a);
    return st;
}

/* *root: the inputs below the path are divided into runs; otherwise the path is a single input. */
static tt_status add_path(tt_found_list *out, const char *path, const tt_discover_how *how, bool *root, tt_err *err)
{
    char *copy = NULL;
    struct stat st = {0};
    tt_walk_names ring = {0};

    *root = true;
    if (strcmp(path, "-") != 0 && stat(path, &st) != 0) {
        int e = errno;
        if (e == ENOENT) tt_ring_paths(path, &ring);
        /* maybe a file of an archive: opening it will tell */
        if (e != ENOTDIR && !ring.n) return tt_source_absent(path, e, err);
    } else if (strcmp(path, "-") != 0) {
        if (S_ISDIR(st.st_mode)) return add_dir(out, path, how, err);
        if (S_ISREG(st.st_mode)) {
            if (add_archive(out, path, NULL, err)) return TT_OK;
            if (err->code != TT_OK) return err->code;
            if (!st.st_size) copy = tt_copies_of(out, path);
        }
    }
    *root = false;
    for (size_t i = 0; i < ring.n; i++) add_file(out, ring.at[i], "");
    if (!ring.n) add_file(out, copy ? copy : path, "");
    tt_walk_names_free(&ring);
    free(copy);
    return TT_OK;
}

/* Add the single run that several paths, or one file, form. */
static void add_common_run(tt_found_list *l, const char *path)
{
    tt_found_run r = {.name = tt_strdup(""), .path = tt_strdup(path), .readable = true, .inputs = (uint32_t)l->n};

    *tt_vec_push(&l->runs) = r;
}

static tt_status add_paths(const char *const *paths, uint32_t n, const tt_discover_how *how, tt_found_list *out,
                           tt_err *err)
{
    bool divided = false;

    for (uint32_t i = 0; i < n; i++) {
        size_t from = out->n, first_run = out->runs.n;

        TT_TRY(add_path(out, paths[i], how, &divided, err));
        if (divided) tt_rings_join(out, from, 1);
        if (divided) tt_key_files_take(out, from);
        if (!divided) tt_key_files_beside(out, paths[i]);
        if (divided) tt_runs_divide(out, from, paths[i]);
        if (divided && n > 1) TT_TRY(take_run(out, from, first_run, paths[i], how->run, err));
    }
    if (n == 1 && divided) return TT_OK;
    tt_rings_join(out, 0, 2);
    tt_found_runs_clear(out);
    add_common_run(out, n == 1 ? paths[0] : "");
    return TT_OK;
}

tt_status tt_discover_as(const char *const *paths, uint32_t n, const tt_discover_how *how, tt_found_list *out,
                         tt_err *err)
{
    tt_status st = add_paths(paths, n, how, out, err);

    if (st != TT_OK) {
        tt_found_free(out);
        return st;
    }
    for (int attempt = 0; attempt < 4; attempt++) {
        if (out->n) qsort(out->at, out->n, sizeof *out->at, by_stamp);
        if (attempt == 3 || !rename_equal(out, attempt)) break;
    }
    number_spans(out);
    TT_SORT_BY(out->keys.at, out->keys.n, TT_ASC(tt_found_key, path));
    return TT_OK;
}

tt_status tt_discover(const char *const *paths, uint32_t n, tt_found_list *out, tt_err *err)
{
    const tt_discover_how how = {0};

    return tt_discover_as(paths, n, &how, out, err);
}

void tt_found_free(tt_found_list *l)
{
    for (size_t i = 0; i < l->n; i++) tt_found_clear(&l->at[i]);
    tt_found_runs_clear(l);
    for (size_t i = 0; i < l->archives.n; i++) {
        tt_archive_settle(l->archives.at[i].archive);
        tt_archive_free(l->archives.at[i].archive);
    }
    for (size_t i = 0; i < l->keys.n; i++) {
        free(l->keys.at[i].path);
    }
    tt_vec_free(&l->keys);
    tt_vec_free(&l->archives);
    tt_vec_free(&l->warnings);
    tt_vec_free(l);
}

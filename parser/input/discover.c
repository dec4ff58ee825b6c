/* parser/input/discover.c - traces in directories and archives.
 *
 * A directory keeps the files of the first kind of name that it has (names.h), so that next to *.pt.trace.json nothing
 * else is taken for a trace. walk.h enters a directory once, so "latest -> run7" does not count run7 twice. */
#include "parser/input/discover.h"
#include "model/text/text_order.h"
#include "parser/input/copies.h"
#include "parser/input/folder.h"
#include "parser/input/names.h"
#include "parser/input/search.h"
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

typedef struct walk {
    tt_found_list *out;
    const char *root, *run; /* run: fixed name of all runs, NULL = made from the place */
    tt_walk *tree;
} walk;

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

/* Whether file b is of the worker that begins with file a, or of all in their folder; number -1 = of the only one. */
static bool of_worker(const tt_folder_file *a, const tt_folder_file *b, int64_t number)
{
    return !strcmp(a->folder, b->folder) && (b->number < 0 || number < 0 || b->number == number);
}

/* Add the inputs of one folder, files l->at[from..to): one for each number that its main parts have, else a single
 * one. */
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

/* A file of an archive, and what its name says. */
typedef struct offset {
    const char *name;
    size_t folder; /* length of the part of the name that is its folder */
    size_t at;
    unsigned kind;
    bool again, taken;
} offset;

/* By name, the later one of the same name last. */
static int by_place(const void *pa, const void *pb)
{
    const offset *a = pa, *b = pb;
    int c = memcmp(a->name, b->name, a->folder < b->folder ? a->folder : b->folder);

    if (!c) c = (a->folder > b->folder) - (a->folder < b->folder);
    if (!c) c = strcmp(a->name, b->name);
    return c ? c : (a->at > b->at) - (a->at < b->at);
}

static int by_at(const void *pa, const void *pb)
{
    const offset *a = pa, *b = pb;

    return (a->at > b->at) - (a->at < b->at);
}

static bool same_folder(const offset *a, const offset *b)
{
    return a->folder == b->folder && memcmp(a->name, b->name, a->folder) == 0;
}

static bool is_trace_name(const offset *p)
{
    return p->kind < TT_NAMES_ARCHIVE || tt_names_may_be_trace(p->name + p->folder);
}

/* As in a directory, a folder of the archive gives the files of the first kind of name that it has. p[0..n) are by
 * place. */
static void choose(offset *p, size_t n, bool any_known)
{
    for (size_t from = 0, to; from < n; from = to) {
        unsigned lowest = TT_NAMES_NONE;

        for (to = from; to < n && same_folder(&p[from], &p[to]); to++) {
            if (p[to].kind < lowest) lowest = p[to].kind;
        }
        for (size_t i = from; i < to; i++) {
            bool wanted =
                any_known ? p[i].kind < TT_NAMES_ARCHIVE && p[i].kind == lowest : n == 1 || is_trace_name(&p[i]);
            p[i].taken = wanted && !p[i].again;
        }
    }
}

/* The files of an archive that can be read; what cannot, and may have been a trace, is counted. */
static size_t list_archive(const tt_archive *a, offset *all, tt_folder_files *folders, tt_problems *problems)
{
    size_t count = tt_archive_count(a), n = 0;

    for (size_t i = 0; i < count; i++) {
        const tt_member *m = tt_archive_member(a, i);
        offset p = {.name = m->name, .folder = (size_t)(tt_names_base(m->name) - m->name), .at = i};

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

/* What is missing of an archive, a line each. */
static void warn_archive(tt_found_list *out, const char *path, const tt_problems *problems)
{
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &problems->of[k];

        if (p->count && tt_problem_level_of[k] == TT_LEVEL_LOSS)
            tt_found_warn(out, "%s: %s (%" PRIu64 "%s%s)", path, tt_problem_meaning[k], p->count,
                          p->count > 1 ? "; the first: " : ": ", p->example);
    }
}

/* What is wrong with an archive in which there is no trace, in a word each. */
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

/* Add the folders of the archive that are inputs. Their files are no traces of their own: the number of files that
 * are left in all. */
static size_t add_folders(tt_found_list *out, const char *path, const char *run, tt_folder_files *l, offset *all,
                          size_t n)
{
    size_t left = 0;

    tt_folder_sort(l);
    for (size_t from = 0, to; from < l->n; from = to) {
        const char *folder = l->at[from].folder;
        char *full = *folder ? tt_names_join(path, folder) : tt_strdup(path),
             *above = tt_strdup(*folder ? folder : tt_names_base(path));

        for (to = from + 1; to < l->n && !strcmp(l->at[to].folder, folder);) to++;
        if (*folder) *(strrchr(above, '/') ? strrchr(above, '/') : above) = '\0';
        add_folder(out, full, tt_names_base(full),
                   run      ? run
                   : *above ? above
                            : tt_names_base(path),
                   l, from, to, out->archives.n + 1);
        free(full);
        free(above);
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

/* Add the traces in the archive at path. False when it is no archive, or an empty one (err: TT_OK), or when there
 * are none in it. */
static bool add_archive(tt_found_list *out, const char *path, const char *run, tt_err *err)
{
    tt_archive *a = tt_archive_open(path);
    size_t before = out->n, n;
    bool any_known = false;
    tt_folder_files folders = {0};
    tt_problems problems;
    offset *all;

    err->code = TT_OK;
    if (!a) return false;
    problems = *tt_archive_problems(a);
    all = tt_calloc(tt_archive_count(a), sizeof *all);
    n = list_archive(a, all, &folders, &problems);
    n = add_folders(out, path, run, &folders, all, n);
    for (size_t i = 0; i < n; i++) any_known |= all[i].kind < TT_NAMES_ARCHIVE;
    any_known |= out->n > before;
    choose(all, n, any_known);
    if (n) qsort(all, n, sizeof *all, by_at);
    for (size_t i = 0; i < n; i++) {
        const char *member = all[i].name;
        char *full, *folder;

        if (!all[i].taken) continue;
        full = tt_names_join(path, member);
        folder = all[i].folder ? tt_strndup(member, all[i].folder - 1) : tt_strdup(tt_names_base(path));
        add_file(out, full, run ? run : folder);
        out->at[out->n - 1].archive = out->archives.n + 1;
        out->at[out->n - 1].member = tt_strdup(member);
        free(full);
        free(folder);
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

/* The run of a directory: its place below the root; for Ascend the folder that holds the workers' folders. */
static char *run_of(const walk *w, const char *rel)
{
    char *run = tt_strdup(rel), *whole, *slash;

    if (strcmp(run, TT_NAMES_ASCEND) == 0) *run = '\0';
    slash = strrchr(run, '/');
    if (slash && strcmp(slash + 1, TT_NAMES_ASCEND) == 0) {
        *slash = '\0';
        slash = strrchr(run, '/');
        *(slash ? slash : run) = '\0';
    }
    if (*run) return run;
    free(run);
    whole = realpath(w->root, NULL); /* the base name of "." or "runs/" too */
    slash = whole ? strrchr(whole, '/') : NULL;
    run = tt_strdup(slash && slash[1] ? slash + 1 : w->root);
    free(whole);
    return run;
}

/* The files whose names are those of traces. */
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

/* Take the files of the lowest kind. */
static void take_files(walk *w, const char *path, const char *rel, const name_list *files)
{
    unsigned lowest = TT_NAMES_NONE;
    char *run = w->run ? tt_strdup(w->run) : run_of(w, rel);

    for (size_t i = 0; i < files->n; i++) {
        if (files->at[i].kind < lowest) lowest = files->at[i].kind;
    }
    for (size_t i = 0; i < files->n; i++) {
        char *full;

        if (files->at[i].kind != lowest || lowest == TT_NAMES_NONE) continue;
        full = tt_names_join(path, files->at[i].text);
        if (lowest == TT_NAMES_ARCHIVE) {
            tt_err unused;
            (void)add_archive(w->out, full, w->run, &unused);
        } else {
            add_file(w->out, full, run);
        }
        free(full);
    }
    free(run);
}

/* Ascend: the finished trace hides the raw data beside it. */
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

/* The directory was given itself, and parts of a format lie in folders of that name: the directory above is the input
 * when it is one by what lies here. */
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
            add_folder(w->out, whole, tt_names_base(whole), w->run ? w->run : tt_names_base(whole), &files, 0, files.n,
                       0);
            tt_walk_tell(above, warn_line, w->out);
        }
        tt_walk_end(above);
        free(inner);
    }
    tt_folder_free(&files);
    free(whole);
    return any;
}

/* The directory is one input: true, and neither its files nor its folders are looked at. */
static bool take_folder(walk *w, tt_walk_folder *f)
{
    tt_folder_files files = {0};
    char *above, *run, *whole;
    bool any;

    tt_folder_of_directory(tt_formats, tt_n_formats, f, w->tree, &files);
    any = files.n > 0;
    if (any) {
        above = tt_strdup(f->below);
        *(strrchr(above, '/') ? strrchr(above, '/') : above) = '\0';
        run = w->run ? tt_strdup(w->run) : run_of(w, above);
        whole = realpath(f->path, NULL);
        add_folder(w->out, f->path, tt_names_base(whole ? whole : f->path), run, &files, 0, files.n, 0);
        free(above);
        free(run);
        free(whole);
        for (size_t i = 0; i < f->entries.n; i++) f->entries.at[i].skip = true;
    }
    tt_folder_free(&files);
    return any;
}

static void visit(walk *w, tt_walk_folder *f)
{
    name_list files;

    if (take_folder(w, f)) return;
    files = traces_among(&f->entries);
    tt_copies_settle(w->out, f->path, files.at, files.n);
    take_files(w, f->path, f->below, &files);
    skip_raw_data(w, f);
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

/* Nothing in the directory is called as traces are: its only file that is one by its content; several are no run. */
static tt_status add_unnamed(tt_found_list *out, const walk *w, tt_err *err)
{
    static const tt_search_limits here = {.entries = 100000, .folders = 1, .heads = 100, .ms = 10000};
    tt_search s = tt_search_runs(w->root, &here, NULL);
    char *whole = realpath(w->root, NULL);
    const char *names = "";
    tt_arena a = {0};
    tt_status st = TT_OK;

    for (size_t i = 0; i < s.runs.n && i < 10; i++)
        names = tt_arena_printf(&a, "%s%s%.200s", names, i ? ", " : "", tt_names_base(s.runs.at[i].path));
    if (s.runs.n == 1 && !s.runs.at[0].folder) {
        add_file(out, s.runs.at[0].path, w->run ? w->run : tt_names_base(whole ? whole : w->root));
    } else if (s.runs.n) {
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: holds %zu traces and no names that make them a run; give one: %s%s",
                     w->root, s.runs.n, names, s.runs.n > 10 ? ", ..." : "");
    } else if (s.unread) {
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s", s.unread);
    } else {
        joined left = {&a, ""};

        tt_walk_tell(w->tree, join_line, &left);
        st = tt_fail(err, TT_ERR_INPUT, -1,
                     "no trace in %s; looked for %s (a file given by name may be called anything)%s", w->root,
                     tt_names_looked_for(&a), left.text);
    }
    tt_arena_free(&a);
    free(whole);
    tt_search_free(&s);
    return st;
}

static tt_status add_dir(tt_found_list *out, const char *root, const char *run, tt_err *err)
{
    walk w = {.out = out, .root = root, .run = run};
    size_t before = out->n;
    tt_status st = TT_OK;
    tt_walk_folder *f;

    if (take_folder_above(&w)) return TT_OK;
    w.tree = tt_walk_begin(root, tt_names_wanted, &tt_walk_whole, out->stop);
    while (tt_walk_next(w.tree, &f)) visit(&w, f);
    if (out->stop && atomic_load(out->stop))
        st = tt_fail(err, TT_ERR_CANCELLED, -1, "reading was cancelled before anything was read");
    else if (tt_walk_error(w.tree))
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: the directory cannot be read: %s", root,
                     strerror(tt_walk_error(w.tree)));
    if (st == TT_OK && out->n == before) st = add_unnamed(out, &w, err);
    tt_walk_tell(w.tree, warn_line, out);
    tt_walk_end(w.tree);
    return st;
}

bool tt_discover_beside(const char *path, char *out, size_t cap)
{
    const char *slash = strrchr(path, '/');
    char *dir = tt_strndup(path, slash ? (size_t)(slash + 1 - path) : 0);
    unsigned best = TT_NAMES_NONE;
    tt_walk_entries l = {0};

    tt_walk_list(NULL, dir, &l);
    for (size_t i = 0; i < l.n; i++) {
        const tt_walk_entry *e = &l.at[i];
        unsigned kind = tt_names_kind(e->name);

        if (e->folder || !e->bytes || kind >= best || strlen(e->name) >= cap) continue;
        best = kind;
        memcpy(out, e->name, strlen(e->name) + 1);
    }
    tt_walk_entries_free(&l);
    free(dir);
    return best != TT_NAMES_NONE;
}

/* ---- order, spans */

static int same_worker(const tt_found *a, const tt_found *b)
{
    int c = strcmp(a->run, b->run);

    return c ? c : tt_natural_order(a->worker, b->worker);
}
static int by_stamp(const void *pa, const void *pb)
{
    const tt_found *a = pa, *b = pb;
    int c = same_worker(a, b);

    if (!c) c = strcmp(a->stamp, b->stamp);
    return c ? c : strcmp(a->path, b->path);
}

/* Give the files that share (run, worker, stamp) names of their own: first with the folder in front, then the whole
 * path, then a number. */
static bool rename_equal(tt_found_list *l, int attempt)
{
    bool any = false;

    for (size_t i = 0, end; i < l->n; i = end) {
        for (end = i + 1;
             end < l->n && !same_worker(&l->at[i], &l->at[end]) && !strcmp(l->at[i].stamp, l->at[end].stamp);) {
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
        if (*l->at[i].stamp) span++;
        snprintf(text, sizeof text, "%u", span);
        l->at[i].span = tt_strdup(*l->at[i].stamp ? text : "default");
    }
}

static tt_status add_path(tt_found_list *out, const char *path, bool alone, tt_err *err)
{
    char *copy = NULL;
    struct stat st = {0};

    if (strcmp(path, "-") != 0 && stat(path, &st) != 0) {
        /* perhaps a file of an archive: who opens it finds out */
        if (errno != ENOTDIR) return tt_source_absent(path, errno, err);
    } else if (strcmp(path, "-") != 0) {
        if (S_ISDIR(st.st_mode)) return add_dir(out, path, alone ? NULL : "", err);
        if (S_ISREG(st.st_mode)) {
            if (add_archive(out, path, alone ? NULL : "", err)) return TT_OK;
            if (err->code != TT_OK) return err->code;
            if (!st.st_size) copy = tt_copies_of(out, path);
        }
    }
    add_file(out, copy ? copy : path, "");
    free(copy);
    return TT_OK;
}

static int by_number(const void *pa, const void *pb)
{
    const int64_t *a = pa, *b = pb;

    return (*a > *b) - (*a < *b);
}

/* Ranks that wrote into folders of their own, wherever below the path, are one run when no number is there twice: then
 * they are ranks of one training. */
static void join_ranks(tt_found_list *l, const char *path)
{
    int64_t *numbers = tt_calloc(l->n, sizeof *numbers);
    bool join = l->n > 1;

    for (size_t i = 0; i < l->n && join; i++) {
        const tt_found *f = &l->at[i];
        char number[24];

        numbers[i] = f->rank;
        snprintf(number, sizeof number, "%" PRId64, f->rank);
        join = f->parts.n > 0 && strcmp(f->worker, number) == 0 && f->format == l->at[0].format;
    }
    if (join) qsort(numbers, l->n, sizeof *numbers, by_number);
    for (size_t i = 1; i < l->n && join; i++) join = numbers[i - 1] != numbers[i];
    if (join) {
        char *whole = realpath(path, NULL);

        for (size_t i = 0; i < l->n; i++) {
            free(l->at[i].run);
            l->at[i].run = tt_strdup(tt_names_base(whole ? whole : path));
        }
        free(whole);
    }
    free(numbers);
}

tt_status tt_discover(const char *const *paths, uint32_t n, tt_found_list *out, tt_err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        tt_status st = add_path(out, paths[i], n == 1, err);

        if (st != TT_OK) {
            tt_found_free(out);
            return st;
        }
    }
    if (n == 1) join_ranks(out, paths[0]);
    for (int attempt = 0; attempt < 4; attempt++) {
        if (out->n) qsort(out->at, out->n, sizeof *out->at, by_stamp);
        if (attempt == 3 || !rename_equal(out, attempt)) break;
    }
    number_spans(out);
    return TT_OK;
}

void tt_found_free(tt_found_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free(l->at[i].path);
        free(l->at[i].member);
        for (size_t k = 0; k < l->at[i].parts.n; k++) {
            free(l->at[i].parts.at[k].path);
            free(l->at[i].parts.at[k].member);
        }
        tt_vec_free(&l->at[i].parts);
        free(l->at[i].run);
        free(l->at[i].worker);
        free(l->at[i].stamp);
        free(l->at[i].span);
    }
    for (size_t i = 0; i < l->archives.n; i++) {
        tt_archive_settle(l->archives.at[i].archive);
        tt_archive_free(l->archives.at[i].archive);
    }
    tt_vec_free(&l->archives);
    tt_vec_free(&l->warnings);
    tt_vec_free(l);
}

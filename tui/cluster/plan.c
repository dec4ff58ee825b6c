/* tui/cluster/plan.c - see plan.h. */
#include "tui/cluster/plan.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/sort_by.h"
#include "model/text/text_safety.h"
#include "parser/discover/discover.h"
#include "parser/input/walk.h"
#include "tui/args/cli.h"
#include "tui/ranks/gather.h"

static const char ending[] = ".tts";

/* ---- paths ---- */

static char *join(const char *a, const char *b, const char *c)
{
    tt_text t = {0};
    tt_text_put(&t, a, strlen(a));
    tt_text_put(&t, b, strlen(b));
    tt_text_put(&t, c, strlen(c));
    return t.at;
}

/* Make the path absolute with the shell's name of the current folder: all nodes may know the path of a link, but not
 * its target. */
static char *absolute(const char *path)
{
    const char *here = getenv("PWD"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
    struct stat named, now;
    if (*path == '/') return tt_strdup(path);
    if (here && *here == '/' && stat(here, &named) == 0 && stat(".", &now) == 0 && named.st_ino == now.st_ino &&
        named.st_dev == now.st_dev)
        return join(here, "/", path);
    char *real = realpath(".", NULL), *whole = join(real ? real : "", "/", path);
    free(real);
    return whole;
}

/* Cut slashes at the end of the path. */
static void trim(char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') path[--n] = '\0';
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_summary(const char *path)
{
    size_t n = strlen(path), end = sizeof ending - 1;
    return n >= end && !strcmp(path + n - end, ending);
}

/* Name the result and the folder of the run. */
static tt_status name_output(const char *first, const char *output, tt_cluster_plan *p, tt_err *err)
{
    char *whole = absolute(output ? output : first);
    trim(whole);
    const char *base = base_of(whole);
    if (!output && (!*base || !strcmp(base, ".") || !strcmp(base, ".."))) {
        char *real = realpath(first, NULL);
        free(whole);
        whole = real ? real : tt_strdup("/");
        base = base_of(whole);
    }
    if (!*base) {
        free(whole);
        return tt_fail(err, TT_ERR_USAGE, -1, "%s: has no name that the result could have: add -o RUN.tts",
                       output ? output : first);
    }
    p->output = output ? tt_strdup(whole) : join(whole, ending, "");
    base = base_of(p->output);
    char *folder = tt_strndup(p->output, (size_t)(base - p->output)), *hidden = join(folder, ".", base);
    p->work = join(hidden, ".parts", "");
    free(folder);
    free(hidden);
    free(whole);
    return TT_OK;
}

/* ---- inputs ---- */

/* The existing part of a path: for a file in an archive, the archive. */
static char *existing(const char *path)
{
    char *p = tt_strdup(path);
    struct stat st;
    for (char *slash; stat(p, &st) != 0 && (slash = strrchr(p, '/')) != NULL && slash > p;) *slash = '\0';
    return p;
}

static void weigh(tt_cluster_part *part, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return;
    int64_t changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    if (!S_ISDIR(st.st_mode)) part->bytes += (uint64_t)st.st_size;
    if (changed > part->changed_ns) part->changed_ns = changed;
}

static void add_parts(tt_cluster_plan *p, const tt_found_list *found, const char *run)
{
    for (size_t i = 0; i < found->n; i++) {
        const tt_found *f = &found->at[i];
        if (strcmp(f->run, run) != 0) continue;
        tt_cluster_part part = {.path = existing(f->path)};
        if (is_summary(part.path)) { /* a summary is an earlier result, no input */
            free(part.path);
            continue;
        }
        weigh(&part, part.path);
        for (size_t k = 0; k < f->parts.n && !f->archive; k++) weigh(&part, f->parts.at[k].path);
        *tt_vec_push(&p->parts) = part;
    }
    TT_SORT_BY(p->parts.at, p->parts.n, TT_ASC(tt_cluster_part, path));
    size_t n = 0;
    for (size_t i = 0; i < p->parts.n; i++) { /* several inputs in one archive or folder are one part */
        if (n && !strcmp(p->parts.at[i].path, p->parts.at[n - 1].path))
            free(p->parts.at[i].path);
        else
            p->parts.at[n++] = p->parts.at[i];
    }
    p->parts.n = n;
    for (size_t i = 0; i < n; i++) p->bytes += p->parts.at[i].bytes;
    TT_SORT_BY(p->parts.at, n, TT_DESC(tt_cluster_part, bytes), TT_ASC(tt_cluster_part, path));
}

/* FNV-1a; the ids need to be distinct, not secret. */
static uint64_t hash(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const tt_cluster_id *)a)->id, y = ((const tt_cluster_id *)b)->id;
    return (x > y) - (x < y);
}

static void name_parts(tt_cluster_plan *p)
{
    static const char version[] = TT_VERSION;
    for (size_t i = 0; i < p->parts.n; i++) {
        tt_cluster_part *part = &p->parts.at[i];
        uint64_t h = hash(0xcbf29ce484222325u, version, sizeof version);
        h = hash(h, part->path, strlen(part->path) + 1);
        h = hash(h, &part->bytes, sizeof part->bytes);
        part->id = hash(h, &part->changed_ns, sizeof part->changed_ns);
        *tt_vec_push(&p->ids) = (tt_cluster_id){part->id, (uint32_t)i};
    }
    if (p->ids.n) qsort(p->ids.at, p->ids.n, sizeof *p->ids.at, by_id);
    for (size_t i = 1; i < p->ids.n; i++) { /* equal ids are possible, if unlikely: take the next free number */
        if (p->ids.at[i].id <= p->ids.at[i - 1].id) p->ids.at[i].id = p->ids.at[i - 1].id + 1;
        p->parts.at[p->ids.at[i].part].id = p->ids.at[i].id;
    }
}

void tt_cluster_part_name(const tt_cluster_part *part, const char *what, char out[TT_CLUSTER_NAME])
{
    snprintf(out, TT_CLUSTER_NAME, "part-%016" PRIx64 "%s", part->id, what);
}

/* Choose the run asked for, else the newest one, like loading and `summarize`. */
static tt_status take_run(tt_cluster_plan *p, const char *root, const tt_found_list *found, const char *run,
                          tt_err *err)
{
    size_t taken;
    tt_arena a = {0};
    TT_TRY(tt_found_choose(found, root, run, &taken, err));
    if (!run && found->runs.n > 1)
        tt_warn("%s; the folders of several as arguments take them all", tt_found_words(found, root, taken, &a));
    tt_arena_free(&a);
    add_parts(p, found, found->runs.at[taken].name);
    return TT_OK;
}

tt_status tt_cluster_plan_make(const char *const *paths, uint32_t n, const char *run, const char *output,
                               tt_cluster_plan *out, tt_err *err)
{
    const tt_discover_how how = {.run = run};
    tt_found_list found = {0};
    const char **whole = tt_calloc(n, sizeof *whole);
    *out = (tt_cluster_plan){.lock = -1};
    for (uint32_t i = 0; i < n; i++) whole[i] = absolute(paths[i]);
    tt_status st = n > 1 && !output
                       ? tt_fail(err, TT_ERR_USAGE, -1, "several folders: add -o RUN.tts, the name of the result")
                       : name_output(paths[0], output, out, err);
    if (st == TT_OK) st = tt_discover_as(whole, n, &how, &found, err);
    if (st == TT_OK) {
        tt_text lines = {0};
        tt_text_put(&lines, found.warnings.at ? found.warnings.at : "", found.warnings.n);
        for (char *save = NULL, *line = strtok_r(lines.at ? lines.at : (char[]){""}, "\n", &save); line;
             line = strtok_r(NULL, "\n", &save))
            tt_warn("%s", line);
        tt_vec_free(&lines);
        st = take_run(out, whole[0], &found, n == 1 ? run : NULL, err);
        name_parts(out);
        if (st == TT_OK && !out->parts.n)
            st = tt_fail(err, TT_ERR_INPUT, -1, "%s: holds summaries only: 'tracetty merge' makes one of them",
                         paths[0]);
    }
    tt_found_free(&found);
    for (uint32_t i = 0; i < n; i++) free((void *)(uintptr_t)whole[i]);
    free(whole);
    return st;
}

/* ---- the folder ---- */

static char *inside(const tt_cluster_plan *p, const char *name) { return join(p->work, "/", name); }

/* The part to which a file of the folder belongs. NULL: none, for example because the input has changed. */
static tt_cluster_part *part_of(const tt_cluster_plan *p, const char *name, const char *after)
{
    static const char before[] = "part-";
    tt_cluster_id want = {0};
    char *end;
    if (strncmp(name, before, sizeof before - 1) != 0) return NULL;
    want.id = strtoull(name + sizeof before - 1, &end, 16);
    if (strcmp(end, after) != 0 || !p->ids.n) return NULL;
    const tt_cluster_id *found = bsearch(&want, p->ids.at, p->ids.n, sizeof *p->ids.at, by_id);
    return found ? &p->parts.at[found->part] : NULL;
}

static bool begins_with(const char *name, const char *what) { return !strncmp(name, what, strlen(what)); }

/* Keep the file for the new run: complete summaries of unchanged inputs, and the marks of running and cancelled
 * runs. */
static bool stays(const tt_cluster_plan *p, const char *name, bool fresh)
{
    return !strcmp(name, TT_CLUSTER_RUN_FILE) || begins_with(name, TT_CLUSTER_CANCELLED) ||
           (!fresh && part_of(p, name, ending));
}

static void remove_files(const tt_cluster_plan *p, bool all, bool fresh)
{
    tt_walk_names l = {0};
    int d = open(p->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tt_walk_read(p->work, &l);
    for (size_t i = 0; i < l.n && d >= 0; i++)
        if (all || !stays(p, l.at[i], fresh)) unlinkat(d, l.at[i], 0);
    if (d >= 0) close(d);
    tt_walk_names_free(&l);
}

void tt_cluster_plan_remove(const tt_cluster_plan *p)
{
    remove_files(p, true, true);
    rmdir(p->work);
}

static void hush(void *arg, const char *text)
{
    (void)arg;
    (void)text;
}

/* Delete damaged summaries of an earlier run, so that they are computed again. */
static void drop_damaged(tt_cluster_plan *p)
{
    for (size_t i = 0; i < p->parts.n; i++) {
        if (!p->parts.at[i].done) continue;
        tt_tts_union u = {0};
        tt_file_ids inputs = {0};
        uint32_t damaged = 0;
        char name[TT_CLUSTER_NAME];
        tt_err unused;
        tt_cluster_part_name(&p->parts.at[i], ending, name);
        char *path = inside(p, name);
        const char *one = path;
        if (tt_gather(&one, 1, NULL, &u, &damaged, &inputs, hush, NULL, &unused) != TT_OK || damaged) unlink(path);
        tt_tts_union_free(&u);
        tt_vec_free(&inputs);
        free(path);
    }
    tt_cluster_plan_look(p);
}

tt_status tt_cluster_plan_begin(tt_cluster_plan *p, const char *id, const char *engine, bool fresh, tt_err *err)
{
    tt_err unused;
    TT_TRY(tt_cluster_folder_take(p->work, &p->lock, err));
    /* processes of the earlier run have ended on this machine; its tasks on other machines may still run */
    if (tt_cluster_folder_run(p->work, &p->earlier)) (void)tt_cluster_folder_cancel(p->work, p->earlier.id, &unused);
    TT_TRY(tt_cluster_folder_begin(p->work, id, engine, err));
    remove_files(p, false, fresh);
    tt_cluster_plan_look(p);
    drop_damaged(p);
    return TT_OK;
}

void tt_cluster_plan_look(tt_cluster_plan *p)
{
    tt_walk_names l = {0};
    bool whole = tt_walk_read(p->work, &l);
    if (!whole) tt_walk_names_free(&l);
    if (!whole) return; /* a network file system can fail for a moment: keep the last counts */
    for (size_t i = 0; i < p->parts.n; i++) p->parts.at[i].done = p->parts.at[i].failed = false;
    p->n_done = p->n_failed = 0;
    p->bytes_done = 0;
    for (size_t i = 0; i < l.n; i++) {
        tt_cluster_part *done = part_of(p, l.at[i], ending), *failed = part_of(p, l.at[i], ".failed");
        if (done) done->done = true;
        if (failed) failed->failed = true;
        if (begins_with(l.at[i], "task-")) p->started = true;
    }
    tt_walk_names_free(&l);
    for (size_t i = 0; i < p->parts.n; i++) {
        p->n_done += p->parts.at[i].done;
        p->n_failed += p->parts.at[i].failed && !p->parts.at[i].done;
        if (p->parts.at[i].done) p->bytes_done += p->parts.at[i].bytes;
    }
}

void tt_cluster_plan_free(tt_cluster_plan *p)
{
    for (size_t i = 0; i < p->parts.n; i++) free(p->parts.at[i].path);
    tt_vec_free(&p->parts);
    tt_vec_free(&p->ids);
    if (p->lock >= 0) close(p->lock);
    free(p->output);
    free(p->work);
    *p = (tt_cluster_plan){.lock = -1};
}

/* parser/discover/runs.c - see runs.h. Each step handles the inputs of one place (folder) at a time, in the order of
 * (place, group), and numbers the groups within the place. */
#include "parser/discover/runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/format/dump_name.h"
#include "capture/launcher/running.h"
#include "model/base/number_set.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/base/sort_by.h"
#include "model/text/process_name.h"
#include "model/text/text_order.h"
#include "parser/discover/copies.h"
#include "parser/discover/frozen.h"
#include "parser/discover/head.h"
#include "parser/discover/names.h"
#include "parser/flight/reader.h"
#include "parser/formats/formats.h"
#include "parser/input/format.h"

typedef struct item { /* facts about an input besides its name */
    tt_found found;
    tt_head head;
    int64_t changed_ns, at_ns;
    int64_t begun_ns; /* at_ns of the worker's first input */
    tt_found_time by;
    uint64_t bytes;
    uint32_t group; /* number of the group within its place */
    bool linked;    /* reached through a link: opening another folder may not reach it */
    bool left_out;
    bool joined; /* its run is several folders beside each other, and named after none */
} item;

typedef struct division {
    tt_found_list *list;
    const char *root;
    item *at;
    size_t n;
    size_t first_run; /* first run of this root in list->runs */
} division;

static bool is_text(const char *a, const char *b) { return a && b && !strcmp(a, b); }

/* ---- facts of each input */

/* Whether the input is a folder with parts. */
static bool is_folder(const tt_found *f) { return f->parts.n && !f->ring; }

/* Whether the input lies in the folder of a frozen recording, of the time *at (ms), the process *who. */
static bool is_frozen(const tt_found *f, int64_t *at, int64_t *who)
{
    return tt_dump_name_parse(tt_names_base(f->run), at, who);
}

static bool is_file(const tt_found *f) { return !f->archive && !is_folder(f) && strcmp(f->path, "-") != 0; }

static void measure(item *x, const char *path)
{
    struct stat st;
    int64_t changed;

    if (lstat(path, &st) == 0) x->linked |= S_ISLNK(st.st_mode);
    if (stat(path, &st) != 0) return;
    changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    if (changed > x->changed_ns) x->changed_ns = changed;
    if (S_ISREG(st.st_mode)) x->bytes += (uint64_t)st.st_size;
}

static void take_size(item *x)
{
    const tt_found *f = &x->found;
    char *path = tt_strdup(f->path), *slash;
    struct stat st;

    for (size_t i = 0; i < f->parts.n && !f->archive; i++) measure(x, f->parts.at[i].path);
    while (f->archive && stat(path, &st) != 0 && (slash = strrchr(path, '/')) != NULL && slash > path) *slash = '\0';
    if (!f->parts.n || f->archive) measure(x, path);
    free(path);
}

/* The time in the name of the innermost folder that has one. */
static int64_t time_of_folders(const char *path, const char *root)
{
    size_t skip = strlen(root);
    char *below = tt_strdup(strncmp(path, root, skip) == 0 ? path + skip : path), *slash;
    int64_t t = 0;

    while (!t && (slash = strrchr(below, '/')) != NULL) {
        *slash = '\0';
        t = tt_names_time(tt_names_base(below));
    }
    free(below);
    return t;
}

/* Time of an input: of a frozen recording when it was frozen; else from its file name, its content, the names of its
 * folders, or its last change. */
static void take_time(const division *d, item *x)
{
    const int64_t times[] = {tt_names_time(tt_names_base(x->found.path)), x->head.at_ns,
                             time_of_folders(x->found.path, d->root), x->changed_ns};
    static const tt_found_time kinds[] = {TT_FOUND_BY_NAME, TT_FOUND_BY_EVENTS, TT_FOUND_BY_NAME, TT_FOUND_BY_CHANGE};
    int64_t at, who;
    size_t i = 0;

    while (i + 1 < sizeof times / sizeof *times && !times[i]) i++;
    x->at_ns = times[i];
    x->by = kinds[i];
    if (!is_frozen(&x->found, &at, &who)) return;
    x->at_ns = at * 1000000;
    x->by = TT_FOUND_BY_NAME;
}

static void look(void *arg, size_t i)
{
    division *d = arg;
    item *x = &d->at[i];
    const tt_format *named;
    tt_err err;

    x->head = (tt_head){.rank = -1, .trace = true};
    if (is_file(&x->found) && d->n > 1) {
        x->head = tt_head_read(x->found.ring ? x->found.parts.at[0].path : x->found.path, &err);
    } else if (x->found.format) {
        x->head.framework = x->found.format->info.id;
    } else if (x->found.archive && (named = tt_names_format(tt_names_base(x->found.path))) != NULL) {
        x->head.framework = strcmp(named->info.id, "chrome") ? named->info.id : NULL;
    }
    if (x->head.rank < 0) x->head.rank = x->found.rank;
}

/* ---- what is left out */

/* Mark incomplete recordings whose processes still write as own output. */
static void find_running(division *d)
{
    const char *place = NULL;
    bool live = false;

    for (size_t i = 0; i < d->n; i++) {
        item *x = &d->at[i];

        if (!is_file(&x->found) || !is_text(x->head.framework, "tracetty")) continue;
        if (!tt_ends_with(x->found.path, ".ttspool")) continue;
        if (!place || strcmp(place, x->found.run) != 0) {
            char *folder = tt_strndup(x->found.path, (size_t)(tt_names_base(x->found.path) - x->found.path));

            live = tt_running_look(*folder ? folder : ".").state == TT_RUNNING_LIVE;
            place = x->found.run;
            free(folder);
        }
        x->head.own |= live;
        if (!live) continue;
        x->at_ns = x->changed_ns; /* newer than what was frozen of it */
        x->by = TT_FOUND_BY_CHANGE;
    }
}

/* Whether the input lies in a folder with this name, where servers record the graphs that they replay, beside the run.
 * */
static bool is_key(const tt_found *f)
{
    const char *p = strstr(f->run, "capture_traces");

    return p && (p == f->run || p[-1] == '/') && (!p[14] || p[14] == '/');
}

/* Leave out recordings of graphs if there are other inputs. */
static void leave_keys(division *d)
{
    bool others = false;

    for (size_t i = 0; i < d->n; i++) others |= !d->at[i].left_out && !is_key(&d->at[i].found);
    for (size_t i = 0; i < d->n && others; i++) d->at[i].left_out |= is_key(&d->at[i].found);
}

/* Whether x merges the files of the profile that y belongs to. */
static bool merges(const item *x, const item *y)
{
    static const char head[] = "merged-";
    const char *a = tt_names_base(x->found.path), *b = tt_names_base(y->found.path), *id = a + sizeof head - 1;
    tt_process_name said;
    size_t n;

    if (strncmp(a, head, sizeof head - 1) != 0 || strcmp(x->found.run, y->found.run) != 0) return false;
    if (!tt_process_name_read(b, &said) || !said.profile_n) return false;
    n = tt_names_stem(id);
    if (!n || n > said.profile_n || memcmp(b + said.profile_n - n, id, n) != 0) return false;
    return n == said.profile_n || b[said.profile_n - n - 1] == '-';
}

/* Leave out SGLang's merged-ID.trace.json beside the files of each rank that it merges. */
static void leave_merged(division *d)
{
    for (size_t i = 0; i < d->n; i++) {
        bool again = false;

        if (strncmp(tt_names_base(d->at[i].found.path), "merged-", 7) != 0) continue;
        for (size_t k = 0; k < d->n && !again; k++) again = merges(&d->at[i], &d->at[k]);
        d->at[i].left_out |= again;
        if (again)
            tt_found_warn(d->list, "%s: not opened: the files of its ranks are, which hold the same",
                          d->at[i].found.path);
    }
}

/* Leave out own output if there are other traces; otherwise leave out the own output that no reader accepts, if readers
 * accept some of it. */
static void leave_own(division *d)
{
    const char *names = "";
    bool others = false, readable = false;
    size_t n = 0;
    tt_arena a = {0};

    find_running(d);
    for (size_t i = 0; i < d->n; i++) {
        int64_t at, who;

        others |= !d->at[i].head.own && d->at[i].head.trace && !is_frozen(&d->at[i].found, &at, &who);
        readable |= d->at[i].head.own && d->at[i].head.trace;
    }
    for (size_t i = 0; i < d->n; i++) {
        item *x = &d->at[i];
        bool summary = x->head.own && is_text(x->head.framework, "summary");

        x->left_out = x->head.own && (others || (readable && !x->head.trace));
        if (!x->left_out || summary || n++ >= 3) continue; /* summaries usually lie beside their traces */
        names = tt_arena_printf(&a, "%s%s%.200s", names, *names ? ", " : "", tt_names_base(x->found.path));
    }
    if (n) {
        char more[32] = "";

        if (n > 3) snprintf(more, sizeof more, " and %zu more", n - 3);
        tt_found_warn(d->list, "%s: passed over, as tracetty wrote or still writes it: %s%s", d->root, names, more);
    }
    tt_arena_free(&a);
}

/* Frameworks of the inputs of a place that have the first kind of name. */
typedef struct leading {
    TT_VEC(const char *) frameworks;
    bool unknown;    /* the first bytes of an input do not tell its framework */
    bool many_forms; /* runs of some framework leave all their forms side by side */
} leading;

static bool leads(const leading *l, const char *framework)
{
    for (size_t i = 0; i < l->frameworks.n; i++)
        if (is_text(l->frameworks.at[i], framework)) return true;
    return false;
}

static leading leading_of(division *d, size_t from, size_t to)
{
    leading l = {0};
    unsigned first = UINT32_MAX; /* lower kinds may have been own output */

    for (size_t i = from; i < to; i++)
        if (!d->at[i].left_out && !d->at[i].found.inner && d->at[i].found.lesser < first) first = d->at[i].found.lesser;
    for (size_t i = from; i < to; i++) {
        item *x = &d->at[i];
        const char *framework = x->head.framework;

        if (x->left_out || x->found.inner || x->found.lesser != first) continue;
        x->found.lesser = 0;
        l.unknown |= !framework && x->head.trace;
        l.many_forms |= tt_format_many_forms(framework);
        if (framework && !leads(&l, framework)) *tt_vec_push(&l.frameworks) = framework;
    }
    return l;
}

/* Keep a file with a lesser name only if its framework differs from the others: otherwise it repeats them in another
 * form, or is no trace. d->at[from..to) lie in one place. */
static void leave_lesser(division *d, size_t from, size_t to)
{
    const tt_format *any_name = &tt_formats[tt_n_formats - 1];
    leading l = leading_of(d, from, to);

    for (size_t i = from; i < to; i++) {
        item *x = &d->at[i];
        const char *framework = x->head.framework;
        bool one_more_form = tt_format_many_forms(framework) || is_text(framework, "chrome") ||
                             tt_names_format(tt_names_base(x->found.path)) == any_name;

        if (!x->found.lesser) continue;
        x->left_out |= !x->head.trace || !framework || l.unknown || leads(&l, framework) ||
                       ((l.many_forms || x->found.inner) && one_more_form);
    }
    tt_vec_free(&l.frameworks);
}

static void forget_left_out(division *d)
{
    size_t kept = 0;

    for (size_t i = 0; i < d->n; i++) {
        if (d->at[i].left_out)
            tt_found_clear(&d->at[i].found);
        else
            d->at[kept++] = d->at[i];
    }
    d->n = kept;
}

/* ---- order */

static int by_place(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;
    int c = strcmp(a->found.run, b->found.run);

    if (!c) c = (a->group > b->group) - (a->group < b->group);
    if (!c) c = tt_natural_order(a->found.path, b->found.path);
    return c ? c : tt_natural_order(a->found.worker, b->found.worker);
}

static void sort(division *d)
{
    if (d->n) qsort(d->at, d->n, sizeof *d->at, by_place);
}

/* ---- folders of ranks */

/* Length of the place above if the place is a folder "rank_N" that holds the files of one rank; SIZE_MAX = it is
 * not. */
static size_t above_rank(const tt_found *f, int64_t *rank)
{
    const char *base = tt_names_base(f->run);
    size_t digits = strncmp(base, "rank_", 5) == 0 ? strspn(base + 5, "0123456789") : 0;

    if (!digits || digits > 9 || base[5 + digits] || is_folder(f)) return SIZE_MAX;
    *rank = strtol(base + 5, NULL, 10);
    return base > f->run ? (size_t)(base - f->run - 1) : 0;
}

/* Whether the item lies in a folder rank_N in the folder `above`. */
static bool is_rank_in(const item *x, const char *above, int64_t *rank)
{
    size_t n = above_rank(&x->found, rank);

    return n == strlen(above) && !strncmp(x->found.run, above, n);
}

/* Make the files of folders rank_N in `above` workers of one run, if there are several such folders and no other file
 * lies there. */
static void join_rank_folders_in(division *d, const char *above)
{
    int64_t first = -1, rank;
    bool several = false;

    for (size_t i = 0; i < d->n; i++) {
        if (!strcmp(d->at[i].found.run, above)) return;
        if (!is_rank_in(&d->at[i], above, &rank)) continue;
        several |= first >= 0 && rank != first;
        first = rank;
    }
    for (size_t i = 0; i < d->n && several; i++) {
        item *x = &d->at[i];

        if (!is_rank_in(x, above, &rank)) continue;
        x->found.rank = x->head.rank = rank;
        free(x->found.worker);
        x->found.worker = tt_strdup(tt_names_base(x->found.run));
        free(x->found.run);
        x->found.run = tt_strdup(above);
    }
}

static void join_rank_folders(division *d)
{
    char *last = NULL;

    sort(d);
    for (size_t i = 0; i < d->n; i++) {
        int64_t rank;
        size_t n = above_rank(&d->at[i].found, &rank);

        if (n == SIZE_MAX || (last && is_rank_in(&d->at[i], last, &rank))) continue;
        free(last);
        last = tt_strndup(d->at[i].found.run, n);
        join_rank_folders_in(d, last);
    }
    free(last);
}

/* ---- groups */

/* Whether the input is a rank's own folder. Such folders anywhere below the root form one run if no rank occurs twice,
 * because then they are ranks of one training. */
static bool numbers_itself(const tt_found *f)
{
    char number[24];

    snprintf(number, sizeof number, "%" PRId64, f->rank);
    return is_folder(f) && f->rank >= 0 && !strcmp(f->worker, number);
}

static bool is_dump(const item *x) { return is_text(x->head.framework, "flight_recorder"); }

/* Length of the place of a dump's folder's parent. */
static size_t above_folder(const item *x) { return (size_t)(tt_names_base(x->found.run) - x->found.run); }

static int by_folder_above(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;
    size_t n = above_folder(a), m = above_folder(b);
    int c = is_dump(b) - is_dump(a);

    if (!c) c = (n > m) - (n < m);
    return c ? c : strncmp(a->found.run, b->found.run, n);
}

/* Dumps in d->at[from..to) lie in folders beside each other: those of the nodes of one job, if no rank comes twice. */
static void join_dumps_of(division *d, size_t from, size_t to)
{
    int64_t *ranks = tt_calloc(to - from, sizeof *ranks);
    bool join = strcmp(d->at[from].found.run, d->at[to - 1].found.run) != 0;
    size_t n = 0;

    for (size_t i = from; i < to; i++) {
        int64_t rank = tt_flight_named_rank(tt_names_base(d->at[i].found.path));
        if (rank >= 0) ranks[n++] = rank;
    }
    TT_SORT_UP(ranks, n);
    for (size_t i = 1; i < n; i++) join = join && ranks[i - 1] != ranks[i];
    for (size_t i = from; i < to && join; i++) {
        size_t above = above_folder(&d->at[i]);
        d->at[i].found.run[above ? above - 1 : 0] = '\0';
    }
    free(ranks);
}

/* Make the dumps of a flight recorder in folders beside each other one run. */
static void join_dumps(division *d)
{
    size_t from = 0, to;

    sort(d);
    for (size_t i = 0; i < d->n; i++)
        if (is_dump(&d->at[i])) d->at[i].head.rank = -1; /* ranks of a run are settled by its contents */
    tt_sort_runs(d->at, d->n, sizeof *d->at, by_folder_above);
    for (; from < d->n && is_dump(&d->at[from]); from = to) {
        for (to = from + 1; to < d->n && !by_folder_above(&d->at[from], &d->at[to]);) to++;
        join_dumps_of(d, from, to);
    }
}

/* Make the frozen recordings of the processes of a job that were frozen together one run. */
static void join_frozen(division *d)
{
    const char **places = tt_calloc(d->n, sizeof *places);
    char **joined = tt_calloc(d->n, sizeof *joined);

    for (size_t i = 0; i < d->n; i++) places[i] = d->at[i].found.run;
    tt_frozen_join(places, d->n, joined);
    for (size_t i = 0; i < d->n; i++) {
        if (!joined[i]) continue;
        free(d->at[i].found.run);
        d->at[i].found.run = joined[i];
        d->at[i].joined = true;
    }
    free(joined);
    free(places);
}

/* Shorten a to the folder above both places. */
static void above_both(char *a, const char *b)
{
    size_t n = 0, slash = 0;

    while (a[n] && a[n] == b[n]) {
        if (a[n] == '/') slash = n;
        n++;
    }
    if ((!a[n] || a[n] == '/') && (!b[n] || b[n] == '/')) slash = n;
    a[slash] = '\0';
}

static void join_ranks(division *d, const tt_format *format)
{
    int64_t *numbers = tt_calloc(d->n, sizeof *numbers);
    char *place = NULL;
    size_t n = 0;
    bool join = true;

    for (size_t i = 0; i < d->n; i++) {
        const tt_found *f = &d->at[i].found;

        if (f->format != format || !numbers_itself(f)) continue;
        numbers[n++] = f->rank;
        if (place)
            above_both(place, f->run);
        else
            place = tt_strdup(f->run);
    }
    TT_SORT_UP(numbers, n);
    for (size_t i = 1; i < n; i++) join = join && numbers[i - 1] != numbers[i];
    for (size_t i = 0; i < d->n && n > 1 && join; i++) {
        tt_found *f = &d->at[i].found;

        if (f->format != format || !numbers_itself(f)) continue;
        free(f->run);
        f->run = tt_strdup(place);
    }
    free(place);
    free(numbers);
}

static int by_framework(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;
    const char *x = a->head.framework, *y = b->head.framework;

    return x && y ? strcmp(x, y) : !x - !y;
}

/* Make a group for each framework of d->at[from..to); inputs of unknown framework join the first group. Returns the
 * number of groups. */
static uint32_t divide_frameworks(division *d, size_t from, size_t to)
{
    uint32_t groups = 0;

    qsort(d->at + from, to - from, sizeof *d->at, by_framework);
    for (size_t i = from; i < to; i++) {
        groups += i > from && d->at[i].head.framework && by_framework(&d->at[i - 1], &d->at[i]) != 0;
        d->at[i].group = d->at[i].head.framework ? groups : 0;
    }
    return groups + 1;
}

/* Workers that are named by number are different ones if their folders differ. */
static int same_worker(const item *a, const item *b)
{
    int c = strcmp(a->found.worker, b->found.worker);

    return c || !numbers_itself(&a->found) ? c : strcmp(a->found.path, b->found.path);
}

static int by_worker(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;

    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return same_worker(a, b);
}

static int by_begin(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;

    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    if (a->begun_ns != b->begun_ns) return a->begun_ns < b->begun_ns ? -1 : 1;
    return same_worker(a, b);
}

/* SGLang numbers TP-0-DP-0 and TP-0-DP-1 alike, and its profiles of one server belong together. */
static bool has_stages(const char *worker) { return !strncmp(worker, "TP-", 3); }

/* Number of the replica of a server, plus 1; replicas dp0_rank0 and dp1_rank0 number their ranks alike. 0 = none. */
static uint64_t replica(const char *worker)
{
    for (const char *p = worker; (p = strcasestr(p, "dp")) != NULL; p++) {
        const char *n = p + 2 + (p[2] == '-' || p[2] == '_');

        if ((p == worker || p[-1] == '_' || p[-1] == '-') && *n >= '0' && *n <= '9')
            return 1 + (uint64_t)strtol(n, NULL, 10);
    }
    return 0;
}

/* Workers of one framework whose ranks collide were recorded one after another: each of d->at[from..to) joins the last
 * run in which its rank is still free. *groups counts the groups. */
static void divide_ranks(division *d, size_t from, size_t to, uint32_t *groups)
{
    tt_number_set ranks = {0};
    TT_VEC(uint32_t) run_of = {0}; /* for each rank: 1 + the last group with that rank */
    uint32_t first = 0, now = 0;

    qsort(d->at + from, to - from, sizeof *d->at, by_worker);
    for (size_t i = from, k; i < to; i = k) {
        int64_t begun = d->at[i].at_ns;

        for (k = i; k < to && !by_worker(&d->at[i], &d->at[k]); k++)
            if (d->at[k].at_ns < begun) begun = d->at[k].at_ns;
        for (k = i; k < to && !by_worker(&d->at[i], &d->at[k]); k++) d->at[k].begun_ns = begun;
    }
    qsort(d->at + from, to - from, sizeof *d->at, by_begin);
    for (size_t i = from; i < to; i++) {
        item *x = &d->at[i];
        bool again = i > from && x->group == first && !same_worker(x - 1, x);

        if (i == from || x->group != first) now = first = x->group;
        if (x->head.rank >= 0 && !again && !has_stages(x->found.worker)) {
            uint64_t key = (uint64_t)first << 52 ^ replica(x->found.worker) << 32 ^ (uint64_t)x->head.rank;
            uint32_t id = tt_number_set_put(&ranks, key);

            while (run_of.n <= id) *tt_vec_push(&run_of) = 0;
            if (run_of.at[id] == now + 1) now = (*groups)++;
            run_of.at[id] = now + 1;
        }
        x->group = now;
    }
    tt_number_set_free(&ranks);
    tt_vec_free(&run_of);
}

/* ---- names */

static const char *below_root(const char *path, const char *root)
{
    size_t n = strlen(root);

    if (strncmp(path, root, n) != 0) return path;
    path += n;
    while (*path == '/') path++;
    return path;
}

/* Name of a folder below the root; for the root itself its last component. */
static char *name_of_place(const char *place, const char *root)
{
    char *whole, *name;

    if (*place) return tt_strdup(place);
    whole = realpath(root, NULL); /* resolves "." and "runs/", too */
    name = tt_strdup(whole && tt_names_base(whole)[0] ? tt_names_base(whole) : root);
    free(whole);
    return name;
}

static bool is_taken(const tt_found_list *l, size_t from, const char *name)
{
    for (size_t i = from; i < l->runs.n; i++)
        if (!strcmp(l->runs.at[i].name, name)) return true;
    return false;
}

/* Add the run of d->at[from..to); alone: no other run shares its folder. first: the first run of this root. A run is
 * named after its folder, or after its first file if it shares the folder. */
static void add_run(division *d, size_t from, size_t to, bool alone, size_t first)
{
    const item *x = &d->at[from];
    const char *below = below_root(x->found.path, d->root);
    bool folder = alone ? strcmp(below, x->found.run) != 0 || !is_file(&x->found) : is_folder(&x->found);
    tt_found_run r = {.folder = folder};

    if (is_folder(&x->found) && below == x->found.path) { /* the root lies inside the folder that is the input */
        r.name = tt_strdup(tt_names_base(below));
        r.path = tt_strdup(below);
    } else if (x->joined) {
        size_t above = above_folder(x);
        char *place = tt_strndup(x->found.run, above ? above - 1 : 0);

        r.folder = true;
        r.name = tt_strdup(x->found.run);
        r.path = *place ? tt_names_join(d->root, place) : tt_strdup(d->root);
        free(place);
    } else if (alone || !*below) {
        r.name = name_of_place(x->found.run, d->root);
        r.path = !folder         ? tt_strdup(x->found.path)
                 : *x->found.run ? tt_names_join(d->root, x->found.run)
                                 : tt_strdup(d->root);
    } else if (is_dump(x)) { /* dumps beside traces */
        r.name = tt_names_join(x->found.run, TT_HANG_RUN);
        r.path = tt_strdup(x->found.path);
    } else {
        r.name = tt_strdup(below);
        r.path = tt_strdup(x->found.path);
    }
    r.hang = is_dump(x);
    if (is_taken(d->list, first, r.name)) { /* the root, and a folder with its name inside it */
        free(r.name);
        r.name = tt_strdup(*below ? below : x->found.path);
    }
    for (size_t i = from; i < to; i++) {
        item *y = &d->at[i];

        r.bytes += y->bytes;
        r.readable |= y->head.trace;
        r.linked |= y->linked;
        r.inputs++;
        r.workers += i == from || same_worker(y - 1, y) != 0;
        if (y->at_ns > r.at_ns || i == from) {
            r.at_ns = y->at_ns;
            r.by = y->by;
        }
    }
    for (size_t i = from; i < to; i++) {
        free(d->at[i].found.run);
        d->at[i].found.run = tt_strdup(r.name);
    }
    *tt_vec_push(&d->list->runs) = r;
}

/* ---- dividing all inputs */

/* Add the runs of d->at[from..to), which lie in one place. */
static void divide_place(division *d, size_t from, size_t to, size_t first)
{
    uint32_t groups = divide_frameworks(d, from, to);

    divide_ranks(d, from, to, &groups);
    qsort(d->at + from, to - from, sizeof *d->at, by_place);
    for (size_t i = from, k; i < to; i = k) {
        for (k = i + 1; k < to && d->at[k].group == d->at[i].group;) k++;
        add_run(d, i, k, groups == 1, first);
    }
}

static void each_place(division *d, void (*fn)(division *d, size_t from, size_t to))
{
    sort(d);
    for (size_t i = 0, k; i < d->n; i = k) {
        for (k = i + 1; k < d->n && !strcmp(d->at[k].found.run, d->at[i].found.run);) k++;
        fn(d, i, k);
    }
}

static void divide_one(division *d, size_t from, size_t to) { divide_place(d, from, to, d->first_run); }

void tt_runs_divide(tt_found_list *l, size_t from, const char *root)
{
    division d = {.list = l, .root = root, .n = l->n - from, .first_run = l->runs.n};
    const tt_format *format = NULL;

    d.at = tt_calloc(d.n, sizeof *d.at);
    for (size_t i = 0; i < d.n; i++) d.at[i].found = l->at[from + i];
    tt_parallel(tt_threads(), d.n, look, &d);
    for (size_t i = 0; i < d.n; i++) {
        take_size(&d.at[i]);
        take_time(&d, &d.at[i]);
    }
    leave_own(&d);
    leave_keys(&d);
    leave_merged(&d);
    forget_left_out(&d);
    each_place(&d, leave_lesser);
    forget_left_out(&d);
    join_rank_folders(&d);
    join_dumps(&d);
    join_frozen(&d);
    for (size_t i = 0; i < d.n; i++) { /* visit each format once */
        if (!d.at[i].found.format || d.at[i].found.format <= format) continue;
        format = d.at[i].found.format;
        join_ranks(&d, format);
    }
    each_place(&d, divide_one);
    for (size_t i = 0; i < d.n; i++) l->at[from + i] = d.at[i].found;
    l->n = from + d.n;
    if (l->runs.n > d.first_run)
        TT_SORT_BY(l->runs.at + d.first_run, l->runs.n - d.first_run, TT_DESC(tt_found_run, at_ns),
                   TT_ASC(tt_found_run, name));
    free(d.at);
}

void tt_found_runs_clear(tt_found_list *l)
{
    for (size_t i = 0; i < l->runs.n; i++) {
        free(l->runs.at[i].name);
        free(l->runs.at[i].path);
    }
    tt_vec_free(&l->runs);
}

/* parser/input/walk.c - see walk.h. Folders wait in two queues, folders of the tree and folders behind links, and are
 * taken in the order they were found: a limit leaves out the deepest folders. */
#include "parser/input/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/clock.h"
#include "model/base/number_set.h"
#include "model/base/sort_by.h"

const tt_walk_limits tt_walk_whole = {.depth = UINT32_MAX,
                                      .entries = 10000000,
                                      .folders = 1000000,
                                      .ms = INT64_MAX / 2};

enum { CLOSED, TOO_LONG, OUT, N_KINDS, NAMED_MOST = 4 }; /* NAMED_MOST entries of each kind are named, others counted */

typedef struct waiting {
    char *below;
    uint32_t depth;
    bool link;
} waiting;

typedef struct queue {
    TT_VEC(waiting) list;
    size_t taken;
} queue;

struct tt_walk {
    char *root, *real; /* real: path of the root without links; NULL = unknown */
    bool (*wants)(const char *name);
    const tt_walk_limits *most;
    const _Atomic bool *stop;
    int64_t until; /* end of the walk's time in ms */
    uint32_t entries, folders;
    queue own, linked;
    tt_walk_folder now;
    char *path, *below; /* path and place of the folder `now` */
    uint32_t depth;
    tt_number_set devices;
    TT_VEC(tt_number_set) inodes; /* entered folders and files, one set for each device */
    const char *stopped;
    bool ended;
    int error;
    uint32_t n_left[N_KINDS];
    TT_VEC(char *) named[N_KINDS]; /* the first entries of each kind passed over */
};

/* ---- small parts */

static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder), m = strlen(name);
    bool slash = n > 0 && m > 0 && folder[n - 1] != '/';
    char *s = tt_malloc(n + slash + m + 1);
    memcpy(s, folder, n);
    if (slash) s[n] = '/';
    memcpy(s + n + slash, name, m + 1);
    return s;
}

static bool lies_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strcmp(folder, "/") || (!strncmp(path, folder, n) && (path[n] == '/' || !path[n]));
}

/* Whether this file or folder comes for the first time. */
static bool is_new(tt_walk *w, uint64_t dev, uint64_t ino)
{
    uint32_t d = tt_number_set_put(&w->devices, dev);
    if (d == w->inodes.n) *tt_vec_push(&w->inodes) = (tt_number_set){0};
    tt_number_set *set = &w->inodes.at[d];
    size_t before = set->at.n;
    return tt_number_set_put(set, ino) == before;
}

/* Count an entry that is passed over, and keep its text if it is among the first. Takes over the text. */
static void leave_out(tt_walk *w, int kind, char *text)
{
    w->n_left[kind]++;
    if (w->named[kind].n < NAMED_MOST)
        *tt_vec_push(&w->named[kind]) = text;
    else
        free(text);
}

static bool is_over(tt_walk *w, bool entries)
{
    const char *why = NULL;
    if (w->stop && atomic_load(w->stop)) why = "because it was not wanted any more";
    if (!why && entries && w->entries >= w->most->entries) why = "after many files";
    if (!why && tt_clock_ms() >= w->until) why = "as it took long";
    if (why && !w->ended) w->stopped = why;
    w->ended |= why != NULL;
    return w->ended;
}

/* ---- one folder */

static DIR *open_folder(const char *path, int flags)
{
    int fd = open(*path ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !d) close(fd);
    return d;
}

/* Append the names in the folder. With a walk: stop when the walk's time is over. */
static bool read_names(DIR *d, tt_walk *w, tt_walk_names *out)
{
    size_t from = out->n;
    int error = 0;
    while (!(w && is_over(w, false))) {
        errno = 0; /* errno tells an error from the end */
        struct dirent *e = readdir(d);
        error = errno;
        if (!e) break;
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) *tt_vec_push(out) = tt_strdup(e->d_name);
    }
    if (out->n > from) TT_SORT_UP(out->at + from, out->n - from);
    errno = error;
    return !error;
}

bool tt_walk_read(const char *folder, tt_walk_names *out)
{
    DIR *d = open_folder(folder, 0);
    if (!d) return false;
    bool whole = read_names(d, NULL, out);
    int error = errno;
    closedir(d);
    errno = error;
    return whole;
}

void tt_walk_names_free(tt_walk_names *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->at[i]);
    tt_vec_free(l);
}

typedef struct lister {
    tt_walk *w; /* or NULL */
    const char *path;
    char *real; /* path of the folder without links; NULL = not asked yet, or unknown */
    int dir;
    bool denied;     /* the names can be read, but not the entries */
    bool only_links; /* follow links to files anywhere: see has_only_links() */
} lister;

/* Whether the caller would open the entry that is passed over, and has not heard of it. */
static bool is_missed(tt_walk *w, const char *name, bool folder, const struct stat *own)
{
    return w && (folder || w->wants(name)) && is_new(w, own->st_dev, own->st_ino);
}

/* Whether the walk follows this link; if so, fill in the entry it leads to. */
static bool follow(lister *l, const char *full, const char *name, const struct stat *link, tt_walk_entry *e)
{
    tt_walk *w = l->w;
    char *target = realpath(full, NULL);
    bool in = target && w->real && (lies_below(target, w->real) || (l->only_links && !e->folder));
    if (!in && is_missed(w, name, e->folder, link)) {
        tt_text t = {0};
        tt_text_put(&t, full, strlen(full));
        tt_text_put(&t, " -> ", 4);
        tt_text_put(&t, target ? target : "?", target ? strlen(target) : 1);
        leave_out(w, OUT, t.at);
    }
    if (in && !l->real) l->real = realpath(*l->path ? l->path : ".", NULL);
    if (in && l->real) {
        size_t n = strcmp(l->real, "/") != 0 ? strlen(l->real) : 0;
        e->away = !lies_below(target, l->real);
        const char *base = e->away || !target[n] ? "" : target + n + 1;
        if (*base && *base != '.' && !strchr(base, '/')) e->alias = tt_strdup(base);
    }
    free(target);
    return in;
}

static void look_at(lister *l, const char *name, tt_walk_entries *out)
{
    struct stat own, st;
    tt_walk *w = l->w;
    if (fstatat(l->dir, name, &own, AT_SYMLINK_NOFOLLOW) != 0) {
        l->denied |= errno == EACCES;
        return;
    }
    tt_walk_entry e = {.link = S_ISLNK(own.st_mode)};
    st = own;
    if (e.link && fstatat(l->dir, name, &st, 0) != 0) return;
    e.folder = S_ISDIR(st.st_mode);
    if (!e.folder && !S_ISREG(st.st_mode)) return;
    char *full = join(l->path, name);
    bool fits = strlen(full) < PATH_MAX;
    if (!fits && is_missed(w, name, e.folder, &own)) leave_out(w, TOO_LONG, tt_strdup(full));
    if (fits && (!e.link || !w || follow(l, full, name, &own, &e))) {
        e.name = tt_strdup(name);
        e.bytes = (uint64_t)st.st_size;
        e.dev = st.st_dev;
        e.ino = st.st_ino;
        e.changed = st.st_mtime;
        *tt_vec_push(out) = e;
    }
    free(full);
}

/* Whether the named folder has no folder and no wanted file of its own: then a user has put its links together in
 * order to open it. */
static bool has_only_links(const tt_walk *w, int dir, const tt_walk_names *names)
{
    if (*w->below) return false;
    for (size_t i = 0; i < names->n; i++) {
        struct stat own;
        if (*names->at[i] == '.' || fstatat(dir, names->at[i], &own, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISDIR(own.st_mode) || (S_ISREG(own.st_mode) && w->wants(names->at[i]))) return false;
    }
    return true;
}

/* List the folder; 0, or errno why the folder or an entry cannot be read. */
static int list(tt_walk *w, const char *path, DIR *d, tt_walk_entries *out)
{
    lister l = {.w = w, .path = path, .dir = dirfd(d)};
    tt_walk_names names = {0};
    int error = read_names(d, w, &names) ? 0 : errno;
    l.only_links = w && has_only_links(w, l.dir, &names);
    for (size_t i = 0; i < names.n; i++) {
        if (*names.at[i] == '.') continue;
        if (w && is_over(w, true)) break;
        if (w) w->entries++;
        look_at(&l, names.at[i], out);
    }
    tt_walk_names_free(&names);
    free(l.real);
    return error ? error : l.denied ? EACCES : 0;
}

bool tt_walk_list(tt_walk *w, const char *folder, tt_walk_entries *out)
{
    DIR *d = open_folder(folder, 0);
    if (!d) return false;
    int error = list(w, folder, d, out);
    closedir(d);
    errno = error;
    return !error;
}

void tt_walk_entries_free(tt_walk_entries *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free(l->at[i].name);
        free(l->at[i].alias);
    }
    tt_vec_free(l);
}

/* ---- the whole tree below a folder */

static void add_waiting(tt_walk *w, char *below, uint32_t depth, bool link)
{
    queue *q = link ? &w->linked : &w->own;
    *tt_vec_push(&q->list) = (waiting){below, depth, link};
    w->folders++;
}

tt_walk *tt_walk_begin(const char *root, bool (*wants)(const char *name), const tt_walk_limits *limits,
                       const _Atomic bool *stop)
{
    tt_walk *w = tt_calloc(1, sizeof *w);
    w->root = tt_strdup(root);
    w->real = realpath(*root ? root : ".", NULL);
    w->wants = wants;
    w->most = limits;
    w->stop = stop;
    w->until = tt_clock_ms() + limits->ms;
    add_waiting(w, tt_strdup(""), 0, true); /* if the root is a link it is followed */
    return w;
}

/* Queue the folders inside the folder that the caller has seen. */
static void queue_folders(tt_walk *w)
{
    const tt_walk_entries *l = &w->now.entries;
    for (size_t i = 0; i < l->n; i++) {
        const tt_walk_entry *e = &l->at[i];
        if (!e->folder) continue;
        if (e->skip) {
            if (!e->link) (void)is_new(w, e->dev, e->ino); /* and do not enter it through a link */
        } else if (w->depth >= w->most->depth) {
            if (!w->stopped) w->stopped = "some levels down";
        } else if (w->folders >= w->most->folders) {
            if (!w->stopped) w->stopped = "after many folders";
        } else {
            add_waiting(w, join(w->below, e->name), w->depth + 1, e->link);
        }
    }
}

static void forget_now(tt_walk *w)
{
    free(w->path);
    free(w->below);
    w->path = w->below = NULL;
    tt_walk_entries_free(&w->now.entries);
}

/* Make the folder `now`. False = it was entered before, or cannot be read. */
static bool enter(tt_walk *w, const waiting *next)
{
    forget_now(w);
    w->below = next->below;
    w->path = join(w->root, next->below);
    w->depth = next->depth;
    struct stat st;
    DIR *d = open_folder(w->path, next->link ? 0 : O_NOFOLLOW);
    int error = d && fstat(dirfd(d), &st) == 0 ? 0 : errno;
    bool first = !error && is_new(w, st.st_dev, st.st_ino);
    if (first) error = list(w, w->path, d, &w->now.entries);
    if (d) closedir(d);
    if (error && !*w->below) {
        w->error = error;
    } else if (error) {
        tt_text t = {0};
        const char *why =
            strerror(error); /* NOLINT(concurrency-mt-unsafe): a constant text in glibc for known errors */
        tt_text_put(&t, w->path, strlen(w->path));
        tt_text_put(&t, ": cannot be read: ", 18);
        tt_text_put(&t, why, strlen(why));
        leave_out(w, CLOSED, t.at);
    }
    w->now.path = w->path;
    w->now.below = w->below;
    return first;
}

bool tt_walk_next(tt_walk *w, tt_walk_folder **out)
{
    if (w->below) queue_folders(w);
    for (;;) {
        queue *q = w->own.taken < w->own.list.n ? &w->own : &w->linked;
        if (q->taken == q->list.n || is_over(w, true)) {
            forget_now(w);
            return false;
        }
        waiting next = q->list.at[q->taken];
        q->list.at[q->taken++].below = NULL;
        if (!enter(w, &next)) continue;
        *out = &w->now;
        return true;
    }
}

bool tt_walk_ended(tt_walk *w) { return is_over(w, true); }

int tt_walk_error(const tt_walk *w) { return w->error; }

tt_walk_left tt_walk_over(const tt_walk *w)
{
    return (tt_walk_left){w->n_left[CLOSED] + (w->error != 0), w->n_left[TOO_LONG], w->n_left[OUT], w->stopped};
}

static const char *root_of(const tt_walk *w) { return *w->root ? w->root : "."; }

/* The line about links that lead out; NULL = there are none. */
static const char *out_line(const tt_walk *w, tt_arena *a)
{
    uint32_t n = w->n_left[OUT], more = n - (uint32_t)w->named[OUT].n;
    const char *names = "", *several = n > 1 ? "s lead" : " leads", *them = n > 1 ? "are" : "is";
    if (!n) return NULL;
    for (size_t i = 0; i < w->named[OUT].n; i++)
        names = tt_arena_printf(a, "%s%s%.300s", names, i ? ", " : "", w->named[OUT].at[i]);
    if (more) names = tt_arena_printf(a, "%s and %u more", names, more);
    return tt_arena_printf(
        a, "%s: %u link%s out of this folder and %s passed over (give a target as a PATH to open it): %s", root_of(w),
        n, several, them, names);
}

void tt_walk_tell(const tt_walk *w, void (*say)(void *arg, const char *line), void *arg)
{
    tt_arena a = {0};
    const char *out = out_line(w, &a);
    for (size_t i = 0; i < w->named[CLOSED].n; i++) say(arg, w->named[CLOSED].at[i]);
    if (w->n_left[CLOSED] > w->named[CLOSED].n)
        say(arg, tt_arena_printf(&a, "%s: %u more folders below it cannot be read", root_of(w),
                                 w->n_left[CLOSED] - (uint32_t)w->named[CLOSED].n));
    for (size_t i = 0; i < w->named[TOO_LONG].n; i++) {
        const char *path = w->named[TOO_LONG].at[i], *slash = strrchr(path, '/');
        say(arg, tt_arena_printf(&a,
                                 "%.200s[...]/%s: cannot be read: its path is longer than the system takes; go into a "
                                 "folder above it (cd) and open it from there",
                                 path, slash ? slash + 1 : path));
    }
    if (w->n_left[TOO_LONG] > w->named[TOO_LONG].n)
        say(arg, tt_arena_printf(&a, "%s: %u more paths below it are longer than the system takes", root_of(w),
                                 w->n_left[TOO_LONG] - (uint32_t)w->named[TOO_LONG].n));
    if (out) say(arg, out);
    if (w->stopped)
        say(arg, tt_arena_printf(&a, "%s: the search for traces stopped %s; name a folder below it to see the rest",
                                 root_of(w), w->stopped));
    tt_arena_free(&a);
}

static void queue_free(queue *q)
{
    for (size_t i = q->taken; i < q->list.n; i++) free(q->list.at[i].below);
    tt_vec_free(&q->list);
}

void tt_walk_end(tt_walk *w)
{
    if (!w) return;
    forget_now(w);
    queue_free(&w->own);
    queue_free(&w->linked);
    for (size_t i = 0; i < w->inodes.n; i++) tt_number_set_free(&w->inodes.at[i]);
    tt_vec_free(&w->inodes);
    tt_number_set_free(&w->devices);
    for (int k = 0; k < N_KINDS; k++) {
        for (size_t i = 0; i < w->named[k].n; i++) free(w->named[k].at[i]);
        tt_vec_free(&w->named[k]);
    }
    free(w->root);
    free(w->real);
    free(w);
}

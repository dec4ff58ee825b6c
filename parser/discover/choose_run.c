/* parser/discover/choose_run.c - chooses one of the runs below a folder, by name or as the newest, and words messages
 * about the choice, or about what lies beside an empty file. See discover.h. */
#include "parser/discover/discover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "parser/discover/names.h"

enum { NAMES_TEXT = 400 }; /* bytes of names in a message for people; further names are only counted */

/* The names of all runs but one, as "a, b and 3 more". */
static const char *names_but(const tt_found_list *l, size_t but, tt_arena *a)
{
    const char *text = "";
    size_t more = 0;

    for (size_t i = 0; i < l->runs.n; i++) {
        if (i == but) continue;
        if (strlen(text) > NAMES_TEXT) {
            more++;
            continue;
        }
        text = tt_arena_printf(a, "%s%s%s", text, *text ? ", " : "", l->runs.at[i].name);
    }
    return more ? tt_arena_printf(a, "%s and %zu more", text, more) : text;
}

/* Whether the name ends with `asked`, beginning at the name of a folder or file. */
static bool ends_so(const char *name, const char *asked)
{
    size_t n = strlen(name), m = strlen(asked);

    return n > m && name[n - m - 1] == '/' && !strcmp(name + n - m, asked);
}

static size_t without_slashes(const char *s)
{
    size_t n = strlen(s);

    while (n > 1 && s[n - 1] == '/') n--;
    return n;
}

static tt_status unknown(const tt_found_list *l, const char *root, const char *run, size_t like, tt_err *err)
{
    tt_arena a = {0};

    if (l->runs.n == 1 && !*l->runs.at[0].name)
        return tt_fail(err, TT_ERR_USAGE, -1, "--run: %s is one run: it chooses among the runs of a folder", root);
    tt_fail(err, TT_ERR_USAGE, -1, "--run: %s has %s '%s'; its runs are: %s", root,
            like ? "several runs whose names end with" : "no run", run, names_but(l, l->runs.n, &a));
    tt_arena_free(&a);
    return err->code;
}

tt_status tt_found_choose(const tt_found_list *l, const char *root, const char *run, size_t *out, tt_err *err)
{
    size_t n = without_slashes(root), like = 0;
    char *asked;

    *out = 0;
    if (!run) {
        while (*out + 1 < l->runs.n && !l->runs.at[*out].readable) ++*out;
        if (!l->runs.at[*out].readable) *out = 0;
        return TT_OK;
    }
    if (!strncmp(run, root, n) && run[n] == '/' && run[n + 1]) run += n + 1;
    asked = tt_strndup(run, without_slashes(run));
    for (size_t i = 0; i < l->runs.n && like != SIZE_MAX; i++) {
        if (!strcmp(l->runs.at[i].name, asked)) {
            *out = i;
            like = SIZE_MAX;
        } else if (ends_so(l->runs.at[i].name, asked)) {
            *out = i;
            like++;
        }
    }
    for (size_t i = 0; i < l->runs.n && !like && !strcmp(asked, TT_HANG_RUN); i++) {
        if (!l->runs.at[i].hang) continue;
        *out = i;
        like = SIZE_MAX;
    }
    free(asked);
    return like == 1 || like == SIZE_MAX ? TT_OK : unknown(l, root, run, like, err);
}

const char *tt_found_run_path(const tt_found_list *l, const char *run)
{
    for (size_t i = 0; i < l->runs.n; i++) {
        const char *path = l->runs.at[i].path;

        if (!strcmp(l->runs.at[i].name, run)) return !strncmp(path, "./", 2) && path[2] ? path + 2 : path;
    }
    return "";
}

const char *tt_found_words(const tt_found_list *l, const char *root, size_t taken, tt_arena *a)
{
    static const char *const by[] = {[TT_FOUND_BY_NAME] = "by its name",
                                     [TT_FOUND_BY_EVENTS] = "by its events",
                                     [TT_FOUND_BY_CHANGE] = "by its files"};
    const tt_found_run *r = &l->runs.at[taken];
    time_t at = (time_t)(r->at_ns / 1000000000);
    char when[32] = "";
    struct tm tm;

    if (l->runs.n < 2) return "";
    if (localtime_r(&at, &tm)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    return tt_arena_printf(
        a, "%s holds %zu runs; '%s' was taken, the newest%s (%s, %s). --run NAME takes another one: %s", root,
        l->runs.n, r->name, taken ? " that can be read" : "", when, by[r->by], names_but(l, taken, a));
}

/* ---- an empty file, and what lies beside it */

/* Copy to out the name of a trace in the same folder as the file at path; false = there is none. */
static bool find_beside(const char *path, char *out, size_t cap)
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

void tt_discover_say_beside(const char *path, tt_err *err)
{
    char other[300];
    struct stat st;
    if (!err || stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size) return;
    size_t n = strlen(err->message);
    if (!find_beside(path, other, sizeof other)) return;
    snprintf(err->message + n, sizeof err->message - n, "; beside it is %s", other);
}

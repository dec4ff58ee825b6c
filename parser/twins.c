/* Finds files with the same content: see twins.h. */
#include "parser/twins.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/sort_by.h"

#define PART ((size_t)64 << 10)
#define TEXT_MOST ((uint64_t)512 << 20) /* limit of text read, for one pair and for all pairs */
#define BACK_MOST 4                     /* different files of one size to look back over */

enum { DIFFERENT, SAME, TOO_LARGE };

typedef struct twin {
    const tt_trace *s;
    size_t i;
} twin;

struct finder {
    const tt_twin_hooks *hooks;
    uint64_t left;     /* text that may still be read */
    char *one, *other; /* buffers of PART bytes */
};

#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))

/* Compare two traces by facts that need no reading. */
static int by_size(const tt_trace *a, const tt_trace *b)
{
    int c = ORDER(a->n_events, b->n_events);
    if (!c) c = ORDER(a->text_bytes, b->text_bytes);
    if (!c) c = ORDER(a->n, b->n);
    if (!c) c = ORDER(a->end, b->end);
    return c ? c : ORDER(a->origin_ns, b->origin_ns);
}

static int by_key(const void *pa, const void *pb)
{
    const twin *a = pa, *b = pb;
    int c = by_size(a->s, b->s);
    return c ? c : ORDER(a->i, b->i);
}

/* Whether both traces come from one file; a folder may hold several workers and does not count. */
static bool same_file(const tt_trace *a, const tt_trace *b)
{
    struct stat x, y;
    return !stat(a->path, &x) && !stat(b->path, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

static int same_text(struct finder *f, tt_source *a, tt_source *b)
{
    for (;;) {
        size_t n = 0, m = 0;
        tt_err err;
        if (f->left < 2 * PART) return TOO_LARGE;
        f->left -= 2 * PART;
        if (tt_source_read(a, f->one, PART, &n, &err) != TT_OK || tt_source_read(b, f->other, PART, &m, &err) != TT_OK)
            return DIFFERENT;
        if (n != m || memcmp(f->one, f->other, n) != 0) return DIFFERENT;
        if (!n) return SAME;
    }
}

static int compare(struct finder *f, const twin *a, const twin *b)
{
    tt_source *x = NULL, *y = NULL;
    tt_err err;
    if (same_file(a->s, b->s)) return SAME;
    int result = DIFFERENT;
    if (f->hooks->open(f->hooks->arg, a->i, &x, &err) == TT_OK &&
        f->hooks->open(f->hooks->arg, b->i, &y, &err) == TT_OK)
        result = same_text(f, x, y);
    tt_source_close(x);
    tt_source_close(y);
    return result;
}

void tt_twins_find(tt_trace *const *traces, size_t n, const tt_twin_hooks *hooks)
{
    struct finder f = {hooks, TEXT_MOST, tt_malloc(PART), tt_malloc(PART)};
    twin *all = tt_calloc(n, sizeof *all);
    for (size_t i = 0; i < n; i++) all[i] = (twin){traces[i], i};
    if (n) qsort(all, n, sizeof *all, by_key);
    for (size_t i = 1; i < n; i++) {
        if (!all[i].s->n_events) continue;
        for (size_t k = i; k-- > 0 && i - k <= BACK_MOST && by_size(all[k].s, all[i].s) == 0;) {
            int result = compare(&f, &all[k], &all[i]);
            if (result == DIFFERENT) continue;
            hooks->tell(hooks->arg, all[k].s, all[i].s, result == SAME);
            break;
        }
    }
    free(all);
    free(f.one);
    free(f.other);
}

/* ---- the same rank twice */

void tt_twins_ranks(tt_trace *const *traces, size_t n)
{
    tt_trace **sorted = tt_calloc(n, sizeof(tt_trace *));
    if (n) memcpy(sorted, traces, n * sizeof *traces);
    TT_SORT_POINTERS_BY(sorted, n, TT_ASC(tt_trace, rank), TT_ASC(tt_trace, path), TT_ASC(tt_trace, worker));
    for (size_t i = 1; i < n; i++) {
        tt_trace *t = sorted[i];
        const tt_trace *other = sorted[i - 1];
        char text[120];
        if (t->rank < 0 || t->rank != other->rank || !strcmp(t->worker, other->worker)) continue;
        if (!strcmp(t->path, other->path)) continue; /* one file may hold several processes of a rank */
        snprintf(text, sizeof text, "rank %" PRId64 ", as %s", t->rank, other->worker);
        tt_problem_add(&t->problems, TT_PROBLEM_RANK_COLLISION, -1, text, strlen(text));
    }
    free(sorted);
}

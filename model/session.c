/* model/session.c - the stores of a run side by side, and scopes as windows of each store's own time. Stores with a
 * wall clock are aligned by it; the earliest of them is the 0 of the common axis. A store without one starts at 0:
 * its times say nothing about the others. */
#include "model/session.h"

#include <stdlib.h>
#include <string.h>

#include "model/derived.h"
#include "model/interval.h"
#include "model/search.h"
#include "model/table.h"

const tt_scope tt_scope_all = {.worker = TT_ALL, .span = TT_ALL, .thread = TT_ALL};

/* Names with numbers in the order of the numbers: worker2 before worker10. Bytes decide between equals. */
static int natural_compare(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        size_t nx = strspn(x, "0123456789"), ny = strspn(y, "0123456789");
        if (nx && ny) {
            size_t zx = strspn(x, "0"), zy = strspn(y, "0");
            if (zx > nx) zx = nx;
            if (zy > ny) zy = ny;
            if (nx - zx != ny - zy) return nx - zx < ny - zy ? -1 : 1;
            int c = memcmp(x + zx, y + zy, nx - zx);
            if (c) return c;
            x += nx;
            y += ny;
        } else if (*x != *y) {
            return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
        } else {
            x++;
            y++;
        }
    }
    if (*x || *y) return *x ? 1 : -1;
    return strcmp(a, b);
}

static int by_worker_span(const void *a, const void *b)
{
    const tt_store *x = *(tt_store *const *)a, *y = *(tt_store *const *)b;
    int c = natural_compare(x->worker, y->worker);
    if (!c) c = natural_compare(x->span, y->span);
    return c ? c : strcmp(x->path ? x->path : "", y->path ? y->path : "");
}

static void add_name(char **names, uint32_t *n, const char *name)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (!strcmp(names[i], name)) return;
    }
    names[(*n)++] = tt_strdup(name);
}

static int by_natural_name(const void *a, const void *b)
{
    return natural_compare(*(char *const *)a, *(char *const *)b);
}

tt_session *tt_session_new(tt_store **stores, uint32_t n, const char *run)
{
    tt_session *s = tt_calloc(1, sizeof *s);
    s->stores = tt_calloc(n, sizeof *s->stores);
    s->n_stores = n;
    if (n) memcpy(s->stores, stores, n * sizeof *stores);
    qsort(s->stores, n, sizeof *s->stores, by_worker_span);
    s->offset_ns = tt_calloc(n, sizeof *s->offset_ns);
    s->workers = tt_calloc(n, sizeof *s->workers);
    s->spans = tt_calloc(n, sizeof *s->spans);
    s->run = tt_strdup(run ? run : "");
    s->cache = tt_table_cache_new();
    s->derived = tt_derived_new();

    bool any = false;
    int64_t first = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tt_store *st = s->stores[i];
        if (st->absolute && (!any || st->origin_ns < first)) first = st->origin_ns;
        any = any || st->absolute;
    }
    for (uint32_t i = 0; i < n; i++) {
        const tt_store *st = s->stores[i];
        s->offset_ns[i] = st->absolute ? st->origin_ns - first : 0;
        if (st->end + s->offset_ns[i] > s->end_ns) s->end_ns = st->end + s->offset_ns[i];
        add_name(s->workers, &s->n_workers, st->worker);
        add_name(s->spans, &s->n_spans, st->span);
    }
    /* spans come in the order of the first worker's; a span that only a later worker has belongs in between */
    qsort(s->spans, s->n_spans, sizeof *s->spans, by_natural_name);
    return s;
}

void tt_session_free(tt_session *s)
{
    if (!s) return;
    tt_table_cache_free(s->cache);
    tt_derived_free(s->derived);
    for (uint32_t i = 0; i < s->n_stores; i++) tt_store_free(s->stores[i]);
    for (uint32_t i = 0; i < s->n_workers; i++) free(s->workers[i]);
    for (uint32_t i = 0; i < s->n_spans; i++) free(s->spans[i]);
    free(s->workers);
    free(s->spans);
    free(s->stores);
    free(s->offset_ns);
    free(s->run);
    free(s);
}

uint64_t tt_session_events(const tt_session *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n_stores; i++) sum += s->stores[i]->n_events;
    return sum;
}

uint64_t tt_session_slices(const tt_session *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n_stores; i++) sum += s->stores[i]->n;
    return sum;
}

bool tt_scope_equal(const tt_scope *a, const tt_scope *b)
{
    return a->worker == b->worker && a->span == b->span && a->thread == b->thread && a->has_steps == b->has_steps &&
           (!a->has_steps || (a->step_first == b->step_first && a->step_last == b->step_last)) &&
           a->has_range == b->has_range && (!a->has_range || (a->t0 == b->t0 && a->t1 == b->t1));
}

bool tt_scope_has_steps(const tt_session *s, const tt_scope *scope, int64_t *first, int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    if (!scope->has_steps) return true;
    for (uint32_t i = 0; i < s->n_stores; i++) {
        const tt_store *st = s->stores[i];
        for (uint32_t k = 0; k < st->n_steps; k++) {
            int64_t number = st->steps[k].number;
            if (st->steps[k].row == TT_NONE) continue;
            if (number >= scope->step_first && number <= scope->step_last) return true;
            *first = number < *first ? number : *first;
            *last = number > *last ? number : *last;
        }
    }
    return false;
}

bool tt_scope_has_store(const tt_session *s, const tt_scope *scope, uint32_t store)
{
    const tt_store *st = s->stores[store];
    if (scope->worker != TT_ALL && strcmp(s->workers[scope->worker], st->worker) != 0) return false;
    return scope->span == TT_ALL || !strcmp(s->spans[scope->span], st->span);
}

bool tt_scope_has_time(const tt_session *s, const tt_scope *scope, int64_t *t0, int64_t *t1)
{
    bool any = false, meets = false;
    *t0 = *t1 = 0;
    for (uint32_t i = 0; i < s->n_stores; i++) {
        if (!tt_scope_has_store(s, scope, i)) continue;
        int64_t begin = s->offset_ns[i], end = begin + s->stores[i]->end;
        *t0 = any && *t0 < begin ? *t0 : begin;
        *t1 = any && *t1 > end ? *t1 : end;
        meets = meets || (scope->t0 <= end && scope->t1 > begin);
        any = true;
    }
    return !scope->has_range || meets;
}

/* t on the common axis as a time of the store, without overflow at the ends of the axis. */
static int64_t store_time(int64_t t, int64_t offset)
{
    int64_t r;
    if (__builtin_sub_overflow(t, offset, &r)) return offset > 0 ? INT64_MIN : INT64_MAX;
    return r;
}

tt_windows tt_scope_windows(const tt_session *s, const tt_scope *scope, uint32_t store)
{
    tt_windows w = {0};
    if (!tt_scope_has_store(s, scope, store)) return w;
    tt_ivs set = {0};
    if (scope->has_steps) {
        const tt_store *st = s->stores[store];
        for (uint32_t i = 0; i < st->n_steps; i++) {
            const tt_step *p = &st->steps[i];
            if (p->row == TT_NONE || p->number < scope->step_first || p->number > scope->step_last) continue;
            tt_ivs_add(&set, p->start, p->end);
        }
        tt_ivs_normalise(&set);
    } else {
        tt_ivs_add(&set, INT64_MIN, INT64_MAX);
    }
    if (scope->has_range) {
        tt_iv range = {store_time(scope->t0, s->offset_ns[store]), store_time(scope->t1, s->offset_ns[store])};
        tt_ivs one = {.at = &range, .n = range.t0 < range.t1, .cap = 1};
        tt_ivs cut = tt_ivs_intersect(&set, &one);
        tt_vec_free(&set);
        set = cut;
    }
    w.everything = !scope->has_steps && !scope->has_range;
    w.n = (uint32_t)set.n;
    w.at = tt_calloc(set.n, sizeof *w.at);
    for (size_t i = 0; i < set.n; i++) w.at[i] = (struct tt_window){set.at[i].t0, set.at[i].t1};
    tt_vec_free(&set);
    return w;
}

void tt_windows_free(tt_windows *w)
{
    free(w->at);
    *w = (tt_windows){0};
}

bool tt_windows_meet(const tt_windows *w, int64_t t0, int64_t t1)
{
    if (w->everything) return true;
    uint32_t lo = 0, hi = w->n; /* first window that ends after t0 */
    TT_BISECT(lo, hi, i, w->at[i].t1 <= t0);
    return lo < w->n && w->at[lo].t0 < t1;
}

bool tt_windows_have(const tt_windows *w, int64_t t) { return tt_windows_meet(w, t, t + 1); }

/* model/tables/communication/comm_shift.c - fits one sequence of collectives to another by their ends. */
#include "model/tables/communication/comm_shift.h"

#include <stdlib.h>

/* Spreads count as equal within the scatter of ends of one collective, some microseconds. */
enum { PROBES = 32, FINALISTS = 8, ALIKE_NS = 20000 };

typedef struct fit { /* fit of a shift */
    int64_t shift;
    int64_t spread;  /* spread over the tested pairs; with known clocks the largest difference */
    int64_t middle;  /* absolute difference of the middle pair */
    int64_t overlap; /* number of pairs */
} fit;

static int64_t magnitude(int64_t v) { return v < 0 ? -v : v; }

/* Difference of the ends of two visits; false when one of them has no time. */
static bool difference(const tt_shift_view *view, uint32_t a, uint32_t b, bool known, int64_t *out)
{
    const tt_comm_visit *x = &view->visits[a], *y = &view->visits[b];
    if (x->c->ns == TT_UNKNOWN || y->c->ns == TT_UNKNOWN) return false;
    *out = tt_comm_end(view->s, x) - tt_comm_end(view->s, y);
    if (known) *out -= view->clocks[x->trace].offset - view->clocks[y->trace].offset;
    return true;
}

/* Test how well a shift fits, on at most `probes` of its pairs. */
static fit try_shift(const tt_shift_view *view, tt_shift_list a, tt_shift_list b, int64_t shift, bool known,
                     int64_t probes)
{
    int64_t first = shift < 0 ? -shift : 0,
            end = (int64_t)b.n - shift < (int64_t)a.n ? (int64_t)b.n - shift : (int64_t)a.n;
    int64_t low = INT64_MAX, high = INT64_MIN, d;
    fit f = {.shift = shift, .overlap = end - first};
    int64_t n = f.overlap < probes ? f.overlap : probes;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = first + (n > 1 ? k * (f.overlap - 1) / (n - 1) : 0);
        if (!difference(view, a.at[i], b.at[i + shift], known, &d)) continue;
        if (d < low) low = d;
        if (d > high) high = d;
        if (k <= n / 2) f.middle = magnitude(d);
    }
    if (low > high) return f;
    f.spread = !known ? high - low : magnitude(low) > magnitude(high) ? magnitude(low) : magnitude(high);
    return f;
}

/* Whether x is preferable to y, both being good enough. */
static bool better(const fit *x, const fit *y)
{
    if (x->overlap != y->overlap) return x->overlap > y->overlap;
    if (x->middle != y->middle) return x->middle < y->middle;
    return magnitude(x->shift) < magnitude(y->shift);
}

static int by_merit(const void *a, const void *b) { return better(a, b) ? -1 : better(b, a); }

/* Move the fits as good as the best to the front; returns their number. */
static size_t shortlist(fit *of, size_t n, bool known)
{
    int64_t best = INT64_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) best = of[i].spread < best ? of[i].spread : best;
    for (size_t i = 0; i < n; i++)
        if (of[i].spread <= 2 * best + (known ? 0 : ALIKE_NS)) of[kept++] = of[i];
    return kept;
}

tt_shift tt_best_shift(const tt_shift_view *view, tt_shift_list a, tt_shift_list b)
{
    const tt_comm_clock *x = &view->clocks[view->visits[a.at[0]].trace],
                        *y = &view->clocks[view->visits[b.at[0]].trace];
    bool known = x->part && x->part == y->part;
    int64_t shorter = a.n < b.n ? a.n : b.n, least = (shorter + 1) / 2;
    int64_t from = least - (int64_t)a.n, to = (int64_t)b.n - least;
    size_t n = 0;
    fit *of = tt_malloc((size_t)(to - from + 1) * sizeof *of);
    for (int64_t d = from; d <= to; d++) of[n++] = try_shift(view, a, b, d, known, PROBES);
    n = shortlist(of, n, known);
    qsort(of, n, sizeof *of, by_merit);
    if (n > FINALISTS) n = FINALISTS;
    for (size_t i = 0; i < n; i++) of[i] = try_shift(view, a, b, of[i].shift, known, INT64_MAX);
    n = shortlist(of, n, known);
    qsort(of, n, sizeof *of, by_merit);
    tt_shift best = {of[0].shift, known || of[0].overlap > 2 || a.n == b.n};
    free(of);
    return best;
}

/* model/index/dense.c - counts slices by cells of the axis, and finds gaps between occupied cells. */
#include "model/index/dense.h"

#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"

enum { CELLS = 256, FACTOR = 20, ENOUGH = 16, FEW = 8, ONE_IN = 100 };

typedef struct part { /* occupied part of the axis */
    int64_t lo, hi;
    uint64_t n; /* number of slices that begin in it */
} part;

typedef struct cells {
    int64_t from, to; /* common axis */
    part at[CELLS];   /* lo > hi: empty */
    int filled;
} cells;

static int64_t edge(const cells *c, int i) { return c->from + (int64_t)((__int128)(c->to - c->from) * i / CELLS); }

static int cell_of(const cells *c, int64_t at)
{
    int i = (int)((__int128)(at - c->from) * CELLS / (c->to - c->from));
    while (i + 1 < CELLS && edge(c, i + 1) <= at) i++;
    return i;
}

static void fill(cells *c, int64_t lo, int64_t hi)
{
    lo = lo > c->from ? lo : c->from;
    hi = hi < c->to ? hi : c->to;
    if (hi < lo) return;
    for (int i = cell_of(c, lo), last = cell_of(c, hi > lo ? hi - 1 : lo); i <= last; i++) {
        part *p = &c->at[i];
        int64_t a = edge(c, i) > lo ? edge(c, i) : lo, b = edge(c, i + 1) < hi ? edge(c, i + 1) : hi;
        c->filled += p->lo > p->hi;
        p->lo = p->lo < a ? p->lo : a;
        p->hi = p->hi > b ? p->hi : b;
    }
}

/* End of the outermost slice around a row: on a track the last outermost slice ends last. */
static int64_t outer_end(const tt_trace *s, tt_row r)
{
    while (s->parent[r] != TT_NONE) r = s->parent[r];
    return tt_row_end(s, r);
}

static tt_row row_from(const tt_trace *s, const tt_track *k, tt_row from, int64_t at)
{
    tt_row end = k->first + k->n;
    TT_BISECT(from, end, i, s->start[i] < at);
    return from;
}

static void add_track(cells *c, const tt_trace *s, const tt_track *k, int64_t off)
{
    tt_row end = k->first + k->n, r = row_from(s, k, k->first, c->from - off);
    if (r > k->first) { /* slices that began before */
        int64_t until = outer_end(s, r - 1) + off;
        if (until > c->from) fill(c, c->from, until);
    }
    while (r < end && s->start[r] + off < c->to) {
        int i = cell_of(c, s->start[r] + off);
        tt_row next = row_from(s, k, r, edge(c, i + 1) - off);
        fill(c, s->start[r] + off, outer_end(s, next - 1) + off);
        c->at[i].n += next - r;
        r = next;
    }
}

static void add_all(cells *c, const tt_session *s, const tt_scope *scope)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        const tt_trace *t = s->traces[i];
        for (uint32_t k = 0; k < t->n_tracks && c->filled < CELLS; k++)
            if (t->tracks[k].n && t->tracks[k].kind != TT_TRACK_META) add_track(c, t, &t->tracks[k], s->offset_ns[i]);
    }
}

/* Join adjacent cells into parts. */
static int join(const cells *c, part out[CELLS])
{
    int n = 0;
    bool open = false;
    for (int i = 0; i < CELLS; i++) {
        const part *p = &c->at[i];
        if (p->lo > p->hi) {
            open = false;
            continue;
        }
        if (!open) out[n++] = (part){p->lo, p->hi, 0};
        open = true;
        out[n - 1].hi = p->hi > out[n - 1].hi ? p->hi : out[n - 1].hi;
        out[n - 1].n += p->n;
    }
    return n;
}

/* Shortest gap that cuts the axis; INT64_MAX: none. */
static int64_t cut_at(const part *p, int n)
{
    int64_t gap[CELLS], rest = p[n - 1].hi - p[0].lo, cut = INT64_MAX;
    for (int i = 0; i + 1 < n; i++) gap[i] = p[i + 1].lo - p[i].hi;
    TT_SORT_DOWN(gap, (size_t)(n - 1));
    for (int i = 0; i + 1 < n; i++) {
        rest -= gap[i];
        if (gap[i] / FACTOR > rest) cut = gap[i];
    }
    return cut;
}

static uint64_t sum(const part *p, int from, int to)
{
    uint64_t n = 0;
    for (int i = from; i < to; i++) n += p[i].n;
    return n;
}

/* Drop a few slices at an end of the parts [*a, *b) if the gap to the others is long; false = there are none. */
static bool trim(const part *p, int *a, int *b)
{
    uint64_t all = sum(p, *a, *b);
    for (int i = *a + 1; i < *b; i++) {
        int64_t gap = p[i].lo - p[i - 1].hi;
        uint64_t left = sum(p, *a, i), right = all - left;
        if (left <= FEW && left <= all / ONE_IN && gap > p[*b - 1].hi - p[i].lo) {
            *a = i;
            return true;
        }
        if (right <= FEW && right <= all / ONE_IN && gap > p[i - 1].hi - p[*a].lo) {
            *b = i;
            return true;
        }
    }
    return false;
}

bool tt_dense_part(const tt_session *s, const tt_scope *scope, int64_t from, int64_t to, int64_t *t0, int64_t *t1)
{
    cells c = {.from = from, .to = to > from ? to : from + 1};
    part p[CELLS];
    for (int i = 0; i < CELLS; i++) c.at[i] = (part){INT64_MAX, INT64_MIN, 0};
    add_all(&c, s, scope);
    int n = join(&c, p), a = 0, b = n;
    if (n == 0) return false;
    int64_t cut = n > 1 ? cut_at(p, n) : INT64_MAX;
    uint64_t most = 0;
    for (int i = 0, first = 0; i < n && cut != INT64_MAX; i++) {
        if (i + 1 < n && p[i + 1].lo - p[i].hi < cut) continue;
        uint64_t here = sum(p, first, i + 1);
        if (here >= ENOUGH && here > most) most = here, a = first, b = i + 1;
        first = i + 1;
    }
    while (trim(p, &a, &b)) continue;
    *t0 = p[a].lo;
    *t1 = p[b - 1].hi > *t0 ? p[b - 1].hi : *t0 + 1;
    return true;
}

tt_beyond tt_slices_beyond(const tt_session *s, int64_t t0, int64_t t1)
{
    tt_beyond out = {.before_ns = INT64_MAX, .after_ns = INT64_MAX};
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        int64_t off = s->offset_ns[i];
        for (uint32_t k = 0; k < t->n_tracks; k++) {
            const tt_track *x = &t->tracks[k];
            if (!x->n || x->kind == TT_TRACK_META) continue;
            tt_row a = row_from(t, x, x->first, t0 - off), b = row_from(t, x, a, t1 - off), end = x->first + x->n;
            out.before += a - x->first;
            out.after += end - b;
            int64_t before = a > x->first ? t0 - outer_end(t, a - 1) - off : INT64_MAX;
            int64_t after = b < end ? t->start[b] + off - t1 : INT64_MAX;
            before = before > 0 ? before : 0;
            out.before_ns = before < out.before_ns ? before : out.before_ns;
            out.after_ns = after < out.after_ns ? after : out.after_ns;
        }
    }
    return out;
}

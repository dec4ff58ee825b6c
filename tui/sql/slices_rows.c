/* tui/sql/slices_rows.c - reading the rows of a plan. */
#include <stdlib.h>
#include <string.h>

#include "tui/sql/slices.h"

/* Look-ups of a name without an index, by searching through all rows; from the next one on an index pays. */
enum { LOOKS_WITHOUT_INDEX = 2 };

/* ---- what the constraints say ---- */

static void allow_category(tt_slice_filter *f, const tt_trace *s, const char *text, bool kind)
{
    uint64_t mask[4] = {0};
    for (uint32_t i = 0; i < s->n_cats; i++) {
        const char *is = kind ? tt_kind_name[s->kind_of[i]] : tt_str(&s->strings, s->cats[i].name);
        if (!strcmp(is, text)) mask[i / 64] |= UINT64_C(1) << i % 64;
    }
    for (int i = 0; i < 4; i++) f->categories[i] = f->masked ? f->categories[i] & mask[i] : mask[i];
    f->masked = true;
    if (!(f->categories[0] | f->categories[1] | f->categories[2] | f->categories[3])) f->none = true;
}

static const char *text_of_name(const tt_trace *s, tt_sid name)
{
    return name == UINT32_MAX ? "" : tt_str(&s->strings, name);
}

static void want_text(tt_slice_cursor *c, int col, sqlite3_value *v)
{
    const char *text = (const char *)sqlite3_value_text(v);
    const tt_session *s = c->data->session;
    for (uint32_t i = 0; text && i < s->n_traces; i++) {
        tt_slice_filter *f = &c->filters[i];
        if (col != SL_NAME) {
            allow_category(f, s->traces[i], text, col == SL_KIND);
            continue;
        }
        tt_sid name = tt_strings_find(&s->traces[i]->strings, text, (size_t)sqlite3_value_bytes(v));
        if (name == UINT32_MAX || (f->has_name && f->name != name)) f->none = true;
        f->has_name = true;
        f->name = name;
        if (c->by == TT_BY_NAME) c->value[i] = (tt_row_value){.text = text_of_name(s->traces[i], name)};
    }
    if (col == SL_NAME && c->by == TT_BY_NAME) c->has_value = text != NULL;
}

/* Want rows with a number. No row has a value that is not whole, or no number. */
static void want_number(tt_slice_cursor *c, sqlite3_value *v)
{
    const tt_session *s = c->data->session;
    int64_t lo = INT64_MIN, hi = INT64_MAX;
    tt_sql_narrow(v, SQLITE_INDEX_CONSTRAINT_EQ, &lo, &hi);
    c->has_value = true;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        c->value[i] = (tt_row_value){.number = lo};
        if (lo != hi) c->filters[i].none = true;
    }
}

static void want_device(tt_slice_cursor *c, sqlite3_value *v)
{
    const tt_session *s = c->data->session;
    const char *text = (const char *)sqlite3_value_text(v);
    c->has_value = true;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        c->value[i].text = s->traces[i]->rules->device;
        if (!text || !tt_sql_device_number(s->traces[i], text, &c->value[i].number)) c->filters[i].none = true;
    }
}

/* Read an id. No row has an id that is no integer: SQLite finds that out itself. */
static bool id_value(const tt_slice_cursor *c, sqlite3_value *v, uint32_t (*count)(const tt_trace *s), uint32_t *trace,
                     uint32_t *row)
{
    int64_t lo = INT64_MIN, hi = INT64_MAX;
    tt_sql_narrow(v, SQLITE_INDEX_CONSTRAINT_EQ, &lo, &hi);
    return lo == hi && tt_sql_id_of(c->data, lo, count, trace, row);
}

static int op_of(char letter)
{
    switch (letter) {
    case OP_GT: return SQLITE_INDEX_CONSTRAINT_GT;
    case OP_GE: return SQLITE_INDEX_CONSTRAINT_GE;
    case OP_LT: return SQLITE_INDEX_CONSTRAINT_LT;
    case OP_LE: return SQLITE_INDEX_CONSTRAINT_LE;
    default: return SQLITE_INDEX_CONSTRAINT_EQ;
    }
}

static void want_start(tt_slice_cursor *c, int op, sqlite3_value *v)
{
    const tt_session *s = c->data->session;
    int64_t lo = INT64_MIN, hi = INT64_MAX;
    tt_sql_narrow(v, op, &lo, &hi);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        int64_t shift = s->offset_ns[i], t;
        tt_slice_filter *f = &c->filters[i];
        if (lo != INT64_MIN && !__builtin_sub_overflow(lo, shift, &t) && t > f->t0) f->t0 = t;
        if (hi != INT64_MAX && !__builtin_sub_overflow(hi, shift, &t) && t < f->t1) f->t1 = t;
    }
}

/* ---- runs ---- */

static tt_row row_at(const tt_slice_cursor *c, const tt_slice_run *r)
{
    uint32_t i = c->down ? r->both - r->at : r->at;
    return r->list ? r->list[i] : r->work ? c->data->session->traces[r->trace]->dev[r->work[i]].row : i;
}

static bool passes(const tt_slice_cursor *c, uint32_t trace, tt_row row)
{
    const tt_trace *s = c->data->session->traces[trace];
    const tt_slice_filter *f = &c->filters[trace];
    if (f->has_name && s->name[row] != f->name) return false;
    if (f->masked && !(f->categories[s->cat[row] / 64] >> s->cat[row] % 64 & 1)) return false;
    if (s->dur[row] < c->d0 || s->dur[row] > c->d1) return false;
    if (s->start[row] < f->t0 || s->start[row] > f->t1) return false;
    if (c->has_parent && s->parent[row] != c->parent) return false;
    return !c->has_correlation || s->correlation[row] == c->correlation;
}

/* Go to the first row from `at` on that passes the filter. False: there is none, or the query has to end (and
 * fails). */
static bool settle(const tt_slice_cursor *c, tt_slice_run *r)
{
    for (; r->at < r->end; r->at++) {
        if (tt_sql_step_ends(&c->data->clock)) return false;
        r->row = row_at(c, r);
        if (passes(c, r->trace, r->row)) return true;
    }
    return false;
}

static void add_run(tt_slice_cursor *c, tt_slice_run run)
{
    if (run.at >= run.end || c->filters[run.trace].none) return;
    run.both = run.at + run.end - 1; /* below 2^33: it wraps, and taking at from it wraps back */
    *tt_vec_push(&c->runs) = run;
}

static void add_track(tt_slice_cursor *c, uint32_t trace, uint32_t track)
{
    const tt_trace *s = c->data->session->traces[trace];
    const tt_track *t = &s->tracks[track];
    const tt_slice_filter *f = &c->filters[trace];
    if (f->t0 > f->t1) return;
    tt_row from = f->t0 == INT64_MIN ? t->first : tt_track_lower_bound(s, track, f->t0),
           to = f->t1 == INT64_MAX ? t->first + t->n : tt_track_lower_bound(s, track, f->t1 + 1);
    add_run(c, (tt_slice_run){.trace = trace, .at = from, .end = to});
}

static void add_all(tt_slice_cursor *c)
{
    const tt_session *s = c->data->session;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        if (c->order == ORDER_VALUE) {
            const tt_row_index *x = tt_sql_index(c->data, c->by, i);
            add_run(c, (tt_slice_run){.trace = i, .list = x->rows, .end = t->n});
            continue;
        }
        for (uint32_t k = 0; k < t->n_tracks; k++) add_track(c, i, k);
    }
}

static void add_with_value(tt_slice_cursor *c)
{
    const tt_session *s = c->data->session;
    bool indexed = c->by != TT_BY_NAME || c->data->name_lookups++ >= LOOKS_WITHOUT_INDEX;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (c->filters[i].none) continue;
        if (!indexed || !c->has_value) {
            add_run(c, (tt_slice_run){.trace = i, .end = s->traces[i]->n});
            continue;
        }
        tt_row_list l = tt_row_index_find(tt_sql_index(c->data, c->by, i), c->by, c->value[i]);
        add_run(c, (tt_slice_run){.trace = i, .list = l.rows, .end = l.n});
    }
}

static void add_correlated(tt_slice_cursor *c)
{
    const tt_session *s = c->data->session;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        tt_row_index *x = &c->data->by_correlation[i];
        if (!x->made) tt_row_index_correlations(s->traces[i], x);
        tt_row_list l = tt_row_index_correlation(x, c->correlation);
        add_run(c, (tt_slice_run){.trace = i, .list = l.rows, .end = l.n});
    }
}

/* Slices inside another one follow it on its track. */
static void add_children(tt_slice_cursor *c, uint32_t trace, tt_row parent)
{
    const tt_trace *s = c->data->session->traces[trace];
    uint32_t track = tt_row_track(s, parent);
    tt_row end = tt_track_lower_bound(s, track, tt_row_end(s, parent) + 1);
    c->has_parent = true;
    c->parent = parent;
    add_run(c, (tt_slice_run){.trace = trace, .at = parent + 1, .end = end});
}

/* ---- the heap of runs ---- */

static bool comes_before(const tt_slice_cursor *c, const tt_slice_run *a, const tt_slice_run *b)
{
    const tt_session *s = c->data->session;
    if (c->down) {
        const tt_slice_run *swap = a;
        a = b;
        b = swap;
    }
    const tt_trace *x = s->traces[a->trace], *y = s->traces[b->trace];
    if (c->order == ORDER_VALUE) {
        int order = tt_row_value_compare(c->by, tt_row_value_of(x, c->by, a->row), tt_row_value_of(y, c->by, b->row));
        if (order) return order < 0;
    } else {
        int64_t p = x->start[a->row] + s->offset_ns[a->trace], q = y->start[b->row] + s->offset_ns[b->trace];
        if (p != q) return p < q;
    }
    return tt_sql_id(a->trace, a->row) < tt_sql_id(b->trace, b->row);
}

static void sink(tt_slice_cursor *c, size_t i)
{
    for (;;) {
        size_t first = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < c->runs.n; child++) {
            if (comes_before(c, &c->runs.at[child], &c->runs.at[first])) first = child;
        }
        if (first == i) return;
        tt_slice_run swap = c->runs.at[i];
        c->runs.at[i] = c->runs.at[first];
        c->runs.at[first] = swap;
        i = first;
    }
}

static void make_heap(tt_slice_cursor *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->runs.n; i++) {
        if (settle(c, &c->runs.at[i])) c->runs.at[n++] = c->runs.at[i];
    }
    c->runs.n = n;
    for (size_t i = n / 2; i-- > 0;) sink(c, i);
    c->eof = !n;
}

/* ---- */

static void next_run(tt_slice_cursor *c)
{
    while (c->next_run < c->runs.n) {
        c->now = c->runs.at[c->next_run++];
        if (settle(c, &c->now)) return;
    }
    c->eof = true;
}

void tt_slices_next(tt_slice_cursor *c)
{
    if (c->order == ORDER_ID) {
        c->now.at++;
        if (!settle(c, &c->now)) next_run(c);
        return;
    }
    tt_slice_run *top = &c->runs.at[0];
    top->at++;
    if (!settle(c, top)) *top = c->runs.at[--c->runs.n];
    c->eof = !c->runs.n;
    if (!c->eof) sink(c, 0);
}

/* The slice or track that the constraint of the plan names. */
typedef struct target {
    bool has, known;
    uint32_t trace, row;
} target;

static uint32_t n_tracks(const tt_trace *s) { return s->n_tracks; }

static void want(tt_slice_cursor *c, int plan, int col, char letter, sqlite3_value *v, target *to)
{
    bool mine = (col == SL_ID && plan == PLAN_ID) || (col == SL_PARENT && plan == PLAN_PARENT) ||
                (col == SL_LAUNCH && plan == PLAN_LAUNCH) || (col == SL_TRACK && plan == PLAN_TRACKS);
    if (mine) {
        to->known = id_value(c, v, col == SL_TRACK ? n_tracks : tt_sql_n_slices, &to->trace, &to->row);
        to->has = true;
    } else if (col == SL_START) {
        want_start(c, op_of(letter), v);
    } else if (col == SL_DURATION) {
        tt_sql_narrow(v, op_of(letter), &c->d0, &c->d1);
    } else if (col == SL_NAME || col == SL_CATEGORY || col == SL_KIND) {
        want_text(c, col, v);
    } else if (plan == PLAN_VALUE && tt_sql_indexed(col) == c->by) {
        if (col == SL_DEVICE)
            want_device(c, v);
        else
            want_number(c, v);
    } else if (col == SL_CORRELATION && plan == PLAN_CORRELATION) {
        int64_t lo = INT64_MIN, hi = INT64_MAX;
        tt_sql_narrow(v, SQLITE_INDEX_CONSTRAINT_EQ, &lo, &hi);
        c->has_correlation = to->has = true;
        c->correlation = lo == hi && lo > 0 && lo <= UINT32_MAX ? (uint32_t)lo : 0;
        to->known = c->correlation != 0;
    }
}

static void add_runs(tt_slice_cursor *c, int plan, const target *to)
{
    if (to->has && !to->known) return;
    const tt_session *s = c->data->session;
    switch (plan) {
    case PLAN_ID: add_run(c, (tt_slice_run){.trace = to->trace, .at = to->row, .end = to->row + 1}); break;
    case PLAN_PARENT: add_children(c, to->trace, to->row); break;
    case PLAN_LAUNCH: {
        uint32_t n;
        const uint32_t *work = tt_row_launched(s->traces[to->trace], to->row, &n);
        add_run(c, (tt_slice_run){.trace = to->trace, .work = work, .end = n});
        break;
    }
    case PLAN_CORRELATION: add_correlated(c); break;
    case PLAN_VALUE: add_with_value(c); break;
    default:
        if (to->has)
            add_track(c, to->trace, to->row);
        else
            add_all(c);
    }
}

void tt_slices_begin(tt_slice_cursor *c, int plan, const char *ops, int n, sqlite3_value **values)
{
    const tt_session *s = c->data->session;
    target to = {0};
    c->order = plan & (ORDER_START | ORDER_VALUE);
    c->down = (plan & ORDER_DOWN) != 0;
    c->by = (tt_indexed)(plan / PLAN_COLUMN);
    c->d0 = INT64_MIN;
    c->d1 = INT64_MAX;
    c->has_parent = c->has_correlation = c->has_value = false;
    c->runs.n = c->next_run = 0;
    c->eof = false;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        c->filters[i] = (tt_slice_filter){.t0 = INT64_MIN, .t1 = INT64_MAX};
        c->value[i] = (tt_row_value){0};
    }
    for (int i = 0; i < n; i++) want(c, plan & PLAN_MASK, ops[2 * i] - 'A', ops[2 * i + 1], values[i], &to);
    add_runs(c, plan & PLAN_MASK, &to);
    if (c->order == ORDER_ID)
        next_run(c);
    else
        make_heap(c);
}

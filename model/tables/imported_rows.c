/* model/tables/imported_rows.c - see imported_rows.h. */
#include "model/tables/imported_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

static bool is_real(tt_type type) { return type == TT_T_PERCENT || type == TT_T_NUMBER; }
static bool is_whole(tt_type type) { return type != TT_T_STRING && !is_real(type); }

static bool parse_real(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return end != text && !*end && isfinite(*v);
}

static bool parse_whole(const char *text, int64_t *v)
{
    char *end;
    errno = 0;
    *v = strtoll(text, &end, 10);
    return end != text && !*end && !errno;
}

static const char *text_of(tt_type type, tt_cell c, tt_table *t)
{
    if (is_real(type)) return tt_arena_printf(&t->arena, "%.17g", c.d);
    return tt_arena_printf(&t->arena, "%" PRId64, c.i);
}

/* Convert a known cell to another type; a time converts to nothing else. */
static tt_cell convert(tt_type from, tt_cell c, tt_type to, tt_table *t)
{
    tt_cell r = tt_cell_none(to);
    double d;
    int64_t i;
    if (from == to) return c;
    if (from == TT_T_TIME || to == TT_T_TIME) return r;
    if (to == TT_T_STRING) {
        r.s = text_of(from, c, t);
    } else if (is_whole(to)) {
        if (is_real(from) && fabs(c.d) < 9e18) r.i = llround(c.d);
        if (is_whole(from)) r.i = c.i;
        if (from == TT_T_STRING && parse_whole(c.s, &i)) r.i = i;
        if (to == TT_T_BOOL && r.i != TT_UNKNOWN) r.i = r.i != 0;
    } else {
        if (is_real(from)) r.d = c.d;
        if (is_whole(from)) r.d = (double)c.i;
        if (from == TT_T_STRING && parse_real(c.s, &d)) r.d = d;
    }
    return r;
}

tt_cell tt_imported_cell(const tt_imported *from, uint32_t row, const char *key, tt_type type, tt_table *t)
{
    int c = tt_imported_column_of(from, key);
    if (c < 0) return tt_cell_none(type);
    tt_cell cell = from->cells[(size_t)row * from->n_cols + (uint32_t)c];
    if (tt_cell_unknown(from->cols[c].type, cell)) return tt_cell_none(type);
    return convert(from->cols[c].type, cell, type, t);
}

/* ---- where a row is ---- */

typedef struct place {
    const tt_step *step; /* step of the trace that the row names; NULL */
    bool numbered;       /* the row names a step, which the trace may not have */
    int64_t number;
    int64_t t0, duration; /* trace time, TT_UNKNOWN = none; duration 0 = none */
} place;

/* Convert to trace time; a time far outside the trace stays far outside. */
static int64_t trace_time(const tt_trace *s, int64_t t)
{
    int64_t r;
    if (t == TT_UNKNOWN || __builtin_sub_overflow(t, s->origin_ns, &r)) return TT_UNKNOWN;
    return r;
}

static const tt_step *step_of(const tt_trace *s, int64_t number)
{
    uint32_t lo = 0, hi = s->n_steps;
    if (!hi || s->steps[0].row == TT_NONE) return NULL;
    while (lo < hi) { /* most traces number their steps in order: search by halves */
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->steps[mid].number == number) return &s->steps[mid];
        if (s->steps[mid].number < number)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

/* Indices of the columns that place a row: `step`, the first time, the first duration; -1 = none. */
typedef struct place_columns {
    int step, at, duration;
} place_columns;

static int first_of_type(const tt_imported *t, tt_type type)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (t->cols[c].type == type) return (int)c;
    }
    return -1;
}

static place_columns place_columns_of(const tt_imported *t)
{
    return (place_columns){tt_imported_column_of(t, "step"), first_of_type(t, TT_T_TIME),
                           first_of_type(t, TT_T_DURATION)};
}

static place place_of(const tt_trace *s, const tt_imported *from, const place_columns *in, uint32_t row)
{
    place p = {.t0 = TT_UNKNOWN};
    const tt_cell *cells = from->cells + (size_t)row * from->n_cols;
    if (in->at >= 0) p.t0 = trace_time(s, cells[in->at].i);
    if (in->duration >= 0 && cells[in->duration].i > 0) p.duration = cells[in->duration].i;
    if (in->step >= 0) {
        tt_type type = from->cols[in->step].type;
        tt_cell c = cells[in->step];
        if (is_whole(type) && c.i != TT_UNKNOWN) p.number = c.i, p.numbered = true;
        if (type == TT_T_STRING && c.s) p.numbered = parse_whole(c.s, &p.number);
    }
    if (p.numbered) p.step = step_of(s, p.number);
    return p;
}

static bool place_in_scope(const tt_query *q, const place_columns *in, const place *p)
{
    const tt_windows *w = q->windows;
    if (w->everything) return true;
    if (p->step) return tt_windows_have_step(w, p->step);
    if (w->by_step && p->numbered) return p->number >= w->step_first && p->number <= w->step_last;
    if (w->by_step && in->step >= 0) return false; /* the row is a mean over all steps */
    return p->t0 == TT_UNKNOWN || tt_query_has(q, p->t0);
}

bool tt_imported_in_scope(const tt_query *q, const tt_imported *from, uint32_t row)
{
    place_columns in = place_columns_of(from);
    place p = place_of(tt_query_trace(q), from, &in, row);
    return place_in_scope(q, &in, &p);
}

static void set_place(const tt_query *q, const place *p, tt_table *t, uint32_t row)
{
    if (p->step) {
        tt_set_range(q, t, row, p->step->start, p->step->end);
    } else if (p->t0 != TT_UNKNOWN && p->t0 < INT64_MAX / 2 && p->duration < INT64_MAX / 2) {
        tt_set_range(q, t, row, p->t0, p->t0 + (p->duration ? p->duration : 1));
    }
}

void tt_imported_show(const tt_query *q, const tt_imported *from, uint32_t from_row, tt_table *t, uint32_t row)
{
    place_columns in = place_columns_of(from);
    place p = place_of(tt_query_trace(q), from, &in, from_row);
    set_place(q, &p, t, row);
}

/* ---- rows ---- */

static void set_cell(const tt_query *q, tt_table *t, uint32_t row, uint32_t to, tt_cell cell)
{
    switch (t->desc->cols[to].type) {
    case TT_T_STRING: tt_set_ref(t, row, to, cell.s); break;
    case TT_T_PERCENT:
    case TT_T_NUMBER: tt_set_d(t, row, to, cell.d); break;
    case TT_T_TIME: {
        int64_t v = trace_time(tt_query_trace(q), cell.i);
        tt_set_i(t, row, to, v == TT_UNKNOWN ? v : tt_at(q, v));
        break;
    }
    default: tt_set_i(t, row, to, cell.i);
    }
}

void tt_imported_put(const tt_query *q, const tt_imported *from, tt_table *t)
{
    const tt_table_desc *d = t->desc;
    place_columns in = place_columns_of(from);
    uint32_t *at = tt_calloc(d->n_cols + 1u, sizeof *at); /* source column of each column */
    for (uint32_t c = 0; c < d->n_cols; c++) at[c] = (uint32_t)tt_imported_column_of(from, d->cols[c].key);
    for (uint32_t r = 0; r < from->n_rows; r++) {
        place p = place_of(tt_query_trace(q), from, &in, r);
        if (!place_in_scope(q, &in, &p)) continue;
        uint32_t row = tt_table_add(t);
        for (uint32_t c = 0; c < d->n_cols; c++) {
            if (at[c] == TT_NONE) continue;
            tt_cell cell = from->cells[(size_t)r * from->n_cols + at[c]];
            tt_type type = from->cols[at[c]].type;
            if (tt_cell_unknown(type, cell)) continue;
            set_cell(q, t, row, c, convert(type, cell, d->cols[c].type, t));
        }
        set_place(q, &p, t, row);
    }
    free(at);
}

bool tt_imported_take(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    bool any = false;
    for (uint32_t i = 0; i < s->n_imported; i++) {
        if (!s->imported[i]->n_rows || strcmp(s->imported[i]->id, t->desc->id) != 0) continue;
        tt_imported_put(q, s->imported[i], t);
        any = true;
    }
    return any;
}

void tt_imported_rows(const tt_query *q, tt_table *t) { (void)tt_imported_take(q, t); }

/* parser/mindinsight/steps.c - step_trace_raw: one row for each step, in ticks of the device's clock, then a row of
 * means.
 *
 * A step begins where the step before it ended; the first step begins with its first operator. Columns differ between
 * versions: inference has `fp` instead of fp_and_bp and no tail; each collective has three columns, in one of two
 * orders, with names of two forms (see collective_column()). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/text/json_text.h"
#include "parser/mindinsight/folder.h"

typedef struct collective {
    const char *stream, *name; /* stream: NULL = not in the file */
    int64_t index;
    int duration, start, end; /* numbers of columns */
} collective;

typedef struct interval {
    int64_t t0, t1;
} interval;

typedef struct steps {
    tt_mi *m;
    tt_csv *c;
    int number, start, end, total, fp, bp, gap, both, tail;
    bool inference;
    tt_strings keys; /* names of the collectives' columns, without the part that tells the three apart */
    TT_VEC(collective) collectives;
    TT_VEC(interval) busy; /* intervals of the step's collectives */
    tt_arena a;
    tt_imported *trace, *summary, *calls;
    uint32_t track; /* track of the slices */
    uint8_t cat;
    uint64_t n;
} steps;

enum { T_STEP, T_START, T_TOTAL, T_GAP, T_BOTH, T_TAIL, T_COLLECTIVES };
static const tt_imported_key trace_columns[] = {
    {"step", TT_T_STRING},
    {"start_at_ns", TT_T_TIME},
    {"total_ns", TT_T_DURATION},
    {"gap_ns", TT_T_DURATION},
    {"forward_backward_ns", TT_T_DURATION},
    {"tail_ns", TT_T_DURATION},
    {"collectives_ns", TT_T_DURATION},
};
static const tt_imported_key summary_columns[] = {
    {"part", TT_T_STRING},
    {"mean_ns", TT_T_DURATION},
    {"pct", TT_T_PERCENT},
};
enum { C_STEP, C_STREAM, C_INDEX, C_NAME, C_OFFSET, C_DURATION };
static const tt_imported_key call_columns[] = {
    {"step", TT_T_STRING}, {"stream", TT_T_STRING},      {"index", TT_T_COUNT},
    {"name", TT_T_STRING}, {"offset_ns", TT_T_DURATION}, {"duration_ns", TT_T_DURATION},
};

/* ---- columns ---- */

/* Parse the digits [p, e); false = none, or another character. */
static bool digits(const char *p, const char *e, int64_t *out)
{
    return p < e && tt_decimal_whole(p, (size_t)(e - p), out);
}

/* Parse the name of a collective's columns, "stream_41_0_AllReduce-op7": stream, ordinal in the step, operator. The
 * oldest files swap the last two, "stream_520_parallel_0"; "hccl_3" is an ordinal only. The stream of a GPU is "ops".
 * */
static collective named(steps *s, const char *p, size_t n)
{
    collective k = {.index = TT_UNKNOWN, .duration = -1, .start = -1, .end = -1};
    const char *e = p + n;
    if (n > 5 && !memcmp(p, "hccl_", 5)) {
        if (!digits(p + 5, e, &k.index)) k.index = TT_UNKNOWN;
        k.name = tt_arena_strndup(&s->a, p, n);
        return k;
    }
    p += strlen("stream_");
    const char *cut = memchr(p, '_', (size_t)(e - p));
    k.stream = tt_arena_strndup(&s->a, p, (size_t)((cut ? cut : e) - p));
    p = cut ? cut + 1 : e;
    cut = memchr(p, '_', (size_t)(e - p));
    if (cut && digits(p, cut, &k.index)) {
        p = cut + 1;
    } else {
        for (cut = e; cut > p && cut[-1] != '_';) cut--;
        if (cut > p && digits(cut, e, &k.index))
            e = cut - 1;
        else
            k.index = TT_UNKNOWN;
    }
    k.name = tt_arena_strndup(&s->a, p, (size_t)(e - p));
    return k;
}

static bool ends_with(const char *p, size_t *n, const char *end)
{
    size_t m = strlen(end);
    if (*n <= m || memcmp(p + *n - m, end, m) != 0) return false;
    *n -= m;
    return true;
}

/* Add a collective's column to the three columns of its name. */
static void collective_column(steps *s, int column)
{
    tt_csv_text name = tt_csv_name(s->c, column);
    bool stream = name.n > 7 && !memcmp(name.at, "stream_", 7), hccl = name.n > 5 && !memcmp(name.at, "hccl_", 5);
    if (!stream && !hccl) return;
    bool start = ends_with(name.at, &name.n, "_start_point");
    bool end = !start && ends_with(name.at, &name.n, "_end_point");
    size_t known = s->keys.text.n, at = tt_strings_put(&s->keys, name.at, name.n);
    if (at == known) *tt_vec_push(&s->collectives) = named(s, name.at, name.n);
    collective *k = &s->collectives.at[at - 1]; /* index 0 is "" */
    *(start ? &k->start : end ? &k->end : &k->duration) = column;
}

static void find_columns(steps *s)
{
    s->number = tt_csv_need(s->c, "step_num");
    s->start = tt_csv_need(s->c, "start_point");
    s->end = tt_csv_need(s->c, "end_point");
    s->total = tt_csv_need(s->c, "total");
    s->fp = tt_csv_column(s->c, "fp_point");
    s->bp = tt_csv_column(s->c, "bp_point");
    s->gap = tt_csv_need(s->c, "iteration_interval");
    s->both = tt_csv_column(s->c, "fp_and_bp");
    s->inference = s->both < 0 && tt_csv_column(s->c, "fp") >= 0;
    s->both = s->inference ? tt_csv_column(s->c, "fp") : tt_csv_need(s->c, "fp_and_bp");
    s->tail = s->inference ? -1 : tt_csv_need(s->c, "tail");
    for (uint32_t i = 0; i < tt_csv_columns(s->c); i++) collective_column(s, (int)i);
}

/* ---- rows ---- */

/* A time or duration in ticks, TT_UNKNOWN = none. */
static int64_t ticks(steps *s, int column)
{
    int64_t ns = TT_UNKNOWN;
    if (!tt_csv_ns(s->c, column, TT_NS_OF_TICKS, &ns)) return TT_UNKNOWN;
    if (ns >= 0) return ns;
    tt_csv_bad(s->c, column, "is no time");
    return TT_UNKNOWN;
}

/* The column; if the file lacks it, the distance of two points. */
static int64_t part(steps *s, int column, int from, int to)
{
    int64_t v = ticks(s, column);
    if (v != TT_UNKNOWN || column >= 0 || from < 0 || to < 0) return v;
    int64_t t0 = ticks(s, from), t1 = ticks(s, to);
    return t0 != TT_UNKNOWN && t1 != TT_UNKNOWN && t0 <= t1 ? t1 - t0 : TT_UNKNOWN;
}

static void set_ns(tt_imported *t, uint32_t row, uint32_t col, int64_t ns)
{
    if (ns != TT_UNKNOWN) tt_imported_set_i(t, row, col, ns);
}

static void put_summary(steps *s)
{
    const struct {
        const char *name;
        int64_t ns;
    } parts[] = {
        {"total", part(s, s->total, s->start, s->end)},
        {"gap", part(s, s->gap, s->start, s->fp)},
        {"forward_backward", part(s, s->both, s->fp, s->bp)},
        {"tail", s->inference ? TT_UNKNOWN : part(s, s->tail, s->bp, s->end)},
    };
    if (s->summary->n_rows) return; /* there is one such row */
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        uint32_t row = tt_imported_row(s->summary);
        tt_imported_set_s(s->summary, row, 0, parts[i].name, strlen(parts[i].name));
        set_ns(s->summary, row, 1, parts[i].ns);
        if (parts[i].ns != TT_UNKNOWN && parts[0].ns > 0)
            tt_imported_set_d(s->summary, row, 2, 100.0 * (double)parts[i].ns / (double)parts[0].ns);
    }
}

/* Time in which at least one of the step's collectives ran. */
static int64_t union_of(steps *s)
{
    int64_t sum = 0, end = INT64_MIN;
    TT_SORT_BY(s->busy.at, s->busy.n, TT_ASC(interval, t0));
    for (size_t i = 0; i < s->busy.n; i++) {
        int64_t from = s->busy.at[i].t0 > end ? s->busy.at[i].t0 : end;
        if (s->busy.at[i].t1 > from) sum += s->busy.at[i].t1 - from;
        if (s->busy.at[i].t1 > end) end = s->busy.at[i].t1;
    }
    return sum;
}

/* Add the collectives of the step; it lacks those with a 0 in any of the three columns. */
static void put_collectives(steps *s, const char *step, size_t n, int64_t step_start)
{
    s->busy.n = 0;
    for (size_t i = 0; i < s->collectives.n; i++) {
        const collective *k = &s->collectives.at[i];
        int64_t start = ticks(s, k->start), end = ticks(s, k->end), dur = ticks(s, k->duration);
        if (start <= 0 || end <= 0 || dur <= 0 || end < start) continue; /* unknown values are negative */
        *tt_vec_push(&s->busy) = (interval){start, end};
        uint32_t row = tt_imported_row(s->calls);
        tt_imported_set_s(s->calls, row, C_STEP, step, n);
        if (k->stream) tt_imported_set_s(s->calls, row, C_STREAM, k->stream, strlen(k->stream));
        if (k->index != TT_UNKNOWN) tt_imported_set_i(s->calls, row, C_INDEX, k->index);
        tt_imported_set_s(s->calls, row, C_NAME, k->name, strlen(k->name));
        if (step_start != TT_UNKNOWN) tt_imported_set_i(s->calls, row, C_OFFSET, start - step_start);
        tt_imported_set_i(s->calls, row, C_DURATION, dur);
    }
}

/* Add the step to the timeline. */
static void put_slice(steps *s, const char *step, int64_t start, int64_t end)
{
    tt_builder *b = s->m->b;
    char name[48];
    int n = snprintf(name, sizeof name, "ProfilerStep#%s", step);
    b->sub_us = true; /* ticks are 10 ns long */
    if (!s->n++) {
        s->track = tt_build_track_of(b, "steps", 5, "steps", 5);
        tt_build_label_text(b, s->track, TT_LABEL_PROCESS_NAME, tt_build_name(b, "Step Trace", 10), 0);
        tt_build_label_text(b, s->track, TT_LABEL_THREAD_NAME, tt_build_name(b, "Steps", 5), 0);
        s->cat = tt_build_category(b, tt_build_name(b, "user_annotation", 15), TT_KIND_STEP);
    }
    tt_slice_in in = {.ts = start, .track = s->track, .cat = s->cat};
    if (!tt_mi_make(s->m, &in.offset)) return;
    in.name = tt_build_name(b, name, (size_t)n);
    if (tt_build_span(b, in.offset, name, (size_t)n, start, end, &in.dur)) tt_build_slice(b, &in);
}

static void put_step(steps *s, int64_t number)
{
    char step[24];
    size_t n = (size_t)snprintf(step, sizeof step, "%" PRId64, number);
    int64_t start = ticks(s, s->start), end = ticks(s, s->end);
    if (start != TT_UNKNOWN && end != TT_UNKNOWN && end < start) {
        tt_csv_bad(s->c, s->end, "is before start_point");
        end = TT_UNKNOWN;
    }
    uint32_t row = tt_imported_row(s->trace);
    tt_imported_set_s(s->trace, row, T_STEP, step, n);
    set_ns(s->trace, row, T_TOTAL, part(s, s->total, s->start, s->end));
    set_ns(s->trace, row, T_GAP, part(s, s->gap, s->start, s->fp));
    set_ns(s->trace, row, T_BOTH, part(s, s->both, s->fp, s->bp));
    if (!s->inference) set_ns(s->trace, row, T_TAIL, part(s, s->tail, s->bp, s->end));
    put_collectives(s, step, n, start);
    if (s->collectives.n) tt_imported_set_i(s->trace, row, T_COLLECTIVES, union_of(s));
    if (start == TT_UNKNOWN || s->m->zero == TT_UNKNOWN) return;
    tt_imported_set_i(s->trace, row, T_START, start - s->m->zero);
    if (end != TT_UNKNOWN) put_slice(s, step, start - s->m->zero, end - s->m->zero);
}

/* Read a row; the row of means is named "-", in some old files 0. */
static void read_row(steps *s)
{
    int64_t number = 0;
    if (tt_csv_is(s->c, s->number, "-")) {
        put_summary(s);
    } else if (!tt_csv_cell(s->c, s->number).n) {
        tt_csv_bad(s->c, -1, "has no step number");
    } else if (tt_csv_int(s->c, s->number, &number)) {
        if (number == 0)
            put_summary(s);
        else if (number > 0)
            put_step(s, number);
        else
            tt_csv_bad(s->c, s->number, "is no step");
    }
}

/* ---- the operators at which forward begins and backward ends ---- */

/* Read the points. GPU: a list with one object a step; all are alike, so the first one counts. */
static void read_points(tt_mi *m)
{
    const char *role = tt_input_has(m->in, "points") ? "points" : "points_of_all";
    static const char *const keys[] = {"fp_start", "bp_end"};
    tt_text text;
    tt_arena a = {0};
    if (!tt_mi_text(m, role, &text)) return;
    const char *end = text.at + text.n, *p = tt_json_blanks(text.at, end);
    tt_json_member item = {.value = p, .value_n = (size_t)(end - p)};
    bool any = *p == '{';
    if (*p == '[') {
        p++;
        any = tt_json_item(&p, end, &item) && item.value_n && *item.value == '{';
    }
    for (size_t k = 0; any && k < 2; k++) {
        const char *name = tt_mi_string(item.value, item.value + item.value_n, keys[k], &a);
        tt_mi_fact(m, keys[k], name, strlen(name));
    }
    if (!any) tt_mi_bad(m, role, &text, NULL, "is no JSON object or list of objects");
    tt_vec_free(&text);
    tt_arena_free(&a);
}

void tt_mi_steps(tt_mi *m)
{
    read_points(m);
    steps s = {.m = m, .c = tt_mi_csv(m, "step_trace", NULL)};
    if (!s.c) return;
    tt_strings_init(&s.keys);
    s.trace = TT_MI_TABLE(m, "step_trace", trace_columns);
    s.summary = TT_MI_TABLE(m, "step_trace_summary", summary_columns);
    s.calls = TT_MI_TABLE(m, "step_collectives", call_columns);
    if (tt_csv_is_open(s.c)) {
        find_columns(&s);
        while (tt_csv_next(s.c) && !tt_mi_cancelled(m)) read_row(&s);
        if (s.trace->n_rows && !s.summary->n_rows)
            tt_csv_bad(s.c, -1, "is the last row; the row of the means is missing");
    }
    tt_csv_close(s.c);
    tt_strings_free(&s.keys);
    tt_vec_free(&s.collectives);
    tt_vec_free(&s.busy);
    tt_arena_free(&s.a);
}

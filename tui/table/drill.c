/* tui/table/drill.c - the slices behind a row as a table of their own, so that they are listed by the same widget. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/analysis/calls/backward.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/table_util.h"
#include "tui/table/view_impl.h"

enum { MAX_SLICES = 200000, LINE_CAP = 512 }; /* further slices are counted, not listed */

enum { C_NAME, C_START, C_DUR, C_TRACK, C_OPERATOR, C_SHAPES, C_LINE, C_WORKER, C_COUNT };
static const tt_column columns[C_COUNT] = {
    [C_NAME] = COL("name", "Name", STRING, 0, "name of the slice"),
    [C_START] = COL("start_at_ns", "Start", TIME, 1, "start, from the earliest event of everything that is loaded"),
    [C_DUR] = COL("dur_ns", "Duration", DURATION, 0, "duration"),
    [C_TRACK] = COL("track", "Track", STRING, 2, "thread or stream"),
    [C_OPERATOR] = COL("operator", "Operator", STRING, 3, "operator that launched it"),
    [C_SHAPES] = COL("input_shapes", "Input Shapes", STRING, 4, "shapes of the inputs"),
    [C_LINE] = {.key = "line",
                .title = "Python line",
                .type = TT_T_STRING,
                .prio = 2,
                .help = "line of the program that it was called or launched on",
                .place = true},
    [C_WORKER] = COL("worker", "Worker", STRING, 5, "worker"),
};
static const tt_table_desc slices_desc = {
    .id = "slices",
    .title = "Instances",
    .meaning = "the events behind a row",
    .cols = columns,
    .n_cols = C_COUNT,
    .default_sort = "dur_ns",
    .default_desc = true,
};

/* The Python line that called a slice, or that launched device work. */
static bool line_of(const tt_session *s, const tt_slice_ref *r, char *out, size_t cap)
{
    const tt_trace *st = s->traces[r->trace];
    const tt_activity *dev = tt_row_dev(st, r->row);
    if (dev && dev->launch == TT_NONE) return false;
    return tt_program_line_of(s, r->trace, dev ? dev->launch : r->row, out, cap);
}

/* Choose the columns that are known for the first slice. */
static uint32_t choose_columns(const tt_session *s, const tt_slice_ref *first, uint32_t out[C_COUNT])
{
    uint32_t n = 0;
    char line[LINE_CAP];
    const tt_trace *st = first ? s->traces[first->trace] : NULL;
    tt_kind k = first ? tt_row_kind(st, first->row) : TT_KIND_OTHER;
    for (uint32_t c = 0; c < C_COUNT; c++) {
        bool op_args = k != TT_KIND_RUNTIME && k != TT_KIND_DRIVER && !tt_kind_is_python(k) && !tt_kind_is_device(k);
        if (c == C_OPERATOR && !tt_kind_is_work(k)) continue;
        if (c == C_SHAPES && !op_args) continue;
        if (c == C_WORKER && s->n_traces < 2) continue;
        if (c == C_LINE && !(first && line_of(s, first, line, sizeof line))) continue;
        out[n++] = c;
    }
    return n;
}

/* The text is in the arena of t. Neighbouring slices mostly share a line: equal neighbours share the text. */
static tt_cell line_cell(const tt_session *s, const tt_slice_ref *r, tt_table *t, const char **last)
{
    char line[LINE_CAP];
    if (!line_of(s, r, line, sizeof line)) return (tt_cell){.s = NULL};
    if (!*last || strcmp(*last, line) != 0) *last = tt_arena_strndup(&t->arena, line, strlen(line));
    return (tt_cell){.s = *last};
}

static tt_cell slice_cell(const tt_session *s, const tt_slice_ref *r, uint32_t column)
{
    const tt_trace *st = s->traces[r->trace];
    const tt_activity *dev;
    const tt_graphs *graphs;
    tt_sid op;
    switch (column) {
    case C_NAME: return (tt_cell){.s = tt_row_name(st, r->row)};
    case C_START: return (tt_cell){.i = st->start[r->row] + s->offset_ns[r->trace]};
    case C_DUR: return (tt_cell){.i = st->dur[r->row]};
    case C_TRACK: return (tt_cell){.s = tt_str(&st->strings, st->tracks[tt_row_track(st, r->row)].name)};
    case C_WORKER: return (tt_cell){.s = st->worker};
    case C_OPERATOR:
        dev = tt_row_dev(st, r->row);
        graphs = tt_graphs_get(s, r->trace);
        op = dev ? tt_work_operator(graphs, dev) : TT_NONE;
        return (tt_cell){.s = op == TT_NONE ? NULL : tt_graph_text(graphs, op)};
    case C_SHAPES: {
        uint32_t side = st->detail[r->row];
        tt_sid shapes = side && side < st->n_op_args ? st->op_args[side].shapes : 0;
        return (tt_cell){.s = shapes ? tt_str(&st->strings, shapes) : NULL};
    }
    default: return (tt_cell){.i = TT_UNKNOWN};
    }
}

tt_table *tt_slices_table(const tt_session *s, const tt_scope *scope, const tt_drilldown *o)
{
    tt_table *t = tt_calloc(1, sizeof *t);
    tt_slice_ref *ref = tt_malloc(MAX_SLICES * sizeof *ref);
    uint32_t all = tt_drilldown_slices(s, scope, o, ref, MAX_SLICES), n = all < MAX_SLICES ? all : MAX_SLICES;
    uint32_t column[C_COUNT], n_cols = choose_columns(s, n ? ref : NULL, column);
    const tt_column **cols = tt_calloc(n_cols, sizeof *cols);
    for (uint32_t c = 0; c < n_cols; c++) cols[c] = &columns[column[c]];
    const char *last = NULL;
    t->desc = &slices_desc;
    t->cols = t->col_store = cols;
    t->n_cols = n_cols;
    t->n_rows = n;
    t->cells = tt_calloc((size_t)n * n_cols + 1, sizeof *t->cells);
    t->drilldowns = tt_calloc((size_t)n + 1, sizeof *t->drilldowns);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t c = 0; c < n_cols; c++)
            t->cells[(size_t)i * n_cols + c] =
                column[c] == C_LINE ? line_cell(s, &ref[i], t, &last) : slice_cell(s, &ref[i], column[c]);
        t->drilldowns[i] = (tt_drilldown){.what = TT_DRILL_ROW, .trace = ref[i].trace, .row = ref[i].row};
    }
    if (all > n) t->note = tt_arena_printf(&t->arena, "the first %u of %u", n, all);
    free(ref);
    return t;
}

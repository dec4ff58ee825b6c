/* tui/charts/pipeline_read.c - reads an input pipeline from the data_* tables. */
#include "model/base/buf.h"
#include "tui/charts/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/data/columns.h"
#include "tui/charts/pipeline_impl.h"
#include "tui/screen/table_fetch.h"

enum { MOST_OPERATORS = 2000, SUSPECTS = 3 }; /* MOST_OPERATORS: further operators are in the table only */

uint32_t tt_pipeline_rows(const tt_pipeline *p, tt_pipeline_table which)
{
    return p->t[which] ? p->t[which]->n_rows : 0;
}

bool tt_pipeline_mine(const tt_pipeline *p, tt_pipeline_table which, uint32_t row)
{
    return !strcmp(tt_cell_worker(p->t[which], row), p->worker);
}

uint32_t tt_pipeline_queue(const tt_pipeline *p, tt_pipeline_box box)
{
    const char *name = box == TT_BOX_HOST ? "host" : "device";
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_QUEUES); r++) {
        if (tt_pipeline_mine(p, TT_PIPELINE_QUEUES, r) &&
            !strcmp(tt_cell_s(p->t[TT_PIPELINE_QUEUES], r, TT_DATA_QUEUES_QUEUE), name))
            return r;
    }
    return TT_NONE;
}

bool tt_pipeline_suspect(const tt_pipeline *p, uint32_t row)
{
    return tt_cell_i(p->t[TT_PIPELINE_OPERATORS], row, TT_DATA_PIPELINE_SUSPECT) == 1;
}

bool tt_pipeline_any(const tt_pipeline *p)
{
    for (int i = 0; i < TT_PIPELINE_STEPS; i++) {
        if (tt_pipeline_rows(p, (tt_pipeline_table)i)) return true;
    }
    return false;
}

/* ---- the operators in the direction of the data ---- */

typedef struct visit {
    uint32_t row;
    int indent;
    bool inside; /* the operators that feed this one have been listed */
} visit;

static bool is_child(const tt_pipeline *p, uint32_t row, int64_t parent)
{
    return tt_cell_i(p->t[TT_PIPELINE_OPERATORS], row, TT_DATA_PIPELINE_PARENT_ID) == parent;
}

static void add_line(tt_pipeline *p, tt_pipeline_box box, uint32_t row, int indent, const char *name)
{
    p->lines[p->n_lines++] = (tt_pipeline_line){box, row, indent, name};
}

/* List the operators that feed an operator before the operator itself; branches that meet are indented. */
static void list_from(tt_pipeline *p, uint32_t root, const uint32_t *rows, uint32_t n, bool *seen, visit *stack)
{
    const tt_table *t = p->t[TT_PIPELINE_OPERATORS];
    uint32_t depth = 0;
    stack[depth++] = (visit){rows[root], 0, false};
    seen[root] = true;
    while (depth) {
        visit *v = &stack[depth - 1];
        if (v->inside) {
            add_line(p, TT_BOX_OPERATORS, v->row, v->indent, tt_cell_s(t, v->row, TT_DATA_PIPELINE_NAME));
            depth--;
            continue;
        }
        v->inside = true;
        int64_t id = tt_cell_i(t, v->row, TT_DATA_PIPELINE_OP_ID);
        uint32_t children = 0;
        int indent = v->indent;
        for (uint32_t i = 0; i < n; i++) children += id != TT_UNKNOWN && is_child(p, rows[i], id);
        for (uint32_t i = n; i-- > 0 && children;) {
            if (seen[i] || !is_child(p, rows[i], id)) continue;
            seen[i] = true;
            stack[depth++] = (visit){rows[i], indent + (children > 1), false};
        }
    }
}

static void list_operators(tt_pipeline *p)
{
    const tt_table *t = p->t[TT_PIPELINE_OPERATORS];
    uint32_t *rows = tt_malloc(MOST_OPERATORS * sizeof *rows), n = 0;
    visit *stack = tt_malloc((MOST_OPERATORS + 1) * sizeof *stack);
    bool *seen = tt_calloc(MOST_OPERATORS, sizeof *seen);
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_OPERATORS) && n < MOST_OPERATORS; r++) {
        if (tt_pipeline_mine(p, TT_PIPELINE_OPERATORS, r)) rows[n++] = r;
    }
    for (uint32_t i = 0; i < n; i++) {
        int64_t parent = tt_cell_i(t, rows[i], TT_DATA_PIPELINE_PARENT_ID);
        bool root = true;
        for (uint32_t k = 0; k < n && root && parent != TT_UNKNOWN; k++)
            root = k == i || tt_cell_i(t, rows[k], TT_DATA_PIPELINE_OP_ID) != parent;
        if (root) list_from(p, i, rows, n, seen, stack);
    }
    for (uint32_t i = 0; i < n; i++) { /* in a circle, which no pipeline is */
        if (!seen[i]) list_from(p, i, rows, n, seen, stack);
    }
    p->n_operators = p->n_lines;
    free(seen);
    free(stack);
    free(rows);
}

/* ---- */

static int waits_for(const tt_pipeline *p)
{
    static const char *const stages[] = {"data_process", "data_transfer", "training"};
    static const tt_pipeline_box boxes[] = {TT_BOX_OPERATORS, TT_BOX_DEVICE, TT_BOX_TRAINING};
    const tt_table *t = p->t[TT_PIPELINE_STAGES];
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_STAGES); r++) {
        if (!tt_pipeline_mine(p, TT_PIPELINE_STAGES, r) || tt_cell_i(t, r, TT_DATA_STAGES_BOTTLENECK) != 1) continue;
        for (int i = 0; i < 3; i++) {
            if (!strcmp(tt_cell_s(t, r, TT_DATA_STAGES_STAGE), stages[i])) return (int)boxes[i];
        }
    }
    return -1;
}

void tt_pipeline_free(tt_pipeline *p)
{
    free(p->lines);
    *p = (tt_pipeline){.worker = "", .waits = -1};
}

void tt_pipeline_set(tt_pipeline *p, const tt_table *const *t)
{
    uint32_t top = p->top;
    bool first = true;
    tt_pipeline_free(p);
    if (!t) return;
    memcpy(p->t, t, sizeof p->t);
    p->top = top;
    for (int i = 0; i < TT_PIPELINE_STEPS; i++) {
        for (uint32_t r = 0; r < tt_pipeline_rows(p, (tt_pipeline_table)i); r++) {
            const char *worker = tt_cell_worker(t[i], r);
            if (first) p->worker = worker;
            p->others |= strcmp(worker, p->worker) != 0;
            first = false;
        }
    }
    p->lines = tt_calloc(MOST_OPERATORS + 2, sizeof *p->lines);
    list_operators(p);
    for (int box = TT_BOX_HOST; box <= TT_BOX_DEVICE; box++) {
        uint32_t row = tt_pipeline_queue(p, (tt_pipeline_box)box);
        if (row != TT_NONE) add_line(p, (tt_pipeline_box)box, row, 0, box == TT_BOX_HOST ? "host" : "device");
    }
    p->waits = waits_for(p);
}

uint32_t tt_pipeline_first_of(const tt_pipeline *p, tt_pipeline_box box)
{
    for (uint32_t i = 0; i < p->n_lines; i++) {
        if (p->lines[i].box == box) return i;
    }
    return TT_NONE;
}

/* ---- in words ---- */

/* The names of the first three suspects; "" = none. */
void tt_pipeline_suspects(const tt_pipeline *p, char *out, size_t cap)
{
    tt_buf line = tt_buf_on(out, cap);
    unsigned n = 0;
    for (uint32_t i = 0; i < p->n_operators; i++) {
        if (!tt_pipeline_suspect(p, p->lines[i].row)) continue;
        if (n < SUSPECTS) tt_buf_add(&line, "%s%.60s", n ? ", " : "", p->lines[i].name);
        n++;
    }
    if (n > SUSPECTS) tt_buf_add(&line, " and %u more", n - SUSPECTS);
}

/* How often a queue was empty: "the host queue was empty in 75% of the samples"; "" = not known. */
static void empty_text(const tt_pipeline *p, tt_pipeline_box box, char *out, size_t cap)
{
    double pct = tt_cell_d(p->t[TT_PIPELINE_QUEUES], tt_pipeline_queue(p, box), TT_DATA_QUEUES_EMPTY_PCT);
    out[0] = 0;
    if (pct == pct)
        snprintf(out, cap, ": the %s queue was empty in %.3g%% of the samples", box == TT_BOX_HOST ? "host" : "device",
                 pct);
}

void tt_pipeline_verdict(const tt_pipeline *p, char *out, size_t cap)
{
    char suspects[256], empty[96];
    tt_pipeline_suspects(p, suspects, sizeof suspects);
    const char *mark = *suspects ? "; suspect: " : "";
    switch (p->waits) {
    case TT_BOX_OPERATORS:
        empty_text(p, TT_BOX_HOST, empty, sizeof empty);
        snprintf(out, cap, "Training waits for data%s%s%s", empty, mark, suspects);
        break;
    case TT_BOX_DEVICE:
        empty_text(p, TT_BOX_DEVICE, empty, sizeof empty);
        snprintf(out, cap, "Training waits for the transfer to the device%s", empty);
        break;
    case TT_BOX_TRAINING:
        empty_text(p, TT_BOX_HOST, empty, sizeof empty);
        snprintf(out, cap, "Training does not wait for data%s%s%s", empty, mark, suspects);
        break;
    default:
        if (*suspects)
            snprintf(out, cap, "Suspect in the input pipeline: %s; no queue to training was recorded", suspects);
        else
            snprintf(out, cap, "No queue to training was recorded: nothing says whether training waits for data");
    }
}

void tt_pipeline_fill_text(const tt_table *t, uint32_t row, uint32_t mean, uint32_t capacity, char *out, size_t cap)
{
    double m = tt_cell_d(t, row, mean), c = tt_cell_d(t, row, capacity);
    out[0] = 0;
    if (m == m && c == c)
        snprintf(out, cap, "%.1f of %.0f", m, c);
    else if (m == m)
        snprintf(out, cap, "%.1f", m);
}

double tt_pipeline_fill(const tt_pipeline *p, const tt_pipeline_line *l)
{
    const tt_table *t = p->t[l->box == TT_BOX_OPERATORS ? TT_PIPELINE_OPERATORS : TT_PIPELINE_QUEUES];
    if (l->box == TT_BOX_OPERATORS) return tt_cell_d(t, l->row, TT_DATA_PIPELINE_QUEUE_USAGE_PCT) / 100;
    return tt_cell_d(t, l->row, TT_DATA_QUEUES_MEAN_SIZE) / tt_cell_d(t, l->row, TT_DATA_QUEUES_CAPACITY);
}

void tt_pipeline_text(const tt_pipeline *p, uint32_t line, tt_unit unit, char *out, size_t cap)
{
    static const struct {
        uint32_t column;
        const char *text;
    } times[] = {
        {TT_DATA_QUEUES_GET_MEAN, "get"}, {TT_DATA_QUEUES_PUSH_MEAN, "push"}, {TT_DATA_QUEUES_BATCH_MEAN, "batch"}};
    char fill[48], ns[TT_TEXT_CAP];
    if (line >= p->n_lines) {
        snprintf(out, cap, "data");
        return;
    }
    const tt_pipeline_line *l = &p->lines[line];
    tt_buf text = tt_buf_on(out, cap);
    if (l->box == TT_BOX_OPERATORS) {
        const tt_table *t = p->t[TT_PIPELINE_OPERATORS];
        int64_t workers = tt_cell_i(t, l->row, TT_DATA_PIPELINE_WORKERS),
                samples = tt_cell_i(t, l->row, TT_DATA_PIPELINE_SAMPLES);
        tt_pipeline_fill_text(t, l->row, TT_DATA_PIPELINE_QUEUE_MEAN, TT_DATA_PIPELINE_QUEUE_CAPACITY, fill,
                              sizeof fill);
        tt_buf_add(&text, "%.80s", l->name);
        if (workers != TT_UNKNOWN) tt_buf_add(&text, "   %s", tt_format_counted(ns, workers, "worker"));
        tt_buf_add(&text, *fill ? "   queue behind it %s" : "   has no queue", fill);
        if (samples > 0) tt_buf_add(&text, " in %s", tt_format_counted(ns, samples, "sample"));
        if (tt_pipeline_suspect(p, l->row)) tt_buf_add(&text, "   suspect");
        return;
    }
    const tt_table *t = p->t[TT_PIPELINE_QUEUES];
    double empty = tt_cell_d(t, l->row, TT_DATA_QUEUES_EMPTY_PCT);
    tt_pipeline_fill_text(t, l->row, TT_DATA_QUEUES_MEAN_SIZE, TT_DATA_QUEUES_CAPACITY, fill, sizeof fill);
    tt_buf_add(&text, "%s queue   %s", l->name, fill);
    if (empty == empty) tt_buf_add(&text, "   empty in %.3g%% of the samples", empty);
    for (int i = 0; i < 3; i++) {
        int64_t v = tt_cell_i(t, l->row, times[i].column);
        if (v != TT_UNKNOWN) tt_buf_add(&text, "   %s %s", times[i].text, tt_format_duration(ns, v, unit));
    }
}

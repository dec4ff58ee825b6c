/* tui/screen/table_fetch.c - fetching tables for charts. */
#include "tui/screen/table_fetch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/registry/registry.h"
#include "model/text/engine_step.h"
#include "model/trace/trace.h"

typedef struct fetch_job {
    tt_table_fetch *tables;
    unsigned serial;
    tt_session *session;
    tt_scope scope;
    const tt_table_desc *desc[TT_MAX_FETCH];
    tt_options options[TT_MAX_FETCH];
    tt_comparison compare[TT_MAX_FETCH]; /* the comparisons that the options point to */
    const tt_table *at[TT_MAX_FETCH];
    tt_row_order order[TT_MAX_FETCH];
    bool ran;
} fetch_job;

static void free_orders(tt_row_order *order)
{
    for (int i = 0; i < TT_MAX_FETCH; i++) tt_row_order_free(&order[i]);
}

static void fetch_run(void *arg)
{
    fetch_job *f = arg;
    tt_table_fetch *t = f->tables; /* the worker reads only members that never change */
    for (int i = 0; t->ids[i]; i++) {
        f->at[i] = f->desc[i] ? tt_table_get(f->session, f->desc[i], &f->scope, &f->options[i]) : NULL;
    }
    f->ran = true;
    for (int i = 0; t->order_by && t->ids[i]; i++) {
        tt_row_order_spec spec = {0};
        if (!t->order_by(f->at, i, &spec)) continue;
        if (tt_row_order_make(f->at[i], &spec, &f->order[i], NULL) != TT_OK) f->at[i] = NULL;
    }
}

static void fetch_done(void *arg, tt_host *a)
{
    fetch_job *f = arg;
    tt_table_fetch *t = f->tables;
    if (f->serial == t->serial && f->ran) {
        t->running = false;
        memcpy(t->at, f->at, sizeof t->at);
        free_orders(t->order);
        memcpy(t->order, f->order, sizeof t->order);
        memset(f->order, 0, sizeof f->order);
        if (t->ready) t->ready(t->screen);
        tt_host_dirty(a);
    }
    free_orders(f->order);
    free(f);
}

void tt_table_fetch_ask(tt_table_fetch *t)
{
    tt_host *a = t->screen->host;
    fetch_job *f = tt_calloc(1, sizeof *f);
    f->tables = t;
    f->serial = ++t->serial;
    f->session = tt_host_session(a);
    f->scope = *tt_host_scope(a);
    if (t->all_workers) f->scope.worker = TT_ALL;
    for (int i = 0; t->ids[i]; i++) {
        f->desc[i] = tt_session_table(f->session, t->ids[i]);
        int group = f->desc[i] && t->groups && t->groups[i] ? tt_table_group(f->desc[i], t->groups[i]) : 0;
        tt_options usual = {.group = (uint8_t)(group > 0 ? group : 0)};
        f->options[i] = tt_host_comparing(a, f->desc[i], &usual, &f->compare[i]);
        if (!t->at[i] || !tt_host_base_gone(a, t->at[i])) continue;
        t->at[i] = NULL;
        tt_row_order_free(&t->order[i]);
    }
    t->running = true;
    tt_host_job(a, fetch_run, fetch_done, f);
}

void tt_table_fetch_renew(tt_table_fetch *t)
{
    memset(t->at, 0, sizeof t->at);
    tt_table_fetch_free(t);
    tt_table_fetch_ask(t);
}

void tt_table_fetch_free(tt_table_fetch *t) { free_orders(t->order); }

const tt_table *tt_table_of(tt_session *s, const tt_scope *scope, const char *id)
{
    const tt_table_desc *d = tt_session_table(s, id);
    return d ? tt_table_get(s, d, scope, &(tt_options){0}) : NULL;
}

/* Two rows have the same text or count in a column; col -1: the table has no such column. */
static bool same_cell(const tt_table *t, int col, uint32_t a, uint32_t b)
{
    if (col < 0) return true;
    tt_cell x = tt_table_cell(t, a, (uint32_t)col), y = tt_table_cell(t, b, (uint32_t)col);
    if (t->cols[col]->type != TT_T_STRING) return x.i == y.i;
    return x.s == y.s || !strcmp(x.s ? x.s : "", y.s ? y.s : "");
}

static void step_label(const tt_table *t, uint32_t row, uint32_t step, char buf[32])
{
    char own[TT_CELL_LABEL];
    unsigned nth = 1;
    for (uint32_t r = 0; r < row && row < t->n_rows; r++) {
        nth += same_cell(t, tt_column_shown(t, step), r, row) && tt_cells_same_run(t, r, t, row);
    }
    snprintf(buf, 32, nth > 1 ? "%.23s (%u)" : "%.23s", tt_cell_label(t, row, step, own), nth);
}

/* The phase of a step of a serving engine, a word of at most seven letters; NULL = it has none. */
static const char *phase_of(const tt_trace *s, const char *number)
{
    int64_t n = strtoll(number, NULL, 10);
    uint32_t lo = 0, hi = tt_steps_of_engine(s) ? s->n_steps : 0;
    TT_BISECT(lo, hi, i, s->steps[i].number < n);
    if (lo >= s->n_steps || s->steps[lo].number != n) return NULL;
    uint32_t bits = s->steps[lo].phases;
    if (!bits || bits & (1u << TT_PHASE_UNKNOWN | 1u << TT_PHASE_DIFFUSION)) return NULL;
    return tt_phase_word((tt_phase)__builtin_ctz(bits));
}

const char *tt_step_title(const tt_session *s, const tt_table *t, uint32_t row, uint32_t step, char buf[48])
{
    char label[32];
    const char *worker = tt_cell_worker(t, row), *phase = NULL;
    step_label(t, row, step, label);
    for (uint32_t i = 0; i < s->n_traces && !phase; i++)
        if (!*worker || !strcmp(s->traces[i]->worker, worker)) phase = phase_of(s->traces[i], label);
    snprintf(buf, 48, "%.15s %s", phase ? phase : "step", label);
    return buf;
}

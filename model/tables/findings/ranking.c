/* model/tables/findings/ranking.c - see ranking.h. The order follows from the cells of the table alone. */
#include "model/tables/findings/ranking.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/findings/claims/columns.h"

static const struct {
    const char *id;
    tt_finding_rank rank;
} rules[] = {
#define X(id, rank, under) {#id, TT_RANK_##rank},
#include "model/tables/findings/claims/findings.def"
#undef X
};
enum { N_RULES = sizeof rules / sizeof *rules };

typedef struct place {  /* sort keys of a row */
    uint32_t row, root; /* root: row of its root; the row itself for a root */
    uint32_t trace;     /* equal for rows of one trace, which are neighbours */
    tt_finding_rank rank;
    int severity; /* 0 = high */
    uint32_t rule;
    int64_t saving, time, start;
    const char *title;
} place;

static tt_cell *cell(tt_table *t, uint32_t row, uint32_t col) { return &t->cells[(size_t)row * t->n_cols + col]; }
static void move_rows(tt_table *t, const uint32_t *from)
{
    size_t width = t->n_cols * sizeof *t->cells;
    tt_cell *cells = tt_malloc(t->n_rows * width);
    tt_drilldown *drilldowns = t->drilldowns ? tt_malloc(t->n_rows * sizeof *drilldowns) : NULL;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        memcpy(cells + (size_t)r * t->n_cols, cell(t, from[r], 0), width);
        if (drilldowns) drilldowns[r] = t->drilldowns[from[r]];
    }
    memcpy(t->cells, cells, t->n_rows * width);
    if (drilldowns) memcpy(t->drilldowns, drilldowns, t->n_rows * sizeof *drilldowns);
    free(cells);
    free(drilldowns);
}

static uint32_t rule_of(const char *id)
{
    uint32_t i = 0;
    while (i < N_RULES && strcmp(rules[i].id, id) != 0) i++;
    return i;
}

static bool same_trace(const tt_table *t, uint32_t a, uint32_t b) { return tt_cells_same_run(t, a, t, b); }

/* For each row the nearest row of its trace, before it or else from it on, with the rule asked for (N_RULES: none);
 * TT_NONE. */
static void find_in_trace(const place *p, uint32_t n, const uint32_t *rule, uint32_t *out)
{
    uint32_t seen[N_RULES + 1];
    for (uint32_t i = 0; i <= N_RULES; i++) seen[i] = TT_NONE;
    for (uint32_t r = 0; r < n; r++) {
        uint32_t before = rule[r] < N_RULES ? seen[rule[r]] : TT_NONE;
        out[r] = before != TT_NONE && p[before].trace == p[r].trace ? before : TT_NONE;
        seen[p[r].rule] = r;
    }
    for (uint32_t i = 0; i <= N_RULES; i++) seen[i] = TT_NONE;
    for (uint32_t r = n; r-- > 0;) {
        seen[p[r].rule] = r;
        uint32_t behind = rule[r] < N_RULES ? seen[rule[r]] : TT_NONE;
        if (out[r] == TT_NONE && behind != TT_NONE && p[behind].trace == p[r].trace) out[r] = behind;
    }
}

static void place_row(const tt_table *t, uint32_t row, place *out)
{
    const char *severity = tt_cell_s(t, row, TT_FINDING_SEVERITY);
    out->row = out->root = row;
    out->rule = rule_of(tt_cell_s(t, row, TT_FINDING_ID));
    out->severity = !strcmp(severity, "high") ? 0 : !strcmp(severity, "medium") ? 1 : 2;
    out->saving = tt_cell_i(t, row, TT_FINDING_SAVING);
    out->time = tt_cell_i(t, row, TT_FINDING_TIME);
    out->start = tt_cell_i(t, row, TT_FINDING_START_AT);
    out->title = tt_cell_s(t, row, TT_FINDING_TITLE);
}

/* Rank of a row: the rank of its rule, except for two rules that depend on what else was found. host: row of
 * host_bound in its trace; TT_NONE. */
static tt_finding_rank rank_of(const tt_table *t, const place *p, uint32_t row, uint32_t host)
{
    if (row && p[row].rule < N_RULES && rules[p[row].rule].rank == TT_RANK_SERVING) {
        for (uint32_t r = row; r-- > 0;)
            if (p[r].rule == p[row].rule) return TT_RANK_TIME;
    }
    const char *id = tt_cell_s(t, row, TT_FINDING_ID);
    if (!strcmp(id, "events_lost") && p[row].severity == 0) return TT_RANK_LOST;
    if (!strcmp(id, "first_call") && (host == TT_NONE || p[row].time > p[host].time)) return TT_RANK_FIRST_CALL;
    return p[row].rule < N_RULES ? rules[p[row].rule].rank : TT_RANK_TIME;
}

static int by_cost(const place *x, const place *y)
{
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->severity != y->severity) return x->severity < y->severity ? -1 : 1;
    if (x->saving != y->saving) return x->saving > y->saving ? -1 : 1; /* unknown savings come last */
    if (x->rank == TT_RANK_HANG) { /* as table hang_faults: the worst kind, then the first that others waited for */
        if (x->rule != y->rule) return x->rule < y->rule ? -1 : 1;
        if (x->start != y->start) return x->start < y->start ? -1 : 1;
    }
    if (x->time != y->time) return x->time > y->time ? -1 : 1;
    if (x->rule != y->rule) return x->rule < y->rule ? -1 : 1;
    return strcmp(x->title, y->title);
}

static int by_place(const void *a, const void *b, void *arg)
{
    const place *x = a, *y = b, *all = arg, *rx = &all[x->root], *ry = &all[y->root];
    int c = x->root == y->root ? 0 : by_cost(rx, ry);
    if (!c && x->root != y->root) c = rx->row < ry->row ? -1 : 1;
    if (!c && (x->root == x->row) != (y->root == y->row)) c = x->root == x->row ? -1 : 1;
    if (!c) c = by_cost(x, y);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

/* Set roots, preferably of the same trace, and ranks. */
static void relate(const tt_table *t, place *p)
{
    uint32_t n = t->n_rows, of_rule[N_RULES + 1], host = rule_of("host_bound");
    uint32_t *rule = tt_malloc((n + (size_t)1) * sizeof *rule), *found = tt_malloc((n + (size_t)1) * sizeof *found);
    for (uint32_t i = 0; i <= N_RULES; i++) of_rule[i] = TT_NONE;
    for (uint32_t r = 0; r < n; r++) {
        const char *cause = tt_cell_s(t, r, TT_FINDING_CAUSE);
        rule[r] = *cause ? rule_of(cause) : N_RULES;
        if (of_rule[p[r].rule] == TT_NONE) of_rule[p[r].rule] = r;
    }
    find_in_trace(p, n, rule, found);
    for (uint32_t r = 0; r < n; r++) {
        uint32_t root = rule[r] < N_RULES && found[r] == TT_NONE ? of_rule[rule[r]] : found[r];
        if (root != TT_NONE) p[r].root = root;
        rule[r] = host;
    }
    find_in_trace(p, n, rule, found);
    for (uint32_t r = 0; r < n; r++) p[r].rank = rank_of(t, p, r, found[r]);
    free(rule);
    free(found);
}

uint32_t *tt_findings_order(tt_table *t)
{
    uint32_t n = t->n_rows;
    place *p = tt_malloc((n + (size_t)1) * sizeof *p), *order = tt_malloc((n + (size_t)1) * sizeof *order);
    uint32_t *from = tt_malloc((n + (size_t)1) * sizeof *from);
    for (uint32_t r = 0; r < n; r++) {
        place_row(t, r, &p[r]);
        p[r].trace = !r ? 0 : p[r - 1].trace + !same_trace(t, r - 1, r);
    }
    relate(t, p);
    memcpy(order, p, n * sizeof *p);
    if (n) qsort_r(order, n, sizeof *order, by_place, p);
    for (uint32_t i = 0; i < n; i++) from[i] = order[i].row;
    if (n) move_rows(t, from);
    free(p);
    free(order);
    return from;
}

bool tt_findings_say_nothing(const tt_table *t)
{
    for (uint32_t r = 0; r < t->n_rows; r++) {
        uint32_t rule = rule_of(tt_cell_s(t, r, TT_FINDING_ID));
        if (rule == N_RULES || rules[rule].rank != TT_RANK_LAST) return false;
    }
    return true;
}

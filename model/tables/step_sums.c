/* model/tables/step_sums.c - a cell is appended whenever a group is met in another step than the last time. Events
 * of a thread come in order, so the cell is mostly the group's last one; events out of order only make more cells. */
#include "model/tables/step_sums.h"

#include <stdlib.h>

#include "model/base/bisect.h"

void tt_step_sums_free(tt_step_sums *x)
{
    tt_vec_free(&x->cells);
    tt_vec_free(&x->last);
    tt_vec_free(&x->parts);
    tt_vec_free(&x->group_of);
    free(x->first);
    *x = (tt_step_sums){0};
}

/* Number of a group of the current trace among all groups; makes room for it in `last`. */
static uint32_t known_group(tt_step_sums *x, uint32_t group)
{
    if (x->parts.n) group += x->parts.at[x->parts.n - 1].first_group;
    while (x->last.n <= group) *tt_vec_push(&x->last) = TT_NONE;
    return group;
}

void tt_step_sums_put(tt_step_sums *x, uint32_t group, uint32_t step, int64_t calls, int64_t ns)
{
    if (step == TT_NONE) return;
    group = known_group(x, group);
    uint32_t at = x->last.at[group];
    if (at == TT_NONE || x->cells.at[at].step != step) {
        at = x->last.at[group] = (uint32_t)x->cells.n;
        *tt_vec_push(&x->cells) = (tt_step_cell){group, step, 0, 0};
    }
    x->cells.at[at].calls += calls;
    x->cells.at[at].ns += ns;
}

void tt_step_sums_at(tt_step_sums *x, const tt_trace *s, uint32_t group, int64_t start, int64_t ns)
{
    tt_step_sums_put(x, group, tt_step_near(s, start, &x->hint), 1, ns);
}

void tt_step_sums_row(tt_step_sums *x, uint32_t row, uint32_t group)
{
    if (!x) return;
    x->parts.at[x->parts.n - 1].mapped = true;
    while (x->group_of.n <= row) *tt_vec_push(&x->group_of) = TT_NONE;
    x->group_of.at[row] = known_group(x, group);
}

void tt_step_sums_join(tt_step_sums *x, const tt_step_sums *from, const uint32_t *group)
{
    for (size_t i = 0; i < from->cells.n; i++) {
        const tt_step_cell *c = &from->cells.at[i];
        tt_step_sums_put(x, group[c->group], c->step, c->calls, c->ns);
    }
}

void tt_step_sums_begin(tt_step_sums *x, uint32_t trace, uint32_t row)
{
    uint32_t group = (uint32_t)x->last.n;
    if (x->parts.n) { /* groups without any time in a step are rows, too */
        const tt_step_part *before = &x->parts.at[x->parts.n - 1];
        uint32_t rows = before->first_group + (row - before->first_row);
        if (rows > group) group = rows;
    }
    *tt_vec_push(&x->parts) = (tt_step_part){.trace = trace, .first_row = row, .first_group = group};
    x->hint = 0;
}

void tt_step_sums_sort(tt_step_sums *x)
{
    size_t n = x->cells.n, groups = x->last.n;
    TT_VEC(tt_step_cell) sorted = {0};
    x->first = tt_calloc(groups + 2, sizeof *x->first);
    /* next free cell of each group; filling moves it to the first cell of the next group */
    uint32_t *fill = x->first + 1;
    for (size_t i = 0; i < n; i++)
        if (x->cells.at[i].group + 1u < groups) fill[x->cells.at[i].group + 1]++;
    for (size_t g = 0; g + 1 < groups; g++) fill[g + 1] += fill[g];
    tt_vec_reserve(&sorted, n);
    for (size_t i = 0; i < n; i++) sorted.at[fill[x->cells.at[i].group]++] = x->cells.at[i];
    free(x->cells.at);
    x->cells.at = sorted.at;
    x->cells.cap = sorted.cap;
}

const tt_step_part *tt_step_sums_part(const tt_step_sums *x, uint32_t row)
{
    uint32_t lo = 0, hi = (uint32_t)x->parts.n; /* find the first part that begins after the row */
    TT_BISECT(lo, hi, i, x->parts.at[i].first_row <= row);
    return &x->parts.at[lo - 1];
}

const tt_step_cell *tt_step_sums_of(const tt_step_sums *x, uint32_t row, uint32_t *n)
{
    const tt_step_part *part = tt_step_sums_part(x, row);
    uint32_t group = part->first_group + (row - part->first_row);
    if (part->mapped) group = x->group_of.at[row];
    *n = 0;
    if (group == TT_NONE || group >= x->last.n) return NULL;
    *n = x->first[group + 1] - x->first[group];
    return x->cells.at + x->first[group];
}

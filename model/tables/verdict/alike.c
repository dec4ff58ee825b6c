/* model/tables/verdict/alike.c - see alike.h. Findings merge by id; several findings of one id on one worker, such
 * as one per operator, stay apart. */
#include "model/tables/verdict/alike.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/findings/claims/columns.h"

static bool is_root(const tt_table *t, uint32_t row) { return !*tt_cell_s(t, row, TT_FINDING_CAUSE); }

static bool same(const tt_table *t, uint32_t a, uint32_t b, uint32_t column)
{
    return !strcmp(tt_cell_s(t, a, column), tt_cell_s(t, b, column));
}

static uint32_t workers_with(const tt_table *t, uint32_t row, const char **names)
{
    uint32_t n = 0, distinct = 0;
    for (uint32_t r = row; r < t->n_rows; r++)
        if (is_root(t, r) && same(t, r, row, TT_FINDING_ID)) names[n++] = tt_cell_worker(t, r);
    TT_SORT_UP(names, n);
    for (uint32_t i = 0; i < n; i++) distinct += !i || strcmp(names[i], names[i - 1]) != 0;
    return distinct;
}

uint32_t *tt_findings_alike(const tt_table *t)
{
    uint32_t *on = tt_calloc(t->n_rows + (size_t)1, sizeof *on),
             *shown = tt_calloc(t->n_rows + (size_t)1, sizeof *shown);
    const char **names = tt_calloc(t->n_rows + (size_t)1, sizeof *names);
    uint32_t n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        bool stands = is_root(t, r);
        for (uint32_t i = 0; stands && i < n; i++)
            stands = !same(t, shown[i], r, TT_FINDING_ID) || !strcmp(tt_cell_worker(t, shown[i]), tt_cell_worker(t, r));
        if (!stands) continue;
        shown[n++] = r;
        on[r] = workers_with(t, r, names);
    }
    free(names);
    free(shown);
    return on;
}

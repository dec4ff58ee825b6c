/* model/tables/verdict/alike.c - see alike.h. Findings are alike by their id; a worker may have several of one id, such
 * as an operator each, which stay apart. */
#include "model/tables/verdict/alike.h"

#include <stdlib.h>
#include <string.h>

static bool is_root(const tt_table *t, uint32_t row) { return !*tt_cell_str(t, row, "cause"); }

static bool same(const tt_table *t, uint32_t a, uint32_t b, const char *key)
{
    return !strcmp(tt_cell_str(t, a, key), tt_cell_str(t, b, key));
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static uint32_t workers_with(const tt_table *t, uint32_t row, const char **names)
{
    uint32_t n = 0, distinct = 0;
    for (uint32_t r = row; r < t->n_rows; r++)
        if (is_root(t, r) && same(t, r, row, "id")) names[n++] = tt_cell_str(t, r, "worker");
    qsort(names, n, sizeof *names, by_text);
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
            stands = !same(t, shown[i], r, "id") || same(t, shown[i], r, "worker");
        if (!stands) continue;
        shown[n++] = r;
        on[r] = workers_with(t, r, names);
    }
    free(names);
    free(shown);
    return on;
}

/* tui/table/related.c - a line under the selected row: the kernels that an operator launches, or the operators that
 * launch a kernel. Both are read from table kernels, grouped by operator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/devices/columns.h"
#include "model/tables/operators/columns.h"
#include "model/tables/registry/registry.h"
#include "tui/screen/table_fetch.h"
#include "tui/table/view_impl.h"

enum { SHOWN = 6 };

const tt_table *tt_table_related_get(tt_session *s, const tt_table_desc *desc, const tt_scope *scope,
                                     const tt_options *o)
{
    const tt_table_desc *kernels = tt_table_find("kernels");
    int by_operator = tt_table_group(kernels, "operator");
    if (!desc || by_operator < 0 || o->group || o->thread_sep) return NULL;
    if (desc != kernels && desc != tt_table_find("operators")) return NULL;
    tt_options grouped = {.group = (uint8_t)by_operator};
    return tt_table_get(s, kernels, scope, &grouped);
}

typedef struct share {
    const char *name;
    int64_t ns, calls;
} share;

int tt_table_related_draw(const tt_table_view *v, tt_canvas *c, int y)
{
    const tt_table *t = v->related;
    bool kernel = v->desc == tt_table_find("kernels");
    uint32_t key = kernel ? TT_KERNELS_NAME : TT_KERNELS_OPERATOR,
             other = kernel ? TT_KERNELS_OPERATOR : TT_KERNELS_NAME;
    const char *name = tt_cell_s(v->table, v->pos.sel, kernel ? TT_KERNELS_NAME : TT_OPERATORS_NAME),
               *worker = tt_cell_worker(v->table, v->pos.sel);
    const char *span = tt_cell_span(v->table, v->pos.sel);
    TT_VEC(share) found = {0};
    char ns[TT_TEXT_CAP], calls[TT_TEXT_CAP], line[160];
    int x = 1;
    if (!*name && kernel) name = tt_cell_s(v->table, v->pos.sel, TT_KERNELS_OPERATOR);
    for (uint32_t r = 0; t && *name && r < t->n_rows; r++) {
        if (strcmp(tt_cell_s(t, r, key), name) || strcmp(tt_cell_worker(t, r), worker) ||
            strcmp(tt_cell_span(t, r), span) || !*tt_cell_s(t, r, other))
            continue;
        *tt_vec_push(&found) =
            (share){tt_cell_s(t, r, other), tt_cell_i(t, r, TT_KERNELS_TOTAL), tt_cell_i(t, r, TT_KERNELS_CALLS)};
    }
    if (!found.n) return 0;
    TT_SORT_BY(found.at, found.n, TT_DESC(share, ns), TT_ASC(share, name));
    x += tt_put(c, y, x, TT_ROLE_DIM, kernel ? "launched by " : "launches ", -1);
    for (size_t i = 0; i < found.n; i++) {
        const share *f = &found.at[i];
        snprintf(line, sizeof line, " %s (%s)%s", tt_format_duration(ns, f->ns, (tt_unit)tt_host_unit(v->host)),
                 tt_format_count(calls, f->calls), i + 1 < found.n ? ", " : "");
        int rest = (int)strlen(line), room = c->w - x - 1 - rest - (i + 1 < found.n ? 10 : 0);
        if (room < 12 || i == SHOWN) {
            snprintf(line, sizeof line, "%zu more", found.n - i);
            tt_put(c, y, x, TT_ROLE_DIM, line, c->w - x - 1);
            break;
        }
        x += tt_put_cut(c, y, x, TT_ROLE_NAME, f->name, room < 40 ? room : 40, TT_CUT_KERNEL);
        x += tt_put(c, y, x, TT_ROLE_TEXT, line, -1);
    }
    tt_vec_free(&found);
    return 1;
}

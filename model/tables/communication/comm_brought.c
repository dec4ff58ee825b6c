/* model/tables/communication/comm_brought.c - see comm_brought.h. */
#include "model/tables/communication/comm_brought.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/imported_rows.h"

/* ---- comm_steps ---- */

enum { S_WORKER, S_STEP, S_COMPUTE, S_OVERLAP, S_COMM, S_OTHER };

/* Whether a row of a rank describes one step; sets the row. */
static bool is_step(const tt_imported *of, uint32_t row, tt_table *t)
{
    const char *type = tt_imported_cell(of, row, "type", TT_T_STRING, t).s;
    const char *step = tt_imported_cell(of, row, "step", TT_T_STRING, t).s;
    return (!type || strcmp(type, "stage") != 0) && (!step || strcmp(step, "average") != 0);
}

static void put_step(const tt_query *q, const tt_imported *of, uint32_t from, tt_table *t)
{
    int64_t computing = tt_imported_cell(of, from, "computing_ns", TT_T_DURATION, t).i;
    int64_t overlapped = tt_imported_cell(of, from, "overlapped_ns", TT_T_DURATION, t).i;
    const char *step = tt_imported_cell(of, from, "step", TT_T_STRING, t).s;
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, S_WORKER, tt_query_trace(q)->worker);
    tt_set_ref(t, row, S_STEP, step ? step : "0");
    /* without a recorded overlap, the rest of the step is all computation */
    if (computing != TT_UNKNOWN) tt_set_i(t, row, S_COMPUTE, computing - (overlapped != TT_UNKNOWN ? overlapped : 0));
    tt_set_i(t, row, S_OVERLAP, overlapped);
    tt_set_i(t, row, S_COMM, tt_imported_cell(of, from, "not_overlapped_ns", TT_T_DURATION, t).i);
    tt_set_i(t, row, S_OTHER, tt_imported_cell(of, from, "free_ns", TT_T_DURATION, t).i);
    tt_imported_show(q, of, from, t, row);
}

bool tt_comm_steps_brought(const tt_query *q, tt_table *t)
{
    const tt_imported *of = tt_trace_imported(tt_query_trace(q), "cluster_steps");
    bool any = false;
    for (uint32_t r = 0; of && r < of->n_rows; r++) {
        if (!is_step(of, r, t)) continue;
        any = true;
        if (tt_imported_in_scope(q, of, r)) put_step(q, of, r, t);
    }
    return any;
}

/* ---- comm_ops ---- */

enum { O_WORKER, O_NAME, O_CALLS, O_SIZE, O_LATENCY, O_TRANSFER };

typedef struct operation {
    const char *name;
    int64_t calls;
    tt_stat elapse, transit, size;
} operation;

static void add(tt_stat *to, int64_t v)
{
    if (v != TT_UNKNOWN) tt_stat_add(to, v);
}

static void put_operation(const tt_query *q, const operation *o, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, O_WORKER, tt_query_trace(q)->worker);
    tt_set_ref(t, row, O_NAME, o->name);
    tt_set_i(t, row, O_CALLS, o->calls);
    if (o->size.n) tt_set_i(t, row, O_SIZE, o->size.total);
    if (o->elapse.n) tt_set_i(t, row, O_LATENCY, o->elapse.total);
    if (o->transit.n) tt_set_i(t, row, O_TRANSFER, o->transit.total);
    tt_set_slices(q, t, row, 1u << TT_KIND_KERNEL | 1u << TT_KIND_COLLECTIVE, o->name);
}

bool tt_comm_ops_brought(const tt_query *q, tt_table *t)
{
    const tt_imported *of = tt_trace_imported(tt_query_trace(q), "cluster_communication");
    tt_strings names;
    TT_VEC(operation) list = {0};
    if (!of) return false;
    tt_strings_init(&names);
    for (uint32_t r = 0; r < of->n_rows; r++) {
        const char *name = tt_imported_cell(of, r, "name", TT_T_STRING, t).s;
        if (!name || !tt_imported_in_scope(q, of, r)) continue;
        tt_sid id = tt_strings_put(&names, name, strlen(name)); /* intern the empty name first, as id 0 */
        while (list.n <= id) *tt_vec_push(&list) = (operation){0};
        operation *o = &list.at[id];
        o->name = name;
        o->calls++;
        add(&o->elapse, tt_imported_cell(of, r, "elapse_ns", TT_T_DURATION, t).i);
        add(&o->transit, tt_imported_cell(of, r, "transit_ns", TT_T_DURATION, t).i);
        add(&o->size, tt_imported_cell(of, r, "size_bytes", TT_T_BYTES, t).i);
    }
    for (size_t i = 0; i < list.n; i++)
        if (list.at[i].calls) put_operation(q, &list.at[i], t);
    tt_vec_free(&list);
    tt_strings_free(&names);
    return true;
}

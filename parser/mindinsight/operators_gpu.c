/* parser/mindinsight/operators_gpu.c - operators of a GPU and of the host: one row with sums for each operator. Times
 * in gpu_op_* are launch times on the host, as MindSpore writes them; times in gpu_activity_data are the GPU's. */
#include <stdlib.h>

#include "parser/mindinsight/operators.h"

typedef struct columns { /* names of the columns, "a|b" */
    const char *core, *name, *type, *calls, *total, *mean, *stream;
    uint64_t unit;
} columns;

static int column(tt_csv *c, const char *names) { return names ? tt_csv_need(c, names) : -1; }

static void read_details(tt_mi *m, tt_mi_tables *t, const char *role, const columns *k)
{
    tt_csv *c = tt_mi_csv(m, role, NULL);
    if (!c) return;
    int name = column(c, k->name), type = column(c, k->type), calls = column(c, k->calls),
        stream = column(c, k->stream);
    int total = column(c, k->total), mean = column(c, k->mean);
    uint64_t of_total = tt_csv_time_unit(c, total, k->unit), of_mean = tt_csv_time_unit(c, mean, k->unit);
    while (name >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        tt_mi_detail d = {.core = k->core, .calls = TT_UNKNOWN, .mean = TT_UNKNOWN, .total = TT_UNKNOWN};
        d.name = tt_csv_cell(c, name);
        d.type = tt_csv_cell(c, type);
        if (!d.name.n) {
            tt_csv_bad(c, -1, "has no name");
            continue;
        }
        tt_csv_int(c, calls, &d.calls);
        tt_csv_ns(c, total, of_total, &d.total);
        tt_csv_ns(c, mean, of_mean, &d.mean);
        tt_mi_put_detail(t, &d);
        tt_mi_set_stream(t, tt_csv_cell(c, stream));
    }
    tt_csv_close(c);
}

/* Add the types from their own file, else from the details. */
static void read_types(tt_mi *m, tt_mi_tables *t, const char *role, const columns *k)
{
    tt_csv *c = tt_mi_csv(m, role, NULL);
    if (!c) return;
    int type = column(c, k->type), calls = column(c, k->calls), total = column(c, k->total);
    uint64_t unit = tt_csv_time_unit(c, total, k->unit);
    while (type >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        int64_t n = TT_UNKNOWN, ns = TT_UNKNOWN;
        tt_csv_text name = tt_csv_cell(c, type);
        if (!name.n) tt_csv_bad(c, -1, "has no type");
        tt_csv_int(c, calls, &n);
        tt_csv_ns(c, total, unit, &ns);
        if (name.n) tt_mi_add_type(t, k->core, name, n, ns, TT_UNKNOWN, TT_UNKNOWN);
    }
    tt_csv_close(c);
}

void tt_mi_gpu_tables(tt_mi *m, tt_mi_tables *t)
{
    static const columns gpu_details = {.core = "GPU",
                                        .name = "op_full_name|full_op_name|op_name",
                                        .type = "op_type",
                                        .calls = "op_occurrences",
                                        .total = "op_total_time*",
                                        .mean = "op_avg_time*",
                                        .unit = TT_NS_OF_US};
    static const columns gpu_types = {
        .core = "GPU", .type = "op_type", .calls = "type_occurrences", .total = "total_time*", .unit = TT_NS_OF_US};
    static const columns activity = {.core = "GPU",
                                     .name = "name",
                                     .type = "type",
                                     .calls = "occurrences",
                                     .total = "total_duration*",
                                     .mean = "avg_duration*",
                                     .stream = "stream_id",
                                     .unit = TT_NS_OF_US};
    static const columns host_details = {.core = "HOST",
                                         .name = "full_op_name|op_full_name|op_name",
                                         .type = "op_type",
                                         .calls = "op_occurrences",
                                         .total = "op_total_time*",
                                         .mean = "op_avg_time*",
                                         .unit = TT_NS_OF_MS};
    static const columns host_types = {.core = "HOST",
                                       .type = "op_type",
                                       .calls = "type_occurrences",
                                       .total = "total_compute_time*|total_time*",
                                       .unit = TT_NS_OF_MS};
    bool details = tt_input_has(m->in, "gpu_details");
    if (tt_input_has(m->in, "gpu_types"))
        read_types(m, t, "gpu_types", &gpu_types);
    else
        read_types(m, t, "gpu_details", &gpu_details);
    read_details(m, t, details ? "gpu_details" : "gpu_activity", details ? &gpu_details : &activity);
    if (tt_input_has(m->in, "cpu_types"))
        read_types(m, t, "cpu_types", &host_types);
    else
        read_types(m, t, "cpu_details", &host_details);
    read_details(m, t, "cpu_details", &host_details);
}

/* parser/mindinsight/operators_ascend.c - operators of an Ascend: aicore_intermediate, aicpu_intermediate, and
 * pynative_op_intermediate if there is no aicore_intermediate. */
#include <stdlib.h>
#include <string.h>

#include "parser/mindinsight/operators.h"

#define NAMES "full_op_name|full_kernel_name|full_kernel_time|op_name|name"
#define TIMES "execution_time*|task_duration*|total_time*|task_time*|duration*|time*"

/* The newest files have all tasks in one table with the core that ran each. */
static const char *core_of(tt_csv_text task_type, tt_arena *a)
{
    static const struct {
        const char *task, *core;
    } same[] = {{"AI_CORE", "AICORE"}, {"AI_CPU", "AICPU"}};
    for (size_t i = 0; i < 2; i++) {
        if (task_type.n == strlen(same[i].task) && !memcmp(task_type.at, same[i].task, task_type.n))
            return same[i].core;
    }
    return task_type.n ? tt_arena_strndup(a, task_type.at, task_type.n) : "AICORE";
}

/* Read operators with their means. count: their types count, too, because no better file of types exists. Returns true
 * if the file names the core of each operator. */
static void read_details(tt_mi *m, tt_mi_tables *t, const char *role, bool count)
{
    tt_csv *c = tt_mi_csv(m, role, NULL);
    if (!c) return;
    int name = tt_csv_need(c, NAMES), time = tt_csv_need(c, TIMES), calls = tt_csv_column(c, "execution_frequency*");
    int task = tt_csv_column(c, "task_type");
    uint64_t unit = tt_csv_time_unit(c, time, TT_NS_OF_MS);
    bool aicpu = tt_input_has(m->in, "aicpu");
    while (name >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        tt_mi_detail d = {.calls = TT_UNKNOWN, .mean = TT_UNKNOWN};
        d.name = tt_csv_cell(c, name);
        if (!d.name.n) {
            tt_csv_bad(c, -1, "has no name");
            continue;
        }
        d.core = core_of(tt_csv_cell(c, task), &t->a);
        if (aicpu && !strcmp(d.core, "AICPU")) continue; /* another file has each execution */
        tt_csv_int(c, calls, &d.calls);
        tt_csv_ns(c, time, unit, &d.mean);
        d.total = d.mean == TT_UNKNOWN ? TT_UNKNOWN : tt_mi_times(tt_csv_cell(c, time), unit, d.calls);
        tt_csv_text type = tt_mi_put_detail(t, &d);
        if (count) tt_mi_add_type(t, d.core, type, d.calls, d.total, TT_UNKNOWN, TT_UNKNOWN);
    }
    tt_csv_close(c);
}

static bool says_core(tt_mi *m, const char *role)
{
    tt_problems unused = {0}; /* the reader of the rows reports damage */
    if (!tt_input_has(m->in, role)) return false;
    tt_csv *c = tt_csv_open(m->in, role, NULL, &unused);
    bool says = tt_csv_column(c, "task_type") >= 0;
    tt_csv_close(c);
    return says;
}

static void read_types(tt_mi *m, tt_mi_tables *t, const char *role)
{
    tt_csv *c = tt_mi_csv(m, role, NULL);
    if (!c) return;
    int name = tt_csv_need(c, "op_type|kernel_type"), time = tt_csv_need(c, "total_time*|task_time*|execution_time*");
    int calls = tt_csv_column(c, "execution_frequency*|count");
    uint64_t unit = tt_csv_time_unit(c, time, TT_NS_OF_MS);
    while (name >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        int64_t n = TT_UNKNOWN, total = TT_UNKNOWN;
        tt_csv_text type = tt_csv_cell(c, name);
        if (!type.n) tt_csv_bad(c, -1, "has no type");
        tt_csv_int(c, calls, &n);
        tt_csv_ns(c, time, unit, &total);
        if (type.n) tt_mi_add_type(t, "AICORE", type, n, total, TT_UNKNOWN, TT_UNKNOWN);
    }
    tt_csv_close(c);
}

/* Read types and details of a pair of files. Returns true if there were rows. */
static bool read_pair(tt_mi *m, tt_mi_tables *t, const char *types, const char *details)
{
    bool count = !tt_input_has(m->in, types) || says_core(m, details);
    if (!count) read_types(m, t, types);
    read_details(m, t, details, count || !t->groups.n);
    return tt_input_has(m->in, types) || tt_input_has(m->in, details);
}

/* ---- AI CPU: one row for each execution ---- */

typedef struct sum {
    int64_t calls, total;
} sum;

/* Files from before 2021-06 lack the cell of the execution time, although their header may name it. Then the first row
 * lacks it, too; if only a later row does, that row was cut. */
static bool lacks_one(const tt_csv *c, int execution, uint32_t first)
{
    return execution >= 0 && first == tt_csv_cells(c) && first + 1 == tt_csv_columns(c);
}

static void read_aicpu(tt_mi *m, tt_mi_tables *t)
{
    static const tt_csv_options ragged = {.ragged = true};
    tt_csv *c = tt_mi_csv(m, "aicpu", &ragged);
    if (!c) return;
    int name = tt_csv_need(c, "op_type|kernel_type"), time = tt_csv_need(c, "total_time*");
    int execution = tt_csv_column(c, "execution_time*");
    uint64_t unit = tt_csv_time_unit(c, time, TT_NS_OF_MS);
    uint32_t first = 0;
    tt_strings names;
    TT_VEC(sum) sums = {0};
    tt_strings_init(&names);
    while (name >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        int64_t total = TT_UNKNOWN;
        tt_csv_text full = tt_csv_cell(c, name);
        if (!first) first = tt_csv_cells(c);
        bool right = tt_csv_cells(c) == tt_csv_columns(c) || lacks_one(c, execution, first);
        if (!full.n || !right) tt_csv_bad(c, -1, full.n ? "has more or fewer cells than the header" : "has no name");
        if (!full.n || !tt_csv_ns(c, time, unit, &total)) continue;
        tt_sid id = tt_strings_put(&names, full.at, full.n);
        if (id > sums.n) *tt_vec_push(&sums) = (sum){0};
        sums.at[id - 1].calls++;
        sums.at[id - 1].total += total;
        const char *dash = memchr(full.at, '-', full.n);
        tt_csv_text type = {full.at, dash ? (size_t)(dash - full.at) : full.n};
        tt_mi_add_type(t, "AICPU", type, 1, total, total, total);
    }
    for (size_t i = 0; i < sums.n; i++) {
        const char *full = tt_str(&names, (tt_sid)i + 1), *dash = strchr(full, '-');
        const sum *s = &sums.at[i];
        const tt_mi_detail d = {.core = "AICPU",
                                .name = {full, strlen(full)},
                                .type = {full, dash ? (size_t)(dash - full) : strlen(full)},
                                .calls = s->calls,
                                .mean = (s->total + s->calls / 2) / s->calls,
                                .total = s->total};
        tt_mi_put_detail(t, &d);
    }
    tt_csv_close(c);
    tt_strings_free(&names);
    tt_vec_free(&sums);
}

void tt_mi_ascend_tables(tt_mi *m, tt_mi_tables *t)
{
    if (!read_pair(m, t, "aicore_types", "aicore_details")) read_pair(m, t, "pynative_types", "pynative_details");
    read_aicpu(m, t);
}

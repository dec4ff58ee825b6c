/* parser/ascend/kernel_rows.c - see kernel_rows.h. Knows the columns of kernel_details.csv of every version, and of
 * op_summary_*.csv, msprof's file with the same content. */
#include "parser/ascend/kernel_rows.h"

#include <stdlib.h>
#include <string.h>

struct tt_ascend_rows {
    tt_ascend *a;
    tt_csv *csv;
    int name, type, core, start, dur, block, shapes, stream, device;
};

tt_ascend_rows *tt_ascend_rows_open(tt_ascend *a)
{
    if (!tt_input_has(a->in, ROLE_KERNELS)) return NULL;
    tt_csv *csv = tt_csv_open(a->in, ROLE_KERNELS, NULL, &a->problems);
    if (!tt_csv_is_open(csv)) {
        tt_csv_close(csv);
        return NULL;
    }
    tt_ascend_rows *rows = tt_malloc(sizeof *rows);
    *rows = (tt_ascend_rows){.a = a,
                             .csv = csv,
                             .name = tt_csv_need(csv, "Name|Op Name"),
                             .type = tt_csv_column(csv, "Type|OP Type"),
                             .core = tt_csv_column(csv, "Accelerator Core|Task Type"),
                             .start = tt_csv_need(csv, "Start Time(us)|Task Start Time(us)"),
                             .dur = tt_csv_need(csv, "Duration(us)|Task Duration(us)"),
                             .block = tt_csv_column(csv, "Block Dim|Block Num"),
                             .shapes = tt_csv_column(csv, "Input Shapes"),
                             .stream = tt_csv_column(csv, "Stream ID"),
                             .device = tt_csv_column(csv, "Device_id|Device ID")};
    return rows;
}

uint64_t tt_ascend_rows_offset(const tt_ascend_rows *rows) { return rows ? tt_csv_offset(rows->csv) : 0; }

void tt_ascend_rows_close(tt_ascend_rows *rows)
{
    if (rows) tt_csv_close(rows->csv);
    free(rows);
}

static bool is(tt_csv_text t, const char *word) { return t.n == strlen(word) && !memcmp(t.at, word, t.n); }

bool tt_ascend_is_collective(tt_csv_text core, tt_csv_text name)
{
    return is(core, "HCCL") || is(core, "COMMUNICATION") || (!core.n && name.n > 5 && !memcmp(name.at, "hcom_", 5));
}

static bool read_row(const tt_ascend_rows *x, tt_ascend_row *r)
{
    tt_csv *csv = x->csv;
    r->name = tt_csv_cell(csv, x->name);
    if (!r->name.n || !tt_csv_ns(csv, x->start, TT_NS_OF_US, &r->start)) return false;
    r->type = tt_csv_cell(csv, x->type);
    r->core = tt_csv_cell(csv, x->core);
    r->block = tt_csv_cell(csv, x->block);
    r->shapes = tt_csv_cell(csv, x->shapes);
    r->stream = tt_csv_cell(csv, x->stream);
    r->device = -1;
    if (x->device >= 0) (void)tt_csv_int(csv, x->device, &r->device);
    if (!tt_csv_ns(csv, x->dur, TT_NS_OF_US, &r->dur) || r->dur < 0) r->dur = 0;
    if (r->shapes.n > 1 && *r->shapes.at == '"' && r->shapes.at[r->shapes.n - 1] == '"') /* quoted twice */
        r->shapes = (tt_csv_text){r->shapes.at + 1, r->shapes.n - 2};
    r->collective = tt_ascend_is_collective(r->core, r->name);
    return true;
}

bool tt_ascend_rows_next(tt_ascend_rows *rows, tt_ascend_row *r)
{
    while (rows && !tt_ascend_cancelled(rows->a)) {
        r->offset = tt_csv_offset(rows->csv);
        if (!tt_csv_next(rows->csv)) return false;
        if (read_row(rows, r)) return true;
    }
    return false;
}

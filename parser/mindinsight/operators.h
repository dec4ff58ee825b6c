/* parser/mindinsight/operators.h - what is known of operators by their full names, and the tables op_types and
 * op_details. Private to parser/mindinsight. */
#ifndef TT_PARSER_MINDINSIGHT_OPERATORS_H
#define TT_PARSER_MINDINSIGHT_OPERATORS_H

#include "model/text/strings.h"
#include "parser/mindinsight/folder.h"

typedef struct tt_mi_operator { /* texts live as long as the tt_mi_operators; NULL = not known */
    const char *type, *shapes;  /* shapes: of the inputs, JSON text */
    const char *stream, *block_dim;
    double flops, gflops; /* 10^6 of one execution, 10^9 a second; NaN */
} tt_mi_operator;

typedef struct tt_mi_operators {
    tt_strings names; /* the operator with id i + 1 is at[i] */
    TT_VEC(tt_mi_operator) at;
    tt_arena a;
} tt_mi_operators;

/* From framework_raw and flops, by the names of their columns. Before the timeline is read. */
void tt_mi_operators_read(tt_mi *m, tt_mi_operators *o);
void tt_mi_operators_free(tt_mi_operators *o);
/* NULL = nothing is known. Any thread. */
const tt_mi_operator *tt_mi_operators_find(const tt_mi_operators *o, const char *name, size_t n);
/* The tables, of Ascend's files, GPU's and the host's. */
void tt_mi_operators_tables(tt_mi *m, const tt_mi_operators *o);

/* device_work.c: slices of the device, where the folder has no timeline. */
void tt_mi_device_work(tt_mi *m, const tt_mi_operators *o);

/* ---- rows of the tables; the functions are of operators.c, unless said otherwise */

typedef struct tt_mi_group { /* executions of a type on a core */
    const char *core, *type;
    int64_t calls, total, most, least; /* TT_UNKNOWN */
} tt_mi_group;

typedef struct tt_mi_tables {
    tt_imported *types, *details;
    const tt_mi_operators *known;
    tt_strings keys; /* core and type; the group with id i + 1 is groups.at[i] */
    TT_VEC(tt_mi_group) groups;
    tt_arena a;
} tt_mi_tables;

typedef struct tt_mi_detail { /* a row of op_details */
    const char *core;
    tt_csv_text name, type;     /* type.n 0: as framework_raw or the name tells */
    int64_t calls, mean, total; /* ns; TT_UNKNOWN */
} tt_mi_detail;

/* A row; what is known of the operator by its name is in it. The type that it has. */
tt_csv_text tt_mi_put_detail(tt_mi_tables *t, const tt_mi_detail *d);
/* Another row of details of that stream. */
void tt_mi_set_stream(tt_mi_tables *t, tt_csv_text stream);
/* Executions of a type, in sum or one by one; most and least: TT_UNKNOWN where only sums are known. */
void tt_mi_add_type(tt_mi_tables *t, const char *core, tt_csv_text type, int64_t calls, int64_t total, int64_t most,
                    int64_t least);
/* mean * calls in ns, of a mean with more digits than ns. TT_UNKNOWN */
int64_t tt_mi_times(tt_csv_text mean, uint64_t unit, int64_t calls);

void tt_mi_ascend_tables(tt_mi *m, tt_mi_tables *t); /* operators_ascend.c */
void tt_mi_gpu_tables(tt_mi *m, tt_mi_tables *t);    /* operators_gpu.c: GPU, and the host's */

#endif

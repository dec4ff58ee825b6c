/* parser/mindinsight/operators.h - facts about operators by their full names, and the tables op_types and op_details.
 * Private to parser/mindinsight. */
#ifndef TT_PARSER_MINDINSIGHT_OPERATORS_H
#define TT_PARSER_MINDINSIGHT_OPERATORS_H

#include "model/text/strings.h"
#include "parser/mindinsight/folder.h"

typedef struct tt_mi_operator { /* texts live as long as the tt_mi_operators; NULL = unknown */
    const char *type, *shapes;  /* shapes: of the inputs, as JSON */
    const char *stream, *block_dim;
    double flops, gflops; /* 10^6 operations of one execution, 10^9 operations in a second; NaN = unknown */
} tt_mi_operator;

typedef struct tt_mi_operators {
    tt_strings names; /* index i of names belongs to at[i - 1] */
    TT_VEC(tt_mi_operator) at;
    tt_arena a;
} tt_mi_operators;

/* Read framework_raw and flops by the names of their columns. Call it before the timeline is read. */
void tt_mi_operators_read(tt_mi *m, tt_mi_operators *o);
void tt_mi_operators_free(tt_mi_operators *o);
/* NULL = the operator is unknown. Any thread. */
const tt_mi_operator *tt_mi_operators_find(const tt_mi_operators *o, const char *name, size_t n);
/* Tables from files of an Ascend, of a GPU and of the host. */
void tt_mi_operators_tables(tt_mi *m, const tt_mi_operators *o);

/* device_work.c: slices of the device, for a folder without a timeline. */
void tt_mi_device_work(tt_mi *m, const tt_mi_operators *o);

/* ---- rows of the tables; the functions are in operators.c, unless stated otherwise */

typedef struct tt_mi_group { /* executions of a type on a core */
    const char *core, *type;
    int64_t calls, total, most, least; /* TT_UNKNOWN = none */
} tt_mi_group;

typedef struct tt_mi_tables {
    tt_imported *types, *details;
    const tt_mi_operators *known;
    tt_strings keys; /* core and type; index i of keys belongs to groups.at[i - 1] */
    TT_VEC(tt_mi_group) groups;
    tt_arena a;
} tt_mi_tables;

typedef struct tt_mi_detail { /* a row of op_details */
    const char *core;
    tt_csv_text name, type;     /* type.n 0 = the type from framework_raw or from the name */
    int64_t calls, mean, total; /* ns; TT_UNKNOWN = none */
} tt_mi_detail;

/* Add a row with all facts known about the operator's name. Returns the type of the operator. */
tt_csv_text tt_mi_put_detail(tt_mi_tables *t, const tt_mi_detail *d);
/* Set the stream of the last row of details. */
void tt_mi_set_stream(tt_mi_tables *t, tt_csv_text stream);
/* Add executions of a type, as a sum or one by one; most and least: TT_UNKNOWN = only sums are known. */
void tt_mi_add_type(tt_mi_tables *t, const char *core, tt_csv_text type, int64_t calls, int64_t total, int64_t most,
                    int64_t least);
/* mean * calls in ns, for a mean with fractions of ns. TT_UNKNOWN = either is unknown. */
int64_t tt_mi_times(tt_csv_text mean, uint64_t unit, int64_t calls);

void tt_mi_ascend_tables(tt_mi *m, tt_mi_tables *t); /* operators_ascend.c */
void tt_mi_gpu_tables(tt_mi *m, tt_mi_tables *t);    /* operators_gpu.c: of a GPU and of the host */

#endif

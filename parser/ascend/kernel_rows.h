/* parser/ascend/kernel_rows.h - rows of kernel_details.csv, one after the other. Private to parser/ascend. */
#ifndef TT_PARSER_ASCEND_KERNEL_ROWS_H
#define TT_PARSER_ASCEND_KERNEL_ROWS_H

#include "parser/ascend/folder.h"

typedef struct tt_ascend_rows tt_ascend_rows;
typedef struct tt_ascend_row { /* texts are there until the next row; empty = not known */
    tt_csv_text name, type, core, block, shapes, stream;
    int64_t start, dur; /* ns */
    int64_t device;     /* -1 = not said */
    uint64_t offset;    /* of the row in the text */
    bool collective;    /* no kernel: work of the communication library, which has rows, too */
} tt_ascend_row;

/* Whether a row is none of a kernel; core empty = not known. */
bool tt_ascend_is_collective(tt_csv_text core, tt_csv_text name);
/* NULL when the folder has no such file, or it has no rows: reported. */
tt_ascend_rows *tt_ascend_rows_open(tt_ascend *a);
/* The next row with a name and a start; false at the end, or when reading was cancelled. rows may be NULL. */
bool tt_ascend_rows_next(tt_ascend_rows *rows, tt_ascend_row *r);
uint64_t tt_ascend_rows_offset(const tt_ascend_rows *rows); /* bytes of text that were read; rows may be NULL */
void tt_ascend_rows_close(tt_ascend_rows *rows);

#endif

/* parser/ascend/kernel_rows.h - reads kernel_details.csv row by row. Private to parser/ascend. */
#ifndef TT_PARSER_ASCEND_KERNEL_ROWS_H
#define TT_PARSER_ASCEND_KERNEL_ROWS_H

#include "parser/ascend/folder.h"

typedef struct tt_ascend_rows tt_ascend_rows;
typedef struct tt_ascend_row { /* texts last until the next row; empty = unknown */
    tt_csv_text name, type, core, block, shapes, stream;
    int64_t start, dur; /* ns */
    int64_t device;     /* -1 = not given */
    uint64_t offset;    /* offset of the row in the text */
    bool collective;    /* work of the communication library, which has rows but is no kernel */
} tt_ascend_row;

/* Whether a row is a collective and no kernel; core may be empty. */
bool tt_ascend_is_collective(tt_csv_text core, tt_csv_text name);
/* Open the folder's file. NULL = there is none, or it has no rows (reported). */
tt_ascend_rows *tt_ascend_rows_open(tt_ascend *a);
/* Read the next row with a name and a start; false = the end, or reading was cancelled. rows may be NULL. */
bool tt_ascend_rows_next(tt_ascend_rows *rows, tt_ascend_row *r);
uint64_t tt_ascend_rows_offset(const tt_ascend_rows *rows); /* bytes of text read so far; rows may be NULL */
void tt_ascend_rows_close(tt_ascend_rows *rows);

#endif

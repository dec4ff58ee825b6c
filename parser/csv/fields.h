/* parser/csv/fields.h - rows of a csv file as rows of an imported table, by a description of its columns. */
#ifndef TT_PARSER_CSV_FIELDS_H
#define TT_PARSER_CSV_FIELDS_H

#include "model/trace/imported.h"
#include "parser/csv/csv.h"

enum {
    TT_CSV_NEEDED = 1, /* a missing column is reported */
    TT_CSV_OWN = 2,    /* the reader sets the cells itself */
};

typedef struct tt_csv_field { /* column of a file for a column of the table; the index is that of the table's column */
    const char *names;        /* names as for tt_csv_column(); NULL = the file has no such column */
    unsigned flags;
} tt_csv_field;

/* Find the n columns: at[i] = column of the file, -1 = none. */
void tt_csv_find(tt_csv *c, const tt_csv_field *fields, uint32_t n, int *at);
/* Set the cells of the table's row from the row of the file, as the types of the table's columns ask. Times are in the
 * unit that the column's name says, else in us. */
void tt_csv_set_row(tt_csv *c, const tt_csv_field *fields, const int *at, tt_imported *t, uint32_t row);

#endif

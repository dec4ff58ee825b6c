/* model/tables/verdict/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i()
 * and similar functions. */
#ifndef TT_MODEL_TABLES_VERDICT_COLUMNS_H
#define TT_MODEL_TABLES_VERDICT_COLUMNS_H

enum { /* table overview */
       TT_OVERVIEW_WHAT,
       TT_OVERVIEW_NAME,
       TT_OVERVIEW_DEVICE,
       TT_OVERVIEW_TIME,
       TT_OVERVIEW_PCT,
       TT_OVERVIEW_COUNT,
       TT_OVERVIEW_TEXT,
       TT_OVERVIEW_SOURCE,
};

#endif

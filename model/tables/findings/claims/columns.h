/* model/tables/findings/claims/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for
 * tt_cell_i() and its like. */
#ifndef TT_MODEL_TABLES_FINDINGS_CLAIMS_COLUMNS_H
#define TT_MODEL_TABLES_FINDINGS_CLAIMS_COLUMNS_H

enum { /* table findings */
       TT_FINDING_ID,
       TT_FINDING_SEVERITY,
       TT_FINDING_TITLE,
       TT_FINDING_DETAIL,
       TT_FINDING_CAUSE,
       TT_FINDING_DEVICE,
       TT_FINDING_TIME,
       TT_FINDING_COUNT,
       TT_FINDING_LONGEST,
       TT_FINDING_LINE,
       TT_FINDING_VALUE_PCT,
       TT_FINDING_SAVING,
       TT_FINDING_START_AT,
       TT_FINDING_END_AT,
};

#endif

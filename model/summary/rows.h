/* model/summary/rows.h - stores rows of a table as a block of a source, and reads them.
 *
 * Columns are identified by key and type; cells are stored column by column, texts once each in byte order. Times
 * are on the trace's own axis. The order of rows is kept. */
#ifndef TT_MODEL_SUMMARY_ROWS_H
#define TT_MODEL_SUMMARY_ROWS_H

#include "model/summary/wire.h"
#include "model/trace/imported.h"

/* Table to store: cells of its columns, which need not be adjacent. */
typedef struct tt_tts_rows {
    const tt_column *const *cols;
    uint32_t n_cols, n_rows;
    const tt_cell *cells; /* cells, row-major, n_cols per row */
    const char *note;     /* reason why there are no rows; NULL */
} tt_tts_rows;
void tt_tts_put_rows(const tt_tts_rows *t, tt_text *out);
/* Write a table brought by a trace, with its description. */
void tt_tts_put_imported(const tt_imported *t, tt_text *out);

/* Decode. Times become relative to `origin`, as in tt_imported. *note is in the table's arena. NULL: the data is
 * corrupt. */
tt_imported *tt_tts_get_rows(tt_wire *in, int64_t origin, const char **note);
tt_imported *tt_tts_get_imported(tt_wire *in);

#endif

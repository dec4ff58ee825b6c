/* model/summary/rows.h - rows of a table as a block of a source, and back.
 *
 * Columns are known by key and type; cells lie column by column, texts once each in the order of their bytes. Times are
 * those of the trace's own axis. The order of rows is kept. */
#ifndef TT_MODEL_SUMMARY_ROWS_H
#define TT_MODEL_SUMMARY_ROWS_H

#include "model/summary/wire.h"
#include "model/trace/imported.h"

/* What is stored: cells of columns, which need not lie side by side. */
typedef struct tt_tts_rows {
    const tt_column *const *cols;
    uint32_t n_cols, n_rows;
    const tt_cell *cells; /* row-major, n_cols a row */
    const char *note;     /* why there are no rows; NULL */
} tt_tts_rows;
void tt_tts_put_rows(const tt_tts_rows *t, tt_text *out);
/* A table that a trace brings, with what it says of itself. */
void tt_tts_put_imported(const tt_imported *t, tt_text *out);

/* Back; times become those of a clock whose 0 is `origin`, as tt_imported has them. *note in the table's arena. NULL:
 * the bytes are none. */
tt_imported *tt_tts_get_rows(tt_wire *in, int64_t origin, const char **note);
tt_imported *tt_tts_get_imported(tt_wire *in);

#endif

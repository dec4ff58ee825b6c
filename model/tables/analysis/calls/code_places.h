/* model/tables/analysis/calls/code_places.h - where in the program the work of a name comes from: the Python line
 * and the module of most of its time.
 *
 * Device work counts where it was launched, host calls where they were made. A line is the innermost frame of the
 * program (python_line.h). Work of the backward pass has the line of its forward operator. Work of another thread
 * without Python has the line of the step's thread at that time. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_CODE_PLACES_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_CODE_PLACES_H

#include "model/tables/table_util.h"

typedef struct tt_code_place {
    const char *line;   /* "train.py(31): step"; NULL = unknown */
    const char *module; /* class of the innermost nn.Module around the line; NULL */
    double share_pct;   /* share of the name's time that the line has, 0..100 */
} tt_code_place;

typedef struct tt_code_places tt_code_places;

/* Built when first asked for, and kept. O(slices): not on the drawing thread. */
const tt_code_places *tt_code_places_get(const tt_session *s, uint32_t trace);
/* Place of the work of this name, on the device or on the host. Texts live as long as the session. O(1). */
tt_code_place tt_code_place_of(const tt_code_places *c, tt_sid name, bool device);

/* Line of a name of the query's trace, for compute functions; NULL = unknown. */
const char *tt_code_line(const tt_query *q, tt_sid name, bool device);
/* Set line and module in the columns line_col and line_col + 1. */
void tt_set_code_place(const tt_query *q, tt_table *t, uint32_t row, uint32_t line_col, tt_sid name, bool device);

#endif

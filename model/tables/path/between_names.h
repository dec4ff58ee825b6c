/* model/tables/path/between_names.h - what Python or the program calls the time between operators. */
#ifndef TT_MODEL_TABLES_PATH_BETWEEN_NAMES_H
#define TT_MODEL_TABLES_PATH_BETWEEN_NAMES_H

#include "model/tables/path/critical_path.h"

/* Set the row of each segment of category between: the innermost Python function or range in its middle, on its
 * thread. O(slices of those threads + segments). */
void tt_path_name_between(const tt_trace *s, tt_path *p);

#endif

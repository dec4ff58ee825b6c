/* model/tables/path/path_runs.h - the windows of the critical path, and what is unknown in its segments. */
#ifndef TT_MODEL_TABLES_PATH_PATH_RUNS_H
#define TT_MODEL_TABLES_PATH_PATH_RUNS_H

#include "model/tables/path/critical_path.h"

/* Sets t0, t1, ns and the runs of a path of which only the account is known. None, where nothing is in scope, nothing
 * was recorded that is on a path, or clocks differ. O(steps log steps). */
void tt_path_find_runs(const tt_session *s, const tt_scope *scope, uint32_t trace, tt_path *path);
/* Makes unknown the part of each `queue` in which nobody knows what its device waits for. O(segments + gaps). */
void tt_path_mark_unknown(const tt_session *s, uint32_t trace, tt_path *path);

#endif

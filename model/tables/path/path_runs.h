/* model/tables/path/path_runs.h - the windows of the critical path, and the unknown parts of its segments. */
#ifndef TT_MODEL_TABLES_PATH_PATH_RUNS_H
#define TT_MODEL_TABLES_PATH_PATH_RUNS_H

#include "model/tables/path/critical_path.h"

/* Set t0, t1, ns and the runs of a path that has only its account. No runs where nothing is in scope, nothing on a
 * path was recorded, or clocks differ. O(steps log steps). */
void tt_path_find_runs(const tt_session *s, const tt_scope *scope, uint32_t trace, tt_path *path);
/* Mark as unknown the part of each `queue` segment in which nothing tells for what the device waits. O(segments +
 * gaps). */
void tt_path_mark_unknown(const tt_session *s, uint32_t trace, tt_path *path);

#endif

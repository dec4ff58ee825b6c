/* model/tables/path/path_runs.h - the windows of the critical path, and its segments cut to the account. */
#ifndef TT_MODEL_TABLES_PATH_PATH_RUNS_H
#define TT_MODEL_TABLES_PATH_PATH_RUNS_H

#include "model/tables/path/critical_path.h"
#include "model/tables/path/path_inputs.h"
#include "model/tables/steps/account.h"

/* Sets t0, t1, ns and the runs of a path that is empty. None, where nothing is in scope, nothing was recorded that is
 * on a path, or clocks differ. O(steps log steps). */
void tt_path_find_runs(const tt_session *s, const tt_scope *scope, uint32_t trace, const tt_account *account,
                       tt_path *path);
/* Takes from the segments of the runs what lies in holes of the account. O(segments + intervals). */
void tt_path_cut(tt_path *path, const tt_ivs *account);

#endif

/* tests/unit/tables/test_columns.c - columns by name: every column of every table has a descriptor, cells are read by
 * their type, and a missing cell reads as unknown. */
#include <math.h>
#include <stdlib.h>

#include "model/tables/cells.h"
#include "model/tables/idle/columns.h"
#include "model/tables/registry/registry.h"
#include "model/tables/steps/columns.h"
#include "model/tables/verdict/columns.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"

static void every_column_is_described(void)
{
    for (uint32_t i = 0; i < tt_n_tables; i++)
        for (uint32_t c = 0; c < tt_tables[i]->n_cols; c++) CHECK(tt_tables[i]->cols[c].key != NULL);
}

static tt_session *make_session(void)
{
    tt_trace *s[1] = {fixture_trace("a", "1", 0, true)};
    fixture_track(s[0], TT_TRACK_THREAD, "main");
    fixture_step(s[0], 7, 10, 40, fixture_slice(s[0], TT_KIND_STEP, "ProfilerStep#7", 10, 30, NULL));
    return tt_session_new(s, 1, "");
}

static void cells_are_read_by_name(tt_session *s)
{
    tt_scope all = tt_scope_all;
    const tt_table *t = tt_table_get(s, tt_table_find("step_breakdown"), &all, &(tt_options){0});
    char label[TT_CELL_LABEL];
    CHECK_INT(t->n_rows, 1);
    CHECK_STR(tt_cell_s(t, 0, TT_STEP_BREAKDOWN_STEP), tt_table_cell_of(t, 0, "step", TT_T_STRING).s);
    CHECK_INT(tt_cell_i(t, 0, TT_STEP_BREAKDOWN_TOTAL), tt_table_cell_of(t, 0, "total_ns", TT_T_DURATION).i);
    CHECK(tt_cell_d(t, 0, TT_STEP_BREAKDOWN_TOTAL) > 0);
    CHECK_STR(tt_cell_label(t, 0, TT_STEP_BREAKDOWN_STEP, label), tt_cell_s(t, 0, TT_STEP_BREAKDOWN_STEP));
    CHECK(atoll(tt_cell_label(t, 0, TT_STEP_BREAKDOWN_TOTAL, label)) == tt_cell_i(t, 0, TT_STEP_BREAKDOWN_TOTAL));
    CHECK_INT(tt_cell_i(t, 0, TT_STEP_BREAKDOWN_STEP), TT_UNKNOWN); /* a text has no number */
    CHECK_STR(tt_cell_s(t, 0, TT_STEP_BREAKDOWN_TOTAL), "");
    CHECK_STR(tt_cell_worker(t, 0), ""); /* with one worker there is no worker column */
    CHECK(!tt_has_worker(t));
}

static void what_is_not_there_is_unknown(tt_session *s)
{
    tt_scope all = tt_scope_all;
    const tt_table *t = tt_table_get(s, tt_table_find("step_breakdown"), &all, &(tt_options){0});
    const tt_table *time = tt_table_get(s, tt_table_find("gpu_time"), &all, &(tt_options){0});
    CHECK_INT(tt_cell_i(NULL, 0, TT_STEP_BREAKDOWN_TOTAL), TT_UNKNOWN);
    CHECK_INT(tt_cell_i(t, t->n_rows, TT_STEP_BREAKDOWN_TOTAL), TT_UNKNOWN);
    CHECK_INT(tt_cell_i(t, 0, 1000), TT_UNKNOWN);
    CHECK(isnan(tt_cell_d(t, 0, 1000)));
    CHECK_STR(tt_cell_s(NULL, 0, TT_OVERVIEW_TEXT), "");
    CHECK_INT(tt_column_shown(time, TT_GPU_TIME_STEP), -1); /* grouping by device hides the column */
    CHECK(tt_column_shown(time, TT_GPU_TIME_DEVICE) >= 0);
}

int main(void)
{
    tt_session *s = make_session();
    every_column_is_described();
    cells_are_read_by_name(s);
    what_is_not_there_is_unknown(s);
    fixture_session_free(s);
    return check_done();
}

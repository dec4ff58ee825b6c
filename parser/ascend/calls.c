/* parser/ascend/calls.c - table runtime_api for folders without a timeline, from api_statistic.csv, in which the
 * profiler sums up the calls of CANN. */
#include "parser/ascend/folder.h"

enum { LEVEL, NAME, CALLS, TOTAL, MAX, MIN, COLUMNS };

void tt_ascend_calls(tt_ascend *a)
{
    static const tt_imported_key keys[COLUMNS] = {{"level", TT_T_STRING},    {"name", TT_T_STRING},
                                                  {"calls", TT_T_COUNT},     {"total_ns", TT_T_DURATION},
                                                  {"max_ns", TT_T_DURATION}, {"min_ns", TT_T_DURATION}};
    static const char *const names[COLUMNS] = {"Level", "API Name", "Count", "Time*", "Max*", "Min*"};
    int at[COLUMNS];
    if (!tt_input_has(a->in, ROLE_CALLS)) return;
    tt_csv *csv = tt_csv_open(a->in, ROLE_CALLS, NULL, &a->problems);
    tt_imported *t = tt_ascend_table(a, "runtime_api", keys, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) at[i] = tt_csv_need(csv, names[i]);
    while (at[NAME] >= 0 && !tt_ascend_cancelled(a) && tt_csv_next(csv)) {
        int64_t v;
        tt_csv_text name = tt_csv_cell(csv, at[NAME]), level = tt_csv_cell(csv, at[LEVEL]);
        if (!name.n) continue;
        uint32_t row = tt_imported_row(t);
        tt_imported_set_s(t, row, NAME, name.at, name.n);
        if (level.n) tt_imported_set_s(t, row, LEVEL, level.at, level.n);
        if (tt_csv_int(csv, at[CALLS], &v)) tt_imported_set_i(t, row, CALLS, v);
        for (uint32_t i = TOTAL; i <= MIN; i++) {
            if (tt_csv_ns(csv, at[i], tt_csv_time_unit(csv, at[i], TT_NS_OF_US), &v)) tt_imported_set_i(t, row, i, v);
        }
    }
    tt_csv_close(csv);
}

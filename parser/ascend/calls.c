/* parser/ascend/calls.c - table runtime_api for folders without a timeline, from api_statistic.csv, in which the
 * profiler sums up the calls of CANN. */
#include "parser/ascend/folder.h"
#include "parser/csv/fields.h"

enum { LEVEL, NAME, CALLS, TOTAL, MAX, MIN, COLUMNS };

void tt_ascend_calls(tt_ascend *a)
{
    static const tt_imported_key keys[COLUMNS] = {{"level", TT_T_STRING},    {"name", TT_T_STRING},
                                                  {"calls", TT_T_COUNT},     {"total_ns", TT_T_DURATION},
                                                  {"max_ns", TT_T_DURATION}, {"min_ns", TT_T_DURATION}};
    static const tt_csv_field fields[COLUMNS] = {{"Level", TT_CSV_NEEDED}, {"API Name", TT_CSV_NEEDED},
                                                 {"Count", TT_CSV_NEEDED}, {"Time*", TT_CSV_NEEDED},
                                                 {"Max*", TT_CSV_NEEDED},  {"Min*", TT_CSV_NEEDED}};
    int at[COLUMNS];
    if (!tt_input_has(a->in, ROLE_CALLS)) return;
    tt_csv *csv = tt_csv_open(a->in, ROLE_CALLS, NULL, &a->problems);
    tt_imported *t = tt_ascend_table(a, "runtime_api", keys, COLUMNS);
    tt_csv_find(csv, fields, COLUMNS, at);
    while (at[NAME] >= 0 && !tt_ascend_cancelled(a) && tt_csv_next(csv))
        if (tt_csv_cell(csv, at[NAME]).n) tt_csv_set_row(csv, fields, at, t, tt_imported_row(t));
    tt_csv_close(csv);
}

/* tui/table/conditions.h - limits on columns in the filter of a table: "size>1MiB calls>=10 conv". */
#ifndef TT_TUI_TABLE_CONDITIONS_H
#define TT_TUI_TABLE_CONDITIONS_H

#include "model/tables/table.h"

enum { TT_MOST_CONDITIONS = 6 };

typedef struct tt_conditions {
    struct tt_condition_on {
        uint32_t col;
        bool less, equal, more; /* values below, at and above the limit hold */
        tt_cell limit;
    } at[TT_MOST_CONDITIONS];
    int n;
    char text[256]; /* the filter without its conditions */
} tt_conditions;

/* Read the words COLUMN<VALUE, <=, >, >= and = of a filter as conditions; all other words stay text. COLUMN is the key
 * of a column of numbers ("size_bytes", "size") or its title without blanks, in any case ("CPUTotal"). A time without
 * a unit is in ms. False: a VALUE is no value of its column; *err says what is expected. */
bool tt_conditions_parse(const tt_table *t, const char *filter, tt_conditions *out, tt_err *err);
/* Whether all conditions hold for the row. No condition holds for an unknown value. */
bool tt_conditions_hold(const tt_table *t, uint32_t row, const tt_conditions *c);

#endif

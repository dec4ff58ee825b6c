/* tui/table/conditions.h - what a person types as a filter of a table beside text: "size>1MiB calls>=10 conv". */
#ifndef TT_TUI_TABLE_CONDITIONS_H
#define TT_TUI_TABLE_CONDITIONS_H

#include "model/tables/table.h"

enum { TT_MOST_CONDITIONS = 6 };

typedef struct tt_conditions {
    struct tt_condition_on {
        uint32_t col;
        bool less, equal, more; /* which values hold, compared with the limit */
        tt_cell limit;
    } at[TT_MOST_CONDITIONS];
    int n;
    char text[256]; /* what is left of the filter */
} tt_conditions;

/* Words COLUMN<VALUE, <=, >, >=, = become conditions, where COLUMN is the key of a column of numbers ("size_bytes",
 * "size") or its title without blanks in any case ("CPUTotal"); a time without a unit is in ms. All other words stay
 * text. False, and *err says what is wanted: a column is there, but the value is none of its. */
bool tt_conditions_parse(const tt_table *t, const char *filter, tt_conditions *out, tt_err *err);
/* All of them hold for the row; an unknown value holds for none. */
bool tt_conditions_hold(const tt_table *t, uint32_t row, const tt_conditions *c);

#endif

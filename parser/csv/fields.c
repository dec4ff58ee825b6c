/* parser/csv/fields.c - see fields.h. */
#include "parser/csv/fields.h"

void tt_csv_find(tt_csv *c, const tt_csv_field *fields, uint32_t n, int *at)
{
    for (uint32_t i = 0; i < n; i++) {
        const tt_csv_field *f = &fields[i];
        at[i] = !f->names ? -1 : f->flags & TT_CSV_NEEDED ? tt_csv_need(c, f->names) : tt_csv_column(c, f->names);
    }
}

void tt_csv_set_row(tt_csv *c, const tt_csv_field *fields, const int *at, tt_imported *t, uint32_t row)
{
    for (uint32_t i = 0; i < t->n_cols; i++) {
        int64_t v;
        double d;
        tt_csv_text text;
        if (at[i] < 0 || (fields[i].flags & TT_CSV_OWN)) continue;
        switch (t->cols[i].type) {
        case TT_T_STRING:
            text = tt_csv_cell(c, at[i]);
            if (text.n) tt_imported_set_s(t, row, i, text.at, text.n);
            break;
        case TT_T_DURATION:
            if (tt_csv_ns(c, at[i], tt_csv_time_unit(c, at[i], TT_NS_OF_US), &v)) tt_imported_set_i(t, row, i, v);
            break;
        case TT_T_PERCENT:
        case TT_T_NUMBER:
            if (tt_csv_double(c, at[i], &d)) tt_imported_set_d(t, row, i, d);
            break;
        default:
            if (tt_csv_int(c, at[i], &v)) tt_imported_set_i(t, row, i, v);
        }
    }
}

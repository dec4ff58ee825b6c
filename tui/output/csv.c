/* tui/output/csv.c - one table as CSV: quoted as in RFC 4180, but lines end in LF. Values are written as in JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/text/text_safety.h"
#include "tui/output/writers.h"

static void put_text(FILE *f, const char *s, bool guard)
{
    char small[512];
    size_t n = strlen(s), need = tt_sanitize_csv(small, sizeof small, s, n, guard);
    if (need < sizeof small) {
        fputs(small, f);
        return;
    }
    char *big = tt_malloc(need + 1);
    tt_sanitize_csv(big, need + 1, s, n, guard);
    fputs(big, f);
    free(big);
}

static void put_cell(FILE *f, tt_type type, tt_cell c)
{
    if (tt_cell_unknown(type, c)) return;
    switch (type) {
    case TT_T_STRING: put_text(f, c.s, true); break;
    case TT_T_BOOL: fputs(c.i ? "true" : "false", f); break;
    case TT_T_PERCENT:
    case TT_T_NUMBER: fprintf(f, "%.15g", c.d + 0.0); break;
    default: fprintf(f, "%" PRId64, c.i);
    }
}

void tt_out_csv_header(FILE *f, const tt_table *t)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (c) fputc(',', f);
        put_text(f, t->cols[c]->key, false);
    }
    fputc('\n', f);
}

void tt_out_csv_row(FILE *f, const tt_table *t, uint32_t row)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (c) fputc(',', f);
        put_cell(f, t->cols[c]->type, tt_table_cell(t, row, c));
    }
    fputc('\n', f);
}

void tt_out_csv(FILE *f, const tt_section *s)
{
    tt_out_csv_header(f, s->table);
    for (uint32_t r = 0; r < s->n_rows; r++) tt_out_csv_row(f, s->table, s->rows[r]);
}

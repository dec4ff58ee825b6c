/* tui/screens/compare/compare_rows.c - the kind of change of a row: by its verdict, and by its number of calls. */
#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/cells.h"
#include "model/tables/compare/columns.h"
#include "tui/screens/compare/compare.h"

const char *const tt_compare_rows_text[TT_ROWS_COUNT_] = {
    [TT_ROWS_CHANGED] = "what changed", [TT_ROWS_ALL] = "all",         [TT_ROWS_SLOWER] = "slower",
    [TT_ROWS_FASTER] = "faster",        [TT_ROWS_ADDED] = "new",       [TT_ROWS_GONE] = "gone",
    [TT_ROWS_MORE] = "more often",      [TT_ROWS_LESS] = "less often", [TT_ROWS_UNCLEAR] = "unclear",
};

typedef struct places { /* numbers of columns, -1 = none */
    int verdict, change, delta;
} places;

/* Find the column with the difference: of the main time per step, else the first difference of the table. */
static places places_of(const tt_table *t)
{
    tt_diff_columns in = tt_diff_columns_of(t);
    return (places){in.verdict, in.change, in.by_step_delta >= 0 ? in.by_step_delta : tt_diff_first_delta(t, true)};
}

/* Bit i: the row belongs to tt_compare_rows i. */
static unsigned bits_of(const tt_table *t, uint32_t row, places p)
{
    static const struct {
        const char *text;
        tt_compare_rows what;
    } words[] = {{"slower", TT_ROWS_SLOWER}, {"more", TT_ROWS_SLOWER},     {"faster", TT_ROWS_FASTER},
                 {"less", TT_ROWS_FASTER},   {"unclear", TT_ROWS_UNCLEAR}, {"added", TT_ROWS_ADDED},
                 {"deleted", TT_ROWS_GONE},  {"increased", TT_ROWS_MORE},  {"decreased", TT_ROWS_LESS}};
    const char *verdict = tt_text_at(t, row, p.verdict), *change = tt_text_at(t, row, p.change);
    int64_t delta = p.delta < 0 ? TT_UNKNOWN : tt_table_cell(t, row, (uint32_t)p.delta).i;
    unsigned bits = 1u << TT_ROWS_ALL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(verdict, words[i].text) || !strcmp(change, words[i].text)) bits |= 1u << words[i].what;
    }
    bool moved = delta != 0 && (delta != TT_UNKNOWN || p.delta < 0) && strcmp(verdict, "same") != 0;
    unsigned calls = 1u << TT_ROWS_ADDED | 1u << TT_ROWS_GONE | 1u << TT_ROWS_MORE | 1u << TT_ROWS_LESS;
    if (moved || bits & calls) bits |= 1u << TT_ROWS_CHANGED;
    return bits;
}

bool tt_compare_row_is(const tt_table *t, uint32_t row, int what) { return bits_of(t, row, places_of(t)) >> what & 1; }

void tt_compare_count(const tt_table *t, uint32_t n[TT_ROWS_COUNT_])
{
    places p = places_of(t);
    memset(n, 0, TT_ROWS_COUNT_ * sizeof *n);
    for (uint32_t row = 0; row < t->n_rows; row++) {
        unsigned bits = bits_of(t, row, p);
        for (int i = 0; i < TT_ROWS_COUNT_; i++) n[i] += bits >> i & 1;
    }
}

void tt_compare_title(const char *title, const uint32_t n[TT_ROWS_COUNT_], tt_compare_rows what, char *out, size_t cap)
{
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%s", title);
    const char *sep = ": ";
    if (what != TT_ROWS_CHANGED && what != TT_ROWS_ALL) {
        tt_buf_add(&line, ", only %s", tt_compare_rows_text[what]);
    }
    for (int i = TT_ROWS_SLOWER; i < TT_ROWS_COUNT_; i++) {
        if (!n[i]) continue;
        tt_buf_add(&line, "%s%u %s", sep, n[i], tt_compare_rows_text[i]);
        sep = ", ";
    }
    uint32_t unchanged = n[TT_ROWS_ALL] - n[TT_ROWS_CHANGED];
    if (unchanged) {
        tt_buf_add(&line, "%s%u unchanged%s", sep, unchanged, what == TT_ROWS_CHANGED ? " (a)" : "");
    }
}

/* tui/screens/compare/compare.h - the parts of the Compare tab (compare.c): which rows are shown, the texts of
 * numbers that changed, the head with the verdict and a bar for each part of a step, and what there is to say about
 * a row. */
#ifndef TT_TUI_SCREENS_COMPARE_COMPARE_H
#define TT_TUI_SCREENS_COMPARE_COMPARE_H

#include "tui/screen/host.h"
#include "tui/screen/table_fetch.h"
#include "tui/table/table_widget.h"
#include "tui/widgets/format_value.h"

/* ---- rows (compare_rows.c) ---- */

typedef enum tt_compare_rows {
    TT_ROWS_CHANGED, /* all rows but the unchanged ones */
    TT_ROWS_ALL,
    TT_ROWS_SLOWER, /* by verdict: slower, or more where the metric is no time */
    TT_ROWS_FASTER,
    TT_ROWS_ADDED, /* by calls: only in the new run */
    TT_ROWS_GONE,  /* by calls: only in the base */
    TT_ROWS_MORE,  /* by calls: called more often */
    TT_ROWS_LESS,
    TT_ROWS_UNCLEAR,
    TT_ROWS_COUNT_,
} tt_compare_rows;
extern const char *const tt_compare_rows_text[TT_ROWS_COUNT_]; /* "what changed", "all", "slower", ... */

/* Row `row` of a table of differences belongs to a tt_compare_rows. A row may belong to several. */
bool tt_compare_row_is(const tt_table *t, uint32_t row, int what);
/* Count the rows of each tt_compare_rows. */
void tt_compare_count(const tt_table *t, uint32_t n[TT_ROWS_COUNT_]);
/* The title of a table with the number of rows by verdict: "Kernels: 3 slower, 2 new, 40 unchanged". */
void tt_compare_title(const char *title, const uint32_t n[TT_ROWS_COUNT_], tt_compare_rows what, char *out, size_t cap);

/* ---- texts (compare_text.c) ---- */

/* A duration with three or four digits, "76.8 ms"; in the fixed unit if the user chose one. */
char *tt_compare_brief(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* A difference of durations with its sign: "+40.4 ms", "0 ns". */
char *tt_compare_signed(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* An interval "+37.7 to +75.5 ms"; the unit stands once if it is the same. */
char *tt_compare_range(char out[2 * TT_TEXT_CAP], int64_t low, int64_t high, tt_unit unit);
char *tt_compare_signed_bytes(char out[TT_TEXT_CAP], int64_t bytes);
/* The change in percent: "+52.6%"; "new" without a base, "" = unknown. */
char *tt_compare_ratio(char out[TT_TEXT_CAP], int64_t base, int64_t delta);
/* The p value: "p 0.002", "p < 0.001"; "" = unknown. */
char *tt_compare_p(char out[TT_TEXT_CAP], double p);

/* The names of the two sides: of runs as much of the end of the path as tells them apart, without the endings of
 * trace files. */
void tt_compare_sides(const tt_host *a, char *base, char *now, size_t cap);

/* ---- head (compare_head.c) ---- */

typedef struct tt_compare_facts { /* facts about the comparison, collected on the worker */
    bool known, per_step, other_device;
    uint32_t workers, samples[2], unmatched[2];
    bool slow_first[2];
    char device[2][64], unmatched_name[64];
} tt_compare_facts;

typedef struct tt_compare_head {
    tt_screen *screen;
    tt_table_fetch tables; /* the tables diff_summary and diff_causes */
    tt_compare_facts facts;
    unsigned serial;
} tt_compare_head;

/* Ask for the tables of the head; the present ones stay until the new ones come. */
void tt_compare_head_ask(tt_compare_head *h);
void tt_compare_head_forget(tt_compare_head *h); /* forget all tables: the session was replaced */
/* Draw on at most c->h lines; returns the number of lines used. */
int tt_compare_head_draw(const tt_compare_head *h, tt_canvas *c);
/* The confidence of the comparison in percent: "95", "97.5". */
const char *tt_compare_confidence(const tt_host *a, char out[TT_TEXT_CAP]);

/* ---- the selected row (compare_detail.c) ---- */

/* Draw a rule and the facts of the row below it. t NULL or row TT_NONE: the rule alone. */
void tt_compare_detail_draw(const tt_host *a, const tt_table *t, uint32_t row, const tt_compare_facts *f, tt_canvas *c);

#endif

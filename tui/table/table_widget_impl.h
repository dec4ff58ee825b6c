/* tui/table/table_widget_impl.h - the inside of the table widget, for tui/table_*.c. */
#ifndef TT_TUI_TABLE_TABLE_WIDGET_IMPL_H
#define TT_TUI_TABLE_TABLE_WIDGET_IMPL_H

#include <stdatomic.h>

#include "tui/screen/host.h"
#include "tui/table/table_widget.h"
#include "tui/widgets/format_value.h"

enum { TT_MAX_COLS = 64, TT_BINS = 64 };

typedef struct tt_col_stats { /* of one column over all rows */
    int width;                /* widest content, bytes of long strings capped */
    double max, min, sum;     /* of numbers */
    tt_digits digits;
    bool known; /* some row has a value */
} tt_col_stats;

/* What is asked of the worker, and what comes back. */
typedef struct tt_table_job {
    tt_table_view *view;
    unsigned serial;
    tt_session *session;
    const tt_table_desc *desc; /* NULL: table is given */
    const tt_table *table;
    tt_scope scope;
    tt_options options;
    tt_comparison compare; /* what options.compare points to */
    tt_unit unit;
    tt_drilldown drilldown; /* of a list of slices */
    bool slices;
    tt_row_order_spec spec; /* filter points to filter[] */
    char filter[256], sort_key[64];
    char only_key[2][32], only_text[2][256]; /* "" key: nothing */
    bool (*keep)(const tt_table *t, uint32_t row, int what);
    int what;
    bool has_sort;
    uint32_t limit;
    uint64_t *folded; /* of a tree, copied */
    size_t n_folded;
    /* results */
    tt_table *owned; /* a table made here: the list of slices */
    tt_row_order rows;
    tt_col_stats *stats;
    const tt_table *related;
    tt_err err;
    bool failed;
} tt_table_job;

/* What a row is known by: all that identifies it, and its name alone. */
typedef struct tt_kept_table_row {
    uint64_t id, name;
} tt_kept_table_row;

typedef struct tt_kept_column {
    char key[47];
    bool hidden;
} tt_kept_column;

struct tt_table_view {
    tt_host *host;
    const tt_table_desc *desc; /* NULL when the table was given */
    tt_table_style style;
    const tt_table *table; /* what is shown; NULL = not there yet */
    const tt_table *given;
    tt_table *taken; /* that one, where it was taken over */
    tt_table *owned;
    const tt_table *related; /* kernels by operator, of the same scope; NULL = nothing to say */
    tt_row_order rows;
    tt_col_stats *stats;
    tt_options options;
    unsigned serial;  /* of the newest job; older results are dropped */
    unsigned running; /* jobs that will still come back */
    bool closed;      /* freed as soon as no job is running */
    char filter[256], sort_key[64], found[256], error[160];
    char only_key[2][32], only_text[2][256];                 /* rows with these texts in these columns; "" key: any */
    bool (*keep)(const tt_table *t, uint32_t row, int what); /* of those the ones for which it holds; NULL: all */
    int what;
    const char *none; /* said where that leaves none */
    bool has_sort, sort_desc;
    bool percent;
    uint32_t limit;             /* rows that are shown, 0 = all */
    tt_scope scope;             /* of the table that is shown */
    uint8_t order[TT_MAX_COLS]; /* columns from left to right */
    uint32_t n_order;           /* 0 = as the table has them */
    bool menu;                  /* the list of columns is open, on this one */
    uint32_t menu_at, menu_top;
    uint8_t *marks; /* bit r: row r is marked; NULL = none */
    uint32_t n_marks;
    bool wrap, statistics;
    struct tt_col_summary *summary; /* of the sorted column; NULL = to be computed */
    uint64_t hidden;                /* bit c: column c is hidden */
    TT_VEC(uint64_t) folded;        /* of a tree: keys of the rows whose insides are hidden */
    uint32_t first_col;             /* columns scrolled away, after the first */
    uint32_t cursor, top;           /* lines */
    uint32_t sel;                   /* row of the table under the cursor */
    int detail;                     /* 0 small, 1 large, 2 off */
    int page;                       /* lines of rows in the last frame */
    int row_y, width;               /* where they were drawn, for the mouse */
    struct tt_table_view *drill;    /* list of slices in front of this table; NULL */
    tt_drilldown slices;            /* of a list of slices */
    bool is_slices;
    TT_VEC(tt_kept_table_row) kept_marks; /* marked rows of tables before this one that it does not have */
    TT_VEC(tt_kept_column) kept_cols;     /* as a person ordered them; empty = never */
    tt_kept_table_row kept_sel;           /* the selected row before the rows came anew */
    bool has_kept_sel, renewed;           /* renewed: of another session, the selection stays whatever it was */
    int64_t shift;                        /* times of this session less those of the first */
    char *slices_text[3];                 /* name, shapes and stack of slices; owned */
    char slices_name[256];                /* whose slices these are; raw bytes */
    struct tt_table_place wanted;         /* to restore when the rows are there */
    bool has_wanted;
};

/* table_widget.c */
/* Sort and filter again; recompute: from new rows. */
void tt_table_view_ask(tt_table_view *v, bool recompute);
int tt_table_sort_col(const tt_table_view *v); /* -1 = the table's own order */
void tt_table_view_go(tt_table_view *v, uint32_t line);
/* tree.c */
/* The column that says how deep a row lies, when rows are in the order of a tree; TT_NONE = they are not. */
uint32_t tt_table_depth_col(const tt_table_view *v);
bool tt_table_is_folded(const tt_table_view *v, uint32_t row);
bool tt_table_has_inside(const tt_table *t, uint32_t row, uint32_t depth_col);
/* Take the insides of folded rows out of the rows in table order. */
void tt_table_fold_rows(const tt_table *t, const uint64_t *folded, size_t n, tt_row_order *rows);
bool tt_table_act_on_tree(tt_table_view *v, tt_action a); /* false = not one of its actions */
/* drill.c */
tt_table *tt_slices_table(const tt_session *s, const tt_scope *scope, const tt_drilldown *o);
/* draw.c */
void tt_table_draw(tt_table_view *v, tt_canvas *c, bool focus);
tt_col_stats *tt_table_stats(const tt_table *t, tt_unit unit);
/* Text of a cell as shown: raw for strings. */
const char *tt_table_text(const tt_table_view *v, uint32_t row, uint32_t col, char buf[TT_TEXT_CAP]);
/* Layout is a pure function of the widget's state and the width. */
typedef struct tt_layout {
    uint32_t n;
    struct {
        uint32_t col;
        int x, w;
    } at[TT_MAX_COLS];
    int bar_x, bar_w; /* bar of the sorted column; w 0 = none */
    bool more;        /* some columns have no room */
} tt_layout;
void tt_table_layout(const tt_table_view *v, int w, tt_layout *out);
/* Not shown: says the same in every row, and the scope in the first line says it already; or a tree shows it by its
 * indent; or it is unknown in every row. */
bool tt_table_redundant(const tt_table_view *v, uint32_t col);

/* The value of a cell that is a number, else NaN. */
double tt_table_number(tt_type type, tt_cell c);
/* Lines that a row takes, and the line of rows at y of the screen; TT_NONE = none. */
int tt_table_row_height(const tt_table_view *v, uint32_t row, const tt_layout *l);
uint32_t tt_table_line_at(const tt_table_view *v, int y);
/* A column whose sum means something. */
bool tt_table_adds_up(const tt_column *c);

/* columns.c - which columns, in which order; marked rows; the table as it is shown */
uint32_t tt_table_col_at(const tt_table_view *v, uint32_t place);
void tt_table_columns_reset(tt_table_view *v);
bool tt_table_menu_act(tt_table_view *v, tt_action a);
void tt_table_menu_draw(tt_table_view *v, tt_canvas *c);
bool tt_table_columns_command(tt_table_view *v, const char *arg); /* "name,calls" or "all" */
static inline bool tt_table_marked(const tt_table_view *v, uint32_t row)
{
    return v->n_marks && (v->marks[row >> 3] >> (row & 7) & 1);
}
void tt_table_mark(tt_table_view *v, uint32_t row);
void tt_table_unmark(tt_table_view *v);
void tt_table_marks_text(const tt_table_view *v, char *out, size_t cap);
/* The table as it is shown: columns and rows, the marked ones where there are any. Free with tt_table_shown_free(). */
tt_table *tt_table_shown(const tt_table_view *v);
void tt_table_shown_free(tt_table *t);

/* related.c - the other side of a row */
/* The table it is read from, NULL = there is none for this one. Any thread. */
const tt_table *tt_table_related_get(tt_session *s, const tt_table_desc *desc, const tt_scope *scope,
                                     const tt_options *o);
int tt_table_related_draw(const tt_table_view *v, tt_canvas *c, int y); /* the lines used, 0 or 1 */

/* state.c - what stays when rows come anew */
uint64_t tt_table_row_id(const tt_table_view *v, const tt_table *t, uint32_t row); /* the same in the next table */
void tt_table_keep(tt_table_view *v);                                              /* before v->table goes */
uint32_t tt_table_keep_apply(tt_table_view *v); /* v->table is a new one: the row that was selected, TT_NONE */
void tt_table_keep_free(tt_table_view *v);

/* statistics.c - statistics of the sorted column */
enum { TT_STATS_LINES = 3 };
void tt_table_stats_draw(tt_table_view *v, tt_canvas *c);

#endif

/* tui/table/view_impl.h - the inside of the table widget, for the files of this folder. */
#ifndef TT_TUI_TABLE_VIEW_IMPL_H
#define TT_TUI_TABLE_VIEW_IMPL_H

#include <stdatomic.h>

#include "tui/screen/host.h"
#include "tui/table/table_widget.h"
#include "tui/widgets/format_value.h"

enum { TT_MAX_COLS = 64, TT_BINS = 64 };

typedef struct tt_col_stats { /* a column over all rows */
    int width;                /* widest content, bytes of long strings capped */
    double max, min, sum;     /* over the numbers of the column */
    tt_digits digits;
    bool known; /* some row has a value */
} tt_col_stats;

typedef struct tt_row_choice {               /* which rows of the table are shown, and in which order */
    char filter[256], sort_key[64];          /* texts as a person typed them; the key of the sorted column */
    bool has_sort, sort_desc;                /* has_sort: else the order of the table */
    uint32_t limit;                          /* rows at most, 0 = all */
    char only_key[2][32], only_text[2][256]; /* rows with these texts in these columns; "" key: any */
    bool (*keep)(const tt_table *t, uint32_t row, int what); /* rows for which it holds; NULL: all */
    int what;                                                /* passed to keep() */
    const char *none;                                        /* said where keep() leaves no row */
} tt_row_choice;

typedef struct tt_table_job { /* a request to the worker, and its results */
    tt_table_view *view;
    unsigned serial;
    tt_session *session;
    const tt_table_desc *desc; /* NULL: the table is given */
    const tt_table *table;
    tt_scope scope;
    tt_options options;
    tt_comparison compare; /* what options.compare points to */
    tt_unit unit;
    tt_drilldown drilldown; /* whose slices are listed */
    bool slices;            /* the table is that list */
    tt_row_choice choice;
    tt_row_order_spec spec; /* its filter points into choice */
    uint64_t *folded;       /* keys of folded rows of a tree, copied */
    size_t n_folded;
    /* results */
    tt_table *owned; /* a table made here: the list of slices */
    tt_row_order rows;
    tt_col_stats *stats;
    const tt_table *related;
    tt_err err;
    bool failed;
} tt_table_job;

typedef struct tt_kept_table_row { /* how a row is found again in another table */
    uint64_t id, name;             /* hashes of all its texts, and of its name alone */
} tt_kept_table_row;

typedef struct tt_kept_column {
    char key[47];
    bool hidden;
} tt_kept_column;

/* Where the table comes from when it is not computed by its descriptor. */
typedef struct tt_table_from {
    const tt_table *given; /* the caller's table; NULL */
    tt_table *taken;       /* the same table where the caller gave it away; NULL */
    tt_table *owned;       /* a table that was made for this view alone; NULL */
    bool is_slices;        /* the table is a list of slices */
    tt_drilldown slices;   /* whose slices these are */
    char *slices_text[3];  /* name, shapes and stack of `slices`; owned */
    char slices_name[256]; /* the name for the title, raw bytes */
} tt_table_from;

typedef struct tt_table_asked { /* jobs on the worker */
    unsigned serial;            /* number of the newest job; results of older jobs are dropped */
    unsigned running;           /* jobs that will still come back */
    bool closed;                /* the view is freed as soon as no job is running */
} tt_table_asked;

typedef struct tt_table_columns {
    uint8_t order[TT_MAX_COLS]; /* columns from left to right */
    uint32_t n_order;           /* 0 = as the table has them */
    uint64_t hidden;            /* bit c: column c is hidden */
    uint32_t first;             /* columns scrolled away, after the name */
} tt_table_columns;

typedef struct tt_table_menu { /* the list of columns in front of the table */
    bool open;
    uint32_t at, top; /* lines */
} tt_table_menu;

typedef struct tt_table_marks {
    uint8_t *bits; /* bit r: row r is marked; NULL = none */
    uint32_t n;
} tt_table_marks;

typedef struct tt_table_look { /* how the table is drawn, by keys */
    bool percent, wrap, statistics;
    int detail; /* the pane below: 0 small, 1 large, 2 off */
} tt_table_look;

typedef struct tt_table_pos {
    uint32_t cursor, top; /* lines */
    uint32_t sel;         /* row of the table under the cursor */
    int page;             /* lines of rows in the last frame */
    int row_y, width;     /* where they were drawn, for the mouse */
} tt_table_pos;

typedef struct tt_table_kept {       /* what stays when the rows come anew */
    TT_VEC(tt_kept_table_row) marks; /* marked rows that the present table does not have */
    TT_VEC(tt_kept_column) columns;  /* as a person ordered them; empty = never */
    tt_kept_table_row sel;           /* the selected row of the table before */
    bool has_sel, renewed;           /* renewed: of another session, the selection stays whatever it was */
    int64_t shift;                   /* difference between times of this session and of the first session */
    struct tt_table_place wanted;    /* to restore when the rows are there */
    bool has_wanted;
} tt_table_kept;

struct tt_table_view {
    tt_host *host;
    tt_table_style style;
    const tt_table_desc *desc; /* NULL when the table was given */
    tt_options options;
    tt_table_from from;
    tt_table_asked asked;
    /* what is shown */
    const tt_table *table;   /* NULL = not there yet */
    tt_scope scope;          /* the table's */
    const tt_table *related; /* kernels by operator in the same scope; NULL = nothing to say */
    tt_row_order rows;
    tt_col_stats *stats;            /* by column */
    struct tt_col_summary *summary; /* summary of the sorted column; NULL = to be computed */
    char error[160];                /* why the filter is no filter; "" */
    /* how it is shown */
    tt_row_choice choice;
    tt_table_columns columns;
    tt_table_look look;
    TT_VEC(uint64_t) folded; /* keys of the rows of a tree whose insides are hidden */
    /* where a person is */
    tt_table_pos pos;
    tt_table_marks marks;
    tt_table_menu menu;
    char found[256];             /* the text looked for last */
    struct tt_table_view *drill; /* list of slices in front of this table; NULL */
    tt_table_kept kept;
};

/* ask.c - rows from the worker */
/* Sort and filter again; recompute: from new rows. */
void tt_table_view_ask(tt_table_view *v, bool recompute);
void tt_table_view_close(tt_table_view *v); /* free the view now, or when its last job comes back */

/* view.c - state and keys */
int tt_table_sort_col(const tt_table_view *v); /* -1 = the table's own order */
void tt_table_view_go(tt_table_view *v, uint32_t line);
/* tree.c */
/* The column `depth` while rows stand in the order of a tree; TT_NONE = they do not. */
uint32_t tt_table_depth_col(const tt_table_view *v);
bool tt_table_is_folded(const tt_table_view *v, uint32_t row);
bool tt_table_has_inside(const tt_table *t, uint32_t row, uint32_t depth_col);
/* Drop the rows inside folded rows. The rows are in the order of the table. */
void tt_table_fold_rows(const tt_table *t, const uint64_t *folded, size_t n, tt_row_order *rows);
bool tt_table_act_on_tree(tt_table_view *v, tt_action a); /* false = not one of its actions */
/* drill.c */
tt_table *tt_slices_table(const tt_session *s, const tt_scope *scope, const tt_drilldown *o);
/* draw.c */
void tt_table_draw(tt_table_view *v, tt_canvas *c, bool focus);
tt_col_stats *tt_table_stats(const tt_table *t, tt_unit unit);
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
/* The column is left out: unknown in every row, shown as the indent of a tree, or the same in every row because the
 * scope in the first line says it. */
bool tt_table_redundant(const tt_table_view *v, uint32_t col);

/* The value of a cell that is a number, else NaN. */
double tt_table_number(tt_type type, tt_cell c);
/* The line (index into rows) at line y of the screen; TT_NONE = there is none. */
uint32_t tt_table_line_at(const tt_table_view *v, int y);
/* The sum of the column means something. */
bool tt_table_adds_up(const tt_column *c);

/* columns.c - which columns, in which order; marked rows; the table as it is shown */
uint32_t tt_table_col_at(const tt_table_view *v, uint32_t place);
bool tt_table_menu_act(tt_table_view *v, tt_action a);
void tt_table_menu_draw(tt_table_view *v, tt_canvas *c);
bool tt_table_columns_command(tt_table_view *v, const char *arg); /* "name,calls" or "all" */
static inline bool tt_table_marked(const tt_table_view *v, uint32_t row)
{
    return v->marks.n && (v->marks.bits[row >> 3] >> (row & 7) & 1);
}
void tt_table_mark(tt_table_view *v, uint32_t row);
void tt_table_unmark(tt_table_view *v);
void tt_table_marks_text(const tt_table_view *v, char *out, size_t cap);
/* The visible table: columns and rows, or only marked rows if there are any. Free with tt_table_shown_free(). */
tt_table *tt_table_shown(const tt_table_view *v);
void tt_table_shown_free(tt_table *t);

/* related.c - the other side of a row */
/* Table kernels by operator, for tables operators and kernels; else NULL. Called on the worker. */
const tt_table *tt_table_related_get(tt_session *s, const tt_table_desc *desc, const tt_scope *scope,
                                     const tt_options *o);
int tt_table_related_draw(const tt_table_view *v, tt_canvas *c, int y); /* the lines used, 0 or 1 */

/* state.c - what stays when rows come anew */
uint64_t tt_table_row_id(const tt_table_view *v, const tt_table *t,
                         uint32_t row); /* equal for the same row of the next table */
void tt_table_keep(tt_table_view *v);   /* called before v->table is replaced */
uint32_t tt_table_keep_apply(
    tt_table_view *v); /* called after v->table was replaced; returns the row that was selected, TT_NONE */
void tt_table_keep_free(tt_table_view *v);

/* statistics.c - statistics of the sorted column */
enum { TT_STATS_LINES = 3 };
void tt_table_stats_draw(tt_table_view *v, tt_canvas *c);

#endif

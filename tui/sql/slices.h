/* tui/sql/slices.h - the table `slices`: rows that a query wants, and their order. Private to tui/sql.
 *
 * A plan is chosen once (slices_plan.c), then followed for each set of values of its constraints (slices_rows.c). Rows
 * that cannot meet a constraint are skipped. SQLite judges the remaining rows itself: a plan may return rows too many,
 * but never miss one. */
#ifndef TT_TUI_SQL_SLICES_H
#define TT_TUI_SQL_SLICES_H

#include "tui/sql/data.h"

enum { /* columns of slices, in order */
       SL_ID,
       SL_PARENT,
       SL_DEPTH,
       SL_START,
       SL_DURATION,
       SL_SELF,
       SL_NAME,
       SL_CATEGORY,
       SL_KIND,
       SL_TRACK,
       SL_PROCESS,
       SL_THREAD,
       SL_STREAM,
       SL_DEVICE,
       SL_STEP,
       SL_CORRELATION,
       SL_LAUNCH,
       SL_OPERATOR,
       SL_ARGS,
       SL_WORKER,
       SL_SPAN,
       SL_COUNT
};

/* idxNum: way to find rows | order | column of either. idxStr: for each value a letter for its column ('A' + SL_...)
 * and a letter for its operator. */
enum {
    PLAN_TRACKS,      /* all tracks or one, each from the first to the last wanted start */
    PLAN_ID,          /* the slice with the id */
    PLAN_PARENT,      /* slices inside a slice */
    PLAN_LAUNCH,      /* device work of a launch */
    PLAN_CORRELATION, /* the bucket of the correlation id */
    PLAN_VALUE,       /* slices with the value in the indexed column */
    PLAN_MASK = 15,
    ORDER_ID = 0, /* ascending ids */
    ORDER_START = 16,
    ORDER_VALUE = 32, /* by the indexed column */
    ORDER_DOWN = 64,  /* the greatest first */
    PLAN_COLUMN = 256 /* factor of tt_indexed */
};
/* letters of operators in idxStr */
enum { OP_EQ = '=', OP_GT = '>', OP_GE = 'g', OP_LT = '<', OP_LE = 'l' };

int tt_sql_slices_plan(tt_sql_data *d, sqlite3_index_info *info);
/* The index of a column of slices; TT_INDEXED_COUNT: it has none. */
tt_indexed tt_sql_indexed(int col);

/* The constraints as limits on the rows of one trace. */
typedef struct tt_slice_filter {
    bool none;             /* no row of the trace meets the constraints */
    bool has_name, masked; /* has_name: only slices with this name; masked: only categories of the mask */
    tt_sid name;
    uint64_t categories[4];
    int64_t t0, t1; /* starts, trace time, inclusive */
} tt_slice_filter;

typedef struct tt_slice_run { /* rows to go through: [at, end) of the list, or of the rows themselves */
    const tt_row *list;
    const uint32_t *work; /* a list of indices into dev; NULL */
    uint32_t at, end;
    uint32_t both; /* first + last: going down, the row is both - at */
    uint32_t trace;
    tt_row row; /* the row at `at` */
} tt_slice_run;

typedef struct tt_slice_cursor {
    sqlite3_vtab_cursor base;
    tt_sql_data *data;
    tt_slice_filter *filters; /* by trace */
    int64_t d0, d1;           /* durations, inclusive */
    bool has_parent;          /* only rows with this parent */
    tt_row parent;
    bool has_correlation;
    uint32_t correlation;
    bool has_value; /* only rows with `value`, by trace, in the indexed column */
    tt_row_value *value;
    int order;
    bool down;
    tt_indexed by;
    TT_VEC(tt_slice_run) runs; /* the first run is current; a heap if the order needs it */
    size_t next_run;           /* without a heap: index of the next run */
    tt_slice_run now;          /* without a heap: the current run */
    bool eof;
} tt_slice_cursor;

/* Begin to read rows, with values for the constraints of the plan. */
void tt_slices_begin(tt_slice_cursor *c, int plan, const char *ops, int n, sqlite3_value **values);
void tt_slices_next(tt_slice_cursor *c);
/* The current run. */
static inline const tt_slice_run *tt_slices_at(const tt_slice_cursor *c)
{
    return c->order == ORDER_ID ? &c->now : &c->runs.at[0];
}

#endif

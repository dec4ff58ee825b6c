/* tui/sql/slices.h - the table `slices`: which rows a query wants, and in which order they come. Private to tui/sql.
 *
 * A plan is chosen once (slices_plan.c), then rows are gone through for each set of values of its constraints
 * (slices_rows.c). Rows that cannot meet a constraint are skipped by looks at the columns; SQLite itself judges those
 * that are left, so a plan may be generous but never greedy. */
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

/* idxNum: how rows are found | their order | the column that either needs. idxStr: a letter for the column
 * ('A' + SL_...) and one for the operator of each value. */
enum {
    PLAN_TRACKS,      /* all tracks, or one, each from the first to the last start that is wanted */
    PLAN_ID,          /* the slice */
    PLAN_PARENT,      /* those inside the slice */
    PLAN_LAUNCH,      /* the work of the launch */
    PLAN_CORRELATION, /* the bucket of the correlation id */
    PLAN_VALUE,       /* those with the value in the indexed column */
    PLAN_MASK = 15,
    ORDER_ID = 0, /* as they lie */
    ORDER_START = 16,
    ORDER_VALUE = 32, /* of the indexed column */
    ORDER_DOWN = 64,  /* the greatest first */
    PLAN_COLUMN = 256 /* times tt_indexed */
};
/* letters of operators in idxStr */
enum { OP_EQ = '=', OP_GT = '>', OP_GE = 'g', OP_LT = '<', OP_LE = 'l' };

int tt_sql_slices_plan(tt_sql_data *d, sqlite3_index_info *info);
/* The index of a column of slices; TT_INDEXED_COUNT: it has none. */
tt_indexed tt_sql_indexed(int col);

/* What the constraints say of one trace. */
typedef struct tt_slice_filter {
    bool none;             /* it has no such row */
    bool has_name, masked; /* name: that one; masked: only categories of the mask */
    tt_sid name;
    uint64_t categories[4];
    int64_t t0, t1; /* starts, trace time, inclusive */
} tt_slice_filter;

typedef struct tt_slice_run { /* rows to go through: [at, end) of the list, or of the rows themselves */
    const tt_row *list;
    const uint32_t *work; /* likewise, indices into dev */
    uint32_t at, end;
    uint32_t both; /* first + last: what to take at from, to go down */
    uint32_t trace;
    tt_row row; /* the one that at stands for */
} tt_slice_run;

typedef struct tt_slice_cursor {
    sqlite3_vtab_cursor base;
    tt_sql_data *data;
    tt_slice_filter *filters; /* by trace */
    int64_t d0, d1;           /* durations, inclusive */
    bool has_parent;          /* only rows with this one */
    tt_row parent;
    bool has_correlation;
    uint32_t correlation;
    bool has_value; /* only rows with `value`, by trace, in the indexed column */
    tt_row_value *value;
    int order;
    bool down;
    tt_indexed by;
    TT_VEC(tt_slice_run) runs; /* the first is current; a heap where the order asks for it */
    size_t next_run;           /* without a heap: the run behind the current one */
    tt_slice_run now;          /* without a heap */
    bool eof;
} tt_slice_cursor;

/* Begin with these values of the constraints that the plan names. */
void tt_slices_begin(tt_slice_cursor *c, int plan, const char *ops, int n, sqlite3_value **values);
void tt_slices_next(tt_slice_cursor *c);
/* Where it stands. */
static inline const tt_slice_run *tt_slices_at(const tt_slice_cursor *c)
{
    return c->order == ORDER_ID ? &c->now : &c->runs.at[0];
}

#endif

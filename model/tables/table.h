/* model/tables/table.h - the table engine: descriptors, lazy cached computation, sorting, filtering.
 *
 * A table is described once (tt_table_desc, registered by one line in model/tables/registry/tables.def) and serves
 * the screens, `tracetty summary`, `tracetty tables`, the CSV and JSON writers and the tests. It is computed when
 * first asked for, with the scope and options asked for, and the session keeps it. */
#ifndef TT_MODEL_TABLES_TABLE_H
#define TT_MODEL_TABLES_TABLE_H

#include "model/tables/comparison.h"
#include "model/tables/step_sums.h"
#include "model/trace/columns.h"
#include "model/trace/session.h"

/* Where the events behind a row are: "show me where". */
typedef struct tt_drilldown {
    enum {
        TT_DRILL_NONE,
        TT_DRILL_SLICES, /* slices of `trace` (TT_NONE = of all traces in scope) with these kinds, name, shape and stack
                          */
        TT_DRILL_RANGE,  /* time window [t0, t1) on the common axis */
        TT_DRILL_ROW,    /* the slice `row` of `trace` */
    } what : 8;          /* bit-field, since millions of rows may have one each */
    bool alone;          /* about the trace as a whole: tracks of other traces are folded */
    /* RANGE: 1 + index of the rule whose finding claims time there (pieces: table evidence); 0 = none */
    uint16_t finding;
    uint32_t trace;
    uint32_t kinds; /* bits 1u << tt_kind */
    tt_row row;
    const char *name;   /* NULL = any */
    const char *shapes; /* NULL = any; compared with op_args.shapes ("[]" = none) */
    const char *stack;  /* NULL = any */
    int64_t t0, t1;
} tt_drilldown;

typedef struct tt_what_if { /* a prediction: a name that would take `millionths` of its time */
    const char *name;
    uint32_t millionths; /* at most 1,000,000 */
} tt_what_if;
#define TT_WHAT_IF_MAX 250

typedef struct tt_options { /* everything that changes a result beside the scope; part of the cache key */
    uint8_t group;          /* index into desc->groups */
    uint8_t stack_depth;    /* key_averages --group-by stack: frames, 0 = all */
    bool thread_sep;
    bool device_window; /* TT_TABLE_WINDOW: each device from its first to its last work, instead of the account */
    bool claims;        /* keep the claims of findings with the table, for table evidence */
    bool places; /* with the columns that say where in the program a row comes from, which cost a pass over the trace */
    double samples_per_step;           /* for throughput; 0 = unknown */
    double peak_tflops, peak_gb_per_s; /* TT_TABLE_PEAKS: peaks of every device; 0 = as in peaks.def */
    /* TT_TABLE_WHAT_IF: these together are one more prediction; they must live as long as the session */
    const tt_what_if *what_if;
    uint32_t n_what_if;            /* at most TT_WHAT_IF_MAX */
    const tt_comparison *compare;  /* TT_TABLE_COMPARE: the other run; NULL = no rows. Must outlive the call of
                                      tt_table_get(); the table keeps a copy */
    const struct tt_run_row *runs; /* TT_TABLE_RUNS: rows of all runs of the folder (verdict/runs.h), which must live as
                                      long as the session; NULL = the run itself */
    uint32_t n_runs;
    int64_t arg[3]; /* TT_TABLE_ARGS: subject of the table, as its description says; 0 = its default */
} tt_options;

typedef struct tt_table_desc tt_table_desc;

typedef struct tt_table {
    const tt_table_desc *desc;
    tt_options options;
    const tt_column *const *cols; /* columns shown, worker and span first when more than one is loaded */
    uint32_t n_cols;
    uint32_t n_rows;
    tt_cell *cells;                /* cells by row: cells[row * n_cols + col] */
    tt_drilldown *drilldowns;      /* drill-down of each row; NULL when the table has none */
    tt_drilldown *base_drilldowns; /* drill-down of each row in the base of a comparison, as if the base were the
                                      table's session */
    const char *device; /* word for its devices ("GPU", "NPU") in titles; NULL = titles as they are written */
    const char *note;   /* why the table is empty, or what to pass to the profiler; NULL */
    tt_arena arena;     /* owns the strings of the table */
    const bool *known;  /* per column whether any row has a value; NULL = not looked at */
    /* engine's own */
    size_t cap_rows;
    const tt_column **col_store;
    uint32_t *col_of; /* place in cols of each column of desc; TT_NONE when not shown */
    uint32_t lead;    /* number of worker, span and thread columns in front */
    const char *lead_worker, *lead_span, *lead_thread;
    tt_comparison compare; /* what options.compare points to when it is set */
    tt_attached *attached; /* object attached by the compute function; freed with the table; NULL = none */
} tt_table;

typedef struct tt_query { /* input of a compute function */
    const tt_session *session;
    const tt_scope *scope;
    uint32_t trace;            /* tables by trace: the trace to add rows for; TT_NONE for tables over all traces */
    const tt_windows *windows; /* scope of that trace; NULL for tables over all traces */
    tt_options options;
    tt_step_sums *sums; /* where to add rows by step; NULL = nobody asks */
} tt_query;

enum {                          /* tt_table_desc.flags */
       TT_TABLE_ALL_TRACES = 1, /* computed once over all traces (distributed tables); else once per trace in scope */
       TT_TABLE_DEFAULT = 2,    /* printed by `summary` without --table; shown on the Overview screen */
       TT_TABLE_THREADS = 4,    /* honours scope->thread, so --thread-sep works: computed once per host thread, which a
                                   column in front names */
       TT_TABLE_ARGS =
           8, /* depends on options.arg, so there are many: views compute their own instead of keeping all */
       TT_TABLE_PEAKS = 32,       /* depends on options.peak_tflops and peak_gb_per_s */
       TT_TABLE_WHAT_IF = 64,     /* depends on options.what_if */
       TT_TABLE_COMPARE = 128,    /* compares two runs: depends on options.compare */
       TT_TABLE_STEP_SUMS = 256,  /* fills tt_query.sums with the main time of its rows */
       TT_TABLE_TREE = 512,       /* rows are in the order of a tree: column depth says how deep */
       TT_TABLE_CALLS = 1024,     /* needs only facts, steps and collectives of a trace: computed for summaries, too */
       TT_TABLE_KEPT_TOO = 2048,  /* for summaries: the stored rows, then rows computed from all summaries */
       TT_TABLE_ALL_READ = 4096,  /* has rows per trace, but computes them from all traces of the session */
       TT_TABLE_SELECTED = 65536, /* with TT_TABLE_ALL_TRACES: covers the chosen workers alone, as findings do */
       TT_TABLE_CLAIMS = 16384,   /* depends on options.claims */
       TT_TABLE_RUNS = 32768,     /* depends on options.runs */
       TT_TABLE_WINDOW = 8192,    /* depends on options.device_window */
       TT_TABLE_BROUGHT = 16,     /* has the rows of the table with the same id that a trace brings (imported_rows.h) */
};

struct tt_table_desc {
    const char *id, *title, *meaning;
    const tt_column *cols;
    uint32_t n_cols;
    const char *const *groups; /* --group-by keys, NULL-terminated, the first is the default; NULL = none */
    const char *default_sort;  /* column key; NULL = order of computation is kept (steps, trees, facts) */
    bool default_desc;
    uint32_t flags;
    const char *note; /* note of an empty table where compute gives none: what to record; NULL */
    void (*compute)(const tt_query *q, tt_table *out);
};

/* Whether the rows of one worker depend on traces of other workers, so that all traces have to be loaded. */
static inline bool tt_table_reads_all(const tt_table_desc *d)
{
    if (d->flags & TT_TABLE_SELECTED) return false;
    return (d->flags & (TT_TABLE_ALL_TRACES | TT_TABLE_ALL_READ)) != 0;
}
int tt_table_group(const tt_table_desc *d,
                   const char *key); /* Index of a group key; -1 = the table does not have it. */

/* The table, from the cache or computed now. Valid until the session is freed. Thread-safe: the cache is not part of
 * the session's value. */
const tt_table *tt_table_get(const tt_session *s, const tt_table_desc *d, const tt_scope *scope, const tt_options *o);
/* Compute the table for the caller alone, who frees it before the session. */
tt_table *tt_table_compute(const tt_session *s, const tt_table_desc *d, const tt_scope *scope, const tt_options *o);
/* Compute a table with TT_TABLE_STEP_SUMS, and its rows by step. *sums must be empty; the caller frees it. */
tt_table *tt_table_compute_by_step(const tt_session *s, const tt_table_desc *d, const tt_scope *scope,
                                   const tt_options *o, tt_step_sums *sums);
void tt_table_free(tt_table *t); /* Free a table, also one made by hand of malloc'ed parts; NULL is fine. */
enum { TT_TITLE_CAP = 64 };
/* A device as words: "GPU 0" for "GPU0". Returns out. */
const char *tt_device_shown(const char *device, char out[TT_TITLE_CAP]);
/* Title of a column: "GPU self", for other devices "NPU self". Returns the title or out. */
const char *tt_table_title(const tt_table *t, uint32_t col, char out[TT_TITLE_CAP]);
int tt_table_column(const tt_table *t, const char *key); /* Place of the column in cols; -1 = there is none. */
int tt_table_known_column(
    const tt_table *t, const char *key); /* Place of the column in cols; -1 = there is none, or no row has a value. */
static inline tt_cell tt_table_cell(const tt_table *t, uint32_t row, uint32_t col)
{
    return t->cells[(size_t)row * t->n_cols + col];
}
/* The cell of the column with this key; unknown if there is no such column. */
static inline tt_cell tt_table_cell_of(const tt_table *t, uint32_t row, const char *key, tt_type type)
{
    int col = tt_table_column(t, key);
    return col < 0 ? tt_cell_none(type) : tt_table_cell(t, row, (uint32_t)col);
}
bool tt_cell_unknown(tt_type type, tt_cell c); /* Whether the cell is unset: shown as "-", never as 0. */

/* ---- for compute functions: add a row, then set cells by the index of the column in desc->cols. Unset = unknown.
 * ---- */
uint32_t tt_table_add(tt_table *t);
void tt_set_i(tt_table *t, uint32_t row, uint32_t desc_col, int64_t v);
void tt_set_d(tt_table *t, uint32_t row, uint32_t desc_col, double v);
void tt_set_s(tt_table *t, uint32_t row, uint32_t desc_col, const char *s); /* copied; NULL = unknown */
void tt_set_ref(tt_table *t, uint32_t row, uint32_t desc_col,
                const char *s);                                 /* not copied: must live as long as the session */
tt_drilldown *tt_set_drilldown(tt_table *t, uint32_t row);      /* A zeroed drill-down for the caller to fill in. */
tt_drilldown *tt_set_base_drilldown(tt_table *t, uint32_t row); /* A zeroed drill-down in the base of the comparison. */
/* Columns in front of a table's own: worker, span, thread. */
extern const tt_column tt_table_lead[3];
/* The row covers several workers: its worker and thread columns in front become unknown. */
void tt_clear_lead(tt_table *t, uint32_t row);

/* ---- the order of a table's visible rows ---- */
typedef struct tt_row_order_spec {
    int sort_col; /* place in t->cols; -1 = order of the table */
    bool desc;
    const char *filter; /* NULL = all rows; else rows with a string cell that contains it, case-insensitive ... */
    bool regex;         /* ... or that matches it as a POSIX extended regular expression */
    bool name_only;     /* look only at the column `name`; at all string cells when there is none */
} tt_row_order_spec;
typedef struct tt_row_order { /* owned by the caller; free with tt_row_order_free() */
    uint32_t *rows;
    uint32_t n;
} tt_row_order;
tt_row_order_spec tt_row_order_default(const tt_table *t); /* All rows in the order that the descriptor asks for. */
/* Sort and filter. Ties are broken by the first string column, then by table order; unknown values come last. *err
 * says why a regex is bad. */
tt_status tt_row_order_make(const tt_table *t, const tt_row_order_spec *spec, tt_row_order *out, tt_err *err);
void tt_row_order_free(tt_row_order *v);

typedef struct tt_slice_ref {
    uint32_t trace; /* index into the session's traces */
    tt_row row;     /* TT_NONE = no slice */
} tt_slice_ref;
/* Slices that a drill-down stands for, at most cap, ordered by (trace, start). Returns how many there are in all. */
uint32_t tt_drilldown_slices(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, tt_slice_ref *out,
                             uint32_t cap);
/* Limit the scope to the time of a drill-down: its step, or the step of its device work; else its window, or the
 * time of its slice. A drill-down to many slices has no time and changes nothing. */
void tt_scope_narrow(const tt_session *s, const tt_drilldown *o, tt_scope *scope);

#endif

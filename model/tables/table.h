/* model/tables/table.h - the table engine: descriptors, lazy cached computation, sorting, filtering.
 *
 * A table is described once (tt_table_desc, registered by one line in model/tables/registry/tables.def) and serves the
 * screens, `tracetty summary`, `tracetty tables`, the CSV and JSON writers and the tests. It is computed when first
 * asked for, for the scope and options asked for, and kept by the session. */
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
        TT_DRILL_SLICES, /* slices of the trace (TT_NONE = all in scope) with these kinds, name, shape and stack */
        TT_DRILL_RANGE,  /* the window [t0, t1) of the common axis */
        TT_DRILL_ROW,    /* the slice `row` of `trace` */
    } what : 8;          /* small, as there may be one for each of millions of rows */
    bool alone;          /* it is about the trace as a whole: the tracks of other ones are folded */
    uint16_t finding;    /* RANGE: the rule whose finding claims time there, from 1; its pieces are in table evidence */
    uint32_t trace;
    uint32_t kinds; /* bits 1u << tt_kind */
    tt_row row;
    const char *name;   /* NULL = any */
    const char *shapes; /* NULL = any; compared with op_args.shapes ("[]" = none) */
    const char *stack;  /* NULL = any */
    int64_t t0, t1;
} tt_drilldown;

typedef struct tt_what_if { /* a part that would take `millionths` of its time */
    const char *name;
    uint32_t millionths; /* at most 1,000,000 */
} tt_what_if;
#define TT_WHAT_IF_MAX 250

typedef struct tt_options { /* all that changes a result beside the scope; part of the cache key */
    uint8_t group;          /* index into desc->groups */
    uint8_t stack_depth;    /* key_averages --group-by stack: frames, 0 = all */
    bool thread_sep;
    bool device_window; /* tables with TT_TABLE_WINDOW: of each device from its first to its last work, not the account
                         */
    bool claims;        /* findings with what they claim hung on the table: for table evidence */
    bool places; /* with the columns that say where in the program a row comes from, which cost a pass over the trace */
    double samples_per_step;           /* throughput; 0 = unknown */
    double peak_tflops, peak_gb_per_s; /* tables with TT_TABLE_PEAKS: of every device; 0 = what peaks.def says */
    const tt_what_if *what_if; /* tables with TT_TABLE_WHAT_IF: one prediction more, of all of these together; as long
                                  as the session */
    uint32_t n_what_if;        /* at most TT_WHAT_IF_MAX */
    const tt_comparison *compare; /* tables with TT_TABLE_COMPARE: the other run; NULL = nothing to compare with, and no
                                     rows; outlives the call of tt_table_get(), the table keeps a copy */
    const struct tt_run_row *runs; /* tables with TT_TABLE_RUNS: rows of all runs of the folder (verdict/runs.h), as
                                      long as the session; NULL = the run itself */
    uint32_t n_runs;
    int64_t arg[3]; /* tables with TT_TABLE_ARGS: what they are about, in the table's own words; 0 = its default */
} tt_options;

typedef struct tt_table_desc tt_table_desc;

typedef struct tt_table {
    const tt_table_desc *desc;
    tt_options options;
    const tt_column *const *cols; /* columns shown, worker and span first when more than one is loaded */
    uint32_t n_cols;
    uint32_t n_rows;
    tt_cell *cells;                /* row-major: cells[row * n_cols + col] */
    tt_drilldown *drilldowns;      /* by row, NULL when the table has none */
    tt_drilldown *base_drilldowns; /* the same in the base of a comparison, as if its session were the table's */
    const char *device;            /* what its devices are called ("GPU", "NPU"), for titles; NULL = as they stand */
    const char *note;              /* why it is empty or what to pass to the profiler; NULL */
    tt_arena arena;                /* strings of the table */
    const bool *known;             /* by column: some row has a value; NULL = not looked at */
    /* engine's own */
    size_t cap_rows;
    const tt_column **col_store;
    uint32_t *col_of; /* index of a desc column in cols, TT_NONE when not shown */
    uint32_t lead;    /* worker, span and thread columns in front */
    const char *lead_worker, *lead_span, *lead_thread;
    tt_comparison compare; /* what options.compare points to, where it is set */
    tt_attached *attached; /* what a compute function hangs on it: freed with it; NULL */
} tt_table;

typedef struct tt_query { /* what a compute function gets */
    const tt_session *session;
    const tt_scope *scope;
    uint32_t trace;            /* per-trace tables: the trace to add rows for; TT_NONE for tables over all traces */
    const tt_windows *windows; /* scope of that trace; NULL for tables over all traces */
    tt_options options;
    tt_step_sums *sums; /* rows by step, where somebody asks for them; NULL */
} tt_query;

enum {                          /* tt_table_desc.flags */
       TT_TABLE_ALL_TRACES = 1, /* compute once over all traces (distributed tables); else once per trace in scope */
       TT_TABLE_DEFAULT = 2,    /* printed by `summary` without --table; shown on the Overview screen */
       TT_TABLE_THREADS = 4,    /* honours scope->thread, so --thread-sep works: computed once per host thread, which a
                                   column in front names */
       TT_TABLE_ARGS =
           8, /* depends on options.arg, so there are many of it: views compute their own instead of keeping all */
       TT_TABLE_PEAKS = 32,      /* depends on options.peak_tflops and peak_gb_per_s */
       TT_TABLE_WHAT_IF = 64,    /* depends on options.what_if */
       TT_TABLE_COMPARE = 128,   /* about two runs: depends on options.compare */
       TT_TABLE_STEP_SUMS = 256, /* fills tt_query.sums with the main time of its rows */
       TT_TABLE_TREE = 512,      /* rows stand in the order of a tree: column depth says how deep */
       TT_TABLE_CALLS =
           1024, /* needs no more of a trace than facts, steps and collectives: computed of summaries, too */
       TT_TABLE_KEPT_TOO =
           2048, /* of summaries: the rows that were stored, and then what is computed from all of them */
       TT_TABLE_ALL_READ = 4096,  /* has rows per trace, but computes them from all traces of the session */
       TT_TABLE_SELECTED = 65536, /* of TT_TABLE_ALL_TRACES: of the workers that are chosen alone, as findings */
       TT_TABLE_CLAIMS = 16384,   /* depends on options.claims */
       TT_TABLE_RUNS = 32768,     /* depends on options.runs */
       TT_TABLE_WINDOW = 8192,    /* depends on options.device_window */
       TT_TABLE_BROUGHT = 16,     /* has the rows of the table of the same id that a trace brings (imported_rows.h) */
};

struct tt_table_desc {
    const char *id, *title, *meaning;
    const tt_column *cols;
    uint32_t n_cols;
    const char *const *groups; /* NULL-terminated --group-by keys, the first is the default; NULL = none */
    const char *default_sort;  /* column key; NULL = order of computation is kept (steps, trees, facts) */
    bool default_desc;
    uint32_t flags;
    const char *note; /* of a table without rows, where compute gives none: what to record; NULL */
    void (*compute)(const tt_query *q, tt_table *out);
};

/* Whether the rows of one worker depend on the traces of the others, so that all have to be loaded for them. */
static inline bool tt_table_reads_all(const tt_table_desc *d)
{
    if (d->flags & TT_TABLE_SELECTED) return false;
    return (d->flags & (TT_TABLE_ALL_TRACES | TT_TABLE_ALL_READ)) != 0;
}
int tt_table_group(const tt_table_desc *d, const char *key); /* index of a group key, -1 = not listed */

/* The table, computed now or taken from the cache, which is no part of what the session is; valid until the session is
 * freed. Thread-safe. */
const tt_table *tt_table_get(const tt_session *s, const tt_table_desc *d, const tt_scope *scope, const tt_options *o);
/* The same, computed for the caller alone, who frees it before the session. */
tt_table *tt_table_compute(const tt_session *s, const tt_table_desc *d, const tt_scope *scope, const tt_options *o);
/* The same, with its rows by step: of a table with TT_TABLE_STEP_SUMS. *sums is empty before; the caller frees it. */
tt_table *tt_table_compute_by_step(const tt_session *s, const tt_table_desc *d, const tt_scope *scope,
                                   const tt_options *o, tt_step_sums *sums);
void tt_table_free(tt_table *t); /* also a table made by hand of malloc'ed parts; NULL is fine */
enum { TT_TITLE_CAP = 64 };
/* A device in a sentence: "GPU 0" for "GPU0". Returns out. */
const char *tt_device_shown(const char *device, char out[TT_TITLE_CAP]);
/* The title of a column: "GPU self", for other devices "NPU self". Returns it or out. */
const char *tt_table_title(const tt_table *t, uint32_t col, char out[TT_TITLE_CAP]);
int tt_table_column(const tt_table *t, const char *key);       /* -1 = no such column */
int tt_table_known_column(const tt_table *t, const char *key); /* -1 = no such column, or no row has a value */
static inline tt_cell tt_table_cell(const tt_table *t, uint32_t row, uint32_t col)
{
    return t->cells[(size_t)row * t->n_cols + col];
}
/* The cell of the column with this key and type; unknown where there is no such column. */
static inline tt_cell tt_table_cell_of(const tt_table *t, uint32_t row, const char *key, tt_type type)
{
    int col = tt_table_column(t, key);
    return col < 0 ? tt_cell_none(type) : tt_table_cell(t, row, (uint32_t)col);
}
bool tt_cell_unknown(tt_type type, tt_cell c); /* what a cell that was not set holds: shown as "-", never as 0 */

/* ---- for compute functions: add a row, then set cells by the index of the column in desc->cols. Unset = unknown.
 * ---- */
uint32_t tt_table_add(tt_table *t);
void tt_set_i(tt_table *t, uint32_t row, uint32_t desc_col, int64_t v);
void tt_set_d(tt_table *t, uint32_t row, uint32_t desc_col, double v);
void tt_set_s(tt_table *t, uint32_t row, uint32_t desc_col, const char *s); /* copied; NULL = unknown */
void tt_set_ref(tt_table *t, uint32_t row, uint32_t desc_col,
                const char *s);                                 /* not copied: lives as long as the session */
tt_drilldown *tt_set_drilldown(tt_table *t, uint32_t row);      /* zeroed origin to fill in */
tt_drilldown *tt_set_base_drilldown(tt_table *t, uint32_t row); /* likewise, in the base of the comparison */
/* Columns in front of a table's own: worker, span, thread. */
extern const tt_column tt_table_lead[3];
/* The row is about several workers: the columns worker and thread in front of the table's own are unknown. */
void tt_clear_lead(tt_table *t, uint32_t row);

/* ---- an order of rows: what a person sees of a table ---- */
typedef struct tt_row_order_spec {
    int sort_col; /* index into t->cols; -1 = order of the table */
    bool desc;
    const char *filter; /* NULL = all; else rows whose string cells contain it, case-insensitive ... */
    bool regex;         /* ... or match it as a POSIX extended regular expression */
    bool name_only;     /* look only at the column `name` (all string cells when the table has none) */
} tt_row_order_spec;
typedef struct tt_row_order { /* the caller's; tt_row_order_free() */
    uint32_t *rows;
    uint32_t n;
} tt_row_order;
tt_row_order_spec tt_row_order_default(const tt_table *t); /* the order its descriptor asks for, all rows */
/* Sorted, ties broken by the first string column then by table order; unknown values last. *err says why a regex is
 * bad. */
tt_status tt_row_order_make(const tt_table *t, const tt_row_order_spec *spec, tt_row_order *out, tt_err *err);
void tt_row_order_free(tt_row_order *v);

typedef struct tt_slice_ref {
    uint32_t trace; /* index into the session's */
    tt_row row;     /* TT_NONE = no slice */
} tt_slice_ref;
/* Slices an origin stands for, at most cap, ordered by (trace, start); the full number is returned. */
uint32_t tt_drilldown_slices(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, tt_slice_ref *out,
                             uint32_t cap);
/* Look only at the time of an origin: the step that it is or that device work belongs to, else its window or the time
 * of its slice. Many slices have no time of their own and change nothing. */
void tt_scope_narrow(const tt_session *s, const tt_drilldown *o, tt_scope *scope);

#endif

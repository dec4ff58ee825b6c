/* tui/screens/overview.h - the inside of the Overview, for tui/screens/overview*.c: its tables and where a person is
 * in them.
 *
 * From top to bottom: the verdict, a line a device, where the time goes, the slowest steps, findings, what takes most
 * GPU time, the run. Each is drawn on a canvas of the height that the layout gives it (overview.c), and says how many
 * lines it wants; less room leaves out what matters least. */
#ifndef TT_TUI_SCREENS_OVERVIEW_H
#define TT_TUI_SCREENS_OVERVIEW_H

#include <string.h>

#include "tui/screen/table_fetch.h"
#include "tui/screens/step_parts.h"
#include "tui/screens/straggler.h"
#include "tui/screens/time_shares.h"
#include "tui/screens/verdict.h"

/* Tables of what is in scope; up to LISTS they have lines that the cursor goes to. */
typedef enum part { STEPS, FINDINGS, OPERATORS, KERNELS, RANGES, LISTS, RUN = LISTS, GPU_TIME, IDLE, N_PARTS } part;
/* Tables of all workers. */
typedef enum part_of_all { DEVICES, RANKS, WAITS, ALL_STEPS, N_OF_ALL } part_of_all;
/* Tables for large screens, computed last. */
typedef enum part_of_model { EVENT_TYPES, STAGES_BY_STEP, N_OF_MODEL } part_of_model;
/* Lists of lines: those of parts, and the devices. */
enum { LIST_DEVICES = LISTS, N_LISTS };

/* ---- devices: overview_devices.c ---- */
enum { STRIP_CELLS = 256, SPARK_CELLS = 24 };
typedef struct device_strip { /* what a device did, from first to last work of all */
    uint32_t trace;
    const char *name;              /* "GPU0"; the session's */
    int64_t t0, t1;                /* common axis, the same for all */
    uint8_t busy[STRIP_CELLS];     /* 0: nothing ran .. 255: all of the time */
    uint8_t of_class[STRIP_CELLS]; /* tt_work_class with most of it */
    int64_t peak, capacity;        /* bytes allocated at most, of so many; TT_UNKNOWN */
    uint8_t spark[SPARK_CELLS];    /* bytes allocated, 255 = peak */
} device_strip;

typedef struct overview_facts { /* made by a job: what is no table */
    device_strip *strip;
    uint32_t n_strips;
    tt_straggler straggler;
    const tt_table *stages;   /* in scope; NULL = the session has none */
    const tt_table *findings; /* in scope when it was made */
    tt_verdict_place place;   /* of the finding in the verdict */
} overview_facts;

typedef struct overview {
    tt_table_fetch tables; /* by part; FINDINGS in the order of the table, lists below them as theirs sort them */
    tt_table_fetch all;    /* by part_of_all */
    tt_table_fetch model;  /* by part_of_model */
    overview_facts *facts; /* NULL = not there yet */
    unsigned facts_serial;
    tt_time_shares shares;
    tt_slowest_step slowest;
    uint32_t *by_length; /* rows of STEPS, the slowest first */
    struct worker_run {  /* length of its steps: what a saving is a share of */
        const char *worker;
        int64_t ns;
    } * runs;
    uint32_t n_runs;
    bool one_worker; /* is looked at: need not be named in every line */
    int focus;       /* a part below LISTS or LIST_DEVICES; the list that has the keys */
    uint32_t at[N_LISTS], top[N_LISTS];
    uint32_t *line[N_LISTS]; /* rows of the table that the last frame shows, in its order; TT_NONE: the others */
    uint32_t n_lines[N_LISTS];
    int y[N_LISTS], h[N_LISTS], x[N_LISTS], w[N_LISTS]; /* where, on the screen; h 0 = not shown */
    uint32_t finding_on[128];                           /* by line of the findings: which */
} overview;

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most(int a, int b) { return a > b ? a : b; }
static inline uint32_t rows(const overview *o, part p) { return tt_table_fetch_rows(&o->tables, (int)p); }
static inline bool is_on(const overview *o, int list, uint32_t line) { return o->focus == list && o->at[list] == line; }

static inline const char *worker_of(const overview *o, const tt_table *t, uint32_t row)
{
    return o->one_worker ? "" : tt_cell_str(t, row, "worker");
}

/* The trace has steps; else the only row of their table is all of it, as step 0. */
static inline bool has_steps(const overview *o)
{
    return rows(o, STEPS) > 1 || (rows(o, STEPS) && strcmp(tt_cell_str(o->tables.at[STEPS], 0, "step"), "0") != 0);
}

/* NULL = nobody is late, or it is not known yet. */
static inline const tt_straggler *straggler_of(const overview *o)
{
    return o->facts && o->facts->straggler.row != TT_NONE && o->facts->straggler.waited ? &o->facts->straggler : NULL;
}

/* Each list fills its lines when it is drawn: room for n, the number of lines follows with tt_overview_add(). */
void tt_overview_lines(overview *o, int list, uint32_t n);
/* Where a list stands on the screen. */
static inline void tt_overview_stands(overview *o, int list, int y, int x, int h, int w)
{
    o->y[list] = y;
    o->x[list] = x;
    o->h[list] = h;
    o->w[list] = w;
}
static inline void tt_overview_add(overview *o, int list, uint32_t row) { o->line[list][o->n_lines[list]++] = row; }
void tt_overview_in_order(overview *o, int list); /* the lines so far, as their table has them */
/* The line has the cursor: mark it over its whole width; bars keep their colours. */
void tt_overview_mark(tt_canvas *c, int y);

/* overview_devices.c */
int tt_overview_devices_want(const overview *o);
void tt_overview_draw_devices(tt_screen *s, overview *o, tt_canvas *c, int y0);
/* On the worker: the strips of all devices of the scope's span. */
void tt_overview_strips(const tt_session *s, const tt_scope *scope, overview_facts *f);
void tt_overview_facts_free(overview_facts *f);

/* overview_shares.c */
int tt_overview_shares_want(const overview *o, int w);
void tt_overview_draw_shares(const overview *o, tt_canvas *c);

/* overview_lists.c */
void tt_overview_make_steps(overview *o); /* when their table is there */
int tt_overview_steps_want(const overview *o);
void tt_overview_draw_steps(tt_screen *s, overview *o, tt_canvas *c, int y0);
int tt_overview_findings_want(const overview *o, int w);
void tt_overview_draw_findings(tt_screen *s, overview *o, tt_canvas *c, int y0);

/* overview_tops.c */
int tt_overview_tops_want(const overview *o, int w);
void tt_overview_draw_tops(tt_screen *s, overview *o, tt_canvas *c, int y0);
int tt_overview_run_want(const tt_session *s, const overview *o, int w);
void tt_overview_draw_run(const tt_session *s, const overview *o, tt_canvas *c);

/* overview_model.c */
int tt_overview_phases_want(const overview *o, int w); /* 0 where a legend would not fit */
void tt_overview_draw_phases(const overview *o, tt_canvas *c);
int tt_overview_model_want(const overview *o, int w); /* 0 on a narrow screen; steps are those that the list shows */
void tt_overview_draw_model(const tt_session *s, const overview *o, tt_canvas *c);

#endif

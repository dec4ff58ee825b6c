/* tui/screens/overview/overview.h - the inside of the Overview, for tui/screens/overview*.c: its tables and where a
 * person is in them.
 *
 * From top to bottom: the first line, a strip a device, the account as one bar, findings, the slowest steps, what
 * takes most GPU time. The numbers of the first line, the strips, the bar and the findings are cells of table
 * overview and of those that it is made of. Each part is drawn on a canvas of the height that the layout gives it
 * (overview.c), and says how many lines it wants; less room leaves out what matters least. */
#ifndef TT_TUI_SCREENS_OVERVIEW_OVERVIEW_H
#define TT_TUI_SCREENS_OVERVIEW_OVERVIEW_H

#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/steps/columns.h"
#include "model/tables/verdict/parts.h"
#include "tui/charts/rank_wall.h"
#include "tui/charts/step_parts.h"
#include "tui/screen/table_fetch.h"
#include "tui/screens/overview/verdict.h"
#include "tui/screens/straggler.h"

/* Tables of the scope; the tables up to LISTS have lines that the cursor can reach. STEP_TIME, STEP_IDLE: gpu_time
 * and idle_causes by step. */
typedef enum part { STEPS, OPERATORS, KERNELS, LISTS, STEP_TIME = LISTS, STEP_IDLE, SERVING, N_PARTS } part;
/* Tables of all workers: the first line describes the run, whichever worker is chosen. */
typedef enum part_of_all { GPU_TIME, OVERVIEW, FINDINGS, RANKS, WAITS, ALL_STEPS, N_OF_ALL } part_of_all;
/* Lists of lines: the lists of parts, the devices, and the findings. */
enum { LIST_DEVICES = LISTS, LIST_FINDINGS, N_LISTS };

/* ---- devices: overview_devices.c ---- */
enum { STRIP_CELLS = 256, SPARK_CELLS = 24 };
typedef struct device_strip { /* the work of a device during the account, whose parts stand side by side */
    uint32_t trace;
    const char *name;          /* name of the device, "GPU0"; owned by the session */
    int64_t t0, t1;            /* first and last moment of the account, common axis */
    uint8_t busy[STRIP_CELLS]; /* by cell: busy share of the time, 0 = nothing ran, 255 = all of it */
    uint8_t work[STRIP_CELLS]; /* by cell: the tt_account_part with most work */
    /* by cell: the part with most waiting; TT_ACCOUNT_PARTS = the cell is no part of the account */
    uint8_t wait[STRIP_CELLS];
    int64_t peak, capacity;     /* peak: bytes allocated at most; capacity: bytes of the device; TT_UNKNOWN */
    uint8_t spark[SPARK_CELLS]; /* bytes allocated over time, 255 = peak */
} device_strip;

typedef struct memory_picture { /* the memory of the device that holds most */
    char name[32];
    int64_t peak, peak_at;                               /* peak: bytes; peak_at: common axis */
    float allocated[STRIP_CELLS], reserved[STRIP_CELLS]; /* parts of the height of the picture */
} memory_picture;

typedef struct overview_facts { /* facts that are no table, collected by a job */
    device_strip *strip;
    uint32_t n_strips;
    tt_straggler straggler;
    memory_picture *memory;  /* the picture of a memory snapshot; NULL = none */
    const tt_table *holders; /* table memory_peak of the device in `memory`; NULL = none */
    tt_row_order by_size;    /* rows of `holders` */
} overview_facts;

typedef struct overview {
    tt_table_fetch tables; /* tables by part; operators and kernels in the order of their own screens */
    tt_table_fetch all;    /* tables by part_of_all */
    tt_table_fetch ranks;  /* tables of the wall, fetched if there are many ranks */
    tt_rank_wall wall;
    overview_facts *facts; /* facts; NULL = not there yet */
    unsigned facts_serial;
    tt_slowest_step slowest;
    uint32_t *by_length;                  /* rows of STEPS, the slowest first */
    int64_t (*step_ns)[TT_ACCOUNT_PARTS]; /* by row of STEPS: the parts of the step */
    int64_t longest;                      /* sum of the parts of the longest step */
    bool one_worker;                      /* one worker is shown, so that lines need not name it */
    const char *worker;                   /* the worker that is shown; "" = all workers, or the run has one */
    int focus;                            /* the list that has the keys: a part below LISTS, or LIST_DEVICES */
    uint32_t at[N_LISTS], top[N_LISTS];
    /* by list: rows of its table in the last frame, in the order of the lines; TT_NONE: the line of all other rows */
    uint32_t *line[N_LISTS];
    uint32_t n_lines[N_LISTS];
    int y[N_LISTS], h[N_LISTS], x[N_LISTS], w[N_LISTS]; /* by list: its place on the screen; h 0 = not shown */
    uint32_t *found_on;       /* by row of FINDINGS that has a line: number of workers with the finding */
    uint32_t finding_on[128]; /* by line of the findings: the row of FINDINGS */
} overview;

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most(int a, int b) { return a > b ? a : b; }
static inline uint32_t rows(const overview *o, part p) { return tt_table_fetch_rows(&o->tables, (int)p); }
static inline const tt_table *findings_of(const overview *o) { return o->all.at[FINDINGS]; }
static inline bool is_on(const overview *o, int list, uint32_t line) { return o->focus == list && o->at[list] == line; }

static inline const char *worker_of(const overview *o, const tt_table *t, uint32_t row)
{
    return o->one_worker ? "" : tt_cell_worker(t, row);
}

/* The trace has steps; a table without steps has one row, which is all of the time as step 0. */
static inline bool has_steps(const overview *o)
{
    return rows(o, STEPS) > 1 ||
           (rows(o, STEPS) && strcmp(tt_cell_s(o->tables.at[STEPS], 0, TT_STEP_BREAKDOWN_STEP), "0") != 0);
}

/* The straggler; NULL = no rank is late, or the tables are not there yet. */
static inline const tt_straggler *straggler_of(const overview *o)
{
    return o->facts && o->facts->straggler.row != TT_NONE && o->facts->straggler.waited ? &o->facts->straggler : NULL;
}

/* Each list fills its lines when it is drawn: room for n, the number of lines follows with tt_overview_add(). */
void tt_overview_lines(overview *o, int list, uint32_t n);
/* Note the place of a list on the screen. */
static inline void tt_overview_stands(overview *o, int list, int y, int x, int h, int w)
{
    o->y[list] = y;
    o->x[list] = x;
    o->h[list] = h;
    o->w[list] = w;
}
static inline void tt_overview_add(overview *o, int list, uint32_t row) { o->line[list][o->n_lines[list]++] = row; }
void tt_overview_in_order(overview *o, int list); /* sort the lines by row of their table */
/* Mark the line of the cursor over its whole width; bars keep their colours. */
void tt_overview_mark(tt_canvas *c, int y);

/* overview_devices.c */
int tt_overview_devices_want(const overview *o);
void tt_overview_draw_devices(tt_screen *s, overview *o, tt_canvas *c, int y0);
/* On the worker: the strips of all devices of the scope's span. */
void tt_overview_strips(const tt_session *s, const tt_scope *scope, overview_facts *f);
void tt_overview_facts_free(overview_facts *f);

/* overview_account.c */
/* Row of OVERVIEW with the account of a worker, else with the first account; span "" = any span; TT_NONE: no
 * account. */
uint32_t tt_overview_window_of(const overview *o, const char *worker, const char *span);
/* The next three functions show the account of the worker whose device or finding is selected. */
void tt_overview_window_text(const tt_session *s, const overview *o, char *out, size_t cap);
int tt_overview_account_want(const overview *o, int w);
void tt_overview_draw_account(const overview *o, tt_canvas *c);

/* overview_memory.c */
void tt_overview_memory(tt_session *s, const tt_scope *scope, overview_facts *f); /* on the worker */
int tt_overview_memory_want(const overview *o);
void tt_overview_draw_memory(const overview *o, tt_canvas *c);

/* overview_phases.c */
int tt_overview_phases_want(const overview *o); /* 0: no engine of LLM serving */
void tt_overview_draw_phases(tt_screen *s, const overview *o, tt_canvas *c);

/* overview_wall.c */
void tt_overview_ask_wall(tt_screen *s, bool renewed); /* renewed: the session is another one */
int tt_overview_wall_want(const overview *o);
void tt_overview_draw_wall(const tt_screen *s, overview *o, tt_canvas *c, int y0);

/* overview_lists.c */
void tt_overview_make_steps(overview *o); /* call it when the table of steps is there */
void tt_overview_make_findings(overview *o);
int tt_overview_steps_want(const overview *o);
void tt_overview_draw_steps(tt_screen *s, overview *o, tt_canvas *c, int y0);
int tt_overview_findings_want(const overview *o, int w);
void tt_overview_draw_findings(tt_screen *s, overview *o, tt_canvas *c, int y0);

/* overview_tops.c */
int tt_overview_tops_want(const overview *o, int w);
void tt_overview_draw_tops(tt_screen *s, overview *o, tt_canvas *c, int y0);

#endif

/* model/tables/idle/idle_causes.c - tables idle_causes and gpu_gaps: causes of the time in which no work runs on a
 * device, in all and by gap. idle_gaps.h has the rules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/idle/columns.h"
#include "model/tables/idle/idle_scope.h"

/* ---- idle_causes ---- */

enum { BY_DEVICE, BY_STEP, BY_OPERATOR };

static const char *const cause_groups[] = {"device", "step", "operator", NULL};

static const tt_column cause_columns[] = {
    [TT_IDLE_CAUSES_STEP] = COL_G("step", "Step", STRING, 0, 1 << BY_STEP,
                                  "number of the profiler step; 0 = the whole trace without steps"),
    [TT_IDLE_CAUSES_DEVICE] = COL("device", "Device", STRING, 0, "device"),
    [TT_IDLE_CAUSES_NAME] =
        COL_G("name", "CPU activity", STRING, 0, 1 << BY_OPERATOR,
              "operator or data loader that ran on the launching thread in the middle of the CPU's part of the gap; "
              "unknown: none ran, or the CPU had no part in it"),
    [TT_IDLE_CAUSES_CAUSE] =
        COL("cause", "Cause", STRING, 0,
            "CPU: input (data), sync, runtime (calls), operator, between (Python); then launch (on its way), queue; "
            "unknown: launch not recorded"),
    [TT_IDLE_CAUSES_GAPS] = COL("gaps", "Gaps", COUNT, 1, "gaps with some of this cause"),
    [TT_IDLE_CAUSES_IDLE] =
        COL("idle_ns", "Idle", DURATION, 0, "idle time by this cause; of all causes it adds up to idle_ns of gpu_time"),
    [TT_IDLE_CAUSES_PCT] =
        COL("pct", "%", PERCENT, 0, "share of the device's idle time (by step: of its idle time in the step)"),
    [TT_IDLE_CAUSES_MEAN] = COL("mean_ns", "Mean", DURATION, 2, "idle time by this cause / gaps"),
    [TT_IDLE_CAUSES_LONGEST] = COL("longest_ns", "Longest", DURATION, 1, "longest time by this cause in one gap"),
};

typedef struct group { /* a device, one of its steps, or what ran on the host while the device waited */
    const tt_step *step;
    tt_row op; /* operator with this name; TT_NONE */
    uint32_t device;
} group;

typedef struct cell { /* a cause in a group */
    uint32_t group;
    tt_wait_cause cause;
    tt_stat gaps;
    int64_t whole; /* idle time of the device, or of the device in the step */
    tt_iv longest; /* gap with most of that cause */
} cell;

typedef struct causes {
    const tt_query *q;
    tt_groups keys;
    TT_VEC(group) groups;
    TT_VEC(cell) cells; /* TT_WAIT_COUNT_ cells per group */
} causes;

static uint32_t group_of(causes *c, const tt_step *step, const tt_idle_gap *g)
{
    const tt_trace *s = tt_query_trace(c->q);
    tt_row op = c->q->options.group == BY_OPERATOR ? g->op : TT_NONE;
    tt_group_key key = {.a = g->device, .b = step ? (uint64_t)(step - s->steps) : 0};
    if (op != TT_NONE) key.c = s->name[op] + (uint64_t)1;
    uint32_t at = tt_groups_put(&c->keys, key);
    if (at < c->groups.n) return at;
    *tt_vec_push(&c->groups) = (group){step, op, g->device};
    for (int k = 0; k < TT_WAIT_COUNT_; k++) *tt_vec_push(&c->cells) = (cell){.group = at, .cause = (tt_wait_cause)k};
    return at;
}

static void add_gap(void *arg, const tt_step *step, const tt_idle_gap *g)
{
    causes *c = arg;
    size_t at = group_of(c, step, g); /* group_of() may move the cells */
    cell *of = &c->cells.at[at * TT_WAIT_COUNT_];
    for (int k = 0; k < TT_WAIT_COUNT_; k++) {
        if (g->part[k] <= 0) continue;
        if (!of[k].gaps.n || g->part[k] > of[k].gaps.max) of[k].longest = (tt_iv){g->t0, g->t1};
        tt_stat_add(&of[k].gaps, g->part[k]);
    }
}

/* Set the idle time that the shares of a row refer to. */
static void set_whole(causes *c)
{
    const tt_trace *s = tt_query_trace(c->q);
    tt_groups wholes;
    TT_VEC(int64_t) ns = {0};
    uint32_t *of = tt_malloc((c->groups.n + 1) * sizeof *of);
    tt_groups_init(&wholes);
    for (size_t i = 0; i < c->cells.n; i++) {
        const group *g = &c->groups.at[c->cells.at[i].group];
        uint32_t at =
            tt_groups_put(&wholes, (tt_group_key){.a = g->device, .b = g->step ? (uint64_t)(g->step - s->steps) : 0});
        if (at == ns.n) *tt_vec_push(&ns) = 0;
        of[c->cells.at[i].group] = at;
        ns.at[at] += c->cells.at[i].gaps.total;
    }
    for (size_t i = 0; i < c->cells.n; i++) c->cells.at[i].whole = ns.at[of[c->cells.at[i].group]];
    tt_groups_free(&wholes);
    tt_vec_free(&ns);
    free(of);
}

static int by_place(const void *a, const void *b, void *arg)
{
    const causes *c = arg;
    const cell *x = a, *y = b;
    const group *gx = &c->groups.at[x->group], *gy = &c->groups.at[y->group];
    if (gx->step != gy->step) return gx->step < gy->step ? -1 : 1;
    if (gx->device != gy->device) return gx->device < gy->device ? -1 : 1;
    if (x->gaps.total != y->gaps.total) return x->gaps.total > y->gaps.total ? -1 : 1;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->cause > y->cause) - (x->cause < y->cause);
}

static void put_cause(const causes *c, const cell *x, tt_table *t)
{
    const tt_trace *s = tt_query_trace(c->q);
    const group *g = &c->groups.at[x->group];
    uint32_t row = tt_table_add(t);
    if (g->step) tt_set_ref(t, row, TT_IDLE_CAUSES_STEP, tt_arena_printf(&t->arena, "%" PRId64, g->step->number));
    tt_set_ref(t, row, TT_IDLE_CAUSES_DEVICE, tt_device_work_get(c->q->session, c->q->trace)->devices[g->device].name);
    if (g->op != TT_NONE) tt_set_ref(t, row, TT_IDLE_CAUSES_NAME, tt_row_name(s, g->op));
    tt_set_ref(t, row, TT_IDLE_CAUSES_CAUSE, tt_wait_name[x->cause]);
    tt_set_i(t, row, TT_IDLE_CAUSES_GAPS, x->gaps.n);
    tt_set_i(t, row, TT_IDLE_CAUSES_IDLE, x->gaps.total);
    tt_set_d(t, row, TT_IDLE_CAUSES_PCT, tt_pct((double)x->gaps.total, (double)x->whole));
    tt_set_i(t, row, TT_IDLE_CAUSES_MEAN, tt_stat_mean(&x->gaps));
    tt_set_i(t, row, TT_IDLE_CAUSES_LONGEST, x->gaps.max);
    tt_set_range(c->q, t, row, x->longest.t0, x->longest.t1);
}

/* When more than half of the time is unexplained, say what to record so that it is explained. */
static void set_note(const causes *c, tt_table *t)
{
    int64_t sum = 0, unknown = 0;
    for (size_t i = 0; i < c->cells.n; i++) {
        sum += c->cells.at[i].gaps.total;
        if (c->cells.at[i].cause == TT_WAIT_UNKNOWN) unknown += c->cells.at[i].gaps.total;
    }
    if (unknown > sum / 2)
        tt_note_advice(t, "of most work the call that launched it was not recorded",
                       tt_advice_of(tt_query_trace(c->q)->rules)->record_device);
}

static void compute_causes(const tt_query *q, tt_table *t)
{
    causes c = {.q = q};
    size_t n = 0;
    tt_groups_init(&c.keys);
    tt_idle_visit_scope(q, q->options.group == BY_STEP, add_gap, &c);
    set_whole(&c);
    set_note(&c, t);
    for (size_t i = 0; i < c.cells.n; i++)
        if (c.cells.at[i].gaps.n) c.cells.at[n++] = c.cells.at[i];
    if (n) qsort_r(c.cells.at, n, sizeof *c.cells.at, by_place, &c);
    for (size_t i = 0; i < n; i++) put_cause(&c, &c.cells.at[i], t);
    tt_groups_free(&c.keys);
    tt_vec_free(&c.groups);
    tt_vec_free(&c.cells);
    if (!t->n_rows && !tt_idle_note(q, t)) t->note = "No GPU idle time in this scope";
}

const tt_table_desc tt_table_idle_causes = {
    .id = "idle_causes",
    .title = "Idle causes",
    .meaning = "what each device waited for while nothing ran on it",
    .cols = cause_columns,
    .n_cols = COUNT_OF(cause_columns),
    .groups = cause_groups,
    .flags = TT_TABLE_WINDOW,
    .compute = compute_causes,
};

/* ---- gpu_gaps ---- */

static const tt_column gap_columns[] = {
    [TT_GPU_GAPS_DEVICE] = COL("device", "Device", STRING, 0, "device"),
    [TT_GPU_GAPS_START_AT] = COL("start_at_ns", "Start", TIME, 2, "where the last work before it ends"),
    [TT_GPU_GAPS_DURATION] = COL("duration_ns", "Gap", DURATION, 0,
                                 "time without work on any stream of the device, as far as it is in scope"),
    [TT_GPU_GAPS_CAUSE] = COL("cause", "Cause", STRING, 0, "largest part of it, as in idle_causes"),
    [TT_GPU_GAPS_HOST] =
        COL("host_ns", "CPU", DURATION, 1, "until the call that launched the next work ended: the CPU's part"),
    [TT_GPU_GAPS_LAUNCH] =
        COL("launch_ns", "Launch", DURATION, 3, "the launch was on its way to the device: up to 100 us"),
    [TT_GPU_GAPS_QUEUE] =
        COL("queue_ns", "Queue", DURATION, 2, "the next work was launched and waited for something else"),
    [TT_GPU_GAPS_UNKNOWN] =
        COL("unknown_ns", "No launch event", DURATION, 5, "the call that launched the next work was not recorded"),
    [TT_GPU_GAPS_NEXT] =
        COL("next", "Next work", STRING, 1, "work that ends the gap; of several the one launched first"),
    [TT_GPU_GAPS_OPERATOR] =
        COL("operator", "CPU activity", STRING, 0,
            "innermost operator or data loader on the launching thread in the middle of the CPU's part"),
    [TT_GPU_GAPS_STEP] = COL("step", "Step", STRING, 3, "number of the profiler step that launched the next work"),
};

typedef struct gaps {
    const tt_query *q;
    const tt_device_work *w;
    const char **steps; /* number of each step as text, made when first needed */
    tt_table *t;
} gaps;

/* The step of the work that ends the gap: the step of its launch, where that was recorded. */
static const char *step_of(gaps *x, const tt_idle_gap *g)
{
    const tt_trace *s = tt_query_trace(x->q);
    int64_t at = g->t0;
    if (g->next != TT_NONE) {
        const tt_work *next = &x->w->at[g->next];
        at = next->launch != TT_NONE ? s->start[next->launch] : next->start;
    }
    uint32_t step = tt_step_at(s, at);
    if (step == TT_NONE || s->steps[step].row == TT_NONE) return NULL;
    if (!x->steps[step]) x->steps[step] = tt_arena_printf(&x->t->arena, "%" PRId64, s->steps[step].number);
    return x->steps[step];
}

static void put_gap(void *arg, const tt_step *step, const tt_idle_gap *g)
{
    gaps *x = arg;
    const tt_trace *s = tt_query_trace(x->q);
    tt_table *t = x->t;
    uint32_t row = tt_table_add(t);
    (void)step;
    tt_set_ref(t, row, TT_GPU_GAPS_DEVICE, x->w->devices[g->device].name);
    tt_set_i(t, row, TT_GPU_GAPS_START_AT, tt_at(x->q, g->t0));
    tt_set_i(t, row, TT_GPU_GAPS_DURATION, g->t1 - g->t0);
    tt_set_ref(t, row, TT_GPU_GAPS_CAUSE, tt_wait_name[g->cause]);
    tt_set_i(t, row, TT_GPU_GAPS_HOST, tt_idle_host_ns(g));
    tt_set_i(t, row, TT_GPU_GAPS_LAUNCH, g->part[TT_WAIT_LAUNCH]);
    tt_set_i(t, row, TT_GPU_GAPS_QUEUE, g->part[TT_WAIT_QUEUE]);
    tt_set_i(t, row, TT_GPU_GAPS_UNKNOWN, g->part[TT_WAIT_UNKNOWN]);
    if (g->next != TT_NONE) tt_set_ref(t, row, TT_GPU_GAPS_NEXT, tt_row_name(s, x->w->at[g->next].row));
    if (g->op != TT_NONE) tt_set_ref(t, row, TT_GPU_GAPS_OPERATOR, tt_row_name(s, g->op));
    tt_set_ref(t, row, TT_GPU_GAPS_STEP, step_of(x, g));
    tt_set_range(x->q, t, row, g->t0, g->t1);
}

static void compute_gaps(const tt_query *q, tt_table *t)
{
    gaps x = {.q = q, .w = tt_device_work_get(q->session, q->trace), .t = t};
    x.steps = tt_calloc(tt_query_trace(q)->n_steps + (size_t)1, sizeof *x.steps);
    tt_idle_visit_scope(q, false, put_gap, &x);
    free(x.steps);
    if (!t->n_rows && !tt_idle_note(q, t)) t->note = "No GPU idle time in this scope";
}

const tt_table_desc tt_table_gpu_gaps = {
    .id = "gpu_gaps",
    .title = "Gaps",
    .meaning = "each time without work on a device, the longest first, with what it waited for",
    .cols = gap_columns,
    .n_cols = COUNT_OF(gap_columns),
    .default_sort = "duration_ns",
    .default_desc = true,
    .flags = TT_TABLE_WINDOW,
    .compute = compute_gaps,
};

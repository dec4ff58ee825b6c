/* model/tables/findings/rules_why.c - rules of table findings about what the critical path goes through on the host,
 * and between the work of a device: why a device waits. They are silent where no device worked. */
#include "model/base/median.h"
#include "model/tables/findings/findings.h"
#include "model/tables/idle/idle_gaps.h"
#include "model/tables/launches/queue_length.h"

#include <stdlib.h>
#include <string.h>

static double of_path(const tt_finding_context *c, int64_t ns)
{
    return tt_pct((double)ns, (double)(c->path->t1 - c->path->t0));
}

static void set_numbers(tt_finding_context *c, uint32_t row, double pct, int64_t saving)
{
    tt_set_d(c->t, row, TT_FINDING_VALUE, pct);
    tt_set_i(c->t, row, TT_FINDING_SAVING, saving);
}

/* The evidence is the longest gap that a device spends mostly on one of these causes; where there is none, what the
 * path has of them. */
static void show_gap(tt_finding_context *c, uint32_t row, uint32_t causes)
{
    const tt_idle_gaps *gaps = tt_idle_gaps_get(c->q->session, c->q->trace);
    tt_iv longest = {0};
    for (size_t i = 0; i < gaps->at.n; i++) {
        const tt_idle_gap *g = &gaps->at.at[i];
        int64_t t0 = g->t0 > c->path->t0 ? g->t0 : c->path->t0, t1 = g->t1 < c->path->t1 ? g->t1 : c->path->t1;
        if (causes >> g->cause & 1 && t1 - t0 > longest.t1 - longest.t0) longest = (tt_iv){t0, t1};
    }
    if (longest.t0 == longest.t1) {
        tt_path_segment g = tt_finding_stretch(c, causes);
        longest = (tt_iv){g.t0, g.t1};
    }
    if (longest.t0 < longest.t1) tt_set_range(c->q, c->t, row, longest.t0, longest.t1);
}

/* The evidence is the longest stretch of the path in these categories: its slice where it is one, else its time. */
static void show_stretch(tt_finding_context *c, uint32_t row, uint32_t of)
{
    tt_path_segment g = tt_finding_stretch(c, of);
    if (g.row != TT_NONE)
        tt_set_row(c->q, c->t, row, g.row);
    else if (g.t0 < g.t1)
        tt_set_range(c->q, c->t, row, g.t0, g.t1);
}

/* ---- the host ---- */

void tt_find_host_bound(tt_finding_context *c)
{
    int64_t ns = tt_finding_on_path(c, TT_FINDING_ON_HOST);
    double v = of_path(c, ns);
    if (!c->work->n || !(v > 30)) return;
    uint32_t row = tt_finding_add(
        c, v > 50 ? "high" : "medium",
        tt_arena_printf(&c->t->arena,
                        "CPU-bound: %.1f%% of the critical path is CPU time (operators %.1f%%, between them %.1f%%, "
                        "runtime calls %.1f%%)",
                        v, of_path(c, c->on_path[TT_WAIT_OPERATOR]), of_path(c, c->on_path[TT_WAIT_BETWEEN]),
                        of_path(c, c->on_path[TT_WAIT_RUNTIME])),
        tt_arena_printf(&c->t->arena, "Give the %s more work for each launch: %s", c->s->rules->device,
                        tt_advice_of(c->s->rules)->fewer_launches));
    show_gap(c, row, TT_FINDING_ON_HOST);
    set_numbers(c, row, v, ns);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

typedef TT_VEC(int64_t) values;

/* Works that the path goes through, itself or in its launch: their time on the device, and that of their launches.
 * False without any. */
static bool medians_on_path(const tt_finding_context *c, int64_t *device, int64_t *call)
{
    values rows = {0}, works = {0}, calls = {0};
    for (size_t i = 0; i < c->path->at.n; i++) {
        const tt_path_segment *g = &c->path->at.at[i];
        bool on = g->category >= TT_PATH_COMPUTATION || g->category == TT_WAIT_RUNTIME;
        if (on && g->row != TT_NONE) *tt_vec_push(&rows) = g->row;
    }
    if (rows.n) qsort(rows.at, rows.n, sizeof *rows.at, by_value);
    for (uint32_t i = 0; i < c->work->n && rows.n; i++) {
        const tt_work *w = &c->work->at[i];
        int64_t row = w->row, launch = w->launch;
        if (w->launch == TT_NONE || !w->first) continue;
        if (!bsearch(&row, rows.at, rows.n, sizeof row, by_value) &&
            !bsearch(&launch, rows.at, rows.n, sizeof launch, by_value))
            continue;
        *tt_vec_push(&works) = w->end - w->start;
        *tt_vec_push(&calls) = c->s->dur[w->launch];
    }
    bool any = works.n > 0;
    if (any) *device = tt_median(works.at, works.n), *call = tt_median(calls.at, calls.n);
    tt_vec_free(&rows);
    tt_vec_free(&works);
    tt_vec_free(&calls);
    return any;
}

void tt_find_launch_bound(tt_finding_context *c)
{
    int64_t device, call, ns = c->on_path[TT_WAIT_RUNTIME];
    if (tt_finding_found(c, "host_bound") == TT_NONE) return;
    if (!medians_on_path(c, &device, &call) || device >= call) return;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena,
                        "Launch-bound: on the critical path the median kernel takes %.1f us, its launch %.1f us",
                        (double)device / 1e3, (double)call / 1e3),
        tt_arena_printf(&c->t->arena, "Fewer launches: %s", tt_advice_of(c->s->rules)->fewer_launches));
    tt_finding_claim_of(c, row)->cause = "host_bound";
    show_stretch(c, row, 1u << TT_WAIT_RUNTIME);
    set_numbers(c, row, of_path(c, ns), ns);
}

/* The device that idles for the cause most: its share of the device's time; *ns of it. */
static double idle_share(tt_finding_context *c, const char *cause, int64_t *ns, const char **device)
{
    tt_table *causes = tt_finding_own_table(c, "idle_causes");
    double most = 0;
    for (uint32_t r = 0; r < causes->n_rows; r++) {
        const char *of = tt_finding_text(causes, r, "device");
        if (strcmp(tt_finding_text(causes, r, "cause"), cause) != 0) continue;
        for (uint32_t d = 0; d < c->gpu_time->n_rows; d++) {
            if (strcmp(tt_finding_text(c->gpu_time, d, "device"), of) != 0) continue;
            int64_t idle = tt_finding_int(causes, r, "idle_ns");
            double v = tt_pct((double)idle, (double)tt_finding_int(c->gpu_time, d, "total_ns"));
            if (v > most) most = v, *ns = idle, *device = tt_finding_text(c->gpu_time, d, "device");
        }
    }
    tt_table_free(causes);
    return most;
}

/* Stands under host_bound where the path has less than half of that time in calls that wait: then what the device
 * lacks is what the host does after them. */
void tt_find_sync_stall(tt_finding_context *c)
{
    int64_t ns = 0, on_path = c->on_path[TT_WAIT_SYNC];
    const char *device = NULL;
    char shown[TT_TITLE_CAP];
    double v = c->gpu_time ? idle_share(c, tt_wait_name[TT_WAIT_SYNC], &ns, &device) : 0;
    if (v <= 5) return;
    uint32_t row = tt_finding_add(
        c, v > 20 ? "high" : "medium",
        tt_arena_printf(&c->t->arena, "Synchronisation: %s is idle %.1f%% of the time while the CPU blocks on it",
                        tt_device_shown(device, shown), v),
        tt_arena_printf(&c->t->arena, "Synchronise less often inside a step: %s", tt_advice_of(c->s->rules)->no_sync));
    bool of_host = tt_finding_found(c, "host_bound") != TT_NONE && on_path < ns / 2 &&
                   on_path < tt_finding_on_path(c, TT_FINDING_ON_HOST);
    if (of_host) tt_finding_claim_of(c, row)->cause = "host_bound";
    show_gap(c, row, 1u << TT_WAIT_SYNC);
    set_numbers(c, row, v, on_path);
}

void tt_find_input_stall(tt_finding_context *c)
{
    int64_t ns = c->on_path[TT_WAIT_INPUT];
    double v = of_path(c, ns);
    if (!(v > 5)) return;
    uint32_t row = tt_finding_add(
        c, v > 20 ? "high" : "medium",
        tt_arena_printf(&c->t->arena, "Input-bound: %.1f%% of the critical path waits for the DataLoader", v),
        tt_advice_of(c->s->rules)->load_data);
    show_stretch(c, row, 1u << TT_WAIT_INPUT);
    set_numbers(c, row, v, ns);
}

/* ---- work that was launched in time ---- */

void tt_find_stream_wait(tt_finding_context *c)
{
    int64_t ns = c->on_path[TT_WAIT_QUEUE];
    double v = of_path(c, ns);
    /* without launches nothing says what a device waited for */
    if (!c->work->n || c->s->rules->no_launches || !(v > 10)) return;
    uint32_t row = tt_finding_add(
        c, v > 30 ? "high" : "medium",
        tt_arena_printf(
            &c->t->arena,
            "Stream wait: %.1f%% of the critical path is queued work that waits for another stream or device", v),
        "Check the longest wait: an event of another stream, another device, or a peer copy; "
        "move independent work to its own stream");
    tt_path_segment g = tt_finding_stretch(c, 1u << TT_WAIT_QUEUE);
    tt_set_range(c->q, c->t, row, g.t0, g.t1);
    set_numbers(c, row, v, ns);
}

/* When a queue was full, its longest time, and what the path spends in calls meanwhile. */
static int64_t calls_while_full(const tt_finding_context *c, const tt_curve *length, tt_iv *longest)
{
    int64_t ns = 0;
    for (size_t i = tt_curve_from(length, c->path->t0); i + 1 < length->at.n; i++) {
        int64_t of[TT_PATH_COUNT_] = {0}, t0 = length->at.at[i].ts, t1;
        if (length->at.at[i].value < TT_QUEUE_FULL || t0 >= c->path->t1) continue;
        while (i + 1 < length->at.n && length->at.at[i].value >= TT_QUEUE_FULL) i++; /* one stretch of it */
        t1 = length->at.at[i].ts;
        tt_finding_path_in(c, t0, t1, of);
        ns += of[TT_WAIT_RUNTIME] + of[TT_WAIT_SYNC];
        if (t1 - t0 > longest->t1 - longest->t0) *longest = (tt_iv){t0, t1};
    }
    return ns;
}

/* A full queue keeps the device busy: what it may cost is the time that the path spends in calls meanwhile. */
void tt_find_queue_full(tt_finding_context *c)
{
    if (!c->work->n) return;
    const tt_queue_lengths *queues = tt_queue_lengths_get(c->q->session, c->q->trace);
    double most = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < queues->n; i++) {
        tt_queue_stat st = tt_queue_stat_in(&queues->of[i], c->path->t0, c->path->t1);
        double v = st.full > 0 ? tt_pct((double)st.full, (double)(st.until - st.from)) : 0;
        if (v > most) most = v, at = i;
    }
    if (most <= 1) return;
    tt_iv longest = {0};
    int64_t ns = calls_while_full(c, &queues->of[at], &longest);
    const tt_work_stream *stream = &c->work->streams[at];
    uint32_t row = tt_finding_add(
        c, "info",
        tt_arena_printf(
            &c->t->arena,
            "Launch queue full: stream %s of %s holds %d launches or more %.1f%% of the time, and calls wait "
            "for room",
            stream->name, c->work->devices[stream->device].name, TT_QUEUE_FULL, most),
        tt_arena_printf(&c->t->arena,
                        "The CPU is far ahead of the %s, which costs nothing by itself; where the CPU is needed "
                        "elsewhere: %s",
                        c->s->rules->device, tt_advice_of(c->s->rules)->fewer_launches));
    if (longest.t0 < longest.t1) tt_set_range(c->q, c->t, row, longest.t0, longest.t1);
    set_numbers(c, row, most, ns);
}

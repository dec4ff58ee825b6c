/* model/tables/findings/rules/rules_launches.c - rules of table findings about launches: slower than the work they
 * launch, or far ahead of the device. They claim no time. */
#include "model/base/median.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/launches/queue_length.h"

#include <stdlib.h>
#include <string.h>

typedef TT_VEC(int64_t) values;

static bool has(const uint8_t *rows, tt_row r) { return rows[r / 8] >> r % 8 & 1; }

/* Medians over works on the path, directly or by their launch: time on the device, and time of the launch. False if
 * there are none. */
static bool medians_on_path(const tt_finding_context *c, int64_t *device, int64_t *call)
{
    values works = {0}, calls = {0};
    uint8_t *rows = tt_calloc(c->s->n / 8 + (size_t)1, 1); /* bit set of rows */
    for (size_t i = 0; i < c->path->at.n; i++) {
        const tt_path_segment *g = &c->path->at.at[i];
        bool on = g->category >= TT_PATH_COMPUTATION || g->category == TT_WAIT_RUNTIME;
        if (on && g->row != TT_NONE) rows[g->row / 8] |= (uint8_t)(1u << g->row % 8);
    }
    for (uint32_t i = 0; i < c->work->n; i++) {
        const tt_work *w = &c->work->at[i];
        if (w->launch == TT_NONE || !w->first || !(has(rows, w->row) || has(rows, w->launch))) continue;
        *tt_vec_push(&works) = w->end - w->start;
        *tt_vec_push(&calls) = c->s->dur[w->launch];
    }
    bool any = works.n > 0;
    if (any) *device = tt_median(works.at, works.n), *call = tt_median(calls.at, calls.n);
    free(rows);
    tt_vec_free(&works);
    tt_vec_free(&calls);
    return any;
}

void tt_find_launch_bound(tt_finding_context *c)
{
    int64_t device, call;
    uint32_t host = tt_finding_found(c, "host_bound");
    if (host == TT_NONE || !tt_finding_launches_known(c)) return;
    if (!medians_on_path(c, &device, &call) || device >= call) return;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena,
                        "Launch-bound: on the critical path the median kernel takes %.1f us, its launch %.1f us",
                        (double)device / 1e3, (double)call / 1e3),
        tt_arena_printf(&c->t->arena, "Fewer launches: %s", tt_advice_of(c->s->rules)->fewer_launches));
    uint32_t device_of =
        tt_finding_of(c, host)->claim.device; /* idle time of that device in calls, including the first call */
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT,
             tt_finding_pct(c, device_of, c->idle[(size_t)device_of * TT_WAIT_COUNT_ + TT_WAIT_RUNTIME]));
}

/* The longest time with a full queue, within the path. */
static tt_iv longest_full(const tt_finding_context *c, const tt_curve *length)
{
    tt_iv longest = {0};
    for (size_t i = tt_curve_from(length, c->path->t0); i + 1 < length->at.n; i++) {
        int64_t t0 = length->at.at[i].ts;
        if (length->at.at[i].value < TT_QUEUE_FULL || t0 >= c->path->t1) continue;
        while (i + 1 < length->at.n && length->at.at[i].value >= TT_QUEUE_FULL) i++; /* extend over one stretch */
        if (length->at.at[i].ts - t0 > longest.t1 - longest.t0) longest = (tt_iv){t0, length->at.at[i].ts};
    }
    return longest;
}

/* A full queue keeps the device busy: it costs nothing by itself. */
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
    tt_iv longest = longest_full(c, &queues->of[at]);
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
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, most);
}

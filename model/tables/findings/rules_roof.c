/* model/tables/findings/rules_roof.c - rule of table findings about operators that take much longer than their device
 * needs for what they compute and move. */
#include "model/tables/findings/findings.h"
#include "model/tables/operators/roofline.h"

#include <inttypes.h>
#include <stdlib.h>

#define LEAST_SHARE 5.0 /* percent of the time that devices work */
#define FAR_BELOW 40.0  /* percent of the roof */

typedef struct slow_row {
    const tt_roofline_row *of;
    tt_roofline_rate rate;
    double share;    /* of the device's time, percent */
    int64_t on_path; /* of its work */
    int64_t longest; /* call */
    tt_row call;
} slow_row;
typedef TT_VEC(slow_row) slow_rows;

static slow_row *row_of_call(const tt_finding_context *c, const slow_rows *l, const tt_roofline_call *call)
{
    tt_sid shapes = c->s->op_args[c->s->detail[call->row]].shapes;
    for (size_t i = 0; i < l->n; i++) {
        const tt_roofline_row *r = l->at[i].of;
        if (r->name == c->s->name[call->row] && r->shapes == shapes && r->work.type == call->work.type)
            return &l->at[i];
    }
    return NULL;
}

static void measure(const tt_finding_context *c, const slow_rows *l)
{
    const tt_session *s = c->q->session;
    const tt_roofline_calls *calls = tt_roofline_get(s, c->q->trace);
    for (uint32_t i = 0; i < calls->n; i++) {
        slow_row *r = tt_query_has(c->q, c->s->start[calls->at[i].row]) ? row_of_call(c, l, &calls->at[i]) : NULL;
        if (!r || calls->at[i].work.device_ns <= r->longest) continue;
        r->longest = calls->at[i].work.device_ns;
        r->call = calls->at[i].row;
    }
    for (size_t i = 0; i < c->path->at.n; i++) {
        const tt_path_segment *g = &c->path->at.at[i];
        const tt_activity *d = g->category == TT_PATH_COMPUTATION ? tt_row_dev(c->s, g->row) : NULL;
        const tt_roofline_call *call = d ? tt_roofline_of_activity(s, c->q->trace, (uint32_t)(d - c->s->dev)) : NULL;
        slow_row *r = call ? row_of_call(c, l, call) : NULL;
        if (r) r->on_path += g->t1 - g->t0;
    }
}

static void add_row(tt_finding_context *c, const slow_row *r)
{
    int64_t over = r->of->work.device_ns - r->rate.roof_ns;
    const char *device = c->s->rules->device;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(
            &c->t->arena,
            "Below the roofline: %s reaches %.1f%% of what the %s can %s, and takes %.1f%% of its busy time",
            tt_str(&c->s->strings, r->of->name), r->rate.of_roof_pct, device,
            r->rate.compute_bound ? "compute" : "move", r->share),
        tt_arena_printf(
            &c->t->arena, "%s. %" PRId64 " calls with the shapes %s: see table roofline",
            r->rate.compute_bound
                ? "Use larger inputs, sizes that are multiples of 16, a lower precision, or another implementation"
                : "Fuse it with its neighbours, avoid layout copies, use a lower precision",
            r->of->work.calls, tt_list_text(c->s, r->of->shapes)));
    if (r->call != TT_NONE) tt_set_row(c->q, c->t, row, r->call);
    tt_set_d(c->t, row, TT_FINDING_VALUE, r->share);
    tt_set_i(c->t, row, TT_FINDING_SAVING, over < r->on_path ? over : r->on_path);
}

void tt_find_below_roof(tt_finding_context *c)
{
    int64_t busy = 0;
    if (!c->gpu_time || !tt_roofline_any(c->s)) return;
    for (uint32_t i = 0; i < c->gpu_time->n_rows; i++) busy += tt_finding_int(c->gpu_time, i, "busy_ns");
    tt_roofline_rows rows = tt_roofline_rows_make(c->q);
    slow_rows slow = {0};
    for (size_t i = 0; i < rows.n; i++) {
        slow_row r = {.of = &rows.at[i], .call = TT_NONE};
        r.rate = tt_roofline_rate_of(&r.of->work, &c->q->options);
        r.share = tt_pct((double)r.of->work.device_ns, (double)busy);
        if (r.share > LEAST_SHARE && r.rate.of_roof_pct < FAR_BELOW) *tt_vec_push(&slow) = r; /* NaN: not known */
    }
    if (slow.n) measure(c, &slow);
    for (size_t i = 0; i < slow.n; i++) add_row(c, &slow.at[i]);
    tt_vec_free(&slow);
    tt_vec_free(&rows);
}

/* model/tables/findings/rules_devices.c - rules of table findings about what the device computes, and how much of
 * the time. */
#include "model/tables/analysis/call_tree.h"
#include "model/tables/analysis/time_class.h"
#include "model/tables/findings/findings.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest time in which no kernel runs; t0 = t1 when there is none. */
static tt_iv longest_gap(const tt_finding_context *c)
{
    const tt_time_classes *roles = tt_time_classes_get(c->q->session, c->q->trace);
    tt_ivs busy = tt_ivs_union(&roles->of[TT_TIME_KERNEL], &roles->of[TT_TIME_COMMUNICATION]);
    int64_t from = c->t0, t0 = 0, t1 = 0;
    for (size_t i = 0; i <= busy.n; i++) {
        int64_t to = i < busy.n && busy.at[i].t0 < c->t1 ? busy.at[i].t0 : c->t1;
        if (to - from > t1 - t0) t0 = from, t1 = to;
        if (i < busy.n && busy.at[i].t1 > from) from = busy.at[i].t1;
    }
    tt_vec_free(&busy);
    return (tt_iv){t0, t1};
}

/* What devices idle for most; made for the first one that is asked for. */
typedef struct idling {
    tt_table *causes;  /* NULL: not known */
    uint32_t *largest; /* of each row of gpu_time; TT_NONE */
    uint32_t at;       /* row of gpu_time of the last device that was looked for: they come in the same order */
} idling;

/* Utilization is of the time from the first step to the last: so are the causes. */
static void look_at_causes(const tt_finding_context *c, idling *x)
{
    tt_scope scope = *c->q->scope;
    tt_options none = {0};
    if (x->causes || !c->gpu_time) return;
    tt_scope_to_trace(c->q->session, c->q->trace, &scope);
    if (c->t0 < c->t1) {
        scope.has_steps = false;
        scope.has_range = true;
        scope.t0 = tt_at(c->q, c->t0);
        scope.t1 = tt_at(c->q, c->t1);
    }
    x->causes = tt_table_compute(c->q->session, tt_table_find("idle_causes"), &scope, &none);
    if (x->causes) x->largest = tt_finding_largest_causes(x->causes, c->gpu_time);
}

/* What to do about what the device idles for most. */
static const char *remedy(const tt_finding_context *c, idling *x, const tt_gpu *g)
{
    const tt_advice *advice = tt_advice_of(c->s->rules);
    const tt_table *causes = x->causes;
    char name[TT_TITLE_CAP];
    uint32_t at = TT_NONE, n = causes ? c->gpu_time->n_rows : 0;
    snprintf(name, sizeof name, "%s%" PRId64, c->s->rules->device, g->id);
    for (uint32_t k = 0; k < n && at == TT_NONE; k++, x->at = (x->at + 1) % n)
        if (!strcmp(tt_finding_text(c->gpu_time, x->at, "device"), name)) at = x->at;
    uint32_t cause = at == TT_NONE ? TT_NONE : x->largest[at];
    int wait = cause == TT_NONE ? TT_WAIT_UNKNOWN : tt_finding_wait(tt_finding_text(causes, cause, "cause"));
    if (wait == TT_WAIT_UNKNOWN) return "Raise the batch size, or remove what the device waits for (W on the timeline)";
    const char *what = wait == TT_WAIT_INPUT   ? advice->load_data
                       : wait == TT_WAIT_SYNC  ? advice->no_sync
                       : wait == TT_WAIT_QUEUE ? "see what runs on the other streams meanwhile"
                                               : advice->fewer_launches;
    double v = tt_pct((double)tt_finding_int(causes, cause, "idle_ns"), (double)g->within);
    return tt_arena_printf(&c->t->arena, "Largest idle cause: %s, %.1f%% of the step time. %c%s", tt_wait_text[wait], v,
                           toupper((unsigned char)*what), what + 1);
}

void tt_find_low_gpu_utilization(tt_finding_context *c)
{
    tt_iv gap;
    bool searched = false;
    idling why = {0};
    for (size_t i = 0; i < c->gpus.n; i++) {
        const tt_gpu *g = &c->gpus.at[i];
        if (!g->has_kernels || !(g->utilization < 0.5)) continue;
        double v = 100 * g->utilization;
        look_at_causes(c, &why);
        const char *title = tt_arena_printf(&c->t->arena, "%s %" PRId64 " is busy %.1f%% of the step time",
                                            c->s->rules->device, g->id, v);
        uint32_t row = tt_finding_add(c, v < 20 ? "high" : "medium", title, remedy(c, &why, g));
        if (!searched) gap = longest_gap(c); /* the evidence, of all devices alike */
        searched = true;
        if (gap.t0 < gap.t1) tt_set_range(c->q, c->t, row, gap.t0, gap.t1);
        tt_set_d(c->t, row, TT_FINDING_VALUE, v);
        tt_set_i(c->t, row, TT_FINDING_SAVING, g->within - g->busy);
    }
    tt_table_free(why.causes);
    free(why.largest);
}

/* Kernel time launched by the deepest operators that could use tensor cores, when no kernel does and it is worth the
 * while. */
void tt_find_use_amp(tt_finding_context *c)
{
    const tt_device_props *first = tt_device_props_of(c->s, 0);
    if (!first && c->s->n_devices) first = &c->s->devices[0];
    if (!first || first->major == TT_UNKNOWN || first->major < 7) return;
    const tt_call_tree *tree = tt_call_tree_get(c->q->session, c->q->trace, TT_TREE_OPS);
    int64_t all = 0, eligible = 0, tensor = 0;
    uint32_t most = TT_NONE; /* the operator with the most kernel time among those that could */
    for (uint32_t i = 0; i < tree->n; i++) {
        if ((tree->flags[i] & (TT_CALL_COUNTED | TT_CALL_DUP)) != TT_CALL_COUNTED) continue;
        if (!tt_query_has(c->q, c->s->start[tree->row[i]])) continue;
        uint32_t dev = tt_call_tree_dev(tree, i);
        all += tree->kernel_self[dev];
        tensor += tree->tensor_self[dev];
        if (!(tree->flags[i] & TT_CALL_LEAF_ELIGIBLE)) continue;
        eligible += tree->kernel_self[dev];
        if (most == TT_NONE || tree->kernel_self[dev] > tree->kernel_self[tt_call_tree_dev(tree, most)]) most = i;
    }
    /* faster kernels do not help a device that idles */
    if (tensor || !eligible || eligible < tt_finding_steps(c) / 100) return;
    double v = tt_pct((double)eligible, (double)all);
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena, "Tensor cores unused: %.1f%% of kernel time is in eligible operators", v),
        tt_advice_of(c->s->rules)->mixed_precision);
    if (most != TT_NONE) tt_set_row(c->q, c->t, row, tree->row[most]);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
}

/* Most kernels are shorter than their launch, and the device idles. */
void tt_find_short_kernels(tt_finding_context *c)
{
    enum { SHORT_NS = 5000, LEAST = 100 };
    int64_t all = 0, brief = 0;
    uint32_t first = TT_NONE;
    bool idle = false;
    for (size_t i = 0; i < c->gpus.n; i++) idle |= c->gpus.at[i].has_kernels && c->gpus.at[i].utilization < 0.7;
    for (uint32_t i = 0; i < c->s->n_dev && idle; i++) {
        tt_row r = c->s->dev[i].row;
        if (tt_row_kind(c->s, r) != TT_KIND_KERNEL || !tt_query_has_row(c->q, r)) continue;
        all++;
        if (c->s->dur[r] >= SHORT_NS) continue;
        brief++;
        if (first == TT_NONE) first = i;
    }
    int64_t host = 0; /* neither the device nor the input is what the step waits for */
    for (size_t i = 0; i < c->steps.n; i++) {
        const int64_t *part = c->steps.at[i].part;
        host += part[TT_TIME_RUNTIME] + part[TT_TIME_CPU] + part[TT_PART_OTHER];
    }
    if (all < LEAST || brief * 2 < all || host * 4 < tt_finding_steps(c)) return;
    double v = 100.0 * (double)brief / (double)all;
    uint32_t row = tt_finding_add(c, "medium",
                                  tt_arena_printf(&c->t->arena,
                                                  "Launch-bound: %" PRId64 " of %" PRId64
                                                  " kernels run under 5 us and the %s waits for launches",
                                                  brief, all, c->s->rules->device),
                                  tt_arena_printf(&c->t->arena, "Use %s", tt_advice_of(c->s->rules)->fewer_launches));
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_row(c->q, c->t, row, c->s->dev[first].row);
}

/* model/tables/findings/rules/rules_kind.c - rules of table findings about the kind of file: what its times can and
 * cannot mean. */
#include <stdlib.h>
#include <string.h>

#include "model/keys/graph_capture.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/operators/tables.h"
#include "model/trace/analysis_cache.h"

void tt_find_graph_capture(tt_finding_context *c)
{
    for (uint32_t i = 0; i < c->q->session->n_traces; i++)
        if (!tt_captures_all(c->q->session->traces[i])) return;
    tt_finding_add(c, "info", "Graph capture, not a run: its times are not those of serving",
                   "Open it beside a recording of the run: it tells which operators the graphs there hold");
}

/* ---- runs without device work ---- */

typedef struct host_operator { /* host operator with the most self time */
    const char *name;
    double pct; /* percent of all self time; NaN: no operators */
} host_operator;

static host_operator largest_operator(const tt_table *t)
{
    uint32_t most = TT_NONE;
    int64_t all = 0;
    host_operator out = {NULL, 0};
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t ns = tt_finding_int(t, r, "host_self_ns");
        if (ns == TT_UNKNOWN) continue;
        all += ns;
        if (most == TT_NONE || ns > tt_finding_int(t, most, "host_self_ns") ||
            (ns == tt_finding_int(t, most, "host_self_ns") &&
             strcmp(tt_finding_text(t, r, "name"), tt_finding_text(t, most, "name")) < 0))
            most = r;
    }
    if (most == TT_NONE || all <= 0) return out;
    out.name = tt_finding_text(t, most, "name");
    out.pct = 100.0 * (double)tt_finding_int(t, most, "host_self_ns") / (double)all;
    return out;
}

/* "aten::mm takes 41.3% of the CPU time"; NULL without operators. In the arena. */
static const char *operator_text(tt_finding_context *c, double *pct)
{
    tt_table *t = tt_finding_own_table(c, &tt_table_operators);
    host_operator most = largest_operator(t);
    const char *text =
        most.name ? tt_arena_printf(&c->t->arena, "%s takes %.1f%% of the CPU time", most.name, most.pct) : NULL;
    *pct = most.pct;
    tt_table_free(t);
    return text;
}

static bool calls_devices(const tt_trace *s)
{
    for (uint32_t i = 0; i < s->n_cats; i++)
        if (tt_kind_is_launch(s->cats[i].kind)) return true;
    return false;
}

static void *build_any_work(const tt_session *s, uint32_t trace)
{
    bool *any = tt_calloc(1, sizeof *any);
    (void)trace;
    for (uint32_t i = 0; i < s->n_traces && !*any; i++)
        for (uint32_t k = 0; k < s->traces[i]->n_dev && !*any; k++)
            *any = tt_kind_is_work(tt_row_kind(s->traces[i], s->traces[i]->dev[k].row));
    return any;
}

/* Whether any trace has device work; computed once. */
static bool any_device_work(const tt_session *s)
{
    static const tt_analysis_kind kind = {"device work anywhere", build_any_work, free};
    return *(const bool *)tt_analysis_get(s, 0, &kind);
}

/* Does the host mark collectives? */
static bool marks_collectives(const tt_finding_context *c)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        bool marks = k == TT_KIND_ANNOTATION || k == TT_KIND_CPU_OP || k == TT_KIND_COMMUNICATION;
        if (marks && tt_name_class(names, c->s, r) & TT_NAME_COMM) return true;
    }
    return false;
}

void tt_find_cpu_only(tt_finding_context *c)
{
    double pct;
    if (c->work->n || c->gpus.n || c->s->snapshot || c->s->summary || c->s->n_imported) return;
    if (calls_devices(c->s) || any_device_work(c->q->session) || marks_collectives(c)) return;
    const char *most = operator_text(c, &pct);
    if (!most) return;
    uint32_t row = tt_finding_add(c, "info", tt_arena_printf(&c->t->arena, "CPU-only run: %s", most),
                                  tt_advice_of(c->s->rules)->record_device);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
}

/* Report host ranges of collectives without any device record. */
static bool say_collectives(tt_finding_context *c)
{
    double pct;
    if (calls_devices(c->s) || any_device_work(c->q->session) || c->s->n_imported || !marks_collectives(c))
        return false;
    const char *most = operator_text(c, &pct);
    uint32_t row = tt_finding_add(
        c, "info",
        tt_arena_printf(&c->t->arena, "No %s events recorded: cannot tell whether communication is exposed%s%s",
                        c->s->rules->device, most ? "; " : "", most ? most : ""),
        tt_advice_of(c->s->rules)->record_device);
    if (most) tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
    return true;
}

void tt_find_no_gpu_activity(tt_finding_context *c)
{
    bool gpu_memory = false;
    if (c->gpus.n || c->work->n || c->s->snapshot) return; /* memory snapshots never have device work */
    if (say_collectives(c)) return;
    const char *why = tt_trace_meta(c->s, "recorder") ? tt_trace_meta(c->s, "gpu") : NULL;
    if (why && *why) { /* tracetty's own recorder states what was missing */
        tt_finding_add(c, "medium", tt_arena_printf(&c->t->arena, "No %s activity recorded", c->s->rules->device), why);
        return;
    }
    for (uint32_t i = 0; i < c->s->n_memory && !gpu_memory; i++)
        gpu_memory = c->s->memory[i].device_type > 0 && c->s->memory[i].device_type != TT_DEVICE_PINNED;
    if (!calls_devices(c->s) && !gpu_memory && !c->s->n_devices) return;
    tt_finding_add(
        c, "info",
        tt_arena_printf(&c->t->arena, "No %s activity recorded although a device was available", c->s->rules->device),
        tt_advice_of(c->s->rules)->no_device);
}

void tt_find_clocks_differ(tt_finding_context *c)
{
    if (!c->account.clocks_differ) return;
    tt_finding_add(c, "info", "Clocks of device and host differ: nothing is set against the other",
                   "Times of each are right by themselves; record both with one profiler to compare them");
}

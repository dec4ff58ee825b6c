/* model/tables/findings/rules/rules_devices.c - rules of table findings about the device's computation and
 * utilization. */
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/names/time_class.h"
#include "model/tables/findings/rules/rules.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Index in the device work of the device with this id of table devices; TT_NONE. */
static uint32_t device_of(const tt_finding_context *c, int64_t id)
{
    for (uint32_t i = 0; i < c->work->n_devices; i++)
        if (c->work->devices[i].id == id) return i;
    return TT_NONE;
}

/* Advice against the largest cause of the device's idle time. */
static const char *remedy(tt_finding_context *c, uint32_t device)
{
    const tt_advice *advice = tt_advice_of(c->s->rules);
    const int64_t *idle = c->idle + (size_t)device * TT_WAIT_COUNT_;
    tt_wait_cause wait = TT_WAIT_UNKNOWN;
    for (int k = TT_WAIT_COUNT_; k-- > 0;)
        if (idle[k] >= idle[wait]) wait = (tt_wait_cause)k;
    const char *what = wait == TT_WAIT_INPUT     ? advice->load_data
                       : wait == TT_WAIT_SYNC    ? advice->no_sync
                       : wait == TT_WAIT_QUEUE   ? "see what runs on the other streams meanwhile"
                       : wait == TT_WAIT_UNKNOWN ? advice->record_device
                                                 : advice->fewer_launches;
    const char *of =
        c->work->n_devices > 1 ? tt_arena_printf(&c->t->arena, " of %s", tt_finding_device(c, device)) : "";
    return tt_arena_printf(&c->t->arena, "Largest idle cause%s: %s, %.1f%% %s. %c%s", of, tt_wait_text[wait],
                           tt_finding_pct(c, device, idle[wait]), tt_finding_of_time(c), toupper((unsigned char)*what),
                           what + 1);
}

/* The root with the longest claim of idle time on any device. */
static const char *idle_root(const tt_finding_context *c)
{
    static const char *const roots[] = {"first_call", "input_stall", "sync_stall",
                                        "host_bound", "stream_wait", "unseen_work"};
    const char *root = NULL;
    int64_t most = 0;
    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        uint32_t row = tt_finding_found(c, roots[i]);
        int64_t ns = row == TT_NONE ? 0 : c->of.at[row - c->first].claim.ns;
        if (ns > most) most = ns, root = roots[i];
    }
    return root;
}

/* Share of the time in which the device works. Of engine steps, and where it can do work that is not in the file, the
 * rest of the account counts. */
static double used_share(const tt_finding_context *c, const tt_gpu *g, uint32_t device, int64_t busy)
{
    uint32_t row = tt_finding_found(c, "unseen_work");
    const tt_claim *x = row == TT_NONE ? NULL : &c->of.at[row - c->first].claim;
    bool unseen = x && x->device == device;
    if (!unseen && !tt_steps_of_engine(c->s)) return g->utilization;
    int64_t ns = c->account.ns - (unseen ? x->ns : 0);
    return ns > 0 ? (double)busy / (double)ns : 1;
}

/* TensorBoard's rule: its utilization decides, the title states the account's. */
void tt_find_low_gpu_utilization(tt_finding_context *c)
{
    const char *root = idle_root(c);
    if (!tt_finding_device_known(c) || c->account.clocks_differ) return;
    for (size_t i = 0; i < c->gpus.n; i++) {
        const tt_gpu *g = &c->gpus.at[i];
        uint32_t device = device_of(c, g->id);
        if (!g->has_kernels || device == TT_NONE || !(g->utilization < 0.5)) continue;
        tt_ivs time = tt_account_of_device(&c->account, &c->work->devices[device]);
        int64_t busy = 0;
        for (size_t k = 0; k < time.n; k++)
            busy += tt_ivs_length_in(&c->work->devices[device].busy, time.at[k].t0, time.at[k].t1);
        tt_vec_free(&time);
        double used = used_share(c, g, device, busy);
        if (!(used < 0.5)) continue;
        uint32_t row =
            tt_finding_add(c, used < 0.2 ? "high" : "medium",
                           tt_arena_printf(&c->t->arena, "%s is busy %.1f%% %s", tt_finding_device(c, device),
                                           tt_finding_pct(c, device, busy), tt_finding_of_time(c)),
                           remedy(c, device));
        tt_claim idle = {.device = TT_NONE};
        tt_claim_of_idle of = {device, (1u << TT_WAIT_COUNT_) - 1, TT_EDGES_ALL, NULL, NULL, false, false, &idle};
        tt_claims_of_idle(&c->source, &of, 1);
        tt_finding_claims(c, row, &idle);
        tt_finding_of(c, row)->cause = root;
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, 100 * g->utilization);
    }
}

/* Report kernel time launched by the deepest operators that could use tensor cores, if no kernel uses them and the
 * time matters. */
void tt_find_use_amp(tt_finding_context *c)
{
    const tt_device_props *first = tt_device_props_of(c->s, 0);
    if (!first && c->s->n_devices) first = &c->s->devices[0];
    if (!first || first->major == TT_UNKNOWN || first->major < 7) return;
    const tt_call_tree *tree = tt_call_tree_get(c->q->session, c->q->trace, TT_TREE_OPS);
    int64_t all = 0, eligible = 0, tensor = 0;
    uint32_t most = TT_NONE; /* the eligible operator with the most kernel time */
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
    /* faster kernels do not help an idle device */
    if (tensor || !eligible || eligible < tt_finding_steps(c) / 100) return;
    double v = tt_pct((double)eligible, (double)all);
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena, "Tensor cores unused: %.1f%% of kernel time is in eligible operators", v),
        tt_advice_of(c->s->rules)->mixed_precision);
    if (most != TT_NONE) tt_set_row(c->q, c->t, row, tree->row[most]);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
}

/* Report kernels that are mostly shorter than their launch, on an idle device. */
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
    int64_t host = 0; /* the step waits for neither the device nor the input */
    for (size_t i = 0; i < c->steps.n; i++) {
        const int64_t *part = c->steps.at[i].part;
        host += part[TT_TIME_RUNTIME] + part[TT_TIME_CPU] + part[TT_PART_OTHER];
    }
    if (all < LEAST || brief * 2 < all || host * 4 < tt_finding_steps(c)) return;
    if (!tt_finding_launches_known(c) || !tt_finding_device_known(c)) return;
    double v = 100.0 * (double)brief / (double)all;
    uint32_t row = tt_finding_add(c, "medium",
                                  tt_arena_printf(&c->t->arena,
                                                  "Launch-bound: %" PRId64 " of %" PRId64
                                                  " kernels run under 5 us and the %s waits for launches",
                                                  brief, all, c->s->rules->device),
                                  tt_arena_printf(&c->t->arena, "Use %s", tt_advice_of(c->s->rules)->fewer_launches));
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
    tt_set_row(c->q, c->t, row, c->s->dev[first].row);
}

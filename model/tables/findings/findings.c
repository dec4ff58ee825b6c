/* model/tables/findings/findings.c - what an experienced person would notice first, each with the number that says so.
 *
 * Rules and limits are those of TensorBoard's plugin where it has them; a rule is one function that adds rows.
 * saving_ns is an upper bound: the time that would be gone if the cause were. What is shown as the evidence is the
 * longest case: the longest wait, the longest gap. Further rules, which compare steps, workers and calls, are in
 * findings_more.c. */
#include "model/tables/findings/findings.h"
#include "model/base/group_by.h"
#include "model/tables/analysis/call_tree.h"
#include "model/tables/analysis/name_class.h"
#include "model/tables/analysis/time_class.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const tt_column columns[] = {
    COL("id", "Id", STRING, 2, "name of the rule"),
    COL("severity", "Severity", STRING, 1, "high, medium, or info"),
    COL("title", "Finding", STRING, 0, "what was found"),
    COL("detail", "What to do", STRING, 1, "why, and what helps"),
    COL("value_pct", "Value %", PERCENT, 0,
        "the number the rule looks at: share of the step, utilization, share of kernel time, share of memory"),
    COL("saving_ns", "At most", DURATION, 2, "time in scope that would be gone without the cause, at most"),
    COL("start_at_ns", "Start", TIME, 4, "where it begins"),
    COL("end_at_ns", "End", TIME, 4, "where it ends"),
};

uint32_t tt_finding_add(tt_finding_context *c, const char *id, const char *severity, const char *title,
                        const char *detail)
{
    uint32_t row = tt_table_add(c->t);
    tt_set_ref(c->t, row, TT_FINDING_ID, id);
    tt_set_ref(c->t, row, TT_FINDING_SEVERITY, severity);
    tt_set_ref(c->t, row, TT_FINDING_TITLE, title);
    tt_set_ref(c->t, row, TT_FINDING_DETAIL, detail);
    if (c->t0 < c->t1) {
        tt_set_i(c->t, row, TT_FINDING_START, tt_at(c->q, c->t0));
        tt_set_i(c->t, row, TT_FINDING_END, tt_at(c->q, c->t1));
        tt_set_range(c->q, c->t, row, c->t0, c->t1);
    }
    return row;
}

int64_t tt_finding_steps(const tt_finding_context *c)
{
    int64_t sum = 0;
    for (size_t i = 0; i < c->steps.n; i++) sum += c->steps.at[i].total;
    return sum;
}

double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns)
{
    int64_t total = tt_finding_steps(c);
    *ns = 0;
    for (size_t i = 0; i < c->steps.n; i++) *ns += c->steps.at[i].part[part];
    return total > 0 ? 100.0 * (double)*ns / (double)total : 0;
}

/* The evidence is the longest slice of a role. */
static void show_longest(const tt_finding_context *c, uint32_t row, tt_time_class role)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    tt_row longest = TT_NONE;
    for (tt_row r = 0; r < c->s->n; r++) {
        if (longest != TT_NONE && c->s->dur[r] <= c->s->dur[longest]) continue;
        if (c->s->start[r] < c->t0 || c->s->start[r] >= c->t1 || !tt_query_has_row(c->q, r)) continue;
        if (tt_role_of(c->s, names, r) == role) longest = r;
    }
    if (longest != TT_NONE) tt_set_row(c->q, c->t, row, longest);
}

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

static void input_bound(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_DATALOADER, &ns);
    if (v <= 5) return;
    uint32_t row = tt_finding_add(
        c, "input_bound", v > 20 ? "high" : "medium",
        tt_arena_printf(&c->t->arena, "%.1f %% of the step time is spent waiting for input data", v),
        "load data in several worker processes (DataLoader num_workers), with pinned memory and prefetching");
    show_longest(c, row, TT_TIME_DATALOADER);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_i(c->t, row, TT_FINDING_SAVING, ns);
}

/* Is a host name with this class in scope? */
static bool seen(const tt_finding_context *c, const tt_name_classes *names, unsigned name_class)
{
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        if ((k == TT_KIND_CPU_OP || k == TT_KIND_ANNOTATION) && tt_name_class(names, c->s, r) & name_class &&
            tt_query_has(c->q, c->s->start[r]))
            return true;
    }
    return false;
}

static bool nccl_used(const tt_finding_context *c, const tt_name_classes *names)
{
    for (uint32_t i = 0; i < c->s->n_dev; i++) {
        const tt_activity *d = &c->s->dev[i];
        if (tt_row_kind(c->s, d->row) == TT_KIND_KERNEL && tt_comm_kernel(names, c->s, d)) return true;
    }
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        if (k != TT_KIND_CPU_OP && k != TT_KIND_ANNOTATION) continue;
        if (tt_name_class(names, c->s, r) & TT_NAME_COMM && strncmp(tt_row_name(c->s, r), "nccl:", 5) == 0) return true;
    }
    return false;
}

static void parallel_rules(tt_finding_context *c)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    if (c->gpus.n > 1 && seen(c, names, TT_NAME_DP))
        tt_finding_add(
            c, "use_ddp", "medium", "DataParallel is used with several devices",
            "DistributedDataParallel uses one process per device and overlaps communication with computation");
    bool capable = false;
    for (uint32_t i = 0; i < c->s->n_devices; i++) {
        const tt_device_props *p = &c->s->devices[i];
        capable |= p->major != TT_UNKNOWN && (p->major > 3 || (p->major == 3 && p->minor >= 5));
    }
    if (capable && seen(c, names, TT_NAME_DDP) && !nccl_used(c, names))
        tt_finding_add(c, "use_nccl", "medium", "DistributedDataParallel does not communicate through NCCL",
                       "on GPUs the NCCL back end is the fastest: init_process_group(\"nccl\")");
}

static void communication_bound(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_COMMUNICATION, &ns);
    if (v <= 10) return;
    uint32_t row = tt_finding_add(
        c, "communication_bound", v > 30 ? "high" : "medium",
        tt_arena_printf(&c->t->arena, "%.1f %% of the step time is communication that nothing overlaps", v),
        "compress or accumulate gradients, communicate in larger buckets, overlap with the backward pass, or raise the "
        "batch size per device");
    show_longest(c, row, TT_TIME_COMMUNICATION);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_i(c->t, row, TT_FINDING_SAVING, ns);
}

static void low_utilization(tt_finding_context *c)
{
    tt_iv gap;
    bool searched = false;
    for (size_t i = 0; i < c->gpus.n; i++) {
        const tt_gpu *g = &c->gpus.at[i];
        if (!g->has_kernels || !(g->utilization < 0.5)) continue;
        double v = 100 * g->utilization;
        const char *title =
            tt_arena_printf(&c->t->arena, "GPU%" PRId64 " runs kernels only %.1f %% of the time", g->id, v);
        uint32_t row = tt_finding_add(
            c, "low_gpu_utilization", v < 20 ? "high" : "medium", title,
            "raise the batch size, or remove what the device waits for: input, synchronisation, small launches");
        if (!searched) gap = longest_gap(c); /* the evidence, of all devices alike */
        searched = true;
        if (gap.t0 < gap.t1) tt_set_range(c->q, c->t, row, gap.t0, gap.t1);
        tt_set_d(c->t, row, TT_FINDING_VALUE, v);
        tt_set_i(c->t, row, TT_FINDING_SAVING, g->within - g->busy);
    }
}

/* Kernel time launched by the deepest operators that could use tensor cores, when no kernel does and it is worth the
 * while. */
static void use_amp(tt_finding_context *c)
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
        c, "use_amp", "medium",
        tt_arena_printf(&c->t->arena,
                        "%.1f %% of the kernel time comes from operators that could use tensor cores, and none does",
                        v),
        "use mixed precision (torch.autocast) or allow TF32, so that these operators run on tensor cores");
    if (most != TT_NONE) tt_set_row(c->q, c->t, row, tree->row[most]);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
}

typedef struct memory_peak {
    int64_t bytes, at;
} memory_peak;
typedef TT_VEC(memory_peak) peak_list;

/* The peak of every device that has one, by group of its id. */
static void find_peaks(const tt_finding_context *c, tt_groups *ids, peak_list *peaks)
{
    for (uint32_t k = 0; k < c->s->n_memory; k++) {
        const tt_memory_record *m = &c->s->memory[k];
        if (m->device_type == 0 || m->device_type == TT_DEVICE_PINNED || m->allocated == TT_UNKNOWN) continue;
        uint32_t at = tt_groups_put(ids, (tt_group_key){.a = (uint64_t)m->device_id});
        if (at == peaks->n) *tt_vec_push(peaks) = (memory_peak){0};
        if (m->allocated > peaks->at[at].bytes && tt_query_has(c->q, m->ts))
            peaks->at[at] = (memory_peak){m->allocated, m->ts};
    }
}

static void memory_limit(tt_finding_context *c)
{
    tt_groups ids;
    peak_list peaks = {0};
    if (!c->s->n_devices || !c->s->n_memory) return;
    tt_groups_init(&ids);
    find_peaks(c, &ids, &peaks);
    for (uint32_t i = 0; i < c->s->n_devices; i++) {
        const tt_device_props *p = &c->s->devices[i];
        if (p->memory_bytes == TT_UNKNOWN || p->memory_bytes <= 0) continue;
        uint32_t of = tt_groups_put(&ids, (tt_group_key){.a = (uint64_t)p->id});
        if (of >= peaks.n) continue;
        int64_t peak = peaks.at[of].bytes, at = peaks.at[of].at;
        double v = 100.0 * (double)peak / (double)p->memory_bytes;
        if (v <= 90) continue;
        const char *title =
            tt_arena_printf(&c->t->arena, "memory of GPU%" PRId64 " is at its limit: %.1f %% of %.1f GB", p->id, v,
                            (double)p->memory_bytes / (1 << 30));
        uint32_t row = tt_finding_add(c, "memory_limit", "medium", title,
                                      "recompute activations (checkpointing) or use mixed precision");
        tt_set_d(c->t, row, TT_FINDING_VALUE, v);
        tt_set_range(c->q, c->t, row, at, at + 1);
    }
    tt_groups_free(&ids);
    tt_vec_free(&peaks);
}

static void no_gpu_activity(tt_finding_context *c)
{
    bool launches = false, gpu_memory = false;
    if (c->gpus.n) return;
    for (uint32_t i = 0; i < c->s->n_dev; i++)
        if (tt_kind_is_work(tt_row_kind(c->s, c->s->dev[i].row))) return;
    const char *why = tt_trace_meta(c->s, "recorder") ? tt_trace_meta(c->s, "gpu") : NULL;
    if (why && *why) { /* tracetty's own recorder says what it lacked */
        tt_finding_add(c, "no_gpu_activity", "medium", "no work on a device was recorded", why);
        return;
    }
    for (uint32_t i = 0; i < c->s->n_cats; i++) launches |= tt_kind_is_launch(c->s->cats[i].kind);
    for (uint32_t i = 0; i < c->s->n_memory && !gpu_memory; i++)
        gpu_memory = c->s->memory[i].device_type > 0 && c->s->memory[i].device_type != TT_DEVICE_PINNED;
    if (!launches && !gpu_memory && !c->s->n_devices) return;
    tt_finding_add(c, "no_gpu_activity", "info", "no work on a device was recorded, though the process could use one",
                   "profile with ProfilerActivity.CUDA; on some systems CUPTI needs more rights (see tracetty doctor)");
}

/* What the recorder could not keep makes all other numbers too small. */
static void events_lost(tt_finding_context *c)
{
    uint64_t lost = c->s->problems.of[TT_PROBLEM_RECORDER_DROPS].count;
    if (!lost) return;
    double share = tt_pct((double)lost, (double)lost + (double)c->s->n);
    const char *title =
        tt_arena_printf(&c->t->arena, "%" PRIu64 " events (%.2g %%) were lost while recording: %s", lost, share,
                        share < 1 ? "some numbers are a little too small" : "numbers here are too small");
    uint32_t row =
        tt_finding_add(c, "events_lost", share < 1 ? "info" : "high", title,
                       "record fewer steps (--steps), or with more room (--buffers, --buffer-size, --max-spool); "
                       "table problems says what was lost");
    tt_set_d(c->t, row, TT_FINDING_VALUE, share);
}

static void compute(const tt_query *q, tt_table *t)
{
    tt_finding_context c = {.q = q, .s = tt_query_store(q), .t = t};
    c.steps = tt_breakdown_make(q);
    c.gpus = tt_gpus_make(q);
    if (c.steps.n) {
        c.t0 = c.steps.at[0].step->start;
        c.t1 = c.steps.at[c.steps.n - 1].step->end;
    }
    events_lost(&c);
    input_bound(&c);
    parallel_rules(&c);
    communication_bound(&c);
    low_utilization(&c);
    use_amp(&c);
    memory_limit(&c);
    tt_findings_more(&c);
    no_gpu_activity(&c);
    if (!t->n_rows) t->note = "nothing stands out";
    tt_vec_free(&c.steps);
    tt_vec_free(&c.gpus);
}

const tt_table_desc tt_table_findings = {
    .id = "findings",
    .title = "Findings",
    .meaning = "what stands out, and what to do about it",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_DEFAULT,
    .compute = compute,
};

/* model/tables/operators/key_averages.c - the table that PyTorch prints: operators, annotations and runtime calls of
 * the host, and kernels and copies of the device, with their memory and floating point operations.
 *
 * Memory of a call is the sum of all records between its start and end, on any thread, as PyTorch counts it.
 * Stretches of calls are grouped in parallel, then their groups are joined in order, so the result equals that of
 * one pass. */
#include "model/base/bisect.h"
#include "model/base/interval_set.h"
#include "model/base/run/parallel.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/calls/python_stack.h"
#include "model/tables/analysis/names/flops.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/cells.h"
#include "model/tables/operators/columns.h"
#include "model/tables/table_util.h"

#include <stdlib.h>
#include <string.h>

enum { BY_NAME, BY_SHAPE, BY_STACK, BY_BOTH };
enum { SHAPED = 1 << BY_SHAPE | 1 << BY_BOTH, STACKED = 1 << BY_STACK | 1 << BY_BOTH }; /* bits of the groupings */

static const tt_column columns[] = {
    [TT_KEY_AVERAGES_SIDE] = COL("side", "Side", STRING, 2, "host: called there; device: ran there"),
    [TT_KEY_AVERAGES_NAME] = COL("name", "Name", STRING, 0,
                                 "operator, annotation, runtime call, kernel or copy; all profiler steps are one row"),
    [TT_KEY_AVERAGES_INPUT_SHAPES] = COL_G("input_shapes", "Input Shapes", STRING, 0, SHAPED,
                                           "shapes of the inputs as recorded; [] when they were not"),
    [TT_KEY_AVERAGES_STACK] =
        COL_G("stack", "Source Location", STRING, 0, STACKED, "first frames of the Python call stack"),
    [TT_KEY_AVERAGES_CALLS] =
        COL("calls", "Calls", COUNT, 1, "calls; one that only calls its own name again counts once"),
    [TT_KEY_AVERAGES_CPU_SELF] =
        COL("cpu_self_ns", "Self CPU", DURATION, 0,
            "CPU time without the operators, ranges, runtime and driver calls directly inside"),
    [TT_KEY_AVERAGES_CPU_TOTAL] =
        COL("cpu_total_ns", "CPU Total", DURATION, 1, "CPU time from start to end, summed over calls"),
    [TT_KEY_AVERAGES_CPU_MEAN] = COL("cpu_mean_ns", "CPU Avg", DURATION, 4, "CPU total / calls"),
    [TT_KEY_AVERAGES_CPU_SELF_PCT] =
        COL("cpu_self_pct", "Self CPU %", PERCENT, 2, "share of the self CPU time of all rows"),
    [TT_KEY_AVERAGES_CPU_TOTAL_PCT] =
        COL("cpu_total_pct", "CPU %", PERCENT, 5, "CPU total / self CPU time of all rows; can exceed 100"),
    [TT_KEY_AVERAGES_CUDA_SELF] = COL("cuda_self_ns", "Self CUDA", DURATION, 0,
                                      "GPU work launched by the row itself; of device rows their duration"),
    [TT_KEY_AVERAGES_CUDA_TOTAL] =
        COL("cuda_total_ns", "CUDA Total", DURATION, 1, "the same with everything called inside"),
    [TT_KEY_AVERAGES_CUDA_MEAN] = COL("cuda_mean_ns", "CUDA Avg", DURATION, 4, "CUDA total / calls"),
    [TT_KEY_AVERAGES_CUDA_SELF_PCT] =
        COL("cuda_self_pct", "Self CUDA %", PERCENT, 2,
            "self CUDA / time of all device rows; host and device rows together give 200"),
    [TT_KEY_AVERAGES_CPU_MEMORY_BYTES] =
        COL("cpu_memory_bytes", "CPU Mem", BYTES, 3, "CPU memory allocated minus freed while it ran"),
    [TT_KEY_AVERAGES_CPU_MEMORY_SELF_BYTES] =
        COL("cpu_memory_self_bytes", "Self CPU Mem", BYTES, 3, "the same without called operators"),
    [TT_KEY_AVERAGES_CUDA_MEMORY_BYTES] =
        COL("cuda_memory_bytes", "CUDA Mem", BYTES, 3, "GPU memory allocated minus freed while it ran"),
    [TT_KEY_AVERAGES_CUDA_MEMORY_SELF_BYTES] =
        COL("cuda_memory_self_bytes", "Self CUDA Mem", BYTES, 3, "the same without called operators"),
    [TT_KEY_AVERAGES_FLOPS] =
        COL("flops", "FLOPs", COUNT, 5,
            "matrix products, convolutions, multiplications and additions, from the input shapes; needs record_shapes"),
};

enum { HOST, DEVICE, RECORDS }; /* RECORDS: row of memory records outside of every call */
#define STEP_NAME UINT32_MAX

typedef struct group {
    int64_t calls, cpu_self, cpu_total, cuda_self, cuda_total, flops;
    int64_t memory[2], memory_self[2]; /* CPU, device */
    bool flops_known;
} group;

typedef struct stretch { /* stretch of nodes: [first, end) */
    uint32_t first, end;
    tt_groups groups; /* groups with the global keys, but uncut stacks */
    TT_VEC(group) list;
    tt_step_sums sums;
    uint32_t *group;                         /* global group by group of the stretch */
    int64_t (*memory)[2], (*memory_self)[2]; /* memory sums by global group */
} stretch;

typedef struct context {
    const tt_query *q;
    const tt_trace *s;
    const tt_call_tree *tree;
    tt_groups groups;
    TT_VEC(group) list;
    TT_VEC(stretch) stretches;
    stretch device;     /* stretch of all device activities */
    group lonely;       /* memory records outside of every call */
    tt_sid empty_list;  /* "[]" */
    int64_t (*sum)[2];  /* prefix sums of memory records (i exclusive): CPU, device; NULL without records */
    uint32_t *group_of; /* by node that is a call: its group, TT_NONE outside of the scope; only with memory records */
    tt_python_frames frames;
    uint32_t *stack;     /* by node: id of its call stack (python_stack.h); NULL unless rows are grouped by it */
    tt_strings stacks;   /* stacks cut to the depth asked for */
    uint32_t *cut;       /* by stack id: id in stacks + 1, 0 = not cut yet */
    tt_arena stack_text; /* temporary texts of stacks */
} context;

enum { STRETCH_LEAST = 1 << 16 };

static bool by_shape(const context *c) { return SHAPED >> c->q->options.group & 1; }
static bool by_stack(const context *c) { return STACKED >> c->q->options.group & 1; }

/* The first frames of a stack, up to the wanted depth, as an id of c->stacks. */
static uint32_t cut_stack(context *c, uint32_t id)
{
    if (!c->cut[id]) {
        const char *text = tt_call_stack_text(&c->frames, id, c->q->options.stack_depth, &c->stack_text);
        c->cut[id] = tt_strings_put(&c->stacks, text, strlen(text)) + 1;
    }
    return c->cut[id] - 1;
}

/* Find all stacks in one walk. */
static void find_stacks(context *c)
{
    tt_python_frames_init(&c->frames, c->s);
    tt_strings_init(&c->stacks);
    if (!by_stack(c)) return;
    c->stack = tt_calloc(c->tree->n + 1u, sizeof *c->stack);
    for (uint32_t i = 0; i < c->tree->n; i++) c->stack[i] = tt_call_stack_id(&c->frames, c->tree->row[i]);
    c->cut = tt_calloc(tt_call_stack_ids(&c->frames), sizeof *c->cut);
}

static void free_stacks(context *c)
{
    tt_python_frames_free(&c->frames);
    tt_strings_free(&c->stacks);
    tt_arena_free(&c->stack_text);
    free(c->stack);
    free(c->cut);
}

/* Key of a table row: side, shapes and stack share two words. */
static tt_group_key key_of(uint64_t side, uint64_t name, tt_sid shapes, uint32_t stack)
{
    return (tt_group_key){name, (uint64_t)stack << 32 | shapes, side};
}

static tt_sid shapes_of(const tt_group_key *k) { return (tt_sid)k->b; }
static uint32_t stack_of(const tt_group_key *k) { return (uint32_t)(k->b >> 32); }

static uint32_t group_at(context *c, tt_group_key key)
{
    uint32_t at = tt_groups_put(&c->groups, key);
    if (at == c->list.n) *tt_vec_push(&c->list) = (group){0};
    return at;
}

static tt_group_key host_key(const context *c, uint32_t node)
{
    const tt_trace *s = c->s;
    tt_row r = c->tree->row[node];
    tt_kind k = tt_row_kind(s, r);
    const tt_op_args *a = tt_kind_is_launch(k) || tt_kind_is_python(k) ? &s->op_args[0] : &s->op_args[s->detail[r]];
    tt_sid shapes = !by_shape(c) || a->shapes == c->empty_list ? 0 : a->shapes;
    return key_of(HOST, k == TT_KIND_STEP ? STEP_NAME : s->name[r], shapes, c->stack ? c->stack[node] : 0);
}

static bool on_device(const tt_memory_record *m) { return m->device_type > 0 && m->device_type != TT_DEVICE_PINNED; }

static void sum_memory(context *c)
{
    const tt_trace *s = c->s;
    if (!s->n_memory) return;
    int64_t sum[2] = {0};
    c->sum = tt_malloc((s->n_memory + (size_t)1) * sizeof *c->sum);
    for (uint32_t i = 0; i <= s->n_memory; i++) {
        const tt_memory_record *m = i < s->n_memory ? &s->memory[i] : NULL;
        memcpy(c->sum[i], sum, sizeof sum);
        if (m && !m->pool) sum[on_device(m)] += m->bytes;
    }
}

/* First record at or after t, by a widening search from `from`: calls are short and ascending. */
static uint32_t first_record(const tt_trace *s, uint32_t from, int64_t t)
{
    uint32_t lo = from, step = 1;
    while (lo + step < s->n_memory && s->memory[lo + step].ts < t) {
        lo += step;
        step *= 2;
    }
    uint32_t hi = lo + step < s->n_memory ? lo + step : s->n_memory;
    TT_BISECT(lo, hi, i, s->memory[i].ts < t);
    return lo;
}

/* Add the memory of node i to its group, and subtract it from its parent's self memory. */
static void add_memory(const context *c, stretch *x, uint32_t i, uint32_t *hint)
{
    const tt_trace *s = c->s;
    tt_row r = c->tree->row[i];
    uint32_t up = c->tree->up[i], at = c->group_of[i];
    uint32_t around = up == TT_NONE ? TT_NONE : c->group_of[tt_call_tree_owner(c->tree, up)];
    if (*hint && s->memory[*hint - 1].ts >= s->start[r]) *hint = 0; /* a new track begins */
    uint32_t a = *hint = first_record(s, *hint, s->start[r]);
    uint32_t b = first_record(s, a, tt_row_end(s, r) + 1);
    for (int side = 0; side < 2 && a != b; side++) {
        int64_t bytes = c->sum[b][side] - c->sum[a][side];
        if (at != TT_NONE) {
            x->memory[at][side] += bytes;
            x->memory_self[at][side] += bytes;
        }
        if (around != TT_NONE) x->memory_self[around][side] -= bytes;
    }
}

static void add_device(context *c)
{
    const tt_trace *s = c->s;
    stretch *x = &c->device;
    tt_row_range rows = tt_query_rows(c->q);
    uint32_t *like = tt_calloc(s->strings.text.n + 1, sizeof *like); /* by name */
    tt_groups_init(&x->groups);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (!tt_kind_is_work(tt_row_kind(s, d->row)) || !tt_query_has_dev(c->q, s, d, rows)) continue;
        tt_sid name = s->name[d->row];
        uint32_t at = tt_groups_put_like(&x->groups, key_of(DEVICE, name, 0, 0), &like[name]);
        if (at == x->list.n) *tt_vec_push(&x->list) = (group){.flops_known = true};
        group *g = &x->list.at[at];
        g->calls++;
        g->cuda_self += s->dur[d->row];
        g->cuda_total += s->dur[d->row];
        if (c->q->sums) tt_step_sums_dev(&x->sums, s, at, d);
    }
    free(like);
}

static void add_calls(context *c, size_t task)
{
    const tt_trace *s = c->s;
    const tt_call_tree *tree = c->tree;
    stretch x = c->stretches.at[task]; /* work on a copy: neighbours in memory belong to other threads */
    tt_row_range rows = tt_query_rows(c->q);
    tt_flops *flops = tt_flops_new(s, TT_FLOPS_TORCH);
    uint32_t *like = tt_calloc(s->strings.text.n + 1, sizeof *like); /* by name */
    tt_groups_init(&x.groups);
    for (uint32_t i = x.first; i < x.end; i++) {
        tt_row r = tree->row[i];
        if (tree->flags[i] & TT_CALL_DUP) continue;
        bool mine = tt_query_has(c->q, s->start[r]) && tt_row_range_has(rows, r);
        uint32_t at = mine ? tt_groups_put_like(&x.groups, host_key(c, i), &like[s->name[r]]) : TT_NONE;
        if (c->group_of) c->group_of[i] = at;
        if (!mine) continue;
        if (at == x.list.n) *tt_vec_push(&x.list) = (group){0};
        group *g = &x.list.at[at];
        int64_t f = tt_flops_of(flops, r);
        uint32_t dev = tt_call_tree_dev(tree, i);
        g->calls++;
        g->cpu_self += tree->host_self[i];
        g->cpu_total += s->dur[r];
        if (c->q->sums) tt_step_sums_at(&x.sums, s, at, s->start[r], s->dur[r]);
        g->cuda_self += tree->dev_self[dev];
        g->cuda_total += tree->dev_total[dev];
        if (f == TT_UNKNOWN) continue;
        g->flops = tt_flops_plus(g->flops, f);
        g->flops_known = true;
    }
    free(like);
    tt_flops_free(flops);
    c->stretches.at[task] = x;
}

/* Add memory records outside of every host row. */
static void add_lonely_records(context *c)
{
    const tt_trace *s = c->s;
    tt_ivs busy = {0};
    group lonely = {.flops_known = true};
    for (uint32_t i = 0; s->n_memory && i < c->tree->n; i++)
        if (c->tree->up[i] == TT_NONE) tt_ivs_add(&busy, s->start[c->tree->row[i]], tt_row_end(s, c->tree->row[i]) + 1);
    tt_ivs_normalise(&busy);
    size_t at = 0;
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        while (at < busy.n && busy.at[at].t1 <= m->ts) at++;
        if ((at < busy.n && busy.at[at].t0 <= m->ts) || m->pool || (!m->bytes && !m->addr) ||
            !tt_query_has(c->q, m->ts))
            continue;
        int side = on_device(m);
        lonely.calls++;
        lonely.memory[side] += m->bytes;
        lonely.memory_self[side] += m->bytes;
    }
    tt_vec_free(&busy);
    c->lonely = lonely;
}

/* Add a part; parts are sorted largest first. */
static void add_part(void *arg, size_t part)
{
    context *c = arg;
    if (!part) {
        add_device(c);
    } else if (part > 1) {
        add_calls(c, part - 2);
    } else if (c->q->scope->thread == TT_ALL) {
        add_lonely_records(c);
    }
}

/* Merge the groups of a stretch into the global groups. */
static void join_groups(context *c, stretch *x)
{
    x->group = tt_malloc((x->list.n + 1) * sizeof *x->group);
    for (size_t i = 0; i < x->list.n; i++) {
        const tt_group_key *k = &x->groups.key.at[i];
        uint32_t stack = c->stack && k->c == HOST ? cut_stack(c, stack_of(k)) : 0;
        const group *from = &x->list.at[i];
        x->group[i] = group_at(c, key_of(k->c, k->a, shapes_of(k), stack));
        group *to = &c->list.at[x->group[i]];
        to->calls += from->calls;
        to->cpu_self += from->cpu_self;
        to->cpu_total += from->cpu_total;
        to->cuda_self += from->cuda_self;
        to->cuda_total += from->cuda_total;
        to->flops = tt_flops_plus(to->flops, from->flops);
        to->flops_known |= from->flops_known;
    }
    if (c->q->sums) tt_step_sums_join(c->q->sums, &x->sums, x->group);
    tt_step_sums_free(&x->sums);
}

static void rename_groups(void *arg, size_t task)
{
    const context *c = arg;
    const stretch *x = &c->stretches.at[task];
    for (uint32_t i = x->first; i < x->end; i++)
        if (!(c->tree->flags[i] & TT_CALL_DUP) && c->group_of[i] != TT_NONE) c->group_of[i] = x->group[c->group_of[i]];
}

static void add_memories(void *arg, size_t task)
{
    const context *c = arg;
    stretch *x = &c->stretches.at[task];
    uint32_t hint = 0;
    x->memory = tt_calloc(c->list.n + 1, sizeof *x->memory);
    x->memory_self = tt_calloc(c->list.n + 1, sizeof *x->memory_self);
    for (uint32_t i = x->first; i < x->end; i++)
        if (!(c->tree->flags[i] & TT_CALL_DUP)) add_memory(c, x, i, &hint);
}

static void add_host_memory(context *c)
{
    tt_parallel(tt_threads(), c->stretches.n, rename_groups, c);
    tt_parallel(tt_threads(), c->stretches.n, add_memories, c);
    for (size_t k = 0; k < c->stretches.n; k++) {
        for (size_t i = 0; i < c->list.n * 2; i++) {
            c->list.at[i / 2].memory[i % 2] += c->stretches.at[k].memory[i / 2][i % 2];
            c->list.at[i / 2].memory_self[i % 2] += c->stretches.at[k].memory_self[i / 2][i % 2];
        }
    }
}

static void free_stretch(stretch *x)
{
    tt_groups_free(&x->groups);
    tt_vec_free(&x->list);
    free(x->group);
    free(x->memory);
    free(x->memory_self);
}

static void add_host_and_device(context *c)
{
    uint32_t n = c->tree->n, parts = tt_threads() * 4, each = n / parts + 1;
    if (each < STRETCH_LEAST) each = STRETCH_LEAST;
    for (uint64_t at = 0; at < n; at += each)
        *tt_vec_push(&c->stretches) =
            (stretch){.first = (uint32_t)at, .end = (uint32_t)(n - at < each ? n : at + each)};
    if (c->s->n_memory) c->group_of = tt_malloc((n + 1u) * sizeof *c->group_of);
    tt_parallel(tt_threads(), c->stretches.n + 2, add_part, c);
    for (size_t i = 0; i < c->stretches.n; i++) join_groups(c, &c->stretches.at[i]);
    if (c->s->n_memory) add_host_memory(c);
    join_groups(c, &c->device);
    for (size_t i = 0; i < c->stretches.n; i++) free_stretch(&c->stretches.at[i]);
    free_stretch(&c->device);
    tt_vec_free(&c->stretches);
}

static void put_labels(context *c, const tt_group_key *k, uint32_t row, tt_table *t)
{
    const tt_trace *s = c->s;
    const uint32_t host = 1u << TT_KIND_CPU_OP | 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_ENGINE_STEP |
                          1u << TT_KIND_RUNTIME | 1u << TT_KIND_DRIVER | 1u << TT_KIND_OVERHEAD;
    const uint32_t device =
        1u << TT_KIND_KERNEL | 1u << TT_KIND_MEMCPY | 1u << TT_KIND_MEMSET | 1u << TT_KIND_COLLECTIVE;
    bool step = k->a == STEP_NAME;
    const char *name = k->c == RECORDS ? "[memory]" : step ? s->rules->step_name : tt_str(&s->strings, (tt_sid)k->a);
    tt_set_ref(t, row, TT_KEY_AVERAGES_SIDE, k->c == DEVICE ? "device" : "host");
    tt_set_ref(t, row, TT_KEY_AVERAGES_NAME, name);
    tt_set_ref(t, row, TT_KEY_AVERAGES_INPUT_SHAPES, by_shape(c) ? tt_list_text(s, shapes_of(k)) : NULL);
    if (by_stack(c)) tt_set_s(t, row, TT_KEY_AVERAGES_STACK, tt_str(&c->stacks, stack_of(k)));
    if (k->c == RECORDS) return;
    uint32_t kinds = k->c == DEVICE ? device : step ? 1u << TT_KIND_STEP : host;
    tt_drilldown *o = tt_set_slices(c->q, t, row, kinds, step ? NULL : name);
    if (by_stack(c) && k->c == HOST && !c->q->options.stack_depth)
        o->stack = tt_table_cell(t, row, (uint32_t)tt_column_shown(t, TT_KEY_AVERAGES_STACK)).s;
    if (by_shape(c) && k->c == HOST && shapes_of(k)) o->shapes = tt_str(&s->strings, shapes_of(k));
}

static void put_row(context *c, size_t i, int64_t cpu_all, int64_t cuda_all, tt_table *t)
{
    const group *g = &c->list.at[i];
    tt_stat cpu = {.n = g->calls, .total = g->cpu_total}, cuda = {.n = g->calls, .total = g->cuda_total};
    uint32_t row = tt_table_add(t);
    put_labels(c, &c->groups.key.at[i], row, t);
    tt_set_i(t, row, TT_KEY_AVERAGES_CALLS, g->calls);
    tt_set_i(t, row, TT_KEY_AVERAGES_CPU_SELF, g->cpu_self);
    tt_set_i(t, row, TT_KEY_AVERAGES_CPU_TOTAL, g->cpu_total);
    tt_set_i(t, row, TT_KEY_AVERAGES_CPU_MEAN, tt_stat_mean(&cpu));
    tt_set_d(t, row, TT_KEY_AVERAGES_CPU_SELF_PCT, tt_pct((double)g->cpu_self, (double)cpu_all));
    tt_set_d(t, row, TT_KEY_AVERAGES_CPU_TOTAL_PCT, tt_pct((double)g->cpu_total, (double)cpu_all));
    if (c->tree->has_device) {
        tt_set_i(t, row, TT_KEY_AVERAGES_CUDA_SELF, g->cuda_self);
        tt_set_i(t, row, TT_KEY_AVERAGES_CUDA_TOTAL, g->cuda_total);
        tt_set_i(t, row, TT_KEY_AVERAGES_CUDA_MEAN, tt_stat_mean(&cuda));
        tt_set_d(t, row, TT_KEY_AVERAGES_CUDA_SELF_PCT, tt_pct_of_all((double)g->cuda_self, (double)cuda_all));
    }
    if (c->s->n_memory) {
        tt_set_i(t, row, TT_KEY_AVERAGES_CPU_MEMORY_BYTES, g->memory[0]);
        tt_set_i(t, row, TT_KEY_AVERAGES_CPU_MEMORY_SELF_BYTES, g->memory_self[0]);
        tt_set_i(t, row, TT_KEY_AVERAGES_CUDA_MEMORY_BYTES, g->memory[1]);
        tt_set_i(t, row, TT_KEY_AVERAGES_CUDA_MEMORY_SELF_BYTES, g->memory_self[1]);
    }
    if (g->flops_known) tt_set_i(t, row, TT_KEY_AVERAGES_FLOPS, g->flops);
}

static void prepare(void *arg, size_t part)
{
    context *c = arg;
    if (part)
        sum_memory(c);
    else
        c->tree = tt_call_tree_get(c->q->session, c->q->trace, TT_TREE_CALLS);
}

static void compute(const tt_query *q, tt_table *t)
{
    context c = {.q = q, .s = tt_query_trace(q)};
    int64_t cpu_all = 0, cuda_all = 0;
    c.empty_list = tt_strings_find(&c.s->strings, "[]", 2);
    tt_groups_init(&c.groups);
    tt_parallel(tt_threads(), 2, prepare, &c);
    find_stacks(&c);
    add_host_and_device(&c);
    if (c.lonely.calls) {
        uint32_t at = group_at(&c, key_of(RECORDS, 0, 0, 0)); /* can move the list */
        c.list.at[at] = c.lonely;
    }
    for (size_t i = 0; i < c.list.n; i++) {
        cpu_all += c.list.at[i].cpu_self;
        if (c.groups.key.at[i].c == DEVICE) cuda_all += c.list.at[i].cuda_self;
    }
    for (size_t i = 0; i < c.list.n; i++) put_row(&c, i, cpu_all, cuda_all, t);
    if (!t->n_rows) tt_note_advice(t, "No operators", tt_advice_of(tt_query_trace(q)->rules)->record_host);
    tt_groups_free(&c.groups);
    free_stacks(&c);
    tt_vec_free(&c.list);
    free(c.group_of);
    free(c.sum);
}

static const char *const group_keys[] = {"name", "shape", "stack", "shape,stack", NULL};

const tt_table_desc tt_table_key_averages = {
    .id = "key_averages",
    .title = "Key Averages",
    .meaning = "the table that PyTorch's key_averages() prints: host rows and device rows with memory and FLOPs",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = group_keys,
    .default_sort = "cpu_self_ns",
    .default_desc = true,
    .flags = TT_TABLE_THREADS | TT_TABLE_STEP_SUMS,
    .compute = compute,
};

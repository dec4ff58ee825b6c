/* model/tables/memory/snapshot_stacks.c - tables memory_peak and memory_stacks: memory by the stack of its
 * allocation.
 *
 * The moment of memory_peak is options.arg[0] on the common axis, 0 = the peak of each device in scope;
 * options.arg[1] selects one device, TT_ALIVE_DEVICE(), 0 = all. Its rows add up to the allocated bytes exactly:
 * bytes that a contradictory file does not explain count as without stack. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/memory/columns.h"
#include "model/tables/memory/lifetimes.h"
#include "model/tables/memory/memory.h"
#include "model/tables/memory/snapshot_note.h"

typedef struct stack_sum {
    uint32_t device, stack;
    int64_t count, bytes, alive, alive_bytes;
} stack_sum;

typedef struct stack_sums {
    tt_groups groups;
    TT_VEC(stack_sum) at;
} stack_sums;

static stack_sum *sum_of(stack_sums *sums, uint32_t device, uint32_t stack)
{
    uint32_t g = tt_groups_put(&sums->groups, (tt_group_key){.a = device, .b = stack});
    if (g == sums->at.n) *tt_vec_push(&sums->at) = (stack_sum){.device = device, .stack = stack};
    return &sums->at.at[g];
}

static void sums_free(stack_sums *sums)
{
    tt_groups_free(&sums->groups);
    tt_vec_free(&sums->at);
}

/* First columns of both tables: place of the allocation. */
enum { C_DEVICE, C_LINE, C_STACK, C_FIRST };
#define DEVICE_COLUMN COL("device", "Device", STRING, 1, "device of the memory")
#define LINE_COLUMN COL_PLACE("line", "Allocated by", 0, "the innermost line of the program itself in the stack")
#define STACK_COLUMN                                                                                                   \
    COL("stack", "Stack", STRING, 1,                                                                                   \
        "where it was allocated, the innermost function first; unknown: before the recording, or without a stack")

static uint32_t add_row(const tt_query *q, tt_table *t, const stack_sum *s)
{
    char line[512];
    const tt_trace *st = tt_query_trace(q);
    uint32_t row = tt_table_add(t);
    const char *stack = tt_stack_text(&st->snapshot->stacks, &st->strings, s->stack,
                                      tt_stack_text_most(&st->snapshot->stacks), &t->arena);
    tt_set_ref(t, row, C_DEVICE, tt_device_text(t, st->rules, TT_SNAPSHOT_DEVICE_TYPE, s->device));
    tt_set_ref(t, row, C_STACK, stack);
    if (!q->options.places) return row;
    if (stack && tt_python_line_of_stack(stack, line, sizeof line)) tt_set_s(t, row, C_LINE, line);
    if (!stack) tt_set_ref(t, row, C_LINE, "(allocated before the recording, or no stack)");
    return row;
}

/* The first columns of both tables: the place of an allocation. */
#define WHERE_COLUMNS                                                                                                  \
    COL("device", "Device", STRING, 1, "device of the memory"),                                                        \
        COL_PLACE("line", "Allocated by", 0, "the innermost line of the program itself in the stack"),                 \
        COL("stack", "Stack", STRING, 1,                                                                               \
            "where it was allocated, the innermost function first; unknown: before the recording, or without "         \
            "a stack")

/* ---- memory_peak ---- */

static const tt_column peak_columns[] = {
    [TT_MEMORY_PEAK_DEVICE] = DEVICE_COLUMN,
    [TT_MEMORY_PEAK_LINE] = LINE_COLUMN,
    [TT_MEMORY_PEAK_STACK] = STACK_COLUMN,
    [TT_MEMORY_PEAK_BLOCKS] = COL("blocks", "Blocks", COUNT, 0, "live allocations at that moment"),
    [TT_MEMORY_PEAK_BYTES] = COL("bytes", "Size", BYTES, 0, "what they had asked for: bytes"),
    [TT_MEMORY_PEAK_PCT] =
        COL("pct", "Share", PERCENT, 0, "share of all that was allocated on the device at that moment"),
};

typedef struct moment { /* moment of a device */
    uint32_t record;    /* last record; TT_NONE: nothing is known of the device at the moment */
    int64_t allocated;  /* bytes allocated after the record */
    int64_t explained;
} moment;
typedef TT_VEC(moment) moment_list; /* by device */

/* Find the moment of each device: the last record up to the requested time, or its peak in scope. */
static void find_moments(const tt_query *q, moment_list *out)
{
    const tt_trace *s = tt_query_trace(q);
    int64_t device = q->options.arg[1], asked = q->options.arg[0] - q->session->offset_ns[q->trace];
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *r = &s->memory[i];
        if (device && device != TT_ALIVE_DEVICE(q->trace, tt_memory_device(r))) continue;
        while (out->n <= (size_t)r->device_id) *tt_vec_push(out) = (moment){.record = TT_NONE};
        moment *m = &out->at[r->device_id];
        bool takes = q->options.arg[0]
                         ? r->ts <= asked
                         : (m->record == TT_NONE || r->allocated > m->allocated) && tt_query_has(q, r->ts);
        if (!takes) continue;
        m->record = i;
        m->allocated = r->allocated;
    }
}

static void compute_peak(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_lifetimes *l = s->snapshot ? tt_lifetimes_get(q->session, q->trace) : NULL;
    moment_list moments = {0};
    stack_sums sums = {0};
    tt_groups_init(&sums.groups);
    if (l) find_moments(q, &moments);
    for (size_t i = 0; l && i < l->at.n; i++) {
        const tt_lifetime *x = &l->at.at[i];
        moment *m = x->device < moments.n ? &moments.at[x->device] : NULL;
        if (!m || m->record == TT_NONE || !tt_lifetime_alive(x, m->record)) continue;
        stack_sum *sum = sum_of(&sums, x->device, x->stack);
        sum->count++;
        sum->bytes += x->bytes;
        m->explained += x->bytes;
    }
    for (uint32_t d = 0; d < moments.n; d++) {
        const moment *m = &moments.at[d];
        if (m->record != TT_NONE && m->explained != m->allocated)
            sum_of(&sums, d, 0)->bytes += m->allocated - m->explained;
    }
    for (size_t i = 0; i < sums.at.n; i++) {
        const stack_sum *sum = &sums.at.at[i];
        const moment *m = &moments.at[sum->device];
        uint32_t row = add_row(q, t, sum);
        tt_set_i(t, row, C_FIRST, sum->count);
        tt_set_i(t, row, C_FIRST + 1, sum->bytes);
        if (m->allocated > 0) tt_set_d(t, row, C_FIRST + 2, 100.0 * (double)sum->bytes / (double)m->allocated);
        tt_set_range(q, t, row, s->memory[m->record].ts, s->memory[m->record].ts + 1);
    }
    sums_free(&sums);
    tt_vec_free(&moments);
}

const tt_table_desc tt_table_memory_peak = {
    .id = "memory_peak",
    .title = "Memory at the peak by stack",
    .meaning = "what was allocated at the peak of each device, by the stack that asked for it",
    .cols = peak_columns,
    .n_cols = COUNT_OF(peak_columns),
    .default_sort = "bytes",
    .default_desc = true,
    .flags = TT_TABLE_ARGS,
    .note = tt_no_snapshot_note,
    .compute = compute_peak,
};

/* ---- memory_stacks ---- */

static const tt_column stack_columns[] = {
    DEVICE_COLUMN,
    LINE_COLUMN,
    STACK_COLUMN,
    COL("allocations", "Allocations", COUNT, 0, "allocations in scope"),
    COL("allocated_bytes", "Allocated", BYTES, 0, "what they asked for: bytes"),
    COL("alive_blocks", "Live", COUNT, 1, "live allocations at the end"),
    COL("alive_bytes", "Live bytes", BYTES, 1, "what these had asked for: bytes"),
};

static void compute_stacks(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_lifetimes *l = s->snapshot ? tt_lifetimes_get(q->session, q->trace) : NULL;
    stack_sums sums = {0};
    tt_groups_init(&sums.groups);
    for (size_t i = 0; l && i < l->at.n; i++) {
        const tt_lifetime *x = &l->at.at[i];
        stack_sum *sum = sum_of(&sums, x->device, x->stack);
        if (x->from != TT_NONE && tt_query_has(q, s->memory[x->from].ts)) {
            sum->count++;
            sum->bytes += x->bytes;
        }
        if (x->to == TT_NONE) {
            sum->alive++;
            sum->alive_bytes += x->bytes;
        }
    }
    for (size_t i = 0; i < sums.at.n; i++) {
        const stack_sum *sum = &sums.at.at[i];
        uint32_t row = add_row(q, t, sum);
        tt_set_i(t, row, C_FIRST, sum->count);
        tt_set_i(t, row, C_FIRST + 1, sum->bytes);
        tt_set_i(t, row, C_FIRST + 2, sum->alive);
        tt_set_i(t, row, C_FIRST + 3, sum->alive_bytes);
    }
    sums_free(&sums);
}

const tt_table_desc tt_table_memory_stacks = {
    .id = "memory_stacks",
    .title = "Memory by stack",
    .meaning = "what each stack allocated, and what of it is live at the end",
    .cols = stack_columns,
    .n_cols = COUNT_OF(stack_columns),
    .default_sort = "allocated_bytes",
    .default_desc = true,
    .note = tt_no_snapshot_note,
    .compute = compute_stacks,
};

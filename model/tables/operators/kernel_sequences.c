/* model/tables/operators/kernel_sequences.c - table kernel_sequences: repeated sequences of device work launched by
 * operators.
 *
 * The outermost operators of each thread are examined, or the program's named ranges where there are none. A
 * sequence is a last name plus the sequence before it, so that equal lists have equal numbers. */
#include <stdlib.h>

#include "model/base/sort.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/device/device_work.h"
#include "model/tables/table_util.h"

enum { NAME, KERNELS, CALLS, DEVICE, HOST };

static const tt_column columns[] = {
    COL("name", "Operator", STRING, 0, "outermost operator on its thread"),
    COL("kernels", "Kernels", STRING, 0,
        "what it launched, in order of start: short elementwise kernels in a row, called often, are candidates for "
        "fusion (a compiler, a fused or foreach operator)"),
    COL("calls", "Calls", COUNT, 0, "calls of the operator with this sequence"),
    COL("device_total_ns", "GPU total", DURATION, 0, "time with any of its work running, summed over calls"),
    COL("host_total_ns", "CPU total", DURATION, 1, "CPU time of the calls"),
};

typedef struct piece { /* device work below an operator */
    tt_row op, row;
    int64_t start, end;
} piece;

typedef struct sequences {
    const tt_query *q;
    const tt_trace *s;
    tt_row *outermost; /* by row: the outermost operator around it */
    TT_VEC(piece) pieces;
    bool in_order;           /* pieces are grouped by operator */
    tt_groups lists, groups; /* lists: (list before, last name) -> number */
} sequences;

typedef struct total { /* totals of an operator's name and list */
    int64_t calls, device, host;
    tt_row first;
} total;

#define NOTHING UINT64_MAX /* the empty list */

/* By row: the outermost operator around it or itself; TT_NONE. One pass suffices at any depth, as parents precede
 * children. */
static tt_row *outermost_of_all(const tt_trace *s, uint32_t kinds)
{
    tt_row *of = tt_malloc((s->n + (size_t)1) * sizeof *of);
    for (tt_row r = 0; r < s->n; r++) {
        tt_row around = s->parent[r];
        of[r] = around == TT_NONE ? TT_NONE : of[around];
        if (of[r] == TT_NONE && kinds >> tt_row_kind(s, r) & 1) of[r] = r;
    }
    return of;
}

static void add_piece(sequences *x, const tt_activity *d, tt_row_range rows)
{
    const tt_trace *s = x->s;
    if (!tt_kind_is_work(tt_row_kind(s, d->row))) return;
    tt_row op = tt_activity_operator(s, d);
    if (op != TT_NONE) op = x->outermost[op];
    if (op == TT_NONE || !tt_row_range_has(rows, op) || !tt_query_has(x->q, s->start[op])) return;
    if (x->pieces.n && x->pieces.at[x->pieces.n - 1].op > op) x->in_order = false;
    *tt_vec_push(&x->pieces) = (piece){op, d->row, s->start[d->row], tt_row_end(s, d->row)};
}

static int by_op(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    return (x->op > y->op) - (x->op < y->op);
}

static int by_start(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Collect the pieces; in launch order the pieces of an operator are nearly always adjacent. */
static void collect(sequences *x)
{
    const tt_trace *s = x->s;
    tt_row_range rows = tt_query_rows(x->q);
    for (uint32_t i = 0; i < s->n_links; i++) add_piece(x, &s->dev[s->launched_activity[i]], rows);
    for (uint32_t i = 0; i < s->n_dev; i++)
        if (s->dev[i].launch == TT_NONE) add_piece(x, &s->dev[i], rows);
    if (!x->in_order) tt_sort_runs(x->pieces.at, x->pieces.n, sizeof *x->pieces.at, by_op);
}

/* Number of the list of n pieces in order; *device: time with any of them running. */
static uint64_t list_of(sequences *x, const piece *p, size_t n, int64_t *device)
{
    uint64_t list = NOTHING;
    int64_t until = INT64_MIN;
    *device = 0;
    for (size_t i = 0; i < n; i++) {
        list = tt_groups_put(&x->lists, (tt_group_key){.a = list, .b = x->s->name[p[i].row]});
        int64_t from = p[i].start > until ? p[i].start : until;
        if (p[i].end <= from) continue;
        *device += p[i].end - from;
        until = p[i].end;
    }
    return list;
}

/* "a; b; c", the table's. */
static const char *list_text(const sequences *x, uint64_t list, tt_table *t)
{
    size_t bytes = 0;
    for (uint64_t i = list; i != NOTHING; i = x->lists.key.at[i].a)
        bytes += x->s->strings.len.at[x->lists.key.at[i].b] + 2;
    char *out = tt_arena_alloc(&t->arena, bytes + 1), *p = out + bytes;
    *p = '\0';
    for (uint64_t i = list; i != NOTHING; i = x->lists.key.at[i].a) {
        size_t n = x->s->strings.len.at[x->lists.key.at[i].b];
        p -= n;
        memcpy(p, tt_str(&x->s->strings, (tt_sid)x->lists.key.at[i].b), n);
        p -= 2;
        memcpy(p, "; ", 2);
    }
    return out + 2;
}

static void put_row(const sequences *x, const tt_group_key *k, const total *v, tt_table *t)
{
    if (v->calls < 2 || x->lists.key.at[k->b].a == NOTHING) return;
    uint32_t row = tt_table_add(t);
    const char *name = tt_str(&x->s->strings, (tt_sid)k->a);
    tt_set_ref(t, row, NAME, name);
    tt_set_ref(t, row, KERNELS, list_text(x, k->b, t));
    tt_set_i(t, row, CALLS, v->calls);
    tt_set_i(t, row, DEVICE, v->device);
    tt_set_i(t, row, HOST, v->host);
    tt_set_row(x->q, t, row, v->first);
}

static void compute(const tt_query *q, tt_table *t)
{
    sequences x = {.q = q, .s = tt_query_trace(q), .in_order = true};
    TT_VEC(total) list = {0};
    uint32_t operators = tt_call_tree_has_operators(x.s) ? 1u << TT_KIND_CPU_OP : TT_TREE_RANGES;
    x.outermost = outermost_of_all(x.s, operators);
    tt_groups_init(&x.lists);
    tt_groups_init(&x.groups);
    collect(&x);
    for (size_t i = 0, n; i < x.pieces.n; i += n) {
        piece *p = &x.pieces.at[i];
        int64_t device;
        for (n = 1; i + n < x.pieces.n && p[n].op == p->op;) n++;
        tt_sort_runs(p, n, sizeof *p, by_start);
        uint64_t sequence = list_of(&x, p, n, &device);
        uint32_t at = tt_groups_put(&x.groups, (tt_group_key){.a = x.s->name[p->op], .b = sequence});
        if (at == list.n) *tt_vec_push(&list) = (total){.first = p->op};
        list.at[at].calls++;
        list.at[at].device += device;
        list.at[at].host += x.s->dur[p->op];
    }
    for (size_t i = 0; i < list.n; i++) put_row(&x, &x.groups.key.at[i], &list.at[i], t);
    if (!t->n_rows)
        t->note = x.pieces.n ? "No operator launched the same kernel sequence twice"
                             : "no GPU work below operators in this scope";
    tt_groups_free(&x.lists);
    tt_groups_free(&x.groups);
    tt_vec_free(&x.pieces);
    free(x.outermost);
    tt_vec_free(&list);
}

const tt_table_desc tt_table_kernel_sequences = {
    .id = "kernel_sequences",
    .title = "Kernel sequences",
    .meaning = "sequences of device work that operators launch again and again: candidates for fusion",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .default_sort = "device_total_ns",
    .default_desc = true,
    .flags = TT_TABLE_THREADS,
    .compute = compute,
};

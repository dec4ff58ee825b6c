/* Nesting order of slices of one track with equal start and end. Neither times nor, where a tool has sorted the
 * file, the order of events tells. The smaller External id is outside, as ids are assigned when operators begin;
 * then the smaller Ev Idx and Python id, which are assigned alike; then annotations, Python frames, operators, API
 * calls; then name and arguments; the order in the file decides only where no table shows a difference. Among slices
 * without such an id, API calls lie inside of slices with one, all others outside. Where no id differs, slices made
 * of begin and end events keep their order: it shows how they nest. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort.h"
#include "model/build/passes/finish_internal.h"

struct tied { /* a row's columns, and its sort keys */
    const tt_finish *fin;
    uint32_t external_id, index, python; /* ids, see above */
    uint32_t rank;
    uint32_t name, correlation, own_ext, detail, text_lo;
    uint8_t cat, text_hi;
    bool pair;
};

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }
static int compare_signed(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int compare_number(double a, double b)
{
    if (a != a || b != b) return (b != b) - (a != a); /* missing sorts first */
    return (a > b) - (a < b);
}

static int compare_texts(const tt_finish *fin, const tt_sid *a, const tt_sid *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int c = a[i] == b[i] ? 0 : strcmp(tt_str(&fin->s->strings, a[i]), tt_str(&fin->s->strings, b[i]));
        if (c) return c;
    }
    return 0;
}

static int compare_coll(const tt_finish *fin, uint32_t a, uint32_t b)
{
    if (a == b) return 0;
    const tt_collective_args *x = &fin->s->colls[a], *y = &fin->s->colls[b];
    const tt_sid p[] = {x->name, x->dtype, x->group, x->group_desc, x->ranks};
    const tt_sid q[] = {y->name, y->dtype, y->group, y->group_desc, y->ranks};
    int c = compare_texts(fin, p, q, sizeof p / sizeof *p);
    if (!c) c = compare_signed(x->in_nelems, y->in_nelems);
    if (!c) c = compare_signed(x->out_nelems, y->out_nelems);
    return c ? c : compare_signed(x->group_size, y->group_size);
}

static int compare_op_args(const tt_finish *fin, uint32_t a, uint32_t b)
{
    if (a == b) return 0;
    const tt_op_args *x = &fin->s->op_args[a], *y = &fin->s->op_args[b];
    const tt_sid p[] = {x->shapes, x->types, x->concrete, x->strides, x->stack, x->hierarchy};
    const tt_sid q[] = {y->shapes, y->types, y->concrete, y->strides, y->stack, y->hierarchy};
    int c = compare_texts(fin, p, q, sizeof p / sizeof *p);
    return c ? c : compare_coll(fin, x->coll, y->coll);
}

static int compare_shape(const tt_finish *fin, uint32_t a, uint32_t b)
{
    if (a == b) return 0;
    const tt_launch_shape *x = &fin->s->shapes[a], *y = &fin->s->shapes[b];
    const tt_sid p[] = {x->grid, x->block, x->core, x->type, x->op, x->program, x->annotation};
    const tt_sid q[] = {y->grid, y->block, y->core, y->type, y->op, y->program, y->annotation};
    int c = compare_texts(fin, p, q, sizeof p / sizeof *p);
    if (!c) c = compare_signed(x->registers, y->registers);
    if (!c) c = compare_signed(x->shared_bytes, y->shared_bytes);
    if (!c) c = compare_signed(x->flops, y->flops);
    if (!c) c = compare_signed(x->bytes, y->bytes);
    if (!c) c = compare_signed(x->graph, y->graph);
    if (!c) c = compare(x->node, y->node);
    if (!c) c = compare_number(x->blocks_per_sm, y->blocks_per_sm);
    if (!c) c = compare_number(x->warps_per_sm, y->warps_per_sm);
    return c ? c : compare_number(x->occupancy_pct, y->occupancy_pct);
}

static int compare_device(const tt_finish *fin, uint32_t a, uint32_t b)
{
    if (a == TT_NONE || b == TT_NONE) return compare(a, b);
    tt_activity x = tt_finish_device(fin, a), y = tt_finish_device(fin, b);
    int c = compare_signed(x.bytes, y.bytes);
    if (!c) c = compare_signed(x.stream, y.stream);
    if (!c) c = compare_signed(x.device, y.device);
    if (!c) c = compare(x.wait_record, y.wait_record);
    if (!c) c = compare(x.wait_stream, y.wait_stream);
    if (!c) c = compare_shape(fin, x.shape, y.shape);
    return c ? c : compare_coll(fin, x.coll, y.coll);
}

/* Compare arguments of slices of one kind. */
static int compare_arguments(const struct tied *x, const struct tied *y, tt_kind kind)
{
    int c = compare(x->correlation, y->correlation);
    if (!c) c = compare(x->own_ext, y->own_ext);
    if (c) return c;
    if (tt_kind_is_device(kind)) return compare_device(x->fin, x->detail, y->detail);
    if (tt_kind_is_launch(kind)) return compare_texts(x->fin, &x->detail, &y->detail, 1);
    if (tt_kind_is_python(kind)) return compare(x->detail, y->detail);
    return compare_op_args(x->fin, x->detail, y->detail);
}

static int by_ids(const void *a, const void *b)
{
    const struct tied *x = a, *y = b;
    int c = compare(x->external_id, y->external_id);
    if (!c) c = compare(x->index, y->index);
    return c ? c : compare(x->python, y->python);
}

static int outside_first(const void *a, const void *b)
{
    const struct tied *x = a, *y = b;
    const tt_trace *s = x->fin->s;
    tt_kind kind = (tt_kind)s->kind_of[x->cat], other = (tt_kind)s->kind_of[y->cat];
    int c = by_ids(a, b);
    if (!c) c = compare(x->rank, y->rank);
    if (!c) c = compare_texts(x->fin, &x->name, &y->name, 1);
    if (!c) c = compare(kind, other);
    if (!c) c = compare_arguments(x, y, kind);
    return c ? c : compare_texts(x->fin, &s->cats[x->cat].name, &s->cats[y->cat].name, 1);
}

enum { ANNOTATION, PYTHON, OPERATOR, CALL };

static uint32_t rank_of(tt_kind k)
{
    if (k == TT_KIND_ANNOTATION || k == TT_KIND_ENGINE_STEP || k == TT_KIND_STEP || k == TT_KIND_GPU_ANNOTATION)
        return ANNOTATION;
    return tt_kind_is_python(k) ? PYTHON : tt_kind_is_launch(k) ? CALL : OPERATOR;
}

static struct tied get(const tt_finish *fin, const tt_tied_row *row)
{
    const tt_trace *s = fin->s;
    tt_row r = row->row;
    tt_kind kind = tt_row_kind(s, r);
    struct tied t = {.fin = fin,
                     .rank = rank_of(kind),
                     .name = s->name[r],
                     .correlation = s->correlation[r],
                     .own_ext = s->external_id[r],
                     .detail = s->detail[r],
                     .text_lo = s->text_lo[r],
                     .text_hi = s->text_hi[r],
                     .cat = s->cat[r],
                     .pair = row->pair};
    t.external_id = t.rank == PYTHON ? 0 : t.rank == CALL && !t.own_ext ? UINT32_MAX : t.own_ext;
    t.index = tt_kind_is_indexed(kind) ? t.correlation : t.rank == CALL ? UINT32_MAX : 0;
    t.python = t.rank == PYTHON ? t.correlation : t.rank == ANNOTATION ? 0 : UINT32_MAX;
    return t;
}

static void write_row(tt_trace *s, tt_row r, const struct tied *t)
{
    s->name[r] = t->name;
    s->cat[r] = t->cat;
    s->correlation[r] = t->correlation;
    s->external_id[r] = t->own_ext;
    s->detail[r] = t->detail;
    s->text_lo[r] = t->text_lo;
    s->text_hi[r] = t->text_hi;
}

/* Put the slices made of pairs, in reading order, into the rows that sorting gave to such slices. */
static void keep_pairs(struct tied *sorted, size_t n, struct tied *pairs, size_t n_pairs)
{
    tt_sort_runs(pairs, n_pairs, sizeof *pairs, by_ids);
    for (size_t i = 0; i < n; i++) {
        if (sorted[i].pair) sorted[i] = *pairs++;
    }
}

/* Sort consecutive rows with one start and end. */
static void order_group(tt_finish *fin, const tt_tied_row *rows, size_t n)
{
    struct tied small[16], *t = n * 2 <= sizeof small / sizeof *small ? small : tt_malloc(2 * n * sizeof *t);
    struct tied *pairs = t + n;
    size_t n_pairs = 0;
    for (size_t i = 0; i < n; i++) {
        t[i] = get(fin, &rows[i]);
        if (t[i].pair) pairs[n_pairs++] = t[i];
    }
    tt_sort_runs(t, n, sizeof *t, outside_first);
    keep_pairs(t, n, pairs, n_pairs);
    for (size_t i = 0; i < n; i++) write_row(fin->s, rows[i].row, &t[i]);
    if (t != small) free(t);
}

void tt_finish_ties(tt_finish *fin, const tt_tied_row *rows, size_t n)
{
    const tt_trace *s = fin->s;
    for (size_t i = 0, end; i < n; i = end) {
        tt_row a = rows[i].row;
        for (end = i + 1; end < n; end++) {
            tt_row b = rows[end].row;
            if (s->start[b] != s->start[a] || s->dur[b] != s->dur[a]) break;
        }
        order_group(fin, rows + i, end - i);
    }
}

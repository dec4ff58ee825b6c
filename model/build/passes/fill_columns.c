/* From runs of read slices to rows of one part of a track: sort, copy, nest. Pages of the blocks become pages of the
 * columns, see page_pool.h. */
#include <stdlib.h>

#include "model/build/passes/track_parts.h"

struct fill {
    tt_finish *fin;
    tt_track_part *part;
    TT_VEC(tt_tied_row) tied;
    bool pair; /* the last row was made of a pair */
};

/* Map side, whose meaning depends on the kind: see trace.h. */
static uint32_t map_side(const tt_id_map *m, tt_kind kind, uint32_t detail)
{
    if (m->identity) return detail;
    if (tt_kind_is_device(kind)) return detail == TT_NONE ? TT_NONE : m->dev_base + detail;
    if (tt_kind_is_launch(kind)) return m->name[detail];
    if (tt_kind_is_python(kind)) return detail;
    return m->op_args[detail];
}

static void put_row(struct fill *f, tt_row row, const tt_rec *r, const tt_id_map *m)
{
    tt_trace *s = f->fin->s;
    uint8_t cat = tt_rec_cat(r);
    if (!m->identity) cat = m->cat[cat];
    tt_sid name = m->identity ? r->name : m->name[r->name];
    const tt_step_names *steps = &f->fin->steps;
    if (steps->any) cat = steps->cat[steps->role[name]][cat];
    tt_kind kind = (tt_kind)s->kind_of[cat];
    int64_t start = r->ts - f->fin->zero;
    s->start[row] = start;
    s->dur[row] = r->dur;
    if (row > f->part->first && s->start[row - 1] == start && s->dur[row - 1] == r->dur) {
        bool begins = !f->tied.n || f->tied.at[f->tied.n - 1].row != row - 1;
        if (begins) *tt_vec_push(&f->tied) = (tt_tied_row){row - 1, f->pair};
        *tt_vec_push(&f->tied) = (tt_tied_row){row, m->identity};
    }
    f->pair = m->identity;
    s->name[row] = name;
    s->cat[row] = cat;
    s->correlation[row] = m->identity ? r->correlation : tt_finish_wide(m, r->correlation);
    s->external_id[row] = m->identity ? r->external_id : tt_finish_wide(m, r->external_id);
    s->detail[row] = map_side(m, kind, r->detail);
    s->text_lo[row] = (uint32_t)tt_rec_offset(r);
    s->text_hi[row] = (uint8_t)(tt_rec_offset(r) >> 32);
}

/* Rows of the columns that get pages at once: some 5 MiB, whole pages in each column. */
#define REGION ((tt_row)1 << 17)

/* Get pages for rows before `to`, about to be written. */
static void feed(tt_track_parts *t, tt_row to)
{
    const tt_track *track = &t->fin->s->tracks[t->track];
    tt_row end = track->first + track->n;
    pthread_mutex_lock(&t->fin->stocking);
    while (t->fed < to) {
        tt_row next = (t->fed / REGION + 1) * REGION;
        if (next > end) next = end;
        tt_trace_columns_take(t->fin->s, t->fed, next, &t->fin->stock);
        t->fed = next;
    }
    pthread_mutex_unlock(&t->fin->stocking);
}

static tt_run_list runs_of_part(tt_track_parts *t, uint32_t part)
{
    tt_run_list all = t->group[0].runs[part];
    for (uint32_t g = 1; g < t->n_groups; g++) {
        tt_run_list *l = &t->group[g].runs[part];
        for (size_t i = 0; i < l->n; i++) *tt_vec_push(&all) = l->at[i];
        tt_vec_free(l);
    }
    return all;
}

/* Copy the rows; pages of a block are reused once its last slice is copied: the trace grows while the builders
 * shrink. */
static void copy_rows(tt_track_parts *t, struct fill *f, tt_run_list runs)
{
    tt_merge m;
    tt_stretch p;
    tt_page_pool stock = {0};
    tt_row row = f->part->first;
    tt_merge_begin(&m, t->block, runs);
    while (tt_merge_next(&m, &p)) {
        const tt_rec_block *b = t->block[p.block];
        const tt_id_map *map = &t->fin->map[t->owner[p.block]];
        for (uint32_t i = 0; i < p.n; i++) put_row(f, row++, &b->at[p.from + i], map);
        bool last = atomic_fetch_sub_explicit(&t->left[p.block], p.n, memory_order_acq_rel) == p.n;
        if (last && t->fin->consume) tt_rec_block_free((tt_rec_block *)(uintptr_t)b, &stock);
    }
    tt_merge_free(&m);
    pthread_mutex_lock(&t->fin->stocking);
    tt_page_pool_move(&t->fin->stock, &stock);
    pthread_mutex_unlock(&t->fin->stocking);
}

static void list_rows(const tt_trace *s, tt_track_part *p)
{
    for (tt_row r = p->first; r < p->first + p->n; r++) {
        tt_kind kind = tt_row_kind(s, r);
        if (tt_kind_is_launch(kind)) *tt_vec_push(&p->rows.launches) = r;
        if (kind == TT_KIND_STEP || kind == TT_KIND_ENGINE_STEP) *tt_vec_push(&p->rows.steps) = r;
        p->rows.devices += tt_kind_is_device(kind) && s->detail[r] != TT_NONE;
    }
}

void tt_part_fill(tt_track_parts *t, uint32_t part)
{
    struct fill f = {.fin = t->fin, .part = &t->part[part]};
    feed(t, f.part->first + f.part->n);
    copy_rows(t, &f, runs_of_part(t, part));
    tt_finish_ties(t->fin, f.tied.at, f.tied.n);
    list_rows(t->fin->s, f.part);
    tt_vec_free(&f.tied);
}

static int64_t uncertainty(const tt_finish *fin)
{
    return fin->jitter > fin->s->resolution_ns ? fin->jitter : fin->s->resolution_ns;
}

static void nest_rows(tt_trace *s, tt_nest *nest, tt_row first, uint32_t n)
{
    for (tt_row r = first; r < first + n; r++) {
        tt_nest_push(nest, r, s->start[r], tt_row_end(s, r), tt_kind_is_python(tt_row_kind(s, r)), &s->parent[r],
                     &s->depth[r]);
    }
}

static void take_nesting(const tt_finish *fin, tt_track *t, tt_nest *n)
{
    t->depths = tt_nest_end(n, fin->s->depth);
    t->lanes = n->lanes;
    t->crossing = (uint32_t)n->moved.n;
    for (int python = 0; python < 2; python++) t->has_layer[python] = n->layer[python].at != NULL;
    tt_nest_free(n);
}

void tt_finish_nest(tt_finish *fin, tt_track *t)
{
    tt_nest nest;
    tt_nest_begin(&nest, uncertainty(fin));
    nest_rows(fin->s, &nest, t->first, t->n);
    take_nesting(fin, t, &nest);
}

void tt_part_nest(tt_track_parts *t, uint32_t part)
{
    if (!part) {
        t->nest = tt_malloc(sizeof *t->nest);
        tt_nest_begin(t->nest, uncertainty(t->fin));
    }
    nest_rows(t->fin->s, t->nest, t->part[part].first, t->part[part].n);
}

void tt_parts_nested(tt_track_parts *t)
{
    take_nesting(t->fin, &t->fin->s->tracks[t->track], t->nest);
    free(t->nest);
}

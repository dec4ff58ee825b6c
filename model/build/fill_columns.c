/* From blocks of read slices to the columns of one track: order, copy, nest. The pages of the blocks become those of
 * the columns, see page_pool.h. */
#include <stdlib.h>

#include "model/base/sort.h"
#include "model/build/finish_internal.h"
#include "model/build/fix_rounded_starts.h"
#include "model/build/merge_runs.h"
#include "model/build/nesting.h"

#define SETTLED_NS 16 /* uncertainty that changes no nesting worth speaking of */

struct gather {
    tt_finish *j;
    tt_track *track;
    TT_VEC(const tt_rec_block *) blocks;
    TT_VEC(uint32_t) owner; /* builder of each block */
    TT_VEC(uint32_t) left;  /* slices of each block not copied yet */
    tt_nest nest;
    struct tt_track_rows *rows;
    TT_VEC(tt_tied_row) tied;
    bool pair;          /* the last row was made of a pair */
    tt_page_pool stock; /* of blocks that were copied */
    tt_row fed;         /* rows before this one have been offered pages of the stock */
};

static void collect_blocks(struct gather *g, uint32_t t)
{
    for (uint32_t k = 0; k < g->j->n_b; k++) {
        uint32_t l = g->j->local_track[(size_t)t * g->j->n_b + k];
        if (l == TT_NONE) continue;
        for (const tt_rec_block *b = g->j->b[k]->tracks.at[l].first; b; b = b->next) {
            *tt_vec_push(&g->blocks) = b;
            *tt_vec_push(&g->owner) = k;
            *tt_vec_push(&g->left) = b->n;
        }
        if (g->j->consume) g->j->b[k]->tracks.at[l].first = g->j->b[k]->tracks.at[l].last = NULL; /* freed below */
    }
}

/* What side means depends on the kind: see trace.h. */
static uint32_t map_side(const tt_id_map *m, tt_kind kind, uint32_t detail)
{
    if (m->identity) return detail;
    if (tt_kind_is_device(kind)) return detail == TT_NONE ? TT_NONE : m->dev_base + detail;
    if (tt_kind_is_launch(kind) || tt_kind_is_python(kind)) return detail;
    return m->op_args[detail];
}

static void put_row(struct gather *g, tt_row row, const tt_rec *r, uint32_t owner)
{
    tt_trace *s = g->j->s;
    const tt_id_map *m = &g->j->map[owner];
    uint8_t cat = tt_rec_cat(r);
    if (!m->identity) cat = m->cat[cat];
    tt_kind kind = (tt_kind)s->kind_of[cat];
    int64_t start = r->ts - g->j->zero;
    s->start[row] = start;
    s->dur[row] = r->dur;
    if (row > g->track->first && s->start[row - 1] == start && s->dur[row - 1] == r->dur) {
        bool begins = !g->tied.n || g->tied.at[g->tied.n - 1].row != row - 1;
        if (begins) *tt_vec_push(&g->tied) = (tt_tied_row){row - 1, g->pair};
        *tt_vec_push(&g->tied) = (tt_tied_row){row, m->identity};
    }
    g->pair = m->identity;
    s->name[row] = m->identity ? r->name : m->name[r->name];
    s->cat[row] = cat;
    s->correlation[row] = m->identity ? r->correlation : tt_finish_wide(m, r->correlation);
    s->external_id[row] = m->identity ? r->external_id : tt_finish_wide(m, r->external_id);
    s->detail[row] = map_side(m, kind, r->detail);
    s->text_lo[row] = (uint32_t)tt_rec_offset(r);
    s->text_hi[row] = (uint8_t)(tt_rec_offset(r) >> 32);
    if (tt_kind_is_launch(kind)) *tt_vec_push(&g->rows->launches) = row;
    if (kind == TT_KIND_STEP) *tt_vec_push(&g->rows->steps) = row;
    g->rows->devices += tt_kind_is_device(kind) && s->detail[row] != TT_NONE;
    tt_nest_push(&g->nest, row, start, start + r->dur, tt_kind_is_python(kind), &s->parent[row], &s->depth[row]);
}

/* A part of the columns that takes pages at once: some 5 MiB of them, and whole pages of each. */
#define PART ((tt_row)1 << 17)

/* Rows before `to` are about to be written. */
static void feed(struct gather *g, tt_row to)
{
    tt_row end = g->track->first + g->track->n;
    while (g->fed < to) {
        tt_row next = (g->fed / PART + 1) * PART;
        if (next > end) next = end;
        tt_trace_columns_take(g->j->s, g->fed, next, &g->stock);
        g->fed = next;
    }
}

/* The pages of a block are passed on as soon as its last slice has been copied: the trace grows while the builders
 * shrink. */
static void copy_rows(struct gather *g)
{
    tt_merge m;
    tt_stretch p;
    tt_row row = g->track->first;
    tt_merge_begin(&m, g->blocks.at, g->blocks.n);
    while (tt_merge_next(&m, &p)) {
        const tt_rec_block *b = g->blocks.at[p.block];
        feed(g, row + p.n);
        for (uint32_t i = 0; i < p.n; i++) put_row(g, row++, &b->at[p.from + i], g->owner.at[p.block]);
        g->left.at[p.block] -= p.n;
        if (!g->left.at[p.block] && g->j->consume) tt_rec_block_free((tt_rec_block *)(uintptr_t)b, &g->stock);
    }
    tt_merge_free(&m);
}

static int file_order(const void *a, const void *b)
{
    const tt_rounded_start *x = a, *y = b;
    return x->rec->text_cat < y->rec->text_cat ? -1 : x->rec->text_cat > y->rec->text_cat;
}

/* The blocks will be freed: their slices may be changed. */
static void settle(struct gather *g)
{
    tt_rounded_start *items = tt_malloc(g->track->n * sizeof *items);
    size_t n = 0;
    for (size_t i = 0; i < g->blocks.n; i++) {
        tt_rec_block *b = (tt_rec_block *)(uintptr_t)g->blocks.at[i];
        const tt_category *cats = g->j->b[g->owner.at[i]]->cats;
        for (uint32_t k = 0; k < b->n; k++) {
            bool launch = tt_kind_is_launch(cats[tt_rec_cat(&b->at[k])].kind);
            items[n++] = (tt_rounded_start){&b->at[k], launch};
        }
    }
    tt_sort_runs(items, n, sizeof *items, file_order);
    tt_fix_rounded_starts(items, n, g->j->jitter);
    free(items);
}

static int64_t uncertainty(const tt_finish *j)
{
    return j->jitter > j->s->resolution_ns ? j->jitter : j->s->resolution_ns;
}

static void take_nesting(const tt_finish *j, tt_track *t, tt_nest *n)
{
    t->depths = tt_nest_end(n, j->s->depth);
    t->lanes = n->lanes;
    t->crossing = (uint32_t)n->moved.n;
    for (int python = 0; python < 2; python++) t->has_layer[python] = n->layer[python].at != NULL;
    tt_nest_free(n);
}

void tt_finish_nest(tt_finish *j, tt_track *t)
{
    tt_trace *s = j->s;
    tt_nest nest;
    tt_nest_begin(&nest, uncertainty(j));
    for (tt_row r = t->first; r < t->first + t->n; r++) {
        tt_nest_push(&nest, r, s->start[r], tt_row_end(s, r), tt_kind_is_python(tt_row_kind(s, r)), &s->parent[r],
                     &s->depth[r]);
    }
    take_nesting(j, t, &nest);
}

void tt_finish_track(tt_finish *j, uint32_t t)
{
    struct gather g = {.j = j, .track = &j->s->tracks[t], .rows = &j->rows[t], .fed = j->s->tracks[t].first};
    pthread_mutex_lock(&j->stocking);
    tt_page_pool_move(&g.stock, &j->stock);
    pthread_mutex_unlock(&j->stocking);
    collect_blocks(&g, t);
    tt_nest_begin(&g.nest, uncertainty(j));
    if (j->jitter > SETTLED_NS && j->consume && g.track->kind == TT_TRACK_THREAD) settle(&g);
    if (g.track->kind == TT_TRACK_THREAD) tt_vec_reserve(&g.rows->launches, g.track->n); /* growing would copy them */
    copy_rows(&g);
    take_nesting(j, g.track, &g.nest);
    if (tt_finish_ties(j, t, g.tied.at, g.tied.n)) tt_finish_nest(j, g.track);
    tt_vec_free(&g.tied);
    pthread_mutex_lock(&j->stocking);
    tt_page_pool_move(&j->stock, &g.stock);
    pthread_mutex_unlock(&j->stocking);
    tt_vec_free(&g.blocks);
    tt_vec_free(&g.owner);
    tt_vec_free(&g.left);
}

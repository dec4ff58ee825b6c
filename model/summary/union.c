/* model/summary/union.c - see union.h. */
#include "model/summary/union.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"

#define RANKS_LISTED 100000 /* most missing ranks to list: a world can be any number */

void tt_tts_union_file(tt_tts_union *u, tt_tts *f)
{
    *tt_vec_push(&u->files) = f;
    for (uint32_t i = 0; i < f->n_sources; i++) *tt_vec_push(&u->at) = &f->sources[i];
}

void tt_tts_union_made(tt_tts_union *u, tt_tts_making *m)
{
    *tt_vec_push(&u->made) = m;
    *tt_vec_push(&u->at) = &m->s;
}

static int by_order(const void *a, const void *b)
{
    const tt_tts_source *x = *(const tt_tts_source *const *)a, *y = *(const tt_tts_source *const *)b;
    int c = tt_tts_identity_order(x, y);
    return c ? c : tt_tts_choice_order(x, y);
}

void tt_tts_union_settle(tt_tts_union *u)
{
    size_t kept = 0;
    if (u->at.n) qsort(u->at.at, u->at.n, sizeof *u->at.at, by_order);
    for (size_t i = 0; i < u->at.n; i++) {
        if (kept && !tt_tts_identity_order(u->at.at[kept - 1], u->at.at[i]))
            *tt_vec_push(&u->doubles) = u->at.at[i];
        else
            u->at.at[kept++] = u->at.at[i];
    }
    u->at.n = kept;
}

tt_status tt_tts_union_write(const tt_tts_union *u, tt_tts_write *write, void *arg, tt_err *err)
{
    tt_text head = {0};
    tt_tts_head(u->at.at, (uint32_t)u->at.n, &head);
    tt_status st = TT_OK;
    if (write(arg, head.at, head.n)) {
        for (size_t i = 0; i < u->at.n && st == TT_OK; i++) st = tt_tts_source_copy(u->at.at[i], write, arg, err);
    }
    tt_vec_free(&head);
    return st;
}

void tt_tts_union_free(tt_tts_union *u)
{
    for (size_t i = 0; i < u->files.n; i++) tt_tts_free(u->files.at[i]);
    for (size_t i = 0; i < u->made.n; i++) {
        tt_tts_making_free(u->made.at[i]);
        free(u->made.at[i]);
    }
    tt_vec_free(&u->files);
    tt_vec_free(&u->made);
    tt_vec_free(&u->doubles);
    tt_vec_free(&u->at);
}

/* ---- the run ---- */

static void find_world(const tt_tts_union *u, tt_tts_run *r)
{
    int64_t *world = tt_malloc((u->at.n + 1) * sizeof *world);
    size_t n = 0, most = 0;
    for (size_t i = 0; i < u->at.n; i++)
        if (u->at.at[i]->world > 0) world[n++] = u->at.at[i]->world;
    TT_SORT_UP(world, n);
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && world[i + same] == world[i];) same++;
        if (same >= most) most = same, r->world = world[i];
    }
    r->mixed = n && world[0] != world[n - 1];
    free(world);
}

tt_tts_run tt_tts_run_of(const tt_tts_union *u)
{
    tt_tts_run r = {.world = -1};
    int64_t next = 0;
    find_world(u, &r);
    for (size_t i = 0; i < u->at.n; i++) {
        const tt_tts_source *s = u->at.at[i], *last = i ? u->at.at[i - 1] : NULL;
        if (s->rank < 0) {
            r.nameless++;
            continue;
        }
        if (last && last->rank == s->rank) {
            bool told = r.repeated.n && r.repeated.at[r.repeated.n - 1] == s->rank;
            if (!told && s->start - last->start < last->end) *tt_vec_push(&r.repeated) = s->rank;
            continue;
        }
        r.ranks++;
        for (; next < s->rank && next < r.world && r.missing.n < RANKS_LISTED; next++) *tt_vec_push(&r.missing) = next;
        if (r.world >= 0 && s->rank >= r.world) *tt_vec_push(&r.foreign) = s->rank;
        next = s->rank + 1;
    }
    for (; next < r.world && r.missing.n < RANKS_LISTED; next++) *tt_vec_push(&r.missing) = next;
    return r;
}

void tt_tts_run_free(tt_tts_run *r)
{
    tt_vec_free(&r->missing);
    tt_vec_free(&r->foreign);
    tt_vec_free(&r->repeated);
}

/* Makes slices of separate begin and end events.
 *
 * B and E match as a stack per track; an E that names another slice than the top closes the innermost open slice of
 * that name (programs that do not nest strictly write these), or the top if there is none. b and e match by
 * (category, id, scope), S and F by (category, name, id); these get tracks of their own, one per process and name,
 * where crossing is normal.
 * A begin without an end is closed at the end of the trace; an end without a begin is counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort.h"
#include "model/build/passes/finish_internal.h"

#define SEARCH_MOST 256u /* levels searched for the slice that an end names: bounds the work on hostile input */

struct end { /* a pair end with common ids */
    tt_pair_end e;
    uint32_t key; /* key of async ends: (category, id, scope) or (category, name, id) */
};
typedef TT_VEC(struct end) end_list;

struct pairs {
    tt_finish *fin;
    tt_builder *out;
    end_list sync, async;
    tt_strings keys;
    tt_strings async_keys;      /* (pid, name) -> index + 1 into ... */
    TT_VEC(uint32_t) async_at;  /* ... async tracks */
    TT_VEC(uint32_t) out_track; /* track of the trace -> local track of out, TT_NONE */
    TT_VEC(struct end) open;
    int64_t close_at;
};

static uint32_t async_key(struct pairs *p, const tt_pair_end *e)
{
    bool legacy = strchr("STFp", e->phase) != NULL;
    uint64_t k[4] = {p->fin->s->cats[e->cat].name, e->id, e->scope, legacy ? e->name + UINT64_C(1) : 0};
    return tt_strings_put(&p->keys, (const char *)k, sizeof k);
}

static void collect(struct pairs *p)
{
    tt_finish *fin = p->fin;
    for (uint32_t k = 0; k + 1 < fin->n_b; k++) {
        const tt_id_map *m = &fin->map[k];
        for (size_t i = 0; i < fin->b[k]->pairs.n; i++) {
            struct end x = {.e = fin->b[k]->pairs.at[i]};
            tt_pair_end *e = &x.e;
            e->cat = m->cat[e->cat];
            e->name = m->name[e->name];
            e->scope = m->name[e->scope];
            e->track = m->track[e->track];
            e->correlation = tt_finish_wide(m, e->correlation);
            e->external_id = tt_finish_wide(m, e->external_id);
            tt_kind kind = (tt_kind)fin->s->kind_of[e->cat];
            if (tt_kind_is_device(kind)) {
                if (e->detail != TT_NONE) e->detail += m->dev_base;
            } else if (tt_kind_is_launch(kind)) {
                e->detail = m->name[e->detail];
            } else if (!tt_kind_is_python(kind)) {
                e->detail = m->op_args[e->detail];
            }
            bool sync = e->phase == 'B' || e->phase == 'E';
            if (!sync) x.key = async_key(p, e);
            *(sync ? tt_vec_push(&p->sync) : tt_vec_push(&p->async)) = x;
        }
    }
}

static int by_track(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->e.track != y->e.track) return x->e.track < y->e.track ? -1 : 1;
    if (x->e.ts != y->e.ts) return x->e.ts < y->e.ts ? -1 : 1;
    return x->e.text < y->e.text ? -1 : x->e.text > y->e.text;
}

static int by_key(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->e.ts != y->e.ts) return x->e.ts < y->e.ts ? -1 : 1;
    return x->e.text < y->e.text ? -1 : x->e.text > y->e.text;
}

static uint32_t out_track(struct pairs *p, uint32_t track)
{
    while (p->out_track.n <= track) *tt_vec_push(&p->out_track) = TT_NONE;
    if (p->out_track.at[track] == TT_NONE) {
        p->out_track.at[track] = (uint32_t)p->out->tracks.n;
        *tt_vec_push(&p->out->tracks) = (tt_build_track){0};
        /* The map of the extra builder is the identity except for tracks. */
        tt_id_map *m = &p->fin->map[p->fin->n_b - 1];
        m->track = tt_realloc(m->track, p->out->tracks.n, sizeof *m->track);
        m->track[p->out->tracks.n - 1] = track;
    }
    return p->out_track.at[track];
}

static void emit(struct pairs *p, const tt_pair_end *b, uint32_t track, int64_t end)
{
    tt_rec *r = tt_build_room_(p->out, out_track(p, track));
    *r = (tt_rec){.ts = b->ts,
                  .dur = end > b->ts ? end - b->ts : 0,
                  .text_cat = b->text << 8 | b->cat,
                  .name = b->name,
                  .correlation = b->correlation,
                  .external_id = b->external_id,
                  .detail = b->detail};
    tt_build_track *t = &p->out->tracks.at[p->out_track.at[track]];
    t->device_slices += tt_kind_is_device((tt_kind)p->fin->s->kind_of[b->cat]);
}

static void close_open(struct pairs *p, size_t i, uint32_t track, const tt_pair_end *e)
{
    emit(p, &p->open.at[i].e, track, e->ts);
    *tt_vec_push(&p->fin->pairs) = (tt_ends){p->open.at[i].e.text, e->text};
    memmove(&p->open.at[i], &p->open.at[i + 1], (p->open.n - i - 1) * sizeof *p->open.at);
    p->open.n--;
}

static void close_rest(struct pairs *p, uint32_t (*track_of)(struct pairs *, const struct end *))
{
    while (p->open.n) {
        const struct end *x = &p->open.at[p->open.n - 1];
        tt_problem_add(&p->fin->s->problems, TT_PROBLEM_UNMATCHED_BEGIN, (int64_t)x->e.text,
                       tt_str(&p->fin->s->strings, x->e.name), strlen(tt_str(&p->fin->s->strings, x->e.name)));
        emit(p, &x->e, track_of(p, x), p->close_at);
        p->open.n--;
    }
}

static void lone_end(struct pairs *p, const tt_pair_end *e)
{
    const char *name = tt_str(&p->fin->s->strings, e->name);
    tt_problem_add(&p->fin->s->problems, TT_PROBLEM_UNMATCHED_END, (int64_t)e->text, name, strlen(name));
    *tt_vec_push(&p->out->others) = (tt_other){.ts = e->ts, .text = e->text, .track = TT_NONE};
}

static uint32_t sync_track(struct pairs *p, const struct end *x)
{
    (void)p;
    return x->e.track;
}

/* The track shared by asynchronous slices of one process and name. */
static uint32_t async_track(struct pairs *p, const struct end *x)
{
    tt_trace *s = p->fin->s;
    char tid[200];
    int n = snprintf(tid, sizeof tid, "async %s", tt_str(&s->strings, x->e.name));
    size_t len = n < (int)sizeof tid ? (size_t)n : sizeof tid - 1;
    tt_sid key[2] = {s->tracks[x->e.track].pid, tt_strings_put(&s->strings, tid, len)};
    uint32_t known = tt_strings_put(&p->async_keys, (const char *)key, sizeof key);
    if (known > p->async_at.n)
        *tt_vec_push(&p->async_at) = tt_finish_add_track(p->fin, x->e.track, key[1], TT_TRACK_ASYNC);
    return p->async_at.at[known - 1];
}

static void match_sync(struct pairs *p)
{
    tt_sort_runs(p->sync.at, p->sync.n, sizeof *p->sync.at, by_track);
    for (size_t i = 0; i < p->sync.n; i++) {
        const struct end *x = &p->sync.at[i];
        if (i && p->sync.at[i - 1].e.track != x->e.track) close_rest(p, sync_track);
        if (x->e.phase == 'B') {
            *tt_vec_push(&p->open) = *x;
            continue;
        }
        size_t k = p->open.n;
        if (x->e.name) {
            size_t least = k > SEARCH_MOST ? k - SEARCH_MOST : 0;
            while (k > least && p->open.at[k - 1].e.name != x->e.name) k--;
            if (k == least) k = p->open.n;
        }
        if (k) {
            close_open(p, k - 1, x->e.track, &x->e);
        } else {
            lone_end(p, &x->e);
        }
    }
    close_rest(p, sync_track);
}

static void match_async(struct pairs *p)
{
    tt_sort_runs(p->async.at, p->async.n, sizeof *p->async.at, by_key);
    for (size_t i = 0; i < p->async.n; i++) {
        const struct end *x = &p->async.at[i];
        if (i && p->async.at[i - 1].key != x->key) close_rest(p, async_track);
        if (x->e.phase == 'b' || x->e.phase == 'S') {
            *tt_vec_push(&p->open) = *x;
        } else if ((x->e.phase == 'e' || x->e.phase == 'F') && p->open.n) {
            uint32_t track = async_track(p, &p->open.at[p->open.n - 1]);
            close_open(p, p->open.n - 1, track, &x->e);
        } else if (x->e.phase == 'e' || x->e.phase == 'F') {
            lone_end(p, &x->e);
        }
    }
    close_rest(p, async_track);
}

void tt_finish_pairs(tt_finish *fin, tt_builder *out)
{
    struct pairs p = {.fin = fin, .out = out, .close_at = INT64_MIN};
    tt_strings_init(&p.keys);
    tt_strings_init(&p.async_keys);
    for (uint32_t k = 0; k + 1 < fin->n_b; k++) {
        if (fin->b[k]->max_ts > p.close_at) p.close_at = fin->b[k]->max_ts;
    }
    collect(&p);
    match_sync(&p);
    match_async(&p);
    tt_vec_free(&p.sync);
    tt_vec_free(&p.async);
    tt_vec_free(&p.open);
    tt_vec_free(&p.out_track);
    tt_strings_free(&p.keys);
    tt_strings_free(&p.async_keys);
    tt_vec_free(&p.async_at);
}

/* Joins the slices of all tracks into the columns in parallel: collects blocks of tracks, chooses parts, finds runs
 * in each, and assigns tasks. See track_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/build/passes/fix_rounded_starts.h"
#include "model/build/passes/track_parts.h"

#define SETTLED_NS 16                     /* uncertainty that does not affect nesting noticeably, ns */
#define PART ((uint32_t)1 << 14)          /* slices in a part: input and output fit into the cache together */
#define SAMPLES 16u                       /* samples per part, to choose its beginning */
#define GROUP ((uint32_t)1 << 15)         /* slices in a group of blocks; more if there were too many groups */
#define MOST_GROUPS 64u                   /* limit: each group has a list per part */
#define WORTH_THREADS ((uint32_t)1 << 16) /* slices below which threads do not pay off */

struct task {
    uint64_t cost;     /* cost in slices */
    tt_track_parts *t; /* track; NULL: a part of the other events */
    uint32_t at;       /* index of part or group */
};

struct tasks {
    tt_finish *fin;
    TT_VEC(struct task) list;
};

/* ---- blocks ---- */

static void collect_blocks(tt_track_parts *t)
{
    tt_finish *fin = t->fin;
    TT_VEC(const tt_rec_block *) blocks = {0};
    TT_VEC(uint32_t) owner = {0};
    for (uint32_t k = 0; k < fin->n_b; k++) {
        uint32_t l = fin->local_track[(size_t)t->track * fin->n_b + k];
        if (l == TT_NONE) continue;
        for (const tt_rec_block *b = fin->b[k]->tracks.at[l].first; b; b = b->next) {
            *tt_vec_push(&blocks) = b;
            *tt_vec_push(&owner) = k;
        }
        if (fin->consume) fin->b[k]->tracks.at[l].first = fin->b[k]->tracks.at[l].last = NULL; /* freed once copied */
    }
    t->block = blocks.at;
    t->owner = owner.at;
    t->n_blocks = (uint32_t)blocks.n;
    t->left = tt_malloc(blocks.n * sizeof *t->left);
    for (uint32_t i = 0; i < t->n_blocks; i++) atomic_init(&t->left[i], blocks.at[i]->n);
}

static int file_order(const void *a, const void *b)
{
    const tt_rounded_start *x = a, *y = b;
    return x->rec->text_cat < y->rec->text_cat ? -1 : x->rec->text_cat > y->rec->text_cat;
}

/* Fix starts in place: the blocks will be freed, so their slices can change. */
static void settle(tt_track_parts *t)
{
    tt_rounded_start *items = tt_malloc(t->fin->s->tracks[t->track].n * sizeof *items);
    size_t n = 0;
    for (size_t i = 0; i < t->n_blocks; i++) {
        tt_rec_block *b = (tt_rec_block *)(uintptr_t)t->block[i];
        const tt_category *cats = t->fin->b[t->owner[i]]->cats;
        for (uint32_t k = 0; k < b->n; k++) {
            bool launch = tt_kind_is_launch(cats[tt_rec_cat(&b->at[k])].kind);
            items[n++] = (tt_rounded_start){&b->at[k], launch};
        }
    }
    tt_sort_runs(items, n, sizeof *items, file_order);
    tt_fix_rounded_starts(items, n, t->fin->jitter);
    free(items);
}

/* ---- parts ---- */

static int time_order(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Choose cut times that divide the track into parts of about equal size, by samples. */
static void choose_cuts(tt_track_parts *t, uint32_t n, uint32_t parts)
{
    TT_VEC(int64_t) seen = {0};
    uint64_t every = n / ((uint64_t)parts * SAMPLES), at = 0; /* at: offset in the next block */
    for (uint32_t b = 0; b < t->n_blocks; b++) {
        for (; at < t->block[b]->n; at += every) *tt_vec_push(&seen) = t->block[b]->at[at].ts;
        at -= t->block[b]->n;
    }
    tt_sort_runs(seen.at, seen.n, sizeof *seen.at, time_order);
    t->cut = tt_malloc(parts * sizeof *t->cut);
    t->n_parts = 1;
    for (uint32_t i = 1; i < parts; i++) {
        int64_t cut = seen.at[seen.n * i / parts];
        if (t->n_parts == 1 || t->cut[t->n_parts - 2] < cut) t->cut[t->n_parts++ - 1] = cut;
    }
    tt_vec_free(&seen);
}

static void divide(tt_track_parts *t)
{
    uint32_t n = t->fin->s->tracks[t->track].n, parts = n / PART;
    uint32_t most = n / MOST_GROUPS > GROUP ? n / MOST_GROUPS : GROUP;
    t->n_parts = 1;
    if (parts > 1) choose_cuts(t, n, parts);
    t->part = tt_calloc(t->n_parts, sizeof *t->part);
    TT_VEC(tt_block_group) groups = {0};
    for (uint32_t b = 0, in = 0; b < t->n_blocks || !groups.n; b++) {
        if (!groups.n || in >= most) {
            *tt_vec_push(&groups) = (tt_block_group){b, b, tt_calloc(t->n_parts, sizeof(tt_run_list))};
            in = 0;
        }
        if (b == t->n_blocks) break;
        in += t->block[b]->n;
        groups.at[groups.n - 1].to = b + 1;
    }
    t->group = groups.at;
    t->n_groups = (uint32_t)groups.n;
}

static void begin_track(void *arg, size_t track)
{
    tt_track_parts *t = (tt_track_parts *)arg + track;
    const tt_track *of = &t->fin->s->tracks[track];
    collect_blocks(t);
    if (t->fin->jitter > SETTLED_NS && t->fin->consume && of->kind == TT_TRACK_THREAD) settle(t);
    divide(t);
}

static void find_runs(void *arg, size_t i)
{
    const struct tasks *tasks = arg;
    const tt_track_parts *t = tasks->list.at[i].t;
    const tt_block_group *g = &t->group[tasks->list.at[i].at];
    tt_runs_find(g->runs, t->block, g->from, g->to, t->cut, t->n_parts - 1);
}

/* Set the rows of each part, once all runs are known. */
static void place_parts(tt_track_parts *t)
{
    tt_row row = t->fed = t->fin->s->tracks[t->track].first;
    for (uint32_t p = 0; p < t->n_parts; p++) {
        uint64_t n = 0;
        for (uint32_t g = 0; g < t->n_groups; g++) {
            for (size_t i = 0; i < t->group[g].runs[p].n; i++) n += t->group[g].runs[p].at[i].n;
        }
        t->part[p].first = row;
        t->part[p].n = (uint32_t)n;
        row += t->part[p].n;
    }
}

/* ---- the end of a track ---- */

static void join_lists(tt_track_parts *t)
{
    struct tt_track_rows all = {0};
    size_t launches = 0;
    for (uint32_t p = 0; p < t->n_parts; p++) launches += t->part[p].rows.launches.n;
    tt_vec_reserve(&all.launches, launches);
    for (uint32_t p = 0; p < t->n_parts; p++) {
        struct tt_track_rows *r = &t->part[p].rows;
        for (size_t i = 0; i < r->launches.n; i++) *tt_vec_push(&all.launches) = r->launches.at[i];
        for (size_t i = 0; i < r->steps.n; i++) *tt_vec_push(&all.steps) = r->steps.at[i];
        all.devices += r->devices;
        tt_vec_free(&r->launches);
        tt_vec_free(&r->steps);
    }
    t->fin->rows[t->track] = all;
}

/* Part `filled` is complete: nest all parts that can be nested, unless another thread is nesting and will see it. */
static void nest_on(tt_track_parts *t, uint32_t filled)
{
    pthread_mutex_t *lock = &t->fin->stocking;
    pthread_mutex_lock(lock);
    t->part[filled].filled = true;
    bool at_it = !t->nesting;
    t->nesting = true;
    while (at_it && t->nested < t->n_parts && t->part[t->nested].filled) {
        pthread_mutex_unlock(lock);
        tt_part_nest(t, t->nested);
        pthread_mutex_lock(lock);
        t->nested++;
    }
    bool done = at_it && t->nested == t->n_parts;
    if (at_it) t->nesting = false;
    pthread_mutex_unlock(lock);
    if (!done) return;
    tt_parts_nested(t);
    join_lists(t);
}

static void fill(void *arg, size_t i)
{
    const struct tasks *tasks = arg;
    const struct task *k = &tasks->list.at[i];
    if (!k->t) {
        tt_finish_side(tasks->fin, k->at);
    } else {
        tt_part_fill(k->t, k->at);
        nest_on(k->t, k->at);
    }
}

static void free_parts(tt_track_parts *t)
{
    for (uint32_t g = 0; g < t->n_groups; g++) free(t->group[g].runs);
    free(t->group);
    free(t->part);
    free(t->cut);
    free(t->left);
    free(t->owner);
    free(t->block);
}

/* ---- all tracks ---- */

/* Sort tasks: undivided ones first, then the largest tracks; parts of a track in order. */
static int task_order(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    if (!x->t != !y->t) return x->t ? 1 : -1;
    if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void push_tracks(struct tasks *tasks, tt_track_parts *all, bool groups)
{
    for (uint32_t k = 0; k < tasks->fin->s->n_tracks; k++) {
        uint32_t n = groups ? all[k].n_groups : all[k].n_parts;
        for (uint32_t i = 0; i < n; i++) {
            *tt_vec_push(&tasks->list) = (struct task){tasks->fin->s->tracks[k].n, &all[k], i};
        }
    }
    tt_sort_runs(tasks->list.at, tasks->list.n, sizeof *tasks->list.at, task_order);
}

void tt_finish_rows(tt_finish *fin)
{
    tt_trace *s = fin->s;
    struct tasks tasks = {.fin = fin};
    tt_track_parts *all = tt_calloc(s->n_tracks, sizeof *all);
    unsigned threads = s->n < WORTH_THREADS ? 1 : fin->threads;
    for (uint32_t k = 0; k < s->n_tracks; k++) all[k].fin = fin, all[k].track = k;
    tt_parallel(threads, s->n_tracks, begin_track, all);
    push_tracks(&tasks, all, true);
    tt_parallel(threads, tasks.list.n, find_runs, &tasks);
    for (uint32_t k = 0; k < s->n_tracks; k++) place_parts(&all[k]);
    tasks.list.n = 0;
    for (uint32_t part = 0; part < TT_JOIN_SIDES; part++) {
        *tt_vec_push(&tasks.list) = (struct task){tt_finish_side_cost(fin, part), NULL, part};
    }
    push_tracks(&tasks, all, false);
    tt_parallel(threads, tasks.list.n, fill, &tasks);
    tt_vec_free(&tasks.list);
    for (uint32_t k = 0; k < s->n_tracks; k++) free_parts(&all[k]);
    free(all);
}

/* model/hang/merge.c - from the names of each dump to run-wide numbers: the world, the groups, the texts. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

typedef struct listing { /* a group as one or more dumps list it: one name, one list of members */
    const char *name, *desc;
    uint32_t list;  /* index into merge.lists */
    uint32_t as;    /* listing that this one is a second name of; itself: none */
    uint32_t group; /* index into tt_hang.groups */
} listing;

typedef struct merge {
    tt_hang *h;
    tt_strings lists; /* lists of members, as the bytes of their runs; id 0 = empty */
    tt_groups ids;    /* (name, list) -> index into listings */
    TT_VEC(listing) listings;
    uint32_t **listing_of; /* by trace, by group of the dump; TT_NONE: a group without members */
} merge;

static const char *keep(tt_hang *h, const char *text)
{
    return tt_str(&h->texts, tt_strings_put(&h->texts, text, strlen(text)));
}

static const tt_flight_run *runs_of(const merge *m, uint32_t list, size_t *n)
{
    *n = m->lists.len.at[list] / sizeof(tt_flight_run);
    return (const tt_flight_run *)(const void *)tt_str(&m->lists, list);
}

/* ---- the world ---- */

static uint32_t list_of(merge *m, const tt_flight *f, const tt_flight_group *g)
{
    return tt_strings_put(&m->lists, (const char *)(f->runs + g->run), g->n_runs * sizeof *f->runs);
}

/* All ranks that a group lists or that left a dump. */
static void find_world(merge *m)
{
    tt_hang *h = m->h;
    TT_VEC(int64_t) ranks = {0};
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        for (uint32_t g = 0; f && g < f->n_groups; g++) (void)list_of(m, f, &f->groups[g]);
        if (f && h->session->traces[t]->rank >= 0) *tt_vec_push(&ranks) = h->session->traces[t]->rank;
    }
    for (uint32_t l = 0; l < m->lists.text.n; l++) {
        size_t n;
        const tt_flight_run *runs = runs_of(m, l, &n);
        for (size_t i = 0; i < n; i++)
            for (int64_t k = 0; k < runs[i].n; k++) *tt_vec_push(&ranks) = tt_flight_rank_at(&runs[i], k);
    }
    TT_SORT_UP(ranks.at, ranks.n);
    h->ranks = tt_calloc(ranks.n + 1, sizeof *h->ranks);
    for (size_t i = 0; i < ranks.n; i++) {
        if (i && ranks.at[i] == ranks.at[i - 1]) continue;
        h->ranks[h->n_ranks++] = (tt_hang_rank){.rank = ranks.at[i],
                                                .trace = TT_NONE,
                                                .state = TT_HANG_LEFT_NO_DUMP,
                                                .fault = TT_NONE,
                                                .wait = TT_HANG_NO_ENTRY,
                                                .wait_group = TT_NONE,
                                                .wait_seq = TT_UNKNOWN};
    }
    tt_vec_free(&ranks);
}

static uint32_t world_list(merge *m)
{
    tt_flight_runs runs = {0};
    for (uint32_t i = 0; i < m->h->n_ranks; i++) tt_flight_add_rank(&runs, 0, m->h->ranks[i].rank);
    uint32_t id = tt_strings_put(&m->lists, (const char *)runs.at, runs.n * sizeof *runs.at);
    tt_vec_free(&runs);
    return id;
}

static void place_dumps(tt_hang *h)
{
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_trace *trace = h->session->traces[t];
        h->dumps[t].rank = trace->flight && trace->rank >= 0 ? tt_hang_rank_at(h, trace->rank) : TT_NONE;
        if (h->dumps[t].rank == TT_NONE) continue;
        h->ranks[h->dumps[t].rank].trace = t;
        h->ranks[h->dumps[t].rank].state = TT_HANG_IDLE;
    }
}

/* ---- groups ---- */

static void find_listings(merge *m)
{
    tt_hang *h = m->h;
    uint32_t world = world_list(m);
    m->listing_of = tt_calloc(h->session->n_traces + (size_t)1, sizeof *m->listing_of);
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        if (!f) continue;
        m->listing_of[t] = tt_calloc(f->n_groups + (size_t)1, sizeof *m->listing_of[t]);
        for (uint32_t g = 0; g < f->n_groups; g++) {
            const tt_strings *s = &h->session->traces[t]->strings;
            const char *name = tt_str(s, f->groups[g].name), *desc = tt_str(s, f->groups[g].desc);
            uint32_t list = list_of(m, f, &f->groups[g]);
            if (!list && (!strcmp(desc, "default_pg") || !strcmp(name, "0"))) list = world;
            m->listing_of[t][g] = TT_NONE;
            if (!list) continue;
            tt_sid id = tt_strings_put(&h->texts, name, strlen(name));
            uint32_t k = tt_groups_put(&m->ids, (tt_group_key){.a = id, .b = list});
            if (k == m->listings.n)
                *tt_vec_push(&m->listings) =
                    (listing){.name = tt_str(&h->texts, id), .desc = keep(h, desc), .list = list, .as = k};
            m->listing_of[t][g] = k;
        }
    }
}

/* Whether each dump that has one of these listings has just one of them. */
static bool one_each(const merge *m, const uint32_t *group_of_listing, uint32_t set)
{
    for (uint32_t t = 0; t < m->h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(m->h, t);
        uint32_t n = 0;
        for (uint32_t g = 0; f && g < f->n_groups; g++)
            n += m->listing_of[t][g] != TT_NONE && group_of_listing[m->listing_of[t][g]] == set;
        if (n > 1) return false;
    }
    return true;
}

static bool before(const char *a, const char *b)
{
    size_t n = strlen(a), k = strlen(b);
    return n != k ? n < k : strcmp(a, b) < 0;
}

/* Give the names of one group one listing: that of the shortest name, then of the first by its bytes. */
static void unify(merge *m)
{
    tt_groups sets; /* (list, description) */
    uint32_t *set = tt_calloc(m->listings.n + 1, sizeof *set), *names = tt_calloc(m->listings.n + 1, sizeof *names);
    uint32_t *first = tt_calloc(m->listings.n + 1, sizeof *first);
    tt_groups_init(&sets);
    for (uint32_t i = 0; i < m->listings.n; i++) {
        const listing *l = &m->listings.at[i];
        tt_sid desc = tt_strings_put(&m->h->texts, l->desc, strlen(l->desc));
        set[i] = tt_groups_put(&sets, (tt_group_key){.a = l->list, .b = desc});
        if (!names[set[i]]++ || before(l->name, m->listings.at[first[set[i]]].name)) first[set[i]] = i;
    }
    for (uint32_t k = 0; k < sets.key.n; k++) {
        const tt_flight_run *runs;
        size_t n;
        runs = runs_of(m, (uint32_t)sets.key.at[k].a, &n);
        if (names[k] < 2 || (n == 1 && runs[0].n < 2) || !one_each(m, set, k)) continue;
        for (uint32_t i = 0; i < m->listings.n; i++)
            if (set[i] == k) m->listings.at[i].as = first[k];
        tt_problem_add(&m->h->problems, TT_PROBLEM_GROUP_NAMES_DIFFER, -1, m->listings.at[first[k]].desc,
                       strlen(m->listings.at[first[k]].desc));
    }
    free(set);
    free(names);
    free(first);
    tt_groups_free(&sets);
}

typedef struct group_order {
    uint32_t listing, length;
    const char *name;
    const merge *m;
} group_order;

/* Order of groups: length of the name, name, members. */
static int by_name(const void *pa, const void *pb)
{
    const group_order *a = pa, *b = pb;
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    int c = strcmp(a->name, b->name);
    size_t n, k;
    const tt_flight_run *x = runs_of(a->m, a->m->listings.at[a->listing].list, &n);
    const tt_flight_run *y = runs_of(b->m, b->m->listings.at[b->listing].list, &k);
    for (size_t i = 0; !c && i < n && i < k; i++) {
        c = (x[i].first > y[i].first) - (x[i].first < y[i].first);
        if (!c) c = (x[i].step > y[i].step) - (x[i].step < y[i].step);
        if (!c) c = (x[i].n > y[i].n) - (x[i].n < y[i].n);
    }
    return c ? c : (n > k) - (n < k);
}

static void add_members(tt_hang *h, tt_hang_group *g, const tt_flight_run *runs, size_t n)
{
    size_t total = h->n_members;
    for (size_t i = 0; i < n; i++) total += (size_t)runs[i].n;
    h->members = tt_realloc(h->members, total + 1, sizeof *h->members);
    g->first = h->n_members;
    for (size_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < runs[i].n; k++) {
            uint32_t rank = tt_hang_rank_at(h, tt_flight_rank_at(&runs[i], k));
            h->members[h->n_members++] = (tt_hang_member){.rank = rank,
                                                          .enqueued = TT_UNKNOWN,
                                                          .started = TT_UNKNOWN,
                                                          .completed = TT_UNKNOWN,
                                                          .open = TT_UNKNOWN,
                                                          .open_entry = TT_NONE};
            g->dumps += h->ranks[rank].trace != TT_NONE;
        }
    }
    g->size = h->n_members - g->first;
}

typedef struct placed {
    uint32_t rank, member;
} placed;

static void order_members(tt_hang *h)
{
    TT_VEC(placed) order = {0};
    h->by_rank = tt_calloc(h->n_members + (size_t)1, sizeof *h->by_rank);
    for (uint32_t g = 0; g < h->n_groups; g++) {
        uint32_t first = h->groups[g].first;
        order.n = 0;
        for (uint32_t i = first; i < first + h->groups[g].size; i++)
            *tt_vec_push(&order) = (placed){h->members[i].rank, i};
        TT_SORT_BY(order.at, order.n, TT_ASC(placed, rank), TT_ASC(placed, member));
        for (uint32_t i = 0; i < order.n; i++) h->by_rank[first + i] = order.at[i].member;
    }
    tt_vec_free(&order);
}

static void make_groups(merge *m)
{
    tt_hang *h = m->h;
    group_order *order = tt_calloc(m->listings.n + 1, sizeof *order);
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->listings.n; i++) {
        const listing *l = &m->listings.at[i];
        if (l->as == i)
            order[n++] = (group_order){.listing = i, .length = (uint32_t)strlen(l->name), .name = l->name, .m = m};
    }
    if (n) qsort(order, n, sizeof *order, by_name);
    h->groups = tt_calloc(n + (size_t)1, sizeof *h->groups);
    for (uint32_t i = 0; i < n; i++) {
        listing *l = &m->listings.at[order[i].listing];
        size_t n_runs;
        const tt_flight_run *runs = runs_of(m, l->list, &n_runs);
        l->group = h->n_groups;
        h->groups[h->n_groups] = (tt_hang_group){.name = l->name, .desc = l->desc, .p2p = -1};
        add_members(h, &h->groups[h->n_groups++], runs, n_runs);
    }
    order_members(h);
    free(order);
}

/* ---- numbers of each dump ---- */

static void number_groups(merge *m, uint32_t t)
{
    tt_hang *h = m->h;
    tt_hang_dump *d = &h->dumps[t];
    const tt_flight *f = tt_hang_flight(h, t);
    d->group_of = tt_calloc(f->n_groups + (size_t)1, sizeof *d->group_of);
    d->member_of = tt_calloc(f->n_groups + (size_t)1, sizeof *d->member_of);
    for (uint32_t g = 0; g < f->n_groups; g++) {
        uint32_t l = m->listing_of[t][g];
        d->group_of[g] = l == TT_NONE ? TT_NONE : m->listings.at[m->listings.at[l].as].group;
        d->member_of[g] = d->group_of[g] == TT_NONE ? TT_NONE : tt_hang_member_at(h, d->group_of[g], d->rank);
        if (d->member_of[g] != TT_NONE) h->members[d->member_of[g]].listed = true;
    }
}

/* Another dump's group of this name that has the rank as a member, if there is just one; else TT_NONE. */
static uint32_t group_elsewhere(const tt_hang *h, const char *name, uint32_t rank)
{
    uint32_t found = TT_NONE;
    for (uint32_t g = 0; g < h->n_groups && rank != TT_NONE; g++) {
        if (strcmp(h->groups[g].name, name) != 0 || tt_hang_member_at(h, g, rank) == TT_NONE) continue;
        if (found != TT_NONE) return TT_NONE;
        found = g;
    }
    return found;
}

static void number_calls(tt_hang *h, uint32_t t)
{
    tt_hang_dump *d = &h->dumps[t];
    const tt_flight *f = tt_hang_flight(h, t);
    const tt_strings *s = &h->session->traces[t]->strings;
    d->call_group = tt_calloc(f->n_calls + (size_t)1, sizeof *d->call_group);
    d->call_member = tt_calloc(f->n_calls + (size_t)1, sizeof *d->call_member);
    d->texts = tt_calloc(f->n_calls + (size_t)1, sizeof *d->texts);
    for (uint32_t c = 0; c < f->n_calls; c++) {
        const tt_flight_call *x = &f->calls[c];
        const tt_sid from[] = {x->op, x->in_sizes, x->out_sizes, x->in_dtypes, x->out_dtypes};
        tt_sid to[5];
        uint32_t g = x->group == TT_NONE ? TT_NONE : d->group_of[x->group];
        for (int i = 0; i < 5; i++) to[i] = tt_strings_put(&h->texts, tt_str(s, from[i]), s->len.at[from[i]]);
        d->texts[c] = (tt_hang_texts){to[0], to[1], to[2], to[3], to[4]};
        if (g == TT_NONE) g = group_elsewhere(h, tt_str(s, x->group_name), d->rank);
        d->call_group[c] = g;
        d->call_member[c] = g == TT_NONE ? TT_NONE : tt_hang_member_at(h, g, d->rank);
        if (g == TT_NONE)
            tt_problem_add(&h->problems, TT_PROBLEM_GROUP_UNKNOWN, -1, tt_str(s, x->group_name),
                           s->len.at[x->group_name]);
    }
}

void tt_hang_merge(tt_hang *h)
{
    merge m = {.h = h};
    tt_strings_init(&m.lists);
    tt_groups_init(&m.ids);
    find_world(&m);
    place_dumps(h);
    find_listings(&m);
    unify(&m);
    make_groups(&m);
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        if (!tt_hang_flight(h, t)) continue;
        number_groups(&m, t);
        number_calls(h, t);
        free(m.listing_of[t]);
    }
    free(m.listing_of);
    tt_vec_free(&m.listings);
    tt_groups_free(&m.ids);
    tt_strings_free(&m.lists);
}

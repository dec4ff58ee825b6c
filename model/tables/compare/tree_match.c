/* model/tables/compare/tree_match.c - lists of places aligned, level by level. */
#include "model/tables/compare/tree_match.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"

typedef struct list { /* children of a place on one side */
    const tt_side_tree *tree;
    const uint32_t *at;
    uint32_t n;
    uint32_t *mate;   /* partner's index in the other list, TT_NONE */
    tt_tree_how *how; /* how the partner was found */
} list;

static list list_new(const tt_side_tree *tree, uint32_t place, bool present)
{
    list l = {.tree = tree};
    if (present) l.at = tt_side_tree_inside(tree, place, &l.n);
    l.mate = tt_malloc((l.n + (size_t)1) * sizeof *l.mate);
    l.how = tt_calloc(l.n + (size_t)1, sizeof *l.how);
    for (uint32_t i = 0; i < l.n; i++) l.mate[i] = TT_NONE;
    return l;
}

static void list_free(list *l)
{
    free(l->mate);
    free(l->how);
}

static const tt_side_place *place_of(const list *l, uint32_t i) { return &l->tree->at.at[l->at[i]]; }

static void meet(list l[TT_SIDES], uint32_t base, uint32_t now, tt_tree_how how)
{
    l[TT_BASE].mate[base] = now;
    l[TT_NEW].mate[now] = base;
    l[TT_BASE].how[base] = l[TT_NEW].how[now] = how;
}

/* ---- likeness ---- */

enum { LEVELS = 4, WORK_MOST = 256, WHOLE = 1000, ALIKE = WHOLE / 2 };

typedef struct work { /* work of a family, per call of the described place */
    uint32_t family;
    double per_call;
} work;

typedef struct profile {
    work at[WORK_MOST];
    uint32_t n;
    bool device; /* device work, else operators */
} profile;

static void collect(const tt_side_tree *t, uint32_t place, uint32_t levels, double calls, profile *p)
{
    uint32_t n;
    const uint32_t *inside = tt_side_tree_inside(t, place, &n);
    for (uint32_t i = 0; i < n && p->n < WORK_MOST; i++) {
        const tt_side_place *at = &t->at.at[inside[i]];
        if (at->is_device == p->device) p->at[p->n++] = (work){at->family, (double)at->calls / calls};
        if (!at->is_device && levels > 1) collect(t, inside[i], levels - 1, calls, p);
    }
}

static void describe(const list *l, uint32_t i, profile *p)
{
    double calls = place_of(l, i)->calls ? (double)place_of(l, i)->calls : 1;
    p->n = 0;
    p->device = true;
    collect(l->tree, l->at[i], LEVELS, calls, p);
    if (!p->n) {
        p->device = false;
        collect(l->tree, l->at[i], LEVELS, calls, p);
    }
    TT_SORT_BY(p->at, p->n, TT_ASC(work, family));
    uint32_t kept = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        if (kept && p->at[kept - 1].family == p->at[k].family)
            p->at[kept - 1].per_call += p->at[k].per_call;
        else
            p->at[kept++] = p->at[k];
    }
    p->n = kept;
}

/* Likeness from 0 (nothing in common) to WHOLE; 0 also with fewer than `families` in common. */
static int likeness(const profile *a, const profile *b, uint32_t families)
{
    double shared = 0, of_a = 0, of_b = 0;
    uint32_t common = 0;
    if (a->device != b->device) return 0;
    for (uint32_t i = 0; i < a->n; i++) of_a += a->at[i].per_call;
    for (uint32_t i = 0; i < b->n; i++) of_b += b->at[i].per_call;
    for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
        const work *x = &a->at[i], *y = &b->at[k];
        if (x->family == y->family) {
            shared += x->per_call < y->per_call ? x->per_call : y->per_call;
            common++;
        }
        i += x->family <= y->family;
        k += y->family <= x->family;
    }
    return of_a + of_b > 0 && common >= families ? (int)(2 * WHOLE * shared / (of_a + of_b)) : 0;
}

typedef struct candidate {
    uint32_t at[TT_SIDES];
    int likeness;
} candidate;

typedef struct choice { /* selected indices of a list */
    const uint32_t *at;
    uint32_t n;
} choice;

static profile *describe_all(const list *l, choice c)
{
    profile *p = tt_malloc((c.n + (size_t)1) * sizeof *p);
    for (uint32_t i = 0; i < c.n; i++) describe(l, c.at[i], &p[i]);
    return p;
}

/* Pair the most alike first. Within one family, whatever they launch; else at least half must agree, and more than
 * one kernel, as any operator can launch a single one. */
static void pair_the_like(list l[TT_SIDES], const choice of[TT_SIDES], tt_tree_how how)
{
    profile *p[TT_SIDES];
    TT_VEC(candidate) found = {0};
    for (int side = 0; side < TT_SIDES; side++) p[side] = describe_all(&l[side], of[side]);
    for (uint32_t i = 0; i < of[TT_BASE].n; i++) {
        for (uint32_t k = 0; k < of[TT_NEW].n; k++) {
            uint32_t base = of[TT_BASE].at[i], now = of[TT_NEW].at[k];
            if (place_of(&l[TT_BASE], base)->is_device != place_of(&l[TT_NEW], now)->is_device) continue;
            candidate c = {{base, now}, likeness(&p[TT_BASE][i], &p[TT_NEW][k], how == TT_TREE_ALIKE ? 2 : 0)};
            if (how == TT_TREE_FAMILY || c.likeness >= ALIKE) *tt_vec_push(&found) = c;
        }
    }
    TT_SORT_BY(found.at, found.n, TT_DESC(candidate, likeness), TT_ASC(candidate, at[TT_BASE]),
               TT_ASC(candidate, at[TT_NEW]));
    for (size_t i = 0; i < found.n; i++) {
        const candidate *c = &found.at[i];
        if (l[TT_BASE].mate[c->at[TT_BASE]] == TT_NONE && l[TT_NEW].mate[c->at[TT_NEW]] == TT_NONE)
            meet(l, c->at[TT_BASE], c->at[TT_NEW], how);
    }
    tt_vec_free(&found);
    for (int side = 0; side < TT_SIDES; side++) free(p[side]);
}

/* ---- by name ---- */

static void match_names(list l[TT_SIDES])
{
    tt_groups names;
    tt_groups_init(&names);
    for (uint32_t i = 0; i < l[TT_BASE].n; i++) /* each base name has its own group i */
        (void)tt_groups_put(&names,
                            (tt_group_key){place_of(&l[TT_BASE], i)->name, place_of(&l[TT_BASE], i)->is_device, 0});
    for (uint32_t k = 0; k < l[TT_NEW].n; k++) {
        const tt_side_place *p = place_of(&l[TT_NEW], k);
        uint32_t i = tt_groups_put(&names, (tt_group_key){p->name, p->is_device, 0});
        if (i < l[TT_BASE].n) meet(l, i, k, TT_TREE_NAME);
    }
    tt_groups_free(&names);
}

typedef struct member { /* member of a family, without a partner so far */
    uint64_t family;
    uint32_t at;
} member;
typedef TT_VEC(member) members;

static members members_of(const list *l)
{
    members m = {0};
    for (uint32_t i = 0; i < l->n; i++) {
        const tt_side_place *p = place_of(l, i);
        if (l->mate[i] == TT_NONE) *tt_vec_push(&m) = (member){(uint64_t)p->family * 2 + p->is_device, i};
    }
    TT_SORT_BY(m.at, m.n, TT_ASC(member, family), TT_ASC(member, at));
    return m;
}

static void pair_family(list l[TT_SIDES], const choice of[TT_SIDES])
{
    uint32_t n = of[TT_BASE].n < of[TT_NEW].n ? of[TT_BASE].n : of[TT_NEW].n;
    if ((uint64_t)of[TT_BASE].n * of[TT_NEW].n > 1 && (uint64_t)of[TT_BASE].n * of[TT_NEW].n <= TT_TREE_LIKENESS_MOST)
        pair_the_like(l, of, TT_TREE_FAMILY);
    else
        for (uint32_t i = 0; i < n; i++) meet(l, of[TT_BASE].at[i], of[TT_NEW].at[i], TT_TREE_FAMILY);
}

static void match_families(list l[TT_SIDES])
{
    members m[TT_SIDES];
    uint32_t *at[TT_SIDES];
    size_t next[TT_SIDES] = {0, 0};
    for (int side = 0; side < TT_SIDES; side++) {
        m[side] = members_of(&l[side]);
        at[side] = tt_malloc((m[side].n + 1) * sizeof *at[side]);
    }
    while (next[TT_BASE] < m[TT_BASE].n && next[TT_NEW] < m[TT_NEW].n) {
        uint64_t base = m[TT_BASE].at[next[TT_BASE]].family, now = m[TT_NEW].at[next[TT_NEW]].family;
        uint64_t family = base < now ? base : now;
        choice of[TT_SIDES] = {{at[TT_BASE], 0}, {at[TT_NEW], 0}};
        for (int side = 0; side < TT_SIDES; side++)
            while (next[side] < m[side].n && m[side].at[next[side]].family == family)
                at[side][of[side].n++] = m[side].at[next[side]++].at;
        if (of[TT_BASE].n && of[TT_NEW].n) pair_family(l, of);
    }
    for (int side = 0; side < TT_SIDES; side++) {
        tt_vec_free(&m[side]);
        free(at[side]);
    }
}

/* ---- unrelated names ---- */

static void match_the_like(list l[TT_SIDES])
{
    uint32_t *at[TT_SIDES];
    choice of[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) {
        at[side] = tt_malloc((l[side].n + (size_t)1) * sizeof *at[side]);
        of[side] = (choice){at[side], 0};
        for (uint32_t i = 0; i < l[side].n; i++)
            if (l[side].mate[i] == TT_NONE && !place_of(&l[side], i)->is_device) at[side][of[side].n++] = i;
    }
    uint64_t comparisons = (uint64_t)of[TT_BASE].n * of[TT_NEW].n;
    if (comparisons && comparisons <= TT_TREE_LIKENESS_MOST) pair_the_like(l, of, TT_TREE_ALIKE);
    for (int side = 0; side < TT_SIDES; side++) free(at[side]);
}

/* The only unmatched entry that is device work (or not); TT_NONE: none, or several. */
static uint32_t only_one(const list *l, bool is_device)
{
    uint32_t found = TT_NONE;
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->mate[i] != TT_NONE || place_of(l, i)->is_device != is_device) continue;
        if (found != TT_NONE) return TT_NONE;
        found = i;
    }
    return found;
}

static void match_the_only_ones(list l[TT_SIDES], bool is_device)
{
    uint32_t base = only_one(&l[TT_BASE], is_device), now = only_one(&l[TT_NEW], is_device);
    if (base != TT_NONE && now != TT_NONE) meet(l, base, now, TT_TREE_PLACE);
}

/* ---- the trees ---- */

/* The longest run of pairs in equal order on both sides, as ascending indices of the base: longest increasing
 * subsequence of the partners, O(n log n), equal to Hunt and Szymanski's method where every name occurs once. The
 * caller frees. */
static uint32_t *anchors(const list *base, uint32_t *n)
{
    uint32_t *tail = tt_malloc((base->n + (size_t)1) * sizeof *tail); /* end of the best run of each length */
    uint32_t *before = tt_malloc((base->n + (size_t)1) * sizeof *before);
    uint32_t length = 0;
    for (uint32_t i = 0; i < base->n; i++) {
        if (base->mate[i] == TT_NONE) continue;
        uint32_t low = 0, high = length;
        TT_BISECT(low, high, k, base->mate[tail[k]] < base->mate[i]);
        before[i] = low ? tail[low - 1] : TT_NONE;
        tail[low] = i;
        if (low == length) length++;
    }
    for (uint32_t k = length, i = length ? tail[length - 1] : TT_NONE; k--; i = before[i]) tail[k] = i;
    free(before);
    *n = length;
    return tail;
}

static tt_tree_pair pair_at(const list l[TT_SIDES], uint32_t base, uint32_t now, const tt_tree_pair *like)
{
    tt_tree_pair p = *like;
    p.place[TT_BASE] = base == TT_NONE ? TT_NONE : l[TT_BASE].at[base];
    p.place[TT_NEW] = now == TT_NONE ? TT_NONE : l[TT_NEW].at[now];
    p.how = now == TT_NONE || base == TT_NONE ? TT_TREE_ALONE : l[TT_NEW].how[now];
    return p;
}

/* Write the pairs between two anchors: rows of the base alone, then of the new side. */
static void put_in_order(const list l[TT_SIDES], const tt_tree_pair *like, tt_tree_pairs *out)
{
    uint32_t n, *anchor = anchors(&l[TT_BASE], &n), base = 0, now = 0;
    for (uint32_t k = 0; k <= n; k++) {
        uint32_t base_end = k < n ? anchor[k] : l[TT_BASE].n,
                 now_end = k < n ? l[TT_BASE].mate[anchor[k]] : l[TT_NEW].n;
        for (; base < base_end; base++)
            if (l[TT_BASE].mate[base] == TT_NONE) *tt_vec_push(out) = pair_at(l, base, TT_NONE, like);
        for (; now < now_end; now++) *tt_vec_push(out) = pair_at(l, l[TT_NEW].mate[now], now, like);
        if (k < n) *tt_vec_push(out) = pair_at(l, base++, now++, like);
    }
    free(anchor);
}

/* Whether the list has an operator of the family of the one around, but another name. A recursive operator is no
 * extra level. */
static bool has_level(const list *l, const tt_side_place *around)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tt_side_place *p = place_of(l, i);
        if (!p->is_device && p->family == around->family && p->name != around->name) return true;
    }
    return false;
}

/* If one side has an extra level inside of a pair, replace the other side's list by the place of the pair itself. */
static void match_level(list l[TT_SIDES], tt_tree_pair *up)
{
    const tt_side_place *around[TT_SIDES];
    bool level[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) {
        around[side] = &l[side].tree->at.at[up->place[side]];
        level[side] = has_level(&l[side], around[side]);
    }
    if (level[TT_BASE] == level[TT_NEW] || around[TT_BASE]->family != around[TT_NEW]->family) return;
    list *other = &l[level[TT_BASE] ? TT_NEW : TT_BASE];
    uint32_t *place = &up->place[level[TT_BASE] ? TT_NEW : TT_BASE];
    list_free(other);
    *other = list_new(other->tree, TT_PLACE_ROOT, false);
    other->at = place;
    other->n = 1;
    other->mate[0] = TT_NONE;
}

/* Align the children of a pair, NULL: the roots. */
static void align(const tt_side_tree side[TT_SIDES], tt_tree_pair *up, tt_tree_pair like, tt_tree_pairs *out)
{
    list l[TT_SIDES];
    bool both = true;
    for (int k = 0; k < TT_SIDES; k++) {
        uint32_t place = up ? up->place[k] : TT_PLACE_ROOT;
        l[k] = list_new(&side[k], place, !up || place != TT_NONE);
        both = both && (!up || place != TT_NONE);
    }
    if (both && up) match_level(l, up);
    if (both) {
        match_names(l);
        match_families(l);
        /* never guess below a guess: where a version has an extra level, it would compare parents with children */
        bool guessed = up && up->how >= TT_TREE_ALIKE;
        if (!guessed) match_the_like(l);
        if (up && !guessed) match_the_only_ones(l, false);
        if (up) match_the_only_ones(l, true);
    }
    size_t first = out->n;
    put_in_order(l, &like, out);
    for (size_t i = first; up && i < out->n; i++)
        for (int k = 0; k < TT_SIDES; k++)
            out->at[i].again[k] = out->at[i].place[k] != TT_NONE && out->at[i].place[k] == up->place[k];
    for (int k = 0; k < TT_SIDES; k++) list_free(&l[k]);
}

void tt_tree_match(const tt_side_tree side[TT_SIDES], tt_tree_pairs *out)
{
    tt_tree_pairs todo = {0}, level = {0};
    align(side, NULL, (tt_tree_pair){.up = TT_NONE}, &level);
    for (;;) {
        while (level.n) *tt_vec_push(&todo) = level.at[--level.n];
        if (!todo.n) break;
        tt_tree_pair at = todo.at[--todo.n];
        align(side, &at, (tt_tree_pair){.up = (uint32_t)out->n, .depth = at.depth + 1}, &level);
        *tt_vec_push(out) = at;
    }
    tt_vec_free(&todo);
    tt_vec_free(&level);
}

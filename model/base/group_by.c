/* model/base/group_by.c - open addressing over small fixed keys. */
#include "model/base/group_by.h"

#include <stdbool.h>
#include <stdlib.h>

static uint64_t hash(const tt_group_key *k)
{
    uint64_t h = k->a * 0x9e3779b97f4a7c15u + k->b * 0xc2b2ae3d27d4eb4fu + k->c * 0x165667b19e3779f9u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}

void tt_groups_init(tt_groups *g)
{
    *g = (tt_groups){.n_slots = 256};
    g->slot = tt_calloc(g->n_slots, sizeof *g->slot);
}

void tt_groups_free(tt_groups *g)
{
    tt_vec_free(&g->key);
    free(g->slot);
    g->slot = NULL;
}

static void grow(tt_groups *g)
{
    free(g->slot);
    g->n_slots *= 2;
    g->slot = tt_calloc(g->n_slots, sizeof *g->slot);
    for (uint32_t i = 0; i < g->key.n; i++) {
        size_t at = hash(&g->key.at[i]) & (g->n_slots - 1);
        while (g->slot[at]) at = (at + 1) & (g->n_slots - 1);
        g->slot[at] = i + 1;
    }
}

static bool is_group(const tt_groups *g, uint32_t group, const tt_group_key *key)
{
    const tt_group_key *k = &g->key.at[group];
    return k->a == key->a && k->b == key->b && k->c == key->c;
}

uint32_t tt_groups_put(tt_groups *g, tt_group_key key)
{
    if (g->key.n && is_group(g, g->last, &key)) return g->last;
    size_t at = hash(&key) & (g->n_slots - 1);
    for (; g->slot[at]; at = (at + 1) & (g->n_slots - 1))
        if (is_group(g, g->slot[at] - 1, &key)) return g->last = g->slot[at] - 1;
    g->last = (uint32_t)g->key.n;
    g->slot[at] = g->last + 1;
    *tt_vec_push(&g->key) = key;
    if (g->key.n * 2 > g->n_slots) grow(g);
    return g->last;
}

uint32_t tt_groups_put_like(tt_groups *g, tt_group_key key, uint32_t *hint)
{
    if (!*hint || !is_group(g, *hint - 1, &key)) *hint = tt_groups_put(g, key) + 1;
    return *hint - 1;
}

int64_t tt_stat_mean(const tt_stat *s)
{
    if (!s->n) return INT64_MIN;
    int64_t q = s->total / s->n, rest = s->total % s->n;
    if (rest < 0) {
        rest += s->n;
        q--;
    }
    return q + (rest * 2 >= s->n);
}

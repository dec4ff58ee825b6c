/* model/hang/roles.c - what ranks of one part of the program have open in common. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

uint32_t tt_hang_role(tt_hang_roles *x, tt_hang_entry e)
{
    const tt_flight *f = tt_hang_flight(x->h, e.trace);
    const tt_flight_entry *v = &f->entries[e.entry];
    const tt_flight_call *c = tt_flight_call_of(f, v);
    const char *desc = tt_str(&x->h->session->traces[e.trace]->strings, c->group_desc);
    uint64_t part =
        (uint64_t)tt_strings_put(&x->descs, desc, strlen(desc)) << 32 | x->h->dumps[e.trace].texts[v->call].op;
    return tt_groups_put(&x->ids, (tt_group_key){.a = part, .b = c->p2p, .c = (uint64_t)tt_flight_seq(f, v)});
}

uint32_t tt_hang_lost_role(tt_hang_roles *x, uint32_t group, int64_t seq)
{
    const char *desc = x->h->groups[group].desc;
    uint64_t part = (uint64_t)tt_strings_put(&x->descs, desc, strlen(desc)) << 32;
    return tt_groups_put(&x->ids, (tt_group_key){.a = part, .c = (uint64_t)seq});
}

static void find_roles_of(tt_hang_roles *x, uint32_t r)
{
    const tt_hang *h = x->h;
    uint32_t t = h->ranks[r].trace, from = (uint32_t)x->at.n;
    const tt_flight *f = tt_hang_flight(h, t);
    x->first[r] = from;
    for (uint32_t i = 0; f && i < f->n_entries; i++)
        if (f->entries[i].open) *tt_vec_push(&x->at) = tt_hang_role(x, (tt_hang_entry){t, i});
    for (uint32_t i = 0; f && i < f->n_groups; i++) {
        uint32_t m = h->dumps[t].member_of[i];
        if (m == TT_NONE || h->members[m].open == TT_UNKNOWN || h->members[m].open_entry != TT_NONE) continue;
        *tt_vec_push(&x->at) = tt_hang_lost_role(x, h->dumps[t].group_of[i], h->members[m].open);
    }
    uint32_t *own = x->at.at + from, n = (uint32_t)x->at.n - from, kept = 0;
    TT_SORT_UP(own, n);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || own[i] != own[kept - 1]) own[kept++] = own[i];
    x->at.n = from + kept;
}

void tt_hang_find_roles(const tt_hang *h, tt_hang_roles *x)
{
    *x = (tt_hang_roles){.h = h};
    tt_groups_init(&x->ids);
    tt_strings_init(&x->descs);
    x->first = tt_calloc(h->n_ranks + (size_t)2, sizeof *x->first);
    for (uint32_t r = 0; r < h->n_ranks; r++) find_roles_of(x, r);
    x->first[h->n_ranks] = (uint32_t)x->at.n;
}

void tt_hang_roles_free(tt_hang_roles *x)
{
    tt_groups_free(&x->ids);
    tt_strings_free(&x->descs);
    free(x->first);
    tt_vec_free(&x->at);
}

/* model/hang/calls.c - the collectives of all dumps, each with its entries. */
#include <stdlib.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

/* The number of an entry's call; TT_NONE: a send or receive, or of no known group. */
static uint32_t call_id(const tt_hang *h, tt_groups *ids, uint32_t t, const tt_flight_entry *e)
{
    const tt_hang_dump *d = &h->dumps[t];
    const tt_flight *f = tt_hang_flight(h, t);
    if (d->call_member[e->call] == TT_NONE || f->calls[e->call].p2p || e->seq == TT_UNKNOWN) return TT_NONE;
    return tt_groups_put(ids, (tt_group_key){.a = d->call_group[e->call], .b = (uint64_t)e->seq});
}

/* Number all calls. */
static void find_ids(tt_hang *h, tt_groups *ids)
{
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        uint32_t t = h->ranks[r].trace;
        const tt_flight *f = tt_hang_flight(h, t);
        for (uint32_t i = 0; f && i < f->n_entries; i++) (void)call_id(h, ids, t, &f->entries[i]);
    }
}

typedef struct numbered_call {
    uint32_t group, id;
    int64_t seq;
} numbered_call;

void tt_hang_index_calls(tt_hang *h)
{
    tt_groups ids;
    tt_groups_init(&ids);
    find_ids(h, &ids);
    h->n_calls = (uint32_t)ids.key.n;
    numbered_call *order = tt_calloc(h->n_calls + (size_t)1, sizeof *order);
    uint32_t *place = tt_calloc(h->n_calls + (size_t)1, sizeof *place), total = 0;
    for (uint32_t i = 0; i < h->n_calls; i++)
        order[i] = (numbered_call){(uint32_t)ids.key.at[i].a, i, (int64_t)ids.key.at[i].b};
    TT_SORT_BY(order, h->n_calls, TT_ASC(numbered_call, group), TT_ASC(numbered_call, seq));
    h->calls = tt_calloc(h->n_calls + (size_t)1, sizeof *h->calls);
    for (uint32_t i = 0; i < h->n_calls; i++) {
        h->calls[i] = (tt_hang_call){.group = order[i].group, .seq = order[i].seq};
        place[order[i].id] = i;
    }
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        for (uint32_t r = 0; r < h->n_ranks; r++) {
            uint32_t t = h->ranks[r].trace;
            const tt_flight *f = tt_hang_flight(h, t);
            for (uint32_t i = 0; f && i < f->n_entries; i++) {
                uint32_t id = call_id(h, &ids, t, &f->entries[i]);
                if (id == TT_NONE) continue;
                tt_hang_call *c = &h->calls[place[id]];
                if (pass) h->call_entries[c->first + c->n] = (tt_hang_entry){t, i};
                c->n++;
                c->open |= f->entries[i].open;
            }
        }
        for (uint32_t i = 0; i < h->n_calls && !pass; i++) {
            h->calls[i].first = total;
            total += h->calls[i].n;
            h->calls[i].n = 0;
        }
        if (!pass) h->call_entries = tt_calloc(total + (size_t)1, sizeof *h->call_entries);
    }
    free(order);
    free(place);
    tt_groups_free(&ids);
}

uint32_t tt_hang_call_at(const tt_hang *h, uint32_t group, int64_t seq)
{
    uint32_t from = 0, to = h->n_calls;
    while (from < to) {
        uint32_t mid = from + (to - from) / 2;
        const tt_hang_call *c = &h->calls[mid];
        if (c->group < group || (c->group == group && c->seq < seq))
            from = mid + 1;
        else
            to = mid;
    }
    return from < h->n_calls && h->calls[from].group == group && h->calls[from].seq == seq ? from : TT_NONE;
}

void tt_hang_call_times(const tt_hang *h, const tt_hang_call *c, int64_t *first, int64_t *last)
{
    *first = *last = TT_UNKNOWN;
    for (uint32_t i = c->first; i < c->first + c->n; i++) {
        int64_t t = tt_hang_entry_of(h, h->call_entries[i])->created;
        if (t == TT_UNKNOWN) continue;
        if (*first == TT_UNKNOWN || t < *first) *first = t;
        if (t > *last) *last = t;
    }
}

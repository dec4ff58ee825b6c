/* model/tables/memory/lifetimes.c - see lifetimes.h. */
#include "model/tables/memory/lifetimes.h"

#include <stdlib.h>

#include "model/tables/memory/memory.h"
#include "model/trace/analysis_cache.h"

static uint32_t stack_of(const tt_trace *s, uint32_t record)
{
    const tt_snapshot_event *e = tt_snapshot_event_of(s->snapshot, &s->memory[record]);
    return e ? e->stack : 0;
}

static void add_recorded(const tt_trace *s, const tt_memory_links *links, tt_lifetimes *out, tt_groups *open)
{
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        uint32_t device = (uint32_t)m->device_id;
        if (m->pool || !m->bytes) continue;
        if (m->bytes > 0) {
            *tt_vec_push(&out->at) = (tt_lifetime){m->bytes, i, links->mate[i], stack_of(s, i), device};
            if (links->mate[i] == TT_NONE) tt_groups_put(open, (tt_group_key){.a = m->addr, .b = device});
        } else if (links->mate[i] == TT_NONE) {
            *tt_vec_push(&out->at) = (tt_lifetime){-m->bytes, TT_NONE, i, 0, device};
        }
    }
}

/* Add active blocks without an allocation record, unless the events end before the state. */
static void add_older(const tt_snapshot *p, tt_lifetimes *out, tt_groups *open)
{
    for (uint32_t i = 0; i < p->n_segments && !p->cut; i++) {
        const tt_snapshot_segment *g = &p->segments[i];
        for (uint32_t k = 0; k < g->n; k++) {
            const tt_snapshot_block *b = &p->blocks[g->first + k];
            size_t known = open->key.n;
            if (b->state != TT_BLOCK_ACTIVE) continue;
            if (tt_groups_put(open, (tt_group_key){.a = b->addr, .b = g->device}) < known) continue;
            *tt_vec_push(&out->at) = (tt_lifetime){b->requested, TT_NONE, TT_NONE, b->stack, g->device};
        }
    }
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_lifetimes *l = tt_calloc(1, sizeof *l);
    tt_groups open;
    if (!s->snapshot) return l;
    tt_groups_init(&open);
    add_recorded(s, tt_memory_links_get(session, trace), l, &open);
    add_older(s->snapshot, l, &open);
    tt_groups_free(&open);
    return l;
}

static void release(void *value)
{
    tt_lifetimes *l = value;
    tt_vec_free(&l->at);
    free(l);
}

const tt_lifetimes *tt_lifetimes_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"lifetimes of memory", build, release};
    return tt_analysis_get(s, trace, &kind);
}

/* model/tables/memory/memory_names.c - table memory_names: allocations and frees of each named part of the program,
 * and reservations for it, per place. Equals Paddle's Memory Summary and VisualDL's memory table. */
#include "model/tables/memory/columns.h"
#include "model/tables/memory/memory.h"

#include <stdlib.h>

static const tt_column columns[] = {
    [TT_MEMORY_NAMES_DEVICE] = COL("device", "Device", STRING, 1, "place of the memory"),
    [TT_MEMORY_NAMES_NAME] = COL(
        "name", "Name", STRING, 0,
        "innermost operator, stage or range around it on its thread, parts of operators left out; unknown: none. Each "
        "record counts once; Paddle counts those of an operator inside an operator twice"),
    [TT_MEMORY_NAMES_KIND] =
        COL("kind", "Kind", STRING, 0,
            "allocated: by the program from the caching allocator; reserved: by the allocator from the device"),
    [TT_MEMORY_NAMES_ALLOCATION_COUNT] = COL("allocation_count", "Allocations", COUNT, 1, "allocations"),
    [TT_MEMORY_NAMES_FREE_COUNT] = COL("free_count", "Frees", COUNT, 1, "frees"),
    [TT_MEMORY_NAMES_ALLOCATION_BYTES] = COL("allocation_bytes", "Allocated", BYTES, 0, "bytes allocated"),
    [TT_MEMORY_NAMES_FREE_BYTES] = COL("free_bytes", "Freed", BYTES, 0, "bytes freed"),
    [TT_MEMORY_NAMES_INCREASE_BYTES] = COL("increase_bytes", "Net", BYTES, 0, "bytes allocated minus freed"),
};

typedef struct usage {
    int64_t allocations, frees, allocated, freed;
    uint32_t kind; /* tt_kind of the slices */
} usage;

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    const tt_memory_links *links = tt_memory_links_get(q->session, q->trace);
    tt_groups groups;
    TT_VEC(usage) list = {0};
    tt_groups_init(&groups);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        if ((!m->bytes && !m->addr) || !tt_query_has(q, m->ts)) continue; /* a record of totals only */
        uint32_t node = links->node[i];
        uint64_t named = m->maker ? m->maker : UINT64_MAX;
        tt_group_key k = {
            .a = node == TT_NONE ? named : s->name[tree->row[node]], .b = tt_memory_device(m), .c = m->pool};
        uint32_t at = tt_groups_put(&groups, k);
        if (at == list.n) *tt_vec_push(&list) = (usage){0};
        usage *u = &list.at[at];
        if (node != TT_NONE) u->kind = tt_row_kind(s, tree->row[node]);
        u->allocations += m->bytes > 0;
        u->frees += m->bytes < 0;
        u->allocated += m->bytes > 0 ? m->bytes : 0;
        u->freed += m->bytes < 0 ? -m->bytes : 0;
    }
    for (size_t i = 0; i < list.n; i++) {
        const usage *u = &list.at[i];
        const tt_group_key *k = &groups.key.at[i];
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_MEMORY_NAMES_DEVICE, tt_device_text(t, s->rules, (int16_t)(k->b >> 16), (int16_t)k->b));
        if (k->a != UINT64_MAX) {
            tt_set_ref(t, row, TT_MEMORY_NAMES_NAME, tt_str(&s->strings, (tt_sid)k->a));
            tt_set_slices(q, t, row, 1u << u->kind, tt_str(&s->strings, (tt_sid)k->a));
        }
        tt_set_ref(t, row, TT_MEMORY_NAMES_KIND, k->c ? "reserved" : "allocated");
        tt_set_i(t, row, TT_MEMORY_NAMES_ALLOCATION_COUNT, u->allocations);
        tt_set_i(t, row, TT_MEMORY_NAMES_FREE_COUNT, u->frees);
        tt_set_i(t, row, TT_MEMORY_NAMES_ALLOCATION_BYTES, u->allocated);
        tt_set_i(t, row, TT_MEMORY_NAMES_FREE_BYTES, u->freed);
        tt_set_i(t, row, TT_MEMORY_NAMES_INCREASE_BYTES, u->allocated - u->freed);
    }
    if (!t->n_rows) tt_note_advice(t, "No memory events", tt_advice_of(tt_query_trace(q)->rules)->record_memory);
    tt_groups_free(&groups);
    tt_vec_free(&list);
}

const tt_table_desc tt_table_memory_names = {
    .id = "memory_names",
    .title = "Memory by name",
    .meaning = "what each named part of the program allocates and frees, and what is reserved for it, by place",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .default_sort = "increase_bytes",
    .default_desc = true,
    .compute = compute,
};

/* model/tables/memory/snapshot_state.c - tables memory_fragmentation and memory_segments: how an allocator's memory
 * was divided when the snapshot was taken.
 *
 * A block is active, pending (freed, but another stream can still use it) or free; the three add up to the reserved
 * memory. The allocator rounds block sizes up. Free memory is usable only in one piece: fragmentation is the part of
 * it outside of the largest block. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/memory/snapshot_note.h"
#include "model/tables/table_util.h"
#include "model/trace/snapshot.h"

typedef struct state_sum { /* sums over segments */
    const tt_snapshot_segment *first;
    int64_t segments, blocks, reserved, allocated, requested, pending, free, free_blocks, largest;
} state_sum;
typedef TT_VEC(state_sum) sum_list;

static void add_segment(const tt_snapshot *p, const tt_snapshot_segment *g, state_sum *to)
{
    if (!to->segments++) to->first = g;
    to->reserved += g->size;
    to->blocks += g->n;
    for (uint32_t i = 0; i < g->n; i++) {
        const tt_snapshot_block *b = &p->blocks[g->first + i];
        if (b->state == TT_BLOCK_ACTIVE) {
            to->allocated += b->size;
            to->requested += b->requested;
        } else if (b->state == TT_BLOCK_PENDING) {
            to->pending += b->size;
        } else {
            to->free += b->size;
            to->free_blocks++;
            if (b->size > to->largest) to->largest = b->size;
        }
    }
}

/* Sum segments by key, in file order. */
static void sum_up(const tt_snapshot *p, tt_group_key (*key)(uint32_t i, const tt_snapshot_segment *g), sum_list *out)
{
    tt_groups groups;
    tt_groups_init(&groups);
    for (uint32_t i = 0; i < p->n_segments; i++) {
        uint32_t at = tt_groups_put(&groups, key(i, &p->segments[i]));
        if (at == out->n) *tt_vec_push(out) = (state_sum){0};
        add_segment(p, &p->segments[i], &out->at[at]);
    }
    tt_groups_free(&groups);
}

static void set_device(const tt_query *q, tt_table *t, uint32_t row, unsigned device)
{
    tt_set_ref(t, row, 0, tt_device_text(t, tt_query_trace(q)->rules, TT_SNAPSHOT_DEVICE_TYPE, device));
}

/* ---- memory_fragmentation ---- */

enum {
    F_DEVICE,
    F_SEGMENTS,
    F_BLOCKS,
    F_RESERVED,
    F_ALLOCATED,
    F_REQUESTED,
    F_ROUNDING,
    F_PENDING,
    F_FREE,
    F_FREE_BLOCKS,
    F_LARGEST,
    F_FRAGMENTATION
};

static const tt_column fragmentation_columns[] = {
    COL("device", "Device", STRING, 0, "device of the memory"),
    COL("segments", "Segments", COUNT, 2, "pieces that the allocator has from the device"),
    COL("blocks", "Blocks", COUNT, 3, "what the segments are divided into"),
    COL("reserved_bytes", "Reserved", BYTES, 0, "size of the segments: allocated, pending and free"),
    COL("allocated_bytes", "Allocated", BYTES, 0, "blocks that the program holds, as the allocator rounded them up"),
    COL("requested_bytes", "Requested", BYTES, 2, "what the program had asked for in these blocks"),
    COL("rounding_bytes", "Rounding", BYTES, 3, "allocated minus requested"),
    COL("pending_bytes", "Pending", BYTES, 1, "freed, but another stream may still use it"),
    COL("free_bytes", "Free", BYTES, 0, "cached by the allocator, and in no use"),
    COL("free_blocks", "Free blocks", COUNT, 1, "how many pieces the free memory is in"),
    COL("largest_free_bytes", "Largest free", BYTES, 0,
        "the largest of them: a larger request has to go to the device"),
    COL("fragmentation_pct", "Fragmentation", PERCENT, 0, "part of the free memory outside of its largest piece"),
};

static tt_group_key by_device(uint32_t i, const tt_snapshot_segment *g)
{
    (void)i;
    return (tt_group_key){.a = g->device};
}

static void compute_fragmentation(const tt_query *q, tt_table *t)
{
    const tt_snapshot *p = tt_query_trace(q)->snapshot;
    sum_list sums = {0};
    if (p) sum_up(p, by_device, &sums);
    for (size_t i = 0; i < sums.n; i++) {
        const state_sum *s = &sums.at[i];
        uint32_t row = tt_table_add(t);
        set_device(q, t, row, s->first->device);
        tt_set_i(t, row, F_SEGMENTS, s->segments);
        tt_set_i(t, row, F_BLOCKS, s->blocks);
        tt_set_i(t, row, F_RESERVED, s->reserved);
        tt_set_i(t, row, F_ALLOCATED, s->allocated);
        tt_set_i(t, row, F_REQUESTED, s->requested);
        tt_set_i(t, row, F_ROUNDING, s->allocated - s->requested);
        tt_set_i(t, row, F_PENDING, s->pending);
        tt_set_i(t, row, F_FREE, s->free);
        tt_set_i(t, row, F_FREE_BLOCKS, s->free_blocks);
        tt_set_i(t, row, F_LARGEST, s->largest);
        tt_set_d(t, row, F_FRAGMENTATION, s->free > 0 ? 100.0 * (1 - (double)s->largest / (double)s->free) : 0);
    }
    tt_vec_free(&sums);
}

const tt_table_desc tt_table_memory_fragmentation = {
    .id = "memory_fragmentation",
    .title = "Memory fragmentation",
    .meaning = "how the memory of each device was cut up when the snapshot was taken",
    .cols = fragmentation_columns,
    .n_cols = COUNT_OF(fragmentation_columns),
    .default_sort = "device",
    .note = tt_no_snapshot_note,
    .compute = compute_fragmentation,
};

/* ---- memory_segments ---- */

enum { BY_KIND, BY_SEGMENT };
enum { S_DEVICE, S_STREAM, S_TYPE, S_EXPANDABLE, S_ADDRESS, S_SEGMENTS, S_RESERVED, S_ALLOCATED, S_FREE, S_LARGEST };

static const tt_column segment_columns[] = {
    COL("device", "Device", STRING, 1, "device of the memory"),
    COL("stream", "Stream", STRING, 0, "stream that the memory is kept for"),
    COL("type", "Type", STRING, 0, "small: for requests up to 1 MiB; large: for the others"),
    COL("expandable", "Expandable", BOOL, 2, "it grows and shrinks in its place (expandable_segments:True)"),
    COL_G("address", "Address", STRING, 0, 1 << BY_SEGMENT, "where the segment begins"),
    COL("segments", "Segments", COUNT, 1, "pieces that the allocator has from the device"),
    COL("reserved_bytes", "Reserved", BYTES, 0, "their size"),
    COL("allocated_bytes", "Allocated", BYTES, 0, "blocks that the program holds, as the allocator rounded them up"),
    COL("free_bytes", "Free", BYTES, 0, "in no use"),
    COL("largest_free_bytes", "Largest free", BYTES, 0, "the largest free block"),
};
static const char *const segment_groups[] = {"kind", "segment", NULL};

static tt_group_key by_kind(uint32_t i, const tt_snapshot_segment *g)
{
    (void)i;
    return (tt_group_key){.a = g->device, .b = g->stream, .c = (uint64_t)g->large << 1 | g->expandable};
}

static tt_group_key by_segment(uint32_t i, const tt_snapshot_segment *g)
{
    (void)g;
    return (tt_group_key){.a = i};
}

static void compute_segments(const tt_query *q, tt_table *t)
{
    const tt_snapshot *p = tt_query_trace(q)->snapshot;
    sum_list sums = {0};
    if (p) sum_up(p, q->options.group == BY_SEGMENT ? by_segment : by_kind, &sums);
    for (size_t i = 0; i < sums.n; i++) {
        const state_sum *s = &sums.at[i];
        uint32_t row = tt_table_add(t);
        set_device(q, t, row, s->first->device);
        if (s->first->stream < p->n_streams)
            tt_set_ref(t, row, S_STREAM, tt_arena_printf(&t->arena, "%lld", (long long)p->streams[s->first->stream]));
        tt_set_ref(t, row, S_TYPE, s->first->large ? "large" : "small");
        tt_set_i(t, row, S_EXPANDABLE, s->first->expandable);
        if (q->options.group == BY_SEGMENT)
            tt_set_ref(t, row, S_ADDRESS, tt_arena_printf(&t->arena, "0x%llx", (unsigned long long)s->first->addr));
        tt_set_i(t, row, S_SEGMENTS, s->segments);
        tt_set_i(t, row, S_RESERVED, s->reserved);
        tt_set_i(t, row, S_ALLOCATED, s->allocated);
        tt_set_i(t, row, S_FREE, s->free);
        tt_set_i(t, row, S_LARGEST, s->largest);
    }
    tt_vec_free(&sums);
}

const tt_table_desc tt_table_memory_segments = {
    .id = "memory_segments",
    .title = "Memory segments",
    .meaning = "what the allocator had from each device when the snapshot was taken, by stream and kind",
    .cols = segment_columns,
    .n_cols = COUNT_OF(segment_columns),
    .groups = segment_groups,
    .default_sort = "reserved_bytes",
    .default_desc = true,
    .note = tt_no_snapshot_note,
    .compute = compute_segments,
};

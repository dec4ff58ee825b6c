/* parser/snapshot/records.c - converts dictionaries as they are read: events, frames, segments, blocks, and ends of
 * annotations. A dictionary's keys tell its kind. */
#include <stdlib.h>
#include <string.h>

#include "parser/snapshot/internal.h"

#define SIZE_MOST ((int64_t)1 << 50) /* bytes; a larger size is damage */
#define SUM_MOST ((int64_t)1 << 62)  /* bytes; larger sums of sizes are damage, so that no sum overflows */

/* Strings with a meaning; a string's tt_sid is its number here + 1. */
enum known {
    K_ACTION,
    K_ADDR,
    K_SIZE,
    K_STREAM,
    K_TIME,
    K_FRAMES,
    K_DEVICE_FREE,
    K_NAME,
    K_BLOCKS,
    K_ADDRESS,
    K_TOTAL_SIZE,
    K_DEVICE,
    K_SEGMENT_TYPE,
    K_IS_EXPANDABLE,
    K_STATE,
    K_REQUESTED_SIZE,
    K_STAGE,
    K_KEYS,
    W_ALLOC = K_KEYS,
    W_FREE = W_ALLOC + TT_SNAPSHOT_ACTIONS_,
    W_LARGE,
    W_START,
    W_ACTIVE,
    W_PENDING,
    W_AWAITING,
    W_COUNT
};

static const char *const known[W_COUNT] = {
    [K_ACTION] = "action",
    [K_ADDR] = "addr",
    [K_SIZE] = "size",
    [K_STREAM] = "stream",
    [K_TIME] = "time_us",
    [K_FRAMES] = "frames",
    [K_DEVICE_FREE] = "device_free",
    [K_NAME] = "name",
    [K_BLOCKS] = "blocks",
    [K_ADDRESS] = "address",
    [K_TOTAL_SIZE] = "total_size",
    [K_DEVICE] = "device",
    [K_SEGMENT_TYPE] = "segment_type",
    [K_IS_EXPANDABLE] = "is_expandable",
    [K_STATE] = "state",
    [K_REQUESTED_SIZE] = "requested_size",
    [K_STAGE] = "stage",
    [W_FREE] = "free",
    [W_LARGE] = "large",
    [W_START] = "START",
    [W_ACTIVE] = "active_allocated",
    [W_PENDING] = "active_pending_free",
    [W_AWAITING] = "active_awaiting_free",
};

void tt_sn_know(tt_pickle *p)
{
    for (unsigned i = 0; i < W_COUNT; i++)
        tt_pickle_known(p, known[i] ? known[i] : tt_snapshot_action_name[i - W_ALLOC]);
}

/* Known members of a dictionary, by key number. */
typedef const tt_pickle_cell *fields[K_KEYS];

static uint32_t known_of(tt_pickle_node n)
{
    return tt_pickle_tag(n) == TT_PICKLE_TEXT ? (n & TT_PICKLE_NUMBER) - 1 : TT_NONE;
}

static void bad_number(tt_sn *s, const char *key)
{
    tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_NUMBER, (int64_t)tt_pickle_offset(s->p), key, strlen(key));
}

/* Bytes in a member; `missing` when there is none or it is implausible. */
static int64_t size_of(tt_sn *s, const fields f, enum known key, int64_t missing)
{
    int64_t v;
    if (!f[key]) return missing;
    if (tt_pickle_integer(f[key], &v) && v >= 0 && v <= SIZE_MOST && v <= SUM_MOST - s->sizes) {
        s->sizes += v;
        return v;
    }
    bad_number(s, known[key]);
    return missing;
}

static int64_t number_of(const fields f, enum known key, int64_t missing)
{
    int64_t v;
    return f[key] && tt_pickle_integer(f[key], &v) ? v : missing;
}

static bool is(const fields f, enum known key, enum known word)
{
    return f[key] && known_of(f[key]->node) == (uint32_t)word;
}

static uint16_t stream_of(tt_sn *s, const fields f)
{
    uint32_t at = tt_groups_put(&s->stream_ids, (tt_group_key){.a = (uint64_t)number_of(f, K_STREAM, 0)});
    return at < UINT16_MAX ? (uint16_t)at : UINT16_MAX;
}

static void find_fields(const tt_pickle_cell *members, size_t n, fields f)
{
    for (size_t i = 0; i < K_KEYS; i++) f[i] = NULL;
    for (size_t i = 0; i + 1 < n; i += 2) {
        uint32_t key = known_of(members[i].node);
        if (key < K_KEYS) f[key] = &members[i + 1];
    }
}

/* ---- events ---- */

static uint32_t stack_of(tt_sn *s, const fields f)
{
    return f[K_FRAMES] ? tt_pickle_stack(&s->frames, f[K_FRAMES]->node) : 0;
}

static uint8_t action_of(const fields f)
{
    uint32_t word = known_of(f[K_ACTION]->node);
    if (word == W_FREE) return TT_SNAPSHOT_FREE;
    return word >= W_ALLOC && word < W_ALLOC + TT_SNAPSHOT_OTHER ? (uint8_t)(word - W_ALLOC) : TT_SNAPSHOT_OTHER;
}

/* time of an event, from microseconds since 1970, ns; TT_UNKNOWN */
static int64_t time_of(const fields f)
{
    int64_t us = number_of(f, K_TIME, -1);
    return us >= 0 && us < TT_TIME_MAX / 1000 ? us * 1000 : TT_UNKNOWN;
}

static tt_pickle_node event(tt_sn *s, const fields f)
{
    enum { TELL = 1024 };
    tt_snapshot_event e = {.ts = time_of(f),
                           .size = size_of(s, f, K_SIZE, 0),
                           .stream = stream_of(s, f),
                           .stack = stack_of(s, f),
                           .action = action_of(f),
                           .device = TT_SN_NO_DEVICE};
    if (e.action == TT_SNAPSHOT_OOM) {
        int64_t left = size_of(s, f, K_DEVICE_FREE, -1);
        e.addr = left < 0 ? TT_SNAPSHOT_NOT_SAID : (uint64_t)left;
    } else {
        e.addr = (uint64_t)number_of(f, K_ADDR, 0);
    }
    if (s->events.n >= TT_SNAPSHOT_EVENTS_MOST) return 0;
    *tt_vec_push(&s->events) = e;
    if (s->events.n % TELL == 0) atomic_fetch_add_explicit(&s->progress->events, TELL, memory_order_relaxed);
    return tt_pickle_make(TT_PICKLE_RECORD + TT_SN_EVENT, (uint32_t)(s->events.n - 1));
}

static tt_pickle_node mark(tt_sn *s, const fields f)
{
    tt_sn_mark m = {.ts = time_of(f), .start = is(f, K_STAGE, W_START)};
    int64_t device = number_of(f, K_DEVICE, 0);
    if (f[K_NAME] && tt_pickle_tag(f[K_NAME]->node) == TT_PICKLE_TEXT) m.name = f[K_NAME]->node & TT_PICKLE_NUMBER;
    m.device = device >= 0 && device < TT_SN_NO_DEVICE ? (uint8_t)device : 0;
    *tt_vec_push(&s->marks) = m;
    return tt_pickle_make(TT_PICKLE_RECORD + TT_SN_MARK, (uint32_t)(s->marks.n - 1));
}

/* ---- segments and blocks ---- */

static tt_pickle_node block(tt_sn *s, const fields f)
{
    tt_sn_block b = {.has_addr = f[K_ADDRESS] != NULL,
                     .b = {.addr = (uint64_t)number_of(f, K_ADDRESS, 0),
                           .size = size_of(s, f, K_SIZE, 0),
                           .stack = stack_of(s, f),
                           .state = is(f, K_STATE, W_ACTIVE)                                  ? TT_BLOCK_ACTIVE
                                    : is(f, K_STATE, W_PENDING) || is(f, K_STATE, W_AWAITING) ? TT_BLOCK_PENDING
                                                                                              : TT_BLOCK_FREE}};
    b.b.requested = b.b.state == TT_BLOCK_FREE ? 0 : size_of(s, f, K_REQUESTED_SIZE, TT_UNKNOWN);
    *tt_vec_push(&s->blocks) = b;
    return tt_pickle_make(TT_PICKLE_RECORD + TT_SN_BLOCK, (uint32_t)(s->blocks.n - 1));
}

static tt_pickle_node segment(tt_sn *s, const fields f)
{
    int64_t device = number_of(f, K_DEVICE, 0);
    *tt_vec_push(&s->segments) =
        (tt_sn_segment){.s = {.addr = (uint64_t)number_of(f, K_ADDRESS, 0),
                              .size = size_of(s, f, K_TOTAL_SIZE, 0),
                              .stream = stream_of(s, f),
                              .device = device >= 0 && device < TT_SN_NO_DEVICE ? (uint8_t)device : 0,
                              .large = is(f, K_SEGMENT_TYPE, W_LARGE),
                              .expandable = number_of(f, K_IS_EXPANDABLE, 0) == 1},
                        .blocks = f[K_BLOCKS]->node};
    return tt_pickle_make(TT_PICKLE_RECORD + TT_SN_SEGMENT, (uint32_t)(s->segments.n - 1));
}

tt_pickle_node tt_sn_record(void *arg, tt_pickle *p, const tt_pickle_cell *members, size_t n)
{
    tt_sn *s = arg;
    fields f;
    find_fields(members, n, f);
    if (f[K_ACTION] && !f[K_TIME] && tt_pickle_closing(p)) return 0; /* an event that was cut off */
    if (f[K_ACTION]) return event(s, f);
    tt_pickle_node frame = tt_pickle_frame(&s->frames, members, n);
    if (frame) return frame;
    if (f[K_BLOCKS]) return segment(s, f);
    if (f[K_STATE]) return block(s, f);
    if (f[K_STAGE]) return mark(s, f);
    return 0;
}

tt_pickle_node tt_sn_record_of(tt_sn *s, tt_pickle_node n)
{
    tt_pickle_cell cells[TT_PICKLE_MEMBERS];
    tt_pickle_node r = tt_pickle_resolve(s->p, n);
    uint32_t members = tt_pickle_members(s->p, r, cells);
    if (!members) return r;
    tt_pickle_node made = tt_sn_record(s, s->p, cells, members);
    if (!made) return r;
    tt_pickle_become(s->p, r, made);
    return made;
}

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
    K_FILENAME,
    K_LINE,
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
    [K_FILENAME] = "filename",
    [K_LINE] = "line",
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

/* Collect the members of a dictionary that was filled piece by piece, into cells. False: no dictionary, or too many. */
enum { MEMBERS = 64 };
static bool open_fields(const tt_sn *s, tt_pickle_node n, tt_pickle_cell cells[MEMBERS], uint32_t *members)
{
    const tt_pickle_node *at;
    if (tt_pickle_tag(n) != TT_PICKLE_DICT) return false;
    *members = tt_pickle_items(s->p, n, &at);
    if (!*members || *members > MEMBERS) return false;
    for (uint32_t i = 0; i < *members; i++) cells[i] = tt_pickle_value(s->p, at[i]);
    return true;
}

static void find_fields(const tt_pickle_cell *members, size_t n, fields f)
{
    for (size_t i = 0; i < K_KEYS; i++) f[i] = NULL;
    for (size_t i = 0; i + 1 < n; i += 2) {
        uint32_t key = known_of(members[i].node);
        if (key < K_KEYS) f[key] = &members[i + 1];
    }
}

/* ---- stacks ---- */

static tt_pickle_node frame(tt_sn *s, const fields f)
{
    uint32_t file = tt_pickle_tag(f[K_FILENAME]->node) == TT_PICKLE_TEXT ? f[K_FILENAME]->node & TT_PICKLE_NUMBER : 0;
    uint32_t name =
        f[K_NAME] && tt_pickle_tag(f[K_NAME]->node) == TT_PICKLE_TEXT ? f[K_NAME]->node & TT_PICKLE_NUMBER : 0;
    int64_t line = number_of(f, K_LINE, 0);
    uint32_t at = tt_groups_put(&s->frame_ids, (tt_group_key){.a = (uint64_t)file << 32 | name, .b = (uint64_t)line});
    if (at == s->frames.n) *tt_vec_push(&s->frames) = (tt_snapshot_frame){file, name, line};
    return tt_pickle_make(TT_PICKLE_RECORD + TT_SN_FRAME, at);
}

/* Frame of an item in a list of frames. Nested lists are not followed, so a circle does no harm. */
static tt_pickle_node frame_of(tt_sn *s, tt_pickle_node n)
{
    tt_pickle_cell cells[MEMBERS];
    uint32_t members;
    fields f;
    n = tt_pickle_resolve(s->p, n);
    if (!open_fields(s, n, cells, &members)) return n;
    find_fields(cells, members, f);
    return f[K_FILENAME] ? frame(s, f) : n;
}

/* Add a stack; if it is too long, only its innermost frames. */
static uint32_t add_stack(tt_sn *s, const tt_pickle_node *at, uint32_t n)
{
    enum { DEEPEST = 1024 };
    TT_VEC(uint32_t) frames = {0};
    for (uint32_t i = 0; i < n && i < DEEPEST; i++) {
        tt_pickle_node r = frame_of(s, at[i]);
        if (tt_pickle_is_record(r, TT_SN_FRAME)) *tt_vec_push(&frames) = r & TT_PICKLE_NUMBER;
    }
    uint32_t id = frames.n ? tt_strings_put(&s->stacks, (const char *)frames.at, frames.n * sizeof *frames.at) : 0;
    tt_vec_free(&frames);
    return id;
}

static uint32_t stack_of(tt_sn *s, const fields f)
{
    const tt_pickle_node *at;
    if (!f[K_FRAMES]) return 0;
    uint32_t n = tt_pickle_items(s->p, f[K_FRAMES]->node, &at), sequence = tt_pickle_sequence(s->p, f[K_FRAMES]->node);
    if (!n) return 0;
    if (sequence == TT_NONE) return add_stack(s, at, n);
    while (s->sequence_of.n <= sequence) *tt_vec_push(&s->sequence_of) = 0;
    if (!s->sequence_of.at[sequence]) {
        uint32_t id = add_stack(s, at, n);
        s->sequence_of.at[sequence] = id + 1;
    }
    return s->sequence_of.at[sequence] - 1;
}

/* ---- events ---- */

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
    (void)p;
    fields f;
    find_fields(members, n, f);
    if (f[K_ACTION]) return event(arg, f);
    if (f[K_FILENAME]) return frame(arg, f);
    if (f[K_BLOCKS]) return segment(arg, f);
    if (f[K_STATE]) return block(arg, f);
    if (f[K_STAGE]) return mark(arg, f);
    return 0;
}

tt_pickle_node tt_sn_record_of(tt_sn *s, tt_pickle_node n)
{
    tt_pickle_cell cells[MEMBERS];
    uint32_t members;
    tt_pickle_node r = tt_pickle_resolve(s->p, n);
    if (!open_fields(s, r, cells, &members)) return r;
    tt_pickle_node made = tt_sn_record(s, s->p, cells, members);
    if (!made) return r;
    tt_pickle_become(s->p, r, made);
    return made;
}

bool tt_sn_member(const tt_sn *s, tt_pickle_node dict, const char *key, tt_pickle_node *out)
{
    const tt_pickle_node *at;
    bool found = false;
    uint32_t n = tt_pickle_tag(dict) == TT_PICKLE_DICT ? tt_pickle_items(s->p, dict, &at) : 0;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        const char *name = tt_pickle_text(s->p, at[i]);
        if (!name || strcmp(name, key) != 0) continue;
        *out = at[i + 1];
        found = true;
    }
    return found;
}

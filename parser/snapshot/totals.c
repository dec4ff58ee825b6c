/* parser/snapshot/totals.c - puts a snapshot's events into the builder: a memory record for each event that changes a
 * total, with the totals after it.
 *
 * The history is a ring that may have lost its beginning, but its end is known: there the totals are those of the
 * state. So allocated before the first event = active at the end, by requested size, minus all changes by events;
 * reserved in the same way. In a truncated file the state is of a later moment: then only memory that was freed without
 * an allocation is known to have existed before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/snapshot/internal.h"

typedef struct device {
    int64_t allocated, reserved; /* totals before the first event */
    bool state, events;          /* the snapshot has a state of this device; it has events of this device */
    uint32_t track;
} device;

static int64_t change_of(const tt_snapshot_event *e)
{
    return e->action == TT_SNAPSHOT_ALLOC ? e->size : e->action == TT_SNAPSHOT_FREE ? -e->size : 0;
}

static int64_t reserved_by(const tt_snapshot_event *e)
{
    bool more = e->action == TT_SNAPSHOT_SEGMENT_ALLOC || e->action == TT_SNAPSHOT_SEGMENT_MAP;
    bool less = e->action == TT_SNAPSHOT_SEGMENT_FREE || e->action == TT_SNAPSHOT_SEGMENT_UNMAP;
    return more ? e->size : less ? -e->size : 0;
}

/* ---- times ---- */

/* Keep times from going back: several events share a microsecond, and the file has their order. */
static void mend_times(tt_sn *s)
{
    uint32_t of = TT_NONE;
    int64_t last = 0;
    for (size_t i = 0; i < s->events.n; i++) {
        tt_snapshot_event *e = &s->events.at[i];
        if (e->device != of) {
            of = e->device;
            for (size_t k = i; k < s->events.n && s->events.at[k].device == of; k++) {
                last = s->events.at[k].ts;
                if (last != TT_UNKNOWN) break;
            }
            if (last == TT_UNKNOWN) last = 0;
        }
        if (e->ts == TT_UNKNOWN) {
            tt_problem_add(&s->b.problems, TT_PROBLEM_NO_TIMESTAMP, -1, "event", 5);
        } else if (e->ts < last) {
            tt_problem_add(&s->b.problems, TT_PROBLEM_TIME_GOES_BACK, -1, tt_snapshot_action_name[e->action],
                           strlen(tt_snapshot_action_name[e->action]));
        } else {
            last = e->ts;
        }
        e->ts = last;
    }
}

/* ---- totals at the beginning ---- */

/* Requested size of blocks in older files, which lack it: from the block's allocation if that is among the events, else
 * the block's own size. */
static void find_requests(tt_sn *s)
{
    tt_groups addresses;
    TT_VEC(int64_t) size = {0}; /* size of the open allocation, TT_UNKNOWN */
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < s->out->n_blocks; i++) unknown += s->out->blocks[i].requested == TT_UNKNOWN;
    if (!unknown) return;
    tt_groups_init(&addresses);
    for (size_t i = 0; i < s->events.n; i++) {
        const tt_snapshot_event *e = &s->events.at[i];
        if (!change_of(e)) continue;
        uint32_t at = tt_groups_put(&addresses, (tt_group_key){.a = e->addr, .b = e->device});
        if (at == size.n) *tt_vec_push(&size) = TT_UNKNOWN;
        size.at[at] = e->action == TT_SNAPSHOT_ALLOC ? e->size : TT_UNKNOWN;
    }
    for (uint32_t i = 0; i < s->out->n_segments; i++) {
        const tt_snapshot_segment *g = &s->out->segments[i];
        for (uint32_t k = 0; k < g->n; k++) {
            tt_snapshot_block *b = &s->out->blocks[g->first + k];
            if (b->requested != TT_UNKNOWN) continue;
            uint32_t at = tt_groups_put(&addresses, (tt_group_key){.a = b->addr, .b = g->device});
            bool known = at < size.n && size.at[at] != TT_UNKNOWN && b->state == TT_BLOCK_ACTIVE && !s->cut;
            b->requested = known ? size.at[at] : b->size;
        }
    }
    tt_groups_free(&addresses);
    tt_vec_free(&size);
}

static void begin_from_state(const tt_sn *s, device *d)
{
    for (uint32_t i = 0; i < s->out->n_segments; i++) {
        const tt_snapshot_segment *g = &s->out->segments[i];
        d[g->device].reserved += g->size;
        d[g->device].state = true;
        for (uint32_t k = 0; k < g->n; k++) {
            const tt_snapshot_block *b = &s->out->blocks[g->first + k];
            if (b->state == TT_BLOCK_ACTIVE) d[g->device].allocated += b->requested;
        }
    }
    for (size_t i = 0; i < s->events.n; i++) {
        device *of = &d[s->events.at[i].device];
        of->events = true;
        of->allocated -= change_of(&s->events.at[i]);
        of->reserved -= reserved_by(&s->events.at[i]);
    }
}

/* Totals before the first event, when there is no state: from frees without an allocation. */
static void begin_from_frees(const tt_sn *s, device *d)
{
    tt_groups addresses;
    TT_VEC(bool) open = {0};
    int64_t reserved[TT_SN_NO_DEVICE] = {0};
    tt_groups_init(&addresses);
    for (size_t i = 0; i < s->events.n; i++) {
        const tt_snapshot_event *e = &s->events.at[i];
        d[e->device].events = true;
        reserved[e->device] += reserved_by(e);
        if (-reserved[e->device] > d[e->device].reserved) d[e->device].reserved = -reserved[e->device];
        if (!change_of(e)) continue;
        uint32_t at = tt_groups_put(&addresses, (tt_group_key){.a = e->addr, .b = e->device});
        if (at == open.n) *tt_vec_push(&open) = false;
        if (e->action == TT_SNAPSHOT_FREE && !open.at[at]) d[e->device].allocated += e->size;
        open.at[at] = e->action == TT_SNAPSHOT_ALLOC;
    }
    tt_groups_free(&addresses);
    tt_vec_free(&open);
}

/* ---- into the builder ---- */

/* Innermost frame of the program's own language, as the name of the memory's requester. */
static uint32_t maker_of(tt_sn *s, uint32_t stack)
{
    char text[512];
    const tt_strings *strings = tt_pickle_strings(s->p);
    while (s->makers.n <= stack) *tt_vec_push(&s->makers) = 0;
    if (s->makers.at[stack]) return s->makers.at[stack] - 1;
    uint32_t n = tt_pickle_stack_depth(&s->frames, stack), name = 0;
    for (uint32_t i = 0; i < n && !name; i++) {
        const tt_frame *f = tt_pickle_stack_frame(&s->frames, stack, i);
        if (!strcmp(tt_str(strings, f->file), "??")) continue; /* a C++ frame */
        tt_frame_text(f, strings, text, sizeof text);
        name = tt_build_name(&s->b, text, strlen(text));
    }
    s->makers.at[stack] = name + 1;
    return name;
}

static uint32_t track_of(tt_sn *s, device *d, unsigned number)
{
    char name[16];
    if (d->track == TT_NONE) {
        snprintf(name, sizeof name, "GPU%u", number);
        d->track = tt_build_track_of(&s->b, "memory", 6, name, strlen(name));
    }
    return d->track;
}

static void put_record(tt_sn *s, device *d, const tt_snapshot_event *e, unsigned number, uint64_t text)
{
    tt_memory_record m = {.ts = e->ts,
                          .text = text,
                          .allocated = d->allocated,
                          .reserved = d->reserved,
                          .track = track_of(s, d, number),
                          .device_type = TT_SNAPSHOT_DEVICE_TYPE,
                          .device_id = (int16_t)number};
    if (text % TT_SNAPSHOT_TEXT_BYTES) {
        m.bytes = change_of(e) ? change_of(e) : reserved_by(e);
        m.pool = !change_of(e);
        m.addr = e->addr;
        m.maker = tt_maker_bits(e->action == TT_SNAPSHOT_ALLOC ? maker_of(s, e->stack) : 0);
    }
    tt_build_memory(&s->b, &m);
}

static void put_instant(tt_sn *s, device *d, const tt_snapshot_event *e, uint64_t text)
{
    const char *name = e->action == TT_SNAPSHOT_OOM ? "out of memory" : "snapshot taken";
    uint32_t category = tt_build_name(&s->b, "memory", 6);
    const tt_instant i = {.ts = e->ts,
                          .text = text,
                          .track = track_of(s, d, e->device),
                          .name = tt_build_name(&s->b, name, strlen(name)),
                          .cat = tt_build_category(&s->b, category, TT_KIND_OTHER),
                          .scope = 't'};
    tt_build_instant(&s->b, &i);
}

static void put_events(tt_sn *s, device *d)
{
    bool begun[TT_SN_NO_DEVICE] = {false};
    for (size_t i = 0; i < s->events.n; i++) {
        const tt_snapshot_event *e = &s->events.at[i];
        device *of = &d[e->device];
        uint64_t text = TT_SNAPSHOT_TEXT(i);
        /* record the totals before the first event if it lowers one */
        if (!begun[e->device] && (change_of(e) < 0 || reserved_by(e) < 0)) {
            put_record(s, of, e, e->device, text - 1);
            s->b.n_events--;
        }
        begun[e->device] = true;
        of->allocated += change_of(e);
        of->reserved += reserved_by(e);
        if (e->action <= TT_SNAPSHOT_SEGMENT_UNMAP && e->action != TT_SNAPSHOT_COMPLETED) {
            put_record(s, of, e, e->device, text);
        } else if (e->action == TT_SNAPSHOT_OOM || e->action == TT_SNAPSHOT_TAKEN) {
            put_instant(s, of, e, text);
        } else {
            tt_build_count(&s->b);
            tt_build_other(&s->b, e->ts, text, track_of(s, of, e->device));
        }
    }
}

/* Record the totals at the end for devices with a state but no events. */
static void put_states(tt_sn *s, device *d)
{
    tt_snapshot_event end = {.ts = s->b.max_ts >= s->b.min_ts ? s->b.max_ts : 0};
    for (unsigned i = 0; i < TT_SN_NO_DEVICE; i++) {
        if (!d[i].state || d[i].events) continue;
        put_record(s, &d[i], &end, i, TT_SNAPSHOT_TEXT(s->events.n) - 1);
        s->b.n_events--;
    }
}

static void put_ranges(tt_sn *s)
{
    const tt_strings *strings = tt_pickle_strings(s->p);
    uint32_t *names = tt_calloc(strings->text.n, sizeof *names);
    uint32_t category = tt_build_name(&s->b, "user_annotation", 15);
    for (uint32_t i = 0; i < s->out->n_ranges && s->events.n + i < TT_SNAPSHOT_EVENTS_MOST; i++) {
        char track[32];
        tt_snapshot_range *r = &s->out->ranges[i];
        if (r->open) {
            tt_problem_add(&s->b.problems, TT_PROBLEM_UNMATCHED_BEGIN, -1, tt_str(strings, r->name),
                           strings->len.at[r->name]);
            if (s->b.max_ts > r->start) r->end = s->b.max_ts;
        }
        int n = snprintf(track, sizeof track, "annotations GPU%u", r->device);
        const tt_slice_in in = {.offset = TT_SNAPSHOT_TEXT(s->events.n + i),
                                .ts = r->start,
                                .dur = r->end - r->start,
                                .track = tt_build_track_of(&s->b, "memory", 6, track, (size_t)n),
                                .name = tt_pickle_moved(s->p, r->name, &s->b.names, names),
                                .cat = tt_build_category(&s->b, category, TT_KIND_ANNOTATION)};
        tt_build_slice(&s->b, &in);
        s->b.n_events++; /* the file has both ends of it as one */
    }
    free(names);
}

void tt_sn_build(tt_sn *s)
{
    device *d = tt_calloc(TT_SN_NO_DEVICE + 1, sizeof *d);
    for (unsigned i = 0; i <= TT_SN_NO_DEVICE; i++) d[i].track = TT_NONE;
    mend_times(s);
    find_requests(s);
    if (s->cut) {
        begin_from_frees(s, d);
    } else {
        begin_from_state(s, d);
    }
    put_events(s, d);
    put_states(s, d);
    put_ranges(s);
    free(d);
}

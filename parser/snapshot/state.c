/* parser/snapshot/state.c - takes segments with their blocks, and each device's events, from the snapshot's lists. A
 * list may repeat items or hold items of another kind: each item counts once. */
#include <stdlib.h>
#include <string.h>

#include "parser/snapshot/internal.h"

/* Number of a value's record of this kind; TT_NONE: it has none. */
static uint32_t record_number(tt_sn *s, tt_pickle_node n, unsigned kind)
{
    tt_pickle_node r = tt_sn_record_of(s, n);
    return tt_pickle_is_record(r, kind) ? r & TT_PICKLE_NUMBER : TT_NONE;
}

static void not_one(tt_sn *s, const char *what)
{
    tt_problem_add(&s->h.problems, TT_PROBLEM_NOT_AN_EVENT, -1, what, strlen(what));
}

/* Count an item of another kind, unless it is the last and the end of the file may have cut it off. */
static void not_one_of(tt_sn *s, const char *what, bool last)
{
    if (!last || !s->cut) not_one(s, what);
}

/* Items of a list, 0 if it was taken before. */
static uint32_t items_once(tt_sn *s, tt_pickle_node list, const char *what, const tt_pickle_node **at)
{
    uint32_t n = tt_pickle_items(s->p, list, at);
    size_t known = s->lists.key.n;
    if (!n || tt_groups_put(&s->lists, (tt_group_key){.a = list}) == known) return n;
    not_one(s, what);
    return 0;
}

/* ---- segments ---- */

typedef TT_VEC(tt_snapshot_block) block_list;

/* Take a segment's blocks, which lie side by side: older files give no addresses. */
static void take_blocks(tt_sn *s, tt_pickle_node list, tt_snapshot_segment *to, block_list *out)
{
    const tt_pickle_node *at;
    uint32_t n = items_once(s, list, "a list of blocks", &at);
    uint64_t addr = to->addr;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = record_number(s, at[i], TT_SN_BLOCK);
        if (k == TT_NONE || s->blocks.at[k].used) {
            not_one_of(s, "a block", i + 1 == n);
            continue;
        }
        tt_sn_block *b = &s->blocks.at[k];
        b->used = true;
        if (!b->has_addr) b->b.addr = addr;
        addr = b->b.addr + (uint64_t)b->b.size;
        *tt_vec_push(out) = b->b;
        to->n++;
    }
}

void tt_sn_take_segments(tt_sn *s, tt_pickle_node list)
{
    const tt_pickle_node *at;
    TT_VEC(tt_snapshot_segment) segments = {0};
    block_list blocks = {0};
    uint32_t n = tt_pickle_items(s->p, list, &at);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = record_number(s, at[i], TT_SN_SEGMENT);
        if (k == TT_NONE || s->segments.at[k].used) {
            not_one_of(s, "a segment", i + 1 == n);
            continue;
        }
        s->segments.at[k].used = true;
        tt_snapshot_segment one = s->segments.at[k].s;
        one.first = (uint32_t)blocks.n;
        take_blocks(s, s->segments.at[k].blocks, &one, &blocks);
        *tt_vec_push(&segments) = one;
    }
    s->out->segments = segments.at;
    s->out->n_segments = (uint32_t)segments.n;
    s->out->blocks = blocks.at;
    s->out->n_blocks = (uint32_t)blocks.n;
}

/* ---- events ---- */

/* Whether the events are in the order of their records, as usual: then none has to move. */
static bool in_order(tt_sn *s, const tt_pickle_node *devices, uint32_t n)
{
    const tt_pickle_node *at;
    uint32_t next = 0;
    for (uint32_t d = 0; d < n; d++) {
        uint32_t events = tt_pickle_items(s->p, devices[d], &at);
        for (uint32_t i = 0; i < events; i++, next++) {
            if (at[i] != tt_pickle_make(TT_PICKLE_RECORD + TT_SN_EVENT, next)) return false;
        }
    }
    return next == s->events.n;
}

static void give_device(tt_sn *s, const tt_pickle_node *devices, uint32_t n)
{
    const tt_pickle_node *at;
    uint32_t next = 0;
    for (uint32_t d = 0; d < n; d++) {
        uint32_t events = tt_pickle_items(s->p, devices[d], &at);
        for (uint32_t i = 0; i < events; i++) s->events.at[next++].device = (uint8_t)d;
    }
}

static void put_in_order(tt_sn *s, const tt_pickle_node *devices, uint32_t n)
{
    const tt_pickle_node *at;
    TT_VEC(tt_snapshot_event) sorted = {0};
    for (uint32_t d = 0; d < n; d++) {
        uint32_t events = items_once(s, devices[d], "a list of events", &at);
        for (uint32_t i = 0; i < events; i++) {
            uint32_t k = record_number(s, at[i], TT_SN_EVENT);
            if (k == TT_NONE || s->events.at[k].device != TT_SN_NO_DEVICE) {
                not_one_of(s, "an event", i + 1 == events);
                continue;
            }
            s->events.at[k].device = (uint8_t)d;
            *tt_vec_push(&sorted) = s->events.at[k];
        }
    }
    tt_vec_free(&s->events);
    s->events.at = sorted.at;
    s->events.n = sorted.n;
    s->events.cap = sorted.cap;
}

void tt_sn_take_traces(tt_sn *s, tt_pickle_node list)
{
    const tt_pickle_node *devices;
    uint32_t n = tt_pickle_items(s->p, list, &devices);
    if (n > TT_SN_NO_DEVICE) n = TT_SN_NO_DEVICE;
    if (in_order(s, devices, n)) {
        give_device(s, devices, n);
    } else {
        put_in_order(s, devices, n);
    }
}

/* ---- annotations ---- */

static void close_range(tt_sn *s, tt_snapshot_range *r, int64_t end)
{
    if (end < r->start) {
        tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_DURATION, -1, "annotation", 10);
        end = r->start;
    }
    r->end = end;
    r->open = false;
}

void tt_sn_take_marks(tt_sn *s, tt_pickle_node list)
{
    const tt_pickle_node *at;
    TT_VEC(tt_snapshot_range) ranges = {0};
    TT_VEC(uint32_t) around = {0}; /* per range: enclosing open range with the same name, or TT_NONE */
    TT_VEC(uint32_t) open = {0};   /* per name and device: innermost open range, or TT_NONE */
    tt_groups names;
    uint32_t n = tt_pickle_items(s->p, list, &at);
    tt_groups_init(&names);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = record_number(s, at[i], TT_SN_MARK);
        if (k == TT_NONE || s->marks.at[k].used || s->marks.at[k].ts == TT_UNKNOWN) {
            not_one_of(s, "an annotation", i + 1 == n);
            continue;
        }
        tt_sn_mark *m = &s->marks.at[k];
        m->used = true;
        uint32_t g = tt_groups_put(&names, (tt_group_key){.a = m->name, .b = m->device});
        if (g == open.n) *tt_vec_push(&open) = TT_NONE;
        if (m->start) {
            *tt_vec_push(&around) = open.at[g];
            open.at[g] = (uint32_t)ranges.n;
            *tt_vec_push(&ranges) = (tt_snapshot_range){m->name, m->ts, m->ts, m->device, true};
        } else if (open.at[g] != TT_NONE) {
            close_range(s, &ranges.at[open.at[g]], m->ts);
            open.at[g] = around.at[open.at[g]];
        } else { /* the ring has lost its beginning */
            const tt_strings *strings = tt_pickle_strings(s->p);
            tt_problem_add(&s->b.problems, TT_PROBLEM_UNMATCHED_END, -1, tt_str(strings, m->name),
                           strings->len.at[m->name]);
        }
    }
    tt_groups_free(&names);
    tt_vec_free(&open);
    tt_vec_free(&around);
    s->out->ranges = ranges.at;
    s->out->n_ranges = (uint32_t)ranges.n;
}

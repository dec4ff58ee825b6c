/* parser/flight/settle.c - what needs all entries of a dump: the group of each, the numbers of calls that torchcomms
 * leaves out, and which calls are open. */
#include <stdlib.h>
#include <string.h>

#include "parser/flight/internal.h"

static const char *text(const tt_fl *s, tt_sid id) { return tt_str(&s->h.strings, id); }

/* ---- groups ---- */

static void connect(tt_fl *s)
{
    uint32_t *by_name = tt_calloc(s->h.strings.text.n, sizeof *by_name); /* index of a group + 1, by its name */
    for (uint32_t g = 0; g < s->groups.n; g++) by_name[s->groups.at[g].name] = g + 1;
    for (size_t i = 0; i < s->calls.n; i++) {
        tt_flight_call *c = &s->calls.at[i];
        c->group = by_name[c->group_name] - 1; /* 0 - 1 = TT_NONE */
    }
    free(by_name);
}

/* ---- torchcomms ---- */

/* Each operation is prefixed by the description of its group, which is the name of the backend. */
static bool is_torchcomms(const tt_fl *s)
{
    for (size_t i = 0; i < s->calls.n; i++) {
        const tt_flight_call *c = &s->calls.at[i];
        if (!c->backend || c->backend != c->group_desc) return false;
    }
    return s->calls.n > 0;
}

/* torchcomms counts calls over all groups: count those of each group instead, if none is lost. */
static void number_calls(tt_fl *s)
{
    bool whole = s->entries.n && s->entries.at[0].record_id == 0;
    tt_groups groups;
    TT_VEC(int64_t) calls = {0};
    tt_groups_init(&groups);
    for (size_t i = 0; i < s->entries.n; i++) {
        tt_flight_entry *e = &s->entries.at[i];
        const tt_flight_call *c = &s->calls.at[e->call];
        e->p2p_seq = TT_UNKNOWN;
        e->seq = TT_UNKNOWN;
        if (c->p2p || !whole) continue;
        uint32_t g = tt_groups_put(&groups, (tt_group_key){.a = c->group_name});
        if (g == calls.n) *tt_vec_push(&calls) = 0;
        e->seq = ++calls.at[g];
    }
    tt_groups_free(&groups);
    tt_vec_free(&calls);
}

/* ---- open calls ---- */

/* Whether retired means only that the call was issued: of torchcomms, and of backends that do not report an end. */
static bool retires_at_issue(const tt_fl *s, const tt_flight_call *c)
{
    static const char *const reporting[] = {"nccl", "ncclx", "rccl", "xccl", "hccl", "gloo", "ucc"};
    if (s->out->recorder == TT_FLIGHT_TORCHCOMMS) return true;
    for (size_t i = 0; i < sizeof reporting / sizeof *reporting; i++)
        if (!strcmp(text(s, c->backend), reporting[i])) return false;
    return true;
}

static bool closes_batch(const tt_fl *s, const tt_flight_call *c)
{
    static const char end[] = "_coalesced";
    const char *op = text(s, c->op);
    size_t n = strlen(op), m = sizeof end - 1;
    return !strcmp(op, end + 1) || (n > m && !strcmp(op + n - m, end));
}

/* A batch: the calls of one group, kind and number. */
static tt_group_key batch_key(const tt_flight_call *c, const tt_flight_entry *e)
{
    return (tt_group_key){.a = c->group_name, .b = c->p2p, .c = (uint64_t)(c->p2p ? e->p2p_seq : e->seq)};
}

/* The calls that one finished call shows to be finished: those before it of the same group, kind, peer, direction. */
static tt_group_key order_key(const tt_flight_call *c)
{
    return (tt_group_key){.a = c->group_name, .b = c->p2p | c->direction << 1, .c = (uint64_t)(int64_t)c->peer};
}

/* state of the closing entry of each batch; UNSAID = it has none */
typedef struct batches {
    tt_groups keys;
    TT_VEC(uint8_t) state;
} batches;

static void find_batches(const tt_fl *s, batches *b)
{
    tt_groups_init(&b->keys);
    for (size_t i = 0; i < s->entries.n; i++) {
        const tt_flight_entry *e = &s->entries.at[i];
        const tt_flight_call *c = &s->calls.at[e->call];
        if (!closes_batch(s, c)) continue;
        uint32_t k = tt_groups_put(&b->keys, batch_key(c, e));
        if (k == b->state.n) *tt_vec_push(&b->state) = 0;
        b->state.at[k] = e->state;
    }
}

/* State of an entry: that of its batch, if there is one. */
static uint8_t state_in(batches *b, const tt_flight_call *c, const tt_flight_entry *e)
{
    uint32_t k = tt_groups_put(&b->keys, batch_key(c, e));
    if (k == b->state.n) *tt_vec_push(&b->state) = TT_FLIGHT_UNSAID;
    return b->state.at[k] == TT_FLIGHT_UNSAID ? e->state : b->state.at[k];
}

static void find_open(tt_fl *s)
{
    batches b = {0};
    tt_groups order;
    TT_VEC(bool) finished = {0}; /* by group of `order`: whether a later call is finished */
    find_batches(s, &b);
    bool any = b.state.n > 0;
    tt_groups_init(&order);
    for (size_t i = s->entries.n; i-- > 0;) {
        tt_flight_entry *e = &s->entries.at[i];
        const tt_flight_call *c = &s->calls.at[e->call];
        uint8_t state = any ? state_in(&b, c, e) : e->state;
        uint32_t k = tt_groups_put(&order, order_key(c));
        if (k == finished.n) *tt_vec_push(&finished) = false;
        e->open = state <= TT_FLIGHT_STARTED && !(e->retired && retires_at_issue(s, c)) && !finished.at[k];
        finished.at[k] |= state == TT_FLIGHT_COMPLETED;
    }
    tt_groups_free(&order);
    tt_groups_free(&b.keys);
    tt_vec_free(&b.state);
    tt_vec_free(&finished);
}

/* Latest time of the dump, for calls that have not ended. */
static void find_last(tt_fl *s)
{
    s->out->last = TT_UNKNOWN;
    for (size_t i = 0; i < s->entries.n; i++) {
        const tt_flight_entry *e = &s->entries.at[i];
        if (e->created > s->out->last) s->out->last = e->created;
        if (e->started > s->out->last) s->out->last = e->started;
        if (e->completed > s->out->last) s->out->last = e->completed;
    }
}

void tt_fl_settle(tt_fl *s)
{
    connect(s);
    s->out->recorder = is_torchcomms(s) ? TT_FLIGHT_TORCHCOMMS : TT_FLIGHT_C10D;
    if (s->out->recorder == TT_FLIGHT_TORCHCOMMS) number_calls(s);
    find_open(s);
    find_last(s);
}

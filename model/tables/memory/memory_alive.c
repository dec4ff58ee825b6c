/* model/tables/memory/memory_alive.c - table memory_alive: memory allocated at one moment, by operator or one by
 * one.
 *
 * The moment is options.arg[0] on the common axis, 0 = the peak of each device in scope; options.arg[1] selects one
 * device, TT_ALIVE_DEVICE(), 0 = all. Memory without a record was allocated before the recording; it has a row of
 * its own, so that the rows add up to the curve. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/memory/columns.h"
#include "model/tables/memory/memory.h"

enum { OPERATOR, ALLOCATION, PLACE }; /* kind of the rows */
enum { BY_OPERATOR = 1 << OPERATOR, BY_ALLOCATION = 1 << ALLOCATION, BY_PLACE = 1 << PLACE };

static const tt_column columns[] = {
    [TT_MEMORY_ALIVE_DEVICE] = COL("device", "Device", STRING, 1, "device of the memory"),
    [TT_MEMORY_ALIVE_NAME] = COL(
        "name", "Allocated by", STRING, 0,
        "operator that allocated it; for aten::empty* the caller, with the operator in brackets; by line: the line of "
        "the program"),
    [TT_MEMORY_ALIVE_SIZE_BYTES] = COL("size_bytes", "Size", BYTES, 0, "bytes held at that moment"),
    [TT_MEMORY_ALIVE_SHARE_PCT] =
        COL("share_pct", "Share", PERCENT, 1, "share of all that was allocated on the device at that moment"),
    [TT_MEMORY_ALIVE_ALLOCATIONS] =
        COL_G("allocations", "Allocations", COUNT, 2, BY_OPERATOR | BY_PLACE, "allocations that were alive"),
    [TT_MEMORY_ALIVE_ALLOCATED_AT] = COL("allocated_at_ns", "Allocated at", TIME, 3,
                                         "when it was allocated (the first of several); unknown: before the recording"),
    [TT_MEMORY_ALIVE_FREED_AT] =
        COL_G("freed_at_ns", "Freed", TIME, 4, BY_ALLOCATION, "when it was freed; unknown: not during the recording"),
    [TT_MEMORY_ALIVE_DURATION] = COL_G("duration_ns", "Lifetime", DURATION, 2, BY_ALLOCATION, "time between"),
    [TT_MEMORY_ALIVE_AT] = COL("at_ns", "At", TIME, 5, "the time that the row refers to"),
    [TT_MEMORY_ALIVE_LINE] =
        COL_PLACE("line", "Python line", 1, "the line of the program that made the largest of these allocations"),
    [TT_MEMORY_ALIVE_MODULE] =
        COL_PLACE("module", "Module", 2, "classes of the modules around the allocation, the outermost first"),
};
static const char *const groups[] = {"operator", "allocation", "line", NULL};

typedef struct moment { /* moment of a device */
    uint64_t device;
    int64_t at;        /* trace time; TT_UNKNOWN: nothing is known of the device at the moment */
    uint32_t record;   /* last record of the moment */
    int64_t peak;      /* bytes allocated at the peak */
    int64_t allocated; /* bytes allocated according to the allocator; TT_UNKNOWN */
    int64_t explained; /* bytes explained by records */
} moment;
typedef struct moments {
    tt_groups devices;
    TT_VEC(moment) list; /* by group of the device */
} moments;

typedef struct held { /* memory of one operator on one device */
    const char *name;
    uint64_t device;
    int64_t bytes, count, since;
    uint32_t largest; /* record of the largest allocation */
} held;
typedef TT_VEC(held) held_list;

static moment *moment_of(moments *m, uint64_t device)
{
    uint32_t at = tt_groups_put(&m->devices, (tt_group_key){.a = device});
    if (at == m->list.n)
        *tt_vec_push(&m->list) =
            (moment){.device = device, .at = TT_UNKNOWN, .peak = TT_UNKNOWN, .allocated = TT_UNKNOWN};
    return &m->list.at[at];
}

/* Find the moment of each device: the requested one, or its peak in scope. */
static void find_moments(const tt_query *q, moments *out)
{
    const tt_trace *s = tt_query_trace(q);
    int64_t device = q->options.arg[1],
            asked = q->options.arg[0] ? q->options.arg[0] - q->session->offset_ns[q->trace] : TT_UNKNOWN;
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *r = &s->memory[i];
        if (r->pool || (device && device != TT_ALIVE_DEVICE(q->trace, tt_memory_device(r)))) continue;
        moment *m = moment_of(out, tt_memory_device(r));
        if (asked != TT_UNKNOWN) {
            m->at = asked;
            if (r->ts <= asked) m->record = i;
            if (r->ts <= asked && r->allocated != TT_UNKNOWN) m->allocated = r->allocated;
        } else if (r->allocated != TT_UNKNOWN && r->allocated > m->peak && tt_query_has(q, r->ts)) {
            m->peak = m->allocated = r->allocated;
            m->at = r->ts;
            m->record = i;
        }
    }
}

/* Whether the allocation is alive at the moment. In a snapshot the order of records decides, as several share a
 * microsecond; elsewhere a total's record can precede records of its moment that it counts. */
static bool alive(const tt_trace *s, const tt_memory_links *links, uint32_t i, const moment *m)
{
    const tt_memory_record *r = &s->memory[i];
    uint32_t mate = links->mate[i];
    if (r->pool || r->bytes <= 0 || r->ts > m->at) return false;
    if (s->snapshot) return i <= m->record && (mate == TT_NONE || mate > m->record);
    return mate == TT_NONE || s->memory[mate].ts > m->at;
}

static void set_share(tt_table *t, uint32_t row, int64_t bytes, const moment *m)
{
    int64_t all = m->allocated != TT_UNKNOWN ? m->allocated : m->explained;
    if (all > 0) tt_set_d(t, row, TT_MEMORY_ALIVE_SHARE_PCT, 100.0 * (double)bytes / (double)all);
}

static uint32_t add_row(const tt_query *q, tt_table *t, const moment *m, const char *name, int64_t bytes)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_MEMORY_ALIVE_DEVICE,
               tt_device_text(t, tt_query_trace(q)->rules, (int16_t)(m->device >> 16), (int16_t)m->device));
    tt_set_ref(t, row, TT_MEMORY_ALIVE_NAME, name);
    tt_set_i(t, row, TT_MEMORY_ALIVE_SIZE_BYTES, bytes);
    tt_set_i(t, row, TT_MEMORY_ALIVE_AT, tt_at(q, m->at));
    set_share(t, row, bytes, m);
    return row;
}

/* Set the program line of a record. */
static void set_place(const tt_query *q, tt_table *t, uint32_t row, const tt_memory_record *r, tt_line_memo *memo)
{
    char text[512];
    if (!q->options.places) return;
    if (q->options.group != PLACE && tt_python_line_with(tt_query_trace(q), memo, r->track, r->ts, text, sizeof text))
        tt_set_s(t, row, TT_MEMORY_ALIVE_LINE, text);
    if (tt_module_path_at(tt_query_trace(q), memo, r->track, r->ts, text, sizeof text))
        tt_set_s(t, row, TT_MEMORY_ALIVE_MODULE, text);
}

static void add_allocation(const tt_query *q, tt_table *t, const tt_memory_links *links, uint32_t i, const moment *m,
                           const char *name, tt_line_memo *memo)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_memory_record *r = &s->memory[i];
    uint32_t mate = links->mate[i], row = add_row(q, t, m, name, r->bytes);
    tt_set_i(t, row, TT_MEMORY_ALIVE_ALLOCATED_AT, tt_at(q, r->ts));
    if (mate != TT_NONE) {
        tt_set_i(t, row, TT_MEMORY_ALIVE_FREED_AT, tt_at(q, s->memory[mate].ts));
        tt_set_i(t, row, TT_MEMORY_ALIVE_DURATION, s->memory[mate].ts - r->ts);
    }
    set_place(q, t, row, r, memo);
    tt_set_range(q, t, row, r->ts, r->ts + 1);
}

static void add_held(held_list *list, tt_groups *by, const tt_trace *s, uint32_t i, const char *name, uint64_t name_key)
{
    const tt_memory_record *r = &s->memory[i];
    uint32_t at = tt_groups_put(by, (tt_group_key){.a = name_key, .b = tt_memory_device(r)});
    if (at == list->n)
        *tt_vec_push(list) = (held){.name = name, .device = tt_memory_device(r), .since = r->ts, .largest = i};
    held *h = &list->at[at];
    if (r->bytes > s->memory[h->largest].bytes) h->largest = i;
    h->bytes += r->bytes;
    h->count++;
}

/* Count an allocation for the program line that made it. */
static void add_line(const tt_query *q, held_list *list, tt_groups *by, tt_strings *lines, tt_line_memo *memo,
                     uint32_t i, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    char text[512];
    tt_python_line_with(s, memo, s->memory[i].track, s->memory[i].ts, text, sizeof text);
    size_t rows = list->n;
    add_held(list, by, s, i, NULL, tt_strings_put(lines, text, strlen(text)));
    if (list->n > rows && *text) list->at[rows].name = tt_arena_strndup(&t->arena, text, strlen(text));
}

/* Key of the maker: its node's name, and for aten::empty* the caller's. */
static uint64_t maker_key(const tt_trace *s, const tt_call_tree *tree, uint32_t node, const tt_memory_record *m)
{
    if (m->maker) return m->maker;
    if (node == TT_NONE) return 0;
    uint64_t key = s->name[tree->row[node]];
    if (!strncmp(tt_row_name(s, tree->row[node]), "aten::empty", 11) && tree->up[node] != TT_NONE)
        key |= (uint64_t)s->name[tree->row[tt_call_tree_owner(tree, tree->up[node])]] << 32;
    return key;
}

/* Add the row of memory that no record explains. */
static void add_unexplained(const tt_query *q, tt_table *t, const moments *all)
{
    for (size_t i = 0; i < all->list.n; i++) {
        const moment *m = &all->list.at[i];
        if (m->at == TT_UNKNOWN || m->allocated == TT_UNKNOWN || m->allocated <= m->explained) continue;
        add_row(q, t, m, "(allocated before the recording)", m->allocated - m->explained);
    }
}

static void gather(const tt_query *q, tt_table *t, const tt_memory_links *links, moments *list)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    held_list all = {0};
    tt_line_memo memo = {0};
    tt_strings lines;
    tt_memory_makers makers;
    tt_groups by;
    tt_memory_makers_init(&makers, q);
    tt_groups_init(&by);
    tt_strings_init(&lines);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        moment *m = moment_of(list, tt_memory_device(&s->memory[i]));
        if (m->at != TT_UNKNOWN && alive(s, links, i, m)) m->explained += s->memory[i].bytes;
    }
    for (uint32_t i = 0; i < s->n_memory; i++) {
        moment *m = moment_of(list, tt_memory_device(&s->memory[i]));
        if (m->at == TT_UNKNOWN || !alive(s, links, i, m)) continue;
        if (q->options.group == PLACE) {
            add_line(q, &all, &by, &lines, &memo, i, t);
            continue;
        }
        const char *name = tt_memory_maker(&makers, i, t);
        if (q->options.group == ALLOCATION) {
            add_allocation(q, t, links, i, m, name, &memo);
        } else {
            add_held(&all, &by, s, i, name, name ? maker_key(s, tree, links->node[i], &s->memory[i]) : 0);
        }
    }
    for (size_t i = 0; i < all.n; i++) {
        const held *h = &all.at[i];
        uint32_t row = add_row(q, t, moment_of(list, h->device), h->name, h->bytes);
        tt_set_i(t, row, TT_MEMORY_ALIVE_ALLOCATIONS, h->count);
        set_place(q, t, row, &s->memory[h->largest], &memo);
        tt_set_i(t, row, TT_MEMORY_ALIVE_ALLOCATED_AT, tt_at(q, h->since));
        tt_set_range(q, t, row, h->since, h->since + 1);
    }
    add_unexplained(q, t, list);
    tt_memory_makers_free(&makers);
    tt_groups_free(&by);
    tt_strings_free(&lines);
    tt_line_memo_free(&memo);
    tt_vec_free(&all);
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    moments all = {0};
    const tt_memory_links *links = tt_memory_links_get(q->session, q->trace);
    if (links->has_addresses) {
        tt_groups_init(&all.devices);
        find_moments(q, &all);
        gather(q, t, links, &all);
        tt_groups_free(&all.devices);
    }
    if (!t->n_rows && !s->n_memory)
        tt_note_advice(t, "No memory events", tt_advice_of(s->rules)->record_memory);
    else if (!t->n_rows)
        t->note = !links->has_addresses ? "No lifetimes: PyTorch before 1.10 does not record addresses"
                                        : "No live allocations at this time";
    tt_vec_free(&all.list);
}

const tt_table_desc tt_table_memory_alive = {
    .id = "memory_alive",
    .title = "Live allocations",
    .meaning = "live allocations at the peak of each device",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = groups,
    .default_sort = "size_bytes",
    .default_desc = true,
    .flags = TT_TABLE_ARGS,
    .compute = compute,
};

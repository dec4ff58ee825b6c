/* model/tables/compare/diff_memory.c - table diff_memory: growth of the memory that each operator holds at the peak
 * of its device, in two runs.
 *
 * Both sides are tables memory_alive of the matched workers; rows match by device and name. For a worker with
 * several files, a device's peak is taken from the file with most memory on it. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/compare/calls.h"
#include "model/tables/compare/matching.h"
#include "model/tables/memory/tables.h"
#include "model/tables/table_util.h"

enum { DEVICE, NAME, BYTES, COUNTS = BYTES + 3, CHANGE = COUNTS + 2 };

static const tt_column columns[] = {
    COL("device", "Device", STRING, 1, "device of the memory"),
    COL("name", "Allocated by", STRING, 0,
        "operator that allocated it, as in memory_alive; several workers: all of them together"),
    COL("base_peak_bytes", "Base peak", BYTES, 0, "bytes it held at the peak of the device in the base"),
    COL("new_peak_bytes", "New peak", BYTES, 0, "bytes it held at the peak of the device in the new run"),
    COL("delta_bytes", "Diff", BYTES, 0, "how much more"),
    COL("base_allocations", "Base allocations", COUNT, 2, "allocations of it that were alive in the base"),
    COL("new_allocations", "New allocations", COUNT, 2, "allocations of it that were alive in the new run"),
    COL("change", "Change", STRING, 0, "of the bytes: added, deleted, increased, decreased, unchanged"),
};

typedef struct held {          /* row: memory held by one maker on one device */
    const char *device, *name; /* texts of the table; NULL = unknown */
    int64_t bytes[TT_SIDES], count[TT_SIDES];
    bool uncounted; /* memory allocated before the recording */
    tt_drilldown drilldown[TT_SIDES];
} held;

typedef struct memory {
    tt_table *t;
    const tt_matching *m;
    tt_strings texts;
    tt_groups keys; /* key: device and name */
    TT_VEC(held) rows;
} memory;

static uint64_t text_id(memory *x, const char *text) /* 0 = not known */
{
    return text ? tt_strings_put(&x->texts, text, strlen(text)) + (uint64_t)1 : 0;
}

static const char *keep(memory *x, const char *text)
{
    return text ? tt_arena_strndup(&x->t->arena, text, strlen(text)) : NULL;
}

static held *row_of(memory *x, const char *device, const char *name)
{
    uint32_t at = tt_groups_put(&x->keys, (tt_group_key){.a = text_id(x, device), .b = text_id(x, name)});
    if (at == x->rows.n) *tt_vec_push(&x->rows) = (held){.device = keep(x, device), .name = keep(x, name)};
    return &x->rows.at[at];
}

/* Memory alive at the peaks of a single trace. The caller frees the table. */
static tt_table *alive_in(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    tt_scope one = *scope;
    tt_scope_to_trace(s, trace, &one);
    return tt_table_compute(s, &tt_table_memory_alive, &one, NULL);
}

static const char *text_in(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell(t, row, (uint32_t)tt_table_column(t, key)).s;
}

static int64_t number_in(const tt_table *t, uint32_t row, const char *key)
{
    int64_t v = tt_table_cell(t, row, (uint32_t)tt_table_column(t, key)).i;
    return v == TT_UNKNOWN ? 0 : v;
}

typedef struct totals { /* total memory by device and table of a worker */
    tt_groups keys;     /* key: device and table */
    TT_VEC(int64_t) bytes;
} totals;

static int64_t *total_of(totals *x, uint64_t device, size_t table)
{
    uint32_t at = tt_groups_put(&x->keys, (tt_group_key){.a = device, .b = table});
    if (at == x->bytes.n) *tt_vec_push(&x->bytes) = 0;
    return &x->bytes.at[at];
}

/* Whether this of n tables counts for the device: the first with most memory on it. */
static bool counts(totals *x, uint64_t device, size_t table, size_t n)
{
    int64_t own = *total_of(x, device, table);
    for (size_t i = 0; i < n; i++) {
        int64_t other = *total_of(x, device, i);
        if (other > own || (other == own && i < table)) return false;
    }
    return true;
}

static void add_row(memory *x, int side, const tt_table *t, uint32_t row)
{
    held *h = row_of(x, text_in(t, row, "device"), text_in(t, row, "name"));
    h->bytes[side] += number_in(t, row, "size_bytes");
    h->count[side] += number_in(t, row, "allocations");
    h->uncounted |= tt_table_cell(t, row, (uint32_t)tt_table_column(t, "allocations")).i == TT_UNKNOWN;
    if (h->drilldown[side].what == TT_DRILL_NONE && t->drilldowns) h->drilldown[side] = t->drilldowns[row];
}

static void add_worker(memory *x, int side, uint32_t worker)
{
    TT_VEC(tt_table *) all = {0};
    totals sum = {0};
    uint32_t trace;
    tt_groups_init(&sum.keys);
    for (uint32_t i = 0; (trace = tt_matching_trace(x->m, side, worker, i)) != TT_NONE; i++)
        *tt_vec_push(&all) = alive_in(x->m->of[side], &x->m->scope[side], trace);
    for (size_t i = 0; i < all.n; i++)
        for (uint32_t r = 0; r < all.at[i]->n_rows; r++)
            *total_of(&sum, text_id(x, text_in(all.at[i], r, "device")), i) += number_in(all.at[i], r, "size_bytes");
    for (size_t i = 0; i < all.n; i++) {
        const tt_table *t = all.at[i];
        for (uint32_t r = 0; r < t->n_rows; r++)
            if (counts(&sum, text_id(x, text_in(t, r, "device")), i, all.n)) add_row(x, side, t, r);
        if (!x->t->note && t->note) x->t->note = keep(x, t->note);
    }
    for (size_t i = 0; i < all.n; i++) tt_table_free(all.at[i]);
    tt_groups_free(&sum.keys);
    tt_vec_free(&sum.bytes);
    tt_vec_free(&all);
}

/* ---- rows ---- */

static int by_text(const char *a, const char *b)
{
    if (!a || !b) return !a - !b; /* unknown last */
    return strcmp(a, b);
}

static int by_difference(const void *a, const void *b)
{
    const held *x = a, *y = b;
    int64_t dx = llabs(x->bytes[TT_NEW] - x->bytes[TT_BASE]), dy = llabs(y->bytes[TT_NEW] - y->bytes[TT_BASE]);
    if (dx != dy) return dx > dy ? -1 : 1;
    int by_name = by_text(x->name, y->name);
    return by_name ? by_name : by_text(x->device, y->device);
}

static void put_row(const held *h, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, DEVICE, h->device);
    tt_set_ref(t, row, NAME, h->name);
    for (uint32_t k = 0; k < TT_SIDES; k++) {
        tt_set_i(t, row, BYTES + k, h->bytes[k]);
        if (!h->uncounted) tt_set_i(t, row, COUNTS + k, h->count[k]);
    }
    tt_set_i(t, row, BYTES + 2, h->bytes[TT_NEW] - h->bytes[TT_BASE]);
    tt_set_ref(t, row, CHANGE, tt_change_of_calls(h->bytes[TT_BASE], 1, h->bytes[TT_NEW], 1));
    *tt_set_base_drilldown(t, row) = h->drilldown[TT_BASE];
    *tt_set_drilldown(t, row) = h->drilldown[TT_NEW];
}

/* Whether both sides recorded live memory: a side without rows did not, so nothing was added or deleted. */
static bool both_known(const memory *x)
{
    bool known[TT_SIDES] = {0};
    for (size_t i = 0; i < x->rows.n; i++)
        for (int k = 0; k < TT_SIDES; k++) known[k] |= x->rows.at[i].bytes[k] != 0;
    return known[TT_BASE] && known[TT_NEW];
}

static void compute(const tt_query *q, tt_table *t)
{
    if (!q->options.compare) return;
    tt_matching m = tt_matching_make(q->session, q->scope, q->options.compare);
    memory x = {.t = t, .m = &m};
    tt_strings_init(&x.texts);
    tt_groups_init(&x.keys);
    for (int side = 0; side < TT_SIDES; side++)
        for (uint32_t w = 0; w < m.workers.n; w++) add_worker(&x, side, w);
    if (both_known(&x)) {
        t->note = NULL;
        qsort(x.rows.at, x.rows.n, sizeof *x.rows.at, by_difference);
        for (size_t i = 0; i < x.rows.n; i++) put_row(&x.rows.at[i], t);
    } else if (!t->note) {
        t->note = "No data of both runs in this scope";
    }
    tt_vec_free(&x.rows);
    tt_groups_free(&x.keys);
    tt_strings_free(&x.texts);
    tt_matching_free(&m);
}

const tt_table_desc tt_table_diff_memory = {
    .id = "diff_memory",
    .title = "Memory at the peak",
    .meaning = "what grew: the memory that each operator holds at the peak of its device, in two runs",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_COMPARE | TT_TABLE_ALL_TRACES,
    .note = TT_NOTHING_TO_COMPARE,
    .compute = compute,
};

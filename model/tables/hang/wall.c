/* model/tables/hang/wall.c - tables hang_ranks, hang_groups and hang_wall: how far each rank and group came. */
#include <stdlib.h>

#include "model/base/group_by.h"
#include "model/tables/hang/hang_cells.h"
#include "model/tables/hang/tables.h"

/* ---- hang_ranks ---- */

static const tt_column rank_columns[] = {
    [TT_HANG_RANKS_RANK] = COL_ID("rank", "Rank", 0, "rank of the job"),
    [TT_HANG_RANKS_DUMP] = COL("dump", "Dump", BOOL, 1, "it left a dump"),
    [TT_HANG_RANKS_STATE] =
        COL("state", "State", STRING, 0,
            "culprit; no_dump; stale: its dump is older than others; victim: waits for a culprit; waiting: for nobody "
            "that is found; idle: has nothing open"),
    [TT_HANG_RANKS_FAULT] = COL_ID("fault", "Fault", 1, "its own fault, or the first that it waits for (hang_faults)"),
    [TT_HANG_RANKS_WAITS_FOR] = COL("waits_for", "Waits for", STRING, 0, "ranks that it waits for directly"),
    [TT_HANG_RANKS_GROUP] = COL("group", "Group", STRING, 2, "process group of the wait that began first"),
    [TT_HANG_RANKS_GROUP_DESC] = COL("group_desc", "Description", STRING, 1, "description of that group"),
    [TT_HANG_RANKS_OP] = COL("op", "Operation", STRING, 0, "operation that it waits in"),
    [TT_HANG_RANKS_SEQ] = COL_ID("seq", "Seq", 1, "number of that call"),
    [TT_HANG_RANKS_OPEN] = COL("open", "Open", COUNT, 1, "calls that are not known to be finished"),
    [TT_HANG_RANKS_ENTRIES] = COL("entries", "Entries", COUNT, 3, "calls in its dump"),
    [TT_HANG_RANKS_SINCE_AT] = COL("since_at_ns", "Since", TIME, 2, "when it made that call"),
    [TT_HANG_RANKS_LAST_AT] = COL("last_at_ns", "Last time", TIME, 3, "latest time in its dump"),
    [TT_HANG_RANKS_VERSION] = COL("version", "Version", STRING, 5, "version of the dump"),
    [TT_HANG_RANKS_FILE] = COL("file", "File", STRING, 4, "path of the dump"),
};

static void put_dump(const tt_hang *h, const tt_hang_rank *x, uint32_t row, tt_table *t)
{
    const tt_trace *s = h->session->traces[x->trace];
    tt_set_i(t, row, TT_HANG_RANKS_OPEN, x->open);
    tt_set_i(t, row, TT_HANG_RANKS_ENTRIES, s->flight->n_all);
    tt_hang_set_time(h, t, row, TT_HANG_RANKS_LAST_AT, s->flight->last);
    tt_set_ref(t, row, TT_HANG_RANKS_VERSION, tt_str(&s->strings, s->flight->version));
    tt_set_ref(t, row, TT_HANG_RANKS_FILE, s->path);
}

static void put_rank(const tt_hang *h, const tt_hang_rank *x, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    const tt_flight_entry *e = tt_hang_entry_of(h, x->wait);
    tt_set_i(t, row, TT_HANG_RANKS_RANK, x->rank);
    tt_set_i(t, row, TT_HANG_RANKS_DUMP, x->trace != TT_NONE);
    tt_set_ref(t, row, TT_HANG_RANKS_STATE, tt_hang_state_name[x->state]);
    if (x->fault != TT_NONE) tt_set_i(t, row, TT_HANG_RANKS_FAULT, x->fault + 1);
    tt_set_ref(t, row, TT_HANG_RANKS_WAITS_FOR, tt_hang_list_text(h, x->waits_for, &t->arena));
    tt_hang_set_group(h, t, row, TT_HANG_RANKS_GROUP, x->wait_group);
    tt_set_i(t, row, TT_HANG_RANKS_SEQ, e ? tt_flight_seq(tt_hang_flight(h, x->wait.trace), e) : x->wait_seq);
    if (e) {
        tt_hang_set_text(h, t, row, TT_HANG_RANKS_OP, x->wait, tt_hang_call_of(h, x->wait)->op);
        tt_hang_set_time(h, t, row, TT_HANG_RANKS_SINCE_AT, e->created);
        tt_hang_set_drilldown(h, t, row, x->wait);
    }
    if (x->trace != TT_NONE) put_dump(h, x, row, t);
}

static void compute_ranks(const tt_query *q, tt_table *out)
{
    const tt_hang *h = tt_hang_get(q->session);
    for (uint32_t r = 0; h && r < h->n_ranks; r++) put_rank(h, &h->ranks[r], out);
}

const tt_table_desc tt_table_hang_ranks = {
    .id = "hang_ranks",
    .title = "Ranks",
    .meaning = "what each rank of the job is to the hang, and what it waits for",
    .cols = rank_columns,
    .n_cols = COUNT_OF(rank_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .note = TT_HANG_NOTE,
    .compute = compute_ranks,
};

/* ---- hang_groups ---- */

static const tt_column group_columns[] = {
    [TT_HANG_GROUPS_GROUP] = COL("group", "Group", STRING, 0, "name of the process group"),
    [TT_HANG_GROUPS_GROUP_DESC] = COL("group_desc", "Description", STRING, 0, "description of the process group"),
    [TT_HANG_GROUPS_SIZE] = COL("size", "Size", COUNT, 0, "its ranks"),
    [TT_HANG_GROUPS_RANKS] = COL("ranks", "Ranks", STRING, 1, "its ranks"),
    [TT_HANG_GROUPS_P2P] = COL("p2p", "P2P", BOOL, 3, "it has sends or receives; unknown: nothing of it is recorded"),
    [TT_HANG_GROUPS_DUMPS] = COL("dumps", "Dumps", COUNT, 2, "ranks of it that left a dump"),
    [TT_HANG_GROUPS_ENQUEUED_MIN] =
        COL_ID("enqueued_min", "Called min", 1, "last collective called, of the rank behind"),
    [TT_HANG_GROUPS_ENQUEUED_MAX] =
        COL_ID("enqueued_max", "Called max", 1, "last collective called, of the rank ahead"),
    [TT_HANG_GROUPS_COMPLETED_MIN] =
        COL_ID("completed_min", "Finished min", 2, "last collective finished, of the rank behind"),
    [TT_HANG_GROUPS_COMPLETED_MAX] =
        COL_ID("completed_max", "Finished max", 2, "last collective finished, of the rank ahead"),
    [TT_HANG_GROUPS_BEHIND] = COL("behind", "Behind", STRING, 0, "ranks that called fewer collectives than others"),
    [TT_HANG_GROUPS_OPEN] =
        COL("open", "Open", COUNT, 0, "calls that some rank waits in first, and open sends and receives"),
    [TT_HANG_GROUPS_FIRST_OPEN_SEQ] = COL_ID("first_open_seq", "First open", 2, "number of the first open collective"),
};

static int64_t smaller(int64_t a, int64_t b) { return a == TT_UNKNOWN || (b != TT_UNKNOWN && b < a) ? b : a; }

/* Open sends and receives by group; the caller frees them. */
static uint32_t *open_p2p(const tt_hang *h)
{
    uint32_t *out = tt_calloc(h->n_groups + (size_t)1, sizeof *out);
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        uint32_t t = h->ranks[r].trace;
        const tt_flight *f = tt_hang_flight(h, t);
        for (uint32_t i = 0; f && i < f->n_entries; i++) {
            uint32_t g = h->dumps[t].call_group[f->entries[i].call];
            if (g != TT_NONE && f->entries[i].open && tt_flight_call_of(f, &f->entries[i])->p2p) out[g]++;
        }
    }
    return out;
}

static void put_group(const tt_hang *h, uint32_t g, uint32_t p2p, tt_table *t)
{
    const tt_hang_group *x = &h->groups[g];
    int64_t e_min = TT_UNKNOWN, c_min = TT_UNKNOWN, first = TT_UNKNOWN;
    uint32_t row = tt_table_add(t);
    tt_groups open;
    TT_VEC(int64_t) behind = {0};
    tt_groups_init(&open);
    for (uint32_t i = x->first; i < x->first + x->size; i++) {
        const tt_hang_member *m = &h->members[h->by_rank[i]];
        e_min = smaller(e_min, m->enqueued);
        c_min = smaller(c_min, m->completed);
        first = smaller(first, m->open);
        if (m->open != TT_UNKNOWN) (void)tt_groups_put(&open, (tt_group_key){.a = (uint64_t)m->open});
        if (m->enqueued != TT_UNKNOWN && m->enqueued < x->enqueued) *tt_vec_push(&behind) = h->ranks[m->rank].rank;
    }
    tt_hang_set_group(h, t, row, TT_HANG_GROUPS_GROUP, g);
    tt_set_i(t, row, TT_HANG_GROUPS_SIZE, x->size);
    tt_set_ref(t, row, TT_HANG_GROUPS_RANKS, tt_hang_members_text(h, g, &t->arena));
    if (x->p2p >= 0) tt_set_i(t, row, TT_HANG_GROUPS_P2P, x->p2p);
    tt_set_i(t, row, TT_HANG_GROUPS_DUMPS, x->dumps);
    tt_set_i(t, row, TT_HANG_GROUPS_ENQUEUED_MIN, e_min);
    tt_set_i(t, row, TT_HANG_GROUPS_ENQUEUED_MAX, x->enqueued);
    tt_set_i(t, row, TT_HANG_GROUPS_COMPLETED_MIN, c_min);
    tt_set_i(t, row, TT_HANG_GROUPS_COMPLETED_MAX, x->completed);
    tt_set_ref(t, row, TT_HANG_GROUPS_BEHIND, tt_hang_ranks_text(behind.at, behind.n, &t->arena));
    tt_set_i(t, row, TT_HANG_GROUPS_OPEN, (int64_t)open.key.n + p2p);
    tt_set_i(t, row, TT_HANG_GROUPS_FIRST_OPEN_SEQ, first);
    tt_groups_free(&open);
    tt_vec_free(&behind);
}

static void compute_groups(const tt_query *q, tt_table *out)
{
    const tt_hang *h = tt_hang_get(q->session);
    uint32_t *p2p = h ? open_p2p(h) : NULL;
    for (uint32_t g = 0; h && g < h->n_groups; g++) put_group(h, g, p2p[g], out);
    free(p2p);
}

const tt_table_desc tt_table_hang_groups = {
    .id = "hang_groups",
    .title = "Process groups",
    .meaning = "how far the ranks of each process group came, and who is behind",
    .cols = group_columns,
    .n_cols = COUNT_OF(group_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .note = TT_HANG_NOTE,
    .compute = compute_groups,
};

/* ---- hang_wall ---- */

static const tt_column wall_columns[] = {
    [TT_HANG_WALL_RANK] = COL_ID("rank", "Rank", 0, "rank of the job"),
    [TT_HANG_WALL_GROUP] = COL("group", "Group", STRING, 0, "name of the process group"),
    [TT_HANG_WALL_GROUP_DESC] = COL("group_desc", "Description", STRING, 0, "description of the process group"),
    [TT_HANG_WALL_ENQUEUED] = COL_ID("enqueued", "Called", 0, "number of the last collective that it called"),
    [TT_HANG_WALL_STARTED] = COL_ID("started", "Started", 2, "number of the last one that its device started"),
    [TT_HANG_WALL_COMPLETED] = COL_ID("completed", "Finished", 0, "number of the last one that it finished"),
    [TT_HANG_WALL_BEHIND_ENQUEUED] =
        COL("behind_enqueued", "Calls behind", COUNT, 0, "calls fewer than the rank of the group that is ahead"),
    [TT_HANG_WALL_BEHIND_COMPLETED] =
        COL("behind_completed", "Finished behind", COUNT, 0, "finished fewer than the rank of the group that is ahead"),
};

static void put_cell(const tt_hang *h, uint32_t g, const tt_hang_member *m, tt_table *t)
{
    const tt_hang_group *x = &h->groups[g];
    uint32_t row = tt_table_add(t);
    tt_set_i(t, row, TT_HANG_WALL_RANK, h->ranks[m->rank].rank);
    tt_hang_set_group(h, t, row, TT_HANG_WALL_GROUP, g);
    tt_set_i(t, row, TT_HANG_WALL_ENQUEUED, m->enqueued);
    tt_set_i(t, row, TT_HANG_WALL_STARTED, m->started);
    tt_set_i(t, row, TT_HANG_WALL_COMPLETED, m->completed);
    if (m->enqueued != TT_UNKNOWN) tt_set_i(t, row, TT_HANG_WALL_BEHIND_ENQUEUED, x->enqueued - m->enqueued);
    if (m->completed != TT_UNKNOWN) tt_set_i(t, row, TT_HANG_WALL_BEHIND_COMPLETED, x->completed - m->completed);
}

static void compute_wall(const tt_query *q, tt_table *out)
{
    const tt_hang *h = tt_hang_get(q->session);
    if (!h) return;
    uint32_t *count = tt_calloc(h->n_ranks + (size_t)2, sizeof *count), n = 0;
    uint32_t *cell = tt_calloc(h->n_members + (size_t)1, sizeof *cell),
             *of = tt_calloc(h->n_members + (size_t)1, sizeof *of);
    for (uint32_t g = 0; g < h->n_groups; g++) {
        for (uint32_t i = h->groups[g].first; i < h->groups[g].first + h->groups[g].size; i++) {
            of[i] = g;
            count[h->members[i].rank + 1]++;
        }
    }
    for (uint32_t r = 0; r < h->n_ranks; r++) count[r + 1] += count[r];
    for (uint32_t i = 0; i < h->n_members; i++) cell[count[h->members[i].rank]++] = i; /* groups stay in their order */
    for (n = 0; n < h->n_members; n++) {
        const tt_hang_member *m = &h->members[cell[n]];
        if (m->listed) put_cell(h, of[cell[n]], m, out);
    }
    free(count);
    free(cell);
    free(of);
}

const tt_table_desc tt_table_hang_wall = {
    .id = "hang_wall",
    .title = "Ranks by group",
    .meaning = "the last collective that each rank called, started and finished in each of its process groups",
    .cols = wall_columns,
    .n_cols = COUNT_OF(wall_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .note = TT_HANG_NOTE,
    .compute = compute_wall,
};

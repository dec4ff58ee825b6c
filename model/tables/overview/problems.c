/* model/tables/overview/problems.c - problems of the input, as `tracetty check` reports them, and values that tables
 * cannot trust. */
#include "model/keys/keys.h"
#include "model/tables/operators/roofline.h"
#include "model/tables/table_util.h"

enum { KIND, COUNT, OFFSET, EXAMPLE, LEVEL, MEANING };

static const tt_column columns[] = {
    COL("kind", "Problem", STRING, 0, "what is wrong or was repaired"),
    COL("count", "Count", COUNT, 0, "how often"),
    COL("offset", "Offset", COUNT, 1, "where the first one begins: bytes into the decompressed text"),
    COL("example", "Example", STRING, 0, "the first one"),
    COL("level", "Level", STRING, 1,
        "note: nothing is missing; repaired: read as it was meant; lost: something is missing"),
    COL("meaning", "Meaning", STRING, 2, "what it means for what is shown"),
};

static const char *level_name(tt_problem_level l)
{
    return l == TT_LEVEL_NOTE ? "note" : l == TT_LEVEL_REPAIR ? "repaired" : "lost";
}

/* key: path of the trace of graph captures that has these problems; NULL = the run itself. */
static void put(const tt_problems *problems, const char *key, tt_table *t)
{
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &problems->of[k];
        if (!p->count) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, KIND, tt_problem_key[k]);
        tt_set_i(t, row, COUNT, (int64_t)p->count);
        if (p->offset >= 0) tt_set_i(t, row, OFFSET, p->offset);
        if (key)
            tt_set_ref(t, row, EXAMPLE,
                       tt_arena_printf(&t->arena, "%s%s%s", key, p->example[0] ? ": " : "", p->example));
        else if (p->example[0])
            tt_set_s(t, row, EXAMPLE, p->example);
        tt_set_ref(t, row, LEVEL, level_name(tt_problem_level_of[k]));
        tt_set_ref(t, row, MEANING, tt_problem_meaning[k]);
    }
}

/* Keys belong to the run: their problems follow those of its first trace. */
static void put_keys(const tt_session *s, tt_table *t)
{
    tt_keys *keys = tt_session_keys(s);
    for (uint32_t i = 0; i < tt_keys_count(keys); i++) {
        const tt_trace *trace = tt_keys_trace(keys, i);
        tt_problems unread = {0};
        if (!trace) tt_problem_add(&unread, TT_PROBLEM_GRAPH_KEY_UNREAD, -1, "", 0);
        put(trace ? &trace->problems : &unread, tt_keys_path(keys, i), t);
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    tt_problems problems = s->problems;
    tt_roofline_problems(q, &problems);
    put(&problems, NULL, t);
    if (!q->trace) put_keys(q->session, t);
    if (!t->n_rows) t->note = "No problems found";
}

const tt_table_desc tt_table_problems = {
    .id = "problems",
    .title = "Problems",
    .meaning = "problems of the input, and repairs",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_PEAKS | TT_TABLE_CALLS,
    .compute = compute,
};

/* model/tables/overview/stacks.c - table stacks: where each thread was when a recording was frozen, from the slices
 * without duration that the recorder's reader makes of call stacks (parser/recording/facts.h). */
#include <stdlib.h>
#include <string.h>

#include "model/tables/table_util.h"
#include "model/text/frame_name.h"

enum { PID, TID, THREAD, KIND, FRAME, AT, STACK };

static const tt_column columns[] = {
    {.key = "pid", .title = "Process", .type = TT_T_COUNT, .prio = 2, .help = "number of the process", .is_id = true},
    {.key = "tid", .title = "TID", .type = TT_T_COUNT, .prio = 1, .help = "number of the thread", .is_id = true},
    COL("thread", "Thread", STRING, 0, "name of the thread"),
    COL("kind", "Kind", STRING, 0, "Python stack, or C stack"),
    COL("frame", "Frame", STRING, 0, "innermost frame outside of torch"),
    COL("at_ns", "At", TIME, 1, "when it was read"),
    COL("stack", "Stack", STRING, 3, "frames, innermost first, joined by ;"),
};

/* The innermost frame outside of torch, else the innermost one; NULL: no frame, only remarks "(...)". */
static const char *frame_of(const char *stack, tt_arena *a)
{
    const char *first = NULL;
    for (const char *p = stack, *end; *p; p = *end ? end + 1 : end) {
        end = strchrnul(p, ';');
        if (*p == '(' || p == end) continue;
        const char *frame = tt_arena_strndup(a, p, (size_t)(end - p));
        if (!tt_frame_in_torch(frame)) return frame;
        if (!first) first = frame;
    }
    return first;
}

static void set_number(tt_table *t, uint32_t row, uint32_t col, const char *digits)
{
    char *end;
    long long v = strtoll(digits, &end, 10);
    if (end != digits && !*end) tt_set_i(t, row, col, v);
}

static void put(const tt_query *q, const tt_trace *s, tt_row r, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    const tt_track *track = &s->tracks[tt_row_track(s, r)];
    const char *stack = tt_str(&s->strings, s->op_args[s->detail[r]].stack);
    set_number(t, row, PID, tt_str(&s->strings, track->pid));
    set_number(t, row, TID, tt_str(&s->strings, track->tid));
    tt_set_ref(t, row, THREAD, tt_str(&s->strings, track->name));
    tt_set_ref(t, row, KIND, tt_row_name(s, r));
    tt_set_ref(t, row, FRAME, frame_of(stack, &t->arena));
    tt_set_i(t, row, AT, tt_at(q, s->start[r]));
    tt_set_ref(t, row, STACK, stack);
    tt_set_row(q, t, row, r);
}

/* Index of the category of call stacks; n_cats: there is none. */
static uint32_t category_of(const tt_trace *s)
{
    uint32_t c = 0;
    while (c < s->n_cats && strcmp(tt_str(&s->strings, s->cats[c].name), "call_stack") != 0) c++;
    return c;
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    tt_row_range rows = tt_query_rows(q);
    uint32_t cat = category_of(s);
    if (cat == s->n_cats || s->cats[cat].kind != TT_KIND_OTHER) return;
    for (tt_row r = rows.first; r < rows.end; r++) {
        if (s->cat[r] == cat && tt_query_has_row(q, r)) put(q, s, r, t);
    }
}

const tt_table_desc tt_table_stacks = {
    .id = "stacks",
    .title = "Stacks",
    .meaning = "where each thread was when a recording was frozen",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_THREADS,
    .note = "no call stacks; tracetty record --keep records them when the program hangs or a dump is asked for",
    .compute = compute,
};

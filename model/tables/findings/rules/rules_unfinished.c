/* model/tables/findings/rules/rules_unfinished.c - rule unfinished_work: the kernel in which a stream is stuck. */
#include "model/tables/devices/unfinished.h"
#include "model/tables/findings/rules/rules.h"

#include <inttypes.h>

/* Work is stuck when it ran so long, ns, and so many times as long as the longest work of its name that ended. */
enum { LONGER = 10 };
static const int64_t stuck_ns = 2000000000;

static int64_t longest_of(const tt_trace *s, tt_sid name)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_row r = s->dev[i].row;
        bool same = tt_kind_is_work(tt_row_kind(s, r)) && s->name[r] == name;
        if (same && s->dur[r] > most) most = s->dur[r];
    }
    return most;
}

/* Number of rows behind this one, which were launched behind it on its stream. */
static uint32_t behind(const tt_table *t, uint32_t row)
{
    uint32_t n = 0;
    while (row + n + 1 < t->n_rows && tt_table_cell(t, row + n + 1, TT_UNFINISHED_ORDER).i > 1) n++;
    return n;
}

static void add(tt_finding_context *c, const tt_table *t, uint32_t row)
{
    tt_arena *a = &c->t->arena;
    const char *range = tt_table_cell(t, row, TT_UNFINISHED_RANGE).s;
    const char *op = tt_table_cell(t, row, TT_UNFINISHED_OPERATOR).s, *in = op ? op : range;
    int64_t device = tt_table_cell(t, row, TT_UNFINISHED_DEVICE).i;
    int64_t stream = tt_table_cell(t, row, TT_UNFINISHED_STREAM).i;
    int64_t ns = tt_table_cell(t, row, TT_UNFINISHED_RUNNING).i;
    tt_row slice = t->drilldowns[row].row;
    uint32_t n = behind(t, row);
    const char *title = tt_arena_printf(
        a, "%s %" PRId64 " is stuck: %s on stream %" PRId64 " had run for %s when the recording ended%s%s%s%s",
        c->s->rules->device, device, tt_table_cell(t, row, TT_UNFINISHED_NAME).s, stream, tt_finding_ns(c, ns),
        in ? ", launched in " : "", in ? in : "", op && range ? " of " : "", op && range ? range : "");
    const char *detail = tt_arena_printf(
        a,
        "%" PRIu32 " more wait behind it on the stream (table unfinished). A collective waits for ranks that do not "
        "come: record all ranks, and compare; another kernel loops or waits for memory",
        n);
    uint32_t to = tt_finding_add(c, "high", title, detail);
    tt_clear_lead(c->t, to);
    tt_set_i(c->t, to, TT_FINDING_COUNT, n + 1);
    tt_set_i(c->t, to, TT_FINDING_START_AT, tt_at(c->q, c->s->start[slice]));
    tt_set_i(c->t, to, TT_FINDING_END_AT, tt_at(c->q, tt_row_end(c->s, slice)));
    tt_set_range(c->q, c->t, to, c->s->start[slice], tt_row_end(c->s, slice));
}

void tt_find_unfinished_work(tt_finding_context *c)
{
    if (!c->s->problems.of[TT_PROBLEM_UNFINISHED].count) return;
    const tt_session *session = c->q->session;
    tt_scope scope = *c->q->scope;
    const tt_options none = {0};
    tt_scope_to_trace(session, c->q->trace, &scope);
    tt_table *t = tt_table_compute(session, &tt_table_unfinished, &scope, &none);
    for (uint32_t row = 0; row < t->n_rows; row++) {
        if (tt_table_cell(t, row, TT_UNFINISHED_ORDER).i != 1) continue;
        int64_t ns = tt_table_cell(t, row, TT_UNFINISHED_RUNNING).i;
        tt_sid name = c->s->name[t->drilldowns[row].row];
        if (ns >= stuck_ns && ns >= LONGER * longest_of(c->s, name)) add(c, t, row);
    }
    tt_table_free(t);
}

/* model/tables/findings/rules/rules_idle.c - rules of table findings about idle device time, by wait cause. They are
 * silent if no device worked, or its time is not in the file. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/findings/rules/rules.h"
#include "model/tables/path/path_inputs.h"

/* "GPU 0 is idle 33.1% of the step time (352.4 ms in 6 waits, longest 68.7 ms)" */
static const char *idle_text(tt_finding_context *c, const tt_claim *x)
{
    return tt_arena_printf(&c->t->arena, "%s is idle %.1f%% %s (%s)", tt_finding_device(c, x->device),
                           tt_finding_pct(c, x->device, x->ns), tt_finding_of_time(c), tt_finding_time(c, x, "waits"));
}

static const char *line_text(tt_finding_context *c, const tt_claim *x)
{
    return x->line ? tt_arena_printf(&c->t->arena, ", %s", x->line) : "";
}

/* Add the finding of a root that claims time; returns the row. */
static uint32_t add(tt_finding_context *c, tt_root_claim root, const char *title, const char *detail)
{
    tt_claim *x = &c->roots[root];
    uint32_t row = tt_finding_add(c, tt_finding_severity(tt_finding_pct(c, x->device, x->ns)), title, detail);
    tt_finding_claims(c, row, x);
    return row;
}

static bool claims(const tt_finding_context *c, tt_root_claim root)
{
    return c->work->n && c->roots[root].device != TT_NONE && c->roots[root].ns > 0;
}

static void replay_idle(tt_finding_context *c, uint32_t row, uint32_t categories)
{
    tt_finding_replays(c, row, categories, tt_finding_idle_bound(c));
}

void tt_find_first_call(tt_finding_context *c)
{
    if (!claims(c, TT_ROOT_FIRST_CALL) || tt_finding_found(c, "graph_capture") != TT_NONE) return;
    tt_claim *x = &c->roots[TT_ROOT_FIRST_CALL];
    const char *title = tt_arena_printf(&c->t->arena, "First call: %s takes %s (%.1f%% %s): start-up, not the program",
                                        tt_row_name(c->s, c->first_call), tt_finding_ns(c, x->ns),
                                        tt_finding_pct(c, x->device, x->ns), tt_finding_of_time(c));
    uint32_t row =
        add(c, TT_ROOT_FIRST_CALL, tt_arena_printf(&c->t->arena, "%s%s", title, line_text(c, x)),
            "The first call makes the context or loads modules: record after a few steps of warm-up, or look "
            "at later steps (--steps)");
    tt_finding_replays(c, row, 0, tt_finding_idle_bound(c))->change.call = c->first_call;
}

void tt_find_input_stall(tt_finding_context *c)
{
    if (!claims(c, TT_ROOT_INPUT)) return;
    tt_claim *x = &c->roots[TT_ROOT_INPUT];
    uint32_t row = add(
        c, TT_ROOT_INPUT,
        tt_arena_printf(&c->t->arena, "Input-bound: %s waiting for the DataLoader%s", idle_text(c, x), line_text(c, x)),
        tt_advice_of(c->s->rules)->load_data);
    tt_finding_of(c, row)->mild = "Waits for input";
    replay_idle(c, row, 1u << TT_WAIT_INPUT);
}

void tt_find_sync_stall(tt_finding_context *c)
{
    if (!claims(c, TT_ROOT_SYNC) || !tt_finding_device_known(c)) return;
    tt_claim *x = &c->roots[TT_ROOT_SYNC];
    uint32_t row = add(
        c, TT_ROOT_SYNC,
        tt_arena_printf(&c->t->arena, "Synchronisation: %s while the CPU blocks on it%s", idle_text(c, x),
                        line_text(c, x)),
        tt_arena_printf(&c->t->arena, "Synchronise less often inside a step: %s", tt_advice_of(c->s->rules)->no_sync));
    replay_idle(c, row, 1u << TT_WAIT_SYNC);
}

/* ": Python or unrecorded code 48.3%, operators 33.8%, runtime calls 8.3%", the largest first. */
static const char *host_text(tt_finding_context *c, const tt_claim *x)
{
    static const struct {
        tt_wait_cause cause;
        const char *name;
    } parts[] = {{TT_WAIT_BETWEEN, "Python or unrecorded code"},
                 {TT_WAIT_OPERATOR, "operators"},
                 {TT_WAIT_RUNTIME, "runtime calls"}};
    bool said[COUNT_OF(parts)] = {false};
    const char *text = "";
    for (size_t n = 0; n < COUNT_OF(parts); n++) {
        size_t most = COUNT_OF(parts);
        for (size_t i = 0; i < COUNT_OF(parts); i++)
            if (!said[i] && (most == COUNT_OF(parts) || x->part[parts[i].cause] > x->part[parts[most].cause])) most = i;
        said[most] = true;
        if (!x->part[parts[most].cause]) continue;
        text = tt_arena_printf(&c->t->arena, "%s%s%s %.1f%%", text, n ? ", " : ": ", parts[most].name,
                               tt_finding_pct(c, x->device, x->part[parts[most].cause]));
    }
    return text;
}

void tt_find_host_bound(tt_finding_context *c)
{
    if (!claims(c, TT_ROOT_HOST) || !tt_finding_device_known(c)) return;
    tt_claim *x = &c->roots[TT_ROOT_HOST];
    uint32_t row =
        add(c, TT_ROOT_HOST,
            tt_arena_printf(&c->t->arena, "CPU-bound: %s%s%s", idle_text(c, x), host_text(c, x), line_text(c, x)),
            tt_arena_printf(&c->t->arena, "Give the %s more work for each launch: %s", c->s->rules->device,
                            tt_advice_of(c->s->rules)->fewer_launches));
    tt_finding_of(c, row)->mild = "Waits for the CPU";
    replay_idle(c, row, TT_FINDING_ON_HOST);
}

/* ---- work that was launched in time ---- */

/* Whether at least two streams have work in the account, nearly all with a known launch. */
static bool may_wait_for_streams(const tt_finding_context *c)
{
    uint64_t all = 0, known = 0, streams = 0;
    for (uint32_t i = 0; i < c->work->n_streams; i++) {
        const tt_work_stream *st = &c->work->streams[i];
        uint64_t before = all;
        for (const tt_work *x = c->work->at + st->first, *end = x + st->n; x < end; x++) {
            if (!tt_ivs_length_in(&c->account.time, x->start, x->end > x->start ? x->end : x->start + 1)) continue;
            all++;
            known += x->launch != TT_NONE;
        }
        streams += all > before;
    }
    return streams > 1 && known * 10 >= all * 9;
}

/* What the longest wait was for, if a synchronisation record tells. */
static const char *waited_for(tt_finding_context *c, const tt_claim *x)
{
    const tt_waits *waits = &tt_path_inputs_get(c->q->session, c->q->trace)->waits;
    const tt_claim_piece *longest = &x->pieces.at[0];
    for (size_t i = 1; i < x->pieces.n; i++)
        if (x->pieces.at[i].ns > longest->ns) longest = &x->pieces.at[i];
    for (size_t i = 0; i < waits->events.n; i++) {
        const tt_work *work = &c->work->at[waits->events.at[i].work],
                      *source = &c->work->at[waits->events.at[i].source];
        if (work->start != longest->t1 || c->work->streams[work->stream].device != x->device) continue;
        return tt_arena_printf(&c->t->arena, "the longest wait is for %s on stream %s", tt_row_name(c->s, source->row),
                               c->work->streams[source->stream].name);
    }
    return "what it waited for is not in the file";
}

void tt_find_stream_wait(tt_finding_context *c)
{
    /* without launches the wait causes are unknown */
    if (!claims(c, TT_ROOT_STREAM) || c->s->rules->no_launches || !tt_finding_device_known(c)) return;
    if (!may_wait_for_streams(c)) return;
    tt_claim *x = &c->roots[TT_ROOT_STREAM];
    const char *source = waited_for(c, x);
    uint32_t row = add(
        c, TT_ROOT_STREAM,
        tt_arena_printf(&c->t->arena, "Stream wait: %s with work in its queue; %s", idle_text(c, x), source),
        "Check the longest wait: an event of another stream, another device, or a peer copy; move independent work to "
        "its own stream");
    replay_idle(c, row, 1u << TT_WAIT_QUEUE);
}

void tt_find_unseen_work(tt_finding_context *c)
{
    if (!claims(c, TT_ROOT_UNSEEN)) return;
    tt_claim *x = &c->roots[TT_ROOT_UNSEEN];
    uint32_t row = add(c, TT_ROOT_UNSEEN,
                       tt_arena_printf(&c->t->arena,
                                       "Cannot tell what %s did for %s (%.1f%% %s): work was submitted and did not "
                                       "start; what ran is not in the file (a cut recording, or another process)",
                                       tt_finding_device(c, x->device), tt_finding_ns(c, x->ns),
                                       tt_finding_pct(c, x->device, x->ns), tt_finding_of_time(c)),
                       "Record from before that work is submitted, and every process that uses the device");
    tt_set_ref(c->t, row, TT_FINDING_SEVERITY, "info");
}

/* model/tables/summary_rows.c - see summary_rows.h. */
#include "model/tables/summary_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/summary/stub.h"
#include "model/tables/imported_rows.h"

static const char by_event[] = "A summary has no single events: open the trace of the rank";
static const char by_stack[] = "A summary has no call stacks: open the trace of the rank";
static const char whole_only[] =
    "A summary knows whole recordings only: open the trace of the rank to look at a part of it";
static const char asked_later[] = "A summary has this table with its usual options only: open the trace of the rank";

/* tables with a row per event, or per point of a curve: they grow with the recording */
static const char *const left_out[] = {"gpu_gaps",       "queue_curve",      "copy_curve",       "memory_curve",
                                       "memory_alive",   "memory_events",    "memory_segments",  "memory_stacks",
                                       "memory_names",   "memory_peak",      "interval",         "evidence",
                                       "critical_path",  "data_queue_curve", "step_collectives", "launches launch",
                                       "what_if kernel", "what_if operator", "what_if category"};

const char *tt_summary_key(const tt_table_desc *d, uint8_t group, char out[TT_SUMMARY_KEY_CAP])
{
    const char *key = d->groups ? d->groups[group] : NULL;
    snprintf(out, TT_SUMMARY_KEY_CAP, "%s%s%s", d->id, key ? " " : "", key ? key : "");
    return out;
}

bool tt_summary_asks_again(const char *finding)
{
    static const char *const ids[] = {"straggler",
                                      "slow_node",
                                      "late_in_group",
                                      "clocks_apart",
                                      "slow_rank",
                                      "slow_rank_gap",
                                      "slow_rank_flops",
                                      "slow_link",
                                      "pipeline_between_stages",
                                      "communication_in_stage",
                                      "unbalanced_stages"};
    for (size_t i = 0; i < COUNT_OF(ids); i++)
        if (!strcmp(ids[i], finding)) return true;
    return false;
}

bool tt_summary_keeps(const tt_table_desc *d, uint8_t group, const char **why)
{
    *why = NULL;
    char key[TT_SUMMARY_KEY_CAP];
    tt_summary_key(d, group, key);
    for (size_t i = 0; i < COUNT_OF(left_out); i++)
        if (!strcmp(d->id, left_out[i]) || !strcmp(key, left_out[i])) *why = by_event;
    if (d->groups && strstr(d->groups[group], "stack")) *why = by_stack;
    const uint32_t when_asked = TT_TABLE_ALL_TRACES | TT_TABLE_COMPARE | TT_TABLE_CALLS;
    return !*why && !(d->flags & when_asked);
}

static bool usual_options(const tt_query *q, const tt_table_desc *d)
{
    const tt_options *o = &q->options;
    return !o->thread_sep && !o->device_window && o->peak_tflops <= 0 && o->peak_gb_per_s <= 0 && !o->n_what_if &&
           !o->arg[0] && !o->arg[1] && !o->arg[2] && (o->samples_per_step <= 0 || strcmp(d->id, "throughput") != 0);
}

/* Replace the worker in the rows from `from` on by the name that the worker has here. */
static void name_worker(const tt_query *q, tt_table *t, uint32_t from)
{
    for (uint32_t c = 0; c < t->desc->n_cols; c++) {
        if (strcmp(t->desc->cols[c].key, "worker") != 0) continue;
        for (uint32_t r = from; r < t->n_rows; r++) tt_set_ref(t, r, c, tt_query_trace(q)->worker);
    }
}

/* Add the rank to the sentences of findings: "GPU 0 is idle" of a single recording becomes "GPU 0 of rank 3 is idle"
 * among several workers. */
static void name_rank(const tt_query *q, tt_table *t, uint32_t from)
{
    char shown[TT_TITLE_CAP], rank[32];
    uint32_t title = 0;
    while (title < t->desc->n_cols && strcmp(t->desc->cols[title].key, "title") != 0) title++;
    for (uint32_t r = from; r < t->n_rows && title < t->desc->n_cols && q->session->n_workers > 1; r++) {
        const char *device = tt_table_cell_of(t, r, "device", TT_T_STRING).s;
        const char *text = tt_table_cell_of(t, r, "title", TT_T_STRING).s;
        const char *at = device && text ? strstr(text, tt_device_shown(device, shown)) : NULL;
        if (!at || isdigit((unsigned char)at[strlen(shown)])) continue;
        int head = (int)(at - text) + (int)strlen(shown);
        tt_set_ref(t, r, title,
                   tt_arena_printf(&t->arena, "%.*s of %s%s", head, text,
                                   tt_rank_name(q->session, tt_query_trace(q)->worker, rank), text + head));
    }
}

bool tt_summary_put(const tt_query *q, tt_table *t)
{
    const tt_summary *x = tt_summary_of(tt_query_trace(q));
    const tt_table_desc *d = t->desc;
    char key[TT_SUMMARY_KEY_CAP];
    const char *note = NULL;
    if (!x || tt_trace_is_dump(tt_query_trace(q)) || d->flags & TT_TABLE_CALLS) return false;
    bool kept = tt_summary_keeps(d, q->options.group, &note);
    if (kept && !usual_options(q, d)) note = asked_later;
    bool asked = !note;
    const tt_imported *rows = asked ? tt_summary_rows(x, tt_summary_key(d, q->options.group, key), &note) : NULL;
    bool lost = asked && !rows && note; /* the stored rows of this worker cannot be read */
    bool part = !q->windows->everything || q->scope->thread != TT_ALL;
    if (rows && part && (q->scope->thread != TT_ALL || tt_imported_column_of(rows, "step") < 0)) {
        note = whole_only;
        rows = NULL;
    }
    uint32_t from = t->n_rows;
    if (rows) tt_imported_put(q, rows, t);
    name_worker(q, t, from);
    if (!strcmp(d->id, "findings")) name_rank(q, t, from);
    if (note && (lost || !t->n_rows)) t->note = tt_arena_strndup(&t->arena, note, strlen(note));
    return !(d->flags & TT_TABLE_KEPT_TOO);
}

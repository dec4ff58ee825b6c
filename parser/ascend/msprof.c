/* parser/ascend/msprof.c - msprof's folders PROF_*: a timeline in parts, and the iterations of the device.
 *
 * msprof_K_MODEL_ITER.json holds iteration ITER of device K. task_time_* and hccl_* repeat the same events and are
 * read only if no such file exists. Every step_trace_* has all iterations, so only one of them is read. Newer versions
 * write one timeline, mindstudio_profiler_output/msprof_TIME.json. */
#include <stdlib.h>
#include <string.h>

#include "model/base/interval_set.h"
#include "parser/ascend/folder.h"
#include "parser/ascend/reader.h"
#include "parser/chrome/reader.h"

#define OF_DEVICE "device_#/timeline/"
#define OF_ALL "mindstudio_profiler_output/"

const tt_folder_part tt_msprof_parts[] = {
    {ROLE_TRACE, OF_DEVICE "msprof_*.json", false}, {ROLE_TASKS, OF_DEVICE "task_time_*.json", false},
    {ROLE_TASKS, OF_DEVICE "hccl_*.json", false},   {ROLE_ITERATIONS, OF_DEVICE "step_trace_*.json", false},
    {ROLE_TRACE, OF_ALL "msprof_*.json", false},    {ROLE_ITERATIONS, OF_ALL "step_trace_*.json", false},
    {ROLE_INFO, "device_#/info.json*", true},       {NULL, NULL, false},
};

/* ---- iterations ---- */

enum { STEP, START, TOTAL, GAP, FORWARD_BACKWARD, TAIL, COLLECTIVES, N_COLUMN };
static const tt_imported_key columns[N_COLUMN] = {
    {"step", TT_T_STRING},
    {"start_at_ns", TT_T_TIME},
    {"total_ns", TT_T_DURATION},
    {"gap_ns", TT_T_DURATION},
    {"forward_backward_ns", TT_T_DURATION},
    {"tail_ns", TT_T_DURATION},
    {"collectives_ns", TT_T_DURATION},
};

typedef struct event { /* an event of a step_trace file */
    char cat[32], id[32], name[64];
    int64_t ts, dur, fp_start, bp_end, end; /* ns; TT_UNKNOWN = none */
} event;

typedef struct iteration {
    char id[32];
    int64_t ts, fp_start, bp_end, end;
    tt_ivs collectives;
} iteration;
typedef TT_VEC(iteration) iterations;

static void take_member(const tt_json_stream *s, const char *key, tt_json_token k, bool args, event *e)
{
    static const struct {
        const char *key;
        bool args;
        size_t at;
    } times[] = {{"ts", false, offsetof(event, ts)},
                 {"dur", false, offsetof(event, dur)},
                 {"FP Start", true, offsetof(event, fp_start)},
                 {"BP End", true, offsetof(event, bp_end)},
                 {"Iteration End", true, offsetof(event, end)}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (times[i].args == args && !strcmp(key, times[i].key))
            (void)tt_ascend_json_number(s, k, TT_NS_OF_US, (int64_t *)(void *)((char *)e + times[i].at));
    }
    if (!args && !strcmp(key, "cat") && k == TT_JSON_STRING) tt_ascend_json_text(s, e->cat, sizeof e->cat);
    if (!args && !strcmp(key, "name") && k == TT_JSON_STRING) tt_ascend_json_text(s, e->name, sizeof e->name);
    if (args && !strcmp(key, "Iteration ID")) tt_ascend_json_text(s, e->id, sizeof e->id);
}

/* Read the open object of an event; false = the text ends in it. */
static bool read_event(tt_json_stream *s, event *e)
{
    unsigned level = s->depth;
    bool args = false;
    *e = (event){.ts = TT_UNKNOWN, .dur = TT_UNKNOWN, .fp_start = TT_UNKNOWN, .bp_end = TT_UNKNOWN, .end = TT_UNKNOWN};
    for (tt_json_token k; (k = tt_json_stream_next(s)) > TT_JSON_BROKEN;) {
        char key[64];
        if (k == TT_JSON_OBJECT_END && s->depth == level) return true;
        if (k == TT_JSON_OBJECT_END) args = false;
        if (k != TT_JSON_KEY) continue;
        tt_ascend_json_text(s, key, sizeof key);
        k = tt_json_stream_next(s);
        if (k == TT_JSON_OBJECT && !args && !strcmp(key, "args"))
            args = true;
        else if (k == TT_JSON_OBJECT || k == TT_JSON_LIST)
            tt_json_stream_skip(s, k);
        else
            take_member(s, key, k, args, e);
    }
    return false;
}

static iteration *iteration_of(iterations *all, const char *id)
{
    for (size_t i = all->n; i-- > 0;) { /* events are sorted by time, so the iteration is one of the last */
        if (!strcmp(all->at[i].id, id)) return &all->at[i];
    }
    iteration *it = tt_vec_push(all);
    *it = (iteration){.ts = TT_UNKNOWN, .fp_start = TT_UNKNOWN, .bp_end = TT_UNKNOWN, .end = TT_UNKNOWN};
    memcpy(it->id, id, sizeof it->id);
    return it;
}

static void on_event(const event *e, iterations *all)
{
    if (e->ts == TT_UNKNOWN || !*e->id) return;
    if (!strcmp(e->cat, "Iteration Time")) {
        iteration *it = iteration_of(all, e->id);
        it->ts = e->ts;
        it->fp_start = e->fp_start;
        it->bp_end = e->bp_end;
        it->end = e->end != TT_UNKNOWN ? e->end : e->dur != TT_UNKNOWN ? e->ts + e->dur : TT_UNKNOWN;
    } else if (!strcmp(e->cat, "Reduce") && e->dur > 0) {
        tt_ivs_add(&iteration_of(all, e->id)->collectives, e->ts, e->ts + e->dur);
    }
}

static void read_iterations(tt_ascend *a, iterations *all)
{
    tt_ascend_json j;
    event e;
    if (!tt_ascend_json_open(a, ROLE_ITERATIONS, &j)) return;
    for (tt_json_token k; !tt_ascend_cancelled(a) && (k = tt_json_stream_next(&j.s)) > TT_JSON_BROKEN;) {
        if (k == TT_JSON_OBJECT && read_event(&j.s, &e)) on_event(&e, all);
    }
    tt_ascend_json_close(&j);
}

static void set_between(tt_imported *t, uint32_t row, uint32_t col, int64_t from, int64_t to)
{
    if (from != TT_UNKNOWN && to != TT_UNKNOWN) tt_imported_set_i(t, row, col, to - from);
}

/* Table step_trace from msprof's iterations. */
static void ascend_iterations(tt_ascend *a)
{
    iterations all = {0};
    tt_imported *t = NULL;
    read_iterations(a, &all);
    for (size_t i = 0; i < all.n; i++) {
        iteration *it = &all.at[i];
        if (it->ts != TT_UNKNOWN) {
            if (!t) t = tt_ascend_table(a, "step_trace", columns, N_COLUMN);
            uint32_t row = tt_imported_row(t);
            tt_imported_set_s(t, row, STEP, it->id, strlen(it->id));
            tt_imported_set_i(t, row, START, it->ts);
            set_between(t, row, TOTAL, it->ts, it->end);
            set_between(t, row, GAP, it->ts, it->fp_start);
            set_between(t, row, FORWARD_BACKWARD, it->fp_start, it->bp_end);
            set_between(t, row, TAIL, it->bp_end, it->end);
            tt_ivs_normalise(&it->collectives);
            if (it->collectives.n) tt_imported_set_i(t, row, COLLECTIVES, tt_ivs_length(&it->collectives));
        }
        tt_vec_free(&it->collectives);
    }
    tt_vec_free(&all);
}

/* ---- the folder ---- */

static void fill(void *arg, tt_builder *b, tt_build_header *h)
{
    tt_ascend *a = arg;
    (void)b;
    for (size_t i = 0; i < a->facts.n; i++)
        tt_build_meta(h, a->facts.at[i].key, a->facts.at[i].value, strlen(a->facts.at[i].value));
}

tt_status tt_read_msprof(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                         const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_ascend a = {.in = in, .progress = progress, .rank = names->rank, .device = -1};
    tt_reader_names with = *names;
    *out = NULL;
    tt_ascend_facts(&a);
    with.rank = a.rank;
    const tt_chrome_folder folder = {.role = tt_input_has(a.in, ROLE_TRACE) ? ROLE_TRACE : ROLE_TASKS,
                                     .format = names->format,
                                     .rules = &tt_rules_ascend,
                                     .fill = fill,
                                     .arg = &a};
    tt_status status = tt_read_chrome_folder(in, &folder, &with, threads, progress, hooks, out, err);
    if (status == TT_OK) {
        ascend_iterations(&a);
        if (!tt_input_has(a.in, ROLE_TRACE))
            tt_ascend_missing(&a, "msprof_*.json", "the tasks and collectives were read, there is nothing of the host");
        tt_problems_merge(&(*out)->problems, &a.problems);
        for (size_t i = 0; i < a.tables.n; i++) tt_trace_import(*out, a.tables.at[i]);
    }
    for (size_t i = 0; status != TT_OK && i < a.tables.n; i++) tt_imported_free(a.tables.at[i]);
    tt_vec_free(&a.tables);
    tt_vec_free(&a.facts);
    tt_arena_free(&a.arena);
    return status;
}

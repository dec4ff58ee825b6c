/* model/tables/overview/run.c - facts about the loaded file: format, extent, devices, and the profiler's own facts.
 *
 * The facts come first in a fixed order, then all other members of the file's top level in file order. */
#include "model/base/buf.h"
#include "model/hang/hang.h"
#include "model/keys/keys.h"
#include "model/tables/analysis/names/time_class.h"
#include "model/tables/overview/columns.h"
#include "model/tables/serving/engine_steps.h"
#include "model/tables/table_util.h"
#include "model/text/json_text.h"
#include "model/text/process_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const tt_column columns[] = {
    [TT_RUN_KEY] = COL("key", "Fact", STRING, 0, "what it is; keys the trace file has itself are spelt as there"),
    [TT_RUN_VALUE] = COL("value", "Value", STRING, 0, "its value"),
};

/* Whether tracetty's own recorder made the trace; its export says so, too. */
static bool recorded(const tt_trace *s)
{
    const char *recorder = tt_trace_meta(s, "recorder");
    return recorder && !strncmp(recorder, "tracetty ", 9);
}

/* The framework of the trace. A recording can be of any program: its operators show which. */
static const char *framework(const tt_trace *s)
{
    const char *prefix = s->rules->marked.prefix;
    for (uint32_t i = 0; prefix && i < s->strings.text.n; i++) {
        if (!strncmp(tt_str(&s->strings, i), prefix, strlen(prefix))) return s->rules->marked.framework;
    }
    return s->rules->framework;
}

static void fact(tt_table *t, const char *key, const char *value)
{
    if (!value || !*value) return;
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_RUN_KEY, key);
    tt_set_ref(t, row, TT_RUN_VALUE, value);
}

static void number_fact(tt_table *t, const char *key, int64_t v)
{
    fact(t, key, tt_arena_printf(&t->arena, "%" PRId64, v));
}

static const char *duration_text(tt_table *t, int64_t ns)
{
    double v = (double)ns;
    if (ns >= 1000000000) return tt_arena_printf(&t->arena, "%.3f s", v / 1e9);
    if (ns >= 1000000) return tt_arena_printf(&t->arena, "%.3f ms", v / 1e6);
    if (ns >= 1000) return tt_arena_printf(&t->arena, "%.3f us", v / 1e3);
    return tt_arena_printf(&t->arena, "%" PRId64 " ns", ns);
}

/* The text, cut to at most 240 bytes between characters. */
static const char *short_text(tt_table *t, const char *s)
{
    size_t n = strlen(s);
    if (n <= 240) return s;
    n = 237;
    while (n && ((unsigned char)s[n] & 0xC0) == 0x80) n--;
    return tt_arena_printf(&t->arena, "%.*s...", (int)n, s);
}

static void devices_fact(const tt_trace *s, tt_table *t)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < s->n_dev; i++)
        if (s->dev[i].device >= 0 && s->dev[i].device < 64) used |= 1ull << s->dev[i].device;
    char text[64 * 16] = "";
    tt_buf line = tt_buf_of(text);
    for (int i = 0; i < 64; i++) {
        if (used >> i & 1) tt_buf_list(&line, ", ", "%s%d", s->rules->device, i);
    }
    if (line.n) fact(t, "devices", tt_arena_strndup(&t->arena, text, line.n));
}

static bool listed_elsewhere(const tt_trace *s, const char *key)
{
    if (!strcmp(key, "rank")) return s->rank >= 0; /* recordings state these themselves */
    if (!strcmp(key, "tracetty") || !strcmp(key, "windowed")) return recorded(s);
    if (!strcmp(key, "world_size")) return s->world_size >= 0;
    static const char *const keys[] = {"traceEvents",     "deviceProperties", "computeProperties",
                                       "displayTimeUnit", "workers",          "spans",
                                       "schemaVersion",   "device_type"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

/* Add the cost of the recording to the program, as CUPTI measured it; losses are in table problems. */
static void overhead_fact(const tt_trace *s, tt_table *t)
{
    tt_json_member m;
    const char *own = recorded(s) ? tt_trace_meta(s, "tracetty") : NULL;
    double us = own && tt_json_find(own, own + strlen(own), "overhead_us", &m) ? strtod(m.value, NULL) : 0;
    if (!(us > 0) || us > 1e15) return;
    const char *text = duration_text(t, (int64_t)(us * 1e3 + 0.5));
    double pct = s->end > 0 ? us * 1e5 / (double)s->end : 0;
    fact(t, "capture_overhead", tt_arena_printf(&t->arena, "%s (%.2g%%), as CUPTI says", text, pct));
}

static const char *const source_words[] = {[TT_STEPS_NONE] = "none",
                                           [TT_STEPS_PROFILER] = "ProfilerStep",
                                           [TT_STEPS_ENGINE] = "annotation",
                                           [TT_STEPS_DEVICE] = "gpu_annotation",
                                           [TT_STEPS_INFERRED] = "inferred"};

/* The engine with most steps. */
static void engine_fact(const tt_session *session, uint32_t trace, tt_table *t)
{
    const tt_engine_steps *e = tt_engine_steps_get(session, trace);
    uint32_t steps[TT_ENGINE_COUNT_] = {0};
    tt_engine most = TT_ENGINE_VLLM;
    for (uint32_t i = 0; i < e->n; i++) steps[e->at[i].said.engine]++;
    for (tt_engine k = TT_ENGINE_VLLM; k < TT_ENGINE_COUNT_; k++)
        if (k != TT_ENGINE_CAPTURE && steps[k] > steps[most]) most = k;
    if (steps[most]) fact(t, "engine", tt_engine_word(most));
}

static void key_facts(const tt_session *session, tt_table *t)
{
    const tt_keys *keys = tt_session_keys(session);
    uint32_t n = tt_keys_count(keys);
    const char *paths = n ? tt_keys_path(keys, 0) : NULL;
    for (uint32_t i = 1; i < n; i++) paths = tt_arena_printf(&t->arena, "%s, %s", paths, tt_keys_path(keys, i));
    if (!n) return;
    number_fact(t, "graph_keys", n);
    fact(t, "graph_key_paths", paths);
}

/* The place in the parallel layout that the file name says. */
static void layout_facts(const tt_trace *s, tt_table *t)
{
    const char *slash = s->path ? strrchr(s->path, '/') : NULL;
    tt_process_name said;
    if (!s->path || !tt_process_name_read(slash ? slash + 1 : s->path, &said)) return;
    for (tt_layout p = TT_LAYOUT_TENSOR; p < TT_LAYOUT_COUNT_; p++)
        if (said.rank[p] >= 0) number_fact(t, tt_layout_fact(p), said.rank[p]);
}

static const char *utc_text(tt_table *t, int64_t ns)
{
    char text[64];
    time_t s = (time_t)(ns / 1000000000);
    struct tm tm;
    if (ns == TT_UNKNOWN || !gmtime_r(&s, &tm) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm)) return NULL;
    return tt_arena_printf(&t->arena, "%s.%09d UTC", text, (int)(ns % 1000000000));
}

/* Values of a text over all dumps, each once: "2.9, 2.10". */
static const char *texts_of_dumps(const tt_session *s, tt_table *t, bool library)
{
    const char *out = "";
    tt_strings each;
    tt_strings_init(&each);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_flight *f = s->traces[i]->flight;
        tt_sid text = !f ? 0 : library ? f->library : f->version;
        (void)tt_strings_put(&each, tt_str(&s->traces[i]->strings, text), s->traces[i]->strings.len.at[text]);
    }
    for (uint32_t i = 1; i < each.text.n; i++)
        out = tt_arena_printf(&t->arena, "%s%s%.60s", out, i > 1 ? ", " : "", tt_str(&each, i));
    tt_strings_free(&each);
    return out;
}

/* Facts of the dumps of a job; the first dump speaks for all. */
static void hang_facts(const tt_query *q, tt_table *t)
{
    static const char *const recorders[] = {
        [TT_FLIGHT_C10D] = "c10d", [TT_FLIGHT_TORCHCOMMS] = "torchcomms", [TT_FLIGHT_TRACETTY] = "tracetty"};
    const tt_hang *h = tt_hang_get(q->session);
    const tt_trace *s = tt_query_trace(q);
    bool hook = h->problems.of[TT_PROBLEM_STATUS_IGNORED].count > 0;
    uint32_t from = t->n_rows, dumps = 0;
    if (!tt_query_is_first(q)) return;
    for (uint32_t i = 0; i < q->session->n_traces; i++) dumps += q->session->traces[i]->flight != NULL;
    fact(t, "format", tt_trace_format(s));
    fact(t, "framework", framework(s));
    fact(t, "path", *q->session->path ? q->session->path : s->path);
    fact(t, "run", q->session->run);
    fact(t, "recorder", hook ? "hook" : recorders[s->flight->recorder]);
    fact(t, "versions", texts_of_dumps(q->session, t, false));
    fact(t, "comm_library", texts_of_dumps(q->session, t, true));
    number_fact(t, "world_size", h->n_ranks);
    number_fact(t, "dumps", dumps);
    number_fact(t, "workers", q->session->n_workers);
    number_fact(t, "events", (int64_t)tt_session_events(q->session));
    number_fact(t, "process_groups", h->n_groups);
    fact(t, "first_time", utc_text(t, h->first));
    fact(t, "last_time", utc_text(t, h->last));
    for (uint32_t r = from; r < t->n_rows; r++) tt_clear_lead(t, r);
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    if (tt_trace_is_dump(s)) {
        hang_facts(q, t);
        return;
    }
    const tt_session *ses = q->session;
    const tt_time_classes *roles = tt_time_classes_get(ses, q->trace);
    fact(t, "format", tt_trace_format(s));
    fact(t, "framework", framework(s));
    fact(t, "schema_version", tt_trace_meta(s, "schemaVersion"));
    fact(t, "path", s->path);
    fact(t, "run", ses->run);
    fact(t, "worker", s->worker);
    fact(t, "span", s->span);
    number_fact(t, "workers", ses->n_workers);
    number_fact(t, "spans", ses->n_spans);
    fact(t, "device_type", roles->has_device ? s->rules->device : "CPU");
    devices_fact(s, t);
    if (s->rank >= 0) number_fact(t, "rank", s->rank);
    if (s->world_size >= 0) number_fact(t, "world_size", s->world_size);
    layout_facts(s, t);
    number_fact(t, "events", (int64_t)s->n_events);
    number_fact(t, "slices", s->n);
    fact(t, "recorded_time", duration_text(t, s->end));
    if (s->absolute) number_fact(t, "start_epoch_ns", s->origin_ns);
    fact(t, "time_resolution", s->resolution_ns >= 1000 ? "1 us" : "1 ns");
    overhead_fact(s, t);
    if (s->steps[0].row != TT_NONE) number_fact(t, "steps", s->n_steps);
    fact(t, "steps_source", source_words[s->steps_source]);
    engine_fact(ses, q->trace, t);
    key_facts(ses, t);
    for (uint32_t i = 0; i < s->n_meta; i++) {
        const char *key = tt_str(&s->strings, s->meta[i].key);
        if (!listed_elsewhere(s, key)) fact(t, key, short_text(t, tt_str(&s->strings, s->meta[i].value)));
    }
}

const tt_table_desc tt_table_run = {
    .id = "run",
    .title = "Run",
    .meaning = "what was loaded and how it was recorded",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_DEFAULT,
    .compute = compute,
};

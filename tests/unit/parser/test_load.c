/* Loading from text to trace: formats, damage, the same trace with any number of threads, cancelling at any moment. */
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#include <inttypes.h>
#include <stdatomic.h>

static tt_session *load(const char *path, unsigned threads, tt_err *err)
{
    tt_load_options o = {.threads = threads};
    return tt_load_finish(tt_load_start(&path, 1, &o), NULL, err);
}

static tt_session *load_text(const char *name, const char *text)
{
    tt_err err = {0};
    tt_session *s = load(temp_file(name, text, strlen(text)), 2, &err);
    if (!s) fprintf(stderr, "    %s: %s\n", name, err.message);
    return s;
}

static uint64_t problem(const tt_session *s, tt_problem_kind kind) { return s->traces[0]->problems.of[kind].count; }

/* ---- a big file ---- */

static uint32_t random_state = 7;
static uint32_t rnd(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % n;
}

/* Write a file of some 30 windows: nested slices of two threads out of order, kernels, flows, memory, counters. `traps`
 * adds arguments with arrays of objects that look like events. */
static const char *big_file(const char *name, bool traps, uint64_t *events)
{
    const char *path = temp_path(name);
    FILE *f = fopen(path, "w");
    uint64_t n = 0;
    fputs("{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"X\", \"numSms\": "
          "8}],\n\"traceEvents\": [\n",
          f);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t tid = 1 + rnd(2), t = i * 100 + rnd(50);
        fprintf(f,
                "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op %u\", \"pid\": 5, \"tid\": %u, \"ts\": %u.%03u, "
                "\"dur\": 60.5, \"args\": {\"External id\": %u, \"Input Dims\": [[%u, 2], []]",
                rnd(40), tid, t, rnd(1000), i + 1, rnd(9));
        if (traps && i % 7 == 0) {
            for (int k = 0; k < 40; k++)
                fprintf(f, "%s{\"name\": \"inner %d\", \"ph\": \"X\", \"ts\": 1}", k ? ", " : ", \"list\": [", k);
            fputs("]", f);
        }
        fprintf(f,
                "}},\n{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 5, \"tid\": "
                "%u, \"ts\": %u.900, \"dur\": 5, \"args\": {\"correlation\": %u, \"External id\": %u}},\n",
                tid, t + 10, i + 1, i + 1);
        fprintf(f,
                "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\\u0041%u\", \"pid\": 0, \"tid\": 7, \"ts\": %u, "
                "\"dur\": 40, \"args\": {\"correlation\": %u, \"device\": 0, \"stream\": 7, \"grid\": [%u,1,1]}},\n",
                rnd(5), t + 30, i + 1, rnd(4));
        fprintf(f,
                "{\"ph\": \"s\", \"id\": %u, \"pid\": 5, \"tid\": %u, \"ts\": %u, \"cat\": \"ac2g\", \"name\": "
                "\"ac2g\"},\n{\"ph\": \"s\", \"id\": %u, \"pid\": 5, \"tid\": %u, \"ts\": %u, \"cat\": "
                "\"fwdbwd\", \"name\": \"fwdbwd\"}%s\n",
                i, tid, t, i, tid, t, i + 1 < 20000 ? "," : "");
        n += 5;
    }
    fputs("], \"traceName\": \"x\", \"baseTimeNanoseconds\": 1700000000000000000}", f);
    fclose(f);
    *events = n;
    return path;
}

static bool same_traces(const tt_trace *a, const tt_trace *b)
{
    uint64_t offsets = 0;
    if (a->n != b->n || a->n_flows != b->n_flows || a->n_launch_flows != b->n_launch_flows ||
        a->n_tracks != b->n_tracks || a->n_links != b->n_links)
        return false;
    for (tt_row r = 0; r < a->n; r++) {
        if (a->start[r] != b->start[r] || a->dur[r] != b->dur[r] || a->parent[r] != b->parent[r] ||
            a->depth[r] != b->depth[r] || a->correlation[r] != b->correlation[r] ||
            a->external_id[r] != b->external_id[r] || tt_row_text(a, r) != tt_row_text(b, r) ||
            tt_row_kind(a, r) != tt_row_kind(b, r) || strcmp(tt_row_name(a, r), tt_row_name(b, r)) != 0) {
            return false;
        }
    }
    for (uint32_t i = 0; i < a->n_dev; i++) {
        if (a->dev[i].row != b->dev[i].row || a->dev[i].launch != b->dev[i].launch) return false;
    }
    for (uint32_t i = 0; i < a->n_flows; i++) {
        if (a->flows[i].ts != b->flows[i].ts || a->flows[i].id != b->flows[i].id ||
            a->flows[i].text != b->flows[i].text)
            return false;
    }
    for (uint32_t i = 0; i < a->n_launch_flows; i++) { /* launch flows are not sorted, so compare sums */
        offsets += (uint64_t)a->launch_flows[i].ts * 31 + a->launch_flows[i].text;
        offsets -= (uint64_t)b->launch_flows[i].ts * 31 + b->launch_flows[i].text;
    }
    return !offsets && a->origin_ns == b->origin_ns && a->end == b->end && a->n_steps == b->n_steps;
}

/* The rules of a trace follow from its content, not from its file name. */
static void test_rules(void)
{
#define EVENT(cat) "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}"
    static const struct {
        const char *text;
        const tt_rules *rules;
    } cases[] = {
        {"[" EVENT("work") "]", &tt_rules_chrome},
        {"[" EVENT("cpu_op") "]", &tt_rules_pytorch},
        {"{\"recorder\": \"other 1.0\", \"traceEvents\": [" EVENT("cpu_op") "]}", &tt_rules_pytorch},
        {"{\"traceEvents\": [" EVENT("cpu_op") "], \"recorder\": \"tracetty 1.0\"}", &tt_rules_recording},
    };
#undef EVENT
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tt_session *s = load_text("worker0.pt.trace.json", cases[i].text);
        CHECK(s && s->traces[0]->rules == cases[i].rules);
        tt_session_free(s);
    }
}

static void test_threads(bool traps)
{
    uint64_t events;
    tt_err err = {0};
    const char *path = big_file(traps ? "traps.json" : "big.json", traps, &events);
    tt_session *one = load(path, 1, &err);
    CHECK(one != NULL);
    if (!one) return;
    const tt_trace *s = one->traces[0];
    CHECK_INT(s->n_events, events);
    CHECK_INT(s->n, 60000);
    CHECK_INT(s->n_flows, 20000);
    CHECK_INT(s->n_launch_flows, 20000);
    CHECK_INT(s->n_links, 20000);
    CHECK_STR(tt_trace_meta(s, "traceName"), "x");
    CHECK_INT(s->origin_ns / 1000000000, 1700000000);
    CHECK(!tt_problems_matter(&s->problems));
    for (unsigned threads = 2; threads <= 5; threads++) {
        tt_session *many = load(path, threads, &err);
        CHECK(many && same_traces(s, many->traces[0]));
        tt_session_free(many);
    }
    tt_session_free(one);
}

/* ---- small texts ---- */

#define EVENT(ts, dur) "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":" ts ",\"dur\":" dur "}"

static void expect(const char *name, const char *text, uint64_t events, uint32_t slices, tt_problem_kind kind,
                   uint64_t count)
{
    tt_session *s = load_text(name, text);
    CHECK(s != NULL);
    if (!s) return;
    if (s->traces[0]->n_events != events || s->traces[0]->n != slices || (count && problem(s, kind) != count))
        fprintf(stderr, "  in %s\n", name);
    CHECK_INT(s->traces[0]->n_events, events);
    CHECK_INT(s->traces[0]->n, slices);
    if (count) CHECK_INT(problem(s, kind), count);
    tt_session_free(s);
}

static void test_shapes(void)
{
    const tt_problem_kind none = TT_PROBLEM_NOT_AN_EVENT;
    expect("array", "[" EVENT("1", "2") "," EVENT("5", "2") "]", 2, 2, none, 0);
    expect("open array", "[" EVENT("1", "2") "," EVENT("5", "2") ",\n", 2, 2, TT_PROBLEM_UNCLOSED_LIST, 1);
    expect("object", "{\"traceEvents\":[" EVENT("1", "2") "]}", 1, 1, none, 0);
    expect("mark", "\xEF\xBB\xBF[" EVENT("1", "2") "]", 1, 1, none, 0);
    expect("terminator", "{\"traceEvents\":[" EVENT("1", "2") ",{}]}", 1, 1, none, 0);
    expect("cut", "[" EVENT("1", "2") ",{\"ph\":\"X\",\"name\":\"b", 1, 1, TT_PROBLEM_TRUNCATED, 1);
    expect("rubbish", "[" EVENT("1", "2") ", 5, null, \"x\", [1], " EVENT("1", "2") "]", 2, 2, TT_PROBLEM_NOT_AN_EVENT,
           4);
    expect("malformed", "[" EVENT("1", "2") ",{\"ph\":\"X\",:,\"ts\":1}," EVENT("1", "2") "]", 2, 2,
           TT_PROBLEM_MALFORMED_EVENT, 1);
    expect("no time", "[" EVENT("nan", "2") "," EVENT("1", "2") "]", 1, 1, TT_PROBLEM_BAD_TIME, 1);
    expect("negative", "[" EVENT("1", "-2") "]", 1, 1, TT_PROBLEM_BAD_DURATION, 1);
    expect("quote",
           "[{\"ph\":\"X\",\"name\":\"a \"b\" c\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}," EVENT("1", "2") "]", 2, 2,
           TT_PROBLEM_UNESCAPED_QUOTE, 1);
    expect("control", "[{\"ph\":\"X\",\"name\":\"a\nb\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}]", 1, 1,
           TT_PROBLEM_CONTROL_IN_STRING, 1);
    expect("bytes", "[{\"ph\":\"X\",\"name\":\"a\xFF\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}]", 1, 1,
           TT_PROBLEM_INVALID_UTF8, 1);
    expect("phase", "[{\"ph\":\"Q\",\"name\":\"a\"}," EVENT("1", "2") "]", 2, 1, TT_PROBLEM_UNKNOWN_PHASE, 1);
    expect("lone end", "[{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":4}," EVENT("1", "2") "]", 2, 1,
           TT_PROBLEM_UNMATCHED_END, 1);
    expect("lone begin", "[{\"ph\":\"B\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":4}," EVENT("1", "20") "]", 2, 2,
           TT_PROBLEM_UNMATCHED_BEGIN, 1);
}

static void test_refused(void)
{
    static const char *const texts[] = {"",        "   \n", "hello", "{\"a\": 1}", "[1, 2, 3]", "{\"traceEvents\": {}}",
                                        "\"text\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tt_err err = {0};
        tt_session *s = load(temp_file("refused", texts[i], strlen(texts[i])), 2, &err);
        CHECK(s == NULL);
        CHECK_INT(err.code, TT_ERR_INPUT);
        CHECK(strstr(err.message, "refused") != NULL);
        tt_session_free(s);
    }
    tt_err err = {0};
    CHECK(load("/nonexistent/trace.json", 1, &err) == NULL);
    CHECK_INT(err.code, TT_ERR_INPUT);
}

static void test_exact_times(void)
{
    tt_session *s =
        load_text("times", "[" EVENT("1712195495520014.900", "0.001") "," EVENT(
                               "\"1712195495520014.901\"", "1e3") "," EVENT("1712195495520015", "12.3456") "]");
    CHECK(s != NULL);
    if (!s) return;
    const tt_trace *t = s->traces[0];
    CHECK_INT(t->origin_ns, INT64_C(1712195495520014900));
    CHECK_INT(t->start[0], 0);
    CHECK_INT(t->dur[0], 1);
    CHECK_INT(t->start[1], 1);
    CHECK_INT(t->dur[1], 1000000);
    CHECK_INT(t->start[2], 100);
    CHECK_INT(t->dur[2], 12346);
    CHECK_INT(t->resolution_ns, 1);
    tt_session_free(s);
}

static void test_nesting(void)
{
    /* Slice b crosses a; c lies in b only; d lies in a and b. */
    tt_session *s = load_text("nesting", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0.001,\"dur\":100},"
                                         "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":50,\"dur\":100},"
                                         "{\"ph\":\"X\",\"name\":\"d\",\"pid\":1,\"tid\":1,\"ts\":60,\"dur\":10},"
                                         "{\"ph\":\"X\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"ts\":120,\"dur\":10}]");
    CHECK(s != NULL);
    if (!s) return;
    const tt_trace *t = s->traces[0];
    CHECK_INT(t->parent[0], TT_NONE);
    CHECK_INT(t->parent[1], TT_NONE);
    CHECK_INT(t->parent[2], 1);
    CHECK_INT(t->parent[3], 1);
    CHECK_INT(t->tracks[0].lanes, 2);
    CHECK_INT(problem(s, TT_PROBLEM_CROSSING_SLICES), 1);
    for (tt_row a = 0; a < t->n; a++) { /* slices in one display row do not overlap */
        for (tt_row b = a + 1; b < t->n; b++) {
            CHECK(t->depth[a] != t->depth[b] || t->start[b] >= tt_row_end(t, a));
        }
    }
    tt_session_free(s);
}

static void test_pairs(void)
{
    tt_session *s = load_text(
        "pairs", "[{\"ph\":\"B\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1},{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,"
                 "\"tid\":1,\"ts\":2},"
                 "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":3,\"args\":{\"x\":1}},{\"ph\":\"E\",\"name\":\"a\",\"pid\":"
                 "1,\"tid\":1,\"ts\":5},"
                 "{\"ph\":\"b\",\"cat\":\"c\",\"id\":\"0x1\",\"name\":\"async\",\"pid\":1,\"tid\":1,\"ts\":1},"
                 "{\"ph\":\"b\",\"cat\":\"c\",\"id\":\"0x2\",\"name\":\"async\",\"pid\":1,\"tid\":1,\"ts\":2},"
                 "{\"ph\":\"e\",\"cat\":\"c\",\"id\":\"0x1\",\"name\":\"async\",\"pid\":1,\"tid\":1,\"ts\":4},"
                 "{\"ph\":\"e\",\"cat\":\"c\",\"id\":\"0x2\",\"name\":\"async\",\"pid\":1,\"tid\":1,\"ts\":9}]");
    CHECK(s != NULL);
    if (!s) return;
    const tt_trace *t = s->traces[0];
    CHECK_INT(t->n, 4);
    CHECK_INT(t->n_tracks, 2);
    CHECK_STR(tt_row_name(t, 0), "a");
    CHECK_INT(t->dur[0], 4000);
    CHECK_INT(t->dur[1], 1000);
    CHECK_INT(t->parent[1], 0);
    CHECK_INT(t->n_pairs, 4);
    CHECK_INT(t->n_others, 0);
    CHECK_INT(t->tracks[1].kind, TT_TRACK_ASYNC);
    CHECK_INT(t->dur[2], 3000);
    CHECK_INT(t->dur[3], 7000);
    CHECK_INT(t->tracks[1].lanes, 2);
    tt_session_free(s);
}

/* A process, a name, an id and a key make one series. The trace keeps the offset of every event without its own table.
 */
static void test_series(void)
{
    tt_session *s = load_text(
        "series", "[{\"ph\":\"C\",\"name\":\"queue\",\"id\":7,\"pid\":1,\"tid\":1,\"ts\":1,\"args\":{\"n\":1}},"
                  "{\"ph\":\"C\",\"name\":\"queue\",\"id\":\"7\",\"pid\":1,\"tid\":2,\"ts\":2,\"args\":{\"n\":2}},"
                  "{\"ph\":\"C\",\"name\":\"queue\",\"id\":\"20\",\"pid\":1,\"ts\":2,\"args\":{\"n\":5}},"
                  "{\"ph\":\"C\",\"name\":\"queue\",\"pid\":1,\"ts\":3,\"args\":{\"n\":6,\"m\":7}},"
                  "{\"ph\":\"M\",\"name\":\"num_cpus\",\"pid\":1,\"args\":{\"number\":8}},"
                  "{\"ph\":\"N\",\"name\":\"object\",\"pid\":1,\"ts\":\"?\"},"
                  "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":4},{\"name\":\"no phase\"},{}]");
    static const char *const ids[] = {"7", "20", "", ""};
    static const uint32_t samples[] = {2, 1, 1, 1};
    CHECK(s != NULL);
    if (!s) return;
    const tt_trace *t = s->traces[0];
    CHECK_INT(t->n_series, 4);
    for (uint32_t i = 0; i < 4 && i < t->n_series; i++) {
        CHECK_STR(tt_str(&t->strings, t->series[i].id), ids[i]);
        CHECK_INT(t->series[i].n, samples[i]);
    }
    uint32_t any = 0, none = 0;
    for (uint32_t i = 0; i < t->n_others; i++) {
        any += t->others[i].ts == TT_ANY_TIME;
        none += t->others[i].ts == TT_NO_TIME;
    }
    CHECK_INT(t->n_others, 9); /* the counters count, too */
    CHECK_INT(any, 1);         /* num_cpus */
    CHECK_INT(none, 3);        /* the object, the event without a phase, {} */
    tt_session_free(s);
}

/* A kernel of one second that overruns the next kernel is cut; then the axis ends with the last event of any kind. */
static void test_overrun(void)
{
    static const char *const ends[] = {
        "", ",{\"ph\":\"i\",\"name\":\"m\",\"pid\":1,\"tid\":1,\"ts\":500000,\"s\":\"t\"}",
        ",{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":500000,\"args\":{\"v\":1}}",
        ",{\"ph\":\"f\",\"id\":1,\"pid\":0,\"tid\":7,\"ts\":500000,\"cat\":\"ac2g\",\"name\":\"ac2g\"}",
        ",{\"ph\":\"s\",\"id\":1,\"pid\":0,\"tid\":7,\"ts\":500000,\"cat\":\"fwdbwd\",\"name\":\"f\"}"};
    static const int64_t want[] = {190000, 500000000, 500000000, 500000000, 500000000};
    for (int i = 0; i < 5; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":0,"
                 "\"dur\":1000000,"
                 "\"args\":{\"stream\":7}},{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":"
                 "100,\"dur\":90,"
                 "\"args\":{\"stream\":7}}%s]}",
                 ends[i]);
        tt_session *s = load_text("overrun.json", text);
        CHECK(s != NULL);
        if (!s) return;
        CHECK_INT(problem(s, TT_PROBLEM_OVERRUNNING_DURATION), 1);
        CHECK_INT(s->traces[0]->end, want[i]);
        tt_session_free(s);
    }
}

/* ---- cancelling and previews at random moments ---- */

static void count_notice(void *arg) { atomic_fetch_add((atomic_int *)arg, 1); }

static void test_any_moment(void)
{
    uint64_t events;
    const char *path = big_file("moment.json", false, &events);
    const char *rounds = getenv("TRACETTY_LOAD_ROUNDS");
    int n = rounds ? (int)strtol(rounds, NULL, 10) : 40;
    for (int i = 0; i < n; i++) {
        atomic_int notices = 0;
        tt_load_options o = {.threads = 1 + rnd(4), .notify = count_notice, .notify_arg = &notices, .preview = i % 2};
        tt_load *l = tt_load_start(&path, 1, &o);
        tt_progress p;
        usleep(rnd(30000));
        tt_load_progress(l, &p);
        tt_session_free(tt_load_preview(l));
        if (i % 4) tt_load_cancel(l);
        tt_err err = {0};
        tt_session *s = tt_load_finish(l, NULL, &err);
        CHECK(s || err.code != TT_OK);
        if (s && !problem(s, TT_PROBLEM_CANCELLED)) CHECK_INT(s->traces[0]->n_events, events);
        if (s) CHECK(s->traces[0]->n_events <= events);
        CHECK(atomic_load(&notices) > 0);
        tt_session_free(s);
    }
}

/* Make previews as fast as possible while other threads read on. */
static void test_previews(void)
{
    uint64_t events;
    const char *path = big_file("previews.json", false, &events);
    for (unsigned threads = 2; threads <= 4; threads += 2) {
        tt_load_options o = {.threads = threads, .preview = true};
        tt_load *l = tt_load_start(&path, 1, &o);
        tt_progress p = {0};
        unsigned seen = 0;
        while (!p.done) {
            tt_session *preview = tt_load_preview(l);
            if (preview) CHECK(preview->traces[0]->n_events <= events);
            seen += preview != NULL;
            tt_session_free(preview);
            usleep(500);
            tt_load_progress(l, &p);
        }
        CHECK(seen > 0);
        tt_err err = {0};
        tt_session *s = tt_load_finish(l, NULL, &err);
        CHECK(s && s->traces[0]->n_events == events);
        tt_session_free(s);
    }
}

int main(void)
{
    temp_begin();
    test_shapes();
    test_refused();
    test_exact_times();
    test_nesting();
    test_pairs();
    test_series();
    test_overrun();
    test_rules();
    test_threads(false);
    test_threads(true);
    test_any_moment();
    test_previews();
    temp_end();
    return check_done();
}

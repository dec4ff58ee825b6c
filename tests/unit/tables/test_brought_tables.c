/* tests/unit/tables/test_brought_tables.c - built-in tables whose rows a trace imports: cells of other types, scope by
 * step, pipeline stages, the verdict on queues, and the findings that read these tables. Comments show how to compute
 * the numbers. */
#include <math.h>

#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "model/trace/imported.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"

enum { MS = 1000000 };

static tt_trace *rank_of(int64_t rank, int64_t world)
{
    char worker[8] = {(char)('0' + rank), 0};
    tt_trace *s = fixture_trace(worker, "1", 5000, true);
    s->rank = rank;
    s->world_size = world;
    fixture_track(s, TT_TRACK_THREAD, "main");
    tt_row a = fixture_slice(s, TT_KIND_STEP, "step 1", 0, 1000, NULL);
    tt_row b = fixture_slice(s, TT_KIND_STEP, "step 2", 1000, 1000, NULL);
    fixture_step(s, 1, 0, 1000, a);
    fixture_step(s, 2, 1000, 2000, b);
    return s;
}

static void fact(tt_trace *s, const char *key, const char *value)
{
    s->meta = tt_realloc(s->meta, s->n_meta + 1, sizeof *s->meta);
    s->meta[s->n_meta++] = (tt_meta){.key = fixture_text(s, key), .value = fixture_text(s, value)};
}

static void end(tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        for (uint32_t k = 0; k < s->traces[i]->n_imported; k++) tt_imported_free(s->traces[i]->imported[k]);
        free(s->traces[i]->imported);
        free(s->traces[i]->meta);
        free(s->traces[i]->external_id);
    }
    fixture_session_free(s);
}

/* Import a table from lines of words: the head has KEY:TYPE for each column (types s c b d t y p n); "-" = unknown
 * cell. */
static void bring(tt_trace *s, const char *id, const char *head, const char *const *lines)
{
    static const char letters[] = "scbdtypn";
    char text[512], *word, *rest = text;
    tt_imported *t = tt_imported_new(id, id, "");
    tt_type types[16];
    snprintf(text, sizeof text, "%s", head);
    for (uint32_t c = 0; (word = strtok_r(rest, " ", &rest)); c++) {
        char *type = strchr(word, ':');
        *type++ = 0;
        types[c] = (tt_type)(strchr(letters, *type) - letters);
        CHECK_INT(tt_imported_column(t, word, word, types[c], ""), c);
    }
    for (; *lines; lines++) {
        uint32_t row = tt_imported_row(t);
        snprintf(text, sizeof text, "%s", *lines);
        rest = text;
        for (uint32_t c = 0; (word = strtok_r(rest, " ", &rest)); c++) {
            if (!strcmp(word, "-")) continue;
            if (types[c] == TT_T_STRING)
                tt_imported_set_s(t, row, c, word, strlen(word));
            else if (types[c] == TT_T_PERCENT || types[c] == TT_T_NUMBER)
                tt_imported_set_d(t, row, c, strtod(word, NULL));
            else
                tt_imported_set_i(t, row, c, strtoll(word, NULL, 10));
        }
    }
    tt_trace_import(s, t);
}
#define BRING(s, id, head, ...) bring(s, id, head, (const char *const[]){__VA_ARGS__, NULL})

static const tt_table *get(tt_session *s, const char *id)
{
    return tt_table_get(s, tt_table_find(id), &tt_scope_all, NULL);
}

static tt_cell at(const tt_table *t, uint32_t row, const char *key)
{
    int c = tt_table_column(t, key);
    CHECK(c >= 0 && row < t->n_rows);
    return c >= 0 && row < t->n_rows ? tt_table_cell(t, row, (uint32_t)c) : tt_cell_none(TT_T_COUNT);
}

/* Row of a finding; TT_NONE = not found. */
static uint32_t finding(const tt_table *t, const char *id)
{
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (!strcmp(at(t, r, "id").s, id)) return r;
    return TT_NONE;
}

/* ---- rows ---- */

static void test_types(void)
{
    tt_trace *t = rank_of(0, 1);
    BRING(t, "data_queues", "queue:s samples:s empty:n full:s capacity:b mean_size:c empty_pct:s get_mean_ns:t extra:s",
          "host 12 8.6 many 1 2 75.5 9000 x", "device - - - - - - - -");
    tt_session *s = tt_session_new(&t, 1, NULL);
    CHECK_INT(tt_session_tables(s).n, tt_n_tables); /* not listed a second time */
    const tt_table *q = get(s, "data_queues");
    CHECK_INT(q->n_rows, 2);
    CHECK(tt_table_column(q, "extra") < 0);
    CHECK_STR(at(q, 0, "queue").s, "host");
    CHECK_INT(at(q, 0, "samples").i, 12);      /* read from text */
    CHECK_INT(at(q, 0, "empty").i, 9);         /* rounded from a fraction */
    CHECK_INT(at(q, 0, "full").i, TT_UNKNOWN); /* a text that is no number */
    CHECK_INT(at(q, 0, "capacity").i, 1);      /* read from true */
    CHECK(fabs(at(q, 0, "mean_size").d - 2) < 1e-9);
    CHECK(fabs(at(q, 0, "empty_pct").d - 75.5) < 1e-9);
    CHECK_INT(at(q, 0, "get_mean_ns").i, TT_UNKNOWN); /* a point of time is no duration */
    CHECK_INT(at(q, 0, "push_mean_ns").i, TT_UNKNOWN);
    CHECK_INT(at(q, 1, "samples").i, TT_UNKNOWN);
    CHECK(isnan(at(q, 1, "mean_size").d));
    CHECK(q->note == NULL);
    CHECK(get(s, "data_cpu")->note != NULL && strstr(get(s, "data_cpu")->note, "data_process=True"));
    end(s);
}

static void test_number_as_text(void)
{
    tt_trace *t = rank_of(0, 1);
    BRING(t, "step_collectives", "step:c stream:c index:c name:s offset_ns:d duration_ns:d", "2 520 0 AllReduce 10 20");
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *c = get(s, "step_collectives");
    CHECK_STR(at(c, 0, "step").s, "2");
    CHECK_STR(at(c, 0, "stream").s, "520");
    CHECK(c->drilldowns && c->drilldowns[0].t0 == 1000 && c->drilldowns[0].t1 == 2000); /* Enter goes to step 2 */
    end(s);
}

static void test_scope(void)
{
    tt_trace *t = rank_of(0, 1);
    BRING(t, "step_trace", "step:s start_at_ns:t total_ns:d gap_ns:d forward_backward_ns:d tail_ns:d",
          "1 5000 1000 100 700 200", "2 6000 1000 300 500 200", "3 7000 4000 1000 2000 1000");
    BRING(t, "step_trace_summary", "part:s mean_ns:d pct:p", "total 1500 100", "gap 150 10");
    BRING(t, "cluster_steps", "type:s index:s step:s computing_ns:d not_overlapped_ns:d", "rank 0 1 60 40",
          "rank 0 2 70 30", "rank 0 average 65 35");
    tt_session *s = tt_session_new(&t, 1, NULL);
    CHECK_INT(get(s, "step_trace")->n_rows, 3);
    CHECK_INT(at(get(s, "step_trace"), 1, "start_at_ns").i, 1000);
    CHECK_INT(at(get(s, "step_trace_summary"), 1, "mean_ns").i, 150); /* as stored in the trace */
    CHECK_INT(get(s, "cluster_steps")->n_rows, 3);
    tt_scope part = tt_scope_all;
    part.has_steps = true;
    part.step_first = 2, part.step_last = 3;
    const tt_table *steps = tt_table_get(s, tt_table_find("step_trace"), &part, NULL);
    CHECK_INT(steps->n_rows, 2); /* no slice covers step 3, but its number selects its row */
    const tt_table *mean = tt_table_get(s, tt_table_find("step_trace_summary"), &part, NULL);
    CHECK_INT(mean->n_rows, 4);
    CHECK_INT(at(mean, 0, "mean_ns").i, 2500); /* (1000 + 4000) / 2 */
    CHECK_INT(at(mean, 1, "mean_ns").i, 650);  /* (300 + 1000) / 2 */
    CHECK(fabs(at(mean, 1, "pct").d - 26) < 1e-9);
    CHECK_INT(tt_table_get(s, tt_table_find("cluster_steps"), &part, NULL)->n_rows, 1); /* without averages */
    part.has_steps = false;
    part.has_range = true;
    part.t0 = 0, part.t1 = 999;
    CHECK_INT(tt_table_get(s, tt_table_find("step_trace"), &part, NULL)->n_rows, 1);
    end(s);
}

/* ---- measured by the profiler, and computed from events ---- */

static void work(tt_trace *s, tt_kind kind, const char *name, uint32_t shape, int64_t start, int64_t dur)
{
    tt_row r = fixture_slice(s, kind, name, start, dur, NULL);
    s->detail[r] = s->n_dev;
    s->dev[s->n_dev++] = (tt_activity){.row = r, .launch = TT_NONE, .op = TT_NONE, .bytes = TT_UNKNOWN, .shape = shape};
}

static tt_trace *with_types(void)
{
    tt_trace *s = rank_of(0, 1);
    static const char *const types[][2] = {{"AI_CORE", "MatMul"}, {"AI_VECTOR_CORE", "Add"}};
    s->external_id = tt_calloc(FIXTURE_ROWS, sizeof *s->external_id);
    s->n_shapes = 3;
    for (uint32_t i = 0; i < 2; i++) {
        s->shapes[i + 1] = s->shapes[0];
        s->shapes[i + 1].core = fixture_text(s, types[i][0]);
        s->shapes[i + 1].type = fixture_text(s, types[i][1]);
    }
    fixture_track(s, TT_TRACK_STREAM, "stream 1");
    work(s, TT_KIND_KERNEL, "a", 1, 0, 100);
    work(s, TT_KIND_KERNEL, "b", 2, 100, 700);
    work(s, TT_KIND_COLLECTIVE, "hcom_allReduce_", 1, 800, 100);
    work(s, TT_KIND_KERNEL, "a2", 1, 1000, 200);
    work(s, TT_KIND_KERNEL, "unknown", 0, 1300, 50);
    return s;
}

static void test_op_types(void)
{
    tt_trace *t = with_types();
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *o = get(s, "op_types");
    CHECK_INT(o->n_rows, 2); /* without the collective and the kernel of unknown type */
    CHECK_STR(at(o, 0, "core").s, "AI_CORE");
    CHECK_STR(at(o, 0, "type").s, "MatMul");
    CHECK_INT(at(o, 0, "calls").i, 2);
    CHECK_INT(at(o, 0, "total_ns").i, 300);
    CHECK_INT(at(o, 0, "mean_ns").i, 150);
    CHECK_INT(at(o, 0, "max_ns").i, 200);
    CHECK_INT(at(o, 0, "min_ns").i, 100);
    CHECK(fabs(at(o, 0, "ratio_pct").d - 30) < 1e-9); /* the total is 1000 */
    CHECK_INT(at(o, 1, "total_ns").i, 700);
    end(s);
    t = with_types();
    BRING(t, "op_types", "core:s type:s calls:c total_ns:d", "AI_CORE MatMul 9 999");
    s = tt_session_new(&t, 1, NULL);
    CHECK_INT(at(get(s, "op_types"), 0, "total_ns").i, 999); /* the profiler's own sum */
    tt_scope part = tt_scope_all;
    part.has_steps = true;
    part.step_first = part.step_last = 2;
    const tt_table *step = tt_table_get(s, tt_table_find("op_types"), &part, NULL);
    CHECK_INT(step->n_rows, 1); /* for a single step only the kernels have data */
    CHECK_INT(at(step, 0, "total_ns").i, 200);
    end(s);
}

static void test_comm(void)
{
    tt_trace *t = with_types();
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *o = get(s, "comm_ops");
    CHECK_INT(o->n_rows, 1);
    CHECK_STR(at(o, 0, "name").s, "hcom_allReduce_");
    CHECK_INT(at(o, 0, "latency_ns").i, 100);
    const tt_table *c = get(s, "comm_steps");
    CHECK_INT(c->n_rows, 2);
    CHECK_INT(at(c, 0, "computation_ns").i, 800);
    CHECK_INT(at(c, 0, "communication_ns").i, 100);
    CHECK_INT(at(c, 0, "other_ns").i, 100); /* 1000 - 800 - 100 */
    end(s);
    t = with_types();
    BRING(t, "cluster_communication", "step:s name:s elapse_ns:d transit_ns:d size_bytes:y", "1 sum 50 10 7",
          "1 sum 60 30 -", "2 max 5 - -");
    BRING(t, "cluster_steps", "type:s step:s computing_ns:d overlapped_ns:d not_overlapped_ns:d free_ns:d",
          "rank 1 500 100 300 200", "rank average 1 1 1 1", "stage 1 2 2 2 2");
    s = tt_session_new(&t, 1, NULL);
    o = get(s, "comm_ops");
    CHECK_INT(o->n_rows, 2);
    CHECK_STR(at(o, 0, "name").s, "sum");
    CHECK_INT(at(o, 0, "calls").i, 2);
    CHECK_INT(at(o, 0, "latency_ns").i, 110);
    CHECK_INT(at(o, 0, "data_transfer_ns").i, 40);
    CHECK_INT(at(o, 0, "size_bytes").i, 7);
    CHECK_INT(at(o, 1, "data_transfer_ns").i, TT_UNKNOWN);
    c = get(s, "comm_steps");
    CHECK_INT(c->n_rows, 1);
    CHECK_INT(at(c, 0, "computation_ns").i, 400); /* 500 - 100 */
    CHECK_INT(at(c, 0, "overlap_ns").i, 100);
    CHECK_INT(at(c, 0, "communication_ns").i, 300);
    CHECK_INT(at(c, 0, "other_ns").i, 200);
    end(s);
}

/* ---- pipeline stages ---- */

#define STEPS "type:s index:s step:s computing_ns:d not_overlapped_ns:d bubble_ns:d collective_ns:d"

static tt_session *pipeline(bool whole)
{
    tt_trace *t[4];
    uint32_t n = whole ? 4 : 3;
    for (uint32_t i = 0; i < n; i++) {
        t[i] = rank_of(i, 4);
        fact(t[i], "stage_num", "2");
        fact(t[i], "flops", i < 2 ? "100" : "300");
        fact(t[i], "gflops_per_s", i == 1 ? "50" : "100");
    }
    BRING(t[0], "cluster_steps", STEPS, "rank 0 1 60 40 10 5", "rank 0 2 50 50 - 5", "rank 0 average 55 45 20 50");
    BRING(t[1], "cluster_steps", STEPS, "rank 1 1 70 30 20 -", "rank 1 2 40 60 - -", "rank 1 average 55 45 20 10");
    BRING(t[2], "cluster_steps", STEPS, "rank 2 1 80 20 0 1", "rank 2 average 80 20 0 1");
    if (whole) BRING(t[3], "cluster_steps", STEPS, "rank 3 1 80 20 0 1", "rank 3 average 80 20 8 1");
    return tt_session_new(t, n, NULL);
}

static void test_stages(void)
{
    tt_session *s = pipeline(true);
    const tt_table *t = get(s, "cluster_steps");
    CHECK_INT(t->n_rows, 3 + 3 + 2 + 2 + 3 + 2);
    uint32_t r = 10;
    CHECK_STR(at(t, r, "type").s, "stage");
    CHECK(at(t, r, "worker").s == NULL);
    CHECK_STR(at(t, r, "index").s, "0,1");
    CHECK_INT(at(t, r, "computing_ns").i, 70);      /* max(60, 70) */
    CHECK_INT(at(t, r, "not_overlapped_ns").i, 40); /* max(40, 30) */
    CHECK_INT(at(t, r, "bubble_ns").i, 20);
    CHECK_INT(at(t, r, "collective_ns").i, 5); /* rank 1 has no value */
    CHECK_INT(at(t, r + 1, "bubble_ns").i, TT_UNKNOWN);
    CHECK_STR(at(t, r + 2, "step").s, "average");
    CHECK_STR(at(t, r + 3, "index").s, "2,3");
    tt_scope one = tt_scope_all;
    one.worker = 1;
    CHECK_INT(tt_table_get(s, tt_table_find("cluster_steps"), &one, NULL)->n_rows, 3);
    end(s);
    s = pipeline(false); /* without rank 3 its stage has no row */
    t = get(s, "cluster_steps");
    CHECK_INT(t->n_rows, 3 + 3 + 2 + 3);
    CHECK_STR(at(t, 10, "index").s, "0,1");
    end(s);
}

static void test_cluster_findings(void)
{
    tt_session *s = pipeline(true);
    const tt_table *t = get(s, "findings");
    uint32_t r = finding(t, "pipeline_between_stages"); /* (20 + 20 + 0 + 8) / 400 = 12% */
    CHECK(r != TT_NONE && fabs(at(t, r, "value_pct").d - 12) < 1e-9);
    r = finding(t, "communication_in_stage"); /* stage 0: (50 + 10) / 200 = 30%; stage 1: 2 / 200 */
    CHECK(r != TT_NONE && fabs(at(t, r, "value_pct").d - 30) < 1e-9);
    CHECK(r != TT_NONE && strstr(at(t, r, "title").s, "stage 0"));
    r = finding(t, "unbalanced_stages"); /* 300 against (100 + 300) / 2: 50% */
    CHECK(r != TT_NONE && fabs(at(t, r, "value_pct").d - 50) < 1e-9);
    r = finding(t, "slow_rank_flops"); /* 50 against 350 / 4 = 87.5: 42.857% below */
    CHECK(r != TT_NONE && fabs(at(t, r, "value_pct").d - 100 * 37.5 / 87.5) < 1e-9);
    CHECK(r != TT_NONE && strstr(at(t, r, "title").s, "rank 1"));
    CHECK(finding(t, "slow_rank") == TT_NONE); /* stages differ, ranks within a stage do not */
    CHECK(finding(t, "slow_rank_gap") == TT_NONE);
    CHECK(finding(t, "slow_link") == TT_NONE);
    end(s);
}

static void test_slow_rank(void)
{
    tt_trace *t[3] = {rank_of(0, 3), rank_of(1, 3), rank_of(2, 3)};
    static const char *const gaps[] = {"gap 1000000 -", "gap 1000000 -", "gap 2500000 -"};
    for (uint32_t i = 0; i < 3; i++) BRING(t[i], "step_trace_summary", "part:s mean_ns:d pct:p", gaps[i]);
#define NEW "type:s index:s step:s computing_ns:d not_overlapped_ns:d free_ns:d"
    BRING(t[0], "cluster_steps", NEW, "rank 0 1 50 40 10", "rank 0 2 60 40 10"); /* means 55, 40, 10 */
    BRING(t[1], "cluster_steps", NEW, "rank 1 1 55 40 10", "rank 1 2 55 40 10");
    BRING(t[2], "cluster_steps", NEW, "rank 2 1 65 30 10", "rank 2 2 65 30 10");
    tt_session *s = tt_session_new(t, 3, NULL);
    const tt_table *f = get(s, "findings");
    uint32_t r = finding(f, "slow_rank"); /* computing: (65 - 55) / 105 */
    CHECK(r != TT_NONE && fabs(at(f, r, "value_pct").d - 1000.0 / 105) < 1e-9);
    CHECK(r != TT_NONE && strstr(at(f, r, "title").s, "rank 2 has most"));
    CHECK(r != TT_NONE && !strcmp(at(f, r + 1, "id").s, "slow_rank")); /* communication, too; not free time */
    r = finding(f, "slow_rank_gap");                                   /* 2.5 against 4.5 / 3 = 1.5: 66.67% */
    CHECK(r != TT_NONE && fabs(at(f, r, "value_pct").d - 100.0 / 1.5) < 1e-9);
    CHECK(r != TT_NONE && at(f, r, "saving_ns").i == TT_UNKNOWN); /* no value predicts the saving */
    CHECK(finding(f, "communication_in_stage") == TT_NONE);       /* an unknown value is not 0 */
    end(s);
}

static void test_slow_link(void)
{
    tt_trace *t = rank_of(0, 1);
    BRING(t, "cluster_links", "rank:c step:s src:c dst:c transport:s size_bytes:y transit_ns:d",
          "0 1 0 1 HCCS 1000 100", "0 1 0 2 HCCS 1000 100", "0 1 0 3 HCCS 500 100", "0 2 0 3 HCCS 100 100",
          "0 1 0 0 LOCAL 1 1000", "0 1 0 1 RDMA 1 1000", "0 average 0 1 HCCS 1 1000000", "0 1 0 4 HCCS 5 0");
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *f = get(s, "findings");
    uint32_t r = finding(f, "slow_link"); /* 10, 10 and 600 / 200 = 3 GB/s; mean 23 / 3; 1 - 9 / 23 */
    CHECK(r != TT_NONE && fabs(at(f, r, "value_pct").d - 100.0 * 14 / 23) < 1e-9);
    CHECK(r != TT_NONE && strstr(at(f, r, "title").s, "HCCS from 0 to 3 has 3.00 GB/s"));
    CHECK(r + 1 == f->n_rows || strcmp(at(f, r + 1, "id").s, "slow_link") != 0); /* a single link cannot be slow */
    end(s);
}

/* ---- the input pipeline ---- */

static tt_session *queues(const char *host, const char *device)
{
    tt_trace *t = rank_of(0, 1);
    bring(t, "data_queues", "queue:s samples:c empty:c",
          (const char *const[]){host ? host : device, host ? device : NULL, NULL});
    return tt_session_new(&t, 1, NULL);
}

/* verdict: T, F or ? for each of the three stages; pct: percentage of the finding, -1 = no finding */
static void check_queues(const char *host, const char *device, const char *verdict, const char *id, double pct)
{
    tt_session *s = queues(host, device);
    const tt_table *t = get(s, "data_stages"), *f = get(s, "findings");
    static const char *const ids[] = {"data_processing", "data_transfer"};
    CHECK_INT(t->n_rows, strlen(verdict));
    for (uint32_t i = 0; verdict[i]; i++)
        CHECK_INT(at(t, i, "bottleneck").i, verdict[i] == 'T' ? 1 : verdict[i] == 'F' ? 0 : TT_UNKNOWN);
    for (int i = 0; i < 2; i++) {
        uint32_t r = finding(f, ids[i]);
        CHECK((r != TT_NONE) == !strcmp(id, ids[i]));
        if (r != TT_NONE) CHECK(fabs(at(f, r, "value_pct").d - pct) < 1e-9);
    }
    end(s);
}

static void test_stages_of_data(void)
{
    check_queues("host 10 4", "device 10 1", "TFF", "data_processing", 40);
    check_queues("host 10 3", "device 10 1", "FTF", "data_transfer", 10); /* 30% does not exceed the limit of 30% */
    check_queues("host 10 3", "device 10 0", "FFT", "", 0);
    check_queues("host 7 3", NULL, "TFF", "data_processing", 43); /* 42.86%, rounded up */
    check_queues("host 10 0", NULL, "FFT", "", 0);
    check_queues(NULL, "device 10 1", "??F", "", 0);
    check_queues(NULL, "device 10 0", "FFT", "", 0);
    check_queues("host 0 0", NULL, "", "", 0);
}

static void test_pipeline(void)
{
    tt_trace *t = rank_of(0, 1);
    BRING(t, "data_pipeline", "op_id:c name:s type:s parent_id:c queue_usage_pct:p suspect:b",
          "0 BatchOp_0 BatchOp - - 0", "3 GeneratorOp_3 GeneratorOp 2 20 1", "1 MapOp_1 MapOp 0 30 1",
          "2 ShuffleOp_2 ShuffleOp 1 60 0");
    BRING(t, "data_cpu", "scope:s op_id:c idle_pct:p", "device - 19.5", "operator 1 3");
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *f = get(s, "findings");
    uint32_t r = finding(f, "data_pipeline");
    CHECK(r != TT_NONE);
    if (r == TT_NONE) return;
    /* sources come last in the list, which is shown in reverse */
    CHECK(strstr(at(f, r, "detail").s, "GeneratorOp_3/MapOp_1") == at(f, r, "detail").s);
    CHECK(strstr(at(f, r, "detail").s, "MindRecord") && strstr(at(f, r, "detail").s, "num_parallel_workers"));
    CHECK(!strstr(at(f, r, "detail").s, "prefetch_size"));
    CHECK(fabs(at(f, r, "value_pct").d - 20) < 1e-9);
    r = finding(f, "data_cpu");
    CHECK(r != TT_NONE && fabs(at(f, r, "value_pct").d - 80.5) < 1e-9);
    CHECK(finding(f, "step_gap") == TT_NONE);
    end(s);
}

static void test_no_finding(void)
{
    tt_trace *t = rank_of(0, 1);
    BRING(t, "data_pipeline", "op_id:c name:s type:s parent_id:c suspect:b", "0 BatchOp_0 BatchOp - 1",
          "1 MapOp_1 MapOp 0 0");
    BRING(t, "data_cpu", "scope:s idle_pct:p", "device 20");
    BRING(t, "step_trace_summary", "part:s mean_ns:d pct:p", "total 5000000 100", "gap 500000 10");
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *f = get(s, "findings");
    CHECK(finding(f, "data_pipeline") == TT_NONE); /* only the root has a row: training is the limit */
    CHECK(finding(f, "data_cpu") == TT_NONE);      /* 80% does not exceed the limit of 80% */
    CHECK(finding(f, "step_gap") == TT_NONE);      /* 0.5 ms does not exceed the limit of 0.5 ms */
    CHECK(finding(f, "truncated_by_producer") == TT_NONE);
    end(s);
}

static void test_gap_and_cut(void)
{
    tt_trace *t = rank_of(0, 1);
    BRING(t, "step_trace_summary", "part:s mean_ns:d pct:p", "total 5000000 100", "gap 500001 10.5");
    fact(t, "truncated_by_producer", "the timeline ends at 20 MB");
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *f = get(s, "findings");
    uint32_t r = finding(f, "step_gap");
    CHECK(r != TT_NONE && at(f, r, "saving_ns").i == TT_UNKNOWN);
    CHECK(r != TT_NONE && fabs(at(f, r, "value_pct").d - 10.5) < 1e-9);
    r = finding(f, "truncated_by_producer");
    CHECK(r != TT_NONE && strstr(at(f, r, "title").s, "20 MB"));
    end(s);
}

int main(void)
{
    test_types();
    test_number_as_text();
    test_scope();
    test_op_types();
    test_comm();
    test_stages();
    test_cluster_findings();
    test_slow_rank();
    test_slow_link();
    test_stages_of_data();
    test_pipeline();
    test_no_finding();
    test_gap_and_cut();
    return check_done();
}

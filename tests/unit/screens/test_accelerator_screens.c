/* test_accelerator_screens.c - screens of tables that profilers of accelerators import: phases of steps as columns,
 * the input pipeline, operator types by core, ranks of a cluster and the links between them. The test reads everything
 * from the pictures, as a person does. */
#include "model/trace/imported.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"
#include "tests/unit/picture.h"
#include "tui/app/app_api.h"

#include <stdlib.h>

enum { STEPS = 12 };

/* ---- traces with imported tables ---- */

static tt_type type_of(const char *key)
{
    static const char *const texts[] = {"step",  "name",  "type",  "core",  "part", "stream",
                                        "queue", "stage", "index", "scope", "op",   "transport"};
    size_t n = strlen(key);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(key, texts[i])) return TT_T_STRING;
    if (!strcmp(key, "suspect") || !strcmp(key, "bottleneck")) return TT_T_BOOL;
    if (n > 3 && !strcmp(key + n - 3, "_ns")) return TT_T_DURATION;
    if (n > 6 && !strcmp(key + n - 6, "_bytes")) return TT_T_BYTES;
    if (n >= 3 && !strcmp(key + n - 3, "pct")) return TT_T_PERCENT;
    if (!strcmp(key, "queue_mean") || !strcmp(key, "mean_size") || !strcmp(key, "bandwidth_gbps")) return TT_T_NUMBER;
    return TT_T_COUNT;
}

static void set_cell(tt_imported *t, uint32_t row, uint32_t col, const char *text, size_t n)
{
    char number[64];
    snprintf(number, sizeof number, "%.*s", (int)n, text);
    if (!strcmp(number, "-")) return;
    tt_type type = t->cols[col].type;
    if (type == TT_T_STRING)
        tt_imported_set_s(t, row, col, text, n);
    else if (type == TT_T_PERCENT || type == TT_T_NUMBER)
        tt_imported_set_d(t, row, col, strtod(number, NULL));
    else
        tt_imported_set_i(t, row, col, strtoll(number, NULL, 10));
}

/* Import a table: keys of the columns, cells of the rows with one row a line; "-" = unknown. */
static void bring(tt_trace *trace, const char *id, const char *columns, const char *rows)
{
    tt_imported *t = tt_imported_new(id, id, "made");
    for (const char *p = columns; *p; p += strcspn(p, " "), p += *p == ' ') {
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(p, " "), p);
        tt_imported_column(t, key, key, type_of(key), "made");
    }
    for (const char *line = rows; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        uint32_t row = tt_imported_row(t), col = 0;
        for (const char *p = line; *p && *p != '\n'; p += strcspn(p, " \n"), p += *p == ' ')
            set_cell(t, row, col++, p, strcspn(p, " \n"));
    }
    tt_trace_import(trace, t);
}

/* One trace for each rank, with steps 1 to STEPS and one operator in each step. */
static tt_session *ranks(int n)
{
    const char *paths[8];
    char name[48];
    tt_load_options o = {.threads = 1};
    tt_err err = {0};
    for (int r = 0; r < n; r++) {
        made_trace m;
        m.f = open_memstream(&m.text, &m.len);
        fprintf(m.f, "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%d,\"world_size\":%d},\"traceEvents\":[\n", r,
                n);
        for (int k = 1; k <= STEPS; k++) {
            fprintf(
                m.f,
                "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,"
                "\"dur\":900},\n{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":%d,"
                "\"dur\":5},\n",
                k, k * 1000, k * 1000 + 10);
        }
        fputs("{}]}\n", m.f);
        fclose(m.f);
        snprintf(name, sizeof name, "rank%d.pt.trace.json", r);
        paths[r] = temp_file(name, m.text, m.len);
        free(m.text);
    }
    tt_session *s = tt_load_finish(tt_load_start(paths, (uint32_t)n, &o), NULL, &err);
    CHECK(s != NULL);
    return s;
}

static tt_app *begin(tt_session *s, const char *screen)
{
    tt_app *a = tt_app_new(false);
    tt_app_set_session(a, s);
    CHECK(tt_app_show_tab(a, screen));
    return a;
}

static const char *press(tt_app *a, const char *keys)
{
    picture_of(a, 45, 160);
    CHECK(tt_app_keys(a, keys, NULL));
    return picture_of(a, 45, 160);
}

static bool has(const char *picture, const char *text)
{
    bool there = strstr(picture, text) != NULL;
    if (!there) fprintf(stderr, "not in the picture: %s\n%s", text, picture);
    return there;
}

/* Press the keys at every size of the terminal: nothing is lost or drawn outside. */
static void sweep(tt_app *a, const char *keys)
{
    static const int sizes[][2] = {{10, 40}, {12, 40}, {14, 57}, {24, 80}, {35, 121}, {90, 300}};
    tt_canvas c = {.ascii = true};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tt_canvas_resize(&c, sizes[i][0], sizes[i][1]);
        tt_app_draw(a, &c);
        CHECK(tt_app_keys(a, keys, &c));
        tt_app_draw(a, &c);
        for (int k = 0; k < c.w * c.h; k++) CHECK(c.cells[k].ch >= 32 && c.cells[k].ch < 127);
    }
    tt_canvas_free(&c);
}

/* ---- steps ---- */

/* Step 7 takes four times as long as the other steps and has two collectives. */
static void bring_phases(tt_trace *t)
{
    char rows[2048];
    size_t n = 0;
    for (int k = 1; k <= STEPS; k++) {
        int ms = k == 7 ? 40 : 10;
        n += (size_t)snprintf(rows + n, sizeof rows - n, "%d %d000000 %d000000 6000000 %d000000 %d\n", k, ms,
                              k == 7 ? 31 : 1, 3, k == 7 ? 2500000 : 0);
    }
    bring(t, "step_trace", "step total_ns gap_ns forward_backward_ns tail_ns collectives_ns", rows);
    bring(t, "step_trace_summary", "part mean_ns pct",
          "total 12500000 100\ngap 3500000 28\nforward_backward 6000000 48\ntail 3000000 24\n");
    bring(t, "step_collectives", "step stream index name offset_ns duration_ns",
          "7 41 0 AllReduce-op7 1000000 2000000\n7 41 1 AllReduce-op9 5000000 500000\n99 41 0 lost 1 1\n");
}

static void test_phases(void)
{
    tt_session *s = ranks(1);
    bring_phases(s->traces[0]);
    tt_app *a = begin(s, "steps");
    const char *p = press(a, "");
    CHECK(has(p, "Step trace  average 12.50 ms") && has(p, "12 steps, longest: step 7, 40.00 ms"));
    CHECK(has(p, "gap 3.500 ms 28.0%") && has(p, "forward+backward 6.000 ms 48.0%") && has(p, "tail 3.000 ms 24.0%"));
    CHECK(has(p, "step 1   10.00 ms   gap 1.000 ms (10.0%)"));
    CHECK(!strstr(p, "AllReduce-op7 2.000 ms"));
    p = press(a, "l l l j j j");
    CHECK(has(p, "step 7   40.00 ms   gap 31.00 ms (77.5%)") && has(p, "+220.0% of the average"));
    CHECK(has(p, "AllReduce-op7 2.000 ms at +1.000 ms (stream 41), AllReduce-op9 500 us at +5.000 ms"));
    p = press(a, "m G m");
    CHECK(has(p, "and step 12 (B) compared"));
    p = press(a, "M h Enter");
    CHECK(has(p, "limited to step 11"));
    CHECK(a->host.scope.has_steps && a->host.scope.step_first == 11);
    press(a, "Enter");
    sweep(a, "l j m G Tab j S-Tab");
    tt_app_free(a);

    s = ranks(1); /* without phases the screen has no such columns */
    a = begin(s, "steps");
    p = press(a, "");
    CHECK(!strstr(p, "Step trace") && has(p, "Enter limit   m compare two   c compare ranks"));
    tt_app_free(a);
}

/* ---- the input pipeline ---- */

static void bring_pipeline(tt_trace *t)
{
    bring(t, "data_pipeline",
          "op_id name type workers parent_id samples queue_mean queue_capacity queue_usage_pct suspect",
          "0 Batch_0 Batch 4 - 0 - - - 0\n1 Zip_1 Zip 1 0 6 60 64 93.75 0\n2 Map_2 Map 8 1 6 4 64 6.25 1\n"
          "3 TFReader_3 TFReader 2 2 6 64 64 100 0\n4 Generator_4 Generator 1 1 6 32 64 50 0\n");
    bring(t, "data_queues", "queue samples empty full capacity mean_size empty_pct get_mean_ns push_mean_ns",
          "host 12 9 0 16 2 75 12000000 3000000\ndevice 12 2 - - 3.5 16.666 500000 -\n");
    bring(t, "data_stages", "stage bottleneck", "data_process 1\ndata_transfer 0\ntraining 0\n");
    bring(t, "data_cpu", "scope op_id user_pct sys_pct io_pct idle_pct", "device - 20 5 1 74\noperator 2 30.5 1 - -\n");
    bring(t, "data_queue_curve", "queue sample size", "host 0 16\nhost 1 8\nhost 2 0\nhost 3 0\nMap_2 0 64\n");
}

/* Whether `one` comes before `other` in the picture. */
static bool before(const char *picture, const char *one, const char *other)
{
    const char *a = strstr(picture, one), *b = strstr(picture, other);
    return a && b && a < b;
}

static void test_pipeline(void)
{
    tt_session *s = ranks(1);
    bring_phases(s->traces[0]);
    bring_pipeline(s->traces[0]);
    tt_app *a = begin(s, "overview");
    CHECK(has(press(a, ""), "7 Steps  8 Data"));
    const char *p = press(a, "8");
    CHECK(has(p, "[8 Data]"));
    CHECK(has(p, "Training waits for data: the host queue was empty in 75% of the samples; suspect: Map_2"));
    CHECK(has(p, "! Dataset") && has(p, "5 operators") && has(p, "16 workers") && has(p, "2.0 of 16"));
    CHECK(has(p, "step 12.50 ms") && has(p, "waits for data"));
    CHECK(before(p, "TFReader_3", "!  Map_2") || before(p, "TFReader_3", "Map_2  "));
    CHECK(before(p, "Generator_4", "Zip_1") && before(p, "Zip_1", "Batch_0") && before(p, "Batch_0", "device queue"));
    CHECK(has(p, "Queue on the host") && has(p, "4 samples"));
    CHECK(has(p, "machine") && has(p, "user 20.0%, system 5.0%, I/O 1.0%, idle 74.0%"));
    CHECK(has(p, "CPU 31.5%"));
    p = press(a, "h");
    CHECK(has(p, "Queue behind TFReader_3") && has(p, "no samples of it over time"));
    p = press(a, "l l");
    CHECK(has(p, "Queue on the device") && has(p, "get 500 us"));
    p = press(a, "g j");
    CHECK(has(p, "Queue behind Map_2") && has(p, "queue behind it 4.0 of 64 in 6 samples   suspect"));
    p = press(a, "Enter");
    CHECK_INT(tt_app_context(a), TT_CTX_TABLE);
    press(a, "S-Tab");
    sweep(a, "j l G Tab j S-Tab g");
    tt_app_free(a);
}

/* Without a pipeline there is no tab, the other tabs keep their digits, and asking for the tab by name explains that.
 * */
static void test_no_pipeline(void)
{
    tt_session *s = ranks(1);
    bring_phases(s->traces[0]);
    tt_app *a = begin(s, "overview");
    const char *p = press(a, "");
    CHECK(!strstr(p, "Data ") && has(p, "8 Mod"));
    CHECK(has(press(a, "8"), "[8 Mod"));
    for (int i = 0; i < 16; i++) {
        press(a, "Tab");
        CHECK(strcmp(tt_app_current(a)->ops->tab.name, "data") != 0);
    }
    CHECK(tt_app_show_tab(a, "data"));
    CHECK(!strstr(press(a, ""), "Training waits"));
    sweep(a, "j Enter");
    tt_app_free(a);
}

/* A circle of operators, a missing parent, and an operator with nothing but a queue: all are listed, nothing hangs. */
static void test_odd_pipeline(void)
{
    tt_session *s = ranks(1);
    bring(s->traces[0], "data_pipeline", "op_id name parent_id queue_usage_pct suspect",
          "0 Batch_0 7 10 0\n1 Map_1 2 20 1\n2 Map_2 1 30 1\n3 Map_3 3 40 1\n3 Map_4 3 50 1\n- Odd_5 - - 0\n");
    tt_app *a = begin(s, "data");
    const char *p = press(a, "");
    static const char *const names[] = {"Batch_0", "Map_1", "Map_2", "Map_3", "Map_4", "Odd_5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) CHECK(has(p, names[i]));
    CHECK(has(p, "Suspect in the input pipeline: "));
    CHECK(strstr(p, "and 1 more"));
    sweep(a, "j G l h");
    tt_app_free(a);
    s = ranks(1);
    bring(s->traces[0], "data_queues", "queue samples empty_pct", "device 4 0\n");
    bring(s->traces[0], "data_stages", "stage bottleneck", "data_process 0\ndata_transfer 0\ntraining 1\n");
    a = begin(s, "data");
    CHECK(has(press(a, ""), "Training does not wait for data"));
    sweep(a, "j h l");
    tt_app_free(a);
}

/* ---- operators by type ---- */

static void test_types(void)
{
    tt_session *s = ranks(1);
    bring(s->traces[0], "op_types", "core type calls total_ns mean_ns max_ns min_ns ratio_pct",
          "AI_CORE MatMul 4 8000000 2000000 3000000 1000000 80\nAICPU GetNext 40 2000000 50000 60000 40000 20\n");
    bring(s->traces[0], "op_details", "core name type calls total_ns mean_ns",
          "AI_CORE net/MatMul-op1 MatMul 3 7000000 2333333\nAI_CORE net/MatMul-op2 MatMul 1 1000000 1000000\n"
          "AICPU GetNext-op3 GetNext 40 2000000 50000\n");
    tt_app *a = begin(s, "operators");
    CHECK(has(press(a, ""), "aten::mm"));
    const char *p = press(a, "b b b b");
    CHECK(has(p, "Operator types by total") && has(p, "2 types"));
    CHECK(has(p, "AI Core") && has(p, "AI CPU") && has(p, "80.0%"));
    CHECK(has(p, "net/MatMul-op1") && has(p, "net/MatMul-op2") && !strstr(p, "GetNext-op3"));
    p = press(a, "j");
    CHECK(has(p, "GetNext-op3") && !strstr(p, "net/MatMul-op1"));
    CHECK(has(p, "GetNext on AI CPU   40 calls   total 2.000 ms"));
    p = press(a, ">");
    CHECK(has(p, "Operator types by calls") && before(p, "GetNext ", "MatMul "));
    p = press(a, "Tab / \"op3\" Enter");
    CHECK_INT(tt_app_context(a), TT_CTX_TABLE);
    p = press(a, "b");
    CHECK(has(p, "aten::mm") && !strstr(p, "Operator types by"));
    press(a, "b b b b");
    sweep(a, "j > o Tab j S-Tab");
    tt_app_free(a);

    s = ranks(1); /* without types the key cycles through the groupings of the table only */
    a = begin(s, "operators");
    CHECK(!strstr(press(a, "b b b b"), "types"));
    tt_app_free(a);
}

/* ---- a cluster ---- */

static void bring_cluster(tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        char rows[512];
        snprintf(rows, sizeof rows,
                 "rank %u 1 %u000000 %u000000 1000000 2000000 0\nrank %u 2 %u000000 %u000000 1000000 "
                 "2000000 0\n",
                 i, i == 1 ? 30 : 20, i == 1 ? 8 : 18, i, i == 1 ? 30 : 20, i == 1 ? 8 : 18);
        bring(s->traces[i], "cluster_steps",
              "type index step computing_ns not_overlapped_ns overlapped_ns free_ns bubble_ns", rows);
    }
    bring(s->traces[0], "cluster_links", "rank step src dst transport size_bytes transit_ns bandwidth_gbps",
          "0 1 0 0 LOCAL 1000000 10000 100\n0 1 0 1 HCCS 20000000 1000000 20\n0 2 0 1 HCCS 20000000 1000000 20\n"
          "0 average 0 1 HCCS 1 1000000 0\n0 1 0 2 RDMA 1000000 1000000 1\n");
    bring(s->traces[1], "cluster_links", "rank step src dst transport size_bytes transit_ns bandwidth_gbps",
          "1 1 1 0 HCCS 10000000 1000000 10\n1 1 1 2 HCCS 20000000 1000000 20\n1 1 2 - HCCS 5 5 1\n");
}

static void test_cluster(void)
{
    tt_session *s = ranks(2);
    bring_cluster(s);
    tt_app *a = begin(s, "distributed");
    const char *p = press(a, "");
    CHECK(has(p, "Exposed comm.") && has(p, "rank 0") && has(p, ">rank 1") && has(p, "40.00 ms"));
    CHECK(has(p, "Slow rank: rank 1 computes 10.0 ms longer than rank 0, 25.0% of a step"));
    CHECK(has(p, "Links  HCCS, GB/s") && has(p, "1 slow") && has(p, "!10.0"));
    CHECK(has(p, "rank 1 to 0 over HCCS: 10 GB/s, 9.54 MiB in 1.000 ms, 40.0% below the mean of HCCS: slow"));
    p = press(a, "Tab");
    CHECK_INT(tt_app_context(a), TT_CTX_LINKS);
    p = press(a, "k l");
    CHECK(has(p, "rank 0 to 1 over HCCS: 20 GB/s, 38.15 MiB in 2.000 ms, 20.0% above the mean of HCCS"));
    p = press(a, "b");
    CHECK(has(p, "Links  RDMA, GB/s") || has(p, "Links  LOCAL, GB/s"));
    p = press(a, "b b");
    CHECK(has(p, "Links  HCCS, GB/s"));
    p = press(a, "Enter");
    CHECK_INT(tt_app_context(a), TT_CTX_TABLE);
    sweep(a, "S-Tab j l b S-Tab j Enter Tab Tab j S-Tab S-Tab");
    tt_app_free(a);
}

/* 64 ranks with a link between any two: only the links that fit are drawn, and the cursor is always visible. */
static void test_many_links(void)
{
    enum { RANKS = 64 };
    tt_session *s = ranks(1);
    char *rows = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&rows, &size);
    for (int from = 0; from < RANKS; from++) {
        for (int to = 0; to < RANKS; to++) {
            int bytes = from == 40 && to == 50 ? 1000000 : 20000000;
            fprintf(f, "%d 1 %d %d HCCS %d 1000000 20\n", from, from, to, bytes);
        }
    }
    fclose(f);
    bring(s->traces[0], "cluster_links", "rank step src dst transport size_bytes transit_ns bandwidth_gbps", rows);
    free(rows);
    tt_app *a = begin(s, "distributed");
    CHECK(has(press(a, ""), "rank 40 to 50 over HCCS: 1 GB/s"));
    press(a, "Tab");
    tt_canvas c = {.ascii = true};
    tt_canvas_resize(&c, 24, 80);
    tt_app_draw(a, &c);
    CHECK(has(picture_of(a, 24, 80), "rank 40"));
    CHECK(tt_app_keys(a, "G", &c));
    CHECK(has(picture_of(a, 24, 80), "rank 63"));
    CHECK(tt_app_keys(a, "g", &c));
    CHECK(has(picture_of(a, 24, 80), "rank 0"));
    tt_canvas_free(&c);
    sweep(a, "j l G l l l");
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    test_phases();
    test_pipeline();
    test_no_pipeline();
    test_odd_pipeline();
    test_types();
    test_cluster();
    test_many_links();
    temp_end();
    return check_done();
}

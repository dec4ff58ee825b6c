/* tests/unit/parser/test_mindinsight.c - folders of MindInsight's profiler: every generation of every file, with
 * numbers computed by hand; files that are missing, empty or cut. */
#include "model/trace/imported.h"
#include "parser/input/event_text.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void file(const char *name, const char *text) { temp_file(name, text, strlen(text)); }

static tt_session *load(const char *folder)
{
    const char *path = temp_path(folder);
    tt_load_options o = {.threads = 2};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) fprintf(stderr, "    %s: %s\n", folder, err.message);
    return s;
}

static const tt_imported *table(const tt_trace *s, const char *id)
{
    for (uint32_t i = 0; i < s->n_imported; i++)
        if (!strcmp(s->imported[i]->id, id)) return s->imported[i];
    return NULL;
}

static void put_cell(const tt_imported *t, uint32_t row, uint32_t col, tt_text *out)
{
    tt_cell c = t->cells[(size_t)row * t->n_cols + col];
    char text[64] = "-";
    switch (t->cols[col].type) {
    case TT_T_STRING: tt_text_put(out, c.s ? c.s : "-", strlen(c.s ? c.s : "-")); return;
    case TT_T_PERCENT:
    case TT_T_NUMBER:
        if (!isnan(c.d)) snprintf(text, sizeof text, "%.6g", c.d);
        break;
    default:
        if (c.i != TT_UNKNOWN) snprintf(text, sizeof text, "%" PRId64, c.i);
    }
    tt_text_put(out, text, strlen(text));
}

/* The columns of a table as text, "a|b;c|d;" for two rows; "none" = the trace has no such table. */
static const char *rows(const tt_session *s, uint32_t trace, const char *id, const char *columns)
{
    static char all[4096];
    tt_text out = {0};
    const tt_imported *t = s && trace < s->n_traces ? table(s->traces[trace], id) : NULL;
    tt_text_put(&out, "", 0);
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        for (const char *p = columns; *p; p += strspn(p, " ")) {
            size_t n = strcspn(p, " ");
            uint32_t c = 0;
            while (c < t->n_cols && (strlen(t->cols[c].key) != n || memcmp(t->cols[c].key, p, n) != 0)) c++;
            if (p != columns) tt_text_put(&out, "|", 1);
            if (c < t->n_cols)
                put_cell(t, r, c, &out);
            else
                tt_text_put(&out, "no column", 9);
            p += n;
        }
        tt_text_put(&out, ";", 1);
    }
    snprintf(all, sizeof all, "%s", t ? out.at : "none");
    tt_vec_free(&out);
    return all;
}

static const char *fact(const tt_session *s, uint32_t trace, const char *key)
{
    const char *v = s && trace < s->n_traces ? tt_trace_meta(s->traces[trace], key) : NULL;
    return v ? v : "none";
}

static uint64_t problems(const tt_session *s, uint32_t trace, tt_problem_kind kind)
{
    return s && trace < s->n_traces ? s->traces[trace]->problems.of[kind].count : 99;
}

static const char *example(const tt_session *s, tt_problem_kind kind)
{
    return s ? s->traces[0]->problems.of[kind].example : "";
}

/* ---- steps ---- */

#define STEP_HEAD "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail"

/* Ticks are 10 ns long. The first step begins with its first operator. The collectives of step 1 lie at 150..200 and
 * 180..230 on two streams; their union is 80 ticks. */
static void test_steps(void)
{
    file("steps/step_trace_raw_3_detail_time.csv",
         STEP_HEAD ",stream_4_0_AllReduce-op1,stream_4_0_AllReduce-op1_start_point,stream_4_0_AllReduce-op1_end_point"
                   ",stream_520_parallel_2_start_point,stream_520_parallel_2_end_point,stream_520_parallel_2\n"
                   "1,100,300,200,100,250,0,150,50,50,150,200,180,230,50\n"
                   "2,300,600,300,320,560,20,240,40,30,400,430,0,0,0\n"
                   "-,200,450,250,210,405,10,195,45,40,275,315,90,115,25\n");
    file("steps/step_trace_point_info.json", "{\"fp_start\": \"wrong\"}");
    file("steps/step_trace_point_info_3.json", "{\"fp_start\": \"Default/Cast-op6\", \"bp_end\": \"a\\u0041\"}");
    tt_session *s = load("steps");
    CHECK_STR(rows(s, 0, "step_trace", "step start_at_ns total_ns gap_ns forward_backward_ns tail_ns collectives_ns"),
              "1|0|2000|0|1500|500|800;2|2000|3000|200|2400|400|300;");
    CHECK_STR(rows(s, 0, "step_trace_summary", "part mean_ns pct"),
              "total|2500|100;gap|100|4;forward_backward|1950|78;tail|450|18;");
    CHECK_STR(rows(s, 0, "step_collectives", "step stream index name offset_ns duration_ns"),
              "1|4|0|AllReduce-op1|500|500;1|520|2|parallel|800|500;2|4|0|AllReduce-op1|1000|300;");
    CHECK_STR(fact(s, 0, "fp_start"), "Default/Cast-op6");
    CHECK_STR(fact(s, 0, "bp_end"), "aA");
    if (CHECK(s != NULL)) {
        const tt_trace *t = s->traces[0];
        CHECK_STR(t->worker, "3");
        CHECK_INT(t->rank, 3);
        CHECK_INT(t->n_steps, 2);
        CHECK_INT(t->steps[1].number, 2);
        CHECK_INT(t->steps[1].host_start, 2000);
        CHECK_INT(t->steps[1].host_end, 5000);
        CHECK_INT(tt_problems_matter(&t->problems), 0);
    }
    tt_session_free(s);
}

/* On a GPU the stream is "ops" and the points are a list. The average row is numbered 0 and all 0: no percentages. */
static void test_steps_of_gpu(void)
{
    file("gpu/step_trace_raw_0_detail_time.csv",
         STEP_HEAD ",stream_ops_0_AllReduce-op1,stream_ops_0_AllReduce-op1_start_point,"
                   "stream_ops_0_AllReduce-op1_end_point,hccl_7,hccl_7_start_point,hccl_7_end_point\n"
                   "1,10,30.5,20.5,10,25,0,15.0,5.5,2,20,22,3,22,25\n"
                   "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
    file("gpu/step_trace_point_info_0.json",
         "[{\"fp_start\": \"first\", \"bp_end\": \"last\"}, {\"fp_start\": \"x\"}]");
    tt_session *s = load("gpu");
    CHECK_STR(rows(s, 0, "step_trace", "step total_ns forward_backward_ns tail_ns collectives_ns"), "1|205|150|55|50;");
    CHECK_STR(rows(s, 0, "step_trace_summary", "part mean_ns pct"), "total|0|-;gap|0|-;forward_backward|0|-;tail|0|-;");
    CHECK_STR(rows(s, 0, "step_collectives", "stream index name duration_ns"), "ops|0|AllReduce-op1|20;-|7|hccl_7|30;");
    CHECK_STR(fact(s, 0, "fp_start"), "first");
    tt_session_free(s);
}

static void test_steps_of_inference(void)
{
    file("infer/step_trace_raw_0_detail_time.csv",
         "step_num,start_point,end_point,total,fp_point,iteration_interval,fp\n"
         "1,100,200,100,130,30,70\n-,100,200,100,130,30,70\n");
    file("infer/step_trace_point_info_0.json", "{\"fp_start\": \"first\"}");
    tt_session *s = load("infer");
    CHECK_STR(rows(s, 0, "step_trace", "step total_ns gap_ns forward_backward_ns tail_ns collectives_ns"),
              "1|1000|300|700|-|-;");
    CHECK_STR(rows(s, 0, "step_trace_summary", "part mean_ns pct"),
              "total|1000|100;gap|300|30;forward_backward|700|70;tail|-|-;");
    CHECK_STR(fact(s, 0, "bp_end"), "none");
    CHECK_INT(s ? tt_problems_matter(&s->traces[0]->problems) : 1, 0);
    tt_session_free(s);
}

/* An unreadable row loses that row or cell only; a file that ends early lacks its means. */
static void test_damaged_steps(void)
{
    file("badsteps/step_trace_raw_0_detail_time.csv", STEP_HEAD "\n"
                                                                "1,100,300,200,100,250,0,150,50\n"
                                                                ",300,400,100,310,390,10,80,10\n"
                                                                "3,600,500,100,610,690,x,80,10\n"
                                                                "4,700,90");
    tt_session *s = load("badsteps");
    CHECK_STR(rows(s, 0, "step_trace", "step total_ns gap_ns"), "1|2000|0;3|1000|-;4|-|-;");
    CHECK_STR(rows(s, 0, "step_trace_summary", "part"), "none");
    CHECK(problems(s, 0, TT_PROBLEM_BAD_ROW) >= 4);
    CHECK(strncmp(example(s, TT_PROBLEM_BAD_ROW), "step_trace_raw_0_detail_time.csv:3: ", 36) == 0);
    tt_session_free(s);
}

/* ---- the clock ---- */

#define EVENT(name, ts, dur)                                                                                           \
    "{\"name\": \"" name "\", \"ph\": \"X\", \"pid\": 0, \"tid\": 5, \"ts\": " ts ", \"dur\": " dur "}"
#define ONE_STEP STEP_HEAD "\n1,1000,1500,500,1010,1400,10,390,100\n-,1000,1500,500,1010,1400,10,390,100\n"

/* The members of an event as the explorer shows them: "name=...". */
static const char *member(const tt_trace *t, tt_row r, const char *key)
{
    static char all[256];
    tt_fields f;
    tt_err err;
    snprintf(all, sizeof all, "none");
    if (tt_event_fields(t, tt_row_text(t, r), &f, &err) != TT_OK) return "cannot be read";
    for (uint32_t i = 0; i < f.n; i++)
        if (!strcmp(f.at[i].key, key)) snprintf(all, sizeof all, "%s", f.at[i].value);
    tt_fields_free(&f);
    return all;
}

/* The timeline begins at 0 with the first operator, in cycle 900: the step begins 100 ticks later. */
static void test_clock_of_cycles(void)
{
    file("cycles/timeline_display_0.json", "[" EVENT("a", "0.0", "2.5") "," EVENT("b", "3", "1") "]");
    file("cycles/step_trace_raw_0_detail_time.csv", ONE_STEP);
    file("cycles/min_cycle_counter_0.txt", "900.0");
    tt_session *s = load("cycles");
    CHECK_STR(rows(s, 0, "step_trace", "start_at_ns"), "1000;");
    if (s) {
        const tt_trace *t = s->traces[0];
        CHECK_INT(t->steps[0].host_start, 1000);
        for (tt_row r = 0; r < t->n; r++) { /* the step has no text, all other slices have */
            CHECK_STR(member(t, r, "name"), tt_row_name(t, r));
            if (tt_row_kind(t, r) == TT_KIND_STEP) CHECK_STR(member(t, r, "dur"), "5.000");
        }
    }
    tt_session_free(s);

    /* the first operator starts at 0.00891 ms = 8910 ns: the step begins 1090 ns later */
    file("tasks/timeline_display_0.json", "[" EVENT("a", "0.0", "2.5") "]");
    file("tasks/step_trace_raw_0_detail_time.csv", ONE_STEP);
    file("tasks/output_timeline_data_0.txt",
         "op_name, stream_id, start_time(ms), duration(ms)\nb,5,0.009,0.001\na,5,0.00891,0.0025\n");
    s = load("tasks");
    CHECK_STR(rows(s, 0, "step_trace", "start_at_ns"), "1090;");
    tt_session_free(s);
}

/* Timelines in the clock of the steps, and in a clock that no file relates to it. */
static void test_other_clocks(void)
{
    file("same/gpu_timeline_display_0.json", "[" EVENT("a", "1600000000000001.5", "2.5") "]");
    file("same/step_trace_raw_0_detail_time.csv",
         STEP_HEAD "\n1,160000000000000000,160000000000000050,50,160000000000000000,160000000000000040,0,40,10\n");
    tt_session *s = load("same");
    CHECK_STR(rows(s, 0, "step_trace", "start_at_ns"), "1600000000000000000;");
    if (s) CHECK_INT(s->traces[0]->origin_ns, INT64_C(1600000000000000000));
    tt_session_free(s);

    file("other/gpu_timeline_display_0.json", "[" EVENT("a", "1600000000000001.5", "2.5") "]");
    file("other/step_trace_raw_0_detail_time.csv", ONE_STEP);
    s = load("other");
    CHECK_STR(rows(s, 0, "step_trace", "step start_at_ns total_ns"), "1|-|5000;");
    tt_session_free(s);
}

/* A timeline just below or above 20 MiB, where MindSpore stops writing: the first of two steps is over by then. Events
 * with nothing but a name fill the file. */
static void test_truncated(void)
{
    static const char *const facts[] = {"none", "timeline_display_0.json ends at 20 MiB, where MindSpore stops: 1 of 2 "
                                                "steps are not in it"};
    const size_t most = (size_t)20 << 20;
    for (size_t i = 0; i < 2; i++) {
        size_t size = i ? most + 100 : most - 100;
        char *text = malloc(size);
        static const char head[] = "[{\"ph\": \"X\", \"pid\": 0, \"tid\": 5, \"ts\": 1, \"dur\": 1, \"name\": \"a";
        static const char tail[] = "\"}]";
        memset(text, 'x', size);
        memcpy(text, head, strlen(head));
        memcpy(text + size - strlen(tail), tail, strlen(tail));
        for (size_t at = 1000; at + 200 < size; at += 1000) memcpy(text + at, "\"}, {\"name\": \"", 15);
        static const char last[] = "\", \"ph\": \"X\", \"pid\": 0, \"tid\": 5, \"ts\": 3.5, \"dur\": 1}]";
        memcpy(text + size - strlen(last), last, strlen(last));
        temp_file("cut/timeline_display_0.json", text, size);
        free(text);
        file("cut/step_trace_raw_0_detail_time.csv",
             STEP_HEAD "\n1,1000,1400,400,1000,1300,0,300,100\n2,1400,1800,400,1500,1700,100,200,100\n"
                       "-,1200,1600,400,1250,1500,50,250,100\n");
        file("cut/min_cycle_counter_0.txt", "1000");
        tt_session *s = load("cut");
        CHECK_STR(fact(s, 0, "truncated_by_producer"), facts[i]);
        tt_session_free(s);
    }
}

/* ---- device work without a timeline ---- */

static void test_tasks(void)
{
    file("work/framework_raw_2.csv", "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info\n"
                                     "1,5,24,Default/Mul-op1,Mul-op1,Mul,Default,{}\n");
    file("work/output_timeline_data_2.txt", "op_name, stream_id, start_time(us), duration(ms)\n"
                                            "Default/Mul-op1,5,10.5,0.0025\nDefault/A\\d-op2,6,14,0.001\n"
                                            "Default/Mul-op1,5,nothing,0.001\n");
    tt_session *s = load("work");
    if (CHECK(s != NULL)) {
        const tt_trace *t = s->traces[0];
        CHECK_INT(t->n, 2);
        CHECK_INT(t->n_dev, 2);
        for (uint32_t i = 0; i < t->n_dev; i++) {
            tt_row r = t->dev[i].row;
            bool mul = !strcmp(tt_row_name(t, r), "Default/Mul-op1");
            CHECK_INT(tt_row_kind(t, r), TT_KIND_KERNEL);
            CHECK_INT(t->start[r], mul ? 0 : 3500);
            CHECK_INT(t->dur[r], mul ? 2500 : 1000);
            CHECK_INT(t->dev[i].stream, mul ? 5 : 6);
            CHECK_INT(t->dev[i].device, 2);
            CHECK_STR(member(t, r, "name"), mul ? "Default/Mul-op1" : "Default/A\\d-op2");
            CHECK_STR(member(t, r, "ts"), mul ? "0.000" : "3.500");
            CHECK_STR(member(t, r, "args.block_dim"), mul ? "24" : "none");
        }
        CHECK_INT(problems(s, 0, TT_PROBLEM_BAD_ROW), 1);
        CHECK_INT(problems(s, 0, TT_PROBLEM_UNLINKED_DEVICE_WORK), 0); /* no launches, so none is missing */
    }
    tt_session_free(s);

    /* collectives occupy the device but are no kernels: their type tells, or their name if the type is unknown */
    file("comm/framework_raw_0.csv", "full_op_name,op_type\nDefault/Sum-op1,AllReduce\n");
    file("comm/output_timeline_data_0.txt", "op_name, stream_id, start_time(ms), duration(ms)\nDefault/Sum-op1,5,1,1\n"
                                            "Default/AllGather-op2,5,2,1\nDefault/Add-op3,5,3,1\n");
    s = load("comm");
    for (uint32_t i = 0; s && i < s->traces[0]->n_dev; i++) {
        const tt_trace *t = s->traces[0];
        tt_row r = t->dev[i].row;
        bool add = !strcmp(tt_row_name(t, r), "Default/Add-op3");
        CHECK_INT(tt_row_kind(t, r), add ? TT_KIND_KERNEL : TT_KIND_COLLECTIVE);
    }
    CHECK_INT(s ? s->traces[0]->n_dev : 0, 3);
    tt_session_free(s);

    file("kernels/gpu_op_type_info_0.csv", "op_type,type_occurrences,total_time(us),total_proportion,avg_time(us)\n");
    file("kernels/activity_execute_timestamp_0.txt",
         "void gemm<float, 2>(int);7;1600000000000000500;12.5\nmemset;8;1600000000000001500;1\n");
    s = load("kernels");
    if (CHECK(s != NULL)) {
        CHECK_INT(s->traces[0]->n_dev, 2);
        CHECK_INT(s->traces[0]->origin_ns, INT64_C(1600000000000000500));
        CHECK_INT(s->traces[0]->dur[s->traces[0]->dev[0].row], 12500);
    }
    tt_session_free(s);
}

/* ---- operators ---- */

/* Three generations: the oldest without frequency and kernel names, the middle one, and the newest with tasks of all
 * cores. Means are in ms: 0.0010005 * 3 = 3001.5 ns. */
static void test_generations(void)
{
    file("oldest/framework_raw_0.csv",
         "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info\n"
         "1,5,2,Default/A-op1,A-op1,Type A,Default,\"{\"\"input_1\"\": {\"\"shape\"\": \"\"3\"\"}, \"\"Input_0\"\": "
         "{\"\"format\"\": \"\"ND\"\", \"\"shape\"\": \"\"1,2\"\"}, \"\"output_0\"\": {\"\"shape\"\": \"\"9\"\"}}\"\n");
    file("oldest/aicore_intermediate_0_detail.csv", "full_op_name,execution_time\nDefault/A-op1,0.0010005\n");
    file("oldest/aicore_intermediate_0_type.csv", "op_type,execution_time,percent\nA,0.5,50\nB,1.5,75.00\n");
    tt_session *s = load("oldest");
    CHECK_STR(rows(s, 0, "op_details", "core name type calls mean_ns total_ns stream block_dim input_shapes"),
              "AICORE|Default/A-op1|Type A|-|1001|-|5|2|[[1, 2], [3]];");
    CHECK_STR(rows(s, 0, "op_types", "core type calls total_ns mean_ns max_ns min_ns ratio_pct"),
              "AICORE|A|-|500000|-|-|-|25;AICORE|B|-|1500000|-|-|-|75;");
    tt_session_free(s);

    file("middle/framework_raw_0.csv",
         "task_id,stream_id,block_dim,full_kernel_name,op_name,kernel_name,kernel_type,subgraph,op_info,graph_id\n"
         "1,5,2,Default/A-op1,Default/A,A-op1,KA,Default,\"{\"\"input_0\"\": {\"\"shape\"\": [4,5]}}\",11\n");
    file("middle/aicore_intermediate_0_detail.csv",
         "full_kernel_name,execution_time,execution_frequency\nDefault/A-op1,0.0010005,3\nDefault/net/B-op2,2,1\n");
    file("middle/aicore_intermediate_0_type.csv",
         "kernel_type,total_time,execution_frequency,percent\nKA,0.0030015,3,0.15\nB,2,1,99.85\n");
    file("middle/flops_0.txt",
         "full_kernel_name, FLOPs(M), FLOPS(G), FLOPS utilization(%)\nDefault/A-op1, 12.5, 2500, 7\n");
    s = load("middle");
    CHECK_STR(rows(s, 0, "op_details", "name type calls mean_ns total_ns input_shapes flops tflops"),
              "Default/A-op1|KA|3|1001|3002|[[4, 5]]|12.5|2.5;Default/net/B-op2|B|1|2000000|2000000|-|-|-;");
    CHECK_STR(rows(s, 0, "op_types", "type calls total_ns mean_ns"), "KA|3|3002|1001;B|1|2000000|2000000;");
    tt_session_free(s);

    file("newest/framework_raw_0.csv", "task_id,stream_id,block_dim,full_kernel_name,op_name,kernel_name,op_type,"
                                       "subgraph,op_info,model_id,kernel_type\n"
                                       "1,5,2,Default/A-op1,Default/A,A-op1,MatMul,Default,{},1,AI_CORE\n");
    file("newest/aicore_intermediate_0_detail.csv",
         "full_kernel_name,task_duration,execution_frequency,task_type\n"
         "Default/A-op1,0.5,2,AI_CORE\nDefault/C-op3,1,4,AI_CPU\n"
         "Default/AllReduce-op4,9,1,HCCL\nDefault/D/MatMul-op5,1,1,AI_CORE\n");
    file("newest/aicore_intermediate_0_type.csv",
         "kernel_type,task_time,execution_frequency,percent\nMatMul,2,3,0.1\n");
    file("newest/flops_0.txt",
         "full_kernel_name, MFLOPs cube, GFLOPS cube, cube utilization(%), MFLOPs vec, GFLOPS vec\n"
         "Default/A-op1, 10, 100, 3, 2, 50\n");
    s = load("newest");
    CHECK_STR(rows(s, 0, "op_details", "core name type calls total_ns flops tflops"),
              "AICORE|Default/A-op1|MatMul|2|1000000|12|0.15;AICPU|Default/C-op3|C|4|4000000|-|-;"
              "HCCL|Default/AllReduce-op4|AllReduce|1|9000000|-|-;AICORE|Default/D/MatMul-op5|MatMul|1|1000000|-|-;");
    CHECK_STR(rows(s, 0, "op_types", "core type calls total_ns ratio_pct"),
              "AICORE|MatMul|3|2000000|100;AICPU|C|4|4000000|100;HCCL|AllReduce|1|9000000|100;");
    tt_session_free(s);
}

/* Single executions with seven columns, and with six (without execution_time) under a header that may name seven. */
static void test_aicpu(void)
{
    static const char *const rows_of[] = {"0,InitData-op1,0.5,0.1,0.4,100,900\n1,Cast-op2,0.25,0.1,0.2,1000,1200\n"
                                          "2,Cast-op2,0.75,0.1,0.2,2000,2200\n",
                                          "0,InitData-op1,0.5,0.1,100,900\n1,Cast-op2,0.25,0.1,1000,1200\n"
                                          "2,Cast-op2,0.75,0.1,2000,2200\n"};
    static const char head[] = "serial_number,kernel_type,total_time,dispatch_time,execution_time,run_start,run_end\n";
    file("aicpu/framework_raw_0.csv", "task_id,full_op_name\n");
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", head, rows_of[i]);
        file("aicpu/aicpu_intermediate_0.csv", text);
        tt_session *s = load("aicpu");
        CHECK_STR(rows(s, 0, "op_details", "core name type calls mean_ns total_ns"),
                  "AICPU|InitData-op1|InitData|1|500000|500000;AICPU|Cast-op2|Cast|2|500000|1000000;");
        CHECK_STR(rows(s, 0, "op_types", "core type calls total_ns mean_ns max_ns min_ns"),
                  "AICPU|InitData|1|500000|500000|500000|500000;AICPU|Cast|2|1000000|500000|750000|250000;");
        CHECK_INT(problems(s, 0, TT_PROBLEM_BAD_ROW), 0);
        tt_session_free(s);
    }
}

static void test_pynative(void)
{
    file("pynative/profiler_info_0.json", "{\"context_mode\": \"pynative\", \"rank_id\": 4, \"rank_size\": 8}");
    file("pynative/pynative_op_intermediate_0_detail.csv", "full_op_name,execution_time\nMul-op1,0.5\n");
    file("pynative/pynative_op_intermediate_0_type.csv",
         "op_type,execution_time,execution_frequency,percent\nMul,1,2,100\n");
    tt_session *s = load("pynative");
    CHECK_STR(rows(s, 0, "op_details", "core name type mean_ns"), "AICORE|Mul-op1|Mul|500000;");
    CHECK_STR(rows(s, 0, "op_types", "core type calls total_ns"), "AICORE|Mul|2|1000000;");
    CHECK_STR(fact(s, 0, "context_mode"), "pynative");
    if (s) CHECK_INT(s->traces[0]->rank, 4);
    if (s) CHECK_INT(s->traces[0]->world_size, 8);
    if (s) CHECK_STR(s->traces[0]->worker, "0");
    tt_session_free(s);
}

static void test_gpu_and_host(void)
{
    file("both/gpu_op_detail_info_0.csv",
         "op_side,op_type,op_name,op_full_name,op_occurrences,op_total_time(us),op_avg_time(us),total_proportion,"
         "cuda_activity_cost_time(us),cuda_activity_call_count\n"
         "Device,MatMul,MatMul-op1,Default/MatMul-op1,4,100.5,25.125,0.8,60,8\n");
    file("both/gpu_op_type_info_0.csv", "op_type,type_occurrences,total_time(us),total_proportion,avg_time(us)\n"
                                        "MatMul,4,75,0.75,18.75\nAdd,5,25,0.25,5\n");
    file("both/cpu_op_detail_info_0.csv",
         "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),op_avg_"
         "time(ms),total_proportion,subgraph,pid\n"
         "Host,Cast,Cast-op2,Default/Cast-op2,2,0.5,0.25,1,Default,77\n");
    file("both/cpu_op_type_info_0.csv",
         "op_type,type_occurrences,execution_frequency(per-step),total_compute_time(ms),avg_time(ms),percent\n"
         "Cast,2,1,0.5,0.25,1\n");
    tt_session *s = load("both");
    CHECK_STR(rows(s, 0, "op_details", "core name type calls mean_ns total_ns"),
              "GPU|Default/MatMul-op1|MatMul|4|25125|100500;HOST|Default/Cast-op2|Cast|2|250000|500000;");
    CHECK_STR(rows(s, 0, "op_types", "core type calls total_ns mean_ns ratio_pct"),
              "GPU|MatMul|4|75000|18750|75;GPU|Add|5|25000|5000|25;HOST|Cast|2|500000|250000|100;");
    CHECK_STR(fact(s, 0, "device_type"), "gpu");
    tt_session_free(s);

    /* a folder with the sums of kernels only */
    file("sums/profiler_info_0.json", "{}");
    file("sums/gpu_activity_data_0.csv",
         "name,type,op_full_name,stream_id,block_dim,grid_dim,occurrences,total_duration(us),avg_duration(us),"
         "max_duration(us),min_duration(us)\n"
         "\"void f<1, 2>(int)\",cuLaunchKernel,Default/A-op1,7,\"256,1,1\",\"8,1,1\",3,30.5,10.1667,12,9\n");
    s = load("sums");
    CHECK_STR(rows(s, 0, "op_details", "core name type calls mean_ns total_ns stream"),
              "GPU|void f<1, 2>(int)|cuLaunchKernel|3|10167|30500|7;");
    tt_session_free(s);
}

/* ---- input pipeline ---- */

/* Host: 4 samples of a queue of 8, 1 of them empty, 1 full. Device: 2 samples, none empty. */
static void test_queues(void)
{
    static const char host[] = "0 0 1 10 500\n0 1 1 2 500\n0 2 1 12 500\n1 8 1 0 500\n"
                               "0 0 2 20 600\n0 1 2 4 600\n0 2 2 24 600\n1 8 2 8 600\n1 8 3 2 600\n1 8 4 2 600\n";
    file("queues/profiler_info_0.json", "{}");
    file("queues/device_queue_profiling_0.txt", host);
    file("queues/minddata_aicpu_0.txt",
         "GetNext_dequeue_wait 100 150 3\nDecode 1 2 3\nGetNext_dequeue_wait 200 210 1\n");
    tt_session *s = load("queues");
    CHECK_STR(rows(s, 0, "data_queues",
                   "queue samples empty full capacity mean_size empty_pct get_mean_ns push_mean_ns "
                   "batch_mean_ns"),
              "host|4|1|1|8|3|25|15000000|3000000|18000000;device|2|0|-|-|2|0|30000|-|-;");
    CHECK_STR(rows(s, 0, "data_stages", "stage bottleneck"), "data_process|0;data_transfer|0;training|1;");
    CHECK_STR(rows(s, 0, "data_queue_curve", "queue sample size"),
              "host|0|0;host|1|8;host|2|2;host|3|2;device|0|3;device|1|1;");
    tt_session_free(s);

    /* the device's queue is empty once; a GPU's times are ns; the iterator's file has four columns */
    remove(temp_path("queues/device_queue_profiling_0.txt"));
    remove(temp_path("queues/minddata_aicpu_0.txt"));
    file("queues/dataset_iterator_profiling_0.txt", "0 0 1 10\n1 8 1 1\n1 8 2 x\n1 8\n");
    file("queues/minddata_getnext_profiling_0.txt", "GetNext 100 150 0\n");
    s = load("queues");
    CHECK_STR(rows(s, 0, "data_queues", "queue samples get_mean_ns"), "host|1|10000000;device|1|50;");
    CHECK_STR(rows(s, 0, "data_stages", "stage bottleneck"), "data_process|0;data_transfer|1;training|0;");
    CHECK_INT(problems(s, 0, TT_PROBLEM_BAD_ROW), 2);
    CHECK(strstr(example(s, TT_PROBLEM_BAD_ROW), "dataset_iterator_profiling_0.txt:3: ") != NULL);
    tt_session_free(s);

    /* 3 empty samples of 10 are not more than 30 %, 4 are */
    file("queues/dataset_iterator_profiling_0.txt",
         "1 8 1 0\n1 8 1 0\n1 8 1 0\n1 8 1 1\n1 8 1 1\n1 8 1 1\n1 8 1 1\n1 8 1 1\n1 8 1 1\n1 8 1 1\n");
    s = load("queues");
    CHECK_STR(rows(s, 0, "data_stages", "stage bottleneck"), "data_process|0;data_transfer|1;training|0;");
    tt_session_free(s);
    file("queues/dataset_iterator_profiling_0.txt",
         "1 8 1 0\n1 8 1 0\n1 8 1 0\n1 8 1 0\n1 8 1 1\n1 8 1 1\n1 8 1 1\n1 8 1 1\n1 8 1 1\n1 8 1 1\n");
    s = load("queues");
    CHECK_STR(rows(s, 0, "data_stages", "stage bottleneck"), "data_process|1;data_transfer|0;training|0;");
    tt_session_free(s);
}

#define PIPELINE_HEAD                                                                                                  \
    "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,"                       \
    "output_queue_usage_rate,sample_interval,parent_id,children_id\n"

static void test_pipeline(void)
{
    /* Map is too slow: its child's queue is at 0.9, its own queue at 0.5; the source with 0.9 is fast enough */
    file("pipe/minddata_pipeline_raw_0.csv", PIPELINE_HEAD "0,BatchOp,4,,,,0,10,,[1]\n"
                                                           "1,MapOp,8,\"[4, 6]\",5.0,10,0.5,10,0,[2]\n"
                                                           "2,TFReaderOp,2,\"[9, 9]\",9.0,10,0.9,10,1,\n");
    tt_session *s = load("pipe");
    CHECK_STR(rows(s, 0, "data_pipeline",
                   "op_id name type workers parent_id samples queue_mean queue_capacity "
                   "queue_usage_pct suspect"),
              "0|BatchOp_0|BatchOp|4|-|0|-|-|-|0;1|MapOp_1|MapOp|8|0|2|5|10|50|1;"
              "2|TFReaderOp_2|TFReaderOp|2|1|2|9|10|90|0;");
    CHECK_STR(rows(s, 0, "data_queue_curve", "queue sample size"),
              "MapOp_1|0|4;MapOp_1|1|6;TFReaderOp_2|0|9;TFReaderOp_2|1|9;");
    tt_session_free(s);

    /* all queues are full, so the consumer of the data is slow; a mean without samples is taken from the file */
    file("pipe/minddata_pipeline_raw_0.csv", PIPELINE_HEAD "0,BatchOp,4,,,,0,10,,[1]\n"
                                                           "1,MapOp,8,,8.0,10,0.8,10,0,[2]\n"
                                                           "2,TFReaderOp,2,\"[9, x]\",9.0,10,0.9,10,1,\n");
    s = load("pipe");
    CHECK_STR(rows(s, 0, "data_pipeline", "op_id samples queue_mean queue_usage_pct suspect"),
              "0|0|-|-|1;1|0|8|80|0;2|1|9|90|0;");
    CHECK_INT(problems(s, 0, TT_PROBLEM_BAD_ROW), 1);
    tt_session_free(s);
}

/* Operator 3 without a queue is left out, so its child 4 becomes a child of 1. The file is unsorted, and 4 names 1 as
 * its child: the reader does not walk in a circle. */
static void test_pipeline_json(void)
{
    file("json/profiler_info_0.json", "{}");
    file("json/pipeline_profiling_0.json",
         "{\"sampling_interval\": 10, \"op_info\": ["
         "{\"op_id\": 4, \"op_type\": \"TFReader\", \"num_workers\": 4, \"metrics\": {\"output_queue\": {\"size\": [1, "
         "3], "
         "\"length\": 8}}, \"children\": [1]},"
         "{\"op_id\": 3, \"op_type\": \"Skip\", \"num_workers\": 1, \"metrics\": null, \"children\": [4]},"
         "{\"op_id\": 1, \"op_type\": \"Map\", \"num_workers\": 2, \"metrics\": {\"output_queue\": {\"size\": [8], "
         "\"length\": 8}}, \"children\": [3]},"
         "{\"op_id\": 0, \"op_type\": \"Batch\", \"num_workers\": 1, \"metrics\": null, \"children\": [1]}]}");
    tt_session *s = load("json");
    CHECK_STR(rows(s, 0, "data_pipeline", "op_id name workers parent_id samples queue_mean queue_usage_pct suspect"),
              "0|Batch_0|1|-|0|-|-|0;1|Map_1|2|0|1|8|100|0;4|TFReader_4|4|1|2|2|25|1;");
    CHECK_INT(s ? tt_problems_matter(&s->traces[0]->problems) : 1, 0);
    tt_session_free(s);
}

static void test_cpu(void)
{
    file("cpu/profiler_info_0.json", "{}");
    file("cpu/minddata_cpu_utilization_0.json",
         "{\"sampling_interval\": 1000, \"cpu_processor_num\": 8, \"time_stamp\": [1, 2, 3, 4], \"device_info\": "
         "{\"user_utilization\": [90, 10, 20], \"sys_utilization\": [5, 1, 2], \"io_utilization\": [0, 0, 1], "
         "\"idle_utilization\": [5, 89, 77], \"runable_processes\": [1, 2, 3]}, \"process_info\": "
         "{\"user_utilization\": [9, 4, 8], \"sys_utilization\": [1]}, \"op_info\": [{\"op_id\": -1, \"metrics\": "
         "{\"user_utilization\": [1, 1]}}, {\"op_id\": 2, \"metrics\": {\"user_utilization\": [1, 3, 4], "
         "\"sys_utilization\": [0, 0, 1]}}]}");
    tt_session *s = load("cpu");
    CHECK_STR(rows(s, 0, "data_cpu", "scope op_id user_pct sys_pct io_pct idle_pct"),
              "device|-|15|1.5|0.5|83;process|-|6|-|-|-;operator|2|3.5|0.5|-|-;");
    tt_session_free(s);
}

/* ---- cluster ---- */

static void test_cluster(void)
{
    file("ranks/ascend_cluster_analyse_pipeline-parallel_2_4_0.csv",
         "computation_time,communication_alone_time,stage_time,receive_alone_time,collective_communication_alone_time\n"
         "1.5,2.25,3,0.5,0.125\n1,2,3,0.5,0.5\n1.2,2.1,3,0.5,0.3\n");
    file("ranks/ascend_cluster_analyse_model-parallel_1_4_1.csv", "computation,communication_alone\n7.5,1.25");
    file("ranks/ascend_cluster_analyse_data-parallel_1_4_2.csv",
         "iteration_interval,fp_and_bp,tail\n10,300,50\n20,310,40\n");
    file("ranks/flops_summary_0.json", "{\"FLOPs\": 107146.763, \"FLOPS\": 5385.552, \"FLOPS_Utilization\": 0.23}");
    file("ranks/flops_summary_1.json",
         "{\"cube_FLOPs\": 100.5, \"cube_FLOPS\": 1, \"vec_FLOPs\": 0.5, \"vec_FLOPS\": 2}");
    tt_session *s = load("ranks");
    CHECK_INT(s ? s->n_traces : 0, 3);
    CHECK_STR(
        rows(s, 0, "cluster_steps", "type index step computing_ns not_overlapped_ns stage_ns bubble_ns collective_ns"),
        "rank|0|1|1500000|2250000|3000000|500000|125000;rank|0|2|1000000|2000000|3000000|500000|500000;"
        "rank|0|average|1200000|2100000|3000000|500000|300000;");
    CHECK_STR(rows(s, 1, "cluster_steps", "index step computing_ns not_overlapped_ns stage_ns"),
              "1|average|7500000|1250000|-;");
    CHECK_STR(rows(s, 2, "cluster_steps", "index step computing_ns preparing_ns stage_ns"),
              "2|1|3000|100|3600;2|average|3100|200|3700;");
    CHECK_STR(fact(s, 0, "parallel_mode"), "pipeline-parallel");
    CHECK_STR(fact(s, 0, "stage_num"), "2");
    CHECK_STR(fact(s, 0, "rank_size"), "4");
    CHECK_STR(fact(s, 0, "flops"), "107146.763");
    CHECK_STR(fact(s, 1, "flops"), "101");
    CHECK_STR(fact(s, 2, "device_type"), "ascend");
    if (s && s->n_traces == 3) CHECK_INT(s->traces[2]->world_size, 4);
    tt_session_free(s);
}

/* 52.5 KB in 2.5 ms are 0.021 GB/s; the file names another bandwidth; its last row is the mean. */
static void test_links(void)
{
    file(
        "links/hccl_raw_1.csv",
        "step_num,communication_cost,wait_cost,link_info,communication_operator_cost\n"
        "1,2.6,270.25,\"{\"\"1-0\"\": {\"\"SDMA\"\": [2.5, 52.5, 217031150.4]}, \"\"0-0\"\": {\"\"RDMA\"\": [0, 1.024, "
        "5]}}\",\"{}\"\n2,1,1,{},{}\n3,1,1,\"{\"\"1-0\"\": {\"\"SDMA\"\": [2.5\",\"{}\"\n"
        "-,2.6,270.25,\"{\"\"1-0\"\": {\"\"SDMA\"\": [2.5, 52.5, 217031150.4]}}\",\"{}\"\n");
    tt_session *s = load("links");
    CHECK_STR(rows(s, 0, "cluster_links", "rank step src dst transport size_bytes transit_ns bandwidth_gbps"),
              "1|1|1|0|SDMA|52500|2500000|0.021;1|1|0|0|RDMA|1024|0|-;");
    CHECK_INT(problems(s, 0, TT_PROBLEM_BAD_ROW), 1);
    CHECK(strstr(example(s, TT_PROBLEM_BAD_ROW), "hccl_raw_1.csv:4: ") != NULL);
    tt_session_free(s);
}

/* ---- folders ---- */

/* Folders with one file each, which alone identifies the format. */
static void test_recognised(void)
{
    static const char *const names[] = {"step_trace_raw_1_detail_time.csv",
                                        "aicore_intermediate_1_type.csv",
                                        "aicore_intermediate_1_detail.csv",
                                        "framework_raw_1.csv",
                                        "ascend_timeline_display_1.json",
                                        "timeline_display_1.json",
                                        "gpu_op_type_info_1.csv",
                                        "gpu_op_detail_info_1.csv",
                                        "cpu_op_type_info_1.csv",
                                        "cpu_op_detail_info_1.csv",
                                        "minddata_pipeline_raw_1.csv",
                                        "ascend_cluster_analyse_pipeline-parallel_2_4_1.csv",
                                        "hccl_raw_1.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[128];
        snprintf(name, sizeof name, "known%zu/%s", i, names[i]);
        file(name, "[]\n");
        snprintf(name, sizeof name, "known%zu", i);
        tt_session *s = load(name);
        if (CHECK(s != NULL)) {
            CHECK_STR(s->traces[0]->format->id, "mindinsight");
            CHECK_STR(s->traces[0]->worker, "1");
        }
        tt_session_free(s);
    }
    file("raw/profiler_info_0.json", "{}"); /* recorded data that no tool has analysed */
    CHECK(load("raw") == NULL);
    file("common/flops_0.txt", "x");
    CHECK(load("common") == NULL);
}

static const struct {
    const char *name, *text;
} whole[] = {
    {"step_trace_raw_0_detail_time.csv", ONE_STEP},
    {"step_trace_point_info_0.json", "{\"fp_start\": \"a\", \"bp_end\": \"b\"}"},
    {"timeline_display_0.json", "[" EVENT("a", "0.0", "2.5") "," EVENT("b", "3", "1") "]"},
    {"min_cycle_counter_0.txt", "900.0"},
    {"framework_raw_0.csv",
     "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info\n1,5,24,D/M-op1,M,"
     "M,D,\"{\"\"input_0\"\": {\"\"shape\"\": [1]}}\"\n"},
    {"aicore_intermediate_0_detail.csv", "full_op_name,execution_time,execution_frequency\nD/M-op1,0.5,2\n"},
    {"aicore_intermediate_0_type.csv", "op_type,total_time,execution_frequency,percent\nM,1,2,100\n"},
    {"aicpu_intermediate_0.csv", "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\n"
                                 "1,A-op1,0.5,0.1,0.2,3,4\n"},
    {"flops_0.txt", "full_name, FLOPs, FLOPS, FLOPS utilization\nD/M-op1, 1, 2, 3\n"},
    {"flops_summary_0.json", "{\"FLOPs\": 1.5}"},
    {"device_queue_profiling_0.txt", "0 0 1 10 500\n1 8 1 0 500\n"},
    {"minddata_aicpu_0.txt", "GetNext_dequeue_wait 100 150 3\n"},
    {"minddata_pipeline_raw_0.csv", PIPELINE_HEAD "0,B,4,,,,0,10,,[1]\n1,M,8,\"[4, 6]\",5.0,10,0.5,10,0,\n"},
    {"minddata_cpu_utilization_0.json",
     "{\"device_info\": {\"user_utilization\": [1, 2]}, \"op_info\": [{\"op_id\": 1, "
     "\"metrics\": {\"user_utilization\": [1, 2]}}]}"},
    {"ascend_cluster_analyse_data-parallel_1_1_0.csv", "computation,communication_alone\n1,2\n1,2\n"},
    {"hccl_raw_0.csv", "step_num,link_info\n1,\"{\"\"1-0\"\": {\"\"SDMA\"\": [2.5, 52.5, 2.4]}}\"\n-,{}\n"},
    {"profiler_info_0.json", "{\"rank_id\": 0, \"rank_size\": 1}"},
};
enum { FILES = sizeof whole / sizeof *whole };

static void write_whole(size_t i, size_t n)
{
    char name[128];
    snprintf(name, sizeof name, "whole/%s", whole[i].name);
    temp_file(name, whole[i].text, n);
}

/* Cut every file at every byte: the tables of the other files stay, and an empty or damaged file is reported. */
static void test_damage(void)
{
    for (size_t i = 0; i < FILES; i++) write_whole(i, strlen(whole[i].text));
    tt_session *s = load("whole");
    uint32_t tables = s ? s->traces[0]->n_imported : 0;
    CHECK_INT(tables, 11); /* all tables but step_collectives and cluster_communication */
    CHECK_INT(s ? tt_problems_matter(&s->traces[0]->problems) : 1, 0);
    tt_session_free(s);
    const char *every = getenv("BROKEN_EVERY"); /* under valgrind test only every n-th cut */
    size_t stride = every ? strtoul(every, NULL, 10) : 1;
    for (size_t i = 0; i < FILES; i++) {
        size_t n = strlen(whole[i].text);
        for (size_t cut = 0; cut < n; cut += stride ? stride : 1) {
            write_whole(i, cut);
            s = load("whole");
            if (!CHECK(s != NULL)) continue;
            CHECK(s->traces[0]->n_imported + 4 >= tables);
            if (!cut && strcmp(whole[i].name, "timeline_display_0.json") != 0)
                CHECK_INT(problems(s, 0, TT_PROBLEM_MISSING_FILE), 1);
            tt_session_free(s);
        }
        char name[128];
        snprintf(name, sizeof name, "whole/%s", whole[i].name);
        remove(temp_path(name));
        s = load("whole");
        CHECK(s && s->traces[0]->n_imported + 4 >= tables);
        if (s) CHECK_INT(tt_problems_matter(&s->traces[0]->problems), 0);
        tt_session_free(s);
        write_whole(i, n);
    }
}

int main(void)
{
    temp_begin();
    test_steps();
    test_steps_of_gpu();
    test_steps_of_inference();
    test_damaged_steps();
    test_clock_of_cycles();
    test_other_clocks();
    test_truncated();
    test_tasks();
    test_generations();
    test_aicpu();
    test_pynative();
    test_gpu_and_host();
    test_queues();
    test_pipeline();
    test_pipeline_json();
    test_cpu();
    test_cluster();
    test_links();
    test_recognised();
    test_damage();
    temp_end();
    return check_done();
}

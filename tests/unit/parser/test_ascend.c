/* Folders of Ascend's profilers: the tables and slices read from each file, with values computed by hand; folders whose
 * files are missing, cut or of another version. */
#include "model/trace/imported.h"
#include "parser/input/event_text.h"
#include "tests/unit/made.h"

#include <inttypes.h>

#define OUT "/ASCEND_PROFILER_OUTPUT/"

/* ---- a folder ---- */

static const char trace_view[] =
    "[{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 7, \"tid\": 0, \"args\": {\"name\": \"Python\"}},\n"
    "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 8, \"tid\": 0, \"args\": {\"name\": \"Ascend Hardware\"}},\n"
    "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 8, \"tid\": 2, \"args\": {\"name\": \"Stream 2\"}},\n"
    "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 9, \"tid\": 0, \"args\": {\"name\": \"Overlap Analysis\"}},\n"
    "{\"ph\": \"X\", \"name\": \"ProfilerStep#3\", \"pid\": 7, \"tid\": 7, \"ts\": \"1000.000\", \"dur\": 100, "
    "\"cat\": "
    "\"cpu_op\", \"args\": {}},\n"
    "{\"ph\": \"X\", \"name\": \"aten::add\", \"pid\": 7, \"tid\": 7, \"ts\": \"1010.000\", \"dur\": 20, \"cat\": "
    "\"cpu_op\", \"args\": {}},\n"
    "{\"ph\": \"X\", \"name\": \"Add1\", \"pid\": 8, \"tid\": 2, \"ts\": \"1040.001\", \"dur\": 10.5, \"args\": "
    "{\"Task Type\": \"AI_CORE\", \"Physic Stream Id\": 2, \"connection_id\": 5}},\n"
    "{\"ph\": \"X\", \"name\": \"Computing\", \"pid\": 9, \"tid\": 0, \"ts\": \"1040.001\", \"dur\": 10.5},\n"
    "{\"ph\": \"X\", \"name\": \"Communication\", \"pid\": 9, \"tid\": 1, \"ts\": \"1045.000\", \"dur\": 20},\n"
    "{\"ph\": \"X\", \"name\": \"Communication(Not Overlapped)\", \"pid\": 9, \"tid\": 2, \"ts\": \"1050.501\", "
    "\"dur\": "
    "14.499},\n"
    "{\"ph\": \"X\", \"name\": \"Free\", \"pid\": 9, \"tid\": 3, \"ts\": \"1065.000\", \"dur\": 5}]\n";

static const char kernel_details[] =
    "Step Id,Device_id,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Block Dim,Input Shapes\r\n"
    "3,4,2,Add1,Add,AI_VECTOR_CORE,1040.001\t,10.5,8,\"\"\"2,3;2,3\"\"\"\r\n"
    "3,4,2,Add2,Add,AI_VECTOR_CORE,1060\t,1.250,8,\"\"\"2,3;2,3\"\"\"\r\n"
    "3,4,2,Add1,Add,AI_VECTOR_CORE,1062.000\t,3.25,4,\"\"\"2,3;2,3\"\"\"\r\n"
    "3,4,3,MatMul,MatMulV2,AI_CORE,1070.000\t,15,32,N/A\r\n"
    "3,4,9,hcom_allReduce__1,hcom_allReduce_,HCCL,1080.000\t,100,N/A,N/A\r\n";

static const char op_statistic[] =
    "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
    "MatMulV2,AI_CORE,1,15,15.0,15.000,15,50.0\n";

static const char step_trace_time[] =
    "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive)\n"
    "3,8873.756000000001,101963.203,4028.6750000000175,105991.878,25744.05,136581.0,0,101963.203\n"
    ",1,2,3,4,5,6,7,8\n";

static const char communication[] =
    "{\"step3\": {\"p2p\": {}, \"collective\": {\"hcom_allReduce__1@77\": {\"Communication Time Info\": {\"Start "
    "Timestamp(us)\": 1080.0, \"Elapse Time(ms)\": 0.1, \"Transit Time(ms)\": 0.03, \"Wait Time(ms)\": 0.01, "
    "\"Synchronization Time(ms)\": 0.0075, \"Wait Time Ratio\": 0.25}, \"Communication Bandwidth Info\": {\"HCCS\": "
    "{\"Transit Size(MB)\": 1.5, \"Transit Time(ms)\": 1, \"Size Distribution\": {\"0.5\": [3, 1.0]}}, \"RDMA\": "
    "{\"Transit Size(MB)\": 0.25}, \"SDMA\": {\"Transit Size(MB)\": 1.5}}}, \"Total Op Info\": {\"Communication Time "
    "Info\": {\"Elapse Time(ms)\": 5}}}}, \"step\": {\"p2p\": {\"hcom_send__9\": {\"Communication Time Info\": {}}}}}";

static const char matrix[] =
    "{\"step3\": {\"collective\": {\"allreduce-top1@77\": {\"0-1\": {\"Transit Size(MB)\": 9}}, "
    "\"allreduce-total@77\": "
    "{\"4-5\": {\"Transport Type\": \"HCCS\", \"Transit Size(MB)\": 3.0, \"Transit Time(ms)\": 0.2, "
    "\"Bandwidth(GB/s)\": "
    "15, \"Op Name\": \"x\"}, \"4-4\": {\"Transport Type\": \"LOCAL\", \"Transit Size(MB)\": 1, \"Transit Time(ms)\": "
    "0}}}, \"p2p\": {}}}";

static const char operator_memory[] =
    "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),"
    "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total "
    "Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\n"
    "aten::add,0.5,1012.000\t,1020.500\t,,8.5,,1.5,4,1.5,1.25,4,1.25,1,NPU:4\n"
    "aten::lost,18816.5,1013.000\t,,,,,20,24,20,,,,1,NPU:4\n";

static const char memory_record[] =
    "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\n"
    "PTA,1012.000\t,954.3701171875,1452.0,954.3701171875,1,NPU:4\n"
    "PTA+GE,1013.000\t,5000,5000,5000,1,NPU:4\nAPP,1014.000\t,,9000,,,NPU:4\nGE,1014.500\t,7000,7000,1,,NPU:4\n"
    "PTA,1015.000\t,2,1452.0,2,1,NPU:4\n";

static const char info[] =
    "{\"config\": {\"common_config\": {\"schedule\": {\"wait\": 0, \"active\": 2}, \"profile_memory\": true}, "
    "\"experimental_config\": {\"_profiler_level\": \"Level1\"}}, \"rank_id\": 6}";
static const char metadata[] = "{\"ENV_VARIABLES\": {}, \"parallel_group_info\": {\"77\": {\"group_name\": \"dp\", "
                               "\"group_rank\": 0, \"global_ranks\": [6, 7]}}}";

static const struct {
    const char *name, *text;
} files[] = {
    {OUT "trace_view.json", trace_view},
    {OUT "kernel_details.csv", kernel_details},
    {OUT "op_statistic.csv", op_statistic},
    {OUT "step_trace_time.csv", step_trace_time},
    {OUT "communication.json", communication},
    {OUT "communication_matrix.json", matrix},
    {OUT "operator_memory.csv", operator_memory},
    {OUT "memory_record.csv", memory_record},
    {"/profiler_info_5.json", info},
    {"/profiler_metadata.json", metadata},
};
enum { TRACE, KERNELS, STATISTIC, STEPS, COMMUNICATION, MATRIX, ALLOCATIONS, MEMORY, INFO, METADATA, FILES };

static void put(const char *folder, int i, const char *text, size_t n)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", folder, files[i].name);
    temp_file(name, text, n);
}

/* Make a folder with the files whose bits are set. */
static const char *folder_of(const char *folder, unsigned which)
{
    for (int i = 0; i < FILES; i++) {
        if (which >> i & 1) put(folder, i, files[i].text, strlen(files[i].text));
    }
    return temp_path(folder);
}

/* ---- looking up tables and cells ---- */

static const tt_imported *table(const tt_session *s, const char *id)
{
    const tt_imported *found = NULL;
    for (uint32_t i = 0; s && i < s->traces[0]->n_imported; i++) {
        if (strcmp(s->traces[0]->imported[i]->id, id) != 0) continue;
        CHECK(!found); /* the id occurs once */
        found = s->traces[0]->imported[i];
    }
    return found;
}

static const char *cell(const tt_imported *t, uint32_t row, const char *key)
{
    static char text[8][64];
    static unsigned turn;
    char *out = text[turn++ % 8];
    if (!t || row >= t->n_rows) return "no row";
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (strcmp(t->cols[c].key, key) != 0) continue;
        const tt_cell *v = &t->cells[(size_t)row * t->n_cols + c];
        switch (t->cols[c].type) {
        case TT_T_STRING: return v->s ? v->s : "-";
        case TT_T_PERCENT:
        case TT_T_NUMBER: snprintf(out, sizeof text[0], isnan(v->d) ? "-" : "%.6g", v->d); return out;
        default: snprintf(out, sizeof text[0], v->i == TT_UNKNOWN ? "-" : "%" PRId64, v->i); return out;
        }
    }
    return "no column";
}

static const char *meta(const tt_session *s, const char *key)
{
    const char *v = s ? tt_trace_meta(s->traces[0], key) : NULL;
    return v ? v : "-";
}

static uint64_t problem(const tt_session *s, tt_problem_kind k) { return s ? s->traces[0]->problems.of[k].count : 0; }
static const char *example(const tt_session *s, tt_problem_kind k) { return s->traces[0]->problems.of[k].example; }

static int64_t count_kind(const tt_trace *s, tt_kind kind)
{
    int64_t n = 0;
    for (tt_row r = 0; r < s->n; r++) n += tt_row_kind(s, r) == kind;
    return n;
}

/* ---- all files ---- */

static void check_steps(const tt_session *s)
{
    const tt_imported *t = table(s, "cluster_steps");
    CHECK_STR(cell(t, 0, "type"), "rank");
    CHECK_STR(cell(t, 0, "index"), "6");
    CHECK_STR(cell(t, 0, "step"), "3");
    CHECK_STR(cell(t, 0, "computing_ns"), "8873756"); /* rounded once from a double with noise */
    CHECK_STR(cell(t, 0, "not_overlapped_ns"), "101963203");
    CHECK_STR(cell(t, 0, "overlapped_ns"), "4028675");
    CHECK_STR(cell(t, 0, "communication_ns"), "105991878");
    CHECK_STR(cell(t, 0, "free_ns"), "25744050");
    CHECK_STR(cell(t, 0, "stage_ns"), "136581000");
    CHECK_STR(cell(t, 0, "bubble_ns"), "0");
    CHECK_STR(cell(t, 0, "not_overlapped_exclude_receive_ns"), "101963203");
    CHECK_STR(cell(t, 0, "preparing_ns"), "-"); /* this version lacks the column */
    CHECK_STR(cell(t, 1, "step"), "-");         /* recorded without a schedule */
    CHECK_STR(cell(t, 1, "free_ns"), "5000");
    CHECK_STR(cell(t, 2, "type"), "no row");
}

static void check_communication(const tt_session *s)
{
    const tt_imported *t = table(s, "cluster_communication");
    CHECK_STR(cell(t, 0, "rank"), "6");
    CHECK_STR(cell(t, 0, "step"), "3");
    CHECK_STR(cell(t, 0, "kind"), "collective");
    CHECK_STR(cell(t, 0, "group"), "77");
    CHECK_STR(cell(t, 0, "name"), "hcom_allReduce__1");
    CHECK_STR(cell(t, 0, "elapse_ns"), "100000");
    CHECK_STR(cell(t, 0, "idle_ns"), "60000"); /* computed, not in the file: elapse - transit - wait */
    CHECK_STR(cell(t, 0, "synchronization_ns"), "7500");
    CHECK_STR(cell(t, 0, "wait_ratio_pct"), "25");
    CHECK_STR(cell(t, 0, "synchronization_ratio_pct"), "20");
    CHECK_STR(cell(t, 0, "size_bytes"), "1750000"); /* SDMA is left out, since it contains HCCS */
    CHECK_STR(cell(t, 1, "name"), "hcom_send__9");
    CHECK_STR(cell(t, 1, "kind"), "p2p");
    CHECK_STR(cell(t, 1, "step"), "-");
    CHECK_STR(cell(t, 1, "group"), "-");
    CHECK_STR(cell(t, 1, "elapse_ns"), "-");
    CHECK_STR(cell(t, 1, "size_bytes"), "-");
    CHECK_STR(cell(t, 2, "name"), "no row");

    t = table(s, "cluster_links");
    CHECK_STR(cell(t, 0, "op"), "allreduce");
    CHECK_STR(cell(t, 0, "group"), "77");
    CHECK_STR(cell(t, 0, "src"), "4");
    CHECK_STR(cell(t, 0, "dst"), "5");
    CHECK_STR(cell(t, 0, "transport"), "HCCS");
    CHECK_STR(cell(t, 0, "size_bytes"), "3000000");
    CHECK_STR(cell(t, 0, "transit_ns"), "200000");
    CHECK_STR(cell(t, 0, "bandwidth_gbps"), "15");
    CHECK_STR(cell(t, 1, "dst"), "4");
    CHECK_STR(cell(t, 1, "bandwidth_gbps"), "-"); /* the duration is 0 */
    CHECK_STR(cell(t, 2, "op"), "no row");        /* all other rows are samples of the total */
}

static void check_memory(const tt_trace *s)
{
    CHECK_INT(s->n_memory, 5);
    if (s->n_memory != 5) return;
    int64_t base = 1000000 - s->start[0]; /* the step begins at 1000 us */
    const tt_memory_record *m = s->memory;
    CHECK_INT(base, s->origin_ns);
    CHECK_INT(m[0].ts + base, 1012000); /* the total counts component PTA alone: 954.3701171875 * 2^20 */
    CHECK_INT(m[0].allocated, 1000729600);
    CHECK_INT(m[0].reserved, INT64_C(1452) << 20);
    CHECK_INT(m[0].bytes, 0);
    CHECK_INT(m[1].bytes, 512);
    CHECK_INT(m[1].allocated, TT_UNKNOWN); /* only the other file has the total */
    CHECK_STR(tt_str(&s->strings, (tt_sid)m[1].maker), "aten::add");
    CHECK_INT(m[1].device_type, 20);
    CHECK_INT(m[1].device_id, 4);
    CHECK_INT(m[2].bytes, INT64_C(18816) * 1024 + 512);
    CHECK_STR(tt_str(&s->strings, (tt_sid)m[2].maker), "aten::lost");
    CHECK_INT(m[3].ts + base, 1015000);
    CHECK_INT(m[4].ts + base, 1020500);
    CHECK_INT(m[4].bytes, -512);
    CHECK(m[4].addr && m[4].addr == m[1].addr && m[2].addr != m[1].addr);
}

/* Slices of the timeline carry the columns of the csv file. */
static void check_kernels(const tt_trace *s)
{
    CHECK_INT(count_kind(s, TT_KIND_KERNEL), 1);
    for (tt_row r = 0; r < s->n; r++) {
        if (tt_row_kind(s, r) != TT_KIND_KERNEL) continue;
        const tt_activity *d = tt_row_dev(s, r);
        const tt_launch_shape *shape = &s->shapes[d->shape];
        CHECK_STR(tt_row_name(s, r), "Add1");
        CHECK_STR(tt_str(&s->strings, shape->core), "AI_VECTOR_CORE"); /* the timeline calls it AI_CORE */
        CHECK_STR(tt_str(&s->strings, shape->type), "Add");
        CHECK_STR(tt_str(&s->strings, shape->block), "8");
        CHECK_INT(d->device, 4);
    }
}

static void test_all(void)
{
    tt_session *s = load_trace(folder_of("all/w_20240102030405678_ascend_pt", (1u << FILES) - 1));
    if (!s) return;
    const tt_trace *t = s->traces[0];
    CHECK_STR(tt_trace_format(t), "ascend");
    CHECK_STR(t->worker, "w");
    CHECK_INT(t->rank, 6); /* the rank comes from rank_id, not from the file's name */
    CHECK_STR(meta(s, "profiler_level"), "Level1");
    CHECK_STR(meta(s, "schedule_active"), "2");
    CHECK_STR(meta(s, "device_type"), "ascend");
    CHECK_STR(meta(s, "group_77"), "dp, ranks 6,7");
    check_steps(s);
    check_communication(s);
    check_memory(t);
    check_kernels(t);
    const tt_imported *types = table(s, "op_types");
    CHECK_STR(cell(types, 0, "type"), "MatMulV2"); /* the profiler's own table */
    CHECK_STR(cell(types, 0, "core"), "AI_CORE");
    CHECK_STR(cell(types, 0, "total_ns"), "15000");
    CHECK_STR(cell(types, 0, "ratio_pct"), "50");
    CHECK_STR(cell(types, 1, "type"), "no row");
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        if (tt_problem_level_of[k] != TT_LEVEL_LOSS || !t->problems.of[k].count) continue;
        CHECK_STR(tt_problem_key[k], t->problems.of[k].example);
    }
    tt_session_free(s);
}

/* ---- files that are missing ---- */

static void test_computed(void)
{
    tt_session *s = load_trace(folder_of("computed/w_ascend_pt", 1u << TRACE | 1u << KERNELS | 1u << ALLOCATIONS));
    if (!s) return;
    const tt_imported *t = table(s, "op_types");
    CHECK_STR(cell(t, 0, "type"), "Add"); /* 10.5 + 1.25 + 3.25 = 15 us of 30, without the collective */
    CHECK_STR(cell(t, 0, "calls"), "3");
    CHECK_STR(cell(t, 0, "total_ns"), "15000");
    CHECK_STR(cell(t, 0, "mean_ns"), "5000");
    CHECK_STR(cell(t, 0, "max_ns"), "10500");
    CHECK_STR(cell(t, 0, "min_ns"), "1250");
    CHECK_STR(cell(t, 0, "ratio_pct"), "50");
    CHECK_STR(cell(t, 1, "type"), "MatMulV2");
    CHECK_STR(cell(t, 2, "type"), "no row");
    t = table(s, "op_details");
    CHECK_STR(cell(t, 0, "name"), "Add1");
    CHECK_STR(cell(t, 0, "calls"), "2");
    CHECK_STR(cell(t, 0, "stream"), "2");
    CHECK_STR(cell(t, 0, "block_dim"), "-"); /* the calls differ: 8 and 4 */
    CHECK_STR(cell(t, 0, "input_shapes"), "2,3;2,3");
    CHECK_STR(cell(t, 1, "block_dim"), "8");
    CHECK_STR(cell(t, 3, "name"), "no row");

    t = table(s, "cluster_steps"); /* computed from the timeline's rows of overlaps */
    CHECK_STR(cell(t, 0, "step"), "3");
    CHECK_STR(cell(t, 0, "index"), "-"); /* no file names the rank */
    CHECK_STR(cell(t, 0, "computing_ns"), "10500");
    CHECK_STR(cell(t, 0, "communication_ns"), "20000");
    CHECK_STR(cell(t, 0, "not_overlapped_ns"), "14499");
    CHECK_STR(cell(t, 0, "overlapped_ns"), "5501");
    CHECK_STR(cell(t, 0, "free_ns"), "5000");
    CHECK_STR(cell(t, 0, "stage_ns"), "24999"); /* 1065 - 1040.001 */
    CHECK_STR(cell(t, 0, "bubble_ns"), "0");
    CHECK_STR(cell(t, 0, "preparing_ns"), "40001");
    CHECK(!table(s, "cluster_communication") && !table(s, "cluster_links"));
    CHECK(problem(s, TT_PROBLEM_MISSING_FILE) > 0); /* step_trace_time.csv */
    CHECK_INT(s->traces[0]->n_memory, 3);
    if (s->traces[0]->n_memory == 3) CHECK_INT(s->traces[0]->memory[0].allocated, 3 << 19); /* a computed total */
    tt_session_free(s);
}

/* MindSpore's tables of the input pipeline. */
static void test_data(void)
{
    static const char queue[] = "0 0 1 5 10\n0 1 1 2 10\n0 2 1 7 10\n1 8 1 0 10\n"
                                "0 0 2 3 20\n0 1 2 2 20\n0 2 2 5 20\n1 8 2 4 20\n";
    folder_of("data/w_ascend_ms", 1u << TRACE | 1u << STEPS);
    temp_file("data/w_ascend_ms" OUT "device_queue_profiling_0.txt", queue, sizeof queue - 1);
    tt_session *s = load_trace(temp_path("data/w_ascend_ms"));
    if (!s) return;
    const tt_imported *t = table(s, "data_queues");
    CHECK_STR(cell(t, 0, "queue"), "host");
    CHECK_STR(cell(t, 0, "samples"), "2");
    CHECK_STR(cell(t, 0, "empty"), "1");
    CHECK_STR(cell(t, 0, "capacity"), "8");
    CHECK_STR(cell(t, 1, "queue"), "no row");
    CHECK_INT(s->n_traces, 1); /* the folder of the input pipeline is no second worker */
    CHECK(s->traces[0]->rules == &tt_rules_mindspore);
    tt_session_free(s);
}

static void test_kernels_alone(void)
{
    tt_session *s = load_trace(folder_of("alone/w_ascend_ms", 1u << KERNELS));
    if (!s) return;
    const tt_trace *t = s->traces[0];
    tt_fields f;
    tt_err err;
    char text[64] = "";
    CHECK_INT(count_kind(t, TT_KIND_KERNEL), 4);
    CHECK_INT(count_kind(t, TT_KIND_COLLECTIVE), 1);
    CHECK_INT(t->n_tracks, 3); /* streams 2, 3, 9 */
    tt_row add2 = TT_NONE;
    for (tt_row r = 0; r < t->n; r++) {
        if (!strcmp(tt_row_name(t, r), "Add2")) add2 = r;
    }
    CHECK(add2 != TT_NONE);
    if (add2 != TT_NONE) {
        const tt_activity *d = tt_row_dev(t, add2);
        CHECK_INT(t->start[add2] + t->origin_ns, 1060000);
        CHECK_INT(t->dur[add2], 1250);
        CHECK(d && d->device == 4 && d->stream == 2);
        CHECK_STR(d ? tt_str(&t->strings, t->shapes[d->shape].block) : "", "8");
        CHECK_INT(tt_event_fields(t, tt_row_text(t, add2), &f, &err), TT_OK);
        for (uint32_t i = 0; i < f.n; i++) {
            if (!strcmp(f.at[i].key, "args.Input Shapes")) snprintf(text, sizeof text, "%s", f.at[i].value);
        }
        CHECK_STR(text, "\"2,3;2,3\"");
        tt_fields_free(&f);
    }
    CHECK_STR(example(s, TT_PROBLEM_MISSING_FILE), "trace_view.json: there is no timeline of the host");
    tt_session_free(s);
}

static void test_databases(void)
{
    tt_err err = {0};
    const char *path = temp_file("db/w_ascend_pt" OUT "ascend_pytorch_profiler_0.db", "SQLite format 3", 16);
    char folder[512];
    snprintf(folder, sizeof folder, "%s", temp_path("db/w_ascend_pt"));
    path = folder;
    tt_load_options o = {.threads = 1};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    CHECK(!s);
    CHECK_INT(err.code, TT_ERR_INPUT);
    CHECK(strstr(err.message, "ascend_pytorch_profiler_0.db") && strstr(err.message, "export_type"));
    folder_of("db/w_ascend_pt", 1u << STEPS); /* the text files beside the database are read */
    s = load_trace(folder);
    CHECK_STR(cell(table(s, "cluster_steps"), 0, "computing_ns"), "8873756");
    if (s) tt_session_free(s);
}

/* Any file may be missing, empty or cut anywhere: the reader reads the other files as usual. */
static void test_damage(void)
{
    char folder[64];
    unsigned round = 0;
    for (int i = KERNELS; i < FILES; i++) {
        size_t n = strlen(files[i].text);
        for (size_t cut = 0; cut < n; cut += n < 500 ? 13 : 61) {
            snprintf(folder, sizeof folder, "cut/%u_ascend_pt", round++);
            const char *path = folder_of(folder, ((1u << FILES) - 1) & ~(1u << i));
            put(folder, i, files[i].text, cut);
            tt_session *s = load_trace(path);
            if (!s) continue;
            uint64_t told = problem(s, TT_PROBLEM_MISSING_FILE) + problem(s, TT_PROBLEM_BAD_ROW) +
                            problem(s, TT_PROBLEM_MISSING_COLUMN);
            bool whole_rows = cut && files[i].text[cut - 1] == '\n';
            if (strstr(files[i].name, ".json") || (cut < 20 && !whole_rows)) CHECK(told > 0);
            CHECK_INT(count_kind(s->traces[0], TT_KIND_CPU_OP), 1);
            if (i != STEPS) CHECK_STR(cell(table(s, "cluster_steps"), 0, "computing_ns"), "8873756");
            if (i != MATRIX) CHECK_STR(cell(table(s, "cluster_links"), 0, "size_bytes"), "3000000");
            tt_session_free(s);
        }
    }
}

/* Columns in another order, columns of another version, and invalid rows. */
static void test_versions(void)
{
    static const char reordered[] = "Free,Step,Stage,Overlapped,Computing,Communication,Communication(Not Overlapped)\n"
                                    "5,9,6,3,1,4,2\nx,10,6,3,-1,4,1e400\n";
    folder_of("versions/w_ascend_pt", 1u << TRACE);
    put("versions/w_ascend_pt", STEPS, reordered, strlen(reordered));
    tt_session *s = load_trace(temp_path("versions/w_ascend_pt"));
    if (!s) return;
    const tt_imported *t = table(s, "cluster_steps");
    CHECK_STR(cell(t, 0, "computing_ns"), "1000");
    CHECK_STR(cell(t, 0, "free_ns"), "5000");
    CHECK_STR(cell(t, 0, "bubble_ns"), "-");
    CHECK_STR(cell(t, 1, "step"), "10");
    CHECK_STR(cell(t, 1, "free_ns"), "-");
    CHECK_STR(cell(t, 1, "not_overlapped_ns"), "-");
    CHECK_INT(problem(s, TT_PROBLEM_BAD_ROW), 2);
    CHECK(!strncmp(example(s, TT_PROBLEM_BAD_ROW), "step_trace_time.csv:3: ", 23));
    tt_session_free(s);
}

/* ---- msprof ---- */

static void msprof_slice(const char *name, const char *kernel, int ts)
{
    char text[600], path[256];
    int n = snprintf(text, sizeof text,
                     "[{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 3, \"tid\": 0, \"args\": {\"name\": "
                     "\"Ascend Hardware\"}},\n{\"ph\": \"X\", \"name\": \"%s\", \"pid\": 3, \"tid\": 2, \"ts\": %d.25, "
                     "\"dur\": 2.5, \"args\": {\"Task Type\": \"AI_CORE\", \"Stream Id\": 2, \"Task Id\": 1}}]",
                     kernel, ts);
    snprintf(path, sizeof path, "prof/PROF_1/device_2/timeline/%s", name);
    temp_file(path, text, (size_t)n);
}

static void test_msprof(void)
{
    static const char steps[] =
        "[{\"name\": \"Iteration 1\", \"ph\": \"X\", \"ts\": 100.5, \"dur\": 20, \"cat\": \"Iteration Time\", "
        "\"args\": "
        "{\"Iteration ID\": 1, \"FP Start\": 101.5, \"BP End\": 110.75, \"Iteration End\": 120.5}},\n"
        "{\"name\": \"Reduce_1_0\", \"ph\": \"X\", \"ts\": 111, \"dur\": 4, \"cat\": \"Reduce\", \"args\": "
        "{\"Iteration "
        "ID\": 1}},\n{\"name\": \"Reduce_1_1\", \"ph\": \"X\", \"ts\": 113, \"dur\": 5, \"cat\": \"Reduce\", \"args\": "
        "{\"Iteration ID\": 1}},\n{\"name\": \"Iteration 2\", \"ph\": \"X\", \"ts\": 130, \"dur\": 10, \"cat\": "
        "\"Iteration Time\", \"args\": {\"Iteration ID\": 2, \"FP Start\": 131}}]";
    msprof_slice("msprof_2_1_10.json", "third", 300);
    msprof_slice("msprof_2_1_2.json", "second", 200);
    msprof_slice("msprof_2_1_1.json", "first", 100);
    msprof_slice("task_time_2_1_1.json", "first", 100); /* the same event again, in another file */
    temp_file("prof/PROF_1/device_2/timeline/step_trace_2_1_1.json", steps, sizeof steps - 1);
    temp_file("prof/PROF_1/device_2/timeline/step_trace_2_1_2.json", steps, sizeof steps - 1);
    temp_file("prof/PROF_1/device_2/info.json.2", "{\"rank_id\": 5}", 14);
    tt_session *s = load_trace(temp_path("prof/PROF_1"));
    if (!s) return;
    const tt_trace *t = s->traces[0];
    CHECK_STR(t->worker, "2");
    CHECK_INT(t->rank, 5);
    CHECK_STR(tt_trace_format(t), "msprof");
    CHECK_INT(count_kind(t, TT_KIND_KERNEL), 3);
    const tt_imported *i = table(s, "step_trace");
    CHECK_STR(cell(i, 0, "step"), "1");
    CHECK_STR(cell(i, 0, "start_at_ns"), "100500");
    CHECK_STR(cell(i, 0, "total_ns"), "20000");
    CHECK_STR(cell(i, 0, "gap_ns"), "1000");
    CHECK_STR(cell(i, 0, "forward_backward_ns"), "9250");
    CHECK_STR(cell(i, 0, "tail_ns"), "9750");
    CHECK_STR(cell(i, 0, "collectives_ns"), "7000"); /* the union of 111..115 and 113..118 */
    CHECK_STR(cell(i, 1, "step"), "2");
    CHECK_STR(cell(i, 1, "gap_ns"), "1000");
    CHECK_STR(cell(i, 1, "tail_ns"), "-");
    CHECK_STR(cell(i, 2, "step"), "no row"); /* the second file repeats the first */
    tt_session_free(s);

    remove(temp_path("prof/PROF_1/device_2/timeline/msprof_2_1_10.json"));
    remove(temp_path("prof/PROF_1/device_2/timeline/msprof_2_1_2.json"));
    remove(temp_path("prof/PROF_1/device_2/timeline/msprof_2_1_1.json"));
    s = load_trace(temp_path("prof/PROF_1")); /* without them the copies in other files are read */
    if (!s) return;
    CHECK_INT(count_kind(s->traces[0], TT_KIND_KERNEL), 1);
    CHECK_INT(problem(s, TT_PROBLEM_MISSING_FILE), 1);
    tt_session_free(s);
}

/* ---- several ranks ---- */

static void test_ranks(void)
{
    folder_of("ranks/rank10_ascend_pt", 1u << TRACE | 1u << STEPS);
    folder_of("ranks/rank2_ascend_pt", 1u << TRACE | 1u << STEPS);
    temp_file("ranks/rank2_ascend_pt/PROF_1/device_0/timeline/msprof_0_1_1.json", "[]", 2); /* its raw data */
    tt_session *s = load_trace(temp_path("ranks"));
    if (!s) return;
    CHECK_INT(s->n_traces, 2);
    CHECK_STR(s->traces[0]->worker, "rank2");
    CHECK_INT(s->traces[0]->rank, 2); /* from the folder's name */
    CHECK_STR(s->traces[1]->worker, "rank10");
    tt_session_free(s);

    put("ranks/rank2_ascend_pt", INFO, "{}", 2);
    char inner[512]; /* the user names the inner folder: the files beside it belong to it, too */
    snprintf(inner, sizeof inner, "%s", temp_path("ranks/rank2_ascend_pt/ASCEND_PROFILER_OUTPUT"));
    s = load_trace(inner);
    if (!s) return;
    CHECK_INT(s->n_traces, 1);
    CHECK_STR(s->traces[0]->worker, "rank2");
    CHECK_INT(s->traces[0]->rank, 5); /* from profiler_info_5.json */
    CHECK_STR(cell(table(s, "cluster_steps"), 0, "index"), "5");
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    test_all();
    test_computed();
    test_data();
    test_kernels_alone();
    test_databases();
    test_damage();
    test_versions();
    test_msprof();
    test_ranks();
    temp_end();
    return check_done();
}

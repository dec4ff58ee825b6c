/* Traces of Ascend's profilers: the kind of a slice follows from its arguments, process and numbers, whatever the order
 * of events; links from operators; folders of several parts. */
#include <stdlib.h>

#include "parser/chrome/reader.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"
#include "tests/unit/tempdir.h"

/* An operator that starts a kernel and a collective through calls of another process; the pids are arbitrary. */
#define BASE "17364088837"
static const char *const torch_events[] = {
    "{\"ph\":\"X\",\"name\":\"aten::add\",\"pid\":77,\"tid\":77,\"ts\":\"" BASE
    "00000.100\",\"dur\":50,\"cat\":\"cpu_op\","
    "\"args\":{\"Sequence number\":-1,\"Fwd thread id\":0,\"Input Dims\":\"32,3;\\r\\n;\\r\\n5\",\"Input type\":"
    "\"float;\\r\\nScalar;\\r\\nlong int\",\"Call stack\":\"a.py(1): f;\\r\\nb.py(2): g\"}}",
    "{\"ph\":\"X\",\"name\":\"HcclAllreduce\",\"pid\":77,\"tid\":77,\"ts\":\"" BASE "00060.000\",\"dur\":20.5,"
    "\"cat\":\"cpu_op\",\"args\":{\"Sequence number\":-1,\"Fwd thread id\":0}}",
    "{\"ph\":\"X\",\"name\":\"ProfilerStep#7\",\"pid\":77,\"tid\":77,\"ts\":\"" BASE "00000.000\",\"dur\":400,"
    "\"cat\":\"cpu_op\",\"args\":{\"Sequence number\":-1,\"Fwd thread id\":0}}",
    "{\"ph\":\"X\",\"name\":\"AscendCL@aclnnAdd\",\"pid\":4000000001,\"tid\":9,\"ts\":\"" BASE "00100.000\",\"dur\":30,"
    "\"args\":{\"Thread Id\":9,\"Mode\":\"ACL_OP\",\"level\":\"acl\",\"id\":\"aclnnAdd\",\"item_id\":\"0\","
    "\"connection_id\":500}}",
    "{\"ph\":\"X\",\"name\":\"Node@launch\",\"pid\":4000000001,\"tid\":9,\"ts\":\"" BASE "00110.000\",\"dur\":10,"
    "\"args\":{\"Thread "
    "Id\":9,\"Mode\":\"launch\",\"level\":\"node\",\"id\":\"0\",\"item_id\":\"Add\",\"connection_id\":501}}",
    "{\"ph\":\"X\",\"name\":\"GE@Infer\",\"pid\":4000000001,\"tid\":9,\"ts\":\"" BASE "00300.000\",\"dur\":10,"
    "\"args\":{\"Model Name\":null}}",
    "{\"ph\":\"X\",\"name\":\"aclnnAdd_Add\",\"pid\":3,\"tid\":2,\"ts\":\"" BASE "00130.003\",\"dur\":53.7410625,"
    "\"args\":{\"Task Type\":\"AI_CORE\",\"Physic Stream Id\":2,\"Task Id\":1,\"connection_id\":501}}",
    "{\"ph\":\"X\",\"name\":\"Old\",\"pid\":3,\"tid\":2,\"ts\":\"" BASE "00200.000\",\"dur\":1,\"args\":{\"Task Type\":"
    "\"Other\"}}",
    "{\"ph\":\"X\",\"name\":\"Bare\",\"pid\":3,\"tid\":5,\"ts\":\"" BASE "00210.000\",\"dur\":1}",
    "{\"ph\":\"X\",\"name\":\"EVENT_WAIT\",\"pid\":3,\"tid\":5,\"ts\":\"" BASE "00220.000\",\"dur\":90}",
    "{\"ph\":\"X\",\"name\":\"EVENT_RECORD\",\"pid\":3,\"tid\":2,\"ts\":\"" BASE "00230.000\",\"dur\":1,\"args\":"
    "{\"Task Type\":\"EVENT_RECORD_SQE\",\"Physic Stream Id\":2}}",
    "{\"ph\":\"X\",\"name\":\"MEMCPY_ASYNC\",\"pid\":3,\"tid\":2,\"ts\":\"" BASE "00240.000\",\"dur\":2,\"args\":"
    "{\"Task Type\":\"PCIE_DMA_SQE\",\"Physic Stream Id\":2}}",
    "{\"ph\":\"X\",\"name\":\"hcom_allReduce__1\",\"pid\":12,\"tid\":0,\"ts\":\"" BASE
    "00250.500\",\"dur\":40,\"args\":"
    "{\"connection_id\":502,\"data_type\":\"FP32\"}}",
    "{\"ph\":\"X\",\"name\":\"Memcpy\",\"pid\":12,\"tid\":1,\"ts\":\"" BASE
    "00251.000\",\"dur\":4,\"args\":{\"notify_id\":"
    "\"0\",\"stream id\":4,\"task type\":\"Memcpy\",\"transport type\":\"SDMA\"}}",
    "{\"ph\":\"X\",\"name\":\"Waiting\",\"pid\":12,\"tid\":1,\"ts\":\"" BASE "00256.000\",\"dur\":4}",
    "{\"ph\":\"X\",\"name\":\"Computing\",\"pid\":13,\"tid\":0,\"ts\":\"" BASE "00130.003\",\"dur\":53.741}",
    "{\"ph\":\"s\",\"bp\":\"e\",\"name\":\"torch_to_npu\",\"id\":1736408883700130003,\"pid\":77,\"tid\":77,\"ts\":"
    "\"" BASE "00000.100\",\"cat\":\"async_npu\"}",
    "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"torch_to_npu\",\"id\":1736408883700130003,\"pid\":3,\"tid\":2,\"ts\":\"" BASE
    "00130.003\",\"cat\":\"async_npu\"}",
    "{\"ph\":\"s\",\"bp\":\"e\",\"name\":\"torch_to_npu\",\"id\":1736408883700250500,\"pid\":77,\"tid\":77,\"ts\":"
    "\"" BASE "00060.000\",\"cat\":\"async_npu\"}",
    "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"torch_to_npu\",\"id\":1736408883700250500,\"pid\":12,\"tid\":0,\"ts\":"
    "\"" BASE "00250.500\",\"cat\":\"async_npu\"}",
    "{\"name\":\"HostToDevice501\",\"ph\":\"s\",\"cat\":\"HostToDevice\",\"id\":\"501\",\"pid\":4000000001,\"tid\":9,"
    "\"ts\":\"" BASE "00110.000\"}",
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":77,\"tid\":0,\"args\":{\"name\":\"Python\"}}",
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":4000000001,\"tid\":0,\"args\":{\"name\":\"CANN\"}}",
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":3,\"tid\":0,\"args\":{\"name\":\"Ascend Hardware\"}}",
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":12,\"tid\":0,\"args\":{\"name\":\"HCCL\"}}",
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":12,\"tid\":0,\"args\":{\"name\":\"Group 0 Communication\"}}",
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":12,\"tid\":1,\"args\":{\"name\":\"Plane 0\"}}",
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":13,\"tid\":0,\"args\":{\"name\":\"Overlap Analysis\"}}",
};
enum { TORCH = sizeof torch_events / sizeof *torch_events };

static tt_row named(const tt_trace *s, const char *name)
{
    for (tt_row r = 0; r < s->n; r++)
        if (!strcmp(tt_row_name(s, r), name)) return r;
    return TT_NONE;
}

static int kind_named(const tt_trace *s, const char *name)
{
    tt_row r = named(s, name);
    return r == TT_NONE ? -1 : (int)tt_row_kind(s, r);
}

static const char *category_named(const tt_trace *s, const char *name)
{
    tt_row r = named(s, name);
    return r == TT_NONE ? NULL : tt_str(&s->strings, s->cats[s->cat[r]].name);
}

static tt_session *load_list(const char *const *events, const unsigned *order, unsigned n, const char *name)
{
    char *text;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    for (unsigned i = 0; i < n; i++) fprintf(f, "%s%s", i ? ",\n" : "[", events[order ? order[i] : i]);
    fputs("]", f);
    fclose(f);
    tt_session *s = load_trace(temp_file(name, text, len));
    free(text);
    return s;
}

static void check_torch(const tt_trace *s)
{
    static const struct {
        const char *name, *category;
        tt_kind kind;
    } want[] = {{"aclnnAdd_Add", "AI_CORE", TT_KIND_KERNEL},
                {"Old", "Other", TT_KIND_KERNEL},
                {"Bare", "kernel", TT_KIND_KERNEL},
                {"EVENT_WAIT", "task", TT_KIND_TASK},
                {"EVENT_RECORD", "EVENT_RECORD_SQE", TT_KIND_TASK},
                {"MEMCPY_ASYNC", "PCIE_DMA_SQE", TT_KIND_MEMCPY},
                {"hcom_allReduce__1", "collective", TT_KIND_COLLECTIVE},
                {"Memcpy", "Memcpy", TT_KIND_TASK},
                {"Waiting", "task", TT_KIND_TASK},
                {"Computing", "overlap", TT_KIND_OTHER},
                {"aclnnAdd", "acl", TT_KIND_RUNTIME},
                {"launch", "node", TT_KIND_RUNTIME},
                {"Infer", "model", TT_KIND_RUNTIME},
                {"ProfilerStep#7", "cpu_op", TT_KIND_STEP}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        if (!CHECK(kind_named(s, want[i].name) == (int)want[i].kind)) fprintf(stderr, "    %s\n", want[i].name);
        CHECK_STR(category_named(s, want[i].name), want[i].category);
    }
    CHECK_STR(s->format->id, "ascend");
    CHECK_STR(s->rules->device, "NPU");
    CHECK_INT(s->n_steps, 1);
    CHECK_INT(s->steps[0].number, 7);
    const tt_activity *k = tt_row_dev(s, named(s, "aclnnAdd_Add")), *c = tt_row_dev(s, named(s, "hcom_allReduce__1"));
    CHECK(k && c);
    if (!k || !c) return;
    CHECK_INT(s->start[k->row] - s->start[named(s, "ProfilerStep#7")], 130003);
    CHECK_INT(s->dur[k->row], 53741);
    CHECK_INT(k->device, 0);
    CHECK_INT(k->stream, 2);
    CHECK_INT(tt_row_dev(s, named(s, "Bare"))->stream, 5);
    CHECK_INT(tt_row_dev(s, named(s, "Memcpy"))->stream, TT_UNKNOWN); /* the tid is the plane, not the stream */
    CHECK_INT(k->launch, named(s, "launch"));
    CHECK_INT(tt_activity_operator(s, k), named(s, "aten::add"));
    CHECK_INT(tt_activity_operator(s, c), named(s, "HcclAllreduce"));
    CHECK_STR(tt_str(&s->strings, s->shapes[k->shape].core), "AI_CORE");
    const tt_op_args *a = &s->op_args[s->detail[named(s, "aten::add")]];
    CHECK_STR(tt_str(&s->strings, a->shapes), "[[32, 3], [], [5]]");
    CHECK_STR(tt_str(&s->strings, a->types), "[\"float\", \"Scalar\", \"long int\"]");
    CHECK_STR(tt_str(&s->strings, a->stack), "a.py(1): f;b.py(2): g");
}

/* The first event must stay first, because the beginning of the file tells the format. */
static void torch(void)
{
    unsigned order[TORCH];
    for (unsigned turn = 0; turn < 20; turn++) {
        for (unsigned i = 0; i < TORCH; i++) order[i] = i;
        for (unsigned i = TORCH - 1; turn && i > 1; i--) {
            unsigned j = 1 + (unsigned)(random_below(i)), was = order[i];
            order[i] = order[j];
            order[j] = was;
        }
        tt_session *ses = load_list(torch_events, order, TORCH, "trace_view.json");
        if (!ses) continue;
        check_torch(ses->traces[0]);
        tt_session_free(ses);
    }
}

/* A process of an unknown kind, and a file of another profiler with the same arguments. */
static void others(void)
{
    static const char *const events[] = {"{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1.5,\"dur\":1,"
                                         "\"args\":{\"level\":\"a\",\"connection_id\":5,"
                                         "\"Task Type\":\"AI_CORE\",\"Mode\":\"m\",\"id\":\"y\",\"fullname\":\"z\"}}",
                                         "{\"ph\":\"X\",\"name\":\"k\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1}"};
    tt_session *ses = load_list(events, NULL, 2, "rank0.json");
    if (!ses) return;
    CHECK_INT(kind_named(ses->traces[0], "x"), TT_KIND_OTHER);
    CHECK_STR(ses->traces[0]->format->id, "chrome");
    tt_session_free(ses);
    static const char *const texts[] = {
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":\"1736408883700000.100\",\"dur\":1,"
        "\"args\":{\"External id\":5}}"};
    ses = load_list(texts, NULL, 1, "rank1.json");
    if (!ses) return;
    CHECK_STR(ses->traces[0]->format->id, "pytorch");
    tt_session_free(ses);
}

static void msprof(void)
{
    static const char *const events[] = {
        "{\"name\":\"process_name\",\"pid\":3,\"tid\":0,\"args\":{\"name\":\"Ascend Hardware\"},\"ph\":\"M\"}",
        "{\"name\":\"process_name\",\"pid\":4,\"tid\":0,\"args\":{\"name\":\"HCCL\"},\"ph\":\"M\"}",
        "{\"name\":\"thread_name\",\"pid\":4,\"tid\":70000,\"args\":{\"name\":\"Communication Kernel\"},\"ph\":\"M\"}",
        "{\"name\":\"Iteration 3\",\"pid\":3,\"tid\":10036,\"ts\":56635864652.490005,\"dur\":100,\"cat\":\"Iteration "
        "Time\",\"ph\":\"X\",\"args\":{\"Iteration ID\":3}}",
        "{\"name\":\"Default/Add-op1\",\"pid\":3,\"tid\":2,\"ts\":56635864660.5,\"dur\":4,\"args\":{\"Task Type\":"
        "\"AI_CPU\",\"Stream Id\":2},\"ph\":\"X\"}",
        "{\"name\":\"Default/AllReduce-op534_0\",\"pid\":4,\"tid\":70000,\"ts\":56635864670,\"dur\":8,\"ph\":\"X\"}"};
    tt_session *ses = load_list(events, NULL, sizeof events / sizeof *events, "msprof_0_2_1.json");
    if (!ses) return;
    const tt_trace *s = ses->traces[0];
    CHECK_STR(s->format->id, "msprof");
    CHECK_INT(kind_named(s, "Iteration 3"), TT_KIND_STEP);
    CHECK_INT(s->steps[0].number, 3);
    CHECK_INT(kind_named(s, "Default/Add-op1"), TT_KIND_KERNEL);
    CHECK_INT(kind_named(s, "Default/AllReduce-op534_0"), TT_KIND_COLLECTIVE);
    CHECK_INT(s->start[named(s, "Default/Add-op1")] - s->start[named(s, "Iteration 3")], 8010);
    tt_session_free(ses);
}

static void mindinsight(void)
{
    static const struct {
        int pid;
        const char *tid;
        int kind;
    } rows[] = {{2, "519", TT_KIND_KERNEL},       {2, "\"520\"", TT_KIND_KERNEL}, {2, "100000", TT_KIND_OTHER},
                {2, "100001", TT_KIND_OTHER},     {2, "100003", TT_KIND_OTHER},   {9000, "1", TT_KIND_KERNEL},
                {10000, "7", TT_KIND_COLLECTIVE}, {11000, "7", TT_KIND_OTHER},    {12000, "7999", TT_KIND_OTHER},
                {13000, "7", TT_KIND_KERNEL}};
    enum { N = sizeof rows / sizeof *rows };
    char text[N][160];
    const char *events[N + 1] = {
        "{\"name\":\"Add-op1\",\"ph\":\"X\",\"tid\":519,\"ts\":0.0,\"dur\":2.66,\"pid\":2,\"args\":"
        "{\"type\":\"Add\",\"fullname\":\"Default/net/Add-op1\"}}"};
    for (int i = 0; i < N; i++) {
        snprintf(text[i], sizeof text[i], "{\"name\":\"e%d\",\"ph\":\"X\",\"tid\":%s,\"ts\":%d.5,\"dur\":1,\"pid\":%d}",
                 i, rows[i].tid, 10 + i, rows[i].pid);
        events[i + 1] = text[i];
    }
    tt_session *ses = load_list(events, NULL, N + 1, "ascend_timeline_display_2.json");
    if (!ses) return;
    const tt_trace *s = ses->traces[0];
    CHECK_STR(s->format->id, "mindinsight");
    for (int i = 0; i < N; i++) {
        char name[8];
        snprintf(name, sizeof name, "e%d", i);
        CHECK_INT(kind_named(s, name), rows[i].kind);
    }
    const tt_activity *k = tt_row_dev(s, named(s, "Default/net/Add-op1"));
    CHECK(k != NULL);
    if (k) {
        CHECK_INT(k->device, 2);
        CHECK_INT(k->stream, 519);
        CHECK_STR(tt_str(&s->strings, s->shapes[k->shape].type), "Add");
        CHECK_INT(tt_row_dev(s, named(s, "e6"))->device, 2);
    }
    tt_session_free(ses);
}

/* ---- folders ---- */

static bool know(void *arg, int64_t ts, const char *name, size_t len, tt_chrome_task *out)
{
    (void)arg;
    if (ts != INT64_C(2000) || len != 1 || *name != 'b') return false;
    *out = (tt_chrome_task){.core = {"AI_VECTOR_CORE", 14}, .type = {"Mul", 3}, .block_dim = {"8", 1}};
    return true;
}

static void fill(void *arg, tt_builder *b, tt_build_header *h)
{
    uint32_t track = tt_build_track_of(b, "9", 1, "9", 1);
    (void)arg;
    h->device = 3;
    uint8_t cat = tt_build_category(b, tt_build_name(b, "s", 1), TT_KIND_STEP);
    tt_build_slice(b, &(tt_slice_in){.offset = h->text_bytes,
                                     .ts = 500,
                                     .dur = 9000,
                                     .track = track,
                                     .cat = cat,
                                     .name = tt_build_name(b, "Step#4", 6)});
}

static tt_trace *read_folder(tt_input *in, const tt_chrome_folder *f, unsigned threads, tt_status want)
{
    const tt_reader_names names = {.path = "folder", .worker = "w", .span = "s", .rank = 1};
    const tt_reader_hooks hooks = {0};
    tt_reader_progress progress = {0};
    tt_trace *s = NULL;
    tt_err err;
    CHECK_INT(tt_read_chrome_folder(in, f, &names, threads, &progress, &hooks, &s, &err), want);
    return s;
}

static void add_part(tt_input *in, const char *file, const char *text)
{
    tt_input_add(in, "events", temp_file(file, text, strlen(text)), NULL, NULL);
}

static char at_row(const tt_trace *s, const char *name)
{
    char text[64] = "";
    tt_row r = named(s, name);
    if (r == TT_NONE || s->text->read(s->text, tt_row_text(s, r), text, 20) < 19) return '?';
    return text[9]; /* the letter a of {"name":"a" */
}

#define SLICE(name, ts)                                                                                                \
    "{\"name\":\"" name "\",\"ph\":\"X\",\"pid\":3,\"tid\":1,\"ts\":" ts                                               \
    ",\"dur\":1,\"args\":{\"Task Type\":\"AI_CORE\"}}"

/* The first part is a list, the second an object: the reader starts afresh with each part. */
static void folder(void)
{
    const tt_chrome_folder f = {.role = "events", .rules = &tt_rules_ascend, .task = know, .fill = fill};
    for (unsigned threads = 1; threads <= 3; threads++) {
        tt_input *in = tt_input_new("folder", NULL);
        add_part(in, "one.json", "[" SLICE("a", "1") "]\n");
        add_part(in, "none.json", "{\"x\": 5}");
        add_part(in, "two.json", "{\"traceEvents\":[" SLICE("b", "2") "," SLICE("c", "3") "]}");
        tt_trace *s = read_folder(in, &f, threads, TT_OK);
        CHECK(s != NULL);
        if (!s) continue;
        CHECK_INT(s->n, 4);
        CHECK_INT(s->steps[0].number, 4);
        CHECK(s->problems.of[TT_PROBLEM_NOT_AN_EVENT].count + s->problems.of[TT_PROBLEM_MISSING_FILE].count == 1);
        CHECK_INT(at_row(s, "a"), 'a');
        CHECK_INT(at_row(s, "b"), 'b');
        CHECK_INT(at_row(s, "c"), 'c');
        const tt_activity *b = tt_row_dev(s, named(s, "b"));
        CHECK(b && b->device == 3);
        if (b) CHECK_STR(tt_str(&s->strings, s->shapes[b->shape].core), "AI_VECTOR_CORE");
        if (b) CHECK_STR(tt_str(&s->strings, s->shapes[b->shape].block), "8");
        tt_trace_free(s);
        tt_input_free(in);
    }
}

static void without_events(void)
{
    tt_input *in = tt_input_new("folder", NULL);
    tt_chrome_folder f = {.role = "events", .rules = &tt_rules_mindspore, .fill = fill};
    tt_trace *s = read_folder(in, &f, 2, TT_OK);
    CHECK(s && s->n == 1 && s->rules == &tt_rules_mindspore && !s->text);
    tt_trace_free(s);
    f.fill = NULL;
    CHECK(!read_folder(in, &f, 2, TT_ERR_INPUT));
    tt_input_free(in);
}

/* Previews settle kinds while other threads read. A preview has the right kinds for its slices, and the final trace is
 * the same. Only a preview from before the file names the processes cannot know the kinds of their slices. */
static void keep(void *arg, tt_trace *s)
{
    int *wrong = arg;
    for (tt_row r = 0; r < s->n; r++) {
        tt_kind k = tt_row_kind(s, r);
        const char *process = tt_str(&s->strings, s->processes[s->tracks[tt_row_track(s, r)].process].name);
        if (k == TT_KIND_OTHER && strcmp(process, "Ascend Hardware") != 0 && strcmp(process, "HCCL") != 0) continue;
        *wrong += k != TT_KIND_COLLECTIVE && k != TT_KIND_KERNEL;
        *wrong += s->detail[r] >= s->n_dev || s->dev[s->detail[r]].row != r;
    }
    tt_trace_free(s);
}

static void previews(void)
{
    char *text;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    fputs("[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":3,\"tid\":0,\"args\":{\"name\":\"Ascend Hardware\"}},\n"
          "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":4,\"tid\":0,\"args\":{\"name\":\"HCCL\"}}",
          f);
    for (int i = 0; i < 60000; i++)
        fprintf(f, ",\n{\"name\":\"op%d\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":1}", i % 7, 3 + i % 2,
                i % 5, 2 * i);
    fputs("]", f);
    fclose(f);
    const tt_reader_names names = {.path = "folder", .worker = "w", .span = "s", .rank = 1};
    int wrong = 0;
    const tt_reader_hooks hooks = {.preview = keep, .arg = &wrong};
    const tt_chrome_folder folder_of = {.role = "events"};
    tt_reader_progress progress = {0};
    tt_input *in = tt_input_new("folder", NULL);
    tt_trace *s = NULL;
    tt_err err;
    tt_input_add(in, "events", temp_file("long.json", text, len), NULL, NULL);
    CHECK_INT(tt_read_chrome_folder(in, &folder_of, &names, 3, &progress, &hooks, &s, &err), TT_OK);
    CHECK_INT(wrong, 0);
    CHECK(s && s->n == 60000 && s->n_dev == 60000);
    if (s) keep(&wrong, s);
    CHECK_INT(wrong, 0);
    tt_input_free(in);
    free(text);
}

int main(void)
{
    temp_begin();
    torch();
    others();
    msprof();
    mindinsight();
    folder();
    without_events();
    previews();
    temp_end();
    return check_done();
}

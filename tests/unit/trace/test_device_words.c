/* tests/unit/trace/test_device_words.c - tables name devices in the words of the trace's framework: no text about an
 * NPU mentions CUDA, NCCL or GPUs, whatever is missing or found. */
#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "model/trace/rules/advice.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"

enum { MS = 1000000, KERNELS = 150 };

static const char *const foreign[] = {"CUDA", "cuda", "NCCL", "GPU", "CUPTI", "NVTX", NULL};

static const char *foreign_word(const char *text)
{
    for (int i = 0; text && foreign[i]; i++)
        if (strstr(text, foreign[i])) return foreign[i];
    return NULL;
}

static void check_text(const char *table, const char *text)
{
    const char *word = foreign_word(text);
    CHECK(word == NULL);
    if (word) fprintf(stderr, "    %s: %s in \"%s\"\n", table, word, text);
}

/* Read titles, notes and texts of all tables; returns the number of notes that name another device. */
static uint32_t check_tables(tt_session *s, bool ours)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        const tt_table *t = tt_table_get(s, tt_tables[i], &tt_scope_all, NULL);
        const char *id = t->desc->id;
        if (ours) check_text(id, t->desc->title), check_text(id, t->desc->meaning), check_text(id, t->note);
        seen += foreign_word(t->note) != NULL;
        for (uint32_t c = 0; c < t->n_cols; c++) {
            if (ours) check_text(id, tt_table_title(t, c, (char[TT_TITLE_CAP]){0}));
            for (uint32_t r = 0; r < t->n_rows && t->cols[c]->type == TT_T_STRING; r++)
                if (ours) check_text(id, tt_table_cell(t, r, c).s);
        }
    }
    return seen;
}

static void work(tt_trace *s, tt_kind kind, const char *name, int64_t start, int64_t dur)
{
    tt_row r = fixture_slice(s, kind, name, start, dur, NULL);
    s->detail[r] = s->n_dev;
    s->dev[s->n_dev++] =
        (tt_activity){.row = r, .launch = TT_NONE, .op = TT_NONE, .bytes = TT_UNKNOWN, .stream = 3, .device = 0};
}

/* Name a category after each kind, because fixture_slice() takes the kind as category. */
static void a_category_a_kind(tt_trace *s)
{
    s->n_cats = TT_KIND_COUNT_;
    for (int k = 0; k < TT_KIND_COUNT_; k++) s->cats[k].kind = (tt_kind)k;
}

static tt_trace *steps(const tt_rules *rules)
{
    tt_trace *s = fixture_rows("w", "1", 400);
    s->dev = tt_realloc(s->dev, KERNELS + 1, sizeof *s->dev);
    s->rules = rules;
    s->rank = s->world_size = -1;
    a_category_a_kind(s);
    fixture_track(s, TT_TRACK_THREAD, "main");
    for (int64_t k = 0; k < 3; k++) {
        int64_t end = (k < 2 ? 10 : 40) * MS;
        tt_row r = fixture_slice(s, TT_KIND_STEP, "ProfilerStep#1", k * 10 * MS, end, NULL);
        fixture_step(s, k, k * 10 * MS, k * 10 * MS + end, r);
    }
    fixture_track(s, TT_TRACK_THREAD, "other");
    fixture_slice(s, TT_KIND_ANNOTATION, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 2 * MS, 4 * MS,
                  NULL);
    fixture_slice(s, TT_KIND_RUNTIME, "aclrtSynchronizeStream", 10 * MS, 8 * MS, NULL);
    return s;
}

/* A trace with many short kernels, an idle device and full memory. */
static tt_trace *busy(const tt_rules *rules)
{
    tt_trace *s = steps(rules);
    fixture_track(s, TT_TRACK_THREAD, "launches");
    tt_row launches = s->n;
    for (int64_t k = 0; k < KERNELS; k++) fixture_slice(s, TT_KIND_RUNTIME, "aclnnAdd", k * 100000, 20000, NULL);
    fixture_track(s, TT_TRACK_STREAM, "stream 3");
    for (int64_t k = 0; k < KERNELS; k++) work(s, TT_KIND_KERNEL, "Add", k * 100000 + 20000, 1000);
    for (uint32_t k = 0; k < KERNELS; k++) s->dev[k].launch = launches + k;
    s->memory = tt_calloc(1, sizeof *s->memory);
    s->memory[s->n_memory++] =
        (tt_memory_record){.ts = 1, .addr = 1, .bytes = 95, .allocated = 95, .reserved = 99, .device_type = 20};
    s->devices = tt_calloc(1, sizeof *s->devices);
    s->devices[s->n_devices++] = (tt_device_props){.memory_bytes = 100, .major = TT_UNKNOWN, .minor = TT_UNKNOWN};
    return s;
}

static void end(tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++) free(s->traces[i]->memory), free(s->traces[i]->devices);
    fixture_session_free(s);
}

/* Check that the findings whose texts mention devices exist. */
static void check_found(tt_session *s, const char *const *ids)
{
    const tt_table *t = tt_table_get(s, tt_table_find("findings"), &tt_scope_all, NULL);
    int id = tt_table_column(t, "id");
    for (; *ids; ids++) {
        bool found = false;
        for (uint32_t r = 0; r < t->n_rows; r++) found |= !strcmp(tt_table_cell(t, r, (uint32_t)id).s, *ids);
        CHECK(found);
        if (!found) fprintf(stderr, "    not found: %s\n", *ids);
    }
}

static void check_rules(const tt_rules *rules, bool ours)
{
    static const char *const of_work[] = {"low_gpu_utilization", "short_kernels", "memory_limit",   "input_bound",
                                          "slow_step",           "host_bound",    "blocking_calls", NULL};
    static const char *const of_none[] = {"no_gpu_activity", NULL};
    tt_trace *t = busy(rules);
    tt_session *s = tt_session_new(&t, 1, NULL);
    check_found(s, of_work);
    uint32_t seen = check_tables(s, ours);
    end(s);
    t = steps(rules);
    s = tt_session_new(&t, 1, NULL);
    check_found(s, of_none);
    seen += check_tables(s, ours);
    end(s);
    tt_trace *empty = fixture_trace("w", "1", 0, true); /* a trace with a host operator only */
    empty->rules = rules;
    a_category_a_kind(empty);
    fixture_track(empty, TT_TRACK_THREAD, "main");
    fixture_step(empty, 0, 0, 10, TT_NONE);
    fixture_slice(empty, TT_KIND_OTHER, "x", 0, 10, NULL);
    s = tt_session_new(&empty, 1, NULL);
    seen += check_tables(s, ours);
    end(s);
    CHECK(ours ? seen == 0 : seen > 2); /* other frameworks keep the words CUDA, NCCL and GPU */
}

static void test_npu(void)
{
    check_rules(&tt_rules_ascend, true);
    check_rules(&tt_rules_mindspore, true);
}

static void test_gpu(void) { check_rules(&tt_rules_pytorch, false); }

/* Screens name a device as its trace does. */
static void test_names(void)
{
    tt_trace *t = busy(&tt_rules_ascend);
    tt_session *s = tt_session_new(&t, 1, NULL);
    const tt_table *d = tt_table_get(s, tt_table_find("devices"), &tt_scope_all, NULL);
    CHECK_STR(tt_table_cell(d, 0, (uint32_t)tt_table_column(d, "device")).s, "NPU0");
    const tt_table *k = tt_table_get(s, tt_table_find("key_averages"), &tt_scope_all, NULL);
    CHECK_STR(k->cols[tt_table_column(k, "cuda_self_ns")]->title, "Self NPU");
    CHECK_STR(tt_table_find("key_averages")->cols[0].title, k->cols[0]->title); /* other columns keep their titles */
    end(s);
}

/* Every text of advice exists, except how to record facts that the profiler lacks; no text for Ascend names another
 * device. */
static void test_advice(void)
{
    const tt_rules *const all[] = {&tt_rules_pytorch,       &tt_rules_chrome, &tt_rules_recording,
                                   &tt_rules_paddle,        &tt_rules_ascend, &tt_rules_mindspore,
                                   &tt_rules_mindspore_gpu, &tt_rules_nsys,   &tt_rules_rocm};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const tt_advice *a = tt_advice_of(all[i]);
        const char *const *text = (const char *const *)(const void *)a; /* every member of the struct is a text */
        for (size_t k = 0; k < sizeof *a / sizeof *text; k++) {
            CHECK(text[k] ? *text[k] : &text[k] == &a->record_op_types);
            if (i > 3 && i < 7 && text[k]) check_text("advice", text[k]);
        }
        CHECK(all[i]->device && all[i]->runtime && all[i]->comm_library);
    }
}

int main(void)
{
    test_npu();
    test_gpu();
    test_names();
    test_advice();
    return check_done();
}

/* tests/unit/trace/test_builder.c - the calls that readers make to a builder: equal combinations of arguments are
 * stored once, wherever their memory lies; one call counts an event, takes its time and keeps the facts of its kind;
 * the header's rules decide how the event counts. */
#include "model/build/finish/finish.h"
#include "tests/unit/check.h"

#include <stdlib.h>

static void set(tt_collective_args *c, uint32_t ranks)
{
    c->name = 1;
    c->dtype = 2;
    c->group = 3;
    c->group_desc = 4;
    c->ranks = ranks;
    c->in_nelems = c->out_nelems = 1024;
    c->group_size = 8;
    c->seq = TT_UNKNOWN;
}

static void test_combinations(void)
{
    tt_builder b;
    tt_collective_args c[3];
    tt_builder_init(&b);
    memset(&c[0], 0x55, sizeof c[0]);
    memset(&c[1], 0xAA, sizeof c[1]);
    memset(&c[2], 0xAA, sizeof c[2]);
    set(&c[0], 5);
    set(&c[1], 5);
    set(&c[2], 6);
    uint32_t first = tt_build_coll(&b, &c[0]);
    CHECK_INT(tt_build_coll(&b, &c[1]), first);
    CHECK_INT(tt_build_coll(&b, &c[2]), first + 1);
    CHECK_INT(b.colls.n, first + 2);
    CHECK_INT(b.colls.at[first].zero, 0);
    tt_launch_shape s = {.grid = 1, .block = 2, .registers = 32, .shared_bytes = 0, .blocks_per_sm = __builtin_nan("")};
    uint32_t shape = tt_build_shape(&b, &s);
    CHECK_INT(tt_build_shape(&b, &s), shape);
    s.registers++;
    CHECK_INT(tt_build_shape(&b, &s), shape + 1);
    tt_builder_free(&b);
}

/* ---- a reader ---- */

enum { DEVICE = 3, MODULE_ID = 9, KERNEL_BYTES = 4096 };

typedef struct reader {
    tt_builder b;
    tt_build_header h;
    uint32_t thread, stream;
    uint64_t offset;
} reader;

static void reader_init(reader *r, const tt_rules *rules)
{
    *r = (reader){.offset = 100};
    tt_builder_init(&r->b);
    tt_build_header_init(&r->h, rules, "made", "worker", "span", -1);
    r->thread = tt_build_track_of(&r->b, "1", 1, "2", 1);
    r->stream = tt_build_track_of(&r->b, "3", 1, "7", 1);
}

static tt_trace *reader_finish(reader *r)
{
    tt_builder *b = &r->b;
    tt_trace *s = tt_build_finish(&b, 1, &r->h, &tt_build_plain, true, 1);
    tt_builder_free(&r->b);
    return s;
}

static tt_slice_in slice(reader *r, tt_kind kind, const char *name, int64_t ts, int64_t dur)
{
    uint32_t id = tt_build_name(&r->b, name, strlen(name));
    return (tt_slice_in){.offset = r->offset++,
                         .ts = ts,
                         .dur = dur,
                         .track = tt_kind_is_device(kind) ? r->stream : r->thread,
                         .name = id,
                         .cat = tt_build_category(&r->b, id, kind)};
}

static void give(reader *r, tt_kind kind, const char *name, int64_t ts, int64_t dur, uint32_t correlation,
                 uint32_t args)
{
    tt_slice_in s = slice(r, kind, name, ts, dur);
    s.correlation = tt_build_id(&r->b, correlation);
    s.args = args;
    tt_build_slice(&r->b, &s);
}

static tt_row row_named(const tt_trace *s, const char *name)
{
    for (tt_row r = 0; r < s->n; r++)
        if (!strcmp(tt_row_name(s, r), name)) return r;
    return TT_NONE;
}

static void test_kinds(void)
{
    reader r;
    reader_init(&r, &tt_rules_chrome);
    tt_op_args args = {.shapes = tt_build_text(&r.b, "[[2]]", 5)};
    uint32_t shapes = tt_build_op_args(&r.b, &args);
    give(&r, TT_KIND_CPU_OP, "op", 1000, 500, 0, shapes);
    give(&r, TT_KIND_RUNTIME, "launch", 1100, 10, 5, shapes); /* a launch has no operator arguments */
    give(&r, TT_KIND_PYTHON, "function", 900, 700, 1, shapes);
    give(&r, TT_KIND_MODULE, "module", 950, 600, 2, MODULE_ID);
    tt_slice_in s = slice(&r, TT_KIND_KERNEL, "kernel", 2000, 50);
    s.correlation = tt_build_id(&r.b, 5);
    tt_build_device(&r.b, &s, &(tt_device_in){.device = DEVICE, .stream = 7, .bytes = KERNEL_BYTES});
    give(&r, TT_KIND_MEMSET, "bare", 2100, 5, 0, shapes); /* device work without any detail */
    tt_trace *t = reader_finish(&r);
    CHECK_INT(t->n_events, 6);
    CHECK_INT(t->n, 6);
    CHECK_INT(t->origin_ns, 900);
    CHECK_INT(t->end, 2105 - 900);
    CHECK_STR(tt_str(&t->strings, t->op_args[t->detail[row_named(t, "op")]].shapes), "[[2]]");
    CHECK_INT(t->detail[row_named(t, "launch")], row_named(t, "op"));
    CHECK_INT(t->detail[row_named(t, "function")], TT_NONE);
    CHECK_INT(t->detail[row_named(t, "module")], MODULE_ID);
    CHECK_INT(tt_row_text(t, row_named(t, "op")), 100);
    const tt_activity *d = tt_row_dev(t, row_named(t, "kernel")), *bare = tt_row_dev(t, row_named(t, "bare"));
    CHECK(d && bare);
    if (d && bare) {
        CHECK_INT(d->device, DEVICE);
        CHECK_INT(d->bytes, KERNEL_BYTES);
        CHECK_INT(d->launch, row_named(t, "launch"));
        CHECK_INT(bare->device, -1);
        CHECK_INT(bare->bytes, TT_UNKNOWN);
    }
    CHECK_INT(t->tracks[tt_row_track(t, row_named(t, "kernel"))].kind, TT_TRACK_STREAM);
    CHECK_INT(t->tracks[tt_row_track(t, row_named(t, "op"))].kind, TT_TRACK_THREAD);
    tt_trace_free(t);
}

/* Events that are not slices count, too, and extend the axis from the earliest to the latest event. */
static void test_others(void)
{
    reader r;
    reader_init(&r, &tt_rules_chrome);
    uint32_t name = tt_build_name(&r.b, "n", 1);
    uint8_t cat = tt_build_category(&r.b, name, TT_KIND_CPU_OP);
    tt_build_instant(&r.b, &(tt_instant){.ts = 500, .text = 1, .track = r.thread, .name = name, .cat = cat});
    tt_build_memory(&r.b, &(tt_memory_record){.ts = 600, .bytes = 8, .text = 2, .track = r.thread});
    tt_build_flow(&r.b, &(tt_flow){.ts = 700, .id = 1, .text = 3, .track = r.thread, .cat = cat, .phase = 's'});
    tt_build_launch_flow(&r.b, 800, 4, r.thread);
    tt_build_counter(&r.b, 900);
    tt_build_sample(&r.b, tt_build_series(&r.b, r.thread, name, "", 0, "a", 1, 0), 900, 1.5, 0);
    tt_build_sample(&r.b, tt_build_series(&r.b, r.thread, name, "", 0, "b", 1, 0), 900, 2.5, 0);
    tt_slice_in begin = slice(&r, TT_KIND_CPU_OP, "pair", 1000, 0), end = slice(&r, TT_KIND_CPU_OP, "pair", 1300, 0);
    tt_build_end(&r.b, &begin, NULL, 'B', 0, 0);
    tt_build_end(&r.b, &end, NULL, 'E', 0, 0);
    tt_build_other(&r.b, TT_ANY_TIME, 5, TT_NONE);
    tt_build_other(&r.b, TT_ANY_TIME, TT_TEXT_MAX, TT_NONE); /* its text cannot be read again */
    tt_build_count(&r.b);
    tt_build_label_text(&r.b, r.thread, TT_LABEL_THREAD_NAME, tt_build_name(&r.b, "main", 4), 5);
    tt_build_label_number(&r.b, r.thread, TT_LABEL_THREAD_SORT, 17, 5);
    tt_trace *t = reader_finish(&r);
    CHECK_INT(t->n_events, 8);
    CHECK_INT(t->origin_ns, 500);
    CHECK_INT(t->end, 800);
    CHECK_INT(t->n_instants, 1);
    CHECK_INT(t->n_memory, 1);
    CHECK_INT(t->n_flows, 1);
    CHECK_INT(t->n_launch_flows, 1);
    CHECK_INT(t->n_series, 2);
    CHECK_INT(t->n_samples, 2);
    CHECK_INT(t->n_others, 1);
    CHECK_INT(t->n, 1);
    CHECK_INT(t->dur[0], 300);
    CHECK_STR(tt_str(&t->strings, t->tracks[tt_row_track(t, 0)].name), "main");
    CHECK_INT(t->tracks[tt_row_track(t, 0)].sort_index, 17);
    tt_trace_free(t);
}

static void test_times(void)
{
    tt_builder b;
    int64_t dur = -1;
    tt_builder_init(&b);
    CHECK(tt_build_span(&b, 1, "x", 1, 10, 30, &dur));
    CHECK_INT(dur, 20);
    CHECK(tt_build_span(&b, 2, "x", 1, 10, 9, &dur)); /* the span ends before it starts */
    CHECK_INT(dur, 0);
    CHECK(tt_build_span(&b, 3, "x", 1, 10, INT64_MAX, &dur));
    CHECK_INT(dur, 0);
    CHECK(!tt_build_span(&b, 4, "x", 1, INT64_MIN, 10, &dur));
    CHECK(!tt_build_span(&b, 5, "x", 1, TT_TIME_MAX + 1, INT64_MAX, &dur));
    tt_build_no_time(&b, 6, "x", 1);
    CHECK_INT(b.problems.of[TT_PROBLEM_BAD_DURATION].count, 2);
    CHECK_INT(b.problems.of[TT_PROBLEM_BAD_TIME].count, 2);
    CHECK_INT(b.problems.of[TT_PROBLEM_NO_TIMESTAMP].count, 1);
    CHECK_INT(b.n_events, 0);
    CHECK_INT(tt_build_id_value(&b, tt_build_id(&b, 12)), 12);
    CHECK_INT(tt_build_id_value(&b, tt_build_id(&b, UINT64_C(1) << 40)), INT64_C(1) << 40);
    tt_builder_free(&b);
}

/* ---- rules ---- */

/* A step with a launch whose kernel ends after the step. */
static tt_trace *late_work(const tt_rules *rules)
{
    reader r;
    reader_init(&r, rules);
    give(&r, TT_KIND_STEP, "Step#1", 1000, 1000, 0, 0);
    give(&r, TT_KIND_RUNTIME, "launch", 1100, 10, 5, 0);
    give(&r, TT_KIND_KERNEL, "kernel", 1900, 600, 5, 0);
    return reader_finish(&r);
}

static void test_rules(void)
{
    static const tt_rules other = {.framework = "Other",
                                   .device = "GPU",
                                   .runtime = "CUDA",
                                   .comm_library = "NCCL",
                                   .step_name = "Step*",
                                   .steps_are_host_ranges = true};
    tt_trace *wide = late_work(&tt_rules_pytorch), *host = late_work(&tt_rules_paddle), *own = late_work(&other);
    CHECK_INT(wide->steps[0].end, 1500);
    CHECK_INT(host->steps[0].end, 1000);
    CHECK_INT(own->steps[0].end, 1000);
    CHECK_STR(own->rules->framework, "Other");
    tt_trace_free(wide);
    tt_trace_free(host);
    tt_trace_free(own);
}

int main(void)
{
    test_combinations();
    test_kinds();
    test_others();
    test_times();
    test_rules();
    return check_done();
}

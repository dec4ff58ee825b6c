/* Paddle's traces: names, layers, places, wrapped sizes, exact starts; the protobuf encoding of its dump; rounded
 * starts corrected by the order of the file; the members of a dump's event. */
#include <stdlib.h>

#include "model/build/passes/fix_rounded_starts.h"
#include "parser/chrome/paddle_dialect.h"
#include "parser/input/event_text.h"
#include "parser/load.h"
#include "parser/protobuf/wire.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

static void names(void)
{
    static const struct {
        const char *name;
        size_t len; /* length of the name without its suffix */
    } cases[] = {{"relu[12.345 us]", 4},
                 {"ProfileStep#3[1.200 ms]", 13},
                 {"a[b] c[1000.000 ms]", 6},
                 {"x[1.000 us][2.000 us]", 11}, /* only one suffix is removed */
                 {"relu[12.345 ns]", 15},
                 {"relu[12.34 us]", 14},
                 {"relu[.345 us]", 13},
                 {"relu[12.345 us] ", 16},
                 {"relu(12.345 us)", 15},
                 {"[1.000 us]", 0},
                 {"us]", 3},
                 {"", 0},
                 {"f[x.123 us]", 11}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_INT(tt_paddle_name(cases[i].name, strlen(cases[i].name)), cases[i].len);
    CHECK_INT(tt_paddle_layer("123(Python)", 11), 3);
    CHECK_INT(tt_paddle_layer("123(C++)", 8), 3);
    CHECK_INT(tt_paddle_layer("123", 3), 3);
    CHECK_INT(tt_paddle_layer("(C++)", 5), 5);
}

static void offsets(void)
{
    static const struct {
        const char *text;
        int type, id;
    } cases[] = {{"Place(gpu:0)", 1, 0},
                 {"Place(gpu:11)", 1, 11},
                 {"Place(cpu)", 0, -1},
                 {"Place(gpu_pinned)", TT_DEVICE_PINNED, -1},
                 {"Place(xpu:2)", 12, 2},
                 {"Place(mlu:1)", 20, 1},
                 {"gpu:3", 1, 3},
                 {"Place(gpu:99999999)", 1, -1},
                 {"", 20, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int16_t type, id;
        tt_paddle_place(cases[i].text, strlen(cases[i].text), &type, &id);
        CHECK_INT(type, cases[i].type);
        CHECK_INT(id, cases[i].id);
    }
}

/* Load a document with one copy and one host slice. */
static tt_session *load_text(const char *name, const char *events)
{
    static char text[8192];
    tt_err err = {0};
    tt_load_options o = {.threads = 1};
    int n = snprintf(
        text, sizeof text,
        "{\"schemaVersion\": \"1.0.2\", \"span_indx\": \"3\", \"traceEvents\": [%s, {}], \"ExtraInfo\": {}}", events);
    const char *path = temp_file(name, text, (size_t)n);
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) fprintf(stderr, "    %s\n", err.message);
    return s;
}

#define HOST(name, ts, dur, start)                                                                                     \
    "{\"name\": \"" name "[1.000 us]\", \"pid\": 9, \"tid\": \"9(Python)\", \"ts\": " ts ", \"dur\": " dur             \
    ", \"ph\": \"X\", \"cat\": \"Forward\", \"cname\": \"c\", \"args\": {\"start_time\": \"" start                     \
    " us\", \"end_time\": \"0 us\"}}"

static tt_row row_named(const tt_trace *s, const char *name)
{
    for (tt_row r = 0; r < s->n; r++)
        if (!strcmp(tt_row_name(s, r), name)) return r;
    return TT_NONE;
}

/* Absolute start in ns of the slice with this name. */
static int64_t start_of(const tt_trace *s, const char *name)
{
    tt_row r = row_named(s, name);
    return r == TT_NONE ? TT_UNKNOWN : s->start[r] + s->origin_ns;
}

static void starts(void)
{
    tt_session *ses =
        load_text("starts.json",
                  HOST("zero", "1000000", "5.000", "0.000") "," HOST("near", "1000007", "1.250", "7.625") "," HOST(
                      "before", "999990", "2.000",
                      "18446744073709542.000") "," HOST("far", "10000123", "3.500",
                                                        "9000122.000") "," HOST("moved", "5000000", "1.000",
                                                                                "50.000") "," HOST("same", "1000007",
                                                                                                   "0.100", "8.000"));
    CHECK(ses);
    if (!ses) return;
    const tt_trace *s = ses->traces[0];
    CHECK_STR(tt_trace_format(s), "paddle");
    CHECK(s->rules == &tt_rules_paddle);
    CHECK_STR(s->span, "3");
    CHECK_INT(s->n_tracks, 1);
    CHECK_INT(s->resolution_ns, 1);
    CHECK_INT(start_of(s, "zero"), INT64_C(1000000000));
    CHECK_INT(start_of(s, "near"), INT64_C(1000007625));
    CHECK_INT(start_of(s, "same"), INT64_C(1000008000));
    CHECK_INT(start_of(s, "before"), INT64_C(999990000)); /* a huge wrapped number: ts counts */
    CHECK_INT(start_of(s, "far"), INT64_C(10000123000));  /* a float without fraction: ts counts */
    CHECK_INT(start_of(s, "moved"), INT64_C(5000000000)); /* the clock was set: ts counts */
    CHECK_INT(s->dur[row_named(s, "near")], 1250);
    tt_session_free(ses);
}

#define COPY(name, dur, bytes, rate)                                                                                   \
    "{\"name\": \"" name "\", \"pid\": 0, \"tid\": 7, \"ts\": 5, \"dur\": " dur                                        \
    ", \"ph\": \"X\", \"cat\": \"Memcpy\", "                                                                           \
    "\"args\": {\"bytes\": " bytes ", \"memory bandwidth (GB/s)\": " rate "}}"

static int64_t bytes_of(const tt_trace *s, const char *name)
{
    const tt_activity *d = tt_row_dev(s, row_named(s, name));
    return d ? d->bytes : TT_UNKNOWN;
}

static void sizes(void)
{
    tt_session *ses = load_text(
        "sizes.json",
        COPY("small", "1.000", "4096", "4.096") "," COPY("wrapped", "250000.000", "-1294967296", "12.0") "," COPY(
            "twice", "1000000.000", "1410065408", "10.0") "," COPY("unsure", "1.000", "-2147483648",
                                                                   "\"inf\"") "," COPY("nothing", "0.000", "0", "nan"));
    CHECK(ses);
    if (!ses) return;
    const tt_trace *s = ses->traces[0];
    CHECK_INT(bytes_of(s, "small"), 4096);
    CHECK_INT(bytes_of(s, "wrapped"), INT64_C(3000000000));
    CHECK_INT(bytes_of(s, "twice"), INT64_C(10000000000));
    CHECK_INT(bytes_of(s, "unsure"), INT64_C(2147483648));
    CHECK_INT(bytes_of(s, "nothing"), 0);
    tt_session_free(ses);
}

static void wire(void)
{
    static const char text[] = "\x08\x96\x01\x12\x03"
                               "abc"
                               "\x1D\x00\x00\x80\x3F\x21\x01\x00\x00\x00\x00\x00\x00\x00";
    tt_pb m = tt_pb_of(text, sizeof text - 1);
    tt_pb_field f;
    CHECK(tt_pb_next(&m, &f) && f.number == 1 && f.value == 150);
    CHECK(tt_pb_next(&m, &f) && f.number == 2 && f.len == 3 && !memcmp(f.bytes, "abc", 3));
    CHECK(tt_pb_next(&m, &f) && f.number == 3 && tt_pb_float(&f) == 1.0);
    CHECK(tt_pb_next(&m, &f) && f.number == 4 && f.value == 1);
    CHECK(!tt_pb_next(&m, &f) && !m.bad);
    size_t whole = 0; /* cut at any byte: the fields before the cut come, then damage */
    for (size_t n = 0; n < sizeof text - 1; n++) {
        size_t fields = 0;
        m = tt_pb_of(text, n);
        while (tt_pb_next(&m, &f)) fields++;
        bool at_end = n == 0 || n == 3 || n == 8 || n == 13;
        CHECK_INT(m.bad, !at_end);
        CHECK(fields >= whole);
        whole = fields;
    }
    static const char *const bad[] = {"\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", /* longer than any message */
                                      "\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", /* more than 64 bits */
                                      "\x0Bx", "\x02\x01x"};                          /* a group; field number 0 */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        m = tt_pb_of(bad[i], strlen(bad[i]));
        CHECK(!tt_pb_next(&m, &f) && m.bad);
    }
}

static tt_rec rec(int64_t ts, int64_t dur) { return (tt_rec){.ts = ts, .dur = dur}; }

/* Starts rounded down to thousands: the order of the file tells which slice is the parent of which. */
static void settled(void)
{
    /* true starts: 0 1300 2900 | 150 1450 3000 | launch inside the second child */
    tt_rec r[] = {rec(0, 1200),    rec(1000, 1500), rec(2000, 900), rec(0, 1000),
                  rec(1000, 1300), rec(2000, 300),  rec(3000, 700)};
    tt_rounded_start items[] = {{&r[0], false}, {&r[1], false}, {&r[2], false}, {&r[3], false},
                                {&r[4], false}, {&r[5], true},  {&r[6], false}};
    tt_fix_rounded_starts(items, 7, 1000);
    for (int i = 1; i < 3; i++) CHECK(r[i].ts >= r[i - 1].ts + r[i - 1].dur); /* neighbours do not overlap */
    for (int i = 0; i < 2; i++) CHECK(r[3 + i].ts >= r[i].ts && r[3 + i].ts + r[3 + i].dur <= r[i].ts + r[i].dur);
    CHECK(r[5].ts >= r[4].ts && r[5].ts + r[5].dur <= r[4].ts + r[4].dur);
    CHECK(r[6].ts >= r[2].ts && r[6].ts + r[6].dur <= r[2].ts + r[2].dur);
    static const int64_t dur[] = {1200, 1500, 900, 1000, 1300, 300, 700};
    for (int i = 0; i < 7; i++) CHECK_INT(r[i].dur, dur[i]);
    /* no slice moves farther than its rounding error: these slices do not fit and stay */
    tt_rec far[] = {rec(0, 5000), rec(100, 9000), rec(20000, 10)};
    tt_rounded_start odd[] = {{&far[0], false}, {&far[1], false}, {&far[2], true}};
    tt_fix_rounded_starts(odd, 3, 50);
    CHECK_INT(far[0].ts, 0);
    CHECK(far[1].ts == 100 && far[1].dur == 9000 && far[2].ts == 20000);
    tt_fix_rounded_starts(NULL, 0, 100);
}

static const char *value_of(const tt_fields *f, const char *key)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (!strcmp(f->at[i].key, key)) return f->at[i].value;
    return NULL;
}

/* The members of events in the sample's dump. */
static void members(void)
{
    const char *path = "assets/sample_paddle/host_node1pid_4321_time_2024_05_06_07_08_09_000123.paddle_trace.pb";
    tt_load_options o = {.threads = 1};
    tt_err err = {0};
    tt_session *ses = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    CHECK(ses);
    if (!ses) return;
    const tt_trace *s = ses->traces[0];
    static const struct {
        const char *name, *key, *value;
    } cases[] = {
        {"ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_nn", "args.registers per thread", "122"},
        {"ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_nn", "cat", "Kernel"},
        {"ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_nn", "args.grid x", "64"},
        {"MEMCPY_HtoD", "args.bytes", "1605632"},
        {"MEMSET", "args.value", "0"},
        {"conv2d dygraph", "args.input_shapes", "{\"input\": [[16, 32, 28, 28]], \"filter\": [[64, 32, 3, 3]]}"},
        {"conv2d dygraph", "args.input_dtypes", "{\"input\": [\"float32\"], \"filter\": [\"float32\"]}"},
        {"conv2d dygraph", "pid", "4321"},
        {"cudaLaunchKernel_v7000", "name", "cudaLaunchKernel_v7000"},
        {"ProfileStep#5", "cat", "ProfileStep"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tt_fields f;
        tt_row r = row_named(s, cases[i].name);
        CHECK(r != TT_NONE);
        if (r == TT_NONE) continue;
        CHECK_INT(tt_event_fields(s, tt_row_text(s, r), &f, &err), TT_OK);
        CHECK_STR(value_of(&f, cases[i].key), cases[i].value);
        tt_fields_free(&f);
    }
    CHECK(s->n_memory > 0);
    tt_fields f;
    CHECK_INT(tt_event_fields(s, s->memory[0].text, &f, &err), TT_OK);
    CHECK_STR(value_of(&f, "args.place"), "Place(gpu:0)");
    tt_fields_free(&f);
    CHECK(tt_event_fields(s, s->text_bytes - 1, &f, &err) != TT_OK);
    tt_session_free(ses);
}

int main(void)
{
    names();
    offsets();
    starts();
    sizes();
    wire();
    settled();
    members();
    return check_done();
}

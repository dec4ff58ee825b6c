/* XSpaces of XLA: recognising them; the stream of fields; details inside texts; names and times of events; members of
 * an event read again; cancelled and cut loads. tests/cli/xplane.py compares tables with the bytes of the file. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "parser/input/event_text.h"
#include "parser/load.h"
#include "parser/xplane/event.h"
#include "parser/xplane/reader.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#define SAMPLE "assets/sample_xla"

static void recognised(void)
{
    static const struct {
        const char *head;
        size_t len;
        bool is;
    } cases[] = {
        {"\x0a\x0f\x12\x0d/device:GPU:0", 17, true},
        {"\x0a\x0d\x08\x01\x12\x09/host:CPU", 15, true},
        {"\x0a\x02\x08\x01\x0a\x12\x12\x10Task Environment", 24, true}, /* a plane, after a plane without a name */
        {"\x0a\x7f\x22\x0b\x12\x09/host:CPU", 15, false},               /* the name belongs to an entry of a map */
        {"\x0a\x7f\x22\x02\x08\x01\x12\x09/host:CPU", 17, true},        /* a map precedes the name; cut off */
        {"\x0a\x05"
         "1.0.2\x10\x01",
         9, false}, /* Paddle's dump */
        {"\x0a\x07\x12\x05/home", 9, false},
        {"\x12\x0d/device:GPU:0", 15, false},
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, false},
        {"{\"traceEvents\":[]}", 18, false},
        {"", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_INT(tt_xplane_sniff(cases[i].head, cases[i].len), cases[i].is);
}

static tt_xp_text text(const char *t) { return (tt_xp_text){t, strlen(t)}; }

static void launches(void)
{
    tt_xp_launch l =
        tt_xp_launch_of(text("regs:38 static_shared:1024 dynamic_shared:8 grid:4,2,1 block:256,1,1 occ_pct:37.5"));
    CHECK(l.grid[0] == 4 && l.grid[1] == 2 && l.grid[2] == 1 && l.block[0] == 256);
    CHECK_INT(l.registers, 38);
    CHECK_INT(l.shared_bytes, 1032);
    CHECK(l.occupancy_pct == 37.5);
    l = tt_xp_launch_of(text(" grid:1,1,1 block:512,1,1 private_mem:0 group_mem:0 occ_pct:0"));
    CHECK(l.registers == TT_UNKNOWN && l.shared_bytes == 0 && isnan(l.occupancy_pct));
    l = tt_xp_launch_of(text("regs:2191500840 grid:7 block:x,1,1"));
    CHECK(l.registers == TT_UNKNOWN && l.grid[0] == TT_UNKNOWN && l.block[0] == TT_UNKNOWN);
    l = tt_xp_launch_of(text("xregs:5 regs:99999999999999999999999 shm:"));
    CHECK(l.registers == TT_UNKNOWN && l.shared_bytes == TT_UNKNOWN);
    CHECK(tt_xp_launch_of((tt_xp_text){0}).grid[0] == TT_UNKNOWN);
    CHECK_INT(tt_xp_size_of(text("kind_src:pinned kind_dst:device size:655360 dest:2 async:1")), 655360);
    CHECK_INT(tt_xp_size_of(text("oversize:1")), TT_UNKNOWN);
    CHECK_INT(tt_xp_size_of(text("size:")), TT_UNKNOWN);
}

/* An event inside another one stays inside after both are rounded. */
static void times(void)
{
    const tt_xp_line l = {.timestamp_ns = 1000};
    int64_t t0, t1, u0, u1;
    for (int64_t ps = 0; ps < 4000; ps += 37) {
        const tt_xp_event out = {.offset_ps = ps, .duration_ps = 2345}, in = {.offset_ps = ps + 3, .duration_ps = 2342};
        CHECK(tt_xp_event_span(&l, &out, &t0, &t1) && tt_xp_event_span(&l, &in, &u0, &u1));
        CHECK(t0 <= u0 && u1 <= t1);
        CHECK(llabs(1000 * (t0 - 1000) - ps) <= 500 && llabs(1000 * (t1 - t0) - 2345) < 1000);
    }
    const tt_xp_event before = {.offset_ps = -1500, .duration_ps = 400};
    CHECK(tt_xp_event_span(&l, &before, &t0, &t1) && t0 == 999 && t1 == 999);
    const tt_xp_event beyond = {.offset_ps = INT64_MAX, .duration_ps = 1};
    CHECK(!tt_xp_event_span(&l, &beyond, &t0, &t1));
    const tt_xp_line late = {.timestamp_ns = INT64_MAX - 5};
    const tt_xp_event one = {.offset_ps = 10000};
    CHECK(!tt_xp_event_span(&late, &one, &t0, &t1));
}

static void named(const char *name, tt_xp_class c, const char *shown)
{
    tt_xp_space x;
    tt_text out = {0};
    tt_xp_space_init(&x);
    const tt_xp_kind k = {.name = tt_strings_put(&x.text, name, strlen(name))};
    const tt_xp_event e = {.kind = &k, .step = c == TT_XP_C_STEP ? 12 : TT_UNKNOWN, .metadata = -3};
    tt_xp_event_name(&x, &e, c, &out);
    CHECK_STR(out.at, shown);
    tt_vec_free(&out);
    tt_xp_space_free(&x);
}

static void names(void)
{
    named("$train.py:12 fit", TT_XP_C_PYTHON, "train.py(12): fit");
    named("$a b.py:12 fit", TT_XP_C_PYTHON, "a b.py:12 fit");
    named("$builtins len", TT_XP_C_PYTHON, "<built-in len>");
    named("$<unknown> __exit__", TT_XP_C_PYTHON, "<unknown> __exit__");
    named("$", TT_XP_C_PYTHON, "");
    named("MemcpyH2D", TT_XP_C_MEMCPY, "Memcpy HtoD (Host -> Device)");
    named("CopyDeviceToHost", TT_XP_C_MEMCPY, "Memcpy DtoH (Device -> Host)");
    named("MEMORY_COPY_DEVICE_TO_DEVICE", TT_XP_C_MEMCPY, "Memcpy DtoD (Device -> Device)");
    named("MemcpyOther", TT_XP_C_MEMCPY, "MemcpyOther");
    named("fill", TT_XP_C_MEMSET, "Memset (Device)");
    named("copyBuffer.kd", TT_XP_C_KERNEL, "copyBuffer");
    named(".kd", TT_XP_C_KERNEL, ".kd");
    named("train", TT_XP_C_STEP, "train 12");
    named("", TT_XP_C_KERNEL, "event -3");
}

/* Texts of an event lie among other bytes: no byte behind a text is read, and an empty text gives no fact. */
static void borders(void)
{
    static const char bytes[] = "\x22\x04\x08\x01\x2a\x00"      /* hlo_op: "" */
                                "\x22\x09\x08\x02\x2a\x05GPU_1" /* allocator_name */
                                "2345";
    tt_xp_space x;
    tt_xp_plane p = {.device = -1};
    tt_xp_event e;
    int16_t type, id;
    tt_xp_space_init(&x);
    *tt_vec_push(&p.stats) = (tt_xp_stat_name){.role = TT_XP_HLO_OP};
    *tt_vec_push(&p.stats) = (tt_xp_stat_name){.role = TT_XP_ALLOCATOR};
    *tt_vec_push(&p.stat_ids.at) = (tt_xp_id){1, 0};
    *tt_vec_push(&p.stat_ids.at) = (tt_xp_id){2, 1};
    *tt_vec_push(&p.kinds) = (tt_xp_kind){.flops = TT_UNKNOWN, .bytes = TT_UNKNOWN};
    *tt_vec_push(&p.kind_ids.at) = (tt_xp_id){0, 0};
    tt_xp_event_read(&x, &p, bytes, sizeof bytes - 5, &e);
    CHECK(!e.damaged && e.kind && !e.op.n);
    tt_xp_event_place(&e, &type, &id);
    CHECK(type == 1 && id == 1);
    p.kinds.at[0].op = tt_strings_put(&x.text, "dot.1", 5);
    tt_xp_event_read(&x, &p, bytes, sizeof bytes - 5, &e);
    CHECK(e.op.n == 5 && !memcmp(e.op.at, "dot.1", 5));
    e.allocator = text("GPU_65536_bfc");
    tt_xp_event_place(&e, &type, &id);
    CHECK_INT(id, -1);
    tt_vec_free(&p.stats);
    tt_vec_free(&p.stat_ids.at);
    tt_vec_free(&p.kinds);
    tt_vec_free(&p.kind_ids.at);
    tt_xp_space_free(&x);
}

static tt_session *load(const char *path)
{
    const tt_load_options o = {.threads = 2};
    tt_err err;
    return tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
}

static const char *value_of(const tt_fields *f, const char *key)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (!strcmp(f->at[i].key, key)) return f->at[i].value;
    return NULL;
}

static tt_row row_named(const tt_trace *s, const char *name)
{
    for (tt_row r = 0; r < s->n; r++)
        if (!strcmp(tt_row_name(s, r), name)) return r;
    return TT_NONE;
}

static void members(void)
{
    static const struct {
        const char *name, *key, *value;
    } cases[] = {{"convolution.7", "cat", "kernel"},
                 {"convolution.7", "pid", "/device:TPU:0"},
                 {"convolution.7", "tid", "XLA Ops"},
                 {"convolution.7", "args.device", "0"},
                 {"convolution.7", "args.flops", "620000000000"},
                 {"convolution.7", "args.hlo_category", "convolution"},
                 {"convolution.7", "args.program_id", "77"},
                 {"105", "cat", "iteration time"},
                 {"105", "args.group_id", "105"},
                 {"train.py(41): train_step", "cat", "python_function"},
                 {"repeated", "cat", "xla_derived"}};
    tt_session *ses = load(SAMPLE);
    tt_err err;
    CHECK(ses);
    if (!ses) return;
    const tt_trace *s = ses->traces[0];
    CHECK_STR(tt_trace_format(s), "xplane");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tt_fields f;
        tt_row r = row_named(s, cases[i].name);
        CHECK(r != TT_NONE);
        if (r == TT_NONE) continue;
        CHECK_INT(tt_event_fields(s, tt_row_text(s, r), &f, &err), TT_OK);
        CHECK_STR(value_of(&f, cases[i].key), cases[i].value);
        tt_fields_free(&f);
    }
    tt_fields f;
    CHECK(tt_event_fields(s, s->text_bytes - 1, &f, &err) != TT_OK);
    CHECK(tt_event_fields(s, UINT64_C(1) << 39, &f, &err) != TT_OK);
    tt_session_free(ses);
}

/* Read the fields of a message from a stream that ends after any number of bytes. */
static void streamed(void)
{
    static const char bytes[] = "\x0a\x04\x08\x07\x10\x09\x12\x03"
                                "abc"
                                "\x08\x01";
    for (size_t n = 0; n <= sizeof bytes - 1; n++) {
        const char *path = temp_file("stream", bytes, n ? n : 1);
        tt_source *source;
        tt_err err;
        tt_pb_stream s;
        tt_pb_field f;
        uint64_t left = TT_PB_WHOLE, inside = 0;
        tt_problems problems = {0};
        if (!n) continue; /* an empty file cannot be opened */
        CHECK_INT(tt_source_open(path, &source, &err), TT_OK);
        tt_pb_stream_init(&s, source, NULL);
        s.problems = &problems;
        size_t fields = 0;
        while (tt_pb_stream_next(&s, &left, &f)) {
            if (f.number == 1 && f.type == TT_PB_BYTES) {
                for (inside = f.len; tt_pb_stream_next(&s, &inside, &f);) fields++;
            } else if (tt_pb_stream_skip(&s, &left, &f)) {
                fields++;
            }
        }
        bool whole = n == 6 || n == 11 || n == 13;
        CHECK_INT(s.damaged, !whole);
        CHECK_INT((int64_t)problems.of[TT_PROBLEM_TRUNCATED].count, !whole);
        CHECK_INT((int64_t)fields, n < 4 ? 0 : n < 6 ? 1 : n < 11 ? 2 : n < 13 ? 3 : 4);
        tt_pb_stream_free(&s);
        tt_source_close(source);
    }
}

/* Cancel at any moment: the load returns the part read so far, or TT_ERR_CANCELLED. */
static void cancelled(void)
{
    const char *path = SAMPLE;
    for (int i = 0; i < 40; i++) {
        const tt_load_options o = {.threads = 2};
        const struct timespec moment = {.tv_nsec = i * 20000L};
        tt_err err = {0};
        tt_load *l = tt_load_start(&path, 1, &o);
        nanosleep(&moment, NULL);
        tt_load_cancel(l);
        tt_session *ses = tt_load_finish(l, NULL, &err);
        CHECK(ses ? ses->traces[0]->n_events <= 272 : err.code == TT_ERR_CANCELLED);
        tt_session_free(ses);
    }
}

int main(void)
{
    temp_begin();
    recognised();
    launches();
    times();
    names();
    borders();
    members();
    streamed();
    cancelled();
    temp_end();
    return check_done();
}

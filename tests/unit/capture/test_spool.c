/* The spool: the reader returns the records that the writer wrote; damage loses only the block that it hits. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/spool/spool_writer.h"
#include "parser/input/event_text.h"
#include "parser/load.h"
#include "tests/unit/check.h"

static const int64_t t0 = 1700000000000000000;

static void put_meta(tt_spool_writer *w, const char *key, const char *value)
{
    tt_spool_add_text(w, TT_SPOOL_META, 0, key, value, strlen(value));
}

static void put_string(tt_spool_writer *w, uint32_t id, const char *s)
{
    tt_spool_add_text(w, TT_SPOOL_STRING, id, NULL, s, strlen(s));
}

static void put_range(tt_spool_writer *w, unsigned type, uint32_t name, int64_t start, int64_t end, unsigned flags)
{
    tt_spool_range *r = tt_spool_add(w, type, sizeof *r, name);
    r->start = t0 + start;
    r->end = t0 + end;
    r->tid = 7;
    r->flags = (uint16_t)flags;
    r->cat = name == 2 ? TT_SPOOL_CAT_OP : TT_SPOOL_CAT_USER;
    r->shapes = name == 2 ? 4 : 0;
}

static void put_launch(tt_spool_writer *w, uint32_t correlation, int64_t at)
{
    tt_spool_api *a = tt_spool_add(w, TT_SPOOL_API, sizeof *a, 3);
    *a = (tt_spool_api){
        .h = a->h, .start = t0 + at, .end = t0 + at + 5, .tid = 7, .correlation = correlation, .cbid = 211};
    tt_spool_kernel *k = tt_spool_add(w, TT_SPOOL_KERNEL, sizeof *k, 5);
    *k = (tt_spool_kernel){.h = k->h,
                           .start = t0 + at + 20,
                           .end = t0 + at + 90,
                           .stream = 7,
                           .context = 1,
                           .correlation = correlation,
                           .grid = {264, 1, 1},
                           .block = {256, 1, 1},
                           .registers = 32};
}

static void write_sample(const char *path, bool windowed)
{
    tt_spool_writer w;
    CHECK_INT(tt_spool_open(&w, path, 0), 0);
    put_meta(&w, "pid", "42");
    put_meta(&w, "process", "\"train.py\"");
    put_meta(&w, "rank", "3");
    put_meta(&w, "baseTimeNanoseconds", "1700000000000000000");
    if (windowed) put_meta(&w, "windowed", "true");
    tt_spool_state *on = tt_spool_add(&w, TT_SPOOL_STATE, sizeof *on, 1);
    on->ts = t0;
    put_string(&w, 1, "ProfilerStep#5");
    put_string(&w, 2, "aten::mm");
    put_string(&w, 3, "cudaLaunchKernel");
    put_string(&w, 4, "[[32, 64], [64, 8]]");
    put_string(&w, 5, "void gemm<float>(\"x\", \\y)");
    put_string(&w, 6, "samples");
    tt_spool_device *d = tt_spool_add(&w, TT_SPOOL_DEVICE, sizeof *d, 0);
    *d = (tt_spool_device){.h = d->h,
                           .memory_bytes = 1 << 30,
                           .major = 9,
                           .sms = 132,
                           .warp_size = 32,
                           .warps_per_sm = 64,
                           .blocks_per_sm = 32,
                           .regs_per_sm = 65536,
                           .shared_per_sm = 233472,
                           .threads_per_block = 1024};
    tt_spool_flush(&w);
    put_range(&w, TT_SPOOL_OPEN, 1, 0, 0, 0);
    put_range(&w, TT_SPOOL_RANGE, 2, 100, 200, 0);
    put_launch(&w, 11, 120);
    tt_spool_flush(&w);
    put_range(&w, TT_SPOOL_RANGE, 1, 0, 1000, TT_SPOOL_WAS_OPEN);
    put_range(&w, TT_SPOOL_OPEN, 2, 900, 0, 0);
    tt_spool_copy *c = tt_spool_add(&w, TT_SPOOL_COPY, sizeof *c, 12);
    *c = (tt_spool_copy){.h = c->h,
                         .start = t0 + 300,
                         .end = t0 + 400,
                         .bytes = 4096,
                         .stream = 7,
                         .copy_kind = 1,
                         .src_kind = 2,
                         .dst_kind = 3,
                         .peer_from = UINT32_MAX};
    tt_spool_mark *m = tt_spool_add(&w, TT_SPOOL_MARK, sizeof *m, 6);
    m->ts = t0 + 10;
    m->tid = 7;
    tt_spool_counter *n = tt_spool_add(&w, TT_SPOOL_COUNTER, sizeof *n, 6);
    *n = (tt_spool_counter){.h = n->h, .ts = t0 + 11, .value = 2.5, .key = 6, .device = -1};
    tt_spool_state *off = tt_spool_add(&w, TT_SPOOL_STATE, sizeof *off, 0);
    off->ts = t0 + 1000;
    put_launch(&w, 13, 1100); /* a launch outside of the window */
    tt_spool_drops *l = tt_spool_add(&w, TT_SPOOL_DROPS, sizeof *l, TT_SPOOL_DROP_CUPTI);
    l->count = 17;
    tt_spool_add(&w, TT_SPOOL_END, sizeof(tt_spool_end), 0);
    tt_spool_close(&w);
    CHECK_INT(w.error, 0);
}

static tt_session *load(const char *path, tt_err *err)
{
    tt_load_options o = {.threads = 1};
    return tt_load_finish(tt_load_start(&path, 1, &o), NULL, err);
}

static tt_row row_named(const tt_trace *s, const char *name)
{
    for (tt_row r = 0; r < s->n; r++) {
        if (!strcmp(tt_row_name(s, r), name)) return r;
    }
    return TT_NONE;
}

static const char *field(const tt_fields *f, const char *key)
{
    for (uint32_t i = 0; i < f->n; i++) {
        if (!strcmp(f->at[i].key, key)) return f->at[i].value;
    }
    return NULL;
}

static void check_kernel(const tt_trace *s)
{
    tt_row k = row_named(s, "void gemm<float>(\"x\", \\y)");
    tt_fields f;
    if (!CHECK(k != TT_NONE)) return;
    const tt_activity *d = tt_row_dev(s, k);
    CHECK_INT(s->start[k], 140);
    CHECK_INT(s->dur[k], 70);
    CHECK_STR(tt_row_name(s, d->launch), "cudaLaunchKernel");
    CHECK_STR(tt_row_name(s, tt_activity_operator(s, d)), "aten::mm");
    CHECK_INT(s->shapes[d->shape].blocks_per_sm * 10, 20);
    CHECK_INT(s->shapes[d->shape].occupancy_pct, 25); /* 2 of 8 blocks of 8 warps */
    CHECK_INT(tt_event_fields(s, tt_row_text(s, k), &f, NULL), TT_OK);
    CHECK_STR(field(&f, "name"), "void gemm<float>(\"x\", \\y)");
    CHECK_STR(field(&f, "ts"), "0.140");
    CHECK_STR(field(&f, "args.grid"), "[264, 1, 1]");
    CHECK_STR(field(&f, "args.est. achieved occupancy %"), "25.0000");
    tt_fields_free(&f);
}

static void test_round_trip(const char *path)
{
    tt_err err = {0};
    write_sample(path, false);
    tt_session *all = load(path, &err);
    if (!CHECK(all != NULL)) return;
    const tt_trace *s = all->traces[0];
    CHECK_INT(s->n, 9); /* one of them is the step on the stream */
    CHECK_INT(s->n_events, 11);
    CHECK_INT(s->rank, 3);
    CHECK_INT(s->origin_ns, t0);
    CHECK_INT(s->n_steps, 1);
    CHECK_INT(s->steps[0].number, 5);
    CHECK_INT(s->n_instants, 1);
    CHECK_INT(s->n_samples, 1);
    CHECK_INT(s->n_devices, 1);
    CHECK_INT(s->problems.of[TT_PROBLEM_RECORDER_DROPS].count, 17);
    CHECK_INT(s->problems.of[TT_PROBLEM_UNMATCHED_BEGIN].count, 1); /* the range that never ended */
    CHECK_INT(s->problems.of[TT_PROBLEM_UNCLEAN_END].count, 0);
    check_kernel(s);
    tt_row op = row_named(s, "aten::mm");
    CHECK_STR(tt_str(&s->strings, s->op_args[s->detail[op]].shapes), "[[32, 64], [64, 8]]");
    tt_session_free(all);
}

static void test_window(const char *path)
{
    tt_err err = {0};
    write_sample(path, true);
    tt_session *all = load(path, &err);
    if (!CHECK(all != NULL)) return;
    /* the step on the stream counts; the launch outside of the window, its kernel, and the copy without a launch do not
     */
    CHECK_INT(all->traces[0]->n, 6);
    tt_session_free(all);
}

/* Flip a byte or cut the file: the reader never crashes and keeps the blocks before the damage. */
static void test_damage(const char *path)
{
    static char bytes[1 << 16];
    write_sample(path, false);
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, bytes, sizeof bytes);
    close(fd);
    tt_spool_block first;
    memcpy(&first, bytes, sizeof first);
    size_t second = sizeof first + first.len;
    for (ssize_t i = 0; i < n; i += 3) {
        for (int cut = 0; cut < 2; cut++) {
            tt_err err = {0};
            fd = open(path, O_WRONLY | O_TRUNC);
            bytes[i] ^= 0x55;
            CHECK(write(fd, bytes, (size_t)(cut ? i : n)) == (cut ? i : n));
            bytes[i] ^= 0x55;
            close(fd);
            tt_session *all = load(path, &err);
            if (all && (size_t)i > second + sizeof first) {
                CHECK_INT(all->traces[0]->rank, 3);
                CHECK(tt_problems_matter(&all->traces[0]->problems) || cut);
            }
            if (!all) CHECK(err.message[0] && (size_t)i < second);
            tt_session_free(all);
        }
    }
}

static void test_limit(const char *path)
{
    tt_spool_writer w;
    uint64_t added = 0;
    CHECK_INT(tt_spool_open(&w, path, 1 << 16), 0);
    CHECK_INT(tt_spool_open(&(tt_spool_writer){0}, path, 0), -EEXIST);
    for (int i = 0; i < 10000; i++) added += tt_spool_add(&w, TT_SPOOL_MARK, sizeof(tt_spool_mark), 0) != NULL;
    CHECK(w.full);
    CHECK_INT(added + w.lost, 10000);
    CHECK_INT(w.records, added);
    tt_spool_last_words(&w);
    CHECK(tt_spool_add(&w, TT_SPOOL_END, sizeof(tt_spool_end), 0) != NULL);
    tt_spool_close(&w);
    CHECK(w.bytes <= (1 << 16) + 64);
    unlink(path);
    CHECK_INT(tt_spool_open(&w, "/dev/full", 0), -EEXIST);
}

/* The file cannot grow any more: the last record of the file counts the records that did not fit. */
static void test_no_room(const char *path)
{
    tt_spool_writer w;
    struct rlimit before;
    CHECK_INT(tt_spool_open(&w, path, 0), 0);
    put_range(&w, TT_SPOOL_RANGE, 0, 0, 100, 0);
    tt_spool_flush(&w);
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && !getrlimit(RLIMIT_FSIZE, &before));
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, before.rlim_max}), 0);
    for (int i = 0; i < 1000; i++) put_range(&w, TT_SPOOL_RANGE, 0, 200 + i, 201 + i, 0);
    tt_spool_flush(&w);
    CHECK_INT(w.stopped, TT_STOPPED_ERROR);
    CHECK_INT(w.error, EFBIG);
    CHECK_INT(w.lost, 1000);
    CHECK(!tt_spool_add(&w, TT_SPOOL_MARK, sizeof(tt_spool_mark), 0));
    tt_spool_last_words(&w);
    tt_spool_drops *d = tt_spool_add(&w, TT_SPOOL_DROPS, sizeof *d, TT_SPOOL_DROP_SPOOL);
    if (CHECK(d != NULL)) d->count = w.lost;
    CHECK(tt_spool_add(&w, TT_SPOOL_END, sizeof(tt_spool_end), 0) != NULL);
    tt_spool_close(&w);
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, NULL), NULL, &err);
    if (!CHECK(s != NULL)) return;
    const tt_problem *of = s->traces[0]->problems.of;
    CHECK_INT(s->traces[0]->n, 1);
    CHECK_INT(of[TT_PROBLEM_RECORDER_DROPS].count, 1001);
    CHECK_INT(of[TT_PROBLEM_UNCLEAN_END].count + of[TT_PROBLEM_MALFORMED_EVENT].count, 0);
    tt_session_free(s);
}

int main(void)
{
    char dir[] = "/tmp/tracetty-spool-XXXXXX", path[128];
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/host_42.1700000000000000000.ttspool", dir);
    test_round_trip(path);
    unlink(path);
    test_window(path);
    unlink(path);
    test_damage(path);
    unlink(path);
    test_limit(path);
    unlink(path);
    test_no_room(path);
    unlink(path);
    rmdir(dir);
    return check_done();
}

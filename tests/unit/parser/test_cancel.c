/* Cancelled loads: whatever the format and the moment, the load returns a part of the trace or TT_ERR_CANCELLED, and it
 * reports no fault that the file does not have. No moment depends on time: a FIFO holds the reader at a byte, or a
 * notice of the reader cancels the load. */
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "parser/formats.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

static const char *const samples[] = {"assets/sample_cpu.pt.trace.json.gz",
                                      "assets/sample_gpu",
                                      "assets/sample_paddle",
                                      "assets/sample_nsys",
                                      "assets/sample_rocpd",
                                      "assets/sample_rpd",
                                      "assets/sample_snapshot",
                                      "assets/sample_xla",
                                      "assets/sample_ascend",
                                      "assets/sample_mindinsight",
                                      "assets/sample_hang"};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

/* A cancelled trace t reports no problem, except the cancelling, that the whole trace does not have. */
static void check_kept(const tt_trace *t, const tt_trace *whole, const char *where)
{
    bool good = t->n_events <= whole->n_events;
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        bool new = t->problems.of[k].count && !whole->problems.of[k].count &&k != TT_PROBLEM_CANCELLED;
        if (new) fprintf(stderr, "    %s: %s, %s\n", where, tt_problem_key[k], t->problems.of[k].example);
        good = good && !new;
    }
    CHECK(good);
}

/* ---- cancelling at a notice ---- */

typedef struct notices {
    tt_reader_progress progress;
    atomic_int left; /* notices until the load is cancelled */
} notices;

static void on_notice(void *arg)
{
    notices *n = arg;
    if (atomic_fetch_sub(&n->left, 1) == 1) atomic_store(&n->progress.cancel, true);
}

static tt_input *input;

static tt_trace *read_until(const tt_found_list *l, const tt_found *f, int notice, unsigned threads, tt_err *err)
{
    notices n = {.left = notice};
    tt_trace *t = NULL;
    const tt_reader_names names = {.path = f->path, .worker = f->worker, .span = f->span, .rank = f->rank};
    const tt_reader_hooks hooks = {.notify = on_notice, .arg = &n};
    atomic_store(&n.progress.cancel, !notice);
    input = tt_found_input(l, f, &n.progress.cancel);
    *err = (tt_err){.offset = -1};
    tt_status st = tt_read_trace(input, f->format, &names, threads, &n.progress, &hooks, &t, err);
    CHECK((st == TT_OK) == (t != NULL));
    return t;
}

static void release(tt_trace *t)
{
    tt_input_free(input);
    tt_trace_free(t);
}

static void cancel_at_notices(const tt_found_list *l, const tt_found *f)
{
    enum { NOTICES = 6 };
    tt_err err;
    tt_trace *whole = read_until(l, f, INT32_MAX, 1, &err);
    tt_input *of_whole = input;
    CHECK(whole != NULL);
    for (int k = 0; whole && k < NOTICES; k++) {
        tt_trace *t = read_until(l, f, k, 1 + (unsigned)k % 3, &err);
        char where[64];
        snprintf(where, sizeof where, "%.40s, notice %d", strrchr(f->path, '/'), k);
        if (t) check_kept(t, whole, where);
        if (!t && !CHECK(err.code == TT_ERR_CANCELLED)) fprintf(stderr, "    %s: %s\n", where, err.message);
        release(t);
    }
    input = of_whole;
    release(whole);
}

static void cancel_all_of(const char *path)
{
    tt_found_list l = {0};
    tt_err err;
    CHECK(tt_discover(&path, 1, &l, &err) == TT_OK && l.n);
    for (size_t k = 0; k < l.n; k++) cancel_at_notices(&l, &l.at[k]);
    tt_found_free(&l);
}

static void test_notices(void)
{
    for (size_t i = 0; i < N_SAMPLES; i++) cancel_all_of(samples[i]);
}

/* Cancel reading a file of an archive. */
static void test_member(void)
{
    char *bytes = tt_calloc(1, 1 << 20), *head = bytes;
    FILE *f = fopen("assets/sample_paddle/host_node1pid_4321_time_2024_05_06_07_08_09_000123.paddle_trace.json", "rb");
    size_t n = f ? fread(bytes + 512, 1, (1 << 20) - 4096, f) : 0;
    unsigned sum = 0;
    snprintf(head, 100, "rank0.json");
    snprintf(head + 100, 8, "0000644");
    snprintf(head + 124, 12, "%011o", (unsigned)n);
    memcpy(head + 257, "ustar\00000", 8);
    memset(head + 148, ' ', 8);
    head[156] = '0';
    for (int i = 0; i < 512; i++) sum += (unsigned char)head[i];
    snprintf(head + 148, 8, "%06o", sum);
    cancel_all_of(temp_file("archive.tar", bytes, 512 + (n + 511) / 512 * 512 + 1024));
    if (f) fclose(f);
    free(bytes);
}

/* ---- cancelling at a byte ---- */

/* Write into the FIFO until the reader has taken all bytes or has ended. */
static void feed(int fd, const char *bytes, size_t n, tt_load *l)
{
    tt_progress p = {0};
    int left = 1;
    for (size_t at = 0; (at < n || left) && !p.done; tt_load_progress(l, &p)) {
        ssize_t got = at < n ? write(fd, bytes + at, n - at) : 0;
        at += got > 0 ? (size_t)got : 0;
        if (got <= 0) sched_yield();
        if (ioctl(fd, FIONREAD, &left) != 0) left = 0;
    }
}

static void cancel_at_byte(const char *bytes, size_t n, const tt_trace *whole, const char *name)
{
    const char *path = temp_path("fifo");
    CHECK(mkfifo(path, 0600) == 0);
    int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    tt_load_options o = {.threads = 2};
    tt_load *l = tt_load_start(&path, 1, &o);
    char where[96], *warnings = NULL;
    tt_err err = {0};
    feed(fd, bytes, n, l);
    tt_load_cancel(l);
    tt_session *s = tt_load_finish(l, &warnings, &err);
    snprintf(where, sizeof where, "%.60s, byte %zu", name, n);
    CHECK(!warnings);
    if (s) check_kept(s->traces[0], whole, where);
    if (s) CHECK(s->traces[0]->problems.of[TT_PROBLEM_CANCELLED].count > 0);
    if (!s && !CHECK(err.code == TT_ERR_CANCELLED)) fprintf(stderr, "    %s: %s\n", where, err.message);
    tt_session_free(s);
    free(warnings);
    close(fd);
    unlink(path);
}

static void cancel_at_bytes(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *bytes = tt_malloc(1 << 20);
    size_t n = f ? fread(bytes, 1, 1 << 20, f) : 0;
    tt_err err = {0};
    tt_session *whole = tt_load_finish(tt_load_start(&path, 1, NULL), NULL, &err);
    CHECK(n && whole);
    const size_t at[] = {0, 1, 17, 4000, n / 3, n * 2 / 3, n - 1, n};
    for (size_t i = 0; whole && i < sizeof at / sizeof *at; i++)
        if (at[i] <= n) cancel_at_byte(bytes, at[i], whole->traces[0], strrchr(path, '/'));
    tt_session_free(whole);
    free(bytes);
    if (f) fclose(f);
}

static void test_bytes(void)
{
    for (size_t i = 0; i < N_SAMPLES; i++) {
        tt_found_list l = {0};
        tt_err err;
        CHECK(tt_discover(&samples[i], 1, &l, &err) == TT_OK);
        if (l.n && !l.at[0].parts.n) cancel_at_bytes(l.at[0].path);
        tt_found_free(&l);
    }
    cancel_at_bytes("assets/sample_paddle/host_node1pid_4321_time_2024_05_06_07_08_09_000123.paddle_trace.pb");
}

/* A pipe has given a part of a trace: the load keeps that part. */
static void test_part_is_kept(void)
{
    char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text, "{\"traceEvents\": [");
    for (int i = 0; i < 20; i++)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1},\n",
            i * 10);
    const char *path = temp_path("part");
    CHECK(mkfifo(path, 0600) == 0);
    int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    tt_load *l = tt_load_start(&path, 1, NULL);
    tt_err err = {0};
    feed(fd, text, n, l);
    tt_load_cancel(l);
    tt_session *s = tt_load_finish(l, NULL, &err);
    CHECK(s != NULL);
    if (s) CHECK_INT(s->traces[0]->n_events, 20);
    if (s) CHECK_INT(s->traces[0]->problems.of[TT_PROBLEM_CANCELLED].count, 1);
    if (s) CHECK_INT(s->traces[0]->problems.of[TT_PROBLEM_TRUNCATED].count, 0);
    tt_session_free(s);
    close(fd);
}

/* One of two workers is a silent pipe: the load keeps the other worker and reports no problem of the pipe. */
static void test_of_several(void)
{
    const char *paths[] = {"assets/sample_cpu.pt.trace.json.gz", temp_path("silent")};
    CHECK(mkfifo(paths[1], 0600) == 0);
    int fd = open(paths[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
    tt_load *l = tt_load_start(paths, 2, NULL);
    tt_progress p = {0};
    char *warnings = NULL;
    tt_err err = {0};
    while (!p.file && !p.done) tt_load_progress(l, &p);
    tt_load_cancel(l);
    tt_session *s = tt_load_finish(l, &warnings, &err);
    CHECK(s && s->n_traces == 1);
    if (!CHECK(!warnings)) fprintf(stderr, "    %s\n", warnings);
    tt_session_free(s);
    free(warnings);
    close(fd);
}

int main(void)
{
    temp_begin();
    test_notices();
    test_member();
    test_bytes();
    test_part_is_kept();
    test_of_several();
    temp_end();
    return check_done();
}

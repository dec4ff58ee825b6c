/* Recordings of all ranks of a job that hangs, as the recorder writes them: who is named, with the last kernel and the
 * Python stack of the rank that stopped; which ranks the places of a communicator are. */
#include <stdlib.h>

#include "capture/spool/spool_writer.h"
#include "model/hang/hang.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

static const int64_t base = 1700000000000000000;
#define SECONDS INT64_C(1000000000)

enum { FUNC = 1, WORLD, TYPE, GEMM, TP };

typedef struct rank_file {
    tt_spool_writer w;
    uint64_t id;
} rank_file;

static void begin(rank_file *f, const char *path, int rank)
{
    static const char *const names[] = {
        [FUNC] = "AllReduce", [WORLD] = "world", [TYPE] = "ncclBfloat16", [GEMM] = "gemm", [TP] = "tp"};
    char text[16];
    *f = (rank_file){.id = 0};
    CHECK_INT(tt_spool_open(&f->w, path, 0), 0);
    tt_spool_add_text(&f->w, TT_SPOOL_META, 0, "pid", "42", 2);
    tt_spool_add_text(&f->w, TT_SPOOL_META, 0, "host", "\"node7\"", 7);
    tt_spool_add_text(&f->w, TT_SPOOL_META, 0, "baseTimeNanoseconds", "1700000000000000000", 19);
    int n = snprintf(text, sizeof text, "%d", rank);
    tt_spool_add_text(&f->w, TT_SPOOL_META, 0, "rank", text, (size_t)n);
    for (uint32_t i = FUNC; i <= TP; i++)
        tt_spool_add_text(&f->w, TT_SPOOL_STRING, i, NULL, names[i], strlen(names[i]));
}

static void end(rank_file *f, int64_t after)
{
    tt_spool_clock *c = tt_spool_add(&f->w, TT_SPOOL_CLOCK, sizeof *c, 0);
    c->spool = base + after;
    tt_spool_close(&f->w);
}

static void put_comm(rank_file *f, uint32_t number, uint64_t hash, uint32_t name, int place, int size)
{
    tt_spool_comm *c = tt_spool_add(&f->w, TT_SPOOL_COMM, sizeof *c, number);
    c->hash = hash;
    c->name = name;
    c->version = 6;
    c->rank = place;
    c->size = size;
    c->began = base;
}

/* A call of 1 ms, every 2 ms; open: it never ends. */
static void put_call(rank_file *f, uint32_t comm, uint64_t seq, bool open)
{
    tt_spool_call *c = tt_spool_add(&f->w, TT_SPOOL_COLL, sizeof *c, FUNC);
    c->id = ++f->id;
    c->seq = seq;
    c->nccl_seq = seq - 1;
    c->count = 1024;
    c->enqueued = base + (int64_t)f->id * 2000000;
    c->started = c->enqueued + 1000;
    c->finished = open ? 0 : c->enqueued + 1000000;
    c->comm = comm;
    c->tid = 42;
    c->dtype = TYPE;
    c->flags = open ? TT_SPOOL_CALL_OPEN : 0;
}

static void put_kernel(rank_file *f, uint32_t name, int64_t at)
{
    tt_spool_kernel *k = tt_spool_add(&f->w, TT_SPOOL_KERNEL, sizeof *k, name);
    k->start = base + at;
    k->end = k->start + 1000;
    k->correlation = (uint32_t)at;
}

static void put_stack(rank_file *f, uint32_t tid, const char *text)
{
    size_t n = strlen(text);
    tt_spool_stack *s = tt_spool_add(&f->w, TT_SPOOL_STACK, sizeof *s + (n + 7) / 8 * 8, TT_SPOOL_STACK_PYTHON);
    s->ts = base;
    s->tid = tid;
    s->len = (uint32_t)n;
    memcpy(s->text, text, n);
}

static tt_session *load(void)
{
    const char *path = temp_dir_;
    char *warnings = NULL;
    tt_err err;
    tt_load_options o = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), &warnings, &err);
    free(warnings);
    return s;
}

static const char *path_of(int rank)
{
    char name[48];
    snprintf(name, sizeof name, "host_rank%d.170000000000000000%d.ttspool", rank, rank);
    return temp_path(name);
}

/* Four ranks, of which rank 2 makes `calls` fewer; the others wait until `after`. */
static void write_job(int64_t after, bool frozen)
{
    for (int rank = 0; rank < 4; rank++) {
        rank_file f;
        begin(&f, path_of(rank), rank);
        put_comm(&f, 1, 0xabc, WORLD, rank, 4);
        for (uint64_t seq = 1; seq <= 5; seq++) put_call(&f, 1, seq, false);
        if (rank != 2) put_call(&f, 1, 6, true);
        if (rank == 2) {
            put_kernel(&f, FUNC, 100);
            put_kernel(&f, GEMM, 200);
            put_stack(&f, 77, "other.py(1): thread\n");
            put_stack(&f, 42, "/a/data.py(31): wait (really)\n/a/loader.py(7): next\n/a/train.py(112): <module>\n");
        }
        if (frozen) tt_spool_add_text(&f.w, TT_SPOOL_META, 0, TT_SPOOL_TRIGGER, "\"stall\"", 7);
        end(&f, after);
    }
}

static void check_verdict(const char *want)
{
    tt_arena a = {0};
    tt_session *s = load();
    if (!CHECK(s != NULL)) return;
    const tt_hang *h = tt_hang_get(s);
    CHECK_STR(h ? tt_hang_verdict(h, &a) : "none", want);
    if (h && h->n_faults)
        CHECK(strstr(tt_hang_advice(h, &h->faults[0], &a), "on node7 run py-spy dump --pid 42") != NULL);
    for (uint32_t t = 0; t < s->n_traces; t++) { /* nothing of the calls is a kernel or a step */
        CHECK_INT(s->traces[t]->n_dev, s->traces[t]->rank == 2 ? 2 : 0);
        CHECK(!h || tt_hang_of_recordings(h));
    }
    tt_session_free(s);
    tt_arena_free(&a);
}

static void test_verdicts(void)
{
    temp_begin();
    write_job(30 * SECONDS, false);
    check_verdict("Rank 2 stopped on the host: never called AllReduce seq 6 of world (group 0000000000000abc, 4 ranks, "
                  "Bfloat16 [[1024]]), since 22:13:20.012000; 3 ranks wait. Its last kernel: gemm. Its Python stack: "
                  "data.py(31): wait (really) < loader.py(7): next < train.py(112): <module>.");
    for (int rank = 0; rank < 4; rank++) unlink(path_of(rank));
    write_job(SECONDS / 2, false); /* a healthy job that was killed */
    check_verdict("none");
    for (int rank = 0; rank < 4; rank++) unlink(path_of(rank));
    write_job(SECONDS / 2, true); /* frozen, and nothing is open for long */
    check_verdict("No hang seen: every call was called by all members and finished.");
    temp_end();
}

/* Members of the group of a description as text. */
static void check_members(const tt_hang *h, const char *desc, const char *want)
{
    tt_arena a = {0};
    for (uint32_t g = 0; g < h->n_groups; g++)
        if (!strcmp(h->groups[g].desc, desc)) CHECK_STR(tt_hang_members_text(h, g, &a), want);
    tt_arena_free(&a);
}

/* Ranks 1, 3 and 7 of eight left recordings: places of others follow where those that are known are at even
 * distances. */
static void test_places(void)
{
    static const int ranks[] = {1, 3, 7};
    temp_begin();
    for (int i = 0; i < 3; i++) {
        rank_file f;
        begin(&f, path_of(ranks[i]), ranks[i]);
        put_comm(&f, 1, 0xabc, WORLD, ranks[i], 8);
        put_comm(&f, 2, 0xdef, TP, ranks[i] / 2, 4);
        put_call(&f, 1, 1, true);
        end(&f, 30 * SECONDS);
    }
    tt_session *s = load();
    if (!CHECK(s != NULL)) return;
    const tt_hang *h = tt_hang_get(s);
    if (CHECK(h != NULL)) {
        CHECK_INT(h->n_ranks, 8);
        check_members(h, "world", "0-7");
        check_members(h, "tp", "1,3,5,7");
        CHECK(h->n_faults && h->faults[0].kind == TT_HANG_NO_DUMP);
    }
    tt_session_free(s);
    temp_end();
}

int main(void)
{
    test_verdicts();
    test_places();
    return check_done();
}

// Time that findings claim: pieces of idle time by hand, one for each gap; the Python line that has a fifth of the
// time; the window that shows half of the time and the pieces that count, against a search of all windows.
#include "model/tables/findings/claims/claims.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"

static void slice(made_trace *m, const char *cat, const char *name, int ts, int dur, int correlation)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,\"args\":{"
            "\"correlation\":%d}},\n",
            cat, name, ts, dur, correlation);
}

static void kernel(made_trace *m, const char *name, int device, int stream, int ts, int dur, int launch)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{"
            "\"device\":%d,\"stream\":%d,\"correlation\":%d}},\n",
            name, device, stream, ts, dur, device, stream, launch);
}

// a trace with its whole account
typedef struct source {
    tt_session *s;
    tt_account account;
    tt_arena arena;
    tt_claim_source x;
} source;

static void source_open(source *o, made_trace *m)
{
    memset(o, 0, sizeof *o);
    o->s = made_load(m);
    o->account = tt_account_make(o->s, &tt_scope_all, 0);
    o->x = (tt_claim_source){o->s, 0, &o->account, tt_device_work_get(o->s, 0), &o->arena};
}

static void source_close(source *o)
{
    tt_account_free(&o->account);
    tt_arena_free(&o->arena);
    tt_session_free(o->s);
}

typedef struct piece { // us
    int t0, t1, us;
    tt_wait_cause cause;
} piece;

static void check_pieces(const tt_claim *c, const piece *want, size_t n)
{
    int64_t sum = 0;
    CHECK_INT(c->pieces.n, n);
    for (size_t i = 0; i < n && i < c->pieces.n; i++) {
        const tt_claim_piece *p = &c->pieces.at[i];
        CHECK_INT(p->t0, want[i].t0 * 1000);
        CHECK_INT(p->t1, want[i].t1 * 1000);
        CHECK_INT(p->ns, want[i].us * 1000);
        CHECK(p->cause == want[i].cause);
        sum += p->ns;
    }
    CHECK_INT(c->ns, sum);
}
#define CHECK_PIECES(c, ...)                                                                                           \
    check_pieces((c), (const piece[]){__VA_ARGS__}, sizeof((const piece[]){__VA_ARGS__}) / sizeof(piece))

#define ON_HOST (1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR | 1u << TT_WAIT_BETWEEN)

// 0-100 idle: Python until 10, a call 10-90; kernel 100-200; 200-300 idle: input 210-240, an operator 240-270, a call
// 270-290; kernel 300-400; 400-500 idle until work without a launch; that work 500-600; 600-700 idle: Python, and the
// account ends.
static void put_gaps(made_trace *m)
{
    made_begin(m);
    slice(m, "cpu_op", "aten::begin", 0, 0, 0); // begins the axis
    slice(m, "cuda_runtime", "cudaLaunchKernel", 10, 80, 1);
    kernel(m, "a", 0, 7, 100, 100, 1);
    slice(m, "cpu_op", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 210, 30, 0);
    slice(m, "cpu_op", "aten::mm", 240, 50, 0);
    slice(m, "cuda_runtime", "cudaLaunchKernel", 270, 20, 2);
    kernel(m, "b", 0, 7, 300, 100, 2);
    kernel(m, "lost", 0, 7, 500, 100, 99);
    kernel(m, "other", 1, 7, 0, 600, 98);
    slice(m, "cpu_op", "aten::end", 700, 0, 0);
}

static void test_idle(void)
{
    made_trace m;
    source o;
    put_gaps(&m);
    source_open(&o, &m);
    int64_t *idle = tt_claim_idle(&o.x);
    CHECK_INT(idle[TT_WAIT_RUNTIME], 100000);
    CHECK_INT(idle[TT_WAIT_INPUT], 30000);
    CHECK_INT(idle[TT_WAIT_UNKNOWN], 200000); // the launch of the last work is unknown
    CHECK_INT(tt_claim_idlest(&o.x, idle, 1u << TT_WAIT_INPUT), 0);
    CHECK_INT(tt_claim_idlest(&o.x, idle, 1u << TT_WAIT_SYNC), TT_NONE);
    free(idle);

    tt_claim host, input, unknown, unseen, none, inside, outside;
    tt_iv call = {10000, 90000};
    const tt_claim_of_idle of[] = {
        {0, ON_HOST, TT_EDGES_ALL, NULL, NULL, false, true, &host},
        {0, 1u << TT_WAIT_INPUT, TT_EDGES_ALL, NULL, NULL, false, true, &input},
        {0, 1u << TT_WAIT_UNKNOWN, TT_EDGES_ALL, NULL, NULL, false, false, &unknown},
        {0, 1u << TT_WAIT_UNKNOWN, 1u << TT_EDGE_LEADING, NULL, NULL, true, false, &unseen},
        {0, 1u << TT_WAIT_SYNC, TT_EDGES_ALL, NULL, NULL, false, false, &none},
        {0, (1u << TT_WAIT_COUNT_) - 1, TT_EDGES_ALL, &call, NULL, false, false, &inside},
        {0, ON_HOST, TT_EDGES_ALL, NULL, &call, false, false, &outside},
    };
    tt_claims_of_idle(&o.x, of, sizeof of / sizeof *of);
    CHECK_PIECES(&host, {0, 90, 90, TT_WAIT_RUNTIME}, {200, 290, 60, TT_WAIT_OPERATOR}); // between them: input
    CHECK_INT(host.part[TT_WAIT_BETWEEN], 10000 + 10000);
    CHECK_INT(host.part[TT_WAIT_OPERATOR], 30000);
    CHECK_INT(host.part[TT_WAIT_RUNTIME], 80000 + 20000);
    CHECK(host.pieces.n == 2 && host.pieces.at[0].track != TT_NONE && !host.line);
    CHECK_PIECES(&input, {210, 240, 30, TT_WAIT_INPUT});
    CHECK_PIECES(&unknown, {400, 500, 100, TT_WAIT_UNKNOWN}, {600, 700, 100, TT_WAIT_UNKNOWN});
    CHECK_INT(unseen.pieces.n + none.pieces.n, 0);
    // the first call claims its time and the host the rest: together they make the whole gap
    CHECK_PIECES(&inside, {10, 90, 80, TT_WAIT_RUNTIME});
    CHECK_PIECES(&outside, {0, 10, 10, TT_WAIT_BETWEEN}, {200, 290, 60, TT_WAIT_OPERATOR});
    CHECK_INT(inside.ns + outside.ns, host.ns);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) tt_claim_free(of[i].claim);
    source_close(&o);
}

// Work is claimed as far as it lies inside the account, with one piece for each merged interval.
static void test_work(void)
{
    made_trace m;
    source o;
    put_gaps(&m);
    source_open(&o, &m);
    tt_ivs set = {0};
    tt_ivs_add(&set, 100000, 150000);
    tt_ivs_add(&set, 150000, 200000);
    tt_ivs_add(&set, 650000, 900000); // the account ends at 700
    tt_ivs_normalise(&set);
    tt_claim c = tt_claim_of_set(&o.x, 0, &set);
    CHECK_PIECES(&c, {100, 200, 100, TT_WAIT_COUNT_}, {650, 700, 50, TT_WAIT_COUNT_});
    tt_claim_free(&c);
    tt_vec_free(&set);
    source_close(&o);
}

// Python runs for 1000 us, 100-1100; an inner function of the program has some of them. PyTorch functions below it
// count for the line that calls them.
static const char *line_of(int inner, bool outer, char buf[64])
{
    made_trace m;
    source o;
    tt_claim c;
    made_begin(&m);
    slice(&m, "cpu_op", "aten::begin", 0, 0, 0);
    kernel(&m, "a", 0, 7, 0, 100, 99);
    if (outer) slice(&m, "python_function", "main.py(3): main", 0, 1200, 0);
    slice(&m, "python_function", "net.py(7): forward", 300, inner, 0);
    slice(&m, "python_function", "torch/nn/modules/linear.py(1): forward", 310, inner - 20, 0);
    slice(&m, "cuda_runtime", "cudaLaunchKernel", 1100, 5, 2);
    kernel(&m, "b", 0, 7, 1110, 90, 2);
    source_open(&o, &m);
    const tt_claim_of_idle of = {0, 1u << TT_WAIT_BETWEEN, TT_EDGES_ALL, NULL, NULL, false, true, &c};
    tt_claims_of_idle(&o.x, &of, 1);
    CHECK_INT(c.ns, 1000000);
    snprintf(buf, 64, "%s", c.line ? c.line : "none");
    tt_claim_free(&c);
    source_close(&o);
    return buf;
}

static void test_line(void)
{
    char buf[64];
    CHECK_STR(line_of(200, false, buf), "forward (net.py:7)");
    CHECK_STR(line_of(199, false, buf), "none"); // less than a fifth of the time
    CHECK_STR(line_of(499, true, buf), "main (main.py:3)");
    CHECK_STR(line_of(501, true, buf), "forward (net.py:7)");
}

/* ---- the window, and the pieces that count ---- */

static void put_pieces(tt_claim *c, const piece *of, size_t n)
{
    *c = (tt_claim){.device = 0};
    for (size_t i = 0; i < n; i++) {
        *tt_vec_push(&c->pieces) = (tt_claim_piece){of[i].t0, of[i].t1, of[i].us, TT_NONE, of[i].cause};
        c->ns += of[i].us;
    }
}

static void test_window(void)
{
    tt_claim c;
    // half of 200 is 100; of two windows with 100 the shorter wins, of equal windows the earlier
    put_pieces(&c, (const piece[]){{0, 50, 50, 0}, {60, 110, 50, 0}, {200, 250, 50, 0}, {255, 305, 50, 0}}, 4);
    CHECK(tt_claim_window(&c).t0 == 200 && tt_claim_window(&c).t1 == 305);
    tt_claim_free(&c);
    put_pieces(&c, (const piece[]){{0, 50, 50, 0}, {60, 110, 50, 0}, {200, 250, 50, 0}, {260, 310, 50, 0}}, 4);
    CHECK(tt_claim_window(&c).t0 == 0 && tt_claim_window(&c).t1 == 110);
    tt_claim_free(&c);
    put_pieces(&c, (const piece[]){{0, 90, 9, 0}, {100, 104, 4, 0}},
               2); // a piece may cover a longer interval than its time
    CHECK(tt_claim_window(&c).t0 == 0 && tt_claim_window(&c).t1 == 90);
    tt_claim_free(&c);
    put_pieces(&c, NULL, 0);
    CHECK(tt_claim_window(&c).t0 == 0 && tt_claim_window(&c).t1 == 0);
    uint32_t count = 7;
    CHECK_INT(tt_claim_longest(&c, &count), 0);
    CHECK_INT(count, 0);
}

// A piece counts from one percent of the longest piece on, also if that is no whole nanosecond.
static void test_count(void)
{
    uint32_t count;
    tt_claim c;
    put_pieces(&c, (const piece[]){{0, 10, 10, 0}, {20, 29, 9, 0}, {100, 1100, 1000, 0}}, 3);
    CHECK_INT(tt_claim_longest(&c, &count), 1000);
    CHECK_INT(count, 2);
    tt_claim_free(&c);
    put_pieces(&c, (const piece[]){{0, 1, 1, 0}, {2, 4, 2, 0}, {10, 160, 150, 0}, {200, 350, 150, 0}}, 4);
    CHECK_INT(tt_claim_longest(&c, &count), 150);
    CHECK_INT(count, 3);
    tt_claim_free(&c);
}

static void test_random(void)
{
    for (int round = 0; round < 300; round++) {
        tt_claim c = {.device = 0};
        int t = 0, n = 1 + (int)random_below(12);
        for (int i = 0; i < n; i++) {
            int from = t + (int)random_below(20), ns = 1 + (int)random_below(30), hull = ns + (int)random_below(5);
            *tt_vec_push(&c.pieces) = (tt_claim_piece){from, from + hull, ns, TT_NONE, TT_WAIT_COUNT_};
            c.ns += ns;
            t = from + hull;
        }
        tt_iv want = {0, INT64_MAX}, got = tt_claim_window(&c);
        for (size_t a = 0; a < c.pieces.n; a++)
            for (size_t b = a; b < c.pieces.n; b++) {
                int64_t ns = 0;
                for (size_t i = a; i <= b; i++) ns += c.pieces.at[i].ns;
                tt_iv w = {c.pieces.at[a].t0, c.pieces.at[b].t1};
                if (2 * ns >= c.ns && w.t1 - w.t0 < want.t1 - want.t0) want = w;
            }
        if (!CHECK(got.t0 == want.t0 && got.t1 == want.t1)) fprintf(stderr, "    round %d\n", round);
        tt_claim_free(&c);
    }
}

int main(void)
{
    temp_begin();
    test_idle();
    test_work();
    test_line();
    test_window();
    test_count();
    test_random();
    temp_end();
    return check_done();
}

// Chains of bmm, softmax and bmm: by hand; random operators against a search from each product on; and a trace of the
// corpus.
#include "model/tables/analysis/device/attention_chain.h"
#include "model/tables/analysis/device/kernel_sums.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"

typedef struct sequence { // operators of a thread; each has one launch, 1 us on the host and 1 us on a stream
    made_trace m;
    int at, id;
} sequence;

static void begin(sequence *q)
{
    *q = (sequence){.at = 10};
    made_begin(&q->m);
}

static void slice(sequence *q, const char *cat, const char *name, int tid, int ts, int dur, int correlation)
{
    fprintf(q->m.f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d", cat, name,
            tid, ts, dur);
    if (correlation) fprintf(q->m.f, ",\"args\":{\"correlation\":%d}", correlation);
    fputs("},\n", q->m.f);
}

static void launch(sequence *q, int tid, const char *cat, const char *kernel, int ts)
{
    slice(q, "cuda_runtime", "cudaLaunchKernel", tid, ts, 1, ++q->id);
    fprintf(q->m.f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":2,\"args\":{\"device\":"
            "0,\"stream\":7,\"correlation\":%d}},\n",
            cat, kernel, ts + 1000, q->id);
}

static void op(sequence *q, int tid, const char *name, const char *kernel)
{
    slice(q, "cpu_op", name, tid, q->at, 8, 0);
    if (kernel) launch(q, tid, strncmp(kernel, "Mem", 3) ? "kernel" : "gpu_memcpy", kernel, q->at + 2);
    q->at += 10;
}

static tt_session *load(sequence *q) { return made_load(&q->m); }

static uint32_t count(sequence *q)
{
    tt_session *s = load(q);
    uint32_t n = (uint32_t)tt_attention_chains_get(s, 0)->at.n;
    tt_session_free(s);
    return n;
}

#define BMM "aten::bmm", "sgemm"
#define SOFT "aten::_softmax", "softmax_warp_forward"
#define MUL "aten::mul", "mul_kernel"

static void one_chain(void)
{
    sequence q;
    begin(&q);
    op(&q, 1, "aten::addmm", "sgemm");
    op(&q, 1, "aten::baddbmm", "sgemm");
    op(&q, 1, "aten::expand", NULL); // launches nothing, so it is no operator of the chain
    op(&q, 1, MUL);
    op(&q, 1, SOFT);
    op(&q, 1, "aten::to", "Memcpy DtoD");
    op(&q, 1, BMM);
    op(&q, 1, "aten::addmm", "sgemm");
    tt_session *s = load(&q);
    const tt_trace *t = s->traces[0];
    const tt_device_work *w = tt_device_work_get(s, 0);
    const tt_attention_chains *c = tt_attention_chains_get(s, 0);
    if (!CHECK(c->at.n == 1)) return;
    CHECK_STR(tt_row_name(t, c->at.at[0].first_op), "aten::baddbmm");
    CHECK_STR(tt_row_name(t, c->at.at[0].softmax), "aten::_softmax");
    CHECK_STR(tt_row_name(t, c->at.at[0].last_op), "aten::bmm");
    CHECK_INT(c->at.at[0].operators, 5);
    static const char *const want[] = {"sgemm", "mul_kernel", "softmax_warp_forward", "Memcpy DtoD", "sgemm"};
    static const tt_chain_role role[] = {TT_CHAIN_PRODUCT, TT_CHAIN_BETWEEN, TT_CHAIN_SOFTMAX, TT_CHAIN_BETWEEN,
                                         TT_CHAIN_PRODUCT};
    if (!CHECK(c->works.n == 5 && c->at.at[0].n == 5 && c->at.at[0].first == 0)) return;
    for (int i = 0; i < 5; i++) {
        CHECK_STR(tt_row_name(t, w->at[c->works.at[i].work].row), want[i]);
        CHECK_INT(c->works.at[i].role, role[i]);
    }
    tt_session_free(s);
}

static void limits(void)
{
    sequence q;
    for (int between = 8; between <= 10; between++) { // with the products and the softmax 11 to 13 operators
        begin(&q);
        op(&q, 1, BMM);
        for (int i = 0; i < between; i++) op(&q, 1, MUL);
        op(&q, 1, SOFT);
        op(&q, 1, BMM);
        CHECK_INT(count(&q), between <= 9);
    }
    begin(&q); // a product between them that belongs to no chain
    op(&q, 1, BMM);
    op(&q, 1, SOFT);
    op(&q, 1, "aten::addmm", "sgemm");
    op(&q, 1, BMM);
    CHECK_INT(count(&q), 0);
    begin(&q); // two softmaxes make no chain
    op(&q, 1, BMM);
    op(&q, 1, SOFT);
    op(&q, 1, SOFT);
    op(&q, 1, BMM);
    CHECK_INT(count(&q), 0);
    begin(&q); // a product ends a chain and begins no other; the second of two products begins one
    op(&q, 1, BMM);
    op(&q, 1, BMM);
    op(&q, 1, SOFT);
    op(&q, 1, BMM);
    op(&q, 1, SOFT);
    op(&q, 1, BMM);
    CHECK_INT(count(&q), 1);
}

static void threads(void)
{
    sequence q;
    begin(&q); // each thread has its own chains
    op(&q, 1, BMM);
    op(&q, 2, BMM);
    op(&q, 1, SOFT);
    op(&q, 2, "aten::mm", "sgemm");
    op(&q, 1, BMM);
    CHECK_INT(count(&q), 1);
    begin(&q);
    op(&q, 1, BMM);
    op(&q, 1, SOFT);
    op(&q, 2, BMM);
    CHECK_INT(count(&q), 0);
}

static void launches(void)
{
    sequence q;
    begin(&q); // a kernel outside of operators counts by its class
    op(&q, 1, BMM);
    launch(&q, 1, "kernel", "triton_poi_fused_mul_0", q.at++);
    op(&q, 1, SOFT);
    op(&q, 1, BMM);
    CHECK_INT(count(&q), 1);
    begin(&q);
    op(&q, 1, BMM);
    launch(&q, 1, "kernel", "flash_fwd_kernel", q.at++);
    op(&q, 1, SOFT);
    op(&q, 1, BMM);
    CHECK_INT(count(&q), 0);
    begin(&q); // a softmax of two launches with one of its parts between them is one operator
    op(&q, 1, BMM);
    slice(&q, "cpu_op", "aten::_softmax", 1, q.at, 20, 0);
    launch(&q, 1, "kernel", "softmax_a", q.at + 1);
    slice(&q, "cpu_op", "aten::copy_", 1, q.at + 4, 4, 0);
    launch(&q, 1, "kernel", "copy_kernel", q.at + 5);
    launch(&q, 1, "kernel", "softmax_b", q.at + 10);
    q.at += 30;
    op(&q, 1, BMM);
    CHECK_INT(count(&q), 1);
}

// Count the chains in a sequence of operators by a search: 'p'roduct, 's'oftmax, 'm'ul, 'x' = breaks a chain.
static uint32_t searched(const char *ops, int n)
{
    uint32_t chains = 0;
    for (int i = 0; i < n; i++) {
        int softmaxes = 0, j = i + 1;
        if (ops[i] != 'p') continue;
        for (; j < n && j - i < TT_CHAIN_OPERATORS_MAX && ops[j] != 'p' && ops[j] != 'x'; j++)
            softmaxes += ops[j] == 's';
        if (j == n || j - i == TT_CHAIN_OPERATORS_MAX || ops[j] != 'p' || softmaxes != 1) continue;
        chains++;
        i = j;
    }
    return chains;
}

static void random_operators(void)
{
    uint64_t r = RANDOM_SEED;
    uint32_t found = 0;
    for (int round = 0; round < 60; round++) {
        static const char letters[] = "ppssmmmmmmmmmx"; // 'x' often enough, but not too often
        char ops[60];
        sequence q;
        begin(&q);
        for (int i = 0; i < 60; i++) {
            ops[i] = letters[random_next(&r) % (sizeof letters - 1)];
            if (ops[i] == 'p') op(&q, 1, BMM);
            if (ops[i] == 's') op(&q, 1, SOFT);
            if (ops[i] == 'm') op(&q, 1, MUL);
            if (ops[i] == 'x') op(&q, 1, "aten::mm", "sgemm");
        }
        uint32_t want = searched(ops, 60);
        CHECK_INT(count(&q), want);
        found += want;
    }
    CHECK(found > 20);
}

static void corpus(void)
{
    const char *folder = getenv("TRACETTY_CORPUS");
    static const struct {
        const char *trace;
        uint32_t chains;
        int64_t ns, all;
    } known[] = {{"unfused/unfused.pt.trace.json", 4, 3160000, 3640000},
                 {"elementwise/elementwise.pt.trace.json", 0, 0, 2720000}};
    if (!folder || !*folder) {
        puts("skip corpus: TRACETTY_CORPUS is not set");
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/traces/account/%s", folder, known[i].trace);
        tt_session *s = load_trace(path);
        if (!s) continue;
        const tt_device_work *w = tt_device_work_get(s, 0);
        const tt_attention_chains *c = tt_attention_chains_get(s, 0);
        int64_t ns = 0;
        for (size_t k = 0; k < c->works.n; k++) ns += w->at[c->works.at[k].work].end - w->at[c->works.at[k].work].start;
        CHECK_INT(c->at.n, known[i].chains);
        CHECK_INT(ns, known[i].ns);
        CHECK_INT(tt_kernel_sums_of(s, 0, 0, NULL).all_ns, known[i].all);
        tt_session_free(s);
    }
}

int main(void)
{
    temp_begin();
    one_chain();
    limits();
    threads();
    launches();
    random_operators();
    corpus();
    temp_end();
    return check_done();
}

/* tests/unit/trace/test_process_name.c - places in the parallel layout from the names of servers' traces. */
#include "model/text/process_name.h"
#include "tests/unit/check.h"

static const struct {
    const char *file, *worker, *stage, *profile; /* worker NULL: a name of another kind */
    int64_t rank[TT_LAYOUT_COUNT_];              /* tp, dp, pp, ep, dcp */
} names[] = {
    {"dp0_pp1_tp2_dcp3_ep4_rank5.17.pt.trace.json.gz", "dp0_pp1_tp2_dcp3_ep4_rank5", "", "", {2, 0, 1, 4, 3}},
    {"dp0_pp0_tp7_rank7.17.pt.trace.json", "dp0_pp0_tp7_rank7", "", "", {7, 0, 0, -1, -1}},
    {"17.25-TP-3-DP-1-PP-2-EP-4-EXTEND.trace.json.gz", "TP-3-DP-1-PP-2-EP-4", "EXTEND", "17.25", {3, 1, 2, 4, -1}},
    {"a-TP-b-17.25-TP-0-DECODE.trace.json", "TP-0", "DECODE", "a-TP-b-17.25", {0, -1, -1, -1, -1}},
    {"17.25-TP-3.trace.json.gz", "TP-3", "", "17.25", {3, -1, -1, -1, -1}},
    {"model-TP-3.trace.json.gz", NULL, NULL, NULL, {0}},
    {"17.25-TP-3-IDLE.trace.json.gz", NULL, NULL, NULL, {0}},
    {"17.25-TP--DECODE.trace.json.gz", NULL, NULL, NULL, {0}},
    {"17.25-TP-1-TP-2.trace.json.gz", NULL, NULL, NULL, {0}},
    {"tp0.17.pt.trace.json", NULL, NULL, NULL, {0}},
    {"tp0_rank.pt.trace.json", NULL, NULL, NULL, {0}},
    {"dp0_rank31.1694128201557.trace.json", NULL, NULL, NULL, {0}},
    {"dp0_pp0_tp12345678901_rank0.1.json", NULL, NULL, NULL, {0}},
    {"", NULL, NULL, NULL, {0}},
};

static void expect(const char *file, size_t at, size_t n, const char *want)
{
    CHECK_INT(n, strlen(want));
    CHECK(n == strlen(want) && !memcmp(file + at, want, n));
}

int main(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *file = names[i].file;
        tt_process_name said;
        CHECK_INT(tt_process_name_read(file, &said), names[i].worker != NULL);
        if (!names[i].worker) continue;
        expect(file, said.worker, said.worker_n, names[i].worker);
        expect(file, said.stage, said.stage_n, names[i].stage);
        expect(file, 0, said.profile_n, names[i].profile);
        for (int k = 0; k < TT_LAYOUT_COUNT_; k++) CHECK_INT(said.rank[k], names[i].rank[k]);
    }
    CHECK(tt_process_front_end("host_7.async_llm"));
    CHECK(!tt_process_front_end("dp0_pp0_tp0_rank0"));
    return check_done();
}

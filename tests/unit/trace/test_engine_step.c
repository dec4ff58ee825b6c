/* Names of engine steps: what each grammar says, and names that are nearly steps. */
#include <string.h>

#include "model/text/engine_step.h"
#include "tests/unit/check.h"

#define NONE TT_STEP_UNSAID

static bool read_name(const char *name, tt_engine_step_name *v) { return tt_engine_step_read(name, strlen(name), v); }

typedef struct said {
    const char *name;
    tt_engine engine;
    tt_phase phase;
    int64_t requests, context_requests, generation_requests, context_tokens, generation_tokens, batch;
} said;

static const said names[] = {
    {"execute_70_context_2(sq40sk90sqsq900sqsk2000)_generation_30(sq30sk600sqsq30sqsk600)", TT_ENGINE_VLLM,
     TT_PHASE_MIXED, 32, 2, 30, 40, 30, NONE},
    {"execute_context_3(512)_generation_0(0)", TT_ENGINE_VLLM, TT_PHASE_PREFILL, 3, 3, 0, 512, 0, NONE},
    {"execute_context_0(0)_generation_2(8)", TT_ENGINE_VLLM, TT_PHASE_DECODE, 2, 0, 2, 0, 8, NONE},
    {"execute_context_0(0)_generation_0(0)", TT_ENGINE_VLLM, TT_PHASE_IDLE, 0, 0, 0, 0, 0, NONE},
    {"execute_new_1_cached_9", TT_ENGINE_VLLM, TT_PHASE_MIXED, 10, 1, 9, NONE, NONE, NONE},
    {"step[EXTEND bs=2 toks=77]", TT_ENGINE_SGLANG, TT_PHASE_PREFILL, 2, 2, 0, 77, 0, NONE},
    {"step[DECODE bs=5]", TT_ENGINE_SGLANG, TT_PHASE_DECODE, 5, 0, 5, 0, 5, NONE},
    {"step[TARGET_VERIFY bs=5]", TT_ENGINE_SGLANG, TT_PHASE_DECODE, 5, 0, 5, 0, NONE, NONE},
    {"step[MIXED bs=9 c=2 g=7 c_sq=30 g_sq=7]", TT_ENGINE_SGLANG, TT_PHASE_MIXED, 9, 2, 7, 30, 7, NONE},
    {"step[DRAFT_EXTEND bs=3]", TT_ENGINE_SGLANG, TT_PHASE_DRAFT, 3, NONE, NONE, NONE, NONE, NONE},
    {"step[PREBUILT bs=3]", TT_ENGINE_SGLANG, TT_PHASE_UNKNOWN, 3, NONE, NONE, NONE, NONE, NONE},
    {"step[IDLE bs=0]", TT_ENGINE_SGLANG, TT_PHASE_IDLE, 0, 0, 0, 0, 0, NONE},
    {"prefill[bs=2 tok=11 ctx=[7, 4]]", TT_ENGINE_ATOM, TT_PHASE_PREFILL, 2, 2, 0, 11, 0, NONE},
    {"prefill[bs=6 tok=11 ctx=[7, 4]...+4 sk=11]", TT_ENGINE_ATOM, TT_PHASE_PREFILL, 6, 6, 0, 11, 0, NONE},
    {"decode[bs=30/32 tok=30 d=30]", TT_ENGINE_ATOM, TT_PHASE_DECODE, 30, 0, 30, 0, 30, 32},
    {"eager_decode[bs=8 tok=8 ctx=[1, 2]...+6]", TT_ENGINE_ATOM, TT_PHASE_DECODE, 8, 0, 8, 0, 8, NONE},
    {"decode[bs=9 tok=20 p=2 d=7]", TT_ENGINE_ATOM, TT_PHASE_MIXED, 9, 2, 7, NONE, NONE, NONE},
    {"dummy_decode[bs=1/4 tok=1 d=1]", TT_ENGINE_ATOM, TT_PHASE_IDLE, 0, 0, 0, 0, 0, 4},
    {"dummy_prefill[bs=1 tok=64]", TT_ENGINE_ATOM, TT_PHASE_WARMUP, 0, 0, 0, 0, 0, NONE},
    {"[Executor] _forward_step 7: 0 ctx reqs, 3 gen reqs", TT_ENGINE_TENSORRT_LLM, TT_PHASE_DECODE, 3, 0, 3, 0, NONE,
     NONE},
    {"[Executor] _forward_step: 2 ctx reqs, 90 ctx tokens, 0 gen reqs", TT_ENGINE_TENSORRT_LLM, TT_PHASE_PREFILL, 2, 2,
     0, 90, 0, NONE},
    {"execute_diffusion_4_512x768", TT_ENGINE_XDIT, TT_PHASE_DIFFUSION, NONE, NONE, NONE, NONE, NONE, 4},
    {"capture_32_FULL", TT_ENGINE_CAPTURE, TT_PHASE_CAPTURE, NONE, NONE, NONE, NONE, NONE, 32},
    {"capture_graph_bs_8", TT_ENGINE_CAPTURE, TT_PHASE_CAPTURE, NONE, NONE, NONE, NONE, NONE, 8},
};

static void engine_step_names_say_their_numbers(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const said *w = &names[i];
        tt_engine_step_name v;
        CHECK(read_name(w->name, &v));
        CHECK_INT(v.engine, w->engine);
        CHECK_INT(v.phase, w->phase);
        CHECK_INT(v.number[TT_STEP_REQUESTS], w->requests);
        CHECK_INT(v.number[TT_STEP_CONTEXT_REQUESTS], w->context_requests);
        CHECK_INT(v.number[TT_STEP_GENERATION_REQUESTS], w->generation_requests);
        CHECK_INT(v.number[TT_STEP_CONTEXT_TOKENS], w->context_tokens);
        CHECK_INT(v.number[TT_STEP_GENERATION_TOKENS], w->generation_tokens);
        CHECK_INT(v.number[TT_STEP_BATCH], w->batch);
    }
}

/* A name that is cut, or has a byte more, is no step; so no part of a name is read beyond its length. */
static void engine_step_names_fit_whole_or_not(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char longer[256];
        size_t n = strlen(names[i].name);
        for (size_t k = 0; k < n; k++) {
            bool shorter_capture = names[i].engine == TT_ENGINE_CAPTURE && k > 10;
            bool shorter_number = names[i].engine == TT_ENGINE_XDIT || strstr(names[i].name, "cached");
            if (!shorter_capture && !shorter_number) CHECK(!tt_engine_step_read(names[i].name, k, NULL));
        }
        memcpy(longer, names[i].name, n);
        memcpy(longer + n, " ", 2);
        CHECK(!read_name(longer, NULL));
        longer[0] = 'x';
        memcpy(longer + 1, names[i].name, n + 1);
        CHECK(!read_name(longer, NULL));
    }
}

static void engine_step_names_that_are_none(void)
{
    static const char *const none[] = {"",
                                       "execute_model",
                                       "execute_context_1(2)_generation_3",
                                       "execute_context_99999999999999999999(1)_generation_0(0)",
                                       "step[decode bs=4]",
                                       "step[DECODE bs=]",
                                       "step[DECODE  bs=4]",
                                       "decode[tok=4]",
                                       "decode[bs=4",
                                       "warm_decode[bs=4]",
                                       "capture_x_FULL",
                                       "capture_32",
                                       "[Executor] _forward_step 7: 1 ctx reqs"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) CHECK(!read_name(none[i], NULL));
}

static void engine_step_inner_range_fills_what_the_outer_leaves_out(void)
{
    tt_engine_step_name outer, inner;
    CHECK(read_name("execute_4_context_0(sq0sk0sqsq0sqsk0)_generation_4(sq4sk40sqsq4sqsk40)", &outer));
    CHECK(read_name("decode[bs=4/8 tok=4 d=4]", &inner));
    tt_engine_step_add(&outer, &inner);
    CHECK_INT(outer.engine, TT_ENGINE_ATOM);
    CHECK_INT(outer.phase, TT_PHASE_DECODE);
    CHECK_INT(outer.number[TT_STEP_BATCH], 8);
    CHECK_INT(outer.number[TT_STEP_GENERATION_K], 40);
}

int main(void)
{
    engine_step_names_say_their_numbers();
    engine_step_names_fit_whole_or_not();
    engine_step_names_that_are_none();
    engine_step_inner_range_fills_what_the_outer_leaves_out();
    return check_done();
}

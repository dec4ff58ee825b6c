/* model/text/engine_step.h - reads the names of ranges in which an engine of LLM serving runs one forward pass.
 *
 * The grammars are those of vLLM ("execute_context_2(512)_generation_30(30)"), SGLang ("step[DECODE bs=32]"), ATOM
 * ("decode[bs=30/32 tok=30 d=30]"), TensorRT-LLM ("[Executor] _forward_step 7: 1 ctx reqs, 30 gen reqs"), xDiT
 * ("execute_diffusion_1_1024x1024") and of graph captures ("capture_32_FULL"). A whole name fits or does not. */
#ifndef TT_MODEL_TEXT_ENGINE_STEP_H
#define TT_MODEL_TEXT_ENGINE_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tt_engine {
    TT_ENGINE_VLLM,
    TT_ENGINE_SGLANG,
    TT_ENGINE_ATOM,
    TT_ENGINE_TENSORRT_LLM,
    TT_ENGINE_XDIT,
    TT_ENGINE_CAPTURE,  /* the making of a graph, by whatever engine */
    TT_ENGINE_INFERRED, /* no name says it: steps are inferred */
    TT_ENGINE_COUNT_
} tt_engine;

/* In the order of the rows of table serving. */
typedef enum tt_phase {
    TT_PHASE_PREFILL,
    TT_PHASE_MIXED,
    TT_PHASE_DECODE,
    TT_PHASE_DRAFT,
    TT_PHASE_DIFFUSION,
    TT_PHASE_IDLE,
    TT_PHASE_WARMUP,
    TT_PHASE_CAPTURE,
    TT_PHASE_UNKNOWN,
    TT_PHASE_COUNT_
} tt_phase;

/* Numbers that a name may say. Sums run over the requests of a side; q = tokens scheduled for the request, k = those
 * and the tokens computed before. */
typedef enum tt_step_number {
    TT_STEP_ITERATION, /* the engine's own number of the step */
    TT_STEP_REQUESTS,
    TT_STEP_CONTEXT_REQUESTS,
    TT_STEP_GENERATION_REQUESTS,
    TT_STEP_CONTEXT_TOKENS,
    TT_STEP_GENERATION_TOKENS,
    TT_STEP_BATCH, /* requests or tokens that the graph is padded to */
    TT_STEP_CONTEXT_K,
    TT_STEP_CONTEXT_QQ,
    TT_STEP_CONTEXT_QK,
    TT_STEP_GENERATION_K,
    TT_STEP_GENERATION_QQ,
    TT_STEP_GENERATION_QK,
    TT_STEP_NUMBER_COUNT_
} tt_step_number;

#define TT_STEP_UNSAID INT64_MIN

typedef struct tt_engine_step_name {
    tt_engine engine;
    tt_phase phase;
    int64_t number[TT_STEP_NUMBER_COUNT_]; /* TT_STEP_UNSAID: the name does not say it */
} tt_engine_step_name;

/* Whether the name of this length fits a grammar; fills *out, which may be NULL. O(length); most names fail at the
 * first byte. */
bool tt_engine_step_read(const char *name, size_t len, tt_engine_step_name *out);

/* Add what the name of an inner range says to that of the range around it. */
void tt_engine_step_add(tt_engine_step_name *outer, const tt_engine_step_name *inner);

const char *tt_engine_word(tt_engine e); /* "vllm" */
const char *tt_phase_word(tt_phase p);   /* "decode" */
uint32_t tt_phase_bit(const char *word); /* 1u << the phase of this word; 0 = it is none */

/* Whether the name is that of a profiler's step: ProfilerStep#7. */
bool tt_names_profiler_step(const char *name, size_t len);

#endif

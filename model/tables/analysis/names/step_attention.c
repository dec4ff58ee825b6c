/* model/tables/analysis/names/step_attention.c - see step_attention.h. */
#include "model/tables/analysis/names/step_attention.h"

#include <string.h>

#include "model/tables/analysis/names/op_shapes.h"

/* Operators, and the input that is the queries; keys and values follow. */
static const struct {
    const char *name; /* '*' at the end: any text */
    int queries;
} list[] = {
    {"vllm::unified_attention_with_output", 0},
    {"vllm::unified_attention", 0},
    {"aiter::mha_batch_prefill", 0},
    {"aiter::fmha_v3_varlen_fwd", 0},
    {"vllm_flash_attn::varlen_fwd", 0},
    {"flash_attn::_flash_attn_varlen_forward", 0},
    {"sglang_profiler::attention_paged_attention_ragged_*", 2},
};

/* The input that is the queries of an operator with this name; -1: it is none of the list. */
static int queries_of(const char *name)
{
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        size_t n = strlen(list[i].name);
        bool any = list[i].name[n - 1] == '*';
        if (any ? !strncmp(name, list[i].name, n - 1) : !strcmp(name, list[i].name)) return list[i].queries;
    }
    return -1;
}

bool tt_is_step_attention(const tt_trace *s, tt_row op)
{
    if (tt_row_kind(s, op) != TT_KIND_CPU_OP || queries_of(tt_row_name(s, op)) < 0) return false;
    for (tt_row r = op; (r = tt_row_ancestor(s, r, 1u << TT_KIND_CPU_OP)) != TT_NONE;)
        if (queries_of(tt_row_name(s, r)) >= 0) return false;
    return true;
}

/* A sum that the step says; 0 where the side has no requests; TT_UNKNOWN. */
static int64_t sum_of(const tt_engine_step_name *step, tt_step_number sum, tt_step_number requests)
{
    if (step->number[sum] != TT_STEP_UNSAID) return step->number[sum];
    return step->number[requests] == 0 ? 0 : TT_UNKNOWN;
}

/* The same for both sides together. */
static int64_t both(const tt_engine_step_name *step, tt_step_number context, tt_step_number generation)
{
    return tt_flops_plus(sum_of(step, context, TT_STEP_CONTEXT_REQUESTS),
                         sum_of(step, generation, TT_STEP_GENERATION_REQUESTS));
}

static bool has_heads(const tt_shape *x) { return x->n >= 3; }

tt_op_work tt_step_attention_of(const tt_trace *s, tt_row op, const tt_engine_step_name *step)
{
    static const tt_op_work none = {.flops = TT_UNKNOWN, .bytes = TT_UNKNOWN, .kind = TT_OP_NONE};
    const tt_op_args *a = &s->op_args[s->detail[op]];
    const char *types = tt_str(&s->strings, a->types);
    tt_shape in[TT_SHAPE_INPUTS];
    int at = queries_of(tt_row_name(s, op));
    if (at < 0 || tt_shapes_read(tt_str(&s->strings, a->shapes), in) < at + 3) return none;
    const tt_shape *q = &in[at], *k = &in[at + 1], *v = &in[at + 2];
    if (!has_heads(q) || !has_heads(k) || !has_heads(v)) return none;
    int64_t tokens = both(step, TT_STEP_CONTEXT_TOKENS, TT_STEP_GENERATION_TOKENS);
    int64_t keys = both(step, TT_STEP_CONTEXT_K, TT_STEP_GENERATION_K);
    int64_t masked = sum_of(step, TT_STEP_CONTEXT_QQ, TT_STEP_CONTEXT_REQUESTS);
    int64_t pairs = tt_flops_plus(tt_flops_times(both(step, TT_STEP_CONTEXT_QK, TT_STEP_GENERATION_QK), 2),
                                  tt_flops_times(masked, -1));
    if (tokens == TT_UNKNOWN || keys == TT_UNKNOWN || pairs < 0 || q->dim[0] < tokens) return none;
    int64_t features = tt_flops_plus(q->dim[q->n - 1], v->dim[v->n - 1]);
    int64_t compute[] = {q->dim[q->n - 2], features, pairs};
    int64_t moved_q[] = {tt_shapes_element_bytes(types, at), tokens, q->dim[q->n - 2], features};
    int64_t moved_k[] = {tt_shapes_element_bytes(types, at + 1), keys, k->dim[k->n - 2], features};
    tt_op_work w = {.flops = tt_shapes_product(compute, 3), .bytes = TT_UNKNOWN, .kind = TT_OP_ATTENTION};
    if (moved_q[0] > 0 && moved_k[0] > 0)
        w.bytes = tt_flops_plus(tt_shapes_product(moved_q, 4), tt_shapes_product(moved_k, 4));
    w.type = tt_shapes_type(types, at);
    return w.flops > 0 ? w : none;
}

/* model/tables/analysis/names/kernel_class.c - see kernel_class.h. A C++ kernel says what it does in its function
 * name, else in its template arguments ("cutlass::Kernel2<..gemm..>"), never in its parameters. So the patterns are
 * tried on the function without its namespaces first, then on the whole name up to the parameters. A generic kernel,
 * such as PyTorch's elementwise_kernel, copies when its functor does. */
#include "model/tables/analysis/names/kernel_class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/names/comm_names.h"
#include "model/text/demangle.h"

enum { NAME_MAX_ = 2048 }; /* most bytes of a name that are looked at */

typedef struct pattern {
    const char *text; /* pattern of tt_pattern_fits() */
    tt_kernel_class class;
} pattern;

/* The first pattern that fits decides. Communication comes before all of them: its patterns are in comm_names.c. */
static const pattern patterns[] = {
    /* generators, before the operators in the name */
    {"triton_tem_", TT_KERNEL_GEMM},
    {"triton_red_", TT_KERNEL_NORM},
    {"triton_per_", TT_KERNEL_NORM},
    {"triton_poi_", TT_KERNEL_ELEMENTWISE},
    {"rotary", TT_KERNEL_ELEMENTWISE},
    {"=rope", TT_KERNEL_ELEMENTWISE},
    /* convolutions as matrix products */
    {"implicit_gemm", TT_KERNEL_GEMM},
    {"implicitgemm", TT_KERNEL_GEMM},
    {"implicit_convolve", TT_KERNEL_GEMM},
    {"igemm", TT_KERNEL_GEMM},
    /* permutations and writes of a KV cache; reads of one are attention */
    {"withpagedkv", TT_KERNEL_ATTENTION},
    {"withkvcache", TT_KERNEL_ATTENTION},
    {"permute", TT_KERNEL_COPY},
    {"kvcache", TT_KERNEL_COPY},
    {"kv_cache", TT_KERNEL_COPY},
    {"reshape_and_cache", TT_KERNEL_COPY},
    {"concat_and_cache", TT_KERNEL_COPY},
    {"set_kv_buffer", TT_KERNEL_COPY},
    {"kv_indices", TT_KERNEL_COPY},
    {"page_indices", TT_KERNEL_COPY},
    /* embedding tables, libraries of many things, sorts and scans */
    {"split_embedding", TT_KERNEL_OTHER},
    {"embedding_bag", TT_KERNEL_OTHER},
    {"embeddingbag", TT_KERNEL_OTHER},
    {"=tbe", TT_KERNEL_OTHER},
    {"fbgemm_gpu", TT_KERNEL_OTHER},
    {"=sort", TT_KERNEL_OTHER},
    {"radixsort", TT_KERNEL_OTHER},
    {"bitonic", TT_KERNEL_OTHER},
    {"reducebykey", TT_KERNEL_NORM}, /* computed by a scan */
    {"=scan", TT_KERNEL_OTHER},
    {"cumsum", TT_KERNEL_OTHER},
    {"cumprod", TT_KERNEL_OTHER},
    /* attention */
    {"flash_fwd", TT_KERNEL_ATTENTION},
    {"flash_bwd", TT_KERNEL_ATTENTION},
    {"flash_fprop", TT_KERNEL_ATTENTION},
    {"flash_bprop", TT_KERNEL_ATTENTION},
    {"flash_attn", TT_KERNEL_ATTENTION},
    {"flashattn", TT_KERNEL_ATTENTION},
    {"fmha", TT_KERNEL_ATTENTION},
    {"attention", TT_KERNEL_ATTENTION},
    {"=attn", TT_KERNEL_ATTENTION},
    {"=sdpa", TT_KERNEL_ATTENTION},
    {"mha_fwd", TT_KERNEL_ATTENTION},
    {"mha_bwd", TT_KERNEL_ATTENTION},
    {"=mla", TT_KERNEL_ATTENTION},
    /* matrix products, convolutions, and kernels that help them */
    {"splitkreduce", TT_KERNEL_GEMM},
    {"gemm", TT_KERNEL_GEMM},
    {"gemv", TT_KERNEL_GEMM},
    {"cijk_", TT_KERNEL_GEMM},
    {"nvjet", TT_KERNEL_GEMM},
    {"xmma", TT_KERNEL_GEMM},
    {"matmul", TT_KERNEL_GEMM},
    {"=bmm", TT_KERNEL_GEMM},
    {"=mm", TT_KERNEL_GEMM},
    {"=addmm", TT_KERNEL_GEMM},
    {"=dgrad", TT_KERNEL_GEMM},
    {"=wgrad", TT_KERNEL_GEMM},
    {"=fprop", TT_KERNEL_GEMM},
    {"winograd", TT_KERNEL_GEMM},
    {"im2col", TT_KERNEL_GEMM},
    {"col2im", TT_KERNEL_GEMM},
    {"scudnn", TT_KERNEL_GEMM},
    {"84cudnn_", TT_KERNEL_GEMM}, /* volta_fp16_s884cudnn_.. */
    {"88cudnn_", TT_KERNEL_GEMM},
    {"816cudnn_", TT_KERNEL_GEMM},
    {"cask_cudnn", TT_KERNEL_GEMM}, /* offsets of a convolution */
    {"convolution", TT_KERNEL_GEMM},
    {"=conv", TT_KERNEL_GEMM},
    {"=depthwise", TT_KERNEL_GEMM},
    /* normalisations and reductions, except the normal distribution */
    {"normal_", TT_KERNEL_ELEMENTWISE},
    {"softmax", TT_KERNEL_NORM},
    {"norm", TT_KERNEL_NORM},
    {"=bn", TT_KERNEL_NORM},
    {"gammabeta", TT_KERNEL_NORM},
    {"moments", TT_KERNEL_NORM},
    {"welford", TT_KERNEL_NORM},
    {"reduce", TT_KERNEL_NORM},
    {"reduction", TT_KERNEL_NORM},
    {"=pool", TT_KERNEL_NORM},
    {"=mean", TT_KERNEL_NORM},
    {"=argmax", TT_KERNEL_NORM},
    {"=pooling", TT_KERNEL_NORM},
    /* moves of elements, except kernels that make elements of their index */
    {"memcpy", TT_KERNEL_COPY},
    {"memset", TT_KERNEL_COPY},
    {"copy", TT_KERNEL_COPY},
    {"=fill", TT_KERNEL_COPY},
    {"zeroslike", TT_KERNEL_COPY},
    {"oneslike", TT_KERNEL_COPY},
    {"catarray", TT_KERNEL_COPY},
    {"=concat", TT_KERNEL_COPY},
    {"transpose", TT_KERNEL_COPY},
    {"transdata", TT_KERNEL_COPY},
    {"nchwtonhwc", TT_KERNEL_COPY},
    {"nhwctonchw", TT_KERNEL_COPY},
    {"tensormove", TT_KERNEL_COPY},
    {"elementwise_kernel_with_index", TT_KERNEL_ELEMENTWISE},
    {"index", TT_KERNEL_COPY},
    {"gather", TT_KERNEL_COPY},
    {"scatter", TT_KERNEL_COPY},
    {"=slice", TT_KERNEL_COPY},
    {"=split", TT_KERNEL_COPY},
    {"=stridedslice", TT_KERNEL_COPY},
    /* maps over elements */
    {"elementwise", TT_KERNEL_ELEMENTWISE},
    {"pointwise", TT_KERNEL_ELEMENTWISE},
    {"distribution_nullary", TT_KERNEL_ELEMENTWISE},
    {"philox", TT_KERNEL_ELEMENTWISE},
    {"multi_tensor", TT_KERNEL_ELEMENTWISE},
    {"foreach", TT_KERNEL_ELEMENTWISE},
    {"dropout", TT_KERNEL_ELEMENTWISE},
    {"activation", TT_KERNEL_ELEMENTWISE},
    {"act_and_mul", TT_KERNEL_ELEMENTWISE},
    {"eigenmetakernel", TT_KERNEL_ELEMENTWISE},
    {"adam", TT_KERNEL_ELEMENTWISE},
    {"relu", TT_KERNEL_ELEMENTWISE},
    {"gelu", TT_KERNEL_ELEMENTWISE},
    {"silu", TT_KERNEL_ELEMENTWISE},
    {"sigmoid", TT_KERNEL_ELEMENTWISE},
    {"=momentum", TT_KERNEL_ELEMENTWISE},
    {"=sgd", TT_KERNEL_ELEMENTWISE},
    {"=op_tensor", TT_KERNEL_ELEMENTWISE},
    {"optensor", TT_KERNEL_ELEMENTWISE},
    {"tensorop", TT_KERNEL_ELEMENTWISE},
    {"=clamp", TT_KERNEL_ELEMENTWISE},
    {"=cast", TT_KERNEL_ELEMENTWISE},
    {"=add", TT_KERNEL_ELEMENTWISE},
    {"=adds", TT_KERNEL_ELEMENTWISE},
    {"=addn", TT_KERNEL_ELEMENTWISE},
    {"=sub", TT_KERNEL_ELEMENTWISE},
    {"=mul", TT_KERNEL_ELEMENTWISE},
    {"=muls", TT_KERNEL_ELEMENTWISE},
    {"=div", TT_KERNEL_ELEMENTWISE},
    {"=exp", TT_KERNEL_ELEMENTWISE},
    {"=sqrt", TT_KERNEL_ELEMENTWISE},
    {"=square", TT_KERNEL_ELEMENTWISE},
    {"=assign", TT_KERNEL_ELEMENTWISE},
};

static const char *const class_names[TT_KERNEL_CLASS_COUNT_] = {
#define X(id, name) name,
#include "model/tables/analysis/names/kernel_class.def"
#undef X
};

const char *tt_kernel_class_name(tt_kernel_class c) { return class_names[c]; }

static const pattern *first_pattern(const tt_pattern_text *text)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (tt_pattern_fits(text, patterns[i].text)) return &patterns[i];
    }
    return NULL;
}

const char *tt_kernel_class_word(const char *identifier)
{
    tt_pattern_text text = tt_pattern_text_of(identifier);
    const pattern *p = first_pattern(&text);
    return p ? p->text + (*p->text == '=') : NULL;
}

/* The part of a name outside angle brackets: namespaces and function. */
static void qualified_of(char *out, size_t cap, const char *name)
{
    static const char anonymous[] = "(anonymous namespace)";
    size_t n = 0;
    int angle = 0;
    for (const char *p = name; *p && n + 1 < cap; p++) {
        if (strncmp(p, anonymous, sizeof anonymous - 1) == 0) {
            p += sizeof anonymous - 2;
            continue;
        }
        angle += *p == '<';
        if (angle == 0 && *p == '(') break;
        if (angle == 0) out[n++] = *p;
        angle -= *p == '>' && angle > 0;
    }
    out[n] = '\0';
}

/* The function without its namespaces. */
static const char *function_of(const char *qualified)
{
    const char *function = qualified;
    for (const char *at = qualified; (at = strstr(at, "::")) != NULL; function = at) at += 2;
    return function;
}

/* The name without its parameters, whose types say nothing ("cudnnConvolutionStruct"). Of a path only the last part
 * stays; of a call of CANN's operators, the kernel that it runs. */
static void arguments_off(char *out, size_t cap, const char *name)
{
    size_t n, bare;
    const char *from = tt_comm_bare_name(name, &bare);
    const char *slash = bare > 0 ? memrchr(from, '/', bare) : NULL;
    if (slash && !memchr(from, '<', bare)) { /* MindSpore: "Default/network/.../MatMul-op12" */
        bare -= (size_t)(slash + 1 - from);
        from = slash + 1;
    } else if (strncmp(from, "aclnn", 5) == 0) { /* "aclnnAddmm_MatMulCommon_MatMulV2" */
        const char *kernel = memrchr(from, '_', bare);
        bare -= kernel ? (size_t)(kernel + 1 - from) : 0;
        from = kernel ? kernel + 1 : from;
    }
    n = bare < cap - 1 ? bare : cap - 1;
    memcpy(out, from, n);
    out[n] = '\0';
}

/* Whether PyTorch's elementwise kernels, or similar ones, were given a functor that copies. */
static bool functor_copies(const tt_pattern_text *whole)
{
    return tt_pattern_fits(whole, "copy") || tt_pattern_fits(whole, "=fill") || tt_pattern_fits(whole, "=full");
}

typedef struct judged {
    tt_kernel_class class;
    const char *comm_library; /* library of a kernel that communicates */
} judged;

static judged judge(const char *name)
{
    char whole[NAME_MAX_], qualified[NAME_MAX_];
    arguments_off(whole, sizeof whole, name);
    qualified_of(qualified, sizeof qualified, whole);
    tt_pattern_text all = tt_pattern_text_of(whole), spaces = tt_pattern_text_of(qualified);
    tt_pattern_text function = tt_pattern_text_of(function_of(qualified));
    const char *library = tt_comm_text_library(&spaces, true);
    if (!library && !tt_pattern_fits(&function, "triton_")) library = tt_comm_text_library(&function, false);
    if (!library && tt_comm_named_by_user(name)) library = "custom";
    if (library) return (judged){TT_KERNEL_COMMUNICATION, library};
    const pattern *p = first_pattern(&function);
    if (!p && (library = tt_comm_text_library(&all, false)) != NULL) return (judged){TT_KERNEL_COMMUNICATION, library};
    if (!p) p = first_pattern(&all);
    if (!p) return (judged){TT_KERNEL_OTHER, NULL};
    bool generic = p->class == TT_KERNEL_ELEMENTWISE && tt_pattern_fits(&function, "elementwise");
    return (judged){generic && functor_copies(&all) ? TT_KERNEL_COPY : p->class, NULL};
}

static judged judge_plain(const char *name)
{
    unsigned tries = 0;
    char *plain = name[0] == '_' && name[1] == 'Z' ? tt_demangle(name, &tries) : NULL;
    judged j = judge(plain ? plain : name);
    free(plain);
    return j;
}

tt_kernel_class tt_kernel_class_of(const char *name) { return judge_plain(name).class; }

const char *tt_comm_kernel_library(const char *name) { return judge_plain(name).comm_library; }

/* model/tables/analysis/kernel_class.c - see kernel_class.h.
 *
 * A C++ kernel says what it does in its function name, else in its template arguments ("cutlass::Kernel2<..gemm..>"),
 * never in its parameters. So the patterns are tried on the function first, then on everything. What is generic, as
 * PyTorch's elementwise_kernel, takes its class from the functor it is given. */
#include "model/tables/analysis/kernel_class.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "model/tables/analysis/comm_names.h"

enum { NAME_MAX_ = 2048 }; /* bytes of a name that are looked at */

typedef struct pattern {
    const char *text; /* in any case; after "=" a whole word: "=add" fits "AddV2", not "padding" */
    tt_kernel_class class;
} pattern;

/* In order: what comes first decides. */
static const pattern patterns[] = {
    {"triton_tem_", TT_KERNEL_GEMM},
    {"triton_poi_", TT_KERNEL_ELEMENTWISE},
    {"triton_red_", TT_KERNEL_NORM},
    {"triton_per_", TT_KERNEL_NORM},
    {"memcpy", TT_KERNEL_COPY},
    {"memset", TT_KERNEL_COPY},
    {"hcom_", TT_KERNEL_COMMUNICATION},
    {"=allreduce", TT_KERNEL_COMMUNICATION},
    {"=allgather", TT_KERNEL_COMMUNICATION},
    {"=reducescatter", TT_KERNEL_COMMUNICATION},
    {"=alltoall", TT_KERNEL_COMMUNICATION},
    {"kvcache", TT_KERNEL_COPY},
    {"kv_cache", TT_KERNEL_COPY},
    {"kv_indices", TT_KERNEL_COPY},
    {"page_indices", TT_KERNEL_COPY},
    {"flash_fwd", TT_KERNEL_ATTENTION},
    {"flash_bwd", TT_KERNEL_ATTENTION},
    {"flash_attn", TT_KERNEL_ATTENTION},
    {"flashattn", TT_KERNEL_ATTENTION},
    {"flashattention", TT_KERNEL_ATTENTION},
    {"fmha", TT_KERNEL_ATTENTION},
    {"attention", TT_KERNEL_ATTENTION},
    {"=attn", TT_KERNEL_ATTENTION},
    {"mha_fwd", TT_KERNEL_ATTENTION},
    {"mha_bwd", TT_KERNEL_ATTENTION},
    {"=mla", TT_KERNEL_ATTENTION},
    {"permute_", TT_KERNEL_COPY},
    {"fbgemm_gpu", TT_KERNEL_OTHER},  /* a library of many things */
    {"splitkreduce", TT_KERNEL_GEMM}, /* the end of a matrix product */
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
    {"normal_", TT_KERNEL_ELEMENTWISE}, /* random numbers */
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
    {"copy", TT_KERNEL_COPY},
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
    {"elementwise", TT_KERNEL_ELEMENTWISE},
    {"pointwise", TT_KERNEL_ELEMENTWISE},
    {"multi_tensor", TT_KERNEL_ELEMENTWISE},
    {"foreach", TT_KERNEL_ELEMENTWISE},
    {"dropout", TT_KERNEL_ELEMENTWISE},
    {"activation", TT_KERNEL_ELEMENTWISE},
    {"act_and_mul", TT_KERNEL_ELEMENTWISE},
    {"rotary", TT_KERNEL_ELEMENTWISE},
    {"=rope", TT_KERNEL_ELEMENTWISE},
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
    {"=fill", TT_KERNEL_ELEMENTWISE},
    {"=assign", TT_KERNEL_ELEMENTWISE},
};

static const char *const class_names[TT_KERNEL_CLASS_COUNT_] = {
#define X(id, name) name,
#include "model/tables/analysis/kernel_class.def"
#undef X
};

const char *tt_kernel_class_name(tt_kernel_class c) { return class_names[c]; }

/* `at` is the first letter of a word of the name: the one before is no letter, or a small one before a capital. */
static bool word_begins(const char *name, const char *at)
{
    if (at == name || !isalpha((unsigned char)at[-1])) return true;
    return isupper((unsigned char)*at) && islower((unsigned char)at[-1]);
}

static bool word_ends(const char *end)
{
    return !isalpha((unsigned char)*end) || (isupper((unsigned char)*end) && islower((unsigned char)end[-1]));
}

static bool fits(const char *name, const char *text)
{
    bool word = *text == '=';
    text += word;
    size_t n = strlen(text);
    for (const char *at = strcasestr(name, text); at; at = strcasestr(at + 1, text)) {
        if (!word || (word_begins(name, at) && word_ends(at + n))) return true;
    }
    return false;
}

static const pattern *first_pattern(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (fits(name, patterns[i].text)) return &patterns[i];
    }
    return NULL;
}

static tt_kernel_class first_of(const char *name)
{
    const pattern *p = first_pattern(name);
    return p ? p->class : TT_KERNEL_OTHER;
}

const char *tt_kernel_class_word(const char *identifier)
{
    const pattern *p = first_pattern(identifier);
    return p ? p->text + (*p->text == '=') : NULL;
}

/* The part of a name that is said outside of angle brackets, up to the parameters. */
static void function_of(char *out, size_t cap, const char *name)
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

/* The name without its parameters, whose types say nothing ("cudnnConvolutionStruct"); of a path its last part, of a
 * call of CANN's operators the kernel that it runs. */
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

tt_kernel_class tt_kernel_class_of(const char *name)
{
    char whole[NAME_MAX_], function[NAME_MAX_];
    if (tt_comm_kernel_library(name)) return TT_KERNEL_COMMUNICATION;
    arguments_off(whole, sizeof whole, name);
    function_of(function, sizeof function, whole);
    tt_kernel_class c = first_of(function), functor;
    if (c == TT_KERNEL_OTHER) return first_of(whole);
    if (c != TT_KERNEL_ELEMENTWISE || !fits(function, "elementwise") || strlen(function) == strlen(whole)) return c;
    functor = first_of(whole); /* elementwise_kernel<.., direct_copy_kernel..> */
    return functor == TT_KERNEL_COPY || functor == TT_KERNEL_NORM ? functor : c;
}

/* model/tables/analysis/names/flops.c - what an operator call computes and the least that it reads and writes, by
 * formula: see flops.h.
 *
 * One entry per operator. PyTorch counts the marked ones itself, and its numbers are kept; the others follow from
 * the mathematics. A formula without a shape, type or parameter that it needs gives no result. */
#include "model/tables/analysis/names/flops.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/tables/analysis/names/op_shapes.h"

typedef struct call {
    tt_shape in[TT_SHAPE_INPUTS];
    int n;
    const char *types, *concrete; /* JSON lists; "" = not recorded */
} call;

typedef struct cost {
    int64_t flops, bytes; /* TT_UNKNOWN */
} cost;

const char *const tt_op_kind_name[TT_OP_KIND_COUNT_] = {[TT_OP_GEMM] = "gemm",
                                                        [TT_OP_CONV] = "conv",
                                                        [TT_OP_ATTENTION] = "attention",
                                                        [TT_OP_NORM] = "norm",
                                                        [TT_OP_ELEMENTWISE] = "elementwise"};

struct formula {
    const char *name;
    cost (*of)(const call *c, const struct formula *f);
    int a, b; /* indices of inputs, or a factor, as the formula says */
    unsigned flags;
};
enum {
    TORCH = 1, /* PyTorch counts it */
    BACKWARD = 2,
    HEADS_LAST = 4,
    TRANSPOSES = 8,
    ROOFLINE = 16, /* for the roofline alone, where it replaces an earlier entry of the name */
    NORMS = 32,    /* the kind is a norm */
    INNER = 64,    /* another operator with a formula calls it to do the work */
};

static const cost unknown = {TT_UNKNOWN, TT_UNKNOWN};

static bool has(const call *c, int k, int dims) { return k < c->n && c->in[k].n == dims; }

/* Bytes of a tensor with the type of input k. */
static int64_t bytes_of(const call *c, const tt_shape *s, int k)
{
    int64_t f[] = {tt_shapes_element_bytes(c->types, k), tt_shapes_elements(s)};
    return f[0] ? tt_shapes_product(f, 2) : TT_UNKNOWN;
}

int64_t tt_flops_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return a == TT_UNKNOWN || b == TT_UNKNOWN || __builtin_add_overflow(a, b, &sum) ? TT_UNKNOWN : sum;
}

int64_t tt_flops_times(int64_t one, int64_t calls)
{
    int64_t all;
    return one == TT_UNKNOWN || __builtin_mul_overflow(one, calls, &all) ? TT_UNKNOWN : all;
}

static int64_t times(int64_t a, int64_t factor)
{
    int64_t f[] = {a, factor};
    return a == TT_UNKNOWN ? a : tt_shapes_product(f, 2);
}

/* Bytes of the inputs from `from` to `to`, and of a result with the type of input `type`. */
static int64_t moved(const call *c, int from, int to, const tt_shape *out, int type)
{
    int64_t sum = bytes_of(c, out, type);
    for (int k = from; k <= to; k++) sum = tt_flops_plus(sum, k < c->n ? bytes_of(c, &c->in[k], k) : TT_UNKNOWN);
    return sum;
}

/* Product of the matrices at input a and at the next input, or of batches of them; inputs before a are added. */
static cost product(const call *c, const struct formula *f)
{
    int a = f->a, d = f->b;
    if (!has(c, a, d) || !has(c, a + 1, d)) return unknown;
    tt_shape out = c->in[a];
    int64_t columns = out.dim[d - 1] = c->in[a + 1].dim[d - 1];
    int64_t v[] = {2, c->in[a].dim[d - 2], c->in[a].dim[d - 1], columns, d == 3 ? c->in[a].dim[0] : 1};
    return (cost){tt_shapes_product(v, 5), moved(c, 0, a + 1, &out, a)};
}

/* Product of 8-bit matrices with their scales; parameter 6 is PyTorch's number of the result's type. */
static cost product_scaled(const call *c, const struct formula *f)
{
    enum { OUT_TYPE = 6 };
    int64_t number, bytes = 1;
    cost r = product(c, f);
    if (r.flops == TT_UNKNOWN) return r;
    if (tt_shapes_numbers(c->concrete, OUT_TYPE, &number, 1) == 1) {
        bool half = number == 5 || number == 15; /* PyTorch's numbers of Half and BFloat16 */
        bytes = half ? 2 : number == 6 ? 4 : 1;  /* PyTorch's number of Float */
    }
    int64_t out[] = {c->in[0].dim[0], c->in[1].dim[1], bytes};
    return (cost){r.flops, tt_flops_plus(tt_flops_plus(bytes_of(c, &c->in[0], 0), bytes_of(c, &c->in[1], 1)),
                                         tt_shapes_product(out, 3))};
}

/* Product of matrices or batches, each perhaps transposed: their common dimension is summed over. */
static cost product_any(const call *c, const struct formula *f)
{
    (void)f;
    if (c->n < 2 || c->in[0].n < 2 || c->in[1].n < 2) return unknown;
    const tt_shape *x = &c->in[0], *y = &c->in[1];
    const int64_t *a = x->dim + x->n - 2, *b = y->dim + y->n - 2;
    int along = a[1] == b[0] || a[1] == b[1] ? 1 : 0; /* common dimension in a; in b the other one where it fits */
    int of_b = a[along] == b[0] ? 0 : 1;
    if (a[along] != b[of_b]) return unknown;
    tt_shape out = x->n >= y->n ? *x : *y;
    out.dim[out.n - 2] = a[1 - along];
    out.dim[out.n - 1] = b[1 - of_b];
    return (cost){times(tt_shapes_elements(&out), 2 * a[along]), moved(c, 0, 1, &out, 0)};
}

/* Rows of features times a matrix. */
static cost linear(const call *c, const struct formula *f)
{
    (void)f;
    if (c->n < 2 || c->in[0].n < 1 || c->in[1].n != 2) return unknown;
    tt_shape out = c->in[0];
    out.dim[out.n - 1] = c->in[1].dim[0];
    int64_t bias = has(c, 2, 1) ? bytes_of(c, &c->in[2], 2) : 0;
    return (cost){times(tt_shapes_elements(&c->in[0]), 2 * c->in[1].dim[0]),
                  tt_flops_plus(moved(c, 0, 1, &out, 0), bias)};
}

/* Read parameter k: a number for each of n dimensions. */
static bool parameters(const call *c, int k, int n, int64_t *out)
{
    int found = tt_shapes_numbers(c->concrete, k, out, n);
    for (int i = found; found == 1 && i < n; i++) out[i] = out[0];
    return found == n || found == 1;
}

/* Shape of the result of a convolution. a: parameter of the strides, b: of the padding; dilations follow. */
static bool convolved(const call *c, const struct formula *f, tt_shape *out)
{
    int64_t stride[TT_SHAPE_DIMS], pad[TT_SHAPE_DIMS], dilation[TT_SHAPE_DIMS];
    if (c->n < 2 || c->in[0].n < 3 || c->in[1].n != c->in[0].n) return false;
    if (f->flags & TORCH && c->in[0].n != 4) return false;
    int n = c->in[0].n - 2, last = f->a > f->b ? f->a : f->b;
    if (!parameters(c, f->a, n, stride) || !parameters(c, f->b, n, pad) || !parameters(c, last + 1, n, dilation))
        return false;
    out->n = n + 2;
    out->dim[0] = c->in[0].dim[0];
    out->dim[1] = c->in[1].dim[0];
    for (int i = 0; i < n; i++) {
        if (stride[i] <= 0) return false;
        int64_t reach = c->in[0].dim[2 + i] + 2 * pad[i] - dilation[i] * (c->in[1].dim[2 + i] - 1) - 1;
        out->dim[2 + i] = reach / stride[i] + 1;
        if (out->dim[2 + i] < 0) return false;
    }
    return true;
}

/* Input channels / groups is the weight's second dimension. */
static int64_t convolution_flops(const tt_shape *out, const tt_shape *weight)
{
    int64_t v[] = {2, tt_shapes_elements(out), tt_shapes_product(weight->dim + 1, weight->n - 1)};
    return tt_shapes_product(v, 3);
}

static cost convolution(const call *c, const struct formula *f)
{
    tt_shape out;
    if (f->a == 3 && tt_shapes_true(c->concrete, 6)) { /* transposed: each element of the input meets all weights */
        if (c->n < 2 || c->in[0].n < 3 || c->in[1].n != c->in[0].n) return unknown;
        return (cost){convolution_flops(&c->in[0], &c->in[1]), TT_UNKNOWN};
    }
    if (!convolved(c, f, &out)) return unknown;
    return (cost){convolution_flops(&out, &c->in[1]), moved(c, 0, 1, &out, 0)};
}

enum { BACKWARD_TRANSPOSED = 7, BACKWARD_MASK = 10 }; /* parameters of aten::convolution_backward */

/* The gradients of the input and of the weight cost a convolution each, as far as the mask asks for them (both when
 * it was not recorded). a: gradient of the result, b: weight. TRANSPOSES: the convolution may be transposed, its
 * input is the smaller then. */
static cost convolution_backward(const call *c, const struct formula *f)
{
    bool mask[3] = {true, true, true};
    (void)tt_shapes_flags(c->concrete, BACKWARD_MASK, mask, 3);
    int sums = f->flags & TRANSPOSES && tt_shapes_true(c->concrete, BACKWARD_TRANSPOSED) ? 1 - f->a : f->a;
    if (sums >= c->n || f->b >= c->n || c->in[sums].n < 3 || c->in[f->b].n != c->in[sums].n) return unknown;
    cost r = {times(convolution_flops(&c->in[sums], &c->in[f->b]), mask[0] + mask[1]), TT_UNKNOWN};
    if (!(f->flags & ROOFLINE)) return r;
    int64_t input = bytes_of(c, &c->in[1 - f->a], 1 - f->a), weight = bytes_of(c, &c->in[f->b], f->b);
    r.bytes = tt_flops_plus(bytes_of(c, &c->in[f->a], f->a),
                            tt_flops_plus(times(input, 1 + mask[0]), times(weight, 1 + mask[1])));
    return r;
}

/* Attention. a: input of the queries, before keys and values; b: parameter for a causal mask. Shapes are batch,
 * heads, tokens, features (HEADS_LAST: batch, tokens, heads, features). The backward pass has five products, the
 * forward pass two. */
static cost attention(const call *c, const struct formula *f)
{
    int q = f->a, tokens = f->flags & HEADS_LAST ? 1 : 2, heads = 3 - tokens;
    if (!has(c, q, 4) || !has(c, q + 1, 4) || !has(c, q + 2, 4)) return unknown;
    const int64_t *a = c->in[q].dim, *k = c->in[q + 1].dim, *v = c->in[q + 2].dim;
    int64_t features = f->flags & BACKWARD ? 3 * a[3] + 2 * v[3] : a[3] + v[3];
    int64_t all[] = {2, a[0], a[heads], a[tokens], k[tokens], features};
    int64_t flops = tt_shapes_product(all, 6);
    if (flops != TT_UNKNOWN && a[tokens] == k[tokens] && tt_shapes_true(c->concrete, f->b)) flops /= 2;
    tt_shape out = c->in[q];
    out.dim[3] = v[3];
    if (!(f->flags & BACKWARD)) return (cost){flops, moved(c, q, q + 2, &out, q)};
    if (!(f->flags & ROOFLINE)) return (cost){flops, TT_UNKNOWN};
    int64_t in = bytes_of(c, &out, q); /* result and its gradient; queries, keys, values and their gradients */
    for (int i = q; i <= q + 2; i++) in = tt_flops_plus(in, bytes_of(c, &c->in[i], i));
    return (cost){flops, times(in, 2)};
}

/* `a` operations per element of input 0. Inputs 0 to b are read once, a result like input 0 is written. */
static cost elements(const call *c, const struct formula *f)
{
    if (c->n < 1) return unknown;
    return (cost){times(tt_shapes_elements(&c->in[0]), f->a), moved(c, 0, f->b, &c->in[0], 0)};
}

/* Shape of the result of two inputs, with the smaller one repeated. */
static bool broadcast(const tt_shape *a, const tt_shape *b, tt_shape *out)
{
    out->n = a->n > b->n ? a->n : b->n;
    for (int i = 1; i <= out->n; i++) { /* dimensions from the last */
        int64_t x = i <= a->n ? a->dim[a->n - i] : 1, y = i <= b->n ? b->dim[b->n - i] : 1;
        if (x != y && x != 1 && y != 1) return false;
        out->dim[out->n - i] = x == 1 ? y : x;
    }
    return true;
}

/* Two inputs, the second perhaps a number. PyTorch counts the elements of the first input, whatever the result has. */
static cost pairs(const call *c, const struct formula *f)
{
    tt_shape out;
    if (c->n < 1) return unknown;
    cost r = {tt_shapes_elements(&c->in[0]), TT_UNKNOWN};
    if (c->n < 2 || !broadcast(&c->in[0], &c->in[1], &out)) return f->flags & TORCH ? r : unknown;
    if (!(f->flags & TORCH)) r.flops = tt_shapes_elements(&out);
    bool number = !c->in[1].n && !tt_shapes_element_bytes(c->types, 1);
    r.bytes = moved(c, 0, number ? 0 : 1, &out, 0);
    return r;
}

/* Nothing is computed. a: input read, b: input written. */
static cost copy(const call *c, const struct formula *f)
{
    if (f->a >= c->n || f->b >= c->n) return unknown;
    return (cost){0, tt_flops_plus(bytes_of(c, &c->in[f->a], f->a), bytes_of(c, &c->in[f->b], f->b))};
}

/* Operations per element. Softmax: a difference, an exponential, a division. Norm: two sums, difference and division
 * by the deviation, scale and shift. Norm without mean (RMS): a square, a sum, division, scale. Backward of softmax:
 * a product, its sum, a difference, a product. Backward of a norm: the normalised element again (2), two sums with a
 * product (3), the gradient (4), gradients of scale and shift (3). */
enum { SOFTMAX = 3, NORM = 7, NORM_RMS = 4, SOFTMAX_BACKWARD = 4, NORM_BACKWARD = 12 };

static const struct formula formulas[] = {
    {"aten::mm", product, 0, 2, TORCH},
    {"aten::addmm", product, 1, 2, TORCH},
    {"aten::bmm", product, 0, 3, TORCH},
    {"aten::baddbmm", product, 1, 3, TORCH},
    {"aten::conv2d", convolution, 3, 4, TORCH},
    {"aten::mul", pairs, 0, 0, TORCH},
    {"aten::add", pairs, 0, 0, TORCH},
    {"aten::linear", linear, 0, 0, 0},
    {"aten::conv1d", convolution, 3, 4, 0},
    {"aten::conv3d", convolution, 3, 4, 0},
    {"aten::convolution", convolution, 3, 4, 0},
    {"aten::_convolution", convolution, 3, 4, 0},
    {"aten::cudnn_convolution", convolution, 3, 2, 0},
    {"aten::miopen_convolution", convolution, 4, 3, 0},
    {"aten::convolution_backward", convolution_backward, 0, 2, TRANSPOSES},
    {"aten::cudnn_convolution_backward", convolution_backward, 1, 2, 0},
    {"aten::scaled_dot_product_attention", attention, 0, 5, 0},
    {"aten::_scaled_dot_product_flash_attention", attention, 0, 4, 0},
    {"aten::_scaled_dot_product_efficient_attention", attention, 0, 6, 0},
    {"aten::_scaled_dot_product_cudnn_attention", attention, 0, 6, 0},
    {"aten::_flash_attention_forward", attention, 0, 8, HEADS_LAST | INNER},
    {"aten::_scaled_dot_product_flash_attention_backward", attention, 1, 11, BACKWARD},
    {"aten::_scaled_dot_product_efficient_attention_backward", attention, 1, 11, BACKWARD},
    {"aten::_scaled_dot_product_cudnn_attention_backward", attention, 1, 14, BACKWARD},
    {"aten::_flash_attention_backward", attention, 1, 11, BACKWARD | HEADS_LAST},
    {"aten::_softmax", elements, SOFTMAX, 0, NORMS},
    {"aten::softmax", elements, SOFTMAX, 0, NORMS},
    {"aten::_log_softmax", elements, SOFTMAX, 0, NORMS},
    {"aten::log_softmax", elements, SOFTMAX, 0, NORMS},
    {"aten::layer_norm", elements, NORM, 0, NORMS},
    {"aten::native_layer_norm", elements, NORM, 0, NORMS},
    {"aten::batch_norm", elements, NORM, 0, NORMS},
    {"aten::native_batch_norm", elements, NORM, 0, NORMS},
    {"aten::cudnn_batch_norm", elements, NORM, 0, NORMS},
    {"aten::miopen_batch_norm", elements, NORM, 0, NORMS},
    {"aten::group_norm", elements, NORM, 0, NORMS},
    {"aten::native_group_norm", elements, NORM, 0, NORMS},
    {"aten::relu", elements, 1, 0, 0},
    {"aten::relu_", elements, 1, 0, 0},
    {"aten::gelu", elements, 1, 0, 0},
    {"aten::silu", elements, 1, 0, 0},
    {"aten::silu_", elements, 1, 0, 0},
    {"aten::sigmoid", elements, 1, 0, 0},
    {"aten::tanh", elements, 1, 0, 0},
    {"aten::exp", elements, 1, 0, 0},
    {"aten::sqrt", elements, 1, 0, 0},
    {"aten::neg", elements, 1, 0, 0},
    {"aten::add_", pairs, 0, 0, 0},
    {"aten::sub", pairs, 0, 0, 0},
    {"aten::mul_", pairs, 0, 0, 0},
    {"aten::div", pairs, 0, 0, 0},
    {"aten::div_", pairs, 0, 0, 0},
    {"aten::copy_", copy, 1, 0, 0},
    /* entries for the roofline alone */
    {"aten::add", pairs, 0, 0, ROOFLINE},
    {"aten::mul", pairs, 0, 0, ROOFLINE},
    {"aten::sub_", pairs, 0, 0, ROOFLINE},
    {"aten::rsub", pairs, 0, 0, ROOFLINE},
    {"aten::maximum", pairs, 0, 0, ROOFLINE},
    {"aten::minimum", pairs, 0, 0, ROOFLINE},
    {"matmul dygraph", product_any, 0, 0, ROOFLINE},
    {"add dygraph", pairs, 0, 0, ROOFLINE},
    {"subtract dygraph", pairs, 0, 0, ROOFLINE},
    {"multiply dygraph", pairs, 0, 0, ROOFLINE},
    {"divide dygraph", pairs, 0, 0, ROOFLINE},
    {"relu dygraph", elements, 1, 0, ROOFLINE},
    {"gelu dygraph", elements, 1, 0, ROOFLINE},
    {"silu dygraph", elements, 1, 0, ROOFLINE},
    {"sigmoid dygraph", elements, 1, 0, ROOFLINE},
    {"tanh dygraph", elements, 1, 0, ROOFLINE},
    {"softmax dygraph", elements, SOFTMAX, 0, NORMS | ROOFLINE},
    {"layer_norm dygraph", elements, NORM, 0, NORMS | ROOFLINE},
    {"aten::_addmm_activation", product, 1, 2, ROOFLINE},
    {"aten::_scaled_mm", product_scaled, 0, 2, ROOFLINE},
    {"aten::convolution_backward", convolution_backward, 0, 2, TRANSPOSES | ROOFLINE},
    {"aten::cudnn_convolution_backward", convolution_backward, 1, 2, ROOFLINE},
    {"aten::miopen_convolution_backward", convolution_backward, 1, 2, ROOFLINE},
    {"aten::_scaled_dot_product_flash_attention_backward", attention, 1, 11, BACKWARD | ROOFLINE},
    {"aten::_scaled_dot_product_efficient_attention_backward", attention, 1, 11, BACKWARD | ROOFLINE},
    {"aten::_scaled_dot_product_cudnn_attention_backward", attention, 1, 14, BACKWARD | ROOFLINE},
    {"aten::_flash_attention_backward", attention, 1, 11, BACKWARD | HEADS_LAST | ROOFLINE | INNER},
    {"flash_attn::_flash_attn_forward", attention, 0, 5, HEADS_LAST | ROOFLINE},
    {"flash_attn::_flash_attn_backward", attention, 1, 11, BACKWARD | HEADS_LAST | ROOFLINE},
    {"aten::_softmax_backward_data", elements, SOFTMAX_BACKWARD, 1, NORMS | ROOFLINE},
    {"aten::_log_softmax_backward_data", elements, SOFTMAX_BACKWARD, 1, NORMS | ROOFLINE},
    {"aten::native_layer_norm_backward", elements, NORM_BACKWARD, 1, NORMS | ROOFLINE},
    {"aten::native_batch_norm_backward", elements, NORM_BACKWARD, 1, NORMS | ROOFLINE},
    {"aten::cudnn_batch_norm_backward", elements, NORM_BACKWARD, 1, NORMS | ROOFLINE},
    {"aten::miopen_batch_norm_backward", elements, NORM_BACKWARD, 1, NORMS | ROOFLINE},
    {"aten::native_group_norm_backward", elements, NORM_BACKWARD, 1, NORMS | ROOFLINE},
    {"aten::_fused_rms_norm", elements, NORM_RMS, 0, NORMS | ROOFLINE},
    {"aten::threshold_backward", elements, 1, 1, ROOFLINE},
    {"aten::gelu_backward", elements, 1, 1, ROOFLINE},
    {"aten::silu_backward", elements, 1, 1, ROOFLINE},
    {"aten::sigmoid_backward", elements, 1, 1, ROOFLINE},
    {"aten::tanh_backward", elements, 1, 1, ROOFLINE},
    {"aten::addcmul_", elements, 3, 2, ROOFLINE},
    {"aten::addcdiv_", elements, 3, 2, ROOFLINE},
    {"aten::abs", elements, 1, 0, ROOFLINE},
    {"aten::log", elements, 1, 0, ROOFLINE},
    {"aten::rsqrt", elements, 1, 0, ROOFLINE},
    {"aten::reciprocal", elements, 1, 0, ROOFLINE},
    {"aten::pow", elements, 1, 0, ROOFLINE},
    {"aten::clamp", elements, 1, 0, ROOFLINE},
    {"aten::clamp_", elements, 1, 0, ROOFLINE},
    {"aten::clamp_min", elements, 1, 0, ROOFLINE},
    {"aten::sin", elements, 1, 0, ROOFLINE},
    {"aten::cos", elements, 1, 0, ROOFLINE},
    {"aten::erf", elements, 1, 0, ROOFLINE},
    {"aten::exp_", elements, 1, 0, ROOFLINE},
    {"aten::sqrt_", elements, 1, 0, ROOFLINE},
    {"aten::tanh_", elements, 1, 0, ROOFLINE},
    {"aten::sigmoid_", elements, 1, 0, ROOFLINE},
    {"aten::neg_", elements, 1, 0, ROOFLINE},
    {"aten::leaky_relu", elements, 1, 0, ROOFLINE},
    {"aten::hardtanh", elements, 1, 0, ROOFLINE},
    {"aten::hardswish", elements, 1, 0, ROOFLINE},
    {"aten::elu", elements, 1, 0, ROOFLINE},
    {"aten::mish", elements, 1, 0, ROOFLINE},
    {"aten::softplus", elements, 1, 0, ROOFLINE},
};
enum { N_FORMULAS = sizeof formulas / sizeof *formulas };

struct tt_flops {
    const tt_trace *s;
    uint8_t *formula; /* per name: index of the formula + 1, 0 = none */
    tt_groups groups; /* groups by (name, op_args) */
    TT_VEC(tt_op_work) value;
    uint32_t *like; /* per op_args the last name's group, as arguments mostly belong to one name */
};
_Static_assert(N_FORMULAS < 255, "one byte a name");

static bool counts(const struct formula *f, tt_flops_of_what what)
{
    return what == TT_FLOPS_ROOFLINE || (!(f->flags & ROOFLINE) && (what == TT_FLOPS_TABLES || f->flags & TORCH));
}

static tt_sid name_of(const tt_trace *s, const struct formula *f)
{
    return tt_strings_find(&s->strings, f->name, strlen(f->name));
}

tt_flops *tt_flops_new(const tt_trace *s, tt_flops_of_what what)
{
    tt_flops *f = tt_calloc(1, sizeof *f);
    f->s = s;
    f->formula = tt_calloc(s->strings.text.n, sizeof *f->formula);
    f->like = tt_calloc(s->n_op_args + (size_t)1, sizeof *f->like);
    tt_groups_init(&f->groups);
    for (int i = 0; i < N_FORMULAS; i++) {
        tt_sid name = name_of(s, &formulas[i]);
        if (name != UINT32_MAX && counts(&formulas[i], what)) f->formula[name] = (uint8_t)(i + 1);
    }
    return f;
}

void tt_flops_free(tt_flops *f)
{
    tt_groups_free(&f->groups);
    tt_vec_free(&f->value);
    free(f->formula);
    free(f->like);
    free(f);
}

bool tt_flops_any(const tt_trace *s)
{
    for (int i = 0; i < N_FORMULAS; i++)
        if (formulas[i].of != copy && name_of(s, &formulas[i]) != UINT32_MAX) return true;
    return false;
}

static tt_op_kind kind_of(const struct formula *f)
{
    if (f->of == product || f->of == product_scaled || f->of == product_any || f->of == linear) return TT_OP_GEMM;
    if (f->of == convolution || f->of == convolution_backward) return TT_OP_CONV;
    if (f->of == attention) return TT_OP_ATTENTION;
    if (f->of == copy) return TT_OP_NONE;
    return f->flags & NORMS ? TT_OP_NORM : TT_OP_ELEMENTWISE;
}

/* Index of the input whose type the operator computes in. */
static int type_input(const struct formula *f) { return f->of == product || f->of == attention ? f->a : 0; }

static tt_op_work work_of(const tt_op_args *a, const tt_strings *strings, const struct formula *f)
{
    call c = {.types = tt_str(strings, a->types), .concrete = tt_str(strings, a->concrete)};
    c.n = tt_shapes_read(tt_str(strings, a->shapes), c.in);
    cost v = f->of(&c, f);
    tt_op_work w = {.flops = v.flops, .bytes = v.bytes, .inner = (f->flags & INNER) != 0};
    if (v.flops <= 0) return w;
    w.kind = kind_of(f);
    w.type = tt_shapes_type(c.types, type_input(f));
    return w;
}

tt_op_work tt_op_work_of(tt_flops *f, tt_row r)
{
    const tt_trace *s = f->s;
    uint32_t formula = tt_row_kind(s, r) == TT_KIND_CPU_OP ? f->formula[s->name[r]] : 0;
    if (!formula) return (tt_op_work){.bytes = TT_UNKNOWN};
    uint32_t at = tt_groups_put_like(&f->groups, (tt_group_key){s->name[r], s->detail[r], 0}, &f->like[s->detail[r]]);
    if (at == f->value.n) {
        tt_op_work w = work_of(&s->op_args[s->detail[r]], &s->strings, &formulas[formula - 1]);
        *tt_vec_push(&f->value) = w;
    }
    return f->value.at[at];
}

int64_t tt_flops_of(tt_flops *f, tt_row r) { return tt_op_work_of(f, r).flops; }

int64_t tt_bytes_of(tt_flops *f, tt_row r) { return tt_op_work_of(f, r).bytes; }

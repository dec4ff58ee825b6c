/* model/summary/flops.c - products, convolutions and element-wise multiply and add, as PyTorch counts them; and the least that they
 * read and write. */
#include "model/summary/flops.h"

#include <stdlib.h>
#include <string.h>

#include "model/summary/group.h"

enum { MAX_INPUTS = 8, MAX_DIMS = 8 };

typedef struct shape {
    int n;
    int64_t dim[MAX_DIMS];
} shape;

typedef enum formula { MM, ADDMM, BMM, BADDBMM, CONV2D, ELEMENTS, FORMULA_COUNT_ } formula;

static const struct {
    const char *name;
    formula how;
} counted[] = {
    {"aten::mm", MM},         {"aten::addmm", ADDMM},  {"aten::bmm", BMM},      {"aten::baddbmm", BADDBMM},
    {"aten::conv2d", CONV2D}, {"aten::mul", ELEMENTS}, {"aten::add", ELEMENTS},
};
enum { COUNTED = sizeof counted / sizeof *counted };

typedef struct cost {
    int64_t flops, bytes;
} cost;

struct tt_flops {
    const tt_store *s;
    tt_sid name[COUNTED];
    tt_groups groups; /* (name, op_args) */
    TT_VEC(cost) value;
};

tt_flops *tt_flops_new(const tt_store *s)
{
    tt_flops *f = tt_calloc(1, sizeof *f);
    f->s = s;
    for (int i = 0; i < COUNTED; i++)
        f->name[i] = tt_strings_find(&s->strings, counted[i].name, strlen(counted[i].name));
    tt_groups_init(&f->groups);
    return f;
}

void tt_flops_free(tt_flops *f)
{
    tt_groups_free(&f->groups);
    tt_vec_free(&f->value);
    free(f);
}

static const char *blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* "[1, 2]" into a shape; the place behind it, NULL when it is something else. */
static const char *read_list(const char *p, shape *out)
{
    out->n = 0;
    if (*p != '[') return NULL;
    p = blanks(p + 1);
    while (*p && *p != ']') {
        char *end;
        int64_t v = strtoll(p, &end, 10);
        if (end == p || v < 0 || out->n == MAX_DIMS) return NULL;
        out->dim[out->n++] = v;
        p = blanks(end);
        if (*p == ',') p = blanks(p + 1);
    }
    return *p ? p + 1 : NULL;
}

/* "[[32, 64], [], [64, 8]]": shapes of the first inputs. An input that is no list of numbers (a list of tensors) ends it. */
static int read_shapes(const char *p, shape *in)
{
    int n = 0;
    p = blanks(p);
    if (*p != '[') return 0;
    p = blanks(p + 1);
    while (*p == '[' && n < MAX_INPUTS) {
        p = read_list(p, &in[n]);
        if (!p) break;
        n++;
        p = blanks(p);
        if (*p == ',') p = blanks(p + 1);
    }
    return n;
}

/* The text of item k of a JSON list of strings, without quotes; false when there is none. */
static bool string_item(const char *p, int k, char *out, size_t cap)
{
    for (p = blanks(p); *p && *p != '"'; p++) {}
    for (int i = 0; *p == '"'; i++) {
        const char *end = strchr(p + 1, '"');
        if (!end) return false;
        if (i == k) {
            size_t n = (size_t)(end - p - 1);
            if (n >= cap) return false;
            memcpy(out, p + 1, n);
            out[n] = '\0';
            return true;
        }
        for (p = end + 1; *p && *p != '"'; p++) {}
    }
    return false;
}

/* A pair of convolution parameters: "[1, 1]", "[1]" or "1". */
static bool read_pair(const char *concrete, int k, int64_t pair[2])
{
    char text[64];
    shape v;
    if (!string_item(concrete, k, text, sizeof text)) return false;
    if (text[0] != '[') {
        char *end;
        pair[0] = pair[1] = strtoll(text, &end, 10);
        return end != text;
    }
    if (!read_list(text, &v) || v.n < 1) return false;
    pair[0] = v.dim[0];
    pair[1] = v.n > 1 ? v.dim[1] : v.dim[0];
    return true;
}

/* Product of non-negative factors; TT_UNKNOWN on overflow. */
static int64_t product(const int64_t *v, int n)
{
    int64_t p = 1;
    for (int i = 0; i < n; i++)
        if (__builtin_mul_overflow(p, v[i], &p)) return TT_UNKNOWN;
    return p;
}

/* Height and width of the result. */
static bool conv2d_out(const shape *in, int n, const char *concrete, int64_t out[2])
{
    int64_t stride[2], pad[2], dilation[2];
    if (n < 2 || in[0].n != 4 || in[1].n != 4) return false;
    if (!read_pair(concrete, 3, stride) || !read_pair(concrete, 4, pad) || !read_pair(concrete, 5, dilation))
        return false;
    for (int i = 0; i < 2; i++) {
        if (stride[i] <= 0) return false;
        out[i] = (in[0].dim[2 + i] + 2 * pad[i] - dilation[i] * (in[1].dim[2 + i] - 1) - 1) / stride[i] + 1;
        if (out[i] < 0) return false;
    }
    return true;
}

static int64_t conv2d(const shape *in, int n, const char *concrete)
{
    int64_t out[2];
    if (!conv2d_out(in, n, concrete, out)) return TT_UNKNOWN;
    /* input channels / groups is the weight's second dimension */
    int64_t v[] = {2, in[0].dim[0], out[0], out[1], in[1].dim[2], in[1].dim[3], in[1].dim[1], in[1].dim[0]};
    return product(v, 8);
}

static int64_t matrix(const shape *a, const shape *b, int dims)
{
    if (a->n != dims || b->n != dims) return TT_UNKNOWN;
    int64_t v[] = {2, a->dim[dims - 2], a->dim[dims - 1], b->dim[dims - 1], dims == 3 ? a->dim[0] : 1};
    return product(v, 5);
}

/* Bytes of an element of input k; 0 = unknown. */
static int64_t element_bytes(const char *types, int k)
{
    static const struct {
        const char *name;
        int bytes;
    } known[] = {
        {"float", 4},    {"c10::BFloat16", 2}, {"c10::Half", 2}, {"double", 8},      {"int", 4},           {"long", 8},
        {"long int", 8}, {"short", 2},         {"bool", 1},      {"signed char", 1}, {"unsigned char", 1},
    };
    char type[64];
    if (!string_item(types, k, type, sizeof type)) return 0;
    if (strncmp(type, "c10::Float8", 11) == 0) return 1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(type, known[i].name) == 0) return known[i].bytes;
    return 0;
}

/* The result of two inputs, the smaller one repeated. */
static bool broadcast(const shape *a, const shape *b, shape *out)
{
    out->n = a->n > b->n ? a->n : b->n;
    for (int i = 1; i <= out->n; i++) { /* dimensions from the last */
        int64_t x = i <= a->n ? a->dim[a->n - i] : 1, y = i <= b->n ? b->dim[b->n - i] : 1;
        if (x != y && x != 1 && y != 1) return false;
        out->dim[out->n - i] = x == 1 ? y : x;
    }
    return true;
}

/* The result of a product of the inputs k and k + 1. */
static bool product_shape(const shape *in, int n, int k, int dims, shape *out)
{
    if (n < k + 2 || in[k].n != dims || in[k + 1].n != dims) return false;
    *out = in[k];
    out->dim[dims - 1] = in[k + 1].dim[dims - 1];
    return true;
}

/* Inputs and result, each once. The result has the type of the first input that takes part in the product. */
static int64_t bytes_moved(const tt_store *s, formula how, const tt_op_args *a)
{
    shape in[MAX_INPUTS], out;
    const char *types = tt_str(&s->strings, a->types);
    int n = read_shapes(tt_str(&s->strings, a->shapes), in), inputs = how == ADDMM || how == BADDBMM ? 3 : 2;
    int64_t hw[2], sum = 0;
    bool known;
    switch (how) {
    case MM: known = product_shape(in, n, 0, 2, &out); break;
    case ADDMM: known = product_shape(in, n, 1, 2, &out); break;
    case BMM: known = product_shape(in, n, 0, 3, &out); break;
    case BADDBMM: known = product_shape(in, n, 1, 3, &out); break;
    case CONV2D:
        known = conv2d_out(in, n, tt_str(&s->strings, a->concrete), hw);
        if (known) out = (shape){4, {in[0].dim[0], in[1].dim[0], hw[0], hw[1]}};
        break;
    default: known = n >= 2 && broadcast(&in[0], &in[1], &out); break;
    }
    for (int i = 0; known && i <= inputs; i++) {
        const shape *x = i < inputs ? &in[i] : &out;
        int64_t all[MAX_DIMS + 1] = {element_bytes(types, i < inputs ? i : inputs == 3)};
        if (how == ELEMENTS && i == 1 && !x->n && !all[0]) continue; /* a number, not a tensor */
        memcpy(all + 1, x->dim, (size_t)x->n * sizeof *all);
        int64_t bytes = all[0] ? product(all, x->n + 1) : TT_UNKNOWN;
        if (bytes == TT_UNKNOWN || __builtin_add_overflow(sum, bytes, &sum)) return TT_UNKNOWN;
    }
    return known ? sum : TT_UNKNOWN;
}

static int64_t flops(const tt_store *s, formula how, const tt_op_args *a)
{
    shape in[MAX_INPUTS];
    int n = read_shapes(tt_str(&s->strings, a->shapes), in);
    switch (how) {
    case MM: return n < 2 ? TT_UNKNOWN : matrix(&in[0], &in[1], 2);
    case ADDMM: return n < 3 ? TT_UNKNOWN : matrix(&in[1], &in[2], 2);
    case BMM: return n < 2 ? TT_UNKNOWN : matrix(&in[0], &in[1], 3);
    case BADDBMM: return n < 3 ? TT_UNKNOWN : matrix(&in[1], &in[2], 3);
    case CONV2D: return conv2d(in, n, tt_str(&s->strings, a->concrete));
    default: return n < 1 ? TT_UNKNOWN : product(in[0].dim, in[0].n);
    }
}

static cost cost_of(tt_flops *f, tt_row r)
{
    const cost none = {0, TT_UNKNOWN};
    if (tt_row_kind(f->s, r) != TT_KIND_CPU_OP) return none;
    for (int i = 0; i < COUNTED; i++) {
        if (f->s->name[r] != f->name[i]) continue;
        uint32_t at = tt_groups_put(&f->groups, (tt_group_key){f->s->name[r], f->s->side[r], 0});
        const tt_op_args *a = &f->s->op_args[f->s->side[r]];
        if (at == f->value.n)
            *tt_vec_push(&f->value) = (cost){flops(f->s, counted[i].how, a), bytes_moved(f->s, counted[i].how, a)};
        return f->value.at[at];
    }
    return none;
}

int64_t tt_flops_of(tt_flops *f, tt_row r) { return cost_of(f, r).flops; }

int64_t tt_bytes_of(tt_flops *f, tt_row r) { return cost_of(f, r).bytes; }

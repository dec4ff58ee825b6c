/* model/summary/flops.c - products, convolutions and element-wise multiply and add, as PyTorch counts them. */
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

struct tt_flops {
    const tt_store *s;
    tt_sid name[COUNTED];
    tt_groups groups; /* (name, op_args) */
    TT_VEC(int64_t) value;
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

static int64_t conv2d(const shape *in, int n, const char *concrete)
{
    int64_t stride[2], pad[2], dilation[2], out[2];
    if (n < 2 || in[0].n != 4 || in[1].n != 4) return TT_UNKNOWN;
    if (!read_pair(concrete, 3, stride) || !read_pair(concrete, 4, pad) || !read_pair(concrete, 5, dilation))
        return TT_UNKNOWN;
    for (int i = 0; i < 2; i++) {
        if (stride[i] <= 0) return TT_UNKNOWN;
        out[i] = (in[0].dim[2 + i] + 2 * pad[i] - dilation[i] * (in[1].dim[2 + i] - 1) - 1) / stride[i] + 1;
        if (out[i] < 0) return TT_UNKNOWN;
    }
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

static int64_t evaluate(const tt_store *s, formula how, const tt_op_args *a)
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

int64_t tt_flops_of(tt_flops *f, tt_row r)
{
    if (tt_row_kind(f->s, r) != TT_KIND_CPU_OP) return 0;
    for (int i = 0; i < COUNTED; i++) {
        if (f->s->name[r] != f->name[i]) continue;
        uint32_t at = tt_groups_put(&f->groups, (tt_group_key){f->s->name[r], f->s->side[r], 0});
        if (at == f->value.n) *tt_vec_push(&f->value) = evaluate(f->s, counted[i].how, &f->s->op_args[f->s->side[r]]);
        return f->value.at[at];
    }
    return 0;
}

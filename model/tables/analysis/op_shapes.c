/* model/tables/analysis/op_shapes.c - reading the inputs of an operator call: see op_shapes.h. */
#include "model/tables/analysis/op_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "model/trace/trace.h"

/* The inside of the list at p, walked with tt_json_item(); NULL when it is none. */
static const char *list(const char *p, const char **end)
{
    *end = p + strlen(p);
    p = tt_json_blanks(p, *end);
    return *p == '[' ? p + 1 : NULL;
}

/* "[1, 2]" into a shape; false when it is something else. */
static bool read_list(const char *p, const char *e, tt_shape *out)
{
    tt_json_member m;
    out->n = 0;
    if (*p != '[' || e[-1] != ']') return false;
    for (p++; tt_json_item(&p, e, &m);) {
        char *end;
        int64_t v = strtoll(m.value, &end, 10);
        if (end != m.value + m.value_n || v < 0 || out->n == TT_SHAPE_DIMS) return false;
        out->dim[out->n++] = v;
    }
    return true;
}

int tt_shapes_read(const char *p, tt_shape in[TT_SHAPE_INPUTS])
{
    const char *e;
    tt_json_member m;
    int n = 0;
    p = list(p, &e);
    while (p && n < TT_SHAPE_INPUTS && tt_json_item(&p, e, &m)) {
        if (!read_list(m.value, m.value + m.value_n, &in[n])) break;
        n++;
    }
    return n;
}

/* The text of item k of a JSON list of strings, without quotes; false when there is none. */
static bool string_item(const char *p, int k, char *out, size_t cap)
{
    const char *e;
    tt_json_member m;
    p = list(p, &e);
    for (int i = 0; p && tt_json_item(&p, e, &m);) {
        if (m.value_n < 2 || *m.value != '"' || i++ < k) continue;
        if (m.value_n - 2 >= cap) return false;
        memcpy(out, m.value + 1, m.value_n - 2);
        out[m.value_n - 2] = '\0';
        return true;
    }
    return false;
}

int tt_shapes_numbers(const char *concrete, int k, int64_t *out, int most)
{
    char text[64], *end;
    tt_shape v;
    if (!string_item(concrete, k, text, sizeof text)) return 0;
    if (text[0] != '[') {
        *out = strtoll(text, &end, 10);
        return end != text && most > 0;
    }
    if (!read_list(text, text + strlen(text), &v)) return 0;
    int n = v.n < most ? v.n : most;
    memcpy(out, v.dim, (size_t)n * sizeof *out);
    return n;
}

bool tt_shapes_true(const char *concrete, int k)
{
    char text[8];
    return string_item(concrete, k, text, sizeof text) && (!strcmp(text, "True") || !strcmp(text, "true"));
}

int tt_shapes_flags(const char *concrete, int k, bool *out, int most)
{
    char text[64];
    const char *e;
    tt_json_member m;
    int n = 0;
    const char *p = string_item(concrete, k, text, sizeof text) ? list(text, &e) : NULL;
    while (p && n < most && tt_json_item(&p, e, &m) && strchr("TtFf", *m.value))
        out[n++] = *m.value == 'T' || *m.value == 't';
    return n;
}

int64_t tt_shapes_product(const int64_t *v, int n)
{
    int64_t p = 1;
    for (int i = 0; i < n; i++)
        if (v[i] < 0 || __builtin_mul_overflow(p, v[i], &p)) return TT_UNKNOWN;
    return p;
}

int64_t tt_shapes_elements(const tt_shape *s) { return tt_shapes_product(s->dim, s->n); }

int64_t tt_shapes_element_bytes(const char *types, int k)
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

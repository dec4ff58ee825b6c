/* model/tables/analysis/names/op_shapes.c - reading the inputs of an operator call: see op_shapes.h. */
#include "model/tables/analysis/names/op_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/names/element_type.h"
#include "model/text/json_text.h"
#include "model/trace/trace.h"

/* Inside of the list at p, for tt_json_item(); NULL when p is no list. */
static const char *list(const char *p, const char **end)
{
    *end = p + strlen(p);
    p = tt_json_blanks(p, *end);
    return *p == '[' ? p + 1 : NULL;
}

/* Read "[1, 2]" into a shape; false when it is something else. */
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

/* First item of input k in an object of lists; false when there is none. */
static bool named_item(const char *text, int k, tt_json_member *out)
{
    const char *e = text + strlen(text), *p = tt_json_blanks(text, e);
    tt_json_member m = {0};
    if (*p != '{') return false;
    bool main_input = tt_json_find(p, e, "x", &m) || tt_json_find(p, e, "input", &m);
    int i = main_input ? 1 : 0;
    bool found = main_input && k == 0;
    for (p++; !found && tt_json_next(&p, e, &m);)
        found = (!main_input || (!tt_json_is(&m, "x") && !tt_json_is(&m, "input"))) && i++ == k;
    if (!found || !m.value_n || *m.value != '[') return false;
    p = m.value + 1;
    return tt_json_item(&p, m.value + m.value_n, out);
}

int tt_shapes_read(const char *p, tt_shape in[TT_SHAPE_INPUTS])
{
    const char *e;
    tt_json_member m;
    int n = 0;
    for (; n < TT_SHAPE_INPUTS && named_item(p, n, &m); n++)
        if (!read_list(m.value, m.value + m.value_n, &in[n])) return n;
    p = list(p, &e);
    while (p && n < TT_SHAPE_INPUTS && tt_json_item(&p, e, &m)) {
        if (!read_list(m.value, m.value + m.value_n, &in[n])) break;
        n++;
    }
    return n;
}

/* Text of item k of a JSON list of strings, without quotes; false when there is none. */
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

/* Name of the type of input k, from a list or from an object that names its inputs. */
static bool type_item(const char *types, int k, char *out, size_t cap)
{
    tt_json_member m;
    if (!named_item(types, k, &m)) return string_item(types, k, out, cap);
    if (m.value_n <= 2 || m.value_n - 2 >= cap || *m.value != '"') return false;
    memcpy(out, m.value + 1, m.value_n - 2);
    out[m.value_n - 2] = '\0';
    return true;
}

int64_t tt_shapes_element_bytes(const char *types, int k)
{
    char type[64];
    return type_item(types, k, type, sizeof type) ? tt_element_bytes(type, strlen(type)) : 0;
}

tt_data_type tt_shapes_type(const char *types, int k)
{
    char type[64];
    return type_item(types, k, type, sizeof type) ? tt_element_type(type, strlen(type)) : TT_DATA_OTHER;
}

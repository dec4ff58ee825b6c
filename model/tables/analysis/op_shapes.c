/* model/tables/analysis/op_shapes.c - reading the inputs of an operator call: see op_shapes.h. */
#include "model/tables/analysis/op_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "model/trace/trace.h"

static const char *blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* "[1, 2]" into a shape; the place behind it, NULL when it is something else. */
static const char *read_list(const char *p, tt_shape *out)
{
    out->n = 0;
    if (*p != '[') return NULL;
    p = blanks(p + 1);
    while (*p && *p != ']') {
        char *end;
        int64_t v = strtoll(p, &end, 10);
        if (end == p || v < 0 || out->n == TT_SHAPE_DIMS) return NULL;
        out->dim[out->n++] = v;
        p = blanks(end);
        if (*p == ',') p = blanks(p + 1);
    }
    return *p ? p + 1 : NULL;
}

int tt_shapes_read(const char *p, tt_shape in[TT_SHAPE_INPUTS])
{
    int n = 0;
    p = blanks(p);
    if (*p != '[') return 0;
    p = blanks(p + 1);
    while (*p == '[' && n < TT_SHAPE_INPUTS) {
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

int tt_shapes_numbers(const char *concrete, int k, int64_t *out, int most)
{
    char text[64], *end;
    tt_shape v;
    if (!string_item(concrete, k, text, sizeof text)) return 0;
    if (text[0] != '[') {
        *out = strtoll(text, &end, 10);
        return end != text && most > 0;
    }
    if (!read_list(text, &v)) return 0;
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
    int n = 0;
    if (!string_item(concrete, k, text, sizeof text) || text[0] != '[') return 0;
    for (const char *p = blanks(text + 1); n < most && (*p == 'T' || *p == 't' || *p == 'F' || *p == 'f');) {
        out[n++] = *p == 'T' || *p == 't';
        p += strcspn(p, ",]");
        if (*p == ',') p = blanks(p + 1);
    }
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

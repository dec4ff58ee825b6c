/* parser/json/index_scalar.c - a scalar indexer for damaged text. See index_scalar.h. */
#include "parser/json/index_scalar.h"

#include <string.h>

#include "model/text/json_text.h"
#include "model/text/text_safety.h"

struct string_faults {
    bool utf8, control, quote;
};

/* The place behind the string whose opening quote is at p; NULL when the text ends first. */
static const char *skip_string(const char *p, const char *e, struct string_faults *f)
{
    *f = (struct string_faults){0};
    for (p++; p < e;) {
        unsigned char c = (unsigned char)*p;
        if (c == '\\') {
            p += 2;
        } else if (c == '"') {
            if (tt_json_ends_string(p, e)) return p + 1;
            f->quote = true;
            p++;
        } else if (c < 0x20) {
            f->control = true;
            p++;
        } else if (c < 0x80) {
            p++;
        } else {
            size_t n = tt_utf8_length(p, (size_t)(e - p));
            f->utf8 |= !n;
            p += n ? n : 1;
        }
    }
    return NULL;
}

static void report(tt_problems *problems, const struct string_faults *f, int64_t offset, const char *p, size_t len)
{
    if (f->utf8) tt_problem_add(problems, TT_PROBLEM_INVALID_UTF8, offset, p, len);
    if (f->control) tt_problem_add(problems, TT_PROBLEM_CONTROL_IN_STRING, offset, p, len);
    if (f->quote) tt_problem_add(problems, TT_PROBLEM_UNESCAPED_QUOTE, offset, p, len);
}

bool tt_tolerant_index(const char *text, size_t len, uint64_t base, tt_index_list *out, tt_problems *problems,
                       uint64_t noted)
{
    const char *p = text, *e = text + len;
    bool whole = true;
    out->n = 0;
    while (p < e) {
        char c = *p;
        if (tt_is_blank(c)) {
            p++;
            continue;
        }
        *tt_vec_push(out) = (uint32_t)(p - text);
        if (c == '"') {
            struct string_faults f;
            const char *q = skip_string(p, e, &f);
            whole = q != NULL;
            if (!whole) break;
            if (problems && base + (uint64_t)(p - text) >= noted)
                report(problems, &f, (int64_t)(base + (uint64_t)(p - text)), p, (size_t)(q - p));
            p = q;
        } else if (strchr("{}[]:,", c) && c) {
            p++;
        } else { /* a scalar, or garbage treated as one */
            while (p < e && !tt_is_blank(*p) && *p != '"' && !(strchr("{}[]:,", *p) && *p)) p++;
        }
    }
    tt_vec_reserve(out, out->n + 2);
    out->at[out->n] = out->at[out->n + 1] = (uint32_t)len;
    return whole;
}

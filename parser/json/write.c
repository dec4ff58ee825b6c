/* parser/json/write.c - the JSON writer: a small stack of what is open, as two bit sets. */
#include "parser/json/write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text_safety.h"

enum { MAX_DEPTH = 64 };

static bool bit(uint64_t set, uint32_t d) { return set >> d & 1; }

/* Comma, line end and indent in front of a value or a key. */
static void separate(tt_json *j)
{
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    if (!j->depth) return;
    uint32_t d = j->depth - 1;
    if (bit(j->has_items, d)) fputc(',', j->f);
    if (!bit(j->inline_at, d)) {
        fprintf(j->f, "\n%*s", (int)(2 * j->depth), "");
    } else if (bit(j->has_items, d)) {
        fputc(' ', j->f);
    }
    j->has_items |= (uint64_t)1 << d;
}

void tt_json_init(tt_json *j, FILE *f) { *j = (tt_json){.f = f}; }

void tt_json_open(tt_json *j, char what, bool one_line)
{
    assert(j->depth < MAX_DEPTH);
    separate(j);
    fputc(what, j->f);
    uint64_t b = (uint64_t)1 << j->depth;
    bool inner = j->depth && bit(j->inline_at, j->depth - 1);
    j->has_items &= ~b;
    j->inline_at = one_line || inner ? j->inline_at | b : j->inline_at & ~b;
    j->depth++;
}

void tt_json_close(tt_json *j, char what)
{
    assert(j->depth);
    j->depth--;
    if (bit(j->has_items, j->depth) && !bit(j->inline_at, j->depth)) fprintf(j->f, "\n%*s", (int)(2 * j->depth), "");
    fputc(what, j->f);
    if (!j->depth) fputc('\n', j->f);
}

static void put_text(tt_json *j, const char *s, size_t n)
{
    char small[512];
    size_t need = tt_sanitize_json(small, sizeof small, s, n);
    fputc('"', j->f);
    if (need < sizeof small) {
        fwrite(small, 1, need, j->f);
    } else {
        char *big = tt_malloc(need + 1);
        tt_sanitize_json(big, need + 1, s, n);
        fwrite(big, 1, need, j->f);
        free(big);
    }
    fputc('"', j->f);
}

void tt_json_key(tt_json *j, const char *key)
{
    separate(j);
    put_text(j, key, strlen(key));
    fputs(": ", j->f);
    j->after_key = true;
}

void tt_json_string(tt_json *j, const char *s, size_t n)
{
    if (!s) {
        tt_json_null(j);
        return;
    }
    separate(j);
    put_text(j, s, n);
}

void tt_json_text(tt_json *j, const char *s) { tt_json_string(j, s, s ? strlen(s) : 0); }

void tt_json_int(tt_json *j, int64_t v)
{
    separate(j);
    fprintf(j->f, "%" PRId64, v);
}

void tt_json_double(tt_json *j, double v)
{
    if (!isfinite(v)) {
        tt_json_null(j);
        return;
    }
    separate(j);
    fprintf(j->f, "%.15g", v + 0.0);
}

void tt_json_bool(tt_json *j, bool v)
{
    separate(j);
    fputs(v ? "true" : "false", j->f);
}

void tt_json_null(tt_json *j)
{
    separate(j);
    fputs("null", j->f);
}

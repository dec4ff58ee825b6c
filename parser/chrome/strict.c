/* parser/chrome/strict.c - times that are numbers, keys that are there once. See strict.h. */
#include "parser/chrome/strict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/strings.h"
#include "parser/json/number.h"
#include "parser/json/string.h"

enum { FEW = 24 }; /* keys that are compared each with each */

typedef struct member {
    const char *key, *value; /* the key with its quotes */
    size_t key_n, value_n;
} member;

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static const char *blanks(const char *p)
{
    while (is_blank(*p)) p++;
    return p;
}

/* The text is valid JSON, and a NUL follows it: nothing has to be checked. */
static const char *string_end(const char *p)
{
    for (p++; *p != '"'; p++) p += *p == '\\';
    return p + 1;
}

static const char *value_end(const char *p)
{
    size_t depth = 0;
    do {
        p = blanks(p);
        if (*p == '"') {
            p = string_end(p);
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            depth--;
            p++;
        } else if (*p == ',' || *p == ':') {
            p++;
        } else {
            while (*p && !is_blank(*p) && !strchr(",}]", *p)) p++;
        }
    } while (depth && *p);
    return p;
}

/* The next member of an object; *p begins behind its brace or a member. False at the end. */
static bool next(const char **p, member *m)
{
    const char *q = blanks(*p);
    if (*q == ',') q = blanks(q + 1);
    if (*q != '"') return false;
    m->key = q;
    q = string_end(q);
    m->key_n = (size_t)(q - m->key);
    m->value = blanks(blanks(q) + 1); /* behind the colon */
    *p = value_end(m->value);
    m->value_n = (size_t)(*p - m->value);
    return true;
}

static void put(tt_repair_text *t, const char *p, size_t n)
{
    tt_vec_reserve(t, t->n + n + 1);
    memcpy(t->at + t->n, p, n);
    t->n += n;
    t->at[t->n] = 0;
}

static void swap(tt_repair_text *a, tt_repair_text *b)
{
    tt_repair_text t = *a;
    *a = *b;
    *b = t;
}

/* ---- keys ---- */

typedef struct keys {
    TT_VEC(uint64_t) hashes; /* of the objects that are open */
    TT_VEC(char) text;       /* a key, decoded */
} keys;

/* The inside of a key as it reads; lives until the next call. */
static const char *decoded(keys *k, const char *key, size_t n, size_t *len)
{
    if (!memchr(key, '\\', n)) {
        *len = n - 2;
        return key + 1;
    }
    tt_vec_reserve(&k->text, n);
    *len = tt_json_unescape(key + 1, n - 2, k->text.at, NULL);
    return k->text.at;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool any_twice(uint64_t *at, size_t n)
{
    bool few = n <= FEW;
    if (!few) qsort(at, n, sizeof *at, by_value);
    for (size_t i = 1; i < n; i++) {
        for (size_t k = few ? 0 : i - 1; k < i; k++) {
            if (at[k] == at[i]) return true;
        }
    }
    return false;
}

/* Past the value at p. *twice is set when an object in it may have a key twice. */
static const char *scan(keys *k, const char *p, bool *twice)
{
    size_t first = k->hashes.n, len;
    p = blanks(p);
    if (*p != '{' && *p != '[') return value_end(p);
    bool object = *p == '{';
    for (p = blanks(p + 1); *p != '}' && *p != ']'; p = blanks(p)) {
        if (*p == ',') p = blanks(p + 1);
        if (object) {
            const char *end = string_end(p), *text = decoded(k, p, (size_t)(end - p), &len);
            *tt_vec_push(&k->hashes) = tt_hash(text, len);
            p = blanks(end) + 1;
        }
        p = scan(k, p, twice);
    }
    if (object && any_twice(k->hashes.at + first, k->hashes.n - first)) *twice = true;
    k->hashes.n = first;
    return p + 1;
}

static const char *rewrite(keys *k, const char *p, tt_repair_text *out, tt_strict *s);

static void rewrite_object(keys *k, const char *p, tt_repair_text *out, tt_strict *s)
{
    TT_VEC(member) all = {0};
    TT_VEC(uint32_t) last = {0}; /* by key, the number of the member that stays */
    TT_VEC(uint32_t) ids = {0};
    tt_strings names;
    member m;
    bool any = false;
    tt_strings_init(&names);
    while (next(&p, &m)) {
        size_t len;
        const char *text = decoded(k, m.key, m.key_n, &len);
        uint32_t id = tt_strings_put(&names, text, len);
        while (last.n <= id) *tt_vec_push(&last) = 0;
        last.at[id] = (uint32_t)all.n;
        *tt_vec_push(&ids) = id;
        *tt_vec_push(&all) = m;
    }
    put(out, "{", 1);
    for (size_t i = 0; i < all.n; i++) {
        if (last.at[ids.at[i]] != i) {
            s->keys++;
            continue;
        }
        if (any) put(out, ", ", 2);
        put(out, all.at[i].key, all.at[i].key_n);
        put(out, ": ", 2);
        rewrite(k, all.at[i].value, out, s);
        any = true;
    }
    put(out, "}", 1);
    tt_vec_free(&all);
    tt_vec_free(&last);
    tt_vec_free(&ids);
    tt_strings_free(&names);
}

/* The value at p into out, each key once. At most as deep as the mender lets it be. */
static const char *rewrite(keys *k, const char *p, tt_repair_text *out, tt_strict *s)
{
    p = blanks(p);
    const char *end = value_end(p);
    if (*p == '{') {
        rewrite_object(k, p + 1, out, s);
    } else if (*p == '[') {
        const char *sep = "[";
        for (p = blanks(p + 1); *p != ']'; p = blanks(p)) {
            if (*p == ',') p++;
            put(out, sep, strlen(sep));
            p = rewrite(k, p, out, s);
            sep = ", ";
        }
        put(out, *sep == '[' ? "[]" : "]", *sep == '[' ? 2 : 1);
    } else {
        put(out, p, (size_t)(end - p));
    }
    return end;
}

void tt_strict_value(tt_repair_text *v, tt_repair_text *scratch, tt_strict *s)
{
    keys k = {0};
    bool twice = false;
    put(v, "", 0);
    scan(&k, v->at, &twice);
    if (twice) {
        scratch->n = 0;
        rewrite(&k, v->at, scratch, s);
        swap(v, scratch);
    }
    tt_vec_free(&k.hashes);
    tt_vec_free(&k.text);
}

/* ---- times ---- */

typedef enum number { IS_ONE, IS_TEXT, IS_NONE } number;

/* 12, -0.5: as JSON has numbers, without an exponent. */
static bool is_plain(const char *p, const char *e)
{
    if (p < e && *p == '-') p++;
    if (p == e || !tt_is_digit(*p) || (*p == '0' && e - p > 1 && tt_is_digit(p[1]))) return false;
    while (p < e && tt_is_digit(*p)) p++;
    if (p < e && *p == '.' && e - p > 1) p++;
    while (p < e && tt_is_digit(*p)) p++;
    return p == e && tt_is_digit(e[-1]);
}

/* What the value is; of a text, and of a number that is too large for other readers, the number to write. */
static number number_of(const member *m, char out[48], bool *below)
{
    const char *p = m->value, *e = p + m->value_n;
    bool text = *p == '"', fraction = false;
    int64_t ns;
    if (text) p++, e--;
    while (p < e && is_blank(*p)) p++;
    while (p < e && is_blank(e[-1])) e--;
    *below = p < e && *p == '-';
    if ((!text && !tt_is_digit(*p) && *p != '-') || !tt_parse_us_slow(p, e, &ns, &fraction)) return IS_NONE;
    if (!text && isfinite(strtod(p, NULL))) return IS_ONE;
    if (is_plain(p, e) && e - p < 40 && ns < (int64_t)1 << 61 && ns > -((int64_t)1 << 61)) {
        snprintf(out, 48, "%.*s", (int)(e - p), p);
        return IS_TEXT;
    }
    if (ns >= (int64_t)1 << 61 || ns <= -((int64_t)1 << 61)) ns = 0; /* what the reader takes it for */
    uint64_t abs = ns < 0 ? 0u - (uint64_t)ns : (uint64_t)ns;
    snprintf(out, 48, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", abs / 1000, (unsigned)(abs % 1000));
    return IS_TEXT;
}

static bool is(const member *m, const char *key)
{
    return m->key_n == strlen(key) + 2 && !memcmp(m->key + 1, key, m->key_n - 2);
}

/* Does some time of the event have to change? */
static bool is_strict(const char *event)
{
    char text[48];
    bool slice = false, dur = false, good = true, below;
    const char *p = event + 1;
    for (member m; next(&p, &m);) {
        if (is(&m, "ph")) slice = m.value_n == 3 && m.value[1] == 'X';
        if (is(&m, "ts")) good = good && number_of(&m, text, &below) == IS_ONE;
        if (!is(&m, "dur")) continue;
        dur = true;
        good = good && number_of(&m, text, &below) == IS_ONE && !below;
    }
    return good && (dur || !slice);
}

static void put_member(tt_repair_text *out, const member *m, const char *value, size_t n)
{
    put(out, out->n > 1 ? ", " : "", out->n > 1 ? 2 : 0);
    put(out, m->key, m->key_n);
    put(out, ": ", 2);
    put(out, value, n);
}

static bool is_slice(const char *event)
{
    const char *p = event + 1;
    bool slice = false;
    for (member m; next(&p, &m);) {
        if (is(&m, "ph")) slice = m.value_n == 3 && m.value[1] == 'X';
    }
    return slice;
}

static void put_times(const char *event, tt_repair_text *out, tt_strict *s)
{
    const char *p = event + 1;
    bool slice = is_slice(event), dur = false;
    put(out, "{", 1);
    for (member m; next(&p, &m);) {
        char text[48];
        bool below, is_dur = is(&m, "dur");
        if (!is_dur && !is(&m, "ts")) {
            put_member(out, &m, m.value, m.value_n);
            continue;
        }
        number what = number_of(&m, text, &below);
        dur |= is_dur;
        if (is_dur && slice && (what == IS_NONE || below)) {
            put_member(out, &m, "0", 1);
            s->durations++;
        } else if (what == IS_ONE) {
            put_member(out, &m, m.value, m.value_n);
        } else {
            if (what == IS_TEXT) put_member(out, &m, text, strlen(text));
            s->numbers++;
        }
    }
    if (slice && !dur) {
        const member m = {.key = "\"dur\"", .key_n = 5};
        put_member(out, &m, "0", 1);
        s->durations++;
    }
    put(out, "}", 1);
}

void tt_strict_event(tt_repair_text *v, tt_repair_text *scratch, tt_strict *s)
{
    put(v, "", 0);
    if (!is_strict(v->at)) {
        scratch->n = 0;
        put_times(v->at, scratch, s);
        swap(v, scratch);
    }
    tt_strict_value(v, scratch, s);
}

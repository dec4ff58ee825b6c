/* parser/chrome/strict.c - makes times numbers and keys unique. See strict.h. */
#include "parser/chrome/strict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/text/strings.h"
#include "parser/json/number.h"
#include "parser/json/scan.h"
#include "parser/json/string.h"

enum { FEW = 24 }; /* most keys that are compared pairwise */

static void swap(tt_text *a, tt_text *b)
{
    tt_text t = *a;
    *a = *b;
    *b = t;
}

/* ---- keys ---- */

typedef struct keys {
    TT_VEC(uint64_t) hashes; /* hashes of the keys of all open objects */
    TT_VEC(char) text;       /* a key, decoded */
} keys;

/* Decoded inside of a key; valid until the next call. */
static const char *decoded(keys *k, const char *key, size_t n, size_t *len)
{
    *len = n;
    if (!memchr(key, '\\', n)) return key;
    tt_vec_reserve(&k->text, n);
    *len = tt_json_unescape(key, n, k->text.at, NULL);
    return k->text.at;
}

static bool any_twice(uint64_t *at, size_t n)
{
    bool few = n <= FEW;
    if (!few) TT_SORT_UP(at, n);
    for (size_t i = 1; i < n; i++) {
        for (size_t k = few ? 0 : i - 1; k < i; k++) {
            if (at[k] == at[i]) return true;
        }
    }
    return false;
}

/* Skip the value at p. *twice is set when an object in it may have a key twice. */
static const char *scan(keys *k, const char *p, const char *e, bool *twice)
{
    size_t first = k->hashes.n, len;
    if (*p != '{' && *p != '[') return tt_json_value_end(p, e);
    bool object = *p == '{';
    for (p = tt_json_blanks(p + 1, e); *p != '}' && *p != ']'; p = tt_json_blanks(p, e)) {
        if (*p == ',') p = tt_json_blanks(p + 1, e);
        if (object) {
            const char *end = tt_json_string_end(p, e), *text = decoded(k, p + 1, (size_t)(end - p) - 2, &len);
            *tt_vec_push(&k->hashes) = tt_hash(text, len);
            p = tt_json_blanks(tt_json_blanks(end, e) + 1, e); /* behind the colon */
        }
        p = scan(k, p, e, twice);
    }
    if (object && any_twice(k->hashes.at + first, k->hashes.n - first)) *twice = true;
    k->hashes.n = first;
    return p + 1;
}

static void put_member(tt_text *out, const tt_json_member *m, const char *sep)
{
    tt_text_put(out, sep, strlen(sep));
    tt_text_put(out, "\"", 1);
    tt_text_put(out, m->key, m->key_n);
    tt_text_put(out, "\": ", 3);
}

static void rewrite(keys *k, const tt_json_member *v, tt_text *out, tt_strict *s);

static void rewrite_object(keys *k, const char *p, const char *e, tt_text *out, tt_strict *s)
{
    TT_VEC(tt_json_member) all = {0};
    TT_VEC(uint32_t) last = {0}; /* number of the kept member, by key */
    TT_VEC(uint32_t) ids = {0};
    tt_strings names;
    tt_json_member m;
    const char *sep = "{";
    tt_strings_init(&names);
    while (tt_json_next(&p, e, &m)) {
        size_t len;
        const char *text = decoded(k, m.key, m.key_n, &len);
        uint32_t id = tt_strings_put(&names, text, len);
        while (last.n <= id) *tt_vec_push(&last) = 0;
        last.at[id] = (uint32_t)all.n;
        *tt_vec_push(&ids) = id;
        *tt_vec_push(&all) = m;
    }
    for (size_t i = 0; i < all.n; i++) {
        if (last.at[ids.at[i]] != i) {
            s->keys++;
            continue;
        }
        put_member(out, &all.at[i], sep);
        rewrite(k, &all.at[i], out, s);
        sep = ", ";
    }
    tt_text_put(out, *sep == '{' ? "{}" : "}", *sep == '{' ? 2 : 1);
    tt_vec_free(&all);
    tt_vec_free(&last);
    tt_vec_free(&ids);
    tt_strings_free(&names);
}

/* Write the value into out, each key once. Depth is limited by the mender. */
static void rewrite(keys *k, const tt_json_member *v, tt_text *out, tt_strict *s)
{
    const char *p = v->value, *e = p + v->value_n, *sep = "[";
    tt_json_member item;
    if (*p == '{') {
        rewrite_object(k, p + 1, e, out, s);
    } else if (*p == '[') {
        for (p++; tt_json_item(&p, e, &item); sep = ", ") {
            tt_text_put(out, sep, strlen(sep));
            rewrite(k, &item, out, s);
        }
        tt_text_put(out, *sep == '[' ? "[]" : "]", *sep == '[' ? 2 : 1);
    } else {
        tt_text_put(out, p, v->value_n);
    }
}

void tt_strict_value(tt_text *v, tt_text *scratch, tt_strict *s)
{
    keys k = {0};
    bool twice = false;
    tt_text_put(v, "", 0);
    const char *from = tt_json_blanks(v->at, v->at + v->n), *end = v->at + v->n;
    if (from < end) scan(&k, from, end, &twice);
    if (twice) {
        const tt_json_member whole = {.value = from, .value_n = (size_t)(end - from)};
        scratch->n = 0;
        rewrite(&k, &whole, scratch, s);
        swap(v, scratch);
    }
    tt_vec_free(&k.hashes);
    tt_vec_free(&k.text);
}

/* ---- times ---- */

typedef enum number { IS_ONE, IS_TEXT, IS_NONE } number;

/* Classify a value; out gets the number to write for a text, or for a number too large for other readers. */
static number number_of(const tt_json_member *m, char out[48], bool *below)
{
    const char *p = m->value, *e = p + m->value_n;
    bool text = *p == '"', fraction = false;
    int64_t ns;
    if (text) p++, e--;
    p = tt_json_blanks(p, e);
    while (p < e && tt_is_blank(e[-1])) e--;
    *below = p < e && *p == '-';
    if ((!text && !tt_is_digit(*p) && *p != '-') || !tt_parse_us_slow(p, e, &ns, &fraction)) return IS_NONE;
    if (!text && isfinite(strtod(p, NULL))) return IS_ONE;
    bool plain = tt_json_is_number(p, e) && !memchr(p, 'e', (size_t)(e - p)) && !memchr(p, 'E', (size_t)(e - p));
    if (plain && e - p < 40 && ns < (int64_t)1 << 61 && ns > -((int64_t)1 << 61)) {
        snprintf(out, 48, "%.*s", (int)(e - p), p);
        return IS_TEXT;
    }
    if (ns >= (int64_t)1 << 61 || ns <= -((int64_t)1 << 61)) ns = 0; /* the reader takes such a time for 0 */
    uint64_t abs = ns < 0 ? 0u - (uint64_t)ns : (uint64_t)ns;
    snprintf(out, 48, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", abs / 1000, (unsigned)(abs % 1000));
    return IS_TEXT;
}

static bool is_slice(const char *event, const char *e)
{
    tt_json_member ph;
    return tt_json_find(event, e, "ph", &ph) && ph.value_n == 3 && ph.value[1] == 'X';
}

/* Whether the event's times need no change. */
static bool is_strict(const char *event, const char *e)
{
    char text[48];
    bool dur = false, good = true, below;
    const char *p = event + 1;
    for (tt_json_member m; tt_json_next(&p, e, &m);) {
        if (tt_json_is(&m, "ts")) good = good && number_of(&m, text, &below) == IS_ONE;
        if (!tt_json_is(&m, "dur")) continue;
        dur = true;
        good = good && number_of(&m, text, &below) == IS_ONE && !below;
    }
    return good && (dur || !is_slice(event, e));
}

static void put_value(tt_text *out, const tt_json_member *m, const char *value, size_t n)
{
    put_member(out, m, out->n ? ", " : "{");
    tt_text_put(out, value, n);
}

static void put_times(const char *event, const char *e, tt_text *out, tt_strict *s)
{
    const char *p = event + 1;
    bool slice = is_slice(event, e), dur = false;
    for (tt_json_member m; tt_json_next(&p, e, &m);) {
        char text[48];
        bool below, is_dur = tt_json_is(&m, "dur");
        if (!is_dur && !tt_json_is(&m, "ts")) {
            put_value(out, &m, m.value, m.value_n);
            continue;
        }
        number what = number_of(&m, text, &below);
        dur |= is_dur;
        if (is_dur && slice && (what == IS_NONE || below)) {
            put_value(out, &m, "0", 1);
            s->durations++;
        } else if (what == IS_ONE) {
            put_value(out, &m, m.value, m.value_n);
        } else {
            if (what == IS_TEXT) put_value(out, &m, text, strlen(text));
            s->numbers++;
        }
    }
    if (slice && !dur) {
        const tt_json_member m = {.key = "dur", .key_n = 3};
        put_value(out, &m, "0", 1);
        s->durations++;
    }
    tt_text_put(out, out->n ? "}" : "{}", out->n ? 1 : 2);
}

void tt_strict_event(tt_text *v, tt_text *scratch, tt_strict *s)
{
    tt_text_put(v, "", 0);
    if (!is_strict(v->at, v->at + v->n)) {
        scratch->n = 0;
        put_times(v->at, v->at + v->n, scratch, s);
        swap(v, scratch);
    }
    tt_strict_value(v, scratch, s);
}

/* parser/flight/from_json.c - reads a dump that is JSON, along the index of its text (index_simd.h): one pass, nothing
 * is built. */
#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/flight/internal.h"
#include "parser/json/index_scalar.h"
#include "parser/json/index_simd.h"
#include "parser/json/number.h"
#include "parser/json/string.h"

typedef struct walk {
    tt_fl *s;
    const char *text;
    size_t len;
    const uint32_t *at; /* offsets of brackets, commas, colons and scalars */
    size_t n, i;        /* i: the entry that comes next */
    tt_text scratch;
    tt_groups frame_ids; /* frames already kept, and their list */
    TT_VEC(tt_frame) frames;
    tt_strings stacks; /* stacks as lists of frame numbers; id 0 = none */
} walk;

typedef struct piece { /* a part of the text, a string without its quotes */
    const char *p;
    size_t n;
} piece;

static char now(const walk *w) { return w->i < w->n ? w->text[w->at[w->i]] : 0; }

static bool take(walk *w, char c)
{
    if (now(w) != c) return false;
    w->i++;
    return true;
}

/* The scalar that comes next; false: the text ends in it. */
static bool scalar(walk *w, piece *out)
{
    const char *p = w->text + w->at[w->i], *e = w->text + w->len;
    if (w->i + 1 >= w->n) return false; /* no bracket follows: the text may end inside it */
    w->i++;
    if (*p == '"') {
        const char *end = tt_json_string_end(p, e);
        *out = (piece){p + 1, end ? (size_t)(end - 1 - (p + 1)) : 0};
        return end != NULL;
    }
    *out = (piece){p, 0};
    while (p + out->n < e && !tt_is_blank(p[out->n]) && !tt_json_goes_on(p[out->n])) out->n++;
    return true;
}

/* Go behind the value that comes next, whatever it is. False: the text ends in it. */
static bool skip(walk *w, piece *out)
{
    size_t from = w->i, depth = 0;
    do {
        char c = now(w);
        if (!c) return false;
        if (c == '{' || c == '[') depth++;
        if ((c == '}' || c == ']') && !depth--) return false;
        if (c != '{' && c != '[' && c != '}' && c != ']' && !depth) return scalar(w, out);
        w->i++;
    } while (depth);
    out->p = w->text + w->at[from];
    out->n = (size_t)(w->text + w->at[w->i - 1] + 1 - out->p);
    return true;
}

/* Begin with the next member of an object: its key, up to its value. False: there is none. */
static bool key(walk *w, piece *out)
{
    (void)take(w, ',');
    return now(w) == '"' && scalar(w, out) && take(w, ':');
}

static bool is(const piece *t, const char *word) { return strlen(word) == t->n && !memcmp(t->p, word, t->n); }

static tt_sid string(walk *w, const piece *t)
{
    if (!memchr(t->p, '\\', t->n) && !memchr(t->p, 0, t->n)) return tt_strings_put(&w->s->h.strings, t->p, t->n);
    tt_text *out = &w->scratch;
    bool bad = false;
    tt_vec_reserve(out, t->n + 1);
    size_t n = tt_json_unescape(t->p, t->n, out->at, &bad);
    if (bad) tt_problem_add(&w->s->h.problems, TT_PROBLEM_BAD_ESCAPE, (int64_t)(t->p - w->text), t->p, t->n);
    return tt_strings_put(&w->s->h.strings, out->at, n);
}

/* ---- values ---- */

/* The text of a list of numbers, or of a list of such lists, with blanks as in Python: "[[2048, 5120]]". */
static tt_sid sizes(walk *w, const piece *t)
{
    tt_text *out = &w->scratch;
    out->n = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (tt_is_blank(t->p[i])) continue;
        tt_text_put(out, t->p + i, 1);
        if (t->p[i] == ',') tt_text_put(out, " ", 1);
    }
    return tt_strings_put(&w->s->h.strings, out->at, out->n);
}

/* The texts of a list, joined by commas. */
static tt_sid types(walk *w, const piece *t)
{
    tt_text *out = &w->scratch;
    bool inside = false;
    out->n = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->p[i] == '"')
            inside = !inside;
        else if (inside || t->p[i] == ',')
            tt_text_put(out, t->p + i, 1);
    }
    return tt_strings_put(&w->s->h.strings, out->at ? out->at : "", out->n);
}

/* The first two texts of a list. */
static bool pair(walk *w, tt_fl_value *v)
{
    piece t;
    if (!take(w, '[')) return false;
    for (int i = 0; now(w) && now(w) != ']'; i++) {
        bool quoted = now(w) == '"';
        if (!skip(w, &t)) return false;
        if (i == 0 && quoted) v->text = string(w, &t);
        if (i == 1 && quoted) v->second = string(w, &t);
        (void)take(w, ',');
    }
    return take(w, ']');
}

static int64_t number(const piece *t, bool quoted)
{
    int64_t v;
    if (t->n == 4 && !memcmp(t->p, "true", 4)) return 1;
    if (t->n == 5 && !memcmp(t->p, "false", 5)) return 0;
    if (quoted) return tt_fl_number(t->p, t->n);
    return tt_parse_int_slow(t->p, t->p + t->n, &v) ? v : TT_UNKNOWN;
}

/* ---- stacks: PyTorch writes none into JSON, exports of tracetty do ---- */

/* Read a frame, and add its number. False: the text ends in it. */
static bool frame(walk *w, tt_text *numbers)
{
    piece k, t;
    tt_frame x = {0};
    if (!take(w, '{')) return skip(w, &t);
    while (key(w, &k)) {
        bool quoted = now(w) == '"';
        if (!skip(w, &t)) return false;
        if (is(&k, "filename") && quoted) x.file = string(w, &t);
        if (is(&k, "name") && quoted) x.function = string(w, &t);
        if (is(&k, "line")) x.line = number(&t, quoted);
    }
    uint32_t at = tt_groups_put(&w->frame_ids, (tt_group_key){x.file, x.function, (uint64_t)x.line});
    if (at == w->frames.n) *tt_vec_push(&w->frames) = x;
    tt_text_put(numbers, (const char *)&at, sizeof at);
    return take(w, '}');
}

static bool stack(walk *w, tt_fl_value *v)
{
    tt_text numbers = {0};
    bool whole = take(w, '[');
    while (whole && now(w) && now(w) != ']') {
        whole = frame(w, &numbers);
        (void)take(w, ',');
    }
    v->given = true;
    v->number = numbers.n ? tt_strings_put(&w->stacks, numbers.at, numbers.n) : 0;
    tt_vec_free(&numbers);
    return whole && take(w, ']');
}

/* Read the value that comes next for a field. False: the text ends in it. */
static bool value(walk *w, tt_fl_field field, tt_fl_value *v)
{
    piece t;
    char first = now(w);
    if (tt_fl_kind_of[field] == TT_FL_OF_PAIR && first == '[') {
        v->given = true;
        return pair(w, v);
    }
    if (tt_fl_kind_of[field] == TT_FL_OF_STACK && first == '[') return stack(w, v);
    if (!skip(w, &t)) return false;
    v->given = first != 'n';
    if (!v->given) return true;
    switch (tt_fl_kind_of[field]) {
    case TT_FL_OF_TIME:
    case TT_FL_OF_NUMBER: v->number = number(&t, first == '"'); break;
    case TT_FL_OF_REAL: v->real = tt_parse_double(t.p, t.p + t.n); break;
    case TT_FL_OF_TEXT:
        v->bad = first != '"';
        if (!v->bad) v->text = string(w, &t);
        break;
    case TT_FL_OF_SIZES:
    case TT_FL_OF_TYPES:
        v->bad = first != '[';
        if (!v->bad) v->text = tt_fl_kind_of[field] == TT_FL_OF_SIZES ? sizes(w, &t) : types(w, &t);
        break;
    case TT_FL_OF_PAIR: v->bad = true; break;
    case TT_FL_OF_STACK: v->given = false; break;
    }
    tt_fl_check(v, field);
    return true;
}

/* Number of the field with this key; TT_FL_FIELDS: none. hint: where the last one was, as entries repeat their keys. */
static tt_fl_field field_of(const piece *k, unsigned *hint)
{
    for (unsigned i = 0; i < TT_FL_FIELDS; i++) {
        unsigned f = (*hint + 1 + i) % TT_FL_FIELDS;
        if (!is(k, tt_fl_key[f])) continue;
        *hint = f;
        return (tt_fl_field)f;
    }
    return TT_FL_FIELDS;
}

/* ---- parts ---- */

/* Read the entry that comes next. False: the text ends in it. */
static bool entry(walk *w)
{
    tt_fl_value v[TT_FL_FIELDS] = {0};
    unsigned hint = 0;
    piece k, t;
    if (!take(w, '{')) {
        tt_fl_bad_entry(w->s);
        return skip(w, &t);
    }
    while (key(w, &k)) {
        tt_fl_field f = field_of(&k, &hint);
        if (f == TT_FL_FIELDS ? !skip(w, &t) : !value(w, f, &v[f])) return false;
    }
    if (!take(w, '}')) return false;
    if (tt_fl_entry(w->s, v)) atomic_fetch_add_explicit(&w->s->progress->events, 1, memory_order_relaxed);
    return true;
}

static bool entries(walk *w)
{
    w->s->has_entries = take(w, '[');
    while (w->s->has_entries && now(w) && now(w) != ']') {
        w->s->item++;
        if (!entry(w)) return false;
        (void)take(w, ',');
        if (atomic_load_explicit(&w->s->progress->cancel, memory_order_relaxed)) return false;
    }
    return take(w, ']');
}

static bool group(walk *w, const piece *name)
{
    piece k, t, ranks = {NULL, 0};
    tt_sid desc = 0;
    if (!take(w, '{')) return skip(w, &t);
    while (key(w, &k)) {
        bool quoted = now(w) == '"';
        if (!skip(w, &t)) return false;
        if (is(&k, "desc") && quoted) desc = string(w, &t);
        if (is(&k, "ranks")) ranks = t;
    }
    tt_sid id = string(w, name);
    const tt_strings *strings = &w->s->h.strings;
    if (ranks.p) tt_fl_group(w->s, tt_str(strings, id), strings->len.at[id], desc, ranks.p, ranks.n);
    return take(w, '}');
}

static bool status(walk *w, const piece *id)
{
    int64_t last[TT_FL_LASTS] = {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN};
    piece k, t;
    if (!take(w, '{')) return skip(w, &t);
    while (key(w, &k)) {
        bool quoted = now(w) == '"';
        if (!skip(w, &t)) return false;
        for (int i = 0; i < TT_FL_LASTS; i++)
            if (is(&k, tt_fl_last_key[i])) last[i] = number(&t, quoted);
    }
    tt_fl_status(w->s, id->p, id->n, last);
    return take(w, '}');
}

/* Read an object with a member for each group. */
static bool each(walk *w, bool (*member)(walk *w, const piece *name), bool *given)
{
    piece k;
    *given = take(w, '{');
    while (*given && key(w, &k))
        if (!member(w, &k)) return false;
    return take(w, '}');
}

/* Read the member of the dump whose key was read. */
static bool part(walk *w, const piece *k)
{
    tt_fl *s = w->s;
    piece t;
    char first = now(w);
    if (is(k, "entries") && first == '[') return entries(w);
    if (is(k, "pg_config") && first == '{') return each(w, group, &s->has_groups);
    if (is(k, "pg_status") && first == '{') return each(w, status, &s->has_status);
    if (!skip(w, &t)) return false;
    if (first != '"') return true;
    if (is(k, "version")) s->out->version = string(w, &t);
    if (is(k, "comm_lib_version")) s->out->library = string(w, &t);
    if (is(k, "nccl_version") && !s->out->library) s->out->library = string(w, &t);
    return true;
}

static void document(walk *w)
{
    piece k = {NULL, 0};
    bool whole = take(w, '{');
    while (whole && key(w, &k)) whole = part(w, &k);
    w->s->cut = !whole || !take(w, '}');
    int64_t at = w->i < w->n ? (int64_t)w->at[w->i] : (int64_t)w->len;
    if (w->s->cut && w->i + 1 >= w->n)
        tt_problem_add(&w->s->h.problems, TT_PROBLEM_TRUNCATED, at, "", 0);
    else if (w->s->cut)
        tt_problem_add(&w->s->h.problems, TT_PROBLEM_MALFORMED_EVENT, at, "JSON", 4);
}

/* ---- the text ---- */

static tt_status read_all(tt_fl *s, tt_source *source, tt_text *out, tt_err *err)
{
    const size_t step = (size_t)1 << 16, most = (size_t)1 << 31;
    for (size_t got = 1; got; out->n += got) {
        tt_vec_reserve(out, out->n + step + TT_SIMD_PADDING);
        size_t room = out->cap - out->n - TT_SIMD_PADDING;
        TT_TRY(tt_source_read(source, out->at + out->n, room, &got, err));
        if (out->n + got >= most)
            return tt_fail(err, TT_ERR_LIMIT, -1,
                           "%s: is a dump of a flight recorder of 2 GiB or more; a ring of "
                           "fewer entries (TORCH_FR_BUFFER_SIZE) is small enough",
                           s->path);
        atomic_store(&s->progress->text_bytes, out->n + got);
        if (s->hooks->notify) s->hooks->notify(s->hooks->arg);
        if (atomic_load(&s->progress->cancel)) break;
    }
    memset(out->at + out->n, ' ', TT_SIMD_PADDING);
    return TT_OK;
}

tt_status tt_fl_read_json(tt_fl *s, tt_source *source, tt_err *err)
{
    tt_text text = {0};
    tt_index_list index = {0};
    tt_simd *simd = tt_simd_new();
    tt_status st = read_all(s, source, &text, err);
    if (st == TT_OK) {
        walk w = {.s = s, .text = text.at, .len = text.n};
        s->item = -1;
        if (!simd || tt_simd_index(simd, text.at, text.n, &w.at, &w.n) != TT_SIMD_OK) {
            (void)tt_tolerant_index(text.at, text.n, 0, &index, &s->h.problems, 0);
            w.at = index.at;
            w.n = index.n;
        }
        tt_groups_init(&w.frame_ids);
        tt_strings_init(&w.stacks);
        document(&w);
        tt_stacks_fill(&s->out->stacks, w.frames.at, (uint32_t)w.frames.n, &w.stacks);
        tt_groups_free(&w.frame_ids);
        tt_strings_free(&w.stacks);
        tt_vec_free(&w.scratch);
    }
    s->h.text_bytes = text.n;
    tt_simd_free(simd);
    tt_vec_free(&index);
    tt_vec_free(&text);
    return st;
}

/* tui/output/anonymise.c - text by text through an event: kept, taken apart, or replaced. */
#include "tui/output/anonymise.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/json/string.h"
#include "parser/json/write.h"

typedef enum keeps {
    OPERATOR,
    RANGE,
    PLACE,
    CATEGORY,
    ARGUMENT,
    MEMBER,
    PACKAGE,
    MODULE,
    FUNCTION,
    HOOK,
    BUILTIN,
} keeps;

static const struct {
    keeps what;
    const char *pattern;
} kept[] = {
#define X(what, pattern) {what, pattern},
#include "tui/output/anonymise.def"
#undef X
};

static bool is_kept(keeps what, const char *text)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (kept[i].what == what && !fnmatch(kept[i].pattern, text, 0)) return true;
    }
    return false;
}

typedef struct event { /* what the members of an event are understood by */
    tt_arena arena;
    const char *name, *cat, *ph;
    bool no_shapes;
} event;

/* ---- words ---- */

/* FNV-1a with its bits mixed: the same in every run of every build. */
static const char *hashed(tt_arena *a, const char *word, const char *text, size_t n)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    h ^= h >> 33;
    h *= UINT64_C(0xFF51AFD7ED558CCD);
    h ^= h >> 33;
    return tt_arena_printf(a, "%s_%010" PRIx64, word, h & UINT64_C(0xFFFFFFFFFF));
}

static const char *hide(tt_arena *a, const char *word, const char *text) { return hashed(a, word, text, strlen(text)); }

/* Digits and what stands between them. */
static bool is_plain(const char *text) { return !text[strspn(text, "0123456789+-.,:;[](){} /%#")]; }

/* ---- code ---- */

/* The part of a path that frameworks and Python's library have everywhere; NULL: it is a person's own. */
static const char *known_path(tt_arena *a, const char *path)
{
    static const char *const roots[] = {"site-packages/", "dist-packages/"};
    const char *from = path;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        for (const char *at; (at = strstr(from, roots[i])) != NULL;) from = at + strlen(roots[i]);
    }
    const char *slash = strchr(from, '/');
    if (slash && is_kept(PACKAGE, tt_arena_strndup(a, from, (size_t)(slash - from)))) return from;
    const char *lib = strstr(path, "/lib/python");
    if (from != path || !lib) return !strncmp(path, "<frozen ", 8) ? path : NULL;
    slash = strchr(lib + 11, '/');
    return slash && slash[1] ? slash + 1 : NULL;
}

/* "path(line): function" */
static const char *frame(tt_arena *a, const char *text)
{
    const char *open = strstr(text, "): "), *colon = open;
    while (open && open > text && *open != '(') open--;
    if (!open || *open != '(') return is_kept(BUILTIN, text) ? text : hide(a, "code", text);
    const char *path = tt_arena_strndup(a, text, (size_t)(open - text)), *known = known_path(a, path);
    const char *function = colon + 3, *line = tt_arena_strndup(a, open, (size_t)(colon + 1 - open));
    if (!is_plain(line)) return hide(a, "code", text);
    if (known) return tt_arena_printf(a, "%s%s: %s", known, line, function);
    return tt_arena_printf(a, "%s.py%s: %s", hide(a, "file", path), line,
                           is_kept(FUNCTION, function) ? function : hide(a, "function", function));
}

/* "Linear_3": the class with a number. */
static const char *module(tt_arena *a, const char *text)
{
    const char *number = strrchr(text, '_');
    size_t n =
        number && number[1] && !number[1 + strspn(number + 1, "0123456789")] ? (size_t)(number - text) : strlen(text);
    const char *class = tt_arena_strndup(a, text, n);
    return is_kept(MODULE, class) ? text : tt_arena_printf(a, "%s%s", hide(a, "Module", class), text + n);
}

static const char *python_name(tt_arena *a, const char *text)
{
    static const char of_module[] = "nn.Module: ";
    size_t n = sizeof of_module - 1;
    if (strncmp(text, of_module, n) != 0) return frame(a, text);
    return tt_arena_printf(a, "%s%s", of_module, module(a, text + n));
}

/* Each part of the text by its own. */
static const char *parts(tt_arena *a, const char *text, char between, const char *(*each)(tt_arena *, const char *))
{
    const char ends[] = {between, '\0'};
    tt_text out = {0};
    tt_text_put(&out, "", 0);
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, ends);
        const char *part = n ? each(a, tt_arena_strndup(a, p, n)) : "";
        tt_text_put(&out, part, strlen(part));
        p += n;
        if (*p) tt_text_put(&out, p++, 1);
    }
    const char *whole = tt_arena_strndup(a, out.at, out.n);
    tt_vec_free(&out);
    return whole;
}

/* ---- names ---- */

/* A replaced name that says what the name did: the passes of a model are known by it. */
static const char *hide_name(tt_arena *a, const char *word, const char *text)
{
    static const char *const passes[] = {"backward", "forward"};
    const char *hidden = hide(a, word, text);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (strcasestr(text, passes[i])) return tt_arena_printf(a, "%s.%s", hidden, passes[i]);
    }
    return hidden;
}

/* "[pl][profile][Strategy]MyStrategy.training_step": hooks of Lightning are known by their beginning and end. */
static const char *lightning_name(tt_arena *a, const char *text)
{
    static const char of_module[] = "[pl][module]";
    const char *last = strrchr(text, '.');
    if (!strncmp(text, of_module, sizeof of_module - 1))
        return tt_arena_printf(a, "%s%s", of_module, hide(a, "module", text + sizeof of_module - 1));
    return tt_arena_printf(a, "[pl]%s%s", hide(a, "hook", text), last && is_kept(HOOK, last + 1) ? last : "");
}

static const char *operator_name(tt_arena *a, const char *text)
{
    static const char evaluate[] = "autograd::engine::evaluate_function: ";
    size_t n = sizeof evaluate - 1;
    if (!strncmp(text, evaluate, n)) return tt_arena_printf(a, "%s%s", evaluate, operator_name(a, text + n));
    if (is_kept(OPERATOR, text)) return text;
    const char *colons = strstr(text, "::");
    if (!colons) return hide_name(a, "operator", text);
    return tt_arena_printf(a, "%s::%s", hashed(a, "extension", text, (size_t)(colons - text)),
                           hide_name(a, "operator", colons + 2));
}

static const char *range_name(tt_arena *a, const char *text)
{
    static const char *const heads[] = {"Optimizer.step#", "Optimizer.", "enumerate(DataLoader)#",
                                        "enumerate(DataPipe)#", "## "};
    static const char next[] = ".__next__";
    if (is_kept(RANGE, text) || is_kept(OPERATOR, text)) return text;
    if (!strncmp(text, "[pl]", 4)) return lightning_name(a, text);
    size_t length = strlen(text), tail = sizeof next - 1;
    bool iterates = length > tail && !strcmp(text + length - tail, next);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t n = strlen(heads[i]);
        if (!strncmp(text, heads[i], n))
            return tt_arena_printf(a, "%s%s%s", heads[i], hide_name(a, "range", text + n), iterates ? next : "");
    }
    return hide_name(a, "range", text);
}

/* A range among the operators, as old profilers have them. */
static bool is_range(const char *text)
{
    return is_kept(RANGE, text) || !strncmp(text, "Optimizer.", 10) || !strncmp(text, "enumerate(Data", 14);
}

static const char *place(tt_arena *a, const char *text)
{
    const char *open = strchr(text, '(');
    size_t n = strlen(text);
    if (is_plain(text)) return text;
    if (open && text[n - 1] == ')' && strspn(text, "0123456789") < n) { /* thread 7 (pt_main_thread) */
        const char *head = tt_arena_strndup(a, text, (size_t)(open - text)),
                   *inside = tt_arena_strndup(a, open + 1, (size_t)(text + n - open - 2));
        if (!is_kept(PLACE, head)) head = hide(a, "thread", head);
        return tt_arena_printf(a, "%s(%s)", head,
                               is_kept(PLACE, inside) || is_plain(inside) ? inside : hide(a, "thread", inside));
    }
    return is_kept(PLACE, text) ? text : hide(a, "place", text);
}

static const char *event_name(event *e, const char *text)
{
    if (!strcmp(e->ph, "M")) return text; /* says what it is, not whose */
    if (is_kept(CATEGORY, e->cat)) return text;
    if (!strcmp(e->cat, "python_function")) return python_name(&e->arena, text);
    if (!strcmp(e->cat, "cpu_op") || !strcmp(e->cat, "Operator") || !strcmp(e->cat, "OperatorInner"))
        return is_range(text) ? range_name(&e->arena, text) : operator_name(&e->arena, text);
    return range_name(&e->arena, text);
}

static const char *argument(event *e, const char *key, const char *text)
{
    tt_arena *a = &e->arena;
    if (is_plain(text) || is_kept(ARGUMENT, key)) return text;
    if (!strcmp(key, "Call stack")) return parts(a, text, ';', frame);
    if (!strcmp(key, "Module Hierarchy")) return parts(a, text, '.', module);
    if (!strcmp(e->ph, "M")) return place(a, text);
    if (!strcmp(text, "True") || !strcmp(text, "False") || !strcmp(text, "None")) return text;
    return hide(a, "text", text);
}

/* ---- JSON ---- */

static const char *decoded(tt_arena *a, const char *p, size_t n)
{
    char *s = tt_arena_alloc(a, n + 1);
    s[tt_json_unescape(p, n, s, NULL)] = '\0';
    return s;
}

static const char *text_of(event *e, const tt_json_member *m)
{
    bool text = m->value_n >= 2 && *m->value == '"';
    return text ? decoded(&e->arena, m->value + 1, m->value_n - 2) : "";
}

static bool is_shape(const char *key)
{
    return !strcmp(key, "Input Dims") || !strcmp(key, "Input Strides") || !strcmp(key, "Concrete Inputs");
}

typedef const char *change(event *e, const char *key, const char *text);

/* Any value below the member `key`, its texts as `how` says. The text is valid JSON, so that its depth has a bound. */
static void put_value(tt_json *j, event *e, const char *key, const tt_json_member *v, change *how)
{
    const char *p = v->value, *end = p + v->value_n;
    tt_json_member m;
    if (v->value_n && *p == '"') {
        tt_json_text(j, how(e, key, text_of(e, v)));
    } else if (v->value_n && *p == '[') {
        tt_json_open(j, '[', true);
        for (p++; tt_json_item(&p, end, &m);) put_value(j, e, key, &m, how);
        tt_json_close(j, ']');
    } else if (v->value_n && *p == '{') {
        tt_json_open(j, '{', true);
        for (p++; tt_json_next(&p, end, &m);) {
            const char *inner = decoded(&e->arena, m.key, m.key_n);
            tt_json_key(j, inner);
            put_value(j, e, inner, &m, how);
        }
        tt_json_close(j, '}');
    } else {
        tt_json_raw(j, p, v->value_n);
    }
}

static bool deep(const char *p, const char *end)
{
    int depth = 0, most = 0;
    for (; p < end; p++) { /* brackets in texts only make it more */
        depth += *p == '[' || *p == '{' ? 1 : *p == ']' || *p == '}' ? -1 : 0;
        if (depth > most) most = depth;
    }
    return most > 48;
}

static void put_args(tt_json *j, event *e, const tt_json_member *args)
{
    const char *p = args->value, *end = p + args->value_n;
    tt_json_member m;
    tt_json_open(j, '{', true);
    for (p++; tt_json_next(&p, end, &m);) {
        const char *key = decoded(&e->arena, m.key, m.key_n);
        tt_json_key(j, !strcmp(e->ph, "C") && !is_kept(RANGE, e->name) ? hide(&e->arena, "series", key) : key);
        if (e->no_shapes && is_shape(key))
            tt_json_raw(j, "[]", 2);
        else if (deep(m.value, m.value + m.value_n))
            tt_json_null(j);
        else
            put_value(j, e, key, &m, argument);
    }
    tt_json_close(j, '}');
}

static const char *other_member(event *e, const char *key, const char *text)
{
    if (!strcmp(key, "name")) return event_name(e, text);
    if (!strcmp(key, "ph") || !strcmp(key, "s") || !strcmp(key, "bp") || !strcmp(key, "cat")) return text;
    if (!strcmp(key, "id") && !text[strspn(text, "0123456789abcdefABCDEFx")]) return text;
    return place(&e->arena, text);
}

void tt_anonymise_event(const char *p, size_t n, bool no_shapes, tt_text *out)
{
    const char *end = p + n;
    event e = {.no_shapes = no_shapes, .name = "", .cat = "", .ph = ""};
    tt_json_member m;
    tt_json j;
    if (tt_json_find(p, end, "name", &m)) e.name = text_of(&e, &m);
    if (tt_json_find(p, end, "cat", &m)) e.cat = text_of(&e, &m);
    if (tt_json_find(p, end, "ph", &m)) e.ph = text_of(&e, &m);
    tt_json_init_text(&j, out);
    tt_json_open(&j, '{', true);
    for (p++; tt_json_next(&p, end, &m);) {
        const char *key = decoded(&e.arena, m.key, m.key_n);
        tt_json_key(&j, key);
        if (!strcmp(key, "args") && m.value_n && *m.value == '{')
            put_args(&j, &e, &m);
        else if (deep(m.value, m.value + m.value_n))
            tt_json_null(&j);
        else
            put_value(&j, &e, key, &m, other_member);
    }
    tt_json_close(&j, '}');
    tt_arena_free(&e.arena);
}

static const char *member_text(event *e, const char *key, const char *text)
{
    return is_plain(text) || is_kept(MEMBER, key) || is_kept(MEMBER, e->name) ? text : hide(&e->arena, "text", text);
}

void tt_anonymise_member(const char *key, const char *p, size_t n, tt_text *out)
{
    event e = {.name = key, .cat = "", .ph = ""};
    tt_json_member m = {.value = p, .value_n = n};
    tt_json j;
    tt_json_init_text(&j, out);
    if (deep(p, p + n))
        tt_json_null(&j);
    else
        put_value(&j, &e, key, &m, member_text);
    tt_arena_free(&e.arena);
}

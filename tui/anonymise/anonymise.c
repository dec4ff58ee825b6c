/* tui/anonymise/anonymise.c - text by text through an event: kept, taken apart, or replaced. */
#include "tui/anonymise/anonymise.h"

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
    WORKER,
    PADDLE,
    LABEL,
    WORK,
    DTYPE,
    PART,
} keeps;

static const struct {
    keeps what;
    const char *pattern;
} kept[] = {
#define X(what, pattern) {what, pattern},
#include "tui/anonymise/anonymise.def"
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
    const tt_anonymiser *how;
    tt_event_facts facts;
} event;

/* ---- words ---- */

static const char *hashed(event *e, const char *word, const char *text, size_t n)
{
    uint64_t h = tt_keyed_hash(&e->how->key, text, n) & UINT64_C(0xFFFFFFFFFF);
    return tt_arena_printf(&e->arena, "%s_%010" PRIx64, word, h);
}

static const char *hide(event *e, const char *word, const char *text) { return hashed(e, word, text, strlen(text)); }

/* Digits and what stands between them. */
static bool is_plain(const char *text) { return !text[strspn(text, "0123456789+-.,:;[](){} /%#\r\n")]; }

static bool is_address(const char *text)
{
    return !strncmp(text, "0x", 2) && !text[2 + strspn(text + 2, "0123456789abcdefABCDEF")];
}

/* Is it kept, its number written as #? */
static bool is_kept_numbered(keeps what, const char *text)
{
    char word[48];
    size_t n = strcspn(text, "0123456789"), length = strlen(text);
    if (is_kept(what, text)) return !strchr(text, '#');
    if (n == length || n + 2 > sizeof word || !is_plain(text + n)) return false;
    snprintf(word, sizeof word, "%.*s#", (int)n, text);
    return is_kept(what, word);
}

/* ---- code ---- */

/* The part of a path that frameworks and Python's library have everywhere; NULL: it is a person's own. */
static const char *known_path(event *e, const char *path)
{
    static const char *const roots[] = {"site-packages/", "dist-packages/"};
    const char *from = path;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        for (const char *at; (at = strstr(from, roots[i])) != NULL;) from = at + strlen(roots[i]);
    }
    const char *slash = strchr(from, '/');
    if (slash && is_kept(PACKAGE, tt_arena_strndup(&e->arena, from, (size_t)(slash - from)))) return from;
    const char *lib = strstr(path, "/lib/python");
    if (from != path || !lib) return !strncmp(path, "<frozen ", 8) ? path : NULL;
    slash = strchr(lib + 11, '/');
    return slash && slash[1] ? slash + 1 : NULL;
}

/* "path(line): function" */
static const char *frame(event *e, const char *text)
{
    const char *open = strstr(text, "): "), *colon = open;
    while (open && open > text && *open != '(') open--;
    if (!open || *open != '(') return is_kept(BUILTIN, text) ? text : hide(e, "code", text);
    const char *path = tt_arena_strndup(&e->arena, text, (size_t)(open - text)), *known = known_path(e, path);
    const char *function = colon + 3, *line = tt_arena_strndup(&e->arena, open, (size_t)(colon + 1 - open));
    if (!is_plain(line)) return hide(e, "code", text);
    if (known) return tt_arena_printf(&e->arena, "%s%s: %s", known, line, function);
    return tt_arena_printf(&e->arena, "%s.py%s: %s", hide(e, "file", path), line,
                           is_kept(FUNCTION, function) ? function : hide(e, "function", function));
}

/* "Linear_3": the class with a number. */
static const char *module(event *e, const char *text)
{
    const char *number = strrchr(text, '_');
    size_t n =
        number && number[1] && !number[1 + strspn(number + 1, "0123456789")] ? (size_t)(number - text) : strlen(text);
    const char *class = tt_arena_strndup(&e->arena, text, n);
    return is_kept(MODULE, class) ? text : tt_arena_printf(&e->arena, "%s%s", hide(e, "Module", class), text + n);
}

static const char *python_name(event *e, const char *text)
{
    static const char of_module[] = "nn.Module: ";
    size_t n = sizeof of_module - 1;
    if (strncmp(text, of_module, n) != 0) return frame(e, text);
    return tt_arena_printf(&e->arena, "%s%s", of_module, module(e, text + n));
}

/* Each part of the text by its own. */
static const char *parts(event *e, const char *text, char between, const char *(*each)(event *, const char *))
{
    const char ends[] = {between, '\0'};
    tt_text out = {0};
    tt_text_put(&out, "", 0);
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, ends);
        const char *part = n ? each(e, tt_arena_strndup(&e->arena, p, n)) : "";
        tt_text_put(&out, part, strlen(part));
        p += n;
        if (*p) tt_text_put(&out, p++, 1);
    }
    const char *whole = tt_arena_strndup(&e->arena, out.at, out.n);
    tt_vec_free(&out);
    return whole;
}

/* ---- names ---- */

/* A replaced name that says what the name did: the passes of a model are known by it. */
static const char *hide_name(event *e, const char *word, const char *text)
{
    static const char *const passes[] = {"backward", "forward"};
    const char *hidden = hide(e, word, text);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (strcasestr(text, passes[i])) return tt_arena_printf(&e->arena, "%s.%s", hidden, passes[i]);
    }
    return hidden;
}

/* "[pl][profile][Strategy]MyStrategy.training_step": hooks of Lightning are known by their beginning and end. */
static const char *lightning_name(event *e, const char *text)
{
    static const char of_module[] = "[pl][module]";
    const char *last = strrchr(text, '.');
    if (!strncmp(text, of_module, sizeof of_module - 1))
        return tt_arena_printf(&e->arena, "%s%s", of_module, hide(e, "module", text + sizeof of_module - 1));
    return tt_arena_printf(&e->arena, "[pl]%s%s", hide(e, "hook", text), last && is_kept(HOOK, last + 1) ? last : "");
}

static const char *function_name(event *e, const char *text)
{
    if (is_kept(OPERATOR, text)) return text;
    const char *colons = strstr(text, "::");
    if (!colons) return hide_name(e, "operator", text);
    return tt_arena_printf(&e->arena, "%s::%s", hashed(e, "extension", text, (size_t)(colons - text)),
                           hide_name(e, "operator", colons + 2));
}

static const char *operator_name(event *e, const char *text)
{
    static const char evaluate[] = "autograd::engine::evaluate_function: ";
    size_t n = sizeof evaluate - 1;
    if (strncmp(text, evaluate, n) != 0) return function_name(e, text);
    return tt_arena_printf(&e->arena, "%s%s", evaluate, function_name(e, text + n));
}

static const char *range_name(event *e, const char *text)
{
    static const char *const heads[] = {"Optimizer.step#", "Optimizer.", "enumerate(DataLoader)#",
                                        "enumerate(DataPipe)#", "## "};
    static const char next[] = ".__next__";
    if (is_kept(RANGE, text) || is_kept(OPERATOR, text)) return text;
    if (!strncmp(text, "[pl]", 4)) return lightning_name(e, text);
    size_t length = strlen(text), tail = sizeof next - 1;
    bool iterates = length > tail && !strcmp(text + length - tail, next);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t n = strlen(heads[i]);
        if (!strncmp(text, heads[i], n))
            return tt_arena_printf(&e->arena, "%s%s%s", heads[i], hide_name(e, "range", text + n),
                                   iterates ? next : "");
    }
    return hide_name(e, "range", text);
}

/* A range among the operators, as old profilers have them. */
static bool is_range(const char *text)
{
    return is_kept(RANGE, text) || !strncmp(text, "Optimizer.", 10) || !strncmp(text, "enumerate(Data", 14);
}

static const char *trimmed(event *e, const char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ') n--;
    return tt_arena_strndup(&e->arena, text, n);
}

static const char *place(event *e, const char *text)
{
    const char *open = strchr(text, '(');
    size_t n = strlen(text);
    if (is_plain(text)) return text;
    if (open && text[n - 1] == ')' && strspn(text, "0123456789") < n) { /* thread 7 (pt_main_thread) */
        const char *head = tt_arena_strndup(&e->arena, text, (size_t)(open - text)),
                   *inside = tt_arena_strndup(&e->arena, open + 1, (size_t)(text + n - open - 2));
        bool head_stays = is_plain(head) || is_kept_numbered(PLACE, trimmed(e, head));
        if (!head_stays) head = hide(e, "thread", head);
        return tt_arena_printf(&e->arena, "%s(%s)", head,
                               is_plain(inside) || is_kept_numbered(PLACE, inside) ? inside
                                                                                   : hide(e, "thread", inside));
    }
    return is_kept_numbered(PLACE, text) ? text : hide(e, "place", text);
}

/* Paddle's "conv2d_grad infer_meta[3.1 us]": the part that has a name, what is done to it, how long it takes. */
static const char *paddle_name(event *e, const char *text)
{
    const char *open = strrchr(text, '['), *end = text + strlen(text);
    bool timed = open && end > text && end[-1] == ']';
    const char *head = tt_arena_strndup(&e->arena, text, (size_t)((timed ? open : end) - text));
    const char *blank = strchr(head, ' '), *tail = blank && is_kept(PART, blank + 1) ? blank : "";
    const char *name = tt_arena_strndup(&e->arena, head, *tail ? (size_t)(tail - head) : strlen(head));
    if (is_kept(RANGE, name) || is_kept(PADDLE, name)) return text;
    const char *hidden = !strcmp(e->cat, "Forward") ? module(e, name) : operator_name(e, name);
    return tt_arena_printf(&e->arena, "%s%s%s", hidden, tail, timed ? open : "");
}

static bool is_of_paddle(const char *cat)
{
    static const char *const cats[] = {"Forward",           "OperatorInner",       "UserDefined",
                                       "PythonUserDefined", "DygraphKernelLaunch", "StaticKernelLaunch",
                                       "PythonOp"};
    for (size_t i = 0; i < sizeof cats / sizeof *cats; i++) {
        if (!strcmp(cat, cats[i])) return true;
    }
    return false;
}

static const char *event_name(event *e, const char *text)
{
    if (!strcmp(e->ph, "M")) return text; /* says what it is, not whose */
    if (e->facts.of_library || is_kept(CATEGORY, e->cat)) return text;
    if (!strcmp(e->cat, "python_function")) return python_name(e, text);
    bool timed = *text && text[strlen(text) - 1] == ']'; /* PyTorch has operators of this category, too */
    if (is_of_paddle(e->cat) || (timed && !strcmp(e->cat, "Operator"))) return paddle_name(e, text);
    if (e->facts.is_operator || !strcmp(e->cat, "cpu_op") || !strcmp(e->cat, "Operator"))
        return is_range(text) ? range_name(e, text) : operator_name(e, text);
    return range_name(e, text);
}

/* A part of MindSpore's "Default/network-TrainStepWrap/Mul-op29": what a program named are the ones between. */
static const char *scope(event *e, const char *text)
{
    const char *op = strstr(text, "-op");
    bool named = !op || !op[3] || op[3 + strspn(op + 3, "0123456789")];
    return named && strcmp(text, "Default") != 0 && strcmp(text, "Gradients") != 0 ? hide(e, "scope", text) : text;
}

static const char *argument(event *e, const char *key, const char *text)
{
    if (is_plain(text) || is_address(text) || is_kept(ARGUMENT, key) || is_kept_numbered(DTYPE, text)) return text;
    if (e->facts.of_library && is_kept(WORK, key)) return text;
    if (!strcmp(key, "fullname")) return parts(e, text, '/', scope);
    if (!strcmp(key, "Call stack")) return parts(e, text, ';', frame);
    if (!strcmp(key, "Module Hierarchy")) return parts(e, text, '.', module);
    if (!strcmp(e->ph, "M")) return place(e, text);
    if (!strcmp(text, "True") || !strcmp(text, "False") || !strcmp(text, "None")) return text;
    return hide(e, "text", text);
}

/* ---- JSON ---- */

static const char *decoded(event *e, const char *p, size_t n)
{
    char *s = tt_arena_alloc(&e->arena, n + 1);
    s[tt_json_unescape(p, n, s, NULL)] = '\0';
    return s;
}

static const char *key_of(event *e, const tt_json_member *m)
{
    const char *key = decoded(e, m->key, m->key_n);
    return strpbrk(key, "/\\@") ? hide(e, "key", key) : key;
}

static const char *text_of(event *e, const tt_json_member *m)
{
    bool text = m->value_n >= 2 && *m->value == '"';
    return text ? decoded(e, m->value + 1, m->value_n - 2) : "";
}

static bool is_shape(const char *key)
{
    static const char *const keys[] = {"Input Dims",   "Input Strides", "Concrete Inputs", "shape",
                                       "input_shapes", "dims",          "strides",         "shape_with_layout"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!strcmp(key, keys[i])) return true;
    }
    return false;
}

typedef const char *change(event *e, const char *key, const char *text);

/* Any value below the member `key`, its texts as `how` says. The text is valid JSON, so that its depth has a bound. */
static void put_value(tt_json *j, event *e, const char *key, const tt_json_member *v, change *how)
{
    const char *p = v->value, *end = p + v->value_n;
    tt_json_member m;
    if (v->value_n && *p == '"') {
        const char *text = text_of(e, v), *now = how(e, key, text);
        if (now == text) /* as it is spelt: some readers look for \r and not for \u000d */
            tt_json_raw(j, p, v->value_n);
        else
            tt_json_text(j, now);
    } else if (v->value_n && *p == '[') {
        tt_json_open(j, '[', true);
        for (p++; tt_json_item(&p, end, &m);) put_value(j, e, key, &m, how);
        tt_json_close(j, ']');
    } else if (v->value_n && *p == '{') {
        tt_json_open(j, '{', true);
        for (p++; tt_json_next(&p, end, &m);) {
            const char *inner = key_of(e, &m);
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
        const char *key = key_of(e, &m);
        tt_json_key(j, !strcmp(e->ph, "C") && !is_kept(RANGE, e->name) ? hide(e, "series", key) : key);
        if (e->how->no_shapes && is_shape(key))
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
    if (!strcmp(key, "ph") || !strcmp(key, "s") || !strcmp(key, "bp")) return text;
    if (!strcmp(key, "cat"))
        return e->facts.known_category || is_kept(CATEGORY, text) || is_kept(LABEL, text) ? text
                                                                                          : hide(e, "category", text);
    if (!strcmp(key, "id") && !text[strspn(text, "0123456789abcdefABCDEFx")]) return text;
    return place(e, text);
}

void tt_anonymise_event(const tt_anonymiser *how, const char *p, size_t n, tt_event_facts facts, tt_text *out)
{
    const char *end = p + n;
    event e = {.how = how, .facts = facts, .name = "", .cat = "", .ph = ""};
    tt_json_member m;
    tt_json j;
    if (tt_json_find(p, end, "name", &m)) e.name = text_of(&e, &m);
    if (tt_json_find(p, end, "cat", &m)) e.cat = text_of(&e, &m);
    if (tt_json_find(p, end, "ph", &m)) e.ph = text_of(&e, &m);
    tt_json_init_text(&j, out);
    tt_json_open(&j, '{', true);
    for (p++; tt_json_next(&p, end, &m);) {
        const char *key = key_of(&e, &m);
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
    return is_plain(text) || is_kept(MEMBER, key) || is_kept(MEMBER, e->name) ? text : hide(e, "text", text);
}

const char *tt_anonymise_key(const tt_anonymiser *how, const char *key, char *room, size_t cap)
{
    if (!strpbrk(key, "/\\@")) return key;
    tt_anonymise_word(how, "key", key, room, cap);
    return room;
}

void tt_anonymise_word(const tt_anonymiser *how, const char *word, const char *text, char *out, size_t cap)
{
    event e = {.how = how, .name = "", .cat = "", .ph = ""};
    bool plain = is_plain(text) || is_kept_numbered(WORKER, text);
    snprintf(out, cap, "%s", plain ? text : hide(&e, word, text));
    tt_arena_free(&e.arena);
}

void tt_anonymise_member(const tt_anonymiser *how, const char *key, const char *p, size_t n, tt_text *out)
{
    event e = {.how = how, .name = key, .cat = "", .ph = ""};
    tt_json_member m = {.value = p, .value_n = n};
    tt_json j;
    tt_json_init_text(&j, out);
    if (deep(p, p + n))
        tt_json_null(&j);
    else
        put_value(&j, &e, key, &m, member_text);
    tt_arena_free(&e.arena);
}

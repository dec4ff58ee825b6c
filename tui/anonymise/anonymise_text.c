/* tui/anonymise/anonymise_text.c - rewriting the members of events, and the members of the file beside them. */
#include "tui/anonymise/anonymise.h"

#include <stdio.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/json/string.h"
#include "parser/json/write.h"
#include "tui/anonymise/impl.h"

typedef tt_hidden_event event;

/* ---- texts ---- */

static bool kept_small(tt_names list, const char *text)
{
    char small[64];
    size_t n = strlen(text);
    if (n >= sizeof small) return false;
    for (size_t i = 0; i < n; i++) small[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];
    return tt_names_have_numbered(list, small, n);
}

/* The text is an address in memory; UUIDs are longer. */
static bool is_address(const char *text)
{
    size_t n = strlen(text);
    return n > 2 && n <= 18 && tt_starts(text, "0x") && !text[2 + strspn(text + 2, "0123456789abcdefABCDEF")];
}

static const char *trimmed(event *e, const char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ') n--;
    return tt_arena_strndup(&e->arena, text, n);
}

/* Keep "RANK 3" in the name of a process: a trace may hold several ranks. */
static const char *hide_place(event *e, const char *text)
{
    const char *hidden = tt_hide(e, "place", text), *rank = strcasestr(text, "rank"), *number = rank;
    if (!rank || (rank > text && ((rank[-1] | 32) >= 'a' && (rank[-1] | 32) <= 'z'))) return hidden;
    number += 4 + strspn(rank + 4, " _-:#=");
    size_t n = strspn(number, "0123456789");
    return n && n < 7 ? tt_arena_printf(&e->arena, "rank %.*s %s", (int)n, number, hidden) : hidden;
}

static const char *place(event *e, const char *text)
{
    const char *open = strchr(text, '(');
    size_t n = strlen(text);
    if (tt_is_numbers(text) || tt_kept_numbered(TT_NAMES_PLACES, text)) return text;
    if (!open || text[n - 1] != ')' || strspn(text, "0123456789") == n) return hide_place(e, text);
    /* thread 7 (pt_main_thread) */
    const char *head = tt_arena_strndup(&e->arena, text, (size_t)(open - text)),
               *inside = tt_arena_strndup(&e->arena, open + 1, (size_t)(text + n - open - 2));
    bool stays = tt_is_numbers(head) || tt_kept_numbered(TT_NAMES_PLACES, trimmed(e, head));
    if (!stays) head = tt_hide(e, "thread", head);
    stays = tt_is_numbers(inside) || tt_kept_numbered(TT_NAMES_PLACES, inside);
    return tt_arena_printf(&e->arena, "%s(%s)", head, stays ? inside : tt_hide(e, "thread", inside));
}

static bool is_of_paddle(const char *cat)
{
    static const char *const cats[] = {
        "Forward",  "OperatorInner", "UserDefined", "PythonUserDefined", "DygraphKernelLaunch", "StaticKernelLaunch",
        "PythonOp", "ProfileStep",   "Dataloader",  "Backward",          "Optimization",        "Communication"};
    for (size_t i = 0; i < sizeof cats / sizeof *cats; i++) {
        if (!strcmp(cat, cats[i])) return true;
    }
    return false;
}

static const char *event_name(event *e, const char *text)
{
    if (!strcmp(e->ph, "M")) return tt_kept(TT_NAMES_METAS, text) ? text : tt_hide(e, "metadata", text);
    if (e->facts.of_library || kept_small(TT_NAMES_LIBRARY_CATEGORIES, e->cat)) return tt_hide_library_name(e, text);
    if (!strcmp(e->cat, "python_function")) return tt_hide_python_name(e, text);
    bool timed = *text && text[strlen(text) - 1] == ']'; /* PyTorch has operators of this category, too */
    if (is_of_paddle(e->cat) || (timed && !strcmp(e->cat, "Operator"))) return tt_hide_paddle_name(e, text);
    if (e->facts.is_operator || !strcmp(e->cat, "cpu_op") || !strcmp(e->cat, "Operator"))
        return tt_hide_operator(e, text);
    return tt_hide_range(e, text);
}

/* The text of a member whose key stays. */
static const char *value(event *e, const char *text)
{
    bool stays = tt_is_numbers(text) || is_address(text) || tt_words_kept(TT_NAMES_VALUES, text);
    return stays ? text : tt_hide(e, "text", text);
}

/* The argument with this key holds names of kernels or operations. */
static bool names_library(const event *e, const char *key)
{
    static const char *const keys[] = {"fullname",    "op_full_name", "kernel", "kernel_name", "hlo_op",
                                       "id",          "item_id",      "type",   "hlo_module",  "deduplicated_name",
                                       "module_name", "tf_op"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!strcmp(key, keys[i])) return i < 5 || e->facts.of_library;
    }
    return false;
}

static const char *argument(event *e, const char *key, const char *text)
{
    if (!tt_kept_numbered(TT_NAMES_KEYS, key)) return tt_hide(e, "text", text);
    if (!strcmp(e->ph, "M")) return place(e, text);
    if (names_library(e, key)) return tt_hide_library_name(e, text);
    if (!strcmp(key, "Call stack")) return tt_hide_parts(e, text, ';', tt_hide_frame);
    if (!strcmp(key, "Module Hierarchy")) return tt_hide_parts(e, text, '.', tt_hide_module);
    return value(e, text);
}

/* ---- JSON ---- */

static const char *decoded(event *e, const char *p, size_t n)
{
    char *s = tt_arena_alloc(&e->arena, n + 1);
    s[tt_json_unescape(p, n, s, NULL)] = '\0';
    return s;
}

/* The key if the event's list has it; else its hash, and *known is false. */
static const char *key_of(event *e, const tt_json_member *m, bool *known)
{
    const char *key = decoded(e, m->key, m->key_n);
    *known = tt_kept_numbered(e->keys, key);
    return *known ? key : tt_hide(e, "key", key);
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

/* Write a value below the member `key`, with its texts rewritten by `how`. A key that no list has is treated like the
 * key above it, as in Paddle's shapes. The text is valid JSON, so its depth is bounded. */
static void put_value(tt_json *j, event *e, const char *key, const tt_json_member *v, change *how)
{
    const char *p = v->value, *end = p + v->value_n;
    tt_json_member m;
    if (v->value_n && *p == '"') {
        const char *text = text_of(e, v), *now = how(e, key, text);
        if (now == text) /* the spelling stays: some readers look for \r, not for \u000d */
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
            bool known;
            const char *inner = key_of(e, &m, &known);
            tt_json_key(j, inner);
            if (known || e->keys == TT_NAMES_KEYS)
                put_value(j, e, known ? inner : key, &m, how);
            else /* beside the events a number can be a serial number, too */
                tt_json_null(j);
        }
        tt_json_close(j, '}');
    } else {
        tt_json_raw(j, p, v->value_n);
    }
}

static bool deep(const char *p, const char *end)
{
    int depth = 0, most = 0;
    for (; p < end; p++) { /* brackets in texts are counted too: the estimate only grows */
        depth += *p == '[' || *p == '{' ? 1 : *p == ']' || *p == '}' ? -1 : 0;
        if (depth > most) most = depth;
    }
    return most > 48;
}

static void put_args(tt_json *j, event *e, const tt_json_member *args)
{
    const char *p = args->value, *end = p + args->value_n;
    bool series = !strcmp(e->ph, "C") && !tt_kept(TT_NAMES_RANGES, e->name), known;
    tt_json_member m;
    tt_json_open(j, '{', true);
    for (p++; tt_json_next(&p, end, &m);) {
        const char *key = key_of(e, &m, &known);
        tt_json_key(j, series ? tt_hide(e, "series", decoded(e, m.key, m.key_n)) : key);
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
    bool letter = strlen(text) <= 1;
    if (!strcmp(key, "name")) return event_name(e, text);
    if (!strcmp(key, "ph")) return letter ? text : tt_hide(e, "phase", text);
    if (!strcmp(key, "s") || !strcmp(key, "bp")) return letter ? text : tt_hide(e, "text", text);
    if (!strcmp(key, "cat")) return kept_small(TT_NAMES_CATEGORIES, text) ? text : tt_hide(e, "category", text);
    if (!strcmp(key, "id") && is_address(text)) return text;
    return place(e, text);
}

void tt_anonymise_event(const tt_anonymiser *how, const char *p, size_t n, tt_event_facts facts, tt_text *out)
{
    const char *end = p + n;
    event e = {.how = how, .facts = facts, .keys = TT_NAMES_KEYS, .name = "", .cat = "", .ph = ""};
    tt_json_member m;
    tt_json j;
    if (tt_json_find(p, end, "name", &m)) e.name = text_of(&e, &m);
    if (tt_json_find(p, end, "cat", &m)) e.cat = text_of(&e, &m);
    if (tt_json_find(p, end, "ph", &m)) e.ph = text_of(&e, &m);
    tt_json_init_text(&j, out);
    tt_json_open(&j, '{', true);
    for (p++; tt_json_next(&p, end, &m);) {
        bool known;
        const char *key = key_of(&e, &m, &known);
        tt_json_key(&j, key);
        if (!strcmp(key, "args") && m.value_n && *m.value == '{')
            put_args(&j, &e, &m);
        else if (!known || deep(m.value, m.value + m.value_n))
            tt_json_null(&j);
        else
            put_value(&j, &e, key, &m, other_member);
    }
    tt_json_close(&j, '}');
    tt_arena_free(&e.arena);
}

static const char *member_text(event *e, const char *key, const char *text)
{
    if (!strcmp(e->name, "deviceProperties") && !strcmp(key, "name")) return tt_hide_words(e, TT_NAMES_DEVICES, text);
    if (!strcmp(key, "fp_start") || !strcmp(key, "bp_end")) return tt_hide_library_name(e, text);
    return tt_is_numbers(text) || tt_words_kept(TT_NAMES_VALUES, text) ? text : tt_hide(e, "text", text);
}

const char *tt_anonymise_key(const tt_anonymiser *how, const char *key, char *room, size_t cap)
{
    event e = {.how = how, .name = "", .cat = "", .ph = ""};
    if (tt_kept_numbered(TT_NAMES_HEADER_KEYS, key)) return key;
    snprintf(room, cap, "%s", tt_hide(&e, "key", key));
    tt_arena_free(&e.arena);
    return room;
}

void tt_anonymise_word(const tt_anonymiser *how, const char *word, const char *text, char *out, size_t cap)
{
    event e = {.how = how, .name = "", .cat = "", .ph = ""};
    bool stays = tt_is_numbers(text) || tt_kept_numbered(TT_NAMES_WORKERS, text);
    snprintf(out, cap, "%s", stays ? text : tt_hide(&e, word, text));
    tt_arena_free(&e.arena);
}

void tt_anonymise_group(const tt_anonymiser *how, const char *text, char *out, size_t cap)
{
    event e = {.how = how, .name = "", .cat = "", .ph = ""};
    bool stays = true;
    for (const char *p = text; *p && stays;) {
        size_t n = strcspn(p, "_-");
        stays = n == strspn(p, "0123456789") ? n < 12 : tt_names_have(TT_NAMES_GROUP_WORDS, p, n);
        p += n + (p[n] != '\0');
    }
    snprintf(out, cap, "%s", stays ? text : tt_hide(&e, "group", text));
    tt_arena_free(&e.arena);
}

void tt_anonymise_frame(const tt_anonymiser *how, const char *file, const char *function, tt_text *file_out,
                        tt_text *function_out)
{
    event e = {.how = how, .name = "", .cat = "", .ph = ""};
    const char *text = tt_hide_frame(&e, tt_arena_printf(&e.arena, "%s(0): %s", file, function));
    const char *at = strstr(text, "(0): ");
    size_t n = at ? (size_t)(at - text) : strlen(text);
    tt_text_put(file_out, text, n);
    tt_text_put(function_out, at ? at + 5 : "", at ? strlen(at + 5) : 0);
    tt_arena_free(&e.arena);
}

void tt_anonymise_member(const tt_anonymiser *how, const char *key, const char *p, size_t n, tt_text *out)
{
    event e = {.how = how, .keys = TT_NAMES_HEADER_KEYS, .name = key, .cat = "", .ph = ""};
    tt_json_member m = {.value = p, .value_n = n};
    tt_json j;
    tt_json_init_text(&j, out);
    if (deep(p, p + n) || !tt_kept_numbered(e.keys, key))
        tt_json_null(&j);
    else
        put_value(&j, &e, key, &m, member_text);
    tt_arena_free(&e.arena);
}

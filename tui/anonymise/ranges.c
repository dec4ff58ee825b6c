/* tui/anonymise/ranges.c - operators, and ranges of profilers, frameworks and programs. */
#include <string.h>

#include "tui/anonymise/impl.h"

/* "MmBackward0": the function of autograd, with a number of at most two digits or none. */
static bool is_node(const char *text)
{
    static const char backward[] = "Backward";
    size_t n = strlen(text), word = sizeof backward - 1, digits = 0;
    while (digits < 2 && digits < n && strchr("0123456789", text[n - 1 - digits])) digits++;
    n -= digits;
    return n > word && !memcmp(text + n - word, backward, word) && tt_names_have(TT_NAMES_NODES, text, n - word);
}

/* The name is an operator of PyTorch, and no program would call a range of its own so. */
static bool is_torch_operator(const char *text)
{
    static const char aten[] = "aten::";
    return (tt_starts(text, aten) && tt_kept(TT_NAMES_ATEN, text + sizeof aten - 1)) ||
           tt_kept(TT_NAMES_OPERATORS, text) || is_node(text);
}

static bool is_operator(const char *text)
{
    return is_torch_operator(text) || tt_kept(TT_NAMES_CALLS, text) || tt_kept_numbered(TT_NAMES_CANN, text) ||
           tt_is_inductor_name(text, strlen(text));
}

static const char *function_name(tt_hidden_event *e, const char *text)
{
    if (is_operator(text)) return text;
    const char *colons = strstr(text, "::");
    if (!colons) return tt_hide_name(e, "operator", text);
    size_t n = (size_t)(colons - text);
    const char *space = tt_names_have(TT_NAMES_NAMESPACES, text, n) ? tt_arena_strndup(&e->arena, text, n)
                                                                    : tt_hide_bytes(e, "extension", text, n);
    return tt_arena_printf(&e->arena, "%s::%s", space, tt_hide_name(e, "operator", colons + 2));
}

/* "[pl][profile][Strategy]MyStrategy.training_step": hooks of Lightning are known by their beginning and end. */
static const char *lightning_name(tt_hidden_event *e, const char *text)
{
    static const char of_module[] = "[pl][module]";
    const char *last = strrchr(text, '.'), *bracket = strrchr(text, ']');
    if (tt_starts(text, of_module))
        return tt_arena_printf(&e->arena, "%s%s", of_module, tt_hide(e, "module", text + sizeof of_module - 1));
    const char *hook = last && last > bracket ? last : bracket;
    return tt_arena_printf(&e->arena, "[pl]%s%s", tt_hide(e, "hook", text),
                           hook && tt_kept(TT_NAMES_HOOKS, hook + 1)
                               ? tt_arena_printf(&e->arena, "%c%s", *hook == ']' ? ']' : '.', hook + 1)
                               : "");
}

/* A known beginning, a name, a known end: "Optimizer.step#AdamW.step". */
static const char *with_head(tt_hidden_event *e, const char *head, const char *name)
{
    size_t n = strlen(name), end = 0, length;
    for (const char *at = NULL; !end && (at = tt_names_next(TT_NAMES_TAILS, at, &length)) != NULL;) {
        if (n >= length && !memcmp(name + n - length, at, length)) end = length;
    }
    const char *body = tt_arena_strndup(&e->arena, name, n - end), *tail = name + n - end;
    bool known = tt_kept(TT_NAMES_OWNERS, body) || is_operator(body);
    return tt_arena_printf(&e->arena, "%s%s%s", head, known ? body : tt_hide_name(e, "range", body), tail);
}

/* PyTorch writes numbers behind the name of an operator: "aten::add, seq = 3, op_id = 7". */
static const char *numbered_operator(tt_hidden_event *e, const char *text)
{
    const char *tail = strstr(text, ", ");
    if (!tail || !tt_kept_numbered(TT_NAMES_TIMES, tail)) return NULL;
    return tt_arena_printf(&e->arena, "%s%s",
                           tt_hide_range(e, tt_arena_strndup(&e->arena, text, (size_t)(tail - text))), tail);
}

const char *tt_hide_range(tt_hidden_event *e, const char *text)
{
    if (tt_kept_numbered(TT_NAMES_RANGES, text) || is_torch_operator(text)) return text;
    if (tt_starts(text, "[pl]")) return lightning_name(e, text);
    const char *numbered = numbered_operator(e, text);
    if (numbered) return numbered;
    size_t n;
    for (const char *head = NULL; (head = tt_names_next(TT_NAMES_HEADS, head, &n)) != NULL;) {
        if (!strncmp(text, head, n)) return with_head(e, tt_arena_strndup(&e->arena, head, n), text + n);
    }
    return tt_hide_name(e, "range", text);
}

/* The name is a range: old profilers write ranges as operators. */
static bool is_range(const char *text)
{
    return tt_kept_numbered(TT_NAMES_RANGES, text) || tt_starts(text, "Optimizer.") ||
           tt_starts(text, "enumerate(Data");
}

const char *tt_hide_operator(tt_hidden_event *e, const char *text)
{
    static const char evaluate[] = "autograd::engine::evaluate_function: ";
    if (is_range(text)) return tt_hide_range(e, text);
    if (!tt_starts(text, evaluate)) {
        const char *colon = strchr(text, ':');
        bool comm = colon && colon[1] != ':' && tt_names_have(TT_NAMES_COMM_LIBRARIES, text, (size_t)(colon - text));
        return comm || strstr(text, ", ") ? tt_hide_range(e, text) : function_name(e, text);
    }
    return tt_arena_printf(&e->arena, "%s%s", evaluate, function_name(e, text + sizeof evaluate - 1));
}

const char *tt_hide_paddle_name(tt_hidden_event *e, const char *text)
{
    const char *open = strrchr(text, '['), *end = text + strlen(text);
    bool timed = open && tt_kept_numbered(TT_NAMES_TIMES, open);
    const char *head = tt_arena_strndup(&e->arena, text, (size_t)((timed ? open : end) - text));
    const char *blank = strchr(head, ' '), *tail = blank && tt_kept(TT_NAMES_PARTS, blank) ? blank : "";
    const char *name = tt_arena_strndup(&e->arena, head, *tail ? (size_t)(tail - head) : strlen(head));
    if (tt_kept_numbered(TT_NAMES_RANGES, name) || tt_kept(TT_NAMES_PADDLE, name)) return text;
    const char *hidden = !strcmp(e->cat, "Forward") ? tt_hide_module(e, name) : tt_hide_operator(e, name);
    return tt_arena_printf(&e->arena, "%s%s%s", hidden, tail, timed ? open : "");
}

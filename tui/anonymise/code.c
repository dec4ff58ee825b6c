/* tui/anonymise/code.c - Python frames, functions and modules. */
#include <string.h>

#include "tui/anonymise/impl.h"

typedef struct code { /* a file that a list has */
    const char *path;
    tt_names functions;
} code;

/* What follows the last "/lib/python3.11/" of the path; NULL: none. */
static const char *below_library(const char *path)
{
    static const char root[] = "/lib/python";
    const char *found = NULL;
    for (const char *at = path; (at = strstr(at, root)) != NULL;) {
        at += sizeof root - 1;
        size_t version = strspn(at, "0123456789.");
        if (version && at[version] == '/') found = at + version + 1;
    }
    return found;
}

/* The path below the folder that packages or Python's library lie in, if a list has it. */
static bool known_file(const char *path, code *out)
{
    static const char *const roots[] = {"site-packages/", "dist-packages/"};
    const char *from = path, *library = below_library(path);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        for (const char *at; (at = strstr(from, roots[i])) != NULL;) from = at + strlen(roots[i]);
    }
    *out = (code){from, TT_NAMES_TORCH_FUNCTIONS};
    if (tt_kept(TT_NAMES_TORCH_FILES, from)) return true;
    *out = (code){library && from == path ? library : path, TT_NAMES_PYTHON_FUNCTIONS};
    if (tt_kept(TT_NAMES_PYTHON_FILES, out->path)) return true;
    static const char frozen[] = "<frozen ";
    size_t n = strlen(path), head = sizeof frozen - 1;
    out->path = path;
    return n > head && tt_starts(path, frozen) && path[n - 1] == '>' &&
           tt_names_have(TT_NAMES_FROZEN, path + head, n - head - 1);
}

static const char *function(tt_hidden_event *e, tt_names list, const char *name)
{
    return tt_kept(list, name) || tt_kept(TT_NAMES_COMMON_FUNCTIONS, name) ? name : tt_hide(e, "function", name);
}

/* The name that ends where `end` begins is in a list of functions. */
static bool is_function(const char *name, const char *end)
{
    static const tt_names lists[] = {TT_NAMES_BUILTINS, TT_NAMES_ATEN, TT_NAMES_PYTHON_FUNCTIONS,
                                     TT_NAMES_COMMON_FUNCTIONS};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (tt_names_have(lists[i], name, (size_t)(end - name))) return true;
    }
    return false;
}

/* " object at 0x7f12>" */
static bool is_object(const char *text)
{
    static const char at[] = " object at 0x";
    size_t n = strlen(text), head = sizeof at - 1;
    size_t address = tt_starts(text, at) ? strspn(text + head, "0123456789abcdefABCDEF") : 0;
    return address && address <= 16 && n == head + address + 1 && text[n - 1] == '>';
}

/* "<built-in function len>", "<built-in method mm of type object at 0x7f12>" */
static const char *builtin(tt_hidden_event *e, const char *text)
{
    static const char of_function[] = "<built-in function ", of_method[] = "<built-in method ";
    size_t n = strlen(text);
    if (tt_starts(text, of_function) && text[n - 1] == '>') {
        const char *name = text + sizeof of_function - 1;
        if (is_function(name, text + n - 1)) return text;
        return tt_arena_printf(&e->arena, "%s%s>", of_function, tt_hide_bytes(e, "function", name, strcspn(name, ">")));
    }
    if (!tt_starts(text, of_method)) return tt_hide(e, "code", text);
    const char *name = text + sizeof of_method - 1, *of = strstr(name, " of "), *object = strstr(text, " object at ");
    if (!of || !object || object < of + 4 || !is_object(object)) return tt_hide(e, "code", text);
    const char *type = of + 4;
    size_t length = (size_t)(object - type);
    bool known = is_function(name, of), known_type = tt_names_have(TT_NAMES_BUILTIN_TYPES, type, length);
    if (known && known_type) return text;
    return tt_arena_printf(
        &e->arena, "%s%s of %s%s", of_method,
        known ? tt_arena_strndup(&e->arena, name, (size_t)(of - name))
              : tt_hide_bytes(e, "function", name, (size_t)(of - name)),
        known_type ? tt_arena_strndup(&e->arena, type, length) : tt_hide_bytes(e, "type", type, length), object);
}

const char *tt_hide_frame(tt_hidden_event *e, const char *text)
{
    const char *open = strstr(text, "): "), *colon = open;
    while (open && open > text && *open != '(') open--;
    if (!open || *open != '(') return builtin(e, text);
    const char *path = tt_arena_strndup(&e->arena, text, (size_t)(open - text));
    const char *name = colon + 3, *line = tt_arena_strndup(&e->arena, open, (size_t)(colon + 1 - open));
    code known;
    if (!tt_is_numbers(line)) return tt_hide(e, "code", text);
    if (!known_file(path, &known))
        return tt_arena_printf(&e->arena, "%s.py%s: %s", tt_hide(e, "file", path), line,
                               function(e, TT_NAMES_COMMON_FUNCTIONS, name));
    return tt_arena_printf(&e->arena, "%s%s: %s", known.path, line, function(e, known.functions, name));
}

const char *tt_hide_module(tt_hidden_event *e, const char *text)
{
    const char *number = strrchr(text, '_');
    size_t length = strlen(text),
           n = number && number[1] && strlen(number) < 12 && !number[1 + strspn(number + 1, "0123456789")]
                   ? (size_t)(number - text)
                   : length;
    if (tt_names_have(TT_NAMES_MODULES, text, n)) return text;
    return tt_arena_printf(&e->arena, "%s%s", tt_hide_bytes(e, "Module", text, n), text + n);
}

const char *tt_hide_python_name(tt_hidden_event *e, const char *text)
{
    static const char of_module[] = "nn.Module: ";
    if (!tt_starts(text, of_module)) return tt_hide_frame(e, text);
    return tt_arena_printf(&e->arena, "%s%s", of_module, tt_hide_module(e, text + sizeof of_module - 1));
}

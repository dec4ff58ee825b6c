/* model/text/frame_name.c - see frame_name.h. */
#include "model/text/frame_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tt_frame_place(const char *frame, size_t *file_len, long *line)
{
    for (const char *p = strchr(frame, '('); p; p = strchr(p + 1, '(')) {
        const char *d = p + 1;
        while (isdigit((unsigned char)*d)) d++;
        if (d == p + 1 || *d != ')' || d - p > 10 || p == frame) continue;
        *file_len = (size_t)(p - frame);
        *line = strtol(p + 1, NULL, 10);
        return true;
    }
    return false;
}

bool tt_frame_in_torch(const char *frame)
{
    static const char folder[] = "torch/";
    for (const char *p = frame; (p = strstr(p, folder)) != NULL; p++)
        if (p == frame || p[-1] == '/') return true;
    return false;
}

static bool is_one(const char *name, const char *const *one, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(name, one[i])) return true;
    }
    return false;
}

bool tt_frame_is_wrapper(const char *frame)
{
    static const char *const anywhere[] = {"_call_impl", "_wrapped_call_impl", "wrapper",    "_wrapper",
                                           "wrapped",    "decorate_context",   "wrapped_fn", "decorate_autocast"};
    static const char *const of_libraries[] = {"__call__",           "_fn",         "inner", "__torch_function__",
                                               "__torch_dispatch__", "new_forward", "_wrap", "_wrapped"};
    size_t file;
    long line;
    static const char *const starters[] = {"<string>(",     "<frozen ",  "multiprocessing/",
                                           "threading.py(", "runpy.py(", "concurrent/futures/"};
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++) {
        const char *at = strstr(frame, starters[i]);
        if (at && (at == frame || at[-1] == '/')) return true;
    }
    if (!strncmp(frame, "<built-in ", 10)) return strstr(frame, "_disabled_torch_function_impl") != NULL;
    if (!tt_frame_place(frame, &file, &line)) return false;
    const char *name = strchr(frame + file, ')') + 1;
    while (*name == ':' || *name == ' ') name++;
    if (is_one(name, anywhere, sizeof anywhere / sizeof *anywhere)) return true;
    const char *library = strstr(frame, "site-packages/");
    bool inside = !strncmp(frame, "torch/", 6) || (library && library < frame + file);
    return inside && is_one(name, of_libraries, sizeof of_libraries / sizeof *of_libraries);
}

size_t tt_module_class_len(const char *name)
{
    size_t n = strlen(name), cut = n;
    while (cut > 0 && isdigit((unsigned char)name[cut - 1])) cut--;
    return cut > 1 && cut < n && name[cut - 1] == '_' ? cut - 1 : n;
}

int tt_module_class(char *out, size_t cap, const char *name)
{
    const char *colon = strstr(name, ": ");
    if (colon) name = colon + 2;
    return snprintf(out, cap, "%.*s", (int)tt_module_class_len(name), name);
}

/* tui/widgets/short_names.c - see short_names.h. */
#include "tui/widgets/short_names.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/text/short_name.h"

/* ---- lists ---- */

enum { PASSES = 4, LEAST = 12 };

typedef struct list {
    const char **full; /* demangled names, without "void " */
    size_t n;
    int w;
    bool ascii;
    char (*out)[TT_SHORT_CAP];
} list;

/* The first byte where a and b differ. */
static size_t difference(const char *a, const char *b)
{
    size_t at = 0;
    while (a[at] && a[at] == b[at]) at++;
    while (at && ((unsigned char)a[at] & 0xC0) == 0x80) at--;
    return at;
}

/* Go back from `at` to the beginning of the argument, else of the word, at most w / 2 bytes. */
static size_t beginning(const char *s, size_t at, int w)
{
    static const char *const before[] = {",<( :{", "_"};
    for (int i = 0; i < 2; i++) {
        for (size_t back = 0; back < (size_t)w / 2 && back < at; back++) {
            if (strchr(before[i], s[at - back - 1])) return at - back;
        }
    }
    return at;
}

/* Write the head of name i, then the part in which it differs from the other name. */
static void keep_difference(const list *l, size_t i, size_t other)
{
    char head[TT_SHORT_CAP], tail[TT_SHORT_CAP], plain[1024], plain_other[1024];
    const char *s = l->full[i], *o = l->full[other], *mark = l->ascii ? "~" : "\xe2\x80\xa6";
    tt_kernel_plain(plain, sizeof plain, s);
    tt_kernel_plain(plain_other, sizeof plain_other, o);
    if (strcmp(plain, plain_other) != 0) s = plain, o = plain_other; /* else the parameters differ */
    size_t at = difference(s, o);
    int head_w = l->w * 2 / 5;
    if (at < (size_t)head_w) {
        tt_text_cut(l->out[i], TT_SHORT_CAP, s, l->w, TT_CUT_END, l->ascii);
        return;
    }
    const char *open = strchr(plain, '<');
    bool inside = open && s == plain && at > (size_t)(open - plain);
    if (inside) plain[open - plain] = '\0';
    int used = tt_text_cut(head, sizeof head, plain, head_w - inside, TT_CUT_MIDDLE, l->ascii) + inside;
    at = beginning(s, at, l->w - used - 1);
    tt_text_cut(tail, sizeof tail, s + at, l->w - used - 1, TT_CUT_END, l->ascii);
    snprintf(l->out[i], TT_SHORT_CAP, "%s%s%s%s", head, inside ? "<" : "", mark, tail);
}

/* Among the names that look like name i, the name with the longest common beginning; SIZE_MAX: none looks like it. */
static size_t lookalike(const list *l, size_t i)
{
    size_t found = SIZE_MAX, most = 0;
    for (size_t k = 0; k < l->n; k++) {
        if (k == i || strcmp(l->out[k], l->out[i]) != 0 || !strcmp(l->full[k], l->full[i])) continue;
        size_t d = difference(l->full[i], l->full[k]);
        if (found != SIZE_MAX && d <= most) continue;
        most = d;
        found = k;
    }
    return found;
}

void tt_short_names(const char *const *names, size_t n, int w, bool ascii, char (*out)[TT_SHORT_CAP])
{
    tt_arena arena = {0};
    list l = {tt_calloc(n + 1, sizeof *l.full), n, w, ascii, out};
    size_t *other = tt_calloc(n + 1, sizeof *other);
    for (size_t i = 0; i < n; i++) {
        const char *s = names[i] ? tt_kernel_name(&arena, names[i], TT_KERNEL_FULL) : "";
        l.full[i] = strncmp(s, "void ", 5) ? s : s + 5;
        tt_text_cut(out[i], TT_SHORT_CAP, s, w, TT_CUT_KERNEL, ascii); /* the name is demangled once */
    }
    for (int pass = 0; pass < PASSES && w >= LEAST; pass++) {
        size_t changed = 0;
        for (size_t i = 0; i < n; i++) other[i] = lookalike(&l, i);
        for (size_t i = 0; i < n; i++) {
            if (other[i] == SIZE_MAX) continue;
            keep_difference(&l, i, other[i]);
            changed++;
        }
        if (!changed) break;
    }
    free(l.full);
    tt_arena_free(&arena);
    free(other);
}

/* ---- slices ---- */

static const char *behind_last(const char *name, const char *mark)
{
    const char *p = NULL;
    for (const char *q = strstr(name, mark); q; q = strstr(q + 1, mark)) {
        p = q;
    }
    return p ? p + strlen(mark) : name;
}

/* The number in the name of a profiler step, "ProfilerStep#6"; NULL = the name is no step. */
static const char *step_number(const char *name)
{
    static const char *const steps[] = {"ProfilerStep#", "ProfileStep#"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        size_t n = strlen(steps[i]);
        if (strncmp(name, steps[i], n) == 0 && name[n]) return name + n;
    }
    return NULL;
}

/* The name of a kernel: its function, or for a generic kernel the functor: "elementwise_kernel<..,
 * direct_copy_kernel..>". */
static void kernel_name(char *out, size_t cap, const char *name)
{
    tt_arena arena = {0};
    const char *full = tt_kernel_name(&arena, name, TT_KERNEL_FULL);
    const char *brief = tt_kernel_name(&arena, full, TT_KERNEL_BRIEF), *inside = strchr(brief, '<');
    snprintf(out, cap, "%s", tt_kernel_name(&arena, full, TT_KERNEL_FUNCTION));
    if (inside && inside[1]) {
        snprintf(out, cap, "%.*s", (int)strcspn(inside + 1, ">"), inside + 1);
    } else if (strncmp(out, "Kernel", 6) == 0) {
        snprintf(out, cap, "%s", brief);
    }
    tt_arena_free(&arena);
}

int tt_slice_short_name(char *out, size_t cap, tt_kind kind, const char *name, int w, bool ascii)
{
    tt_cut cut = TT_CUT_END;
    if (kind == TT_KIND_MODULE && strncmp(name, "nn.Module: ", 11) == 0) {
        name += 11;
    }
    char function[512];
    if (tt_text_width(name, strlen(name)) <= (size_t)w) {
        return tt_text_cut(out, cap, name, w, cut, ascii);
    }
    const char *step = step_number(name);
    if (step) { /* the number tells steps apart */
        bool room = strlen(step) + 5 <= (size_t)w;
        snprintf(function, sizeof function, "%s%s", room ? "step " : "", step);
        name = function;
    } else if (tt_kind_is_device(kind)) {
        kernel_name(function, sizeof function, name);
        name = *function ? function : name;
        cut = w < 12 ? TT_CUT_END : TT_CUT_MIDDLE;
    } else {
        if (tt_kind_is_python(kind)) { /* "torch/nn/modules/conv.py(456): forward": keep the function */
            name = behind_last(name, "): ");
        } else if (strncmp(name, "autograd::engine::evaluate_function: ", 37) == 0) {
            name += 37;
        } else if (strncmp(name, "aten::", 6) == 0) {
            name += 6;
        }
        bool numbered = kind == TT_KIND_MODULE && w >= 8; /* the number tells modules of a class apart */
        cut = numbered || (tt_kind_is_launch(kind) && w >= 12) ? TT_CUT_MIDDLE : TT_CUT_END;
    }
    return tt_text_cut(out, cap, name, w, cut, ascii);
}

/* ---- devices ---- */

void tt_short_device(const char *name, char *out, size_t cap)
{
    static const char *const maker[] = {"NVIDIA ", "AMD ", "Tesla ", "Instinct "};
    for (size_t i = 0; i < sizeof maker / sizeof *maker; i++) {
        if (!strncmp(name, maker[i], strlen(maker[i]))) name += strlen(maker[i]);
    }
    const char *memory = strstr(name, " HBM");
    size_t n = memory ? (size_t)(memory - name) : strlen(name);
    snprintf(out, cap, "%.*s", (int)(n < 30 ? n : 30), name);
}

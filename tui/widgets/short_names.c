/* tui/widgets/short_names.c - see short_names.h. */
#include "tui/widgets/short_names.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/text/demangle.h"

enum { PASSES = 4, LEAST = 12 };

typedef struct list {
    const char *const *names;
    char **full; /* demangled names, NULL = the name is not mangled */
    size_t n;
    int w;
    bool ascii;
    char (*out)[TT_SHORT_CAP];
} list;

static const char *full_of(const list *l, size_t i)
{
    const char *s = l->full[i] ? l->full[i] : l->names[i] ? l->names[i] : "";
    return strncmp(s, "void ", 5) ? s : s + 5;
}

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
    const char *s = full_of(l, i), *o = full_of(l, other), *mark = l->ascii ? "~" : "\xe2\x80\xa6";
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
        if (k == i || strcmp(l->out[k], l->out[i]) != 0 || !strcmp(full_of(l, k), full_of(l, i))) continue;
        size_t d = difference(full_of(l, i), full_of(l, k));
        if (found != SIZE_MAX && d <= most) continue;
        most = d;
        found = k;
    }
    return found;
}

void tt_short_names(const char *const *names, size_t n, int w, bool ascii, char (*out)[TT_SHORT_CAP])
{
    list l = {names, tt_calloc(n + 1, sizeof *l.full), n, w, ascii, out};
    size_t *other = tt_calloc(n + 1, sizeof *other);
    for (size_t i = 0; i < n; i++) {
        if (names[i]) l.full[i] = tt_demangle_shown(names[i]);
        const char *s = l.full[i]  ? l.full[i]
                        : names[i] ? names[i]
                                   : ""; /* demangled already: tt_text_cut() need not do it again */
        tt_text_cut(out[i], TT_SHORT_CAP, s, w, TT_CUT_KERNEL, ascii);
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
    for (size_t i = 0; i < n; i++) free(l.full[i]);
    free(l.full);
    free(other);
}

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

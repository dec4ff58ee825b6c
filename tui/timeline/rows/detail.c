/* tui/timeline/rows/detail.c - see detail.h. */
#include "tui/timeline/rows/detail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((format(printf, 3, 0))) static void add(tt_detail *d, const tt_fact *how, const char *fmt, va_list ap)
{
    va_list again;
    char small[1];
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    char *text = tt_arena_alloc(&d->arena, n > 0 ? (size_t)n + 1 : 1);
    text[0] = '\0';
    if (n > 0) {
        vsnprintf(text, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    tt_fact *f = tt_vec_push(&d->facts);
    *f = *how;
    f->value = text;
}

void tt_detail_fact(tt_detail *d, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(d, &(tt_fact){.key = key}, fmt, ap);
    va_end(ap);
}

void tt_detail_line(tt_detail *d, const char *key, tt_cut cut, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(d, &(tt_fact){.key = key, .own_line = true, .cut = cut}, fmt, ap);
    va_end(ap);
}

void tt_detail_free(tt_detail *d)
{
    tt_vec_free(&d->facts);
    tt_arena_free(&d->arena);
    *d = (tt_detail){.of.row = TT_NONE};
}

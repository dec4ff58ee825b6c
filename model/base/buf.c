/* model/base/buf.c - see buf.h. */
#include "model/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tt_buf tt_buf_on(char *at, size_t cap)
{
    at[0] = 0;
    return (tt_buf){.at = at, .cap = cap};
}

tt_buf tt_buf_behind(char *at, size_t cap) { return (tt_buf){at, strnlen(at, cap - 1), cap}; }

__attribute__((format(printf, 2, 0))) static void add(tt_buf *b, const char *fmt, va_list args)
{
    int n = vsnprintf(b->at + b->n, b->cap - b->n, fmt, args);
    if (n > 0) b->n = (size_t)n < b->cap - b->n ? b->n + (size_t)n : b->cap - 1;
}

void tt_buf_add(tt_buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add(b, fmt, args);
    va_end(args);
}

void tt_buf_list(tt_buf *b, const char *separator, const char *fmt, ...)
{
    va_list args;
    if (b->n) tt_buf_add(b, "%s", separator);
    va_start(args, fmt);
    add(b, fmt, args);
    va_end(args);
}

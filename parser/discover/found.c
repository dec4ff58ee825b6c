/* parser/discover/found.c - see found.h. */
#include "parser/discover/found.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tt_found_clear(tt_found *f)
{
    free(f->path);
    free(f->member);
    for (size_t k = 0; k < f->parts.n; k++) {
        free(f->parts.at[k].path);
        free(f->parts.at[k].member);
    }
    tt_vec_free(&f->parts);
    free(f->run);
    free(f->worker);
    free(f->stamp);
    free(f->span);
}

void tt_found_warn(tt_found_list *out, const char *fmt, ...)
{
    char *line = NULL;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&line, fmt, ap);
    va_end(ap);
    if (n < 0) tt_mem_fail();
    for (char *p = line; (p = strchr(p, '\n')) != NULL;) *p = '?';
    tt_vec_reserve(&out->warnings, out->warnings.n + (size_t)n + 1);
    memcpy(out->warnings.at + out->warnings.n, line, (size_t)n);
    out->warnings.n += (size_t)n;
    out->warnings.at[out->warnings.n++] = '\n';
    free(line);
}

/* tui/screen/host.c - what follows from the state of a host: see host.h. */
#include "tui/screen/host.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/registry/registry.h"

const char *const tt_table_endings[] = {[TT_OUT_TEXT] = ".txt",
                                        [TT_OUT_CSV] = ".csv",
                                        [TT_OUT_JSON] = ".json",
                                        [TT_OUT_MARKDOWN] = ".md",
                                        [TT_OUT_MARKDOWN + 1] = NULL};

unsigned tt_host_set_viewport(tt_host *h, int64_t t0, int64_t t1, int64_t at)
{
    if (h->look.t0 != t0 || h->look.t1 != t1 || h->look.at != at)
        h->look = (tt_viewport){t0, t1, at, h->look.serial + 1};
    return h->look.serial;
}

void tt_host_set_status(tt_host *h, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    h->ops->status(h, text);
}

void tt_host_toggle_step(tt_host *h, int64_t number)
{
    tt_scope scope = h->scope;
    scope.has_steps = !scope.has_steps;
    scope.step_first = scope.step_last = number;
    tt_host_set_scope(h, &scope);
    if (scope.has_steps) {
        tt_host_set_status(h, "limited to step %" PRId64 " (Enter or :all clears)", number);
    } else {
        tt_host_set_status(h, "scope cleared");
    }
}

tt_options tt_host_comparing(const tt_host *h, const tt_table_desc *d, const tt_options *o, tt_comparison *copy)
{
    tt_options out = *o;
    const tt_comparison *now = tt_host_comparison(h);
    out.compare = NULL;
    if (!d || !(d->flags & TT_TABLE_COMPARE) || !now) return out;
    *copy = *now;
    out.compare = copy;
    return out;
}

bool tt_host_base_gone(const tt_host *h, const tt_table *t)
{
    const tt_comparison *now = tt_host_comparison(h);
    return t->compare.base && !(now && now->serial == t->compare.serial);
}

const tt_table_desc *tt_host_table_now(const tt_host *h, const tt_table_desc *d)
{
    const tt_table_desc *now = tt_session_table(h->session, d->id);
    return now ? now : tt_table_find("problems");
}

uint32_t tt_host_trace_now(const tt_host *h, uint32_t trace)
{
    const tt_session *old = h->replaced;
    uint32_t same_file = TT_NONE;
    for (uint32_t i = 0; old && trace < old->n_traces && i < h->session->n_traces; i++) {
        const tt_trace *was = old->traces[trace], *is = h->session->traces[i];
        if (strcmp(was->path, is->path) != 0) continue;
        if (strcmp(was->worker, is->worker) == 0 && strcmp(was->span, is->span) == 0)
            return i; /* a merged file has several traces */
        if (same_file == TT_NONE) same_file = i;
    }
    return same_file;
}

int tt_host_ending(tt_host *h, const char *path, const char *const *endings)
{
    char list[128];
    tt_buf b = tt_buf_of(list);
    size_t n = strlen(path);
    for (int i = 0; endings[i]; i++) {
        size_t len = strlen(endings[i]);
        if (n > len && !strcmp(path + n - len, endings[i])) return i;
        tt_buf_list(&b, endings[i + 1] ? ", " : " or ", "%s", endings[i]);
    }
    tt_host_set_status(h, "the file name must end in %s, not '%.200s'", list, path);
    return -1;
}

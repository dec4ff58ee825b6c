/* model/tables/devices/copy_rate.c - a copy adds its rate at its start and removes it at its end. Rates are whole
 * bytes per second, so that the sum returns to exactly 0. */
#include "model/tables/devices/copy_rate.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort.h"
#include "model/base/sort_by.h"
#include "model/text/strings.h"
#include "model/trace/analysis_cache.h"

typedef struct change {
    uint32_t device;
    tt_sid kind;
    int64_t at, by; /* bytes a second */
} change;

typedef struct rate_build {
    const tt_trace *s;
    const tt_device_work *work;
    tt_strings kinds;
    TT_VEC(change) changes;
} rate_build;

int64_t tt_copy_bytes_per_s(int64_t bytes, int64_t duration_ns)
{
    if (bytes == TT_UNKNOWN || bytes < 0 || duration_ns <= 0) return TT_UNKNOWN;
    __int128 rate = (__int128)bytes * 1000000000 / duration_ns;
    return rate < INT64_MAX / 1024 ? (int64_t)rate : TT_UNKNOWN; /* no memory is this fast: the byte count is wrong */
}

static tt_sid kind_of(rate_build *b, tt_row r)
{
    const char *name = tt_row_name(b->s, r);
    size_t n = strcspn(name, "(");
    while (n && name[n - 1] == ' ') n--;
    return tt_strings_put(&b->kinds, name, n);
}

static void collect(rate_build *b, bool (*takes)(const void *arg, const tt_work *w), const void *arg)
{
    const tt_trace *s = b->s;
    for (const tt_work *w = b->work->at, *end = w + b->work->n; w < end; w++) {
        if (w->of_class != TT_WORK_COPY || (takes && !takes(arg, w))) continue;
        int64_t rate = tt_copy_bytes_per_s(s->dev[s->detail[w->row]].bytes, w->end - w->start);
        if (rate == TT_UNKNOWN) continue;
        change c = {b->work->streams[w->stream].device, kind_of(b, w->row), w->start, rate};
        *tt_vec_push(&b->changes) = c;
        c.at = w->end;
        c.by = -rate;
        *tt_vec_push(&b->changes) = c;
    }
}

static int by_time(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Add the samples; changes at one time give one sample, or none if the sum stays. */
static void add_curve(tt_curve *c, const change *at, size_t n)
{
    int64_t rate = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        rate += at[i].by;
        if ((i + 1 < n && at[i + 1].at == at[i].at) || rate == before) continue;
        tt_curve_add(c, at[i].at, (double)rate / 1e9);
        before = rate;
    }
    tt_curve_index(c);
}

tt_copy_rates *tt_copy_rates_make(const tt_session *session, uint32_t trace,
                                  bool (*takes)(const void *arg, const tt_work *w), const void *arg)
{
    rate_build b = {.s = session->traces[trace], .work = tt_device_work_get(session, trace)};
    tt_copy_rates *r = tt_calloc(1, sizeof *r);
    tt_strings_init(&b.kinds);
    collect(&b, takes, arg);
    tt_sort_runs(b.changes.at, b.changes.n, sizeof *b.changes.at, by_time);
    for (size_t i = 0, n; i < b.changes.n; i += n) {
        const change *c = &b.changes.at[i];
        for (n = 1; i + n < b.changes.n && c[n].device == c->device && c[n].kind == c->kind;) n++;
        tt_copy_rate *x = tt_vec_push(&r->at);
        *x = (tt_copy_rate){.device = c->device, .kind = tt_arena_printf(&r->arena, "%s", tt_str(&b.kinds, c->kind))};
        add_curve(&x->gb_per_s, c, n);
    }
    TT_SORT_BY(r->at.at, r->at.n, TT_ASC(tt_copy_rate, device), TT_ASC(tt_copy_rate, kind));
    tt_strings_free(&b.kinds);
    tt_vec_free(&b.changes);
    return r;
}

void tt_copy_rates_free(tt_copy_rates *r)
{
    for (size_t i = 0; i < r->at.n; i++) tt_curve_free(&r->at.at[i].gb_per_s);
    tt_vec_free(&r->at);
    tt_arena_free(&r->arena);
    free(r);
}

static void *build(const tt_session *s, uint32_t trace) { return tt_copy_rates_make(s, trace, NULL, NULL); }

static void release(void *value) { tt_copy_rates_free(value); }

const tt_copy_rates *tt_copy_rates_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"copy rates", build, release};
    return tt_analysis_get(s, trace, &kind);
}

/* model/tables/launches/queue_length.c - merges joins and leaves of each stream's queue by time. Streams are
 * processed in parallel; work of a stream is sorted, its launches nearly so. */
#include "model/tables/launches/queue_length.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/trace/analysis_cache.h"

typedef struct queue_build {
    const tt_trace *s;
    const tt_device_work *work;
    tt_queue_lengths *out;
    bool (*takes)(const void *arg, const tt_work *w);
    const void *arg;
} queue_build;

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void count_stream(void *arg, size_t stream)
{
    const queue_build *b = arg;
    const tt_work_stream *st = &b->work->streams[stream];
    const tt_work *at = b->work->at + st->first;
    tt_curve *length = &b->out->of[stream];
    int64_t *joins = tt_malloc(2 * (st->n + (size_t)1) * sizeof *joins), *leaves = joins + st->n + 1;
    size_t n = 0;
    for (const tt_work *w = at; w < at + st->n; w++) {
        if (w->launch == TT_NONE || (b->takes && !b->takes(b->arg, w))) continue;
        int64_t launched = b->s->start[w->launch];
        joins[n] = launched < w->start ? launched : w->start;
        leaves[n++] = w->start;
    }
    tt_sort_runs(joins, n, sizeof *joins, by_time);
    tt_vec_reserve(&length->at, 2 * n);
    for (size_t in = 0, out = 0; out < n;) {
        bool join = in < n && joins[in] <= leaves[out];
        int64_t now = join ? joins[in++] : leaves[out++];
        tt_curve_add(length, now, (double)(in - out));
    }
    tt_curve_index(length);
    free(joins);
}

tt_queue_lengths *tt_queue_lengths_make(const tt_session *s, uint32_t trace,
                                        bool (*takes)(const void *arg, const tt_work *w), const void *arg)
{
    const tt_device_work *work = tt_device_work_get(s, trace);
    tt_queue_lengths *q = tt_calloc(1, sizeof *q);
    queue_build b = {.s = s->traces[trace], .work = work, .out = q, .takes = takes, .arg = arg};
    q->n = work->n_streams;
    q->of = tt_calloc(q->n + (size_t)1, sizeof *q->of);
    tt_parallel(tt_threads(), q->n, count_stream, &b);
    return q;
}

void tt_queue_lengths_free(tt_queue_lengths *q)
{
    for (uint32_t i = 0; i < q->n; i++) tt_curve_free(&q->of[i]);
    free(q->of);
    free(q);
}

tt_queue_stat tt_queue_stat_in(const tt_curve *length, int64_t t0, int64_t t1)
{
    tt_queue_stat st = {.mean = (double)NAN};
    const tt_sample *at = length->at.at;
    size_t n = length->at.n;
    if (!n || at[0].ts >= t1 || at[n - 1].ts < t0) return st;
    st.from = at[0].ts > t0 ? at[0].ts : t0;
    st.until = at[n - 1].ts < t1 ? at[n - 1].ts : t1;
    st.longest = (int64_t)tt_curve_largest(length, st.from, t1);
    __int128 area = 0;
    int64_t now = st.from, long_now = (int64_t)tt_curve_value(length, t0);
    for (size_t i = tt_curve_from(length, t0); now < st.until; i++) { /* the last sample ends it */
        int64_t next = at[i].ts < st.until ? at[i].ts : st.until, held = next - now;
        area += (__int128)long_now * held;
        if (!long_now) st.empty += held;
        if (long_now >= TT_QUEUE_FULL) st.full += held;
        now = next;
        long_now = (int64_t)at[i].value;
    }
    if (st.until > st.from) st.mean = (double)area / (double)(st.until - st.from);
    return st;
}

static void *build(const tt_session *s, uint32_t trace) { return tt_queue_lengths_make(s, trace, NULL, NULL); }

static void release(void *value) { tt_queue_lengths_free(value); }

const tt_queue_lengths *tt_queue_lengths_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"queue lengths", build, release};
    return tt_analysis_get(s, trace, &kind);
}

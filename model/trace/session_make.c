/* model/trace/session_make.c - the traces of a run side by side.
 *
 * Traces with a wall clock are aligned by it; the earliest of them begins at 0 of the common axis. A trace without a
 * wall clock also begins at 0: its times cannot be compared with the others. */
#include "model/trace/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/interval_set.h"
#include "model/text/process_name.h"
#include "model/text/text_order.h"
#include "model/trace/analysis_cache.h"

static int by_worker_span(const void *a, const void *b)
{
    const tt_trace *x = *(tt_trace *const *)a, *y = *(tt_trace *const *)b;
    int c = tt_process_front_end(x->worker) - tt_process_front_end(y->worker); /* the first speaks for all */
    if (!c) c = tt_natural_order(x->worker, y->worker);
    if (!c) c = tt_natural_order(x->span, y->span);
    return c ? c : strcmp(x->path ? x->path : "", y->path ? y->path : "");
}

static void add_name(char **names, uint32_t *n, const char *name)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (!strcmp(names[i], name)) return;
    }
    names[(*n)++] = tt_strdup(name);
}

static int by_natural_name(const void *a, const void *b)
{
    return tt_natural_order(*(char *const *)a, *(char *const *)b);
}

tt_session *tt_session_new(tt_trace **traces, uint32_t n, const char *run)
{
    tt_session *s = tt_calloc(1, sizeof *s);
    s->traces = tt_calloc(n, sizeof *s->traces);
    s->n_traces = n;
    if (n) memcpy(s->traces, traces, n * sizeof *traces);
    qsort(s->traces, n, sizeof *s->traces, by_worker_span);
    s->offset_ns = tt_calloc(n, sizeof *s->offset_ns);
    s->workers = tt_calloc(n, sizeof *s->workers);
    s->spans = tt_calloc(n, sizeof *s->spans);
    s->run = tt_strdup(run ? run : "");
    s->path = tt_strdup("");
    s->derived = tt_analysis_new();

    bool any = false;
    int64_t first = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tt_trace *st = s->traces[i];
        if (st->absolute && (!any || st->origin_ns < first)) first = st->origin_ns;
        any = any || st->absolute;
    }
    for (uint32_t i = 0; i < n; i++) {
        const tt_trace *st = s->traces[i];
        s->offset_ns[i] = st->absolute ? st->origin_ns - first : 0;
        if (st->end + s->offset_ns[i] > s->end_ns) s->end_ns = st->end + s->offset_ns[i];
        add_name(s->workers, &s->n_workers, st->worker);
        add_name(s->spans, &s->n_spans, st->span);
    }
    /* spans follow the order of the first worker; a span that only a later worker has is sorted in between */
    qsort(s->spans, s->n_spans, sizeof *s->spans, by_natural_name);
    return s;
}

void tt_session_free(tt_session *s)
{
    if (!s) return;
    if (s->tables) s->tables->free(s->tables);
    if (s->table_list) s->table_list->free(s->table_list);
    tt_analysis_free(s->derived);
    if (s->keys) s->keys->free(s->keys);
    for (uint32_t i = 0; i < s->n_traces; i++) tt_trace_free(s->traces[i]);
    for (uint32_t i = 0; i < s->n_workers; i++) free(s->workers[i]);
    for (uint32_t i = 0; i < s->n_spans; i++) free(s->spans[i]);
    free(s->workers);
    free(s->spans);
    free(s->traces);
    free(s->offset_ns);
    tt_vec_free(&s->inputs);
    free(s->run);
    free(s->path);
    free(s);
}

void tt_session_set_path(tt_session *s, const char *path)
{
    free(s->path);
    s->path = tt_strdup(path);
}

void tt_session_set_inputs(tt_session *s, const tt_file_ids *l)
{
    if (!l->n) return;
    tt_vec_reserve(&s->inputs, l->n);
    memcpy(s->inputs.at, l->at, l->n * sizeof *l->at);
    s->inputs.n = l->n;
}

bool tt_file_ids_have(const tt_file_ids *l, uint64_t dev, uint64_t ino)
{
    for (size_t i = 0; l && i < l->n; i++) {
        if (l->at[i].dev == dev && l->at[i].ino == ino) return true;
    }
    return false;
}

const char *tt_session_format(const tt_session *s)
{
    for (uint32_t i = 1; i < s->n_traces; i++) {
        if (strcmp(tt_trace_format(s->traces[i]), tt_trace_format(s->traces[0])) != 0) return "mixed";
    }
    return s->n_traces ? tt_trace_format(s->traces[0]) : "none";
}

uint64_t tt_session_events(const tt_session *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) sum += s->traces[i]->n_events;
    return sum;
}

uint64_t tt_session_slices(const tt_session *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) sum += s->traces[i]->n + s->traces[i]->slices_summarised;
    return sum;
}

const char *tt_rank_name(const tt_session *s, const char *worker, char buf[32])
{
    int64_t rank = -1;
    for (uint32_t i = 0; i < s->n_traces && rank < 0; i++)
        if (!strcmp(s->traces[i]->worker, worker)) rank = s->traces[i]->rank;
    for (uint32_t i = 0; i < s->n_traces && rank >= 0; i++)
        if (s->traces[i]->rank == rank && strcmp(s->traces[i]->worker, worker)) rank = -1;
    if (rank < 0) return worker;
    snprintf(buf, 32, "rank %lld", (long long)rank);
    return buf;
}

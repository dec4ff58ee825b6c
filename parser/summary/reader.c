/* parser/summary/reader.c - opens a summary file. See reader.h. */
#include "parser/summary/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/base/sort_by.h"
#include "model/summary/stub.h"

#define PIECE ((size_t)1 << 18)

/* ---- names ---- */

/* Names of a file's sources. A source keeps its name if no other has it. Recordings of one rank become its spans, in
 * order of time; other equal names get a number. */
typedef struct naming {
    const tt_tts_source *s;
    const char *worker, *span;
    uint32_t at; /* index of the source in the file */
} naming;

static int by_name(const void *a, const void *b)
{
    const naming *x = a, *y = b;
    int c = strcmp(x->worker, y->worker);
    if (!c) c = (x->s->rank > y->s->rank) - (x->s->rank < y->s->rank);
    if (!c) c = (x->s->start > y->s->start) - (x->s->start < y->s->start);
    return c ? c : (x->at > y->at) - (x->at < y->at);
}

/* Name the recordings of one rank, in order of time; numbers replace their own names if these are not all different. */
static void name_spans(naming *l, uint32_t n, tt_arena *a)
{
    tt_strings seen;
    tt_strings_init(&seen);
    for (uint32_t i = 0; i < n; i++) tt_strings_put(&seen, l[i].span, strlen(l[i].span));
    bool differ = seen.text.n > n; /* "" is always among the strings */
    for (uint32_t i = 0; i < n && !differ && n > 1; i++) l[i].span = tt_arena_printf(a, "%" PRIu32, i + 1);
    tt_strings_free(&seen);
}

static naming *name_all(const tt_tts *f, tt_arena *a)
{
    naming *l = tt_malloc((f->n_sources + 1u) * sizeof *l);
    for (uint32_t i = 0; i < f->n_sources; i++)
        l[i] = (naming){&f->sources[i], f->sources[i].worker, f->sources[i].span, i};
    qsort(l, f->n_sources, sizeof *l, by_name);
    for (uint32_t i = 0, n; i < f->n_sources; i += n) { /* each worker's sources */
        uint32_t ranks = 0;
        for (n = 1; i + n < f->n_sources && !strcmp(l[i + n].worker, l[i].worker);) n++;
        for (uint32_t k = i, m; k < i + n; k += m, ranks++) { /* each rank's sources */
            for (m = 1; k + m < i + n && l[k + m].s->rank == l[k].s->rank;) m++;
            name_spans(&l[k], m, a);
        }
        for (uint32_t k = i; k < i + n && ranks > 1; k++)
            l[k].worker = l[k].s->rank >= 0 ? tt_arena_printf(a, "%s rank %" PRId64, l[k].s->worker, l[k].s->rank)
                                            : tt_arena_printf(a, "%s (no rank)", l[k].s->worker);
    }
    TT_SORT_BY(l, f->n_sources, TT_ASC(naming, at));
    return l;
}

/* ---- traces ---- */

typedef struct making {
    const tt_format_info *format;
    naming *names;
    tt_trace **traces; /* traces by source; NULL: damaged */
    tt_err *errors;
    uint32_t first; /* index of the first undamaged source: it has its trace already */
} making;

static void make_one(void *arg, size_t i)
{
    making *m = arg;
    if (i == m->first) return;
    tt_summary_trace(m->names[i].s, m->format, m->names[i].worker, m->names[i].span, &m->traces[i], &m->errors[i]);
}

/* Read a pipe to its end: only text already read can be read again. */
static tt_status read_through(tt_source *source, tt_reader_progress *progress, tt_err *err)
{
    uint64_t size;
    char *piece = tt_malloc(PIECE);
    tt_status st = TT_OK;
    for (size_t got = 1; got && st == TT_OK && !tt_source_random(source, &size) && !atomic_load(&progress->cancel);) {
        st = tt_source_read(source, piece, PIECE, &got, err);
        atomic_fetch_add_explicit(&progress->text_bytes, got, memory_order_relaxed);
    }
    free(piece);
    return st;
}

tt_status tt_read_summary(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                          const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_source *source;
    tt_tts *f;
    tt_arena a = {0};
    tt_status st = TT_ERR_INPUT;
    (void)threads;
    (void)hooks;
    *out = NULL;
    TT_TRY(tt_input_open_part(in, 0, &source, err));
    TT_TRY(read_through(source, progress, err));
    TT_TRY(tt_tts_open(tt_input_text(in, source), names->path, &f, err));
    if (!f->n_sources) st = tt_fail(err, st, -1, "%s: is an empty summary: no recording is in it", names->path);
    naming *l = name_all(f, &a);
    for (uint32_t i = 0; i < f->n_sources && !*out; i++)
        st = tt_summary_trace(l[i].s, names->format, l[i].worker, l[i].span, out, err);
    free(l);
    tt_arena_free(&a);
    tt_tts_free(f);
    return st;
}

tt_trace **tt_summary_traces(tt_trace *first, uint32_t *n)
{
    const tt_summary *x = tt_summary_of(first);
    if (!x) return NULL;
    const tt_tts *f = tt_summary_source(x)->file;
    tt_arena a = {0};
    making m = {first->format, name_all(f, &a), tt_calloc(f->n_sources + 1u, sizeof *m.traces),
                tt_calloc(f->n_sources + 1u, sizeof *m.errors), 0};
    m.first = (uint32_t)(tt_summary_source(x) - f->sources);
    m.traces[m.first] = first;
    tt_parallel(tt_threads(), f->n_sources, make_one, &m);
    *n = 0;
    for (uint32_t i = 0; i < f->n_sources; i++) {
        if (!m.traces[i]) tt_tts_report_damage(&first->problems, m.names[i].worker, &m.errors[i]);
        if (m.traces[i]) m.traces[(*n)++] = m.traces[i];
    }
    free(m.errors);
    free(m.names);
    tt_arena_free(&a);
    return m.traces;
}

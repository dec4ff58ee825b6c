/* model/tables/analysis/graphs/captures.c - see captures.h. */
#include "model/tables/analysis/graphs/captures.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/keys/keys.h"
#include "model/text/engine_step.h"
#include "model/trace/analysis_cache.h"

/* A file with captures. */
typedef struct source {
    const tt_trace *trace;
    const char *path;
    uint32_t own;
    int64_t batch; /* batch that execution_details.json says; -1 = none */
} source;

/* Find the range around the capture that says what is captured: the innermost one on its thread. */
static void find_range(tt_capture *c)
{
    const tt_trace *s = c->trace;
    const tt_captured_call *call = &s->captured[c->first];
    for (tt_row r = call->begin; (r = tt_row_ancestor(s, r, 1u << TT_KIND_ENGINE_STEP)) != TT_NONE;) {
        tt_engine_step_name name;
        const char *text = tt_row_name(s, r);
        if (tt_row_end(s, r) < tt_row_end(s, call->end)) continue;
        if (!tt_engine_step_read(text, strlen(text), &name) || name.phase != TT_PHASE_CAPTURE) continue;
        c->name = text;
        c->batch = name.number[TT_STEP_BATCH];
        return;
    }
}

static void add_capture(tt_captures *all, const source *from, uint32_t file, uint32_t first, uint32_t n)
{
    tt_capture c = {.trace = from->trace,
                    .own = from->own,
                    .file = file,
                    .first = first,
                    .n = n,
                    .batch = TT_UNKNOWN,
                    .word = (uint32_t)all->words.n};
    for (uint32_t i = first; i < first + n; i++) {
        uint32_t word = tt_graph_word_put(&all->names, c.trace, &c.trace->captured[i]);
        *tt_vec_push(&all->words) = word;
        c.named |= word >= TT_WORD_FIRST_NAME;
        c.holds |= UINT64_C(1) << word % 64;
    }
    find_range(&c);
    if (c.batch < 0 && from->batch >= 0) c.batch = from->batch;
    *tt_vec_push(&all->at) = c;
}

typedef struct span { /* captured calls of one capture */
    int64_t start;
    uint32_t first, n;
} span;

/* Add the captures of a file in order of time. */
static void add_captures(tt_captures *all, const source *from, uint32_t file)
{
    const tt_trace *s = from->trace;
    TT_VEC(span) spans = {0};
    for (uint32_t i = 0; i < s->n_captured; i++) {
        if (!i || s->captured[i].begin != s->captured[i - 1].begin)
            *tt_vec_push(&spans) = (span){s->start[s->captured[i].begin], i, 0};
        spans.at[spans.n - 1].n++;
    }
    TT_SORT_BY(spans.at, spans.n, TT_ASC(span, start), TT_ASC(span, first));
    for (size_t i = 0; i < spans.n; i++) add_capture(all, from, file, spans.at[i].first, spans.at[i].n);
    tt_vec_free(&spans);
}

static void index_init(struct tt_capture_index *i)
{
    tt_strings_init(&i->key);
    *tt_vec_push(&i->head) = TT_NONE;
}

static void index_free(struct tt_capture_index *i)
{
    tt_strings_free(&i->key);
    tt_vec_free(&i->head);
    tt_vec_free(&i->next);
}

/* Put capture k in front of those with its words. Captures come from the last to the first. */
static uint32_t index_put(struct tt_capture_index *i, size_t k, const uint32_t *words, uint32_t n)
{
    uint32_t number = tt_strings_put(&i->key, (const char *)words, n * sizeof *words);
    if (number == i->head.n) *tt_vec_push(&i->head) = TT_NONE;
    i->next.at[k] = i->head.at[number];
    i->head.at[number] = (uint32_t)k;
    return number;
}

uint32_t tt_captures_first(const struct tt_capture_index *i, const uint32_t *words, uint32_t n)
{
    uint32_t number = tt_strings_find(&i->key, (const char *)words, n * sizeof *words);
    return number == UINT32_MAX ? TT_NONE : i->head.at[number];
}

static void index_captures(tt_captures *all)
{
    TT_VEC(uint32_t) words = {0};
    struct tt_capture_index *const each[] = {&all->by_order, &all->by_sorted, &all->by_kinds};
    for (int i = 0; i < 3; i++) {
        index_init(each[i]);
        tt_vec_reserve(&each[i]->next, all->at.n);
    }
    for (size_t k = all->at.n; k-- > 0;) {
        tt_capture *c = &all->at.at[k];
        const uint32_t *of = all->words.at + c->word;
        tt_vec_reserve(&words, c->n);
        c->order = index_put(&all->by_order, k, of, c->n);
        for (uint32_t i = 0; i < c->n; i++) words.at[i] = tt_graph_word_kind(of[i]);
        c->kinds = index_put(&all->by_kinds, k, words.at, c->n);
        memcpy(words.at, of, c->n * sizeof *of);
        TT_SORT_UP(words.at, c->n);
        c->sorted = index_put(&all->by_sorted, k, words.at, c->n);
    }
    tt_vec_free(&words);
}

static void *build(const tt_session *s, uint32_t trace)
{
    (void)trace;
    tt_captures *all = tt_calloc(1, sizeof *all);
    TT_VEC(source) sources = {0};
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        if (t->n_captured) *tt_vec_push(&sources) = (source){t, t->path ? t->path : "", i, -1};
    }
    tt_keys *keys = tt_session_keys(s);
    for (uint32_t i = 0; i < tt_keys_count(keys); i++) {
        const tt_trace *t = tt_keys_trace(keys, i);
        if (t && t->n_captured)
            *tt_vec_push(&sources) = (source){t, tt_keys_path(keys, i), TT_NONE, tt_keys_batch(keys, i)};
    }
    TT_SORT_BY(sources.at, sources.n, TT_ASC(source, path), TT_ASC(source, own));
    tt_graph_words_init(&all->names);
    for (size_t i = 0; i < sources.n; i++) add_captures(all, &sources.at[i], (uint32_t)i);
    tt_vec_free(&sources);
    index_captures(all);
    return all;
}

static void destroy(void *value)
{
    tt_captures *all = value;
    index_free(&all->by_order);
    index_free(&all->by_sorted);
    index_free(&all->by_kinds);
    tt_strings_free(&all->names);
    tt_vec_free(&all->words);
    tt_vec_free(&all->at);
    free(all);
}

const tt_captures *tt_captures_get(const tt_session *s)
{
    static const tt_analysis_kind kind = {"captures", build, destroy};
    return tt_analysis_get(s, 0, &kind);
}

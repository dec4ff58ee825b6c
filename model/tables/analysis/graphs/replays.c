/* model/tables/analysis/graphs/replays.c - see replays.h. */
#include "model/tables/analysis/graphs/replays.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/text/call_name.h"

typedef struct finding {
    const tt_trace *s;
    const tt_captures *captures;
    tt_replays *out;
    uint32_t *word; /* by name: the word of a kernel; 0 = not looked up yet */
    TT_VEC(uint32_t) words;
} finding;

bool *tt_graph_launch_names(const tt_trace *s)
{
    bool *is = NULL;
    for (tt_sid i = 1; i < s->strings.text.n; i++) {
        if (!tt_call_launches_graph(tt_str(&s->strings, i))) continue;
        if (!is) is = tt_calloc(s->strings.text.n, sizeof *is);
        is[i] = true;
    }
    return is;
}

typedef struct piece { /* work of a replay */
    int64_t start;
    uint64_t text;
    uint32_t dev;
} piece;

/* Add the work of a launch in order of (start, place in the file). */
static void add_work(finding *f, const uint32_t *dev, uint32_t n)
{
    const tt_trace *s = f->s;
    size_t first = f->out->work.n;
    bool sorted = true;
    for (uint32_t i = 0; i < n; i++) {
        tt_row r = s->dev[dev[i]].row;
        if (!tt_kind_is_work(tt_row_kind(s, r))) continue;
        if (f->out->work.n > first) {
            tt_row before = s->dev[f->out->work.at[f->out->work.n - 1]].row;
            sorted &= s->start[before] < s->start[r] ||
                      (s->start[before] == s->start[r] && tt_row_text(s, before) < tt_row_text(s, r));
        }
        *tt_vec_push(&f->out->work) = dev[i];
    }
    if (sorted) return;
    uint32_t *at = f->out->work.at + first;
    size_t m = f->out->work.n - first;
    piece *p = tt_malloc(m * sizeof *p);
    for (size_t i = 0; i < m; i++)
        p[i] = (piece){s->start[s->dev[at[i]].row], tt_row_text(s, s->dev[at[i]].row), at[i]};
    TT_SORT_BY(p, m, TT_ASC(piece, start), TT_ASC(piece, text));
    for (size_t i = 0; i < m; i++) at[i] = p[i].dev;
    free(p);
}

/* The number of the graph that the work is part of; 0 = not given. */
static int64_t graph_of(const tt_launch_shape *l) { return l->graph > 0 ? l->graph : (int64_t)(l->node >> 32); }

static uint32_t word_of(finding *f, tt_row r)
{
    const tt_trace *s = f->s;
    tt_kind kind = tt_row_kind(s, r);
    if (kind == TT_KIND_MEMCPY || kind == TT_KIND_MEMSET)
        return tt_graph_word_find(&f->captures->names, s, s->name[r], kind);
    uint32_t *word = &f->word[s->name[r]];
    if (!*word) *word = tt_graph_word_find(&f->captures->names, s, s->name[r], kind);
    return *word;
}

static void set_sequence(finding *f, tt_replay *p)
{
    f->words.n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const tt_activity *d = &f->s->dev[f->out->work.at[p->first + i]];
        *tt_vec_push(&f->words) = word_of(f, d->row);
        if (!p->graph) p->graph = graph_of(&f->s->shapes[d->shape]);
    }
    p->sequence = tt_strings_put(&f->out->sequences, (const char *)f->words.at, f->words.n * sizeof *f->words.at) - 1;
}

typedef struct graph_launch {
    int64_t start;
    tt_row row;
    uint32_t first, n; /* its device work, among the links */
} graph_launch;

void tt_replays_find(const tt_trace *s, const tt_captures *captures, tt_replays *out)
{
    finding f = {.s = s, .captures = captures, .out = out};
    TT_VEC(graph_launch) launches = {0};
    bool *is = tt_graph_launch_names(s);
    for (uint32_t i = 0, n; is && i < s->n_links; i += n) {
        tt_row r = s->launch_row[i];
        for (n = 1; i + n < s->n_links && s->launch_row[i + n] == r;) n++;
        if (is[s->name[r]]) *tt_vec_push(&launches) = (graph_launch){s->start[r], r, i, n};
    }
    free(is);
    if (launches.n) f.word = tt_calloc(s->strings.text.n, sizeof *f.word);
    TT_SORT_BY(launches.at, launches.n, TT_ASC(graph_launch, start), TT_ASC(graph_launch, row));
    for (size_t i = 0; i < launches.n; i++) {
        const graph_launch *l = &launches.at[i];
        tt_replay p = {.launch = l->row, .first = (uint32_t)out->work.n};
        add_work(&f, s->launched_activity + l->first, l->n);
        p.n = (uint32_t)out->work.n - p.first;
        if (!p.n) continue;
        set_sequence(&f, &p);
        *tt_vec_push(&out->at) = p;
    }
    free(f.word);
    tt_vec_free(&f.words);
    tt_vec_free(&launches);
}

void tt_replays_free(tt_replays *r)
{
    tt_vec_free(&r->at);
    tt_vec_free(&r->work);
    tt_strings_free(&r->sequences);
}

const uint32_t *tt_replays_words(const tt_replays *r, uint32_t sequence, uint32_t *n)
{
    *n = r->sequences.len.at[sequence + 1] / (uint32_t)sizeof(uint32_t);
    return (const uint32_t *)(const void *)r->sequences.text.at[sequence + 1];
}

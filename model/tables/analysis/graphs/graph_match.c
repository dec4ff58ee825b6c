/* model/tables/analysis/graphs/graph_match.c - see matching.h. */
#include "model/tables/analysis/graphs/graph_match.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"

void tt_graph_match_begin(tt_graph_match *m, const tt_captures *captures, const tt_replays *replays,
                          const tt_trace *trace, uint32_t own)
{
    *m = (tt_graph_match){.captures = captures, .replays = replays, .trace = trace, .own = own};
    tt_groups_init(&m->asked);
    tt_groups_init(&m->mapped);
}

void tt_graph_match_free(tt_graph_match *m)
{
    tt_groups_free(&m->asked);
    tt_groups_free(&m->mapped);
    tt_vec_free(&m->choice);
    tt_vec_free(&m->chosen);
    tt_vec_free(&m->calls);
    tt_vec_free(&m->calls_from);
}

typedef TT_VEC(uint32_t) capture_list;

static bool may_own(const tt_graph_match *m, const tt_capture *c) { return c->own == TT_NONE || c->own == m->own; }

/* Add the captures of a chain. unnamed: only those that name no kernel. */
static void take_chain(const tt_graph_match *m, const struct tt_capture_index *index, uint32_t k, bool unnamed,
                       capture_list *out)
{
    for (; k != TT_NONE; k = index->next.at[k]) {
        const tt_capture *c = &m->captures->at.at[k];
        if (may_own(m, c) && !(unnamed && c->named)) *tt_vec_push(out) = k;
    }
}

/* Whether the words are left when some calls of the capture are dropped. calls: the call of each word, or NULL. */
static bool is_part(const uint32_t *words, uint32_t n, const uint32_t *of, uint32_t n_of, uint32_t *calls)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < n_of && i < n; k++) {
        if (of[k] != words[i] || of[k] == TT_WORD_UNNAMED) continue;
        if (calls) calls[i] = k;
        i++;
    }
    return i == n;
}

static void take_longer(const tt_graph_match *m, const uint32_t *words, uint32_t n, capture_list *out)
{
    uint64_t holds = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (words[i] & TT_WORD_OF_REPLAY) return;
        holds |= UINT64_C(1) << words[i] % 64;
    }
    for (uint32_t k = 0; k < m->captures->at.n; k++) {
        const tt_capture *c = &m->captures->at.at[k];
        if (c->n <= n || holds & ~c->holds || !may_own(m, c)) continue;
        if (is_part(words, n, m->captures->words.at + c->word, c->n, NULL)) *tt_vec_push(out) = k;
    }
}

static void take_fitting(const tt_graph_match *m, tt_graph_fit fit, const uint32_t *words, uint32_t n,
                         capture_list *out)
{
    const tt_captures *all = m->captures;
    uint32_t *other = tt_malloc(n * sizeof *other);
    switch (fit) {
    case TT_FIT_ORDER: take_chain(m, &all->by_order, tt_captures_first(&all->by_order, words, n), false, out); break;
    case TT_FIT_POSITION:
        for (uint32_t i = 0; i < n; i++) other[i] = tt_graph_word_kind(words[i]);
        take_chain(m, &all->by_kinds, tt_captures_first(&all->by_kinds, other, n), true, out);
        break;
    case TT_FIT_PART: take_longer(m, words, n, out); break;
    default:
        memcpy(other, words, n * sizeof *words);
        TT_SORT_UP(other, n);
        take_chain(m, &all->by_sorted, tt_captures_first(&all->by_sorted, other, n), false, out);
    }
    free(other);
}

/* Keep the captures with the smallest batch that the step fits into; all of them when there is none. False: none. */
static bool keep_batch(const tt_graph_match *m, int64_t size, capture_list *list)
{
    int64_t best = INT64_MAX;
    size_t n = 0;
    for (size_t i = 0; i < list->n && size != TT_UNKNOWN; i++) {
        int64_t batch = m->captures->at.at[list->at[i]].batch;
        if (batch >= size && batch < best) best = batch;
    }
    if (best == INT64_MAX) return false;
    for (size_t i = 0; i < list->n; i++)
        if (m->captures->at.at[list->at[i]].batch == best) list->at[n++] = list->at[i];
    list->n = n;
    return true;
}

/* Files of the trace's own rank come first, then those whose rank nobody knows. */
static int strangeness(const tt_graph_match *m, const tt_capture *c)
{
    if (c->trace->rank == m->trace->rank) return 0;
    return c->trace->rank < 0 || m->trace->rank < 0 ? 1 : 2;
}

/* Keep the captures of the first file. */
static void keep_file(const tt_graph_match *m, capture_list *list)
{
    const tt_capture *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const tt_capture *c = &m->captures->at.at[list->at[i]];
        if (!first || strangeness(m, c) < strangeness(m, first)) first = c;
    }
    for (size_t i = 0; i < list->n; i++)
        if (m->captures->at.at[list->at[i]].file == first->file) list->at[n++] = list->at[i];
    list->n = n;
}

tt_graph_choice tt_graph_match_choose(tt_graph_match *m, uint32_t sequence, int64_t size)
{
    tt_graph_choice none = {TT_FIT_COUNT_, 0, 0};
    if (!m->captures->at.n) return none;
    uint32_t at = tt_groups_put(&m->asked, (tt_group_key){sequence, (uint64_t)size, 0});
    if (at < m->choice.n) return m->choice.at[at];
    capture_list list = {0};
    uint32_t n;
    const uint32_t *words = tt_replays_words(m->replays, sequence, &n);
    tt_graph_choice c = none;
    for (tt_graph_fit fit = 0; fit < TT_FIT_COUNT_ && !c.n; fit++) {
        list.n = 0;
        take_fitting(m, fit, words, n, &list);
        bool sized = keep_batch(m, size, &list);
        if (!list.n || (fit == TT_FIT_POSITION && !sized)) continue;
        keep_file(m, &list);
        c = (tt_graph_choice){fit, (uint32_t)m->chosen.n, (uint32_t)list.n};
        for (size_t i = 0; i < list.n; i++) *tt_vec_push(&m->chosen) = list.at[i];
    }
    tt_vec_free(&list);
    return *tt_vec_push(&m->choice) = c;
}

typedef struct placed_word {
    uint32_t word, place;
} placed_word;

static placed_word *by_word(const uint32_t *words, uint32_t n)
{
    placed_word *p = tt_malloc(n * sizeof *p);
    for (uint32_t i = 0; i < n; i++) p[i] = (placed_word){words[i], i};
    TT_SORT_BY(p, n, TT_ASC(placed_word, word), TT_ASC(placed_word, place));
    return p;
}

const uint32_t *tt_graph_match_calls(tt_graph_match *m, tt_graph_fit fit, uint32_t sequence, uint32_t capture)
{
    if (fit == TT_FIT_ORDER || fit == TT_FIT_POSITION) return NULL;
    uint32_t n, at = tt_groups_put(&m->mapped, (tt_group_key){sequence, capture, 0});
    const tt_capture *c = &m->captures->at.at[capture];
    const uint32_t *words = tt_replays_words(m->replays, sequence, &n), *of = m->captures->words.at + c->word;
    if (at < m->calls_from.n) return m->calls.at + m->calls_from.at[at];
    size_t from = m->calls.n;
    *tt_vec_push(&m->calls_from) = (uint32_t)from;
    tt_vec_reserve(&m->calls, from + n);
    m->calls.n += n;
    uint32_t *calls = m->calls.at + from;
    if (fit == TT_FIT_PART) {
        (void)is_part(words, n, of, c->n, calls);
    } else {
        placed_word *mine = by_word(words, n), *its = by_word(of, n);
        for (uint32_t i = 0; i < n; i++) calls[mine[i].place] = its[i].place;
        free(mine);
        free(its);
    }
    return calls;
}

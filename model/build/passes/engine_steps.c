/* model/build/passes/engine_steps.c - the steps of engines of LLM serving: outermost ranges of one thread of each
 * process. */
#include <stdlib.h>

#include "model/base/sort_by.h"
#include "model/build/passes/finish_internal.h"

/* The outermost ranges of one thread. */
typedef struct stepping {
    uint32_t track, process;
    size_t first, n; /* where they are in the list of all */
    int64_t start;   /* start of the first */
} stepping;

typedef TT_VEC(tt_row) row_list;
typedef TT_VEC(stepping) stepping_list;

/* Collect the outermost of the rows, and the threads that have them; rows ascend, so those of a track are together
 * and ordered by (start, -duration). */
static void find_outermost(const tt_trace *s, const tt_row *rows, size_t n, row_list *out, stepping_list *threads)
{
    int64_t end = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        tt_row r = rows[i];
        if (tt_row_kind(s, r) != TT_KIND_ENGINE_STEP) continue;
        uint32_t track = tt_row_track(s, r);
        bool same = threads->n && threads->at[threads->n - 1].track == track;
        if (same && tt_row_end(s, r) <= end) continue;
        if (!same) *tt_vec_push(threads) = (stepping){track, s->tracks[track].process, out->n, 0, s->start[r]};
        threads->at[threads->n - 1].n++;
        end = tt_row_end(s, r);
        *tt_vec_push(out) = r;
    }
}

void tt_trace_find_engine_steps(tt_trace *s, const tt_row *rows, size_t n)
{
    row_list all = {0}, kept = {0};
    stepping_list threads = {0};
    find_outermost(s, rows, n, &all, &threads);
    TT_SORT_BY(threads.at, threads.n, TT_ASC(stepping, process), TT_DESC(stepping, n), TT_ASC(stepping, start),
               TT_ASC(stepping, track));
    for (size_t i = 0; i < threads.n; i++) {
        const stepping *t = &threads.at[i];
        bool chosen = !i || threads.at[i - 1].process != t->process;
        for (size_t k = t->first; chosen && k < t->first + t->n; k++) *tt_vec_push(&kept) = all.at[k];
        if (!chosen)
            tt_problem_add_n(&s->problems, TT_PROBLEM_ENGINE_STEPS_OTHER_THREAD, t->n,
                             (int64_t)tt_row_text(s, all.at[t->first]), tt_row_name(s, all.at[t->first]));
    }
    struct by_start {
        tt_row row;
        int64_t start;
    } *order = tt_malloc((kept.n + 1) * sizeof *order);
    for (size_t i = 0; i < kept.n; i++) order[i] = (struct by_start){kept.at[i], s->start[kept.at[i]]};
    TT_SORT_BY(order, kept.n, TT_ASC(struct by_start, start), TT_ASC(struct by_start, row));
    for (size_t i = 0; i < kept.n; i++) kept.at[i] = order[i].row;
    free(order);
    tt_vec_free(&all);
    tt_vec_free(&threads);
    s->engine_steps = kept.at;
    s->n_engine_steps = (uint32_t)kept.n;
}

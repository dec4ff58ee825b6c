/* model/tables/analysis/calls/backward.c - see backward.h. */
#include "model/tables/analysis/calls/backward.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/group_by.h"
#include "model/base/sort_by.h"
#include "model/trace/analysis_cache.h"

typedef struct link {
    tt_row backward, forward;
} link;

typedef struct links {
    TT_VEC(link) at; /* links, by backward operator */
} links;

static tt_row operator_at(const tt_trace *s, const tt_flow *f)
{
    return tt_track_slice_at(s, f->track, f->ts, 1u << TT_KIND_CPU_OP);
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    links *l = tt_calloc(1, sizeof *l);
    tt_groups ids;
    TT_VEC(tt_row) begin = {0}; /* per group the slice in which its flow begins */
    tt_groups_init(&ids);
    for (int end = 0; end < 2; end++) {
        for (uint32_t i = 0; i < s->n_flows; i++) {
            const tt_flow *f = &s->flows[i];
            if (f->of_work || f->phase != (end ? 'f' : 's')) continue;
            uint32_t at = tt_groups_put(&ids, (tt_group_key){.a = f->id, .b = f->cat});
            if (at == begin.n) *tt_vec_push(&begin) = TT_NONE;
            if (end && begin.at[at] == TT_NONE) continue;
            tt_row r = operator_at(s, f);
            if (!end)
                begin.at[at] = r;
            else if (r != TT_NONE && begin.at[at] != r)
                *tt_vec_push(&l->at) = (link){r, begin.at[at]};
        }
    }
    TT_SORT_BY(l->at.at, l->at.n, TT_ASC(link, backward), TT_ASC(link, forward));
    tt_groups_free(&ids);
    tt_vec_free(&begin);
    return l;
}

static void release(void *value)
{
    links *l = value;
    tt_vec_free(&l->at);
    free(l);
}

tt_row tt_forward_of(const tt_session *s, uint32_t trace, tt_row r)
{
    static const tt_analysis_kind kind = {"backward", build, release};
    const links *l = tt_analysis_get(s, trace, &kind);
    for (; r != TT_NONE && l->at.n; r = s->traces[trace]->parent[r]) {
        size_t lo = 0, hi = l->at.n;
        TT_BISECT(lo, hi, i, l->at.at[i].backward < r);
        if (lo < l->at.n && l->at.at[lo].backward == r) return l->at.at[lo].forward;
    }
    return TT_NONE;
}

bool tt_program_line_elsewhere(const tt_session *s, uint32_t trace, tt_line_memo *memo, tt_row call, char *out,
                               size_t cap)
{
    const tt_trace *t = s->traces[trace];
    tt_row forward = tt_forward_of(s, trace, call);
    if (forward != TT_NONE && tt_python_line_on_with(t, memo, tt_row_track(t, forward), t->start[forward], out, cap))
        return true;
    return tt_python_line_of_step(t, memo, tt_row_track(t, call), t->start[call], out, cap);
}

bool tt_program_line_with(const tt_session *s, uint32_t trace, tt_line_memo *memo, tt_row call, char *out, size_t cap)
{
    const tt_trace *t = s->traces[trace];
    return tt_python_line_on_with(t, memo, tt_row_track(t, call), t->start[call], out, cap) ||
           tt_program_line_elsewhere(s, trace, memo, call, out, cap);
}

bool tt_program_line_of(const tt_session *s, uint32_t trace, tt_row call, char *out, size_t cap)
{
    return tt_program_line_with(s, trace, NULL, call, out, cap);
}

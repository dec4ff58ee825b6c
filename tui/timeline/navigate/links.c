/* tui/timeline/navigate/links.c - see links.h. */
#include "tui/timeline/navigate/links.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/analysis/names/kernel_class.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/flows.h"
#include "tui/timeline/navigate/select.h"

static const char *select_row(tt_timeline *t, tt_row row)
{
    if (!tt_timeline_passes(t, (tt_slice_ref){t->sel.trace, row})) {
        return "the filter hides where this leads; \\ shows everything";
    }
    tt_timeline_select(t, (tt_slice_ref){t->sel.trace, row}, true);
    return NULL;
}

static const char *link_back(tt_timeline *t, const tt_trace *s, tt_row r)
{
    tt_kind kind = tt_row_kind(s, r);
    const tt_activity *d = tt_row_dev(s, r);
    if (d) {
        return d->launch != TT_NONE ? select_row(t, d->launch) : "no launch event";
    }
    tt_row up = tt_kind_is_launch(kind) && s->detail[r] != TT_NONE ? s->detail[r] : s->parent[r];
    return up != TT_NONE ? select_row(t, up) : "no launch or flow linked to this slice";
}

typedef struct call { /* a collective on a device */
    int64_t start;
    tt_row row;
} call;

/* All device work with a name, by time; the caller frees. */
static call *calls_of(const tt_trace *s, const char *name, size_t *n)
{
    TT_VEC(call) v = {0};
    tt_sid id = 0; /* 0 = the name was not found yet; after that ids are compared, not texts */
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_row row = s->dev[i].row;
        if (id == 0 && strcmp(tt_row_name(s, row), name) == 0) {
            id = s->name[row];
        }
        if (id != 0 && s->name[row] == id) {
            *tt_vec_push(&v) = (call){s->start[row], row};
        }
    }
    if (v.n > 1) {
        TT_SORT_BY(v.at, v.n, TT_ASC(call, start), TT_ASC(call, row));
    }
    *n = v.n;
    return v.at;
}

/* Select the same call of a collective on the next rank that has it, in a circle. NULL, or why there is none. */
static const char *same_call(tt_timeline *t, const tt_trace *s, tt_row r, bool launched)
{
    const char *name = tt_row_name(s, r), *alone = "its launch started only this";
    size_t n, place = 0;
    if (!tt_comm_kernel_library(name)) {
        return launched ? alone : "no launch event";
    }
    call *calls = calls_of(s, name, &n);
    while (place < n && calls[place].row != r) {
        place++;
    }
    free(calls);
    for (uint32_t i = 1; i < t->session->n_traces; i++) {
        uint32_t other = (t->sel.trace + i) % t->session->n_traces;
        const tt_trace *x = t->session->traces[other];
        if (strcmp(x->span, s->span) != 0 || strcmp(x->worker, s->worker) == 0) {
            continue;
        }
        calls = calls_of(x, name, &n);
        tt_slice_ref to = {other, place < n ? calls[place].row : TT_NONE};
        free(calls);
        if (to.row != TT_NONE && tt_timeline_passes(t, to)) {
            tt_timeline_select(t, to, true);
            return NULL;
        }
    }
    return t->session->n_traces > 1 ? "no other rank has this call" : alone;
}

static const char *link_forward(tt_timeline *t, const tt_trace *s, tt_row r)
{
    tt_kind kind = tt_row_kind(s, r);
    const tt_activity *d = tt_row_dev(s, r);
    uint32_t n = 0;
    if (d) { /* the next work of the same launch, in a circle */
        const uint32_t *work = d->launch != TT_NONE ? tt_row_launched(s, d->launch, &n) : NULL;
        for (uint32_t i = 0; i < n && n > 1; i++) {
            if (s->dev[work[i]].row == r) {
                return select_row(t, s->dev[work[(i + 1) % n]].row);
            }
        }
        return same_call(t, s, r, d->launch != TT_NONE);
    }
    if (tt_kind_is_launch(kind)) {
        const uint32_t *work = tt_row_launched(s, r, &n);
        return n > 0 ? select_row(t, s->dev[work[0]].row) : "it started nothing on the GPU";
    }
    uint32_t from, to;
    tt_timeline_launches(s, r, &from, &to);
    return from < to ? select_row(t, s->launch_row[from]) : "no GPU work launched inside";
}

const char *tt_timeline_link(tt_timeline *t, int dir)
{
    if (!tt_timeline_has_sel(t)) {
        return "select a slice first";
    }
    const tt_trace *s = tt_timeline_trace(t, t->sel);
    return dir < 0 ? link_back(t, s, t->sel.row) : link_forward(t, s, t->sel.row);
}

const char *tt_timeline_fwdbwd(tt_timeline *t)
{
    if (!tt_timeline_has_sel(t)) {
        return "select a slice first";
    }
    tt_row r = tt_timeline_flow_partner(tt_timeline_trace(t, t->sel), t->sel.row);
    return r != TT_NONE ? select_row(t, r) : "no launch or flow linked to this slice";
}

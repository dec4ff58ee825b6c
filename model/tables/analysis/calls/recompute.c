/* model/tables/analysis/calls/recompute.c - one walk over each host track with a stack of slices that begin or
 * interrupt recomputation. */
#include "model/tables/analysis/calls/recompute.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/text/text_order.h"
#include "model/trace/analysis_cache.h"

typedef enum mark { NO_MARK, BEGINS, INTERRUPTS } mark;

static bool starts_with(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

static mark mark_of_operator(const char *name)
{
    bool node = strstr(name, "GradNode") != NULL;
    if (starts_with(name, "autograd::engine::evaluate_function")) return INTERRUPTS;
    if (strstr(name, "RecomputeFunction") && (node || strstr(name, "ackward"))) return BEGINS;
    if (strstr(name, "Checkpoint") && tt_ends_with(name, "Backward")) return BEGINS;
    return node ? INTERRUPTS : NO_MARK; /* each operator of Paddle's backward pass is inside such a node */
}

static mark mark_of_frame(const char *name)
{
    bool frame = strstr(name, "torch/utils/checkpoint.py") != NULL;
    return frame && (tt_ends_with(name, ": unpack_hook") || tt_ends_with(name, ": recompute_fn")) ? BEGINS : NO_MARK;
}

static mark mark_of_range(const char *name)
{
    return starts_with(name, "recompute") || strcasestr(name, "recomputation") ? BEGINS : NO_MARK;
}

typedef enum reading { AS_OPERATOR, AS_FRAME, AS_RANGE, N_READINGS } reading;

static mark (*const mark_as[N_READINGS])(const char *name) = {mark_of_operator, mark_of_frame, mark_of_range};

static reading reading_of(tt_kind k)
{
    return tt_kind_is_python(k) ? AS_FRAME : k == TT_KIND_ANNOTATION ? AS_RANGE : AS_OPERATOR;
}

/* Marks of all names, one byte each with two bits for each reading of a name; NULL when no name begins
 * recomputation. */
static uint8_t *marks_of_names(const tt_trace *s)
{
    uint8_t *of = tt_calloc(s->strings.text.n + 1, 1);
    bool any = false;
    for (size_t i = 0; i < s->strings.text.n; i++) {
        for (int k = 0; k < N_READINGS; k++) {
            mark m = mark_as[k](s->strings.text.at[i]);
            of[i] |= (uint8_t)(m << 2 * k);
            any |= m == BEGINS;
        }
    }
    if (any) return of;
    free(of);
    return NULL;
}

typedef struct open_mark {
    int64_t end;
    bool recomputes;
} open_mark;
typedef TT_VEC(open_mark) open_marks;

/* Close the slices that have ended at t, and store the recomputation since *from. */
static void close_until(open_marks *open, int64_t t, int64_t *from, tt_ivs *out)
{
    while (open->n && open->at[open->n - 1].end <= t) {
        open_mark m = open->at[--open->n];
        if (m.recomputes && m.end > *from) tt_ivs_add(out, *from, m.end);
        if (m.end > *from) *from = m.end;
    }
}

static void walk_track(const tt_trace *s, const tt_track *t, const uint8_t *marks, tt_recompute *x, tt_ivs *out)
{
    open_marks open = {0};
    int64_t from = INT64_MIN;
    for (tt_row r = t->first; r < t->first + t->n; r++) {
        if (!marks[s->name[r]]) continue;
        mark m = (mark)(marks[s->name[r]] >> 2 * reading_of(tt_row_kind(s, r)) & 3);
        if (m == NO_MARK) continue;
        close_until(&open, s->start[r], &from, out);
        bool inside = open.n && open.at[open.n - 1].recomputes;
        if (m == INTERRUPTS && !open.n) continue; /* the slice is part of the backward pass itself */
        if (inside && s->start[r] > from) tt_ivs_add(out, from, s->start[r]);
        if (m == BEGINS && (x->longest == TT_NONE || s->dur[r] > s->dur[x->longest])) x->longest = r;
        *tt_vec_push(&open) = (open_mark){tt_row_end(s, r), m == BEGINS};
        from = s->start[r];
    }
    close_until(&open, INT64_MAX, &from, out);
    tt_vec_free(&open);
    tt_ivs_normalise(out);
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_recompute *x = tt_calloc(1, sizeof *x);
    x->longest = TT_NONE;
    uint8_t *marks = marks_of_names(s);
    if (!marks) return x;
    x->n_tracks = s->n_tracks;
    x->of_track = tt_calloc(s->n_tracks + 1u, sizeof *x->of_track);
    for (uint32_t i = 0; i < s->n_tracks; i++)
        if (s->tracks[i].kind == TT_TRACK_THREAD) walk_track(s, &s->tracks[i], marks, x, &x->of_track[i]);
    free(marks);
    return x;
}

static void release(void *value)
{
    tt_recompute *x = value;
    for (uint32_t i = 0; i < x->n_tracks; i++) tt_vec_free(&x->of_track[i]);
    free(x->of_track);
    free(x);
}

const tt_recompute *tt_recompute_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"recompute", build, release};
    return tt_analysis_get(s, trace, &kind);
}

bool tt_recompute_has(const tt_recompute *x, const tt_trace *s, tt_row r)
{
    if (!x->n_tracks) return false;
    const tt_ivs *set = &x->of_track[tt_row_track(s, r)];
    size_t lo = 0, hi = set->n;
    TT_BISECT(lo, hi, i, set->at[i].t1 <= s->start[r]);
    return lo < set->n && set->at[lo].t0 <= s->start[r];
}

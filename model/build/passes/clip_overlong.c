/* Clips device work of impossible length: its end lies far beyond the beginning of the stream's next work, although
 * a stream runs one work at a time. Some recorders give a kernel a wrong end now and then; one such kernel would
 * lengthen the trace, and the device's busy time, by orders of magnitude. It is cut where the next work begins, and
 * reported with both durations. Tracks where work usually overlaps are untouched: they hold several streams, or two
 * processes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/build/passes/finish_internal.h"

#define LEAST_NS ((int64_t)1000000) /* least excess over the next beginning, ns */
#define TIMES 100                   /* least ratio of the length to the time until the next beginning */
#define SHARE 100                   /* at most 1 in SHARE slices of a stream can be wrong, or overlap */

typedef TT_VEC(tt_row) row_list;

struct wrong {
    uint64_t n;
    tt_row first;
    int64_t first_was;
    double was, is; /* sums of old and new durations, ns */
    int64_t end;    /* latest old end */
};

/* Slices of this kind run one by one on their stream. Collectives have rows of their own and can overlap. */
static bool is_queued(tt_kind k) { return tt_kind_is_work(k) && k != TT_KIND_COLLECTIVE; }

static bool goes_beyond(const tt_trace *s, tt_row r, tt_row next)
{
    int64_t gap = s->start[next] - s->start[r];
    return gap > 0 && tt_row_end(s, r) - s->start[next] >= LEAST_NS && s->dur[r] / TIMES >= gap;
}

/* Find the rows of the track that reach beyond the next one. False when the track is not a single stream. */
static bool find(const tt_trace *s, const tt_track *t, row_list *out)
{
    tt_row last = TT_NONE;
    uint64_t work = 0, overlaps = 0;
    int64_t resolution = s->resolution_ns, end = INT64_MIN; /* latest correct end so far */
    for (tt_row r = t->first; r < t->first + t->n; r++) {
        if (!is_queued(tt_row_kind(s, r))) continue;
        work++;
        bool wrong = last != TT_NONE && goes_beyond(s, last, r);
        if (wrong) *tt_vec_push(out) = last;
        if (last != TT_NONE && !wrong && tt_row_end(s, last) > end) end = tt_row_end(s, last);
        overlaps += end > s->start[r] + resolution;
        last = r;
    }
    return overlaps <= work / SHARE && out->n <= 1 + work / SHARE;
}

static void cut(tt_finish *fin, tt_track *t, const row_list *rows, struct wrong *w)
{
    tt_trace *s = fin->s;
    for (size_t i = 0; i < rows->n; i++) {
        tt_row r = rows->at[i], next = r + 1;
        while (!is_queued(tt_row_kind(s, next))) next++;
        if (!w->n++ || tt_row_text(s, r) < tt_row_text(s, w->first)) {
            w->first = r;
            w->first_was = s->dur[r];
        }
        if (tt_row_end(s, r) > w->end) w->end = tt_row_end(s, r);
        w->was += (double)s->dur[r];
        s->dur[r] = s->start[next] - s->start[r];
        w->is += (double)s->dur[r];
    }
    tt_finish_nest(fin, t);
}

static void later(int64_t *end, int64_t ts)
{
    if (ts > *end) *end = ts;
}

/* Shorten the trace to its latest remaining end. */
static void shorten_axis(tt_trace *s)
{
    int64_t end = 0;
    for (tt_row r = 0; r < s->n; r++) later(&end, tt_row_end(s, r));
    for (uint32_t i = 0; i < s->n_flows; i++) later(&end, s->flows[i].ts);
    for (uint32_t i = 0; i < s->n_launch_flows; i++) later(&end, s->launch_flows[i].ts);
    for (uint32_t i = 0; i < s->n_instants; i++) later(&end, s->instants[i].ts);
    for (uint32_t i = 0; i < s->n_samples; i++) later(&end, s->samples[i].ts);
    for (uint32_t i = 0; i < s->n_memory; i++) later(&end, s->memory[i].ts);
    s->end = end;
}

void tt_finish_overruns(tt_finish *fin)
{
    tt_trace *s = fin->s;
    struct wrong w = {.end = INT64_MIN};
    row_list rows = {0};
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        rows.n = 0;
        if (s->tracks[t].kind == TT_TRACK_STREAM && find(s, &s->tracks[t], &rows) && rows.n)
            cut(fin, &s->tracks[t], &rows, &w);
    }
    tt_vec_free(&rows);
    if (!w.n) return;
    if (w.end >= s->end) shorten_axis(s);
    char text[120];
    snprintf(text, sizeof text, "%.40s: %" PRId64 " ns cut to %" PRId64 " ns; all of them: %.0f ns cut to %.0f ns",
             tt_row_name(s, w.first), w.first_was, s->dur[w.first], w.was, w.is);
    tt_problem_add_n(&s->problems, TT_PROBLEM_OVERRUNNING_DURATION, w.n, (int64_t)tt_row_text(s, w.first), text);
}

/* model/tables/path/between_names.c - one sweep over each thread with its open Python functions and ranges, for all
 * segments of the thread at once: a search for each segment would walk over a trace without such names again and
 * again. */
#include "model/tables/path/between_names.h"

#include <stdlib.h>

#include "model/base/run/parallel.h"

typedef struct naming {
    const tt_trace *s;
    tt_path *path;
    uint32_t *first; /* per track the index of its first segment in at[], and the end */
    uint32_t *at;    /* segments by time */
} naming;

static bool to_name(const tt_path_segment *g) { return g->category == TT_WAIT_BETWEEN && g->track != TT_NONE; }

static void sweep_track(void *arg, size_t track)
{
    const naming *n = arg;
    const tt_trace *s = n->s;
    const uint32_t kinds = 1u << TT_KIND_PYTHON | 1u << TT_KIND_MODULE | 1u << TT_KIND_ANNOTATION |
                           1u << TT_KIND_FORWARD | 1u << TT_KIND_BACKWARD | 1u << TT_KIND_OPTIMIZATION;
    TT_VEC(tt_row) open = {0};
    tt_row r = s->tracks[track].first, end = r + s->tracks[track].n;
    for (uint32_t i = n->first[track]; i < n->first[track + 1]; i++) {
        tt_path_segment *g = &n->path->at.at[n->at[i]];
        int64_t middle = g->t0 + (g->t1 - g->t0) / 2;
        for (; r < end && s->start[r] <= middle; r++)
            if (kinds >> tt_row_kind(s, r) & 1 && tt_row_end(s, r) > middle) *tt_vec_push(&open) = r;
        while (open.n && tt_row_end(s, open.at[open.n - 1]) <= middle) open.n--;
        g->row = open.n ? open.at[open.n - 1] : TT_NONE;
    }
    tt_vec_free(&open);
}

void tt_path_name_between(const tt_trace *s, tt_path *p)
{
    /* counts are stored two places up and summed one place up: an entry is where the next segment of a track goes,
     * and at the end the track's first */
    naming n = {.s = s, .path = p, .first = tt_calloc(s->n_tracks + (size_t)2, sizeof *n.first)};
    n.at = tt_malloc((p->at.n + 1) * sizeof *n.at);
    for (size_t i = 0; i < p->at.n; i++)
        if (to_name(&p->at.at[i])) n.first[p->at.at[i].track + 2]++;
    for (uint32_t t = 2; t < s->n_tracks + 2; t++) n.first[t] += n.first[t - 1];
    for (uint32_t i = 0; i < p->at.n; i++)
        if (to_name(&p->at.at[i])) n.at[n.first[p->at.at[i].track + 1]++] = i;
    tt_parallel(tt_threads(), s->n_tracks, sweep_track, &n);
    free(n.first);
    free(n.at);
}

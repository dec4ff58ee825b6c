/* The time axis begins at the earliest event except metadata. Profilers write time 0, or -1, for work they lost
 * track of; among clock times such an event would make the axis decades long. It is moved to the beginning, and
 * counted. */
#include "model/build/passes/finish_internal.h"

#define REAL_TIME ((int64_t)3600 * 1000000000) /* ns: axes that start at 0 begin earlier */
#define FAR 20                                 /* least distance of a clock axis from 0, in trace lengths */

struct moved {
    uint64_t n, first; /* number of such events, and the first offset in the text */
    int64_t to;
};

static void move(struct moved *m, int64_t *ts, uint64_t offset)
{
    if (*ts > 0) return;
    *ts = m->to;
    if (!m->n++ || offset < m->first) m->first = offset;
}

static void move_builder(struct moved *m, tt_builder *b)
{
    for (size_t t = 0; t < b->tracks.n; t++) {
        for (tt_rec_block *k = b->tracks.at[t].first; k; k = k->next) {
            for (uint32_t i = 0; i < k->n; i++) move(m, &k->at[i].ts, tt_rec_offset(&k->at[i]));
        }
    }
    for (size_t i = 0; i < b->flows.n; i++) move(m, &b->flows.at[i].ts, b->flows.at[i].text);
    for (size_t i = 0; i < b->launch_flows.n; i++) move(m, &b->launch_flows.at[i].ts, b->launch_flows.at[i].text);
    for (size_t i = 0; i < b->instants.n; i++) move(m, &b->instants.at[i].ts, b->instants.at[i].text);
    for (size_t i = 0; i < b->pairs.n; i++) move(m, &b->pairs.at[i].ts, b->pairs.at[i].text);
    for (size_t i = 0; i < b->memory.n; i++) move(m, &b->memory.at[i].ts, b->memory.at[i].text);
    for (size_t i = 0; i < b->samples.n; i++) move(m, &b->samples.at[i].ts, UINT64_MAX);
}

/* Move such events in the builders for good: a preview changes them like the finish. */
static void move_zeros(tt_finish *fin, int64_t to)
{
    struct moved m = {.to = to, .first = UINT64_MAX};
    uint64_t known = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) {
        move_builder(&m, fin->b[k]);
        known += fin->b[k]->no_time;
    }
    if (m.n <= known) return;
    tt_problem_add_n(&fin->s->problems, TT_PROBLEM_NO_TIMESTAMP, m.n - known,
                     m.first == UINT64_MAX ? -1 : (int64_t)m.first, "");
}

void tt_finish_axis(tt_finish *fin, const tt_build_header *h)
{
    int64_t t0 = INT64_MAX, t1 = INT64_MIN, below = 0;
    bool sub_us = false, zero = false;
    for (uint32_t k = 0; k < fin->n_b; k++) {
        if (fin->b[k]->min_ts < t0) t0 = fin->b[k]->min_ts;
        if (fin->b[k]->min_below < below) below = fin->b[k]->min_below;
        if (fin->b[k]->max_ts > t1) t1 = fin->b[k]->max_ts;
        sub_us |= fin->b[k]->sub_us;
        zero |= fin->b[k]->saw_zero;
    }
    bool real = t0 != INT64_MAX && t0 > REAL_TIME && t1 - t0 < t0 / FAR;
    if ((zero || below) && real) move_zeros(fin, t0);
    if (below && !real) t0 = below;
    if (zero && !real && t0 > 0) t0 = 0;
    if (t0 > t1) t0 = t1 = 0;
    fin->zero = t0;
    fin->s->origin_ns = t0 + h->base_ns;
    fin->s->absolute = fin->s->origin_ns > (int64_t)1000000000 * 1000000000; /* after 2001: a wall clock */
    fin->s->end = t1 - t0;
    fin->s->resolution_ns = sub_us ? 1 : 1000;
}

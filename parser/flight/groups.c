/* parser/flight/groups.c - the groups of a dump and their status. */
#include <string.h>

#include "parser/flight/internal.h"

const char *const tt_fl_last_key[TT_FL_LASTS] = {"last_enqueued_collective", "last_started_collective",
                                                 "last_completed_collective"};

void tt_fl_group(tt_fl *s, const char *name, size_t n, tt_sid desc, const char *ranks, size_t ranks_n)
{
    enum { RANK_MOST = INT32_MAX };
    const char *p = ranks, *e = ranks + ranks_n;
    tt_flight_group g = {.name = tt_strings_put(&s->h.strings, name, n), .desc = desc, .run = (uint32_t)s->runs.n};
    while (p < e) {
        const char *from = p;
        while (p < e && ((*p >= '0' && *p <= '9') || *p == '-')) p++;
        int64_t rank = p > from ? tt_fl_number(from, (size_t)(p - from)) : 0;
        if (p == from) {
            p++;
        } else if (rank < 0 || rank > RANK_MOST) {
            tt_problem_add(&s->h.problems, TT_PROBLEM_BAD_NUMBER, -1, "ranks", 5);
        } else {
            tt_flight_add_rank(&s->runs, g.run, rank);
            g.size++;
        }
    }
    g.n_runs = (uint32_t)s->runs.n - g.run;
    *tt_vec_push(&s->groups) = g;
}

void tt_fl_status(tt_fl *s, const char *id, size_t n, const int64_t last[TT_FL_LASTS])
{
    tt_flight_status x = {.id = tt_fl_number(id, n),
                          .enqueued = last[TT_FL_ENQUEUED],
                          .started = last[TT_FL_LAST_STARTED],
                          .completed = last[TT_FL_LAST_COMPLETED]};
    for (int k = 0; k < TT_FL_LASTS; k++) {
        if (last[k] < -1 || last[k] > TT_TIME_MAX)
            tt_problem_add(&s->h.problems, TT_PROBLEM_BAD_NUMBER, -1, tt_fl_last_key[k], strlen(tt_fl_last_key[k]));
    }
    if (x.enqueued < -1 || x.enqueued > TT_TIME_MAX) return;
    if (x.started < -1 || x.started > x.enqueued) x.started = -1;
    if (x.completed < -1 || x.completed > TT_TIME_MAX) return;
    *tt_vec_push(&s->status) = x;
}

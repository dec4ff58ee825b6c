/* model/trace/flight.c - see flight.h. */
#include "model/trace/flight.h"

#include "model/trace/trace.h"

#include <stdlib.h>

const char *const tt_flight_state_name[TT_FLIGHT_UNSAID + 1] = {"scheduled", "started", "completed", NULL};

void tt_flight_add_rank(tt_flight_runs *l, size_t from, int64_t rank)
{
    tt_flight_run *last = l->n > from ? &l->at[l->n - 1] : NULL;
    if (last && last->n == 1) last->step = rank - last->first;
    if (last && rank == tt_flight_rank_at(last, last->n))
        last->n++;
    else
        *tt_vec_push(l) = (tt_flight_run){.first = rank, .n = 1};
}

void tt_flight_free(tt_flight *f)
{
    if (!f) return;
    free(f->entries);
    free(f->calls);
    free(f->groups);
    free(f->runs);
    free(f->status);
    tt_stacks_free(&f->stacks);
    free(f);
}

size_t tt_flight_bytes(const tt_flight *f)
{
    return sizeof *f + f->n_entries * sizeof *f->entries + f->n_calls * sizeof *f->calls +
           f->n_groups * sizeof *f->groups + f->n_runs * sizeof *f->runs + f->n_status * sizeof *f->status +
           tt_stacks_bytes(&f->stacks);
}

bool tt_trace_is_dump(const tt_trace *s) { return tt_flight_alone(s->flight); }

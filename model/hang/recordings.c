/* model/hang/recordings.c - the recordings of tracetty as dumps of their ranks.
 *
 * A recording counts as a dump when one of its run was frozen by a trigger, or holds work that has been unfinished for
 * long: then all of the run do, as the culprit's own may hold nothing unfinished. A recording knows its place in each
 * communicator; which rank each place is, those of the others tell. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/hang/hang.h"
#include "model/hang/internal.h"

typedef struct seat { /* a rank's place in a group */
    tt_sid group;
    int64_t place, places, rank;
} seat;

typedef struct seating {
    tt_strings names; /* names of the groups of all recordings */
    TT_VEC(seat) seats;
} seating;

static tt_sid name_of(seating *x, const tt_trace *t, const tt_flight_group *g)
{
    return tt_strings_put(&x->names, tt_str(&t->strings, g->name), t->strings.len.at[g->name]);
}

static void find_seats(seating *x, tt_trace **traces, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const tt_flight *f = traces[i]->calls;
        for (uint32_t g = 0; f && traces[i]->rank >= 0 && g < f->n_groups; g++) {
            const tt_flight_group *k = &f->groups[g];
            if (!k->name || k->place < 0) continue;
            *tt_vec_push(&x->seats) = (seat){name_of(x, traces[i], k), k->place, k->places, traces[i]->rank};
        }
    }
    TT_SORT_BY(x->seats.at, x->seats.n, TT_ASC(seat, group), TT_ASC(seat, place), TT_ASC(seat, rank));
}

/* Ranks are at even distances in most groups: if those that are known are, the others are taken to be. False: they
 * are not, or one is known. */
static bool is_even(const seat *s, size_t n, int64_t *first, int64_t *step)
{
    if (n < 2 || s[1].place == s[0].place) return false;
    if ((s[1].rank - s[0].rank) % (s[1].place - s[0].place)) return false;
    *step = (s[1].rank - s[0].rank) / (s[1].place - s[0].place);
    *first = s[0].rank - s[0].place * *step;
    for (size_t i = 0; i < n; i++)
        if (s[i].rank != *first + *step * s[i].place) return false;
    return *step > 0 && *first >= 0;
}

/* Members of a group, by place. Places whose rank is not known are left out, which moves those behind them. */
static void add_members(tt_flight_runs *runs, const seat *s, size_t n, uint32_t *size)
{
    int64_t first = 0, step = 0, places = 0;
    size_t from = runs->n, k = 0;
    for (size_t i = 0; i < n; i++) places = s[i].places > places ? s[i].places : places;
    bool even = is_even(s, n, &first, &step);
    *size = 0;
    if (!places) places = n ? s[n - 1].place + 1 : 0;
    for (int64_t p = 0; p < places && p <= INT32_MAX; p++) {
        while (k < n && s[k].place < p) k++;
        bool known = k < n && s[k].place == p;
        if (!known && !even) {
            if (k >= n) break;
            p = s[k].place - 1; /* go on at the next known one */
            continue;
        }
        tt_flight_add_rank(runs, from, known ? s[k].rank : first + step * p);
        ++*size;
    }
}

static void seat_members(seating *x, tt_trace *t)
{
    tt_flight *f = t->calls;
    tt_flight_runs runs = {0};
    for (uint32_t g = 0; g < f->n_groups; g++) {
        tt_flight_group *k = &f->groups[g];
        tt_sid name = k->name ? name_of(x, t, k) : 0;
        size_t from = name ? 0 : x->seats.n, to = x->seats.n;
        TT_BISECT(from, to, i, x->seats.at[i].group < name);
        while (to < x->seats.n && x->seats.at[to].group == name) to++;
        k->run = (uint32_t)runs.n;
        add_members(&runs, x->seats.at + from, to - from, &k->size);
        k->n_runs = (uint32_t)runs.n - k->run;
    }
    free(f->runs);
    f->runs = runs.at;
    f->n_runs = (uint32_t)runs.n;
}

/* Whether another recording of the rank counts: if several have communicators, the last one written. */
static bool is_other(tt_trace **traces, size_t n, size_t i)
{
    for (size_t k = 0; k < n; k++) {
        const tt_flight *a = traces[i]->calls, *b = traces[k]->calls;
        if (k == i || !b || traces[k]->rank < 0 || traces[k]->rank != traces[i]->rank) continue;
        if (b->last > a->last || (b->last == a->last && k < i)) return true;
    }
    return false;
}

void tt_hang_take_recordings(tt_trace **traces, size_t n)
{
    bool stuck = false;
    for (size_t i = 0; i < n; i++) { /* the run may have been settled with fewer traces */
        tt_flight *f = traces[i]->flight;
        if (f && f->recorder == TT_FLIGHT_TRACETTY) {
            traces[i]->calls = f;
            traces[i]->flight = NULL;
        }
        stuck |= traces[i]->calls && traces[i]->calls->stuck;
    }
    if (!stuck) return;
    seating x = {0};
    tt_strings_init(&x.names);
    find_seats(&x, traces, n);
    for (size_t i = 0; i < n; i++)
        if (traces[i]->calls) seat_members(&x, traces[i]);
    for (size_t i = 0; i < n; i++) {
        if (!traces[i]->calls || is_other(traces, n, i)) continue;
        traces[i]->flight = traces[i]->calls;
    }
    for (size_t i = 0; i < n; i++)
        if (traces[i]->flight == traces[i]->calls) traces[i]->calls = NULL;
    tt_vec_free(&x.seats);
    tt_strings_free(&x.names);
}

bool tt_hang_of_recordings(const tt_hang *h)
{
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        if (f) return !tt_flight_alone(f);
    }
    return false;
}

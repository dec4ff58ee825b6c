/* tui/timeline_find.c - slices whose names match: what the search steps through and what is highlighted.
 *
 * A name is compared once, whatever the number of its slices; the rows that match are kept in order, which is the order of
 * time inside a track, so that stepping and drawing are binary searches. */
#include <stdlib.h>
#include <string.h>

#include "tui/timeline.h"

static void clear_matches(tt_timeline *t)
{
    for (uint32_t i = 0; t->hits && i < t->session->n_stores; i++) {
        tt_vec_free(&t->hits[i]);
        free(t->matches[i]);
    }
    free(t->hits);
    free(t->matches);
    free(t->pattern);
    t->hits = NULL;
    t->matches = NULL;
    t->pattern = NULL;
    t->n_hits = 0;
    t->hits_ns = 0;
}

void tt_timeline_rematch(tt_timeline *t)
{
    char *pattern = t->pattern;
    t->pattern = NULL;
    clear_matches(t);
    if (!pattern) {
        return;
    }
    bool exact = t->pattern_exact;
    t->pattern = pattern;
    t->hits = tt_calloc(t->session->n_stores, sizeof *t->hits);
    t->matches = tt_calloc(t->session->n_stores, sizeof *t->matches);
    for (uint32_t i = 0; i < t->session->n_stores; i++) {
        const tt_store *s = t->session->stores[i];
        uint8_t *match = t->matches[i] = tt_calloc(s->strings.text.n + 1, 1);
        for (tt_row r = 0; r < s->n; r++) {
            tt_sid id = s->name[r];
            if (match[id] == 0) {
                const char *name = tt_str(&s->strings, id);
                match[id] = (exact ? strcmp(name, pattern) == 0 : strcasestr(name, pattern) != NULL) ? 2 : 1;
            }
            if (match[id] == 2 && tt_timeline_passes(t, (tt_slice_ref){i, r})) {
                *tt_vec_push(&t->hits[i]) = r;
                t->hits_ns += s->dur[r];
            }
        }
        t->n_hits += t->hits[i].n;
    }
}

void tt_timeline_match(tt_timeline *t, const char *text, bool exact)
{
    t->dim_others = true;
    if (t->pattern && text && exact == t->pattern_exact && strcmp(text, t->pattern) == 0) {
        return;
    }
    free(t->pattern);
    t->pattern = text && *text ? tt_strdup(text) : NULL;
    t->pattern_exact = exact;
    tt_timeline_rematch(t);
}

bool tt_timeline_is_hit(const tt_timeline *t, tt_slice_ref r)
{
    return t->matches && t->matches[r.store][tt_timeline_store(t, r)->name[r.row]] == 2;
}

/* First hit of the store at or behind a row. */
static size_t hit_from(const tt_hits *h, tt_row row)
{
    size_t a = 0, b = h->n;
    while (a < b) {
        size_t mid = a + (b - a) / 2;
        if (h->at[mid] < row) {
            a = mid + 1;
        } else {
            b = mid;
        }
    }
    return a;
}

/* First hit in [a, b) of the hits that starts at or after t. */
static size_t hit_at(const tt_store *s, const tt_hits *h, size_t a, size_t b, int64_t t)
{
    while (a < b) {
        size_t mid = a + (b - a) / 2;
        if (s->start[h->at[mid]] < t) {
            a = mid + 1;
        } else {
            b = mid;
        }
    }
    return a;
}

void tt_timeline_hits_of(const tt_timeline *t, uint32_t store, uint32_t track, size_t *from, size_t *to)
{
    const tt_track *k = &t->session->stores[store]->tracks[track];
    *from = hit_from(&t->hits[store], k->first);
    *to = hit_from(&t->hits[store], k->first + k->n);
}

bool tt_timeline_hit_in(const tt_timeline *t, uint32_t store, size_t from, size_t to, uint32_t depth, int64_t a,
                        int64_t b)
{
    enum { LOOK = 64 }; /* hits of other lanes that are passed over before the cell is taken for a match */
    const tt_store *s = t->session->stores[store];
    const tt_hits *h = &t->hits[store];
    size_t i = hit_at(s, h, from, to, a), look = LOOK;
    for (; i < to && s->start[h->at[i]] < b; i++) {
        if (depth == TT_NONE || s->depth[h->at[i]] == depth || --look == 0) {
            return true;
        }
    }
    return false;
}

typedef struct key { /* order of time over all stores */
    int64_t at;
    tt_slice_ref r;
} key;

static bool less(const key *a, const key *b)
{
    if (a->at != b->at) {
        return a->at < b->at;
    }
    return a->r.store != b->r.store ? a->r.store < b->r.store : a->r.row < b->r.row;
}

/* The nearest hit beyond `from` (dir > 0), before it (dir < 0); inclusive: `from` itself counts. */
static bool nearest(const tt_timeline *t, const key *from, int dir, bool inclusive, key *best)
{
    bool found = false;
    for (uint32_t i = 0; i < t->session->n_stores; i++) {
        const tt_store *s = t->session->stores[i];
        const tt_hits *h = &t->hits[i];
        int64_t offset = t->session->offset_ns[i];
        for (uint32_t k = 0; k < s->n_tracks && h->n > 0; k++) {
            size_t lo = hit_from(h, s->tracks[k].first), hi = hit_from(h, s->tracks[k].first + s->tracks[k].n);
            size_t x = hit_at(s, h, lo, hi, from->at - offset);
            /* among hits of the same start the rows decide */
            for (; dir > 0 && x < hi; x++) {
                key c = {s->start[h->at[x]] + offset, {i, h->at[x]}};
                if (less(from, &c) || (inclusive && !less(&c, from))) {
                    break;
                }
            }
            for (; dir < 0 && x < hi; x++) {
                key c = {s->start[h->at[x]] + offset, {i, h->at[x]}};
                if (!less(&c, from)) {
                    break;
                }
            }
            if (dir < 0 ? x == lo : x == hi) {
                continue;
            }
            tt_row row = h->at[dir < 0 ? x - 1 : x];
            key c = {s->start[row] + offset, {i, row}};
            if (!found || (dir < 0 ? less(best, &c) : less(&c, best))) {
                *best = c;
                found = true;
            }
        }
    }
    return found;
}

tt_slice_ref tt_timeline_next_match(tt_timeline *t, int dir, bool *wrapped)
{
    tt_slice_ref none = {0, TT_NONE};
    *wrapped = false;
    if (t->n_hits == 0) {
        return none;
    }
    bool sel = tt_timeline_has_sel(t);
    key from = {sel ? tt_timeline_start(t, t->sel) : t->at, sel ? t->sel : (tt_slice_ref){0, 0}}, best;
    if (nearest(t, &from, dir < 0 ? -1 : 1, dir == 0 || !sel, &best)) {
        return best.r;
    }
    *wrapped = true;
    key edge = {dir < 0 ? INT64_MAX / 2 : INT64_MIN / 2, {0, 0}};
    return nearest(t, &edge, dir < 0 ? -1 : 1, true, &best) ? best.r : none;
}

/* parser/flight/rank.c - which rank wrote a dump. The dump does not say it: the ranks common to all groups of which the
 * rank is a member do, else the name of the file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/sort_by.h"
#include "parser/flight/internal.h"
#include "parser/flight/reader.h"

typedef TT_VEC(int64_t) rank_list;

static rank_list members_of(const tt_fl *s, const tt_flight_group *g)
{
    rank_list out = {0};
    for (uint32_t i = g->run; i < g->run + g->n_runs; i++) {
        const tt_flight_run *r = &s->runs.at[i];
        for (int64_t k = 0; k < r->n; k++) *tt_vec_push(&out) = tt_flight_rank_at(r, k);
    }
    TT_SORT_UP(out.at, out.n);
    return out;
}

static bool has(const rank_list *l, int64_t rank) { return TT_SORTED_FIND(l->at, l->n, rank) < l->n; }

/* Ranks common to all groups that list members. */
static rank_list common_ranks(const tt_fl *s)
{
    rank_list common = {0};
    bool first = true;
    for (size_t i = 0; i < s->groups.n; i++) {
        if (!s->groups.at[i].size) continue;
        rank_list l = members_of(s, &s->groups.at[i]);
        if (first) {
            common = l;
            first = false;
            continue;
        }
        size_t kept = 0;
        for (size_t k = 0; k < common.n; k++)
            if (has(&l, common.at[k])) common.at[kept++] = common.at[k];
        common.n = kept;
        tt_vec_free(&l);
    }
    return common;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

/* Length of the name without the endings of a dump and of its compression. */
static size_t stem(const char *name)
{
    static const char *const endings[] = {".json", ".pickle", ".pkl", ".pt", ".bin", ".dump", ".txt", ".gz", ".zst"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings;) {
        size_t m = strlen(endings[i]);
        bool ends = n > m && !strncasecmp(name + n - m, endings[i], m);
        if (ends) n -= m;
        i = ends ? 0 : i + 1;
    }
    return n;
}

/* The number of up to 9 digits at p; -1. */
static int64_t digits_at(const char *p, const char *e)
{
    size_t n = 0;
    while (p + n < e && is_digit(p[n])) n++;
    return n && n <= 9 ? tt_fl_number(p, n) : -1;
}

/* The number after the last word "rank", else after "dump_" at the end. -1 = neither. */
static int64_t marked_rank(const char *name, size_t n)
{
    const char *e = name + n, *p = e;
    int64_t rank = -1;
    for (const char *w = name; w + 4 < e; w++) {
        if (strncasecmp(w, "rank", 4) != 0 || (w > name && is_letter(w[-1]))) continue;
        const char *d = w + 4 + (strchr("_-.=", w[4]) != NULL);
        int64_t v = digits_at(d, e);
        if (v >= 0) rank = v;
    }
    while (p > name && is_digit(p[-1])) p--;
    if (rank < 0 && p < e && p - name >= 5 && !strncasecmp(p - 5, "dump_", 5)) rank = digits_at(p, e);
    return rank;
}

/* The last run of fewer than 8 digits. -1 = none. */
static int64_t last_number(const char *name, size_t n)
{
    for (const char *e = name + n; e > name;) {
        const char *p = e;
        while (p > name && is_digit(p[-1])) p--;
        if (p < e && e - p < 8) return tt_fl_number(p, (size_t)(e - p));
        e = p < e ? p : e - 1;
    }
    return -1;
}

int64_t tt_flight_named_rank(const char *name)
{
    size_t n = stem(name);
    int64_t marked = marked_rank(name, n);
    return marked >= 0 ? marked : last_number(name, n);
}

int64_t tt_fl_rank(tt_fl *s, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int64_t marked = marked_rank(name, stem(name)), named = tt_flight_named_rank(name), rank = -1;
    rank_list common = common_ranks(s);
    char text[32];
    if (common.n == 1)
        rank = common.at[0];
    else if (named >= 0 && (!common.n || has(&common, named)))
        rank = named;
    tt_vec_free(&common);
    if (rank < 0) tt_problem_add(&s->h.problems, TT_PROBLEM_RANK_UNKNOWN, -1, name, strlen(name));
    if (rank >= 0 && marked >= 0 && marked != rank) {
        snprintf(text, sizeof text, "is of rank %" PRId64, rank);
        tt_problem_add(&s->h.problems, TT_PROBLEM_RANK_NAME_MISMATCH, -1, text, strlen(text));
    }
    return rank;
}

/* tui/sql/row_index.c - rows dealt to buckets by counting: two passes over the slices, one array of rows. */
#include "tui/sql/row_index.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

/* What a slice without a bucket has. */
#define NO_BUCKET TT_NONE

static void deal(const tt_trace *s, tt_row_index *i, uint32_t (*bucket)(const tt_trace *, const tt_row_index *, tt_row))
{
    i->first = tt_calloc((size_t)i->n_buckets + 2, sizeof *i->first);
    for (tt_row r = 0; r < s->n; r++) {
        uint32_t b = bucket(s, i, r);
        if (b != NO_BUCKET) i->first[b + 2]++;
    }
    for (uint32_t b = 2; b < i->n_buckets + 2; b++) i->first[b] += i->first[b - 1];
    i->rows = tt_malloc(((size_t)i->first[i->n_buckets + 1] + 1) * sizeof *i->rows);
    for (tt_row r = 0; r < s->n; r++) { /* first[b + 1] runs through bucket b, and ends as its end */
        uint32_t b = bucket(s, i, r);
        if (b != NO_BUCKET) i->rows[i->first[b + 1]++] = r;
    }
    i->made = true;
}

/* ---- names ---- */

typedef struct named {
    const char *text;
    tt_sid sid;
} named;

static int by_text(const void *a, const void *b) { return strcmp(((const named *)a)->text, ((const named *)b)->text); }

static uint32_t name_bucket(const tt_trace *s, const tt_row_index *i, tt_row r) { return i->rank[s->name[r]]; }

void tt_row_index_names(const tt_trace *s, tt_row_index *out)
{
    TT_VEC(named) all = {0};
    *out = (tt_row_index){.n_sids = s->strings.text.n};
    out->rank = tt_malloc((out->n_sids + 1) * sizeof *out->rank);
    memset(out->rank, 0xFF, out->n_sids * sizeof *out->rank);
    for (tt_row r = 0; r < s->n; r++) {
        if (out->rank[s->name[r]] != NO_BUCKET) continue;
        out->rank[s->name[r]] = 0;
        *tt_vec_push(&all) = (named){tt_row_name(s, r), s->name[r]};
    }
    if (all.n) qsort(all.at, all.n, sizeof *all.at, by_text);
    out->n_buckets = (uint32_t)all.n;
    out->names = tt_malloc((all.n + 1) * sizeof *out->names);
    for (uint32_t k = 0; k < all.n; k++) {
        out->names[k] = all.at[k].sid;
        out->rank[all.at[k].sid] = k;
    }
    tt_vec_free(&all);
    deal(s, out, name_bucket);
}

tt_row_list tt_row_index_name(const tt_row_index *i, tt_sid name)
{
    uint32_t b = name < i->n_sids ? i->rank[name] : NO_BUCKET;
    if (b == NO_BUCKET) return (tt_row_list){0};
    return (tt_row_list){i->rows + i->first[b], i->first[b + 1] - i->first[b]};
}

/* ---- correlations ---- */

static uint32_t correlation_of(const tt_trace *s, tt_row r)
{
    tt_kind k = tt_row_kind(s, r);
    return tt_kind_is_device(k) || tt_kind_is_launch(k) ? s->correlation[r] : 0;
}

static uint32_t correlation_bucket(const tt_trace *s, const tt_row_index *i, tt_row r)
{
    uint32_t c = correlation_of(s, r);
    return c ? (c - i->low) >> i->shift : NO_BUCKET;
}

void tt_row_index_correlations(const tt_trace *s, tt_row_index *out)
{
    uint32_t low = UINT32_MAX, high = 0, n = 0;
    for (tt_row r = 0; r < s->n; r++) {
        uint32_t c = correlation_of(s, r);
        if (!c) continue;
        if (c < low) low = c;
        if (c > high) high = c;
        n++;
    }
    *out = (tt_row_index){.low = n ? low : 0};
    if (n) { /* about a bucket a row at most, however the ids are spread */
        while ((uint64_t)((high - low) >> out->shift) > (uint64_t)n + 1024) out->shift++;
        out->n_buckets = ((high - low) >> out->shift) + 1;
    }
    deal(s, out, correlation_bucket);
}

tt_row_list tt_row_index_correlation(const tt_row_index *i, int64_t correlation)
{
    if (correlation < i->low || (correlation - i->low) >> i->shift >= i->n_buckets) return (tt_row_list){0};
    uint32_t b = (uint32_t)((correlation - i->low) >> i->shift);
    return (tt_row_list){i->rows + i->first[b], i->first[b + 1] - i->first[b]};
}

void tt_row_index_free(tt_row_index *i)
{
    free(i->rows);
    free(i->first);
    free(i->names);
    free(i->rank);
    *i = (tt_row_index){0};
}

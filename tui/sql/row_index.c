/* tui/sql/row_index.c - rows dealt to buckets by counting: two passes over the slices, one array of rows. */
#include "tui/sql/row_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/mem.h"

/* the code of a slice without a bucket */
#define NO_BUCKET TT_NONE

typedef uint32_t bucket_fn(const tt_trace *s, void *arg, tt_row r);

static void deal(const tt_trace *s, tt_row_index *i, bucket_fn *bucket, void *arg)
{
    i->first = tt_calloc((size_t)i->n_buckets + 2, sizeof *i->first);
    for (tt_row r = 0; r < s->n; r++) {
        uint32_t b = bucket(s, arg, r);
        if (b != NO_BUCKET) i->first[b + 2]++;
    }
    for (uint32_t b = 2; b < i->n_buckets + 2; b++) i->first[b] += i->first[b - 1];
    i->rows = tt_malloc(((size_t)i->first[i->n_buckets + 1] + 1) * sizeof *i->rows);
    for (tt_row r = 0; r < s->n; r++) { /* first[b + 1] runs through bucket b, and ends as its end */
        uint32_t b = bucket(s, arg, r);
        if (b != NO_BUCKET) i->rows[i->first[b + 1]++] = r;
    }
    i->made = true;
}

/* ---- values ---- */

static const tt_row_value null_value = {.number = TT_UNKNOWN};

static tt_row_value of_text(const char *text) { return (tt_row_value){.text = text}; }

static tt_row_value text_value(const tt_trace *s, tt_indexed by, uint32_t code)
{
    switch (by) {
    case TT_BY_NAME: return of_text(tt_str(&s->strings, code));
    case TT_BY_KIND: return of_text(tt_kind_name[code]);
    default: break;
    }
    tt_sid name = s->cats[code].name;
    return name ? of_text(tt_str(&s->strings, name)) : null_value;
}

static tt_row_value device_value(const tt_trace *s, tt_indexed by, const tt_activity *d)
{
    if (!d) return null_value;
    if (by == TT_BY_STREAM) return (tt_row_value){.number = d->stream};
    if (d->device < 0) return null_value;
    return (tt_row_value){.text = s->rules->device, .number = d->device};
}

static tt_row_value step_value(const tt_trace *s, uint32_t step)
{
    if (step == TT_NONE || s->steps[step].row == TT_NONE) return null_value;
    return (tt_row_value){.number = s->steps[step].number};
}

/* The code that stands for the value of a column of texts. */
static uint32_t code_of(const tt_trace *s, tt_indexed by, tt_row r)
{
    return by == TT_BY_NAME ? s->name[r] : by == TT_BY_KIND ? (uint32_t)tt_row_kind(s, r) : s->cat[r];
}

tt_row_value tt_row_value_of(const tt_trace *s, tt_indexed by, tt_row r)
{
    switch (by) {
    case TT_BY_STEP: return step_value(s, tt_step_at(s, tt_row_asked_at(s, r)));
    case TT_BY_DEVICE:
    case TT_BY_STREAM: return device_value(s, by, tt_row_dev(s, r));
    default: return text_value(s, by, code_of(s, by, r));
    }
}

static int compare_as_texts(int64_t a, int64_t b)
{
    char x[24], y[24];
    snprintf(x, sizeof x, "%" PRId64, a);
    snprintf(y, sizeof y, "%" PRId64, b);
    return strcmp(x, y);
}

int tt_row_value_compare(tt_indexed by, tt_row_value a, tt_row_value b)
{
    if (a.text && b.text && a.text != b.text) {
        int order = strcmp(a.text, b.text);
        if (order) return order;
    }
    if (a.number == b.number) return 0; /* NULL is the lowest number */
    if (by == TT_BY_DEVICE && a.text && b.text) return compare_as_texts(a.number, b.number);
    return a.number < b.number ? -1 : 1;
}

static int by_text(const void *a, const void *b)
{
    return tt_row_value_compare(TT_BY_DEVICE, *(const tt_row_value *)a, *(const tt_row_value *)b);
}

static int by_number(const void *a, const void *b)
{
    return tt_row_value_compare(TT_BY_STEP, *(const tt_row_value *)a, *(const tt_row_value *)b);
}

typedef TT_VEC(tt_row_value) value_list;

/* List all possible values; some come several times. */
static void list_values(const tt_trace *s, tt_indexed by, value_list *out)
{
    if (by == TT_BY_STEP) {
        for (uint32_t i = 0; i < s->n_steps; i++) *tt_vec_push(out) = step_value(s, i);
    } else if (by == TT_BY_DEVICE || by == TT_BY_STREAM) {
        tt_row_value last = null_value;
        for (uint32_t i = 0; i < s->n_dev; i++) {
            tt_row_value v = device_value(s, by, &s->dev[i]);
            if (v.number != last.number) *tt_vec_push(out) = v;
            last = v;
        }
    } else if (by == TT_BY_NAME) { /* only texts that are names */
        uint8_t *is = tt_calloc(s->strings.text.n + 1, 1);
        for (tt_row r = 0; r < s->n; r++) is[s->name[r]] = 1;
        for (uint32_t i = 0; i < s->strings.text.n; i++) {
            if (is[i]) *tt_vec_push(out) = text_value(s, by, i);
        }
        free(is);
    } else {
        for (uint32_t i = 0; i < (by == TT_BY_KIND ? TT_KIND_COUNT_ : s->n_cats); i++)
            *tt_vec_push(out) = text_value(s, by, i);
    }
    *tt_vec_push(out) = null_value;
}

/* The bucket with this value; n_buckets = there is none. */
static uint32_t bucket_of(const tt_row_index *i, tt_indexed by, tt_row_value v)
{
    uint32_t lo = 0, hi = i->n_buckets;
    TT_BISECT(lo, hi, k, tt_row_value_compare(by, i->values[k], v) < 0);
    return lo < i->n_buckets && !tt_row_value_compare(by, i->values[lo], v) ? lo : i->n_buckets;
}

typedef struct dealing {
    const tt_row_index *index;
    tt_indexed by;
    uint32_t *rank; /* bucket by code; NULL: search for the value */
    uint32_t near;  /* the step found last */
} dealing;

static uint32_t value_bucket(const tt_trace *s, void *arg, tt_row r)
{
    dealing *d = arg;
    if (d->by == TT_BY_STEP) {
        uint32_t step = tt_step_near(s, tt_row_asked_at(s, r), &d->near);
        return d->rank[step == TT_NONE ? s->n_steps : step];
    }
    if (d->rank) return d->rank[code_of(s, d->by, r)];
    return bucket_of(d->index, d->by, tt_row_value_of(s, d->by, r));
}

/* Many rows share a name or step: find the bucket of each once. */
static uint32_t *ranks(const tt_trace *s, tt_indexed by, const tt_row_index *i)
{
    uint32_t n;
    switch (by) {
    case TT_BY_NAME: n = (uint32_t)s->strings.text.n; break;
    case TT_BY_KIND: n = TT_KIND_COUNT_; break;
    case TT_BY_CATEGORY: n = s->n_cats; break;
    case TT_BY_STEP: n = s->n_steps + 1; break;
    default: return NULL;
    }
    uint32_t *rank = tt_malloc(((size_t)n + 1) * sizeof *rank);
    for (uint32_t k = 0; k < n; k++) {
        tt_row_value v = by == TT_BY_STEP ? step_value(s, k < s->n_steps ? k : TT_NONE) : text_value(s, by, k);
        rank[k] = bucket_of(i, by, v);
    }
    return rank;
}

void tt_row_index_make(const tt_trace *s, tt_indexed by, tt_row_index *out)
{
    bool texts = by != TT_BY_STEP && by != TT_BY_STREAM;
    value_list all = {0};
    list_values(s, by, &all);
    qsort(all.at, all.n, sizeof *all.at, texts ? by_text : by_number);
    *out = (tt_row_index){.values = all.at};
    for (size_t k = 0; k < all.n; k++) {
        if (k && !tt_row_value_compare(by, all.at[k], all.at[out->n_buckets - 1])) continue;
        all.at[out->n_buckets++] = all.at[k];
    }
    dealing d = {.index = out, .by = by, .rank = ranks(s, by, out)};
    deal(s, out, value_bucket, &d);
    free(d.rank);
}

static tt_row_list list_of(const tt_row_index *i, uint32_t b)
{
    return (tt_row_list){i->rows + i->first[b], i->first[b + 1] - i->first[b]};
}

tt_row_list tt_row_index_find(const tt_row_index *i, tt_indexed by, tt_row_value v)
{
    uint32_t b = bucket_of(i, by, v);
    if (b == i->n_buckets) return (tt_row_list){0};
    return list_of(i, b);
}

/* ---- correlations ---- */

static uint32_t correlation_of(const tt_trace *s, tt_row r)
{
    tt_kind k = tt_row_kind(s, r);
    return tt_kind_is_device(k) || tt_kind_is_launch(k) ? s->correlation[r] : 0;
}

static uint32_t correlation_bucket(const tt_trace *s, void *arg, tt_row r)
{
    const tt_row_index *i = arg;
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
    if (n) { /* at most about one bucket for each row, however the ids are spread */
        while ((uint64_t)((high - low) >> out->shift) > (uint64_t)n + 1024) out->shift++;
        out->n_buckets = ((high - low) >> out->shift) + 1;
    }
    deal(s, out, correlation_bucket, out);
}

tt_row_list tt_row_index_correlation(const tt_row_index *i, int64_t correlation)
{
    if (correlation < i->low || (correlation - i->low) >> i->shift >= i->n_buckets) return (tt_row_list){0};
    return list_of(i, (uint32_t)((correlation - i->low) >> i->shift));
}

void tt_row_index_free(tt_row_index *i)
{
    free(i->rows);
    free(i->first);
    free(i->values);
    *i = (tt_row_index){0};
}

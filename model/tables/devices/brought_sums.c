/* model/tables/devices/brought_sums.c - see brought_sums.h. */
#include "model/tables/devices/brought_sums.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/imported_rows.h"

enum { CALLS, TOTAL, MEAN, MAX, MIN, RATIO }; /* columns from the calls on */

typedef struct sum {
    uint32_t from; /* first row of the brought table in this group */
    int64_t calls, total, max, min;
} sum;

static const char *text_of(const tt_imported *of, uint32_t row, uint32_t col, tt_brought_key *as, tt_table *t)
{
    const char *text = tt_imported_cell(of, row, t->desc->cols[col].key, TT_T_STRING, t).s;
    return text && as ? as(text) : text;
}

static int64_t number_of(const tt_imported *of, uint32_t row, uint32_t col, tt_table *t)
{
    return tt_imported_cell(of, row, t->desc->cols[col].key, t->desc->cols[col].type, t).i;
}

static void add(int64_t *to, int64_t v)
{
    if (*to == TT_UNKNOWN || v == TT_UNKNOWN || __builtin_add_overflow(*to, v, to)) *to = TT_UNKNOWN;
}

static void add_to_sum(sum *s, const tt_imported *of, uint32_t row, uint32_t calls, tt_table *t)
{
    int64_t max = number_of(of, row, calls + MAX, t), min = number_of(of, row, calls + MIN, t);
    add(&s->calls, number_of(of, row, calls + CALLS, t));
    add(&s->total, number_of(of, row, calls + TOTAL, t));
    if (max != TT_UNKNOWN && (s->max == TT_UNKNOWN || max > s->max)) s->max = max;
    if (min != TT_UNKNOWN && (s->min == TT_UNKNOWN || min < s->min)) s->min = min;
}

static void add_row(tt_table *t, const tt_imported *of, const sum *s, const uint32_t *keys, uint32_t n_keys,
                    tt_brought_key *as, uint32_t calls, int64_t all)
{
    uint32_t row = tt_table_add(t);
    for (uint32_t k = 0; k < n_keys; k++) tt_set_ref(t, row, keys[k], text_of(of, s->from, keys[k], as, t));
    tt_set_i(t, row, calls + CALLS, s->calls);
    tt_set_i(t, row, calls + TOTAL, s->total);
    tt_set_i(t, row, calls + MAX, s->max);
    tt_set_i(t, row, calls + MIN, s->min);
    if (s->total == TT_UNKNOWN) return;
    const tt_stat mean = {.n = s->calls, .total = s->total};
    if (s->calls > 0) tt_set_i(t, row, calls + MEAN, tt_stat_mean(&mean));
    tt_set_d(t, row, calls + RATIO, tt_pct((double)s->total, (double)all));
}

void tt_brought_sums(const tt_query *q, tt_table *t, const uint32_t *keys, uint32_t n_keys, tt_brought_key *as,
                     uint32_t calls)
{
    const tt_imported *of = tt_trace_imported(tt_query_trace(q), t->desc->id);
    TT_VEC(sum) sums = {0};
    tt_strings known;
    tt_text key = {0};
    int64_t all = 0;
    if (!of) return;
    if (!q->windows->everything || q->scope->thread != TT_ALL) {
        t->note = "The profiler kept sums of the whole recording: of a step, a range or a thread nothing is known";
        return;
    }
    tt_strings_init(&known); /* the empty text has id 0 */
    for (uint32_t r = 0; r < of->n_rows; r++) {
        key.n = 0;
        for (uint32_t k = 0; k < n_keys; k++) {
            const char *text = text_of(of, r, keys[k], as, t);
            if (text) tt_text_put(&key, text, strlen(text));
            tt_text_put(&key, "\n", 1);
        }
        uint32_t at = tt_strings_put(&known, key.at, key.n) - 1;
        if (at == sums.n) *tt_vec_push(&sums) = (sum){.from = r, .max = TT_UNKNOWN, .min = TT_UNKNOWN};
        add_to_sum(&sums.at[at], of, r, calls, t);
    }
    for (size_t i = 0; i < sums.n; i++) all += sums.at[i].total == TT_UNKNOWN ? 0 : sums.at[i].total;
    for (size_t i = 0; i < sums.n; i++) add_row(t, of, &sums.at[i], keys, n_keys, as, calls, all);
    tt_strings_free(&known);
    tt_vec_free(&sums);
    tt_vec_free(&key);
}

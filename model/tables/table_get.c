/* model/tables/table_get.c - tables are computed when they are first asked for, and kept: one entry for each
 * (descriptor, scope, options). The thread that misses first computes; other threads that want the same table wait
 * for it. The lock is never held while a table is computed, so a compute function may ask for other tables. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/summary_rows.h"
#include "model/tables/table_util.h"

typedef struct cache_entry {
    const tt_table_desc *desc;
    tt_scope scope;
    tt_options options;
    tt_comparison compare; /* what options.compare points to */
    tt_table *table;       /* set under the lock when done */
} cache_entry;

typedef struct table_cache {
    tt_attached attached;
    pthread_mutex_t lock;
    pthread_cond_t computed;
    TT_VEC(cache_entry *) entries;
} table_cache;

/* ---- computing ---- */

static bool desc_has(const tt_table_desc *d, const char *key)
{
    for (uint32_t c = 0; c < d->n_cols; c++) {
        if (!strcmp(d->cols[c].key, key)) return true;
    }
    return false;
}

/* Word that all traces have for their devices; NULL when they differ. */
static const char *device_word(const tt_session *s)
{
    const char *word = s->n_traces ? s->traces[0]->rules->device : NULL;
    for (uint32_t i = 1; word && i < s->n_traces; i++) {
        const char *other = s->traces[i]->rules->device;
        if (!other || strcmp(other, word) != 0) word = NULL;
    }
    return word;
}

/* The text with "CUDA", the word for the device in titles and helps, replaced. */
static const char *with_word(tt_table *t, const char *text, const char *word)
{
    static const char of_titles[] = "CUDA";
    for (const char *at; (at = strstr(text, of_titles)) != NULL;)
        text = tt_arena_printf(&t->arena, "%.*s%s%s", (int)(at - text), text, word, at + strlen(of_titles));
    return text;
}

/* A column as it is shown: titles say "NPU" where the session's devices are NPUs. */
static const tt_column *column_shown(tt_table *t, const tt_column *c, const char *word)
{
    if (!word || !strcmp(word, "GPU") || (!strstr(c->title, "CUDA") && !strstr(c->help, "CUDA"))) return c;
    tt_column *own = tt_arena_alloc(&t->arena, sizeof *own);
    *own = *c;
    own->title = with_word(t, c->title, word);
    own->help = with_word(t, c->help, word);
    return own;
}

static tt_table *table_new(const tt_session *s, const tt_table_desc *d, const tt_options *o)
{
    tt_table *t = tt_calloc(1, sizeof *t);
    t->desc = d;
    t->device = s->n_traces ? s->traces[0]->rules->device : NULL;
    t->options = *o;
    if (o->compare) {
        t->compare = *o->compare;
        t->options.compare = &t->compare;
    }
    t->col_store = tt_calloc(d->n_cols + 3, sizeof *t->col_store);
    t->col_of = tt_calloc(d->n_cols, sizeof *t->col_of);
    bool per_trace = !(d->flags & TT_TABLE_ALL_TRACES);
    bool lead[3] = {per_trace && s->n_workers > 1, per_trace && s->n_spans > 1, o->thread_sep};
    for (int i = 0; i < 3; i++) {
        if (lead[i] && !desc_has(d, tt_table_lead[i].key)) t->col_store[t->n_cols++] = &tt_table_lead[i];
    }
    t->lead = t->n_cols;
    const char *word = device_word(s);
    for (uint32_t c = 0; c < d->n_cols; c++) {
        bool shown =
            (!d->cols[c].in_groups || (d->cols[c].in_groups >> o->group & 1)) && (!d->cols[c].place || o->places);
        t->col_of[c] = shown ? t->n_cols : TT_NONE;
        if (shown) t->col_store[t->n_cols++] = column_shown(t, &d->cols[c], word);
    }
    t->cols = t->col_store;
    return t;
}

static void compute_trace(const tt_session *s, const tt_scope *scope, uint32_t trace, tt_step_sums *sums, tt_table *t)
{
    const tt_trace *st = s->traces[trace];
    tt_windows windows = tt_scope_windows(s, scope, trace);
    tt_query q = {s, scope, trace, &windows, t->options, sums};
    if (sums) tt_step_sums_begin(sums, trace, t->n_rows);
    t->lead_worker = st->worker;
    t->lead_span = st->span;
    if (tt_summary_put(&q, t)) {
        /* the rows came from the summary file, without sums by step */
    } else if (!t->options.thread_sep) {
        t->desc->compute(&q, t);
    } else {
        tt_scope one = *scope;
        q.scope = &one;
        for (uint32_t k = 0; k < st->n_tracks; k++) {
            if (st->tracks[k].kind != TT_TRACK_THREAD || !st->tracks[k].n) continue;
            if (scope->thread != TT_ALL && scope->thread != k) continue;
            one.thread = k;
            t->lead_thread = tt_str(&st->strings, st->tracks[k].name);
            t->desc->compute(&q, t);
        }
    }
    tt_windows_free(&windows);
}

/* Reset options that the table does not have, so that they do not split the cache. */
static tt_options relevant_options(const tt_table_desc *d, const tt_options *o)
{
    tt_options r = o ? *o : (tt_options){0};
    uint8_t n_groups = 0;
    while (d->groups && d->groups[n_groups]) n_groups++;
    if (r.group >= n_groups) r.group = 0;
    if (!n_groups || !strstr(d->groups[r.group], "stack")) r.stack_depth = 0;
    if (!(d->flags & TT_TABLE_THREADS)) r.thread_sep = false;
    bool has_places = false;
    for (uint32_t c = 0; c < d->n_cols; c++) has_places |= d->cols[c].place;
    r.places &= has_places;
    if (!(d->flags & TT_TABLE_WINDOW)) r.device_window = false;
    if (!(d->flags & TT_TABLE_CLAIMS)) r.claims = false;
    if (!(d->flags & TT_TABLE_PEAKS)) r.peak_tflops = r.peak_gb_per_s = 0;
    if (!(d->flags & TT_TABLE_WHAT_IF)) r.what_if = NULL, r.n_what_if = 0;
    if (!(d->flags & TT_TABLE_COMPARE)) r.compare = NULL;
    if (!(d->flags & TT_TABLE_RUNS)) r.runs = NULL, r.n_runs = 0;
    if (!(d->flags & TT_TABLE_ARGS)) r.arg[0] = r.arg[1] = r.arg[2] = 0;
    return r;
}

static bool column_known(const tt_table *t, uint32_t c)
{
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const tt_cell *cell = &t->cells[(size_t)r * t->n_cols + c];
        tt_type type = t->cols[c]->type;
        bool number = type == TT_T_PERCENT || type == TT_T_NUMBER;
        if (type == TT_T_STRING ? cell->s != NULL : number ? !isnan(cell->d) : cell->i != TT_UNKNOWN) return true;
    }
    return false;
}

/* Note which columns have a value, and drop optional columns that have none. */
static void drop_optional(tt_table *t)
{
    uint32_t *keep = tt_malloc(t->n_cols * sizeof *keep), n = 0;
    bool *known = tt_arena_alloc(&t->arena, t->n_cols * sizeof *known);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        known[n] = column_known(t, c);
        if (!t->cols[c]->optional || known[n]) keep[n++] = c;
    }
    t->known = known;
    for (uint32_t r = 0; n < t->n_cols && r < t->n_rows; r++) {
        for (uint32_t c = 0; c < n; c++) t->cells[(size_t)r * n + c] = t->cells[(size_t)r * t->n_cols + keep[c]];
    }
    for (uint32_t c = 0; c < t->desc->n_cols; c++) {
        uint32_t to = 0;
        while (to < n && keep[to] != t->col_of[c]) to++;
        t->col_of[c] = to < n ? to : TT_NONE;
    }
    for (uint32_t c = 0; c < n; c++) t->col_store[c] = t->col_store[keep[c]];
    t->n_cols = n;
    free(keep);
}

tt_table *tt_table_compute(const tt_session *s, const tt_table_desc *d, const tt_scope *scope, const tt_options *o)
{
    return tt_table_compute_by_step(s, d, scope, o, NULL);
}

tt_table *tt_table_compute_by_step(const tt_session *s, const tt_table_desc *d, const tt_scope *scope,
                                   const tt_options *o, tt_step_sums *sums)
{
    tt_options options = relevant_options(d, o);
    tt_table *t = table_new(s, d, &options);
    if (d->flags & TT_TABLE_ALL_TRACES) {
        tt_query q = {s, scope, TT_NONE, NULL, options, NULL};
        d->compute(&q, t);
    }
    for (uint32_t i = 0; i < s->n_traces && !(d->flags & TT_TABLE_ALL_TRACES); i++) {
        if (tt_scope_has_trace(s, scope, i)) compute_trace(s, scope, i, sums, t);
    }
    if (sums) tt_step_sums_sort(sums);
    drop_optional(t);
    if (!t->n_rows && !t->note) t->note = d->note;
    t->note = tt_in_words_of(&t->arena, t->device, t->note);
    return t;
}

/* ---- cache ---- */

static void cache_free(tt_attached *attached)
{
    table_cache *c = (table_cache *)attached;
    for (size_t i = 0; i < c->entries.n; i++) {
        tt_table_free(c->entries.at[i]->table);
        free(c->entries.at[i]);
    }
    tt_vec_free(&c->entries);
    pthread_cond_destroy(&c->computed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static table_cache *cache_of(tt_session *s)
{
    tt_attached *there = atomic_load(&s->tables);
    if (there) return (table_cache *)there;
    table_cache *c = tt_calloc(1, sizeof *c);
    c->attached.free = cache_free;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->computed, NULL);
    if (atomic_compare_exchange_strong(&s->tables, &there, &c->attached)) return c;
    cache_free(&c->attached);
    return (table_cache *)there;
}

static bool same_what_if(const tt_options *a, const tt_options *b)
{
    if (a->n_what_if != b->n_what_if) return false;
    for (uint32_t i = 0; i < a->n_what_if; i++) {
        const tt_what_if *x = &a->what_if[i], *y = &b->what_if[i];
        if (x->millionths != y->millionths || strcmp(x->name, y->name) != 0) return false;
    }
    return true;
}

static bool same(double a, double b) { return !(a < b) && !(a > b); }

static bool options_equal(const tt_options *a, const tt_options *b)
{
    return a->group == b->group && a->stack_depth == b->stack_depth && a->thread_sep == b->thread_sep &&
           a->places == b->places && a->device_window == b->device_window && a->claims == b->claims &&
           a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] && a->arg[2] == b->arg[2] && a->runs == b->runs &&
           a->n_runs == b->n_runs && same(a->samples_per_step, b->samples_per_step) &&
           same(a->peak_tflops, b->peak_tflops) && same(a->peak_gb_per_s, b->peak_gb_per_s) && same_what_if(a, b) &&
           tt_comparison_equal(a->compare, b->compare);
}

const tt_table *tt_table_get(const tt_session *s, const tt_table_desc *d, const tt_scope *scope, const tt_options *o)
{
    table_cache *c = cache_of((tt_session *)s);
    tt_options options = relevant_options(d, o);
    cache_entry *e = NULL;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->entries.n && !e; i++) {
        cache_entry *x = c->entries.at[i];
        if (x->desc == d && options_equal(&x->options, &options) && tt_scope_equal(&x->scope, scope)) e = x;
    }
    if (e) {
        while (!e->table) pthread_cond_wait(&c->computed, &c->lock);
    } else {
        e = tt_calloc(1, sizeof *e);
        e->desc = d;
        e->scope = *scope;
        e->options = options;
        if (options.compare) {
            e->compare = *options.compare;
            e->options.compare = &e->compare;
        }
        *tt_vec_push(&c->entries) = e;
        pthread_mutex_unlock(&c->lock);
        tt_table *t = tt_table_compute(s, d, scope, &e->options);
        pthread_mutex_lock(&c->lock);
        e->table = t;
        pthread_cond_broadcast(&c->computed);
    }
    pthread_mutex_unlock(&c->lock);
    return e->table;
}

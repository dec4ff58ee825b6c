/* parser/sqlite/load_database.c - deals row ranges to threads and finishes the trace. See load.h. */
#include "parser/sqlite/load.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/build/finish/finish.h"
#include "parser/sqlite/text.h"

enum { RANGE = 1 << 16 }; /* ids per range that a thread reads */
/* Most ids of one table beyond its first: larger ones are not counted row numbers. */
#define SPAN_MOST ((uint64_t)1 << 37)

typedef struct reads { /* progress of all threads in one place */
    atomic_uint_fast64_t rows;
    atomic_int rc; /* SQLite's code if not all rows were read; 0 */
} reads;

typedef struct loader {
    tt_db_job *job;
    tt_db_plan *plan;
    tt_db_places places;
    pthread_mutex_t lock; /* guards the next members up to jumps, and the job's connection */
    size_t source;
    int64_t next;
    bool begun, over;
    unsigned jumps;
    tt_db_sink *sinks;
    reads *reads; /* one per place */
    double bytes_per_id;
} loader;

void tt_db_plan_table(tt_db_plan *p, tt_db_job *job, const tt_db_spec *spec, const char *table, const void *of)
{
    const tt_db_table *t = tt_db_find(job->db, table);
    char text[120];
    if (spec->on_request && !job->hooks->all_events) return;
    if (!t) tt_db_absent(&p->header.problems, job->db, table);
    if (!t) return;
    const char *missing = tt_db_missing(t, spec->columns);
    if (missing) {
        int n = snprintf(text, sizeof text, "%.60s.%.50s", t->name, missing);
        tt_problem_add(&p->header.problems, TT_PROBLEM_MISSING_COLUMN, -1, text, (size_t)n);
        return;
    }
    *tt_vec_push(&p->sources) = (tt_db_source){spec, tt_arena_strndup(&p->arena, t->name, strlen(t->name)), of};
}

/* ---- places: row ids as offsets in an imaginary text ---- */

enum { PLACES_MOST = 4096, SESSION_BITS = 32 };

/* Last id of the session that an id belongs to: ids of merged sessions begin at multiples of 2^32. */
static int64_t session_end(int64_t id) { return (int64_t)((uint64_t)id | (((uint64_t)1 << SESSION_BITS) - 1)); }

/* Number of ids of the table from `from` on, *first the first of them; with `one` only up to the end of a session. A
 * table whose beginning or end cannot be read gets a guess. */
static uint64_t span_of(tt_db *d, const char *table, int64_t from, bool one, int64_t *first)
{
    int64_t last = 0, mine;
    bool broken, broken_end;
    bool begins = tt_db_id_from(d, table, from, first, &broken),
         ends = tt_db_last_id(d, table, INT64_MAX, &last, &broken_end);
    if (!begins && !broken) return 0;
    if (!begins) *first = from == INT64_MIN ? 1 : from;
    if (!ends) return SPAN_MOST / 2;
    if (one && last > session_end(*first) && tt_db_last_id(d, table, session_end(*first), &mine, &broken_end) &&
        mine >= *first)
        last = mine;
    uint64_t span = last >= *first ? (uint64_t)last - (uint64_t)*first + 1 : 0;
    return span > SPAN_MOST || (!span && last >= *first) ? SPAN_MOST : span;
}

/* Give each session a place of its own, as the gaps between sessions would use up the offsets. */
static void add_places(loader *l, const tt_db_source *source, uint64_t *at)
{
    int64_t from = INT64_MIN;
    for (bool more = true; more;) {
        tt_db_place_of p = {.source = *source, .at = *at};
        more = l->places.at.n < PLACES_MOST;
        p.span = span_of(l->job->db, source->table, from, more, &p.first);
        if (p.span > TT_TEXT_MAX - *at) p.span = TT_TEXT_MAX - *at;
        if (!p.span) return;
        *at += p.span;
        *tt_vec_push(&l->places.at) = p;
        uint64_t last = (uint64_t)p.first + p.span - 1;
        more = more && (int64_t)last >= p.first && (int64_t)last < INT64_MAX && p.span < SPAN_MOST / 2;
        from = more ? (int64_t)last + 1 : from;
    }
}

/* Report rows that no offset is left for; they are not read. */
static void note_unplaced(loader *l)
{
    for (size_t i = 0; i < l->places.at.n; i++) {
        const tt_db_place_of *p = &l->places.at.at[i], *next = i + 1 < l->places.at.n ? p + 1 : NULL;
        int64_t end = (int64_t)((uint64_t)p->first + p->span - 1), id;
        bool broken;
        if (next && next->source.table == p->source.table) continue;
        if (end < INT64_MAX && tt_db_id_from(l->job->db, p->source.table, end + 1, &id, &broken))
            atomic_store(&l->reads[i].rc, TT_DB_TOO_FAR);
    }
}

static void make_places(loader *l)
{
    uint64_t at = 0, ids = 0;
    for (size_t i = 0; i < l->plan->sources.n; i++) add_places(l, &l->plan->sources.at[i], &at);
    for (size_t i = 0; i < l->places.at.n; i++) {
        uint64_t span = l->places.at.at[i].span;
        ids += span < (uint64_t)1 << 32 ? span : 0;
    }
    l->reads = tt_calloc(l->places.at.n + 1, sizeof *l->reads);
    note_unplaced(l);
    l->bytes_per_id = ids ? (double)tt_db_image_size(l->job->image) / (double)ids : 0;
}

/* ---- dealing ---- */

typedef struct range {
    size_t source;
    int64_t first, last;
} range;

/* Behind damage, skip ahead to where rows may be readable again, further each time. False: tried often enough. */
static bool jump(loader *l, int64_t end)
{
    enum { JUMPS_MOST = 24 };
    int64_t far = (int64_t)RANGE << (l->jumps < 20 ? l->jumps : 20);
    if (l->jumps++ >= JUMPS_MOST || end - l->next < far) return false;
    l->next += far;
    return true;
}

static bool next_of(loader *l, size_t source, range *r)
{
    const tt_db_place_of *p = &l->places.at.at[source];
    bool broken = false;
    int64_t end = (int64_t)((uint64_t)p->first + p->span - 1), id;
    if (!p->span || l->over) return false;
    if (!l->begun) l->next = p->first;
    l->begun = true;
    if (!tt_db_id_from(l->job->db, p->source.table, l->next, &id, &broken)) {
        if (!broken) return false;
        atomic_store(&l->reads[source].rc, SQLITE_CORRUPT);
        id = l->next;
        if (!jump(l, end)) l->over = true;
        r->first = id;
        r->last = end - id < RANGE ? end : id + RANGE - 1;
        return true;
    }
    if (id > end) return false; /* the id belongs to the next place, or to none */
    r->first = id;
    r->last = end - id < RANGE ? end : id + RANGE - 1;
    l->over = r->last == end;
    if (!l->over) l->next = r->last + 1;
    return true;
}

static bool deal(loader *l, range *r)
{
    bool got = false;
    pthread_mutex_lock(&l->lock);
    while (!got && l->source < l->places.at.n && !atomic_load(&l->job->progress->cancel)) {
        got = next_of(l, l->source, r);
        r->source = l->source;
        if (got) break;
        l->source++;
        l->begun = l->over = false;
        l->jumps = 0;
    }
    pthread_mutex_unlock(&l->lock);
    return got;
}

/* ---- a thread ---- */

typedef struct reading { /* state of one thread */
    tt_db *db;
    tt_db_rows rows;
    size_t of; /* number of the source that rows reads, + 1; 0 = none */
    tt_db_event event;
} reading;

static bool over(loader *l, reading *g, const range *r)
{
    const tt_db_source *s = &l->places.at.at[r->source].source;
    if (g->of != r->source + 1) {
        const tt_db_table *t = tt_db_find(g->db, s->table);
        tt_db_rows_close(&g->rows);
        g->of = r->source + 1;
        if (!t || !tt_db_rows_open(g->db, t, s->spec->columns, &g->rows)) return false;
    }
    return g->rows.statement != NULL;
}

static void read_range(loader *l, reading *g, tt_db_sink *sink, const range *r)
{
    const tt_db_place_of *p = &l->places.at.at[r->source];
    uint64_t n = 0;
    int rc = SQLITE_ERROR;
    if (over(l, g, r)) {
        tt_db_rows_from(&g->rows, r->first, r->last);
        for (; tt_db_rows_next(&g->rows, &rc); n++) {
            tt_db_event_init(&g->event);
            p->source.spec->event(p->source.of, &g->rows.row, &g->event);
            tt_db_sink_put(sink, &g->event, p->at + ((uint64_t)g->rows.row.id - (uint64_t)p->first));
        }
        sqlite3_reset(g->rows.statement);
    }
    atomic_fetch_add_explicit(&l->reads[r->source].rows, n, memory_order_relaxed);
    if (rc != SQLITE_DONE) atomic_store(&l->reads[r->source].rc, rc);
}

static void report_progress(loader *l, const range *r, uint64_t events)
{
    tt_reader_progress *p = l->job->progress;
    uint64_t bytes = (uint64_t)(((double)(r->last - r->first) + 1) * l->bytes_per_id);
    atomic_fetch_add_explicit(&p->events, events, memory_order_relaxed);
    uint64_t done = atomic_fetch_add_explicit(&p->text_bytes, bytes, memory_order_relaxed) + bytes;
    tt_input_told(l->job->in, done);
    if (l->job->hooks->notify) l->job->hooks->notify(l->job->hooks->arg);
}

static void work(void *arg, size_t thread)
{
    loader *l = arg;
    tt_db_sink *sink = &l->sinks[thread];
    reading g = {0};
    tt_err err;
    range r;
    if (tt_db_open(l->job->image, l->job->hooks->element_most, &l->job->progress->cancel, &g.db, &err) != TT_OK) return;
    while (deal(l, &r)) {
        uint64_t before = sink->b.n_events;
        read_range(l, &g, sink, &r);
        report_progress(l, &r, sink->b.n_events - before);
    }
    tt_db_rows_close(&g.rows);
    tt_db_close(g.db);
}

/* ---- the trace ---- */

static void finish_sinks(loader *l, unsigned n)
{
    int64_t end = INT64_MIN;
    for (unsigned i = 0; i < n; i++) {
        tt_db_sink *s = &l->sinks[i];
        if (s->b.n_events && s->b.max_ts > end) end = s->b.max_ts;
        for (size_t k = 0; k < s->open.n; k++) {
            if (s->open.at[k].start > end && s->open.at[k].start < TT_TIME_MAX) end = s->open.at[k].start;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        tt_db_sink_close(&l->sinks[i], end);
        tt_db_sink_label(&l->sinks[i]);
        l->sinks[i].b.sub_us = true;
    }
    l->places.end = end;
}

static int by_offset(const void *a, const void *b)
{
    const tt_db_spelling *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Collect the spellings of all sinks. */
static tt_db_spellings take_spellings(tt_db_sink *sinks, unsigned n)
{
    tt_db_spellings all = {.texts = tt_calloc(n, sizeof *all.texts), .n_texts = n};
    size_t most = 0;
    for (unsigned i = 0; i < n; i++) most += sinks[i].spellings.n;
    all.at = tt_malloc(most * sizeof *all.at);
    for (unsigned i = 0; i < n; i++) {
        tt_db_sink *s = &sinks[i];
        if (s->spellings.n) memcpy(all.at + all.n, s->spellings.at, s->spellings.n * sizeof *all.at);
        all.n += s->spellings.n;
        all.texts[i] = s->spelt;
        s->spelt = (tt_arena){0};
    }
    tt_sort_runs(all.at, all.n, sizeof *all.at, by_offset);
    return all;
}

static void note_state(loader *l)
{
    tt_problems *problems = &l->plan->header.problems;
    for (size_t i = 0; i < l->places.at.n; i++) {
        int rc = atomic_load(&l->reads[i].rc);
        if (rc) tt_db_damaged(problems, l->places.at.at[i].source.table, atomic_load(&l->reads[i].rows), rc);
    }
    if (tt_db_image_is_cut(l->job->image))
        tt_problem_add(problems, TT_PROBLEM_TRUNCATED, (int64_t)tt_db_image_size(l->job->image), "", 0);
    const char *damage = tt_db_damage(l->job->db);
    if (*damage) tt_problem_add(problems, TT_PROBLEM_BAD_TABLE, -1, damage, strlen(damage));
    if (tt_db_image_has_wal(l->job->image)) tt_problem_add(problems, TT_PROBLEM_UNREAD_WAL, -1, "", 0);
    if (!tt_db_image_is_same(l->job->image)) tt_problem_add(problems, TT_PROBLEM_FILE_CHANGED, -1, "", 0);
    if (atomic_load(&l->job->progress->cancel)) tt_problem_add(problems, TT_PROBLEM_CANCELLED, -1, "", 0);
}

tt_trace *tt_db_load(tt_db_job *job, tt_db_plan *plan)
{
    unsigned n = job->threads ? job->threads : 1;
    loader l = {.job = job, .plan = plan, .sinks = tt_calloc(n, sizeof *l.sinks)};
    tt_builder **builders = tt_calloc(n, sizeof(tt_builder *));
    pthread_mutex_init(&l.lock, NULL);
    for (unsigned i = 0; i < n; i++) {
        tt_db_sink_init(&l.sinks[i], plan->format, plan->self);
        builders[i] = &l.sinks[i].b;
    }
    atomic_store(&job->progress->phase, "reading");
    make_places(&l);
    tt_parallel(n, n, work, &l);
    finish_sinks(&l, n);
    note_state(&l);
    plan->header.text_bytes = tt_db_image_size(job->image);
    atomic_store(&job->progress->phase, "sorting and linking");
    tt_db_spellings spellings = take_spellings(l.sinks, n);
    for (unsigned i = 0; i < n; i++) tt_db_sink_free(&l.sinks[i]);
    tt_trace *s = tt_build_finish(builders, n, &plan->header, &tt_build_plain, true, job->threads);
    s->text = tt_db_text_new(job->image, &l.places, plan, &spellings);
    job->image = NULL;
    for (unsigned i = 0; i < n; i++) tt_builder_free(builders[i]);
    pthread_mutex_destroy(&l.lock);
    tt_vec_free(&plan->sources);
    free(builders);
    free(l.reads);
    free(l.sinks);
    return s;
}

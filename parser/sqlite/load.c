/* parser/sqlite/load.c - see load.h. */
#include "parser/sqlite/load.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/parallel.h"
#include "parser/sqlite/text.h"

enum { RANGE = 1 << 16 }; /* ids that a thread reads at a time */
/* Ids of one table beyond its first: more are no numbers of rows that anybody counted. */
#define SPAN_MOST ((uint64_t)1 << 37)

typedef struct loader {
    tt_db_job *job;
    tt_db_plan *plan;
    tt_db_places places;
    pthread_mutex_t lock; /* the four that follow, and the job's connection */
    size_t source;
    int64_t next;
    bool begun, skip;
    tt_problems problems; /* of dealing */
    tt_db_sink *sinks;
    uint64_t *rows; /* by thread and source */
    double bytes_per_id;
} loader;

void tt_db_plan_table(tt_db_plan *p, tt_db_job *job, const tt_db_spec *spec, const char *table, const void *of)
{
    const tt_db_table *t = tt_db_find(job->db, table);
    char text[120];
    if (!t || (spec->on_request && !job->hooks->all_events)) return;
    const char *missing = tt_db_missing(t, spec->columns);
    if (missing) {
        int n = snprintf(text, sizeof text, "%.60s.%.50s", t->name, missing);
        tt_problem_add(&p->header.problems, TT_PROBLEM_MISSING_COLUMN, -1, text, (size_t)n);
        return;
    }
    *tt_vec_push(&p->sources) = (tt_db_source){spec, tt_arena_strndup(&p->arena, t->name, strlen(t->name)), of};
}

/* ---- places: ids of rows as offsets in a text that nobody wrote ---- */

static void make_places(loader *l)
{
    uint64_t at = 0, ids = 0;
    for (size_t i = 0; i < l->plan->sources.n; i++) {
        const tt_db_source *s = &l->plan->sources.at[i];
        tt_db_place_of p = {.source = *s, .at = at};
        int64_t last = 0;
        bool broken, broken_end;
        bool any = tt_db_id_from(l->job->db, s->table, INT64_MIN, &p.first, &broken) &&
                   tt_db_last_id(l->job->db, s->table, &last, &broken_end);
        uint64_t span = any && last >= p.first ? (uint64_t)last - (uint64_t)p.first + 1 : 0;
        if (!any && broken) tt_db_damaged(&l->problems, s->table, 0, SQLITE_CORRUPT);
        if (any && (span > SPAN_MOST || !span)) span = SPAN_MOST;
        if (!any && !broken && broken_end) span = SPAN_MOST / 2; /* the end of the table is damaged */
        if (span > TT_TEXT_MAX - at) span = TT_TEXT_MAX - at;
        p.span = span;
        at += span;
        ids += span < (uint64_t)1 << 32 ? span : 0;
        *tt_vec_push(&l->places.at) = p;
    }
    l->bytes_per_id = ids ? (double)tt_db_image_size(l->job->image) / (double)ids : 0;
}

/* ---- dealing ---- */

typedef struct range {
    size_t source;
    int64_t first, last;
} range;

static bool next_of(loader *l, const tt_db_place_of *p, range *r)
{
    bool broken = false;
    int64_t end = (int64_t)((uint64_t)p->first + p->span - 1), id;
    if (!p->span || (l->begun && l->skip)) return false;
    if (!l->begun) {
        l->next = p->first;
        l->begun = true;
    }
    if (!tt_db_id_from(l->job->db, p->source.table, l->next, &id, &broken)) {
        if (!broken) return false;
        if (end - l->next < RANGE) return false; /* look behind the damage */
        id = l->next;
    }
    if (id > end) {
        tt_problem_add(&l->problems, TT_PROBLEM_BAD_TABLE, -1, p->source.table, strlen(p->source.table));
        return false;
    }
    r->first = id;
    r->last = end - id < RANGE ? end : id + RANGE - 1;
    l->skip = r->last == INT64_MAX;
    l->next = l->skip ? r->last : r->last + 1;
    return true;
}

static bool deal(loader *l, range *r)
{
    bool got = false;
    pthread_mutex_lock(&l->lock);
    while (!got && l->source < l->places.at.n && !atomic_load(&l->job->progress->cancel)) {
        got = next_of(l, &l->places.at.at[l->source], r);
        r->source = l->source;
        if (got) break;
        l->source++;
        l->begun = l->skip = false;
    }
    pthread_mutex_unlock(&l->lock);
    return got;
}

/* ---- a thread ---- */

typedef struct reading { /* of one thread */
    tt_db *db;
    tt_db_rows rows;
    size_t of; /* the source that rows is over, + 1 */
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
    if (rc != SQLITE_DONE) tt_db_damaged(&sink->b.problems, p->source.table, n, rc);
}

static void tell(loader *l, const range *r, uint64_t events)
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
        tell(l, &r, sink->b.n_events - before);
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

static void note_state(loader *l)
{
    tt_problems *problems = &l->plan->header.problems;
    tt_problems_merge(problems, &l->problems);
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
    for (unsigned i = 0; i < n; i++) tt_db_sink_free(&l.sinks[i]);
    tt_trace *s = tt_build_finish(builders, n, &plan->header, &tt_build_plain, true, job->threads);
    s->text = tt_db_text_new(job->image, &l.places, plan);
    job->image = NULL;
    for (unsigned i = 0; i < n; i++) tt_builder_free(builders[i]);
    pthread_mutex_destroy(&l.lock);
    tt_vec_free(&plan->sources);
    free(builders);
    free(l.sinks);
    return s;
}

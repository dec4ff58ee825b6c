/* model/trace/analysis_cache.c - values computed once per trace and shared by tables.
 *
 * Each trace has a short list of entries under one lock; an entry has a lock of its own while it is built, so that
 * slow builds of different values run side by side. */
#include "model/trace/analysis_cache.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct entry {
    struct entry *next;
    const tt_analysis_kind *kind;
    pthread_mutex_t building;
    void *value;
} entry;

struct tt_analysis {
    pthread_mutex_t lock;  /* guards the lists */
    TT_VEC(entry *) heads; /* list of entries per trace */
};

struct tt_analysis *tt_analysis_new(void)
{
    struct tt_analysis *d = tt_calloc(1, sizeof *d);
    pthread_mutex_init(&d->lock, NULL);
    return d;
}

static void free_list(entry *head)
{
    while (head) {
        entry *e = head;
        head = e->next;
        if (e->value) e->kind->free(e->value);
        pthread_mutex_destroy(&e->building);
        free(e);
    }
}

void tt_analysis_free(struct tt_analysis *d)
{
    if (!d) return;
    for (size_t i = 0; i < d->heads.n; i++) free_list(d->heads.at[i]);
    tt_vec_free(&d->heads);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

static entry *entry_of(struct tt_analysis *d, uint32_t trace, const tt_analysis_kind *kind)
{
    pthread_mutex_lock(&d->lock);
    while (d->heads.n <= trace) *tt_vec_push(&d->heads) = NULL;
    entry *e = d->heads.at[trace];
    while (e && e->kind != kind) e = e->next;
    if (!e) {
        e = tt_calloc(1, sizeof *e);
        e->kind = kind;
        pthread_mutex_init(&e->building, NULL);
        e->next = d->heads.at[trace];
        d->heads.at[trace] = e;
    }
    pthread_mutex_unlock(&d->lock);
    return e;
}

const void *tt_analysis_get(const tt_session *s, uint32_t trace, const tt_analysis_kind *kind)
{
    entry *e = entry_of(s->derived, trace, kind);
    pthread_mutex_lock(&e->building);
    if (!e->value) e->value = kind->build(s, trace);
    const void *value = e->value;
    pthread_mutex_unlock(&e->building);
    return value;
}

/* tui/timeline/screen/work.c - the jobs of a timeline. Its owner and each job hold a reference, and the last one frees,
 * so that a timeline can go while a job waits for its turn. */
#include "tui/timeline/screen/work.h"

#include <pthread.h>
#include <stdlib.h>

#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/derived.h"

struct tt_timeline_work {
    tt_host *host;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    tt_timeline *t;        /* NULL = the timeline was freed: begin nothing */
    bool running;          /* a thread builds its indices */
    tt_timeline_view view; /* the view of those; changes on the drawing thread, under the lock */
    bool deriving;         /* a job computes derived values */
    int references;        /* references of the owner and of jobs; used on the drawing thread */
    int preparing;         /* jobs that build indices and have not reported; used on the drawing thread */
    atomic_bool stop;
};

typedef struct derive_job {
    tt_timeline_work *w;
    const tt_session *session;
    tt_derived_wants wants;
    bool ran; /* false when the program ends before */
} derive_job;

static void release_work(tt_timeline_work *w)
{
    if (--w->references > 0) return;
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->ended);
    free(w);
}

static void run_prepare(void *arg)
{
    tt_timeline_work *w = arg;
    pthread_mutex_lock(&w->lock);
    tt_timeline *t = w->t;
    tt_timeline_view view = w->view;
    w->running = t != NULL;
    pthread_mutex_unlock(&w->lock);
    if (t) tt_timeline_prepare(t, view, &w->stop);
    pthread_mutex_lock(&w->lock);
    w->running = false;
    pthread_cond_broadcast(&w->ended);
    pthread_mutex_unlock(&w->lock);
}

static void prepare_done(void *arg, tt_host *a)
{
    tt_timeline_work *w = arg;
    w->preparing--;
    if (w->t && w->preparing == 0) atomic_store(&w->t->preparing, false);
    if (w->t && w->t->layers.later) tt_timeline_layout(w->t);
    if (w->t && w->t->picks_later) tt_timeline_pick(w->t);
    tt_host_dirty(a);
    release_work(w);
}

/* Have the indices of the view built. */
static void begin_prepare(tt_timeline_work *w)
{
    pthread_mutex_lock(&w->lock);
    w->view = w->t->view;
    pthread_mutex_unlock(&w->lock);
    atomic_store(&w->t->preparing, true);
    w->references++;
    w->preparing++;
    tt_host_job(w->host, run_prepare, prepare_done, w);
}

void tt_timeline_work_expect(tt_timeline *t)
{
    enum { LARGE_TRACK = 1 << 14 }; /* indices of smaller tracks are built when asked for, within a millisecond */
    t->wait_from = LARGE_TRACK;
    atomic_store(&t->preparing, true);
}

tt_timeline_work *tt_timeline_work_begin(tt_host *a, tt_timeline *t)
{
    tt_timeline_work *w = tt_calloc(1, sizeof *w);
    w->host = a;
    w->t = t;
    w->references = 1; /* held by the caller */
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ended, NULL);
    begin_prepare(w);
    return w;
}

static void run_derive(void *arg)
{
    derive_job *j = arg;
    j->ran = true;
    for (size_t i = 0; i < j->wants.at.n && !atomic_load(&j->w->stop); i++)
        tt_derived_build(j->session, j->wants.at.at[i]);
}

static void derive_done(void *arg, tt_host *a)
{
    derive_job *j = arg;
    tt_timeline_work *w = j->w;
    w->deriving = false;
    for (size_t i = 0; j->ran && w->t && i < j->wants.at.n; i++) tt_derived_done(w->t, j->wants.at.at[i]);
    tt_vec_free(&j->wants.at);
    free(j);
    tt_host_dirty(a);
    release_work(w);
}

void tt_timeline_work_derive(tt_timeline_work *w)
{
    tt_derived_wants wants = {0};
    if (w->view != w->t->view) begin_prepare(w);
    if (w->deriving) return;
    tt_derived_wanted(w->t, &wants);
    if (wants.at.n == 0) return;
    derive_job *j = tt_calloc(1, sizeof *j);
    *j = (derive_job){.w = w, .session = w->t->session, .wants = wants};
    w->deriving = true;
    w->references++;
    tt_host_job(w->host, run_derive, derive_done, j);
}

void tt_timeline_work_end(tt_timeline_work *w)
{
    if (!w) return;
    atomic_store(&w->stop, true);
    pthread_mutex_lock(&w->lock);
    w->t = NULL;
    while (w->running) pthread_cond_wait(&w->ended, &w->lock);
    pthread_mutex_unlock(&w->lock);
    release_work(w);
}

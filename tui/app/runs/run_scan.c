/* tui/app/runs/run_scan.c - see run_scan.h. */
#include "tui/app/runs/run_scan.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct tt_run_scan {
    pthread_t thread;
    bool threaded;
    pthread_mutex_t lock; /* guards the members below; held for moments only */
    tt_run_lines list;
    tt_load *load; /* being read; cancelled by who stops */
    bool done;     /* the thread looks at nothing here any more */
    bool orphan;   /* nobody waits for it: it frees this */
    tt_search search;
    tt_arena texts; /* texts of the lines; the thread's */
    _Atomic bool stop;
    char *root;
    tt_load_options how;
    void (*notify)(void *);
    void *arg;
};

static void tell(tt_run_scan *s)
{
    if (s->notify && !atomic_load(&s->stop)) s->notify(s->arg);
}

/* Search the folder, and make a line for each run. */
static void search(tt_run_scan *s)
{
    tt_search found = tt_search_runs(s->root, &tt_search_usual, &s->stop);
    tt_run_line *at = tt_calloc(found.runs.n, sizeof *at);
    for (size_t i = 0; i < found.runs.n; i++) {
        const tt_search_run *r = &found.runs.at[i];
        at[i] = (tt_run_line){.run = r, .name = r->name, .facts = tt_run_row_unread(r->name, r->path, NULL)};
        if (r->n_workers) at[i].facts.workers = r->n_workers;
    }
    pthread_mutex_lock(&s->lock);
    s->search = found;
    s->list = (tt_run_lines){.at = at,
                             .n = found.runs.n,
                             .reading = found.runs.n > 0,
                             .stopped = found.stopped,
                             .closed = found.closed,
                             .led_out = found.led_out};
    pthread_mutex_unlock(&s->lock);
    tell(s);
}

static tt_session *read_run(tt_run_scan *s, const tt_search_run *r, tt_err *err)
{
    pthread_mutex_lock(&s->lock);
    if (atomic_load(&s->stop)) {
        pthread_mutex_unlock(&s->lock);
        tt_fail(err, TT_ERR_CANCELLED, -1, "cancelled");
        return NULL;
    }
    s->load = tt_load_start((const char *const *)r->inputs.at, (uint32_t)r->inputs.n, &s->how);
    pthread_mutex_unlock(&s->lock);
    tt_load *load = s->load;
    /* not while it is waited for: who cancels looks at it */
    tt_progress p = {0};
    for (struct timespec nap = {0, 2000000}; !p.done; nanosleep(&nap, NULL)) tt_load_progress(load, &p);
    pthread_mutex_lock(&s->lock);
    s->load = NULL;
    pthread_mutex_unlock(&s->lock);
    return tt_load_finish(load, NULL, err);
}

/* The session goes, its text stays. */
static const char *kept(tt_run_scan *s, const char *text)
{
    return text ? tt_arena_strndup(&s->texts, text, strlen(text)) : NULL;
}

static void look_into(tt_run_scan *s, tt_run_line *l)
{
    tt_run_line out = *l;
    tt_err err;
    tt_session *run = read_run(s, l->run, &err);
    if (!atomic_load(&s->stop)) {
        out.read = true;
        out.failed = !run;
        if (run)
            out.facts = tt_run_row_of(run, &tt_scope_all);
        else
            out.facts = tt_run_row_unread(NULL, NULL, err.message);
        out.facts.run = l->facts.run;
        out.facts.path = l->facts.path;
        out.facts.source = kept(s, out.facts.source);
        out.facts.verdict = kept(s, out.facts.verdict);
        pthread_mutex_lock(&s->lock);
        *l = out;
        pthread_mutex_unlock(&s->lock);
    }
    tt_session_free(run);
    tell(s);
}

static void free_scan(tt_run_scan *s)
{
    tt_search_free(&s->search);
    free(s->list.at);
    tt_arena_free(&s->texts);
    free(s->root);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void *work(void *arg)
{
    tt_run_scan *s = arg;
    search(s);
    for (size_t i = 0; i < s->list.n && i < TT_RUNS_READ && !atomic_load(&s->stop); i++)
        if (s->list.at[i].run->bytes <= TT_RUN_SMALL) look_into(s, &s->list.at[i]);
    pthread_mutex_lock(&s->lock);
    s->list.reading = false;
    s->done = true;
    bool orphan = s->orphan;
    pthread_mutex_unlock(&s->lock);
    if (orphan)
        free_scan(s);
    else
        tell(s); /* who stops it waits for the thread */
    return NULL;
}

tt_run_scan *tt_run_scan_start(const char *root, const tt_load_options *how, bool threaded, void (*notify)(void *),
                               void *arg)
{
    tt_run_scan *s = tt_calloc(1, sizeof *s);
    s->root = tt_strdup(*root ? root : ".");
    for (size_t n = strlen(s->root); n > 1 && s->root[n - 1] == '/'; n--) s->root[n - 1] = 0;
    s->how = (tt_load_options){.threads = 1, .max_memory = how->max_memory, .max_events = how->max_events};
    s->notify = notify;
    s->arg = arg;
    s->list.searching = true;
    pthread_mutex_init(&s->lock, NULL);
    s->threaded = threaded && pthread_create(&s->thread, NULL, work, s) == 0;
    if (!s->threaded) work(s);
    return s;
}

const tt_run_lines *tt_run_scan_lock(tt_run_scan *s)
{
    pthread_mutex_lock(&s->lock);
    return &s->list;
}

void tt_run_scan_unlock(tt_run_scan *s) { pthread_mutex_unlock(&s->lock); }

void tt_run_scan_stop(tt_run_scan *s)
{
    if (!s) return;
    atomic_store(&s->stop, true);
    pthread_mutex_lock(&s->lock);
    if (s->load) tt_load_cancel(s->load);
    bool orphan = s->orphan = s->threaded && !s->done;
    if (orphan) pthread_detach(s->thread); /* a table may be half computed: nobody wants to wait for it */
    pthread_mutex_unlock(&s->lock);
    if (orphan) return;
    if (s->threaded) pthread_join(s->thread, NULL);
    free_scan(s);
}

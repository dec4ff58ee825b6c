/* tui/cluster/watch.c - see watch.h. Progress comes from the files in the folder, so that tasks need no connection
 * to this process, wherever they run. */
#include "tui/cluster/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "model/base/clock.h"
#include "model/text/text_safety.h"
#include "tui/args/open_session.h"

enum {
    LISTEN_MS = 100,
    LOOK_MS = 500,
    QUEUE_MS = 5000,     /* between questions to Slurm's controller, which serves the whole cluster */
    ANSWER_MS = 3000,    /* the controller may not answer */
    PATIENCE_MS = 30000, /* wait this long for cancelled tasks to end */
    RATE_MS = 1000       /* working time before the rate is used to estimate the rest */
};

typedef struct watch {
    tt_cluster_plan *plan;
    const tt_cluster_job *job;
    int64_t begin_ms, looked_ms, asked_ms;
    int64_t first_ms;   /* when the first task was seen; 0 = none has begun */
    uint64_t bytes_had; /* bytes done at that time */
    char queue[80];     /* what Slurm says about waiting jobs */
    bool shown, quiet;
} watch;

/* ---- what the line says ---- */

/* Ask Slurm about the jobs with this name; c->words has a line for each. False: no answer. */
static bool ask_slurm(const char *job, const char *format, tt_child *c)
{
    char name[80];
    int status = -1;
    snprintf(name, sizeof name, "--name=%s", job);
    const tt_argument arguments[] = {{.text = "--noheader"}, {.text = name}, {.text = format}};
    if (tt_child_start(c, "squeue", arguments, sizeof arguments / sizeof *arguments, -1, NULL) != TT_OK) return false;
    int64_t until = tt_clock_ms() + ANSWER_MS;
    bool over = false;
    while (!over && tt_clock_ms() < until) {
        tt_child_listen(c, LISTEN_MS);
        over = tt_child_over(c, &status);
    }
    if (!over) tt_child_end(c);
    tt_child_close(c);
    return over && !status && c->n;
}

/* Ask Slurm why no task has begun: "PENDING Resources". */
static void ask_queue(watch *w)
{
    tt_child c;
    if (!ask_slurm(w->job->name, "--format=%T %r", &c)) return;
    c.words[strcspn(c.words, "\n")] = '\0'; /* the first line is about the array; the merging job waits for it */
    snprintf(w->queue, sizeof w->queue, "%s", c.words);
}

void tt_cluster_warn_earlier(const tt_cluster_run_id *earlier)
{
    tt_child c;
    if (strcmp(earlier->engine, tt_job_engine_names[TT_JOB_SBATCH]) != 0) return;
    if (!ask_slurm(earlier->id, "--format=%i", &c)) return;
    const char *more = strchr(c.words, '\n') != c.words + c.n - 1 ? " and others" : "";
    c.words[strcspn(c.words, "\n")] = '\0';
    tt_warn(
        "jobs of an earlier run are in Slurm's queue (%s%s): they begin no other input; 'scancel --name=%s' ends them",
        c.words, more, earlier->id);
}

static void say_rest(const watch *w, int64_t now, char *out, size_t cap)
{
    const tt_cluster_plan *p = w->plan;
    uint64_t made = p->bytes_done > w->bytes_had ? p->bytes_done - w->bytes_had : 0;
    *out = '\0';
    if (!made || now - w->first_ms < RATE_MS || p->n_done + p->n_failed >= p->parts.n) return;
    double left = (double)(p->bytes - p->bytes_done) * (double)(now - w->first_ms) / (double)made / 1e3;
    if (left < 90)
        snprintf(out, cap, "   about %.0f s left", left < 1 ? 1 : left);
    else
        snprintf(out, cap, "   about %.0f min left", left / 60);
}

static void say(const watch *w, int64_t now, char *out, size_t cap)
{
    const tt_cluster_plan *p = w->plan;
    char failed[40] = "", rest[60];
    if (p->n_failed) snprintf(failed, sizeof failed, ", %" PRIu32 " failed", p->n_failed);
    say_rest(w, now, rest, sizeof rest);
    const char *what = p->n_done + p->n_failed == p->parts.n ? "   merging"
                       : w->first_ms                         ? rest
                                                             : "   waiting for a task";
    snprintf(out, cap, "%s: %" PRIu32 " of %zu ranks%s   %.1f s%s%s%s%s", tt_job_engine_names[w->job->engine],
             p->n_done, p->parts.n, failed, (double)(now - w->begin_ms) / 1e3, what,
             *w->queue && !w->first_ms ? " (" : "", w->first_ms ? "" : w->queue, *w->queue && !w->first_ms ? ")" : "");
}

static void show(watch *w, const char *line)
{
    struct winsize size;
    if (w->quiet) return;
    /* a line that wraps could not be overwritten */
    int width = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 20 ? (int)size.ws_col - 11 : 69;
    char safe[512];
    if (line) tt_sanitize_term(safe, sizeof safe, line, strlen(line)); /* the line may quote Slurm */
    fprintf(stderr, "\r\033[K");
    if (line) fprintf(stderr, "tracetty: %.*s", width, safe);
    fflush(stderr);
    w->shown = line != NULL;
}

static void look(watch *w, int64_t now)
{
    char line[300];
    if (now - w->looked_ms < LOOK_MS) return;
    w->looked_ms = now;
    tt_cluster_plan_look(w->plan);
    if (w->plan->started && !w->first_ms) {
        w->first_ms = now;
        w->bytes_had = w->plan->bytes_done;
    }
    if (w->quiet) return;
    if (!w->first_ms && w->job->engine == TT_JOB_SBATCH && now - w->asked_ms >= QUEUE_MS) {
        w->asked_ms = now;
        ask_queue(w);
    }
    say(w, now, line, sizeof line);
    show(w, line);
}

/* ---- its end ---- */

/* The signal that came meanwhile; 0 = none. */
static int interrupted(const sigset_t *ends)
{
    const struct timespec now = {0, 0};
    int got = sigtimedwait(ends, NULL, &now);
    return got > 0 ? got : 0;
}

static void cancel(watch *w, tt_cluster_run *r, int signal)
{
    tt_err unused;
    if (w->shown) show(w, NULL);
    /* tasks look for this mark: some engines do not kill every process that they started */
    (void)tt_cluster_folder_cancel(w->plan->work, w->job->name, &unused);
    if (r->signal)
        kill(-r->child.pid, SIGKILL);
    else
        kill(r->child.pid, SIGTERM); /* the script ends its tasks */
    if (!r->signal)
        tt_note("cancelling what was started%s", w->quiet ? "" : "; Ctrl-C again does not wait for its end");
    r->signal = signal;
}

static void stay(watch *w, tt_cluster_run *r, const sigset_t *ends)
{
    int64_t until = INT64_MAX;
    bool over = false;
    while (!over) {
        tt_child_listen(&r->child, LISTEN_MS);
        over = tt_child_over(&r->child, &r->status);
        int64_t now = tt_clock_ms();
        int signal = interrupted(ends);
        if (over) break;
        if (signal) {
            cancel(w, r, signal);
            until = until == INT64_MAX ? now + PATIENCE_MS : now;
        }
        if (now >= until) {
            tt_child_end(&r->child);
            r->status = 128 + SIGKILL;
            break;
        }
        if (!r->signal) look(w, now);
    }
    if (w->shown) show(w, NULL);
}

tt_status tt_cluster_watch(tt_cluster_plan *p, const tt_cluster_job *j, tt_cluster_run *out, tt_err *err)
{
    sigset_t ends, before;
    tt_err why;
    *out = (tt_cluster_run){.child.pid = -1};
    tt_text script = {0};
    tt_text_put(&script, p->work, strlen(p->work));
    tt_text_put(&script, "/cluster.sh", sizeof "/cluster.sh" - 1);
    const tt_argument arguments[] = {{.path = script.at}, {.text = "run"}};
    watch w = {.plan = p, .job = j, .begin_ms = tt_clock_ms()};
    w.asked_ms = w.begin_ms - QUEUE_MS + LOOK_MS;
    w.quiet = j->cli->value[TT_OPT_QUIET] || !isatty(STDERR_FILENO);
    tt_ending_signals(&ends);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    bool started = tt_child_start(&out->child, "bash", arguments, 2, p->lock, &why) == TT_OK;
    if (started) stay(&w, out, &ends);
    tt_child_close(&out->child);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    tt_vec_free(&script);
    out->seconds = (double)(tt_clock_ms() - w.begin_ms) / 1e3;
    tt_cluster_plan_look(p);
    return started ? TT_OK : tt_fail(err, TT_ERR_INPUT, -1, "the script of the tasks does not start: %s", why.message);
}

/* tui/record/record_cycles.c - see record_cycles.h. */
#include "tui/record/record_cycles.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/clock.h"
#include "model/base/run/program.h"
#include "parser/recording/cycles.h"
#include "parser/recording/tail.h"
#include "tui/files/outfile.h"
#include "tui/record/step_info.h"

enum { SETTLE_MS = 2000, LATE_MS = 30000, LOOK_MS = 100, RESCAN_MS = 500, LIMIT_S = 60 };
enum { GO = 'g', END = 'e', STOP = 's' }; /* messages of the launcher */

typedef struct cycle {
    int64_t start, end;             /* ns; end 0: it still runs */
    uint32_t call_least, call_most; /* correlations of its calls */
    int64_t ended_ms, news_ms;      /* when its end, and its last record, was read */
} cycle;

typedef struct process { /* a recorded process */
    char *spool;
    struct watcher *of;
    tt_spool_tail tail;
    tt_cycle_count count;
    tt_step_info info;
    TT_VEC(cycle) cycles;
    size_t handled; /* cycles whose handler has run, or runs */
    bool over;      /* its END was read */
} process;

typedef struct watcher {
    const char *dir, *command;
    long rank;
    int64_t limit_ms;
    uint32_t every; /* --step-info */
    TT_VEC(process *) processes;
    pid_t handler; /* 0: none runs */
    int64_t began_ms, now, scanned;
    char trace[1200];               /* the file of the handler that runs */
    bool ended, stop, failed, slow; /* failed, slow: that was said */
} watcher;

/* ---- reading ---- */

static cycle *at_call(process *p, uint32_t correlation)
{
    for (size_t i = p->cycles.n; i > p->handled; i--) {
        cycle *c = &p->cycles.at[i - 1];
        if (correlation >= c->call_least && correlation <= c->call_most) return c;
    }
    return NULL;
}

static void end_cycle(process *p, int64_t ts)
{
    cycle *c = p->cycles.n ? &p->cycles.at[p->cycles.n - 1] : NULL;
    if (!c || c->end || ts < c->start) return;
    c->end = ts;
    c->ended_ms = c->news_ms = p->of->now;
}

static void on_step(process *p, const tt_spool_step *s)
{
    if (!tt_cycle_begins(&p->count, s)) return;
    end_cycle(p, s->ts);
    *tt_vec_push(&p->cycles) = (cycle){.start = s->ts, .call_least = UINT32_MAX};
}

static void on_call(process *p, const tt_spool_api *a)
{
    for (size_t i = p->cycles.n; a->correlation && i > p->handled; i--) {
        cycle *c = &p->cycles.at[i - 1];
        if (a->start < c->start) continue;
        if (c->end && a->start >= c->end) return;
        if (a->correlation < c->call_least) c->call_least = a->correlation;
        if (a->correlation > c->call_most) c->call_most = a->correlation;
        c->news_ms = p->of->now;
        return;
    }
}

static void on_device_work(process *p, uint32_t correlation)
{
    cycle *c = at_call(p, correlation);
    if (c) c->news_ms = p->of->now;
}

static void on_record(void *arg, const tt_spool_rec *r)
{
    process *p = arg;
    const void *at = r;
    char line[200];
    if (p->info.every && tt_step_info_add(&p->info, r, line, sizeof line)) {
        if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr); /* instead of the progress line */
        tt_note("%s", line);
    }
    switch (r->type) {
    case TT_SPOOL_STEP: on_step(p, at); break;
    case TT_SPOOL_STATE:
        if (!r->a) end_cycle(p, ((const tt_spool_state *)at)->ts);
        break;
    case TT_SPOOL_END:
        p->over = true;
        end_cycle(p, ((const tt_spool_end *)at)->ts);
        break;
    case TT_SPOOL_API: on_call(p, at); break;
    case TT_SPOOL_KERNEL: on_device_work(p, ((const tt_spool_kernel *)at)->correlation); break;
    case TT_SPOOL_COPY:
    case TT_SPOOL_SET:
    case TT_SPOOL_SYNC:
    case TT_SPOOL_GRAPH: on_device_work(p, r->a); break;
    default: break;
    }
}

static bool known(const watcher *w, const char *spool)
{
    for (size_t i = 0; i < w->processes.n; i++) {
        if (!strcmp(w->processes.at[i]->spool, spool)) return true;
    }
    return false;
}

static void find_spools(watcher *w)
{
    char path[1024];
    tt_walk_names spools = {0};
    w->scanned = w->now;
    tt_record_spools(w->dir, w->rank, &spools);
    for (size_t i = 0; i < spools.n; i++) {
        tt_spool_tail tail;
        snprintf(path, sizeof path, "%s/%s", w->dir, spools.at[i]);
        if (known(w, spools.at[i]) || !tt_spool_tail_open(&tail, path)) continue;
        process *p = tt_calloc(1, sizeof *p);
        *p = (process){.spool = tt_strdup(spools.at[i]), .of = w, .tail = tail, .info.every = w->every};
        *tt_vec_push(&w->processes) = p;
    }
    tt_walk_names_free(&spools);
}

static void read_spools(watcher *w)
{
    w->now = tt_clock_ms();
    if (w->ended || w->now - w->scanned >= RESCAN_MS) find_spools(w);
    for (size_t i = 0; i < w->processes.n; i++) {
        process *p = w->processes.at[i];
        tt_spool_tail_read(&p->tail, UINT64_MAX, on_record, p);
        if (w->ended) end_cycle(p, INT64_MAX); /* the process was killed within it */
    }
}

/* ---- the file of a cycle ---- */

static void *begin_file(void *arg, int64_t start)
{
    tt_err err;
    (void)start;
    tt_outfile *out = tt_outfile_open(arg, 0, NULL, &err);
    if (!out) tt_report(&err);
    return out;
}

static bool write_file(void *file, const char *p, size_t n) { return tt_outfile_write(file, p, n); }

static bool end_file(void *arg, void *file, bool good)
{
    tt_err err;
    (void)arg;
    bool done = tt_outfile_close(file, good, &err) == TT_OK;
    if (!done) tt_report(&err);
    return done;
}

/* Names that begin with a dot are not part of the folder's recording: the file is the handler's. */
static bool write_cycle(watcher *w, const process *p, uint32_t number)
{
    char path[1024];
    tt_err err;
    const char *dot = strrchr(p->spool, '.');
    snprintf(w->trace, sizeof w->trace, "%s/.%.*s.cycle%" PRIu32 "%s", w->dir, (int)(dot - p->spool), p->spool, number,
             dot);
    snprintf(path, sizeof path, "%s/%s", w->dir, p->spool);
    const tt_cycles_out out = {begin_file, write_file, end_file, w->trace};
    if (tt_spool_one_cycle(path, p->tail.offset, number, p->cycles.at[number - 1].end, &out, &err) == TT_OK)
        return true;
    tt_warn("--on-cycle: cycle %" PRIu32 ": %s; its handler is left out", number, err.message);
    *w->trace = 0;
    return false;
}

/* ---- the handler ---- */

/* Start the handler in a process group of its own. This process has no other use for the environment. */
static tt_status start_handler(watcher *w, uint32_t number, tt_err *err)
{
    char text[24];
    const tt_argument arguments[] = {{.text = "-c"}, {.text = w->command}};
    const tt_program shell = {.name = "/bin/sh",
                              .arguments = arguments,
                              .n_arguments = sizeof arguments / sizeof *arguments,
                              .descriptors = {-1, STDERR_FILENO, STDERR_FILENO, -1},
                              .apart = true};
    snprintf(text, sizeof text, "%" PRIu32, number);
    setenv("TRACETTY_CYCLE", text, 1);
    setenv("TRACETTY_TRACE", w->trace, 1);
    setenv("TRACETTY_DIR", w->dir, 1);
    return tt_program_start(&shell, &w->handler, err);
}

static void run_handler(watcher *w, process *p)
{
    tt_err err;
    uint32_t number = (uint32_t)++p->handled;
    if (!write_cycle(w, p, number)) return;
    w->began_ms = tt_clock_ms();
    if (start_handler(w, number, &err) == TT_OK) return;
    tt_warn("--on-cycle: cycle %" PRIu32 ": the handler cannot be started: %s", number, err.message);
    unlink(w->trace);
    w->handler = 0;
}

static void say_failed(watcher *w, int status)
{
    if (w->failed || !status) return;
    w->failed = true;
    if (WIFSIGNALED(status))
        tt_warn("--on-cycle: the handler ended by signal %d; the recording goes on, later cycles run it again",
                WTERMSIG(status));
    else
        tt_warn("--on-cycle: the handler ended with status %d; the recording goes on, later cycles run it again",
                WEXITSTATUS(status));
}

static void reap(watcher *w)
{
    int status;
    if (!w->handler) return;
    bool slow = tt_clock_ms() - w->began_ms >= w->limit_ms;
    if (slow || w->stop) kill(-w->handler, SIGKILL);
    if (slow && !w->slow)
        tt_warn("--on-cycle: the handler took %" PRId64 " s and was ended; --cycle-limit gives it more",
                w->limit_ms / 1000);
    w->slow |= slow;
    if (waitpid(w->handler, &status, slow || w->stop ? 0 : WNOHANG) != w->handler) return;
    w->handler = 0;
    unlink(w->trace);
    if (!slow && !w->stop) say_failed(w, status);
}

static bool due(const watcher *w, const process *p)
{
    if (p->handled == p->cycles.n) return false;
    const cycle *c = &p->cycles.at[p->handled];
    if (!c->end) return false;
    return w->ended || p->over || w->now - c->news_ms >= SETTLE_MS || w->now - c->ended_ms >= LATE_MS;
}

/* Run the handler of the due cycle that began first. False: none is left to run. */
static bool next_handler(watcher *w)
{
    process *first = NULL;
    for (size_t i = 0; !w->handler && i < w->processes.n; i++) {
        process *p = w->processes.at[i];
        if (due(w, p) && (!first || p->cycles.at[p->handled].start < first->cycles.at[first->handled].start)) first = p;
    }
    if (first) run_handler(w, first);
    return first || w->handler;
}

/* ---- the process ---- */

/* Wait for a message, at most so long. */
static void listen(watcher *w, int from, int ms)
{
    struct pollfd f = {from, POLLIN, 0};
    char message = STOP;
    if (poll(&f, 1, ms) <= 0) return;
    if (read(from, &message, 1) < 0) return;
    if (message == END) w->ended = true;
    if (message == STOP) w->stop = true; /* also: the launcher is gone */
}

static void watch(watcher *w, int from)
{
    listen(w, from, -1);
    bool all = false;
    while (!w->stop && !all) {
        bool ended = w->ended;
        read_spools(w);
        reap(w);
        all = w->command ? !next_handler(w) && ended : ended;
        if (!all) listen(w, from, w->handler && w->ended ? 10 : LOOK_MS);
    }
    reap(w);
}

static void forget_processes(watcher *w)
{
    for (size_t i = 0; i < w->processes.n; i++) {
        process *p = w->processes.at[i];
        tt_spool_tail_close(&p->tail);
        tt_step_info_free(&p->info);
        tt_vec_free(&p->cycles);
        free(p->spool);
        free(p);
    }
    tt_vec_free(&w->processes);
}

static void watch_and_exit(watcher *w, int from)
{
    const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    if (fork() != 0) _exit(0); /* no child of the launcher, which waits for all its children */
    setsid();                  /* Ctrl-C is the command's */
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) signal(ours[i], SIG_DFL);
    watch(w, from);
    forget_processes(w);
    fflush(NULL);
    _exit(0);
}

bool tt_cycles_begin(tt_cycles *c, const tt_cli *cli, const tt_launch *l, char *why, size_t cap)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    int64_t limit = (int64_t)LIMIT_S * 1000000000;
    tt_err err;
    watcher w = {.dir = l->dir, .command = cli->value[TT_OPT_ON_CYCLE], .rank = l->rank, .every = l->set.step_info};
    *c = (tt_cycles){-1, -1};
    if (!w.command && !w.every) return true;
    if (tt_record_time(cli, TT_OPT_CYCLE_LIMIT, &limit, &err) != TT_OK) {
        snprintf(why, cap, "%s", err.message);
        return false;
    }
    w.limit_ms = limit / 1000000;
    fflush(NULL);
    pid_t child = pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC) ? -1 : fork();
    if (child == 0) {
        close(to[1]);
        close(from[0]);
        watch_and_exit(&w, to[0]);
    }
    if (child > 0) waitpid(child, NULL, 0);
    if (to[0] >= 0) close(to[0]);
    if (from[1] >= 0) close(from[1]);
    *c = (tt_cycles){to[1], from[0]};
    if (child < 0) snprintf(why, cap, "no process for --on-cycle or --step-info: %s", strerror(errno));
    return child > 0;
}

static void tell(const tt_cycles *c, char message)
{
    if (c->to < 0) return;
    /* a process that is gone is no fault of the recording */
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    if (write(c->to, &message, 1) < 0) errno = 0;
    signal(SIGPIPE, old);
}

void tt_cycles_go(const tt_cycles *c) { tell(c, GO); }

void tt_cycles_end(tt_cycles *c, tt_stops *stops)
{
    char text;
    if (c->to < 0) return;
    tell(c, END);
    struct pollfd f = {c->from, POLLIN, 0};
    while (poll(&f, 1, TT_RECORD_POLL_MS) <= 0 || (read(c->from, &text, 1) < 0 && errno == EINTR)) {
        if (tt_record_stop(stops) != TT_STOP_NONE || tt_launch_terminated()) tell(c, STOP);
    }
    close(c->to);
    close(c->from);
    *c = (tt_cycles){-1, -1};
}

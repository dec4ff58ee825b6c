/* tui/args/open_session.c - from the command line to a loaded session; warnings about the input go to stderr. */
#include "tui/args/open_session.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/base/buf.h"
#include "model/tables/summary/make.h"

void tt_ending_signals(sigset_t *out)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction a;
    sigemptyset(out);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (sigaction(ends[i], NULL, &a) == 0 && a.sa_handler != SIG_IGN) sigaddset(out, ends[i]);
    }
}

static void hold_signals(int how)
{
    sigset_t ends;
    tt_ending_signals(&ends);
    pthread_sigmask(how, &ends, NULL);
}

void tt_signals_again(const tt_load_options *o)
{
    if (o->nsys_export) hold_signals(SIG_UNBLOCK);
}

tt_session *tt_finish_load(tt_load *load, const tt_load_options *o, char **warnings, tt_err *err)
{
    const struct timespec look = {.tv_nsec = 50000000};
    tt_progress p = {0};
    sigset_t ends;
    int got = 0;
    if (!o->nsys_export) return tt_load_finish(load, warnings, err);
    tt_ending_signals(&ends);
    hold_signals(SIG_BLOCK);
    for (tt_load_progress(load, &p); !p.done; tt_load_progress(load, &p)) {
        int signal = sigtimedwait(&ends, NULL, &look);
        if (signal > 0) {
            got = signal;
            tt_load_cancel(load);
        }
    }
    tt_session *s = tt_load_finish(load, warnings, err);
    if (got) raise(got); /* pending until the next load or tt_signals_again() */
    return s;
}

/* The source of steps that --step-source asks for; NONE: any, or no steps at all (tt_scope.no_steps). */
static tt_steps_source steps_of(const char *word)
{
    if (!word) return TT_STEPS_NONE;
    return !strcmp(word, "profiler")   ? TT_STEPS_PROFILER
           : !strcmp(word, "engine")   ? TT_STEPS_ENGINE
           : !strcmp(word, "inferred") ? TT_STEPS_INFERRED
                                       : TT_STEPS_NONE;
}

tt_status tt_open_options(const tt_cli *cli, tt_load_options *out, tt_err *err)
{
    *out = (tt_load_options){.worker = cli->value[TT_OPT_WORKER],
                             .span = cli->value[TT_OPT_SPAN],
                             .run = cli->value[TT_OPT_RUN],
                             .graph_keys = cli->graph_keys.at,
                             .n_graph_keys = cli->graph_keys.n,
                             .steps = steps_of(cli->value[TT_OPT_STEP_SOURCE]),
                             .all_events = cli->value[TT_OPT_ALL_EVENTS] != NULL,
                             .nsys_export = cli->value[TT_OPT_NSYS_EXPORT] != NULL};
    bool tables = cli->command == TT_CMD_EXPLORE || cli->command == TT_CMD_SUMMARY || cli->command == TT_CMD_DIFF;
    if (tables)
        out->reduce =
            tt_summary_reduce; /* only tables can be computed from reduced traces; other commands need all events */
    const char *threads = cli->value[TT_OPT_THREADS];
    int64_t n = 0;
    if (threads && (!tt_parse_count(threads, &n) || n < 1 || n > 256)) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--threads: '%s' is not a number from 1 to 256", threads);
    }
    out->threads = (unsigned)n;
    const char *memory = cli->value[TT_OPT_MAX_MEMORY], *events = cli->value[TT_OPT_MAX_EVENTS];
    if (memory && (!tt_parse_size(memory, &out->max_memory) || !out->max_memory)) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--max-memory: '%s' is no size; as 8G, 512M or a number of bytes",
                       memory);
    }
    n = 0;
    if (events && (!tt_parse_count(events, &n) || n < 1)) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--max-events: '%s' is no number of events", events);
    }
    out->max_events = (uint64_t)n;
    if (out->nsys_export) hold_signals(SIG_BLOCK); /* threads inherit the signal mask of their creator */
    return TT_OK;
}

/* Print one line with the problems that matter: "run.json: 3 malformed_event (first at byte 120), 1 truncated ..." */
static void warn_damage(const tt_trace *s)
{
    char line[1024];
    tt_buf b = tt_buf_of(line);
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &s->problems.of[k];
        if (!p->count || tt_problem_level_of[k] == TT_LEVEL_NOTE) continue;
        tt_buf_list(&b, ", ", "%" PRIu64 " %s", p->count, tt_problem_key[k]);
        if (p->offset >= 0) tt_buf_add(&b, " (first at byte %" PRId64 ")", p->offset);
    }
    tt_warn("%s: opened with repairs: %s; 'tracetty check' explains", s->path, line);
}

static void warn_lines(char *warnings)
{
    for (char *save = NULL, *l = warnings ? strtok_r(warnings, "\n", &save) : NULL; l;
         l = strtok_r(NULL, "\n", &save)) {
        tt_warn("%s", l);
    }
    free(warnings);
}

static tt_status check_chosen(const char *option, const char *value, const char *side, char *const *have, uint32_t n,
                              tt_err *err)
{
    if (!value) return TT_OK;
    char list[512];
    tt_buf all = tt_buf_of(list);
    for (uint32_t i = 0; i < n; i++) {
        if (!strcmp(value, have[i])) return TT_OK;
        tt_buf_add(&all, "%s%s", i ? ", " : "", have[i]);
    }
    return tt_fail(err, TT_ERR_USAGE, -1, "--%s: there is no '%s'; %s has %s", option, value, side ? side : "the input",
                   n ? list : "none");
}

tt_status tt_open(const tt_open_spec *spec, tt_session **out, tt_err *err)
{
    if (spec->load->nsys_export) hold_signals(SIG_BLOCK);
    tt_status st = tt_open_started(spec, tt_load_start(spec->paths, spec->n_paths, spec->load), out, err);
    tt_signals_again(spec->load);
    return st;
}

tt_status tt_open_started(const tt_open_spec *spec, tt_load *load, tt_session **out, tt_err *err)
{
    char *warnings = NULL;
    *out = NULL;
    tt_session *s = tt_finish_load(load, spec->load, &warnings, err);
    warn_lines(warnings);
    if (!s && spec->side && err->code == TT_ERR_USAGE && (spec->load->worker || spec->load->span)) {
        /* with two runs, say which run the message is about */
        tt_err why = *err;
        tt_fail(err, TT_ERR_USAGE, -1, "--%s: %s: %s", spec->load->worker ? spec->worker_option : spec->span_option,
                spec->side, why.message);
    }
    if (!s) return err->code;
    tt_status st = check_chosen(spec->worker_option, spec->load->worker, spec->side, s->workers, s->n_workers, err);
    if (st == TT_OK) st = check_chosen(spec->span_option, spec->load->span, spec->side, s->spans, s->n_spans, err);
    if (st != TT_OK) {
        tt_session_free(s);
        return st;
    }
    for (uint32_t i = 0; spec->damage && i < s->n_traces; i++) {
        if (tt_problems_matter(&s->traces[i]->problems)) warn_damage(s->traces[i]);
    }
    *out = s;
    return TT_OK;
}

tt_status tt_needs_path(const tt_cli *cli, tt_err *err)
{
    const char *name = tt_commands[cli->command].name;
    if (cli->n_args) return TT_OK;
    return tt_fail(err, TT_ERR_USAGE, -1, "no PATH given: tracetty %s%s%s", name, *name ? " " : "",
                   tt_commands[cli->command].args);
}

tt_status tt_open_session(const tt_cli *cli, bool damage, tt_session **out, tt_err *err)
{
    tt_load_options o;
    *out = NULL;
    TT_TRY(tt_needs_path(cli, err));
    TT_TRY(tt_open_options(cli, &o, err));
    tt_open_spec spec = {.paths = cli->args,
                         .n_paths = cli->n_args,
                         .load = &o,
                         .worker_option = "worker",
                         .span_option = "span",
                         .damage = damage};
    return tt_open(&spec, out, err);
}

tt_status tt_open_chosen(const tt_cli *cli, tt_session **out, tt_session **whole, tt_err *err)
{
    tt_cli all = *cli;
    *out = NULL;
    all.value[TT_OPT_WORKER] = NULL;
    TT_TRY(tt_open_session(&all, true, whole, err));
    tt_session *s = *whole;
    const char *worker = cli->value[TT_OPT_WORKER];
    TT_TRY(check_chosen("worker", worker, NULL, s->workers, s->n_workers, err));
    tt_trace **traces = tt_calloc(s->n_traces, sizeof(tt_trace *));
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!strcmp(s->traces[i]->worker, worker)) traces[n++] = tt_trace_ref(s->traces[i]);
    }
    *out = tt_session_new(traces, n, s->run);
    tt_session_set_path(*out, s->path);
    free(traces);
    return TT_OK;
}

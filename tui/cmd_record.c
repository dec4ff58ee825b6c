/* tui/cmd_record.c - `tracetty record`: run a command so that it records itself, show how it goes, open what came of it. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/launch.h"
#include "tui/cli.h"
#include "tui/format.h"
#include "tui/sanitize.h"

enum { CANNOT_RECORD = 125, POLL_MS = 50, PROGRESS_MS = 250 };

/* ---- settings from options ---- */

static tt_status bad(tt_err *err, const char *option, const char *value, const char *want)
{
    return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not %s", option, value, want);
}

static tt_status time_option(const tt_cli *cli, tt_option k, int64_t *out, tt_err *err)
{
    const char *v = cli->value[k], *end;
    if (!v) return TT_OK;
    if (!tt_parse_time(v, &end, 1000000000, out) || *end || *out < 0) {
        return bad(err, tt_option_infos[k].name, v, "a time in seconds, or with a unit as in 500ms");
    }
    return TT_OK;
}

/* "4G", "32M", "100" */
static bool parse_size(const char *v, uint64_t *out)
{
    char *end;
    if (*v < '0' || *v > '9') return false;
    unsigned long long n = strtoull(v, &end, 10);
    static const char units[] = "KMGT";
    const char *u = *end ? strchr(units, *end & ~32) : NULL;
    int shift = u ? 10 * (int)(u - units + 1) : 0;
    if (n > UINT64_MAX >> shift >> 1 || (*end && (!u || end[1]))) return false;
    *out = (uint64_t)n << shift;
    return true;
}

static tt_status size_option(const tt_cli *cli, tt_option k, uint64_t least, uint64_t *out, tt_err *err)
{
    const char *v = cli->value[k];
    if (!v || (parse_size(v, out) && *out >= least)) return TT_OK;
    return bad(err, tt_option_infos[k].name, v, "a size as in 512M or 4G, or is too small");
}

static tt_status count_option(const tt_cli *cli, tt_option k, int64_t least, int64_t most, uint32_t *out, tt_err *err)
{
    const char *v = cli->value[k];
    int64_t n;
    if (!v) return TT_OK;
    if (!tt_parse_count(v, &n) || n < least || n > most) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not a number from %" PRId64 " to %" PRId64,
                       tt_option_infos[k].name, v, least, most);
    }
    *out = (uint32_t)n;
    return TT_OK;
}

static tt_status text_option(const tt_cli *cli, tt_option k, char *out, size_t cap, tt_err *err)
{
    const char *v = cli->value[k];
    if (!v || (size_t)snprintf(out, cap, "%s", v) < cap) return TT_OK;
    return bad(err, tt_option_infos[k].name, v, "short enough");
}

/* "kernel,nvtx": exactly these; "+memory,-cpu": changes to the default. */
static tt_status parse_traces(const char *v, uint32_t *out, tt_err *err)
{
    static const char *const words[] = {
#define X(id, word) word,
        TT_TRACES(X)
#undef X
    };
    if (*v != '+' && *v != '-') *out = 0;
    for (const char *p = v; *p;) {
        bool off = *p == '-';
        p += *p == '+' || *p == '-';
        size_t n = strcspn(p, ","), i = 0;
        while (i < TT_TRACE_COUNT_ && (strlen(words[i]) != n || strncmp(words[i], p, n) != 0)) i++;
        if (i == TT_TRACE_COUNT_) {
            return tt_fail(err, TT_ERR_USAGE, -1,
                           "--trace: '%.*s' is none of kernel, memcpy, memset, runtime, driver, sync, overhead, nvtx, "
                           "cpu, memory, "
                           "graph, external, nvml",
                           (int)n, p);
        }
        *out = off ? *out & ~(1u << i) : *out | 1u << i;
        p += n + (p[n] == ',');
    }
    return TT_OK;
}

static tt_status settings_of(const tt_cli *cli, tt_settings *s, tt_err *err)
{
    char why[300];
    *s = tt_settings_default();
    const char *steps = cli->value[TT_OPT_STEPS], *traces = cli->value[TT_OPT_TRACE],
               *children = cli->value[TT_OPT_CHILDREN];
    if (steps && !tt_schedule_parse(steps, &s->schedule, why, sizeof why)) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--steps: %s", why);
    }
    TT_TRY(time_option(cli, TT_OPT_DELAY, &s->delay_ns, err));
    TT_TRY(time_option(cli, TT_OPT_DURATION, &s->duration_ns, err));
    TT_TRY(size_option(cli, TT_OPT_MAX_SPOOL, 1 << 16, &s->max_spool, err));
    TT_TRY(size_option(cli, TT_OPT_BUFFER_SIZE, 1 << 12, &s->buffer_size, err));
    TT_TRY(count_option(cli, TT_OPT_BUFFERS, 1, 4096, &s->buffers, err));
    TT_TRY(count_option(cli, TT_OPT_CPU_UTIL, 0, 1000, &s->cpu_hz, err));
    TT_TRY(count_option(cli, TT_OPT_GPU_UTIL, 0, 1000, &s->nvml_hz, err));
    TT_TRY(text_option(cli, TT_OPT_STEP_MARKER, s->marker, sizeof s->marker, err));
    TT_TRY(text_option(cli, TT_OPT_CAPTURE_RANGE, s->capture_range, sizeof s->capture_range, err));
    TT_TRY(text_option(cli, TT_OPT_ONLY_RANK, s->only_rank, sizeof s->only_rank, err));
    TT_TRY(text_option(cli, TT_OPT_CUPTI, s->cupti, sizeof s->cupti, err));
    if (traces) TT_TRY(parse_traces(traces, &s->traces, err));
    if (cli->value[TT_OPT_MEMORY]) s->traces |= 1u << TT_TRACE_MEMORY;
    s->noisy_api = cli->value[TT_OPT_NOISY_API] != NULL;
    s->start_paused = cli->value[TT_OPT_START_PAUSED] != NULL;
    if (children)
        s->children = children[0] == 'n' ? TT_CHILDREN_NONE : children[0] == 'a' ? TT_CHILDREN_ALL : TT_CHILDREN_EXEC;
    size_t n = 0; /* the command, as a JSON string */
    s->command[n++] = '"';
    for (uint32_t i = 0; i < cli->n_args; i++) {
        for (const char *p = i ? " " : ""; *p && n + 10 < sizeof s->command; p++) s->command[n++] = *p;
        for (const char *p = cli->args[i]; *p && n + 10 < sizeof s->command; p++) {
            if (*p == '"' || *p == '\\') s->command[n++] = '\\';
            s->command[n++] = (unsigned char)*p < 0x20 ? ' ' : *p;
        }
    }
    s->command[n++] = '"';
    return TT_OK;
}

/* ---- while it runs ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void describe(const tt_launch *l, int64_t ms, char *out, size_t cap)
{
    const tt_control *p = l->page;
    uint64_t drops = atomic_load(&p->drops), steps = atomic_load(&p->steps), bytes = atomic_load(&p->bytes);
    int n = snprintf(out, cap, "%" PRId64 ".%" PRId64 " s  %s  %u process%s  %" PRIu64 " events  %.1f MB", ms / 1000,
                     ms % 1000 / 100,
                     l->ended                     ? "ended"
                     : atomic_load(&p->recording) ? "recording"
                     : atomic_load(&p->attached)  ? "paused"
                                                  : "waiting",
                     atomic_load(&p->attached), atomic_load(&p->attached) == 1 ? "" : "es", atomic_load(&p->events),
                     (double)bytes / 1e6);
    if (steps && n > 0 && (size_t)n < cap) n += snprintf(out + n, cap - (size_t)n, "  step %" PRIu64, steps);
    if (drops && n > 0 && (size_t)n < cap) snprintf(out + n, cap - (size_t)n, "  %" PRIu64 " dropped", drops);
}

static void show_progress(const tt_launch *l, int64_t ms)
{
    char line[200];
    describe(l, ms, line, sizeof line);
    fprintf(stderr, "\r\033[Ktracetty: %s", line);
}

static void stay(tt_launch *l, bool progress, int64_t linger_ms)
{
    const struct timespec nap = {0, POLL_MS * 1000000};
    int64_t start = now_ms(), shown = start, ended = 0;
    while (tt_launch_poll(l)) {
        int64_t now = now_ms();
        if (l->ended && !ended) ended = now;
        if (ended && now - ended >= linger_ms) break;
        tt_launch_forward(l);
        if (progress && now - shown >= PROGRESS_MS) {
            show_progress(l, now - start);
            shown = now;
        }
        nanosleep(&nap, NULL);
    }
    if (progress) fputs("\r\033[K", stderr);
    char line[200];
    describe(l, now_ms() - start, line, sizeof line);
    fprintf(stderr, "tracetty: %s\n", line);
}

static void report_notes(const tt_launch *l)
{
    const tt_control *p = l->page;
    uint32_t n = atomic_load(&p->n_notes);
    for (uint32_t i = 0; i < n && i < TT_CONTROL_NOTES; i++) tt_warn("%.*s", TT_CONTROL_NOTE - 1, p->notes[i]);
    if (n > TT_CONTROL_NOTES) tt_warn("%u more like these", n - TT_CONTROL_NOTES);
}

/* ---- the end ---- */

static int open_result(const tt_cli *cli, const tt_launch *l)
{
    const char *path = l->dir, *end = cli->value[TT_OPT_AT_END];
    if (!atomic_load(&l->page->attached)) {
        tt_warn("nothing was recorded: the command used neither CUDA nor NVTX nor the C interface in a process that "
                "could be reached; "
                "'tracetty doctor' says more");
        return 0;
    }
    fprintf(stderr, "tracetty: recorded in %s\n", path);
    tt_cli show = {.command = TT_CMD_EXPLORE, .args = &path, .n_args = 1};
    bool terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
    if (end ? !strcmp(end, "nothing") : false) return 0;
    if (!end && !terminal) end = "summary";
    if (end && !strcmp(end, "summary")) {
        show.command = TT_CMD_SUMMARY;
        return tt_cmd_summary(&show);
    }
    return tt_cmd_explore(&show);
}

static int refuse(const char *why)
{
    tt_err err;
    tt_fail(&err, TT_ERR_USAGE, -1, "%s", why);
    tt_report(&err);
    return CANNOT_RECORD;
}

static void print_plan(const tt_launch *l)
{
    printf("CUDA_INJECTION64_PATH=%s\nNVTX_INJECTION64_PATH=%s\nTRACETTY_CAPTURE_LIB=%s\n" TT_CONTROL_ENV "=%s\n",
           l->library, l->library, l->library, l->dir);
}

static int run(const tt_cli *cli, tt_launch *l)
{
    char why[700];
    int64_t linger = 0;
    tt_err err;
    if (time_option(cli, TT_OPT_LINGER, &linger, &err) != TT_OK) return tt_report(&err);
    if (!cli->value[TT_OPT_LINGER]) linger = (int64_t)2 * 1000000000;
    char **argv = tt_calloc(cli->n_args + 1, sizeof *argv);
    for (uint32_t i = 0; i < cli->n_args; i++) argv[i] = tt_strdup(cli->args[i]);
    bool started = tt_launch_environment(l, NULL) && tt_launch_start(l, argv, why, sizeof why);
    for (uint32_t i = 0; i < cli->n_args; i++) free(argv[i]);
    free(argv);
    if (!started) {
        refuse(why);
        return l->status ? l->status : CANNOT_RECORD;
    }
    stay(l, isatty(STDERR_FILENO), linger / 1000000);
    report_notes(l);
    /* what is loaded here must not be recorded too */
    unsetenv("CUDA_INJECTION64_PATH");
    unsetenv("NVTX_INJECTION64_PATH");
    open_result(cli, l);
    return cli->value[TT_OPT_STATUS_OK] ? 0 : l->status;
}

int tt_cmd_record(const tt_cli *cli)
{
    tt_settings set;
    tt_launch l;
    tt_err err;
    char dir[512], why[700], library[512];
    if (!cli->n_args) {
        tt_fail(&err, TT_ERR_USAGE, -1, "no COMMAND given: tracetty record [OPTIONS] -- COMMAND");
        return tt_report(&err);
    }
    if (settings_of(cli, &set, &err) != TT_OK) return tt_report(&err);
    const char *pattern = cli->value[TT_OPT_OUTPUT], *holder = tt_launch_holder();
    bool force = cli->value[TT_OPT_FORCE] != NULL;
    if (holder && !force) {
        snprintf(why, sizeof why, "%s is set already, by another profiler: %s; unset it, or add --force", holder,
                 getenv(holder));
        return refuse(why);
    }
    if (!tt_find_library(library, sizeof library)) {
        return refuse(
            "libtracetty_capture.so is not beside the program; build or install it, or set TRACETTY_CAPTURE_LIB");
    }
    tt_expand_output(pattern ? pattern : "tracetty-%h-%Y%m%d-%H%M%S", dir, sizeof dir);
    if (!tt_launch_prepare(&l, dir, &set, force, why, sizeof why)) return refuse(why);
    snprintf(l.library, sizeof l.library, "%s", library);
    int status = 0;
    if (cli->value[TT_OPT_DRY_RUN]) {
        print_plan(&l);
    } else {
        status = run(cli, &l);
    }
    tt_launch_close(&l);
    return status;
}

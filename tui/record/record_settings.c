/* tui/record/record_settings.c - turns the options of `tracetty record` into settings of a recording. See record.h. */
#include "model/base/buf.h"
#include "tui/record/record.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/text/text_safety.h"

static tt_status bad(tt_err *err, const char *option, const char *value, const char *want)
{
    return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not %s", option, value, want);
}

tt_status tt_record_time(const tt_cli *cli, tt_option k, int64_t *out, tt_err *err)
{
    const char *v = cli->value[k], *end;
    if (!v) return TT_OK;
    if (!tt_parse_time(v, &end, 1000000000, out) || *end || *out < 0) {
        return bad(err, tt_option_infos[k].name, v, "a time in seconds, or with a unit as in 500ms");
    }
    return TT_OK;
}

static tt_status size_option(const tt_cli *cli, tt_option k, uint64_t least, uint64_t *out, tt_err *err)
{
    const char *v = cli->value[k];
    if (!v || (tt_parse_size(v, out) && *out >= least)) return TT_OK;
    return bad(err, tt_option_infos[k].name, v, "a size as in 512M or 4G, or is too small");
}

static tt_status keep_option(const tt_cli *cli, tt_capture_settings *s, tt_err *err)
{
    enum { LEAST_NS = 1000000000 };
    TT_TRY(tt_record_time(cli, TT_OPT_RECORD_KEEP, &s->keep_ns, err));
    if (cli->value[TT_OPT_RECORD_KEEP] && s->keep_ns < LEAST_NS)
        return tt_fail(err, TT_ERR_USAGE, -1, "--keep: '%s' is shorter than a second", cli->value[TT_OPT_RECORD_KEEP]);
    if (s->keep_ns) s->max_spool = TT_RING_BYTES;
    return TT_OK;
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

static bool is_word(const char *word, const char *p, size_t n) { return strlen(word) == n && !strncmp(word, p, n); }

/* Read the kinds of events: "kernel,nvtx": exactly these; "+memory,-cpu": changes to the default. graphs=graph and
 * graphs=node are synonyms of graph and -graph. */
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
        while (i < TT_TRACE_COUNT_ && !is_word(words[i], p, n)) i++;
        if (is_word("graphs=graph", p, n) || is_word("graphs=node", p, n)) {
            i = TT_TRACE_GRAPH;
            off = p[n - 1] == 'e';
        }
        if (i == TT_TRACE_COUNT_) {
            char list[256];
            tt_buf all = tt_buf_of(list);
            for (size_t k = 0; k < TT_TRACE_COUNT_; k++) tt_buf_list(&all, ", ", "%s", words[k]);
            return tt_fail(err, TT_ERR_USAGE, -1, "--trace: '%.*s' is none of %s", (int)n, p, list);
        }
        *out = off ? *out & ~(1u << i) : *out | 1u << i;
        p += n + (p[n] == ',');
    }
    return TT_OK;
}

/* Read a factor such as "2x" or "1.5" as percent. */
static tt_status factor_option(const tt_cli *cli, tt_option k, uint32_t *out, tt_err *err)
{
    const char *v = cli->value[k];
    char *end;
    if (!v) return TT_OK;
    double factor = strtod(v, &end);
    if (end == v || (*end && strcmp(end, "x") != 0) || !(factor > 1 && factor <= 1000))
        return bad(err, tt_option_infos[k].name, v, "a factor above 1 and up to 1000, as in 2x or 1.5x");
    *out = (uint32_t)(factor * 100 + 0.5);
    return TT_OK;
}

/* Signals that end the command, that tell of an error of the program, or that cannot be caught do not dump. */
static bool may_dump(int sig)
{
    static const int taken[] = {SIGKILL, SIGSTOP, SIGTERM, SIGINT, SIGHUP,  SIGABRT, SIGSEGV,
                                SIGBUS,  SIGFPE,  SIGILL,  SIGSYS, SIGTRAP, SIGCHLD, SIGXFSZ};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (sig == taken[i]) return false;
    return sig > 0 && (sig < 32 || (sig >= SIGRTMIN && sig <= SIGRTMAX));
}

static tt_status trigger_options(const tt_cli *cli, tt_capture_settings *s, tt_err *err)
{
    const char *with = cli->value[TT_OPT_DUMP_SIGNAL];
    TT_TRY(factor_option(cli, TT_OPT_SLOW_STEP, &s->slow_step_pct, err));
    TT_TRY(tt_record_time(cli, TT_OPT_STALL, &s->stall_ns, err));
    s->dump_at_exit = cli->value[TT_OPT_ON_EXIT] != NULL;
    int sig = with ? tt_record_signal(with) : s->keep_ns ? SIGUSR2 : 0;
    if (with && strcmp(with, "none") != 0 && !may_dump(sig))
        return bad(err, "dump-signal", with, "none, or a signal that is free for this, as USR2 or 12");
    s->dump_signal = (uint32_t)sig;
    return TT_OK;
}

static bool by_kineto(const tt_cli *cli)
{
    const char *via = cli->value[TT_OPT_VIA];
    return cli->value[TT_OPT_ATTACH] || (via && !strcmp(via, "kineto"));
}

/* Refuse options that exclude each other, or that the chosen profiler lacks. */
static tt_status check_kineto(const tt_cli *cli, const tt_capture_settings *s, tt_err *err)
{
    /* options that Kineto lacks */
    static const tt_option ours[] = {TT_OPT_CLOCK,
                                     TT_OPT_STEP_MARKER,
                                     TT_OPT_CAPTURE_RANGE,
                                     TT_OPT_START_PAUSED,
                                     TT_OPT_NOISY_API,
                                     TT_OPT_CPU_UTIL,
                                     TT_OPT_GPU_UTIL,
                                     TT_OPT_BUFFERS,
                                     TT_OPT_BUFFER_SIZE,
                                     TT_OPT_MAX_SPOOL,
                                     TT_OPT_RECORD_KEEP,
                                     TT_OPT_SLOW_STEP,
                                     TT_OPT_STALL,
                                     TT_OPT_ON_EXIT,
                                     TT_OPT_DUMP_SIGNAL,
                                     TT_OPT_CHILDREN,
                                     TT_OPT_ONLY_RANK,
                                     TT_OPT_CUPTI,
                                     TT_OPT_OPS,
                                     TT_OPT_YIELD_CUPTI,
                                     TT_OPT_DEVICE_BUFFER_LIMIT,
                                     TT_OPT_DEVICE_BUFFER_SIZE,
                                     TT_OPT_FSYNC,
                                     TT_OPT_LIVE,
                                     TT_OPT_ON_CYCLE,
                                     TT_OPT_CYCLE_LIMIT,
                                     TT_OPT_STEP_INFO,
                                     TT_OPT_SUMMARIZE,
                                     TT_OPT_RECORD_FORMAT};
    const char *how = cli->value[TT_OPT_ATTACH] ? "--attach" : "--via kineto";
    for (size_t i = 0; by_kineto(cli) && i < sizeof ours / sizeof *ours; i++) {
        if (!cli->value[ours[i]]) continue;
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s does not go with %s, where PyTorch's own profiler records",
                       tt_option_infos[ours[i]].name, how);
    }
    if (!by_kineto(cli) && s->traces >> TT_TRACE_KINETO) {
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "--trace: shapes, stack, flops and modules come from PyTorch's own profiler: add --via kineto, "
                       "or use --ops=shapes");
    }
    if (cli->value[TT_OPT_ATTACH] && cli->value[TT_OPT_VIA] && strcmp(cli->value[TT_OPT_VIA], "kineto") != 0) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--attach works through kineto only");
    }
    if (by_kineto(cli) && s->schedule.repeat > 1) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--steps: Kineto records one window: leave repeat out");
    }
    return TT_OK;
}

/* Read --format: "spool,json.gz". */
tt_status tt_record_formats_of(const tt_cli *cli, tt_record_formats *out, tt_err *err)
{
    const char *v = cli->value[TT_OPT_RECORD_FORMAT];
    *out = (tt_record_formats){.spool = !v, .gz = !v, .summary = cli->value[TT_OPT_SUMMARIZE] != NULL};
    for (const char *p = v; p && *p;) {
        size_t n = strcspn(p, ",");
        if (n == 5 && !strncmp(p, "spool", n)) {
            out->spool = true;
        } else if (n == 4 && !strncmp(p, "json", n)) {
            out->json = true;
        } else if (n == 7 && !strncmp(p, "json.gz", n)) {
            out->gz = true;
        } else {
            return tt_fail(err, TT_ERR_USAGE, -1, "--format: '%.*s' is none of spool, json, json.gz", (int)n, p);
        }
        p += n + (p[n] == ',');
    }
    if (!out->spool && !out->json && !out->gz) return bad(err, "format", v, "any of spool, json, json.gz");
    return TT_OK;
}

/* Write the beginning of the command that fits, in one line, as a JSON string. */
static void put_command(const tt_cli *cli, char *out, size_t cap)
{
    tt_text line = {0};
    for (uint32_t i = 0; i < cli->n_args; i++) {
        if (i) tt_text_put(&line, " ", 1);
        tt_text_put(&line, cli->args[i], strlen(cli->args[i]));
    }
    for (size_t i = 0; i < line.n; i++) line.at[i] = (unsigned char)line.at[i] < 0x20 ? ' ' : line.at[i];
    *out = '"';
    tt_sanitize_json(out + 1, cap - 2, line.at, line.n);
    size_t n = strlen(out);
    memcpy(out + n, "\"", 2);
    tt_vec_free(&line);
}

tt_status tt_record_settings(const tt_cli *cli, tt_capture_settings *s, tt_err *err)
{
    char why[300];
    *s = tt_capture_settings_default();
    const char *steps = cli->value[TT_OPT_STEPS], *traces = cli->value[TT_OPT_TRACE],
               *children = cli->value[TT_OPT_CHILDREN];
    if (steps && !tt_schedule_parse(steps, &s->schedule, why, sizeof why)) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--steps: %s", why);
    }
    TT_TRY(tt_record_time(cli, TT_OPT_DELAY, &s->delay_ns, err));
    TT_TRY(tt_record_time(cli, TT_OPT_DURATION, &s->duration_ns, err));
    TT_TRY(keep_option(cli, s, err));
    TT_TRY(size_option(cli, TT_OPT_MAX_SPOOL, 1 << 16, &s->max_spool, err));
    TT_TRY(size_option(cli, TT_OPT_BUFFER_SIZE, 1 << 12, &s->buffer_size, err));
    TT_TRY(count_option(cli, TT_OPT_BUFFERS, 1, 4096, &s->buffers, err));
    TT_TRY(count_option(cli, TT_OPT_DEVICE_BUFFER_LIMIT, 1, 100000, &s->device_buffers, err));
    TT_TRY(size_option(cli, TT_OPT_DEVICE_BUFFER_SIZE, 1 << 16, &s->device_buffer_size, err));
    TT_TRY(count_option(cli, TT_OPT_CPU_UTIL, 0, 1000, &s->cpu_hz, err));
    TT_TRY(count_option(cli, TT_OPT_GPU_UTIL, 0, 1000, &s->nvml_hz, err));
    TT_TRY(count_option(cli, TT_OPT_STEP_INFO, 1, 1000000000, &s->step_info, err));
    TT_TRY(text_option(cli, TT_OPT_STEP_MARKER, s->marker, sizeof s->marker, err));
    TT_TRY(text_option(cli, TT_OPT_CAPTURE_RANGE, s->capture_range, sizeof s->capture_range, err));
    TT_TRY(text_option(cli, TT_OPT_ONLY_RANK, s->only_rank, sizeof s->only_rank, err));
    TT_TRY(text_option(cli, TT_OPT_CUPTI, s->cupti, sizeof s->cupti, err));
    if (by_kineto(cli)) s->traces |= 1u << TT_TRACE_SHAPES | 1u << TT_TRACE_FLOPS;
    if (traces) TT_TRY(parse_traces(traces, &s->traces, err));
    if (cli->value[TT_OPT_MEMORY]) s->traces |= 1u << TT_TRACE_MEMORY | 1u << TT_TRACE_MEMPOOL;
    s->noisy_api = cli->value[TT_OPT_NOISY_API] != NULL;
    s->yield_cupti = cli->value[TT_OPT_YIELD_CUPTI] != NULL;
    s->fsync = cli->value[TT_OPT_FSYNC] != NULL;
    s->clock = cli->value[TT_OPT_CLOCK] && *cli->value[TT_OPT_CLOCK] == 'c' ? TT_CLOCK_CUDA : TT_CLOCK_PROCESS;
    s->start_paused = cli->value[TT_OPT_START_PAUSED] != NULL;
    if (children)
        s->children = children[0] == 'n' ? TT_CHILDREN_NONE : children[0] == 'a' ? TT_CHILDREN_ALL : TT_CHILDREN_EXEC;
    const char *with = cli->value[TT_OPT_KILL];
    if (with && !tt_record_signal(with)) return bad(err, "kill", with, "a signal, as TERM or 15");
    if (with && !s->duration_ns) return tt_fail(err, TT_ERR_USAGE, -1, "--kill needs a --duration to be over");
    TT_TRY(trigger_options(cli, s, err));
    bool handler = cli->value[TT_OPT_ON_CYCLE] != NULL;
    if (handler && !s->schedule.record)
        return tt_fail(err, TT_ERR_USAGE, -1, "--on-cycle needs the cycles of --steps, as in wait=9,active=1");
    if (cli->value[TT_OPT_CYCLE_LIMIT] && !handler)
        return tt_fail(err, TT_ERR_USAGE, -1, "--cycle-limit needs an --on-cycle");
    if (cli->value[TT_OPT_LIVE] && (handler || s->step_info))
        return tt_fail(err, TT_ERR_USAGE, -1, "--live takes the terminal: --on-cycle and --step-info print there");
    if (cli->value[TT_OPT_RECORD_KEEP] && (handler || s->step_info))
        return tt_fail(err, TT_ERR_USAGE, -1, "--keep deletes what --on-cycle and --step-info read: choose one");
    put_command(cli, s->command, sizeof s->command);
    return check_kineto(cli, s, err);
}

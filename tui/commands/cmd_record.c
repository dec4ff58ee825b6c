/* tui/commands/cmd_record.c - `tracetty record`: run a command with the recorder loaded, show progress, open the
 * result. */
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "model/base/buf.h"
#include "model/base/clock.h"
#include "tui/commands/commands.h"
#include "tui/record/record.h"
#include "tui/record/record_cycles.h"
#include "tui/record/record_live.h"

enum { PROGRESS_MS = 250, OVER_MS = 100 };

static const tt_record_views views = {tt_cmd_explore, tt_cmd_summary};

/* ---- while it runs ---- */

static void describe(tt_launch *l, int64_t ms, char *out, size_t cap)
{
    tt_launch_look(l);
    const tt_totals *t = &l->totals;
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%" PRId64 ".%" PRId64 " s  %s  %u process%s  %" PRIu64 " events  %.1f MB", ms / 1000,
               ms % 1000 / 100,
               l->ended       ? "ended"
               : t->recording ? "recording"
               : t->attached  ? "paused"
                              : "waiting",
               t->attached, t->attached == 1 ? "" : "es", t->events, (double)t->bytes / 1e6);
    if (t->ring) tt_buf_add(&line, " kept, of the last %" PRIu32 " s", t->kept_s);
    if (t->steps) tt_buf_add(&line, "  step %" PRIu64, t->steps);
    if (t->drops) tt_buf_add(&line, "  %" PRIu64 " dropped", t->drops);
}

/* Return when the command and its descendants have ended, or when the grace period is over. */
static void stay(const tt_cli *cli, tt_launch *l, int64_t linger_ms, tt_stops *stops, tt_live *live)
{
    const tt_capture_settings *set = &l->set;
    const char *kill_with = cli->value[TT_OPT_KILL];
    int64_t over_ms = (set->delay_ns + set->duration_ns) / 1000000 + OVER_MS;
    bool by_cuda = set->clock == TT_CLOCK_CUDA;
    const struct timespec nap = {0, TT_RECORD_POLL_MS * 1000000};
    int64_t start = tt_clock_ms(), shown = start, ended = 0;
    uint32_t dumps = 0;
    char line[200];
    while (tt_launch_poll(l)) {
        int64_t now = tt_clock_ms();
        if (l->ended && !ended) ended = now;
        if (ended && now - ended >= linger_ms) break;
        tt_launch_forward(l);
        tt_live_look(live, false);
        tt_stop stop = tt_record_stop(stops);
        if (stop != TT_STOP_NONE && ended) break; /* do not wait for processes that the command left behind */
        if (stop == TT_STOP_FIRST)
            tt_record_progress(cli, "stopping the command; Ctrl-C again within 2 s kills it", true);
        if (stop == TT_STOP_NOW) {
            tt_record_progress(cli, "killed; the recording so far is kept", true);
            tt_launch_kill();
        }
        /* with --clock cuda each process counts from its first context: wait for the last process to begin */
        if (by_cuda && kill_with) tt_launch_look(l);
        int64_t began = by_cuda ? (l->totals.began - set->clock_offset) / 1000000 : start;
        bool counts = !by_cuda || l->totals.began;
        if (kill_with && !l->ended && counts && now - began >= over_ms) {
            kill(l->child, tt_record_signal(kill_with));
            kill_with = NULL;
        }
        if (now - shown >= PROGRESS_MS) {
            describe(l, now - start, line, sizeof line);
            tt_record_say_dumps(cli, l, &dumps);
            tt_record_progress(cli, line, false);
            shown = now;
        }
        nanosleep(&nap, NULL);
    }
    (void)tt_record_stop(stops); /* forget the Ctrl-C that ended the command: it must not end the export too */
    describe(l, tt_clock_ms() - start, line, sizeof line);
    tt_record_say_dumps(cli, l, &dumps);
    tt_record_progress(cli, line, true);
}

static void report_notes(const tt_launch *l)
{
    const tt_totals *t = &l->totals;
    for (uint32_t i = 0; i < t->n_notes && i < TT_CONTROL_NOTES; i++) tt_warn("%s", t->notes[i]);
    if (t->n_notes > TT_CONTROL_NOTES) tt_warn("%u more like these", t->n_notes - TT_CONTROL_NOTES);
    if (t->lost)
        tt_warn("%s: the control file was cut or written over while the command ran: not all is known of the recording",
                l->dir);
}

/* Report lost events, the cause, and the option that avoids it. */
static void report_drops(const tt_launch *l)
{
    static const char *const causes[TT_SPOOL_DROP_COUNT_] = {
#define X(id, key, text) [TT_SPOOL_DROP_##id] = text,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    static const char *const advice[TT_SPOOL_DROP_COUNT_] = {
        [TT_SPOOL_DROP_RANGES] = "fewer ranges, or fewer steps (--steps)",
        [TT_SPOOL_DROP_STRINGS] = "avoid unique range names",
        [TT_SPOOL_DROP_SPOOL] = "raise --max-spool or record fewer steps (--steps)",
        [TT_SPOOL_DROP_CUPTI] = "raise --buffers or --buffer-size",
        [TT_SPOOL_DROP_BUFFERS] = "raise --buffers or --buffer-size",
        [TT_SPOOL_DROP_TIMES] = "GPU memory is full: record fewer steps (--steps)",
    };
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        uint64_t n = l->totals.drops_by[i];
        if (n) tt_warn("%" PRIu64 " dropped: %s%s%s", n, causes[i], advice[i] ? "; " : "", advice[i] ? advice[i] : "");
    }
}

/* ---- the end ---- */

static void finish(const tt_cli *cli, tt_launch *l, const tt_record_formats *formats, tt_stops *stops, tt_live *live)
{
    report_notes(l);
    report_drops(l);
    tt_record_list_dumps(cli, l);
    if (!l->totals.attached && !l->totals.lost) {
        struct statvfs disk;
        if (!statvfs(l->dir, &disk) && !disk.f_bavail)
            tt_warn("%s: nothing was recorded: no space is left there", l->dir);
        else
            tt_warn(
                "nothing was recorded: the command used neither CUDA nor NVTX nor the C interface in a process that "
                "could be reached; 'tracetty doctor' says more");
        tt_launch_close(l);
        tt_live_look(live, true);
        tt_live_end(live, cli);
        return;
    }
    /* the exporting processes must not be recorded */
    unsetenv("CUDA_INJECTION64_PATH");
    unsetenv("NVTX_INJECTION64_PATH");
    unsetenv(TT_CONTROL_ENV);
    tt_record_convert(cli, l, formats, stops);
    tt_launch_close(l); /* followers of the recording learn that it is complete */
    tt_launch_release();
    tt_live_look(live, true);
    tt_live_end(live, cli);
    if (l->rank <= 0 || cli->value[TT_OPT_AT_END])
        tt_record_show(cli, &views, l->dir); /* one rank is enough to show the result */
}

/* Print the environment that the command would get, without creating files. */
static int print_plan(const tt_cli *cli, const char *dir, const char *library)
{
    char here[PATH_MAX] = "";
    if (*dir != '/' && getcwd(here, sizeof here)) strncat(here, "/", sizeof here - strlen(here) - 1);
    printf("CUDA_INJECTION64_PATH=%s\nNVTX_INJECTION64_PATH=%s\nTRACETTY_CAPTURE_LIB=%s\n" TT_CONTROL_ENV "=%s%s\n",
           library, library, library, here, dir);
    if (cli->value[TT_OPT_OPS]) printf("PYTHONPATH=%s%s/shim:...\n", here, dir);
    return tt_finish_output();
}

static int run(const tt_cli *cli, tt_launch *l, const tt_record_formats *formats, tt_live *live)
{
    char why[700];
    int64_t linger = (int64_t)2 * 1000000000;
    tt_stops stops = {0};
    tt_err err;
    if (tt_record_time(cli, TT_OPT_LINGER, &linger, &err) != TT_OK) return tt_report(&err);
    const char *ops = cli->value[TT_OPT_OPS];
    char shim[600];
    if (ops && !tt_record_write_shim(l->dir, !strcmp(ops, "shapes"), shim, sizeof shim, why, sizeof why))
        return tt_record_refuse(why);
    tt_live_prepare(live, l);
    tt_cycles cycles;
    if (!tt_cycles_begin(&cycles, cli, l, why, sizeof why)) return tt_record_refuse(why);
    tt_record_old old = {0};
    if (cli->value[TT_OPT_FORCE]) old = tt_record_find_old(l);
    char **argv = tt_calloc(cli->n_args + 1, sizeof *argv);
    for (uint32_t i = 0; i < cli->n_args; i++) argv[i] = tt_strdup(cli->args[i]);
    bool started = tt_launch_environment(l, ops ? shim : NULL) && tt_launch_start(l, argv, why, sizeof why);
    for (uint32_t i = 0; i < cli->n_args; i++) free(argv[i]);
    free(argv);
    tt_record_end_old(l, &old, started); /* keep the old recording when the command cannot be started */
    if (!started) {
        tt_record_refuse(why);
        return l->status ? l->status : TT_RECORD_CANNOT;
    }
    tt_cycles_go(&cycles);
    tt_record_facts(cli, l);
    tt_live_show(live, l);
    stay(cli, l, linger / 1000000, &stops, live);
    tt_cycles_end(&cycles, &stops); /* before the spools are divided */
    finish(cli, l, formats, &stops, live);
    return cli->value[TT_OPT_STATUS_OK] ? 0 : l->status;
}

int tt_cmd_record(const tt_cli *cli)
{
    tt_capture_settings set;
    tt_launch l;
    tt_record_formats formats;
    tt_live live;
    tt_err err;
    char dir[512], why[700], library[512];
    if (!cli->n_args && !cli->value[TT_OPT_ATTACH]) {
        tt_fail(&err, TT_ERR_USAGE, -1, "no COMMAND given: tracetty record [OPTIONS] -- COMMAND");
        return tt_report(&err);
    }
    if (tt_record_settings(cli, &set, &err) != TT_OK || tt_record_formats_of(cli, &formats, &err) != TT_OK)
        return tt_report(&err);
    if (cli->value[TT_OPT_ATTACH]) return tt_record_attach(cli, &set, &views);
    if (cli->value[TT_OPT_VIA] && !strcmp(cli->value[TT_OPT_VIA], "kineto"))
        return tt_record_via_kineto(cli, &set, &views);
    const char *pattern = cli->value[TT_OPT_OUTPUT], *holder = tt_launch_holder();
    bool force = cli->value[TT_OPT_FORCE] != NULL;
    if (holder && !force) {
        snprintf(why, sizeof why, "%s is set already, by another profiler: %s; unset it, or add --force", holder,
                 getenv(holder));
        return tt_record_refuse(why);
    }
    if (!tt_find_library(library, sizeof library)) {
        return tt_record_refuse(
            "libtracetty_capture.so is not beside the program; build or install it, or set TRACETTY_CAPTURE_LIB");
    }
    if (!tt_try_library(library, why, sizeof why))
        return tt_record_refuse(
            why); /* refuse a library that cannot be loaded: CUDA itself might fail to start with it */
    tt_expand_output(pattern ? pattern : "tracetty-%h-%Y%m%d-%H%M%S", dir, sizeof dir);
    if (cli->value[TT_OPT_DRY_RUN]) return print_plan(cli, dir, library);
    int shown = tt_live_begin(cli, &views, &live);
    if (shown >= 0) return shown;
    if (!tt_launch_prepare(&l, dir, &set, force, why, sizeof why)) return tt_record_refuse(why);
    snprintf(l.capture_path, sizeof l.capture_path, "%s", library);
    int status = run(cli, &l, &formats, &live);
    tt_launch_close(&l);
    return status;
}

/* tui/record/record_watch.c - the progress line and Ctrl-C while a recording runs, and the command that shows it at
 * its end. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "model/base/clock.h"
#include "tui/record/record.h"

enum { TOGETHER_MS = 150, AGAIN_MS = 2000 };

void tt_record_progress(const tt_cli *cli, const char *line, bool last)
{
    struct winsize w;
    bool terminal = isatty(STDERR_FILENO);
    if (cli->value[TT_OPT_QUIET] || (!last && !terminal)) return;
    if (!line) {
        fputs("\r\033[K", stderr);
        return;
    }
    /* a line that wraps could not be overwritten */
    int width = terminal && !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col > 20 ? (int)w.ws_col - 11 : 200;
    fprintf(stderr, "%stracetty: %.*s%s", terminal ? "\r\033[K" : "", last ? 200 : width, line, last ? "\n" : "");
    fflush(stderr);
}

tt_stop tt_record_stop(tt_stops *s)
{
    unsigned n = tt_launch_interrupts();
    int64_t now = tt_clock_ms(), since = s->seen ? now - s->at_ms : INT64_MAX;
    /* several signals at once come from one key, or from one signal to the process and to its group */
    if (n == s->seen || since < TOGETHER_MS) {
        s->seen = n;
        return TT_STOP_NONE;
    }
    s->seen = n;
    s->at_ms = now;
    return since <= AGAIN_MS ? TT_STOP_NOW : TT_STOP_FIRST;
}

int tt_record_refuse(const char *why)
{
    tt_err err;
    tt_fail(&err, TT_ERR_USAGE, -1, "%s", why);
    tt_report(&err);
    return TT_RECORD_CANNOT;
}

void tt_record_show(const tt_cli *cli, const tt_record_views *views, const char *dir)
{
    const char *end = cli->value[TT_OPT_AT_END];
    bool terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO), shown = cli->value[TT_OPT_LIVE] != NULL;
    if (cli->value[TT_OPT_QUIET]) return;
    tt_note("recorded in %s", dir);
    if (end ? !strcmp(end, "nothing") : shown) return;
    tt_cli show = {.command = TT_CMD_EXPLORE, .args = &dir, .n_args = 1};
    if (end ? !strcmp(end, "summary") : !terminal) {
        show.command = TT_CMD_SUMMARY;
        views->summary(&show);
    } else {
        views->explore(&show);
    }
}

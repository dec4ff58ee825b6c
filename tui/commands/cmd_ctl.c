/* tui/commands/cmd_ctl.c - `tracetty ctl`: send commands to a running recording through its control file, or look at
 * its processes. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "capture/launcher/dumps.h"
#include "capture/launcher/live_stacks.h"
#include "capture/launcher/running.h"
#include "model/base/clock.h"
#include "model/text/text_safety.h"
#include "parser/input/walk.h"
#include "tui/args/cli.h"

enum { ANSWER_MS = 10000 }; /* a process reads orders about once a second, and answers in half a second */
enum { STATUS = TT_ORDER_COUNT_, STACKS }; /* indices of the words that are no orders */
static const char *const words[] = {
    [TT_ORDER_START] = "start", [TT_ORDER_STOP] = "stop", [TT_ORDER_STEP] = "step", [TT_ORDER_FLUSH] = "flush",
    [TT_ORDER_DUMP] = "dump",   [STATUS] = "status",      [STACKS] = "stacks"};

static void put_status(const tt_totals *t)
{
    char text[TT_CONTROL_NOTE * 8];
    printf("processes  %u attached, %u ended, %u recording\n", t->attached, t->ended, t->recording);
    if (t->dumps) printf("dumps      %u\n", t->dumps);
    printf("events     %" PRIu64 "\ndropped    %" PRIu64 "\nbytes      %" PRIu64 "\nsteps      %" PRIu64 "\n",
           t->events, t->drops, t->bytes, t->steps);
    if (t->ring) printf("kept       the last %" PRIu32 " s\n", t->kept_s);
    for (uint32_t i = 0; i < t->n_notes && i < TT_CONTROL_NOTES; i++) {
        tt_sanitize_term(text, sizeof text, t->notes[i], strlen(t->notes[i]));
        printf("note       %s\n", text);
    }
}

/* The control files in a directory: one, or one for each rank. `path` may also be a control file. */
static tt_walk_names files_of(const char *path)
{
    struct stat st;
    tt_walk_names out = {0};
    tt_walk_entries l = {0};
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) *tt_vec_push(&out) = tt_strdup(path);
    if (!out.n) tt_walk_list(NULL, path, &l);
    for (size_t i = 0; i < l.n; i++) {
        const char *name = l.at[i].name;
        bool ours = !strcmp(name, TT_CONTROL_FILE) || !strncmp(name, TT_CONTROL_FILE "-rank", 8);
        if (ours && !l.at[i].folder && asprintf(tt_vec_push(&out), "%s/%s", path, name) < 0) tt_mem_fail();
    }
    tt_walk_entries_free(&l);
    return out;
}

/* Wait until every process that records has followed the last order to dump, and say what it did. folder: of the
 * control file. An error when none did. */
static tt_status await_dumps(const tt_control *c, const char *path, const char *folder, tt_err *err)
{
    const struct timespec nap = {0, 50000000};
    uint32_t orders[TT_ORDER_COUNT_] = {0}, written = 0, refused = 0;
    int64_t end = tt_clock_ms() + ANSWER_MS;
    tt_dumps d = {0};
    char line[1024], safe[1024 * 4];
    bool there = tt_control_orders(c, orders);
    uint32_t order = orders[TT_ORDER_DUMP];
    while ((there = there && tt_dumps_read(c, order, &d)) && d.waiting && tt_clock_ms() < end) nanosleep(&nap, NULL);
    for (uint32_t i = 0; i < d.n; i++) {
        if (d.at[i].order < order) continue;
        tt_dump_line(&d.at[i], folder, line, sizeof line);
        tt_sanitize_term(safe, sizeof safe, line, strlen(line));
        bool no = d.at[i].error || d.at[i].most;
        written += !no;
        refused += no;
        if (no) tt_warn("%s", safe);
        if (!no) tt_note("%s", safe);
    }
    if (d.waiting)
        tt_warn("%s: %u process%s that recorded %s not answered within %d s: ended without a word, or stopped", path,
                d.waiting, d.waiting == 1 ? "" : "es", d.waiting == 1 ? "has" : "have", ANSWER_MS / 1000);
    tt_dumps_free(&d);
    if (!there) return tt_fail(err, TT_ERR_INPUT, -1, "%s: the control file was cut or removed", path);
    if (refused && !written) return tt_fail(err, TT_ERR_INPUT, -1, "%s: no process could write a dump", path);
    if (!written) return tt_fail(err, TT_ERR_INPUT, -1, "%s: no process records: nothing was dumped", path);
    return TT_OK;
}

static tt_status command(const char *path, size_t k, bool named, tt_err *err)
{
    tt_control c;
    tt_totals t = {0};
    int e = tt_control_open(&c, path, NULL);
    if (e == -EPROTO) return tt_fail(err, TT_ERR_INPUT, -1, "%s: no recording of this version of tracetty", path);
    if (e) return tt_fail(err, TT_ERR_INPUT, -1, "%s: %s", path, strerror(-e));
    tt_status st = TT_OK;
    if (k == STATUS) {
        char *safe = named ? tt_sanitize_term_new(path) : NULL;
        if (safe) puts(safe);
        free(safe);
        tt_control_read(&c, &t);
        put_status(&t);
    } else if (!tt_control_give(&c, (tt_order)k)) {
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: the command cannot be given: %s", path, strerror(errno));
    } else if (k == TT_ORDER_DUMP) {
        const char *slash = strrchr(path, '/');
        char *folder = slash ? tt_strndup(path, (size_t)(slash - path)) : tt_strdup(".");
        st = await_dumps(&c, path, folder, err);
        free(folder);
    }
    tt_control_close(&c);
    return st;
}

typedef struct showing {
    uint32_t shown, refused;
    tt_err err; /* why the first process was refused */
} showing;

static void show_stacks(void *arg, uint32_t pid)
{
    showing *s = arg;
    char why[400];
    bool good = tt_live_stacks_write(pid, stdout, why, sizeof why);
    s->shown++;
    if (good) return;
    if (s->refused++) {
        tt_warn("%s", why);
    } else {
        tt_fail(&s->err, TT_ERR_INPUT, -1, "%s", why);
    }
}

/* Print the stacks of the recording's processes on this machine. */
static tt_status stacks(const char *path, tt_err *err)
{
    struct stat st;
    showing s = {0};
    const char *slash = strrchr(path, '/');
    bool file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    char *dir = !file ? tt_strdup(path) : slash ? tt_strndup(path, (size_t)(slash - path)) : tt_strdup(".");
    tt_running_here(dir, show_stacks, &s);
    free(dir);
    if (!s.shown) return tt_fail(err, TT_ERR_INPUT, -1, "%s: no process of this recording runs on this machine", path);
    if (s.refused) *err = s.err;
    return s.refused ? TT_ERR_INPUT : TT_OK;
}

int tt_cmd_ctl(const tt_cli *cli)
{
    tt_err err;
    const char *what = cli->n_args == 2 ? cli->args[1] : "";
    size_t k = 0, n_words = sizeof words / sizeof *words;
    while (k < n_words && (!words[k] || strcmp(what, words[k]) != 0)) k++;
    if (k == n_words) {
        tt_fail(&err, TT_ERR_USAGE, -1,
                "tracetty ctl DIR start|stop|step|status|flush|dump|stacks, with the directory of a recording");
        return tt_report(&err);
    }
    tt_status st = k == STACKS ? stacks(cli->args[0], &err) : TT_OK;
    if (k == STACKS) return st == TT_OK ? tt_finish_output() : tt_report(&err);
    tt_walk_names files = files_of(cli->args[0]);
    if (!files.n) st = tt_fail(&err, TT_ERR_INPUT, -1, "%s: holds no recording that can be controlled", cli->args[0]);
    for (size_t i = 0; i < files.n && st == TT_OK; i++) st = command(files.at[i], k, files.n > 1, &err);
    tt_walk_names_free(&files);
    return st == TT_OK ? tt_finish_output() : tt_report(&err);
}

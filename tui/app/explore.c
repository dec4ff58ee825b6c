/* tui/app/explore.c - the loop of the interactive program: terminal, loader, worker and signals on one side, the
 * application on the other.
 *
 * One thread draws. The loader and the worker wake it through eventfds, signals come through a signalfd. All keys
 * that wait are handled before a frame is drawn, frames are at least 16 ms apart (4 ms when they answer keys), and
 * none is drawn while the terminal has not taken the last one. */
#include "tui/app/explore.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/run/background.h"
#include "parser/discover/discover.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"
#include "tui/app/prompt/settings.h"
#include "tui/app/runs/run_page.h"
#include "tui/app/session/app_compare.h"
#include "tui/app/session/app_open.h"
#include "tui/app/session/follow.h"
#include "tui/args/cli.h"
#include "tui/files/outfile_part.h"
#include "tui/files/yank.h"
#include "tui/term/term.h"

enum {
    FRAME_MS = 16,
    ANSWER_MS = 4,
    SLOW_MS = 150,
    LOADING_MS = 50,
    PREVIEW_MS = 250,
    RESIZE_MS = 30,
    HOLD_MS = 25,
    POLL_MS = 1000,
    WAIT_MS = 500
};
#define HOLD_BYTES ((uint64_t)8 << 20) /* inputs with more bytes cannot be read within HOLD_MS */

typedef struct loop {
    const tt_explore_options *o;
    tt_app *app;
    tt_term *term;
    tt_canvas canvas;
    tt_load *load; /* NULL = loading is over */
    int load_fd, signal_fd;
    int64_t last_frame, resize_at; /* ms of tt_clock_ms(); 0 = none */
    int64_t hold_until; /* ms; until then no frame is drawn: a small input is read and computed by then, and the first
                           frame shows it. 0 = no */
    int64_t again_at;   /* ms; when to read again a recording that has no readable block yet; 0 = never */
    bool waits;         /* the terminal has not taken the last frame yet */
    int pace;           /* ms between frames: short when they answer keys */
    bool asked;         /* the tables of the first frame were asked for, by drawing it into nothing */
    bool announce;      /* for tests and benchmarks: each frame says in the window title whether work is left */
    bool scanning;      /* the last frame shows a list of runs that is still being searched or read */
    bool keys_pressed;
    bool cancelled;        /* a key cancelled the load */
    unsigned frames, keys; /* counted so far, for the window title */
    int status;
    char *warnings;
    tt_err err;
} loop;

static void on_progress(void *arg)
{
    int fd = *(int *)arg;
    uint64_t one = 1;
    if (write(fd, &one, sizeof one) < 0) return; /* the eventfd is full: the reader will look anyway */
}

static int open_signals(sigset_t *old)
{
    static const int wanted[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) sigaddset(&set, wanted[i]);
    pthread_sigmask(SIG_BLOCK, &set, old);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* ---- what happens ---- */

/* A run chosen on the page of runs, or read again, is handled as if the command line had named it. */
static void take_load(loop *l)
{
    if (l->load || l->app->host.session || !l->app->opening.load) return;
    l->load = l->app->opening.load;
    l->app->opening.load = NULL;
    l->app->progress = (tt_progress){0};
    l->cancelled = false;
}

/* No run can be shown. A person who stopped the reading, or chose the run on the page of runs, can go on. */
static void on_no_run(loop *l)
{
    tt_app *a = l->app;
    if (!l->cancelled && !a->runs.rooted) {
        l->status = (int)l->err.code;
        a->want.quit = true;
        return;
    }
    a->loading = false;
    tt_app_opening_cancel(a);
    if (a->host.session) { /* a preview is there: it stays */
        tt_app_set_status(a, "loading stopped: partial data");
    } else if (a->runs.rooted) {
        tt_run_page_open(a, a->runs.root);
        tt_app_set_status(a, "%.480s", l->err.message);
    } else {
        tt_app_set_status(a, "reading was cancelled before anything was read");
    }
    l->err = (tt_err){.offset = -1};
}

static void on_load(loop *l)
{
    uint64_t n;
    if (read(l->load_fd, &n, sizeof n) < 0 && errno != EAGAIN) return;
    if (!tt_app_base_poll(l->app, &l->err)) {
        l->status = (int)l->err.code;
        l->app->want.quit = true;
    }
    take_load(l);
    tt_app_opening_poll(l->app);
    l->app->dirty |= l->app->runs.open;
    if (!l->load) return;
    tt_load_progress(l->load, &l->app->progress);
    tt_app_wake(l->app, l->app->host.session ? PREVIEW_MS : LOADING_MS);
    l->pace = l->app->progress.done ? ANSWER_MS : l->pace;
    if (l->app->progress.bytes_total > HOLD_BYTES) l->hold_until = 0;
    if (!l->app->progress.done) {
        tt_session *preview = tt_load_preview(l->load);
        if (preview) tt_app_offer_session(l->app, preview, false);
        return;
    }
    free(l->warnings); /* warnings of a load whose result is not shown */
    tt_session *s = tt_load_finish(l->load, &l->warnings, &l->err);
    l->load = NULL;
    l->app->partial = l->cancelled;
    tt_follow_was_read(l->app, s);
    if (!l->cancelled && tt_follow_too_early(l->app, &s)) {
        l->again_at = tt_app_now(l->app) + WAIT_MS;
        return;
    }
    if (s) {
        tt_app_offer_session(l->app, s, true);
        if (l->app->partial) tt_app_set_status(l->app, "loading stopped: partial data");
        if (l->warnings && *l->warnings)
            tt_app_set_status(l->app, "%.*s", (int)strcspn(l->warnings, "\n"), l->warnings);
        if (l->o->n_base) tt_app_base_open(l->app, l->o->base, l->o->n_base, &l->err);
        tt_app_opened(l->app);
    } else {
        on_no_run(l);
    }
}

static void on_signal(loop *l)
{
    struct signalfd_siginfo si;
    while (read(l->signal_fd, &si, sizeof si) == sizeof si) {
        switch (si.ssi_signo) {
        case SIGWINCH: l->resize_at = tt_app_now(l->app) + RESIZE_MS; break;
        case SIGTSTP: l->app->want.suspend = true; break;
        case SIGCONT:
            tt_term_resume(l->term);
            l->app->dirty = true;
            break;
        default: /* a signal that ends the program */
            l->status = si.ssi_signo == SIGINT ? 0 : 128 + (int)si.ssi_signo;
            l->app->want.quit = true;
        }
    }
}

static void on_keys(loop *l)
{
    tt_mouse m;
    for (tt_key k; !l->app->want.quit && (k = tt_term_key(l->term, &m)) != TT_KEY_NONE; l->keys++)
        tt_app_key(l->app, k, &m);
    if (tt_term_gone(l->term)) l->app->want.quit = true;
}

/* Copy the clipboard's text to a file too, since many terminals drop OSC 52. */
static void copy_out(loop *l)
{
    char path[512];
    char *text = l->app->want.clip;
    l->app->want.clip = NULL;
    tt_term_clipboard(l->term, text);
    bool kept = tt_yank_write(text, path, sizeof path);
    tt_app_set_status(
        l->app, kept ? "copied (also in %s; inside tmux: set -g set-clipboard on)" : "copied (no file: %s)", path);
    free(text);
}

/* Drop the signals that keys sent while the editor had the terminal; only those that end the program count. */
static void forget_signals(loop *l)
{
    struct signalfd_siginfo si;
    while (read(l->signal_fd, &si, sizeof si) == sizeof si) {
        if (si.ssi_signo != SIGTERM && si.ssi_signo != SIGHUP) continue;
        l->status = 128 + (int)si.ssi_signo;
        l->app->want.quit = true;
    }
}

static void edit(loop *l)
{
    tt_app *a = l->app;
    tt_edit_command *c = a->want.edit;
    a->want.edit = NULL;
    tt_err err;
    int status = tt_term_run(l->term, c->program, c->arguments, c->n_arguments, &err);
    if (status < 0) {
        tt_app_set_status(a, err.code == TT_ERR_USAGE ? "%.300s (set EDITOR)" : "%.300s", err.message);
    } else if (status) {
        tt_app_set_status(a, "%.80s ended with status %d", c->program, status);
    }
    free(c);
    forget_signals(l);
    a->dirty = true;
    l->resize_at = tt_app_now(a);
}

static void wants(loop *l)
{
    tt_app *a = l->app;
    take_load(l);
    if (a->want.cancel && l->load) {
        l->cancelled = true;
        tt_load_cancel(l->load);
    } else if (a->want.cancel && l->again_at) { /* it waits for the first events of a recording */
        l->cancelled = true;
        l->again_at = 0;
        on_no_run(l);
    }
    if (a->want.clip) copy_out(l);
    if (a->want.edit && !a->want.quit) edit(l);
    if (a->want.terminal) {
        tt_term_limit(l->term, a->display.level);
        tt_term_mouse(l->term, !a->display.no_mouse);
    }
    if (a->want.redraw) tt_term_redraw(l->term);
    if (a->want.suspend && !a->want.quit) {
        tt_term_suspend(l->term);
        l->resize_at = tt_app_now(a);
    }
    a->dirty |= a->want.redraw || a->want.suspend;
    a->want.cancel = a->want.redraw = a->want.suspend = a->want.terminal = false;
    if (a->host.session && !a->loading && !a->other.load && !a->opening.load && l->o->keys && !l->keys_pressed &&
        l->last_frame && !tt_jobs_busy(a->jobs)) {
        l->keys_pressed = true;
        if (!tt_app_keys(a, l->o->keys, &l->canvas)) tt_app_set_status(a, "--keys: no such key in '%s'", l->o->keys);
    }
}

static void resize(loop *l)
{
    int h, w;
    l->resize_at = 0;
    tt_term_size(l->term, &h, &w);
    tt_canvas_resize(&l->canvas, h, w);
    l->app->dirty = true;
}

/* Whether to hold back the first frame: one that only says "loading" is not worth drawing when the load ends at
 * once. */
static bool holds(const loop *l, int64_t now)
{
    return !l->last_frame && now < l->hold_until && !l->app->want.quit && (l->load || tt_jobs_busy(l->app->jobs));
}

/* Draw the screen without showing it, because screens request their tables while they draw. */
static void ask(loop *l)
{
    if (l->asked || !l->app->host.session || l->app->loading) return;
    l->asked = true;
    tt_app_draw(l->app, &l->canvas);
    l->app->dirty = true;
}

static void frame(loop *l)
{
    tt_level level = tt_theme_level(l->app->display.theme, tt_term_colours(l->term));
    l->canvas.mono = level == TT_LEVEL_MONO;
    l->canvas.few = level == TT_LEVEL_8;
    l->scanning =
        tt_run_page_busy(l->app); /* the search for runs, which ends on a thread of its own, as this frame shows it */
    tt_app_draw(l->app, &l->canvas);
    tt_term_present(l->term, &l->canvas, l->app->display.theme);
    l->last_frame = tt_app_now(l->app);
    l->pace = FRAME_MS;
    l->waits = true;
}

/* The terminal has taken all bytes sent so far. On a slow link pictures are drawn with fewer bytes. */
static bool ready(loop *l)
{
    bool now = tt_term_writable(l->term);
    if (now && l->waits && tt_app_now(l->app) - l->last_frame > SLOW_MS) l->canvas.cheap = true;
    l->waits = !now;
    return now;
}

static void announce(loop *l)
{
    char text[64];
    if (!l->announce) return;
    bool busy = l->load || l->app->other.load || l->app->opening.load || l->app->pending.session || l->scanning ||
                tt_jobs_busy(l->app->jobs) || l->app->dirty;
    snprintf(text, sizeof text, "%s %u keys %u size %dx%d", busy ? "busy" : "idle", ++l->frames, l->keys, l->canvas.w,
             l->canvas.h);
    tt_term_title(l->term, text);
}

/* Milliseconds to sleep: until the next frame may be drawn or a timer is due; -1 = until something happens. */
static int timeout_of(const loop *l, bool writable)
{
    int64_t now = tt_app_now(l->app), at = now + POLL_MS;
    int64_t follow = tt_follow_next(l->app);
    if (follow && follow < at) at = follow;
    if (l->again_at && l->again_at < at) at = l->again_at;
    if (l->app->dirty && writable && !tt_follow_holds(l->app) && l->last_frame + l->pace < at)
        at = holds(l, now) ? l->hold_until : l->last_frame + l->pace;
    if (l->app->want.wake_at && l->app->want.wake_at < at) at = l->app->want.wake_at;
    if (l->resize_at && l->resize_at < at) at = l->resize_at;
    return at > now ? (int)(at - now) : 0;
}

static void load(loop *l)
{
    tt_load_options lo = l->o->load;
    lo.notify = on_progress;
    lo.background = true;
    lo.preview = true;
    lo.preview_after = 1.0;
    lo.notify_arg = &l->load_fd;
    lo.past = tt_follow_past(l->app);
    l->again_at = 0;
    l->cancelled = false;
    l->app->loading = true;
    l->load = tt_load_start(l->o->paths, l->o->n_paths, &lo);
}

static void run(loop *l)
{
    resize(l);
    while (!l->app->want.quit) {
        int64_t now = tt_app_now(l->app);
        if (l->resize_at && now >= l->resize_at) resize(l);
        if (l->app->want.wake_at && now >= l->app->want.wake_at) {
            l->app->want.wake_at = 0;
            l->app->dirty = true;
        }
        if (tt_follow_tick(l->app)) tt_app_read_again(l->app);
        if (l->again_at && now >= l->again_at) load(l);
        if (holds(l, now) || (!l->last_frame && l->hold_until)) ask(l);
        bool writable = (!l->app->dirty && !l->waits) || ready(l);
        if (l->app->dirty && writable && !tt_follow_holds(l->app) && !holds(l, now) &&
            (!l->last_frame || now >= l->last_frame + l->pace)) {
            frame(l);
            announce(l);
            writable = ready(l);
        }
        struct pollfd fds[] = {
            {.fd = tt_term_fd(l->term), .events = POLLIN},
            {.fd = l->signal_fd, .events = POLLIN},
            {.fd = l->load_fd, .events = POLLIN},
            {.fd = tt_jobs_fd(l->app->jobs), .events = POLLIN},
            {.fd = writable ? -1 : STDOUT_FILENO, .events = POLLOUT},
        };
        if (poll(fds, sizeof fds / sizeof *fds, timeout_of(l, writable)) < 0 && errno != EINTR) break;
        if (fds[1].revents) on_signal(l);
        if (fds[2].revents) on_load(l);
        if (fds[3].revents && tt_jobs_poll(l->app->jobs)) {
            l->app->dirty = true;
            l->pace = ANSWER_MS;
        }
        tt_app_adopt_session(l->app);
        tt_app_base_settle(l->app);
        if (fds[0].revents) {
            on_keys(l);
            if (l->keys) l->hold_until = 0;
            l->pace = ANSWER_MS;
        }
        wants(l);
    }
}

static void stop_load(loop *l)
{
    if (!l->load) return;
    tt_load_cancel(l->load);
    tt_session_free(tt_load_finish(l->load, NULL, NULL));
    l->load = NULL;
}

static void finish(loop *l)
{
    tt_term_close(l->term);
    stop_load(l); /* the person left while loading */
    tt_app_base_stop(l->app);
    tt_app_close_runs(l->app);
    tt_app_opening_cancel(l->app);
    if (l->status == (int)l->err.code && l->status) tt_report(&l->err);
    for (char *w = l->warnings, *next; w && *w; w = next) {
        next = strchr(w, '\n');
        if (next) *next++ = 0;
        tt_warn("%s", w);
    }
    free(l->warnings);
    tt_canvas_free(&l->canvas);
}

/* Whether a person has to choose a run first: no path was given, or the folder holds several runs. */
static bool has_to_choose(const tt_explore_options *o, char *root, size_t cap)
{
    struct stat st;
    *root = 0;
    if (!o->n_paths) return true;
    if (o->n_paths > 1 || o->n_base || o->load.run || stat(o->paths[0], &st) != 0 || !S_ISDIR(st.st_mode)) return false;
    tt_search s = tt_search_runs(o->paths[0], &tt_search_quick, NULL);
    bool several = s.runs.n > 1;
    tt_search_free(&s);
    if (several) snprintf(root, cap, "%s", o->paths[0]);
    return several;
}

int tt_explore(const tt_explore_options *o)
{
    loop l = {.o = o, .load_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    sigset_t old;
    const char *hook = getenv("TRACETTY_IDLE");
    l.announce = hook && strcmp(hook, "1") == 0;
    char root[TT_RUN_PATH_CAP];
    bool choose = has_to_choose(o, root, sizeof root); /* the page of runs comes first */
    l.signal_fd = open_signals(&old); /* block the signals before any thread begins, so that no thread gets them */
    bool ascii = tt_term_set_locale(o->unicode);
    l.app = tt_app_new(true);
    tt_settings_load(l.app);
    tt_history_load(&l.app->prompt);
    if (!tt_app_begin(l.app, o)) {
        tt_fail(&l.err, TT_ERR_USAGE, -1, "--screen: no screen '%s'", o->screen);
        tt_app_free(l.app);
        return tt_report(&l.err);
    }
    if (!choose && !tt_follow_begin(l.app, o->paths, o->n_paths, o->follow, &l.err)) {
        tt_app_free(l.app);
        return tt_report(&l.err);
    }
    if (!choose) { /* read beside the terminal's set-up */
        load(&l);
        l.hold_until = tt_app_now(l.app) + HOLD_MS;
    }
    tt_term_options to = {.color = o->color, .unicode = o->unicode, .no_mouse = l.app->display.no_mouse};
    l.term = tt_term_open(&to, ascii, &l.err);
    if (!l.term) {
        stop_load(&l);
        tt_app_free(l.app);
        return tt_report(&l.err);
    }
    if (tt_term_stand_in(l.term))
        tt_app_set_status(l.app, "the terminal type '%s' is not known here: drawing for %s", getenv("TERM"),
                          tt_term_stand_in(l.term));
    l.canvas.ascii = ascii;
    l.canvas.cheap = tt_term_poor_font(l.term);
    l.app->other.options.notify = on_progress;
    l.app->other.options.notify_arg = &l.load_fd;
    l.app->opening.options.notify = on_progress;
    l.app->opening.options.notify_arg = &l.load_fd;
    l.app->opening.options.background = l.app->other.options.background = true;
    if (choose) tt_run_page_open(l.app, root);
    tt_foreground();
    run(&l);
    finish(&l);
    if (!l.app->display.no_history) tt_history_save(&l.app->prompt);
    if (!tt_jobs_busy(l.app->jobs)) {
        tt_app_free(l.app); /* cancel the worker first: leaving would wait for a table that nobody wants any more */
    } else if (tt_parts_remove()) {
        tt_warn("left before a file was complete: it is not written");
    }
    close(l.load_fd);
    close(l.signal_fd);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return l.status;
}

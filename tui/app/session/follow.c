/* tui/app/session/follow.c - see follow.h. */
#include "tui/app/session/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "parser/recording/past.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"

enum {
    LOOK_MS = 250,
    LEAST_MS = 500,   /* shortest time between two readings, ms */
    MOST_MS = 700,    /* longest one */
    FOLLOW_REST = 75, /* times the cost of a reading that pass until the next, within these limits */
    COST_MS = 100,    /* processor time that a reading may cost */
    HOLD_MS = 400,
};
static const uint64_t NEWEST_FIRST = 16 << 20, NEWEST_LEAST = 1 << 20; /* bytes of all spools */

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool follows(const tt_app *a) { return a->follow.phase == TT_FOLLOW_ON || a->follow.phase == TT_FOLLOW_LAST; }

bool tt_app_follows(const tt_app *a) { return follows(a); }

/* Note the sizes of the spools that are read now. */
static void reads(tt_app *a)
{
    tt_follow *f = &a->follow;
    f->bytes = f->now.bytes;
    f->names = f->now.names;
    f->read_began = tt_app_now(a);
    f->cpu_ns = cpu_ns();
}

/* ---- which recording ---- */

static void look(tt_app *a)
{
    a->follow.now = tt_running_look(a->follow.dir);
    a->follow.look_at = tt_app_now(a) + LOOK_MS;
}

static tt_status cannot(const tt_follow *f, const char *const *paths, uint32_t n, tt_err *err)
{
    if (n != 1) return tt_fail(err, TT_ERR_USAGE, -1, "--follow: name one folder of a recording that runs");
    if (*f->dir) return TT_OK;
    return tt_fail(err, TT_ERR_USAGE, -1,
                   "--follow: %s: is not the folder of a recording of 'tracetty record': only such a one can be "
                   "followed; R reads other files again",
                   paths[0]);
}

bool tt_follow_begin(tt_app *a, const char *const *paths, uint32_t n, bool asked, tt_err *err)
{
    tt_follow *f = &a->follow;
    struct stat st;
    tt_follow_end(a);
    f->newest = NEWEST_FIRST;
    if (!a->interactive) return true;
    if (n == 1 && strlen(paths[0]) < sizeof f->dir && !stat(paths[0], &st) && S_ISDIR(st.st_mode)) {
        snprintf(f->dir, sizeof f->dir, "%s", paths[0]);
        look(a);
        if (f->now.state == TT_RUNNING_NO_RECORDING) *f->dir = 0;
    }
    if (asked && cannot(f, paths, n, err) != TT_OK) return false;
    if (!*f->dir) return true;
    f->past = tt_past_new();
    if (f->now.state == TT_RUNNING_LIVE) f->phase = TT_FOLLOW_ON;
    if (f->phase == TT_FOLLOW_OFF && asked) tt_app_set_status(a, "this recording has ended: nothing to follow");
    reads(a);
    return true;
}

void tt_follow_end(tt_app *a)
{
    tt_past_free(a->follow.past);
    a->follow = (tt_follow){0};
}

/* ---- reading ---- */

tt_past *tt_follow_past(tt_app *a)
{
    tt_follow *f = &a->follow;
    f->from_past = f->phase == TT_FOLLOW_ON;
    if (!f->from_past) return NULL;
    tt_past_set_newest(f->past, f->newest / (f->now.spools ? f->now.spools : 1));
    return f->past;
}

/* Choose how much the next reading takes by the cost of this one. */
static void adapt(tt_follow *f, int64_t spent_ms)
{
    uint64_t was_read = f->bytes < f->newest ? f->bytes : f->newest;
    if (2 * spent_ms > 3 * COST_MS) f->newest = was_read / (uint64_t)spent_ms * COST_MS;
    if (f->cut && 4 * spent_ms < 3 * COST_MS) f->newest += f->newest / 4;
    if (f->newest < NEWEST_LEAST) f->newest = NEWEST_LEAST;
}

static bool busy(const tt_app *a)
{
    return a->loading || a->opening.load || a->pending.session || tt_jobs_busy(a->jobs);
}

static bool disturbs(const tt_app *a) { return tt_app_has_modal(a) || a->other.load; }

/* End of the newest step on the common axis; without steps the end of all events. */
static int64_t edge_of(const tt_session *s)
{
    int64_t last = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        for (uint32_t k = 0; k < t->n_steps; k++) {
            if (t->steps[k].row != TT_NONE && t->steps[k].end + s->offset_ns[i] > last)
                last = t->steps[k].end + s->offset_ns[i];
        }
    }
    return last ? last : s->end_ns;
}

/* Whether the shared window shows the edge, or nearly. The window may begin behind the edge: samples are written at
 * once and steps are not, so the end of all events may be seconds later than the end of the newest step. */
static bool in_sight(const tt_app *a, int64_t edge)
{
    int64_t wide = a->host.look.t1 - a->host.look.t0;
    return edge <= a->host.look.t1 + wide / 20;
}

/* What is looked at may leave the newest part. */
static bool looks_back(const tt_app *a)
{
    return a->follow.cut && a->host.look.t1 > a->host.look.t0 && !in_sight(a, edge_of(a->host.session));
}

/* The reading and the tables that followed are over: work out how long to rest. */
static void account(tt_app *a)
{
    tt_follow *f = &a->follow;
    if (!f->read_began || busy(a) || a->dirty) return;
    int64_t spent_ms = (cpu_ns() - f->cpu_ns) / 1000000, now = tt_app_now(a);
    int64_t rest = spent_ms * FOLLOW_REST < MOST_MS ? spent_ms * FOLLOW_REST : MOST_MS;
    f->read_at = f->read_began + LEAST_MS;
    if (now + rest > f->read_at) f->read_at = now + rest;
    f->read_began = 0;
    adapt(f, spent_ms);
}

static void say_end(tt_app *a)
{
    const tt_running *r = &a->follow.now;
    if (r->recorder_killed)
        tt_app_set_status(a, "the recorder was killed: what was written until then is shown; nothing is followed");
    else if (r->state == TT_RUNNING_KILLED)
        tt_app_set_status(a, "%u recorded process%s killed: what was written until then is shown", r->killed,
                          r->killed == 1 ? " was" : "es were");
    else
        tt_app_set_status(a, "the recording has ended: all of it is shown");
}

/* The recording is over. True = its last blocks are still to be read, whatever that costs. */
static bool finish(tt_app *a)
{
    tt_follow *f = &a->follow;
    if (f->phase == TT_FOLLOW_ON) {
        f->phase = TT_FOLLOW_LAST;
        return true;
    }
    f->phase = TT_FOLLOW_ENDED;
    say_end(a);
    a->dirty = true;
    return false;
}

bool tt_follow_tick(tt_app *a)
{
    tt_follow *f = &a->follow;
    char chip[sizeof f->shown];
    bool warn;
    int64_t now = tt_app_now(a);
    if (!follows(a)) return false;
    account(a);
    if (now >= f->look_at) look(a);
    if (tt_follow_chip(a, chip, sizeof chip, &warn) && strcmp(chip, f->shown) != 0) {
        snprintf(f->shown, sizeof f->shown, "%s", chip);
        a->dirty = true;
    }
    if (!a->host.session || busy(a) || f->read_began) return false;
    bool grew = f->bytes != f->now.bytes || f->names != f->now.names;
    bool may = now >= f->read_at && !disturbs(a) && !looks_back(a);
    bool again = f->now.state != TT_RUNNING_LIVE ? finish(a) : grew && may;
    if (again) reads(a);
    return again;
}

int64_t tt_follow_next(const tt_app *a) { return follows(a) ? a->follow.look_at : 0; }

bool tt_follow_waits(const tt_app *a)
{
    return follows(a) && !a->host.session && a->follow.now.state == TT_RUNNING_LIVE;
}

bool tt_follow_too_early(tt_app *a, tt_session **s)
{
    if (!tt_follow_waits(a) || (*s && tt_session_slices(*s))) return false;
    tt_session_free(*s);
    *s = NULL;
    return true;
}

void tt_follow_was_read(tt_app *a, tt_session *s)
{
    /* problems of a recording that goes on: its last block is being written, ranges are open, the file grew
     * meanwhile, no process has said that it ends */
    static const tt_problem_kind natural[] = {TT_PROBLEM_TRUNCATED, TT_PROBLEM_UNMATCHED_BEGIN, TT_PROBLEM_FILE_CHANGED,
                                              TT_PROBLEM_UNCLEAN_END};
    tt_follow *f = &a->follow;
    f->cut = f->from_past && (f->bytes > f->newest || tt_past_left(f->past));
    if (f->phase != TT_FOLLOW_ON || !s) return;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        for (size_t k = 0; k < sizeof natural / sizeof *natural; k++)
            s->traces[i]->problems.of[natural[k]] = (tt_problem){.offset = -1};
    }
}

/* ---- the window ---- */

/* Move the window to the edge, with the width it has. */
static void go_to_end(tt_app *a)
{
    int64_t end = edge_of(a->host.session), wide = a->host.look.t1 - a->host.look.t0, room = wide / 20;
    tt_host_set_viewport(&a->host, end + room - wide, end + room, end);
    a->dirty = true;
}

void tt_follow_move(tt_app *a, const tt_session *old, int64_t shift)
{
    int64_t was = edge_of(old) + shift, by = edge_of(a->host.session) - was;
    if (!follows(a)) return;
    a->follow.hold_until = tt_app_now(a) + HOLD_MS;
    if (a->host.look.t1 <= a->host.look.t0 || by <= 0 || !in_sight(a, was)) return;
    if (a->host.look.t0 < was)
        tt_host_set_viewport(&a->host, a->host.look.t0 + by, a->host.look.t1 + by, a->host.look.at + by);
    else
        go_to_end(a);
}

/* ---- what a person says ---- */

static bool turn_on(tt_app *a)
{
    tt_follow *f = &a->follow;
    if (*f->dir) look(a);
    if (!*f->dir || f->now.state != TT_RUNNING_LIVE) {
        tt_app_set_status(a, *f->dir ? "this recording has ended: nothing to follow"
                                     : "only the folder of a recording that runs can be followed; R reads again");
        return false;
    }
    f->phase = TT_FOLLOW_ON;
    f->read_at = 0;
    tt_app_set_status(a, "following the recording");
    return true;
}

static void turn_off(tt_app *a)
{
    a->follow.phase = TT_FOLLOW_OFF;
    tt_app_set_status(a, "no longer following; & or :follow goes on%s", a->follow.cut ? ", R reads all of it" : "");
}

void tt_follow_key(tt_app *a)
{
    bool away = a->host.session && a->host.look.t1 > a->host.look.t0 && !in_sight(a, edge_of(a->host.session));
    a->dirty = true;
    if (a->follow.phase == TT_FOLLOW_ON && !away) {
        turn_off(a);
    } else if (a->follow.phase == TT_FOLLOW_ON || turn_on(a)) {
        if (away) go_to_end(a);
    }
}

bool tt_follow_command(tt_app *a, const char *arg)
{
    bool on = a->follow.phase == TT_FOLLOW_ON;
    a->dirty = true;
    if (!*arg) {
        tt_follow_key(a);
    } else if (!strcmp(arg, "on")) {
        if (!on) tt_follow_key(a);
    } else if (!strcmp(arg, "off")) {
        if (on) turn_off(a);
    } else {
        return false;
    }
    return true;
}

/* ---- drawing ---- */

/* Time of the newest event that is shown, ns of CLOCK_REALTIME; 0 = not known. */
static int64_t newest(const tt_session *s)
{
    int64_t last = 0;
    for (uint32_t i = 0; s && i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        if (t->absolute && t->origin_ns + t->end > last) last = t->origin_ns + t->end;
    }
    return last;
}

bool tt_follow_chip(const tt_app *a, char *out, size_t cap, bool *warn)
{
    const tt_follow *f = &a->follow;
    char part[32] = "";
    double shown = a->host.session ? (double)a->host.session->end_ns / 1e9 : 0;
    int64_t last = newest(a->host.session), age = (wall_ns() - last) / 1000000000;
    *warn = f->phase == TT_FOLLOW_ENDED && f->now.state == TT_RUNNING_KILLED;
    if (f->phase == TT_FOLLOW_OFF && !f->cut) return false;
    if (f->cut && last) snprintf(part, sizeof part, ", newest %.*f s", shown < 10, shown);
    if (f->phase == TT_FOLLOW_OFF)
        snprintf(out, cap, "%s", *part ? part + 2 : "");
    else if (*warn)
        snprintf(out, cap, f->now.recorder_killed ? "recorder killed" : "killed");
    else if (f->phase == TT_FOLLOW_ENDED)
        snprintf(out, cap, "ended");
    else if (!last)
        snprintf(out, cap, "LIVE");
    else if (age < 120)
        snprintf(out, cap, "LIVE %d s%s", age < 0 ? 0 : (int)age, part);
    else
        snprintf(out, cap, "LIVE %d min%s", (int)(age / 60), part);
    return true;
}

bool tt_follow_holds(const tt_app *a)
{
    return follows(a) && tt_jobs_busy(a->jobs) && tt_app_now(a) < a->follow.hold_until;
}

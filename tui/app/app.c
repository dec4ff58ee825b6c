/* tui/app/app.c - the application object: tabs, dispatch of keys, the jump list, the prompt, and what screens ask
 * the application for. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/clock.h"
#include "model/base/mem.h"
#include "tui/app/about.h"
#include "tui/app/app_api.h"
#include "tui/app/dump/app_digest.h"
#include "tui/app/help.h"
#include "tui/app/jobs.h"
#include "tui/app/modal.h"
#include "tui/app/prompt/completion.h"
#include "tui/app/prompt/edit.h"
#include "tui/app/prompt/find_anywhere.h"
#include "tui/app/prompt/pickers.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/prompt/settings.h"
#include "tui/app/runs/run_page.h"
#include "tui/app/runs/run_picker.h"
#include "tui/app/screen_list.h"
#include "tui/app/session/app_compare.h"
#include "tui/app/session/app_open.h"
#include "tui/app/session/follow.h"
#include "tui/table/table_widget.h"

#define OTHER(ops)
#define TAB(ops) &ops,
static const tt_screen_ops *const tabs[] = {
#include "tui/app/screens.def"
};
#undef OTHER
#undef TAB
#define TAB(ops)
#define OTHER(ops) &ops,
static const tt_screen_ops *const others[] = {
#include "tui/app/screens.def"
};
#undef OTHER
#undef TAB
enum { N_TABS = sizeof tabs / sizeof *tabs, N_OTHERS = sizeof others / sizeof *others };
_Static_assert(N_TABS + N_OTHERS <= TT_MAX_SCREENS, "TT_MAX_SCREENS");

const char *tt_screen_name(int tab) { return tab < N_TABS ? tabs[tab]->tab.name : NULL; }

tt_app *tt_app_new(bool interactive)
{
    tt_app *a = tt_calloc(1, sizeof *a);
    a->interactive = interactive;
    a->host.ops = &tt_app_host;
    a->host.scope = tt_scope_all;
    a->host.query = a->query;
    a->display.theme = tt_themes[0];
    a->jobs = tt_jobs_new(interactive, a);
    a->tabs.n = N_TABS;
    a->tabs.n_screens = N_TABS + N_OTHERS;
    for (int i = 0; i < a->tabs.n_screens; i++) {
        const tt_screen_ops *ops = i < N_TABS ? tabs[i] : others[i - N_TABS];
        a->tabs.screens[i] = (tt_screen){.ops = ops,
                                         .host = &a->host,
                                         .state = tt_calloc(1, ops->state_size),
                                         .hidden = ops->tab.wanted || ops == &tt_screen_compare};
    }
    a->display.level = TT_LEVEL_TRUE;
    a->host.file_format = TT_OUT_CSV;
    a->dirty = true;
    return a;
}

void tt_app_free(tt_app *a)
{
    if (!a) return;
    tt_jobs_free(a->jobs);
    for (int i = 0; i < a->tabs.n_screens; i++) {
        if (a->tabs.screens[i].opened && a->tabs.screens[i].ops->close)
            a->tabs.screens[i].ops->close(&a->tabs.screens[i]);
        free(a->tabs.screens[i].state);
    }
    tt_picker_close(&a->picker);
    tt_app_close_runs(a);
    tt_app_opening_free(a);
    tt_follow_end(a);
    tt_anywhere_free(a->anywhere);
    tt_prompt_free(&a->prompt);
    tt_app_drop_pending(a);
    tt_session_free(a->host.session);
    tt_app_base_free(a);
    tt_jobs_free(a->leavings);
    tt_about_forget(a);
    free(a->want.clip);
    free(a->want.edit);
    free(a);
}

tt_screen *tt_app_current(tt_app *a) { return &a->tabs.screens[a->tabs.at]; }

tt_context tt_app_context(const tt_app *a)
{
    tt_focus f = tt_screen_focus(&a->tabs.screens[a->tabs.at]);
    return f.context != TT_CTX_GLOBAL ? f.context : a->tabs.screens[a->tabs.at].ops->context;
}

void tt_app_open_screen(tt_app *a, int i)
{
    tt_screen *s = &a->tabs.screens[i];
    if (s->opened || !a->host.session) return;
    s->opened = true;
    if (s->ops->open) s->ops->open(s);
    if (a->tabs.has_place[i] && s->ops->place.restore) s->ops->place.restore(s, &a->tabs.place[i]);
    a->tabs.has_place[i] = false;
}

bool tt_app_begin(tt_app *a, const tt_explore_options *o)
{
    if (o->has_scope) a->host.scope = o->scope;
    if (o->theme && !tt_settings_set(a, "theme", o->theme)) return false;
    if (o->no_mouse) tt_settings_set(a, "mouse", "off");
    if (o->unicode && !strcmp(o->unicode, "braille")) tt_settings_set(a, "unicode", o->unicode);
    if (o->n_paths == 1) snprintf(a->source, sizeof a->source, "%s", o->paths[0]);
    if (o->n_paths > 1) snprintf(a->source, sizeof a->source, "%s and %u more", o->paths[0], o->n_paths - 1);
    tt_paths_set(&a->opening.inputs, o->paths, o->n_paths);
    a->opening.options = o->load;
    tt_app_base_begin(a, o);
    a->tabs.given = o->screen || o->n_base;
    if (o->n_base && !o->screen) tt_app_show_tab(a, "compare");
    return !o->screen || tt_app_show_tab(a, o->screen);
}

/* ---- what screens ask ---- */

bool tt_app_keeps(const tt_app *a)
{
    return a->interactive && a->host.session && !a->loading && !a->partial && !a->display.no_state;
}

void tt_app_tell_scope(tt_app *a)
{
    for (int i = 0; i < a->tabs.n_screens; i++) {
        if (a->tabs.screens[i].opened && a->tabs.screens[i].ops->scope)
            a->tabs.screens[i].ops->scope(&a->tabs.screens[i]);
    }
    a->dirty = true;
}

void tt_app_set_scope(tt_app *a, const tt_scope *scope)
{
    if (tt_scope_equal(&a->host.scope, scope)) return;
    tt_scope before = a->host.scope;
    a->host.scope = *scope;
    tt_app_base_follow(a, &before);
    tt_app_tell_scope(a);
}

void tt_app_set_status(tt_app *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(a->status, sizeof a->status, fmt, ap);
    va_end(ap);
    a->dirty = true;
}

int64_t tt_app_now(const tt_app *a) { return a->interactive ? tt_clock_ms() : 0; }

void tt_app_wake(tt_app *a, int ms)
{
    int64_t at = tt_app_now(a) + ms;
    if (a->interactive && (!a->want.wake_at || at < a->want.wake_at)) a->want.wake_at = at;
}

void tt_app_copy(tt_app *a, const char *text)
{
    free(a->want.clip);
    a->want.clip = tt_strdup(text);
}

typedef struct screen_job {
    void (*run)(void *);
    void (*done)(void *, tt_host *);
    void *arg;
} screen_job;

static void job_run(void *arg)
{
    screen_job *job = arg;
    job->run(job->arg);
}

static void job_done(void *arg, void *context)
{
    screen_job *job = arg;
    tt_app *a = context;
    job->done(job->arg, &a->host);
    a->dirty = true;
    free(job);
}

void tt_app_job(tt_app *a, void (*run)(void *), void (*done)(void *, tt_host *), void *arg)
{
    screen_job *job = tt_malloc(sizeof *job);
    *job = (screen_job){run, done, arg};
    tt_jobs_add(a->jobs, job_run, job_done, job);
}

/* ---- tabs and jumps ---- */

void tt_app_go(tt_app *a, int i)
{
    if (i < 0 || i >= a->tabs.n_screens) return;
    a->tabs.at = i;
    tt_app_open_screen(a, i);
    a->dirty = true;
}

int tt_app_tab(const tt_app *a, const char *name)
{
    if (!strcmp(name, "trace")) name = tt_screen_trace.tab.name; /* its former name, which scripts may still use */
    for (int i = 0; i < a->tabs.n_screens; i++) {
        const tt_screen_ops *o = a->tabs.screens[i].ops;
        if (o == &tt_screen_any_table || o == &tt_screen_query) continue;
        if (!strcmp(o->tab.name, name)) return i;
    }
    return -1;
}

int tt_app_index(const tt_app *a, const tt_screen_ops *ops)
{
    int i = 0;
    while (a->tabs.screens[i].ops != ops) i++;
    return i;
}

bool tt_app_show_tab(tt_app *a, const char *name)
{
    int i = tt_app_tab(a, name);
    tt_app_go(a, i);
    return i >= 0;
}

static tt_jump here(tt_app *a)
{
    tt_jump j = {.screen = a->tabs.at};
    tt_screen *s = tt_app_current(a);
    if (s->opened && s->ops->place.save) s->ops->place.save(s, &j.place);
    return j;
}

static void go_to(tt_app *a, const tt_jump *j)
{
    tt_app_go(a, j->screen);
    tt_screen *s = tt_app_current(a);
    if (s->opened && s->ops->place.restore) s->ops->place.restore(s, &j->place);
}

void tt_app_push_jump(tt_app *a)
{
    if (a->jumps.at == TT_JUMPS) {
        memmove(a->jumps.place, a->jumps.place + 1, sizeof *a->jumps.place * (TT_JUMPS - 1));
        a->jumps.at--;
    }
    a->jumps.place[a->jumps.at++] = here(a);
    a->jumps.n = a->jumps.at;
}

void tt_app_push_jump_scoped(tt_app *a)
{
    tt_app_push_jump(a);
    a->jumps.place[a->jumps.at - 1].scoped = true;
    a->jumps.place[a->jumps.at - 1].scope = a->host.scope;
}

/* The screen shows this target. */
static bool takes(const tt_app *a, const tt_screen *s, const tt_show_target *to)
{
    return s->ops->takes && s->ops->takes(&a->host, to);
}

/* Go to the previous (dir -1) or next (dir 1) place of the jump list. The place we leave takes its slot in the list. */
static bool jump(tt_app *a, int dir)
{
    int from = dir < 0 ? a->jumps.at - 1 : a->jumps.at;
    if (from < 0 || from >= a->jumps.n) return false;
    tt_jump to = a->jumps.place[from], left = here(a);
    left.scoped = to.scoped;
    left.scope = a->host.scope;
    a->jumps.place[from] = left;
    a->jumps.at += dir;
    tt_screen *s = tt_app_current(a);
    const tt_show_target all = {.kind = TT_SHOW_NO_EVIDENCE};
    if (to.screen != a->tabs.at && s->opened && takes(a, s, &all)) s->ops->show(s, &all);
    if (to.scoped) tt_app_set_scope(a, &to.scope);
    go_to(a, &to);
    return true;
}

bool tt_app_jump_back(tt_app *a) { return jump(a, -1); }

/* ---- what screens ask to show ---- */

static bool show_row(tt_app *a, const tt_show_target *to)
{
    int i = tt_app_tab(a, to->tab);
    if (i < 0) return false;
    tt_app_push_jump(a);
    tt_app_go(a, i);
    tt_screen *s = &a->tabs.screens[i];
    tt_screen_place place = {0};
    tt_focus_command(tt_screen_focus(s), "pane", to->table->desc->id);
    if (s->ops->place.save) s->ops->place.save(s, &place);
    place.table = (struct tt_table_place){.row = tt_table_row_key(to->table, to->row)};
    if (s->ops->place.restore) s->ops->place.restore(s, &place);
    return true;
}

bool tt_app_show(tt_app *a, const tt_show_target *to)
{
    if (to->kind == TT_SHOW_TAB) return tt_app_show_tab(a, to->tab);
    if (to->kind == TT_SHOW_ROW) return show_row(a, to);
    int at = -1;
    for (int i = 0; a->host.session && i < a->tabs.n_screens; i++)
        if (takes(a, &a->tabs.screens[i], to)) at = i;
    if (at < 0) return false;
    /* a screen of one subject leaves its place for another subject; the timeline stays the same place */
    bool subject = to->kind == TT_SHOW_BOTH || to->kind == TT_SHOW_FLAME || to->kind == TT_SHOW_KERNEL;
    if (subject || a->tabs.at != at) tt_app_push_jump(a);
    tt_app_go(a, at);
    return a->tabs.screens[at].ops->show(&a->tabs.screens[at], to);
}

/* ---- actions ---- */

static void act_show(tt_app *a, tt_screen *s)
{
    tt_drilldown o = {0};
    if (!tt_focus_selection(tt_screen_focus(s), &o) || !tt_host_show_drilldown(&a->host, &o)) {
        if (!a->status[0]) tt_app_set_status(a, "this row has no time");
    }
}

static void act_flame(tt_app *a, tt_screen *s)
{
    tt_drilldown o = {0};
    if (s->ops == &tt_screen_flame) {
        if (!jump(a, -1)) tt_app_go(a, 0);
        return;
    }
    if (!tt_focus_selection(tt_screen_focus(s), &o)) o.what = TT_DRILL_NONE;
    tt_host_show_flame(&a->host, &o, (tt_slice_ref){0, TT_NONE});
}

static void act_why(tt_app *a, const tt_screen *s)
{
    tt_drilldown o = {0};
    tt_scope scope = a->host.scope;
    int i = tt_app_tab(a, "idle");
    if (i < 0 || a->tabs.screens[i].hidden) {
        tt_app_set_status(a, "no GPU activity in this trace");
        return;
    }
    if (tt_focus_about(tt_screen_focus(s), &o)) tt_scope_narrow(a->host.session, &o, &scope);
    tt_app_push_jump_scoped(a);
    tt_app_set_scope(a, &scope);
    tt_app_go(a, i);
    a->tabs.screens[i].ops->act(&a->tabs.screens[i], TT_ACT_WHY);
}

static void act_find(tt_app *a, tt_screen *s, int dir)
{
    if (!a->search.find[0]) {
        tt_app_set_status(a, "press / to search first");
    } else if (!tt_focus_find(tt_screen_focus(s), a->search.find, dir)) {
        tt_app_set_status(a, "not found: %s", a->search.find);
    }
}

static void act_copy(tt_app *a, tt_screen *s, bool all)
{
    char *text = tt_focus_copy(tt_screen_focus(s), all);
    if (text) {
        tt_app_copy(a, text);
    } else {
        tt_app_set_status(a, "nothing to copy here");
    }
    free(text);
}

static void act_unit(tt_app *a)
{
    static const char *const names[] = {"by size", "ns", "us", "ms", "s"};
    a->host.unit = (a->host.unit + 1) % (TT_UNIT_S + 1);
    tt_app_tell_scope(a);
    tt_app_set_status(a, "time unit: %s", names[a->host.unit]);
}

static void open_prompt(tt_app *a, tt_prompt_kind kind, const char *text)
{
    tt_prompt_open(&a->prompt, kind, text);
    a->candidates[0] = 0;
    if (kind == TT_PROMPT_FILTER) snprintf(a->search.filter_before, sizeof a->search.filter_before, "%s", text);
    if (kind == TT_PROMPT_COMMAND) tt_app_candidates(a);
    if (kind == TT_PROMPT_FIND) a->search.find_from = here(a);
}

static void set_filter(tt_app *a, const char *text)
{
    if (a->runs.open) {
        tt_run_page_filter(a, text);
        return;
    }
    tt_focus f = tt_screen_focus(tt_app_current(a));
    if (!tt_focus_filters(f)) {
        tt_app_set_status(a, "nothing to filter here");
        return;
    }
    tt_focus_filter(f, text);
    snprintf(a->tabs.filter[a->tabs.at], sizeof a->tabs.filter[a->tabs.at], "%s", text);
}

static void close_or_quit(tt_app *a)
{
    if (!jump(a, -1)) a->want.quit = true;
}

static void act_export(tt_app *a, const tt_screen *s, tt_focus f)
{
    char name[128];
    const char *own = tt_focus_export_name(f);
    if (!tt_focus_exports(f)) {
        tt_app_set_status(a, "nothing to export here");
        return;
    }
    snprintf(name, sizeof name, "%s%s", own ? own : s->ops->tab.name, own ? "" : tt_table_endings[a->host.file_format]);
    open_prompt(a, TT_PROMPT_EXPORT, name);
}

/* The tab that has a digit, counted from 0. */
static void go_nth(tt_app *a, int nth)
{
    int there = 0;
    for (int i = 0; i < a->tabs.n; i++) {
        if (!tt_app_has_tab(a, i)) continue;
        if (there++ != nth) continue;
        tt_app_go(a, i);
        return;
    }
    tt_app_set_status(a, "there are %d tabs", there);
}

/* Show the next tab (dir 1) or the previous tab (dir -1); the last tab is followed by the first. */
static void go_beside(tt_app *a, int dir)
{
    int i = a->tabs.at < a->tabs.n ? a->tabs.at : dir > 0 ? -1 : a->tabs.n;
    do i = (i + dir + a->tabs.n) % a->tabs.n;
    while (!tt_app_has_tab(a, i));
    tt_app_go(a, i);
}

/* Carry out an action that needs no session. False = the action is of another kind. */
static bool act_always(tt_app *a, tt_action act)
{
    if (act >= TT_ACT_TAB_1 && act <= TT_ACT_TAB_9) {
        go_nth(a, (int)(act - TT_ACT_TAB_1));
        return true;
    }
    switch (act) {
    case TT_ACT_QUIT: a->want.quit = true; return true;
    case TT_ACT_HELP: a->help = (tt_help){.open = true}; return true;
    case TT_ACT_COMMAND: open_prompt(a, TT_PROMPT_COMMAND, ""); return true;
    case TT_ACT_TAB_NEXT: go_beside(a, 1); return true;
    case TT_ACT_TAB_PREV: go_beside(a, -1); return true;
    case TT_ACT_REDRAW: a->want.redraw = true; return true;
    case TT_ACT_SUSPEND: a->want.suspend = true; return true;
    case TT_ACT_UNIT: act_unit(a); return true;
    default: return false;
    }
}

static void act_session(tt_app *a, tt_screen *s, tt_action act)
{
    tt_focus f = tt_screen_focus(s);
    switch (act) {
    case TT_ACT_CANCEL:
        if (tt_app_opening_cancel(a)) {
            tt_app_set_status(a, "stopped: this run stays");
            return;
        }
        if (!a->loading && a->other.load) {
            tt_app_compare_off(a);
            tt_app_set_status(a, "stopped reading the other run: no comparison");
            return;
        }
        if (!a->loading) break;
        a->want.cancel = true;
        tt_app_set_status(a, "stopping; what was read is kept");
        break;
    case TT_ACT_BACK_OR_QUIT: close_or_quit(a); break;
    case TT_ACT_FIND: open_prompt(a, TT_PROMPT_FIND, ""); break;
    case TT_ACT_FIND_ANYWHERE: tt_app_find_anywhere(a); break;
    case TT_ACT_FIND_NEXT: act_find(a, s, 1); break;
    case TT_ACT_FIND_PREV: act_find(a, s, -1); break;
    case TT_ACT_FILTER:
        if (tt_focus_filters(f)) {
            open_prompt(a, TT_PROMPT_FILTER, a->tabs.filter[a->tabs.at]);
        } else {
            tt_app_set_status(a, "nothing to filter here");
        }
        break;
    case TT_ACT_FILTER_CLEAR: set_filter(a, ""); break;
    case TT_ACT_SHOW: act_show(a, s); break;
    case TT_ACT_FLAME: act_flame(a, s); break;
    case TT_ACT_WHY: act_why(a, s); break;
    case TT_ACT_GRAPH: tt_app_command(a, "table graph_ownership"); break;
    case TT_ACT_TRUST:
        tt_app_push_jump(a);
        tt_app_go(a, tt_app_index(a, &tt_screen_problems));
        break;
    case TT_ACT_EDIT: tt_app_edit(a, s); break;
    case TT_ACT_JUMP_BACK:
        if (!jump(a, -1)) tt_app_set_status(a, "nothing to go back to");
        break;
    case TT_ACT_JUMP_FORWARD:
        if (!jump(a, 1)) tt_app_set_status(a, "nothing to go forward to");
        break;
    case TT_ACT_COPY: act_copy(a, s, false); break;
    case TT_ACT_COPY_ALL: act_copy(a, s, true); break;
    case TT_ACT_EXPORT: act_export(a, s, f); break;
    case TT_ACT_STEP_PICK: tt_app_pick_steps(a); break;
    case TT_ACT_COMPARE: tt_app_pick_run(a); break;
    case TT_ACT_RELOAD:
        if (!a->opening.load) a->opening.grown = false;
        tt_app_reload(a);
        break;
    case TT_ACT_FOLLOW: tt_follow_key(a); break;
    case TT_ACT_RUNS: {
        char root[TT_RUN_PATH_CAP];
        tt_run_page_root(a, root, sizeof root);
        tt_run_page_open(a, root);
        break;
    }
    case TT_ACT_WORKER_PICK: tt_app_pick_trace(a); break;
    default:
        if (tt_actions[act - 1].context != TT_CTX_MOTION)
            tt_app_set_status(a, "%s does nothing here (? keys)", tt_actions[act - 1].name);
    }
}

void tt_app_act(tt_app *a, tt_action act)
{
    tt_screen *s = tt_app_current(a);
    a->dirty = true;
    if (act == TT_ACT_NONE) return;
    if (a->host.session && s->opened && s->ops->act && s->ops->act(s, act)) return;
    if (act_always(a, act)) return;
    if (a->host.session) {
        act_session(a, s, act);
    } else if (act == TT_ACT_BACK_OR_QUIT) {
        a->want.quit = true;
    } else if (act == TT_ACT_CANCEL && a->loading) {
        a->want.cancel = true;
        tt_app_set_status(a, "stopping; what was read is kept");
    } else if (tt_app_stopped(a) && (act == TT_ACT_RELOAD || act == TT_ACT_RUNS)) {
        act_session(a, s, act);
    }
}

/* ---- keys ---- */

static void prompt_changed(tt_app *a)
{
    const char *text = a->prompt.text;
    if (a->prompt.kind == TT_PROMPT_COMMAND) tt_app_candidates(a);
    if (a->prompt.kind == TT_PROMPT_FILTER) set_filter(a, text);
    if (a->prompt.kind == TT_PROMPT_ANYWHERE && a->anywhere) tt_anywhere_set(a->anywhere, text);
    if (a->prompt.kind != TT_PROMPT_FIND || !*text) return;
    bool found = a->help.open ? tt_help_find(a, text, 0) : tt_focus_find(tt_screen_focus(tt_app_current(a)), text, 0);
    if (!found) tt_app_set_status(a, "not found");
}

static void prompt_accept(tt_app *a)
{
    char line[TT_PROMPT_CAP];
    tt_prompt_kind kind = a->prompt.kind;
    snprintf(line, sizeof line, "%s", a->prompt.text);
    tt_prompt_close(&a->prompt, true);
    if (kind == TT_PROMPT_ANYWHERE) {
        tt_app_close_anywhere(a, true);
    } else if (kind == TT_PROMPT_FIND && line[0]) {
        snprintf(a->search.find, sizeof a->search.find, "%s", line);
        /* the focus says in the status line how many matches there are */
        if (a->host.session && !a->help.open) tt_focus_find(tt_screen_focus(tt_app_current(a)), line, 0);
    } else if (kind == TT_PROMPT_FILTER) {
        set_filter(a, line);
    } else if (kind == TT_PROMPT_COMMAND) {
        tt_app_command(a, line);
    } else if (kind == TT_PROMPT_EXPORT) {
        if (!tt_focus_command(tt_screen_focus(tt_app_current(a)), "export", line + strspn(line, " ")))
            tt_app_set_status(a, "nothing to export here");
    }
}

void tt_app_prompt_key(tt_app *a, tt_key k)
{
    switch (tt_prompt_key(&a->prompt, k)) {
    case TT_PROMPT_CHANGED: prompt_changed(a); break;
    case TT_PROMPT_COMPLETE:
        if (a->prompt.kind == TT_PROMPT_COMMAND) tt_app_complete(a);
        break;
    case TT_PROMPT_ACCEPT: prompt_accept(a); break;
    case TT_PROMPT_CANCEL:
        if (a->prompt.kind == TT_PROMPT_FILTER) set_filter(a, a->search.filter_before);
        if (a->prompt.kind == TT_PROMPT_FIND && a->host.session && !a->help.open) go_to(a, &a->search.find_from);
        if (a->prompt.kind == TT_PROMPT_ANYWHERE) tt_app_close_anywhere(a, false);
        tt_prompt_close(&a->prompt, false);
        break;
    case TT_PROMPT_MOVED: break;
    }
}

/* A click on the tabs, the mark of trust or the key bar; else the screen gets the mouse. */
static void frame_mouse(tt_app *a, const tt_mouse *m)
{
    tt_screen *s = tt_app_current(a);
    tt_mouse in = *m;
    in.y -= 2;
    if (m->what == TT_MOUSE_PRESS && m->y == 0) {
        for (int i = 0; i < a->tabs.n; i++) {
            if (m->x >= a->frame.tab_x[i] && m->x < a->frame.tab_x[i + 1]) tt_app_go(a, i);
        }
    } else if (m->what == TT_MOUSE_PRESS && m->y == 1 && a->frame.mark_x && m->x >= a->frame.mark_x) {
        tt_app_act(a, TT_ACT_TRUST);
    } else if (m->what == TT_MOUSE_PRESS && m->y == a->frame.h - 1) {
        for (int i = 0; i < a->frame.n_bar; i++) {
            if (m->x < a->frame.bar[i].from || m->x >= a->frame.bar[i].to) continue;
            a->status[0] = 0;
            tt_app_act(a, a->frame.bar[i].action);
            break;
        }
    } else if (a->host.session && s->opened && s->ops->mouse && in.y >= 0 && in.y < a->frame.h - 4) {
        s->ops->mouse(s, &in);
    }
}

void tt_app_key(tt_app *a, tt_key k, const tt_mouse *m)
{
    a->dirty = true;
    if (k == TT_KEY_PASTE_BEGIN || k == TT_KEY_PASTE_END) {
        a->pasting = k == TT_KEY_PASTE_BEGIN;
        return;
    }
    if (a->pasting && (a->prompt.kind == TT_PROMPT_NONE || k == TT_KEY_ENTER))
        return; /* pasted text is never a command, nor an answer */
    if (k == TT_KEY_MOUSE) {
        if (m && !tt_modal_mouse(a, m)) frame_mouse(a, m);
        return;
    }
    a->status[0] = 0;
    if (tt_modal_key(a, k)) return;
    tt_action act = tt_action_of(tt_app_context(a), tt_layout_key(a->display.layout, tt_app_context(a), k));
    if (act == TT_ACT_NONE) { /* the current screen has no use for the key: the key may belong to its other part */
        act = tt_action_of(tt_app_current(a)->ops->context,
                           tt_layout_key(a->display.layout, tt_app_current(a)->ops->context, k));
    }
    if (act == TT_ACT_NONE) {
        char name[32];
        tt_key_name(k, name, sizeof name);
        tt_action there = tt_action_of(TT_CTX_TIMELINE, k);
        if (there == TT_ACT_NONE) {
            tt_app_set_status(a, "%s does nothing here (? keys)", name);
        } else {
            tt_app_set_status(a, "%s (%s) works on the timeline only (t)", name, tt_actions[there - 1].name);
        }
        return;
    }
    tt_app_act(a, act);
}

void tt_app_key_of(const tt_app *a, const tt_action_info *info, char *out, size_t cap)
{
    const char *keys = info->keys;
    tt_key k;
    do k = tt_key_next(&keys, NULL);
    while (k != TT_KEY_NONE && !tt_action_keeps(tt_app_context(a), info, k));
    out[0] = 0;
    if (k != TT_KEY_NONE) tt_key_name(tt_layout_key(a->display.layout, tt_app_context(a), k), out, cap);
}

static void key_and_frame(tt_app *a, tt_key k, tt_canvas *c)
{
    tt_app_key(a, k, NULL);
    if (c) tt_app_draw(a, c);
}

static bool press(tt_app *a, const char *keys, tt_canvas *c)
{
    while (*keys) {
        keys += strspn(keys, " ");
        if (*keys == '"' && keys[1] && strchr(keys + 1, '"')) { /* "text" is typed */
            const char *end = strchr(++keys, '"');
            for (size_t used; keys < end; keys += used) {
                uint32_t cp = tt_utf8_next(keys, (size_t)(end - keys), &used);
                if (cp != TT_BAD_BYTE) key_and_frame(a, cp, c);
            }
            keys++;
            continue;
        }
        bool bad = false;
        tt_key k = tt_key_next(&keys, &bad);
        if (bad) return false;
        if (k != TT_KEY_NONE) key_and_frame(a, k, c);
    }
    return true;
}

bool tt_app_keys(tt_app *a, const char *keys, tt_canvas *c)
{
    bool outer = a->pressing;
    a->pressing = true;
    bool good = press(a, keys, c);
    a->pressing = outer;
    return good;
}

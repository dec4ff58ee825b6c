/* tui/app/prompt/command_line.c - the commands of `:`. What completes them is in completion.c, the lists that some
 * open in pickers.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/registry/registry.h"
#include "model/text/engine_step.h"
#include "tui/app/app_api.h"
#include "tui/app/dump/app_digest.h"
#include "tui/app/dump/dump.h"
#include "tui/app/prompt/command_line.h"
#include "tui/app/prompt/settings.h"
#include "tui/app/question.h"
#include "tui/app/runs/run_page.h"
#include "tui/app/runs/run_picker.h"
#include "tui/app/screen_list.h"
#include "tui/app/session/follow.h"
#include "tui/args/cli.h"
#include "tui/args/summary_options.h"
#include "tui/files/outfile.h"
#include "tui/output/export/export_trace.h"
#include "tui/output/picture/picture.h"

/* ---- scope ---- */

void tt_app_scope_text(const tt_app *a, char *out, size_t cap)
{
    tt_app_part_text(a->host.session, &a->host.scope, out, cap);
}

void tt_app_part_text(const tt_session *all, const tt_scope *s, char *out, size_t cap)
{
    char t0[TT_TEXT_CAP], t1[TT_TEXT_CAP], part[5][128] = {"", "", "", "", ""};
    if (all && s->worker != TT_ALL) {
        const char *name = all->workers[s->worker];
        bool number = !name[strspn(name, "0123456789")]; /* "0 of 2 workers" reads as none of them */
        snprintf(part[0], sizeof part[0], "%s%.60s of %u%s, ", number ? "worker " : "", name, all->n_workers,
                 number ? "" : " workers");
    }
    if (all && s->span != TT_ALL)
        snprintf(part[3], sizeof part[3], "span %.40s of %u, ", all->spans[s->span], all->n_spans);
    if (s->has_steps && s->step_first == s->step_last) {
        snprintf(part[1], sizeof part[1], "step %lld, ", (long long)s->step_first);
    } else if (s->has_steps && s->step_last == INT64_MAX) {
        snprintf(part[1], sizeof part[1], "steps %lld-, ", (long long)s->step_first);
    } else if (s->has_steps) {
        snprintf(part[1], sizeof part[1], "steps %lld-%lld, ", (long long)s->step_first, (long long)s->step_last);
    }
    for (int p = 0; p < TT_PHASE_COUNT_; p++)
        if (s->phases == 1u << p) snprintf(part[4], sizeof part[4], "%s steps, ", tt_phase_word((tt_phase)p));
    if (s->has_range) {
        int64_t end = all && s->t1 > all->end_ns ? all->end_ns : s->t1;
        snprintf(part[2], sizeof part[2], "%s to %s, ", tt_format_time(t0, s->t0, TT_UNIT_AUTO),
                 tt_format_time(t1, end, TT_UNIT_AUTO));
    }
    snprintf(out, cap, "%s%s%s%s%s", part[0], part[3], part[4], part[1], part[2]);
    size_t n = strlen(out);
    if (n > 1) out[n - 2] = 0; /* the last comma */
}

/* ---- commands ---- */

static bool is_all(const char *arg) { return !*arg || strcmp(arg, "all") == 0; }

/* Look at that, if there is something to look at. */
static bool take_scope(tt_app *a, const tt_scope *s)
{
    tt_err why;
    if (tt_scope_missing(a->host.session, s, &why) == TT_OK) {
        tt_app_set_scope(a, s);
    } else {
        tt_app_set_status(a, "%s", why.message);
    }
    return true;
}

static bool cmd_steps(tt_app *a, const char *arg)
{
    tt_scope s = a->host.scope;
    s.has_steps = !is_all(arg);
    if (s.has_steps && !tt_parse_steps(arg, &s.step_first, &s.step_last)) return false;
    return take_scope(a, &s);
}

static bool cmd_phase(tt_app *a, const char *arg)
{
    tt_scope s = a->host.scope;
    s.phases = is_all(arg) ? 0 : tt_phase_bit(arg);
    return (is_all(arg) || s.phases) && take_scope(a, &s);
}

static bool cmd_range(tt_app *a, const char *arg)
{
    tt_scope s = a->host.scope;
    s.has_range = !is_all(arg);
    if (s.has_range && !tt_parse_range(arg, &s.t0, &s.t1)) return false;
    return take_scope(a, &s);
}

/* The index of a name among n, TT_ALL for all of them; false: it is none of them. */
static bool which_of(char *const *names, uint32_t n, const char *arg, int32_t *out)
{
    uint32_t i = 0;
    while (i < n && strcmp(names[i], arg) != 0) i++;
    *out = i < n && !is_all(arg) ? (int32_t)i : TT_ALL;
    return i < n || is_all(arg);
}

static bool cmd_worker(tt_app *a, const char *arg)
{
    tt_scope s = a->host.scope;
    if (!which_of(a->host.session->workers, a->host.session->n_workers, arg, &s.worker)) return false;
    tt_app_set_scope(a, &s);
    return true;
}

static bool cmd_span(tt_app *a, const char *arg)
{
    tt_scope s = a->host.scope;
    if (!which_of(a->host.session->spans, a->host.session->n_spans, arg, &s.span)) return false;
    tt_app_set_scope(a, &s);
    return true;
}

static bool cmd_all(tt_app *a, const char *arg)
{
    (void)arg;
    tt_app_set_scope(a, &tt_scope_all);
    return true;
}

static bool cmd_tab(tt_app *a, const char *arg)
{
    int i = tt_app_tab(a, arg);
    if (i >= 0 && i != a->tabs.at) tt_app_push_jump(a);
    tt_app_go(a, i);
    return i >= 0;
}

static bool cmd_hang(tt_app *a, const char *arg)
{
    (void)arg;
    return cmd_tab(a, "hang");
}

static bool cmd_table(tt_app *a, const char *arg)
{
    int i = tt_app_index(a, &tt_screen_any_table);
    tt_screen *s = &a->tabs.screens[i];
    const tt_table_desc *d = tt_session_table(a->host.session, arg);
    if (!d) return false;
    tt_app_push_jump(a);
    if (s->opened) s->ops->close(s);
    s->opened = false;
    a->host.any_table = d;
    tt_app_go(a, i);
    return true;
}

static bool cmd_sql(tt_app *a, const char *arg)
{
    int i = tt_app_index(a, &tt_screen_query);
    tt_screen *s = &a->tabs.screens[i];
    if (!*arg) return false;
    tt_app_push_jump(a);
    if (s->opened) s->ops->close(s);
    s->opened = false;
    snprintf(a->query, sizeof a->query, "%s", arg);
    tt_app_go(a, i);
    return true;
}

static bool cmd_flame(tt_app *a, const char *arg)
{
    (void)arg;
    tt_app_act(a, TT_ACT_FLAME);
    return true;
}

static bool cmd_edit(tt_app *a, const char *arg)
{
    (void)arg;
    tt_app_act(a, TT_ACT_EDIT);
    return true;
}

static bool cmd_format(tt_app *a, const char *arg)
{
    int f = 0;
    while (tt_out_format_names[f] && strcmp(tt_out_format_names[f], arg) != 0) f++;
    if (!tt_out_format_names[f]) return false;
    a->host.file_format = (tt_out_format)f;
    tt_app_set_status(a, "Y copies %s", arg);
    return true;
}

/* Write the screen to a file; the command line has disappeared by then. */
static void write_screen(tt_app *a, const char *verb, const char *path, tt_picture_format format)
{
    tt_level level = tt_theme_level(a->display.theme, format == TT_PICTURE_TEXT ? TT_LEVEL_MONO : a->display.level);
    tt_canvas c = {.ascii = a->display.ascii, .mono = level == TT_LEVEL_MONO, .few = level == TT_LEVEL_8};
    tt_err err;
    unsigned how;
    if (!tt_app_may_write(a, verb, path, &how)) return;
    tt_outfile *o = tt_outfile_open(path, how, a->host.session ? &a->host.session->inputs : NULL, &err);
    tt_status st = o ? TT_OK : err.code;
    if (o) {
        tt_canvas_resize(&c, a->frame.h, a->frame.w);
        tt_app_draw(a, &c);
        if (format == TT_PICTURE_TEXT)
            tt_dump(tt_outfile_stream(o), &c, a->display.theme, TT_LEVEL_MONO, true);
        else
            st = tt_picture_write(tt_outfile_stream(o), format, &c, a->display.theme, level, &err);
        tt_canvas_free(&c);
        tt_err closing;
        if (tt_outfile_close(o, st == TT_OK, &closing) != TT_OK && st == TT_OK) {
            err = closing;
            st = err.code;
        }
    }
    if (st == TT_OK)
        tt_app_set_status(a, "screen written to %s", path);
    else
        tt_app_set_status(a, "%.400s", err.message);
}

static bool cmd_dump(tt_app *a, const char *arg)
{
    if (!*arg || a->frame.h <= 0) return false;
    write_screen(a, "dump", arg, TT_PICTURE_TEXT);
    return true;
}

static bool cmd_shot(tt_app *a, const char *arg)
{
    const char *remedy;
    if (!*arg || a->frame.h <= 0) return false;
    int format = tt_host_ending(&a->host, arg, tt_picture_endings);
    if (format == TT_PICTURE_PNG && !tt_picture_has_png(&remedy))
        tt_app_set_status(a, "this build writes no PNG: %s", remedy);
    else if (format >= 0)
        write_screen(a, "shot", arg, (tt_picture_format)format);
    return true;
}

static bool cmd_set(tt_app *a, const char *arg)
{
    char name[32], text[400];
    size_t n = strcspn(arg, " =");
    if (!*arg) {
        tt_settings_text(a, text, sizeof text);
        tt_app_set_status(a, "%s", text);
        return true;
    }
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), arg);
    tt_settings_set(a, name, arg + n + strspn(arg + n, " ="));
    return true;
}

static bool cmd_keys(tt_app *a, const char *arg)
{
    if (a->pressing || !tt_app_keys(a, arg, NULL)) return false; /* keys that press themselves would never end */
    return true;
}

static bool cmd_find(tt_app *a, const char *arg)
{
    snprintf(a->search.find, sizeof a->search.find, "%s", arg);
    tt_app_act(a, TT_ACT_FIND_NEXT);
    return true;
}

static bool cmd_filter(tt_app *a, const char *arg)
{
    tt_focus f = tt_screen_focus(tt_app_current(a));
    if (!tt_focus_filter(f, arg)) return tt_focus_filters(f) && a->status[0]; /* the focus may have said why */
    snprintf(a->tabs.filter[a->tabs.at], sizeof a->tabs.filter[a->tabs.at], "%s", arg);
    return true;
}

/* ---- files ---- */

static const char *const trace_endings[] = {".json", ".json.gz", NULL};

/* A part of the trace. */

typedef struct trace_job {
    tt_session *session;
    tt_scope scope;
    char path[512];
    unsigned how; /* how to open the file: flags of tui/files/outfile.h */
    tt_exported done;
    tt_err err;
    tt_status status;
    bool ran, merged;
} trace_job;

static void trace_run(void *arg)
{
    trace_job *j = arg;
    j->status =
        tt_export_file(j->session, &j->scope, j->merged ? TT_EXPORT_MERGE : 0, j->path, j->how, &j->done, &j->err);
    j->ran = true;
}

static void trace_done(void *arg, tt_host *h)
{
    tt_app *a = tt_app_of(h);
    trace_job *j = arg;
    char n[TT_TEXT_CAP];
    if (j->ran && j->status != TT_OK) {
        tt_app_set_status(a, "%.400s", j->err.message);
    } else if (j->ran) {
        tt_app_set_status(a, "%s%s written to %s%s", tt_format_counted(n, (int64_t)j->done.events, "event"),
                          j->merged ? " of all workers in scope" : "", j->path,
                          j->done.poor || j->done.lost || j->done.broken || j->done.alien || j->done.members
                              ? "; some without what could not be read again"
                              : "");
    }
    free(j);
}

void tt_app_export_trace(tt_app *a, const char *verb, const tt_scope *scope, const char *path)
{
    for (uint32_t i = 0; i < a->host.session->n_traces; i++) {
        if (!a->host.session->traces[i]->summary) continue;
        tt_app_set_status(a, "a summary has no events to export: open the recording of a rank first");
        return;
    }
    unsigned how;
    if (tt_host_ending(&a->host, path, trace_endings) < 0 || !tt_app_may_write(a, verb, path, &how)) return;
    trace_job *j = tt_calloc(1, sizeof *j);
    j->how = how;
    j->session = a->host.session;
    j->scope = *scope;
    j->merged = tt_export_only_trace(a->host.session, scope) == TT_NONE;
    snprintf(j->path, sizeof j->path, "%s", path);
    tt_app_set_status(a, "writing %s ...", path);
    tt_app_job(a, trace_run, trace_done, j);
}

static bool cmd_export_trace(tt_app *a, const char *arg)
{
    if (!*arg) return false;
    tt_app_export_trace(a, "export-trace", &a->host.scope, arg);
    return true;
}

static bool cmd_run(tt_app *a, const char *arg)
{
    if (*arg)
        tt_run_page_name(a, arg);
    else
        tt_app_act(a, TT_ACT_RUNS);
    return true;
}

static bool cmd_quit(tt_app *a, const char *arg)
{
    (void)arg;
    a->want.quit = true;
    return true;
}

static bool cmd_filter_regex(tt_app *a, const char *arg)
{
    char text[TT_PROMPT_CAP];
    snprintf(text, sizeof text, "~%s", arg);
    return cmd_filter(a, text);
}

const tt_line_command tt_line_commands[] = {
#define X(name, args, function, values, help) {name, args, function, values, help, false},
#include "tui/app/prompt/command_line.def"
#undef X
#define X(name, values, function, help) {name, values, NULL, values, help, true},
#include "tui/app/prompt/settings.def"
#undef X
    {NULL, NULL, NULL, NULL, NULL, false},
};

const tt_line_command *tt_line_command_find(const char *name, size_t len)
{
    for (const tt_line_command *c = tt_line_commands; c->name; c++) {
        if (strlen(c->name) == len && strncmp(c->name, name, len) == 0) return c;
    }
    return NULL;
}

void tt_app_command(tt_app *a, const char *line)
{
    char verb[32];
    while (*line == ' ') line++;
    size_t n = strcspn(line, " ");
    if (!n) return;
    snprintf(verb, sizeof verb, "%.*s", (int)n, line);
    const char *arg = line + n + strspn(line + n, " ");
    tt_action act = tt_action_find(verb);
    const tt_line_command *cmd = tt_line_command_find(verb, strlen(verb));
    if (act != TT_ACT_NONE && !*arg) { /* "steps" alone opens the list, "steps 3" chooses */
        tt_app_act(a, act);
        return;
    }
    if (act != TT_ACT_NONE && !cmd) {
        tt_app_set_status(a, "'%s' takes no argument '%.200s'", verb, arg);
        return;
    }
    bool setting = cmd && (cmd->run == cmd_set || cmd->setting);
    bool without =
        (setting && a->runs.open) || (cmd && (cmd->run == cmd_quit || cmd->run == cmd_run || cmd->run == cmd_shot));
    if (!a->host.session && !without) {
        tt_app_set_status(a, a->loading     ? "loading"
                             : a->runs.open ? "no run is open: Enter opens one"
                                            : "no run is open: A lists runs");
        return;
    }
    tt_focus f = tt_screen_focus(tt_app_current(a));
    if (cmd && cmd->setting) {
        tt_settings_set(a, cmd->name, arg);
    } else if (cmd && cmd->run) {
        if (!cmd->run(a, arg))
            tt_app_set_status(a, "usage: %s %s%s", cmd->name, cmd->args, cmd->values ? " (Tab lists what fits)" : "");
    } else if (!tt_focus_command(f, verb, arg)) {
        if (!a->status[0])
            tt_app_set_status(a, cmd ? "'%s' does not fit this screen: %s" : "no command '%s' (Tab lists them)%s", verb,
                              cmd ? cmd->args : "");
    }
}

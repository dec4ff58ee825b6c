/* tui/app/command_line.c - the command line, its completion, and the lists to choose steps and workers from. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/app/app_impl.h"
#include "tui/app/dump.h"
#include "tui/app/settings.h"
#include "tui/args/cli.h"
#include "tui/args/summary_options.h"
#include "tui/files/outfile.h"
#include "tui/output/export_trace.h"

/* ---- scope ---- */

void tt_app_scope_text(const tt_app *a, char *out, size_t cap)
{
    const tt_scope *s = &a->scope;
    char t0[TT_TEXT_CAP], t1[TT_TEXT_CAP], part[4][128] = {"", "", "", ""};
    const tt_session *all = a->session;
    if (all && s->worker != TT_ALL)
        snprintf(part[0], sizeof part[0], "%.60s of %u workers, ", all->workers[s->worker], all->n_workers);
    if (all && s->span != TT_ALL)
        snprintf(part[3], sizeof part[3], "span %.40s of %u, ", all->spans[s->span], all->n_spans);
    if (s->has_steps && s->step_first == s->step_last) {
        snprintf(part[1], sizeof part[1], "step %lld, ", (long long)s->step_first);
    } else if (s->has_steps && s->step_last == INT64_MAX) {
        snprintf(part[1], sizeof part[1], "steps %lld-, ", (long long)s->step_first);
    } else if (s->has_steps) {
        snprintf(part[1], sizeof part[1], "steps %lld-%lld, ", (long long)s->step_first, (long long)s->step_last);
    }
    if (s->has_range) {
        int64_t end = a->session && s->t1 > a->session->end_ns ? a->session->end_ns : s->t1;
        snprintf(part[2], sizeof part[2], "%s to %s, ", tt_format_time(t0, s->t0, TT_UNIT_AUTO),
                 tt_format_time(t1, end, TT_UNIT_AUTO));
    }
    snprintf(out, cap, "%s%s%s%s", part[0], part[3], part[1], part[2]);
    size_t n = strlen(out);
    if (n > 1) out[n - 2] = 0; /* the last comma */
}

/* ---- commands ---- */

static bool is_all(const char *arg) { return !*arg || strcmp(arg, "all") == 0; }

/* Look at that, if there is something to look at. */
static bool take_scope(tt_app *a, const tt_scope *s)
{
    tt_err why;
    if (tt_scope_missing(a->session, s, &why) == TT_OK) {
        tt_app_set_scope(a, s);
    } else {
        tt_app_set_status(a, "%s", why.message);
    }
    return true;
}

static bool cmd_steps(tt_app *a, const char *arg)
{
    tt_scope s = a->scope;
    s.has_steps = !is_all(arg);
    if (s.has_steps && !tt_parse_steps(arg, &s.step_first, &s.step_last)) return false;
    return take_scope(a, &s);
}

static bool cmd_range(tt_app *a, const char *arg)
{
    tt_scope s = a->scope;
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
    tt_scope s = a->scope;
    if (!which_of(a->session->workers, a->session->n_workers, arg, &s.worker)) return false;
    tt_app_set_scope(a, &s);
    return true;
}

static bool cmd_span(tt_app *a, const char *arg)
{
    tt_scope s = a->scope;
    if (!which_of(a->session->spans, a->session->n_spans, arg, &s.span)) return false;
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
    if (i >= 0 && i != a->at) tt_app_push_jump(a);
    tt_app_go(a, i);
    return i >= 0;
}

static bool cmd_table(tt_app *a, const char *arg)
{
    tt_screen *s = &a->screens[a->n_screens];
    const tt_table_desc *d = tt_session_table(a->session, arg);
    if (!d) return false;
    tt_app_push_jump(a);
    if (s->opened) s->ops->close(s);
    s->opened = false;
    a->any_table = d;
    tt_app_go(a, a->n_screens);
    return true;
}

static bool cmd_flame(tt_app *a, const char *arg)
{
    (void)arg;
    tt_app_act(a, TT_ACT_FLAME);
    return true;
}

static bool cmd_theme(tt_app *a, const char *arg)
{
    if (!tt_settings_set(a, "theme", arg)) a->status[0] = 0;
    return strcmp(tt_theme_name(a->theme), arg) == 0;
}

static bool cmd_unit(tt_app *a, const char *arg) { return tt_settings_set(a, "unit", arg); }
static bool cmd_color(tt_app *a, const char *arg) { return tt_settings_set(a, "color", arg); }
static bool cmd_unicode(tt_app *a, const char *arg) { return tt_settings_set(a, "unicode", arg); }
static bool cmd_mouse(tt_app *a, const char *arg) { return tt_settings_set(a, "mouse", arg); }

static bool cmd_format(tt_app *a, const char *arg)
{
    static const char *const names[] = {[TT_OUT_TEXT] = "text", [TT_OUT_CSV] = "csv", [TT_OUT_JSON] = "json"};
    int f = 0;
    while (f < 3 && strcmp(names[f], arg) != 0) f++;
    if (f == 3) return false;
    a->file_format = (tt_out_format)f;
    tt_app_set_status(a, "Y copies %s", arg);
    return true;
}

/* The screen below the command line, which is gone by now. */
static bool cmd_dump(tt_app *a, const char *arg)
{
    tt_canvas c = {.ascii = a->ascii};
    tt_err err;
    unsigned how;
    if (!*arg || a->h <= 0) return false;
    if (!tt_app_may_write(a, "dump", arg, &how)) return true;
    tt_outfile *o = tt_outfile_open(arg, how, &a->session->inputs, &err);
    if (o) {
        tt_canvas_resize(&c, a->h, a->w);
        tt_app_draw(a, &c);
        tt_dump(tt_outfile_stream(o), &c, a->theme, TT_LEVEL_MONO, true);
        tt_canvas_free(&c);
    }
    if (o && tt_outfile_close(o, true, &err) == TT_OK) {
        tt_app_set_status(a, "screen written to %s", arg);
    } else {
        tt_app_set_status(a, "%.400s", err.message);
    }
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
    snprintf(a->find, sizeof a->find, "%s", arg);
    tt_app_act(a, TT_ACT_FIND_NEXT);
    return true;
}

static bool cmd_filter(tt_app *a, const char *arg)
{
    tt_screen *s = tt_app_current(a);
    if (!s->ops->filter) return false;
    if (!s->ops->filter(s, arg)) return a->status[0] != 0; /* the screen may have said why */
    snprintf(a->filter[a->at], sizeof a->filter[a->at], "%s", arg);
    return true;
}

/* ---- files ---- */

const char *const tt_table_endings[] =
    {[TT_OUT_TEXT] = ".txt", [TT_OUT_CSV] = ".csv", [TT_OUT_JSON] = ".json", [TT_OUT_JSON + 1] = NULL};
static const char *const trace_endings[] = {".json", ".json.gz", NULL};

int tt_app_ending(tt_app *a, const char *path, const char *const *endings)
{
    char list[128] = "";
    size_t n = strlen(path);
    for (int i = 0; endings[i]; i++) {
        size_t len = strlen(endings[i]), at = strlen(list);
        if (n > len && !strcmp(path + n - len, endings[i])) return i;
        snprintf(list + at, sizeof list - at, "%s%s", !i ? "" : endings[i + 1] ? ", " : " or ", endings[i]);
    }
    tt_app_set_status(a, "the name of the file ends in %s, not '%.200s'", list, path);
    return -1;
}

/* A part of the trace. */

typedef struct trace_job {
    tt_session *session;
    tt_scope scope;
    char path[512];
    unsigned how; /* of tui/files/outfile.h */
    tt_exported done;
    tt_err err;
    tt_status status;
    bool ran, merged;
} trace_job;

static void trace_run(void *arg)
{
    trace_job *j = arg;
    j->status = tt_export_file(j->session, &j->scope, j->merged, j->path, j->how, &j->done, &j->err);
    j->ran = true;
}

static void trace_done(void *arg, tt_app *a)
{
    trace_job *j = arg;
    char n[TT_TEXT_CAP];
    if (j->ran && j->status != TT_OK) {
        tt_app_set_status(a, "%.400s", j->err.message);
    } else if (j->ran) {
        tt_app_set_status(a, "%s%s written to %s%s", tt_format_counted(n, (int64_t)j->done.events, "event"),
                          j->merged ? " of all workers looked at" : "", j->path,
                          j->done.poor || j->done.lost || j->done.broken || j->done.alien || j->done.members
                              ? "; some without what could not be read again"
                              : "");
    }
    free(j);
}

void tt_app_export_trace(tt_app *a, const char *verb, const tt_scope *scope, const char *path)
{
    unsigned how;
    if (tt_app_ending(a, path, trace_endings) < 0 || !tt_app_may_write(a, verb, path, &how)) return;
    trace_job *j = tt_calloc(1, sizeof *j);
    j->how = how;
    j->session = a->session;
    j->scope = *scope;
    j->merged = tt_export_store(a->session, scope) == TT_NONE;
    snprintf(j->path, sizeof j->path, "%s", path);
    tt_app_set_status(a, "writing %s ...", path);
    tt_app_job(a, trace_run, trace_done, j);
}

static bool cmd_export_trace(tt_app *a, const char *arg)
{
    if (!*arg) return false;
    tt_app_export_trace(a, "export-trace", &a->scope, arg);
    return true;
}

static bool cmd_quit(tt_app *a, const char *arg)
{
    (void)arg;
    a->quit = true;
    return true;
}

static bool cmd_filter_regex(tt_app *a, const char *arg)
{
    char text[TT_PROMPT_CAP];
    snprintf(text, sizeof text, "~%s", arg);
    return cmd_filter(a, text);
}

static bool cmd_group(tt_app *a, const char *arg)
{
    tt_screen *s = tt_app_current(a);
    return s->ops->command && s->ops->command(s, "group", arg);
}

static const struct command {
    const char *name, *args;
    bool (*run)(tt_app *a, const char *arg); /* false: the argument is wrong. NULL: the screen runs it */
    const char *values, *help;
} commands[] = {
#define X(name, args, function, values, help) {name, args, function, values, help},
#include "tui/app/command_line.def"
#undef X
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

void tt_app_command(tt_app *a, const char *line)
{
    char verb[32];
    while (*line == ' ') line++;
    size_t n = strcspn(line, " ");
    if (!n) return;
    snprintf(verb, sizeof verb, "%.*s", (int)n, line);
    const char *arg = line + n + strspn(line + n, " ");
    tt_action act = tt_action_find(verb);
    const struct command *cmd = NULL;
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, verb) == 0) cmd = &commands[i];
    }
    if (act != TT_ACT_NONE && (!cmd || !*arg)) { /* "steps" alone opens the list, "steps 3" chooses */
        tt_app_act(a, act);
        return;
    }
    if (!a->session && !(cmd && cmd->run == cmd_quit)) {
        tt_app_set_status(a, "still loading");
        return;
    }
    tt_screen *s = tt_app_current(a);
    if (cmd && cmd->run) {
        if (!cmd->run(a, arg))
            tt_app_set_status(a, "usage: %s %s%s", cmd->name, cmd->args, cmd->values ? " (Tab lists what fits)" : "");
    } else if (!s->ops->command || !s->ops->command(s, verb, arg)) {
        if (!a->status[0])
            tt_app_set_status(a, cmd ? "'%s' does not fit this screen: %s" : "no command '%s' (Tab lists them)%s", verb,
                              cmd ? cmd->args : "");
    }
}

/* ---- completion ---- */

typedef struct word_list {
    const char *word[256];
    int n;
    const char *begin; /* what they have to begin with */
    size_t len;
} word_list;

static void offer(word_list *l, const char *word)
{
    bool room = l->n < (int)(sizeof l->word / sizeof *l->word);
    if (room && word && strncmp(word, l->begin, l->len) == 0) l->word[l->n++] = word;
}

/* Words between bars, each behind the prefix. */
static void offer_bars(word_list *l, tt_arena *keep, const char *prefix, const char *bars)
{
    while (bars && *bars) {
        size_t n = strcspn(bars, "|");
        offer(l, tt_arena_printf(keep, "%s%.*s", prefix, (int)n, bars));
        bars += n + (bars[n] == '|');
    }
}

static const tt_table *shown_table(const tt_app *a)
{
    const tt_screen *s = &a->screens[a->at];
    return s->opened && s->ops->table ? s->ops->table(s) : NULL;
}

static void offer_values(const tt_app *a, word_list *l, tt_arena *keep, const char *values)
{
    const tt_table *t = shown_table(a);
    if (strcmp(values, "<tab>") == 0) {
        for (int i = 0; i < a->n_screens; i++) offer(l, a->screens[i].ops->name);
    } else if (strcmp(values, "<table>") == 0) {
        tt_table_list tables = tt_session_tables(a->session);
        for (uint32_t i = 0; i < tables.n; i++) offer(l, tables.at[i]->id);
    } else if (strcmp(values, "<worker>") == 0 && a->session) {
        for (uint32_t i = 0; i < a->session->n_workers; i++) offer(l, a->session->workers[i]);
        offer(l, "all");
    } else if (strcmp(values, "<span>") == 0 && a->session) {
        for (uint32_t i = 0; i < a->session->n_spans; i++) offer(l, a->session->spans[i]);
        offer(l, "all");
    } else if (strcmp(values, "<column>") == 0 && t) {
        for (uint32_t i = 0; i < t->n_cols; i++) offer(l, t->cols[i]->key);
    } else if (strcmp(values, "<group>") == 0 && t) {
        for (int i = 0; t->desc->groups && t->desc->groups[i]; i++) offer(l, t->desc->groups[i]);
    } else if (strcmp(values, "<setting>") == 0) {
        for (const tt_setting *s = tt_settings; s->name; s++) {
            char prefix[40];
            snprintf(prefix, sizeof prefix, "%s=", s->name);
            if (strncmp(l->begin, prefix, strlen(prefix)) == 0) {
                offer_bars(l, keep, prefix, s->values);
            } else {
                offer(l, tt_arena_printf(keep, "%s", prefix));
            }
        }
    } else if (values[0] != '<') {
        offer_bars(l, keep, "", values);
    }
}

static const struct command *command_of(const char *typed)
{
    size_t n = strcspn(typed, " ");
    for (int i = 0; typed[n] && i < N_COMMANDS; i++) {
        if (strlen(commands[i].name) == n && strncmp(commands[i].name, typed, n) == 0) return &commands[i];
    }
    return NULL;
}

/* Where the word that is being typed begins: behind the command and, in lists, behind the last comma. */
static size_t word_start(const char *typed, const struct command *cmd)
{
    size_t n = strcspn(typed, " ");
    while (typed[n] == ' ') n++;
    const char *comma = strrchr(typed + n, ',');
    return comma && cmd && strcmp(cmd->name, "columns") == 0 ? (size_t)(comma + 1 - typed) : n;
}

/* Every word that may stand where the person types. */
static void words(const tt_app *a, const char *typed, word_list *l, tt_arena *keep)
{
    const struct command *cmd = command_of(typed);
    l->n = 0;
    l->begin = strchr(typed, ' ') ? typed + word_start(typed, cmd) : typed;
    l->len = strlen(l->begin);
    if (strchr(typed, ' ')) {
        if (cmd && cmd->values) offer_values(a, l, keep, cmd->values);
        return;
    }
    for (int i = 0; i < N_COMMANDS; i++) offer(l, commands[i].name);
    tt_context own = tt_app_context(a);
    for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
        const tt_action_info *info = &tt_actions[i];
        bool known = false;
        for (int k = 0; k < N_COMMANDS; k++) known = known || strcmp(commands[k].name, info->name) == 0;
        if (!known && (info->context == own || info->context == TT_CTX_MOTION || info->context == TT_CTX_GLOBAL))
            offer(l, info->name);
    }
}

void tt_app_candidates(tt_app *a)
{
    word_list l;
    tt_arena keep = {0};
    words(a, a->prompt.text, &l, &keep);
    size_t at = 0, cap = sizeof a->candidates;
    const struct command *cmd = command_of(a->prompt.text);
    a->candidates[0] = 0;
    for (int i = 0; i < l.n && at < cap - 1; i++) {
        tt_action act = cmd ? TT_ACT_NONE : tt_action_find(l.word[i]);
        char name[32] = "";
        if (act != TT_ACT_NONE) tt_app_key_of(a, &tt_actions[act - 1], name, sizeof name);
        at += (size_t)snprintf(a->candidates + at, cap - at, *name ? "%s%s(%s)" : "%s%s%s", i ? "  " : "", l.word[i],
                               name);
    }
    if (cmd && at < cap - 1)
        snprintf(a->candidates + at, cap - at, "%s%s %s: %s", at ? "     " : "", cmd->name, cmd->args, cmd->help);
    tt_arena_free(&keep);
}

void tt_app_complete(tt_app *a)
{
    word_list l;
    tt_arena keep = {0};
    char line[TT_PROMPT_CAP];
    const char *typed = a->prompt.text;
    words(a, typed, &l, &keep);
    if (l.n > 0) {
        size_t common = strlen(l.word[0]);
        for (int i = 1; i < l.n; i++) {
            size_t same = 0;
            while (same < common && l.word[i][same] == l.word[0][same]) same++;
            common = same;
        }
        int head = (int)(l.begin - typed);
        snprintf(line, sizeof line, "%.*s%.*s%s", head, typed, (int)common, l.word[0], l.n == 1 && !head ? " " : "");
        tt_prompt_set(&a->prompt, line);
        tt_app_candidates(a);
    }
    tt_arena_free(&keep);
}

/* ---- lists to choose from ---- */

void tt_picker_close(tt_picker *p)
{
    for (int i = 0; i < p->n; i++) free(p->items[i]);
    free(p->items);
    *p = (tt_picker){0};
}

static void picker_open(tt_app *a, const char *title, int n, void (*pick)(tt_app *, int))
{
    tt_picker_close(&a->picker);
    a->picker = (tt_picker){.title = title, .items = tt_calloc((size_t)n, sizeof(char *)), .n = n, .pick = pick};
}

static void pick_of_screen(tt_app *a, int index)
{
    tt_screen *s = tt_app_current(a);
    if (s->ops->picked) s->ops->picked(s, index);
}

void tt_app_pick(tt_app *a, const char *title, char **items, int n)
{
    tt_picker_close(&a->picker);
    a->picker = (tt_picker){.title = title, .items = items, .n = n, .pick = pick_of_screen};
}

bool tt_picker_key(tt_app *a, tt_key k)
{
    tt_picker *p = &a->picker;
    tt_action act = tt_action_of(TT_CTX_MOTION, k);
    int64_t to = tt_action_moved(act, p->at, p->n, 10, 10);
    if (to >= 0) {
        p->at = (int)to;
        return true;
    }
    switch (act) {
    case TT_ACT_ENTER: {
        void (*pick)(tt_app *, int) = p->pick;
        int at = p->at;
        tt_picker_close(p);
        pick(a, at);
        return true;
    }
    case TT_ACT_QUIT:
    case TT_ACT_REDRAW:
    case TT_ACT_SUSPEND: return false;
    default: tt_picker_close(p); return true;
    }
}

void tt_picker_draw(tt_picker *p, tt_canvas *c)
{
    int h = p->n + 2 < c->h ? p->n + 2 : c->h, w = c->w - 4 < 56 ? c->w - 4 : 56;
    tt_canvas in = tt_box(c, (c->h - h) / 2, (c->w - w) / 2, h, w, p->title);
    if (p->top > p->at) p->top = p->at;
    if (p->top + in.h <= p->at) p->top = p->at - in.h + 1;
    for (int i = 0; i < in.h && p->top + i < p->n; i++) {
        bool on = p->top + i == p->at;
        tt_put_char(&in, i, 0, TT_ROLE_STRONG, on ? '>' : ' ');
        tt_put_cut(&in, i, 1, TT_ROLE_POPUP, p->items[p->top + i], in.w - 2, TT_CUT_END);
        if (on) tt_restyle(&in, i, 0, 1, in.w, TT_ROLE_CURSOR);
    }
}

/* Steps of the first store in scope: what a person chooses from. */
static const tt_trace *steps_store(const tt_app *a)
{
    for (uint32_t i = 0; i < a->session->n_traces; i++) {
        if (tt_scope_has_store(a->session, &a->scope, i)) return a->session->traces[i];
    }
    return a->session->traces[0];
}

static bool has_steps(const tt_trace *s) { return s->n_steps && s->steps[0].row != TT_NONE; }

static void pick_step(tt_app *a, int i)
{
    tt_scope s = a->scope;
    const tt_trace *st = steps_store(a);
    s.has_steps = i > 0;
    if (i > 0) s.step_first = s.step_last = st->steps[i - 1].number;
    tt_app_set_scope(a, &s);
}

void tt_app_pick_steps(tt_app *a)
{
    const tt_trace *st = steps_store(a);
    if (!has_steps(st)) {
        tt_app_set_status(
            a,
            "this trace has no profiler steps (call prof.step() in the training loop, or record with --step-marker)");
        return;
    }
    picker_open(a, "Steps", (int)st->n_steps + 1, pick_step);
    a->picker.items[0] = tt_strdup("all steps");
    for (uint32_t i = 0; i < st->n_steps; i++) {
        char dur[TT_TEXT_CAP], line[96];
        const tt_step *step = &st->steps[i];
        tt_format_duration(dur, step->end - step->start, TT_UNIT_AUTO);
        snprintf(line, sizeof line, "step %-8lld %12s%s", (long long)step->number, dur,
                 step->kept ? "" : "  incomplete");
        a->picker.items[i + 1] = tt_strdup(line);
        if (a->scope.has_steps && a->scope.step_first == step->number) a->picker.at = (int)i + 1;
    }
}

/* The entries of the list: all; then each worker with all of its spans where there are several of both, and each of its
 * spans. Entry `index` as worker and span; the number of entries. */
static int store_choice(const tt_session *s, int index, int32_t *worker, int32_t *span)
{
    int n = 0;
    *worker = *span = TT_ALL;
    for (int32_t w = 0; w < (int32_t)s->n_workers; w++) {
        for (int32_t p = s->n_workers > 1 ? TT_ALL : 0; p < (int32_t)s->n_spans; p++) {
            tt_scope one = tt_scope_all;
            bool have = false;
            one.worker = s->n_workers > 1 ? w : TT_ALL;
            one.span = p;
            if (s->n_spans < 2 && p != TT_ALL) continue;
            for (uint32_t i = 0; i < s->n_traces; i++) have = have || tt_scope_has_store(s, &one, i);
            if (have && ++n == index) *worker = one.worker, *span = p;
        }
    }
    return n + 1;
}

static void pick_store(tt_app *a, int i)
{
    tt_scope s = a->scope;
    store_choice(a->session, i, &s.worker, &s.span);
    tt_app_set_scope(a, &s);
}

void tt_app_pick_store(tt_app *a)
{
    const tt_session *s = a->session;
    int32_t worker, span;
    int n = store_choice(s, 0, &worker, &span);
    if (s->n_traces < 2) {
        tt_app_set_status(a, "only one worker and span is loaded");
        return;
    }
    bool workers = s->n_workers > 1, spans = s->n_spans > 1;
    picker_open(a, workers && spans ? "Workers and spans" : workers ? "Workers" : "Spans", n, pick_store);
    a->picker.items[0] = tt_strdup(workers && spans ? "all workers, all spans" : workers ? "all workers" : "all spans");
    for (int i = 1; i < n; i++) {
        char line[256];
        store_choice(s, i, &worker, &span);
        snprintf(line, sizeof line, "%.160s%s%s%.60s", worker == TT_ALL ? "" : s->workers[worker],
                 worker != TT_ALL && spans ? "  " : "",
                 span != TT_ALL ? "span "
                 : spans        ? "all spans"
                                : "",
                 span == TT_ALL ? "" : s->spans[span]);
        a->picker.items[i] = tt_strdup(line);
        if (worker == a->scope.worker && span == a->scope.span) a->picker.at = i;
    }
}

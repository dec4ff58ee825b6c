/* tui/app/runs/run_page.c - see run_page.h. The selection is a path, so that it stays on its run when the list comes
 * anew. */
#include "tui/app/runs/run_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parser/discover/names.h"
#include "tui/app/app_api.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/runs/run_scan.h"
#include "tui/app/runs/runs.h"
#include "tui/app/session/app_open.h"

enum { AGE_W = 10, SIZE_W = 10, STEPS_W = 5, WORKERS_W = 7, BUSY_W = 6, TIME_W = 9, GAP = 2, LEAST_NAME = 16 };
enum { LEAST_VERDICT = 16, MUCH_VERDICT = 48 }; /* with much of it there is room for what else is known */

typedef TT_VEC(const tt_run_line *) line_list;

/* ---- which lines, which of them ---- */

/* Those that the filter leaves; the caller holds the lock and frees. */
static line_list lines_of(const tt_run_page *p, const tt_run_lines *all)
{
    line_list l = {0};
    for (size_t i = 0; i < all->n; i++)
        if (!*p->filter || strcasestr(all->at[i].name, p->filter)) *tt_vec_push(&l) = &all->at[i];
    return l;
}

static size_t chosen_of(const tt_run_page *p, const line_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->at[i]->run->path, p->chosen)) return i;
    return 0;
}

static void choose(tt_run_page *p, const tt_run_line *l) { snprintf(p->chosen, sizeof p->chosen, "%s", l->run->path); }

/* ---- opening and closing ---- */

void tt_run_page_root(const tt_app *a, char *out, size_t cap)
{
    if (a->runs.rooted) {
        snprintf(out, cap, "%s", a->runs.root);
    } else if (tt_app_several(a) || !strcmp(a->source, "-")) {
        *out = 0;
    } else {
        tt_runs_folder(a->source, out, cap);
    }
}

static void search_again(tt_app *a, const char *root)
{
    tt_run_page *p = &a->runs;
    tt_run_scan_stop(p->scan);
    p->scan = NULL;
    if (root != p->root) snprintf(p->root, sizeof p->root, "%s", root);
    p->scan = tt_run_scan_start(p->root, &a->opening.options, a->interactive, a->opening.options.notify,
                                a->opening.options.notify_arg);
}

void tt_run_page_open(tt_app *a, const char *root)
{
    tt_run_page *p = &a->runs;
    search_again(a, root);
    p->open = p->rooted = true;
    p->top = 0;
    *p->filter = *p->base = 0;
    snprintf(p->chosen, sizeof p->chosen, "%s", a->host.session ? a->source : "");
    for (size_t n = strlen(p->chosen); n > 1 && p->chosen[n - 1] == '/'; n--) p->chosen[n - 1] = 0;
    a->dirty = true;
}

bool tt_run_page_busy(const tt_app *a)
{
    if (!a->runs.open || !a->runs.scan) return false;
    const tt_run_lines *l = tt_run_scan_lock(a->runs.scan);
    bool busy = l->searching || l->reading;
    tt_run_scan_unlock(a->runs.scan);
    return busy;
}

/* What a line opens, out of the list that goes when the page closes. */
static void open_line(tt_app *a, const tt_run_line *l)
{
    const tt_search_run *r = l->run;
    char **inputs = tt_calloc(r->inputs.n, sizeof *inputs), source[TT_SOURCE_CAP];
    size_t n = r->inputs.n;
    for (size_t i = 0; i < n; i++) inputs[i] = tt_strdup(r->inputs.at[i]);
    if (strcmp(r->path, ".") != 0 || !getcwd(source, sizeof source)) snprintf(source, sizeof source, "%s", r->path);
    tt_run_scan_unlock(a->runs.scan);
    tt_app_close_runs(a);
    tt_app_open_run(a, source, (const char *const *)inputs, (uint32_t)n);
    for (size_t i = 0; i < n; i++) free(inputs[i]);
    free(inputs);
}

void tt_run_page_name(tt_app *a, const char *name)
{
    char root[TT_RUN_PATH_CAP];
    uint32_t like = 0;
    tt_run_page_root(a, root, sizeof root);
    tt_search s = tt_search_runs(*root ? root : ".", &tt_search_quick, NULL);
    const tt_search_run *exact = NULL, *part = NULL;
    for (size_t i = 0; i < s.runs.n && !exact; i++) {
        const tt_search_run *r = &s.runs.at[i];
        if (!strcmp(r->name, name) || !strcmp(r->path, name)) exact = r;
        if (strcasestr(r->name, name)) part = r, like++;
    }
    if (!exact && like == 1) exact = part;
    if (exact)
        tt_app_open_run(a, exact->path, (const char *const *)exact->inputs.at, (uint32_t)exact->inputs.n);
    else if (like)
        tt_app_set_status(a, "%u runs have '%.200s' in their names: A lists them", like, name);
    else if (access(name, F_OK) == 0)
        tt_app_open_run(a, name, &name, 1);
    else
        tt_app_set_status(a, "no run '%.200s' here: A lists them", name);
    tt_search_free(&s);
}

/* ---- the picture ---- */

/* Columns of a line, by what there is room for; 0 = not shown. */
typedef struct columns {
    int name, workers, steps, busy, time, size, age, verdict; /* where they begin */
    int name_w, verdict_w;
} columns;

static columns columns_of(int w, int longest)
{
    columns c = {.name = 2};
    int rest = w - 2 - 1, fixed = AGE_W + GAP;
    if (rest - fixed - LEAST_NAME >= SIZE_W + GAP) fixed += SIZE_W + GAP, c.size = 1;
    if (rest - fixed - LEAST_NAME >= STEPS_W + GAP) fixed += STEPS_W + GAP, c.steps = 1;
    if (rest - fixed - LEAST_NAME >= WORKERS_W + GAP) fixed += WORKERS_W + GAP, c.workers = 1;
    if (rest - fixed - LEAST_NAME - MUCH_VERDICT >= BUSY_W + GAP) fixed += BUSY_W + GAP, c.busy = 1;
    if (rest - fixed - LEAST_NAME - MUCH_VERDICT >= TIME_W + GAP) fixed += TIME_W + GAP, c.time = 1;
    c.name_w = rest - fixed;
    if (c.name_w - GAP - LEAST_VERDICT >= LEAST_NAME) { /* the name gives what it does not need */
        int most = (c.name_w - GAP) / 2;
        c.verdict_w = c.name_w - GAP - (longest < most ? (longest < LEAST_NAME ? LEAST_NAME : longest) : most);
        c.name_w -= GAP + c.verdict_w;
    }
    int x = c.name + c.name_w + GAP;
    if (c.workers) c.workers = x, x += WORKERS_W + GAP;
    if (c.steps) c.steps = x, x += STEPS_W + GAP;
    if (c.busy) c.busy = x, x += BUSY_W + GAP;
    if (c.time) c.time = x, x += TIME_W + GAP;
    if (c.size) c.size = x, x += SIZE_W + GAP;
    c.age = x;
    if (c.verdict_w) c.verdict = x + AGE_W + GAP;
    return c;
}

static void draw_heads(tt_canvas *c, const columns *at)
{
    tt_put(c, 0, at->name, TT_ROLE_HEAD, "Run", at->name_w);
    if (at->workers) tt_put_right(c, 0, at->workers, WORKERS_W, TT_ROLE_HEAD, "Workers");
    if (at->steps) tt_put_right(c, 0, at->steps, STEPS_W, TT_ROLE_HEAD, "Steps");
    if (at->busy) tt_put_right(c, 0, at->busy, BUSY_W, TT_ROLE_HEAD, "Busy");
    if (at->time) tt_put_right(c, 0, at->time, TIME_W, TT_ROLE_HEAD, "Account");
    if (at->size) tt_put_right(c, 0, at->size, SIZE_W, TT_ROLE_HEAD, "Size");
    tt_put_right(c, 0, at->age, AGE_W, TT_ROLE_HEAD_SORT, "Age");
    if (at->verdict) tt_put(c, 0, at->verdict, TT_ROLE_HEAD, "Verdict", at->verdict_w);
}

static bool is_open_run(const tt_app *a, const tt_run_line *l)
{
    size_t n = strlen(l->run->path);
    return a->host.session && !strncmp(a->source, l->run->path, n) && (!a->source[n] || !strcmp(a->source + n, "/"));
}

/* What is known of a run's account. */
static void draw_account(tt_canvas *c, int y, const columns *at, const tt_run_row *f)
{
    char text[TT_TEXT_CAP];
    if (at->steps)
        tt_put_right(c, y, at->steps, STEPS_W, f->steps != TT_UNKNOWN ? TT_ROLE_NUMBER : TT_ROLE_DIM,
                     f->steps != TT_UNKNOWN ? tt_format_count(text, f->steps) : "-");
    if (at->busy)
        tt_put_right(c, y, at->busy, BUSY_W, isfinite(f->busy_pct) ? TT_ROLE_NUMBER : TT_ROLE_DIM,
                     isfinite(f->busy_pct) ? tt_format_percent(text, f->busy_pct) : "-");
    if (at->time)
        tt_put_right(c, y, at->time, TIME_W, f->account_ns != TT_UNKNOWN ? TT_ROLE_NUMBER : TT_ROLE_DIM,
                     f->account_ns != TT_UNKNOWN ? tt_format_duration(text, f->account_ns, TT_UNIT_AUTO) : "-");
}

static void draw_line(const tt_app *a, tt_canvas *c, int y, const columns *at, const tt_run_line *l, bool on)
{
    char text[TT_TEXT_CAP], when[32];
    if (on) tt_put_char(c, y, 0, TT_ROLE_STRONG, '>');
    if (*a->runs.base && !strcmp(a->runs.base, l->run->path))
        tt_put_char(c, y, 1, TT_ROLE_MARKED, 'A');
    else if (is_open_run(a, l))
        tt_put_char(c, y, 1, TT_ROLE_STRONG, '*');
    tt_put_cut(c, y, at->name, TT_ROLE_NAME, strcmp(l->name, ".") != 0 ? l->name : ". (this folder)", at->name_w,
               TT_CUT_START);
    const tt_run_row *f = &l->facts;
    if (at->workers && f->workers != TT_UNKNOWN)
        tt_put_right(c, y, at->workers, WORKERS_W, TT_ROLE_NUMBER, tt_format_count(text, f->workers));
    if (l->read && !l->failed) draw_account(c, y, at, f);
    if (at->size && l->run->bytes)
        tt_put_right(c, y, at->size, SIZE_W, TT_ROLE_NUMBER, tt_format_bytes(text, (int64_t)l->run->bytes));
    tt_runs_age(when, l->run->changed);
    tt_put_right(c, y, at->age, AGE_W, TT_ROLE_DIM, when);
    if (at->verdict && l->read)
        tt_put_cut(c, y, at->verdict, f->verdict && !l->failed ? TT_ROLE_TEXT : TT_ROLE_DIM,
                   f->verdict ? f->verdict : "-", at->verdict_w, TT_CUT_END);
    if (on) tt_restyle(c, y, 0, 1, c->w, TT_ROLE_CURSOR);
}

/* Draw an empty page: the folder that was searched, and how to make a run. */
static void draw_nothing(const tt_app *a, tt_canvas *c, const tt_run_lines *l)
{
    tt_arena keep = {0};
    int y = 1, w = c->w - 4;
    if (l->searching) {
        tt_put(c, y, 2, TT_ROLE_DIM, "looking for traces ...", w);
        return;
    }
    if (*a->runs.filter && l->n) {
        tt_put(c, y, 2, TT_ROLE_DIM, "no run has this in its name", w);
        return;
    }
    tt_put(c, y++, 2, TT_ROLE_STRONG, "No traces below this folder", w);
    y +=
        1 + tt_put_wrapped(c, y + 1, 2, c->h - y - 1, w, TT_ROLE_TEXT,
                           tt_arena_printf(&keep,
                                           "Looked for %s, folders of profilers, and JSON files that hold traceEvents; "
                                           "hidden folders and links that lead out of this folder are left out.",
                                           tt_names_looked_for(&keep)));
    tt_put(c, ++y, 2, TT_ROLE_TITLE, "To look around", w);
    tt_put(c, ++y, 4, TT_ROLE_STRONG, "tracetty demo", w - 2);
    tt_put(c, ++y, 2, TT_ROLE_TITLE, "To record one", w);
    tt_put(c, ++y, 4, TT_ROLE_STRONG, "tracetty record python train.py", w - 2);
    tt_put(c, ++y, 4, TT_ROLE_TEXT, "or torch.profiler.profile(on_trace_ready=tensorboard_trace_handler(\"log\"))",
           w - 2);
    tt_put(c, ++y, 4, TT_ROLE_TEXT, "then: tracetty log", w - 2);
    tt_arena_free(&keep);
}

/* Below the list: all of the selected run, whatever its line had room for. */
static void draw_detail(tt_canvas *c, int y, const tt_run_line *l)
{
    const tt_run_row *f = &l->facts;
    tt_arena keep = {0};
    char part[TT_TEXT_CAP];
    const char *facts = tt_arena_printf(&keep, "%s", tt_format_counted(part, l->run->n_traces, "trace"));
    if (f->source) facts = tt_arena_printf(&keep, "%s, %s", facts, f->source);
    if (f->account_ns != TT_UNKNOWN)
        facts = tt_arena_printf(&keep, "%s, %s", facts, tt_format_duration(part, f->account_ns, TT_UNIT_AUTO));
    if (f->steps != TT_UNKNOWN)
        facts = tt_arena_printf(&keep, "%s in %s", facts, tt_format_counted(part, f->steps, "step"));
    if (isfinite(f->busy_pct))
        facts = tt_arena_printf(&keep, "%s, %s busy", facts, tt_format_percent(part, f->busy_pct));
    tt_rule(c, y, NULL, NULL);
    int x = 1 + tt_put_cut(c, y + 1, 1, TT_ROLE_STRONG, l->run->path, c->w / 2, TT_CUT_START);
    tt_put_cut(c, y + 1, x + 2, TT_ROLE_DIM, facts, c->w - x - 3, TT_CUT_END);
    const char *said = f->verdict                     ? f->verdict
                       : l->read                      ? "-"
                       : l->run->bytes > TT_RUN_SMALL ? "too large to be read for a look: Enter opens it"
                                                      : "not read yet";
    tt_put_cut(c, y + 2, 1, f->verdict ? TT_ROLE_TEXT : TT_ROLE_DIM, said, c->w - 2, TT_CUT_END);
    tt_arena_free(&keep);
}

void tt_run_page_draw(tt_app *a, tt_canvas *c)
{
    tt_run_page *p = &a->runs;
    const tt_run_lines *all = tt_run_scan_lock(p->scan);
    line_list l = lines_of(p, all);
    int below = c->h >= 12 ? 3 : 0, longest = 0;
    size_t at = chosen_of(p, &l);
    p->y0 = 1;
    p->rows = c->h - 1 - below;
    for (size_t i = 0; i < l.n; i++) {
        int w = tt_text_width(l.at[i]->name, strlen(l.at[i]->name));
        if (w > longest) longest = w;
    }
    if (p->top > at) p->top = at;
    if (p->rows > 0 && p->top + (size_t)p->rows <= at) p->top = at - (size_t)p->rows + 1;
    columns cols = columns_of(c->w, longest);
    if (l.n) draw_heads(c, &cols);
    for (int i = 0; i < p->rows && p->top + (size_t)i < l.n; i++)
        draw_line(a, c, 1 + i, &cols, l.at[p->top + (size_t)i], p->top + (size_t)i == at);
    if (l.n && below) draw_detail(c, c->h - below, l.at[at]);
    if (!l.n) draw_nothing(a, c, all);
    tt_vec_free(&l);
    tt_run_scan_unlock(p->scan);
}

void tt_run_page_draw_head(const tt_app *a, tt_canvas *c)
{
    const tt_run_page *p = &a->runs;
    char count[TT_TEXT_CAP], right[200] = "", some[32] = "", closed[40] = "", out[40] = "", here[TT_RUN_PATH_CAP];
    const tt_run_lines *l = tt_run_scan_lock(p->scan);
    if (*p->filter) {
        line_list some_of = lines_of(p, l);
        snprintf(some, sizeof some, "%zu of ", some_of.n);
        tt_vec_free(&some_of);
    }
    if (l->closed) snprintf(closed, sizeof closed, ", %u unreadable", l->closed);
    if (l->led_out) snprintf(out, sizeof out, ", %u link%s out not followed", l->led_out, l->led_out > 1 ? "s" : "");
    if (l->searching)
        snprintf(right, sizeof right, "searching");
    else
        snprintf(right, sizeof right, "%s%s%s%s%s%s", some, tt_format_counted(count, (int64_t)l->n, "run"),
                 l->stopped   ? ", stopped "
                 : l->reading ? ", reading"
                              : ", newest first",
                 l->stopped ? l->stopped : "", closed, out);
    tt_run_scan_unlock(p->scan);
    if (!a->host.session) tt_put(c, 0, 1, TT_ROLE_BRAND, "tracetty", -1);
    if (!a->host.session) tt_put(c, 0, 11, TT_ROLE_TITLE, "Runs", -1);
    if (*p->root || !getcwd(here, sizeof here)) snprintf(here, sizeof here, "%s", *p->root ? p->root : ".");
    int w = (int)strlen(right) + 2;
    if (w > c->w / 2 + 10) w = c->w / 2 + 10;
    tt_put_cut(c, 1, 1, TT_ROLE_FILE, here, c->w - 2 - w, TT_CUT_START);
    tt_put_cut(c, 1, c->w - w + 1, TT_ROLE_DIM, right, w - 2, TT_CUT_END);
}

void tt_run_page_draw_keys(const tt_app *a, tt_canvas *c, int y)
{
    static const struct {
        const char *key, *text;
    } keys[] = {{"Enter", "open"}, {"=", "compare two"}, {"/", "filter"}, {"R", "search again"}};
    static const char help[] = "help";
    const int last = (int)sizeof help + 2 + 2 + 6 + 2; /* how to get help and how to leave are always there */
    int x = 1;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int need = (int)(strlen(keys[i].key) + strlen(keys[i].text)) + 3;
        if (x + need + last > c->w) continue;
        x += tt_put(c, y, x, TT_ROLE_KEY, keys[i].key, -1) + 1;
        x += tt_put(c, y, x, TT_ROLE_KEY_TEXT, keys[i].text, -1) + 2;
    }
    x += tt_put(c, y, x, TT_ROLE_KEY, "?", -1) + 1;
    x += tt_put(c, y, x, TT_ROLE_KEY_TEXT, help, -1) + 2;
    x += tt_put(c, y, x, TT_ROLE_KEY, "q", -1) + 1;
    tt_put(c, y, x, TT_ROLE_KEY_TEXT, a->host.session ? "back" : "exit", -1);
}

/* ---- keys ---- */

void tt_run_page_filter(tt_app *a, const char *text)
{
    snprintf(a->runs.filter, sizeof a->runs.filter, "%s", text);
    a->dirty = true;
}

/* Compare two runs: the first is the base, and the second replaces the open run. The caller holds the lock. */
static void compare(tt_app *a, const tt_run_line *l)
{
    tt_run_page *p = &a->runs;
    char base[TT_RUN_PATH_CAP], now[TT_RUN_PATH_CAP];
    if (!*p->base) {
        snprintf(p->base, sizeof p->base, "%s", l->run->path);
        tt_run_scan_unlock(p->scan);
        tt_app_set_status(a, "base set: = on another one compares");
        return;
    }
    bool same = !strcmp(p->base, l->run->path);
    snprintf(base, sizeof base, "%s", p->base);
    snprintf(now, sizeof now, "%s", l->run->path);
    *p->base = 0;
    tt_run_scan_unlock(p->scan);
    if (same) return;
    tt_app_close_runs(a);
    tt_app_compare_runs(a, base, now);
}

static void leave(tt_app *a)
{
    tt_run_page *p = &a->runs;
    if (*p->filter) {
        *p->filter = 0;
    } else if (*p->base) {
        *p->base = 0;
    } else if (a->host.session) {
        tt_app_close_runs(a);
    }
}

bool tt_run_page_key(tt_app *a, tt_key k)
{
    tt_run_page *p = &a->runs;
    tt_action act = tt_action_of(TT_CTX_MOTION, k);
    if (act == TT_ACT_FIND || act == TT_ACT_FILTER) {
        tt_prompt_open(&a->prompt, TT_PROMPT_FILTER, p->filter);
        snprintf(a->search.filter_before, sizeof a->search.filter_before, "%s", p->filter);
        return true;
    }
    const tt_run_lines *all = tt_run_scan_lock(p->scan);
    line_list l = lines_of(p, all);
    size_t at = chosen_of(p, &l);
    const tt_run_line *line = l.n ? l.at[at] : NULL;
    int64_t to = tt_action_moved(act, (int64_t)at, (int64_t)l.n, p->rows / 2, p->rows);
    if (to >= 0 && line) choose(p, l.at[to]);
    tt_vec_free(&l);
    if (act == TT_ACT_ENTER && line) {
        open_line(a, line); /* and the lock */
        return true;
    }
    if (act == TT_ACT_COMPARE && line) {
        compare(a, line);
        return true;
    }
    tt_run_scan_unlock(p->scan);
    if (to >= 0) return true;
    switch (act) {
    case TT_ACT_FILTER_CLEAR: *p->filter = 0; return true;
    case TT_ACT_RELOAD: search_again(a, p->root); return true;
    case TT_ACT_CANCEL: leave(a); return true;
    case TT_ACT_BACK_OR_QUIT:
        if (!a->host.session) a->want.quit = true;
        tt_app_close_runs(a);
        return true;
    case TT_ACT_RUNS:
        if (a->host.session) tt_app_close_runs(a);
        return true;
    case TT_ACT_QUIT:
    case TT_ACT_HELP:
    case TT_ACT_COMMAND:
    case TT_ACT_REDRAW:
    case TT_ACT_SUSPEND: return false;
    default:
        if (a->host.session && act >= TT_ACT_TAB_1 && act <= TT_ACT_TAB_9) {
            tt_app_close_runs(a);
            return false;
        }
        return true;
    }
}

void tt_run_page_mouse(tt_app *a, const tt_mouse *m)
{
    tt_run_page *p = &a->runs;
    int row = m->y - 2 - p->y0;
    if (m->what == TT_MOUSE_WHEEL) {
        tt_run_page_key(a, m->wheel < 0 ? TT_KEY_UP : TT_KEY_DOWN);
        return;
    }
    if ((m->what != TT_MOUSE_PRESS && m->what != TT_MOUSE_DOUBLE) || row < 0 || row >= p->rows) return;
    const tt_run_lines *all = tt_run_scan_lock(p->scan);
    line_list l = lines_of(p, all);
    bool there = p->top + (size_t)row < l.n;
    if (there) choose(p, l.at[p->top + (size_t)row]);
    tt_vec_free(&l);
    tt_run_scan_unlock(p->scan);
    if (there && m->what == TT_MOUSE_DOUBLE) tt_run_page_key(a, TT_KEY_ENTER);
}

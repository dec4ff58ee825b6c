/* tui/screens/kernel_card.c - all facts about one kernel: its launches and their callers, its cost, and its calls
 * with the longest first. The screen has no tab; Enter on a kernel opens it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/group_by.h"
#include "model/base/mem.h"
#include "model/tables/devices/kernel_card.h"
#include "model/text/demangle.h"
#include "model/trace/rules/advice.h"
#include "tui/screen/host.h"
#include "tui/table/table_widget.h"
#include "tui/widgets/format_value.h"

enum { SMALL = 16, LIST_SMALL = 4, LIST_LEAST = 9, SHAPES = 3, LINES = 2, KEY_W = 11, WIDE = 110 };

typedef struct card_job {
    tt_screen *screen;
    const tt_session *session;
    tt_scope scope;
    uint32_t trace;
    char *name;
    unsigned serial;
    tt_kernel_card *card;
} card_job;

typedef struct kernel_screen {
    char *name; /* name of the kernel, NULL = no kernel was chosen */
    uint32_t trace;
    tt_kernel_card *card; /* the card, NULL while the worker makes it */
    tt_table_view *list;
    unsigned serial;
    int list_y;
} kernel_screen;

static kernel_screen *of(const tt_screen *s) { return s->state; }

/* ---- making ---- */

static void card_run(void *arg)
{
    card_job *j = arg;
    j->card = tt_kernel_card_make(j->session, &j->scope, j->trace, j->name);
}

static void card_done(void *arg, tt_host *a)
{
    card_job *j = arg;
    kernel_screen *x = of(j->screen);
    if (j->serial == x->serial && j->card) {
        tt_kernel_card_free(x->card);
        x->card = j->card;
        tt_host_dirty(a);
    } else {
        tt_kernel_card_free(j->card);
    }
    free(j->name);
    free(j);
}

static void ask(tt_screen *s)
{
    kernel_screen *x = of(s);
    card_job *j = tt_calloc(1, sizeof *j);
    if (x->trace >= tt_host_session(s->host)->n_traces) x->trace = 0;
    *j = (card_job){.screen = s,
                    .session = tt_host_session(s->host),
                    .scope = *tt_host_scope(s->host),
                    .trace = x->trace,
                    .name = tt_strdup(x->name),
                    .serial = ++x->serial};
    tt_host_job(s->host, card_run, card_done, j);
}

static void choose(tt_screen *s, const char *name, uint32_t trace)
{
    kernel_screen *x = of(s);
    tt_table_style style = {.no_detail = true, .statistics = true};
    tt_drilldown o = {.what = TT_DRILL_SLICES, .kinds = 1u << TT_KIND_KERNEL, .trace = trace};
    char *copy = tt_strdup(name); /* name may be x->name, which is freed next */
    free(x->name);
    x->name = copy;
    x->trace = trace;
    o.name = x->name;
    tt_kernel_card_free(x->card);
    x->card = NULL;
    tt_table_view_free(x->list);
    x->list = tt_table_view_slices(s->host, &o, x->name, &style);
    ask(s);
}

static bool takes_kernel(const tt_host *host, const tt_show_target *to)
{
    (void)host;
    return to->kind == TT_SHOW_KERNEL;
}

static bool show_kernel(tt_screen *s, const tt_show_target *to)
{
    const tt_drilldown *o = to->what;
    if (!o->name) return false;
    if (!of(s)->name || of(s)->trace != o->trace || strcmp(of(s)->name, o->name) != 0) choose(s, o->name, o->trace);
    return true;
}

static void close_kernel(tt_screen *s)
{
    kernel_screen *x = of(s);
    x->serial++;
    tt_table_view_free(x->list);
    tt_kernel_card_free(x->card);
    free(x->name);
}

static void scope_kernel(tt_screen *s)
{
    if (!of(s)->name) return;
    tt_table_view_scope(of(s)->list);
    ask(s);
}

static void renew_kernel(tt_screen *s, int64_t shift)
{
    kernel_screen *x = of(s);
    if (!x->name) return;
    x->trace = tt_host_trace_now(s->host, x->trace);
    tt_kernel_card_free(x->card);
    x->card = NULL;
    tt_table_view_renew(x->list, shift);
    ask(s);
}

/* ---- drawing ---- */

typedef struct pen { /* facts below each other; c NULL: the lines are counted, not drawn */
    tt_canvas *c;
    int y, w;
    tt_unit unit;
} pen;

static void fact_cut(pen *p, const char *key, const char *text, const char *rest, tt_cut cut)
{
    int room = p->w - KEY_W - 2, rest_w = rest ? (int)strlen(rest) : 0, x = 1 + KEY_W;
    if (rest_w > room / 2) rest_w = 0;
    if (p->c && p->y < p->c->h) {
        tt_put_cut(p->c, p->y, 1, TT_ROLE_DIM, key, KEY_W - 1, TT_CUT_END);
        x += tt_put_cut(p->c, p->y, x, cut == TT_CUT_PLACE ? TT_ROLE_STRONG : TT_ROLE_TEXT, text, room - rest_w, cut);
        if (rest_w) tt_put(p->c, p->y, x, TT_ROLE_DIM, rest, rest_w);
    }
    p->y++;
}

static void fact(pen *p, const char *key, const char *text) { fact_cut(p, key, text, NULL, TT_CUT_END); }

static void time_facts(pen *p, const tt_kernel_card *k)
{
    char n[TT_TEXT_CAP], ns[TT_TEXT_CAP], mean[TT_TEXT_CAP], pct[TT_TEXT_CAP], text[256];
    if (!k->calls) {
        fact(p, "share", "no calls in this scope");
        return;
    }
    snprintf(text, sizeof text, "%s of GPU time   %s in %s, %s each",
             tt_format_percent(pct, tt_pct((double)k->total_ns, (double)k->busy_ns)),
             tt_format_duration(ns, k->total_ns, p->unit), tt_format_counted(n, k->calls, "call"),
             tt_format_duration(mean, k->total_ns / k->calls, p->unit));
    fact(p, "share", text);
    if (k->on_path_ns == TT_UNKNOWN || !k->on_path_ns) return;
    snprintf(text, sizeof text, "%s, %s of the critical path", tt_format_duration(ns, k->on_path_ns, p->unit),
             tt_format_percent(pct, tt_pct((double)k->on_path_ns, (double)k->path_ns)));
    fact(p, "path", text);
}

/* A rate with its share of the peak: "12.7 TFLOP/s, 1.3% of 989". */
static void add_rate(tt_buf *line, double rate, const char *unit, double peak)
{
    char pct[TT_TEXT_CAP];
    if (!isfinite(rate)) return;
    tt_buf_list(line, "   ", "%.3g %s", rate, unit);
    if (isfinite(peak) && peak > 0)
        tt_buf_add(line, ", %s of the peak %.4g", tt_format_percent(pct, 100 * rate / peak), peak);
}

/* Write how much of the device's peak the kernel's operators reach. */
static void roof_fact(pen *p, const tt_kernel_card *k)
{
    if (!k->roof.calls) {
        char text[300];
        snprintf(text, sizeof text, "on tensor cores; no rate: %s", k->advice->record_shapes);
        if (k->calls && k->tensor_core) fact(p, "rate", text);
        return;
    }
    tt_roofline_rate r = tt_roofline_rate_of(&k->roof, &(tt_options){0});
    char text[256], b[TT_TEXT_CAP];
    tt_buf line = tt_buf_of(text);
    add_rate(&line, r.tflops_per_s, "TFLOP/s", r.peak_tflops);
    add_rate(&line, r.gb_per_s, "GB/s", r.peak_gb_per_s);
    if (!line.n) return;
    if (k->tensor_core) tt_buf_add(&line, "   tensor cores");
    if (k->roof.calls != k->calls)
        tt_buf_add(&line, "   (%s of operators)", tt_format_counted(b, k->roof.calls, "call"));
    fact(p, "rate", text);
}

static void shape_fact(pen *p, const tt_trace *t, const tt_kernel_card *k, size_t i)
{
    const tt_launch_shape *l = k->shapes.at[i].shape;
    char text[320], part[TT_TEXT_CAP], pct[TT_TEXT_CAP];
    tt_buf line = tt_buf_of(text);
    if (l->grid) tt_buf_add(&line, "grid %.60s  ", tt_str(&t->strings, l->grid));
    if (l->block) tt_buf_add(&line, "block %.60s  ", tt_str(&t->strings, l->block));
    if (l->registers != TT_UNKNOWN) tt_buf_add(&line, "%lld registers  ", (long long)l->registers);
    if (l->shared_bytes != TT_UNKNOWN && l->shared_bytes > 0)
        tt_buf_add(&line, "%s shared  ", tt_format_bytes(part, l->shared_bytes));
    if (l->occupancy_pct == l->occupancy_pct)
        tt_buf_add(&line, "occupancy %s  ", tt_format_percent(part, l->occupancy_pct));
    if (!line.n) return;
    bool all = k->shapes.n == 1 && k->shapes.at[i].calls == k->calls;
    if (!all)
        tt_buf_add(&line, "%s of the calls",
                   tt_format_percent(pct, tt_pct((double)k->shapes.at[i].calls, (double)k->calls)));
    fact(p, i ? "" : "launch", text);
}

/* Write the most frequent of some texts, and the number of further texts. */
static void line_facts(pen *p, const char *key, const tt_card_line *at, size_t n, int64_t calls, tt_cut cut)
{
    size_t most = p->c && p->c->h < 8 ? 1 : LINES;
    for (size_t i = 0; i < n && i < most; i++) {
        char rest[96] = "";
        tt_buf line = tt_buf_of(rest);
        if (at[i].calls != calls)
            tt_buf_add(&line, "  %.1f%% of the calls", tt_pct((double)at[i].calls, (double)calls));
        if (i + 1 == most && n > most) tt_buf_add(&line, ", +%zu", n - most);
        fact_cut(p, i ? "" : key, at[i].text, rest, cut);
    }
}

/* Write the operators around most launches of the kernel, the outermost first. */
static void operator_fact(pen *p, const tt_kernel_card *k)
{
    char text[400];
    tt_buf line = tt_buf_of(text);
    uint32_t depth = 0;
    for (size_t i = 0; i < k->callers.n; i++) { /* at each depth, the caller that costs most */
        const tt_card_caller *a = &k->callers.at[i];
        if (a->depth != depth || (i && a->depth <= k->callers.at[i - 1].depth)) break;
        tt_buf_list(&line, " > ", "%s", a->name);
        depth++;
    }
    if (line.n) fact_cut(p, "operator", text, NULL, TT_CUT_START);
}

/* Write where the kernel comes from. */
static void draw_drilldown(pen *p, const tt_kernel_card *k)
{
    if (k->lines.n) line_facts(p, "line", k->lines.at, k->lines.n, k->calls, TT_CUT_PLACE);
    char text[300];
    snprintf(text, sizeof text, "not recorded: %s", k->advice->record_lines);
    if (k->calls && !k->lines.n) fact(p, "line", text);
    operator_fact(p, k);
    line_facts(p, "module", k->modules.at, k->modules.n, k->calls, TT_CUT_START);
}

/* Write the cost of the kernel and how it runs. */
static void draw_cost(pen *p, const tt_trace *t, const tt_kernel_card *k)
{
    time_facts(p, k);
    roof_fact(p, k);
    for (size_t i = 0; i < k->shapes.n && i < SHAPES; i++) shape_fact(p, t, k, i);
}

/* Write the callers that launch the kernel, from the outermost operator or range to the innermost. */
static void draw_callers(pen *p, const tt_kernel_card *k, int most)
{
    char ns[TT_TEXT_CAP], n[TT_TEXT_CAP];
    int value_w = 26, end = p->y + most;
    for (size_t i = 0; i < k->callers.n && p->y < end; i++, p->y++) {
        const tt_card_caller *a = &k->callers.at[i];
        int indent = 1 + 2 * (int)(a->depth < 12 ? a->depth : 12);
        if (!p->c || p->y >= p->c->h) continue;
        if (p->y + 1 == end && i + 1 < k->callers.n) {
            tt_putf(p->c, p->y, 1, TT_ROLE_DIM, p->w - 2, "%zu more", k->callers.n - i);
            continue;
        }
        tt_put_cut(p->c, p->y, indent, TT_ROLE_NAME, a->name, p->w - indent - value_w - 2, TT_CUT_MIDDLE);
        tt_put_right(p->c, p->y, p->w - value_w - 1, 12, TT_ROLE_NUMBER, tt_format_duration(ns, a->ns, p->unit));
        tt_put_right(p->c, p->y, p->w - value_w + 11, 14, TT_ROLE_DIM, tt_format_counted(n, a->calls, "call"));
    }
}

static int lines_of(const char *name, int w) { return 1 + ((int)strlen(name) - 1) / (w > 1 ? w : 1); }

/* Draw name, facts and callers on the first lines of c; returns the number of lines used, at most `most`. */
static int draw_card(const tt_screen *s, tt_canvas *c, int most)
{
    const kernel_screen *x = of(s);
    const tt_kernel_card *k = x->card;
    const tt_trace *t = tt_host_session(s->host)->traces[x->trace];
    char *plain = tt_demangle_shown(x->name);
    const char *name = plain ? plain : x->name;
    int name_h = lines_of(name, c->w - 2), y = 1;
    bool wide = c->w >= WIDE;
    if (name_h > 3) name_h = most >= 12 ? 3 : 1;
    tt_rule(c, 0, "Kernel", c->w >= 60 ? "Enter timeline   E edit source   Esc back" : "Esc back");
    if (name_h == 1) {
        tt_put_cut(c, y++, 1, TT_ROLE_STRONG, name, c->w - 2, TT_CUT_KERNEL);
    } else {
        y += tt_put_wrapped(c, y, 1, name_h, c->w - 2, TT_ROLE_STRONG, name);
    }
    free(plain);
    if (!k) {
        tt_put(c, y++, 1, TT_ROLE_DIM, "computing ...", -1);
        return y < most ? y : most;
    }
    tt_canvas above = tt_canvas_window(c, 0, 0, most, c->w);
    pen head = {&above, y, c->w, (tt_unit)tt_host_unit(s->host)};
    draw_drilldown(&head, k);
    y = head.y < most ? head.y : most;
    int room = most - y, left_w = wide ? c->w * 3 / 5 : c->w;
    tt_canvas left = tt_canvas_window(c, y, 0, room, left_w);
    pen p = {&left, 0, left_w, head.unit};
    draw_cost(&p, t, k);
    if (!k->callers.n) return y + (p.y < room ? p.y : room);
    pen q = p;
    tt_canvas right = tt_canvas_window(c, y, left_w, room, c->w - left_w);
    int at = wide ? 0 : p.y;
    if (wide) q = (pen){&right, 0, right.w, p.unit};
    if (room - at < 2) return y + (p.y < room ? p.y : room);
    tt_put(q.c, at, 1, TT_ROLE_TITLE, "Callers", -1);
    q.y = at + 1;
    draw_callers(&q, k, room - at - 1);
    int used = p.y > q.y ? p.y : q.y;
    return y + (used < room ? used : room);
}

static void draw_kernel(tt_screen *s, tt_canvas *c)
{
    kernel_screen *x = of(s);
    if (!x->name) {
        tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_DIM, "no kernel is chosen: Enter on one opens it here");
        return;
    }
    int most = c->h - (c->h < SMALL ? LIST_SMALL : LIST_LEAST), used = most > 2 ? draw_card(s, c, most) : 0;
    tt_canvas rest = tt_canvas_window(c, used, 0, c->h - used, c->w);
    x->list_y = used;
    tt_table_view_draw(x->list, &rest, true);
}

/* ---- keys ---- */

static bool act_kernel(tt_screen *s, tt_action a)
{
    kernel_screen *x = of(s);
    if (x->name && tt_table_view_act(x->list, a)) return true;
    return a == TT_ACT_CANCEL && tt_host_jump_back(s->host);
}

/* Copy the name of the kernel, or the list of its calls. */
static char *copy_kernel(void *o, bool all)
{
    const kernel_screen *x = of(o);
    return all ? tt_table_focus.copy(x->list, true) : x->name ? tt_strdup(x->name) : NULL;
}

static tt_focus focus_kernel(const tt_screen *s)
{
    static const tt_focus_ops name = {.copy = copy_kernel, .export_name = "calls.csv"};
    tt_focus f = tt_focus_on(s, &name);
    f.at[1] = (tt_focus_part){&tt_table_focus, of(s)->list};
    return f;
}

static bool mouse_kernel(tt_screen *s, const tt_mouse *m)
{
    kernel_screen *x = of(s);
    tt_mouse in = *m;
    in.y -= x->list_y;
    return x->name && in.y >= 0 && tt_table_view_mouse(x->list, &in);
}

static void save_kernel(const tt_screen *s, tt_screen_place *p)
{
    const kernel_screen *x = of(s);
    if (!x->name) return;
    p->kernel.name = tt_hash(x->name, strlen(x->name));
    p->kernel.trace = x->trace;
    tt_table_view_save(x->list, &p->table);
}

/* Show the kernel of a place; its name is the same in a session that has grown. */
static void restore_kernel(tt_screen *s, const tt_screen_place *p)
{
    kernel_screen *x = of(s);
    const tt_session *session = tt_host_session(s->host);
    uint32_t trace = p->kernel.trace;
    if (!p->kernel.name || trace >= session->n_traces) return;
    const tt_trace *t = session->traces[trace];
    bool here = x->name && x->trace == trace && tt_hash(x->name, strlen(x->name)) == p->kernel.name;
    for (uint32_t i = 0; !here && i < t->n_dev; i++) {
        const char *name = tt_row_name(t, t->dev[i].row);
        if (tt_hash(name, strlen(name)) != p->kernel.name) continue;
        choose(s, name, trace);
        here = true;
    }
    if (here) tt_table_view_restore(x->list, &p->table);
}

static void carry_kernel(const tt_screen *s, const tt_session *old, int64_t shift, tt_screen_place *p)
{
    (void)old, (void)shift;
    p->kernel.trace = tt_host_trace_now(s->host, p->kernel.trace);
}

const tt_screen_ops tt_screen_kernel = {
    .tab = {.name = "kernel", .title = "Kernel", .brief = "Kernel"},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(kernel_screen),
    .close = close_kernel,
    .renew = renew_kernel,
    .scope = scope_kernel,
    .draw = draw_kernel,
    .act = act_kernel,
    .takes = takes_kernel,
    .show = show_kernel,
    .focus = focus_kernel,
    .mouse = mouse_kernel,
    .place = {.save = save_kernel, .restore = restore_kernel, .carry = carry_kernel},
};

/* tui/screens/memory/memory.c - the Memory screen: allocated and reserved memory over time, what was alive at the
 * cursor, allocations, operators; of a memory snapshot by stack, with a map of the segments or a flame graph in the
 * plot's place (memory_snapshot.h).
 *
 * The plot begins with all of the curve, and shares its window and its cursor with the timeline when a person links
 * them. Until the cursor has been moved, what is listed as live is what was there at the peak. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/index/dense.h"
#include "model/index/memory_curve.h"
#include "model/tables/cells.h"
#include "model/tables/memory/columns.h"
#include "model/tables/memory/memory.h"
#include "model/tables/registry/registry.h"
#include "model/trace/rules/advice.h"
#include "tui/charts/memory_plot.h"
#include "tui/screen/host.h"
#include "tui/screen/table_fetch.h"
#include "tui/screens/empty.h"
#include "tui/screens/memory/memory_snapshot.h"
#include "tui/table/panes.h"
#include "tui/widgets/format_value.h"
#include "tui/widgets/ruler.h"

enum { ALIVE, EVENTS, OPERATORS, DEVICES, NAMES, N_PANES };
static const tt_pane panes[N_PANES] = {
    [ALIVE] = {"memory_alive", "Live", NULL},
    [EVENTS] = {"memory_events", "Allocations", NULL},
    [OPERATORS] = {"memory_operators", "Operators", NULL},
    [DEVICES] = {"memory_devices", "Devices", NULL},
    [NAMES] = {"memory_names", "Events by name", NULL},
};
enum { LABEL_W = 11, SETTLE_MS = 120, STRIP_FROM = 11 };

typedef struct memory {
    tt_panes panes;             /* first: see tui/table/panes.h */
    tt_memory_curves *curves;   /* the curves, owned; NULL = not there yet */
    tt_memory_curves *computed; /* the curves as the worker computes them: at most one such job exists */
    uint32_t series;
    int64_t t0, t1, at;
    int64_t all0, all1; /* the part of the axis that is shown at first: its dense part, with the peak */
    bool whole;         /* the window is that part, however long the part becomes */
    bool linked;        /* the plot shares the window of the timeline */
    bool chosen;        /* the user has placed the cursor; else the cursor is at the peak */
    int64_t out_at;     /* when memory ran out, shown once the curves are there; else TT_UNKNOWN */
    unsigned look;
    int64_t alive_at, alive_of; /* moment and series that the table of live allocations is about */
    int64_t moved_ms;
    char title[160];
    char holder[160]; /* the largest holder at the peak of device `holder_of`, for the plot */
    int64_t holder_of;
    int x, y, w, h;                   /* place of the plot in the last frame */
    enum { CURVE, MAP, FLAME } chart; /* MAP and FLAME: of a memory snapshot only */
    tt_memory_map map;
    tt_memory_flame *flame; /* the flame graph, owned */
} memory;

static memory *of(const tt_screen *s) { return s->state; }
static const tt_memory_series *series(const memory *m)
{
    return m->curves && m->series < m->curves->n ? &m->curves->at[m->series] : NULL;
}

/* The trace of the series if it is a memory snapshot, else NULL. */
static const tt_trace *snapshot_of(const tt_screen *s)
{
    const tt_memory_series *x = series(of(s));
    const tt_trace *t = x ? tt_host_session(s->host)->traces[x->trace] : NULL;
    return t && t->snapshot ? t : NULL;
}

/* Convert a time of the common axis to the time of the trace of the series. */
static int64_t trace_time(const tt_screen *s, int64_t at)
{
    return at - tt_host_session(s->host)->offset_ns[series(of(s))->trace];
}

/* Choose the tables of a memory snapshot if the session has one, else the usual tables. */
static void choose_panes(tt_screen *s, void (*use)(tt_screen *, const tt_pane *, int))
{
    bool own = tt_memory_any_snapshot(tt_host_session(s->host));
    use(s, own ? tt_snapshot_panes : panes, own ? (int)TT_SNAPSHOT_PANES : (int)N_PANES);
}

static void open_panes(tt_screen *s, const tt_pane *spec, int n) { tt_panes_open(s, spec, n, true); }

/* ---- the curves come from the worker ---- */

static void curves_run(void *arg)
{
    tt_screen *s = arg;
    of(s)->computed = tt_memory_curves_new(tt_host_session(s->host));
}

/* Find the part of the axis that the worker of the series recorded, and the peak. */
static void find_whole(tt_screen *s)
{
    memory *m = of(s);
    const tt_session *session = tt_host_session(s->host);
    const tt_memory_series *x = series(m);
    tt_scope scope = *tt_host_scope(s->host);
    m->all0 = 0;
    m->all1 = session->end_ns > 0 ? session->end_ns : 1;
    if (!snapshot_of(s)) tt_dense_part(session, &scope, 0, m->all1, &m->all0, &m->all1); /* reads slices */
    if (x && x->peak != TT_UNKNOWN) {
        if (x->peak_at < m->all0) m->all0 = x->peak_at;
        if (x->peak_at >= m->all1) m->all1 = x->peak_at + 1;
    }
    if (!m->whole) return;
    m->t0 = m->all0;
    m->t1 = m->all1;
}

static void choose_series(tt_screen *sc, uint32_t i)
{
    memory *m = of(sc);
    m->series = i;
    const tt_memory_series *s = series(m);
    if (s && !m->chosen && s->peak != TT_UNKNOWN) m->at = s->peak_at;
    find_whole(sc);
}

/* Choose the first series of the worker in scope. */
static void first_series(tt_screen *s)
{
    memory *m = of(s);
    const tt_session *session = tt_host_session(s->host);
    uint32_t i = m->series < m->curves->n ? m->series : 0;
    for (uint32_t tries = 0; tries < m->curves->n; tries++, i = (i + 1) % m->curves->n) {
        if (tt_scope_has_trace(session, tt_host_scope(s->host), m->curves->at[i].trace)) break;
    }
    choose_series(s, i);
}

static void show_oom(tt_screen *s);

static void curves_done(void *arg, tt_host *a)
{
    tt_screen *s = arg;
    memory *m = of(s);
    m->curves = m->computed;
    if (m->curves) first_series(s);
    if (m->curves && m->out_at != TT_UNKNOWN) show_oom(s);
    tt_host_dirty(a);
}

static void open_memory(tt_screen *s)
{
    memory *m = of(s);
    choose_panes(s, open_panes);
    m->t1 = tt_host_session(s->host)->end_ns;
    m->whole = true;
    m->out_at = TT_UNKNOWN;
    m->look = tt_host_viewport(s->host)->serial;
    if (m->t1 <= m->t0) m->t1 = m->t0 + 1;
    find_whole(s);
    tt_host_job(s->host, curves_run, curves_done, s);
}

static void renew_memory(tt_screen *s, int64_t shift)
{
    memory *m = of(s);
    tt_memory_curves_free(m->curves);
    m->curves = m->computed = NULL;
    tt_memory_map_free(&m->map);
    m->at += shift;
    m->t0 += shift;
    m->t1 = m->whole ? tt_host_session(s->host)->end_ns : m->t1 + shift;
    if (m->t1 <= m->t0) m->t1 = m->t0 + 1;
    m->alive_of = 0; /* ask for the table of live allocations again */
    tt_host_job(s->host, curves_run, curves_done, s);
    choose_panes(s, tt_panes_change);
    tt_panes_renew(s, shift);
}

static void close_memory(tt_screen *s)
{
    tt_panes_close(s);
    tt_memory_curves_free(of(s)->curves);
    tt_memory_map_free(&of(s)->map);
    tt_memory_flame_free(of(s)->flame);
}

static void scope_memory(tt_screen *s)
{
    if (of(s)->curves) first_series(s);
    tt_panes_scope(s);
}

/* ---- time ---- */

static void tell_look(tt_screen *s)
{
    memory *m = of(s);
    if (m->linked) m->look = tt_host_set_viewport(s->host, m->t0, m->t1, m->at);
}

static void set_window(tt_screen *s, int64_t t0, int64_t t1)
{
    memory *m = of(s);
    int64_t end = tt_host_session(s->host)->end_ns, span = t1 - t0, least = m->w > 0 ? m->w : 1;
    if (end < 1) end = 1;
    if (span > end) span = end;
    if (span < least) span = least < end ? least : end;
    if (t0 < 0) t0 = 0;
    if (t0 > end - span) t0 = end - span;
    m->t0 = t0;
    m->t1 = t0 + span;
    m->whole = m->t0 == m->all0 && m->t1 == m->all1;
}

static void zoom(tt_screen *s, int num, int den)
{
    memory *m = of(s);
    double span = (double)(m->t1 - m->t0) * num / den;
    if (m->at < m->t0 || m->at >= m->t1) m->at = m->t0 + (m->t1 - m->t0) / 2;
    double before = (double)(m->at - m->t0) / (double)(m->t1 - m->t0);
    int64_t t0 = m->at - (int64_t)(span * before);
    set_window(s, t0, t0 + (int64_t)span);
    tell_look(s);
}

static void pan(tt_screen *s, int quarters)
{
    memory *m = of(s);
    int64_t by = (m->t1 - m->t0) * quarters / 4, t0 = m->t0;
    set_window(s, m->t0 + by, m->t1 + by);
    m->at += m->t0 - t0;
    m->chosen = true;
    m->moved_ms = tt_host_now(s->host);
    tell_look(s);
}

static void go(tt_screen *s, int64_t at)
{
    memory *m = of(s);
    int64_t end = tt_host_session(s->host)->end_ns, span = m->t1 - m->t0;
    m->at = at < 0 ? 0 : at > end ? end : at;
    if (m->at < m->t0 || m->at >= m->t1) set_window(s, m->at - span / 2, m->at + span - span / 2);
    m->chosen = true;
    m->moved_ms = tt_host_now(s->host);
    tell_look(s);
}

static tt_ruler axis_of(const memory *m) { return (tt_ruler){.t0 = m->t0, .t1 = m->t1, .x = m->x, .w = m->w}; }

static int64_t edge(const memory *m, int col)
{
    tt_ruler axis = axis_of(m);
    return tt_ruler_edge(&axis, col);
}

static int column(const memory *m, int64_t at)
{
    if (at < m->t0 || at > m->t1) return -1;
    if (at == m->t1) return m->whole ? m->w - 1 : -1; /* the last moment has a column, too */
    return (int)((__int128)(at - m->t0) * m->w / (m->t1 - m->t0));
}

/* ---- drawing ---- */

static void draw_axis(tt_canvas *c, int h, int64_t top)
{
    char text[TT_TEXT_CAP];
    for (int y = 0; y < h; y++) tt_put_char(c, y, LABEL_W - 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    tt_put_right(c, 0, 0, LABEL_W - 1, TT_ROLE_RULER, tt_format_bytes(text, top));
    if (h >= 5) tt_put_right(c, h / 2, 0, LABEL_W - 1, TT_ROLE_RULER, tt_format_bytes(text, top / 2));
    if (h >= 3) tt_put_right(c, h - 1, 0, LABEL_W - 1, TT_ROLE_RULER, "0 B");
}

/* Mark the peak of the whole trace if it is in the window, with its value on line y above the curve. */
static void draw_peak(const memory *m, const tt_memory_series *s, tt_canvas *c, int y)
{
    char text[TT_TEXT_CAP], label[256];
    int col = s->peak == TT_UNKNOWN ? -1 : column(m, s->peak_at);
    if (col < 0) return;
    tt_format_bytes(text, s->peak);
    int x = m->x + col, left = x - m->x - 1, right = c->w - x - 2, room = left > right ? left : right;
    bool who = m->holder[0] && m->holder_of == TT_ALIVE_DEVICE(s->trace, s->device);
    snprintf(label, sizeof label, "peak %s%s%.160s", text, who ? "; " : "", who ? m->holder : "");
    if ((int)strlen(label) > room) snprintf(label, sizeof label, "peak %s", text);
    int w = (int)strlen(label);
    tt_put_char(c, y, x, TT_ROLE_WARN, tt_glyph_of(c, TT_G_TRI_DOWN));
    if (w <= right) {
        tt_put(c, y, x + 2, TT_ROLE_STRONG, label, -1);
    } else {
        tt_put(c, y, x - w - 1, TT_ROLE_STRONG, label, w);
    }
}

/* Mark on the first line of the plot when memory ran out. */
static void draw_ooms(const tt_screen *s, tt_canvas *c)
{
    const memory *m = of(s);
    const tt_trace *t = snapshot_of(s);
    int from = -1;
    for (uint32_t i = 0; t && i < t->snapshot->n_ooms; i++) {
        const tt_snapshot_event *e = &t->snapshot->events[t->snapshot->ooms[i]];
        int col = e->device == (unsigned)series(m)->id
                      ? column(m, e->ts + tt_host_session(s->host)->offset_ns[series(m)->trace])
                      : -1;
        if (col < 0 || col == from) continue;
        from = col;
        for (int y = 0; y < c->h; y++) tt_put_char(c, y, m->x + col, TT_ROLE_ERROR, tt_glyph_of(c, TT_G_VLINE));
        tt_put(c, 0, col >= 14 ? m->x + col - 14 : m->x + col + 1, TT_ROLE_ERROR | TT_BOLD, "out of memory", 13);
    }
}

/* Draw the whole curve and the place of the window in it: two lines. */
static void draw_strip(const memory *m, const tt_memory_series *s, tt_canvas *c, int y)
{
    int64_t span = m->all1 - m->all0;
    int from = (int)((__int128)(m->t0 - m->all0) * m->w / span), to = (int)((__int128)(m->t1 - m->all0) * m->w / span);
    from = from < 0 ? 0 : from >= m->w ? m->w - 1 : from;
    to = to > m->w ? m->w : to <= from ? from + 1 : to;
    tt_put(c, y, 0, TT_ROLE_DIM, "all", m->x - 1);
    for (int i = 0; i < m->w; i++) {
        int64_t a = m->all0 + (int64_t)((__int128)span * i / m->w),
                b = m->all0 + (int64_t)((__int128)span * (i + 1) / m->w);
        double v = (double)tt_memory_series_highest(s, a, b > a ? b : a + 1).allocated;
        int h = s->peak > 0 && v > 0 ? (int)(v / (double)s->peak * 8 + 0.5) : 0;
        bool inside = i >= from && i < to;
        if (v > 0) tt_put_char(c, y, m->x + i, inside ? TT_ROLE_PLOT : TT_ROLE_DIM, tt_height(c, h < 1 ? 1 : h));
        if (inside) tt_put_char(c, y + 1, m->x + i, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_HLINE));
    }
    tt_put_char(c, y + 1, m->x + from, TT_ROLE_STRONG, tt_glyph_of(c, to - from > 1 ? TT_G_BRACKET_L : TT_G_ARROW_UP));
    if (to - from > 1) tt_put_char(c, y + 1, m->x + to - 1, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_BRACKET_R));
}

static void draw_ruler(tt_screen *s, tt_canvas *c, int y)
{
    memory *m = of(s);
    tt_ruler r = axis_of(m);
    r.unit = (tt_unit)tt_host_unit(s->host);
    tt_put(c, y, 0, TT_ROLE_DIM, "time", m->x - 1);
    tt_ruler_draw(c, y, &r);
    tt_ruler_cursor(c, y, &r, m->at);
    const tt_scope *scope = tt_host_scope(s->host);
    if (!scope->has_range || scope->t1 <= m->t0 || scope->t0 >= m->t1) return;
    int a = scope->t0 <= m->t0 ? 0 : column(m, scope->t0), b = scope->t1 >= m->t1 ? m->w - 1 : column(m, scope->t1);
    tt_restyle(c, y, m->x + a, 1, b - a + 1, TT_ROLE_SCOPE);
}

static void draw_plot_title(const tt_screen *s, tt_canvas *c, const tt_memory_series *x)
{
    const memory *m = of(s);
    const tt_session *session = tt_host_session(s->host);
    char left[200], right[200], peak[TT_TEXT_CAP], all[TT_TEXT_CAP], at[TT_TEXT_CAP];
    tt_buf title = tt_buf_of(left);
    tt_buf_add(&title, "%s%s%.60s  %u of %u", x->name, session->n_workers > 1 ? " of " : "",
               session->n_workers > 1 ? session->traces[x->trace]->worker : "", m->series + 1, m->curves->n);
    if (c->w >= 90)
        tt_buf_add(&title, "  allocated %s reserved %s",
                   c->ascii     ? "#"
                   : c->braille ? "\u28f8"
                                : "\u2588",
                   c->ascii     ? "."
                   : c->braille ? "\u2812"
                                : "\u2591");
    right[0] = 0;
    if (x->peak != TT_UNKNOWN) {
        bool known = x->device_bytes != TT_UNKNOWN && x->device_bytes > 0;
        snprintf(right, sizeof right, "peak %s%s%s at %s", tt_format_bytes(peak, x->peak), known ? " of " : "",
                 known ? tt_format_bytes(all, x->device_bytes) : "",
                 tt_format_time(at, x->peak_at, (tt_unit)tt_host_unit(s->host)));
    }
    tt_rule(c, 0, left, right);
}

static void draw_plot(tt_screen *s, tt_canvas *c, bool focus)
{
    memory *m = of(s);
    const tt_memory_series *x = series(m);
    if (!x) {
        const tt_session *session = tt_host_session(s->host);
        const tt_trace *t = session->n_traces ? session->traces[0] : NULL;
        char none[256] = "A summary has no single events: open the trace of the rank";
        if (!t || !t->summary)
            snprintf(none, sizeof none, "No memory events: %s", t ? tt_advice_of(t->rules)->record_memory : "");
        tt_rule(c, 0, "Memory", NULL);
        tt_put_wrapped(c, 2, 2, c->h - 2, c->w - 4, TT_ROLE_DIM,
                       !m->curves           ? "computing ..."
                       : m->curves->records ? "the memory records give no totals (PyTorch before 1.10): no curve"
                                            : none);
        return;
    }
    draw_plot_title(s, c, x);
    m->x = LABEL_W;
    m->w = c->w - LABEL_W - 1;
    int strip = c->h >= STRIP_FROM ? 2 : 0, head = c->h - strip >= 6; /* a line above the curve, for the peak */
    m->y = 1 + strip + head;
    m->h = c->h - 1 - m->y;
    if (strip) draw_strip(m, x, c, 1);
    tt_canvas in = tt_canvas_window(c, m->y, 0, m->h, c->w);
    tt_memory_point most = tt_memory_series_highest(x, m->t0, m->t1);
    int64_t top = most.reserved > most.allocated ? most.reserved : most.allocated;
    if (top < 1) top = 1;
    draw_axis(&in, m->h, top);
    tt_ruler axis = axis_of(m);
    if (c->braille) tt_memory_plot_lines(&in, &axis, x, m->h, top);
    for (int i = 0; i < m->w && !c->braille; i++) {
        tt_memory_point p = tt_memory_series_highest(x, edge(m, i), edge(m, i + 1));
        tt_memory_plot_column(&in, m->x + i, m->h, p.allocated > 0 ? (double)p.allocated / (double)top : 0,
                              p.reserved > 0 ? (double)p.reserved / (double)top : 0);
    }
    if (head) draw_peak(m, x, c, m->y - 1);
    draw_ooms(s, &in);
    int cursor = column(m, m->at);
    if (cursor >= 0 && focus && !c->cheap) tt_restyle(&in, 0, m->x + cursor, m->h, 1, TT_ROLE_PLOT | TT_REVERSE);
    draw_ruler(s, c, c->h - 1);
}

/* Update the table of live allocations once the cursor has come to rest. */
static void follow_cursor(tt_screen *s)
{
    memory *m = of(s);
    const tt_memory_series *x = series(m);
    tt_table_view *v = m->panes.view[ALIVE];
    char at[TT_TEXT_CAP];
    if (!x || !v) return;
    int64_t when = m->chosen ? (m->at ? m->at : 1) : 0, who = TT_ALIVE_DEVICE(x->trace, x->device);
    if (m->alive_at == when && m->alive_of == who) return;
    int64_t now = tt_host_now(s->host), rest = m->moved_ms + SETTLE_MS - now;
    if (now > 0 && rest > 0) {
        tt_host_wake(s->host, (int)rest);
        return;
    }
    tt_options o = *tt_table_view_options(v);
    o.arg[0] = m->alive_at = when;
    o.arg[1] = m->alive_of = who;
    tt_format_time(at, m->at, (tt_unit)tt_host_unit(s->host));
    snprintf(m->title, sizeof m->title, when ? "Live at %s" : "Live at peak, %s", at);
    tt_table_view_set_title(v, m->title);
    tt_table_view_set_options(v, &o);
}

/* With a scope the table is about the peak in the scope, which need not be the peak of the whole trace that the plot
 * marks: the title says so. */
static bool peak_of_all(tt_screen *s, const tt_table *t)
{
    memory *m = of(s);
    const tt_memory_series *x = series(m);
    char at[TT_TEXT_CAP];
    int64_t when = tt_cell_i(t, 0, TT_MEMORY_ALIVE_AT);
    if (!x || when == TT_UNKNOWN) return true;
    tt_format_time(at, when, (tt_unit)tt_host_unit(s->host));
    if (!m->alive_at)
        snprintf(m->title, sizeof m->title, "Live at peak%s, %s", when == x->peak_at ? "" : " in scope", at);
    return when == x->peak_at;
}

/* Read the largest holder at the peak, if the table of live allocations is about the peak. */
static void read_holder(tt_screen *s)
{
    memory *m = of(s);
    const tt_table *t = m->panes.view[ALIVE] ? tt_table_view_table(m->panes.view[ALIVE]) : NULL;
    int64_t most = 0;
    uint32_t best = TT_NONE;
    char share[TT_TEXT_CAP];
    bool own = t && t->desc == tt_table_find("memory_peak"); /* the table of a memory snapshot */
    if (!t || (!own && t->desc != tt_table_find("memory_alive")) || t->options.arg[0] ||
        t->options.arg[1] != m->alive_of)
        return;
    m->holder[0] = 0;
    m->holder_of = m->alive_of;
    if (!own && !peak_of_all(s, t)) return;
    uint32_t by = own ? TT_MEMORY_PEAK_LINE : TT_MEMORY_ALIVE_NAME;
    for (uint32_t r = 0; r < t->n_rows; r++) { /* the table has a row for each frame, and there may be very many */
        int64_t bytes = tt_cell_i(t, r, own ? TT_MEMORY_PEAK_BYTES : TT_MEMORY_ALIVE_SIZE_BYTES);
        if (bytes > most && *tt_cell_s(t, r, by)) most = bytes, best = r;
    }
    if (best == TT_NONE) return;
    tt_format_percent(share, tt_cell_d(t, best, own ? TT_MEMORY_PEAK_PCT : TT_MEMORY_ALIVE_SHARE_PCT));
    const char *name = tt_cell_s(t, best, by);
    if (*name == '(') name = "allocated before the recording started"; /* the allocation has no operator */
    size_t n = (size_t)snprintf(m->holder, sizeof m->holder, "%s ", share);
    tt_text_cut(m->holder + n, sizeof m->holder - n, name, 40, TT_CUT_MIDDLE, true);
}

static void follow_look(tt_screen *s)
{
    memory *m = of(s);
    const tt_viewport *look = tt_host_viewport(s->host);
    if (!m->linked || look->serial == m->look || look->t1 <= look->t0) return;
    m->look = look->serial;
    m->chosen |= look->at != m->at;
    m->at = look->at;
    set_window(s, look->t0, look->t1);
}

static void draw_chart(tt_screen *s, tt_canvas *c, bool focus)
{
    memory *m = of(s);
    const tt_trace *t = snapshot_of(s);
    /* the flame's table can be freed meanwhile */
    if (!t || m->chart != FLAME) tt_memory_flame_free(m->flame), m->flame = NULL;
    if (!t || m->chart == CURVE) {
        draw_plot(s, c, focus);
    } else if (m->chart == MAP) {
        tt_memory_map_of(&m->map, t, (unsigned)series(m)->id);
        tt_memory_map_draw(&m->map, series(m)->name, c);
    } else {
        const tt_table *live = m->panes.view[ALIVE] ? tt_table_view_table(m->panes.view[ALIVE]) : NULL;
        tt_memory_flame_draw(&m->flame, live, m->title, c);
    }
}

static void draw_memory(tt_screen *s, tt_canvas *c)
{
    memory *m = of(s);
    int plot = c->h >= 30 ? c->h * 2 / 5 : c->h / 2 + 1;
    bool on_chart = tt_panes_on_chart(&m->panes);
    follow_look(s);
    if (c->h < 16) plot = on_chart ? c->h : 0;
    if (m->curves && !m->curves->n) /* it says why there is no curve; the list is empty, too */
        plot = !m->curves->records ? c->h : plot > 4 ? 4 : plot;
    m->h = 0;
    read_holder(s);
    if (plot > 0) {
        tt_canvas top = tt_canvas_window(c, 0, 0, plot, c->w);
        draw_chart(s, &top, on_chart);
    }
    m->panes.skips_empty = m->curves && !m->curves->n;
    if (plot < c->h) {
        tt_canvas rest = tt_canvas_window(c, plot, 0, c->h - plot, c->w);
        tt_panes_view(&m->panes);
        follow_cursor(s);
        tt_panes_draw(&m->panes, &rest, plot);
    }
}

static void status_table(void *o, char *out, size_t cap)
{
    tt_panes_focus_ops.status(&of(o)->panes, out, cap);
    tt_buf line = tt_buf_behind(out, cap);
    tt_buf_add(&line, "   F: filter, as size>1MiB");
}

static void status_plot(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    const memory *m = of(s);
    const tt_memory_series *x = series(m);
    char at[TT_TEXT_CAP], allocated[TT_TEXT_CAP], reserved[TT_TEXT_CAP], loss[TT_TEXT_CAP], step[48] = "";
    out[0] = 0;
    if (!x) return;
    uint32_t i = tt_memory_series_point(x, m->at);
    const tt_trace *st = tt_host_session(s->host)->traces[x->trace];
    int64_t here = m->at - tt_host_session(s->host)->offset_ns[x->trace];
    for (uint32_t k = 0; k < st->n_steps; k++) {
        if (st->steps[k].row != TT_NONE && here >= st->steps[k].start && here < st->steps[k].end)
            snprintf(step, sizeof step, "   step %lld", (long long)st->steps[k].number);
    }
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "cursor %s", tt_format_time(at, m->at, (tt_unit)tt_host_unit(s->host)));
    if (i != TT_NONE) {
        const tt_memory_point *p = &x->at[i];
        if (p->allocated != TT_UNKNOWN) tt_buf_add(&line, "   allocated %s", tt_format_bytes(allocated, p->allocated));
        if (p->reserved != TT_UNKNOWN && p->reserved > 0)
            tt_buf_add(&line, "   reserved %s (%s cached, free)", tt_format_bytes(reserved, p->reserved),
                       tt_format_percent(loss, 100.0 * (double)(p->reserved - p->allocated) / (double)p->reserved));
    }
    tt_buf_add(&line, "%s", step);
    const tt_trace *own = snapshot_of(s);
    const tt_snapshot_event *oom = own ? tt_memory_oom_at(own, (unsigned)x->id, here) : NULL;
    if (oom) tt_memory_oom_text(oom, out, cap);
}

/* ---- keys ---- */

static void next_series(tt_screen *s, int dir)
{
    memory *m = of(s);
    uint32_t n = m->curves->n;
    if (n < 2) {
        tt_host_set_status(s->host, "only one device has memory events");
        return;
    }
    choose_series(s, dir > 0 ? (m->series + 1) % n : (m->series + n - 1) % n);
}

static void to_peak(tt_screen *s)
{
    memory *m = of(s);
    const tt_memory_series *x = series(m);
    if (x->peak == TT_UNKNOWN) return;
    go(s, x->peak_at);
    m->chosen = false;
}

static void to_change(tt_screen *s, int dir)
{
    const tt_memory_series *x = series(of(s));
    int64_t at = of(s)->at;
    uint32_t i = tt_memory_series_point(x, dir > 0 ? at : at - 1);
    if (dir > 0) i = i == TT_NONE ? 0 : i + 1;
    if (i < x->n) go(s, x->at[i].at);
}

static void scope_range(tt_screen *s)
{
    memory *m = of(s);
    tt_scope scope = *tt_host_scope(s->host);
    scope.has_range = !scope.has_range;
    scope.t0 = m->t0;
    scope.t1 = m->t1;
    tt_host_set_scope(s->host, &scope);
    tt_host_set_status(s->host, scope.has_range ? "limited to the visible range; r clears" : "scope cleared");
}

static void link_window(tt_screen *s)
{
    memory *m = of(s);
    m->linked = !m->linked;
    m->look = 0; /* take over the timeline's window, if one was chosen */
    tt_host_set_status(s->host, m->linked ? "window linked with the timeline" : "window not linked with the timeline");
}

static bool act_window(tt_screen *s, tt_action a)
{
    int num, den, quarters = tt_action_pans(a);
    if (a == TT_ACT_HALF_UP || a == TT_ACT_HALF_DOWN) quarters = a == TT_ACT_HALF_UP ? -1 : 1;
    if (a == TT_ACT_PAGE_UP || a == TT_ACT_PAGE_DOWN)
        quarters = a == TT_ACT_PAGE_UP ? -4 : 4; /* the pages of a time axis lie side by side */
    if (tt_action_zooms(a, &num, &den)) {
        zoom(s, num, den);
    } else if (quarters) {
        pan(s, quarters);
    } else if (a == TT_ACT_WHOLE) { /* the key pressed again: the whole axis */
        bool all = of(s)->whole;
        set_window(s, all ? 0 : of(s)->all0, all ? tt_host_session(s->host)->end_ns : of(s)->all1);
        tell_look(s);
    } else {
        return false;
    }
    return true;
}

static void to_oom(tt_screen *s)
{
    memory *m = of(s);
    const tt_trace *t = snapshot_of(s);
    const tt_snapshot_event *e = tt_memory_oom_after(t, (unsigned)series(m)->id, trace_time(s, m->at));
    m->chart = CURVE;
    if (e) {
        go(s, m->at + e->ts - trace_time(s, m->at));
    } else {
        tt_host_set_status(s->host, "memory never ran out in this snapshot");
    }
}

/* Show the curve of the device whose memory ran out at out_at, and that moment. */
static void show_oom(tt_screen *s)
{
    memory *m = of(s);
    int64_t at = m->out_at;
    m->out_at = TT_UNKNOWN;
    for (uint32_t i = 0; i < m->curves->n; i++) {
        const tt_memory_series *x = &m->curves->at[i];
        const tt_trace *t = tt_host_session(s->host)->traces[x->trace];
        if (!tt_memory_oom_at(t, (unsigned)x->id, at - tt_host_session(s->host)->offset_ns[x->trace])) continue;
        choose_series(s, i);
        break;
    }
    m->chart = CURVE;
    go(s, at);
}

static bool takes_memory(const tt_host *host, const tt_show_target *to)
{
    return to->kind == TT_SHOW_EVIDENCE && tt_memory_takes(host, to->what);
}

static bool show_memory(tt_screen *s, const tt_show_target *to)
{
    memory *m = of(s);
    m->out_at = to->what->t0;
    if (m->curves) show_oom(s);
    return true;
}

/* Handle the actions that only a memory snapshot has. */
static bool act_snapshot(tt_screen *s, tt_action a)
{
    memory *m = of(s);
    if (!snapshot_of(s)) return false;
    if (a == TT_ACT_PLOT_OOM) {
        to_oom(s);
    } else if (a == TT_ACT_PLOT_MAP || a == TT_ACT_FLAME) {
        int chart = a == TT_ACT_FLAME ? FLAME : MAP;
        m->chart = (int)m->chart == chart ? CURVE : chart == MAP ? MAP : FLAME;
    } else if (a == TT_ACT_CANCEL && m->chart != CURVE) {
        m->chart = CURVE;
    } else if (m->chart == MAP && (a == TT_ACT_UP || a == TT_ACT_DOWN)) {
        tt_memory_map_scroll(&m->map, a == TT_ACT_UP ? -1 : 1, 1);
    } else if (m->chart == MAP && (a == TT_ACT_PAGE_UP || a == TT_ACT_PAGE_DOWN)) {
        tt_memory_map_scroll(&m->map, a == TT_ACT_PAGE_UP ? -10 : 10, 1);
    } else {
        return false;
    }
    return true;
}

static bool act_plot(tt_screen *s, tt_action a)
{
    memory *m = of(s);
    int64_t cell = (m->t1 - m->t0) / (m->w > 0 ? m->w : 1);
    if (cell < 1) cell = 1;
    if (act_snapshot(s, a) || act_window(s, a)) return true;
    switch (a) {
    case TT_ACT_LEFT: go(s, m->at - cell); return true;
    case TT_ACT_RIGHT: go(s, m->at + cell); return true;
    case TT_ACT_TOP:
    case TT_ACT_HOME: go(s, 0); return true;
    case TT_ACT_BOTTOM:
    case TT_ACT_END: go(s, tt_host_session(s->host)->end_ns); return true;
    case TT_ACT_UP: next_series(s, -1); return true;
    case TT_ACT_DOWN:
    case TT_ACT_PLOT_DEVICE: next_series(s, 1); return true;
    case TT_ACT_PLOT_PREV: to_change(s, -1); return true;
    case TT_ACT_PLOT_NEXT: to_change(s, 1); return true;
    case TT_ACT_PLOT_PEAK: to_peak(s); return true;
    case TT_ACT_PLOT_RANGE: scope_range(s); return true;
    case TT_ACT_ENTER: m->panes.focus = ALIVE; return true;
    case TT_ACT_PLOT_LINK: link_window(s); return true;
    case TT_ACT_SHOW: /* the timeline takes the window over */
        m->look = tt_host_set_viewport(s->host, m->t0, m->t1, m->at);
        tt_host_push_jump(s->host);
        return tt_host_show_tab(s->host, "timeline");
    default: return false;
    }
}

static bool act_memory(tt_screen *s, tt_action a)
{
    memory *m = of(s);
    if (tt_panes_on_chart(&m->panes) && a != TT_ACT_TAB_NEXT && a != TT_ACT_TAB_PREV)
        return series(m) && act_plot(s, a);
    return tt_panes_act(s, a);
}

static char *copy_plot(void *s, bool all)
{
    char text[512];
    (void)all;
    if (!series(of(s))) return NULL;
    status_plot(s, text, sizeof text);
    return tt_strdup(text);
}

static const tt_focus_ops plot_focus = {.status = status_plot,
                                        .selection = tt_focus_selects_nothing,
                                        .copy = copy_plot};
static const tt_focus_ops table_focus = {.status = status_table};

static tt_focus focus_memory(const tt_screen *s)
{
    if (!tt_panes_on_chart(&of(s)->panes)) return tt_panes_focus_with(s, &table_focus, TT_CTX_TABLE);
    return tt_panes_focus_with(s, &plot_focus, snapshot_of(s) ? TT_CTX_SNAPSHOT : TT_CTX_PLOT);
}

static bool mouse_memory(tt_screen *s, const tt_mouse *mouse)
{
    memory *m = of(s);
    bool inside = m->h > 0 && mouse->y <= m->y + m->h;
    if (!inside || !series(m)) return tt_panes_mouse(s, mouse);
    m->panes.focus = TT_PANE_CHART;
    if (mouse->x < m->x || mouse->x >= m->x + m->w) return false;
    switch (mouse->what) {
    case TT_MOUSE_WHEEL:
        m->at = edge(m, mouse->x - m->x);
        zoom(s, mouse->wheel < 0 ? 2 : 3, mouse->wheel < 0 ? 3 : 2);
        return true;
    case TT_MOUSE_PRESS:
    case TT_MOUSE_DRAG: go(s, edge(m, mouse->x - m->x)); return true;
    default: return false;
    }
}

const tt_screen_ops tt_screen_memory = {
    .tab = {.name = "memory", .title = "Memory", .brief = "Mem", .empty = tt_empty_memory},
    .context = TT_CTX_PLOT,
    .state_size = sizeof(memory),
    .open = open_memory,
    .close = close_memory,
    .renew = renew_memory,
    .scope = scope_memory,
    .draw = draw_memory,
    .act = act_memory,
    .takes = takes_memory,
    .show = show_memory,
    .focus = focus_memory,
    .mouse = mouse_memory,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};

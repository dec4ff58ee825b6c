/* tui/screens/overview/overview_memory.c - the part of the Overview for a memory snapshot, which has hardly any time
 * to account for: the curve of the device that holds most, and the holders at its peak. */
#include <stdio.h>

#include "model/base/mem.h"
#include "model/index/memory_curve.h"
#include "model/tables/cells.h"
#include "model/tables/memory/columns.h"
#include "model/tables/memory/memory.h"
#include "model/tables/registry/registry.h"
#include "tui/charts/memory_plot.h"
#include "tui/screen/host.h"
#include "tui/screens/overview/overview.h"

enum { PLOT_LINES = 9, MOST_HOLDERS = 16 };

void tt_overview_memory(tt_session *s, const tt_scope *scope, overview_facts *f)
{
    bool any = false;
    for (uint32_t i = 0; i < s->n_traces; i++) any |= tt_scope_has_trace(s, scope, i) && s->traces[i]->snapshot;
    if (!any) return;
    tt_memory_curves *curves = tt_memory_curves_new(s);
    const tt_memory_series *best = NULL;
    for (uint32_t k = 0; k < curves->n; k++) {
        const tt_memory_series *x = &curves->at[k];
        if (!s->traces[x->trace]->snapshot || !tt_scope_has_trace(s, scope, x->trace)) continue;
        if (x->peak != TT_UNKNOWN && x->n && (!best || x->peak > best->peak)) best = x;
    }
    if (best && best->peak > 0) {
        const tt_options of_device = {.arg = {0, TT_ALIVE_DEVICE(best->trace, best->device)}, .places = true};
        f->holders = tt_table_get(s, tt_table_find("memory_peak"), scope, &of_device);
        tt_row_order_spec largest = tt_row_order_default(f->holders);
        if (tt_row_order_make(f->holders, &largest, &f->by_size, NULL) != TT_OK) f->holders = NULL;
        f->memory = tt_calloc(1, sizeof *f->memory);
        snprintf(f->memory->name, sizeof f->memory->name, "%s", best->name);
        f->memory->peak = best->peak;
        f->memory->peak_at = best->peak_at;
        int64_t t0 = best->at[0].at, span = best->at[best->n - 1].at - t0 + 1;
        int64_t top = best->reserved > best->peak ? best->reserved : best->peak;
        for (int i = 0; i < STRIP_CELLS; i++) {
            int64_t a = t0 + (int64_t)((__int128)span * i / STRIP_CELLS);
            int64_t b = t0 + (int64_t)((__int128)span * (i + 1) / STRIP_CELLS);
            tt_memory_point p = tt_memory_series_highest(best, a, b > a ? b : a + 1);
            f->memory->allocated[i] = p.allocated > 0 ? (float)((double)p.allocated / (double)top) : 0;
            f->memory->reserved[i] = p.reserved > 0 ? (float)((double)p.reserved / (double)top) : 0;
        }
    }
    tt_memory_curves_free(curves);
}

static int n_holders(const overview *o)
{
    const tt_table *t = o->facts ? o->facts->holders : NULL;
    return t ? least((int)o->facts->by_size.n, MOST_HOLDERS) : 0;
}

int tt_overview_memory_want(const overview *o)
{
    if (!o->facts || !o->facts->memory) return 0;
    return 1 + PLOT_LINES + (n_holders(o) ? 1 + n_holders(o) : 0);
}

static void draw_plot(const memory_picture *m, tt_canvas *c)
{
    for (int x = 0; x < c->w - 2; x++) {
        float allocated = 0, reserved = 0;
        int a = x * STRIP_CELLS / (c->w - 2), b = (x + 1) * STRIP_CELLS / (c->w - 2);
        for (int k = a; k < (b > a ? b : a + 1) && k < STRIP_CELLS; k++) {
            if (m->allocated[k] > allocated) allocated = m->allocated[k];
            if (m->reserved[k] > reserved) reserved = m->reserved[k];
        }
        tt_memory_plot_column(c, x + 1, c->h, (double)allocated, (double)reserved);
    }
}

static void draw_holders(const overview *o, tt_canvas *c)
{
    const tt_table *t = o->facts->holders;
    tt_rule(c, 0, "Held at the peak", NULL);
    for (int i = 0; i < n_holders(o) && 1 + i < c->h; i++) {
        char size[TT_TEXT_CAP];
        uint32_t row = o->facts->by_size.rows[i];
        double share = tt_cell_d(t, row, TT_MEMORY_PEAK_PCT);
        int bar = c->w >= 60 ? 16 : 0, right = 12 + (bar ? bar + 1 : 0);
        tt_put_cut(c, 1 + i, 1, TT_ROLE_NAME, tt_cell_s(t, row, TT_MEMORY_PEAK_LINE), c->w - 2 - right, TT_CUT_PLACE);
        tt_put_right(c, 1 + i, c->w - right - 1, 12, TT_ROLE_NUMBER,
                     tt_format_bytes(size, tt_cell_i(t, row, TT_MEMORY_PEAK_BYTES)));
        if (bar && share > 0) tt_hbar(c, 1 + i, c->w - bar - 1, bar, share / 100, TT_ROLE_BAR);
    }
}

void tt_overview_draw_memory(const overview *o, tt_canvas *c)
{
    const memory_picture *m = o->facts->memory;
    char title[128], size[TT_TEXT_CAP], at[TT_TEXT_CAP], device[TT_TITLE_CAP];
    int plot = least(PLOT_LINES, most(c->h - 1 - (n_holders(o) ? 1 + least(n_holders(o), 4) : 0), 2));
    snprintf(title, sizeof title, "Memory of %s: peak %s at %s", tt_device_shown(m->name, device),
             tt_format_bytes(size, m->peak), tt_brief_ns(at, m->peak_at));
    tt_rule(c, 0, title, NULL);
    tt_canvas curve = tt_canvas_window(c, 1, 0, plot, c->w);
    tt_canvas rest = tt_canvas_window(c, 1 + plot, 0, c->h - 1 - plot, c->w);
    draw_plot(m, &curve);
    if (n_holders(o) && rest.h > 1) draw_holders(o, &rest);
}

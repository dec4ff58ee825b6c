/* tui/timeline/rows/group_row.c - rows that head others: workers, processes and groups of threads, with a strip of
 * their busy time; and the header of a device's curves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/sources.h"
#include "tui/widgets/short_names.h"

/* ---- lines ---- */

/* A process has no line above folded stacks if it is the only host process. */
static void process_lines(tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    if (n->only_host && !n->collapsed && t->view == TT_VIEW_BANDS && !t->flat) return;
    tt_lines_add(t, node, TT_NONE);
}

static bool can_fold(tt_timeline *t, const tt_timeline_node *n)
{
    (void)t;
    (void)n;
    return true;
}

static tt_fold_sign sign_of(tt_timeline *t, const tt_timeline_node *n)
{
    (void)t;
    return n->collapsed ? TT_FOLD_CLOSED : TT_FOLD_OPEN;
}

/* ---- labels ---- */

static void process_label(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    const tt_process *p = &s->processes[n->index];
    const char *name = tt_str(&s->strings, p->name), *pid = tt_str(&s->strings, p->pid);
    if (p->device < 0) {
        bool bare = !*name && tt_row_is_number(pid);
        snprintf(out, cap, "%s%s%s", bare ? "process" : name, (*name || bare) && *pid ? " " : "",
                 *pid    ? pid
                 : *name ? ""
                         : "no process");
        return;
    }
    const char *model = "";
    for (uint32_t i = 0; i < s->n_devices; i++) {
        model = s->devices[i].id == p->device ? tt_str(&s->strings, s->devices[i].name) : model;
    }
    /* a label that only repeats the kind of device: the name says which part of the device this is */
    if (!strcmp(tt_str(&s->strings, p->labels), s->rules->device)) model = name;
    char shown[TT_TEXT_CAP];
    tt_short_device(model, shown, sizeof shown);
    snprintf(out, cap, "%s %d%s%s", s->rules->device, (int)p->device, *shown ? " " : "", shown);
}

static void worker_label(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    snprintf(out, cap, t->session->n_spans > 1 ? "%s %s" : "%s", s->worker, s->span);
}

static void group_label(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    uint32_t inside = n->end - (uint32_t)(n - t->nodes.at) - 1;
    snprintf(out, cap, n->meta ? "profiler" : "%u other threads", inside);
}

/* ---- pictures ---- */

static void draw_heights(tt_canvas *c, int y, const tt_timeline_frame *f, tt_style st)
{
    for (int i = 0; i < f->w; i++) {
        int64_t width = f->edge[i + 1] > f->edge[i] ? f->edge[i + 1] - f->edge[i] : 1;
        int n = tt_timeline_eighths(f->busy[i], width);
        if (n > 0) {
            tt_put_char(c, y, f->x + i, st, tt_height(c, n));
        } else if (f->under[i] & TT_UNDER_GRID) {
            tt_put_char(c, y, f->x + i, TT_ROLE_GRID, tt_glyph_of(c, TT_G_DASH_V));
        }
    }
}

/* The row shows busy time. An open device has another row for that, unless evidence leaves it out. */
static bool has_strip(const tt_timeline *t, const tt_timeline_node *n)
{
    return n->collapsed || n->kind == TT_TIMELINE_WORKER || (n->device && t->choice.on);
}

static void busy_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline *t = f->t;
    const tt_timeline_node *n = &t->nodes.at[l->node];
    if (!n->group || !tt_timeline_may_query(t, n->group) || !has_strip(t, n)) return;
    tt_lod_union_query(n->group, t->t0, t->t1, (uint32_t)f->w, f->busy);
    draw_heights(c, y, f, n->collapsed && !n->meta ? TT_ROLE_PLOT : TT_ROLE_DIM);
}

/* Busy time of threads without device work says nothing about a device. */
static void group_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline_node *n = &f->t->nodes.at[l->node];
    char text[64];
    if (n->meta) return;
    snprintf(text, sizeof text, "no %s work", f->t->session->traces[n->trace]->rules->device);
    tt_put(c, y, f->x + 1, TT_ROLE_DIM, text, f->w - 1);
}

/* ---- words ---- */

static void group_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    char busy[TT_TEXT_CAP], span[TT_TEXT_CAP];
    uint32_t tracks = 0;
    for (uint32_t i = (uint32_t)(n - t->nodes.at) + 1; i < n->end; i++) tracks += tt_timeline_is_track(&t->nodes.at[i]);
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%u track%s; c %s", tracks, tracks == 1 ? "" : "s",
               n->collapsed ? "shows what is inside" : "folds it");
    if (!n->group || !tt_timeline_may_query(t, n->group)) return;
    int64_t ns;
    tt_lod_union_query(n->group, t->t0, t->t1, 1, &ns);
    tt_buf_add(&line, "   %sbusy %.1f%%: %s of the %s on screen", n->device ? "" : "some track ",
               (double)ns * 100 / (double)(t->t1 - t->t0), tt_format_duration(busy, ns, unit),
               tt_format_duration(span, t->t1 - t->t0, unit));
}

static void curves_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    (void)t;
    (void)unit;
    snprintf(out, cap, "SM efficiency, queue length of each stream, copy rates; c %s",
             n->collapsed ? "expand" : "collapse");
}

const tt_row_source tt_source_worker =
    {.heads = true, .folds = can_fold, .sign = sign_of, .label = worker_label, .cells = busy_cells, .text = group_text};
const tt_row_source tt_source_group =
    {.heads = true, .folds = can_fold, .sign = sign_of, .label = group_label, .cells = group_cells, .text = group_text};
const tt_row_source tt_source_process = {.lines = process_lines,
                                         .heads = true,
                                         .folds = can_fold,
                                         .sign = sign_of,
                                         .label = process_label,
                                         .cells = busy_cells,
                                         .text = group_text};
const tt_row_source tt_source_curves = {
    .folds = can_fold,
    .sign = sign_of,
    .filter = TT_FILTER_PARENT,
    .needs_open =
        1u << TT_DERIVED_SM | 1u << TT_DERIVED_QUEUES | 1u << TT_DERIVED_RATES, /* they decide which rows there are */
    .name = "SM, queues, copies",
    .never_busy = true,
    .text = curves_text,
};

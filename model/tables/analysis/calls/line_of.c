/* model/tables/analysis/calls/line_of.c - see line_of.h. */
#include "model/tables/analysis/calls/line_of.h"

#include <stdio.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/tables/analysis/calls/backward.h"
#include "model/tables/analysis/calls/code_places.h"
#include "model/tables/analysis/calls/operator_tree.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/text/frame_name.h"

static bool is_place(const char *name)
{
    size_t file;
    long line;
    return *name != '<' && tt_frame_place(name, &file, &line);
}

static bool keep(const char *line, char *out, size_t cap)
{
    snprintf(out, cap, "%s", line ? line : "");
    return *out != '\0';
}

/* Line of a module. A module of the program is written where its forward() is, in the frame inside it; a module of a
 * library is called by the program around it. */
static bool line_of_module(const tt_trace *t, tt_row module, char *out, size_t cap)
{
    uint32_t track = tt_row_track(t, module);
    tt_row end = t->tracks[track].first + t->tracks[track].n;
    for (tt_row r = module + 1; r < end && t->start[r] < tt_row_end(t, module); r++) {
        if (tt_row_kind(t, r) == TT_KIND_MODULE) break;
        const char *name = tt_row_name(t, r);
        if (tt_row_kind(t, r) != TT_KIND_PYTHON || !is_place(name) || tt_frame_is_wrapper(name)) continue;
        if (tt_python_is_user(name) || !tt_python_line_on(t, track, t->start[module], out, cap))
            return keep(name, out, cap);
        return true;
    }
    return tt_python_line_on(t, track, t->start[module], out, cap);
}

static bool line_of_row(const tt_session *s, uint32_t trace, tt_row r, char *out, size_t cap)
{
    const tt_trace *t = s->traces[trace];
    const tt_activity *dev = tt_row_dev(t, r);
    tt_kind kind = tt_row_kind(t, r);
    if (kind == TT_KIND_PYTHON && is_place(tt_row_name(t, r))) return keep(tt_row_name(t, r), out, cap);
    if (kind == TT_KIND_MODULE) return line_of_module(t, r, out, cap);
    if (dev && dev->launch == TT_NONE) return false;
    return tt_program_line_of(s, trace, dev ? dev->launch : r, out, cap);
}

/* Line at the time of a drill-down: on the thread of the allocation at that time, else on the thread of the step. */
static bool line_of_time(const tt_session *s, const tt_drilldown *o, char *out, size_t cap)
{
    uint32_t trace = o->trace == TT_NONE ? 0 : o->trace, track = TT_NONE;
    const tt_trace *t = s->traces[trace];
    int64_t at = o->t0 - s->offset_ns[trace];
    uint32_t lo = 0, hi = t->n_memory;
    TT_BISECT(lo, hi, i, t->memory[i].ts < at);
    if (lo < t->n_memory && t->memory[lo].ts == at) track = t->memory[lo].track;
    return tt_python_line_at(t, track, at, out, cap);
}

static bool line_of_name(const tt_session *s, const tt_drilldown *o, char *out, size_t cap)
{
    uint32_t first = o->trace == TT_NONE ? 0 : o->trace, end = o->trace == TT_NONE ? s->n_traces : first + 1;
    for (uint32_t i = first; i < end; i++) {
        tt_sid name = tt_strings_find(&s->traces[i]->strings, o->name, strlen(o->name));
        if (name == UINT32_MAX) continue;
        bool on_device = o->kinds && !(o->kinds & ~TT_TREE_DEVICE_KINDS);
        if (keep(tt_code_place_of(tt_code_places_get(s, i), name, on_device).line, out, cap)) return true;
    }
    return false;
}

bool tt_line_of(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, char *out, size_t cap)
{
    tt_slice_ref first;
    *out = '\0';
    if (o->trace != TT_NONE && o->trace >= s->n_traces) return false;
    if (o->what == TT_DRILL_ROW) return o->row != TT_NONE && line_of_row(s, o->trace, o->row, out, cap);
    if (o->what == TT_DRILL_RANGE) return s->n_traces && line_of_time(s, o, out, cap);
    if (o->what != TT_DRILL_SLICES) return false;
    if (o->stack && tt_python_line_of_stack(o->stack, out, cap)) return true;
    if (o->name && is_place(o->name)) return keep(o->name, out, cap);
    if (o->name && line_of_name(s, o, out, cap)) return true;
    return tt_drilldown_slices(s, scope, o, &first, 1) > 0 && line_of_row(s, first.trace, first.row, out, cap);
}

/* tui/timeline/rows/slice_detail.c - the facts about a slice: times, launch, operator, Python frame, device work,
 * arguments. */
#include "model/base/buf.h"
#include "tui/timeline/rows/slice_row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/index/self_time.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/analysis/names/name_sums.h"
#include "model/text/demangle.h"
#include "parser/input/event_text.h"
#include "tui/timeline/model/flows.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/path_overlay.h"

enum {
    CHILDREN_MAX = 200000,
    WORK_MAX = 100000
}; /* most slices that are added up; a sum over more gets "(and more)" */

static void fact_sid(tt_detail *d, const char *key, const tt_trace *s, tt_sid id)
{
    if (id != 0) {
        tt_detail_fact(d, key, "%s", tt_str(&s->strings, id));
    }
}

static const char *duration_text(char out[TT_TEXT_CAP], const tt_detail *d, int64_t ns)
{
    return tt_format_duration(out, ns, d->unit);
}

static bool has_op_args(tt_kind k) { return !tt_kind_is_device(k) && !tt_kind_is_launch(k) && !tt_kind_is_python(k); }

/* The value has only empty lists and strings: ["", "", []]. */
static bool is_empty(const char *value)
{
    for (; *value; value++) {
        if (!strchr("[]{}\", ", *value)) {
            return false;
        }
    }
    return true;
}

/* ---- device ---- */

/* The operator and its input shapes. */
static void operator_line(tt_detail *d, const tt_trace *s, tt_row op)
{
    bool args = s->detail[op] != 0 && s->detail[op] < s->n_op_args && has_op_args(tt_row_kind(s, op));
    const char *shapes = args ? tt_str(&s->strings, s->op_args[s->detail[op]].shapes) : "";
    tt_detail_line(d, "operator", TT_CUT_END, "%s%s%s", tt_row_name(s, op), is_empty(shapes) ? "" : "  ",
                   is_empty(shapes) ? "" : shapes);
    d->facts.at[d->facts.n - 1].weight = 1;
}

/* The program and operator that the profiler names for device work. */
static void program_line(tt_detail *d, const tt_trace *s, const tt_launch_shape *l)
{
    const char *op = tt_str(&s->strings, l->op), *program = tt_str(&s->strings, l->program);
    if (!*op && !*program) return;
    tt_detail_line(d, *program ? "program" : "operator", TT_CUT_END, "%s%s%s", *program ? program : op,
                   *op && *program ? ", operator " : "", *program ? op : "");
}

/* The operator that owns the work of a graph, and the graph. */
static void graph_facts(tt_detail *d, const tt_graphs *g, const tt_activity *x, const tt_graph_owner *owner)
{
    static const char *const says[TT_GRAPH_SOURCE_COUNT_] = {
        [TT_GRAPH_ANNOTATION] = "operator from its annotation",
        [TT_GRAPH_LAUNCH] = "the operator around its launch covers the whole graph",
        [TT_GRAPH_EAGER] = "operator from the same kernel outside of graphs",
        [TT_GRAPH_NONE] = "nothing in the trace says whose work this is"};
    const tt_replay *replay = tt_graph_replay_of(g, x->launch);
    const tt_capture *c = owner->capture == TT_NONE ? NULL : &g->captures->at.at[owner->capture];
    char word[32], what[TT_TEXT_CAP];
    if (owner->op != TT_NONE)
        operator_line(d, tt_graph_owner_trace(g, owner), owner->op);
    else if (owner->source != TT_GRAPH_NONE)
        tt_detail_line(d, "operator", TT_CUT_END, "%s", tt_graph_text(g, owner->name));
    if (!replay) return;
    tt_detail_line(d, "graph", TT_CUT_END, "%s, %s in this replay; %s%s%s", tt_graph_word_of(replay, word),
                   tt_format_counted(what, replay->n, "piece"),
                   owner->source == TT_GRAPH_CAPTURE ? "operator from the capture " : says[owner->source],
                   c && c->name ? c->name : "", owner->source == TT_GRAPH_CAPTURE && !c ? "of its node" : "");
}

static void launch_facts(tt_detail *d, const tt_timeline *t, uint32_t trace, const tt_activity *x)
{
    char a[TT_TEXT_CAP];
    const tt_trace *s = t->session->traces[trace];
    const tt_graphs *graphs = d->sums ? tt_graphs_get(t->session, trace) : NULL;
    const tt_graph_owner *owner = graphs ? tt_graph_owner_of(graphs, x) : NULL;
    program_line(d, s, &s->shapes[x->shape]);
    if (tt_row_kind(s, x->row) == TT_KIND_DERIVED || (x->launch == TT_NONE && s->rules->no_launches)) return;
    if (x->launch == TT_NONE) {
        tt_detail_line(d, "launched by", TT_CUT_END, "no launch event: queued before the recording started");
        return;
    }
    int64_t earlier = s->start[x->row] - s->start[x->launch];
    tt_detail_line(d, "launched by", TT_CUT_END, "%s, %s %s", tt_row_name(s, x->launch),
                   duration_text(a, d, earlier < 0 ? -earlier : earlier), earlier < 0 ? "later" : "earlier");
    tt_row op = tt_activity_operator(s, x);
    if (owner)
        graph_facts(d, graphs, x, owner);
    else if (op != TT_NONE)
        operator_line(d, s, op);
}

/* Time that work waited on its stream: from the end of the launch to the start of the work. */
static void queue_fact(tt_detail *d, const tt_trace *s, const tt_activity *x)
{
    char a[TT_TEXT_CAP];
    if (x->launch == TT_NONE) return;
    int64_t delay = s->start[x->row] - tt_row_end(s, x->launch);
    tt_detail_fact(d, "queued", "%s%s", duration_text(a, d, delay > 0 ? delay : 0),
                   delay < 0 ? " (began before the call returned)" : "");
}

static void grid_facts(tt_detail *d, const tt_trace *s, const tt_launch_shape *x)
{
    fact_sid(d, "grid", s, x->grid);
    fact_sid(d, "block", s, x->block);
}

static void shape_facts(tt_detail *d, const tt_launch_shape *x)
{
    char a[TT_TEXT_CAP];
    if (x->registers != TT_UNKNOWN) {
        tt_detail_fact(d, "registers", "%lld", (long long)x->registers);
    }
    if (x->shared_bytes != TT_UNKNOWN && x->shared_bytes > 0) {
        tt_detail_fact(d, "shared", "%s", tt_format_bytes(a, x->shared_bytes));
    }
    if (!isnan(x->occupancy_pct)) {
        tt_detail_fact(d, "occupancy", "%s", x->occupancy_pct > 0 ? tt_format_percent(a, x->occupancy_pct) : "n/a");
    }
    if (!isnan(x->blocks_per_sm)) {
        tt_detail_fact(d, "blocks/SM", "%.3g", x->blocks_per_sm);
    }
}

static void coll_facts(tt_detail *d, const tt_trace *s, uint32_t coll)
{
    if (coll == 0) {
        return;
    }
    const tt_collective_args *x = &s->colls[coll];
    fact_sid(d, "collective", s, x->name);
    fact_sid(d, "dtype", s, x->dtype);
    if (x->in_nelems != TT_UNKNOWN) {
        tt_detail_fact(d, "elements in", "%lld", (long long)x->in_nelems);
    }
    if (x->group_size != TT_UNKNOWN) {
        tt_detail_fact(d, "group size", "%lld", (long long)x->group_size);
    }
    fact_sid(d, "group", s, x->group_desc ? x->group_desc : x->group);
}

/* Bytes and rate of a copy. */
static void size_facts(tt_detail *d, const tt_trace *s, const tt_activity *x)
{
    char a[TT_TEXT_CAP];
    if (x->bytes == TT_UNKNOWN) return;
    int64_t ns = s->dur[x->row];
    double rate = ns > 0 ? (double)x->bytes / (double)ns : 0; /* GB/s */
    tt_detail_fact(d, "size", "%s", tt_format_bytes(a, x->bytes));
    if (rate > 0) {
        tt_detail_fact(d, "rate", "%.3g GB/s", rate);
    }
}

/* ---- host ---- */

static void self_fact(tt_detail *d, const tt_trace *s, tt_row r)
{
    int64_t self = tt_row_self_ns(s, r, CHILDREN_MAX);
    char a[TT_TEXT_CAP];
    if (self != TT_UNKNOWN) {
        tt_detail_fact(d, "self", "%s", duration_text(a, d, self));
    }
}

/* Device work that a host slice launched. */
static void work_facts(tt_detail *d, const tt_trace *s, tt_row r)
{
    uint32_t from, to;
    tt_timeline_launches(s, r, &from, &to);
    if (from >= to) {
        return;
    }
    char a[TT_TEXT_CAP], n[TT_TEXT_CAP];
    int64_t total = 0;
    uint32_t last = to - from < WORK_MAX ? to : from + WORK_MAX;
    const tt_activity *longest = NULL;
    uint32_t pieces = 0;
    for (uint32_t i = from; i < last; i++) {
        const tt_activity *x = &s->dev[s->launched_activity[i]];
        if (!tt_kind_is_work(tt_row_kind(s, x->row))) { /* waiting is no work */
            continue;
        }
        pieces++;
        total += s->dur[x->row];
        longest = !longest || s->dur[x->row] > s->dur[longest->row] ? x : longest;
    }
    if (!longest) {
        return;
    }
    bool kernel = tt_row_kind(s, longest->row) == TT_KIND_KERNEL;
    const char *what = pieces > 1 ? "kernels and copies" : kernel ? "kernel" : "copy";
    tt_detail_fact(d, "GPU time", "%s in %s %s%s", duration_text(a, d, total), tt_format_count(n, pieces), what,
                   last < to ? " (and more)" : "");
    if (tt_kind_is_launch(tt_row_kind(s, r))) {
        int64_t delay = s->start[longest->row] - tt_row_end(s, r);
        tt_detail_fact(d, "queued", "%s", duration_text(a, d, delay > 0 ? delay : 0));
    }
    tt_detail_line(d,
                   pieces > 1 ? "longest"
                   : kernel   ? "kernel"
                              : "copy",
                   TT_CUT_KERNEL, "%s  %s", duration_text(a, d, s->dur[longest->row]), tt_row_name(s, longest->row));
}

/* The modules around a slice of a host thread, outermost first, and the line of Python code. */
static void around_facts(tt_detail *d, const tt_trace *s, tt_row r)
{
    enum { DEEP = 16 };
    const uint32_t modules = TT_TREE_MODULES;
    uint32_t track = tt_row_track(s, r), n = 0;
    tt_row at[DEEP];
    char path[1024], line[512];
    tt_buf names = tt_buf_of(path);
    for (tt_row m = tt_track_slice_at(s, track, s->start[r], modules); m != TT_NONE && n < DEEP;
         m = tt_row_ancestor(s, m, modules)) {
        if (m != r) at[n++] = m;
    }
    for (; n > 0; n--) {
        const char *name = tt_row_name(s, at[n - 1]);
        name += strncmp(name, "nn.Module: ", 11) == 0 ? 11 : 0;
        tt_buf_list(&names, " > ", "%s", name);
    }
    if (*path) tt_detail_line(d, "module", TT_CUT_START, "%s", path);
    if (tt_python_line_at(s, track, s->start[r], line, sizeof line) && strcmp(line, tt_row_name(s, r)) != 0) {
        tt_detail_line(d, "python line", TT_CUT_START, "%s", line);
        d->facts.at[d->facts.n - 1].strong = true;
        d->facts.at[d->facts.n - 1].weight = 2;
    }
}

/* How often the name occurs, and the share of device work. Left out until the sums of names are known. */
static void same_name_fact(tt_detail *d, const tt_timeline *t, tt_slice_ref r)
{
    const tt_trace *s = tt_timeline_trace(t, r);
    tt_kind kind = tt_row_kind(s, r.row);
    char a[TT_TEXT_CAP], n[TT_TEXT_CAP], share[TT_TEXT_CAP + 32] = "";
    if (!d->sums || (tt_kind_is_device(kind) && !tt_kind_is_work(kind))) return;
    const tt_name_sums *sums = tt_name_sums_get(t->session, r.trace);
    const tt_name_sum *x = &(tt_kind_is_work(kind) ? sums->device : sums->host)[s->name[r.row]];
    if (tt_kind_is_work(kind) && sums->work_ns > 0) {
        snprintf(share, sizeof share, "   %.1f%% of %s time", 100.0 * (double)x->ns / (double)sums->work_ns,
                 t->session->traces[r.trace]->rules->device);
    }
    if (x->count > 1) {
        tt_detail_line(d, "same name", TT_CUT_END, "%s calls   %s%s", tt_format_count(n, x->count),
                       duration_text(a, d, x->ns), share);
    }
}

/* ["c10::BFloat16", "long int", ""] becomes BFloat16, long int, - */
static void types_fact(tt_detail *d, const tt_trace *s, tt_sid id)
{
    const char *p = tt_str(&s->strings, id);
    char text[256];
    size_t n = 0;
    if (id == 0 || is_empty(p)) {
        return;
    }
    for (; *p && n < sizeof text - 2; p++) {
        bool none = p[0] == '"' && p[1] == '"';
        if (strncmp(p, "c10::", 5) == 0) {
            p += 4;
        } else if (none || !strchr("[]\"", *p)) {
            text[n++] = none ? '-' : *p;
            p += none;
        }
    }
    tt_detail_fact(d, "types", "%.*s%s", (int)n, text, *p ? "..." : "");
}

static void host_facts(tt_detail *d, const tt_trace *s, tt_row r)
{
    tt_kind kind = tt_row_kind(s, r);
    work_facts(d, s, r);
    if (tt_kind_is_launch(kind)) {
        if (s->detail[r] != TT_NONE) operator_line(d, s, s->detail[r]);
    } else if (has_op_args(kind) && s->detail[r] != 0 && s->detail[r] < s->n_op_args) {
        const tt_op_args *x = &s->op_args[s->detail[r]];
        const char *shapes = tt_str(&s->strings, x->shapes);
        if (!is_empty(shapes)) tt_detail_line(d, "shapes", TT_CUT_END, "%s", shapes);
        types_fact(d, s, x->types);
        coll_facts(d, s, x->coll);
        if (x->hierarchy) tt_detail_line(d, "module", TT_CUT_START, "%s", tt_str(&s->strings, x->hierarchy));
    }
}

static void parent_fact(tt_detail *d, const tt_trace *s, tt_row r)
{
    if (s->parent[r] != TT_NONE) tt_detail_line(d, "parent", TT_CUT_START, "%s", tt_row_name(s, s->parent[r]));
    if (tt_timeline_has_flow(s, r)) tt_detail_fact(d, "flow", "b follows it");
}

/* ---- all ---- */

/* The time of the slice on the critical path, while the path is shown. */
static void path_fact(tt_detail *d, const tt_timeline *t, tt_slice_ref r)
{
    const tt_path_overlay *o = tt_path_overlay_shown(t, r.trace);
    char a[TT_TEXT_CAP], b[TT_TEXT_CAP];
    if (!o) return;
    int64_t ns = tt_path_overlay_slice_ns(o, r.row);
    if (ns > 0)
        tt_detail_fact(d, "on the critical path", "for %s of %s", duration_text(a, d, ns),
                       duration_text(b, d, tt_timeline_trace(t, r)->dur[r.row]));
    else
        tt_detail_fact(d, "on the critical path", "never");
}

/* The step of the slice. A slice can be longer than its step in the tables, which begins when the device has finished
 * the step before: the fact then explains the difference. */
static void step_fact(tt_detail *d, const tt_trace *s, tt_row r)
{
    char ns[TT_TEXT_CAP];
    int64_t at = tt_row_asked_at(s, r);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *x = &s->steps[i];
        if (x->row != TT_NONE && x->row != r && at >= x->host_start && at < x->host_end) {
            if (s->dur[r] <= x->end - x->start)
                tt_detail_fact(d, "step", "%lld", (long long)x->number);
            else
                tt_detail_fact(d, "step", "%lld (%s, %s)", (long long)x->number,
                               duration_text(ns, d, x->end - x->start),
                               x->start > x->host_start ? "from the end of the GPU work before" : "it ends later");
            return;
        }
    }
}

/* Arguments that other facts repeat, or that few people need: only the page has them. */
static bool said_already(const char *key)
{
    static const char *const keys[] = {
        "Input Dims", "Input type", "grid", "block", "registers per thread", "shared memory", "blocks per SM",
        "warps per SM", "est. achieved occupancy %", "stream", "device", "Device", "Collective name", "In msg nelems",
        "Group size", "dtype", "bytes", "Input Strides",
        /* ids by which the profiler ties events together: the links show them */
        "External id", "Record function id", "Ev Idx", "Python id", "Python parent id", "Python module id",
        "Sequence number", "Fwd thread id", "correlation", "cbid", "context", "queued", "submitted"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcasecmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void argument_facts(tt_detail *d, const tt_trace *s)
{
    tt_fields f = {0};
    tt_err err;
    bool device = tt_kind_is_device(tt_row_kind(s, d->of.row));
    if (tt_event_fields(s, tt_row_text(s, d->of.row), &f, &err) != TT_OK) {
        tt_detail_fact(d, "arguments", "cannot be read again: %s", err.message);
    }
    for (uint32_t i = 0; i < f.n; i++) {
        const char *key = f.at[i].key;
        bool argument = strncmp(key, "args.", 5) == 0;
        key += argument ? 5 : 0;
        tt_detail_fact(d, tt_arena_strndup(&d->arena, key, strlen(key)), "%s", f.at[i].value);
        /* a fact shows the size of device work */
        bool said = said_already(key) && (device || strcmp(key, "bytes") != 0);
        d->facts.at[d->facts.n - 1].page_only = !argument || said || is_empty(f.at[i].value);
    }
    tt_fields_free(&f);
    d->has_arguments = true;
}

/* Kind and track: "GPU kernel, GPU 0 stream 7". */
static const char *place_of(tt_detail *d, const tt_timeline *t, const tt_trace *s, tt_slice_ref r)
{
    char label[256] = "";
    uint32_t node = t->track_node[r.trace][tt_row_track(s, r.row)];
    tt_kind kind = tt_row_kind(s, r.row);
    if (node != TT_NONE) {
        size_t n = 0;
        uint32_t up = t->nodes.at[node].parent;
        if (up != TT_NONE && t->nodes.at[up].device) {
            tt_timeline_label(t, &t->nodes.at[up], label, sizeof label / 2);
            n = strlen(label);
            label[n++] = ' ';
        }
        tt_timeline_label(t, &t->nodes.at[node], label + n, sizeof label - n);
    }
    const char *what = kind == TT_KIND_OTHER ? tt_str(&s->strings, s->cats[s->cat[r.row]].name) : tt_kind_title[kind];
    return tt_arena_printf(&d->arena, "%s, %s", *what ? what : "slice", label);
}

/* The name without mangling. */
static const char *name_of(tt_detail *d, const char *name)
{
    unsigned tries = 1;
    char *full = tt_demangle(name, &tries);
    if (!full) return name;
    name = tt_arena_strndup(&d->arena, full, strlen(full));
    free(full);
    return name;
}

static void own_facts(tt_detail *d, const tt_timeline *t, const tt_trace *s, tt_slice_ref r)
{
    char a[TT_TEXT_CAP];
    const tt_activity *x = tt_row_dev(s, r.row);
    bool host = !x && !tt_kind_is_device(tt_row_kind(s, r.row));
    tt_detail_fact(d, "duration", "%s", tt_format_time(a, s->dur[r.row], d->unit));
    if (host) self_fact(d, s, r.row);
    if (x) queue_fact(d, s, x);
    if (!x) tt_detail_fact(d, "start", "%s", tt_format_time(a, tt_timeline_start(t, r), d->unit));
    step_fact(d, s, r.row); /* early, so that it keeps its place from slice to slice */
    path_fact(d, t, r);
    if (x) {
        grid_facts(d, s, &s->shapes[x->shape]);
        size_facts(d, s, x);
        launch_facts(d, t, r.trace, x);
    } else if (host) {
        host_facts(d, s, r.row);
    }
    if (x ? x->launch != TT_NONE : host) around_facts(d, s, x ? x->launch : r.row);
    same_name_fact(d, t, r);
    if (x) {
        tt_detail_fact(d, "start", "%s", tt_format_time(a, tt_timeline_start(t, r), d->unit));
        shape_facts(d, &s->shapes[x->shape]);
        coll_facts(d, s, x->coll);
    } else if (host) {
        parent_fact(d, s, r.row);
    }
}

void tt_detail_make(tt_detail *d, const tt_timeline *t, tt_slice_ref r, tt_unit unit, bool arguments)
{
    const tt_trace *s = t->session->traces[r.trace];
    const void *path = r.row == TT_NONE ? NULL : tt_path_overlay_shown(t, r.trace);
    bool sums = tt_timeline_sums_ready(t, r.trace);
    bool same = d->name && d->of.trace == r.trace && d->of.row == r.row && d->unit == unit && d->path == path &&
                d->sums == sums;
    if (!same) {
        tt_detail_free(d);
        d->of = r;
        d->unit = unit;
        d->path = path;
        d->sums = sums;
        if (r.row == TT_NONE) {
            return;
        }
        d->name = name_of(d, tt_row_name(s, r.row));
        d->place = place_of(d, t, s, r);
        own_facts(d, t, s, r);
        d->n_own = d->facts.n;
    }
    if (arguments && !d->has_arguments && r.row != TT_NONE) {
        argument_facts(d, s);
    }
}

/* Folded stacks on the timeline: the lines shown, moving among them, bands cut to fit the screen, and jumps to hidden
 * slices. */
#include <string.h>

#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/evidence.h"
#include "tui/timeline/navigate/links.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"

enum { MODULES = 30 };

typedef struct run {
    tt_trace *s;
    tt_row outer, step, net, call, forward, op, launch, deep, kernel, helper, stray;
} run;

static void track(tt_trace *s, uint32_t p, tt_track_kind kind, const char *tid, const char *name)
{
    fixture_track(s, kind, name);
    tt_track *k = &s->tracks[s->n_tracks - 1];
    k->process = p;
    k->pid = s->processes[p].pid;
    k->tid = fixture_text(s, tid);
    k->stream = kind == TT_TRACK_STREAM ? 7 : -1;
}

static tt_row put(tt_trace *s, tt_kind kind, const char *name, int64_t start, int64_t end, tt_row parent,
                  unsigned depth)
{
    tt_row r = fixture_slice(s, kind, name, start, end - start, NULL);
    tt_track *k = &s->tracks[s->n_tracks - 1];
    s->parent[r] = parent;
    s->depth[r] = (uint16_t)depth;
    if (tt_kind_is_python(kind) || tt_kind_is_launch(kind)) s->detail[r] = TT_NONE;
    k->depths = depth + 1 > k->depths ? depth + 1 : k->depths;
    return r;
}

/* A thread with thirty nested modules, whose innermost holds an operator and a launch; a thread without launches; and
 * a thread written under the device's process. */
static run make_run(void)
{
    run r = {.s = fixture_rows("w", "0", 200)};
    tt_trace *s = r.s;
    s->processes[s->n_processes++] =
        (tt_process){.pid = fixture_text(s, "100"), .name = fixture_text(s, "python"), .device = -1};
    s->processes[s->n_processes++] =
        (tt_process){.pid = fixture_text(s, "0"), .name = fixture_text(s, "python"), .device = 0};
    track(s, 0, TT_TRACK_THREAD, "100", "main");
    r.outer = put(s, TT_KIND_PYTHON, "threading.py(1): run", 0, 10000, TT_NONE, 0);
    r.step = put(s, TT_KIND_STEP, "ProfilerStep#1", 10, 9000, TT_NONE, 1);
    r.net = put(s, TT_KIND_MODULE, "nn.Module: Net_0", 100, 5000, r.outer, 2);
    r.call = put(s, TT_KIND_PYTHON, "torch/nn/modules/module.py(9): _call_impl", 101, 4999, r.net, 3);
    r.forward = put(s, TT_KIND_PYTHON, "net.py(9): forward", 102, 4998, r.call, 4);
    tt_row up = r.forward;
    for (int i = 1; i < MODULES; i++)
        up = put(s, TT_KIND_MODULE, "nn.Module: Block", 102 + i, 4998 - i, up, 4 + (unsigned)i);
    r.deep = up;
    r.op = put(s, TT_KIND_CPU_OP, "aten::mm", 200, 300, r.step, 40);
    r.launch = put(s, TT_KIND_RUNTIME, "cudaLaunchKernel", 210, 220, r.op, 41);
    s->detail[r.launch] = r.op;
    track(s, 0, TT_TRACK_THREAD, "101", "pin_memory");
    r.helper = put(s, TT_KIND_CPU_OP, "aten::copy_", 50, 90, TT_NONE, 0);
    track(s, 0, TT_TRACK_THREAD, "102", "watchdog");
    put(s, TT_KIND_CPU_OP, "aten::item", 50, 90, TT_NONE, 0);
    track(s, 1, TT_TRACK_STREAM, "7", "stream 7");
    r.kernel = put(s, TT_KIND_KERNEL, "gemm", 230, 800, TT_NONE, 0);
    s->detail[r.kernel] = 0;
    s->dev[0] = (tt_activity){.row = r.kernel, .launch = r.launch, .bytes = TT_UNKNOWN, .stream = 7};
    s->n_dev = 1;
    s->launch_row[0] = r.launch;
    s->n_links = 1;
    track(s, 1, TT_TRACK_THREAD, "103", "python3");
    r.stray = put(s, TT_KIND_PYTHON, "worker.py(3): poll", 0, 9000, TT_NONE, 0);
    s->n_steps = 1;
    s->steps[0] = (tt_step){.number = 1, .row = r.step, .host_start = 10, .host_end = 9000};
    return r;
}

static void draw(tt_timeline *t, int h)
{
    tt_canvas c = {0};
    tt_timeline_frame f = {0};
    tt_canvas_resize(&c, h, 100);
    tt_timeline_plan p = tt_timeline_arrange(t, h, 100, 0);
    tt_timeline_draw(t, &c, &p, &f);
    tt_timeline_frame_free(&f);
    tt_canvas_free(&c);
}

static const tt_timeline_node *node_of(const tt_timeline *t, uint32_t line)
{
    return &t->nodes.at[t->lines.at[line].node];
}

static uint32_t line_of(tt_timeline *t, tt_row r) { return tt_timeline_line_of(t, (tt_slice_ref){0, r}); }

/* The device comes first, then the thread that launches; the other threads share one row; the strayed thread returns
 * to its process. */
static void test_order(tt_timeline *t, const run *r)
{
    CHECK(node_of(t, 0)->kind == TT_TIMELINE_PROCESS && node_of(t, 0)->device);
    CHECK_INT(line_of(t, r->kernel), 1);
    uint32_t group = TT_NONE, main_node = t->track_node[0][0];
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        if (t->nodes.at[i].kind == TT_TIMELINE_GROUP) group = i;
    }
    CHECK(group != TT_NONE && main_node < group);
    CHECK(t->nodes.at[group].collapsed && !t->nodes.at[group].device);
    CHECK_INT(t->nodes.at[group].end - group - 1, 3); /* including the thread of process 0 */
    CHECK_INT(t->nodes.at[t->track_node[0][4]].parent, group);
    char label[128];
    tt_timeline_label(t, &t->nodes.at[group], label, sizeof label);
    CHECK(strcmp(label, "3 other threads") == 0);
    CHECK_INT(line_of(t, r->helper), TT_NONE); /* the helper thread is hidden in the group's row */
    CHECK(node_of(t, tt_timeline_line_around(t, (tt_slice_ref){0, r->helper}))->kind == TT_TIMELINE_GROUP);
}

static void test_moves(tt_timeline *t, const run *r)
{
    tt_timeline_select(t, (tt_slice_ref){0, r->launch}, true);
    CHECK(tt_timeline_parent(t) && t->sel.row == r->op);
    CHECK(tt_timeline_parent(t) && t->sel.row == r->deep); /* the module around the slice */
    for (int i = 1; i < MODULES; i++) CHECK(tt_timeline_parent(t));
    CHECK_INT(t->sel.row, r->net); /* the wrapper in between is skipped */
    CHECK(tt_timeline_parent(t) && t->sel.row == r->step);
    CHECK(!tt_timeline_parent(t));
    CHECK(tt_timeline_child(t) && t->sel.row == r->net);
    CHECK(tt_timeline_child(t) && t->sel.row == r->net + 3);
    CHECK(t->view == TT_VIEW_BANDS);
}

/* All tracks fit: cut bands say so, no row of a device is cut, and c shows a whole track. */
static void test_fit(const run *r, tt_session *s)
{
    for (int h = 14; h < 60; h += 3) {
        tt_timeline *t = tt_timeline_new(s);
        tt_view_show(t, TT_VIEW_BANDS);
        size_t all = t->lines.n;
        draw(t, h);
        all -= t->rows < 14; /* with few rows the busy row of the device makes room for the host */
        CHECK(t->lines.n <= (size_t)t->rows);
        CHECK(line_of(t, r->kernel) < (uint32_t)t->rows);
        CHECK(line_of(t, r->step) != TT_NONE && line_of(t, r->net) != TT_NONE);
        CHECK(line_of(t, r->op) != TT_NONE && line_of(t, r->launch) != TT_NONE);
        bool cut = line_of(t, r->deep) == TT_NONE;
        CHECK(cut == (t->lines.n < all));
        CHECK(!cut || t->lines.n == (size_t)t->rows);
        uint32_t line = line_of(t, r->net);
        char label[64];
        tt_layers_label(t, node_of(t, line), t->lines.at[line].depth, label, sizeof label);
        CHECK(strcmp(label, "modules") == 0);
        CHECK_INT(tt_layers_missing(t, node_of(t, line), t->lines.at[line].depth), all - t->lines.n);
        draw(t, h); /* drawing again moves nothing */
        CHECK_INT(line_of(t, r->net), line);
        if (cut) {
            t->line = line;
            tt_timeline_collapse(t);
            CHECK_INT(t->lines.n, all);
            tt_timeline_collapse(t);
            CHECK(t->lines.n < all && line_of(t, r->deep) == line_of(t, r->net)); /* the whole thread is one row now */
        }
        tt_timeline_free(t);
    }
}

/* A jump to a slice that is cut, hidden with its layer, or folded away makes it visible. */
static void test_reveal(const run *r, tt_session *s)
{
    tt_timeline *t = tt_timeline_new(s);
    tt_view_show(t, TT_VIEW_BANDS);
    draw(t, 20);
    CHECK_INT(line_of(t, r->deep), TT_NONE);
    tt_timeline_select(t, (tt_slice_ref){0, r->deep}, true);
    CHECK_INT(line_of(t, r->deep), t->line);
    CHECK(t->view == TT_VIEW_BANDS);
    tt_view_show_layer(t, TT_BAND_RUNTIME, false);
    CHECK_INT(line_of(t, r->launch), TT_NONE);
    CHECK_INT(t->sel.row, r->deep); /* the cursor stays on the slice */
    tt_timeline_select(t, (tt_slice_ref){0, r->op}, true);
    CHECK(!tt_timeline_child(t)); /* moving down skips hidden slices */
    CHECK_INT(tt_timeline_line_around(t, (tt_slice_ref){0, r->launch}), line_of(t, r->op));
    tt_timeline_select(t, (tt_slice_ref){0, r->kernel}, true);
    CHECK(tt_timeline_link(t, -1) == NULL); /* follow the link to the launch */
    CHECK_INT(t->sel.row, r->launch);
    CHECK(t->line == line_of(t, r->launch) && !t->layers.off);
    tt_timeline_select(t, (tt_slice_ref){0, r->forward}, true);
    CHECK(t->view == TT_VIEW_STACKS);
    CHECK_INT(t->line, line_of(t, r->forward));
    CHECK_INT(t->lines.at[t->line].depth, t->session->traces[0]->depth[r->forward]);
    tt_view_show(t, TT_VIEW_BANDS); /* fold again: the cursor moves to the enclosing visible slice */
    CHECK_INT(t->sel.row, r->net);
    CHECK_INT(t->line, line_of(t, r->net));
    tt_timeline_free(t);
}

/* A search finds visible slices, and folded slices only if no visible slice has the name. A filter has bands, too. */
static void test_search(const run *r, tt_session *s)
{
    tt_timeline *t = tt_timeline_new(s);
    tt_view_show(t, TT_VIEW_BANDS);
    draw(t, 30);
    bool wrapped;
    tt_timeline_match(t, "o", false); /* matches Block, forward, copy_ and others */
    uint64_t folded = t->search.n_hits;
    tt_view_show(t, TT_VIEW_STACKS);
    CHECK_INT(t->search.n_hits, folded + 2); /* also the slices of torch and of net.py */
    tt_view_show(t, TT_VIEW_BANDS);
    CHECK_INT(t->search.n_hits, folded);
    tt_timeline_match(t, "_call_impl", false);
    CHECK_INT(t->search.n_hits, 1);
    tt_slice_ref hit = tt_timeline_next_match(t, 1, &wrapped);
    CHECK_INT(hit.row, r->call);
    tt_timeline_select(t, hit, true);
    CHECK(t->view == TT_VIEW_STACKS && t->line == line_of(t, r->call));
    tt_timeline_match(t, NULL, false);

    atomic_bool stop = false;
    const char *why;
    tt_timeline_filter *f = tt_timeline_filter_new(s, "cpu op", &why);
    tt_timeline_filter_build(t, t->view, f, &stop);
    tt_view_set_filter(t, f);
    tt_view_show(t, TT_VIEW_BANDS);
    CHECK_INT(line_of(t, r->step), TT_NONE);
    CHECK(line_of(t, r->op) != TT_NONE);
    draw(t, 30);
    tt_view_show(t, TT_VIEW_STACKS);
    CHECK(line_of(t, r->op) != TT_NONE && t->lines.at[line_of(t, r->op)].depth == 40);
    tt_view_set_filter(t, NULL);
    tt_timeline_free(t);
}

/* While another thread computes the lanes, a track is one row; then its lines appear. */
static void test_later(const run *r, tt_session *s)
{
    tt_timeline *t = tt_timeline_new(s);
    atomic_bool stop = false;
    t->wait_from = 0;
    atomic_store(&t->preparing, true);
    tt_view_show(t, TT_VIEW_BANDS);
    draw(t, 30);
    CHECK(t->layers.later);
    CHECK_INT(t->lines.at[line_of(t, r->net)].depth, TT_NONE);
    CHECK_INT(line_of(t, r->net), line_of(t, r->op));
    tt_timeline_prepare(t, TT_VIEW_BANDS, &stop);
    atomic_store(&t->preparing, false);
    draw(t, 30);
    CHECK(!t->layers.later && line_of(t, r->net) != line_of(t, r->op));
    tt_timeline_free(t);
}

/* Evidence keeps the row of its slice through every change: the end of the search, unfolding, lanes not computed yet.
 * */
static void test_evidence(const run *r, tt_session *s)
{
    const tt_drilldown of = {.what = TT_DRILL_ROW, .trace = 0, .row = r->op};
    tt_timeline *t = tt_timeline_new(s);
    tt_view_show(t, TT_VIEW_BANDS);
    draw(t, 30);
    size_t all = t->lines.n;
    CHECK(tt_evidence_begin(t, &of, NULL));
    draw(t, 30);
    CHECK(t->choice.on && t->lines.n < all && line_of(t, r->op) != TT_NONE);
    CHECK_INT(line_of(t, r->net), TT_NONE);
    tt_timeline_match(t, NULL, false);
    for (int i = 0; i < 3; i++) {
        tt_view_show(t, i % 2 ? TT_VIEW_BANDS : TT_VIEW_STACKS);
        draw(t, 30);
        CHECK(t->choice.on && line_of(t, r->op) != TT_NONE && t->lines.n < all);
    }
    tt_evidence_end(t);
    draw(t, 30);
    CHECK(t->view == TT_VIEW_BANDS && !t->choice.on);
    CHECK_INT(t->lines.n, all);
    tt_timeline_free(t);

    t = tt_timeline_new(s);
    atomic_bool stop = false;
    t->wait_from = 0;
    atomic_store(&t->preparing, true);
    tt_view_show(t, TT_VIEW_BANDS);
    CHECK(tt_evidence_begin(t, &of, NULL));
    draw(t, 30);
    CHECK(t->choice.on);
    CHECK_INT(t->lines.at[line_of(t, r->op)].depth, TT_NONE);
    tt_timeline_prepare(t, TT_VIEW_BANDS, &stop);
    atomic_store(&t->preparing, false);
    draw(t, 30);
    CHECK(t->choice.on && line_of(t, r->op) != TT_NONE);
    CHECK(t->lines.at[line_of(t, r->op)].depth != TT_NONE);
    tt_timeline_free(t);
}

int main(void)
{
    run r = make_run();
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    size_t recorded = t->lines.n;
    tt_view_show(t, TT_VIEW_BANDS);
    test_order(t, &r);
    test_moves(t, &r);
    tt_view_show(t, TT_VIEW_STACKS);
    CHECK_INT(t->lines.n, recorded); /* unfolded: the recorded lanes */
    tt_timeline_free(t);
    test_fit(&r, s);
    test_reveal(&r, s);
    test_search(&r, s);
    test_later(&r, s);
    test_evidence(&r, s);
    fixture_session_free(s);
    return check_done();
}

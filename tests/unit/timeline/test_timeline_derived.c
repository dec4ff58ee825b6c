/* Rows of the timeline computed from records: causes of idle time, and the critical path across the tracks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tests/unit/random.h"
#include "tui/timeline/draw/detail_draw.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/evidence.h"
#include "tui/timeline/navigate/pieces.h"
#include "tui/timeline/navigate/ranges.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"
#include "tui/timeline/rows/path_overlay.h"
#include "tui/widgets/cause_style.h"

enum { MS = 1000000, H = 30, COLS = 100, W = COLS + 24 };

/* ---- a trace by hand ---- */

static void track(tt_trace *s, uint32_t process, tt_track_kind kind, const char *tid)
{
    s->tracks[s->n_tracks++] = (tt_track){.pid = s->processes[process].pid,
                                          .tid = fixture_text(s, tid),
                                          .name = fixture_text(s, tid),
                                          .process = process,
                                          .kind = kind,
                                          .device = -1,
                                          .stream = kind == TT_TRACK_STREAM ? atoll(tid) : -1,
                                          .first = s->n};
}

static tt_row slice(tt_trace *s, tt_kind kind, const char *name, int64_t from, int64_t to, unsigned depth)
{
    tt_row r = fixture_slice(s, kind, name, from * MS, (to - from) * MS, NULL);
    tt_track *k = &s->tracks[s->n_tracks - 1];
    s->depth[r] = (uint16_t)depth;
    s->parent[r] = depth ? r - 1 : TT_NONE;
    if (tt_kind_is_launch(kind)) s->detail[r] = TT_NONE;
    k->depths = depth + 1 > k->depths ? depth + 1 : k->depths;
    return r;
}

static tt_row kernel(tt_trace *s, const char *name, int64_t from, int64_t to, tt_row launch)
{
    tt_row r = slice(s, TT_KIND_KERNEL, name, from, to, 0);
    s->detail[r] = s->n_dev;
    s->dev[s->n_dev] = (tt_activity){.row = r, .launch = launch, .bytes = TT_UNKNOWN, .stream = 7};
    if (launch != TT_NONE) {
        s->launch_row[s->n_links] = launch;
        s->launched_activity[s->n_links++] = s->n_dev;
    }
    s->n_dev++;
    return r;
}

typedef struct run {
    tt_session *session;
    tt_timeline *t;
    tt_row op, wait, first, second, third;
    uint32_t idle, path; /* their nodes */
} run;

static uint32_t node_of(const tt_timeline *t, tt_timeline_row_kind kind)
{
    for (uint32_t i = 0; i < t->nodes.n; i++)
        if (t->nodes.at[i].kind == kind) return i;
    return TT_NONE;
}

/* Times are 0 to 100 ms; the recording begins at 5. The device works in [12, 25), [62, 70) and [90, 95). The host runs
 * an operator and its launch until the first work, waits for it in [20, 50), is between operators until 60, and
 * launches the second kernel in [60, 62). The third kernel has no recorded launch, so no thread is charged with the
 * idle time after it. */
static run make_run(void)
{
    run r = {0};
    tt_trace *s = fixture_rows("w", "0", FIXTURE_ROWS);
    s->processes[0] = (tt_process){.pid = fixture_text(s, "100"), .name = fixture_text(s, "python"), .device = -1};
    s->processes[1] = (tt_process){.pid = fixture_text(s, "0"), .name = fixture_text(s, "python"), .device = 0};
    s->n_processes = 2;
    track(s, 0, TT_TRACK_THREAD, "100");
    r.op = slice(s, TT_KIND_CPU_OP, "aten::mm", 5, 15, 0);
    tt_row launch1 = slice(s, TT_KIND_RUNTIME, "cudaLaunchKernel", 10, 12, 1);
    r.wait = slice(s, TT_KIND_RUNTIME, "cudaStreamSynchronize", 20, 50, 0);
    tt_row launch2 = slice(s, TT_KIND_RUNTIME, "cudaLaunchKernel", 60, 62, 0);
    slice(s, TT_KIND_CPU_OP, "aten::end", 99, 100, 0);
    track(s, 1, TT_TRACK_STREAM, "7");
    r.first = kernel(s, "first", 12, 25, launch1);
    r.second = kernel(s, "second", 62, 70, launch2);
    r.third = kernel(s, "third", 90, 95, TT_NONE);
    r.session = tt_session_new(&s, 1, "");
    r.t = tt_timeline_new(r.session);
    r.idle = node_of(r.t, TT_TIMELINE_IDLE);
    r.path = node_of(r.t, TT_TIMELINE_PATH);
    return r;
}

static void free_run(run *r)
{
    tt_timeline_free(r->t);
    fixture_session_free(r->session);
}

static void derive(tt_timeline *t)
{
    for (int k = 0; k < TT_DERIVED_COUNT_; k++) {
        tt_derived_want w = {0, (tt_derived)k};
        tt_derived_build(t->session, w);
        tt_derived_done(t, w);
    }
}

typedef struct picture {
    tt_canvas c;
    tt_timeline_frame f;
    tt_timeline_plan p;
} picture;

static void draw(picture *p, tt_timeline *t, bool mono)
{
    if (!p->c.cells) tt_canvas_resize(&p->c, H, W);
    tt_canvas_clear(&p->c);
    p->c.mono = mono;
    p->p = tt_timeline_arrange(t, p->c.h, p->c.w, 0);
    tt_timeline_draw(t, &p->c, &p->p, &p->f);
}

static void free_picture(picture *p)
{
    tt_timeline_frame_free(&p->f);
    tt_canvas_free(&p->c);
}

static uint32_t line_of(const tt_timeline *t, uint32_t node, uint32_t depth)
{
    for (uint32_t i = 0; i < t->lines.n; i++)
        if (t->lines.at[i].node == node && (t->lines.at[i].depth == TT_NONE || t->lines.at[i].depth == depth)) return i;
    return TT_NONE;
}

static const tt_cellc *cell(const picture *p, const tt_timeline *t, uint32_t line, int col)
{
    int y = p->p.rows_y + tt_timeline_row_of(t, line);
    return &p->c.cells[(size_t)y * (size_t)p->c.stride + (size_t)(p->p.label_w + col)];
}

/* ---- causes of idle time ---- */

static void test_idle_cells(void)
{
    run r = make_run();
    picture p = {0};
    tt_derived_wants wants = {0};
    draw(&p, r.t, false);
    CHECK_INT(r.t->cols, COLS);
    uint32_t line = line_of(r.t, r.idle, 0);
    CHECK(cell(&p, r.t, line, 1)->ch == 'w'); /* shows "working out why ..." until the causes are computed */
    tt_derived_wanted(r.t, &wants);
    CHECK_INT(wants.at.n, 2);
    CHECK_INT(wants.at.at[0].what, TT_DERIVED_IDLE);
    derive(r.t);
    tt_timeline_window(r.t, 0, 100 * MS);
    draw(&p, r.t, false);
    line = line_of(r.t, r.idle, 0);
    static const struct {
        int col;
        unsigned cause;
    } want[] = {{5, TT_WAIT_OPERATOR}, {9, TT_WAIT_OPERATOR}, {10, TT_WAIT_RUNTIME}, {11, TT_WAIT_RUNTIME},
                {26, TT_WAIT_SYNC},    {49, TT_WAIT_SYNC},    {50, TT_WAIT_BETWEEN}, {59, TT_WAIT_BETWEEN},
                {61, TT_WAIT_RUNTIME}, {75, TT_WAIT_UNKNOWN}, {89, TT_WAIT_UNKNOWN}, {95, TT_WAIT_UNKNOWN},
                {99, TT_WAIT_UNKNOWN}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const tt_cellc *x = cell(&p, r.t, line, want[i].col);
        CHECK_INT(x->style & (tt_style)~TT_REVERSE, tt_cause_style(want[i].cause));
        CHECK(x->ch == 0x2588 || x->style & TT_REVERSE); /* a full block, or a letter of the cause's word */
    }
    static const int not_idle[] = {4, 12, 15, 65, 92, 94}; /* the first column lies before the recording */
    for (size_t i = 0; i < sizeof not_idle / sizeof *not_idle; i++)
        CHECK_INT(cell(&p, r.t, line, not_idle[i])->ch, ' ');
    draw(&p, r.t, true);
    CHECK_INT(cell(&p, r.t, line, 49)->ch, 'S'); /* without colours: letters, and the word where it fits */
    CHECK_INT(cell(&p, r.t, line, 61)->ch, 'R');
    CHECK_INT(cell(&p, r.t, line, 27)->ch, 'y');
    CHECK_INT(tt_row_source_of(r.t, &r.t->nodes.at[r.idle])->causes(r.t, &r.t->nodes.at[r.idle]),
              1u << TT_WAIT_SYNC | 1u << TT_WAIT_BETWEEN | 1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR |
                  1u << TT_WAIT_UNKNOWN);
    tt_timeline_window(r.t, MS / 2, 100 * MS + MS / 2); /* shifted by half a cell */
    draw(&p, r.t, false);
    CHECK_INT(cell(&p, r.t, line, 24)->style, tt_cause_style(TT_WAIT_SYNC));
    tt_vec_free(&wants.at);
    free_picture(&p);
    free_run(&r);
}

static void test_idle_moves(void)
{
    run r = make_run();
    tt_timeline *t = r.t;
    const tt_timeline_node *n = &t->nodes.at[r.idle];
    tt_detail d = {.of = {0, TT_NONE}};
    int64_t a = 0, b = 0;
    derive(t);
    t->cols = COLS;
    tt_timeline_window(t, 0, 100 * MS);
    t->line = line_of(t, r.idle, 0);
    t->at = 30 * MS;
    tt_timeline_pick(t);
    CHECK(!tt_timeline_has_sel(t) && tt_timeline_span(t, &a, &b));
    CHECK(a == 25 * MS && b == 62 * MS);
    CHECK(tt_timeline_move_slice(t, 1));
    CHECK(tt_timeline_span(t, &a, &b) && a == 70 * MS && b == 90 * MS);
    CHECK(tt_timeline_move_slice(t, 1)); /* the last stretch, after the last work */
    CHECK(tt_timeline_span(t, &a, &b) && a == 95 * MS && b == 100 * MS);
    CHECK(!tt_timeline_move_slice(t, 1));
    CHECK(tt_timeline_move_slice(t, -1) && tt_timeline_move_slice(t, -1) && t->at == 87 * MS / 2);
    CHECK(tt_timeline_move_slice(t, -1)); /* the stretch before that one */
    CHECK(tt_timeline_span(t, &a, &b) && a == 5 * MS && b == 12 * MS);
    CHECK(!tt_timeline_move_slice(t, -1));
    CHECK(tt_timeline_move_slice(t, 1) && t->at == 87 * MS / 2);
    tt_row_source_of(t, n)->detail(&d, t, n, TT_UNIT_AUTO);
    CHECK_STR(d.name, "idle: sync");
    char *text = tt_detail_text(&d);
    CHECK(strstr(text, "gap\t37.00 ms") && strstr(text, "sync 25.00 ms (67.6%), between operators 10.00 ms (27.0%)"));
    CHECK(strstr(text, "then\tsecond"));
    free(text);
    tt_timeline_fit(t);
    CHECK(t->t0 > 20 * MS && t->t0 < 25 * MS && t->t1 > 62 * MS && t->t1 < 67 * MS);
    tt_timeline_mark(t);
    tt_timeline_mark(t);
    CHECK(tt_timeline_marked(t, &a, &b) && a == 25 * MS && b == 62 * MS);
    t->at = 65 * MS; /* the device is busy there */
    CHECK(!tt_timeline_span(t, &a, &b));
    tt_row_source_of(t, n)->detail(&d, t, n, TT_UNIT_AUTO);
    CHECK_STR(d.name, "busy: no gap in this cell");
    tt_detail_free(&d);
    free_run(&r);
}

static void test_idle_rows(void)
{
    run r = make_run();
    tt_timeline *t = r.t;
    const char *why;
    atomic_bool stop = false;
    derive(t);
    t->line = line_of(t, r.idle, 0);
    CHECK(t->line != TT_NONE && tt_timeline_flag_here(t, TT_TIMELINE_HIDDEN));
    CHECK_INT(line_of(t, r.idle, 0), TT_NONE);
    CHECK_INT(tt_timeline_clear_flag(t, TT_TIMELINE_HIDDEN), 1);
    t->line = line_of(t, r.idle, 0);
    CHECK(tt_timeline_flag_here(t, TT_TIMELINE_PINNED));
    CHECK_INT(t->lines.at[0].node, r.idle);
    tt_timeline_clear_flag(t, TT_TIMELINE_PINNED);
    t->line = line_of(t, r.idle, 0);
    tt_timeline_collapse(t); /* collapsing folds the device around the row */
    CHECK_INT(line_of(t, r.idle, 0), TT_NONE);
    uint32_t line = tt_view_reveal_node(t, r.idle);
    CHECK(line != TT_NONE && line == line_of(t, r.idle, 0));
    uint32_t curves = node_of(t, TT_TIMELINE_CURVES), queue = node_of(t, TT_TIMELINE_QUEUE);
    CHECK_INT(line_of(t, queue, 0), TT_NONE);
    t->line = line_of(t, curves, 0);
    tt_timeline_collapse(t);
    CHECK(line_of(t, queue, 0) != TT_NONE);
    CHECK_INT(line_of(t, node_of(t, TT_TIMELINE_RATE), 0), TT_NONE); /* without copies there is no row of rates */
    for (int device = 0; device < 2; device++) { /* the row is shown with the slices of its device */
        tt_timeline_filter *f = tt_timeline_filter_new(t->session, device ? "second" : "aten", &why);
        tt_timeline_filter_build(t, t->view, f, &stop);
        tt_view_set_filter(t, f);
        CHECK_INT(line_of(t, r.idle, 0) != TT_NONE, device);
    }
    free_run(&r);
}

static void test_ranges(void)
{
    run r = make_run();
    tt_timeline *t = r.t;
    tt_hit_range at[] = {{70 * MS, 90 * MS, 0, 0}, {25 * MS, 62 * MS, 0, 0}};
    bool wrapped;
    size_t i;
    derive(t);
    CHECK(!tt_ranges_next(t, 1, &i, &wrapped));
    tt_timeline_match(t, "aten", false);
    CHECK_INT(tt_ranges_set(t, at, 2, 1), 0);
    CHECK(!t->search.pattern);
    tt_ranges_show(t, 0);
    CHECK(t->line == line_of(t, r.idle, 0) && t->at == 87 * MS / 2 && t->t0 <= 25 * MS && t->t1 >= 62 * MS);
    CHECK(tt_ranges_next(t, 1, &i, &wrapped) && i == 1 && !wrapped);
    tt_ranges_show(t, i);
    CHECK_INT(t->at, 80 * MS);
    CHECK(tt_ranges_next(t, 1, &i, &wrapped) && i == 0 && wrapped);
    CHECK(tt_ranges_next(t, -1, &i, &wrapped) && i == 0 && !wrapped);
    t->at = 65 * MS; /* the user moved elsewhere */
    CHECK(tt_ranges_next(t, 1, &i, &wrapped) && i == 1);
    CHECK(tt_ranges_next(t, -1, &i, &wrapped) && i == 0);
    tt_timeline_match(t, "aten", false); /* another search replaces the pieces */
    CHECK(!tt_ranges_next(t, 1, &i, &wrapped));
    free_run(&r);
}

/* ---- the pieces of a finding ---- */

static tt_pieces *make_pieces(const run *r)
{
    tt_pieces *p = tt_calloc(1, sizeof *p);
    *tt_vec_push(&p->at) = (tt_piece){25 * MS, 60 * MS, 30 * MS, TT_NONE, 0}; /* charged to the only thread */
    *tt_vec_push(&p->at) = (tt_piece){62 * MS, 70 * MS, 8 * MS, r->second, 0};
    *tt_vec_push(&p->at) = (tt_piece){70 * MS, 90 * MS, 20 * MS, TT_NONE, TT_NONE};
    *tt_vec_push(&p->at) = (tt_piece){95 * MS, 100 * MS, 5 * MS, TT_NONE, TT_NONE};
    return p;
}

static void test_longest_piece(void)
{
    run r = make_run();
    tt_pieces *p = make_pieces(&r);
    CHECK_INT(tt_pieces_longest(p, 0, 100 * MS), 0);
    CHECK_INT(tt_pieces_longest(p, 26 * MS, 100 * MS), 2); /* the first piece reaches beyond the window */
    CHECK_INT(tt_pieces_longest(p, 26 * MS, 50 * MS), 0);  /* no piece lies inside the window */
    CHECK_INT(tt_pieces_longest(p, 62 * MS, 89 * MS), 1);
    CHECK_INT(tt_pieces_longest(p, 101 * MS, 102 * MS), 3);
    p->at.at[2].ns = p->at.at[0].ns;
    CHECK_INT(tt_pieces_longest(p, 0, 100 * MS), 0); /* among equal pieces the first one */
    CHECK_INT(tt_pieces_after(p, 60 * MS), 1);
    CHECK_INT(tt_pieces_after(p, 200 * MS), 4);
    tt_pieces_free(p);
    free_run(&r);
}

static void test_evidence(void)
{
    run r = make_run();
    tt_timeline *t = r.t;
    picture p = {0};
    const tt_drilldown of = {.what = TT_DRILL_RANGE, .finding = 1, .t0 = 62 * MS, .t1 = 90 * MS};
    tt_scope all = tt_scope_all;
    bool wrapped;
    size_t at = 9;
    derive(t);
    draw(&p, t, false);
    uint32_t lines = (uint32_t)t->lines.n;
    int64_t t0 = t->t0, t1 = t->t1;
    CHECK(!tt_evidence_all_pieces(t, &at) && !tt_evidence_next_piece(t, 1, &wrapped));
    CHECK(tt_evidence_begin(t, &of, make_pieces(&r)));
    draw(&p, t, false);
    CHECK(t->t0 == 62 * MS && t->t1 == 90 * MS && t->mark_a == t->t0 && t->mark_b == t->t1);
    CHECK(tt_evidence_all_pieces(t, &at) && at == 2); /* the longest piece inside: idle time */
    CHECK(t->line == line_of(t, r.idle, 0) && t->at == 80 * MS && !tt_timeline_has_sel(t));
    CHECK(line_of(t, t->track_node[0][1], 0) != TT_NONE); /* shows the claimed work and the thread that launched it */
    CHECK(line_of(t, t->track_node[0][0], 0) != TT_NONE);
    CHECK_INT(line_of(t, node_of(t, TT_TIMELINE_BUSY), 0), TT_NONE);
    CHECK_INT(line_of(t, r.path, 0), TT_NONE);
    tt_path_overlay_set(t, 0, tt_path_overlay_make(t->session, &all, 0));
    tt_path_overlay_show(t, true);
    CHECK(line_of(t, r.path, 0) != TT_NONE); /* once the path is computed */
    CHECK(tt_evidence_next_piece(t, -1, &wrapped) && !wrapped);
    CHECK(tt_timeline_has_sel(t) && t->sel.row == r.second && t->line == line_of(t, t->track_node[0][1], 0));
    CHECK(tt_evidence_next_piece(t, -1, &wrapped) && !wrapped && t->t0 <= 25 * MS && t->t1 >= 60 * MS);
    CHECK(tt_evidence_next_piece(t, -1, &wrapped) && wrapped && tt_evidence_all_pieces(t, &at) && at == 3);
    CHECK(tt_evidence_next_piece(t, 1, &wrapped) && wrapped && tt_evidence_all_pieces(t, &at) && at == 0);
    t->at = 71 * MS;
    tt_evidence_piece_here(t);
    CHECK(tt_evidence_all_pieces(t, &at) && at == 2);
    tt_evidence_all_rows(t);
    CHECK(line_of(t, node_of(t, TT_TIMELINE_BUSY), 0) != TT_NONE);
    CHECK(tt_evidence_next_piece(t, 1, &wrapped) && line_of(t, node_of(t, TT_TIMELINE_BUSY), 0) != TT_NONE);
    tt_evidence_end(t);
    tt_path_overlay_show(t, false);
    CHECK(t->lines.n == lines && t->t0 == t0 && t->t1 == t1 && t->mark_a == TT_UNKNOWN);
    free_picture(&p);
    free_run(&r);
}

/* On a small screen the device, the path and one row of the thread remain. */
static void test_few_rows(void)
{
    run r = make_run();
    tt_timeline *t = r.t;
    tt_scope all = tt_scope_all;
    const tt_drilldown of = {.what = TT_DRILL_RANGE, .finding = 1, .t0 = 25 * MS, .t1 = 60 * MS};
    derive(t);
    tt_path_overlay_set(t, 0, tt_path_overlay_make(t->session, &all, 0));
    tt_path_overlay_show(t, true);
    for (int h = 8; h <= 30; h++) {
        (void)tt_timeline_arrange(t, h, W, 0);
        CHECK(tt_evidence_begin(t, &of, make_pieces(&r)));
        (void)tt_timeline_arrange(t, h, W, 0);
        CHECK(line_of(t, r.path, 0) != TT_NONE && line_of(t, r.idle, 0) != TT_NONE);
        CHECK(line_of(t, t->track_node[0][0], 0) != TT_NONE);
        CHECK(t->lines.n <= (size_t)t->rows);
        tt_evidence_end(t);
    }
    free_run(&r);
}

/* ---- the critical path ---- */

static void test_path(void)
{
    run r = make_run();
    tt_timeline *t = r.t;
    picture p = {0};
    int64_t a = 0, b = 0;
    tt_scope all = tt_scope_all;
    derive(t);
    CHECK_INT(line_of(t, r.path, 0), TT_NONE);
    tt_path_overlay_set(t, 0, tt_path_overlay_make(t->session, &all, 0));
    tt_path_overlay_show(t, true);
    CHECK_INT(line_of(t, r.path, 0), 0); /* the path stays above all tracks */
    CHECK_INT(t->n_pinned, 1);
    tt_timeline_window(t, 0, 100 * MS);
    t->line = 1;
    draw(&p, t, false);
    uint32_t host = line_of(t, t->track_node[0][0], 0), stream = line_of(t, t->track_node[0][1], 0);
    /* the host waits for the first kernel in [25, 50); nobody waits for the second */
    CHECK(tt_style_bg(cell(&p, t, stream, 15)->style) != TT_PAINT_DIM);
    CHECK_INT(tt_style_bg(cell(&p, t, stream, 66)->style), TT_PAINT_DIM);
    CHECK(tt_style_bg(cell(&p, t, host, 61)->style) != TT_PAINT_DIM);
    CHECK_INT(cell(&p, t, 0, 15)->style, tt_cause_style(TT_PATH_COMPUTATION) | TT_REVERSE);
    draw(&p, t, true);
    CHECK_INT(cell(&p, t, stream, 19)->ch, tt_glyph_of(&p.c, TT_G_ARROW_UP));
    CHECK_INT(cell(&p, t, stream, 69)->ch, tt_glyph_of(&p.c, TT_G_DOT));
    const tt_path_overlay *o = tt_path_overlay_shown(t, 0);
    const tt_path *path = tt_path_overlay_path(o);
    CHECK_INT(tt_path_overlay_slice_ns(o, r.first), 13 * MS);
    CHECK_INT(tt_path_overlay_slice_ns(o, r.second), 0);
    t->line = 0;
    t->at = path->at.at[0].t0;
    t->placed = t->at;
    for (size_t i = 0; i < path->at.n; i++) { /* ] goes through all segments, [ goes back */
        CHECK(tt_timeline_span(t, &a, &b) && a == path->at.at[i].t0 && b == path->at.at[i].t1);
        CHECK_INT(tt_timeline_move_slice(t, 1), i + 1 < path->at.n);
    }
    for (size_t i = path->at.n; i-- > 0;) {
        CHECK(tt_timeline_span(t, &a, &b) && a == path->at.at[i].t0);
        CHECK_INT(tt_timeline_move_slice(t, -1), i > 0);
    }
    tt_path_overlay_show(t, false);
    CHECK_INT(line_of(t, r.path, 0), TT_NONE);
    draw(&p, t, false);
    stream = line_of(t, t->track_node[0][1], 0);
    CHECK(tt_style_bg(cell(&p, t, stream, 66)->style) != TT_PAINT_DIM);
    free_picture(&p);
    free_run(&r);
}

/* Cells and sums of random paths against a scan of every segment. */
static void test_path_random(void)
{
    uint64_t rnd = RANDOM_SEED;
    for (int round = 0; round < 40; round++) {
        run r = make_run();
        tt_trace *s = r.session->traces[0];
        tt_path *path = tt_calloc(1, sizeof *path);
        int64_t at = 0, edge[COLS + 1], sums[TT_PATH_COUNT_], want[TT_PATH_COUNT_];
        while (at < 100 * MS) {
            int64_t to = at + 1 + (int64_t)(random_next(&rnd) % (random_next(&rnd) % 4 ? 300000 : 9000000));
            tt_row row = (tt_row)(random_next(&rnd) % (s->n + 3));
            *tt_vec_push(&path->at) = (tt_path_segment){.t0 = at,
                                                        .t1 = to,
                                                        .row = row < s->n ? row : TT_NONE,
                                                        .track = TT_NONE,
                                                        .category = random_next(&rnd) % TT_PATH_COUNT_};
            at = to;
        }
        path->t1 = at;
        tt_path_overlay *o = tt_path_overlay_of(r.session, 0, path);
        int64_t t0 = (int64_t)(random_next(&rnd) % (60 * MS)), span = 100 + (int64_t)(random_next(&rnd) % (50 * MS));
        for (int i = 0; i <= COLS; i++) edge[i] = t0 + span * i / COLS;
        for (uint32_t k = 0; k < s->n_tracks; k++) {
            for (uint32_t depth = 0; depth < s->tracks[k].depths; depth++) {
                uint8_t on[COLS];
                tt_path_overlay_cells(o, &r.t->nodes.at[r.t->track_node[0][k]], depth, edge, 0, COLS, on);
                for (int i = 0; i < COLS; i++) {
                    bool lit = false;
                    int64_t a = edge[i], b = edge[i + 1] > a ? edge[i + 1] : a + 1;
                    for (size_t x = 0; x < path->at.n; x++) {
                        const tt_path_segment *g = &path->at.at[x];
                        if (g->row == TT_NONE || tt_row_track(s, g->row) != k || s->depth[g->row] != depth) continue;
                        bool over = s->start[g->row] < g->t1 && tt_row_end(s, g->row) > g->t0;
                        lit = lit || (over && g->t0 < b && g->t1 > a);
                    }
                    CHECK_INT(on[i] & TT_ON_PATH, lit);
                }
            }
        }
        memset(want, 0, sizeof want);
        for (size_t x = 0; x < path->at.n && path->at.at[x].t0 < edge[COLS]; x++) {
            int64_t end = path->at.at[x].t1 < edge[COLS] ? path->at.at[x].t1 : edge[COLS];
            want[path->at.at[x].category] += end - path->at.at[x].t0;
        }
        tt_path_overlay_sums(o, edge[COLS], sums);
        CHECK(memcmp(sums, want, sizeof want) == 0);
        tt_path_overlay_free(o);
        free_run(&r);
    }
}

int main(void)
{
    test_idle_cells();
    test_idle_moves();
    test_idle_rows();
    test_ranges();
    test_longest_piece();
    test_evidence();
    test_few_rows();
    test_path();
    test_path_random();
    return check_done();
}

/* The timeline without a terminal: lay out a small run, move about in it, and draw it as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/text_safety.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/flows.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/bookmarks.h"
#include "tui/timeline/navigate/links.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/nodes.h"

enum { MS = 1000000, US = 1000, ROWS = 200000 };

/* ---- a trace by hand ---- */

static uint32_t process(tt_trace *s, const char *pid, const char *name, int32_t device)
{
    s->processes[s->n_processes] =
        (tt_process){.pid = fixture_text(s, pid), .name = fixture_text(s, name), .device = device};
    return s->n_processes++;
}

static void track(tt_trace *s, uint32_t p, tt_track_kind kind, const char *tid, const char *name)
{
    s->tracks[s->n_tracks++] = (tt_track){.pid = s->processes[p].pid,
                                          .tid = fixture_text(s, tid),
                                          .name = fixture_text(s, name),
                                          .process = p,
                                          .kind = kind,
                                          .device = -1,
                                          .stream = kind == TT_TRACK_STREAM ? atoll(tid) : -1,
                                          .first = s->n};
}

static tt_row slice(tt_trace *s, tt_kind kind, const char *name, int64_t start, int64_t dur, unsigned depth,
                    tt_row parent)
{
    tt_track *k = &s->tracks[s->n_tracks - 1];
    tt_row r = s->n++;
    s->start[r] = start;
    s->dur[r] = dur;
    s->name[r] = fixture_text(s, name);
    s->cat[r] = (uint8_t)kind;
    s->depth[r] = (uint16_t)depth;
    s->parent[r] = parent;
    s->detail[r] = tt_kind_is_launch(kind) || tt_kind_is_device(kind) || tt_kind_is_python(kind) ? TT_NONE : 0;
    s->end = start + dur > s->end ? start + dur : s->end;
    k->n++;
    k->depths = depth + 1 > k->depths ? depth + 1 : k->depths;
    k->has_layer[tt_kind_is_python(kind)] = true;
    return r;
}

static tt_row kernel(tt_trace *s, const char *name, int64_t start, int64_t dur, tt_row launch)
{
    tt_row r = slice(s, TT_KIND_KERNEL, name, start, dur, 0, TT_NONE);
    s->detail[r] = s->n_dev;
    s->dev[s->n_dev] = (tt_activity){.row = r, .launch = launch, .bytes = TT_UNKNOWN, .stream = 7};
    s->launch_row[s->n_links] = launch;
    s->launched_activity[s->n_links++] = s->n_dev++;
    return r;
}

/* Two steps of a small run: rows of a host thread, then a stream with kernels. */
typedef struct run {
    tt_trace *s;
    tt_row step1, mm, launch, relu, memset_call, gemm1, gemm2, relu_kernel, tiny;
} run;

static run make_run(const char *worker)
{
    run r = {.s = fixture_rows(worker, "0", ROWS)};
    tt_trace *s = r.s;
    uint32_t host = process(s, "100", "python", -1), gpu = process(s, "0", "python", 0);
    track(s, host, TT_TRACK_THREAD, "100", "thread 100 (main)");
    r.step1 = slice(s, TT_KIND_STEP, "ProfilerStep#1", 0, 50 * MS, 0, TT_NONE);
    r.mm = slice(s, TT_KIND_CPU_OP, "aten::mm", 5 * MS, 10 * MS, 1, r.step1);
    r.launch = slice(s, TT_KIND_RUNTIME, "cudaLaunchKernel", 7 * MS, 2 * MS, 2, r.mm);
    s->detail[r.launch] = r.mm;
    r.relu = slice(s, TT_KIND_CPU_OP, "aten::relu", 20 * MS, 4 * MS, 1, r.step1);
    r.memset_call = slice(s, TT_KIND_RUNTIME, "cudaMemsetAsync", 21 * MS, MS, 2, r.relu);
    s->detail[r.memset_call] = r.relu;
    tt_row step2 = slice(s, TT_KIND_STEP, "ProfilerStep#2", 50 * MS, 50 * MS, 0, TT_NONE);
    slice(s, TT_KIND_CPU_OP, "aten::mm", 60 * MS, 10 * MS, 1, step2);
    track(s, host, TT_TRACK_THREAD, "101", "thread 101");
    slice(s, TT_KIND_CPU_OP, "aten::mm_backward", 30 * MS, 10 * MS, 0, TT_NONE);
    track(s, host, TT_TRACK_THREAD, "102", "idle");
    track(s, gpu, TT_TRACK_STREAM, "7", "stream 7");
    r.gemm1 = kernel(s, "void gemm<float, 4>(int)", 12 * MS, 10 * MS, r.launch);
    r.gemm2 = kernel(s, "void gemm_split<float>()", 22 * MS, 5 * MS, r.launch);
    r.relu_kernel = kernel(s, "relu_kernel", 30 * MS, 3 * MS, r.memset_call);
    r.tiny = kernel(s, "tiny", 80 * MS, 40, TT_NONE);
    s->n_links = 3; /* the last kernel has no launch */
    track(s, gpu, TT_TRACK_STREAM, "20", "stream 20");
    slice(s, TT_KIND_MEMCPY, "Memcpy HtoD", 25 * MS, 20 * MS, 0, TT_NONE);
    s->steps[0] = (tt_step){.number = 1, .row = r.step1, .host_start = 0, .host_end = 50 * MS};
    s->steps[1] = (tt_step){.number = 2, .row = step2, .host_start = 50 * MS, .host_end = 100 * MS};
    s->n_steps = 2;
    s->flows[0] = (tt_flow){.ts = 5 * MS, .id = 3, .track = 0, .cat = TT_KIND_FORWARD, .phase = 's'};
    s->flows[1] = (tt_flow){.ts = 30 * MS, .id = 3, .track = 1, .cat = TT_KIND_FORWARD, .phase = 'f'};
    s->n_flows = 2;
    return r;
}

/* ---- a canvas as text ---- */

static char *screen(tt_timeline *t, int h, int w, bool ascii, bool mono)
{
    tt_canvas c = {0};
    tt_timeline_frame f = {.arrows = true};
    tt_canvas_resize(&c, h, w);
    c.ascii = ascii;
    c.mono = mono;
    tt_timeline_plan p = tt_timeline_arrange(t, h, w, 0);
    tt_timeline_draw(t, &c, &p, &f);
    TT_VEC(char) out = {0};
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            uint32_t ch = c.cells[(size_t)y * (size_t)c.stride + (size_t)x].ch;
            char utf8[4];
            size_t n = ch ? tt_utf8_put(utf8, ch) : 0;
            tt_vec_reserve(&out, out.n + n + 2);
            memcpy(out.at + out.n, utf8, n);
            out.n += n;
        }
        out.at[out.n++] = '\n';
    }
    tt_vec_reserve(&out, out.n + 1);
    out.at[out.n] = '\0';
    tt_timeline_frame_free(&f);
    tt_canvas_free(&c);
    return out.at;
}

static bool shows(tt_timeline *t, int h, int w, const char *what)
{
    char *text_of = screen(t, h, w, false, false);
    bool found = strstr(text_of, what) != NULL;
    if (!found) {
        fprintf(stderr, "no \"%s\" in:\n%s", what, text_of);
    }
    free(text_of);
    return found;
}

/* ---- tests ---- */

static void test_rows(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    /* python: header, three rows of the main thread, one of the other thread; GPU: header, two streams, idle causes,
     * curves; the thread without slices is hidden */
    CHECK_INT(t->lines.n, 11);
    char *picture = screen(t, 20, 80, false, false);
    if (getenv("SHOW")) puts(picture);
    free(picture);
    CHECK(shows(t, 20, 80, "ProfilerStep#1"));
    CHECK(shows(t, 20, 160, "aten::mm"));
    CHECK(shows(t, 20, 80, "gemm"));
    CHECK(shows(t, 20, 80, "stream 20"));
    picture = screen(t, 20, 80, false, false);
    CHECK(!strstr(picture, "idle 102"));
    free(picture);
    tt_timeline_select(t, (tt_slice_ref){0, r.relu}, true);
    CHECK_INT(t->lines.at[t->line].depth, 1);
    tt_timeline_collapse(t);
    CHECK_INT(t->lines.n, 9);
    CHECK_INT(t->lines.at[t->line].depth, TT_NONE);
    tt_timeline_collapse(t);
    CHECK_INT(t->lines.n, 11);
    tt_timeline_collapse_others(t);
    CHECK_INT(t->lines.n, 6); /* the GPU is collapsed to one row */
    tt_timeline_collapse_others(t);
    CHECK_INT(t->lines.n, 11);
    t->flat = true;
    tt_timeline_layout(t);
    CHECK_INT(t->lines.n, 9);
    t->flat = false;
    tt_timeline_layout(t);
    /* finding a slice in a collapsed track opens the track */
    tt_timeline_collapse_others(t);
    CHECK_INT(tt_timeline_line_of(t, (tt_slice_ref){0, r.gemm1}), TT_NONE);
    CHECK(tt_view_reveal(t, (tt_slice_ref){0, r.gemm1}) != TT_NONE);
    tt_timeline_free(t);
    fixture_session_free(s);
}

/* Check that every line is where line_at() and row_of() say, and that the cursor is on the screen. */
static void check_screen(tt_timeline *t)
{
    int row = tt_timeline_row_of(t, t->line);
    CHECK(row >= 0 && row < t->rows);
    for (uint32_t i = 0; i < t->lines.n; i++) {
        row = tt_timeline_row_of(t, i);
        CHECK(row < 0 || row >= t->rows || tt_timeline_line_at(t, row) == i);
    }
}

static void test_pins(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    tt_timeline_select(t, (tt_slice_ref){0, r.gemm1}, true);
    CHECK(tt_timeline_flag_here(t, TT_TIMELINE_PINNED));
    CHECK_INT(t->n_pinned, 1);
    CHECK_INT(t->lines.n, 11); /* the row moved, so no row is there twice */
    CHECK_INT(t->line, 0);     /* the cursor moved with its row */
    CHECK(shows(t, 20, 80, "\342\200\242"));
    CHECK(shows(t, 20, 160, "stream 7 GPU 0"));
    CHECK_INT(tt_timeline_line_of(t, (tt_slice_ref){0, r.gemm1}), 0);
    for (int h = 9; h < 20; h += 2) { /* the pinned row stays while the rest scrolls */
        free(screen(t, h, 80, false, false));
        for (uint32_t i = 0; i < t->lines.n; i++) {
            tt_timeline_move_line(t, i == 0 ? -100 : 1);
            check_screen(t);
            CHECK_INT(tt_timeline_row_of(t, 0), 0);
        }
    }
    CHECK_INT(tt_timeline_flag_named(t, TT_TIMELINE_PINNED, "python"), 1); /* pin the process with all its rows */
    CHECK_INT(t->n_pinned, 6);
    for (int h = 9; h < 20; h += 2) { /* pin more rows than fit */
        free(screen(t, h, 80, false, false));
        for (uint32_t i = 0; i < t->lines.n; i++) {
            tt_timeline_move_line(t, i == 0 ? -100 : 1);
            check_screen(t);
        }
    }
    CHECK(!tt_timeline_flag_here(t, TT_TIMELINE_PINNED) || t->n_pinned == 7);
    CHECK(tt_timeline_clear_flag(t, TT_TIMELINE_PINNED) > 0);
    CHECK_INT(t->n_pinned, 0);
    CHECK_INT(tt_timeline_flag_named(t, TT_TIMELINE_HIDDEN, "gpu stream"), 2);
    CHECK_INT(t->lines.n, 9);
    CHECK_INT(tt_timeline_line_of(t, (tt_slice_ref){0, r.gemm1}), TT_NONE);
    CHECK(tt_timeline_line_around(t, (tt_slice_ref){0, r.gemm1}) == 0); /* the device's own row stands for it */
    CHECK(tt_view_reveal(t, (tt_slice_ref){0, r.gemm1}) != TT_NONE);    /* a jump shows the row again */
    CHECK_INT(tt_timeline_clear_flag(t, TT_TIMELINE_HIDDEN), 1);
    CHECK_INT(t->lines.n, 11);
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void filter_by(tt_timeline *t, const char *words)
{
    const char *why;
    atomic_bool stop = false;
    tt_timeline_filter *f = tt_timeline_filter_new(t->session, words, &why);
    CHECK(f && !why);
    tt_timeline_filter_build(t, t->view, f, &stop);
    tt_view_set_filter(t, f);
}

static void test_filter(void)
{
    static const struct {
        const char *words;
        unsigned slices, lines;
    } cases[] = {{"kernel", 4, 5}, {"ker, memc", 5, 6}, {"runtime", 2, 2},     {"gemm", 2, 5},
                 {"mm", 5, 8},     {"~^aten::", 4, 3},  {"nothing here", 0, 0}};
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        filter_by(t, cases[i].words);
        CHECK_INT(tt_timeline_filter_count(t), cases[i].slices);
        CHECK_INT(t->lines.n, cases[i].lines);
        /* the filter passes every reachable slice, and every passing slice is drawn */
        unsigned seen = 0;
        for (tt_row row = 0; row < r.s->n; row++) {
            tt_slice_ref ref = {0, row};
            uint32_t line = tt_timeline_line_of(t, ref);
            if (!tt_timeline_passes(t, ref)) continue;
            seen++;
            CHECK(line != TT_NONE);
            CHECK_INT(tt_lod_nearest(t->lods[0], tt_row_track(r.s, row), r.s->depth[row], r.s->start[row]), row);
        }
        CHECK_INT(seen, cases[i].slices);
        for (uint32_t k = 0; k < t->lines.n * 4; k++) {
            tt_timeline_move_line(t, k % 4 ? 0 : 1);
            tt_timeline_move_slice(t, k % 2 ? 1 : -1);
            CHECK(!tt_timeline_has_sel(t) || tt_timeline_passes(t, t->sel));
            tt_timeline_parent(t);
            CHECK(!tt_timeline_has_sel(t) || tt_timeline_passes(t, t->sel));
            tt_timeline_child(t);
            CHECK(!tt_timeline_has_sel(t) || tt_timeline_passes(t, t->sel));
        }
        free(screen(t, 20, 80, false, false));
    }
    filter_by(t, "kernel");
    tt_timeline_match(t, "mm", false);
    CHECK_INT(t->search.n_hits, 2); /* a search finds visible slices only */
    tt_timeline_select(t, (tt_slice_ref){0, r.gemm1}, true);
    CHECK(strstr(tt_timeline_link(t, -1), "filter") != NULL); /* the filter hides its launch, so there is no arrow */
    filter_by(t, "kernel,cpu op");
    char *p = screen(t, 12, 120, false, false);
    CHECK(!strstr(p, "\342\225\260") && strstr(p, "mm_b"));
    free(p);
    tt_view_set_filter(t, NULL);
    CHECK_INT(t->search.n_hits, 5);
    CHECK_INT(t->sel.row, r.gemm1);
    CHECK(tt_timeline_link(t, -1) == NULL);
    CHECK_INT(t->lines.n, 10);
    const char *why;
    CHECK(!tt_timeline_filter_new(s, "~(", &why) && why);
    tt_timeline_free(t);
    fixture_session_free(s);
}

/* Column in which `what` begins on a line of the picture, -1 = not there. */
static int column_in(const char *picture, int line, const char *what)
{
    while (line-- > 0) picture = strchr(picture, '\n') + 1;
    const char *end = strchr(picture, '\n'), *at = strstr(picture, what);
    return at && at < end ? (int)tt_text_width(picture, (size_t)(at - picture)) : -1;
}

static void test_arrows(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    int from = 24 + 7 * (120 - 24) / 100, to = 24 + 12 * (120 - 24) / 100, y = 4; /* the row below the kernels' row */
    tt_timeline_select(t, (tt_slice_ref){0, r.gemm1}, true);
    char *p = screen(t, 12, 120, false, false);
    CHECK_INT(column_in(p, y, "\u256d\u2500\u2500\u2500"), from); /* the arrow goes up from the launch, then right */
    CHECK_INT(column_in(p, y, "\u256f"), to);
    free(p);
    p = screen(t, 12, 120, true, false);
    CHECK_INT(column_in(p, y, "+----+"), from); /* the same arrow in ASCII */
    free(p);
    /* arrows lead from the launch to each of its kernels */
    CHECK(tt_timeline_link(t, -1) == NULL);
    p = screen(t, 12, 120, false, false);
    CHECK_INT(column_in(p, y, "\u256d"), from);
    CHECK_INT(column_in(p, y, "\u256f"), to);
    CHECK_INT(column_in(p, y + 2, "\u256f"), 24 + 22 * (120 - 24) / 100);
    free(p);
    /* the arrow runs on one row if no row lies between */
    static const char *const between[] = {"stream 20", "idle", "busy", "queues"};
    for (int i = 0; i < 4; i++) CHECK(tt_timeline_flag_named(t, TT_TIMELINE_HIDDEN, between[i]) > 0);
    p = screen(t, 12, 120, false, false);
    CHECK_INT(column_in(p, y, "\u2534"), to);
    CHECK_INT(column_in(p, y, "\u256f"), 24 + 22 * (120 - 24) / 100);
    free(p);
    tt_timeline_clear_flag(t, TT_TIMELINE_HIDDEN);
    /* an arrow does not cover a slice's label: the gap of the row ends where the slice begins */
    tt_timeline_select(t, (tt_slice_ref){0, r.relu_kernel}, true);
    CHECK(shows(t, 12, 120, "mm_b"));
    /* the arrow's other end lies beside the screen: show its time */
    tt_timeline_window(t, 28 * MS, 40 * MS);
    CHECK(shows(t, 12, 120, "\342\227\200 21 ms "));
    tt_timeline_link(t, -1);
    tt_timeline_window(t, 15 * MS, 25 * MS);
    CHECK(shows(t, 12, 120, " 30 ms \342\226\266"));
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void test_bookmarks(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    tt_timeline_show(t, (tt_slice_ref){0, r.relu_kernel});
    int64_t t0 = t->t0, t1 = t->t1;
    CHECK_STR(tt_timeline_bookmark(t, "")->name, "1");
    tt_timeline_show(t, (tt_slice_ref){0, r.mm});
    CHECK_STR(tt_timeline_bookmark(t, "")->name, "2");
    CHECK_STR(t->bookmarks.at[0].name, "2"); /* sorted by time */
    tt_timeline_whole(t);
    tt_timeline_goto(t, tt_timeline_find_bookmark(t, "1"));
    CHECK_INT(t->sel.row, r.relu_kernel);
    CHECK(t->t0 == t0 && t->t1 == t1);
    CHECK(tt_timeline_remove_bookmark(t, "1") && !tt_timeline_remove_bookmark(t, "1"));
    CHECK_STR(tt_timeline_bookmark(t, "")->name, "1");
    CHECK_INT(t->bookmarks.n, 2);
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void test_moves(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    free(screen(t, 20, 80, false, false));
    tt_timeline_select(t, (tt_slice_ref){0, r.mm}, true);
    CHECK(tt_timeline_move_slice(t, 1));
    CHECK_INT(t->sel.row, r.relu);
    CHECK(tt_timeline_move_slice(t, -1));
    CHECK_INT(t->sel.row, r.mm);
    CHECK(!tt_timeline_move_slice(t, -1));
    CHECK(tt_timeline_child(t));
    CHECK_INT(t->sel.row, r.launch);
    CHECK(!tt_timeline_child(t));
    CHECK(tt_timeline_parent(t));
    CHECK_INT(t->sel.row, r.mm);
    CHECK(tt_timeline_parent(t));
    CHECK_INT(t->sel.row, r.step1);
    /* j keeps the time: from the step at 21.5 ms down to the operator and the call at that time */
    t->at = 21 * MS + MS / 2;
    tt_timeline_move_line(t, 1);
    CHECK_INT(t->sel.row, r.relu);
    tt_timeline_move_line(t, 1);
    CHECK_INT(t->sel.row, r.memset_call);
    CHECK_INT(t->at, 21 * MS + MS / 2);
    tt_timeline_move_line(t, 100);
    CHECK_INT(t->line, t->lines.n - 1);
    CHECK(!tt_timeline_next_track(t, 1));
    CHECK(tt_timeline_next_track(t, -1));
    CHECK_INT(t->nodes.at[t->lines.at[t->line].node].index, 0); /* from the other thread to the main one */
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void test_zoom(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    free(screen(t, 20, 80, false, false));
    /* a kernel of 40 ns in 100 ms is visible at every zoom level, and zooming in finds it */
    tt_timeline_select(t, (tt_slice_ref){0, r.tiny}, true);
    for (int i = 0; i < 60 && t->t1 - t->t0 > 64; i++) {
        tt_timeline_zoom(t, 2, 3);
        CHECK(t->t0 <= 80 * MS + 40 && t->t1 >= 80 * MS);
        CHECK(tt_timeline_col(t, 80 * MS) >= 0 && tt_timeline_col(t, 80 * MS) < t->cols);
    }
    CHECK(shows(t, 20, 80, "tiny"));
    CHECK(t->t1 - t->t0 >= t->cols); /* a cell is at least a nanosecond wide */
    tt_timeline_fit(t);
    CHECK(t->t0 <= 80 * MS && t->t1 >= 80 * MS + 40);
    for (int i = 0; i < 100; i++) {
        tt_timeline_zoom(t, 3, 2);
    }
    CHECK(t->t1 - t->t0 <= s->end_ns + s->end_ns / 20 + 1);
    tt_timeline_whole(t);
    CHECK_INT(t->t0, 0);
    CHECK_INT(t->t1, s->end_ns);
    CHECK_INT(tt_timeline_col(t, -1), -1);
    CHECK_INT(tt_timeline_col(t, s->end_ns), t->cols);
    for (int c = 0; c < t->cols; c++) {
        CHECK_INT(tt_timeline_col(t, tt_timeline_edge(t, c)), c);
    }
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void test_links(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    tt_timeline_select(t, (tt_slice_ref){0, r.mm}, true);
    CHECK(!tt_timeline_link(t, 1));
    CHECK_INT(t->sel.row, r.launch);
    CHECK(!tt_timeline_link(t, 1));
    CHECK_INT(t->sel.row, r.gemm1);
    CHECK(!tt_timeline_link(t, 1)); /* with several kernels of one launch the link cycles through them */
    CHECK_INT(t->sel.row, r.gemm2);
    CHECK(!tt_timeline_link(t, 1));
    CHECK_INT(t->sel.row, r.gemm1);
    CHECK(!tt_timeline_link(t, -1));
    CHECK_INT(t->sel.row, r.launch);
    CHECK(!tt_timeline_link(t, -1));
    CHECK_INT(t->sel.row, r.mm);
    CHECK(!tt_timeline_fwdbwd(t));
    CHECK_STR(tt_row_name(r.s, t->sel.row), "aten::mm_backward");
    CHECK(!tt_timeline_fwdbwd(t));
    CHECK_INT(t->sel.row, r.mm);
    tt_timeline_select(t, (tt_slice_ref){0, r.tiny}, true);
    CHECK_STR(tt_timeline_link(t, -1), "no launch event");
    uint32_t from, to;
    tt_timeline_launches(r.s, r.step1, &from, &to);
    CHECK_INT(to - from, 3);
    r.s->dur[r.memset_call] = 0; /* shorter than a tick of the clock */
    tt_timeline_launches(r.s, r.memset_call, &from, &to);
    CHECK_INT(to - from, 1);
    CHECK_INT(tt_timeline_slice_named(r.s, 30 * MS, "relu_kernel"), r.relu_kernel); /* not the first slice there */
    CHECK_STR(tt_row_name(r.s, tt_timeline_slice_named(r.s, 30 * MS, "aten::mm_backward")), "aten::mm_backward");
    CHECK_INT(tt_timeline_slice_named(r.s, 31 * MS, "relu_kernel"), TT_NONE);
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void test_search(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    bool wrapped;
    t->sel.row = TT_NONE;
    t->at = 0;
    tt_timeline_match(t, "ATEN::MM", false);
    CHECK_INT(t->search.n_hits, 3);
    CHECK_INT(t->search.hits_ns, 30 * MS);
    static const int64_t order[] = {5, 30, 60};
    for (int i = 0; i < 3; i++) { /* in order of time, across tracks */
        tt_slice_ref m = tt_timeline_next_match(t, 1, &wrapped);
        CHECK_INT(r.s->start[m.row], order[i] * MS);
        CHECK(!wrapped);
        tt_timeline_select(t, m, true);
    }
    tt_slice_ref m = tt_timeline_next_match(t, 1, &wrapped);
    CHECK(wrapped);
    CHECK_INT(m.row, r.mm);
    m = tt_timeline_next_match(t, -1, &wrapped);
    CHECK_INT(r.s->start[m.row], 30 * MS);
    tt_timeline_match(t, "aten::mm", true);
    CHECK_INT(t->search.n_hits, 2);
    CHECK_INT(tt_timeline_hits_of(t, 0, 0, TT_NONE).n, 2);
    CHECK_INT(tt_timeline_hits_of(t, 0, 0, 0).n, 0);
    tt_lane_hits lane = tt_timeline_hits_of(t, 0, 0, 1);
    size_t at = 0;
    CHECK_INT(lane.n, 2);
    CHECK(tt_timeline_hit_in(r.s, &lane, &at, 0, 10 * MS));
    CHECK(!tt_timeline_hit_in(r.s, &lane, &at, 20 * MS, 30 * MS));
    CHECK(tt_timeline_hit_in(r.s, &lane, &at, 55 * MS, 60 * MS + 1));
    CHECK(!tt_timeline_hit_in(r.s, &lane, &at, 61 * MS, 99 * MS));
    tt_timeline_match(t, "nothing like it", false);
    CHECK_INT(tt_timeline_next_match(t, 1, &wrapped).row, TT_NONE);
    tt_timeline_match(t, "", false);
    CHECK(!t->search.pattern);
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void test_marks(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    int64_t a, b, busy;
    uint32_t count;
    CHECK(!tt_timeline_marked(t, &a, &b));
    tt_timeline_select(t, (tt_slice_ref){0, r.relu_kernel}, true);
    tt_timeline_mark(t);
    tt_timeline_select(t, (tt_slice_ref){0, r.gemm1}, true);
    tt_timeline_mark(t);
    CHECK(tt_timeline_marked(t, &a, &b));
    CHECK_INT(a, 12 * MS);
    CHECK_INT(b, 30 * MS);
    tt_timeline_whole(t);
    t->at = t->placed = 27 * MS; /* the cursor is placed at a time inside the slice */
    tt_timeline_mark(t);
    CHECK_INT(t->mark_a, 27 * MS);
    tt_timeline_select(t, (tt_slice_ref){0, r.relu_kernel}, false); /* select a slice again */
    tt_timeline_mark(t);
    CHECK_INT(t->mark_b, tt_timeline_end(t, t->sel));
    int64_t middle = tt_timeline_start(t, t->sel) + MS;
    tt_timeline_window(t, middle - MS / 2, middle + MS / 2); /* the slice's edges lie outside of the screen */
    t->at = middle;
    tt_timeline_mark(t);
    CHECK_INT(t->mark_a, middle);
    t->at += 9;
    tt_timeline_mark(t);
    CHECK_INT(t->mark_b, middle + 9);
    tt_timeline_busy(t, 12 * MS, 33 * MS, &busy, &count);
    CHECK_INT(busy, 18 * MS);
    CHECK_INT(count, 3);
    while (t->lines.at[t->line].depth != TT_NONE ||
           t->nodes.at[t->lines.at[t->line].node].kind != TT_TIMELINE_PROCESS) {
        t->line--;
    }
    tt_timeline_busy(t, 0, 100 * MS, &busy, &count); /* union of both streams: [12, 45) and the tiny kernel */
    CHECK_INT(busy, 33 * MS + 40);
    tt_timeline_free(t);
    fixture_session_free(s);
}

/* While another thread builds the index of a large track, drawing does not wait. */
static void test_waits(void)
{
    run r = make_run("w");
    tt_session *s = tt_session_new(&r.s, 1, "");
    tt_timeline *t = tt_timeline_new(s);
    atomic_bool stop = false;
    t->wait_from = 0;
    t->at = 20 * MS;
    atomic_store(&t->preparing, true);
    tt_timeline_pick(t);
    CHECK(!tt_timeline_has_sel(t) && t->picks_later);
    CHECK(tt_timeline_move_slice(t, 1) && !tt_timeline_has_sel(t));
    char *p = screen(t, 20, 80, false, false);
    CHECK(strstr(p, "indexing") != NULL);
    free(p);
    for (uint32_t i = 0; i < r.s->n_tracks; i++) CHECK(!tt_lod_ready(t->lods[0], i));
    tt_timeline_prepare(t, t->view, &stop);
    tt_timeline_pick(t);
    CHECK(tt_timeline_has_sel(t) && !t->picks_later);
    p = screen(t, 20, 80, false, false);
    CHECK(!strstr(p, "indexing"));
    free(p);
    tt_timeline_free(t);
    fixture_session_free(s);
}

/* Every slice leaves a mark on its row at any zoom, however many slices share its cell. */
static void test_never_invisible(void)
{
    tt_trace *s = fixture_rows("w", "0", ROWS);
    uint32_t host = process(s, "1", "python", -1);
    track(s, host, TT_TRACK_THREAD, "1", "main");
    for (int i = 0; i < 1000; i++)
        slice(s, TT_KIND_CPU_OP, i % 3 ? "a" : "bb", (int64_t)i * i * 1000, 1 + i % 7, 0, TT_NONE);
    tt_session *session = tt_session_new(&s, 1, "");
    tt_timeline *t = tt_timeline_new(session);
    tt_canvas c = {0};
    tt_timeline_frame f = {0};
    for (int mode = 0; mode < 3; mode++) {
        tt_timeline_whole(t);
        for (int z = 0; z < 30; z++) {
            tt_canvas_resize(&c, 12, 40 + z);
            c.ascii = mode == 1;
            c.mono = mode == 2;
            tt_canvas_clear(&c);
            tt_timeline_plan p = tt_timeline_arrange(t, 12, 40 + z, 0);
            tt_timeline_draw(t, &c, &p, &f);
            for (int col = 0; col < t->cols; col++) {
                int64_t a = tt_timeline_edge(t, col), b = tt_timeline_edge(t, col + 1);
                bool any = false;
                for (tt_row r = 0; r < s->n; r++) {
                    any = any || (s->start[r] < b && tt_row_end(s, r) > a);
                }
                const tt_cellc *cell = &c.cells[(size_t)(p.rows_y + 1) * (size_t)c.stride + (size_t)(p.label_w + col)];
                bool drawn = cell->ch != ' ' || (cell->style & TT_STYLE_FILL && tt_style_bg(cell->style));
                CHECK_INT(drawn, any);
            }
            tt_timeline_zoom(t, 2, 3);
        }
    }
    tt_timeline_frame_free(&f);
    tt_canvas_free(&c);
    tt_timeline_free(t);
    fixture_session_free(session);
}

/* The glyph shows a boundary inside a cell to an eighth of the cell. */
static void test_eighths(void)
{
    tt_trace *s = fixture_rows("w", "0", ROWS);
    uint32_t host = process(s, "1", "python", -1);
    track(s, host, TT_TRACK_THREAD, "1", "main");
    slice(s, TT_KIND_CPU_OP, "x", 0, 1300, 0, TT_NONE);     /* ends at 5/8 of the second cell; a cell is 800 ns */
    slice(s, TT_KIND_RUNTIME, "y", 2000, 1200, 0, TT_NONE); /* begins in the middle of the third cell */
    slice(s, TT_KIND_RUNTIME, "z", 5600, 50, 0, TT_NONE);   /* thinner than an eighth */
    slice(s, TT_KIND_CPU_OP, "end", 8000, 800 * 20 - 8000, 0, TT_NONE);
    tt_session *session = tt_session_new(&s, 1, "");
    tt_timeline *t = tt_timeline_new(session);
    tt_canvas c = {0};
    tt_timeline_frame f = {0};
    tt_canvas_resize(&c, 12, 33);
    tt_timeline_plan p = tt_timeline_arrange(t, 12, 33, 0);
    CHECK_INT(t->cols, 20);
    t->line = 0; /* the selection has its own colour */
    tt_timeline_window(t, 0, 800 * 20);
    tt_timeline_draw(t, &c, &p, &f);
    const tt_cellc *row = &c.cells[(size_t)(p.rows_y + 1) * (size_t)c.stride + (size_t)p.label_w];
    CHECK_INT(row[1].ch, 0x258b); /* filled to five eighths */
    CHECK_INT(row[2].ch, 0x258c); /* the left half is the gap: glyph in reversed colours */
    CHECK(row[2].style & TT_REVERSE);
    CHECK_INT(row[4].ch, ' ');
    CHECK_INT(row[7].ch, 0x258f); /* at least an eighth */
    CHECK_INT(row[8].ch, ' ');
    CHECK_INT(row[11].ch, 'e'); /* a letter of the label */
    tt_timeline_frame_free(&f);
    tt_canvas_free(&c);
    tt_timeline_free(t);
    fixture_session_free(session);
}

static void test_plots_and_sizes(void)
{
    run r = make_run("w");
    tt_trace *s = r.s;
    s->series[0] = (tt_series){
        .name = fixture_text(s, "power"), .key = fixture_text(s, "watts"), .process = 1, .first = 0, .n = 3};
    s->n_series = 1;
    s->samples[0] = (tt_sample){10 * MS, 100};
    s->samples[1] = (tt_sample){50 * MS, 800};
    s->samples[2] = (tt_sample){90 * MS, 400};
    s->n_samples = 3;
    s->instants[0] = (tt_instant){.ts = 40 * MS, .track = 0, .name = fixture_text(s, "here")};
    s->n_instants = 1;
    tt_session *session = tt_session_new(&s, 1, "");
    tt_timeline *t = tt_timeline_new(session);
    CHECK_INT(t->lines.n, 14);
    CHECK(shows(t, 24, 100, "power watts"));
    CHECK(shows(t, 24, 100, "0 to 800"));
    CHECK(shows(t, 24, 100,
                "\u2582\u2582\u2582\u2588\u2588\u2588")); /* 100 of 800 in two rows, then the lower row full */
    CHECK(shows(t, 24, 100, "instants"));
    /* facts about the value at the cursor, and moving from value to value */
    char words[256];
    tt_timeline_whole(t);
    tt_timeline_move_line(t, -100);
    tt_timeline_move_line(t, 6); /* below the rows of the device */
    t->at = 5 * MS;
    CHECK(tt_timeline_row_text(t, TT_UNIT_AUTO, words, sizeof words) && strstr(words, "no sample yet"));
    CHECK(tt_timeline_move_slice(t, 1) && t->at == 10 * MS);
    CHECK(tt_timeline_move_slice(t, 1) && t->at == 50 * MS);
    CHECK(tt_timeline_row_text(t, TT_UNIT_AUTO, words, sizeof words) && strstr(words, "800 since 50 ms"));
    CHECK(tt_timeline_move_slice(t, 1) && t->at == 90 * MS && !tt_timeline_move_slice(t, 1));
    CHECK(tt_timeline_move_slice(t, -1) && t->at == 50 * MS);
    tt_timeline_collapse(t);
    CHECK_INT(t->lines.n, 13);
    CHECK(shows(t, 24, 100, "\u2588\u2588\u2588\u2588\u2584")); /* in one row: 800, then 400 */
    tt_timeline_move_line(t, 100);
    CHECK(tt_timeline_move_slice(t, -1) && t->at == 40 * MS);
    CHECK(tt_timeline_row_text(t, TT_UNIT_AUTO, words, sizeof words) && strstr(words, "here @ 40 ms"));
    tt_timeline_move_line(t, -100);
    CHECK(tt_timeline_row_text(t, TT_UNIT_AUTO, words, sizeof words) && strstr(words, "2 tracks") &&
          strstr(words, "busy 3"));
    static const int sizes[][2] = {{5, 20}, {6, 36}, {12, 40}, {20, 80}, {45, 160}, {70, 250}, {200, 500}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int mode = 0; mode < 4; mode++) {
            char *picture = screen(t, sizes[i][0], sizes[i][1], mode & 1, mode & 2);
            CHECK(strlen(picture) > 0);
            for (const char *p = picture; mode & 1 && *p; p++) {
                CHECK(*p == '\n' || ((unsigned char)*p >= ' ' && (unsigned char)*p < 127));
            }
            free(picture);
        }
    }
    tt_timeline_free(t);
    fixture_session_free(session);
}

static void test_workers(void)
{
    run a = make_run("rank0"), b = make_run("rank1");
    b.s->origin_ns = 5 * MS;
    a.s->absolute = b.s->absolute = true;
    tt_trace *traces[2] = {a.s, b.s};
    tt_session *s = tt_session_new(traces, 2, "");
    tt_timeline *t = tt_timeline_new(s);
    CHECK_INT(t->nodes.at[0].kind, TT_TIMELINE_WORKER);
    CHECK(shows(t, 30, 100, "rank0"));
    CHECK(shows(t, 30, 100, "rank1"));
    tt_slice_ref r = {1, b.gemm1};
    tt_timeline_show(t, r);
    CHECK_INT(tt_timeline_start(t, r), b.s->start[b.gemm1] + s->offset_ns[1]);
    CHECK(t->t0 < tt_timeline_start(t, r) && t->t1 > tt_timeline_end(t, r));
    CHECK(tt_timeline_line_of(t, r) == t->line);
    tt_timeline_free(t);
    fixture_session_free(s);
}

static void test_empty(void)
{
    tt_trace *s = fixture_rows("w", "0", ROWS);
    tt_session *session = tt_session_new(&s, 1, "");
    tt_timeline *t = tt_timeline_new(session);
    free(screen(t, 24, 80, false, false));
    tt_timeline_move_line(t, 1);
    tt_timeline_collapse(t);
    tt_timeline_collapse_others(t);
    tt_timeline_pick(t);
    tt_timeline_fit(t);
    CHECK(!tt_timeline_next_track(t, 1));
    CHECK(tt_timeline_link(t, 1) != NULL);
    tt_timeline_free(t);
    fixture_session_free(session);
}

int main(void)
{
    test_rows();
    test_pins();
    test_filter();
    test_bookmarks();
    test_arrows();
    test_moves();
    test_zoom();
    test_links();
    test_search();
    test_marks();
    test_waits();
    test_never_invisible();
    test_eighths();
    test_plots_and_sizes();
    test_workers();
    test_empty();
    return check_done();
}

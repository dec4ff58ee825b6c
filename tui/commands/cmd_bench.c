/* tui/commands/cmd_bench.c - `tracetty bench-load FILE`: times of loading, tables and timeline frames, as JSON for
 * tests/bench.py. It measures inside the process, so that starting it and printing do not count. Help does not list
 * it. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "model/base/clock.h"
#include "model/base/sort_by.h"
#include "model/index/lod.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/registry/registry.h"
#include "parser/json/write.h"
#include "tui/args/open_session.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"
#include "tui/timeline/rows/path_overlay.h"

enum { FRAME_LANES = 60, FRAME_COLUMNS = 200, FRAME_RUNS = 5 };

static void put_number(tt_json *j, const char *key, double v)
{
    tt_json_key(j, key);
    tt_json_double(j, v);
}

/* Write the bytes per event of each part of the trace. */
static void put_memory(tt_json *j, const tt_trace *s)
{
    double events = s->n_events ? (double)s->n_events : 1;
    const struct {
        const char *key;
        size_t bytes;
    } part[] = {{"start", s->n * sizeof *s->start},
                {"dur", s->n * sizeof *s->dur},
                {"name", s->n * sizeof *s->name},
                {"cat", s->n * sizeof *s->cat},
                {"corr", s->n * sizeof *s->correlation},
                {"ext", s->n * sizeof *s->external_id},
                {"parent", s->n * sizeof *s->parent},
                {"side", s->n * sizeof *s->detail},
                {"depth", s->n * sizeof *s->depth},
                {"text", s->n * (sizeof *s->text_lo + sizeof *s->text_hi)},
                {"flows", s->n_flows * sizeof *s->flows + s->n_launch_flows * sizeof *s->launch_flows},
                {"links", s->n_links * (sizeof *s->launch_row + sizeof *s->launched_activity)}};
    size_t sum = 0;
    tt_json_key(j, "bytes_per_event");
    tt_json_open(j, '{', true);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        put_number(j, part[i].key, (double)part[i].bytes / events);
        sum += part[i].bytes;
    }
    put_number(j, "sum", (double)sum / events);
    tt_json_close(j, '}');
    tt_json_key_uint(j, "store_bytes", tt_trace_memory(s));
    tt_json_key_uint(j, "side_table_bytes", tt_trace_memory(s) - sum - tt_strings_bytes(&s->strings));
    tt_json_key_uint(j, "string_bytes", tt_strings_bytes(&s->strings));
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Time each table in turn. Tables share intermediate results: the first one that needs a result pays for it. */
static void put_tables(tt_json *j, tt_session *s)
{
    const tt_options none = {0};
    tt_table_list tables = tt_session_tables(s);
    double *cpu = tt_calloc(tables.n, sizeof *cpu);
    tt_json_key(j, "table_ms");
    tt_json_open(j, '{', true);
    for (uint32_t i = 0; i < tables.n; i++) {
        double t0 = tt_clock_seconds(), cpu0 = cpu_seconds();
        tt_table_get(s, tables.at[i], &tt_scope_all, &none);
        cpu[i] = cpu_seconds() - cpu0;
        put_number(j, tables.at[i]->id, (tt_clock_seconds() - t0) * 1e3);
    }
    tt_json_close(j, '}');
    tt_json_key(j, "table_cpu_ms");
    tt_json_open(j, '{', true);
    for (uint32_t i = 0; i < tables.n; i++) put_number(j, tables.at[i]->id, cpu[i] * 1e3);
    tt_json_close(j, '}');
    free(cpu);
}

/* Time one frame: the first lanes of the trace, each queried over the window. Returns the median of some runs, in
 * ms. */
static double frame_ms(tt_lod *l, const tt_trace *s, int64_t t0, int64_t t1)
{
    static tt_lod_cell cells[FRAME_COLUMNS];
    double ms[FRAME_RUNS];
    for (int run = 0; run < FRAME_RUNS; run++) {
        double begin = tt_clock_seconds();
        uint32_t lanes = 0;
        for (uint32_t t = 0; t < s->n_tracks && lanes < FRAME_LANES; t++) {
            for (uint32_t d = 0; d < s->tracks[t].depths && lanes < FRAME_LANES; d++, lanes++) {
                tt_lod_query(l, t, d, t0, t1, FRAME_COLUMNS, cells);
            }
        }
        ms[run] = (tt_clock_seconds() - begin) * 1e3;
    }
    TT_SORT_UP(ms, FRAME_RUNS);
    return ms[FRAME_RUNS / 2];
}

/* Time making the lanes of folded stacks, and the index over them. */
static void put_bands(tt_json *j, const tt_trace *s)
{
    tt_bands *b = tt_bands_new(s, tt_python_is_user);
    double begin = tt_clock_seconds();
    tt_bands_build(b, 0, NULL);
    put_number(j, "bands_build_ms", (tt_clock_seconds() - begin) * 1e3);
    tt_lod *l = tt_lod_new_filtered(s, NULL, b);
    begin = tt_clock_seconds();
    tt_lod_build(l, 0, NULL);
    put_number(j, "folded_index_build_ms", (tt_clock_seconds() - begin) * 1e3);
    put_number(j, "folded_index_bytes_per_slice", s->n ? (double)tt_lod_memory(l) / s->n : 0);
    tt_lod_free(l);
    l = tt_lod_new(s);
    begin = tt_clock_seconds();
    tt_lod_build(l, 0, NULL);
    put_number(j, "recorded_index_build_ms", (tt_clock_seconds() - begin) * 1e3);
    tt_lod_free(l);
    tt_bands_free(b);
}

static void put_frames(tt_json *j, const tt_trace *s)
{
    put_bands(j, s);
    tt_lod *l = tt_lod_new(s);
    double begin = tt_clock_seconds();
    (void)frame_ms(l, s, 0, s->end + 1);
    put_number(j, "index_build_ms", (tt_clock_seconds() - begin) * 1e3);
    put_number(j, "index_bytes_per_slice", s->n ? (double)tt_lod_memory(l) / s->n : 0);
    tt_json_key(j, "frame_ms_by_zoom");
    tt_json_open(j, '{', true);
    char key[32];
    for (int64_t span = s->end + 1, zoom = 1; span >= FRAME_COLUMNS; span /= 10, zoom *= 10) {
        int64_t t0 = s->end / 2 - span / 2;
        snprintf(key, sizeof key, "%lld", (long long)zoom);
        put_number(j, key, frame_ms(l, s, t0, t0 + span));
    }
    tt_json_close(j, '}');
    tt_lod_free(l);
}

/* Time a frame as the explorer draws it at 250x70. The window moves a little before each run, so that no cached row
 * is reused. */
static double drawn_ms(tt_timeline *t, tt_canvas *c, tt_timeline_frame *f, int64_t t0, int64_t t1)
{
    double ms[FRAME_RUNS];
    for (int run = 0; run < FRAME_RUNS; run++) {
        tt_timeline_window(t, t0 + run, t1 + run);
        double begin = tt_clock_seconds();
        tt_canvas_clear(c);
        tt_timeline_plan p = tt_timeline_arrange(t, c->h, c->w, 11);
        tt_timeline_draw(t, c, &p, f);
        ms[run] = (tt_clock_seconds() - begin) * 1e3;
    }
    TT_SORT_UP(ms, FRAME_RUNS);
    return ms[FRAME_RUNS / 2];
}

/* Compute and show the critical path of all traces. */
static void show_path(tt_json *j, tt_timeline *t)
{
    double begin = tt_clock_seconds();
    tt_scope scope = tt_scope_all;
    for (uint32_t i = 0; i < t->session->n_traces; i++)
        tt_path_overlay_set(t, i, tt_path_overlay_make(t->session, &scope, i));
    put_number(j, "critical_path_ms", (tt_clock_seconds() - begin) * 1e3);
    tt_path_overlay_show(t, true);
}

/* Compute all derived rows, which have no recorded events. */
static void show_derived(tt_timeline *t)
{
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        for (int what = 0; what < TT_DERIVED_COUNT_; what++) {
            tt_derived_want w = {i, (tt_derived)what};
            tt_derived_build(t->session, w);
            tt_derived_done(t, w);
        }
    }
}

static void open_curves(tt_timeline *t)
{
    for (size_t i = 0; i < t->nodes.n; i++)
        if (t->nodes.at[i].kind == TT_TIMELINE_CURVES) t->nodes.at[i].collapsed = false;
}

static void put_drawn(tt_json *j, tt_session *s)
{
    static const char *const keys[] = {"drawn_ms_by_zoom", "highlighted_ms_by_zoom", "idle_ms_by_zoom",
                                       "path_ms_by_zoom", "curves_ms_by_zoom"};
    tt_timeline *t = tt_timeline_new(s);
    tt_canvas c = {0};
    tt_timeline_frame f = {.arrows = true};
    atomic_bool stop = false;
    tt_canvas_resize(&c, 66, 250);
    tt_view_show(t, TT_VIEW_BANDS); /* the view that the explorer starts with */
    tt_timeline_prepare(t, t->view, &stop);
    /* each mode keeps what the modes before it show */
    for (int mode = 0; mode < (int)(sizeof keys / sizeof *keys); mode++) {
        tt_timeline_match(t, mode == 1 ? "a" : NULL, false);
        if (mode == 2) show_derived(t);
        if (mode == 3) show_path(j, t);
        if (mode == 4) open_curves(t);
        tt_json_key(j, keys[mode]);
        tt_json_open(j, '{', true);
        char key[32];
        for (int64_t span = s->end_ns + 1, zoom = 1; span >= FRAME_COLUMNS; span /= 10, zoom *= 10) {
            int64_t t0 = s->end_ns / 2 - span / 2;
            snprintf(key, sizeof key, "%lld", (long long)zoom);
            put_number(j, key, drawn_ms(t, &c, &f, t0, t0 + span));
        }
        tt_json_close(j, '}');
    }
    tt_timeline_frame_free(&f);
    tt_canvas_free(&c);
    tt_timeline_free(t);
}

typedef struct load_times {
    double seconds;         /* seconds of the whole load */
    double reading_seconds; /* seconds until the last event of the last file was read; sorting follows */
} load_times;

/* Load like every other command, and sample the reader's progress five thousand times a second. */
static tt_status load_timed(const tt_cli *cli, tt_session **out, load_times *times, tt_err *err)
{
    const struct timespec look = {.tv_nsec = 200000};
    tt_load_options o;
    tt_progress p = {0};
    TT_TRY(tt_open_options(cli, &o, err));
    const tt_open_spec spec = {.paths = cli->args, .n_paths = cli->n_args, .load = &o};
    double t0 = tt_clock_seconds();
    tt_load *load = tt_load_start(cli->args, cli->n_args, &o);
    times->reading_seconds = 0;
    do {
        nanosleep(&look, NULL);
        tt_load_progress(load, &p);
        if (p.phase && !strcmp(p.phase, "reading")) times->reading_seconds = tt_clock_seconds() - t0;
    } while (!p.done);
    TT_TRY(tt_open_started(&spec, load, out, err));
    times->seconds = tt_clock_seconds() - t0;
    return TT_OK;
}

int tt_cmd_bench_load(const tt_cli *cli)
{
    tt_session *s;
    tt_err err;
    struct rusage use;
    load_times times;
    tt_json j;
    if (load_timed(cli, &s, &times, &err) != TT_OK) return tt_report(&err);
    getrusage(RUSAGE_SELF, &use);
    const tt_trace *st = s->traces[0];
    tt_json_init(&j, stdout);
    tt_json_open(&j, '{', false);
    put_number(&j, "seconds", times.seconds);
    put_number(&j, "reading_seconds", times.reading_seconds);
    put_number(&j, "cpu_seconds",
               (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                   (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6);
    tt_json_key_uint(&j, "bytes", st->text_bytes);
    tt_json_key_uint(&j, "events", st->n_events);
    tt_json_key_uint(&j, "slices", st->n);
    tt_json_key_uint(&j, "rss_bytes", (uint64_t)use.ru_maxrss * 1024);
    put_memory(&j, st);
    if (cli->value[TT_OPT_TABLES]) put_tables(&j, s);
    if (cli->value[TT_OPT_FRAMES]) {
        put_frames(&j, st);
        put_drawn(&j, s);
    }
    tt_json_close(&j, '}');
    tt_session_free(s);
    return tt_finish_output();
}

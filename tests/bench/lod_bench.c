/* tests/bench/lod_bench.c - level of detail over synthetic slices: build time, bytes per event, time of a frame by
 * zoom.
 *
 *   lod_bench [EVENTS]     default 10,000,000
 * Two layouts: 12 threads with 5 nesting rows each, and 60 streams with one row each. A frame is 60 lanes x 200
 * columns. The plain scan of the visible slices is printed beside it as the reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/index/lod.h"
#include "tests/unit/random.h"

enum { LANES = 60, COLS = 200, KINDS = 6 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Adds a slice with `depths - 1` levels of children below it; returns its end. */
static int64_t nest(tt_trace *s, uint64_t *rnd, int64_t t, unsigned depth, unsigned depths, uint32_t limit)
{
    uint32_t r = s->n++;
    s->start[r] = t;
    s->depth[r] = (uint16_t)depth;
    s->cat[r] = (uint8_t)((depth + random_next(rnd) % 3) % KINDS);
    int64_t end = t + 200 + (int64_t)(random_next(rnd) % 800);
    if (depth + 1 < depths) {
        unsigned children = 1 + (unsigned)(random_next(rnd) % 2);
        for (end = t + 100; children > 0 && s->n < limit; children--) {
            end = nest(s, rnd, end, depth + 1, depths, limit) + (int64_t)(random_next(rnd) % 200);
        }
    }
    s->dur[r] = end - t;
    return end;
}

static tt_trace *make(uint32_t n, unsigned tracks, unsigned depths)
{
    static const uint8_t kinds[KINDS] = {TT_KIND_CPU_OP, TT_KIND_RUNTIME, TT_KIND_KERNEL,
                                         TT_KIND_MEMCPY, TT_KIND_MEMSET,  TT_KIND_PYTHON};
    tt_trace *s = tt_calloc(1, sizeof *s);
    uint64_t rnd = RANDOM_SEED;
    s->start = tt_pages_alloc((size_t)n * sizeof *s->start);
    s->dur = tt_pages_alloc((size_t)n * sizeof *s->dur);
    s->cat = tt_pages_alloc(n);
    s->depth = tt_pages_alloc((size_t)n * sizeof *s->depth);
    s->tracks = tt_calloc(tracks, sizeof *s->tracks);
    s->n_tracks = tracks;
    memcpy(s->kind_of, kinds, sizeof kinds);
    for (unsigned t = 0; t < tracks; t++) {
        uint32_t limit = (uint32_t)((uint64_t)n * (t + 1) / tracks);
        int64_t at = 0;
        s->tracks[t] = (tt_track){.first = s->n, .depths = depths};
        while (s->n < limit) {
            at = nest(s, &rnd, at, 0, depths, limit) + (int64_t)(random_next(&rnd) % 1000);
        }
        s->tracks[t].n = s->n - s->tracks[t].first;
        s->end = at > s->end ? at : s->end;
    }
    return s;
}

static void free_trace(tt_trace *s, size_t n)
{
    tt_pages_free(s->start, n * sizeof *s->start);
    tt_pages_free(s->dur, n * sizeof *s->dur);
    tt_pages_free(s->cat, n);
    tt_pages_free(s->depth, n * sizeof *s->depth);
    free(s->tracks);
    free(s);
}

static double scan_ms(const tt_trace *s, int64_t t0, int64_t t1)
{
    double from = now_ms();
    int64_t busy = 0;
    for (uint32_t r = 0; r < s->n; r++) {
        if (s->start[r] < t1 && s->start[r] + s->dur[r] > t0) {
            busy += s->dur[r];
        }
    }
    return now_ms() - from + (busy == -1);
}

static void run(const char *what, uint32_t n, unsigned tracks, unsigned depths)
{
    static tt_lod_cell cells[COLS];
    tt_trace *s = make(n, tracks, depths);
    tt_lod *l = tt_lod_new(s);
    double from = now_ms();
    tt_lod_build(l, 0, NULL);
    double built = now_ms() - from;
    printf("%s: %u slices, built in %.0f ms, %.2f bytes per event\n", what, s->n, built,
           (double)tt_lod_memory(l) / s->n);
    printf("  %16s %12s %14s\n", "window, ns", "frame, ms", "one scan, ms");
    for (int64_t width = s->end; width >= 20; width /= 8) {
        double worst = 0, sum = 0;
        enum { FRAMES = 7 };
        for (unsigned i = 0; i < FRAMES; i++) {
            int64_t t0 = (s->end - width) / FRAMES * i;
            from = now_ms();
            for (unsigned lane = 0; lane < LANES; lane++) {
                tt_lod_query(l, lane / depths % tracks, lane % depths, t0, t0 + width, COLS, cells);
            }
            double ms = now_ms() - from;
            worst = ms > worst ? ms : worst;
            sum += ms;
        }
        printf("  %16lld %6.2f (max %5.2f) %8.1f\n", (long long)width, sum / FRAMES, worst, scan_ms(s, 0, width));
    }
    tt_lod_free(l);
    free_trace(s, n);
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
    run("12 threads x 5 rows", (uint32_t)n, 12, 5);
    run("60 streams x 1 row", (uint32_t)n, 60, 1);
    return 0;
}

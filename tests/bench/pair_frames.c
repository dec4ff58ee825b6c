/* tests/bench/pair_frames.c - two traces one above the other: time from a key to its frame, on 250x66.
 *
 *   pair_frames BASE NEW
 * Prints for each key the median and the longest time, by the drawing thread's CPU and by the clock, in milliseconds,
 * as JSON; "Enter" goes from a row of the comparison to all slices of the kernel with the most calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parser/load.h"
#include "tui/app/app_api.h"

enum { RUNS = 25 };

static double ms_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void put(const char *key, double cpu[RUNS], double wall[RUNS])
{
    qsort(cpu, RUNS, sizeof *cpu, by_value);
    qsort(wall, RUNS, sizeof *wall, by_value);
    printf("%s\n  \"%s\": {\"cpu_ms\": %.2f, \"cpu_max_ms\": %.2f, \"ms\": %.2f, \"max_ms\": %.2f}",
           strcmp(key, "Enter") ? "," : "{", key, cpu[RUNS / 2], cpu[RUNS - 1], wall[RUNS / 2], wall[RUNS - 1]);
}

static tt_session *load(const char *path)
{
    const tt_load_options o = {.threads = 2};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) {
        fprintf(stderr, "%s: %s\n", path, err.message);
        exit(3);
    }
    return s;
}

/* The most frequent name of device work. */
static const char *common_kernel(const tt_trace *t)
{
    uint32_t *n = tt_calloc(t->strings.text.n + 1, sizeof *n);
    tt_sid best = 0;
    for (uint32_t i = 0; i < t->n_dev; i++) {
        tt_sid id = t->name[t->dev[i].row];
        if (++n[id] > n[best]) best = id;
    }
    free(n);
    return tt_str(&t->strings, best);
}

static void time_key(tt_app *a, tt_canvas *c, const char *key, const tt_drilldown *at)
{
    double cpu[RUNS], wall[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double c0 = ms_of(CLOCK_THREAD_CPUTIME_ID), w0 = ms_of(CLOCK_MONOTONIC);
        if (at) {
            tt_host_show_both(&a->host, at);
            tt_canvas_clear(c);
            tt_app_draw(a, c);
        } else {
            tt_app_keys(a, key, c);
        }
        cpu[i] = ms_of(CLOCK_THREAD_CPUTIME_ID) - c0;
        wall[i] = ms_of(CLOCK_MONOTONIC) - w0;
    }
    put(key, cpu, wall);
}

int main(int argc, char **argv)
{
    static const char *const keys[] = {"l", "h",   "d", "a", "w", "s", "{", "}",
                                       "0", "Tab", ">", "<", "Z", "j", "k", "m"};
    if (argc != 3) return 2;
    tt_app *a = tt_app_new(false);
    tt_canvas c = {0};
    a->display.no_state = true;
    a->base = load(argv[1]);
    tt_app_set_session(a, load(argv[2]));
    a->host.comparison = TT_COMPARISON_DEFAULT;
    a->host.comparison.base = a->base;
    a->host.comparison.serial = 1;
    tt_canvas_resize(&c, 66, 250);
    const char *name = common_kernel(a->host.session->traces[0]);
    tt_drilldown at[2] = {{.what = TT_DRILL_SLICES, .trace = TT_NONE, .name = name}};
    at[1] = at[0];
    tt_host_show_both(&a->host, at); /* builds the indices here, as the worker does */
    tt_app_draw(a, &c);
    time_key(a, &c, "Enter", at);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) time_key(a, &c, keys[i], NULL);
    printf("\n}\n");
    tt_canvas_free(&c);
    tt_app_free(a);
    return 0;
}

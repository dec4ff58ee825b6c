/* parser/mindinsight/clock.c - the place of the trace's time 0 on the device's clock, which step_trace_raw counts.
 *
 * Old timelines of Ascend begin at 0 with the first operator, whose cycle min_cycle_counter gives in ticks; so do the
 * slices of output_timeline_data. Other timelines use the same clock, or a clock that no file relates to it: it is the
 * same if the first step is near their first event. Without a timeline the first step begins at 0. */
#include <stdlib.h>
#include <string.h>

#include "parser/json/number.h"
#include "parser/mindinsight/folder.h"

#define NEAR ((int64_t)3600 * 1000000000) /* clocks with different origins are further apart */
#define HEAD 16384

static const tt_csv_options words = {.separator = ' ', .no_header = true};
static const tt_csv_options kernels = {.separator = ';', .no_header = true};

/* Open a file that is also read elsewhere, which then reports its damage. */
static tt_csv *look_into(tt_mi *m, const char *role, const tt_csv_options *options, tt_problems *unused)
{
    *unused = (tt_problems){0};
    return tt_input_has(m->in, role) && !tt_mi_cancelled(m) ? tt_csv_open(m->in, role, options, unused) : NULL;
}

static int64_t first_cycle(tt_mi *m)
{
    int64_t ns = TT_UNKNOWN;
    tt_csv *c = tt_mi_csv(m, "first_cycle", &words);
    if (c && tt_csv_next(c) && tt_csv_ns(c, 0, TT_NS_OF_TICKS, &ns) && ns < 0) ns = TT_UNKNOWN;
    tt_csv_close(c);
    return ns;
}

/* Earliest start of device work; column: number of the column in a file without names. */
static int64_t first_start(tt_mi *m, const char *role, const tt_csv_options *options, int column, uint64_t unit)
{
    int64_t first = TT_UNKNOWN, ns;
    tt_problems unused;
    tt_csv *c = look_into(m, role, options, &unused);
    if (!c) return first;
    int start = column >= 0 ? column : tt_csv_column(c, "start_time*");
    if (column < 0) unit = tt_csv_time_unit(c, start, unit);
    while (start >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        tt_csv_text t = tt_csv_cell(c, start);
        if (tt_decimal(t.at, t.n, unit, &ns) && ns >= 0 && (first == TT_UNKNOWN || ns < first)) first = ns;
    }
    tt_csv_close(c);
    return first;
}

static int64_t first_step(tt_mi *m)
{
    int64_t first = TT_UNKNOWN, ns;
    tt_problems unused;
    tt_csv *c = look_into(m, "step_trace", NULL, &unused);
    if (!c) return first;
    int number = tt_csv_column(c, "step_num"), start = tt_csv_column(c, "start_point");
    while (first == TT_UNKNOWN && start >= 0 && tt_csv_next(c)) {
        tt_csv_text t = tt_csv_cell(c, start);
        if (!tt_csv_is(c, number, "-") && tt_decimal(t.at, t.n, TT_NS_OF_TICKS, &ns) && ns >= 0) first = ns;
    }
    tt_csv_close(c);
    return first;
}

/* The first time in the timeline's text, in ns. */
static int64_t first_event(tt_mi *m)
{
    char head[HEAD + 1];
    tt_source *source;
    tt_err err;
    size_t n = 0;
    if (tt_input_open(m->in, "timeline", &source, &err) != TT_OK) return TT_UNKNOWN;
    for (size_t got = 1; got && n < HEAD; n += got) {
        if (tt_source_read(source, head + n, HEAD - n, &got, &err) != TT_OK) got = 0;
    }
    head[n] = '\0';
    const char *p = strstr(head, "\"ts\"");
    if (!p) return TT_UNKNOWN;
    p += 4;
    p += strspn(p, " :\"\t\r\n");
    int64_t ns;
    return tt_decimal(p, strspn(p, "0123456789.eE+-"), TT_NS_OF_US, &ns) ? ns : TT_UNKNOWN;
}

static bool near(int64_t a, int64_t b) { return a != TT_UNKNOWN && b != TT_UNKNOWN && llabs(a - b) < NEAR; }

void tt_mi_clock(tt_mi *m)
{
    bool timeline = tt_input_has(m->in, "timeline"), tasks = tt_input_has(m->in, "device_tasks");
    int64_t event = timeline ? first_event(m) : TT_UNKNOWN, step = first_step(m);
    m->zero = TT_UNKNOWN;
    if (timeline && event >= NEAR) {
        if (near(step, event)) m->zero = 0;
    } else if (timeline || tasks) {
        m->zero = first_cycle(m);
        if (m->zero == TT_UNKNOWN) m->zero = first_start(m, "device_tasks", NULL, -1, TT_NS_OF_MS);
    } else if (tt_input_has(m->in, "gpu_kernels")) {
        if (near(step, first_start(m, "gpu_kernels", &kernels, 2, TT_NS_OF_NS))) m->zero = 0;
    } else {
        m->zero = step;
    }
}

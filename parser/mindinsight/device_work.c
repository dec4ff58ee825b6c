/* parser/mindinsight/device_work.c - operators on the streams of a device where the folder has no timeline:
 * output_timeline_data of an Ascend, activity_execute_timestamp of a GPU. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/mindinsight/folder.h"
#include "parser/mindinsight/operators.h"

typedef struct work {
    tt_mi *m;
    const tt_mi_operators *known;
    tt_csv *c;
    const char *process; /* of all streams */
    int name, stream, start, duration;
    uint64_t of_start, of_duration; /* units */
    int64_t zero;                   /* ns on the device's clock at time 0 of the trace */
    uint8_t cat;
} work;

/* The track of a stream, named when it is first met. */
static uint32_t track_of(work *w, tt_csv_text stream)
{
    tt_builder *b = w->m->b;
    char pid[24], name[64];
    size_t known = b->tracks.n, n = (size_t)snprintf(pid, sizeof pid, "%" PRId64, w->m->rank);
    if (!stream.n || stream.n > 40) stream = (tt_csv_text){"?", 1};
    uint32_t track = tt_build_track_of(b, pid, n, stream.at, stream.n);
    if (track < known) return track;
    n = (size_t)snprintf(name, sizeof name, "stream %.*s", (int)stream.n, stream.at);
    tt_build_label_text(b, track, TT_LABEL_THREAD_NAME, tt_build_name(b, name, n), 0);
    tt_build_label_text(b, track, TT_LABEL_PROCESS_NAME, tt_build_name(b, w->process, strlen(w->process)), 0);
    return track;
}

static uint32_t shape_of(work *w, tt_csv_text name)
{
    const tt_mi_operator *k = tt_mi_operators_find(w->known, name.at, name.n);
    if (!k || !k->block_dim) return 0;
    tt_launch_shape s = {.registers = TT_UNKNOWN,
                         .shared_bytes = TT_UNKNOWN,
                         .blocks_per_sm = NAN,
                         .warps_per_sm = NAN,
                         .occupancy_pct = NAN};
    s.block = tt_build_text(w->m->b, k->block_dim, strlen(k->block_dim));
    return tt_build_shape(w->m->b, &s);
}

static void put(work *w)
{
    tt_builder *b = w->m->b;
    tt_csv_text name = tt_csv_cell(w->c, w->name), stream = tt_csv_cell(w->c, w->stream);
    int64_t start, duration, number;
    if (!name.n) tt_csv_bad(w->c, -1, "has no name");
    if (!name.n || !tt_csv_ns(w->c, w->start, w->of_start, &start)) return;
    if (!tt_csv_ns(w->c, w->duration, w->of_duration, &duration)) duration = 0;
    tt_slice_in s = {.ts = start - w->zero, .cat = w->cat};
    if (!tt_mi_make(w->m, &s.offset)) return;
    if (!tt_build_span(b, s.offset, name.at, name.n, s.ts, s.ts + duration, &s.dur)) return;
    s.track = track_of(w, stream);
    s.name = tt_mi_name(b, name.at, name.n);
    tt_device_in d = TT_NO_DEVICE;
    d.device = w->m->rank;
    if (tt_decimal_whole(stream.at, stream.n, &number)) d.stream = number;
    d.shape = shape_of(w, name);
    tt_build_device(b, &s, &d);
}

static void read_all(work *w)
{
    tt_builder *b = w->m->b;
    w->cat = tt_build_category(b, tt_build_name(b, "kernel", 6), TT_KIND_KERNEL);
    b->sub_us = true;
    while (w->start >= 0 && tt_csv_next(w->c) && !tt_mi_cancelled(w->m)) put(w);
    tt_csv_close(w->c);
}

/* The first version has starts in ms, later ones in us; the name of the column says which. */
static void read_tasks(tt_mi *m, const tt_mi_operators *known)
{
    work w = {.m = m, .known = known, .c = tt_mi_csv(m, "device_tasks", NULL), .process = "AI Core"};
    if (!w.c || !tt_csv_is_open(w.c)) {
        tt_csv_close(w.c);
        return;
    }
    w.name = tt_csv_need(w.c, "op_name");
    w.stream = tt_csv_need(w.c, "stream_id");
    w.start = tt_csv_need(w.c, "start_time*");
    w.duration = tt_csv_need(w.c, "duration*");
    w.of_start = tt_csv_time_unit(w.c, w.start, TT_NS_OF_MS);
    w.of_duration = tt_csv_time_unit(w.c, w.duration, TT_NS_OF_MS);
    w.zero = m->zero == TT_UNKNOWN ? 0 : m->zero;
    read_all(&w);
}

static void read_kernels(tt_mi *m, const tt_mi_operators *known)
{
    static const tt_csv_options options = {.separator = ';', .no_header = true};
    work w = {.m = m, .known = known, .c = tt_mi_csv(m, "gpu_kernels", &options), .process = "GPU"};
    if (!w.c) return;
    w.stream = 1;
    w.start = 2;
    w.duration = 3;
    w.of_start = TT_NS_OF_NS;
    w.of_duration = TT_NS_OF_US;
    read_all(&w);
}

void tt_mi_device_work(tt_mi *m, const tt_mi_operators *known)
{
    if (tt_mi_has(m, "timeline")) return;
    if (tt_mi_has(m, "device_tasks"))
        read_tasks(m, known);
    else
        read_kernels(m, known);
}

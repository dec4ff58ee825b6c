/* parser/mindinsight/device_work.c - operators on the streams of a device, for folders without a timeline: from
 * output_timeline_data of an Ascend or activity_execute_timestamp of a GPU; without these the sums of a GPU's kernels
 * from gpu_activity_data. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/chrome/reader.h"
#include "parser/csv/fields.h"
#include "parser/mindinsight/folder.h"
#include "parser/mindinsight/operators.h"

typedef struct work {
    tt_mi *m;
    const tt_mi_operators *known;
    tt_csv *c;
    const char *process, *core; /* shared by all streams */
    int name, stream, start, duration;
    uint64_t of_start, of_duration; /* units of time */
    int64_t zero;                   /* the device's clock, in ns, at time 0 of the trace */
    uint8_t kernel, collective;     /* categories */
} work;

/* Whether the type is a communicating operator of MindSpore; no computing operator has such a name. */
static bool communicates(const char *type)
{
    static const char *const types[] = {"AllReduce", "AllGather", "ReduceScatter", "Broadcast", "AllToAll",
                                        "AllToAllv", "AlltoAll",  "Send",          "Receive"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(type, types[i])) return true;
    return false;
}

/* If framework_raw lacks an operator its type is the beginning of its name: "Default/AllReduce-op7". */
static bool is_collective(const tt_mi_operator *known, tt_csv_text name)
{
    char type[24] = "";
    if (known && known->type) return communicates(known->type);
    const char *slash = memrchr(name.at, '/', name.n), *from = slash ? slash + 1 : name.at;
    size_t n = 0, most = (size_t)(name.at + name.n - from);
    while (n < most && n + 1 < sizeof type && from[n] != '-') n++;
    memcpy(type, from, n);
    return communicates(type);
}

/* The number in the names of the files, which may differ from the rank. */
static int64_t device_of(const work *w) { return w->m->names->rank < 0 ? 0 : w->m->names->rank; }

/* Track of a stream, named on first use. */
static uint32_t track_of(work *w, tt_csv_text stream)
{
    tt_builder *b = w->m->b;
    char pid[24], name[64];
    size_t known = b->tracks.n, n = (size_t)snprintf(pid, sizeof pid, "%" PRId64, device_of(w));
    if (!stream.n || stream.n > 40) stream = (tt_csv_text){"?", 1};
    uint32_t track = tt_build_track_of(b, pid, n, stream.at, stream.n);
    if (track < known) return track;
    n = (size_t)snprintf(name, sizeof name, "stream %.*s", (int)stream.n, stream.at);
    tt_build_label_text(b, track, TT_LABEL_THREAD_NAME, tt_build_name(b, name, n), 0);
    tt_build_label_text(b, track, TT_LABEL_PROCESS_NAME, tt_build_name(b, w->process, strlen(w->process)), 0);
    return track;
}

static uint32_t text_of(tt_builder *b, const char *text) { return text ? tt_build_text(b, text, strlen(text)) : 0; }

static uint32_t shape_of(work *w, const tt_mi_operator *k)
{
    tt_launch_shape s = {.registers = TT_UNKNOWN,
                         .shared_bytes = TT_UNKNOWN,
                         .blocks_per_sm = NAN,
                         .warps_per_sm = NAN,
                         .occupancy_pct = NAN};
    s.core = text_of(w->m->b, w->core);
    s.type = text_of(w->m->b, k ? k->type : NULL);
    s.block = text_of(w->m->b, k ? k->block_dim : NULL);
    return tt_build_shape(w->m->b, &s);
}

static void add_work(work *w)
{
    tt_builder *b = w->m->b;
    tt_csv_text name = tt_csv_cell(w->c, w->name), stream = tt_csv_cell(w->c, w->stream);
    int64_t start, duration, number;
    if (!name.n) tt_csv_bad(w->c, -1, "has no name");
    if (!name.n || !tt_csv_ns(w->c, w->start, w->of_start, &start)) return;
    if (!tt_csv_ns(w->c, w->duration, w->of_duration, &duration)) duration = 0;
    const tt_mi_operator *known = tt_mi_operators_find(w->known, name.at, name.n);
    bool collective = is_collective(known, name);
    tt_slice_in s = {.ts = start - w->zero, .cat = collective ? w->collective : w->kernel};
    if (!tt_mi_make(w->m, &s.offset)) return;
    if (!tt_build_span(b, s.offset, name.at, name.n, s.ts, s.ts + duration, &s.dur)) return;
    s.track = track_of(w, stream);
    s.name = tt_chrome_plain_name(b, name.at, name.n);
    tt_device_in d = TT_NO_DEVICE;
    d.device = device_of(w);
    if (tt_decimal_whole(stream.at, stream.n, &number)) d.stream = number;
    if (!collective) d.shape = shape_of(w, known);
    tt_build_device(b, &s, &d);
}

static void read_all(work *w)
{
    tt_builder *b = w->m->b;
    w->kernel = tt_build_category(b, tt_build_name(b, "kernel", 6), TT_KIND_KERNEL);
    w->collective = tt_build_category(b, tt_build_name(b, "collective", 10), TT_KIND_COLLECTIVE);
    b->sub_us = true;
    while (w->start >= 0 && tt_csv_next(w->c) && !tt_mi_cancelled(w->m)) add_work(w);
    tt_csv_close(w->c);
}

/* Starts are in ms in the first version and in us later; the name of the column tells. */
static void read_tasks(tt_mi *m, const tt_mi_operators *known)
{
    work w = {.m = m, .known = known, .c = tt_mi_csv(m, "device_tasks", NULL), .process = "AI Core", .core = "AICORE"};
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
    work w = {.m = m, .known = known, .c = tt_mi_csv(m, "gpu_kernels", &options), .process = "GPU", .core = "GPU"};
    if (!w.c) return;
    w.stream = 1;
    w.start = 2;
    w.duration = 3;
    w.of_start = TT_NS_OF_NS;
    w.of_duration = TT_NS_OF_US;
    read_all(&w);
}

/* Set "[8, 1, 1]" from "8,1,1" or "(8, 1, 1)". */
static void set_list(tt_imported *t, uint32_t row, uint32_t col, tt_csv_text cell)
{
    char text[80];
    size_t n = 0;
    text[n++] = '[';
    for (size_t i = 0; i < cell.n && n + 3 < sizeof text; i++) {
        if (cell.at[i] >= '0' && cell.at[i] <= '9') text[n++] = cell.at[i];
        if (cell.at[i] == ',') text[n++] = ',', text[n++] = ' ';
    }
    text[n++] = ']';
    if (cell.n) tt_imported_set_s(t, row, col, text, n);
}

/* Table kernels from the profiler's sums of each kernel by operator, stream and launch shape. */
static void read_sums(tt_mi *m)
{
    enum { NAME, OPERATOR, GRID, BLOCK, CALLS, TOTAL, MAX, MIN, COLUMNS };
    static const tt_imported_key keys[COLUMNS] = {
        {"name", TT_T_STRING}, {"operator", TT_T_STRING},   {"grid", TT_T_STRING},     {"block", TT_T_STRING},
        {"calls", TT_T_COUNT}, {"total_ns", TT_T_DURATION}, {"max_ns", TT_T_DURATION}, {"min_ns", TT_T_DURATION}};
    static const tt_csv_field fields[COLUMNS] = {{"name", TT_CSV_NEEDED},
                                                 {"op_full_name", TT_CSV_NEEDED},
                                                 {"grid_dim", TT_CSV_NEEDED | TT_CSV_OWN},
                                                 {"block_dim", TT_CSV_NEEDED | TT_CSV_OWN},
                                                 {"occurrences", TT_CSV_NEEDED},
                                                 {"total_duration*", TT_CSV_NEEDED},
                                                 {"max_duration*", TT_CSV_NEEDED},
                                                 {"min_duration*", TT_CSV_NEEDED}};
    tt_csv *c = tt_mi_csv(m, "gpu_activity", NULL);
    int at[COLUMNS];
    if (!c) return;
    tt_imported *t = TT_MI_TABLE(m, "kernels", keys);
    tt_csv_find(c, fields, COLUMNS, at);
    while (at[NAME] >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        if (!tt_csv_cell(c, at[NAME]).n) {
            tt_csv_bad(c, -1, "has no name");
            continue;
        }
        uint32_t row = tt_imported_row(t);
        tt_csv_set_row(c, fields, at, t, row);
        set_list(t, row, GRID, tt_csv_cell(c, at[GRID]));
        set_list(t, row, BLOCK, tt_csv_cell(c, at[BLOCK]));
    }
    tt_csv_close(c);
}

void tt_mi_device_work(tt_mi *m, const tt_mi_operators *known)
{
    uint64_t made = m->n_made;
    if (tt_input_has(m->in, "timeline")) return;
    if (tt_input_has(m->in, "device_tasks"))
        read_tasks(m, known);
    else
        read_kernels(m, known);
    if (m->n_made == made) read_sums(m);
}

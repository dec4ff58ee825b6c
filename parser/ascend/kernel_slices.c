/* parser/ascend/kernel_slices.c - makes a timeline from kernel_details.csv alone: kernels and collectives on the
 * streams of their device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/ascend/kernel_rows.h"
#include "parser/ascend/kernels.h"
#include "parser/ascend/made_text.h"

/* Track of a row; collectives have tracks of their own process, as in a timeline. */
static uint32_t track_of(tt_builder *b, const tt_ascend_row *r, uint64_t offset)
{
    const char *process = r->collective ? TT_ASCEND_COLLECTIVES : TT_ASCEND_HARDWARE;
    char name[64] = TT_ASCEND_NO_STREAM;
    size_t known = b->tracks.n;
    tt_csv_text tid = r->stream.n ? r->stream : (tt_csv_text){name, strlen(name)};
    uint32_t track = tt_build_track_of(b, process, strlen(process), tid.at, tid.n);
    if (b->tracks.n == known) return track;
    if (r->stream.n) snprintf(name, sizeof name, "Stream %.*s", (int)(tid.n < 40 ? tid.n : 40), tid.at);
    tt_build_label_text(b, track, TT_LABEL_THREAD_NAME, tt_build_name(b, name, strlen(name)), offset);
    tt_build_label_text(b, track, TT_LABEL_PROCESS_NAME, tt_build_name(b, process, strlen(process)), offset);
    return track;
}

void tt_ascend_kernel_slices(tt_ascend *a, tt_builder *b, uint64_t *offset)
{
    tt_ascend_row r;
    tt_ascend_rows *rows = tt_ascend_rows_open(a);
    uint64_t base = *offset;
    uint8_t kernel = tt_build_category(b, tt_build_name(b, "kernel", 6), TT_KIND_KERNEL);
    uint8_t collective = tt_build_category(b, tt_build_name(b, "collective", 10), TT_KIND_COLLECTIVE);
    while (tt_ascend_rows_next(rows, &r)) {
        uint64_t at = base + r.offset;
        int64_t dur, stream;
        if (at >= TT_TEXT_MAX || !tt_build_span(b, at, r.name.at, r.name.n, r.start, r.start + r.dur, &dur)) continue;
        tt_device_in d = TT_NO_DEVICE;
        tt_launch_shape shape = {.registers = TT_UNKNOWN,
                                 .shared_bytes = TT_UNKNOWN,
                                 .blocks_per_sm = NAN,
                                 .warps_per_sm = NAN,
                                 .occupancy_pct = NAN};
        d.device = r.device; /* the row's device, else the header's */
        if (tt_decimal_whole(r.stream.at, r.stream.n, &stream)) d.stream = stream;
        if (r.block.n) shape.block = tt_build_text(b, r.block.at, r.block.n);
        if (r.core.n) shape.core = tt_build_text(b, r.core.at, r.core.n);
        if (r.type.n) shape.type = tt_build_text(b, r.type.at, r.type.n);
        d.shape = tt_build_shape(b, &shape);
        tt_build_device(b,
                        &(tt_slice_in){.offset = at,
                                       .ts = r.start,
                                       .dur = dur,
                                       .track = track_of(b, &r, at),
                                       .name = tt_chrome_plain_name(b, r.name.at, r.name.n),
                                       .cat = r.collective ? collective : kernel},
                        &d);
    }
    *offset = base + tt_ascend_rows_offset(rows) + 1;
    tt_ascend_rows_close(rows);
}

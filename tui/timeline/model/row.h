/* tui/timeline/model/row.h - what a row of the timeline is of: its nodes (a tree: worker > process > track, counter,
 * instants) and the lines that stand for them on the screen. */
#ifndef TT_TUI_TIMELINE_ROW_H
#define TT_TUI_TIMELINE_ROW_H

#include "model/index/bands.h"
#include "model/index/lod_union.h"

typedef enum tt_timeline_row_kind {
    TT_TIMELINE_WORKER,
    TT_TIMELINE_GROUP, /* threads without device work; the profiler's own rows */
    TT_TIMELINE_PROCESS,
    TT_TIMELINE_TRACK,
    TT_TIMELINE_CURVES, /* the curves of a device, folded at first; what is up to here can be folded */
    TT_TIMELINE_COUNTER,
    TT_TIMELINE_INSTANTS,
    TT_TIMELINE_IDLE, /* why a device waits (idle_row.h) */
    TT_TIMELINE_BUSY, /* curves of a device: how busy it is, its memory, ... */
    TT_TIMELINE_MEMORY,
    TT_TIMELINE_SM,
    TT_TIMELINE_QUEUE, /* work that waits on a stream, ... */
    TT_TIMELINE_RATE,  /* ... copies of a kind (curve_rows.h) */
    TT_TIMELINE_PATH,  /* the critical path, while it is shown (path_overlay.h) */
} tt_timeline_row_kind;

static inline bool tt_timeline_is_curve(tt_timeline_row_kind k)
{
    return k >= TT_TIMELINE_BUSY && k <= TT_TIMELINE_RATE;
}

enum { TT_PEAK = 64, TT_COUNTER_ROWS = 2, TT_CUT_NONE_LEFT = UINT16_MAX };

typedef struct tt_timeline_node {
    tt_timeline_row_kind kind;
    uint32_t trace;
    uint32_t index;  /* process, track or series of the trace; worker, path: the trace; group, instants, idle, curves,
                        busy, memory, SM: the process; queue, rate: the place among those of its device */
    uint32_t parent; /* TT_NONE at the top */
    uint32_t end;    /* first node behind its children */
    uint8_t level;   /* indentation */
    bool collapsed;
    bool folded_first;   /* collapsed when the trace was opened */
    bool pinned;         /* stays under the ruler, with what is inside it */
    bool hidden;         /* by a person, with what is inside it */
    bool device;         /* a GPU, or something on one */
    bool meta;           /* GROUP, PROCESS: the profiler's own rows */
    bool only_host;      /* PROCESS: the one whose threads are a trace's: folded stacks need no line above them */
    tt_lod_union *group; /* worker, process: busy time of all its tracks (of the device tracks where it has some) */
    uint32_t *instants;  /* INSTANTS: indices into trace->instants, by time */
    uint32_t n_instants;
    double *peaks;                /* COUNTER: highest value of every TT_PEAK samples */
    double low, high;             /* COUNTER: range of the values */
    uint16_t cut[TT_BAND_COUNT_]; /* TRACK: lanes shown of each band, 0 = all, or TT_CUT_NONE_LEFT */
} tt_timeline_node;

typedef struct tt_line {
    uint32_t node;
    uint32_t
        depth; /* of a lane; of an open counter the row from above; TT_NONE: a header, something collapsed, instants */
} tt_line;

#endif

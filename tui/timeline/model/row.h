/* tui/timeline/model/row.h - nodes and lines: the tree of what a timeline can show (worker > process > track, counter,
 * instants, derived rows) and the lines of the screen that show it. */
#ifndef TT_TUI_TIMELINE_MODEL_ROW_H
#define TT_TUI_TIMELINE_MODEL_ROW_H

#include "model/index/bands.h"
#include "model/index/lod_union.h"

typedef enum tt_timeline_row_kind {
#define ROW(kind, name) TT_TIMELINE_##kind,
#include "tui/timeline/model/kinds.def"
#undef ROW
    TT_TIMELINE_KINDS_,
} tt_timeline_row_kind;

enum { TT_PEAK = 64, TT_COUNTER_ROWS = 2, TT_CUT_NONE_LEFT = UINT16_MAX };

typedef struct tt_timeline_node {
    tt_timeline_row_kind kind;
    uint32_t trace;
    uint32_t index;  /* TRACK, COUNTER: index in the trace; WORKER, PATH: the trace; QUEUE, RATE: place among the rows
                        of its kind of the device; every other kind: the process */
    uint32_t parent; /* TT_NONE at the top */
    uint32_t end;    /* first node behind its children */
    uint8_t level;   /* indentation */
    bool collapsed;
    bool folded_first;   /* `collapsed` when the trace was opened */
    bool pinned;         /* stays under the ruler, with its children */
    bool hidden;         /* hidden with its children, by a person */
    bool device;         /* a GPU, or a row of a GPU */
    bool meta;           /* GROUP, PROCESS: the profiler's own rows */
    bool only_host;      /* PROCESS: the only host process of its trace, which needs no line above folded stacks */
    tt_lod_union *group; /* worker, group, process: busy time of its device tracks, else of its host tracks */
    uint32_t *instants;  /* INSTANTS: indices into trace->instants, by time */
    uint32_t n_instants;
    double *peaks;                /* COUNTER: highest value of every TT_PEAK samples */
    double low, high;             /* COUNTER: range of the values */
    uint16_t cut[TT_BAND_COUNT_]; /* TRACK: lanes shown of each band, 0 = all, or TT_CUT_NONE_LEFT */
} tt_timeline_node;

/* The row shows slices. */
static inline bool tt_timeline_is_track(const tt_timeline_node *n) { return n->kind == TT_TIMELINE_TRACK; }

typedef struct tt_line {
    uint32_t node;
    uint32_t depth; /* lane of a track, or row of an open counter from above; TT_NONE: the node has one line */
} tt_line;

#endif

/* tui/timeline/model/timeline.h - the state of a timeline: nodes and lines, the window in time, the cursor, the
 * selection, marks, bookmarks, matches.
 *
 * The other headers of this folder change it, each in one respect. All times are on the common axis of the session
 * unless a name says "trace time". No call draws or blocks; a call costs O(log slices) or O(rows) unless its comment
 * says otherwise. One thread uses a timeline, apart from tt_timeline_prepare(). */
#ifndef TT_TUI_TIMELINE_MODEL_TIMELINE_H
#define TT_TUI_TIMELINE_MODEL_TIMELINE_H

#include "model/index/dense.h"
#include "model/index/lod_union.h"
#include "model/tables/table.h"
#include "tui/screen/screen.h"
#include "tui/timeline/model/row.h"

typedef struct tt_timeline tt_timeline;
typedef struct tt_timeline_filter tt_timeline_filter;
struct tt_evidence;
struct tt_row_source;

typedef struct tt_bookmark {
    char name[32];  /* typed by a person, or a number */
    int64_t a, b;   /* the marked time; a == b: a moment */
    int64_t t0, t1; /* the window when it was set */
    uint64_t node;  /* key of the track, 0 = none */
    uint32_t depth; /* lane of the track */
} tt_bookmark;

typedef struct tt_timeline_index { /* the index that rows are drawn from */
    tt_lod **lods;                 /* per trace */
    tt_lod_union **groups;         /* per node; NULL for a node that is no worker, group or process */
    tt_lod_union *overview;        /* all tracks: busy time of the strip above the rows */
} tt_timeline_index;

typedef enum tt_timeline_view {                 /* how stacks of host threads are shown */
                                TT_VIEW_STACKS, /* as they were recorded */
                                TT_VIEW_BANDS,  /* folded into bands: model/index/bands.h */
                                TT_VIEW_COUNT_,
} tt_timeline_view;

typedef struct tt_fold { /* a node, or the view, before a jump changed it */
    uint32_t node;       /* TT_NONE: the view and its layers */
    bool collapsed, hidden, cuts;
    uint16_t cut[TT_BAND_COUNT_]; /* valid when `cuts` */
    tt_timeline_view view;
    unsigned bands_off;
} tt_fold;

typedef struct tt_timeline_axis { /* the times that a window can show */
    int64_t start, end;           /* all of the session; windows reach a little beyond */
    int64_t fit0, fit1;           /* the dense part, which is shown first */
    tt_beyond beyond;             /* slices outside the dense part */
} tt_timeline_axis;

typedef struct tt_hits { /* rows of a trace whose names match, ascending */
    tt_row *at;
    size_t n, cap;
} tt_hits;

typedef struct tt_timeline_search {    /* slices that match, and ranges, which n and N walk through */
    char *pattern;                     /* text that names are compared with; NULL = no search */
    bool exact;                        /* the pattern is a whole name, not a part of one */
    bool dim_others;                   /* slices that do not match are drawn grey */
    tt_hits *hits;                     /* per trace; NULL = no search */
    struct tt_track_hits **track_hits; /* per trace and track: hits by lane, made when first drawn */
    uint8_t **matches;                 /* per trace and string: 0 not compared yet, 1 no match, 2 match */
    unsigned serial;                   /* changes with the hits and with the ranges */
    uint64_t n_hits;
    int64_t hits_ns;             /* sum of the durations of all hits */
    uint32_t only_trace;         /* the one trace in which slices match; TT_NONE = all traces */
    TT_VEC(tt_hit_range) ranges; /* ranges that n and N walk through instead of hits, by time */
    size_t range_at;             /* the range that was shown last */
} tt_timeline_search;

typedef struct tt_timeline_layers { /* which lanes of host threads are shown */
    tt_bands **bands;               /* per trace */
    unsigned off;                   /* a bit for each tt_band that is not shown */
    bool later;                     /* lanes of a track are not known yet: lay out again when they are */
    int fitted_h;                   /* height of the canvas that bands were cut to; 0 = not yet, -1 = cut again */
} tt_timeline_layers;

typedef struct tt_timeline_path {      /* the critical path */
    struct tt_path_overlay **overlays; /* per trace; NULL = not known */
    bool shown;
} tt_timeline_path;

typedef struct tt_line_chooser {   /* chooses the lines instead of folds, pins and hidden rows */
    void (*lines)(tt_timeline *t); /* append the lines that are shown, in order */
    void (*reveal)(tt_timeline *t, uint32_t node, uint32_t depth); /* a jump leads to this line: show it from now on */
    void (*fit)(tt_timeline *t);                                   /* the screen may have another number of rows */
    void (*free)(struct tt_evidence *e);
} tt_line_chooser;

typedef struct tt_timeline_choice { /* evidence of a finding, whose rows are shown alone */
    struct tt_evidence *evidence;   /* owned; NULL = none */
    const tt_line_chooser *by;      /* its functions; NULL until there is evidence */
    bool on;                        /* only chosen lines are shown */
} tt_timeline_choice;

struct tt_timeline {
    tt_session *session;
    const struct tt_row_source *const *sources; /* by kind of row: row_source.h */
    tt_timeline_view view;
    tt_timeline_layers layers;
    tt_timeline_index full[TT_VIEW_COUNT_]; /* indices of all slices; without lods = not opened yet */
    tt_timeline_filter *filter; /* limits the slices; NULL = all. lods, overview and group of nodes follow it */
    tt_lod **lods;              /* per trace */
    tt_lod_union *overview;     /* busy time of the strip above the rows */
    unsigned serial;            /* changes with lods and overview */
    uint32_t **track_node;      /* per trace and track: its node, TT_NONE = it has no slices */
    TT_VEC(tt_timeline_node) nodes;
    TT_VEC(tt_line) lines;
    TT_VEC(tt_fold) folds; /* changes made by jumps, the newest last */
    atomic_bool preparing; /* tt_timeline_prepare() is about to run or runs: drawing does not wait for busy rows */
    uint32_t wait_from; /* tracks with this many slices are neither drawn nor picked until prepared; UINT32_MAX: none */
    atomic_bool summed; /* name_sums.h knows how often names occur */
    bool picks_later;   /* the slice at the cursor could not be picked yet */
    bool flat;          /* every track has one row */
    uint32_t n_pinned;  /* the first lines are of pinned nodes: they stay while the others scroll */
    uint32_t pin_top;   /* first pinned line on screen: not all of them may fit */
    tt_timeline_axis axis;
    int64_t t0, t1;     /* the window */
    int64_t at;         /* the cursor */
    int64_t placed;     /* time that a person put the cursor at, TT_UNKNOWN = none: marks then take it, not a slice */
    uint32_t line, top; /* the cursor's line; the first line on screen of those that scroll */
    tt_slice_ref sel;   /* row TT_NONE = nothing is selected */
    int64_t mark_a, mark_b;        /* TT_UNKNOWN = not set */
    int cols, rows;                /* size of the track area on screen, set by the drawing; at least 1 */
    TT_VEC(tt_bookmark) bookmarks; /* by time */
    tt_timeline_search search;
    uint8_t *derived; /* per trace: a bit for each tt_derived that is computed */
    tt_timeline_path path;
    tt_timeline_choice choice;
};

/* The node of the cursor's line; NULL = there are no lines. */
static inline const tt_timeline_node *tt_timeline_here(const tt_timeline *t)
{
    return t->line < t->lines.n ? &t->nodes.at[t->lines.at[t->line].node] : NULL;
}

static inline bool tt_timeline_has_sel(const tt_timeline *t) { return t->sel.row != TT_NONE; }

static inline const tt_trace *tt_timeline_trace(const tt_timeline *t, tt_slice_ref r)
{
    return t->session->traces[r.trace];
}

static inline int64_t tt_timeline_start(const tt_timeline *t, tt_slice_ref r)
{
    return tt_timeline_trace(t, r)->start[r.row] + t->session->offset_ns[r.trace];
}

static inline int64_t tt_timeline_end(const tt_timeline *t, tt_slice_ref r)
{
    return tt_row_end(tt_timeline_trace(t, r), r.row) + t->session->offset_ns[r.trace];
}

#endif

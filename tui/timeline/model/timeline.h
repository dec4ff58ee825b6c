/* tui/timeline/model/timeline.h - the timeline without its picture: tracks, the window in time, the cursor, the
 * selection, marks, matches.
 *
 * Nodes can be collapsed (worker > process > track, counter, instants), in the order of the screen; lines are the
 * rows of the screen. All times are on the common axis of the session unless a name says "trace time". Nothing here
 * draws or blocks; every call costs O(log slices) or O(rows) unless it says otherwise. One thread, apart from
 * tt_timeline_prepare(). */
#ifndef TT_TUI_TIMELINE_TIMELINE_H
#define TT_TUI_TIMELINE_TIMELINE_H

#include "model/index/dense.h"
#include "model/index/lod_union.h"
#include "model/tables/table.h"
#include "tui/screen/screen.h"
#include "tui/timeline/model/row.h"

typedef struct tt_bookmark {
    char name[32];  /* typed by a person, or a number */
    int64_t a, b;   /* what it marks; a == b: a moment */
    int64_t t0, t1; /* the window it was set in */
    uint64_t node;  /* key of the track, 0 = none, and the lane */
    uint32_t depth;
} tt_bookmark;

typedef struct tt_hits { /* slices whose names match, per trace ascending */
    tt_row *at;
    size_t n, cap;
} tt_hits;

typedef struct tt_timeline_index { /* what is drawn from */
    tt_lod **lods;                 /* per trace */
    tt_lod_union **groups;         /* per node; NULL where it is no worker and no process */
    tt_lod_union *overview;
} tt_timeline_index;

typedef struct tt_timeline_filter tt_timeline_filter;

typedef enum tt_timeline_view {                 /* of the stacks of host threads */
                                TT_VIEW_STACKS, /* as they were recorded */
                                TT_VIEW_BANDS,  /* folded: model/index/bands.h */
                                TT_VIEW_COUNT_,
} tt_timeline_view;

typedef struct tt_fold { /* how something was before a jump changed it (folds.h) */
    uint32_t node;       /* TT_NONE: the view and its layers */
    bool collapsed, hidden, cuts;
    uint16_t cut[TT_BAND_COUNT_]; /* when cuts */
    tt_timeline_view view;
    unsigned bands_off;
} tt_fold;

typedef struct tt_timeline {
    tt_session *session;
    tt_timeline_view view;
    tt_bands **bands;                       /* per trace */
    unsigned bands_off;                     /* a bit for each tt_band that is not shown */
    bool lanes_later;                       /* lanes of a track are not known yet: its lines come when they are */
    int fitted_h;                           /* canvas that bands were cut to, 0 = none yet, -1 = cut them again */
    tt_timeline_index full[TT_VIEW_COUNT_]; /* of all slices; without lods = not opened yet */
    tt_timeline_filter
        *filter;     /* only some slices are shown; NULL = all. The next members, and group of the nodes, follow it */
    tt_lod **lods;   /* per trace */
    unsigned serial; /* changes when they do */
    uint32_t **track_node; /* per trace and track: its node, TT_NONE = has no slices */
    TT_VEC(tt_timeline_node) nodes;
    TT_VEC(tt_line) lines;
    TT_VEC(tt_fold) folds;  /* the last change is the last one */
    tt_lod_union *overview; /* what the strip over the whole trace shows */
    atomic_bool preparing;  /* tt_timeline_prepare() is going to run or runs: drawing does not wait for busy rows */
    uint32_t wait_from; /* slices of a track from which on drawing and picking wait for that, too; UINT32_MAX = never */
    atomic_bool summed; /* it is known how often names occur (name_sums.h) */
    bool picks_later;   /* the slice at the cursor could not be picked yet */
    bool flat;          /* every track as one row */
    uint32_t n_pinned;  /* the first lines are those of pinned nodes: they stay while the others scroll */
    uint32_t pin_top;   /* the first of them on screen: there may be more than fit */
    int64_t axis_start, axis_end; /* where the window may be, with a little beyond: all of the session */
    int64_t fit0, fit1;           /* the part of it with what was recorded: where looking begins */
    tt_beyond beyond;             /* the rest of it */
    int64_t t0, t1;               /* the window */
    int64_t at;                   /* the cursor */
    int64_t placed;     /* where a person put it by a time, TT_UNKNOWN = nowhere: marks then mean that, not a slice */
    uint32_t line, top; /* the cursor's line, and the first one on screen of those that scroll */
    tt_slice_ref sel;   /* row TT_NONE = nothing is selected */
    int64_t mark_a, mark_b;            /* TT_UNKNOWN = not set */
    int cols, rows;                    /* of the track area on screen, set by whoever draws; at least 1 */
    TT_VEC(tt_bookmark) bookmarks;     /* in the order of their times */
    char *pattern;                     /* what is highlighted, NULL = nothing */
    bool pattern_exact;                /* a whole name instead of a part of one */
    bool dim_others;                   /* what does not match is drawn grey */
    tt_hits *hits;                     /* per trace; NULL = nothing */
    struct tt_track_hits **track_hits; /* per trace and track: the same by lane, made when first drawn */
    uint8_t **matches;                 /* per trace and string: 0 not looked at, 1 no, 2 yes */
    unsigned hits_serial;              /* changes when they do, or the ranges */
    uint64_t n_hits;
    int64_t hits_ns;                   /* their durations */
    TT_VEC(tt_hit_range) ranges;       /* what n and N walk through instead, in the order of time; n 0 = nothing */
    size_t range_at;                   /* the one that was shown last */
    uint8_t *derived;                  /* per trace: a bit for each tt_derived that is there (derived.h) */
    struct tt_path_overlay **overlays; /* per trace: the critical path, NULL = not known */
    bool path_shown;
    struct tt_evidence *evidence; /* only its rows are shown, NULL = all (evidence.h); owned */
    uint32_t evidence_trace;      /* only there is something to match, TT_NONE = everywhere */
} tt_timeline;

tt_timeline *tt_timeline_new(tt_session *s);
void tt_timeline_free(tt_timeline *t);
/* Build what drawing needs, so that no frame has to: safe on another thread while this one draws. */
void tt_timeline_prepare(tt_timeline *t, tt_timeline_view view, const atomic_bool *stop);

/* How often names occur is known, or the trace small enough to find out in a frame. */
bool tt_timeline_sums_ready(const tt_timeline *t, uint32_t trace);

/* Passes the filter (filter.h), if there is one. */
bool tt_timeline_passes(const tt_timeline *t, tt_slice_ref r);
/* The index of a track is there, or small enough to be built in a frame. */
bool tt_timeline_indexed(const tt_timeline *t, uint32_t trace, uint32_t track);
/* Not while it is built in the background: the frame would wait for that. */
bool tt_timeline_may_query(const tt_timeline *t, const tt_lod_union *g);

/* ---- rows ---- */
void tt_timeline_layout(tt_timeline *t); /* after nodes were collapsed or flat changed; keeps the cursor on its track */
/* Name of a node for the label column, at most cap bytes, raw input bytes inside. */
void tt_timeline_label(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap);
/* The first line of a node, after expanding what hides it. */
uint32_t tt_timeline_line_of_node(tt_timeline *t, uint32_t node);
/* The cursor goes to the first row of work of a device, else to the first row of slices. */
void tt_timeline_start_line(tt_timeline *t);
/* The line that shows a slice, expanding what hides it when `expand`. TT_NONE = it lies in something collapsed. */
uint32_t tt_timeline_line_of(tt_timeline *t, tt_slice_ref r, bool expand);
void tt_timeline_collapse(tt_timeline *t);        /* the track or group under the cursor, or expand it */
void tt_timeline_collapse_others(tt_timeline *t); /* every group but this one; again: expand all */
/* The first line of the next (dir > 0) or previous track. */
bool tt_timeline_next_track(tt_timeline *t, int dir);
void tt_timeline_settle(tt_timeline *t); /* after rows have gone: to one with slices, and the slice there */
void tt_timeline_scroll(tt_timeline *t); /* bring the cursor's line onto the screen */
uint32_t tt_timeline_line_at(const tt_timeline *t, int row); /* the line on a row of the screen, TT_NONE */
/* The row of the screen that a line is on; -1 above the screen, t->rows below it. */
int tt_timeline_row_of(const tt_timeline *t, uint32_t line);
/* The line of a slice or, when that lies in something collapsed, of what is. TT_NONE = hidden. */
uint32_t tt_timeline_line_around(tt_timeline *t, tt_slice_ref r);

/* ---- pinned and hidden tracks ---- */
typedef enum tt_timeline_row_flag { TT_TIMELINE_PINNED, TT_TIMELINE_HIDDEN } tt_timeline_row_flag;
/* Pin (false: unpin) or hide the track or group at the cursor. */
bool tt_timeline_flag_here(tt_timeline *t, tt_timeline_row_flag flag);
/* Collect the nodes whose label, including the labels of its parents, contains every word of the text; returns the
 * number. */
uint32_t tt_timeline_flag_named(tt_timeline *t, tt_timeline_row_flag flag, const char *text);
uint32_t tt_timeline_clear_flag(tt_timeline *t, tt_timeline_row_flag flag); /* unpin all; returns how many */
uint32_t tt_timeline_count_flag(const tt_timeline *t, tt_timeline_row_flag flag);
uint64_t tt_timeline_hash(const void *bytes, size_t n); /* the same in every process */
/* The same in every session that shows the same trace. */
uint64_t tt_timeline_node_key(const tt_timeline *t, uint32_t node);

/* ---- time ---- */
int64_t tt_timeline_edge(const tt_timeline *t, int col); /* time at the left edge of a column */
int tt_timeline_col(const tt_timeline *t, int64_t at);   /* column of a time, -1 left of the window, cols right of it */
void tt_timeline_window(tt_timeline *t, int64_t t0, int64_t t1); /* clamped to what makes sense */
void tt_timeline_zoom(tt_timeline *t, int num, int den); /* the window becomes num/den of it, around the cursor */
void tt_timeline_pan(tt_timeline *t, int quarters);      /* of a window */
bool tt_timeline_navigate(tt_timeline *t, tt_action a);  /* the actions that do one or the other; false: it is none */
/* The part with what was recorded; when that is the window, all of the axis. */
void tt_timeline_whole(tt_timeline *t);
bool tt_timeline_is_whole(const tt_timeline *t); /* the window is one of both */
/* The part of the axis that is worth looking at, of what is in scope; the window becomes that. */
void tt_timeline_fit_axis(tt_timeline *t, const tt_scope *scope);
/* The part of the axis that the strip shows: that, while the window lies in it. */
void tt_timeline_strip(const tt_timeline *t, int64_t *a, int64_t *b);

/* ---- selection ---- */
static inline bool tt_timeline_has_sel(const tt_timeline *t) { return t->sel.row != TT_NONE; }
static inline const tt_trace *tt_timeline_trace(const tt_timeline *t, tt_slice_ref r)
{
    return t->session->traces[r.trace];
}
int64_t tt_timeline_start(const tt_timeline *t, tt_slice_ref r);
int64_t tt_timeline_end(const tt_timeline *t, tt_slice_ref r);
/* The selected slice, else what the row at the cursor shows there (tt_derived_span). */
bool tt_timeline_span(const tt_timeline *t, int64_t *a, int64_t *b);
/* Select a slice and its line; reveal: also pan so that it can be seen. */
void tt_timeline_select(tt_timeline *t, tt_slice_ref r, bool reveal);
/* Select, and zoom so that it is wide enough to be read: for jumps from elsewhere. */
void tt_timeline_show(tt_timeline *t, tt_slice_ref r);
void tt_timeline_move_line(tt_timeline *t, int by);   /* j, k: keep the time, take the slice there */
bool tt_timeline_move_slice(tt_timeline *t, int dir); /* h, l: neighbour on the row */
void tt_timeline_pick(tt_timeline *t);                /* the slice of the cursor's line at the cursor's time, if any */
/* On a row of a counter or of instants: to the next one. */
bool tt_timeline_move_sample(tt_timeline *t, int dir);
bool tt_timeline_parent(tt_timeline *t);
bool tt_timeline_child(tt_timeline *t);
void tt_timeline_centre(tt_timeline *t); /* the selection, else the cursor */
void tt_timeline_fit(tt_timeline *t);    /* the selection, else the marks, else the whole trace */
/* The slice with this start (trace time) and name, TT_NONE. O(tracks). */
tt_row tt_timeline_slice_named(const tt_trace *s, int64_t start, const char *name);
/* Follow a link; NULL, or why there is none. */
const char *tt_timeline_link(tt_timeline *t, int dir);
const char *tt_timeline_fwdbwd(tt_timeline *t);
/* The slice at the other end of a forward-backward flow, TT_NONE = none. O(flows). */
tt_row tt_timeline_flow_partner(const tt_trace *s, tt_row r);
/* True when a flow begins or ends at the slice. */
bool tt_timeline_has_flow(const tt_trace *s, tt_row r);
/* Launches with device work inside a host slice (itself included): [*from, *to) of trace->launch_row. */
void tt_timeline_launches(const tt_trace *s, tt_row r, uint32_t *from, uint32_t *to);

/* ---- marks ---- */
/* Set the first mark or the second: at the selected slice, from the start of the first to the end of the second; at
 * the cursor where nothing is selected, where that edge of the slice is not on the screen, or where the cursor was
 * put at a time. */
void tt_timeline_mark(tt_timeline *t);
bool tt_timeline_marked(const tt_timeline *t, int64_t *a, int64_t *b); /* a < b */
/* Busy time and slices of the cursor's line inside [a, b). */
void tt_timeline_busy(tt_timeline *t, int64_t a, int64_t b, int64_t *busy_ns, uint32_t *count);

/* ---- bookmarks ---- */
/* Set one at the selection, else at the cursor, or move the one that has the name. name "": the next free number. */
const tt_bookmark *tt_timeline_bookmark(tt_timeline *t, const char *name);
void tt_timeline_put_bookmark(tt_timeline *t, const tt_bookmark *b); /* as it is */
const tt_bookmark *tt_timeline_find_bookmark(const tt_timeline *t, const char *name);
bool tt_timeline_remove_bookmark(tt_timeline *t, const char *name);
void tt_timeline_goto(tt_timeline *t, const tt_bookmark *b); /* its window, its line, the slice there */

/* ---- matches ---- */
/* Highlight the slices whose name contains text (exact: is text); NULL or "" = none. O(slices) when it changes. */
void tt_timeline_match(tt_timeline *t, const char *text, bool exact);
void tt_timeline_rematch(tt_timeline *t); /* look again, after the filter or the view has changed */
/* The next match in the order of time (dir > 0 after, < 0 before, 0 at or after the cursor); wraps; TT_NONE row = no
 * match. */
tt_slice_ref tt_timeline_next_match(tt_timeline *t, int dir, bool *wrapped);
/* Place of the selected slice among all matches in the order of time, from 1; 0 = it is none. O(tracks log slices). */
uint64_t tt_timeline_hit_place(const tt_timeline *t);
/* The matches of a lane (depth TT_NONE: of the track) in the order of time; O(matches of the track) the first time. */
typedef struct tt_lane_hits {
    const tt_row *at;
    size_t n;
} tt_lane_hits;
tt_lane_hits tt_timeline_hits_of(tt_timeline *t, uint32_t trace, uint32_t track, uint32_t depth);
/* True when one of them begins in trace time [a, b). *next: where to look from, for calls with ascending a; 0 before
 * the first. */
bool tt_timeline_hit_in(const tt_trace *s, const tt_lane_hits *h, size_t *next, int64_t a, int64_t b);

#endif

/* tui/timeline/model/row_source.h - the interface of a kind of row: its lines, label, cells, the slice at the
 * cursor, and texts about it.
 *
 * tui/timeline/rows/sources.c has one source for each kind of kinds.def. A new kind is a line there and a file with
 * its functions. Members that do not apply are NULL. */
#ifndef TT_TUI_TIMELINE_MODEL_ROW_SOURCE_H
#define TT_TUI_TIMELINE_MODEL_ROW_SOURCE_H

#include <stdio.h>

#include "tui/timeline/model/timeline.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

struct tt_timeline_frame;
struct tt_detail;

typedef enum tt_fold_sign { TT_FOLD_NONE, TT_FOLD_OPEN, TT_FOLD_CLOSED } tt_fold_sign;
typedef enum tt_row_filter {                   /* when a row stays while a filter limits the slices */
                             TT_FILTER_INSIDE, /* the row, or a row inside it, has something that passes */
                             TT_FILTER_PARENT, /* the parent stays */
                             TT_FILTER_ALWAYS,
} tt_row_filter;

typedef struct tt_row_source {
    /* ---- lines ---- */
    void (*lines)(tt_timeline *t, uint32_t node);                    /* append the lines of a node; NULL = one line */
    bool heads;                                                      /* the node is a worker, a group or a process */
    bool (*folds)(tt_timeline *t, const tt_timeline_node *n);        /* c folds the node; NULL, false: its parent */
    tt_fold_sign (*sign)(tt_timeline *t, const tt_timeline_node *n); /* triangle beside the label; NULL = none */
    tt_row_filter filter;
    bool (*passes)(const tt_timeline *t, const tt_timeline_node *n); /* the node itself has something that passes */
    unsigned needs;                                                  /* bits of tt_derived that the picture needs */
    unsigned needs_open; /* bits of tt_derived that decide which rows an open node has */
    bool place_index;    /* `index` of the node is a place among the rows of its device, not a process */
    /* ---- label ---- */
    const char *name; /* label of all rows of the kind; NULL: label() writes it */
    void (*label)(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap);
    bool cut_middle; /* a label that does not fit loses its middle, not its end */
    void (*lane_label)(const tt_timeline *t, const tt_timeline_node *n, uint32_t depth, char *out,
                       size_t cap); /* label of a line that is not the node's first */
    void (*side)(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap); /* value behind the label */
    /* Draw the label from column x on, in w columns; false = draw the plain one. */
    bool (*draw_label)(tt_canvas *c, int y, int x, int w, tt_style st, const tt_timeline *t, const tt_timeline_node *n);
    /* ---- picture ---- */
    void (*cells)(tt_canvas *c, int y, struct tt_timeline_frame *f, const tt_line *l);
    unsigned (*causes)(const tt_timeline *t,
                       const tt_timeline_node *n); /* a bit for each cause on screen: for the legend */
    /* ---- at the cursor ---- */
    /* The stretch of time that the row shows at the cursor, common axis. */
    bool (*hit)(const tt_timeline *t, const tt_timeline_node *n, int64_t *a, int64_t *b);
    tt_row (*slice)(const tt_timeline *t, const tt_timeline_node *n); /* the slice behind that stretch, TT_NONE */
    bool (*move)(tt_timeline *t, const tt_timeline_node *n, int dir); /* h, l; NULL: the cursor moves by a column */
    const char *noun;                                                 /* "gap"; NULL = "slice" */
    bool links_move;                                                  /* [ and ] move along the row */
    bool is_wait;    /* hit() finds idle time, which W explains and Enter opens as a page */
    bool never_busy; /* the row has no busy time */
    /* ---- words ---- */
    void (*text)(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out,
                 size_t cap); /* a line for the pane */
    void (*detail)(struct tt_detail *d, const tt_timeline *t, const tt_timeline_node *n,
                   tt_unit unit); /* facts for the pane and the page */
} tt_row_source;

static inline const tt_row_source *tt_row_source_of(const tt_timeline *t, const tt_timeline_node *n)
{
    return t->sources[n->kind];
}

/* The source of the cursor's row; without a row, the source of processes. */
static inline const tt_row_source *tt_row_source_here(const tt_timeline *t)
{
    const tt_timeline_node *n = tt_timeline_here(t);
    return t->sources[n ? n->kind : TT_TIMELINE_PROCESS];
}

/* A line about the cursor's row; false = the row has none. */
static inline bool tt_timeline_row_text(const tt_timeline *t, tt_unit unit, char *out, size_t cap)
{
    const tt_timeline_node *n = tt_timeline_here(t);
    if (!n || !tt_row_source_of(t, n)->text) return false;
    tt_row_source_of(t, n)->text(t, n, unit, out, cap);
    return true;
}

/* Label of a node for the label column, with raw input bytes. */
static inline void tt_timeline_label(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const tt_row_source *of = tt_row_source_of(t, n);
    if (of->name)
        snprintf(out, cap, "%s", of->name);
    else
        of->label(t, n, out, cap);
}

#endif

/* tui/timeline/detail.h - everything that is known about a slice, as pairs of words: for the pane under the
 * timeline, the page that Enter opens and the clipboard. */
#ifndef TT_TUI_TIMELINE_DETAIL_H
#define TT_TUI_TIMELINE_DETAIL_H

#include "tui/timeline/timeline.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef struct tt_fact {
    const char *key, *value; /* raw input bytes may be in both */
    bool page_only;          /* says nothing new: not in the pane */
} tt_fact;

typedef struct tt_detail {
    tt_slice_ref of; /* row TT_NONE = empty */
    tt_unit unit;
    const char *name;      /* of the slice */
    const char *place;     /* kind and track */
    TT_VEC(tt_fact) facts; /* what the trace knows, the important first ... */
    size_t n_own;          /* ... this many; then the arguments as the file has them */
    bool has_arguments;    /* arguments were read */
    tt_arena arena;
} tt_detail;

/* Facts of a slice; keeps what d holds when it is of the same slice. arguments: read them from the file too, which
 * takes a read of a few kilobytes. */
void tt_detail_make(tt_detail *d, const tt_timeline *t, tt_slice_ref r, tt_unit unit, bool arguments);
void tt_detail_free(tt_detail *d);

/* The pane: name and place, then as many facts as fit, several on a line. */
void tt_detail_draw_pane(const tt_detail *d, tt_canvas *c);
/* The page: one fact after the other from line `top`; returns how many lines there are at this width. */
int tt_detail_draw_page(const tt_detail *d, tt_canvas *c, int top);
/* "key<tab>value" lines, caller frees. */
char *tt_detail_text(const tt_detail *d);

#endif

/* tui/timeline/screen/detail.h - everything that is known about a slice, as pairs of words: for the pane under the
 * timeline, the page that Enter opens and the clipboard. */
#ifndef TT_TUI_TIMELINE_DETAIL_H
#define TT_TUI_TIMELINE_DETAIL_H

#include "tui/timeline/model/timeline.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef struct tt_fact {
    const char *key, *value; /* raw input bytes may be in both */
    bool page_only;          /* says nothing new: not in the pane */
    bool own_line;           /* in the pane it has a line of its own, ... */
    bool strong;             /* ... in bold, ... */
    uint8_t weight;          /* ... that stays longest where there is not room for all; ... */
    tt_cut cut;              /* ... and this is how it is cut */
} tt_fact;

typedef struct tt_detail {
    tt_slice_ref of; /* row TT_NONE = empty */
    tt_unit unit;
    const void *path;      /* the critical path it was made with, NULL = none was shown */
    const char *name;      /* of the slice */
    const char *place;     /* kind and track */
    TT_VEC(tt_fact) facts; /* what the trace knows, the important first ... */
    size_t n_own;          /* ... this many; then the arguments as the file has them */
    bool has_arguments;    /* arguments were read */
    bool sums;             /* it was known how often names occur */
    tt_arena arena;
} tt_detail;

/* Facts of a slice; keeps what d holds when it is of the same slice. arguments: read them from the file too, which
 * takes a read of a few kilobytes. */
void tt_detail_make(tt_detail *d, const tt_timeline *t, tt_slice_ref r, tt_unit unit, bool arguments);
void tt_detail_free(tt_detail *d);
/* One more fact, for those who make a detail of something else: key lives as long as d. */
void tt_detail_fact(tt_detail *d, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* One with a line of its own in the pane. */
void tt_detail_line(tt_detail *d, const char *key, tt_cut cut, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The pane: name and place, then as many facts as fit, short ones several on a line. */
void tt_detail_draw_pane(const tt_detail *d, tt_canvas *c);
int tt_detail_pane_lines(const tt_detail *d, int w); /* that the pane has to show, at this width */
/* The page: one fact after the other from line `top`; returns how many lines there are at this width. */
int tt_detail_draw_page(const tt_detail *d, tt_canvas *c, int top);
/* "key<tab>value" lines, caller frees. */
char *tt_detail_text(const tt_detail *d);

#endif

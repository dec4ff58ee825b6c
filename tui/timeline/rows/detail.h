/* tui/timeline/rows/detail.h - facts about a slice, a gap or a segment as pairs of words: for the pane under the
 * timeline, the page that Enter opens, and the clipboard. */
#ifndef TT_TUI_TIMELINE_ROWS_DETAIL_H
#define TT_TUI_TIMELINE_ROWS_DETAIL_H

#include "model/tables/table.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef struct tt_fact {
    const char *key, *value; /* either may have raw input bytes */
    bool page_only;          /* not in the pane: other facts say the same */
    bool own_line;           /* has a line of its own in the pane */
    bool strong;             /* the line is bold */
    uint8_t weight;          /* lines with a larger weight stay where there is not room for all */
    tt_cut cut;              /* how that line is cut */
} tt_fact;

typedef struct tt_detail {
    tt_slice_ref of; /* the slice; row TT_NONE = no slice */
    tt_unit unit;
    const void *path;      /* the critical path that the facts mention, NULL = none was shown */
    const char *name;      /* title: the name of the slice; NULL = empty */
    const char *place;     /* kind and track */
    TT_VEC(tt_fact) facts; /* facts of the trace, the important ones first; then the arguments as the file has them */
    size_t n_own;          /* facts of the trace */
    bool has_arguments;    /* arguments were read */
    bool sums;             /* it was known how often names occur */
    tt_arena arena;
} tt_detail;

void tt_detail_free(tt_detail *d);
/* Add a fact; key lives as long as d. */
void tt_detail_fact(tt_detail *d, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Add a fact that has a line of its own in the pane. */
void tt_detail_line(tt_detail *d, const char *key, tt_cut cut, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif

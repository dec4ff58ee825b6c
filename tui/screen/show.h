/* tui/screen/show.h - places that a screen can ask the explorer to show, and the explorer a screen. */
#ifndef TT_TUI_SCREEN_SHOW_H
#define TT_TUI_SCREEN_SHOW_H

#include "model/tables/table.h"

/* A stretch of time of a device, and several of them that n and N walk through, in the order of time. */
typedef struct tt_hit_range {
    int64_t t0, t1; /* begin and end, common axis */
    uint32_t trace;
    uint32_t device; /* index into tt_device_work.devices */
} tt_hit_range;

typedef struct tt_hit_ranges {
    const tt_hit_range *at; /* ranges in any order */
    size_t n, show;         /* show: index of the first range to show */
    const char *what;       /* noun for the status line: "gaps" */
} tt_hit_ranges;

/* A place that the explorer can show. Its tab is opened; where the jump list should lead back, the place left is
 * kept. */
typedef struct tt_show_target {
    enum {
        TT_SHOW_TAB,         /* the tab `tab` */
        TT_SHOW_ROW,         /* on the tab `tab`, in the pane of table `table`, the row `row` */
        TT_SHOW_DRILLDOWN,   /* the timeline, with `what` selected and centred */
        TT_SHOW_EVIDENCE,    /* the rows of a finding's cause alone, zoomed to it, until the jump list leads back */
        TT_SHOW_NO_EVIDENCE, /* all rows again: the jump list leads from the evidence to another screen */
        /* on the timeline one of `ranges`, on the row that says why its device waits; n and N there go to the next and
         * the previous one until something else is searched for. Nothing is kept of ranges. */
        TT_SHOW_RANGES,
        /* both timelines, one above the other, at `both[TT_BASE]` in the base and `both[TT_NEW]` in the session,
         * aligned at the step that each lies in; NONE = that run has no such place */
        TT_SHOW_BOTH,
        TT_SHOW_FLAME,  /* the flame view of `what` (NONE: of everything), beside an interval of the call `slice` */
        TT_SHOW_KERNEL, /* all about the kernel whose slices `what` stands for */
    } kind;
    const char *tab;
    const tt_table *table;
    uint32_t row;
    const tt_drilldown *what, *both;
    tt_slice_ref slice; /* row TT_NONE = none */
    const tt_hit_ranges *ranges;
} tt_show_target;

#endif

/* tui/charts/step_chart.h - the phases of steps as a picture: a column for each step, stacked from the foot of the
 * gap before the step, forward and backward, and the tail.
 *
 * Below each column stands how long the collectives of the step took; a line across marks the average. Made from the
 * tables step_trace, step_trace_summary and step_collectives. */
#ifndef TT_TUI_CHARTS_STEP_CHART_H
#define TT_TUI_CHARTS_STEP_CHART_H

#include "model/tables/table.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef struct tt_step_chart {
    const tt_table *steps, *average, *collectives; /* steps NULL = nothing to show; the other tables may be empty */
    bool several;                                  /* the table has steps of several workers */
    uint32_t longest;                              /* the row of the longest step */
    int64_t top, top_collectives;                  /* ns at the upper edge; longer steps are cut there */
    int64_t mean;                                  /* mean duration of a step, ns; TT_UNKNOWN */
    uint32_t *first; /* by row of steps: the index in `of` of its first collective; one more entry at the end */
    uint32_t *of;    /* rows of collectives in the order of their steps */
    uint32_t left;   /* first step on screen */
    /* place of the columns in the last frame, h 0 = not drawn; cell: width of a step in cells */
    int x, y, w, h, cell;
} tt_step_chart;

/* Take over tables, which must outlive the picture or be replaced by NULL. */
void tt_step_chart_set(tt_step_chart *s, const tt_table *steps, const tt_table *average, const tt_table *collectives);
void tt_step_chart_free(tt_step_chart *s);
static inline bool tt_step_chart_any(const tt_step_chart *s) { return s->steps && s->steps->n_rows > 0; }

typedef struct tt_step_chart_view {
    uint32_t at;      /* the selected step */
    bool focus;       /* the mark of the selected step is drawn as the cursor of the screen */
    uint32_t mark[2]; /* rows of the steps marked as A and B, TT_NONE = none */
    const char *hint; /* keys, shown in the first line if they fit */
    tt_unit unit;
    int y0; /* the line of the screen at which the canvas begins */
} tt_step_chart_view;

/* Draw on all of c: a rule, the legend with the average, the columns, the numbers of steps, the collectives, the
 * chosen step in words. With less room the last items are left out. */
void tt_step_chart_draw(tt_step_chart *s, tt_canvas *c, const tt_step_chart_view *v);
/* The step at a place of the screen, TT_NONE = none. */
uint32_t tt_step_chart_at(const tt_step_chart *s, int y, int x);
/* The numbers of a step: "step 3   total 12.807 ms   gap 0.483 ms ...". */
void tt_step_chart_text(const tt_step_chart *s, uint32_t row, tt_unit unit, char *out, size_t cap);

#endif

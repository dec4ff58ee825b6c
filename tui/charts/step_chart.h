/* tui/charts/step_chart.h - the phases of steps as a picture: a column a step, of the gap before it, forward and
 * backward, and the tail, the first at the foot; under it how long its collectives took; a line across where the
 * average is. Made from the tables step_trace, step_trace_summary and step_collectives. */
#ifndef TT_TUI_SCREENS_STEP_CHART_H
#define TT_TUI_SCREENS_STEP_CHART_H

#include "model/tables/table.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef struct tt_step_chart {
    const tt_table *steps, *average, *collectives; /* NULL = nothing to show; the others may be empty */
    bool several;                                  /* workers have steps in it */
    uint32_t longest;                              /* row of steps */
    int64_t top, top_collectives;                  /* ns at the upper edge; longer steps are cut there */
    int64_t mean;                                  /* of a step, TT_UNKNOWN */
    uint32_t *first;                               /* by row of steps: its rows of collectives; one more at the end */
    uint32_t *of;                                  /* rows of collectives by step */
    uint32_t left;                                 /* first step that is shown */
    int x, y, w, h, cell; /* of the columns in the last frame, h 0 = not drawn; cell: columns of cells a step */
} tt_step_chart;

/* Take over tables, which must outlive the picture or be replaced by NULL. */
void tt_step_chart_set(tt_step_chart *s, const tt_table *steps, const tt_table *average, const tt_table *collectives);
void tt_step_chart_free(tt_step_chart *s);
static inline bool tt_step_chart_any(const tt_step_chart *s) { return s->steps && s->steps->n_rows > 0; }

typedef struct tt_step_chart_view {
    uint32_t at;      /* the selected step */
    bool focus;       /* its mark is shown as that of the screen's cursor */
    uint32_t mark[2]; /* rows marked as A and B, TT_NONE */
    const char *hint; /* keys, in the first line where there is room */
    tt_unit unit;
    int y0; /* where the canvas begins on the screen */
} tt_step_chart_view;

/* Draw on all of c: a rule, the legend with the average, the columns, the steps' numbers, collectives, the chosen
 * step in words; with less room the last of these are left out. */
void tt_step_chart_draw(tt_step_chart *s, tt_canvas *c, const tt_step_chart_view *v);
/* The step at a place of the screen, TT_NONE. */
uint32_t tt_step_chart_at(const tt_step_chart *s, int y, int x);
/* "step 3   total 12.807 ms   gap 0.483 ms ...": the numbers of a step. */
void tt_step_chart_text(const tt_step_chart *s, uint32_t row, tt_unit unit, char *out, size_t cap);

#endif

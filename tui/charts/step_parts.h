/* tui/charts/step_parts.h - the parts of a step's time on screens, the slowest step compared with the median step,
 * and short texts about time for sentences. */
#ifndef TT_TUI_CHARTS_STEP_PARTS_H
#define TT_TUI_CHARTS_STEP_PARTS_H

#include <string.h>

#include "model/tables/table.h"
#include "tui/charts/stacked_bar.h"
#include "tui/widgets/format_value.h"

enum { TT_STEP_PARTS = 8 };
/* Columns of step_breakdown, in the order in which bars are stacked. */
extern const tt_stack_part tt_step_parts_shown[TT_STEP_PARTS];
/* Read the parts of a row of step_breakdown; a part that the trace cannot know is TT_UNKNOWN. */
void tt_step_parts_of(const tt_table *breakdown, uint32_t row, int64_t ns[TT_STEP_PARTS]);

typedef struct tt_slowest_step {
    /* row of step_breakdown; TT_NONE: no comparison, the worker of the longest step has no second step */
    uint32_t row;
    uint32_t middle;   /* the step of the same worker with the median time (of two the shorter) */
    int64_t more;      /* ns that the slowest step takes longer than the middle one */
    int part;          /* the part that grows most: an index into tt_step_parts_shown */
    int64_t part_more; /* ns by which that part grows */
} tt_slowest_step;
/* Find the slowest step. O(n log n) in the steps. */
tt_slowest_step tt_slowest_step_of(const tt_table *breakdown);
/* The slowest step stands out: it takes at least a tenth longer than the middle one. */
bool tt_slowest_step_matters(const tt_slowest_step *s, const tt_table *breakdown);
/* The difference in words: "+28.8 ms, 2.1x the median: DataLoader +31.7 ms". */
void tt_slowest_step_text(const tt_slowest_step *s, const tt_table *breakdown, char *out, size_t cap);

/* A duration for a sentence, one decimal: "32.4 ms", "1.2 s", "852 ns". */
char *tt_brief_ns(char out[TT_TEXT_CAP], int64_t ns);

/* Cells that a text takes. */
static inline int tt_width_of(const char *text) { return (int)tt_text_width(text, strlen(text)); }

#endif

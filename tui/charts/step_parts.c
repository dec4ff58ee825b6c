/* tui/charts/step_parts.c - parts of steps, and the slowest of them. */
#include "tui/charts/step_parts.h"
#include "model/base/buf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/steps/columns.h"
#include "tui/screen/table_fetch.h"

const tt_stack_part tt_step_parts_shown[TT_STEP_PARTS] = {
    {TT_STEP_BREAKDOWN_KERNEL, "Kernel", TT_HUE_KERNEL},
    {TT_STEP_BREAKDOWN_COMMUNICATION, "Communication", TT_HUE_COMMUNICATION},
    {TT_STEP_BREAKDOWN_MEMCPY, "Memcpy", TT_HUE_MEMCPY},
    {TT_STEP_BREAKDOWN_MEMSET, "Memset", TT_HUE_MEMSET},
    {TT_STEP_BREAKDOWN_RUNTIME, "Runtime", TT_HUE_RUNTIME},
    {TT_STEP_BREAKDOWN_DATALOADER, "DataLoader", TT_HUE_DATALOADER},
    {TT_STEP_BREAKDOWN_CPU_EXEC, "CPU", TT_HUE_CPU_OP},
    {TT_STEP_BREAKDOWN_OTHER, "Other", TT_HUE_OTHER},
};

void tt_step_parts_of(const tt_table *t, uint32_t row, int64_t ns[TT_STEP_PARTS])
{
    for (int p = 0; p < TT_STEP_PARTS; p++) ns[p] = tt_cell_i(t, row, tt_step_parts_shown[p].column);
}

static int64_t at_least_0(int64_t v) { return v > 0 ? v : 0; }

typedef struct timed_row {
    int64_t ns;
    uint32_t row;
} timed_row;

tt_slowest_step tt_slowest_step_of(const tt_table *t)
{
    tt_slowest_step s = {.row = TT_NONE, .middle = TT_NONE};
    uint32_t n = 0;
    int64_t longest = 0, a[TT_STEP_PARTS], b[TT_STEP_PARTS];
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        int64_t ns = tt_cell_i(t, r, TT_STEP_BREAKDOWN_TOTAL);
        if (ns > longest) longest = ns, s.row = r;
    }
    if (s.row == TT_NONE) return s;
    timed_row *steps = tt_malloc((t->n_rows + (size_t)1) * sizeof *steps);
    const char *worker = tt_cell_worker(t, s.row), *span = tt_cell_span(t, s.row);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (strcmp(tt_cell_worker(t, r), worker) || strcmp(tt_cell_span(t, r), span)) continue;
        steps[n++] = (timed_row){tt_cell_i(t, r, TT_STEP_BREAKDOWN_TOTAL), r};
    }
    TT_SORT_BY(steps, n, TT_ASC(timed_row, ns), TT_ASC(timed_row, row));
    s.middle = steps[(n - 1) / 2].row;
    free(steps);
    if (n < 2) return (tt_slowest_step){.row = TT_NONE, .middle = TT_NONE};
    s.more = longest - tt_cell_i(t, s.middle, TT_STEP_BREAKDOWN_TOTAL);
    tt_step_parts_of(t, s.row, a);
    tt_step_parts_of(t, s.middle, b);
    for (int p = 0; p < TT_STEP_PARTS; p++) {
        int64_t more = at_least_0(a[p]) - at_least_0(b[p]);
        if (p == 0 || more > s.part_more) s.part = p, s.part_more = more;
    }
    return s;
}

bool tt_slowest_step_matters(const tt_slowest_step *s, const tt_table *t)
{
    return s->row != TT_NONE && s->more > 0 && s->more * 10 >= tt_cell_i(t, s->middle, TT_STEP_BREAKDOWN_TOTAL);
}

void tt_slowest_step_text(const tt_slowest_step *s, const tt_table *t, char *out, size_t cap)
{
    char more[TT_TEXT_CAP], part[TT_TEXT_CAP];
    double of = (double)tt_cell_i(t, s->middle, TT_STEP_BREAKDOWN_TOTAL);
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "+%s, %.1fx the median", tt_brief_ns(more, s->more),
               of > 0 ? (double)tt_cell_i(t, s->row, TT_STEP_BREAKDOWN_TOTAL) / of : 0);
    if (s->part_more > 0)
        tt_buf_add(&line, ": %s +%s", tt_step_parts_shown[s->part].title, tt_brief_ns(part, s->part_more));
}

char *tt_brief_ns(char out[TT_TEXT_CAP], int64_t ns)
{
    double v = (double)ns, size = fabs(v);
    if (ns == TT_UNKNOWN)
        snprintf(out, TT_TEXT_CAP, "-");
    else if (size >= 999.95e6)
        snprintf(out, TT_TEXT_CAP, "%.1f s", v / 1e9);
    else if (size >= 999.95e3)
        snprintf(out, TT_TEXT_CAP, "%.1f ms", v / 1e6);
    else if (size >= 1000)
        snprintf(out, TT_TEXT_CAP, "%.1f \u00b5s", v / 1e3);
    else
        snprintf(out, TT_TEXT_CAP, "%.0f ns", v);
    return out;
}

/* tui/charts/pipeline_impl.h - shared by the files tui/charts/pipeline*.c, which draw the input pipeline. */
#ifndef TT_TUI_CHARTS_PIPELINE_IMPL_H
#define TT_TUI_CHARTS_PIPELINE_IMPL_H

#include "tui/charts/pipeline.h"

uint32_t tt_pipeline_rows(const tt_pipeline *p, tt_pipeline_table which);
/* The row belongs to the worker that is shown. */
bool tt_pipeline_mine(const tt_pipeline *p, tt_pipeline_table which, uint32_t row);
/* The row of the table of queues, TT_NONE = none. */
uint32_t tt_pipeline_queue(const tt_pipeline *p, tt_pipeline_box box);
/* The row of the table of operators belongs to a suspect. */
bool tt_pipeline_suspect(const tt_pipeline *p, uint32_t row);
void tt_pipeline_suspects(const tt_pipeline *p, char *out, size_t cap);
/* How full a queue is, "2.0 of 16"; "" = not known. */
void tt_pipeline_fill_text(const tt_table *t, uint32_t row, uint32_t mean, uint32_t capacity, char *out, size_t cap);
/* How full a queue is, 0..1; NaN = not known. */
double tt_pipeline_fill(const tt_pipeline *p, const tt_pipeline_line *l);

#endif

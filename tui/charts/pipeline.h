/* tui/charts/pipeline.h - the input pipeline as a picture: the data set's operators, the queue on the
 * host, the one on the device, training; how full they are, where training waits, and how a queue filled over time.
 * Made from the data_* tables. */
#ifndef TT_TUI_SCREENS_PIPELINE_H
#define TT_TUI_SCREENS_PIPELINE_H

#include "model/tables/table.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef enum tt_pipeline_table {
    TT_PIPELINE_OPERATORS,
    TT_PIPELINE_QUEUES,
    TT_PIPELINE_STAGES,
    TT_PIPELINE_CPU,
    TT_PIPELINE_CURVE,
    TT_PIPELINE_STEPS, /* step_trace_summary */
    TT_PIPELINE_TABLES,
} tt_pipeline_table;

/* The parts of the picture, from left to right. */
typedef enum tt_pipeline_box {
    TT_BOX_OPERATORS,
    TT_BOX_HOST,
    TT_BOX_DEVICE,
    TT_BOX_TRAINING,
    TT_BOX_COUNT
} tt_pipeline_box;

typedef struct tt_pipeline_line { /* of the list under the picture */
    tt_pipeline_box box;
    uint32_t row;     /* of the operators, or of the queues */
    int indent;       /* branches of the pipeline that it lies in */
    const char *name; /* what its queue is called in the curve */
} tt_pipeline_line;

typedef struct tt_pipeline {
    const tt_table *t[TT_PIPELINE_TABLES]; /* NULL or empty = nothing is known of it */
    const char *worker;                    /* whose pipeline it is, "" = there is one only */
    bool others;                           /* there are other workers in the tables */
    tt_pipeline_line *lines;               /* operators in the direction of the data, then the queues */
    uint32_t n_lines, n_operators;
    int waits; /* the tt_pipeline_box that training waits for, TT_BOX_TRAINING: for none; -1 = not known */
    uint32_t top;
    int list_y, list_h; /* in the last frame, h 0 = not drawn */
    int list_w;         /* columns of the list */
    int box_y, box_h;   /* likewise of the picture */
    int box_x[TT_BOX_COUNT], box_w;
} tt_pipeline;

/* Take over tables (TT_PIPELINE_TABLES of them), which must outlive the picture or be replaced: NULL = forget them. */
void tt_pipeline_set(tt_pipeline *p, const tt_table *const *t);
void tt_pipeline_free(tt_pipeline *p);
bool tt_pipeline_any(const tt_pipeline *p);

typedef struct tt_pipeline_view {
    uint32_t at; /* line of the list */
    bool focus;
    bool brief; /* only the sentence and the picture */
    tt_unit unit;
    int y0; /* where the canvas begins on the screen */
} tt_pipeline_view;

/* Lines that the whole of it can use at this width; brief: those of sentence and picture. */
int tt_pipeline_height(const tt_pipeline *p, int w, bool brief);
void tt_pipeline_draw(tt_pipeline *p, tt_canvas *c, const tt_pipeline_view *v);
/* The line of the list at a place of the screen: in the list, or the first of a box; TT_NONE. */
uint32_t tt_pipeline_at(const tt_pipeline *p, int y, int x);
uint32_t tt_pipeline_first_of(const tt_pipeline *p, tt_pipeline_box box); /* TT_NONE = it has no line */
/* "Training waits for data: the host queue was empty in 75% of the samples; suspect: MapOp_1" */
void tt_pipeline_verdict(const tt_pipeline *p, char *out, size_t cap);
/* What is known of a line, for the status line. */
void tt_pipeline_text(const tt_pipeline *p, uint32_t line, tt_unit unit, char *out, size_t cap);

#endif

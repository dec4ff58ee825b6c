/* tui/charts/pipeline.h - the input pipeline as a picture: the operators of the data set, the queue on the host, the
 * queue on the device, training.
 *
 * The picture shows how full the queues are, where training waits, and how a queue filled over time. Made from the
 * data_* tables. */
#ifndef TT_TUI_CHARTS_PIPELINE_H
#define TT_TUI_CHARTS_PIPELINE_H

#include "model/tables/table.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef enum tt_pipeline_table {
    TT_PIPELINE_OPERATORS,
    TT_PIPELINE_QUEUES,
    TT_PIPELINE_STAGES,
    TT_PIPELINE_CPU,
    TT_PIPELINE_CURVE,
    TT_PIPELINE_STEPS, /* the table step_trace_summary */
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

typedef struct tt_pipeline_line { /* a line of the list below the picture */
    tt_pipeline_box box;
    uint32_t row;     /* a row of the table of operators, or of the table of queues */
    int indent;       /* number of branches of the pipeline around the operator */
    const char *name; /* the name of its queue in the curve */
} tt_pipeline_line;

typedef struct tt_pipeline {
    const tt_table *t[TT_PIPELINE_TABLES]; /* tables; NULL or empty = the trace has no such facts */
    const char *worker;                    /* the worker whose pipeline is shown, "" = the trace has one pipeline */
    bool others;                           /* the tables have other workers, too */
    tt_pipeline_line *lines;               /* operators in the direction of the data, then the queues */
    uint32_t n_lines, n_operators;
    /* the tt_pipeline_box that training waits for; TT_BOX_TRAINING = training waits for none, -1 = not known */
    int waits;
    uint32_t top;
    int list_y, list_h; /* place of the list in the last frame, h 0 = not drawn */
    int list_w;         /* width of the list in columns */
    int box_y, box_h;   /* place of the picture in the last frame, h 0 = not drawn */
    int box_x[TT_BOX_COUNT], box_w;
} tt_pipeline;

/* Take over TT_PIPELINE_TABLES tables, which must outlive the picture or be replaced; NULL = forget the tables. */
void tt_pipeline_set(tt_pipeline *p, const tt_table *const *t);
void tt_pipeline_free(tt_pipeline *p);
bool tt_pipeline_any(const tt_pipeline *p);

typedef struct tt_pipeline_view {
    uint32_t at; /* the line of the list that has the cursor */
    bool focus;
    bool brief; /* draw the sentence and the picture only */
    tt_unit unit;
    int y0; /* the line of the screen at which the canvas begins */
} tt_pipeline_view;

/* Lines that the picture with its list can use at this width; brief: lines of the sentence and the picture. */
int tt_pipeline_height(const tt_pipeline *p, int w, bool brief);
void tt_pipeline_draw(tt_pipeline *p, tt_canvas *c, const tt_pipeline_view *v);
/* The line of the list at a place of the screen: a line in the list, or the first line of a box; TT_NONE = none. */
uint32_t tt_pipeline_at(const tt_pipeline *p, int y, int x);
/* The first line of the list that belongs to a box, TT_NONE = none. */
uint32_t tt_pipeline_first_of(const tt_pipeline *p, tt_pipeline_box box);
/* The verdict in a sentence: "Training waits for data: the host queue was empty in 75% of the samples; suspect:
 * MapOp_1" */
void tt_pipeline_verdict(const tt_pipeline *p, char *out, size_t cap);
/* The known facts of a line of the list, for the status line. */
void tt_pipeline_text(const tt_pipeline *p, uint32_t line, tt_unit unit, char *out, size_t cap);

#endif

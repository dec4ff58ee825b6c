/* parser/mindinsight/data.h - the input pipeline. Private to parser/mindinsight. */
#ifndef TT_PARSER_MINDINSIGHT_DATA_H
#define TT_PARSER_MINDINSIGHT_DATA_H

#include "parser/mindinsight/folder.h"

/* The table data_queue_curve, made with its first sample; queues and operators of the pipeline add to it. */
typedef struct tt_mi_curve {
    tt_mi *m;
    tt_imported *t;
} tt_mi_curve;
void tt_mi_curve_add(tt_mi_curve *c, const char *queue, int64_t sample, int64_t size);

void tt_mi_pipeline(tt_mi *m, tt_mi_curve *curve); /* data_pipeline.c */
void tt_mi_cpu(tt_mi *m);                          /* data_cpu.c */

#endif

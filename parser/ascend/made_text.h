/* parser/ascend/made_text.h - the text of events without a timeline: kernels from rows of a csv file, and records of
 * memory. Private to parser/ascend. */
#ifndef TT_PARSER_ASCEND_MADE_TEXT_H
#define TT_PARSER_ASCEND_MADE_TEXT_H

#include "parser/input/input.h"

typedef struct tt_ascend_places { /* offsets of made events, after the text of the timeline */
    bool rows;                    /* rows of ROLE_KERNELS became slices, at rows_at + offset of the row in the csv */
    uint64_t rows_at;
    uint64_t memory_at; /* record k lies at memory_at + k * TT_ASCEND_RECORD, in the order of creation */
    uint32_t n_memory;
} tt_ascend_places;

enum { TT_ASCEND_RECORD = 512 };
/* Process names of slices made from rows, and the thread name of slices without a stream. */
#define TT_ASCEND_HARDWARE "Ascend Hardware"
#define TT_ASCEND_COLLECTIVES "HCCL"
#define TT_ASCEND_NO_STREAM "Communication"

/* Append the text of made events to the trace's own text. Without a timeline (s->text NULL) the events are single: a
 * row is shown as a JSON event with its cells as arguments, named after the columns. */
void tt_ascend_add_text(tt_trace *s, const tt_ascend_places *places, tt_input *in);

#endif

/* parser/ascend/made_text.h - the text of events that no timeline has: kernels made of the rows of a csv file, and
 * records of memory. Private to parser/ascend. */
#ifndef TT_PARSER_ASCEND_MADE_TEXT_H
#define TT_PARSER_ASCEND_MADE_TEXT_H

#include "parser/input/input.h"

typedef struct tt_ascend_places { /* of events that were made, behind the text of the timeline */
    bool rows;                    /* there are slices of rows of ROLE_KERNELS: rows_at + place of the row in the csv */
    uint64_t rows_at;
    uint64_t memory_at; /* record k, in the order in which they were made: memory_at + k * TT_ASCEND_RECORD */
    uint32_t n_memory;
} tt_ascend_places;

enum { TT_ASCEND_RECORD = 512 };
/* Processes of the slices of rows, and the thread of those without a stream. */
#define TT_ASCEND_HARDWARE "Ascend Hardware"
#define TT_ASCEND_COLLECTIVES "HCCL"
#define TT_ASCEND_NO_STREAM "Communication"

/* Put the text of what was made behind the trace's own. Without a timeline (s->text NULL) the events are single: rows
 * are shown as JSON events with their cells as arguments by the names of the columns. */
void tt_ascend_add_text(tt_trace *s, const tt_ascend_places *places, tt_input *in);

#endif

/* model/tables/path/path_names.h - the name of a segment of the critical path, and the operator that it belongs to. */
#ifndef TT_MODEL_TABLES_PATH_PATH_NAMES_H
#define TT_MODEL_TABLES_PATH_PATH_NAMES_H

#include "model/tables/path/critical_path.h"

/* Whether the segment is a part of its slice; else it waits for the slice or lies in it. */
static inline bool tt_path_segment_is_slice(const tt_path_segment *g)
{
    return g->row != TT_NONE && g->category != TT_WAIT_BETWEEN && g->category != TT_WAIT_LAUNCH &&
           g->category != TT_WAIT_QUEUE;
}

tt_sid tt_path_segment_name(const tt_trace *s, const tt_path_segment *g); /* Name of the segment; 0 = none. */
/* The operator, else the annotation, that launched the work or made the call; an operator is its own. 0 = none: time
 * between operators belongs to no operator. */
tt_sid tt_path_segment_operator(const tt_trace *s, const tt_path_segment *g);

#endif

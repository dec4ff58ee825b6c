/* model/tables/analysis/graphs/graph_match.h - which capture made the graph of a replay.
 *
 * A capture fits when its words are the replay's: in order; by position, where a capture names no kernel and its kinds
 * are equal; as a part, when some of its calls left no work; or sorted, when several streams changed the order. The
 * first of these that any capture meets counts. Among such captures the batch of the step chooses, then the file. */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPHS_GRAPH_MATCH_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPHS_GRAPH_MATCH_H

#include "model/base/group_by.h"
#include "model/tables/analysis/graphs/replays.h"

typedef enum tt_graph_fit { TT_FIT_ORDER, TT_FIT_POSITION, TT_FIT_PART, TT_FIT_SORTED, TT_FIT_COUNT_ } tt_graph_fit;

/* The captures of a sequence at one size of the step; replays of a step take them in turn. */
typedef struct tt_graph_choice {
    tt_graph_fit fit;
    uint32_t first, n; /* in chosen[]; n 0: no capture fits */
} tt_graph_choice;

typedef struct tt_graph_match {
    const tt_captures *captures;
    const tt_replays *replays;
    const tt_trace *trace;
    uint32_t own;     /* number of the trace in its session */
    tt_groups asked;  /* (sequence, size) -> choice */
    tt_groups mapped; /* (sequence, capture) -> place in calls[] */
    TT_VEC(tt_graph_choice) choice;
    TT_VEC(uint32_t) chosen;
    TT_VEC(uint32_t) calls;      /* by work of a sequence: the call of the capture */
    TT_VEC(uint32_t) calls_from; /* by group of mapped */
} tt_graph_match;

void tt_graph_match_begin(tt_graph_match *m, const tt_captures *captures, const tt_replays *replays,
                          const tt_trace *trace, uint32_t own);
void tt_graph_match_free(tt_graph_match *m);
/* The captures of a sequence. size: requests or tokens of the step; TT_UNKNOWN. Decided once for equal questions. */
tt_graph_choice tt_graph_match_choose(tt_graph_match *m, uint32_t sequence, int64_t size);
/* The call of the capture that each work of a sequence comes from; NULL: those in the same places. */
const uint32_t *tt_graph_match_calls(tt_graph_match *m, tt_graph_fit fit, uint32_t sequence, uint32_t capture);

#endif

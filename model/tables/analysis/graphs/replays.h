/* model/tables/analysis/graphs/replays.h - the graph launches of a trace, with their work.
 *
 * A call whose name contains GraphLaunch launches a whole graph; what it launched is a replay of the graph. */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPHS_REPLAYS_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPHS_REPLAYS_H

#include "model/tables/analysis/graphs/captures.h"

typedef struct tt_replay {
    tt_row launch;
    uint32_t first, n; /* its work, in work[], in order of (start, place in the file) */
    uint32_t sequence; /* number of the sequence of its words, from 0, in order of first replays */
    int64_t graph;     /* number of the graph as the trace gives it; 0 = it does not */
} tt_replay;

typedef struct tt_replays {
    TT_VEC(tt_replay) at;  /* by start of the launch */
    TT_VEC(uint32_t) work; /* indices into trace->dev */
    tt_strings sequences;  /* words of each sequence; number 0 is none's, so sequence k has number k + 1 */
} tt_replays;

/* Find the replays of a trace, compared by the words of the captures, and add them to *out, whose sequences are
 * initialised. O(names) where no graph is launched, else O(work) and a sort of nearly sorted work. */
void tt_replays_find(const tt_trace *s, const tt_captures *captures, tt_replays *out);
/* Whether each name of the trace is that of a graph launch, by the name's number; the caller frees it. NULL: none
 * is. */
bool *tt_graph_launch_names(const tt_trace *s);
void tt_replays_free(tt_replays *r);
static inline uint32_t tt_replays_sequences(const tt_replays *r) { return (uint32_t)r->sequences.text.n - 1; }
/* Words of a sequence; *n = how many. */
const uint32_t *tt_replays_words(const tt_replays *r, uint32_t sequence, uint32_t *n);

#endif

/* model/tables/analysis/graphs/graph_owner.h - whose the work of CUDA and HIP graphs is.
 *
 * A replay is one call on the host, and nothing around the call says what its kernels compute. What does, in this
 * order: the annotation of a node, the capture that made the graph, an operator around the launch, and the operator
 * that launches the same kernel elsewhere. Work that none of them knows belongs to "(graph)". */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPHS_GRAPH_OWNER_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPHS_GRAPH_OWNER_H

#include "model/tables/analysis/graphs/replays.h"

typedef enum tt_graph_source {
    TT_GRAPH_ANNOTATION, /* an argument of the work names it */
    TT_GRAPH_CAPTURE,    /* a call in a capture that fits the replay */
    TT_GRAPH_LAUNCH,     /* the operator around the graph launch: true, but it covers the whole graph */
    TT_GRAPH_EAGER,      /* all other work of the kernel is launched under this operator */
    TT_GRAPH_NONE,       /* nothing */
    TT_GRAPH_SOURCE_COUNT_
} tt_graph_source;
extern const char *const tt_graph_source_name[TT_GRAPH_SOURCE_COUNT_]; /* "annotation", ... */

typedef struct tt_graph_owner {
    tt_graph_source source;
    tt_sid name;      /* the operator, for tt_graph_text() */
    uint32_t capture; /* CAPTURE: number of the capture; else TT_NONE */
    uint32_t call;    /* CAPTURE: index into captured of the capture's trace */
    tt_row op;        /* CAPTURE: row of the operator in the capture's trace */
} tt_graph_owner;

typedef struct tt_graphs {
    const tt_trace *trace;
    const tt_captures *captures;
    tt_replays replays;
    TT_VEC(tt_graph_owner) owners;
    uint32_t *owner; /* index into owners of each trace->dev; TT_NONE = no graph work. NULL: no graph is launched */
    tt_strings more; /* operators whose name is no text of the trace */
} tt_graphs;

/* Built once per trace and kept. O(work) where graphs are launched, else O(names). */
const tt_graphs *tt_graphs_get(const tt_session *s, uint32_t trace);

/* The trace that has the operator of a CAPTURE. */
static inline const tt_trace *tt_graph_owner_trace(const tt_graphs *g, const tt_graph_owner *o)
{
    return o->capture == TT_NONE ? g->trace : g->captures->at.at[o->capture].trace;
}

/* The owner of graph work; NULL for other work. */
static inline const tt_graph_owner *tt_graph_owner_of(const tt_graphs *g, const tt_activity *d)
{
    uint32_t owner = g->owner ? g->owner[d - g->trace->dev] : TT_NONE;
    return owner == TT_NONE ? NULL : &g->owners.at[owner];
}

/* The replay of a graph launch; NULL: it is none. O(log replays). */
const tt_replay *tt_graph_replay_of(const tt_graphs *g, tt_row launch);

/* Number of the name of the operator that any device work belongs to: the owner's, else that of the operator around
 * the launch; TT_NONE. Equal names have equal numbers. */
tt_sid tt_work_operator(const tt_graphs *g, const tt_activity *d);
const char *tt_graph_text(const tt_graphs *g, tt_sid name);
uint32_t tt_graph_names(const tt_graphs *g); /* numbers of names are below this */

/* Words for the graph of a replay: its number, or "#2" for the second sequence of the trace. Returns out. */
const char *tt_graph_word_of(const tt_replay *p, char out[32]);

#endif

/* model/tables/analysis/graphs/captures.h - the captures of graphs that a session knows: those in its keys, and those
 * in its own traces. */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPHS_CAPTURES_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPHS_CAPTURES_H

#include "model/tables/analysis/graphs/graph_words.h"
#include "model/trace/session.h"

typedef struct tt_capture {
    const tt_trace *trace;
    uint32_t own;      /* trace of the session whose capture it is; TT_NONE = a key's */
    uint32_t file;     /* number of the file, in order of paths */
    uint32_t first, n; /* its calls, in trace->captured */
    const char *name;  /* name of the range around it, "capture_32_FULL"; NULL = none says what is captured */
    int64_t batch;     /* batch that it is captured for; TT_UNKNOWN */
    uint32_t word;     /* its first word, in words[] */
    bool named;        /* the name of a kernel is known */
    uint64_t holds;    /* a bit for each word, by its last six bits */
    /* numbers of its words in order, of its words sorted and of its kinds in order; equal for equal ones */
    uint32_t order, sorted, kinds;
} tt_capture;

typedef struct tt_captures {
    TT_VEC(tt_capture) at; /* in order of (file, time) */
    TT_VEC(uint32_t) words;
    tt_graph_words names;
    struct tt_capture_index {
        tt_strings key;        /* words -> number */
        TT_VEC(uint32_t) head; /* by number: the first capture; TT_NONE */
        TT_VEC(uint32_t) next; /* by capture: the next one with its number; TT_NONE */
    } by_order, by_sorted, by_kinds;
} tt_captures;

/* Read once per session, keys included. */
const tt_captures *tt_captures_get(const tt_session *s);
/* First capture with these words; TT_NONE. Sorted: by_sorted; kinds: by_kinds. */
uint32_t tt_captures_first(const struct tt_capture_index *i, const uint32_t *words, uint32_t n);

#endif

/* model/tables/analysis/graphs/graph_words.h - what a replay and a capture of a graph are compared by: the name of each
 * kernel, and the kind of each copy and set.
 *
 * Kinds go by name as well as by category, as a replay by HIP shows copies and sets as kernels of the runtime. */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPHS_GRAPH_WORDS_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPHS_GRAPH_WORDS_H

#include "model/trace/trace.h"

/* Numbers of names, the same for all traces that are compared. The first ones are kinds. */
typedef enum tt_graph_word { TT_WORD_COPY = 1, TT_WORD_SET, TT_WORD_UNNAMED, TT_WORD_FIRST_NAME } tt_graph_word;

/* The words of captures. A name that no capture has is a word of the replaying trace alone. */
typedef tt_strings tt_graph_words;
enum { TT_WORD_OF_REPLAY = 1u << 31 }; /* bit of such a word: the rest is its name's number in that trace */

void tt_graph_words_init(tt_graph_words *w); /* free with tt_strings_free() */
/* The word of a call that became a node. */
uint32_t tt_graph_word_put(tt_graph_words *w, const tt_trace *s, const tt_captured_call *c);
/* The word of work with this name and category. */
uint32_t tt_graph_word_find(const tt_graph_words *w, const tt_trace *s, tt_sid name, tt_kind kind);
/* The word without the name. */
static inline uint32_t tt_graph_word_kind(uint32_t word) { return word < TT_WORD_UNNAMED ? word : TT_WORD_UNNAMED; }

#endif

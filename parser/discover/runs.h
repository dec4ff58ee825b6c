/* parser/discover/runs.h - which runs the inputs below a folder make up: the one rule for all commands and for the list
 * of runs. Private to parser/input; what comes of it is in discover.h.
 *
 * The inputs of a folder are one run, except that inputs of different frameworks, and of one framework with ranks
 * that collide, are never workers of one run. Folders of ranks that number themselves are one run when no number is
 * there twice. What tracetty made of traces is passed over when there is anything else. */
#ifndef TT_PARSER_DISCOVER_RUNS_H
#define TT_PARSER_DISCOVER_RUNS_H

#include "parser/discover/found.h"

/* Divide the inputs l->at[from..), found below the folder at root, into runs: tt_found.run is the place of each below
 * the root before, "" for the root itself, and the name of its run afterwards. The runs are added to l->runs, the
 * newest first. */
void tt_runs_divide(tt_found_list *l, size_t from, const char *root);
void tt_found_runs_clear(tt_found_list *l);

#endif

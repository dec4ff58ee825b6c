/* parser/discover/runs.h - divides the inputs below a folder into runs, by one rule for all commands and for the list
 * of runs. Private to parser/; discover.h has the results.
 *
 * The inputs of a folder are one run, except that inputs of different frameworks, and inputs of one framework whose
 * ranks collide, belong to different runs. Folders of numbered ranks are one run if no number occurs twice. Files that
 * tracetty made from traces are passed over if there are other inputs. */
#ifndef TT_PARSER_DISCOVER_RUNS_H
#define TT_PARSER_DISCOVER_RUNS_H

#include "parser/discover/found.h"

/* Divide the inputs l->at[from..), found below the folder at root, into runs. Before the call tt_found.run is the
 * place of the input below the root, "" = the root itself; after it, the name of its run. The runs are added to
 * l->runs, the newest first. */
void tt_runs_divide(tt_found_list *l, size_t from, const char *root);
void tt_found_runs_clear(tt_found_list *l);

#endif

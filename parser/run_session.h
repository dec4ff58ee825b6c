/* parser/run_session.h - from the traces of a run to a session. Private to parser/. */
#ifndef TT_PARSER_RUN_SESSION_H
#define TT_PARSER_RUN_SESSION_H

#include "model/keys/keys.h"
#include "parser/discover/discover.h"

/* A session of the traces, which are taken over. Those that are keys become its keys unless all are, and leave the
 * array: *n becomes smaller. steps: the only source of steps; NONE = the first that has any. Keys found by their
 * path are read by load() when a table asks for them. */
tt_session *tt_session_of_run(tt_trace **traces, size_t *n, const tt_found_list *found, const char *run,
                              tt_steps_source steps, tt_trace *(*load)(tt_key_loader *self, const char *path));
/* Add the keys at these paths, which the user named; TT_ERR_INPUT: one of them is absent. */
tt_status tt_found_name_keys(tt_found_list *found, const char *const *paths, uint32_t n, tt_err *err);
/* A file may number its span itself; that number replaces the order of names. */
void tt_found_name_spans(tt_found_list *found);

#endif

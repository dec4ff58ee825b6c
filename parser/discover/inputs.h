/* parser/discover/inputs.h - which files a session is made from, so that nothing is written over them. */
#ifndef TT_PARSER_INPUT_INPUTS_H
#define TT_PARSER_INPUT_INPUTS_H

#include "model/trace/session.h"
#include "parser/discover/discover.h"

/* Add the file behind a path as tt_source_open() takes it: links are followed, of a member it is the archive, "-" is
 * what standard input is read from. Folders, devices and what is not there add nothing. */
void tt_inputs_add(tt_file_ids *l, const char *path);
/* The paths as they were given, and everything that was found in them: also other workers and runs, which are not
 * loaded. */
void tt_inputs_found(tt_file_ids *l, const char *const *paths, uint32_t n, const tt_found_list *found);

#endif

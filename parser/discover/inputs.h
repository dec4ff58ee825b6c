/* parser/discover/inputs.h - the files that a session is made from, so that no output overwrites them. */
#ifndef TT_PARSER_DISCOVER_INPUTS_H
#define TT_PARSER_DISCOVER_INPUTS_H

#include "model/trace/session.h"
#include "parser/discover/discover.h"

/* Add the file behind a path as tt_source_open() accepts it: links are followed, an archive's file adds the archive,
 * "-" adds the file that standard input reads. Folders, devices and missing files add nothing. */
void tt_inputs_add(tt_file_ids *l, const char *path);
/* Add the paths as given and every input found there, including workers and runs that are not loaded. */
void tt_inputs_found(tt_file_ids *l, const char *const *paths, uint32_t n, const tt_found_list *found);

#endif

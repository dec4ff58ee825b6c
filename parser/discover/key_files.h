/* parser/discover/key_files.h - files found that are keys of a run by their path. Private to parser/. */
#ifndef TT_PARSER_DISCOVER_KEY_FILES_H
#define TT_PARSER_DISCOVER_KEY_FILES_H

#include "parser/discover/found.h"

/* Move the keys among the inputs l->at[from..) to l->keys, unless all of them are keys: then they are the run. */
void tt_key_files_take(tt_found_list *l, size_t from);
/* Add the keys in the folder capture_traces beside a file that the user named, unless it is a key. */
void tt_key_files_beside(tt_found_list *l, const char *path);
/* Paths of the keys of a run at this path, a folder or file; "" = the paths of the user, all keys. The list owns the
 * paths, the caller frees the array. */
const char **tt_key_files_of_run(const tt_found_list *l, const char *run, uint32_t *n);

#endif

/* parser/discover/key_files.h - files found that are keys of a run by their path. Private to parser/. */
#ifndef TT_PARSER_DISCOVER_KEY_FILES_H
#define TT_PARSER_DISCOVER_KEY_FILES_H

#include "parser/discover/found.h"

/* The list of keys that servers write beside them: [{"file", "batch_size"}, ...] */
#define TT_KEY_DETAILS "execution_details.json"

/* Move the keys among the inputs l->at[from..) to l->keys, unless all of them are keys: then they are the run. */
void tt_key_files_take(tt_found_list *l, size_t from);
/* Add the keys in the folder capture_traces beside a file that the user named, unless it is a key. */
void tt_key_files_beside(tt_found_list *l, const char *path);
/* The keys of the run of this name. The list owns the keys, the caller frees the array. */
const tt_found_key **tt_key_files_of_run(const tt_found_list *l, const char *run, uint32_t *n);
/* Add the files found where the user named a key, for all runs. */
void tt_key_files_named(tt_found_list *l, const tt_found_list *named);
/* Whether the user named the file of this path as a key. */
bool tt_key_files_name(const tt_found_list *l, const char *path);

#endif

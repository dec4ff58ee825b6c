/* parser/input/ring_paths.h - the files of a recording that is a ring of segments (capture/format/spool_name.h). */
#ifndef TT_PARSER_INPUT_RING_PATHS_H
#define TT_PARSER_INPUT_RING_PATHS_H

#include "parser/input/walk.h"

/* Append the paths of the segments that the recording at path, STEM.ttspool, which is no file, has now, by number.
 * None: it is no ring. */
void tt_ring_paths(const char *path, tt_walk_names *out);

#endif

/* parser/discover/rings.h - recordings that are several files: the segments of a ring (capture/format/spool_name.h).
 * Such a recording is one input whose path is that of the whole, STEM.ttspool, which is no file; its parts are the
 * segments, oldest first. */
#ifndef TT_PARSER_DISCOVER_RINGS_H
#define TT_PARSER_DISCOVER_RINGS_H

#include "parser/discover/found.h"

/* Make one input of the segments of a recording among l->at[from..), if there are `least` of them: 1 for files found in
 * folders, as the ring may go on, and 2 for files that the user named. */
void tt_rings_join(tt_found_list *l, size_t from, size_t least);

#endif

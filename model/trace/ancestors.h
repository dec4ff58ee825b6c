/* model/trace/ancestors.h - the way from a slice up through its parents, in O(log depth) where traces are deep. Most
 * traces nest a few dozen levels, and walking from parent to parent is fast. Once the walks of a trace have taken
 * more steps than it has slices, an index is built (20 bytes a slice) that every later walk uses. */
#ifndef TT_MODEL_TRACE_ANCESTORS_H
#define TT_MODEL_TRACE_ANCESTORS_H

#include "model/trace/trace.h"

/* The first slice among r, its parent, its grandparent ... that ends after t and has one of the kinds; TT_NONE =
 * there is none. r may be TT_NONE. */
tt_row tt_first_around(const tt_trace *s, tt_row r, int64_t t, uint32_t kinds);
/* The last slice at or before r on its track that is a Python frame (python) or another slice (!python); TT_NONE =
 * there is none. */
tt_row tt_last_of_layer(const tt_trace *s, const tt_track *track, tt_row r, bool python);

/* Free the index; walks build it again when they need it. No other thread may use the trace meanwhile. */
void tt_ancestors_free(tt_trace *s);
/* Build the index at once, for tests. */
void tt_ancestors_build(const tt_trace *s);

#endif

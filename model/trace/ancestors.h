/* model/trace/ancestors.h - the way from a slice up through its parents, in O(log depth) where traces are deep.
 *
 * Most traces nest a few dozen levels, and walking from parent to parent is fast. Once the walks of a trace have taken
 * more steps than it has slices, they build an index (20 bytes a slice) that every later walk takes. */
#ifndef TT_MODEL_TRACE_ANCESTORS_H
#define TT_MODEL_TRACE_ANCESTORS_H

#include "model/trace/trace.h"

/* The first of r, its parent, its grandparent ... that ends after t and has one of the kinds; TT_NONE. r may be
 * TT_NONE. */
tt_row tt_first_around(const tt_trace *s, tt_row r, int64_t t, uint32_t kinds);
/* The last slice at or before r on its track that is a Python frame (python), or is none (!python); TT_NONE. */
tt_row tt_last_of_layer(const tt_trace *s, const tt_track *track, tt_row r, bool python);

/* Free the index; one is built again when walks ask for it. Nobody else may use the trace meanwhile. */
void tt_ancestors_free(tt_trace *s);
/* Build the index at once, for tests. */
void tt_ancestors_build(const tt_trace *s);

#endif

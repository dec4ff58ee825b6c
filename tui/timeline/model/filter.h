/* tui/timeline/model/filter.h - only some slices are shown: what a person typed becomes a test for slices, and those
 * that pass get an index of their own. */
#ifndef TT_TUI_TIMELINE_FILTER_H
#define TT_TUI_TIMELINE_FILTER_H

#include "tui/timeline/model/timeline.h"

/* A filter as a person types it: words between commas, each the beginning of a category's name ("kernel", "comm", or
 * a cat of the file), else a part of slice names; ~ in front of it all: a regular expression for names. NULL: *why
 * (static) says what is wrong with it. */
tt_timeline_filter *tt_timeline_filter_new(const tt_session *session, const char *text, const char **why);
/* The test for the slices of a trace, the filter's own; O(slices) the first time. Any thread, one at a time. */
const tt_lod_filter *tt_timeline_filter_of(tt_timeline_filter *f, uint32_t trace, const atomic_bool *stop);
/* Find the slices and build their index for a view, O(slices): on any thread, before it is used. */
void tt_timeline_filter_build(const tt_timeline *t, tt_timeline_view view, tt_timeline_filter *f,
                              const atomic_bool *stop);
void tt_timeline_filter_free(tt_timeline_filter *f); /* NULL is fine; before the timeline that it was built for */
/* Show only what passes (takes f over), NULL: everything. A selection that does not pass ends. */
void tt_timeline_set_filter(tt_timeline *t, tt_timeline_filter *f);
const char *tt_timeline_filter_text(const tt_timeline *t); /* "" = none; as it was typed */
uint64_t tt_timeline_filter_count(const tt_timeline *t);   /* slices that pass */
const tt_timeline_index *tt_timeline_filter_index(tt_timeline_filter *f, tt_timeline_view view);
/* ---- for the filter and the timeline only ---- */
/* Of the slices that pass filters (per trace; NULL = all). Queries build what they need, or build() does it before. */
void tt_timeline_index_open(const tt_timeline *t, tt_timeline_view view, tt_lod_filter *filters, tt_timeline_index *x);
void tt_timeline_index_build(const tt_timeline *t, tt_timeline_index *x, const atomic_bool *stop);
void tt_timeline_index_close(const tt_timeline *t, tt_timeline_index *x);
void tt_timeline_index_use(tt_timeline *t, const tt_timeline_index *x);

#endif

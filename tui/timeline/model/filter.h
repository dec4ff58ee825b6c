/* tui/timeline/model/filter.h - a filter that limits the slices: the words of a person as a test for slices, with an
 * index of the slices that pass. */
#ifndef TT_TUI_TIMELINE_MODEL_FILTER_H
#define TT_TUI_TIMELINE_MODEL_FILTER_H

#include "tui/timeline/model/timeline.h"

/* A filter as a person types it: words between commas, each the beginning of the name of a category ("kernel", "comm",
 * or a cat of the file), else a part of slice names; a text that begins with ~ is a regular expression for names. NULL:
 * *why (static) says what is wrong with the text. */
tt_timeline_filter *tt_timeline_filter_new(const tt_session *session, const char *text, const char **why);
/* The test for the slices of a trace, owned by the filter; O(slices) the first time. Any thread, one at a time. */
const tt_lod_filter *tt_timeline_filter_of(tt_timeline_filter *f, uint32_t trace, const atomic_bool *stop);
/* Find the slices that pass and build their index for a view, O(slices): on any thread, before the filter is used. */
void tt_timeline_filter_build(const tt_timeline *t, tt_timeline_view view, tt_timeline_filter *f,
                              const atomic_bool *stop);
/* NULL is fine. The timeline that the filter was built for has to be there still. */
void tt_timeline_filter_free(tt_timeline_filter *f);
const char *tt_timeline_filter_text(const tt_timeline *t); /* as it was typed; "" = no filter */
uint64_t tt_timeline_filter_count(const tt_timeline *t);   /* slices that pass */
const tt_timeline_index *tt_timeline_filter_index(tt_timeline_filter *f, tt_timeline_view view);
bool tt_timeline_passes(const tt_timeline *t, tt_slice_ref r); /* true without a filter */

#endif

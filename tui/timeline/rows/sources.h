/* tui/timeline/rows/sources.h - the sources of all kinds of rows (row_source.h). */
#ifndef TT_TUI_TIMELINE_SOURCES_H
#define TT_TUI_TIMELINE_SOURCES_H

#include <stdlib.h>

#include "tui/timeline/model/row_source.h"

extern const tt_row_source *const tt_row_sources[TT_TIMELINE_KINDS_]; /* by tt_timeline_row_kind */

extern const tt_row_source tt_source_worker, tt_source_group, tt_source_process, tt_source_curves; /* group_row.c */
extern const tt_row_source tt_source_track;                                                        /* slice_row.c */
extern const tt_row_source tt_source_counter, tt_source_instants, tt_source_idle, tt_source_memory, tt_source_path;
extern const tt_row_source tt_source_busy, tt_source_sm, tt_source_queue, tt_source_rate; /* curve_row.c */

/* The text of a process or thread id is a number. */
static inline bool tt_row_is_number(const char *id)
{
    char *end;
    return strtoll(id, &end, 10) != INT64_MAX && end != id && *end == '\0';
}

#endif

/* tui/timeline/rows/sources.h - the sources of all kinds of rows (row_source.h). */
#ifndef TT_TUI_TIMELINE_ROWS_SOURCES_H
#define TT_TUI_TIMELINE_ROWS_SOURCES_H

#include <stdlib.h>

#include "tui/timeline/model/row_source.h"

extern const tt_row_source *const tt_row_sources[TT_TIMELINE_KINDS_]; /* by tt_timeline_row_kind */

#define ROW(kind, name) extern const tt_row_source tt_source_##name;
#include "tui/timeline/model/kinds.def"
#undef ROW

/* The text of a process or thread id is a number. */
static inline bool tt_row_is_number(const char *id)
{
    char *end;
    return strtoll(id, &end, 10) != INT64_MAX && end != id && *end == '\0';
}

#endif

/* tui/timeline/rows/sources.c - the table of row sources. */
#include "tui/timeline/rows/sources.h"

const tt_row_source *const tt_row_sources[TT_TIMELINE_KINDS_] = {
#define ROW(kind, name) [TT_TIMELINE_##kind] = &tt_source_##name,
#include "tui/timeline/model/kinds.def"
#undef ROW
};

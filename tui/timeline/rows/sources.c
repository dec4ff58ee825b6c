/* tui/timeline/rows/sources.c - the table of row sources. */
#include "tui/timeline/rows/sources.h"

const tt_row_source *const tt_row_sources[TT_TIMELINE_KINDS_] = {
    [TT_TIMELINE_WORKER] = &tt_source_worker,
    [TT_TIMELINE_GROUP] = &tt_source_group,
    [TT_TIMELINE_PROCESS] = &tt_source_process,
    [TT_TIMELINE_TRACK] = &tt_source_track,
    [TT_TIMELINE_CURVES] = &tt_source_curves,
    [TT_TIMELINE_COUNTER] = &tt_source_counter,
    [TT_TIMELINE_INSTANTS] = &tt_source_instants,
    [TT_TIMELINE_IDLE] = &tt_source_idle,
    [TT_TIMELINE_BUSY] = &tt_source_busy,
    [TT_TIMELINE_MEMORY] = &tt_source_memory,
    [TT_TIMELINE_SM] = &tt_source_sm,
    [TT_TIMELINE_QUEUE] = &tt_source_queue,
    [TT_TIMELINE_RATE] = &tt_source_rate,
    [TT_TIMELINE_PATH] = &tt_source_path,
};

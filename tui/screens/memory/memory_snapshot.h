/* tui/screens/memory/memory_snapshot.h - what the Memory screen shows of a memory snapshot besides the curve: the
 * map of the segments, allocations as a flame graph, and where memory ran out. */
#ifndef TT_TUI_SCREENS_MEMORY_MEMORY_SNAPSHOT_H
#define TT_TUI_SCREENS_MEMORY_MEMORY_SNAPSHOT_H

#include "model/tables/table.h"
#include "model/trace/snapshot.h"
#include "tui/table/panes.h"
#include "tui/widgets/canvas.h"

/* The tables below the plot; the first is who held the memory at the cursor. */
enum { TT_SNAPSHOT_PANES = 7 };
extern const tt_pane tt_snapshot_panes[TT_SNAPSHOT_PANES];

/* The session has at least one memory snapshot. */
bool tt_memory_any_snapshot(const tt_session *s);

/* The segments of one device with their blocks, the segment with most free memory first. All zero at first. */
typedef struct tt_memory_map {
    const tt_trace *of;
    unsigned device;
    uint32_t *order; /* numbers of the segments; owned */
    uint32_t n, top; /* top: the first segment on screen */
    int64_t reserved, allocated, pending, free, largest, widest;
    uint32_t pieces;
} tt_memory_map;
void tt_memory_map_free(tt_memory_map *m);
/* Show the segments of this device; after a change of device, from the first segment on. */
void tt_memory_map_of(tt_memory_map *m, const tt_trace *s, unsigned device);
void tt_memory_map_draw(tt_memory_map *m, const char *device, tt_canvas *c);
/* Scroll by lines; n = lines of the map in the last frame. */
void tt_memory_map_scroll(tt_memory_map *m, int by, int n);

/* Allocations by stack, the outermost function on top; the width of a box is bytes. */
typedef struct tt_memory_flame tt_memory_flame;
void tt_memory_flame_free(tt_memory_flame *f); /* NULL is fine */
/* Draw the flame graph of table memory_peak; *f is made again if it belongs to another table. */
void tt_memory_flame_draw(tt_memory_flame **f, const tt_table *peak, const char *title, tt_canvas *c);

/* The first event after t (trace time) in which the device ran out of memory, else the first one of the trace; NULL
 * = none. */
const tt_snapshot_event *tt_memory_oom_after(const tt_trace *s, unsigned device, int64_t t);
/* The event at t in which the device ran out of memory; NULL = none. */
const tt_snapshot_event *tt_memory_oom_at(const tt_trace *s, unsigned device, int64_t t);
/* Evidence of a memory snapshot is a moment of its memory. */
bool tt_memory_takes(const tt_host *host, const tt_drilldown *o);
/* The event in words: "out of memory: 152 MiB requested, 72 MiB free on the device"; returns the length as
 * snprintf() does. */
int tt_memory_oom_text(const tt_snapshot_event *e, char *out, size_t cap);

#endif

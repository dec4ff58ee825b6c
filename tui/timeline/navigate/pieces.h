/* tui/timeline/navigate/pieces.h - the pieces of the time that a finding claims, with the rows that show them.
 *
 * They are made on the worker thread, with the findings of a trace, then only read. */
#ifndef TT_TUI_TIMELINE_NAVIGATE_PIECES_H
#define TT_TUI_TIMELINE_NAVIGATE_PIECES_H

#include "model/tables/table.h"

typedef struct tt_piece {
    int64_t t0, t1; /* common axis */
    int64_t ns;     /* the time in it that the finding claims */
    tt_row work;    /* the slice of device work that has most of it, the shortest of equal ones; TT_NONE = idle time */
    uint32_t host;  /* the thread that is charged, or that launched the work; TT_NONE = not known */
} tt_piece;

typedef struct tt_pieces {
    uint32_t trace;
    uint32_t device;     /* index into tt_device_work.devices */
    TT_VEC(tt_piece) at; /* at least one, disjoint, by time */
} tt_pieces;

/* Pieces of the finding behind an origin; NULL = the finding claims no time of a device. */
tt_pieces *tt_pieces_make(const tt_session *s, const tt_scope *scope, const tt_drilldown *o);
void tt_pieces_free(tt_pieces *p); /* NULL is fine */

/* Index of the longest piece inside [t0, t1), the first of equal ones; if no piece is inside, the longest that
 * overlaps it. */
size_t tt_pieces_longest(const tt_pieces *p, int64_t t0, int64_t t1);
/* Index of the first piece that ends after t. O(log pieces). */
size_t tt_pieces_after(const tt_pieces *p, int64_t t);

#endif

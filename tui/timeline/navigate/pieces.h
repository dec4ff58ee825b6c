/* tui/timeline/navigate/pieces.h - the pieces of the time that a finding claims, with the rows that show them.
 *
 * They are made on the worker thread, with the findings of a trace, then only read. */
#ifndef TT_TUI_TIMELINE_PIECES_H
#define TT_TUI_TIMELINE_PIECES_H

#include "model/tables/table.h"

typedef struct tt_piece {
    int64_t t0, t1; /* common axis */
    int64_t ns;     /* the time in it that the finding claims */
    tt_row work;    /* of device work the slice that has most of it, of equal ones the shortest; TT_NONE = idle time */
    uint32_t host;  /* the slice of device work that has most of it, the shortest of equal ones; TT_NONE = idle time */
} tt_piece;

typedef struct tt_pieces {
    uint32_t trace;
    uint32_t device;     /* index into tt_device_work.devices */
    TT_VEC(tt_piece) at; /* at least one, disjoint, in the order of time */
} tt_pieces;

/* Of the finding behind an origin, or of its piece; NULL = it claims no time of a device. */
tt_pieces *tt_pieces_make(const tt_session *s, const tt_scope *scope, const tt_drilldown *o);
void tt_pieces_free(tt_pieces *p); /* NULL is fine */

/* The longest in [t0, t1), of equal ones the first; where none lies in it, of those that reach into it. */
size_t tt_pieces_longest(const tt_pieces *p, int64_t t0, int64_t t1);
/* The first that ends after t. O(log pieces). */
size_t tt_pieces_after(const tt_pieces *p, int64_t t);

#endif

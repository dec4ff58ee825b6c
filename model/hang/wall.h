/* model/hang/wall.h - the wall: how far each rank is behind in the groups of each description, ranks that are alike in
 * one row. */
#ifndef TT_MODEL_HANG_WALL_H
#define TT_MODEL_HANG_WALL_H

#include "model/hang/hang.h"

typedef enum tt_wall_kind { /* the worst last */
                            TT_WALL_NO_MEMBER,
                            TT_WALL_EVEN,
                            TT_WALL_UNKNOWN, /* the dump does not tell */
                            TT_WALL_NO_DUMP,
                            TT_WALL_UNFINISHED, /* called as many as others, and finished n fewer */
                            TT_WALL_BEHIND,     /* called n fewer than others */
} tt_wall_kind;

typedef struct tt_wall_cell {
    int64_t n;
    int64_t kind; /* tt_wall_kind; 64 bits, as the bytes of cells are compared */
} tt_wall_cell;

typedef struct tt_wall_row {
    tt_hang_list ranks; /* part of tt_wall.ranks */
    bool culprit;
    uint32_t fault; /* index of its own fault; TT_NONE */
} tt_wall_row;

typedef struct tt_wall {
    const char **columns; /* descriptions of groups, in the order of the groups */
    bool *even;           /* by column: no rank is behind */
    bool *p2p;            /* by column: sends and receives, in which ranks differ without fault */
    uint32_t n_columns;
    tt_wall_row *rows; /* culprits first, then by lowest rank */
    uint32_t n_rows;
    tt_wall_cell *cells; /* by row, then by column */
    uint32_t *ranks;     /* indices into tt_hang.ranks */
} tt_wall;

/* The caller frees it with tt_wall_free(). O(members) */
tt_wall *tt_wall_new(const tt_hang *h);
void tt_wall_free(tt_wall *w); /* NULL is fine */
static inline const tt_wall_cell *tt_wall_at(const tt_wall *w, uint32_t row, uint32_t column)
{
    return &w->cells[(size_t)row * w->n_columns + column];
}
/* "-3", "!2", ".", "x", "?" or "": what the cell shows. */
const char *tt_wall_text(const tt_wall_cell *c, char out[24]);
/* Short name of a description: the first letters of its words without GROUP, "EMP" for EXPERT_MODEL_PARALLEL_GROUP; a
 * single word as it is. Returns out. */
const char *tt_wall_initials(const char *desc, char *out, size_t cap);

#endif

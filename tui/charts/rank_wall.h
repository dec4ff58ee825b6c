/* tui/charts/rank_wall.h - many ranks at once: a line for each rank, or for several that follow each other, shaded by
 * step for how long the step took, how long it waited in collectives, and how long its device computed; beside it
 * whoever of the line is late by itself, by how much, how often and since when.
 *
 * With more ranks than lines, whole machines are put on a line where hosts are known; a line can be gone into. Made of
 * the tables rank_times, comm_steps and comm_wait. */
#ifndef TT_TUI_SCREENS_RANK_WALL_H
#define TT_TUI_SCREENS_RANK_WALL_H

#include "model/tables/table.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

enum { TT_WALL_STEP, TT_WALL_WAIT, TT_WALL_BUSY, TT_WALL_PARTS };

typedef struct tt_rank_wall {
    const tt_table *times; /* rank_times; NULL = nothing to show */
    uint32_t n_ranks, n_steps;
    uint32_t *row;  /* of each rank in `times`, TT_NONE */
    int64_t *cells; /* part, rank, step: n_ranks * n_steps of each part; TT_UNKNOWN */
    int64_t low[TT_WALL_PARTS], high[TT_WALL_PARTS];
    char **steps;       /* what they are called; owned */
    uint32_t per_host;  /* ranks of a host that lie together; 1 = not known, or not the same everywhere */
    uint32_t from, to;  /* the ranks looked at */
    uint32_t fold, top; /* ranks a line; first line, in the last frame */
    int y, h;           /* of the lines in the last frame; h 0 = not drawn */
} tt_rank_wall;

/* Take over the tables, which must outlive the wall or be replaced by NULL; names: workers of the n ranks. */
void tt_rank_wall_set(tt_rank_wall *w, const tt_table *times, const tt_table *steps, const tt_table *wait,
                      const char *const *names, uint32_t n);
void tt_rank_wall_free(tt_rank_wall *w);
/* More ranks than anybody reads line by line. */
enum { TT_WALL_RANKS = 25 };
static inline bool tt_rank_wall_wanted(const tt_rank_wall *w) { return w->times && w->n_ranks >= TT_WALL_RANKS; }
/* Draw on all of c, which begins at line y0 of the screen; `at`: the chosen rank, whose line is marked. */
void tt_rank_wall_draw(tt_rank_wall *w, tt_canvas *c, int y0, const char *const *labels, uint32_t at, bool focus);
/* The rank `at` moved by so many lines of the last frame, within what is looked at. */
uint32_t tt_rank_wall_moved(const tt_rank_wall *w, uint32_t at, int64_t lines);
/* Into the line of rank `at`: false when it is of one rank. Out again: false when all are looked at. *at is moved to
 * the latest of the line. */
bool tt_rank_wall_into(tt_rank_wall *w, uint32_t *at);
bool tt_rank_wall_out(tt_rank_wall *w);
/* The rank on a line of the screen, the latest of those folded; TT_NONE. */
uint32_t tt_rank_wall_at(const tt_rank_wall *w, int y);

#endif

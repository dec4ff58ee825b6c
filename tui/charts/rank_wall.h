/* tui/charts/rank_wall.h - many ranks at once: a line for each rank, or for several adjacent ranks.
 *
 * Each line is shaded by step for how long the step took, how long the rank waited in collectives, and how long its
 * device computed. Beside the line stands the rank of the line that is late by itself: by how much, how often and
 * since when. With more ranks than lines, whole machines share a line if hosts are known; the user can open a line.
 * Made from the tables rank_times, comm_steps and comm_wait. */
#ifndef TT_TUI_CHARTS_RANK_WALL_H
#define TT_TUI_CHARTS_RANK_WALL_H

#include "model/tables/table.h"
#include "tui/charts/heat_grid.h"
#include "tui/widgets/format_value.h"

enum { TT_WALL_STEP, TT_WALL_WAIT, TT_WALL_BUSY, TT_WALL_PARTS };

typedef struct tt_rank_wall {
    const tt_table *times; /* the table rank_times; NULL = nothing to show */
    uint32_t n_ranks, n_steps;
    uint32_t *row;  /* by rank: its row in `times`, TT_NONE = none */
    int64_t *cells; /* times by part, rank, step: n_ranks * n_steps of each part; TT_UNKNOWN */
    int64_t low[TT_WALL_PARTS], high[TT_WALL_PARTS];
    char **steps;      /* names of the steps; owned */
    uint32_t per_host; /* number of adjacent ranks on each host; 1 = not known, or hosts differ */
    uint32_t from, to; /* the ranks that are shown: [from, to) */
    uint32_t fold;     /* ranks on a line in the last frame */
    tt_heat_grid grid; /* the steps of the first part; the other parts stand to its right */
} tt_rank_wall;

/* Take over the tables, which must outlive the wall or be replaced by NULL; names: the workers of the n ranks. */
void tt_rank_wall_set(tt_rank_wall *w, const tt_table *times, const tt_table *steps, const tt_table *wait,
                      const char *const *names, uint32_t n);
void tt_rank_wall_free(tt_rank_wall *w);
/* The wall is drawn from this number of ranks on: nobody reads so many ranks line by line. */
enum { TT_WALL_RANKS = 25 };
static inline bool tt_rank_wall_wanted(const tt_rank_wall *w) { return w->times && w->n_ranks >= TT_WALL_RANKS; }
/* Draw on all of c, which begins at line y0 of the screen; at: the chosen rank, whose line is marked. */
void tt_rank_wall_draw(tt_rank_wall *w, tt_canvas *c, int y0, const char *const *labels, uint32_t at, bool focus);
/* The rank reached from rank `at` by a number of lines of the last frame, within the ranks that are shown. */
uint32_t tt_rank_wall_moved(const tt_rank_wall *w, uint32_t at, int64_t lines);
/* Open the line of rank `at`; false = the line has one rank. tt_rank_wall_out() shows all ranks again; false = all
 * are shown. *at becomes the rank of the line that is latest. */
bool tt_rank_wall_into(tt_rank_wall *w, uint32_t *at);
bool tt_rank_wall_out(tt_rank_wall *w);
/* The rank on a line of the screen, of folded ranks the latest; TT_NONE = none. */
uint32_t tt_rank_wall_at(const tt_rank_wall *w, int y);

#endif

/* tui/charts/heat_grid.h - a grid of shaded cells: the larger the value of a cell, the darker the cell.
 *
 * The grid knows which lines and columns are on screen, and where their cells stand. The chart that owns the grid says
 * what each cell shows. */
#ifndef TT_TUI_CHARTS_HEAT_GRID_H
#define TT_TUI_CHARTS_HEAT_GRID_H

#include "tui/widgets/canvas.h"

typedef struct tt_heat_grid {
    uint32_t n_lines, n_columns; /* lines and columns of the chart */
    uint32_t top, left;          /* first line and first column on screen */
    int x, y;                    /* place of the first cell on the screen in the last frame */
    int h, columns;              /* lines and columns that have room in the last frame; h 0 = not drawn */
    int cell;                    /* width of a column */
} tt_heat_grid;

enum { TT_HEAT_BLANK = -1, TT_HEAT_DOT, TT_HEAT_LIGHTEST, TT_HEAT_DARKEST = 4 }; /* shades of a cell */

typedef struct tt_heat_cell {
    int shade;       /* TT_HEAT_BLANK to TT_HEAT_DARKEST */
    char mark;       /* character in place of the shade; 0 = none */
    tt_role role;    /* colour of the shade or mark */
    bool chosen;     /* the cell has the cursor */
    char number[16]; /* number beside the shade, "" = the shade fills the cell */
} tt_heat_cell;
/* What a cell of the chart shows. */
typedef tt_heat_cell tt_heat_cell_of(const void *chart, uint32_t line, uint32_t column);

/* The shade of a share of the scale, 0 to 1. */
static inline int tt_heat_shade(double share) { return TT_HEAT_LIGHTEST + (int)(share < 1 ? share * 3.999 : 3); }
/* The shades from light to dark, for a legend. */
const char *tt_heat_scale(const tt_canvas *c);

/* Share a width among the columns, each `least` to `widest` wide. Sets cell and columns. */
void tt_heat_grid_fit(tt_heat_grid *g, int width, int least, int widest);
/* Cells have room for a number beside the shade. */
static inline bool tt_heat_grid_has_numbers(const tt_heat_grid *g) { return g->cell >= 7; }
/* Width of the cell in a column: wider columns end in a gap. */
static inline int tt_heat_grid_width(const tt_heat_grid *g) { return g->cell > 2 ? g->cell - 1 : g->cell; }
/* Draw the cells of a line at line y of the canvas. */
void tt_heat_grid_draw(const tt_heat_grid *g, tt_canvas *c, int y, uint32_t line, tt_heat_cell_of *cell,
                       const void *chart);
/* Write a label of w columns unless it would touch the label before or leave the canvas. *free_x: the first column
 * behind all labels. */
void tt_heat_label(tt_canvas *c, int y, int x, int w, tt_style style, const char *text, int *free_x);
/* The line at a place of the screen; false = no line is there. *column: TT_NONE = the place is beside the cells. */
bool tt_heat_grid_hit(const tt_heat_grid *g, int y, int x, uint32_t *line, uint32_t *column);

#endif

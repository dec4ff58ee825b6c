/* tui/charts/heat_grid.c - see heat_grid.h. */
#include "tui/charts/heat_grid.h"

const char *tt_heat_scale(const tt_canvas *c) { return c->ascii ? ".:%#" : "\u2591\u2592\u2593\u2588"; }

void tt_heat_grid_fit(tt_heat_grid *g, int width, int least, int widest)
{
    uint32_t each = g->n_columns ? (uint32_t)width / g->n_columns : 0;
    g->cell = each < (uint32_t)least ? least : each > (uint32_t)widest ? widest : (int)each;
    g->columns = width / g->cell;
    if ((uint32_t)g->columns > g->n_columns) g->columns = (int)g->n_columns;
}

static void draw_cell(const tt_heat_grid *g, tt_canvas *c, int y, int x, const tt_heat_cell *v)
{
    static const tt_glyph shades[] = {TT_G_DOT, TT_G_SHADE1, TT_G_SHADE2, TT_G_SHADE3, TT_G_BLOCK};
    int w = tt_heat_grid_width(g);
    uint32_t ch = v->shade == TT_HEAT_BLANK ? ' ' : tt_glyph_of(c, shades[v->shade]);
    if (v->number[0]) {
        tt_style style = v->chosen ? TT_ROLE_CURSOR : v->role == TT_ROLE_BAR ? TT_ROLE_NUMBER : v->role;
        tt_fill(c, y, x, 1, 2, v->role, ch);
        tt_put_right(c, y, x + 2, w - 2, style, v->number);
        return;
    }
    if (v->mark) ch = (unsigned char)v->mark;
    if (v->chosen && ch == ' ') ch = '-';
    tt_fill(c, y, x, 1, w, (tt_style)(v->role | (v->chosen ? TT_REVERSE : 0)), ch);
}

void tt_heat_grid_draw(const tt_heat_grid *g, tt_canvas *c, int y, uint32_t line, tt_heat_cell_of *cell,
                       const void *chart)
{
    for (int i = 0; i < g->columns; i++) {
        tt_heat_cell v = cell(chart, line, g->left + (uint32_t)i);
        draw_cell(g, c, y, g->x + i * g->cell, &v);
    }
}

void tt_heat_label(tt_canvas *c, int y, int x, int w, tt_style style, const char *text, int *free_x)
{
    if (x < *free_x || x + w > c->w) return;
    tt_put(c, y, x, style, text, -1);
    *free_x = x + w + 1;
}

bool tt_heat_grid_hit(const tt_heat_grid *g, int y, int x, uint32_t *line, uint32_t *column)
{
    *line = g->top + (uint32_t)(y - g->y);
    *column = x >= g->x && x < g->x + g->columns * g->cell ? g->left + (uint32_t)((x - g->x) / g->cell) : TT_NONE;
    return g->h && y >= g->y && y < g->y + g->h && *line < g->n_lines;
}

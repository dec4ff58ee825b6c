/* tui/charts/memory_plot.c - see memory_plot.h. */
#include "tui/charts/memory_plot.h"

#include <math.h>
#include <string.h>

void tt_memory_plot_column(tt_canvas *c, int x, int h, double allocated, double reserved)
{
    int filled = (int)(allocated * h * 8 + 0.5), shaded = (int)(reserved * h * 8 + 0.5);
    if (allocated > 0 && filled < 1) filled = 1;
    for (int row = 0; row < h; row++) {
        int n = filled - row * 8, y = h - 1 - row;
        if (n > 0) {
            tt_put_char(c, y, x, TT_ROLE_PLOT, n >= 8 ? tt_glyph_of(c, TT_G_BLOCK) : tt_height(c, n));
        } else if (shaded - row * 8 >= 4) {
            tt_put_char(c, y, x, TT_ROLE_BAR_REST, tt_glyph_of(c, TT_G_SHADE1));
        }
    }
}

/* Dots of a curve in one column of dots, from the last one's height on, so that it is one line. `right`: of the two
 * columns in a cell. */
static void add_dots(uint8_t *cells, int h, int from, int to, bool right)
{
    static const uint8_t dot[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}; /* from below */
    int step = to < from ? 1 : -1;
    for (int y = to;; y += step) {
        if (y >= 0 && y < h * 4) cells[h - 1 - y / 4] |= dot[right][y % 4];
        if (y == from || y + step == from) break; /* the last column has that one */
    }
}

/* Both curves as thin lines, with two columns of four dots in a cell. */
void tt_memory_plot_lines(tt_canvas *c, const tt_ruler *axis, const tt_memory_series *x, int h, int64_t top)
{
    enum { MOST = 256 };
    uint8_t cells[2][MOST];
    int last[2] = {-1, -1};
    if (h > MOST) h = MOST;
    for (int i = 0; i < axis->w; i++) {
        memset(cells, 0, sizeof cells);
        for (int k = 0; k < 2; k++) {
            int64_t half = tt_ruler_edge(axis, i) + (tt_ruler_edge(axis, i + 1) - tt_ruler_edge(axis, i)) / 2;
            tt_memory_point p =
                tt_memory_series_highest(x, k ? half : tt_ruler_edge(axis, i), k ? tt_ruler_edge(axis, i + 1) : half);
            int64_t value[2] = {p.allocated, p.reserved};
            for (int v = 0; v < 2; v++) {
                if (p.allocated == TT_UNKNOWN || value[v] == TT_UNKNOWN) continue;
                double part = (double)value[v] / (double)top; /* below 0 in a trace that counts wrongly */
                int y = part <= 0 ? 0 : (int)(fmin(part, 1) * (h * 4 - 1) + 0.5);
                add_dots(cells[v], h, last[v] < 0 ? y : last[v], y, k);
                last[v] = y;
            }
        }
        for (int y = 0; y < h; y++) {
            uint32_t ch = 0x2800u + (cells[0][y] | cells[1][y]);
            if (ch > 0x2800u) tt_put_char(c, y, axis->x + i, cells[0][y] ? TT_ROLE_PLOT : TT_ROLE_RULER, ch);
        }
    }
}

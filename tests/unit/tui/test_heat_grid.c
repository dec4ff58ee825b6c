/* test_heat_grid.c - the heat grid: columns share the width, a place of the screen leads back to the cell drawn there,
 * the shades of a scale, and the entries that are scrolled into sight. */
#include "tests/unit/check.h"
#include "tui/charts/heat_grid.h"
#include "tui/widgets/scroll.h"

static void test_widths(void)
{
    for (uint32_t n = 1; n < 300; n++) {
        tt_heat_grid g = {.n_columns = n};
        tt_heat_grid_fit(&g, 80, 2, 10);
        CHECK(g.cell >= 2 && g.cell <= 10 && g.columns >= 1 && g.columns <= (int)n);
        CHECK(g.columns * g.cell <= 80);
        CHECK(g.columns == (int)n || (g.columns + 1) * g.cell > 80);
    }
}

static void test_shades(void)
{
    CHECK_INT(tt_heat_shade(0), TT_HEAT_LIGHTEST);
    CHECK_INT(tt_heat_shade(0.24), TT_HEAT_LIGHTEST);
    CHECK_INT(tt_heat_shade(0.5), 2);
    CHECK_INT(tt_heat_shade(1), TT_HEAT_DARKEST);
    CHECK_INT(tt_heat_shade(1.5), TT_HEAT_DARKEST);
}

/* Each cell shows its line and column as a shade: 1 + (line + column) % 4. */
static tt_heat_cell show(const void *chart, uint32_t line, uint32_t column)
{
    (void)chart;
    return (tt_heat_cell){.shade = 1 + (int)((line + column) % 4), .role = TT_ROLE_BAR};
}

static void test_places(void)
{
    static const tt_glyph shades[] = {TT_G_DOT, TT_G_SHADE1, TT_G_SHADE2, TT_G_SHADE3, TT_G_BLOCK};
    tt_heat_grid g = {.n_lines = 9, .n_columns = 50, .top = 3, .left = 7, .x = 5, .y = 1, .h = 4};
    tt_canvas c = {.ascii = true};
    tt_canvas_resize(&c, 8, 40);
    tt_heat_grid_fit(&g, 30, 3, 10);
    for (int i = 0; i < g.h; i++) tt_heat_grid_draw(&g, &c, g.y + i, g.top + (uint32_t)i, show, NULL);
    for (int y = 0; y < c.h; y++) {
        for (int x = 0; x < c.w; x++) {
            uint32_t line, column, ch = c.cells[y * c.stride + x].ch;
            bool hit = tt_heat_grid_hit(&g, y, x, &line, &column);
            CHECK(hit == (y >= 1 && y < 5));
            if (!hit || column == TT_NONE) {
                CHECK(ch == ' ');
                continue;
            }
            tt_heat_cell v = show(NULL, line, column);
            CHECK(ch == tt_glyph_of(&c, shades[v.shade]) || (ch == ' ' && (x - g.x) % g.cell == g.cell - 1));
        }
    }
    g.h = 0;
    uint32_t line, column;
    CHECK(!tt_heat_grid_hit(&g, 1, 5, &line, &column));
    tt_canvas_free(&c);
}

static void test_scrolling(void)
{
    for (uint32_t first = 0; first < 30; first++) {
        for (uint32_t at = 0; at < 20; at++) {
            uint32_t to = tt_scroll_to(first, at, 6), within = tt_scroll_within(first, at, 6, 20);
            CHECK(to <= at && at < to + 6);
            CHECK(within <= at && at < within + 6 && within + 6 <= 20);
        }
    }
    CHECK_INT(tt_scroll_to(4, 9, 0), 4);         /* there is no room */
    CHECK_INT(tt_scroll_within(3, 1, 10, 4), 0); /* the whole list has room */
}

int main(void)
{
    test_widths();
    test_shades();
    test_places();
    test_scrolling();
    return check_done();
}

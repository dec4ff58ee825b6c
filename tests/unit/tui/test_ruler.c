/* test_ruler.c - the ruler: columns and their edges agree, each tick shows the time of its place, marks stay on the
 * axis. */
#include "tests/unit/check.h"
#include "tui/widgets/ruler.h"

#include <stdlib.h>
#include <string.h>

static void test_columns(void)
{
    static const int64_t spans[] = {60, 61, 1000003, INT64_C(9000000000000000000)};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        tt_ruler r = {.t0 = -7, .t1 = spans[i] - 7, .x = 3, .w = 60};
        CHECK_INT(tt_ruler_edge(&r, 0), r.t0);
        CHECK_INT(tt_ruler_edge(&r, r.w), r.t1);
        for (int c = 0; c < r.w; c++) {
            CHECK_INT(tt_ruler_col(&r, tt_ruler_edge(&r, c)), c);
            CHECK_INT(tt_ruler_col(&r, tt_ruler_edge(&r, c + 1) - 1), c);
        }
        CHECK_INT(tt_ruler_col(&r, r.t0 - 1), -1);
        CHECK_INT(tt_ruler_col(&r, r.t1), r.w);
    }
}

/* Each tick is a line at its time, followed by the time as text. */
static void test_ticks(void)
{
    tt_ruler r = {.t0 = 0, .t1 = 1000000, .x = 2, .w = 100, .unit = TT_UNIT_US};
    tt_canvas c = {.ascii = true};
    tt_canvas_resize(&c, 1, 104);
    tt_ruler_draw(&c, 0, &r);
    int ticks = 0;
    for (int x = 0; x < c.w; x++) {
        char text[16] = "";
        if (c.cells[x].ch != (uint32_t)tt_glyph_of(&c, TT_G_VLINE)) continue;
        for (int k = 0; k < 15 && x + 1 + k < c.w && c.cells[x + 1 + k].ch != ' '; k++)
            text[k] = (char)c.cells[x + 1 + k].ch, text[k + 1] = 0;
        if (!*text) continue;
        CHECK_INT(tt_ruler_col(&r, atoll(text) * 1000), x - r.x);
        ticks++;
    }
    CHECK(ticks >= 4);
    tt_canvas_free(&c);
}

static void test_marks(void)
{
    tt_ruler r = {.t0 = 100, .t1 = 200, .x = 10, .w = 20};
    tt_canvas c = {.ascii = true};
    tt_canvas_resize(&c, 1, 40);
    tt_ruler_mark(&c, 0, &r, 99, TT_ROLE_STRONG, 'A');
    tt_ruler_mark(&c, 0, &r, 200, TT_ROLE_STRONG, 'B');
    for (int x = 0; x < c.w; x++) CHECK_INT(c.cells[x].ch, ' ');
    tt_ruler_mark(&c, 0, &r, 199, TT_ROLE_STRONG, 'B');
    CHECK_INT(c.cells[29].ch, 'B');
    tt_ruler_cursor(&c, 0, &r, 199); /* the label stays on the screen */
    CHECK_INT(c.cells[29].ch, 'B');
    tt_ruler_cursor(&c, 0, &r, 100);
    CHECK_INT(c.cells[10].ch, tt_glyph_of(&c, TT_G_TRI_DOWN));
    tt_canvas_free(&c);
}

int main(void)
{
    test_columns();
    test_ticks();
    test_marks();
    return check_done();
}

/* test_mouse.c - clicks on parts of a screen: tabs, the key bar, heads of columns, rows, names of panes. The test
 * finds the places in the picture, as a person does. */
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tui/app/app_api.h"

#include <locale.h>
#include <stdlib.h>

static tt_canvas canvas = {.ascii = true};

/* Find a text on the screen; false = not there. */
static bool find(const char *text, int *y, int *x)
{
    int n = (int)strlen(text);
    for (*y = 0; *y < canvas.h; ++*y) {
        for (*x = 0; *x + n <= canvas.w; ++*x) {
            int i = 0;
            while (i < n && canvas.cells[*y * canvas.stride + *x + i].ch == (uint32_t)text[i]) i++;
            if (i == n) return true;
        }
    }
    return false;
}

static bool shown(const char *text)
{
    int y, x;
    return find(text, &y, &x);
}

static void mouse(tt_app *a, const char *text, tt_mouse_what what)
{
    tt_mouse m = {.what = what};
    bool there = find(text, &m.y, &m.x);
    if (!there) fprintf(stderr, "not on the screen: %s\n", text);
    CHECK(there);
    tt_app_key(a, TT_KEY_MOUSE, &m);
    tt_app_draw(a, &canvas);
}

static void click(tt_app *a, const char *text) { mouse(a, text, TT_MOUSE_PRESS); }

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) return 77;
    const char *path = "assets/sample_gpu";
    tt_load_options o = {.threads = 1};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    CHECK(s != NULL);
    if (!s) return check_done();
    tt_app *a = tt_app_new(false);
    tt_canvas_resize(&canvas, 40, 120);
    tt_app_set_session(a, s);
    tt_app_draw(a, &canvas);

    click(a, "trust OK"); /* a click on the mark opens the checks */
    CHECK(shown("[Trust]") && shown("input complete") && shown("q back"));
    tt_app_key(a, 'u', NULL);
    tt_app_draw(a, &canvas);
    CHECK(shown("[1 Over]"));
    click(a, "3 Kern");
    CHECK(shown("[3 Kern]") && shown("sort Total "));
    click(a, "Calls");
    CHECK(shown("sort Calls ") && shown("Callsv"));
    click(a, "Callsv"); /* a second click reverses the order */
    CHECK(shown("Calls^"));
    click(a, "group"); /* the word in the title is no button */
    CHECK(shown("group name"));
    click(a, "b group");
    CHECK(!shown("group name"));
    click(a, "X columns");
    CHECK(shown("Space shows or hides"));
    tt_app_key(a, 'q', NULL);
    tt_app_draw(a, &canvas);
    click(a, "D rank");
    CHECK(shown("all workers"));
    click(a, "? help"); /* an open list takes the mouse */
    CHECK(shown("all workers"));
    tt_app_key(a, 'q', NULL);
    tt_app_draw(a, &canvas);
    click(a, "9 API");
    click(a, "copies");
    CHECK(shown("Memcpy"));
    click(a, "? help");
    CHECK(a->help.open);
    tt_app_key(a, 'q', NULL);
    tt_app_draw(a, &canvas);
    click(a, "q exit");
    CHECK(a->want.quit);
    tt_app_free(a);
    tt_canvas_free(&canvas);
    return check_done();
}

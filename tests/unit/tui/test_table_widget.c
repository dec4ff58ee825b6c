/* test_table_widget.c - drive the table widget with keys over a table made by hand, and read its picture. */
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tui/app/app_api.h"
#include "tui/app/dump/dump.h"
#include "tui/table/table_widget.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 100, COLS = 4 };
static const tt_column columns[COLS] = {
    {.key = "name", .title = "Name", .type = TT_T_STRING, .prio = 0, .help = "name"},
    {.key = "calls", .title = "Calls", .type = TT_T_COUNT, .prio = 1, .help = "calls"},
    {.key = "total_ns", .title = "Total", .type = TT_T_DURATION, .prio = 0, .help = "total"},
    {.key = "ratio_pct", .title = "Ratio", .type = TT_T_PERCENT, .prio = 5, .help = "share"},
};
static const tt_table_desc desc = {.id = "made",
                                   .title = "Made",
                                   .meaning = "by hand",
                                   .cols = columns,
                                   .n_cols = COLS,
                                   .default_sort = "total_ns",
                                   .default_desc = true};

typedef struct made {
    tt_table table;
    const tt_column *cols[COLS];
    tt_cell cells[ROWS * COLS];
    char names[ROWS][64];
} made;

/* Row r has the name "op_<r>", 100 - r calls and a time of (r * 37 % 100) us. */
static void make(made *m, uint32_t rows)
{
    memset(m, 0, sizeof *m);
    for (uint32_t c = 0; c < COLS; c++) m->cols[c] = &columns[c];
    for (uint32_t r = 0; r < rows; r++) {
        snprintf(m->names[r], sizeof m->names[r], "op_%u", r);
        tt_cell *cell = m->cells + r * COLS;
        cell[0].s = m->names[r];
        cell[1].i = 100 - r;
        cell[2].i = (int64_t)(r * 37 % 100) * 1000;
        cell[3].d = r == 5 ? NAN : (double)(r * 37 % 100) / 50;
    }
    m->table = (tt_table){.desc = &desc, .cols = m->cols, .n_cols = COLS, .n_rows = rows, .cells = m->cells};
}

static char *picture(tt_table_view *v, int h, int w)
{
    static char text[1 << 16];
    tt_canvas c = {.ascii = true};
    tt_canvas_resize(&c, h, w);
    tt_table_view_draw(v, &c, true);
    FILE *f = fmemopen(text, sizeof text, "w");
    tt_dump(f, &c, tt_themes[0], TT_LEVEL_MONO, true);
    fclose(f);
    tt_canvas_free(&c);
    return text;
}

static const char *selected(const tt_table_view *v)
{
    uint32_t row = tt_table_view_current(v);
    return row == TT_NONE ? NULL : tt_table_cell(tt_table_view_table(v), row, 0).s;
}

static void test_moving(tt_app *app, made *m)
{
    tt_table_view *v = tt_table_view_of(&app->host, &m->table, NULL);
    CHECK_INT(tt_table_view_rows(v), ROWS);
    CHECK_STR(selected(v), "op_27"); /* 27 * 37 % 100 = 99 */
    tt_table_view_act(v, TT_ACT_DOWN);
    CHECK_STR(selected(v), "op_54");
    tt_table_view_act(v, TT_ACT_PAGE_DOWN);
    tt_table_view_act(v, TT_ACT_BOTTOM);
    CHECK_STR(selected(v), "op_0");
    picture(v, 8, 50);
    tt_table_view_act(v, TT_ACT_DOWN);
    CHECK_STR(selected(v), "op_0");
    tt_table_view_act(v, TT_ACT_SORT_REVERSE); /* reversing the order moves the cursor to the new first row */
    CHECK_STR(selected(v), "op_0");
    tt_table_view_act(v, TT_ACT_SORT_PREV);
    CHECK_STR(selected(v), "op_0"); /* the row with most calls */
    CHECK(strstr(picture(v, 8, 60), "Calls"
                                    "v"));
    tt_table_view_act(v, TT_ACT_SORT_ORIGINAL);
    CHECK_STR(selected(v), "op_0");
    tt_table_view_free(v);
}

static void test_find_filter(tt_app *app, made *m)
{
    tt_table_view *v = tt_table_view_of(&app->host, &m->table, NULL);
    CHECK(tt_table_view_find(v, "OP_42", 0));
    CHECK_STR(selected(v), "op_42");
    CHECK(!tt_table_view_find(v, "nothing", 1));
    CHECK_STR(selected(v), "op_42");
    CHECK(tt_table_view_find(v, "_4", 1)); /* the next match in the order shown: op_42 took 54 us, op_94 78, op_4 48 */
    CHECK(strstr(selected(v), "_4") && strcmp(selected(v), "op_42"));
    CHECK(tt_table_view_find(v, "_4", -1));
    CHECK_STR(selected(v), "op_42");
    tt_table_view_filter(v, "op_9");
    CHECK_INT(tt_table_view_rows(v), 11);
    CHECK(strstr(picture(v, 20, 80), "11 of 100"));
    tt_table_view_filter(v, "no such row");
    CHECK_INT(tt_table_view_rows(v), 0);
    CHECK(selected(v) == NULL);
    CHECK(strstr(picture(v, 20, 80), "No row matches"));
    tt_table_view_act(v, TT_ACT_DOWN);
    tt_table_view_act(v, TT_ACT_ENTER);
    tt_table_view_filter(v, "");
    CHECK_INT(tt_table_view_rows(v), ROWS);
    tt_table_view_free(v);
}

static void test_sizes(tt_app *app, made *m)
{
    tt_table_view *v = tt_table_view_of(&app->host, &m->table, NULL);
    for (int h = 1; h < 50; h += 3) {
        for (int w = 4; w < 260; w += 9) {
            tt_table_view_act(v, (tt_action[]){TT_ACT_BOTTOM, TT_ACT_TOP, TT_ACT_COL_RIGHT, TT_ACT_PAGE_DOWN}[w % 4]);
            char *text = picture(v, h, w);
            CHECK(h < 3 || w < 30 || strchr(text, '>')); /* the selected row is always visible */
        }
    }
    tt_table_view_act(v, TT_ACT_COLUMNS);
    tt_table_view_act(v, TT_ACT_COLUMNS);
    tt_table_view_act(v, TT_ACT_CANCEL);
    CHECK(!strstr(picture(v, 8, 24), "Ratio")); /* the first column to be left out */
    CHECK(strstr(picture(v, 8, 24), "Total"));
    CHECK(strstr(picture(v, 12, 80), "Ratio"));
    tt_table_view_free(v);
}

static void test_export(tt_app *app, made *m)
{
    tt_table_view *v = tt_table_view_of(&app->host, &m->table, NULL);
    char *name = tt_table_view_copy(v, false), *all = tt_table_view_copy(v, true);
    CHECK_STR(name, "op_27");
    CHECK(all && strncmp(all, "name,calls,total_ns,ratio_pct\nop_27,73,99000,1.98\n", 50) == 0);
    free(name);
    free(all);
    tt_table_view_command(v, "sort", "calls:asc");
    CHECK_STR(selected(v), "op_99");
    tt_table_view_act(v, TT_ACT_PERCENT);
    CHECK(strstr(picture(v, 12, 80), "%"));
    tt_table_view_free(v);
}

/* Sums of marked rows, columns in another order, and copies with the columns shown. */
static void test_marks_columns(tt_app *app, made *m)
{
    char text[200];
    tt_table_view *v = tt_table_view_of(&app->host, &m->table, NULL);
    tt_table_view_act(v, TT_ACT_MARK_ROW); /* op_27: 99 us, 73 calls; marking moves on to op_54: 98 us, 46 calls */
    tt_table_view_act(v, TT_ACT_MARK_ROW);
    tt_table_view_status(v, text, sizeof text);
    CHECK_STR(text, "2 marked: Calls 119, Total 197 \xc2\xb5s");
    char *names = tt_table_view_copy(v, false), *rows = tt_table_view_copy(v, true);
    CHECK_STR(names, "op_27\nop_54\n");
    CHECK_STR(rows, "name,calls,total_ns,ratio_pct\nop_27,73,99000,1.98\nop_54,46,98000,1.96\n");
    free(names);
    free(rows);
    tt_table_view_act(v, TT_ACT_SORT_REVERSE); /* marks stay on their rows */
    tt_table_view_status(v, text, sizeof text);
    CHECK(strstr(text, "Total 197 \xc2\xb5s"));
    tt_table_view_act(v, TT_ACT_UNMARK_ROWS);
    tt_table_view_status(v, text, sizeof text);
    CHECK(strstr(text, "row 1 of 100"));
    CHECK(tt_table_view_command(v, "columns", "total_ns,name"));
    char *shown = tt_table_view_copy(v, true);
    CHECK(shown && strncmp(shown, "total_ns,name\n0,op_0\n", 21) == 0);
    free(shown);
    CHECK(!strstr(picture(v, 11, 80), "Calls")); /* no room for the detail pane, which shows every column */
    tt_table_view_command(v, "columns", "no_such_column");
    tt_table_view_command(v, "columns", "all");
    CHECK(strstr(picture(v, 12, 80), "Calls"));
    tt_table_view_act(v, TT_ACT_COLUMNS); /* show the last column first, hide the second */
    tt_table_view_act(v, TT_ACT_DOWN);
    tt_table_view_act(v, TT_ACT_MARK_ROW);
    tt_table_view_act(v, TT_ACT_BOTTOM);
    for (int i = 0; i < 5; i++) tt_table_view_act(v, TT_ACT_SORT_PREV);
    CHECK(tt_table_view_act(v, TT_ACT_BACK_OR_QUIT));
    shown = tt_table_view_copy(v, true);
    CHECK(shown && strncmp(shown, "ratio_pct,name,total_ns\n", 24) == 0);
    free(shown);
    tt_table_view_free(v);
}

int main(void)
{
    static made m;
    tt_app *app = tt_app_new(false);
    make(&m, ROWS);
    test_moving(app, &m);
    test_find_filter(app, &m);
    test_sizes(app, &m);
    test_marks_columns(app, &m);
    test_export(app, &m);
    make(&m, 0);
    tt_table_view *v = tt_table_view_of(&app->host, &m.table, NULL);
    CHECK(strstr(picture(v, 10, 60), "No rows"));
    tt_table_view_free(v);
    tt_app_free(app);
    return check_done();
}

/* test_focus.c - the focus of a screen: its first part that has a function answers, and a command goes through all
 * parts. */
#include "tests/unit/check.h"
#include "tui/screen/focus.h"

#include <string.h>

static bool find_chart(void *o, const char *text, int dir)
{
    (void)o;
    return dir == 0 && !strcmp(text, "chart");
}

static bool find_table(void *o, const char *text, int dir)
{
    (void)o, (void)dir;
    return !strcmp(text, "table");
}

static bool filter_table(void *o, const char *text)
{
    *(const char **)o = text;
    return true;
}

static bool command_chart(void *o, const char *verb, const char *arg)
{
    (void)o, (void)arg;
    return !strcmp(verb, "zoom");
}

static bool command_table(void *o, const char *verb, const char *arg)
{
    (void)o, (void)arg;
    return !strcmp(verb, "sort");
}

static bool select_row(void *o, tt_drilldown *out)
{
    (void)o;
    *out = (tt_drilldown){.what = TT_DRILL_ROW, .row = 7};
    return true;
}

static const tt_table *no_table(void *o)
{
    (void)o;
    return NULL;
}

static const tt_focus_ops chart = {.find = find_chart, .command = command_chart, .export_name = "chart.txt"};
static const tt_focus_ops table = {.find = find_table,
                                   .filter = filter_table,
                                   .command = command_table,
                                   .selection = select_row,
                                   .table = no_table};

/* The chart has the keyboard, so the table is not asked where the chart has a function. */
static void check_both_parts(void)
{
    const char *filtered = "";
    tt_drilldown o = {0};
    const tt_focus f = {.at = {{&chart, NULL}, {&table, &filtered}}};
    CHECK(tt_focus_find(f, "chart", 0));
    CHECK(!tt_focus_find(f, "table", 0));
    CHECK(tt_focus_filters(f) && tt_focus_filter(f, "gemm"));
    CHECK_STR(filtered, "gemm");
    CHECK(tt_focus_command(f, "zoom", "") && tt_focus_command(f, "sort", "name"));
    CHECK(!tt_focus_command(f, "pane", ""));
    CHECK(tt_focus_about(f, &o)); /* no part says what it is about: the selection does */
    CHECK_INT(o.row, 7);
    CHECK_STR(tt_focus_export_name(f), "chart.txt");
}

/* A part between the two that has commands alone leaves the rest to the table. */
static void check_three_parts(void)
{
    static const tt_focus_ops panes = {.command = command_chart};
    const char *filtered = "";
    const tt_focus f = {.at = {{&(tt_focus_ops){.export_name = "own.csv"}, NULL}, {&panes, NULL}, {&table, &filtered}}};
    CHECK(tt_focus_find(f, "table", 0) && tt_focus_filter(f, "gemm"));
    CHECK_STR(filtered, "gemm");
    CHECK(tt_focus_command(f, "zoom", "") && tt_focus_command(f, "sort", "name") && !tt_focus_command(f, "pane", ""));
    CHECK_STR(tt_focus_export_name(f), "own.csv");
}

static void check_exports(void)
{
    const char *filtered = "";
    const tt_focus empty = {.at = {{&chart, NULL}, {&table, &filtered}}}, alone = {.at = {{&chart, NULL}}};
    CHECK(!tt_focus_exports(empty)); /* a table without rows */
    CHECK(tt_focus_exports(alone));  /* no table, but a command and a name */
}

static void check_no_parts(void)
{
    char status[16] = "before";
    tt_drilldown o = {0};
    const tt_focus f = {0};
    tt_focus_status(f, status, sizeof status);
    CHECK_STR(status, "");
    CHECK(!tt_focus_find(f, "chart", 0) && !tt_focus_filters(f) && !tt_focus_filter(f, ""));
    CHECK(!tt_focus_command(f, "zoom", "") && !tt_focus_selection(f, &o) && !tt_focus_about(f, &o));
    CHECK(!tt_focus_copy(f, true) && !tt_focus_table(f) && !tt_focus_exports(f));
    CHECK(!tt_focus_selects_nothing(NULL, &o));
}

int main(void)
{
    check_both_parts();
    check_three_parts();
    check_exports();
    check_no_parts();
    return check_done();
}

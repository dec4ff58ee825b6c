/* tui/table/focus.c - a table as the focus of a screen: what the explorer asks goes to its view. The object is a
 * tt_table_view, NULL = there is no table yet. */
#include "tui/table/interval_pane.h"
#include "tui/table/table_widget.h"

static void status(void *v, char *out, size_t cap)
{
    if (v) tt_table_view_status(v, out, cap);
}

static bool find(void *v, const char *text, int dir) { return v && tt_table_view_find(v, text, dir); }
static bool filter(void *v, const char *text) { return v && tt_table_view_filter(v, text); }
static bool selection(void *v, tt_drilldown *out) { return v && tt_table_view_selection(v, out); }
static char *copy(void *v, bool all) { return v ? tt_table_view_copy(v, all) : NULL; }
static bool command(void *v, const char *verb, const char *arg) { return v && tt_table_view_command(v, verb, arg); }
static const tt_table *table(void *v) { return v ? tt_table_view_table(v) : NULL; }

const tt_focus_ops tt_table_focus = {
    .status = status,
    .find = find,
    .filter = filter,
    .selection = selection,
    .copy = copy,
    .command = command,
    .table = table,
};

const tt_focus_ops tt_interval_focus = {.status = status, .find = find, .copy = copy, .command = command};

/* tui/screens/runtime_api.c - the screen of runtime calls, copies and named ranges. */
#include "tui/screens/empty.h"
#include "tui/table/panes.h"

static const tt_pane panes[] = {
    {"runtime_api", "Runtime API", NULL},
    {"memcpy", "Copies", NULL},
    {"user_ranges", "Annotations", NULL},
};

static void open_api(tt_screen *s) { tt_panes_open(s, panes, sizeof panes / sizeof *panes, false); }

const tt_screen_ops tt_screen_api = {
    .tab = {"api", "API, Copies", "API", .empty = tt_empty_api},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(tt_panes),
    .open = open_api,
    .close = tt_panes_close,
    .renew = tt_panes_renew,
    .scope = tt_panes_scope,
    .draw = tt_panes_draw_all,
    .act = tt_panes_act,
    .focus = tt_panes_focus,
    .mouse = tt_panes_mouse,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};

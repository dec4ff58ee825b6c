/* tui/screens/overview/trust.c - whether the user can believe the recording: its checks, and the problems of its
 * files. Both cover all files that were opened, whatever the scope is, as the mark in the header does. */
#include "tui/screen/host.h"
#include "tui/table/panes.h"

static const tt_pane panes[] = {
    {"trust", "Trust", "no check applies to this trace"},
    {"problems", "Problems", "No problems found"},
};
enum { TRUST, N_PANES = sizeof panes / sizeof *panes };

typedef struct trust_screen {
    tt_panes panes; /* first: see tui/table/panes.h */
} trust_screen;

static void open_trust(tt_screen *s)
{
    trust_screen *x = s->state;
    tt_panes_open(s, panes, N_PANES, false);
    x->panes.everything = true;
}

/* Show the evidence of a check at once: a list of the slices behind it would repeat the evidence. */
static bool act_trust(tt_screen *s, tt_action a)
{
    tt_panes *p = s->state;
    tt_drilldown o;
    if (a != TT_ACT_ENTER || p->focus != TRUST) return tt_panes_act(s, a);
    if (tt_table_view_selection(tt_panes_view(p), &o) && tt_host_show_drilldown(s->host, &o)) return true;
    tt_host_set_status(s->host, "this check is about the whole recording: there is no single place to show");
    return true;
}

const tt_screen_ops tt_screen_problems = {
    .tab = {.name = "problems", .title = "Trust", .brief = "Trust", .of_dumps = true},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(trust_screen),
    .open = open_trust,
    .close = tt_panes_close,
    .renew = tt_panes_renew,
    .scope = tt_panes_scope,
    .draw = tt_panes_draw_all,
    .act = act_trust,
    .focus = tt_panes_focus,
    .mouse = tt_panes_mouse,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};

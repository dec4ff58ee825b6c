/* tui/table/interval_pane.h - the pane of the interval between the two marks of the timeline: four tables, one or
 * several of them shown, under a line with their names. The worker computes the tables. While it is busy the tables of
 * the interval before stay, and only the newest interval is asked for: dragging a mark never waits. */
#ifndef TT_TUI_TABLE_INTERVAL_PANE_H
#define TT_TUI_TABLE_INTERVAL_PANE_H

#include "model/tables/steps/interval.h"
#include "tui/table/table_widget.h"

typedef struct tt_interval_pane { /* zero-initialised is closed; free with tt_interval_pane_free() */
    tt_table_view *view[TT_INTERVAL_GROUPS];
    int64_t arg[3]; /* the interval, as options of table interval */
    int at;         /* index of the table that gets the keys while the pane has the focus */
    bool focus;     /* the pane gets the keys */
    bool shown;     /* the pane was drawn in the last frame */
    int y, h;       /* lines of the pane on the screen's canvas */
    int top;        /* first line of the tables in the pane */
    int x[TT_INTERVAL_GROUPS], w[TT_INTERVAL_GROUPS]; /* columns of each table; w 0 = not shown */
    int name_x[TT_INTERVAL_GROUPS + 1];
} tt_interval_pane;

/* Lines of the pane on a screen of h lines, 0 = there is no room. */
int tt_interval_pane_height(int h);
/* Draw the pane on c, whose first line is line y of the screen. arg: options of table interval; title: the interval
 * in words; right: words for the counted tracks. */
void tt_interval_pane_draw(tt_interval_pane *p, tt_host *host, tt_canvas *c, int y, const int64_t arg[3],
                           const char *title, const char *right);
/* True = the pane took the action. Tab goes into the pane, through its tables and out again. */
bool tt_interval_pane_act(tt_interval_pane *p, tt_host *host, tt_action a);
bool tt_interval_pane_mouse(tt_interval_pane *p, const tt_mouse *m);
/* A table of the pane as the focus of a screen: the timeline behind it is filtered, selected and exported. */
extern const tt_focus_ops tt_interval_focus;
/* The table that gets the keys; NULL = the timeline gets them. */
tt_table_view *tt_interval_pane_focus(const tt_interval_pane *p);
void tt_interval_pane_scope(tt_interval_pane *p);
void tt_interval_pane_free(tt_interval_pane *p);

#endif

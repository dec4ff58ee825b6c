/* tui/table/interval_pane.h - what lies between the two marks of the timeline: four tables of the interval, one or
 * several of them shown, under a line that names them. They are computed by the worker; while it is busy the last
 * ones stay, and only the newest interval is asked for, so that dragging a mark costs the drawing nothing. */
#ifndef TT_TUI_TABLE_INTERVAL_PANE_H
#define TT_TUI_TABLE_INTERVAL_PANE_H

#include "model/tables/steps/interval.h"
#include "tui/table/table_widget.h"

typedef struct tt_interval_pane { /* zero-initialised is closed; free with tt_interval_pane_free() */
    tt_table_view *view[TT_INTERVAL_GROUPS];
    int64_t arg[3];                                   /* what is shown, as options of table interval */
    int at;                                           /* the table that has the keys when the pane has them */
    bool focus;                                       /* it has them */
    bool shown;                                       /* it was part of the last frame */
    int y, h;                                         /* where, on the screen's canvas */
    int top;                                          /* first line of the tables in it */
    int x[TT_INTERVAL_GROUPS], w[TT_INTERVAL_GROUPS]; /* of the tables; w 0 = not shown */
    int name_x[TT_INTERVAL_GROUPS + 1];
} tt_interval_pane;

/* Lines that it takes of a screen of h lines, 0 = there is no room. */
int tt_interval_pane_height(int h);
/* Draw it on c, whose first line is line y of the screen. arg: as for table interval; title: of the interval, right:
 * of what is counted. */
void tt_interval_pane_draw(tt_interval_pane *p, tt_host *host, tt_canvas *c, int y, const int64_t arg[3],
                           const char *title, const char *right);
/* True = the pane dealt with it: Tab goes into it, on through its tables and out again. */
bool tt_interval_pane_act(tt_interval_pane *p, tt_host *host, tt_action a);
bool tt_interval_pane_mouse(tt_interval_pane *p, const tt_mouse *m);
/* The table that has the keys; NULL = the timeline has them. */
tt_table_view *tt_interval_pane_focus(const tt_interval_pane *p);
void tt_interval_pane_scope(tt_interval_pane *p);
void tt_interval_pane_free(tt_interval_pane *p);

#endif

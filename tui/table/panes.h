/* tui/table/panes.h - a screen of several tables, and a chart above them if the screen draws one.
 *
 * Tables are stacked where there is room; else the table with the focus is shown, under a line with the names of all.
 * The Tab keys go from table to table, then on to the next tab. The state of such a screen begins with a tt_panes: the
 * functions below then are members of its tt_screen_ops as they are. */
#ifndef TT_TUI_TABLE_PANES_H
#define TT_TUI_TABLE_PANES_H

#include "tui/table/table_widget.h"

enum { TT_MAX_PANES = 12, TT_PANE_CHART = -1 };

typedef struct tt_pane {
    const char *table; /* id of a table */
    const char *title; /* short, for the line of names */
    const char *empty; /* text for a table without rows that does not say why */
} tt_pane;

typedef struct tt_panes {
    tt_screen *screen;
    const tt_pane *spec;
    int n;
    bool all_workers; /* tables are about all workers, whichever is chosen */
    bool everything;  /* tables are about all that was opened, whatever is chosen */
    bool has_chart;   /* the screen draws something above that can have the focus */
    bool one;         /* only one table is shown, however much room there is */
    int n_open;       /* number of panes that can be reached, 0 = all */
    bool skips_empty; /* the focus begins on the first table with rows; not for tables whose rows follow a cursor */
    unsigned bare;    /* bit i: pane i has no pane of the selected row, the screen draws that itself */
    int first;        /* the pane to show while the chart has the focus, 0 = the first with rows */
    int focus;        /* index, or TT_PANE_CHART */
    tt_table_view *view[TT_MAX_PANES];
    struct {
        int y, h; /* lines of the pane in the last frame; h 0 = not shown */
    } place[TT_MAX_PANES];
    int tab_y;                   /* the line of names, -1 = none */
    int tab_x[TT_MAX_PANES + 1]; /* columns where the names begin */
} tt_panes;

/* spec: n panes, kept by the caller. The screen's state begins with the tt_panes. */
void tt_panes_open(tt_screen *s, const tt_pane *spec, int n, bool has_chart);
/* Replace the tables. A table that is in both lists keeps its state, and the focus. */
void tt_panes_change(tt_screen *s, const tt_pane *spec, int n);
/* Draw the tables on c; y0: where c begins on the screen's canvas. */
void tt_panes_draw(tt_panes *p, tt_canvas *c, int y0);
/* The chart has the focus. */
static inline bool tt_panes_on_chart(const tt_panes *p) { return p->focus == TT_PANE_CHART; }
int tt_panes_find_pane(const tt_panes *p, const char *table); /* index of the pane of a table, -1 = no pane shows it */
tt_table_view *tt_panes_view_of(tt_panes *p, int i);          /* the view of pane i */
tt_table_view *tt_panes_view(tt_panes *p); /* the view with the focus; the first one while the chart has it */

/* Members of tt_screen_ops. */
void tt_panes_close(tt_screen *s);
void tt_panes_scope(tt_screen *s);
void tt_panes_renew(tt_screen *s, int64_t shift);
void tt_panes_draw_all(tt_screen *s, tt_canvas *c); /* screens without a chart */
bool tt_panes_act(tt_screen *s, tt_action a);
tt_focus tt_panes_focus(const tt_screen *s); /* the table with the focus; the first one while the chart has it */
bool tt_panes_mouse(tt_screen *s, const tt_mouse *m);
void tt_panes_save(const tt_screen *s, tt_screen_place *p);
void tt_panes_restore(tt_screen *s, const tt_screen_place *p);

/* The tables as the focus of a screen; the object is a tt_panes. */
extern const tt_focus_ops tt_panes_focus_ops;
/* A focus that asks the screen's own functions first, then the tables. */
tt_focus tt_panes_focus_with(const tt_screen *s, const tt_focus_ops *own, tt_context keys);

#endif

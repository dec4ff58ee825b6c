/* tui/app/runs/run_page.h - the page that lists the runs below a folder.
 *
 * The program begins with it if no run was named; later it chooses another run. It replaces the screen; the search
 * and the facts of the runs come from run_scan.h. */
#ifndef TT_TUI_APP_RUNS_RUN_PAGE_H
#define TT_TUI_APP_RUNS_RUN_PAGE_H

#include "tui/widgets/canvas.h"
#include "tui/widgets/input.h"

typedef struct tt_app tt_app;

/* Show the page; the folder is searched anew. root: "" = the current folder. */
void tt_run_page_open(tt_app *a, const char *root);
void tt_run_page_draw(tt_app *a, tt_canvas *c);
/* Draw the lines above the page when no run is open: the folder that is listed, and the progress. */
void tt_run_page_draw_head(const tt_app *a, tt_canvas *c);
void tt_run_page_draw_keys(const tt_app *a, tt_canvas *c, int y);
bool tt_run_page_key(tt_app *a, tt_key k); /* false: the key is of those that always work */
void tt_run_page_mouse(tt_app *a, const tt_mouse *m);
void tt_run_page_filter(tt_app *a, const char *text);
bool tt_run_page_busy(const tt_app *a);
/* The run of the open list that a person names: as it is listed, else the only one that has the text in its name. Opens
 * it; a path that is no run of the list likewise; else the status line says why not. */
void tt_run_page_name(tt_app *a, const char *name);
/* The folder in which other runs are looked for beside the open one. */
void tt_run_page_root(const tt_app *a, char *out, size_t cap);

#endif

/* tui/app/runs/run_picker.h - the list of runs beside the open one, and `:diff`. */
#ifndef TT_TUI_APP_RUNS_RUN_PICKER_H
#define TT_TUI_APP_RUNS_RUN_PICKER_H

#include <stdbool.h>

typedef struct tt_app tt_app;

void tt_app_pick_run(tt_app *a);              /* Ask for the other run. */
bool tt_app_diff(tt_app *a, const char *arg); /* `:diff` */

#endif

/* tui/app/session/app_open.h - another run in the place of the open one, or the open one read again.
 *
 * The open run stays on the screen until the other one is there, and for good when that cannot be read. Read again, it
 * keeps everything a person has set up (tt_screen_ops.renew); another run keeps the screen only. */
#ifndef TT_TUI_APP_SESSION_APP_OPEN_H
#define TT_TUI_APP_SESSION_APP_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tt_app tt_app;

/* Read this run, and show it when it is there. */
void tt_app_open_run(tt_app *a, const char *source, const char *const *paths, uint32_t n);
void tt_app_close_runs(tt_app *a); /* Close the page of runs; what is still being read for it is dropped. */
void tt_app_reload(tt_app *a);
bool tt_app_may_reload(const tt_app *a); /* false: standard input cannot be read twice */
void tt_app_read_again(tt_app *a);       /* reload a run that grew: without a message, and Esc does not stop it */
void tt_app_opening_poll(tt_app *a);     /* when the loader has called: takes the run that is there */
/* How far reading is, for the status line; false: nothing is being read. */
bool tt_app_opening_text(const tt_app *a, char *out, size_t cap);
bool tt_app_opening_cancel(tt_app *a); /* false: nothing was being read */
void tt_app_opening_free(tt_app *a);
/* The run was opened: do what was waiting for it. */
void tt_app_opened(tt_app *a);
/* The run that was offered takes the place of the open one, with which it has nothing to do and which is not compared
 * any more; no job is busy with it. */
void tt_app_take_other(tt_app *a);
/* Two runs, of which `now` becomes the open one. */
void tt_app_compare_runs(tt_app *a, const char *base, const char *now);
void tt_app_open_recordings(tt_app *a, const uint32_t *traces, uint32_t n);

#endif

/* tui/app/session/app_compare.h - the base of a comparison: another run that is read beside the open one, or a part of
 * the open run.
 *
 * The open run is the new side. The application owns the base while a job or a screen may use it: a replaced base is
 * put aside, the screens are told (tt_screen_ops.scope), and it is freed when the worker is idle. */
#ifndef TT_TUI_APP_SESSION_APP_COMPARE_H
#define TT_TUI_APP_SESSION_APP_COMPARE_H

#include "tui/app/explore_options.h"
#include "tui/app/session/session_state.h"

typedef struct tt_app tt_app;

void tt_paths_set(tt_paths *l, const char *const *paths, uint32_t n); /* Replace the paths by copies of these. */

/* Take the options of comparison from the command line. */
void tt_app_base_begin(tt_app *a, const tt_explore_options *o);
/* Read another run and compare with it when it is read; the base before it stays until then. Without a terminal the
 * run is read on return. False: the run cannot be read, *err says why. */
bool tt_app_base_open(tt_app *a, const char *const *paths, uint32_t n, tt_err *err);
/* Like tt_app_base_open() for one path, and show the Compare tab; the status line says why a run cannot be read. */
void tt_app_open_base(tt_app *a, const char *path);
/* The loader has called: take the run that is read. False: the run that the command line named cannot be read, *err
 * says why. */
bool tt_app_base_poll(tt_app *a, tt_err *err);
/* Jobs may have ended: free the bases put aside, swap the sides that wait for it. */
void tt_app_base_settle(tt_app *a);
/* The session took the place of `old`, which is freed next. Call before screens are renewed. */
void tt_app_base_moved(tt_app *a, const tt_session *old, int64_t shift);
/* The scope was `before`: choose the same part of the base. */
void tt_app_base_follow(tt_app *a, const tt_scope *before);
void tt_app_base_stop(tt_app *a); /* Stop reading: the other run is not wanted any more. */
void tt_app_base_free(tt_app *a);
/* Take a word of `:diff` that says how to compare, such as skip=1; false: another word, or no such value. */
bool tt_app_compare_word(tt_comparison *c, const char *word);
bool tt_app_compare_key(const char *word); /* Whether the word begins as such a word does, with whatever value. */

/* tui/screen/host.h says what these functions mean. */
void tt_app_compare_parts(tt_app *a, const tt_scope *base, const tt_scope *now);
void tt_app_compare_how(tt_app *a, const tt_comparison *how);
void tt_app_swap_sides(tt_app *a);
void tt_app_compare_off(tt_app *a);
void tt_app_sides(const tt_app *a, char *base, char *now, size_t cap);

#endif

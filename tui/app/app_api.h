/* tui/app/app_api.h - what the explorer does for its parts. Parts call each other in circles by nature: a key opens the
 * command line, and a command presses keys. They meet here, in a header that no part owns: app.c has most of these
 * functions, app_draw.c, follow.c and files of prompt/ and runs/ have the rest. */
#ifndef TT_TUI_APP_APP_API_H
#define TT_TUI_APP_APP_API_H

#include "tui/app/explore_options.h"
#include "tui/app/state.h"

extern const tt_host_ops tt_app_host; /* the functions of host.c */

/* What host.c hands on: tui/screen/host.h says what each function means. */
bool tt_app_show(tt_app *a, const tt_show_target *to);
bool tt_app_show_tab(tt_app *a, const char *name);
void tt_app_push_jump(tt_app *a);
bool tt_app_jump_back(tt_app *a);
void tt_app_set_status(tt_app *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tt_app_set_scope(tt_app *a, const tt_scope *scope);
void tt_app_scope_text(const tt_app *a, char *out, size_t cap);
bool tt_app_keeps(const tt_app *a);
void *tt_app_foreseen(tt_app *a, const tt_screen *s);
void tt_app_wake(tt_app *a, int ms);
int64_t tt_app_now(const tt_app *a);
void tt_app_export_trace(tt_app *a, const char *verb, const tt_scope *scope, const char *path);
void tt_app_copy(tt_app *a, const char *text);
void tt_app_job(tt_app *a, void (*run)(void *arg), void (*done)(void *arg, tt_host *h), void *arg);
void tt_app_free_later(tt_app *a, void (*free_it)(void *p), void *p);

/* The open session, and the sessions that take its place (app_session.c). */

void tt_app_free_session(tt_app *a,
                         tt_session *s); /* Free a session beside the drawing thread (tt_app_free_later()). */
/* Take over the first and only session. */
void tt_app_set_session(tt_app *a, tt_session *s);
/* Take over a session that is shown when no job runs: a preview, or the whole trace (last). */
void tt_app_offer_session(tt_app *a, tt_session *s, bool last);
void tt_app_drop_pending(tt_app *a);  /* Drop the session that waits; does nothing where none waits. */
bool tt_app_adopt_session(tt_app *a); /* Jobs may have ended: show the session that waits. True = it is shown now. */
/* Choose the tabs by the session and what it is compared with. */
void tt_app_choose_tabs(tt_app *a);
/* Choose the first of several spans and workers, as a person would. */
void tt_app_first_scope(tt_app *a);
/* Close the screens whose places and marks belong to this session alone: another run takes its place. */
void tt_app_close_places(tt_app *a);
/* Renew the screens: the session stands in the place of `old` now. */
void tt_app_renew_screens(tt_app *a, tt_session *old);
/* Change *c, a scope of `old`, to the same part of `s`, whose times are `shift` later: by names of workers and
 * spans. */
void tt_app_move_scope(const tt_session *s, const tt_session *old, int64_t shift, tt_scope *c);
int32_t tt_name_index(char *const *names, uint32_t n,
                      const char *name); /* Index of a name; TT_ALL = none of them has it, or name is NULL */

/* The explorer itself. */

/* interactive: with a worker thread and a clock. */
tt_app *tt_app_new(bool interactive);
void tt_app_free(tt_app *a);
void tt_app_tell_scope(tt_app *a);       /* Tell every screen that scope, unit or comparison changed. */
void tt_app_push_jump_scoped(tt_app *a); /* Like tt_app_push_jump(); the scope comes back with the place. */
void tt_app_part_text(const tt_session *all, const tt_scope *s, char *out,
                      size_t cap); /* Words for a scope; "" = everything. */
void tt_app_open_screen(tt_app *a, int i);
void tt_app_draw(tt_app *a, tt_canvas *c);
void tt_app_key(tt_app *a, tt_key k, const tt_mouse *mouse);
void tt_app_act(tt_app *a, tt_action act);
void tt_app_prompt_key(tt_app *a, tt_key k); /* Give the prompt a key while it is open. */
/* Press several keys, written as in actions.def; "text" in double quotes is typed. Draws on c after each, as screens
 * expect. False = a name is no key. */
bool tt_app_keys(tt_app *a, const char *keys, tt_canvas *c);
/* Take over what the command line says; false: its tab does not exist. */
bool tt_app_begin(tt_app *a, const tt_explore_options *o);
/* Whether something lies over the screen and takes its keys (modal.c). */
bool tt_app_has_modal(const tt_app *a);
tt_screen *tt_app_current(tt_app *a);
tt_context tt_app_context(const tt_app *a); /* Keys that the current screen has. */
/* The first key of an action on this keyboard that the current screen uses for nothing else. */
void tt_app_key_of(const tt_app *a, const tt_action_info *info, char *out, size_t cap);
void tt_app_go(tt_app *a,
               int screen); /* Show a screen, and open it when needed; does nothing when there is no such screen. */
int tt_app_tab(const tt_app *a, const char *name);           /* Index of the tab with this name; -1 = there is none. */
int tt_app_index(const tt_app *a, const tt_screen_ops *ops); /* Index of a screen, which must be one of the list. */

/* Run a line of the command line (command_line.c). */
void tt_app_command(tt_app *a, const char *line);

#endif

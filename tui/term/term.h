/* tui/term/term.h - the terminal: keys in, canvases out. The only user of curses is behind it (tui/term/curses.c).
 *
 * One terminal per process. The terminal is given back by tt_term_close(), and also when the program crashes or runs
 * out of memory. All calls on the drawing thread. */
#ifndef TT_TUI_TERM_TERM_H
#define TT_TUI_TERM_TERM_H

#include "model/base/run/program.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/input.h"

typedef struct tt_term tt_term;

typedef struct tt_term_options {
    const char *color; /* as in tui/app/explore.h; NULL = auto */
    const char *unicode;
    bool no_mouse;
} tt_term_options;

/* What --color and --unicode mean here. is_tty: output goes to a terminal; colors: what it says it has. */
tt_level tt_term_level(const char *color, bool is_tty, int colors);
/* Set the locale as --unicode wants it; true = draw with ASCII stand-ins. */
bool tt_term_set_locale(const char *unicode);

/* Take the terminal over; NULL when there is none. Call tt_term_set_locale() before. */
tt_term *tt_term_open(const tt_term_options *o, bool ascii, tt_err *err);
void tt_term_close(tt_term *t); /* the screen is as it was before; t may be NULL */
/* The type that is drawn for instead of TERM's, which this system does not know; NULL: it knows it. */
const char *tt_term_stand_in(const tt_term *t);
int tt_term_fd(const tt_term *t); /* readable = keys */
tt_level tt_term_colours(const tt_term *t);
void tt_term_limit(tt_term *t, tt_level most); /* use no more colours than this, and than there are */
void tt_term_mouse(tt_term *t, bool on);
bool tt_term_poor_font(const tt_term *t);      /* has no blocks of one eighth of a cell: the Linux console */
void tt_term_size(tt_term *t, int *h, int *w); /* asks the system again: after SIGWINCH */
/* The next key that was pressed, TT_KEY_NONE when there is none now. Never waits (but for the rest of an escape
 * sequence). *mouse is filled for TT_KEY_MOUSE, in cells of the screen. */
tt_key tt_term_key(tt_term *t, tt_mouse *mouse);
bool tt_term_gone(const tt_term *t); /* the terminal hung up: leave */
/* Can a frame be sent without waiting? */
bool tt_term_writable(const tt_term *t);
/* Show the canvas; only what changed since the last frame is sent. */
void tt_term_present(tt_term *t, const tt_canvas *c, const tt_theme *theme);
void tt_term_redraw(tt_term *t); /* the next frame is sent whole */
/* Give the terminal back, stop the process group, take it again after SIGCONT. */
void tt_term_suspend(tt_term *t);
void tt_term_resume(tt_term *t); /* after a stop that came from outside: SIGCONT */
/* Lend the terminal to a program (model/base/run/program.h) until it ends, and take it again; when it stops (^Z) this
 * process stops, too. Its exit status, 128 + the signal that ended it; -1 = it does not start. */
int tt_term_run(tt_term *t, const char *name, const tt_argument *arguments, size_t n, tt_err *err);
void tt_term_title(tt_term *t, const char *text);     /* OSC 2; text is plain ASCII */
void tt_term_clipboard(tt_term *t, const char *text); /* OSC 52 */

#endif

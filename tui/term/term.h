/* tui/term/term.h - the terminal: keys in, canvases out. Only tui/term/curses.c uses curses.
 *
 * There is one terminal for each process. tt_term_close() gives it back; so does a crash or the end of memory. All
 * functions are for the drawing thread. */
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

/* The colours to use for --color. is_tty: the output is a terminal; colors: how many colours it says it has. */
tt_level tt_term_level(const char *color, bool is_tty, int colors);
/* Set the locale for --unicode; true = draw with ASCII stand-ins. */
bool tt_term_set_locale(const char *unicode);

/* Take the terminal over; NULL: there is none. Call tt_term_set_locale() first. */
tt_term *tt_term_open(const tt_term_options *o, bool ascii, tt_err *err);
void tt_term_close(tt_term *t); /* restore the screen; t may be NULL */
/* The terminal type used because this system has no description of TERM's; NULL: TERM's is used. */
const char *tt_term_stand_in(const tt_term *t);
int tt_term_fd(const tt_term *t); /* readable when a key waits */
tt_level tt_term_colours(const tt_term *t);
void tt_term_limit(tt_term *t, tt_level most); /* use at most this level of colours */
void tt_term_mouse(tt_term *t, bool on);
bool tt_term_poor_font(const tt_term *t);      /* the font lacks blocks of one eighth of a cell: the Linux console */
void tt_term_size(tt_term *t, int *h, int *w); /* ask the system for the size, after SIGWINCH */
/* The next key; TT_KEY_NONE when none waits. Never waits, except for the rest of an escape sequence. *mouse is
 * filled in for TT_KEY_MOUSE, in cells of the screen. */
tt_key tt_term_key(tt_term *t, tt_mouse *mouse);
bool tt_term_gone(const tt_term *t); /* the terminal hung up: the program has to end */
/* A frame can be sent without waiting. */
bool tt_term_writable(const tt_term *t);
/* Show the canvas; only changes since the last frame are sent. */
void tt_term_present(tt_term *t, const tt_canvas *c, const tt_theme *theme);
void tt_term_redraw(tt_term *t); /* send the next frame whole */
/* Give the terminal back, stop the process group, and take the terminal again after SIGCONT. */
void tt_term_suspend(tt_term *t);
void tt_term_resume(tt_term *t); /* after a stop from outside, at SIGCONT */
/* Lend the terminal to a program (model/base/run/program.h) until it ends, then take it again. When the program
 * stops (^Z), this process stops, too. Returns its exit status, 128 + N after signal N; -1 = it cannot be started. */
int tt_term_run(tt_term *t, const char *name, const tt_argument *arguments, size_t n, tt_err *err);
void tt_term_title(tt_term *t, const char *text);     /* set the title by OSC 2; text is plain ASCII */
void tt_term_clipboard(tt_term *t, const char *text); /* set the clipboard by OSC 52 */

#endif

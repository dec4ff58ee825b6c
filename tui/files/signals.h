/* tui/files/signals.h - the signals that end a program which does not take them: who has something to put back
 * before takes them all. */
#ifndef TT_TUI_FILES_SIGNALS_H
#define TT_TUI_FILES_SIGNALS_H

#include <stdbool.h>

typedef enum tt_signal_kind {
    TT_SIGNALS_CRASH, /* with a core dump: an error of the program, a limit, SIGQUIT */
    TT_SIGNALS_END,   /* the others, real-time signals too: somebody asks it to end, or a timer or pipe did */
} tt_signal_kind;

/* Install the handler (flags as of sigaction) for all signals of a kind. free_only: leave those that are ignored or
 * that have a handler already. Before or between threads; exec() undoes it. */
void tt_signals_take(tt_signal_kind kind, void (*handler)(int sig), int flags, bool free_only);
/* For the last line of a handler: end as if there were none. Async-signal-safe. */
void tt_signal_die(int sig);

#endif

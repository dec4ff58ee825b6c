/* tui/files/signals.h - the signals that end a program by default. Code that must clean up before the end handles
 * all of them. */
#ifndef TT_TUI_FILES_SIGNALS_H
#define TT_TUI_FILES_SIGNALS_H

#include <stdbool.h>

typedef enum tt_signal_kind {
    TT_SIGNALS_CRASH, /* end with a core dump: a fault of the program, a limit, SIGQUIT */
    TT_SIGNALS_END,   /* all others, with real-time signals: sent by a person, a timer or a closed pipe */
} tt_signal_kind;

/* Install the handler (flags as for sigaction()) for all signals of a kind. free_only: leave signals that are
 * ignored or handled already. Call it while no other thread runs; exec() undoes it. */
void tt_signals_take(tt_signal_kind kind, void (*handler)(int sig), int flags, bool free_only);
/* End the program as if the signal had no handler; the last call of a handler. Async-signal-safe. */
void tt_signal_die(int sig);

#endif

/* tui/files/signals.c - installs handlers for signals by their default action. */
#include "tui/files/signals.h"

#include <signal.h>
#include <stddef.h>

static const int crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ};
static const int end[] = {SIGHUP,  SIGINT,  SIGTERM,   SIGPIPE, SIGALRM, SIGUSR1,
                          SIGUSR2, SIGPOLL, SIGVTALRM, SIGPROF, SIGPWR,  SIGSTKFLT};

static void set_handler(int sig, const struct sigaction *sa, bool free_only)
{
    struct sigaction is;
    if (free_only && (sigaction(sig, NULL, &is) || (is.sa_flags & SA_SIGINFO) || is.sa_handler != SIG_DFL)) return;
    sigaction(sig, sa, NULL);
}

void tt_signals_take(tt_signal_kind kind, void (*handler)(int sig), int flags, bool free_only)
{
    struct sigaction sa = {.sa_handler = handler, .sa_flags = flags};
    const int *list = kind == TT_SIGNALS_CRASH ? crash : end;
    size_t n = kind == TT_SIGNALS_CRASH ? sizeof crash / sizeof *crash : sizeof end / sizeof *end;
    for (size_t i = 0; i < n; i++) set_handler(list[i], &sa, free_only);
    for (int sig = SIGRTMIN; kind == TT_SIGNALS_END && sig <= SIGRTMAX; sig++) set_handler(sig, &sa, free_only);
}

void tt_signal_die(int sig)
{
    struct sigaction dfl = {.sa_handler = SIG_DFL};
    sigset_t one;
    sigaction(sig, &dfl, NULL);
    sigemptyset(&one);
    sigaddset(&one, sig);
    raise(sig);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL); /* the signal is blocked while its handler runs */
}

/* tui/record/record_live.c - see record_live.h. */
#include "tui/record/record_live.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/text/text_safety.h"

enum { LINES = 10, TAIL_BYTES = 16384 };
enum { BEFORE, READY, GONE }; /* state of the screen: not wanted yet; wanted or shown; closed */

struct tt_live_shared {
    _Atomic int screen;
    char dir[512];
};

static const struct timespec nap = {0, TT_RECORD_POLL_MS * 1000000};

/* ---- the process with the terminal ---- */

static volatile sig_atomic_t got; /* signal that would end this process, to be passed to the command */

/* Remember a signal that a process sent; signals from the keyboard reach the child by themselves. */
static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code <= 0) got = sig;
}

static void pass_on(pid_t child)
{
    int sig = got;
    got = 0;
    if (sig) kill(child, sig);
}

/* Wait until the child wants its screen. False: the child has ended. */
static bool await_screen(const tt_live_shared *shared, pid_t child, int *status)
{
    while (atomic_load(&shared->screen) == BEFORE) {
        pass_on(child);
        if (waitpid(child, status, WNOHANG) == child) return false;
        nanosleep(&nap, NULL);
    }
    return true;
}

static int status_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

static int supervise(tt_live_shared *shared, pid_t child, const tt_record_views *views)
{
    static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    const struct sigaction pass = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    int status = 0;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) sigaction(passed[i], &pass, NULL);
    if (await_screen(shared, child, &status)) {
        const char *dir = shared->dir;
        tt_cli show = {.command = TT_CMD_EXPLORE, .args = &dir, .n_args = 1};
        show.value[TT_OPT_FOLLOW] = "1";
        int shown = views->explore(&show);
        if (shown > 128) kill(child, shown - 128); /* a signal ended the screen: pass it to the recording */
        atomic_store(&shared->screen, GONE);
        while (waitpid(child, &status, 0) != child) {
            if (errno != EINTR) return TT_RECORD_CANNOT;
            pass_on(child);
        }
    }
    return status_of(status);
}

int tt_live_begin(const tt_cli *cli, const tt_record_views *views, tt_live *live)
{
    *live = (tt_live){.terminal = -1, .held = -1};
    if (!cli->value[TT_OPT_LIVE]) return -1;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return tt_record_refuse("--live needs a terminal; without it one line says how the recording goes");
    void *shared = mmap(NULL, sizeof *live->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t us = getpid(), child = shared == MAP_FAILED ? -1 : fork();
    if (child < 0) return tt_record_refuse("--live: no process or memory for it; leave it out");
    if (child) return supervise(shared, child, views);
    live->shared = shared;
    live->parent = us;
    return -1;
}

/* ---- the process that records ---- */

void tt_live_prepare(tt_live *live, tt_launch *l)
{
    if (!live->shared) return;
    snprintf(live->output, sizeof live->output, l->rank < 0 ? "%s/output.txt" : "%s/output-rank%ld.txt", l->dir,
             l->rank);
    l->output = live->output;
}

void tt_live_show(tt_live *live, const tt_launch *l)
{
    if (!live->shared) return;
    live->held = memfd_create("tracetty", MFD_CLOEXEC);
    live->terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (live->held >= 0 && live->terminal >= 0) dup2(live->held, STDERR_FILENO);
    snprintf(live->shared->dir, sizeof live->shared->dir, "%s", l->dir);
    atomic_store(&live->shared->screen, READY);
}

static void say_held(tt_live *live)
{
    char text[4096];
    fflush(stderr);
    dup2(live->terminal, STDERR_FILENO);
    off_t at = 0;
    for (ssize_t n; (n = pread(live->held, text, sizeof text, at)) > 0; at += n) {
        if (write(STDERR_FILENO, text, (size_t)n) < 0) break;
    }
    close(live->held);
    close(live->terminal);
    live->held = live->terminal = -1;
}

void tt_live_look(tt_live *live, bool wait)
{
    if (!live->shared || live->held < 0) return;
    bool gone;
    while (!(gone = atomic_load(&live->shared->screen) == GONE || getppid() != live->parent) && wait)
        nanosleep(&nap, NULL);
    if (gone) say_held(live);
}

/* Index at which the last lines begin. */
static size_t last_lines(const char *text, size_t n)
{
    size_t at = n && text[n - 1] == '\n' ? n - 1 : n;
    for (int lines = 0; at > 0; at--) {
        if (text[at - 1] == '\n' && ++lines == LINES) break;
    }
    return at;
}

void tt_live_end(tt_live *live, const tt_cli *cli)
{
    char text[TAIL_BYTES], safe[TAIL_BYTES * 4];
    struct stat st;
    if (!live->shared || cli->value[TT_OPT_QUIET]) return;
    int fd = open(live->output, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n = 0;
    if (fd >= 0 && !fstat(fd, &st) && st.st_size)
        n = pread(fd, text, sizeof text, st.st_size > TAIL_BYTES ? st.st_size - TAIL_BYTES : 0);
    if (fd >= 0) close(fd);
    if (n <= 0) return;
    size_t from = last_lines(text, (size_t)n), end;
    tt_note("what the command printed is in %s; its end:", live->output);
    for (; from < (size_t)n; from = end + 1) {
        const char *stop = memchr(text + from, '\n', (size_t)n - from);
        end = stop ? (size_t)(stop - text) : (size_t)n;
        tt_sanitize_term(safe, sizeof safe, text + from, end - from);
        fprintf(stderr, "%s\n", safe);
    }
}

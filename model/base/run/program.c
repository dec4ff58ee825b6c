/* model/base/run/program.c - see program.h. */
#include "model/base/run/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/mem.h"

enum {
    PATH_BYTES = 4096,
    CLOSE_AT_EXEC = 1 << 2, /* CLOSE_RANGE_CLOEXEC, which old headers lack */
    CLOSED_MOST = 1 << 16,  /* descriptors that are marked one by one where close_range() cannot do it (Linux < 5.11) */
    CANNOT_RUN = 127
};

bool tt_program_find(const char *name, char *out, size_t cap)
{
    const char *path = getenv("PATH"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
    for (const char *p = path ? path : "/usr/bin:/bin"; *p; p += strspn(p, ":")) {
        size_t n = strcspn(p, ":");
        struct stat st;
        int len = snprintf(out, cap, "%.*s/%s", (int)n, p, name);
        if (*p == '/' && len > 0 && (size_t)len < cap && access(out, X_OK) == 0 && stat(out, &st) == 0 &&
            S_ISREG(st.st_mode))
            return true;
        p += n;
    }
    return false;
}

/* ---- arguments ---- */

static tt_status add_argument(const tt_argument *a, tt_arena *to, char **out, tt_err *err)
{
    char *whole = a->path ? realpath(a->path, NULL) : NULL;
    if (a->path && !whole) return tt_fail(err, TT_ERR_INPUT, -1, "%s: %s", a->path, strerror(errno));
    *out = tt_arena_printf(to, "%s%s%s", a->text ? a->text : "", whole ? whole : "", a->tail ? a->tail : "");
    free(whole);
    return TT_OK;
}

/* The argument vector; its first word is the path of the program. */
static tt_status make_vector(const tt_program *p, tt_arena *to, char ***out, tt_err *err)
{
    char found[PATH_BYTES];
    bool named = strchr(p->name, '/') != NULL;
    char **argv = tt_arena_alloc(to, (p->n_arguments + 2) * sizeof *argv);
    if (!named && !tt_program_find(p->name, found, sizeof found))
        return tt_fail(err, TT_ERR_USAGE, -1, "cannot run %s: it is not on the PATH", p->name);
    argv[0] = tt_arena_printf(to, "%s", named ? p->name : found);
    for (size_t i = 0; i < p->n_arguments; i++) TT_TRY(add_argument(&p->arguments[i], to, &argv[i + 1], err));
    argv[p->n_arguments + 1] = NULL;
    *out = argv;
    return TT_OK;
}

/* ---- between vfork and exec: only calls that a signal handler may make, since other threads may hold locks ---- */

typedef struct start {
    const tt_program *program;
    char *const *argv;
    pid_t parent;
    int tell; /* write end of a pipe for the errno of a failure; exec closes it */
} start;

static bool set_descriptors(const tt_program *p)
{
    int from[TT_PROGRAM_DESCRIPTORS], last = TT_PROGRAM_DESCRIPTORS - 1;
    for (int i = 0; i <= last; i++) { /* move the descriptors out of the way of the numbers that they will get */
        int fd = p->descriptors[i], null = -1;
        if (fd < 0 && i != last) fd = null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        from[i] = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, TT_PROGRAM_DESCRIPTORS);
        if (from[i] < 0 && (i != last || fd >= 0)) return false;
        if (null >= 0) close(null);
    }
    for (int i = 0; i <= last; i++) {
        if (from[i] >= 0 && dup2(from[i], i) < 0) return false;
    }
    return true;
}

/* Mark the other descriptors to be closed at exec, so that a failure can still be reported. */
static void close_others(unsigned first)
{
#ifdef SYS_close_range
    if (!syscall(SYS_close_range, first, ~0u, CLOSE_AT_EXEC)) return;
#endif
    long n = sysconf(_SC_OPEN_MAX);
    for (int fd = (int)first; fd < (n > 0 && n < CLOSED_MOST ? n : CLOSED_MOST); fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void reset_signals(void)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int s = 1; s < NSIG; s++) sigaction(s, &plain, NULL);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

__attribute__((noreturn, noinline)) static void become(const start *s)
{
    const tt_program *p = s->program;
    int last = TT_PROGRAM_DESCRIPTORS - 1, tell = fcntl(s->tell, F_DUPFD_CLOEXEC, TT_PROGRAM_DESCRIPTORS);
    reset_signals();
    if (p->apart) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != s->parent) _exit(CANNOT_RUN);
        setpgid(0, 0);
    }
    if (set_descriptors(p)) {
        close_others((unsigned)(p->descriptors[last] < 0 ? last : last + 1));
        execv(s->argv[0], s->argv);
    }
    int why = errno;
    if (write(tell, &why, sizeof why) < 0) {} /* the parent sees no errno then, and exit status CANNOT_RUN */
    _exit(CANNOT_RUN);
}

/* vfork(): a loaded trace takes gigabytes, whose page tables fork() would copy, and fork() fails where memory is not
 * overcommitted. All signals are blocked meanwhile, since our handlers would run in the child, on our memory. */
static pid_t start_child(const start *s)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t pid = vfork();
    if (pid == 0) become(s);
    int why = errno;
    if (pid > 0 && s->program->apart)
        setpgid(pid, pid); /* under a sanitizer vfork() is a fork(): whichever process comes first sets the group */
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = why;
    return pid;
}

/* 0, or the errno of what failed before or at exec. */
static int start_and_wait(start *s, pid_t *pid)
{
    int ends[2], why = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    s->tell = ends[1];
    *pid = start_child(s);
    if (*pid < 0) why = errno;
    close(ends[1]);
    while (*pid > 0 && read(ends[0], &why, sizeof why) < 0 && errno == EINTR) {}
    close(ends[0]);
    if (!why) return 0;
    if (*pid > 0) waitpid(*pid, NULL, 0);
    *pid = -1;
    return why;
}

tt_status tt_program_start(const tt_program *p, pid_t *pid, tt_err *err)
{
    tt_arena words = {0};
    start s = {.program = p, .parent = getpid()};
    char **argv = NULL;
    *pid = -1;
    tt_status st = make_vector(p, &words, &argv, err);
    if (st == TT_OK) {
        s.argv = argv;
        int why = start_and_wait(&s, pid);
        if (why) st = tt_fail(err, TT_ERR_USAGE, -1, "cannot run %s: %s", p->name, strerror(why));
    }
    tt_arena_free(&words);
    return st;
}

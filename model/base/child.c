/* model/base/child.c - see child.h. */
#include "model/base/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 100,
    GRACE_LOOKS = 20, /* between asking it to end and ending it */
    LEFT_READS = 128  /* when it has ended: more than a pipe holds */
};

/* Between fork and exec: nothing but calls that a handler of signals may make. */
static void become(const char *const *argv, int to, pid_t parent)
{
    int null = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* when this thread ends */
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);
    if (null >= 0) dup2(null, STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    execv(argv[0], (char *const *)(const void *)argv); /* it takes no const, and changes nothing */
    _exit(127);
}

bool tt_child_start(tt_child *c, const char *const *argv)
{
    int ends[2];
    sigset_t all, old;
    *c = (tt_child){.pid = -1, .from = -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    pid_t parent = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); /* no handler of ours runs in the child */
    c->pid = fork();
    if (c->pid == 0) {
        struct sigaction plain = {.sa_handler = SIG_DFL};
        for (int s = 1; s < NSIG; s++) sigaction(s, &plain, NULL);
        sigemptyset(&all);
        pthread_sigmask(SIG_SETMASK, &all, NULL);
        become(argv, ends[1], parent);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    close(ends[1]);
    if (c->pid < 0) {
        close(ends[0]);
        return false;
    }
    setpgid(c->pid, c->pid); /* here too: whoever comes first */
    c->from = ends[0];
    return true;
}

bool tt_child_listen(tt_child *c, int ms)
{
    char buf[1024];
    struct pollfd p = {.fd = c->from, .events = POLLIN};
    if (poll(&p, 1, ms) <= 0) return false;
    ssize_t got = read(c->from, buf, sizeof buf);
    if (got <= 0) {
        const struct timespec wait = {ms / 1000, ms % 1000 * 1000000L};
        nanosleep(&wait, NULL); /* it closed its output, and goes on */
        return false;
    }
    for (ssize_t i = 0; i < got; i++) {
        if (c->n == TT_CHILD_WORDS) memmove(c->words, c->words + 1, --c->n);
        c->words[c->n++] = buf[i];
    }
    c->words[c->n] = 0;
    return true;
}

bool tt_child_over(tt_child *c, int *status)
{
    int how;
    if (waitpid(c->pid, &how, WNOHANG) != c->pid) return false;
    for (int i = 0; i < LEFT_READS && tt_child_listen(c, LOOK_MS); i++) {} /* what it left running may go on talking */
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return true;
}

void tt_child_end(tt_child *c)
{
    const struct timespec wait = {.tv_nsec = LOOK_MS * 1000000L};
    kill(-c->pid, SIGTERM);
    for (int i = 0; i < GRACE_LOOKS; i++) {
        if (waitpid(c->pid, NULL, WNOHANG) != 0) return;
        nanosleep(&wait, NULL);
    }
    kill(-c->pid, SIGKILL);
    waitpid(c->pid, NULL, 0);
}

void tt_child_close(tt_child *c)
{
    if (c->from >= 0) close(c->from);
    c->from = -1;
}

const char *tt_child_last_line(tt_child *c)
{
    while (c->n && strchr("\r\n ", c->words[c->n - 1])) c->words[--c->n] = 0;
    const char *line = strrchr(c->words, '\n');
    return line ? line + 1 : c->words;
}

/* model/base/run/child.c - see child.h. */
#include "model/base/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 100,
    GRACE_LOOKS = 20, /* looks between asking the program to end and killing it */
    LEFT_READS = 128  /* most reads after it has ended: more than a pipe holds */
};

tt_status tt_child_start(tt_child *c, const char *name, const tt_argument *arguments, size_t n, int kept, tt_err *err)
{
    int ends[2];
    *c = (tt_child){.pid = -1, .from = -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return tt_fail(err, TT_ERR_USAGE, -1, "cannot run %s: %s", name, strerror(errno));
    const tt_program program = {.name = name,
                                .arguments = arguments,
                                .n_arguments = n,
                                .descriptors = {-1, ends[1], ends[1], kept},
                                .apart = true};
    tt_status st = tt_program_start(&program, &c->pid, err);
    close(ends[1]);
    if (st == TT_OK)
        c->from = ends[0];
    else
        close(ends[0]);
    return st;
}

bool tt_child_listen(tt_child *c, int ms)
{
    char buf[1024];
    struct pollfd p = {.fd = c->from, .events = POLLIN};
    if (poll(&p, 1, ms) <= 0) return false;
    ssize_t got = read(c->from, buf, sizeof buf);
    if (got <= 0) {
        const struct timespec wait = {ms / 1000, ms % 1000 * 1000000L};
        nanosleep(&wait, NULL); /* the program closed its output and goes on */
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
    for (int i = 0; i < LEFT_READS && tt_child_listen(c, LOOK_MS); i++) {
    } /* processes that it left running may go on writing */
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

/* parser/input/tool.c - see tool.h. */
#include "parser/input/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 100,
    IDLE_SECONDS = 300, /* without a word, and without a byte written: it hangs */
    GRACE_LOOKS = 20,   /* between asking it to end and ending it */
    LEFT_READS = 128,   /* when it has ended: more than a pipe holds */
    WORDS = 400         /* of its last words */
};

bool tt_tool_find(const char *name, char *out, size_t cap)
{
    const char *path = getenv("PATH"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
    for (const char *p = path ? path : ""; *p; p += strspn(p, ":")) {
        size_t n = strcspn(p, ":");
        struct stat st;
        int len = snprintf(out, cap, "%.*s/%s", (int)n, p, name);
        /* not the folder that one is in by chance: an absolute path */
        if (*p == '/' && len > 0 && (size_t)len < cap && access(out, X_OK) == 0 && stat(out, &st) == 0 &&
            S_ISREG(st.st_mode))
            return true;
        p += n;
    }
    return false;
}

bool tt_is_nsys_report(const char *path)
{
    static const char magic[] = "NVIDIA Tegra Profiler Report ";
    char head[sizeof magic - 1];
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return false;
    bool is = read(fd, head, sizeof head) == (ssize_t)sizeof head && !memcmp(head, magic, sizeof head);
    close(fd);
    return is;
}

void tt_exported_remove(tt_exported *e)
{
    char path[512];
    DIR *d = *e->folder ? opendir(e->folder) : NULL;
    for (struct dirent *f; d && (f = readdir(d)) != NULL;) {
        if (!strcmp(f->d_name, ".") || !strcmp(f->d_name, "..")) continue;
        if (snprintf(path, sizeof path, "%s/%s", e->folder, f->d_name) < (int)sizeof path) unlink(path);
    }
    if (d) closedir(d);
    if (*e->folder) rmdir(e->folder);
    *e = (tt_exported){0};
}

/* ---- running it ---- */

typedef struct run {
    pid_t child;
    int from; /* what it says */
    char words[WORDS + 1];
    size_t n;
} run;

/* Between fork and exec: nothing but calls that a handler of signals may make. */
static void become(const char *tool, const char *const *argv, int to, pid_t parent)
{
    int null = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* when this thread ends */
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);
    if (null >= 0) dup2(null, STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    execv(tool, (char *const *)(uintptr_t)argv); /* it takes no const, and changes nothing */
    _exit(127);
}

static bool start(run *r, const char *tool, const char *const *argv)
{
    int ends[2];
    sigset_t all, old;
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    pid_t parent = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); /* no handler of ours runs in the child */
    r->child = fork();
    if (r->child == 0) {
        struct sigaction plain = {.sa_handler = SIG_DFL};
        for (int s = 1; s < NSIG; s++) sigaction(s, &plain, NULL);
        sigemptyset(&all);
        pthread_sigmask(SIG_SETMASK, &all, NULL);
        become(tool, argv, ends[1], parent);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    close(ends[1]);
    r->from = ends[0];
    if (r->child < 0) close(ends[0]);
    return r->child >= 0;
}

/* Keeps the end of what it says. False: nothing came. */
static bool listen_to(run *r)
{
    char buf[1024];
    struct pollfd p = {.fd = r->from, .events = POLLIN};
    if (poll(&p, 1, LOOK_MS) <= 0) return false;
    ssize_t got = read(r->from, buf, sizeof buf);
    if (got <= 0) {
        const struct timespec wait = {.tv_nsec = LOOK_MS * 1000000L};
        nanosleep(&wait, NULL); /* it closed its output, and goes on */
        return false;
    }
    for (ssize_t i = 0; i < got; i++) {
        if (r->n == WORDS) memmove(r->words, r->words + 1, --r->n);
        r->words[r->n++] = buf[i];
    }
    r->words[r->n] = 0;
    return true;
}

static void finish(run *r)
{
    const struct timespec wait = {.tv_nsec = LOOK_MS * 1000000L};
    kill(-r->child, SIGTERM);
    for (int i = 0; i < GRACE_LOOKS; i++) {
        if (waitpid(r->child, NULL, WNOHANG) != 0) return;
        nanosleep(&wait, NULL);
    }
    kill(-r->child, SIGKILL);
    waitpid(r->child, NULL, 0);
}

static off_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_size : 0;
}

/* Waits for its end: the exit status, -1 = it was ended because it did nothing, -2 = *stop was set. */
static int wait_for(run *r, const char *output, const _Atomic bool *stop)
{
    int status;
    off_t size = 0;
    time_t active = time(NULL);
    for (;;) {
        bool said = listen_to(r);
        pid_t done = waitpid(r->child, &status, WNOHANG);
        if (done == r->child) {
            for (int i = 0; i < LEFT_READS && listen_to(r); i++) {} /* what it left running may go on talking */
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        off_t now = size_of(output);
        if (said || now != size) active = time(NULL);
        size = now;
        bool stopped = stop && atomic_load(stop);
        if (stopped || time(NULL) - active > IDLE_SECONDS) {
            finish(r);
            return stopped ? -2 : -1;
        }
    }
}

/* Its last line, for a message. */
static const char *last_line(run *r)
{
    while (r->n && strchr("\r\n ", r->words[r->n - 1])) r->words[--r->n] = 0;
    const char *line = strrchr(r->words, '\n');
    return line ? line + 1 : r->words;
}

static tt_status make_folder(tt_exported *out, tt_err *err)
{
    const char *tmp = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
    if (!tmp || *tmp != '/' || strlen(tmp) > 200) tmp = "/tmp";
    snprintf(out->folder, sizeof out->folder, "%s/tracetty-nsys-XXXXXX", tmp);
    if (!mkdtemp(out->folder)) {
        int why = errno;
        *out->folder = 0;
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: a folder for the export cannot be made: %s; set TMPDIR to one", tmp,
                       strerror(why));
    }
    snprintf(out->path, sizeof out->path, "%s/report.sqlite", out->folder);
    return TT_OK;
}

static tt_status explain(run *r, const char *report, int status, tt_err *err)
{
    if (status == -2) return tt_fail(err, TT_ERR_CANCELLED, -1, "%s: cancelled", report);
    if (status == -1)
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: nsys export wrote and said nothing for %d seconds, and was ended; run it yourself and open "
                       "the database",
                       report, IDLE_SECONDS);
    if (!status) return tt_fail(err, TT_ERR_INPUT, -1, "%s: nsys export wrote no database; run it yourself", report);
    const char *line = last_line(r);
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: nsys export failed with status %d%s%.300s%s; run it yourself to see why",
                   report, status, *line ? ": '" : "", line, *line ? "'" : "");
}

tt_status tt_nsys_export(const char *report, const _Atomic bool *stop, tt_exported *out, tt_err *err)
{
    char tool[512];
    run r = {.child = -1};
    *out = (tt_exported){0};
    if (!tt_tool_find("nsys", tool, sizeof tool))
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: --nsys-export needs nsys, which is not on the PATH; install Nsight Systems, or export the "
                       "report where it was recorded",
                       report);
    TT_TRY(make_folder(out, err));
    char *resolved = realpath(report, NULL); /* a name that begins with - would be an option */
    const char *const argv[] = {tool, "export", "--type", "sqlite", "--output", out->path, resolved ? resolved : report,
                                NULL};
    tt_status st = TT_OK;
    if (!start(&r, tool, argv)) {
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: nsys cannot be started: %s", report, strerror(errno));
    } else {
        int status = wait_for(&r, out->path, stop);
        close(r.from);
        if (status || !size_of(out->path)) st = explain(&r, report, status, err);
    }
    free(resolved);
    if (st != TT_OK) tt_exported_remove(out);
    return st;
}

/* capture/launcher/launch.c - starts the recorded command: directory, control file, environment, fork, exec, signals.
 * See launch.h. */
#include "capture/launcher/launch.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/shared/ranks.h"

#ifndef TT_LIBRARY_PLACE
#define TT_LIBRARY_PLACE "/../lib/tracetty" /* path from the program's folder to LIBDIR of the Makefile */
#endif

enum { SIGNALS = 64 };
static volatile sig_atomic_t caught[SIGNALS + 1]; /* received signals to forward, by number */
static volatile sig_atomic_t interrupts;          /* number of SIGINT received, from any sender */

/* ---- names ---- */

static bool readable(const char *path) { return access(path, R_OK) == 0; }

bool tt_program_folder(char *out, size_t cap)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    char *slash = strrchr(exe, '/');
    if (slash) *slash = 0;
    return slash && (size_t)snprintf(out, cap, "%s", exe) < cap;
}

bool tt_find_library(char *out, size_t cap)
{
    static const char *const places[] = {
        "", "/build", TT_LIBRARY_PLACE, "/../lib/tracetty", "/../libexec/tracetty", "/../lib", "/.."};
    char exe[PATH_MAX];
    const char *env = getenv("TRACETTY_CAPTURE_LIB");
    if (env && *env) {
        snprintf(out, cap, "%s", env);
        return readable(out);
    }
    if (!tt_program_folder(exe, sizeof exe)) return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[PATH_MAX + 64], *whole;
        snprintf(path, sizeof path, "%s%s/libtracetty_capture.so", exe, places[i]);
        if (!readable(path) || !(whole = realpath(path, NULL))) continue;
        bool fits = (size_t)snprintf(out, cap, "%s", whole) < cap;
        free(whole);
        return fits;
    }
    return false;
}

bool tt_try_library(const char *path, char *why, size_t cap)
{
    static const char *const entries[] = {"InitializeInjection", "InitializeInjectionNvtx2", "InitializeInjectionNvtx",
                                          "tracetty_version"};
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib) {
        snprintf(why, cap, "%s: cannot be loaded here: %s", path, dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (dlsym(lib, entries[i])) continue;
        snprintf(why, cap, "%s: it has no %s, so it is not the recorder of this version", path, entries[i]);
        return false;
    }
    return true;
}

void tt_expand_output(const char *pattern, char *out, size_t cap)
{
    char text[512], host[64] = "host";
    size_t n = 0;
    long rank = tt_rank();
    gethostname(host, sizeof host - 1);
    for (const char *p = pattern; *p && n + 70 < sizeof text; p++) {
        if (*p != '%' || !p[1]) {
            text[n++] = *p;
            continue;
        }
        p++;
        switch (*p) {
        case 'h': n += (size_t)snprintf(text + n, sizeof text - n, "%s", host); break;
        case 'p': n += (size_t)snprintf(text + n, sizeof text - n, "%ld", (long)getpid()); break;
        case 'r': n += (size_t)snprintf(text + n, sizeof text - n, "%ld", rank < 0 ? 0 : rank); break;
        case '%': n += (size_t)snprintf(text + n, sizeof text - n, "%%%%"); break;
        default: /* a letter for strftime() */ text[n++] = '%'; text[n++] = *p;
        }
    }
    text[n] = 0;
    time_t now = time(NULL);
    struct tm tm;
    localtime_r(&now, &tm);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (!strftime(out, cap, text, &tm)) snprintf(out, cap, "%s", text);
#pragma GCC diagnostic pop
}

/* ---- directory and control file ---- */

static int64_t clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Ranks that are each started by their own `record` share the directory but not the control file: they may run on
 * different machines. */
static void control_of(const char *dir, long rank, char *out, size_t cap)
{
    if (rank < 0) {
        snprintf(out, cap, "%s/" TT_CONTROL_FILE, dir);
    } else {
        snprintf(out, cap, "%s/" TT_CONTROL_FILE "-rank%ld", dir, rank);
    }
}

/* Tell readers of the recording that processes may still come, or (ended) that the recording is complete. */
static void write_launcher_record(tt_launch *l, bool ended)
{
    int64_t mono = clock_ns(CLOCK_MONOTONIC);
    tt_control_record r = {
        .kind = TT_CONTROL_LAUNCHER,
        .id = (uint64_t)getpid(),
        .launcher = {.pid = (uint32_t)getpid(), .ended = ended, .started = mono + l->set.clock_offset}};
    gethostname(r.launcher.host, sizeof r.launcher.host - 1);
    tt_control_write(&l->control, &r, &l->told_at);
}

bool tt_launch_make_folders(const char *dir, bool *made)
{
    char path[PATH_MAX];
    *made = false;
    if ((size_t)snprintf(path, sizeof path, "%s", dir) >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = 0;
        if (mkdir(path, 0777) && errno != EEXIST) return false;
    }
    *made = !mkdir(path, 0777);
    return *made || errno == EEXIST;
}

bool tt_launch_prepare(tt_launch *l, const char *dir, const tt_capture_settings *set, bool force, char *why, size_t cap)
{
    char path[640], *whole;
    *l = (tt_launch){
        .child = -1, .rank = tt_world_size() > 1 ? tt_rank() : -1, .set = *set, .control = {.file = {.fd = -1}}};
    bool made;
    if (!tt_launch_make_folders(dir, &made)) {
        snprintf(why, cap, "%s: the directory cannot be made: %s", dir, strerror(errno));
        return false;
    }
    control_of(dir, l->rank, path, sizeof path);
    if (!force && access(path, F_OK) == 0) {
        snprintf(why, cap, "%s: holds a recording already; choose another --output, or add --force", dir);
        return false;
    }
    if (!(whole = realpath(dir, NULL)) || strlen(whole) >= sizeof l->dir) {
        snprintf(why, cap, "%s: the path is too long", dir);
        free(whole);
        return false;
    }
    memcpy(l->dir, whole, strlen(whole) + 1);
    free(whole);
    control_of(l->dir, l->rank, path, sizeof path);
    unlink(path); /* unlink, as a process of an older recording may still use the file */
    l->set.clock_offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
    bool good = tt_control_create(&l->control, path, &l->set, why, cap);
    if (!good && made) rmdir(l->dir);
    if (good) write_launcher_record(l, false);
    return good;
}

void tt_launch_look(tt_launch *l) { tt_control_read(&l->control, &l->totals); }

/* ---- environment ---- */

static const char *const variables[] = {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"};

const char *tt_launch_holder(void)
{
    for (size_t i = 0; i < 2; i++) {
        const char *v = getenv(variables[i]);
        if (v && *v) return variables[i];
    }
    return NULL;
}

bool tt_launch_environment(const tt_launch *l, const char *python_path)
{
    bool good = true;
    for (size_t i = 0; i < 2; i++) good &= !setenv(variables[i], l->capture_path, 1);
    char control[640];
    control_of(l->dir, l->rank, control, sizeof control);
    good &= !setenv(TT_CONTROL_ENV, l->rank < 0 ? l->dir : control, 1);
    good &= !setenv("TRACETTY_CAPTURE_LIB", l->capture_path, 1);
    if (l->set.traces >> TT_TRACE_NCCL & 1) good &= !setenv(TT_NCCL_ENV, l->capture_path, 0);
    if (python_path) {
        char text[PATH_MAX * 2];
        const char *old = getenv("PYTHONPATH");
        snprintf(text, sizeof text, "%s%s%s", python_path, old && *old ? ":" : "", old ? old : "");
        good &= !setenv("PYTHONPATH", text, 1);
    }
    return good;
}

/* ---- the command ---- */

/* SIGXFSZ comes from the kernel when a file of ours exceeds a limit: caught, it makes the write fail instead of ending
 * us. */
static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXFSZ};

static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)context;
    /* the terminal signals the command too: forward only signals sent by kill() */
    bool from_terminal = info->si_code > 0;
    if (sig > 0 && sig <= SIGNALS && !from_terminal) caught[sig]++;
    if (sig == SIGINT) interrupts++;
}

/* even_ignored: also if the signal is ignored, as by nohup. */
static void catch_one(int sig, bool even_ignored)
{
    const struct sigaction own = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigaction old;
    bool ignored = !sigaction(sig, NULL, &old) && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_IGN;
    if (!ignored || even_ignored) sigaction(sig, &own, NULL);
}

void tt_launch_catch(void)
{
    /* signals ignored by nohup stay ignored, here and in the command */
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) catch_one(passed_on[i], passed_on[i] == SIGUSR2);
}

void tt_launch_release(void)
{
    struct sigaction now;
    for (int sig = 1; sig <= SIGNALS; sig++) {
        bool ours = !sigaction(sig, NULL, &now) && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_signal;
        if (ours) signal(sig, SIG_DFL);
    }
}

unsigned tt_launch_interrupts(void) { return (unsigned)interrupts; }

bool tt_launch_terminated(void) { return caught[SIGTERM] || caught[SIGHUP] || caught[SIGQUIT]; }

/* In the child: redirect output to a file, as the terminal belongs to a screen. */
static void redirect(const char *output)
{
    int in = open("/dev/null", O_RDONLY), out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
        _exit(125);
    if (in > STDERR_FILENO) close(in);
    if (out > STDERR_FILENO) close(out);
}

bool tt_launch_start(tt_launch *l, char *const *argv, char *why, size_t cap)
{
    int started[2];
    if (pipe2(started, O_CLOEXEC)) {
        snprintf(why, cap, "no pipe: %s", strerror(errno));
        return false;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans of the command become our children */
    tt_launch_catch();
    if (l->set.dump_signal) catch_one((int)l->set.dump_signal, true);
    l->child = fork();
    if (l->child == 0) {
        tt_launch_release();
        if (l->output) redirect(l->output);
        execvp(argv[0], argv);
        int e = errno;
        if (write(started[1], &e, sizeof e) != sizeof e) _exit(125);
        _exit(e == ENOENT ? 127 : 126);
    }
    int error = l->child < 0 ? errno : 0;
    close(started[1]);
    if (l->child > 0 && read(started[0], &error, sizeof error) != sizeof error) error = 0;
    close(started[0]);
    if (!error) return true;
    snprintf(why, cap, "%s: cannot be run: %s", argv[0], strerror(error));
    l->status = l->child < 0 ? 125 : error == ENOENT ? 127 : 126;
    if (l->child > 0) waitpid(l->child, NULL, 0);
    l->child = -1;
    return false;
}

void tt_launch_forward(tt_launch *l)
{
    for (int sig = 1; sig <= SIGNALS; sig++) {
        int times = caught[sig];
        if (!times) continue;
        caught[sig] -= times;
        if (sig == (int)l->set.dump_signal) {
            tt_control_give(&l->control, TT_ORDER_DUMP);
        } else if (sig == SIGUSR2) { /* begins or ends recording, is not forwarded */
            tt_launch_look(l);
            tt_control_give(&l->control, l->totals.recording ? TT_ORDER_STOP : TT_ORDER_START);
        } else if (l->child > 0 && !l->ended) {
            kill(l->child, sig);
        }
    }
}

bool tt_launch_poll(tt_launch *l)
{
    int status;
    for (pid_t p; (p = waitpid(-1, &status, WNOHANG)) != 0;) {
        if (p < 0) {
            if (errno == EINTR) continue;
            l->ended = true;
            return false;
        }
        if (p != l->child) continue;
        l->ended = true;
        l->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return true;
}

/* ---- kill all descendants ---- */

static pid_t parent_of(pid_t pid)
{
    char path[40], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC), parent = 0;
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *p = strrchr(text, ')'); /* skip the name, which may hold any character */
    return p && sscanf(p + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

bool tt_launch_descends(pid_t pid, pid_t ancestor)
{
    for (int i = 0; i < 64 && pid > 1 && pid != ancestor; i++) pid = parent_of(pid);
    return pid == ancestor && pid > 0;
}

void tt_launch_kill(void)
{
    pid_t us = getpid();
    for (int pass = 0; pass < 2; pass++) { /* twice, as a process may be forked meanwhile */
        DIR *d = opendir("/proc");
        for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
            pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
            if (pid > 1 && pid != us && tt_launch_descends(pid, us)) kill(pid, SIGKILL);
        }
        if (d) closedir(d);
    }
}

void tt_launch_close(tt_launch *l)
{
    if (l->control.file.fd < 0) return;
    write_launcher_record(l, true);
    tt_control_close(&l->control);
}

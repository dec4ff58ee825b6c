/* A program that checks its own files while it is recorded. Whatever happens to the recording, its files must hold the
 * bytes it wrote, and it exits with 7. Usage: careful MODE DIR [SECONDS]; the files go to DIR. With CAREFUL_SHARED set
 * the system refuses close_range(), so the recorder cannot get its own table of descriptors. Prints each fault it
 * finds, or "mine" if there is none. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/tracetty.h"

enum { GOOD = 7, BAD = 8, SIZE = 20000, MANY = 900 };

static const char *folder;
static int wrong;

static void complain(const char *what, long n)
{
    printf("%s %ld: %s\n", what, n, strerror(errno));
    fflush(stdout);
    wrong = 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void nap_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&t, &t)) {}
}

static void refuse_tables(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 436 /* close_range */, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        complain("no filter of system calls", 0);
}

/* ---- the program's files ---- */

static void path_of(long i, char *out, size_t cap) { snprintf(out, cap, "%s/mine%ld.dat", folder, i); }

static unsigned char byte_of(long file, long at) { return (unsigned char)(file * 31 + at * 7 + 1); }

static int make_mine(long i)
{
    char path[600];
    unsigned char text[SIZE];
    path_of(i, path, sizeof path);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (long k = 0; k < SIZE; k++) text[k] = byte_of(i, k);
    if (fd < 0 || write(fd, text, SIZE) != SIZE) complain("cannot write my file", i);
    return fd;
}

/* Check file i through its descriptor, which must still be open, and through its name. */
static void look_at(long i, int fd)
{
    char path[600];
    unsigned char text[SIZE + 1];
    struct stat a, b;
    path_of(i, path, sizeof path);
    if (fstat(fd, &a) || stat(path, &b) || a.st_ino != b.st_ino || a.st_size != SIZE) {
        complain("not my file any more, or of another length", i);
        return;
    }
    if (pread(fd, text, sizeof text, 0) != SIZE) complain("cannot read my file", i);
    for (long k = 0; k < SIZE; k++) {
        if (text[k] != byte_of(i, k)) {
            complain("foreign bytes in my file", i);
            return;
        }
    }
}

static void ranges(int n)
{
    for (int i = 0; i < n; i++) {
        tracetty_range_push("a range");
        tracetty_range_pop();
    }
}

/* ---- modes ---- */

/* Record for some seconds while the test changes the recording's folder from outside. */
static void at_work(double seconds)
{
    int fd[8];
    char path[600];
    for (long i = 0; i < 8; i++) fd[i] = make_mine(i);
    snprintf(path, sizeof path, "%s/stop", folder);
    ranges(1000);
    for (double end = now() + seconds; now() < end && access(path, F_OK);) {
        ranges(2000);
        tracetty_counter("work", 1);
        nap_ms(5);
    }
    ranges(100000);
    nap_ms(200); /* time for the recorder to notice the closed descriptors */
    ranges(100000);
    for (long i = 0; i < 8; i++) look_at(i, fd[i]);
}

/* Close every descriptor as daemons do, then open files that get the same numbers. */
static void as_daemon(double seconds)
{
    static int fd[MANY];
    struct rlimit r;
    (void)seconds;
    if (!getrlimit(RLIMIT_NOFILE, &r) && r.rlim_cur < 2000 && r.rlim_max >= 2000) {
        r.rlim_cur = 2000;
        setrlimit(RLIMIT_NOFILE, &r);
    }
    ranges(1000);
    nap_ms(150);
    for (int i = 3; i < 2000; i++) close(i);
    for (long i = 0; i < MANY; i++) fd[i] = make_mine(i);
    for (int i = 0; i < 4; i++) {
        ranges(100000);
        nap_ms(60);
    }
    struct rlimit small = {SIZE + 5000, SIZE + 5000}; /* writes fail: our files must stay whole */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    ranges(200000);
    nap_ms(150);
    for (long i = 0; i < MANY; i++) look_at(i, fd[i]);
}

/* Under a limit of the file size the recorder's writes raise SIGXFSZ; the program must not receive it. */
static void limited(double seconds)
{
    struct rlimit r = {SIZE * 2, SIZE * 2};
    sigset_t pending;
    (void)seconds;
    setrlimit(RLIMIT_FSIZE, &r); /* before the recorder writes its first byte */
    int fd = make_mine(0);
    for (int i = 0; i < 5; i++) {
        ranges(100000);
        nap_ms(60);
    }
    if (!sigpending(&pending) && sigismember(&pending, SIGXFSZ)) complain("a signal waits for me", SIGXFSZ);
    look_at(0, fd);
}

/* As limited(), with a limit so low that not even the recording's first bytes fit. */
static void tight(double seconds)
{
    struct rlimit r;
    (void)seconds;
    getrlimit(RLIMIT_FSIZE, &r);
    r.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &r);
    ranges(10);
    r.rlim_cur = SIZE * 2;
    setrlimit(RLIMIT_FSIZE, &r);
    int fd = make_mine(0);
    ranges(100000);
    look_at(0, fd);
}

/* Set the limit below the size that the recording already has. The file ctl then holds its head (4096 bytes) and three
 * records of 256 bytes: an unused one, the launcher's, and this process's. */
static void late(double seconds)
{
    struct rlimit r = {4096, 4096};
    char ctl[4096];
    struct stat st = {0};
    (void)seconds;
    ranges(10);
    snprintf(ctl, sizeof ctl, "%s/ctl", getenv("TRACETTY_CTL"));
    while (!stat(ctl, &st) && st.st_size < 4096 + 3 * 256) nap_ms(1);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &r);
    ranges(100000);
    nap_ms(150);
}

/* After close(0), open() must return 0: the recorder must not take the lowest free number in between. */
static void lowest(double seconds)
{
    ranges(1000);
    long n = 0;
    for (double end = now() + seconds; now() < end; n++) {
        close(0);
        int fd = open("/dev/null", O_RDONLY);
        if (fd != 0) {
            complain("my standard input has another number", fd);
            return;
        }
        if (n % 1000 == 0) ranges(10);
    }
}

static volatile sig_atomic_t handled;

static void on_timer(int sig)
{
    int e = errno;
    (void)sig;
    tracetty_range_push("in a handler");
    tracetty_mark("a mark of a handler");
    tracetty_counter("handled", (double)++handled);
    tracetty_meta("handler", "1");
    tracetty_range_pop();
    errno = e;
}

/* Call the recorder in a signal handler that interrupts malloc() and the recorder itself. */
static void in_handlers(double seconds)
{
    char name[40];
    struct sigaction act = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 100}, {0, 100}};
    mallopt(M_TRIM_THRESHOLD, 0); /* makes malloc() slow, so that the handler interrupts it often */
    ranges(10);
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    long n = 0;
    for (double end = now() + seconds; now() < end; n++) {
        void *p[16];
        for (size_t i = 0; i < 16; i++) p[i] = malloc(i * 3000 + 10);
        snprintf(name, sizeof name, "a name that comes once, number %ld", n);
        tracetty_range_push(name);
        for (size_t i = 0; i < 16; i++) free(p[i]);
        tracetty_range_pop();
        if (n % 500 == 0) {
            pid_t child = fork();
            if (!child) _exit(0);
            if (child > 0) waitpid(child, NULL, 0);
        }
    }
    every = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &every, NULL);
    if (handled < 10) complain("the handler hardly ran", handled);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(double seconds);
    } modes[] = {{"work", at_work}, {"daemon", as_daemon}, {"limited", limited},     {"tight", tight},
                 {"late", late},    {"lowest", lowest},    {"handlers", in_handlers}};
    if (argc < 3) return 2;
    folder = argv[2];
    if (getenv("CAREFUL_SHARED")) refuse_tables();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!strcmp(modes[i].name, argv[1])) modes[i].run(argc > 3 ? strtod(argv[3], NULL) : 1);
    }
    if (!wrong) puts("mine");
    return wrong ? BAD : GOOD;
}

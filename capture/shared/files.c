/* capture/shared/files.c - a thread with its own table of descriptors, and descriptors that know their file. See
 * files.h. */
#include "capture/shared/files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/shared/sysfile.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2u
#endif

/* ---- descriptors ---- */

enum { HIGH = 600 };

/* Duplicate the descriptor to a high number that programs do not reach by opening files; fd itself when that fails. */
static int high(int fd)
{
    struct rlimit most = {HIGH, HIGH};
    getrlimit(RLIMIT_NOFILE, &most);
    int up = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (up < 0) up = fcntl(fd, F_DUPFD_CLOEXEC, (int)(most.rlim_cur - most.rlim_cur / 4));
    if (up < 0) return fd;
    close(fd);
    return up;
}

int tt_own_open(tt_own *o, const char *path, int flags, mode_t mode)
{
    *o = (tt_own){.fd = -1};
    int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode);
    return fd < 0 ? -errno : tt_own_take(o, fd);
}

int tt_own_take(tt_own *o, int fd)
{
    struct stat st;
    *o = (tt_own){.fd = -1};
    fd = high(fd);
    if (tt_sysfile_fstat(fd, &st)) {
        int e = errno;
        close(fd);
        return -e;
    }
    *o = (tt_own){fd, st.st_dev, st.st_ino};
    return 0;
}

bool tt_own_holds(const tt_own *o, struct stat *st)
{
    struct stat now;
    if (o->fd < 0 || tt_sysfile_fstat(o->fd, &now) || now.st_dev != o->dev || now.st_ino != o->ino) return false;
    if (st) *st = now;
    return true;
}

bool tt_own_keeps(tt_own *o, const char *path, int flags, struct stat *st)
{
    const tt_own was = *o;
    if (o->fd < 0 || tt_own_holds(o, st)) return o->fd >= 0;
    if (tt_own_open(o, path, flags | O_NONBLOCK, 0)) return false;
    if (o->dev == was.dev && o->ino == was.ino) return tt_own_holds(o, st);
    tt_own_close(o);
    return false;
}

void tt_own_close(tt_own *o)
{
    if (tt_own_holds(o, NULL)) close(o->fd);
    o->fd = -1;
}

/* ---- the thread ---- */

static struct {
    pthread_mutex_t turn; /* held by the thread that asks */
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t asked, done;
    pthread_t thread;
    bool have, quit;
    void (*work)(void *arg);
    void *arg;
} files = {.turn = PTHREAD_MUTEX_INITIALIZER,
           .lock = PTHREAD_MUTEX_INITIALIZER,
           .asked = PTHREAD_COND_INITIALIZER,
           .done = PTHREAD_COND_INITIALIZER};

static void *serve(void *arg)
{
    (void)arg;
    prctl(PR_SET_NAME, "tracetty-files");
    /* on failure the table is shared with the program: numbers are high and checked */
    syscall(SYS_close_range, 0u, ~0u, CLOSE_RANGE_UNSHARE);
    pthread_mutex_lock(&files.lock);
    while (!files.quit) {
        if (!files.work) {
            pthread_cond_wait(&files.asked, &files.lock);
            continue;
        }
        void (*work)(void *) = files.work;
        pthread_mutex_unlock(&files.lock);
        work(files.arg);
        pthread_mutex_lock(&files.lock);
        files.work = NULL;
        pthread_cond_signal(&files.done);
    }
    pthread_mutex_unlock(&files.lock);
    return NULL;
}

int tt_files_start(void)
{
    sigset_t all, old;
    if (files.have) return 0;
    files.quit = false;
    sigfillset(&all); /* block all signals: they are for the program's threads */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(&files.thread, NULL, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    files.have = !e;
    return e;
}

/* Run work on the calling thread, with signals blocked: a signal that the work raises is not delivered. */
static void run_here(void (*work)(void *), void *arg)
{
    sigset_t own, old, before;
    const struct timespec now = {0, 0};
    sigemptyset(&own);
    sigaddset(&own, SIGXFSZ);
    sigpending(&before);
    pthread_sigmask(SIG_BLOCK, &own, &old);
    work(arg);
    if (!sigismember(&before, SIGXFSZ)) sigtimedwait(&own, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* A wake-up can be lost, by glibc before 2.41 (its bug 25847) and by kernels, so wait with a timeout and check
 * again. */
static void wait_for_work(void)
{
    while (files.work) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 100000000;
        if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, t.tv_sec++;
        if (pthread_cond_timedwait(&files.done, &files.lock, &t)) pthread_cond_signal(&files.asked);
    }
}

void tt_files_run(void (*work)(void *arg), void *arg)
{
    int cancel;
    if (!files.have) {
        run_here(work, arg);
        return;
    }
    if (pthread_equal(pthread_self(), files.thread)) { /* work that itself asks for work on files */
        work(arg);
        return;
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&files.turn);
    pthread_mutex_lock(&files.lock);
    files.arg = arg;
    files.work = work;
    pthread_cond_signal(&files.asked);
    wait_for_work();
    pthread_mutex_unlock(&files.lock);
    pthread_mutex_unlock(&files.turn);
    pthread_setcancelstate(cancel, &cancel);
}

void tt_files_stop(void)
{
    if (!files.have) return;
    pthread_mutex_lock(&files.turn);
    pthread_mutex_lock(&files.lock);
    files.quit = true;
    pthread_cond_signal(&files.asked);
    pthread_mutex_unlock(&files.lock);
    pthread_join(files.thread, NULL);
    files.have = false;
    pthread_mutex_unlock(&files.turn);
}

void tt_files_forget(void)
{
    pthread_mutex_init(&files.turn, NULL);
    pthread_mutex_init(&files.lock, NULL);
    pthread_cond_init(&files.asked, NULL);
    pthread_cond_init(&files.done, NULL);
    files.work = NULL;
    files.have = false;
}

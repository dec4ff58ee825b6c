/* tui/files/outfile_part.c - the list of temporary files, which a signal handler can read. See outfile_part.h. */
#include "tui/files/outfile_part.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "tui/files/signals.h"

enum { PARTS_MOST = 32, TRIES = 100, FREE = 0, CLAIMED = -1 };

/* owner: FREE, CLAIMED while it is filled in, else the process that writes it: a child that inherits the list
 * removes nothing. */
static struct {
    atomic_int owner;
    int dir;
    char name[24];
} parts[PARTS_MOST];
static atomic_bool ended;

bool tt_parts_remove(void)
{
    int error = errno, me = (int)getpid();
    bool any = false;
    atomic_store(&ended, true);
    for (int i = 0; i < PARTS_MOST; i++) {
        if (atomic_load(&parts[i].owner) == me && !unlinkat(parts[i].dir, parts[i].name, 0)) any = true;
    }
    errno = error;
    return any;
}

void tt_parts_oom(void) { (void)tt_parts_remove(); }

static void on_end(int sig)
{
    tt_parts_remove();
    tt_signal_die(sig);
}

/* A file that may grow no more is an error of write(), which can be told of; a handler, since what is ignored is
 * inherited by commands that we start. */
static void on_limit(int sig) { (void)sig; }

void tt_parts_begin(void)
{
    struct sigaction limit = {.sa_handler = on_limit, .sa_flags = SA_RESTART};
    tt_signals_take(TT_SIGNALS_END, on_end, 0, true);
    sigaction(SIGXFSZ, &limit, NULL);
    tt_signals_take(TT_SIGNALS_CRASH, on_end, 0, true);
}

static int claim(void)
{
    for (int i = 0; i < PARTS_MOST; i++) {
        int want = FREE;
        if (atomic_compare_exchange_strong(&parts[i].owner, &want, CLAIMED)) return i;
    }
    return -1;
}

static bool draw_name(char *out, size_t cap)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    uint8_t random[10];
    char text[sizeof random + 1] = "";
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (size_t i = 0; i < sizeof random; i++) text[i] = letters[random[i] & 31];
    return (size_t)snprintf(out, cap, ".tracetty-%s", text) < cap;
}

int tt_part_open(tt_part *p, int dir, mode_t mode)
{
    sigset_t all, old;
    int fd = -1;
    *p = (tt_part){.slot = claim(), .dir = dir};
    if (p->slot < 0) {
        errno = EMFILE;
        return -1;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old); /* no signal between the file and its place in the list */
    errno = ECANCELED;
    for (int i = 0; i < TRIES && fd < 0 && !atomic_load(&ended); i++) {
        if (!draw_name(p->name, sizeof p->name)) break;
        fd = openat(dir, p->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST) break;
    }
    int error = errno;
    if (fd >= 0) {
        parts[p->slot].dir = dir;
        memcpy(parts[p->slot].name, p->name, sizeof p->name);
        atomic_store(&parts[p->slot].owner, (int)getpid());
    } else {
        tt_part_forget(p);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return fd;
}

void tt_part_forget(tt_part *p)
{
    if (p->slot >= 0) atomic_store(&parts[p->slot].owner, FREE);
    p->slot = -1;
}

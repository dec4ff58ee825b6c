/* tui/files/outfile_part.c - the list of temporary files and folders, which a signal handler can read. See
 * outfile_part.h. */
#include "tui/files/outfile_part.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tui/files/signals.h"

enum { PARTS_MOST = 32, TRIES = 100, FREE = 0, CLAIMED = -1 };

/* owner: FREE, CLAIMED while an entry is filled in, else the process that writes the file. A child inherits the list
 * but owns no entry, so it removes nothing. */
static struct {
    atomic_int owner;
    int dir;
    bool folder;
    char name[24];
} parts[PARTS_MOST];
static atomic_bool ended;

struct entry { /* layout of getdents64(): a signal handler may not call readdir(), which allocates */
    uint64_t inode;
    int64_t next;
    unsigned short size;
    unsigned char kind;
    char name[];
};

/* Remove the files of a folder; returns how many were removed. */
static int remove_files(int folder)
{
    union {
        char bytes[2048];
        uint64_t aligned;
    } buf;
    int removed = 0;
    long got;
    while ((got = syscall(SYS_getdents64, folder, buf.bytes, sizeof buf.bytes)) > 0) {
        for (long at = 0; at < got;) {
            const struct entry *e = (const struct entry *)(const void *)(buf.bytes + at);
            removed += !unlinkat(folder, e->name, 0);
            at += e->size;
        }
    }
    return removed;
}

static bool remove_folder(int dir, const char *name)
{
    int folder = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return false;
    while (remove_files(folder) && !lseek(folder, 0, SEEK_SET)) {
    } /* removing files can hide others from the same read: read again */
    close(folder);
    return !unlinkat(dir, name, AT_REMOVEDIR);
}

static bool remove_part(int i)
{
    return parts[i].folder ? remove_folder(parts[i].dir, parts[i].name) : !unlinkat(parts[i].dir, parts[i].name, 0);
}

bool tt_parts_remove(void)
{
    int error = errno, me = (int)getpid();
    bool any = false;
    atomic_store(&ended, true);
    for (int i = 0; i < PARTS_MOST; i++) {
        if (atomic_load(&parts[i].owner) == me && remove_part(i)) any = true;
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

/* SIGXFSZ gets an empty handler, so that write() fails with EFBIG. SIG_IGN would be inherited by commands that we
 * start. */
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

static int make_file(int dir, const char *name, mode_t mode)
{
    return openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

static int make_folder(int dir, const char *name, mode_t mode) { return mkdirat(dir, name, mode); }

/* Claim an entry and make a file or folder for it. Returns what make() returns; -1 with errno. */
static int new_part(tt_part *p, int dir, mode_t mode, int (*make)(int, const char *, mode_t))
{
    sigset_t all, old;
    int fd = -1;
    *p = (tt_part){.slot = claim(), .dir = dir};
    if (p->slot < 0) {
        errno = EMFILE;
        return -1;
    }
    sigfillset(&all);
    /* no signal between the creation of the file and its entry in the list */
    pthread_sigmask(SIG_BLOCK, &all, &old);
    errno = ECANCELED;
    for (int i = 0; i < TRIES && fd < 0 && !atomic_load(&ended); i++) {
        if (!draw_name(p->name, sizeof p->name)) break;
        fd = make(dir, p->name, mode);
        if (fd < 0 && errno != EEXIST) break;
    }
    int error = errno;
    if (fd >= 0) {
        parts[p->slot].dir = dir;
        parts[p->slot].folder = make == make_folder;
        memcpy(parts[p->slot].name, p->name, sizeof p->name);
        atomic_store(&parts[p->slot].owner, (int)getpid());
    } else {
        tt_part_forget(p);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return fd;
}

int tt_part_open(tt_part *p, int dir, mode_t mode) { return new_part(p, dir, mode, make_file); }

int tt_part_folder(tt_part *p, int dir) { return new_part(p, dir, 0700, make_folder); }

void tt_part_folder_remove(tt_part *p)
{
    if (p->slot >= 0) remove_folder(p->dir, p->name);
    tt_part_forget(p);
}

void tt_part_forget(tt_part *p)
{
    if (p->slot >= 0) atomic_store(&parts[p->slot].owner, FREE);
    p->slot = -1;
}

/* capture/shared/control_file.c - the control file, read and written in small pieces. See control_file.h. */
#include "capture/shared/control_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RECORD_MAGIC "TTCR"

/* ---- the head ---- */

static bool write_at(int fd, const void *bytes, size_t n, off_t at)
{
    for (const char *p = bytes; n;) { /* a short read or write fails with its reason */
        ssize_t k = pwrite(fd, p, n, at);
        if (k <= 0) return false;
        p += k;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

typedef struct creating {
    tt_control *c;
    const char *path;
    const tt_capture_settings *set;
    int error;
} creating;

static void create(void *arg)
{
    creating *n = arg;
    /* head and empty records: reserve disk space for the first processes, whatever fills the disk later */
    char room[TT_CONTROL_RECORDS_AT + TT_CONTROL_RECORD] = {0};
    tt_control_head head = {.magic = TT_CONTROL_MAGIC, .size = sizeof head, .set = *n->set};
    const tt_control_record none = {.magic = RECORD_MAGIC};
    n->error = -tt_own_open(&n->c->file, n->path, O_RDWR | O_CREAT | O_EXCL, 0644);
    memcpy(room, &head, sizeof head);
    memcpy(room + TT_CONTROL_RECORDS_AT, &none, sizeof none);
    if (n->error || write_at(n->c->file.fd, room, sizeof room, 0)) return;
    n->error = errno;
    unlink(n->path);
    tt_own_close(&n->c->file);
}

bool tt_control_create(tt_control *c, const char *path, const tt_capture_settings *set, char *why, size_t cap)
{
    creating n = {c, path, set, 0};
    /* the thread for files blocks SIGXFSZ: a file at its size limit is an ordinary error */
    tt_files_run(create, &n);
    if (n.error) snprintf(why, cap, "%s: cannot be written: %s", path, strerror(n.error));
    return !n.error;
}

static bool read_head(const tt_control *c, tt_control_head *head)
{
    return tt_own_holds(&c->file, NULL) && pread(c->file.fd, head, sizeof *head, 0) == (ssize_t)sizeof *head &&
           !memcmp(head->magic, TT_CONTROL_MAGIC, sizeof head->magic) && head->size == sizeof *head;
}

/* Check the head; 0, or -EPROTO with the file closed. */
static int check_head(tt_control *c, tt_control_head *head)
{
    if (read_head(c, head)) return 0;
    tt_own_close(&c->file);
    return -EPROTO;
}

int tt_control_watch(tt_control *c, const char *path)
{
    tt_control_head head;
    int e = tt_own_open(&c->file, path, O_RDONLY | O_NONBLOCK, 0);
    return e ? e : check_head(c, &head);
}

int tt_control_open(tt_control *c, const char *path, tt_capture_settings *set)
{
    tt_control_head head;
    int e = tt_own_open(&c->file, path, O_RDWR | O_NONBLOCK, 0);
    if (e == -EACCES || e == -EROFS) e = tt_own_open(&c->file, path, O_RDONLY | O_NONBLOCK, 0);
    if (!e) e = check_head(c, &head);
    if (e) return e;
    tt_capture_settings *in = &head.set; /* terminate the texts, whatever the file holds */
    in->marker[sizeof in->marker - 1] = in->capture_range[sizeof in->capture_range - 1] = 0;
    in->only_rank[sizeof in->only_rank - 1] = in->cupti[sizeof in->cupti - 1] = 0;
    in->command[sizeof in->command - 1] = 0;
    if (set) *set = head.set;
    return 0;
}

void tt_control_close(tt_control *c) { tt_own_close(&c->file); }

/* ---- orders ---- */

bool tt_control_orders(const tt_control *c, uint32_t out[TT_ORDER_COUNT_])
{
    tt_control_head head;
    if (!read_head(c, &head)) return false;
    memcpy(out, head.orders, sizeof head.orders);
    return true;
}

/* Lock against others who send an order. Go on after a while where the file system has no locks or the lock is not
 * released. */
static void lock_a_while(int fd)
{
    const struct timespec ms = {0, 1000000};
    for (int i = 0; i < 500 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK; i++) nanosleep(&ms, NULL);
}

bool tt_control_give(const tt_control *c, tt_order k)
{
    uint32_t n[TT_ORDER_COUNT_];
    lock_a_while(c->file.fd);
    errno = EPROTO;
    bool good = tt_control_orders(c, n);
    n[k]++;
    good = good && write_at(c->file.fd, &n[k], sizeof n[k],
                            (off_t)(offsetof(tt_control_head, orders) + (size_t)k * sizeof n[k]));
    int e = errno;
    flock(c->file.fd, LOCK_UN);
    errno = e;
    return good;
}

/* ---- records ---- */

static bool is_record(const void *p) { return !memcmp(p, RECORD_MAGIC, 4); }

/* Append a record: O_APPEND keeps concurrent records apart. */
static bool append(int fd, const tt_control_record *r, off_t *at)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_APPEND)) return false;
    bool good = write(fd, r, sizeof *r) == (ssize_t)sizeof *r;
    *at = good ? lseek(fd, 0, SEEK_CUR) - (off_t)sizeof *r : 0;
    fcntl(fd, F_SETFL, flags);
    return good && *at >= TT_CONTROL_RECORDS_AT;
}

/* Rewrite the record at `at` through a mapping: under a file size limit write() fails even inside the file, a
 * mapping does not. Another program may truncate the file meanwhile, so the bytes are read from a pipe into the
 * mapping: then the system call fails, instead of a fault in this process. */
static bool put_mapped(int fd, const tt_control_record *r, off_t at)
{
    size_t from = (size_t)at % (size_t)sysconf(_SC_PAGESIZE), n = from + sizeof *r;
    int ends[2];
    char *map = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at - (off_t)from);
    if (map == MAP_FAILED) return false;
    bool good = pipe2(ends, O_CLOEXEC) == 0;
    if (good) {
        good = write(ends[1], r, sizeof *r) == (ssize_t)sizeof *r &&
               read(ends[0], map + from, sizeof *r) == (ssize_t)sizeof *r;
        close(ends[0]);
        close(ends[1]);
    }
    munmap(map, n);
    return good;
}

bool tt_control_put(const tt_control *c, const tt_control_record *r, off_t *at)
{
    tt_control_record whole = *r, there;
    memcpy(whole.magic, RECORD_MAGIC, sizeof whole.magic);
    bool ours = *at && pread(c->file.fd, &there, sizeof there, *at) == (ssize_t)sizeof there && is_record(&there) &&
                there.id == r->id;
    if (!ours) return append(c->file.fd, &whole, at);
    return write_at(c->file.fd, &whole, sizeof whole, *at) || (errno == EFBIG && put_mapped(c->file.fd, &whole, *at));
}

bool tt_control_write(const tt_control *c, const tt_control_record *r, off_t *at)
{
    tt_control_head head;
    return read_head(c, &head) && tt_control_put(c, r, at); /* do not extend a file that was truncated */
}

/* ---- totals ---- */

static void say(tt_totals *t, const char *note)
{
    for (uint32_t i = 0; i < t->n_notes && i < TT_CONTROL_NOTES; i++) {
        if (!strncmp(t->notes[i], note, TT_CONTROL_NOTE)) return;
    }
    if (t->n_notes < TT_CONTROL_NOTES)
        snprintf(t->notes[t->n_notes], TT_CONTROL_NOTE, "%.*s", TT_CONTROL_NOTE - 1, note);
    t->n_notes++;
}

static void say_why_stopped(tt_totals *t, const tt_control_process *p, const tt_capture_settings *set)
{
    char note[TT_CONTROL_NOTE], why[120] = ", for a reason unknown here";
    switch (p->stopped) {
    case TT_STOPPED_NOT: return;
    case TT_STOPPED_ERROR:
        snprintf(why, sizeof why, ", its file cannot be written: %s", strerror((int)p->error));
        break;
    case TT_STOPPED_LIMIT:
        snprintf(why, sizeof why, " at the size limit of %llu MiB (--max-spool)",
                 (unsigned long long)(set->max_spool >> 20));
        break;
    case TT_STOPPED_CLOSED:
        snprintf(why, sizeof why, ", the program closed its file, which cannot be opened again");
        break;
    case TT_STOPPED_REMOVED: snprintf(why, sizeof why, ", its file was removed or replaced"); break;
    case TT_STOPPED_CUT: snprintf(why, sizeof why, ", its file was cut by another program"); break;
    default: break;
    }
    snprintf(note, sizeof note, "process %u: the recording stopped%s", p->pid, why);
    say(t, note);
}

static void add(tt_totals *t, const tt_control_process *p, const tt_capture_settings *set)
{
    t->attached += p->attached != 0;
    t->ended += p->ended != 0;
    t->recording += p->recording != 0;
    t->events += p->events;
    t->bytes += p->bytes;
    t->steps += p->steps;
    t->ring += p->ring != 0;
    if (p->kept_s > t->kept_s) t->kept_s = p->kept_s;
    if (p->began > t->began) t->began = p->began;
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        t->drops_by[i] += p->drops[i];
        if (i != TT_SPOOL_DROP_BYTES) t->drops += p->drops[i];
    }
    say_why_stopped(t, p, set);
}

bool tt_control_each(const tt_control *c, void (*each)(void *arg, const tt_control_record *r), void *arg)
{
    enum { MOST = 1 << 24 }; /* bytes, 65,000 records; a larger file is no recording */
    char piece[64 * TT_CONTROL_RECORD];
    tt_control_head head;
    off_t at = TT_CONTROL_RECORDS_AT;
    if (!read_head(c, &head)) return false;
    for (ssize_t n; at < MOST && (n = pread(c->file.fd, piece, sizeof piece, at)) >= TT_CONTROL_RECORD;) {
        size_t i = 0;
        while (i + TT_CONTROL_RECORD <= (size_t)n) {
            tt_control_record r;
            if (!is_record(piece + i)) {
                i++; /* torn record: search the next magic */
                continue;
            }
            memcpy(&r, piece + i, sizeof r);
            each(arg, &r);
            i += TT_CONTROL_RECORD;
        }
        at += (off_t)i;
    }
    return true;
}

struct adding {
    tt_totals *t;
    const tt_capture_settings *set;
};

static void add_record(void *arg, const tt_control_record *r)
{
    struct adding *a = arg;
    char note[TT_CONTROL_NOTE];
    if (r->kind == TT_CONTROL_PROCESS) add(a->t, &r->process, a->set);
    a->t->dumps += r->kind == TT_CONTROL_DUMP;
    if (r->kind != TT_CONTROL_SAYS) return;
    memcpy(note, r->note, sizeof note);
    note[TT_CONTROL_NOTE - 1] = 0;
    say(a->t, note);
}

void tt_control_read(const tt_control *c, tt_totals *t)
{
    tt_control_head head;
    tt_totals now = {0};
    struct adding a = {&now, &head.set};
    t->lost = !read_head(c, &head) || !tt_control_each(c, add_record, &a);
    if (!t->lost) *t = now;
}

/* tui/files/outfile.c - resolves the name of an output and writes it: text, escaped if it is JSON, compressed if the
 * name says so. */
#include "tui/files/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

#include "model/base/mem.h"
#include "parser/json/escape.h"
#include "tui/files/outfile_part.h"

enum { BUFFER = 128 << 10, LINKS_MOST = 40, PATIENCE_MS = 10000, GZIP = 15 + 16 };

struct tt_outfile {
    char *path;  /* as the user typed it, for messages */
    char *base;  /* name of the file in dir */
    int fd, dir; /* dir: folder of the file and of its part; -1 = no part, written through */
    tt_part part;
    unsigned how;
    tt_json_escape escape;
    z_stream *z; /* NULL: not compressed */
    unsigned char *buf;
    size_t n;
    FILE *stream;
    int error; /* errno of the first failure */
};

/* ---- where a name leads ---- */

typedef struct place {
    char path[PATH_MAX]; /* path with all links resolved */
    int fd;              /* descriptor of this process that the name stands for; -1 = none */
    bool there;
    struct stat st; /* status of the existing file */
} place;

/* N of a path /proc/self/fd/N, /dev/fd/N or the like; else -1. */
static int own_fd(const char *path)
{
    const char *slash = strrchr(path, '/'), *digits = slash ? slash + 1 : path;
    char folder[PATH_MAX];
    struct stat a, b;
    size_t n = strlen(digits);
    if (!slash || !n || n > 6 || strspn(digits, "0123456789") != n) return -1;
    snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
    if (stat(folder, &a) || stat("/proc/self/fd", &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino) return -1;
    return (int)strtol(digits, NULL, 10);
}

/* Replace the path by the target of the link at it. */
static int follow(char path[PATH_MAX])
{
    char to[PATH_MAX], *slash = strrchr(path, '/');
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n < 0) return errno;
    to[n] = '\0';
    size_t folder = *to != '/' && slash ? (size_t)(slash + 1 - path) : 0;
    if (folder + (size_t)n >= PATH_MAX) return ENAMETOOLONG;
    memcpy(path + folder, to, (size_t)n + 1);
    return 0;
}

/* Resolve the name of an output. Returns 0 or an errno. */
static int resolve(const char *path, place *p)
{
    struct stat own;
    int links = 0, error = 0;
    *p = (place){.fd = -1};
    if (!strcmp(path, "-")) {
        p->fd = STDOUT_FILENO;
    } else if (strlen(path) >= sizeof p->path) {
        return ENAMETOOLONG;
    } else {
        /* stat() first: the system refuses links that it does not trust, such as other users' links in /tmp */
        p->there = stat(path, &p->st) == 0;
        if (!p->there && errno != ENOENT) return errno;
        memcpy(p->path, path, strlen(path) + 1);
    }
    while (p->fd < 0 && !error && (p->fd = own_fd(p->path)) < 0) {
        if (lstat(p->path, &own) || !S_ISLNK(own.st_mode)) break;
        error = links++ < LINKS_MOST ? follow(p->path) : ELOOP;
    }
    if (p->fd >= 0 && fstat(p->fd, &p->st)) return errno;
    p->there |= p->fd >= 0;
    return error;
}

static bool is_input(const tt_file_ids *inputs, const struct stat *st)
{
    return tt_file_ids_have(inputs, (uint64_t)st->st_dev, (uint64_t)st->st_ino);
}

tt_output tt_outfile_look(const char *path, const tt_file_ids *inputs)
{
    place p;
    if (resolve(path, &p) || !p.there) return TT_OUTPUT_NEW;
    if (is_input(inputs, &p.st)) return TT_OUTPUT_INPUT;
    return p.fd < 0 && S_ISREG(p.st.st_mode) ? TT_OUTPUT_FILE : TT_OUTPUT_THROUGH;
}

/* ---- opening ---- */

static tt_status fail(const char *path, int error, tt_err *err)
{
    const char *name = strcmp(path, "-") != 0 ? path : "standard output";
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: cannot be written: %s", name, strerror(error));
}

static void outfile_free(tt_outfile *o)
{
    int error = errno;
    if (o->fd >= 0) close(o->fd);
    if (o->part.slot >= 0) unlinkat(o->dir, o->part.name, 0);
    tt_part_forget(&o->part);
    if (o->dir >= 0) close(o->dir);
    if (o->z) deflateEnd(o->z);
    free(o->z);
    free(o->buf);
    free(o->base);
    free(o->path);
    free(o);
    errno = error;
}

/* Give the part the owner and mode of the file that it will replace. If the owner cannot be set, the file is ours,
 * and nobody gets more rights than before. */
static bool take_over(const tt_outfile *o, const struct stat *was)
{
    struct stat now;
    mode_t mode = was->st_mode & 07777;
    if (o->how & TT_OUTFILE_PRIVATE) return fchmod(o->fd, 0600) == 0;
    if (fstat(o->fd, &now)) return false;
    bool owner = now.st_uid == was->st_uid || fchown(o->fd, was->st_uid, (gid_t)-1) == 0;
    bool group = now.st_gid == was->st_gid || fchown(o->fd, (uid_t)-1, was->st_gid) == 0;
    if (!owner || !group) mode &= 0777;
    if (!group) mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    return fchmod(o->fd, mode) == 0;
}

/* Open a part beside the file. False with errno. */
static bool open_beside(tt_outfile *o, const place *p)
{
    const char *slash = strrchr(p->path, '/'), *base = slash ? slash + 1 : p->path;
    char folder[PATH_MAX] = ".";
    bool private = o->how & TT_OUTFILE_PRIVATE;
    if (slash) snprintf(folder, sizeof folder, "%.*s/", (int)(slash - p->path), p->path);
    errno = *p->path ? EISDIR : ENOENT;
    if (!*base || strlen(base) > NAME_MAX) return false;
    if (p->there && (o->how & TT_OUTFILE_FRESH)) {
        errno = EEXIST;
        return false;
    }
    if (p->there && faccessat(AT_FDCWD, p->path, W_OK, AT_EACCESS)) return false;
    o->dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (o->dir < 0) return false;
    o->base = tt_strdup(base);
    o->fd = tt_part_open(&o->part, o->dir, private || p->there ? 0600 : 0666);
    return o->fd >= 0 && (!p->there || take_over(o, &p->st));
}

/* Open the file itself for writing. False with errno. */
static bool open_through(tt_outfile *o, const place *p)
{
    struct stat st;
    bool hasty = o->how & TT_OUTFILE_HASTY;
    errno = EINVAL;
    if (o->how & TT_OUTFILE_REGULAR) return false;
    if (p->fd >= 0) {
        o->fd = fcntl(p->fd, F_DUPFD_CLOEXEC, 3);
    } else {
        o->fd = open(p->path, O_WRONLY | O_NOCTTY | O_CLOEXEC | (hasty ? O_NONBLOCK : 0));
    }
    if (o->fd < 0 || fstat(o->fd, &st)) return false;
    errno = EBUSY; /* the file was replaced meanwhile */
    if (st.st_dev != p->st.st_dev || st.st_ino != p->st.st_ino) return false;
    errno = EPERM;
    return !hasty || !isatty(o->fd);
}

static bool begin_gzip(tt_outfile *o)
{
    o->z = tt_calloc(1, sizeof *o->z);
    errno = ENOMEM;
    return deflateInit2(o->z, 6, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK;
}

tt_outfile *tt_outfile_open(const char *path, unsigned how, const tt_file_ids *inputs, tt_err *err)
{
    place p;
    tt_parts_begin();
    int error = resolve(path, &p);
    if (error) {
        fail(path, error, err);
        return NULL;
    }
    if (p.there && is_input(inputs, &p.st)) {
        tt_fail(err, TT_ERR_USAGE, -1, "%s: is an input, which is not written over; choose another name",
                strcmp(path, "-") != 0 ? path : "standard output");
        return NULL;
    }
    size_t n = strlen(path);
    tt_outfile *o = tt_calloc(1, sizeof *o);
    *o = (tt_outfile){.path = tt_strdup(path), .fd = -1, .dir = -1, .part.slot = -1, .how = how};
    o->buf = tt_malloc(BUFFER);
    bool beside = p.fd < 0 && (!p.there || S_ISREG(p.st.st_mode));
    bool good = beside ? open_beside(o, &p) : open_through(o, &p);
    if (good && n > 3 && !strcmp(path + n - 3, ".gz")) good = begin_gzip(o);
    if (good) return o;
    fail(path, errno, err);
    outfile_free(o);
    return NULL;
}

/* ---- writing ---- */

/* Write bytes to the file. */
static bool put_bytes(tt_outfile *o, const unsigned char *p, size_t n)
{
    while (n && !o->error) {
        ssize_t done = write(o->fd, p, n);
        if (done >= 0) {
            p += done;
            n -= (size_t)done;
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = o->fd, .events = POLLOUT};
            int rc = poll(&ready, 1, o->how & TT_OUTFILE_HASTY ? PATIENCE_MS : -1);
            if (!rc) o->error = ETIMEDOUT;
        } else if (errno != EINTR) {
            o->error = errno;
        }
    }
    return !o->error;
}

static bool flush(tt_outfile *o)
{
    size_t n = o->n;
    o->n = 0;
    return put_bytes(o, o->buf, n);
}

/* Compress and write text; last: finish the stream. */
static bool put_gzip(tt_outfile *o, const char *p, size_t n, bool last)
{
    do {
        size_t part = n < UINT_MAX ? n : UINT_MAX;
        o->z->next_in = (unsigned char *)(uintptr_t)p;
        o->z->avail_in = (unsigned)part;
        p += part;
        n -= part;
        int rc = Z_OK;
        while (!o->error && (o->z->avail_in || (last && !n && rc != Z_STREAM_END))) {
            if (o->n == BUFFER && !flush(o)) break;
            o->z->next_out = o->buf + o->n;
            o->z->avail_out = (unsigned)(BUFFER - o->n);
            rc = deflate(o->z, last && !n ? Z_FINISH : Z_NO_FLUSH);
            o->n = BUFFER - o->z->avail_out;
            if (rc == Z_STREAM_ERROR) o->error = EIO;
        }
    } while (n && !o->error);
    return !o->error;
}

static bool put_text(void *arg, const char *p, size_t n)
{
    tt_outfile *o = arg;
    if (o->z) return put_gzip(o, p, n, false);
    if (n >= BUFFER) return flush(o) && put_bytes(o, (const unsigned char *)p, n);
    if (o->n + n > BUFFER && !flush(o)) return false;
    memcpy(o->buf + o->n, p, n);
    o->n += n;
    return true;
}

bool tt_outfile_write(void *arg, const char *p, size_t n)
{
    tt_outfile *o = arg;
    if (!o->error && n) {
        if (o->how & TT_OUTFILE_JSON) {
            tt_json_escape_write(&o->escape, p, n, put_text, o);
        } else {
            put_text(o, p, n);
        }
    }
    errno = o->error;
    return !o->error;
}

static ssize_t write_stream(void *arg, const char *p, size_t n) { return tt_outfile_write(arg, p, n) ? (ssize_t)n : 0; }

FILE *tt_outfile_stream(tt_outfile *o)
{
    const cookie_io_functions_t io = {.write = write_stream};
    if (!o->stream) o->stream = fopencookie(o, "w", io);
    if (!o->stream) tt_mem_fail();
    return o->stream;
}

/* ---- closing ---- */

static bool give_name(tt_outfile *o)
{
    if (o->how & TT_OUTFILE_FRESH) {
        if (!syscall(SYS_renameat2, o->dir, o->part.name, o->dir, o->base, 1U /* RENAME_NOREPLACE */)) return true;
        if (errno != EINVAL && errno != ENOSYS) return false; /* this file system does not have renameat2() */
    }
    return renameat(o->dir, o->part.name, o->dir, o->base) == 0;
}

/* Close the file, so that a late write error is reported. */
static void finish(tt_outfile *o)
{
    tt_json_escape_end(&o->escape, put_text, o);
    if (o->z) put_gzip(o, "", 0, true);
    flush(o);
    if (!o->error && o->dir >= 0 && !(o->how & TT_OUTFILE_PRIVATE) && fsync(o->fd) && errno != EINVAL) o->error = errno;
    int fd = o->fd;
    o->fd = -1;
    if (close(fd) && !o->error) o->error = errno;
    if (o->error || o->dir < 0) return;
    if (give_name(o)) {
        tt_part_forget(&o->part);
    } else {
        o->error = errno;
    }
}

tt_status tt_outfile_close(tt_outfile *o, bool keep, tt_err *err)
{
    if (o->stream) fclose(o->stream);
    if (keep && !o->error) finish(o);
    tt_status st = o->error ? fail(o->path, o->error, err) : TT_OK;
    outfile_free(o);
    return st;
}

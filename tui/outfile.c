/* tui/outfile.c - files that appear when they are complete. */
#include "tui/outfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "model/mem.h"

struct tt_outfile {
    char *path, *part; /* part NULL: standard output */
    gzFile z;
    int error;
};

static tt_status fail(const char *path, int error, tt_err *err)
{
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: cannot be written: %s", path, strerror(error));
}

static void outfile_free(tt_outfile *o)
{
    free(o->path);
    free(o->part);
    free(o);
}

tt_outfile *tt_outfile_open(const char *path, tt_err *err)
{
    size_t n = strlen(path) + 16;
    tt_outfile *o = tt_calloc(1, sizeof *o);
    int fd;
    o->path = tt_strdup(path);
    if (!strcmp(path, "-")) {
        fd = dup(STDOUT_FILENO);
    } else {
        o->part = tt_malloc(n);
        snprintf(o->part, n, "%s.XXXXXX", path);
        fd = mkstemp(o->part);
        mode_t mask = umask(0);
        umask(mask);
        if (fd >= 0) (void)fchmod(fd, 0666 & ~mask);
    }
    bool gz = n > 19 && !strcmp(path + n - 19, ".gz");
    if (fd >= 0) o->z = gzdopen(fd, gz ? "wb6" : "wbT");
    if (o->z) return o;
    fail(path, errno, err);
    if (fd >= 0) close(fd);
    if (fd >= 0 && o->part) unlink(o->part);
    outfile_free(o);
    return NULL;
}

bool tt_outfile_write(void *arg, const char *p, size_t n)
{
    tt_outfile *o = arg;
    while (n && !o->error) {
        unsigned part = n < 1u << 30 ? (unsigned)n : 1u << 30;
        errno = 0;
        if (gzwrite(o->z, p, part) != (int)part) o->error = errno ? errno : EIO;
        p += part;
        n -= part;
    }
    errno = o->error;
    return !o->error;
}

tt_status tt_outfile_close(tt_outfile *o, bool keep, tt_err *err)
{
    errno = 0;
    if (gzclose(o->z) != Z_OK && !o->error) o->error = errno ? errno : EIO;
    if (keep && !o->error && o->part && rename(o->part, o->path) != 0) o->error = errno;
    if (o->part && (!keep || o->error)) unlink(o->part);
    tt_status st = keep && o->error ? fail(o->path, o->error, err) : TT_OK;
    outfile_free(o);
    return st;
}

bool tt_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

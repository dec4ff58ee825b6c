/* capture/spool/segment_files.c - links and copies of files. See segment_files.h. */
#include "capture/spool/segment_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/shared/sysfile.h"
#include "capture/spool/memory.h"

enum { PIECE = 1 << 18 };

int64_t tt_segment_clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return !tt_sysfile_stat(a, &x) && !tt_sysfile_stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int tt_segment_link(const char *from, const char *to)
{
    if (!link(from, to)) return 0;
    int e = errno;
    if (e == EEXIST && is_same_file(from, to)) return 0;
    return e == ENOENT && access(from, F_OK) ? 1 : -e;
}

bool tt_segment_may_copy(int e) { return e == EXDEV || e == EPERM || e == EMLINK || e == EOPNOTSUPP || e == ENOSYS; }

static int write_all(int out, const char *piece, size_t n, uint64_t at)
{
    for (size_t done = 0; done < n;) {
        ssize_t k = pwrite(out, piece + done, n - done, (off_t)(at + done));
        if (k < 0 && errno != EINTR) return -errno;
        done += k > 0 ? (size_t)k : 0;
    }
    return 0;
}

static int copy_bytes(int in, int out, char *piece, uint64_t *at, int64_t clock_ms)
{
    for (;;) {
        ssize_t n = pread(in, piece, PIECE, (off_t)*at);
        if (n <= 0) return n ? -errno : 1;
        int e = write_all(out, piece, (size_t)n, *at);
        if (e) return e;
        *at += (uint64_t)n;
        if (tt_segment_clock_ms() >= clock_ms) return 0;
    }
}

int tt_segment_copy(const char *from, const char *to, uint64_t *at, int64_t clock_ms)
{
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (in < 0) return errno == ENOENT ? 1 : -errno;
    int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (*at ? 0 : O_EXCL), 0644);
    int e = out < 0 ? -errno : 0;
    char *piece = e ? NULL : tt_memory_take(PIECE);
    if (!e) e = piece ? copy_bytes(in, out, piece, at, clock_ms) : -ENOMEM;
    tt_memory_give(piece, PIECE);
    if (out >= 0 && close(out) && e >= 0) e = -errno;
    close(in);
    return e;
}

/* LD_PRELOAD: a file system whose reads are short, interrupted, or fail. READS_OF selects files by a part of their
 * path. READS holds any number of words: "short:N" = at most N bytes a call, "random" = random lengths, "eintr" = a
 * signal interrupts every other call first, "eio:N" = reads fail from byte N of the file on. READS_LOG names a file
 * that gets a byte for each disturbed call. In a pipe "eio" counts the bytes that this process has read. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint calls;
static atomic_long of_pipe;

static long number_of(const char *word)
{
    const char *list = getenv("READS"), *found = list ? strstr(list, word) : NULL;
    return found ? strtol(found + strlen(word), NULL, 10) : -1;
}

static bool has(const char *word)
{
    const char *list = getenv("READS");
    return list && strstr(list, word) != NULL;
}

static bool is_victim(int fd)
{
    char link[64], path[1024];
    const char *of = getenv("READS_OF");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (n <= 0 || !of) return false;
    path[n] = '\0';
    return strstr(path, of) != NULL;
}

static void tell(void)
{
    const char *log = getenv("READS_LOG");
    int fd = log ? (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    if (fd < 0) return;
    if (syscall(SYS_write, fd, "x", 1L) < 0) abort();
    syscall(SYS_close, fd);
}

/* Result of a read of n bytes at `at`: n, fewer bytes, or -1 with errno. */
static long hurt(long n, long at)
{
    unsigned call = atomic_fetch_add(&calls, 1u);
    long fails_at = number_of("eio:"), most = number_of("short:"), left = n;
    if (has("eintr") && call % 2 == 0) {
        tell();
        return errno = EINTR, -1;
    }
    if (fails_at >= 0 && at >= fails_at) {
        tell();
        return errno = EIO, -1;
    }
    if (fails_at >= 0 && left > fails_at - at) left = fails_at - at;
    if (has("random") && left > 1) left = 1 + (long)((call * 2654435761u >> 7) % 4099u) % left;
    if (most > 0 && left > most) left = most;
    if (left < n) tell();
    return left;
}

static ssize_t read_at(int fd, void *to, size_t n, off_t at)
{
    long left = n && is_victim(fd) ? hurt((long)n, (long)at) : (long)n;
    return left < 0 ? -1 : syscall(SYS_pread64, fd, to, left, at);
}

ssize_t pread(int fd, void *to, size_t n, off_t at) { return read_at(fd, to, n, at); }
ssize_t pread64(int fd, void *to, size_t n, off64_t at) { return read_at(fd, to, n, at); }

ssize_t read(int fd, void *to, size_t n)
{
    if (!n || !is_victim(fd)) return syscall(SYS_read, fd, to, n);
    long at = syscall(SYS_lseek, fd, 0L, SEEK_CUR);
    bool pipe = at < 0;
    long left = hurt((long)n, pipe ? atomic_load(&of_pipe) : at);
    if (left < 0) return -1;
    long got = syscall(SYS_read, fd, to, left);
    if (pipe && got > 0) atomic_fetch_add(&of_pipe, got);
    return got;
}

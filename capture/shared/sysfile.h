/* capture/shared/sysfile.h - reads files of /proc and /sys, and calls stat(). Private to the library. */
#ifndef TT_CAPTURE_SHARED_SYSFILE_H
#define TT_CAPTURE_SHARED_SYSFILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Read the beginning of a small file, up to cap - 1 bytes, terminated. False when it cannot be read or is empty. */
static inline bool tt_sysfile_read(const char *path, char *out, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, out, cap - 1);
    close(fd);
    out[n > 0 ? n : 0] = 0;
    return n > 0;
}

/* stat() and fstat(), which became symbols of glibc only in 2.33 (old_glibc.h): the kernel is called where its struct
 * is glibc's. 0, or -1 with errno. */
static inline int tt_sysfile_stat(const char *path, struct stat *out)
{
#if defined __x86_64__ || defined __aarch64__
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, 0);
#else
    return stat(path, out);
#endif
}

static inline int tt_sysfile_fstat(int fd, struct stat *out)
{
#if defined __x86_64__ || defined __aarch64__
    return (int)syscall(SYS_fstat, fd, out);
#else
    return fstat(fd, out);
#endif
}

#endif

/* capture/shared/sysfile.h - files of /proc and /sys. Private to the library. */
#ifndef TT_CAPTURE_SHARED_SYSFILE_H
#define TT_CAPTURE_SHARED_SYSFILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* The beginning of a small file, up to cap - 1 bytes, terminated. False when it cannot be read or is empty. */
static inline bool tt_sysfile_read(const char *path, char *out, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, out, cap - 1);
    close(fd);
    out[n > 0 ? n : 0] = 0;
    return n > 0;
}

#endif

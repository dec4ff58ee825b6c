/* LD_PRELOAD: a machine that refuses calls. REFUSE lists the functions that fail: flock, socket, readv
 * (process_vm_readv, as by a seccomp filter), others (the same of other processes, as by Yama, whose ptrace_scope is in
 * the file REFUSE_SCOPE). Each call that costs
 * the file system or the kernel something adds a line to REFUSE_LOG: "flock", "bind", "open PATH" for paths with
 * "nvml". */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int refuses(const char *what)
{
    const char *list = getenv("REFUSE");
    return list && strstr(list, what) != NULL;
}

static void say(const char *what, const char *path)
{
    char line[700];
    const char *log = getenv("REFUSE_LOG");
    int n = snprintf(line, sizeof line, "%s%s%s\n", what, *path ? " " : "", path);
    int fd = log ? (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    if (fd < 0) return;
    if (syscall(SYS_write, fd, line, (size_t)n) < 0) abort();
    close(fd);
}

int flock(int fd, int how)
{
    say("flock", "");
    if (refuses("flock")) return errno = ENOLCK, -1; /* as on Lustre mounted without -o flock */
    return (int)syscall(SYS_flock, fd, how);
}

int bind(int fd, const struct sockaddr *a, socklen_t n)
{
    say("bind", "");
    return (int)syscall(SYS_bind, fd, a, n);
}

int socket(int domain, int type, int protocol)
{
    if (refuses("socket")) return errno = EACCES, -1;
    return (int)syscall(SYS_socket, domain, type, protocol);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long n, const struct iovec *there,
                         unsigned long m, unsigned long flags)
{
    if (refuses("readv") || (refuses("others") && pid != getpid())) return errno = EPERM, -1;
    return syscall(SYS_process_vm_readv, pid, here, n, there, m, flags);
}

int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    unsigned mode = flags & O_CREAT ? va_arg(ap, unsigned) : 0;
    va_end(ap);
    if (strstr(path, ".nvml")) say("open", path);
    const char *scope = strstr(path, "/yama/ptrace_scope") ? getenv("REFUSE_SCOPE") : NULL;
    if (scope) path = scope;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

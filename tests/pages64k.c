/* tests/pages64k.c - memory as a kernel with pages of 64 KiB gives it (ARM64 servers), by LD_PRELOAD on a kernel with
 * smaller pages: mappings begin at multiples of 64 KiB, lengths are rounded up, also for a mapping moved over another,
 * addresses inside a page are refused. PAGES64K_COUNT: file for the number of moved mappings and refused calls. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE ((size_t)65536)
static size_t whole(size_t n) { return (n + PAGE - 1) & ~(PAGE - 1); }
static int inside(const void *p) { return ((uintptr_t)p & (PAGE - 1)) != 0; }
static atomic_long moved, refused;

long sysconf(int name)
{
    long (*next)(int);
    *(void **)&next = dlsym(RTLD_NEXT, "sysconf");
    return name == _SC_PAGESIZE ? (long)PAGE : next(name);
}

int getpagesize(void) { return (int)PAGE; }

static void *map(void *at, size_t n, int prot, int flags, int fd, off_t from)
{
    return (void *)syscall(SYS_mmap, at, n, prot, flags, fd, from);
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t from)
{
    if (flags & MAP_FIXED || fd >= 0) return map(at, n, prot, flags, fd, from);
    n = whole(n);
    char *p = map(NULL, n + PAGE, PROT_NONE, (flags & ~MAP_POPULATE) | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return p;
    char *a = (char *)whole((uintptr_t)p);
    if (a > p) syscall(SYS_munmap, p, (size_t)(a - p));
    if (p + PAGE > a) syscall(SYS_munmap, a + n, (size_t)(p + PAGE - a));
    return map(a, n, prot, flags | MAP_FIXED, -1, 0);
}

int munmap(void *at, size_t n)
{
    if (!inside(at)) return (int)syscall(SYS_munmap, at, whole(n));
    refused++;
    errno = EINVAL;
    return -1;
}

void *mremap(void *at, size_t n, size_t to, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    void *place = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
    va_end(more);
    if (inside(at) || inside(place)) {
        refused++;
        errno = EINVAL;
        return MAP_FAILED;
    }
    moved++;
    n = whole(n), to = whole(to);
    if (!place && to > n) { /* the system could choose an address that is not aligned here */
        place = mmap(NULL, to, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED) return place;
        flags |= MREMAP_MAYMOVE | MREMAP_FIXED;
    } else if (!place) {
        flags &= ~MREMAP_MAYMOVE; /* it stays in place, but emulators move it when they may */
    }
    return (void *)syscall(SYS_mremap, at, n, to, flags, place);
}

__attribute__((destructor)) static void count(void)
{
    const char *path = getenv("PAGES64K_COUNT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd < 0) return;
    dprintf(fd, "%ld %ld %ld\n", (long)moved, (long)refused, sysconf(_SC_PAGESIZE));
    close(fd);
}

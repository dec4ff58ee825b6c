/* tests/fault.c - a library to preload that makes one call fail: the FAULT_AT-th of the kinds in FAULT_KINDS (m:
 * memory, c: memory requested by curses, which does not check every result, p: mmap, r: read, w: write, o: open).
 * Counts over all threads. FAULT_COUNT names a file for the number of calls. Only for the tests. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_long seen;
static long at = -1;
static const char *kinds = "";
static _Thread_local bool inside; /* dlsym() and the report allocate, too */

static struct {
    uintptr_t from, to;
} curses[2];
static int n_curses;

static int find_curses(struct dl_phdr_info *lib, size_t size, void *arg)
{
    (void)size, (void)arg;
    if (!strstr(lib->dlpi_name, "libncurses") && !strstr(lib->dlpi_name, "libtinfo")) return 0;
    if (n_curses == 2) return 1;
    curses[n_curses].from = UINTPTR_MAX;
    for (int i = 0; i < lib->dlpi_phnum; i++) {
        if (lib->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t from = lib->dlpi_addr + lib->dlpi_phdr[i].p_vaddr, to = from + lib->dlpi_phdr[i].p_memsz;
        if (from < curses[n_curses].from) curses[n_curses].from = from;
        if (to > curses[n_curses].to) curses[n_curses].to = to;
    }
    n_curses++;
    return 0;
}

static char memory_of(const void *caller)
{
    for (int i = 0; i < n_curses; i++)
        if ((uintptr_t)caller >= curses[i].from && (uintptr_t)caller < curses[i].to) return 'c';
    return 'm';
}

static void __attribute__((constructor)) begin(void)
{
    dl_iterate_phdr(find_curses, NULL);
    const char *n = getenv("FAULT_AT"), *k = getenv("FAULT_KINDS");
    if (k) kinds = k;
    if (n) at = strtol(n, NULL, 10);
}

static void __attribute__((destructor)) end(void)
{
    const char *path = getenv("FAULT_COUNT");
    long n = atomic_load(&seen);
    at = -1;
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f) return;
    fprintf(f, "%ld\n", n);
    fclose(f);
}

static bool fails(char kind, int error)
{
    if (at < 0 || inside || !strchr(kinds, kind) || atomic_fetch_add(&seen, 1) != at) return false;
    errno = error;
    return true;
}

#define NEXT(name)                                                                                                     \
    static __typeof__(&name) next;                                                                                     \
    if (!next) {                                                                                                       \
        inside = true;                                                                                                 \
        next = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name);                                                  \
        inside = false;                                                                                                \
    }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

#define OF_CALLER memory_of(__builtin_return_address(0))

void *malloc(size_t n) { return fails(OF_CALLER, ENOMEM) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails(OF_CALLER, ENOMEM) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return fails(OF_CALLER, ENOMEM) ? NULL : __libc_realloc(p, n); }

/* The C library's strdup calls malloc itself, so a copy made by curses would count as memory of the program. */
char *strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = fails(OF_CALLER, ENOMEM) ? NULL : __libc_malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t o)
{
    NEXT(mmap)
    return fails('p', ENOMEM) ? MAP_FAILED : next(p, n, prot, flags, fd, o);
}

ssize_t read(int fd, void *p, size_t n)
{
    NEXT(read)
    return fails('r', EIO) ? -1 : next(fd, p, n);
}

ssize_t pread(int fd, void *p, size_t n, off_t o)
{
    NEXT(pread)
    return fails('r', EIO) ? -1 : next(fd, p, n, o);
}

ssize_t write(int fd, const void *p, size_t n)
{
    NEXT(write)
    return fails('w', ENOSPC) ? -1 : next(fd, p, n);
}

int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
    va_end(ap);
    NEXT(open)
    return fails('o', EMFILE) ? -1 : next(path, flags, mode);
}

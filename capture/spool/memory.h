/* capture/spool/memory.h - memory from the system instead of malloc(), for code that may run in a signal handler that
 * interrupted malloc(). Zeroed, in whole pages. Private to the library. */
#ifndef TT_CAPTURE_SPOOL_MEMORY_H
#define TT_CAPTURE_SPOOL_MEMORY_H

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/* Tell the leak checker that the memory's pointers keep their targets in use. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define TT_MEMORY_ROOT(what, p, n) __lsan_##what##_root_region(p, n)
#else
#define TT_MEMORY_ROOT(what, p, n) ((void)0)
#endif

static inline void *tt_memory_take(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    TT_MEMORY_ROOT(register, p, n);
    return p;
}

static inline void tt_memory_give(void *p, size_t n)
{
    if (!p) return;
    TT_MEMORY_ROOT(unregister, p, n);
    munmap(p, n);
}

/* realloc() with the old size given. NULL: nothing changed. */
static inline void *tt_memory_grow(void *p, size_t old, size_t n)
{
    void *more = tt_memory_take(n);
    if (more && p) memcpy(more, p, old);
    if (more) tt_memory_give(p, old);
    return more;
}

#endif

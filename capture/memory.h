/* capture/memory.h - memory from the system, not from malloc(): for what may run in a signal handler that interrupted malloc() itself.
 * Zeroed, in whole pages. Private to the library.                                                                        */
#ifndef TT_CAPTURE_MEMORY_H
#define TT_CAPTURE_MEMORY_H

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

static inline void *tt_memory_take(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static inline void tt_memory_give(void *p, size_t n)
{
    if (p) munmap(p, n);
}

/* As realloc(), of which the old size must be known. NULL: nothing changed. */
static inline void *tt_memory_grow(void *p, size_t old, size_t n)
{
    void *more = tt_memory_take(n);
    if (more && p) memcpy(more, p, old);
    if (more) tt_memory_give(p, old);
    return more;
}

#endif

/* Checked allocation, growing arrays, arenas: see mem.h. The out-of-memory path lives here and nowhere else. */
#include "model/base/mem.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXIT_OOM 4                    /* exit status of a limit: TT_ERR_LIMIT */
#define LARGE ((size_t)4 << 10)       /* smaller allocations come out of arenas, or are few */
#define LOOK_MOST ((uint64_t)8 << 20) /* most bytes between two looks at the resident memory */
#define LOOK_SHARE 64

/* set by the owner of the terminal, while threads may be running */
static void (*_Atomic oom_handler)(void);
static _Atomic bool ending; /* a thread has run out of memory and ends the program */

/* set by the one load in progress */
static _Atomic uint64_t ceiling;
static _Atomic(const char *) ceiling_words;
static _Atomic uint64_t not_looked; /* bytes of large allocations since the last look */

void tt_mem_ceiling(uint64_t bytes, const char *words)
{
    atomic_store(&ceiling_words, words);
    atomic_store(&ceiling, bytes);
}

void tt_mem_set_oom(void (*handler)(void))
{
    oom_handler = handler;
    while (ending) pause(); /* another thread ends the program: wait, so that its handler is not undone */
}

static void __attribute__((noreturn)) fail_with(const char *text)
{
    ending = true;
    void (*handler)(void) = oom_handler;
    if (handler) handler();
    if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(EXIT_OOM);
    _exit(EXIT_OOM);
}

static void __attribute__((noreturn)) out_of_memory(void)
{
    fail_with("tracetty: out of memory; --max-memory or a smaller part of the trace may help\n");
}

static uint64_t resident(void)
{
    char text[64];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (n <= 0) return 0;
    text[n] = 0;
    const char *second = strchr(text, ' ');
    return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Check that `size` more bytes fit under the ceiling. Only large sizes count, and the resident memory is read every
 * few megabytes. */
static void large(size_t size)
{
    uint64_t most = atomic_load_explicit(&ceiling, memory_order_relaxed);
    uint64_t every = most / LOOK_SHARE < LOOK_MOST ? most / LOOK_SHARE : LOOK_MOST;
    if (!most || atomic_fetch_add(&not_looked, size) + size < every) return;
    atomic_store(&not_looked, 0);
    if (resident() + size > most) fail_with(atomic_load(&ceiling_words));
}

static inline void look(size_t size)
{
    if (__builtin_expect(size >= LARGE, 0)) large(size);
}

void tt_mem_fail(void) { out_of_memory(); }

void *tt_malloc(size_t size)
{
    look(size);
    void *p = malloc(size ? size : 1);
    if (!p) out_of_memory();
    return p;
}

void *tt_calloc(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) out_of_memory();
    look(bytes);
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p) out_of_memory();
    return p;
}

void *tt_realloc(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) out_of_memory();
    look(bytes / 2); /* a growing array doubles: half of it is new */
    p = realloc(p, bytes ? bytes : 1);
    if (!p) out_of_memory();
    return p;
}

char *tt_strndup(const char *s, size_t n)
{
    char *p = tt_malloc(n + 1);
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

char *tt_strdup(const char *s) { return tt_strndup(s, strlen(s)); }

void *tt_pages_alloc(size_t bytes)
{
    if (!bytes) bytes = 1;
    look(bytes);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) out_of_memory();
    return p;
}

void *tt_pages_alloc_now(size_t bytes)
{
    look(bytes);
    void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (p == MAP_FAILED) out_of_memory();
    return p;
}

void *tt_pages_resize(void *p, size_t bytes, size_t new_bytes)
{
    if (!p) return tt_pages_alloc(new_bytes);
    look(new_bytes > bytes ? new_bytes - bytes : 0);
    p = mremap(p, bytes ? bytes : 1, new_bytes ? new_bytes : 1, MREMAP_MAYMOVE);
    if (p == MAP_FAILED) out_of_memory();
    return p;
}

void tt_pages_free(void *p, size_t bytes)
{
    if (p) munmap(p, bytes ? bytes : 1);
}

void *tt_vec_grow_(void *at, size_t *cap, size_t need, size_t item)
{
    size_t n = *cap ? *cap : 8;
    while (n < need) {
        if (__builtin_mul_overflow(n, (size_t)2, &n)) out_of_memory();
    }
    at = tt_realloc(at, n, item);
    *cap = n;
    return at;
}

#define PAGE_VEC_FIRST ((size_t)64 << 10)

void *tt_page_vec_grow_(void *at, size_t *cap, size_t *room, size_t item)
{
    size_t more = *room ? *room * 2 : PAGE_VEC_FIRST;
    at = tt_pages_resize(at, *room, more);
    *room = more;
    *cap = more / item;
    return at;
}

void tt_text_put(tt_text *t, const char *p, size_t n)
{
    tt_vec_reserve(t, t->n + n + 1);
    if (n) memcpy(t->at + t->n, p, n);
    t->n += n;
    t->at[t->n] = '\0';
}

struct tt_arena_block {
    struct tt_arena_block *next;
    size_t size;
};

#define ARENA_FIRST ((size_t)4096)
#define ARENA_MOST ((size_t)1 << 20)

void *tt_arena_alloc(tt_arena *a, size_t size)
{
    size_t need = (size + 7) & ~(size_t)7;
    if (need < size) out_of_memory();
    if (need > a->left) {
        /* Blocks double up to 1 MiB, so a small table stays small and a big one costs few calls. */
        size_t block = a->total < ARENA_FIRST ? ARENA_FIRST : a->total < ARENA_MOST ? a->total : ARENA_MOST;
        if (block < need) block = need;
        if (block + sizeof(struct tt_arena_block) < block) out_of_memory();
        struct tt_arena_block *b = tt_malloc(sizeof *b + block);
        b->next = a->head;
        b->size = block;
        a->head = b;
        a->next = (char *)(b + 1);
        a->left = block;
        a->total += block + sizeof *b;
    }
    void *p = a->next;
    a->next += need;
    a->left -= need;
    return p;
}

char *tt_arena_strndup(tt_arena *a, const char *s, size_t n)
{
    char *p = tt_arena_alloc(a, n + 1);
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

char *tt_arena_printf(tt_arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0) n = 0;
    char *p = tt_arena_alloc(a, (size_t)n + 1);
    p[0] = 0;
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

void tt_arena_free(tt_arena *a)
{
    for (struct tt_arena_block *b = a->head, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    *a = (tt_arena){0};
}

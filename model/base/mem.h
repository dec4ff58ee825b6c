/* model/base/mem.h - memory: checked allocation, growing arrays, arenas.
 *
 * Out of memory has one path: the handler set by tt_mem_set_oom() runs (the explorer uses it to give the terminal
 * back) and the process ends with status 4, as for every limit. No caller checks for NULL.
 * Sizes are never taken from a number in an input file; whatever grows, grows by what was really read. */
#ifndef TT_MODEL_BASE_MEM_H
#define TT_MODEL_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

void *tt_malloc(size_t size);                     /* size 0 gives a unique pointer */
void *tt_calloc(size_t n, size_t size);           /* n * size is checked for overflow */
void *tt_realloc(void *p, size_t n, size_t size); /* n * size is checked for overflow */
char *tt_strdup(const char *s);
char *tt_strndup(const char *s, size_t n);
void tt_mem_fail(void)
    __attribute__((noreturn)); /* Take the out-of-memory path, for memory that a library could not get. */
void tt_mem_set_oom(void (*handler)(void));
/* From now on a large allocation also takes the out-of-memory path when it would raise the resident memory of the
 * process above `bytes`; the message has these words, which must live as long. 0 = no ceiling. For one load at a
 * time; its threads may allocate meanwhile. */
void tt_mem_ceiling(uint64_t bytes, const char *words);

/* Zero-filled pages from the system for a large column; untouched pages cost nothing. Never NULL, also for 0 bytes.
 * Free with tt_pages_free() and the same size in bytes. */
void *tt_pages_alloc(size_t bytes);
/* Like tt_pages_alloc(), with all pages present at once: for memory that is filled from end to end right away. */
void *tt_pages_alloc_now(size_t bytes);
void tt_pages_free(void *p, size_t bytes);
/* Change the size of pages (NULL: none yet). They move without being copied. */
void *tt_pages_resize(void *p, size_t bytes, size_t new_bytes);

/* Growing array of T: struct { T *at; size_t n, cap; }. Zero-initialised is empty. Owner calls tt_vec_free(). */
#define TT_VEC(T)                                                                                                      \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        size_t n, cap;                                                                                                 \
    }
void *tt_vec_grow_(void *at, size_t *cap, size_t need, size_t item);
#define tt_vec_reserve(v, need)                                                                                        \
    ((void)((need) > (v)->cap ? ((v)->at = tt_vec_grow_((v)->at, &(v)->cap, (need), sizeof *(v)->at)) : (v)->at))
/* Append one uninitialised item and return a pointer to it (valid until the next append). */
#define tt_vec_push(v) (tt_vec_reserve((v), (v)->n + 1), &(v)->at[(v)->n++])
#define tt_vec_free(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

/* Growing text. A NUL follows the text; n does not count it. */
typedef TT_VEC(char) tt_text;
void tt_text_put(tt_text *t, const char *p, size_t n);

/* Growing array in pages, for long lists: it grows without being copied, and its pages can be passed on. room:
 * bytes. */
#define TT_PAGE_VEC(T)                                                                                                 \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        size_t n, cap, room;                                                                                           \
    }
void *tt_page_vec_grow_(void *at, size_t *cap, size_t *room, size_t item);
#define tt_page_vec_push(v)                                                                                            \
    ((v)->n == (v)->cap ? ((v)->at = tt_page_vec_grow_((v)->at, &(v)->cap, &(v)->room, sizeof *(v)->at)) : (v)->at,    \
     &(v)->at[(v)->n++])
#define tt_page_vec_free(v) (tt_pages_free((v)->at, (v)->room), (v)->at = NULL, (v)->n = (v)->cap = (v)->room = 0)

/* Arena: many small allocations freed together. Zero-initialised is empty. Not thread-safe. */
typedef struct tt_arena {
    struct tt_arena_block *head;
    size_t left;
    char *next;
    size_t total; /* bytes taken from the system */
} tt_arena;
void *tt_arena_alloc(tt_arena *a, size_t size); /* 8-byte aligned, uninitialised */
char *tt_arena_strndup(tt_arena *a, const char *s, size_t n);
char *tt_arena_printf(tt_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tt_arena_free(tt_arena *a);

#endif

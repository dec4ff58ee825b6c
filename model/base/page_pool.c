/* Moving pages: see page_pool.h. */
#include "model/base/page_pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A moved piece remains a mapping of its own, and the system limits a process to some 65,000 mappings. This many
 * moves serve some 10 GB of trace; later columns take zeroed pages. */
static atomic_int moves_left = 16384;

size_t tt_pages_within(size_t bytes) { return bytes & ~((size_t)sysconf(_SC_PAGESIZE) - 1); }

size_t tt_pages_around(size_t bytes) { return tt_pages_within(bytes + (size_t)sysconf(_SC_PAGESIZE) - 1); }

void tt_page_pool_give(tt_page_pool *s, void *p, size_t bytes)
{
    *tt_vec_push(&s->piece) = (struct tt_page_piece){p, tt_pages_around(bytes)};
}

void tt_page_pool_take(tt_page_pool *s, void *to, size_t bytes)
{
    char *at = to, *end = at + bytes;
    while (at < end && s->piece.n && atomic_load_explicit(&moves_left, memory_order_relaxed) > 0) {
        struct tt_page_piece *p = &s->piece.at[s->piece.n - 1];
        size_t n = p->bytes < (size_t)(end - at) ? p->bytes : (size_t)(end - at);
        /* take the end of the piece, so that the rest keeps its address */
        if (mremap(p->at + p->bytes - n, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) return;
        atomic_fetch_sub_explicit(&moves_left, 1, memory_order_relaxed);
        at += n;
        p->bytes -= n;
        if (!p->bytes) s->piece.n--;
    }
}

void tt_page_pool_move(tt_page_pool *to, tt_page_pool *from)
{
    for (size_t i = 0; i < from->piece.n; i++) *tt_vec_push(&to->piece) = from->piece.at[i];
    tt_vec_free(&from->piece);
}

void tt_page_pool_free(tt_page_pool *s)
{
    for (size_t i = 0; i < s->piece.n; i++) tt_pages_free(s->piece.at[i].at, s->piece.at[i].bytes);
    tt_vec_free(&s->piece);
}

/* model/base/page_pool.h - memory pages that one owner gave up, kept for the next owner. The columns of a trace
 * replace the blocks that its slices were read into. Returning the blocks to the system and taking zeroed pages for
 * the columns costs more than copying the slices, so the pages of the blocks are moved under the columns (mremap).
 * Not thread-safe. */
#ifndef TT_MODEL_BASE_PAGE_POOL_H
#define TT_MODEL_BASE_PAGE_POOL_H

#include "model/base/mem.h"

typedef struct tt_page_pool { /* zero-initialised is empty */
    TT_VEC(struct tt_page_piece {
        char *at;
        size_t bytes;
    })
    piece;
} tt_page_pool;

/* Take over memory of tt_pages_alloc() or tt_pages_alloc_now(), with its size. */
void tt_page_pool_give(tt_page_pool *s, void *p, size_t bytes);
/* Move pages of the pool under [to, to + bytes), which must be whole, untouched pages of tt_pages_alloc(), as far as
 * the pool lasts. The moved pages have undefined contents; the rest of the memory stays as it was. */
void tt_page_pool_take(tt_page_pool *s, void *to, size_t bytes);
/* Move all pages of one pool to another. */
void tt_page_pool_move(tt_page_pool *to, tt_page_pool *from);
void tt_page_pool_free(tt_page_pool *s);

/* Bytes of the whole pages that hold `bytes` (around) and that fit into `bytes` (within). A page of this machine has
 * 4 KiB, on ARM64 also 16 or 64 KiB. */
size_t tt_pages_around(size_t bytes);
size_t tt_pages_within(size_t bytes);

#endif

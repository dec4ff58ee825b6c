/* model/base/page_pool.h - memory pages that one owner has no use for any more, kept for the next.
 *
 * The columns of a trace take the place of the blocks that its slices were read into. Giving the blocks back to the
 * system and taking zeroed pages from it costs more than copying the slices; so the pages are moved under the
 * columns as they are (mremap). Not thread-safe. */
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

/* Takes over memory of tt_pages_alloc() or tt_pages_alloc_now(), of this size. */
void tt_page_pool_give(tt_page_pool *s, void *p, size_t bytes);
/* Put pages of the stock under [to, to + bytes), whole pages of memory of tt_pages_alloc() that nobody has touched
 * yet, as far as they last. What the memory holds then is undefined; the rest stays as it was. */
void tt_page_pool_take(tt_page_pool *s, void *to, size_t bytes);
/* Everything of `from` goes to `to`. */
void tt_page_pool_move(tt_page_pool *to, tt_page_pool *from);
void tt_page_pool_free(tt_page_pool *s);

/* Whole pages of this machine (4 KiB, on ARM64 also 16 or 64) that hold so many bytes, and that fit into them:
 * bytes. */
size_t tt_pages_around(size_t bytes);
size_t tt_pages_within(size_t bytes);

#endif

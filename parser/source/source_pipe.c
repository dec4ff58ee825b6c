/* parser/source/source_pipe.c - retains the input of a pipe, so that it can be read again.
 *
 * The input is kept in blocks of 1 MiB. Compressed input is kept as it came; of text each full block is packed by the
 * quickest level of zstd (zlib without it), which shrinks a trace to about a tenth. The block being filled is not
 * packed. Reading again unpacks one block, which stays unpacked until another one is asked for. */
#include "parser/source/source_impl.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if TT_USE_ZSTD
#include <zstd.h>
#else
#include <zlib.h>
#endif

#define BLOCK ((size_t)1 << 20)

typedef struct block {
    char *data;
    size_t n; /* bytes in data; fewer than BLOCK = packed, unless it is the last block */
} block;

struct tt_pipe {
    TT_VEC(block) blocks;
    uint64_t total; /* bytes read so far */
    bool pack, ended;
    char *unpacked; /* text of the block `which`, NULL = none yet */
    size_t which;
};

tt_pipe *tt_pipe_new(void) { return tt_calloc(1, sizeof(tt_pipe)); }
void tt_pipe_pack(tt_pipe *p) { p->pack = true; }

#if TT_USE_ZSTD
static size_t pack(char *to, size_t cap, const char *from, size_t n)
{
    size_t got = ZSTD_compress(to, cap, from, n, 1);

    return ZSTD_isError(got) ? 0 : got;
}
static bool unpack(char *to, size_t cap, const char *from, size_t n)
{
    return ZSTD_decompress(to, cap, from, n) == cap;
}
#else
static size_t pack(char *to, size_t cap, const char *from, size_t n)
{
    uLongf got = cap;

    return compress2((Bytef *)to, &got, (const Bytef *)from, n, 1) == Z_OK ? got : 0;
}
static bool unpack(char *to, size_t cap, const char *from, size_t n)
{
    uLongf got = cap;

    return uncompress((Bytef *)to, &got, (const Bytef *)from, n) == Z_OK && got == cap;
}
#endif

/* Pack a full block if that makes it smaller. */
static void shrink(block *b)
{
    char *packed = tt_malloc(BLOCK);
    size_t n = pack(packed, BLOCK - 1, b->data, BLOCK);

    if (n == 0) {
        free(packed);
        return;
    }
    free(b->data);
    b->data = tt_realloc(packed, n, 1);
    b->n = n;
}

static void retain(tt_pipe *p, const char *from, size_t n)
{
    while (n) {
        size_t fill = (size_t)(p->total % BLOCK), part = n < BLOCK - fill ? n : BLOCK - fill;
        block *b;

        if (fill == 0) {
            b = tt_vec_push(&p->blocks);
            b->data = tt_malloc(BLOCK);
            b->n = 0;
        }
        b = &p->blocks.at[p->blocks.n - 1];
        memcpy(b->data + fill, from, part);
        b->n = fill + part;
        p->total += part;
        from += part;
        n -= part;
        if (b->n == BLOCK && p->pack) shrink(b);
    }
}

/* Copy retained input; at < p->total. */
static int64_t recall(tt_pipe *p, uint64_t at, char *out, size_t cap)
{
    size_t which = (size_t)(at / BLOCK), from = (size_t)(at % BLOCK), whole;
    const block *b = &p->blocks.at[which];
    const char *data = b->data;

    whole = which + 1 < p->blocks.n || p->total % BLOCK == 0 ? BLOCK : b->n;
    if (b->n != whole) {
        if (!p->unpacked) {
            p->unpacked = tt_malloc(BLOCK);
            p->which = SIZE_MAX;
        }
        if (p->which != which) {
            p->which = SIZE_MAX;
            if (!unpack(p->unpacked, BLOCK, b->data, b->n)) {
                errno = EIO;
                return -1;
            }
            p->which = which;
        }
        data = p->unpacked;
    }
    if (cap > whole - from) cap = whole - from;
    memcpy(out, data + from, cap);
    return (int64_t)cap;
}

/* Wait until a read will not block; false = *stop was set meanwhile. */
static bool wait_for(int fd, const _Atomic bool *stop)
{
    struct pollfd pf = {.fd = fd, .events = POLLIN};

    for (;;) {
        if (stop && atomic_load(stop)) return false;
        if (poll(&pf, 1, stop ? 100 : -1) > 0) return true;
    }
}

int64_t tt_pipe_read(tt_pipe *p, int fd, const _Atomic bool *stop, uint64_t at, void *out, size_t cap)
{
    int64_t n;

    if (at < p->total) return recall(p, at, out, cap);
    if (p->ended || at > p->total) return 0;
    do {
        if (!wait_for(fd, stop)) {
            errno = ECANCELED;
            return -1;
        }
        n = read(fd, out, cap);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n == 0) p->ended = true;
    if (n > 0) retain(p, out, (size_t)n);
    return n;
}

void tt_pipe_end(tt_pipe *p) { p->ended = true; }

void tt_pipe_free(tt_pipe *p)
{
    for (size_t i = 0; i < p->blocks.n; i++) free(p->blocks.at[i].data);
    tt_vec_free(&p->blocks);
    free(p->unpacked);
    free(p);
}

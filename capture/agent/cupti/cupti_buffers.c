/* capture/agent/cupti/cupti_buffers.c - a table of the buffers given to CUPTI, and the size of the next one. See
 * cupti_buffers.h. */
#include "capture/agent/cupti/cupti_buffers.h"

#include <stdlib.h>
#include <string.h>

#include "capture/spool/memory.h"

enum {
    ALIGNMENT = 64,  /* sizes are multiples of it */
    LEAST = 1 << 16, /* minimum bytes of a buffer, unless set smaller */
    PARTS = 64,      /* a new buffer takes at most 1/PARTS of the memory left below the limit */
    RESERVE = 4,     /* small buffers beyond one for each thread */
    MANY = 4 << 20   /* bytes for which the writer is woken between its passes */
};

static size_t least(const tt_cupti_buffers *b) { return b->size < LEAST ? b->size : LEAST; }

void tt_cupti_buffers_set_up(tt_cupti_buffers *b, size_t size, size_t number)
{
    b->size = size & ~(size_t)(ALIGNMENT - 1);
    b->limit = b->size * number;
}

/* Bytes of the next buffer; 0: none is allowed. Sizes shrink as the limit comes near, so that a few threads get
 * large buffers and many threads still get one each. Caller holds the lock. */
static size_t next_size(const tt_cupti_buffers *b)
{
    size_t rest = b->limit > b->bytes ? b->limit - b->bytes : 0, want = rest / PARTS & ~(size_t)(ALIGNMENT - 1);
    if (b->n + b->pending >= TT_BUFFERS_MOST) return 0;
    if (want > b->size) want = b->size;
    if (want < least(b)) want = least(b);
    if (want <= rest) return want;
    return b->kept < b->threads + RESERVE ? least(b) : 0;
}

/* Count the calling thread as one that asks for buffers. Caller holds the lock. */
static void count_thread(tt_cupti_buffers *b)
{
    static __thread bool counted __attribute__((tls_model("initial-exec")));
    if (!counted && b->threads < TT_BUFFERS_MOST / 8) b->threads++;
    counted = true;
}

static tt_cupti_buffer *new_buffer(size_t size, bool spare)
{
    tt_cupti_buffer *one = calloc(1, sizeof *one);
    void *data = one ? tt_memory_take(size) : NULL; /* pages of zeros */
    if (!data) {
        free(one);
        return NULL;
    }
    *one = (tt_cupti_buffer){.data = data, .size = size, .spare = spare};
    return one;
}

/* CUPTI gets the buffer. Caller holds the lock. */
static void hand_out(const tt_cupti_buffers *b, tt_cupti_buffer *one, int64_t now)
{
    one->valid = 0;
    one->given = now;
    one->flushes = b->flushes;
    one->out = true;
}

/* Enter a new buffer into the table (NULL: its memory was refused). Memory is requested without the lock. */
static void enter(tt_cupti_buffers *b, tt_cupti_buffer *one, size_t size, bool spare, int64_t now)
{
    pthread_mutex_lock(&b->lock);
    b->pending--;
    if (one) hand_out(b, one, now);
    if (one) b->at[b->n++] = one;
    if (!one && !spare) {
        b->kept--;
        b->bytes -= size;
    }
    pthread_mutex_unlock(&b->lock);
}

tt_cupti_buffer *tt_cupti_buffers_request(tt_cupti_buffers *b, bool always, int64_t now)
{
    pthread_mutex_lock(&b->lock);
    count_thread(b);
    tt_cupti_buffer *one = b->free;
    if (one) {
        b->free = one->next;
        hand_out(b, one, now);
    }
    size_t size = one ? 0 : next_size(b);
    bool spare = !one && !size && always && b->n + b->pending < TT_BUFFERS_MOST;
    if (spare) size = least(b);
    b->pending += size != 0;
    if (size && !spare) {
        b->kept++;
        b->bytes += size;
    }
    pthread_mutex_unlock(&b->lock);
    if (!size) return one;
    one = new_buffer(size, spare);
    enter(b, one, size, spare, now);
    return one;
}

bool tt_cupti_buffers_complete(tt_cupti_buffers *b, const uint8_t *data, size_t valid, bool forced)
{
    tt_cupti_buffer *one = NULL;
    pthread_mutex_lock(&b->lock);
    for (uint32_t i = 0; i < b->n && !one; i++) {
        if (b->at[i]->data == data && b->at[i]->out) one = b->at[i];
    }
    if (one) {
        one->out = false;
        one->forced = forced;
        one->valid = valid < one->size ? valid : one->size;
        one->next = NULL;
        if (b->last) b->last->next = one;
        if (!b->last) b->first = one;
        b->last = one;
        b->waiting += one->size;
    }
    bool many = one && b->waiting >= MANY;
    if (many) b->waiting = 0; /* woken once */
    pthread_mutex_unlock(&b->lock);
    return many;
}

tt_cupti_buffer *tt_cupti_buffers_take(tt_cupti_buffers *b)
{
    pthread_mutex_lock(&b->lock);
    tt_cupti_buffer *first = b->first;
    b->first = b->last = NULL;
    b->waiting = 0;
    pthread_mutex_unlock(&b->lock);
    return first;
}

/* Remove a buffer from the table. Caller holds the lock. */
static void forget_one(tt_cupti_buffers *b, const tt_cupti_buffer *one)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->at[i] != one) continue;
        b->at[i] = b->at[--b->n];
        return;
    }
}

void tt_cupti_buffers_give(tt_cupti_buffers *b, tt_cupti_buffer *one)
{
    bool spare = one->spare;
    if (!spare) memset(one->data, 0, one->size);
    pthread_mutex_lock(&b->lock);
    if (spare) forget_one(b, one);
    if (!spare) {
        one->next = b->free;
        b->free = one;
    }
    pthread_mutex_unlock(&b->lock);
    if (!spare) return;
    tt_memory_give(one->data, one->size);
    free(one->later);
    free(one);
}

void tt_cupti_buffers_flushed(tt_cupti_buffers *b)
{
    pthread_mutex_lock(&b->lock);
    b->flushes++;
    pthread_mutex_unlock(&b->lock);
}

uint64_t tt_cupti_buffers_flushes(tt_cupti_buffers *b)
{
    pthread_mutex_lock(&b->lock);
    uint64_t n = b->flushes;
    pthread_mutex_unlock(&b->lock);
    return n;
}

size_t tt_cupti_buffers_held(tt_cupti_buffers *b, uint64_t flush, tt_cupti_buffer *out[TT_BUFFERS_MOST])
{
    size_t n = 0;
    pthread_mutex_lock(&b->lock);
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->at[i]->out && b->at[i]->flushes < flush) out[n++] = b->at[i];
    }
    pthread_mutex_unlock(&b->lock);
    return n;
}

void tt_cupti_buffers_forget(tt_cupti_buffers *b)
{
    pthread_mutex_init(&b->lock, NULL);
    b->first = b->last = NULL;
}

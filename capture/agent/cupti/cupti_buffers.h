/* capture/agent/cupti/cupti_buffers.h - the memory that CUPTI fills with records. Private to the library.
 *
 * A buffer is out from CUPTI's request until CUPTI returns it, then completed until the writer has read it, then free.
 * Only addresses that were handed out here are taken back: a buffer of another client, which had CUPTI before us or has
 * taken it since, is not touched. CUPTI may keep a buffer for each thread (as we ask it to), even for an idle thread:
 * so the first buffers are large, further ones smaller, and beyond the limit every thread that asked still gets a small
 * one. Buffers are zeroed when CUPTI gets them, and that is done on the writer's thread: CUPTI would do it on the
 * thread that launches. */
#ifndef TT_CAPTURE_AGENT_CUPTI_CUPTI_BUFFERS_H
#define TT_CAPTURE_AGENT_CUPTI_CUPTI_BUFFERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TT_BUFFERS_MOST = 8192 };

typedef struct tt_cupti_buffer {
    struct tt_cupti_buffer *next;
    uint8_t *data;
    size_t size, valid; /* valid: bytes that hold records */
    int64_t given;      /* when CUPTI got the buffer, ns */
    uint64_t flushes;   /* number of flushes before CUPTI got the buffer */
    bool out;           /* CUPTI holds the buffer */
    bool forced;        /* CUPTI was forced to return the buffer: it may hold work that has not ended */
    bool spare;         /* allocated beyond all limits: its records are only counted */
    /* used by the writer: what was read while CUPTI held the buffer (cupti_walk.h) */
    void *last;      /* last record that was read; NULL: none */
    uint32_t *later; /* ascending places of records before it that are not written, or written as open */
    uint32_t n_later, cap_later;
} tt_cupti_buffer;

typedef struct tt_cupti_buffers {
    pthread_mutex_t lock; /* guards all members but size and limit; never held while CUPTI is called */
    size_t size, limit;   /* bytes of the largest buffer; bytes of all together at most */
    size_t bytes;         /* bytes of all buffers that are not spare */
    /* n: buffers in the table; kept: those that are not spare, with pending ones; threads: that asked for a buffer */
    uint32_t n, kept, threads;
    uint32_t pending; /* buffers whose memory is being allocated */
    uint64_t flushes; /* number of flushes so far */
    size_t waiting;   /* bytes of the completed buffers */
    /* free: list of free buffers; first to last: completed buffers, in order */
    tt_cupti_buffer *free, *first, *last;
    tt_cupti_buffer *at[TT_BUFFERS_MOST];
} tt_cupti_buffers;

/* Set the limits before the first request. size: bytes of the largest buffer; number: `number` such buffers are the
 * limit. */
void tt_cupti_buffers_set_up(tt_cupti_buffers *b, size_t size, size_t number);
/* Give CUPTI a buffer at this time; any thread. NULL: none is left. always: give a spare one instead of NULL. */
tt_cupti_buffer *tt_cupti_buffers_request(tt_cupti_buffers *b, bool always, int64_t now);
/* CUPTI has returned what it could; any thread. */
void tt_cupti_buffers_flushed(tt_cupti_buffers *b);
uint64_t tt_cupti_buffers_flushes(tt_cupti_buffers *b); /* number of these calls */
/* List the buffers that CUPTI got before the flush with this number, and holds; returns how many. They stay allocated
 * until the writer, who calls this, takes and gives them back; CUPTI may return them meanwhile. */
size_t tt_cupti_buffers_held(tt_cupti_buffers *b, uint64_t flush, tt_cupti_buffer *out[TT_BUFFERS_MOST]);
/* CUPTI returns the buffer at data, which holds valid bytes of records; any thread. forced: see tt_cupti_buffer.
 * Buffers that are not ours are ignored. True: so much waits to be read that the writer should not sleep on. */
bool tt_cupti_buffers_complete(tt_cupti_buffers *b, const uint8_t *data, size_t valid, bool forced);
/* Take the completed buffers, in order; the writer owns each until it gives the buffer back. */
tt_cupti_buffer *tt_cupti_buffers_take(tt_cupti_buffers *b);
void tt_cupti_buffers_give(tt_cupti_buffers *b, tt_cupti_buffer *one);
/* In a forked child, which has no CUPTI: mark all buffers as returned. */
void tt_cupti_buffers_forget(tt_cupti_buffers *b);

#endif

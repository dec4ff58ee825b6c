/* capture/agent/cupti/cupti_buffers.h - the memory that CUPTI fills with records. Private to the library.
 *
 * A buffer is out from the moment CUPTI asks for it until it comes back, then completed until the writer has read it,
 * then free. Only addresses that were handed out here are taken back: those of another client, which had CUPTI before
 * us or has taken it since, are nobody's business of ours and are not touched.
 * CUPTI may keep a buffer for each thread (that is how we ask for it), also for one that does nothing: so the first
 * ones are large, further ones smaller, and beyond the limit every thread that asked still gets a small one. */
#ifndef TT_CAPTURE_AGENT_CUPTI_BUFFERS_H
#define TT_CAPTURE_AGENT_CUPTI_BUFFERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TT_BUFFERS_MOST = 8192 };

typedef struct tt_cupti_buffer {
    struct tt_cupti_buffer *next;
    uint8_t *data;
    size_t size, valid; /* valid: bytes that hold records */
    bool out;           /* CUPTI has it */
    bool spare;         /* beyond all limits: its records are only counted */
} tt_cupti_buffer;

typedef struct tt_cupti_buffers {
    pthread_mutex_t lock;                 /* guards all but size and limit; never held while CUPTI is called */
    size_t size, limit;                   /* bytes of the largest buffer, and of all together */
    size_t bytes;                         /* of those that are not spare */
    uint32_t n, kept, threads;            /* in the table; not spare, here or to come; threads that asked for one */
    uint32_t pending;                     /* whose memory is being asked for */
    tt_cupti_buffer *free, *first, *last; /* first to last: completed, in order */
    tt_cupti_buffer *at[TT_BUFFERS_MOST];
} tt_cupti_buffers;

/* size: bytes of the largest one; number: as many of these are the limit. Before the first request. */
void tt_cupti_buffers_set_up(tt_cupti_buffers *b, size_t size, size_t number);
/* CUPTI asks; any thread. NULL: none is left; `always` gets a spare one then. */
tt_cupti_buffer *tt_cupti_buffers_request(tt_cupti_buffers *b, bool always);
/* CUPTI is done with the buffer at data, which holds valid bytes; any thread. False: it is none of ours. */
bool tt_cupti_buffers_complete(tt_cupti_buffers *b, const uint8_t *data, size_t valid);
/* The writer: the completed buffers, in order, which are its own until it gives each of them back. */
tt_cupti_buffer *tt_cupti_buffers_take(tt_cupti_buffers *b);
void tt_cupti_buffers_give(tt_cupti_buffers *b, tt_cupti_buffer *one);
/* In a forked child, which has no CUPTI: nothing is out any more. */
void tt_cupti_buffers_forget(tt_cupti_buffers *b);

#endif

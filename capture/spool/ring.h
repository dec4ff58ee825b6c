/* capture/spool/ring.h - a spool that keeps only its last part: segments of bounded age and size, the oldest of which
 * are deleted. Used inside the recorded process by its one writer thread; every function is for that thread.
 *
 * A segment is a whole spool: HOST_rankN.START.NNNNNN.ttspool, with NNNNNN counting from 000000. It begins with a head
 * that repeats what is known so far: META facts, devices, contexts, thread names, communicators, losses, the state of
 * the recording, the current step, and ranges that are open. Names are written at their first use in a segment. So each
 * segment opens alone, and numbers of blocks count on, so that consecutive segments are one spool when they are
 * concatenated. A segment that was ended in order says so in its last record.
 *
 * Facts are learned from the blocks as they are written, so whoever adds a record needs to know nothing of segments. */
#ifndef TT_CAPTURE_SPOOL_RING_H
#define TT_CAPTURE_SPOOL_RING_H

#include "capture/spool/ring_facts.h"
#include "capture/spool/spool_writer.h"

enum { TT_RING_SEGMENTS = 256, TT_RING_FREEZES = 4, TT_RING_PATH = 768 };

typedef struct tt_ring_segment {
    uint64_t number, bytes, serial;
    int64_t began; /* ns of the user's clock */
} tt_ring_segment;

typedef struct tt_ring_freeze_job { /* segments that could not be linked, and are copied a piece at each poll */
    char dir[TT_RING_PATH];
    uint64_t next, last; /* numbers of the segments left to copy */
    uint64_t at;         /* bytes of segment `next` copied so far */
} tt_ring_freeze_job;

typedef struct tt_ring_hooks {   /* what the ring asks of its user */
    int64_t (*clock)(void *arg); /* time now, ns */
    void (*tail)(void *arg);     /* add the last records of a segment: ranges that are open */
    void (*head)(void *arg);     /* add the first ones beside facts: clocks, ranges that are open */
    void *arg;
} tt_ring_hooks;

typedef struct tt_ring {
    tt_spool_writer *w;
    tt_ring_hooks user;
    char base[TT_RING_PATH];    /* path of a segment without ".NNNNNN.ttspool" */
    char path[2][TT_RING_PATH]; /* paths of the segment that is written and of the next, in turn: see w->path */
    int64_t keep_ns;            /* 0: there is no ring, the spool is one file */
    int64_t turn_ns;            /* a segment that is older, or has more than turn_bytes, is ended */
    uint64_t most, turn_bytes;
    uint64_t serial;                        /* counts files for names: see tt_intern_use(); not 0 */
    tt_ring_segment now;                    /* the segment that is written; its bytes are w->bytes */
    tt_ring_segment kept[TT_RING_SEGMENTS]; /* ended segments, oldest first */
    uint32_t n_kept;
    uint64_t kept_bytes;
    bool in_head;
    tt_ring_facts facts;
    tt_ring_freeze_job jobs[TT_RING_FREEZES];
    uint32_t n_jobs;
    int64_t copied;   /* end of the last piece of a copy */
    int freeze_error; /* errno of the first copy that failed, 0 = none */
} tt_ring;

/* Create the first segment and open *w on it; base, without an ending, is copied. The caller adds the recorder's own
 * META facts and calls tt_ring_begun(). keep_ns above 0; most: bytes of all segments together, 0: no limit. *g: zeros,
 * or a ring that tt_ring_free() ended. 0 or -errno. */
int tt_ring_open(tt_ring *g, tt_spool_writer *w, const char *base, int64_t keep_ns, uint64_t most,
                 const tt_ring_hooks *user);
void tt_ring_begun(tt_ring *g);
/* End the segment if it is old or large, delete segments that are not needed any more, go on with copies. After a write
 * that failed for want of space, delete the oldest segment and go on in a new one. Call between records; cheap. True: a
 * new segment was begun. */
bool tt_ring_poll(tt_ring *g);
/* Bytes of all segments on disk. */
uint64_t tt_ring_bytes(const tt_ring *g);
/* Begin of the oldest segment that is kept. */
int64_t tt_ring_since(const tt_ring *g);
/* Serial of the oldest file that is kept: names last used in an earlier one are in no file. */
uint64_t tt_ring_oldest(const tt_ring *g);
/* Freeze what is kept: end the segment, then hard-link all ended segments into dir, which is made if it is missing.
 * Where the system cannot link, they are copied, a piece at each tt_ring_poll(), and not deleted before. 0, or
 * -errno: nothing could be frozen; -EBUSY: TT_RING_FREEZES are being copied; -ENOSYS: there is no ring. Takes a few
 * ms: a flush, a rotation, a link() for each segment. A segment that somebody removed is left out. */
int tt_ring_freeze(tt_ring *g, const char *dir);
void tt_ring_finish(tt_ring *g); /* finish the copies, for at most some seconds: at the end of the process */
void tt_ring_free(tt_ring *g);   /* forget everything but the serial; delete no file */

#endif

/* capture/spool/ring_facts.h - what the head of a segment repeats: records learned from the blocks of a ring.
 * Private to capture/spool. */
#ifndef TT_CAPTURE_SPOOL_RING_FACTS_H
#define TT_CAPTURE_SPOOL_RING_FACTS_H

#include "capture/spool/spool_writer.h"

typedef struct tt_ring_facts { /* the records that a head repeats; memory from the system */
    unsigned char *at;
    size_t n, cap;
    size_t own; /* bytes at the front that stay: the recorder's own META facts */
} tt_ring_facts;

/* Keep the facts among n bytes of records; a later record of the same fact replaces the earlier one. */
void tt_ring_facts_learn(tt_ring_facts *f, const unsigned char *records, size_t n);
void tt_ring_facts_repeat(const tt_ring_facts *f, tt_spool_writer *w);
void tt_ring_facts_free(tt_ring_facts *f);

#endif

/* capture/spool/ring_internal.h - shared by the parts of a ring: rotation (ring.c), what a head repeats (ring_facts.c),
 * freezing (ring_freeze.c). Private to them. */
#ifndef TT_CAPTURE_SPOOL_RING_INTERNAL_H
#define TT_CAPTURE_SPOOL_RING_INTERNAL_H

#include "capture/spool/ring.h"

/* Path of a segment; false: too long. */
bool tt_ring_path(const tt_ring *g, uint64_t number, char out[TT_RING_PATH]);
/* Delete the oldest ended segment; false: there is none, or it is being copied. */
bool tt_ring_drop_oldest(tt_ring *g);

/* Keep the facts among n bytes of records; a later record of the same fact replaces the earlier one. */
void tt_ring_learn(tt_ring_facts *f, const unsigned char *records, size_t n);
void tt_ring_repeat(const tt_ring_facts *f, tt_spool_writer *w);
void tt_ring_facts_free(tt_ring_facts *f);

/* Copy a piece for the oldest freeze, unless one was copied a moment ago. */
void tt_ring_copy_on(tt_ring *g, int64_t now);

#endif

/* parser/recording/past.h - the older blocks of spools that grow, for readings of their newest part only.
 *
 * A recording that is followed is read again and again. A block that has left the newest part is looked through once:
 * its facts (names, threads, devices) and what may go on behind it (open ranges, unfinished work, communicators) are
 * kept, and later readings begin with these. So a reading costs as much as the newest part, however long the recording
 * is. The head of a ring's segment serves the same purpose in the file (capture/format/spool.h). */
#ifndef TT_PARSER_RECORDING_PAST_H
#define TT_PARSER_RECORDING_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/format/spool.h"

typedef struct tt_past tt_past;

tt_past *tt_past_new(void); /* never NULL; tt_past_free() */
void tt_past_free(tt_past *p);
/* Before each load: bytes at the end of each recording that are read, at least; UINT64_MAX (as at first): all. Files
 * that the load before did not read are forgotten. */
void tt_past_set_newest(tt_past *p, uint64_t bytes);
uint64_t tt_past_newest(const tt_past *p);
/* After a load: whether it left blocks of a file to the past. */
bool tt_past_left(const tt_past *p);

/* ---- for the reader ---- */

typedef struct tt_past_file {
    uint64_t offset; /* end of the older blocks */
    uint32_t seq;    /* number of the next block */
    int64_t until;   /* when the older blocks end, ns of the spool's clock */
} tt_past_file;

/* Look through the blocks of a file that have left the newest part of its recording, which has `size` bytes of this
 * file and `behind` bytes of later ones. NULL: the file is read from its beginning. Owned by p. Any thread, one for
 * each path. */
const tt_past_file *tt_past_look(tt_past *p, const char *path, uint64_t size, uint64_t behind);
/* Call each() with the records that are kept, facts first, and their offsets in the file. */
void tt_past_each(const tt_past_file *f, void (*each)(void *arg, const tt_spool_rec *r, uint64_t offset), void *arg);

#endif

/* parser/recording/tail.h - reads the records of a growing spool once each: every call goes on behind the last whole
 * block. One thread. */
#ifndef TT_PARSER_RECORDING_TAIL_H
#define TT_PARSER_RECORDING_TAIL_H

#include <stdbool.h>

#include "capture/format/spool.h"

typedef struct tt_spool_tail {
    int fd;          /* -1: not open */
    uint32_t seq;    /* number of the next block */
    uint64_t offset; /* end of the blocks that were read */
    char *in;        /* buffer of a block */
} tt_spool_tail;

/* Open the spool at path, whose first block has any number; false with errno. */
bool tt_spool_tail_open(tt_spool_tail *t, const char *path);
void tt_spool_tail_close(tt_spool_tail *t);
/* Call each() for the records of all new whole blocks that end before the offset `until`. A torn or damaged block ends
 * the reading, and is tried again by the next call. Returns whether there was a new block. */
bool tt_spool_tail_read(tt_spool_tail *t, uint64_t until, void (*each)(void *arg, const tt_spool_rec *r), void *arg);

#endif

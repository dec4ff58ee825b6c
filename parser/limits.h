/* parser/limits.h - how much memory a load may take, and noticing in time that it will be too much. */
#ifndef TT_PARSER_LIMITS_H
#define TT_PARSER_LIMITS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/mem.h"

typedef struct tt_limits {
    uint64_t memory;       /* resident bytes of the process */
    uint64_t address;      /* bytes of its address space; UINT64_MAX = not limited */
    uint64_t events;       /* of all inputs together */
    uint64_t element;      /* bytes of text of one event, and of what else a trace holds (its header) */
    const char *memory_of; /* what sets the limit of memory, for the message */
} tt_limits;

/* 0 = the default: nine tenths of what the machine has free and of what its control group allows; as many events as
 * rows have numbers. An element may have a 64th of the memory, by default at most 128 MiB. The limit of the address
 * space is the system's (ulimit -v) in any case. */
void tt_limits_init(tt_limits *l, uint64_t memory, uint64_t events);

typedef struct tt_watch { /* one load; zeroed before */
    tt_limits limits;
    atomic_uint_fast64_t resident_before; /* when the file began; of several that are read at once, the last one */
    atomic_uint_fast64_t asked;           /* number of the last look */
    atomic_uint_fast64_t offset;          /* in the text, of what is too long */
    atomic_int refused;                   /* why; 0 = not */
} tt_watch;

void tt_watch_file(tt_watch *w); /* another file begins */
/* Called often, by any thread, with what has been read so far. False from the moment on where the load has to stop.
 * Cheap: looks at the memory every 16 MiB of text (more often where the limit is low), and expects the end of the
 * load to take more: the columns are made out of what was read. */
bool tt_watch_look(tt_watch *w, uint64_t events, uint64_t text_bytes);
/* The element at this place of the text, or the header up to there, is longer than limits.element: refuse it. */
void tt_watch_too_long(tt_watch *w, uint64_t offset, bool header);
/* What was refused was refused for memory, which is free again: the load may go on. */
bool tt_watch_forgive(tt_watch *w);
/* What tells a person that the load at path would take too much memory. Of the arena; printable whatever the path
 * holds. */
const char *tt_limits_words(const tt_limits *l, const char *path, tt_arena *a);
/* The message of a refusal; TT_OK when nothing was refused. */
tt_status tt_watch_status(const tt_watch *w, const char *path, tt_err *err);

#endif

/* parser/limits.h - the memory that a load may take, and stopping a load in time that would take more. */
#ifndef TT_PARSER_LIMITS_H
#define TT_PARSER_LIMITS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/mem.h"

typedef struct tt_limits {
    uint64_t memory;       /* resident bytes of the process */
    uint64_t address;      /* bytes of its address space; UINT64_MAX = not limited */
    uint64_t events;       /* events of all inputs together */
    uint64_t element;      /* bytes of text of one event, and of the rest of a trace (its header) */
    const char *memory_of; /* origin of the memory limit, for the message */
} tt_limits;

/* Set the limits; 0 = the default. By default memory is nine tenths of the machine's free memory and of the control
 * group's limit, and events are as many as there are row numbers. An element may have 1/64 of the memory, by default
 * at most 128 MiB. The limit of the address space is always the system's (ulimit -v). */
void tt_limits_init(tt_limits *l, uint64_t memory, uint64_t events);

typedef struct tt_watch { /* one load; zero it first */
    tt_limits limits;
    /* resident bytes when the file began; if several files are read at once, when the last of them began */
    atomic_uint_fast64_t resident_before;
    atomic_uint_fast64_t asked;  /* number of the last look at the memory */
    atomic_uint_fast64_t offset; /* offset in the text of an element that is too long */
    atomic_int refused;          /* why the load was refused; 0 = not refused */
} tt_watch;

void tt_watch_file(tt_watch *w); /* Call this when another file begins. */
/* Any reading thread calls this often, with the events and text bytes read so far. Returns false from the moment on
 * when the load has to stop. Cheap: looks at the memory every 16 MiB of text (more often under a low limit), and
 * counts on more memory for the end of the load, which makes columns of the events. */
bool tt_watch_look(tt_watch *w, uint64_t events, uint64_t text_bytes);
/* Refuse the element at this offset of the text, or the header up to there, for being longer than limits.element. */
void tt_watch_too_long(tt_watch *w, uint64_t offset, bool header);
/* The load was refused for memory that is free again: let it go on. False = it was refused for another reason. */
bool tt_watch_forgive(tt_watch *w);
/* Message that the load at path would take too much memory. Allocated in the arena; printable for any path. */
const char *tt_limits_words(const tt_limits *l, const char *path, tt_arena *a);
/* Set the message of a refusal; TT_OK = nothing was refused. */
tt_status tt_watch_status(const tt_watch *w, const char *path, tt_err *err);

#endif

/* capture/spool/intern.h - names inside the recorded process: interned, each with an id.
 *
 * Any thread may intern names; a recently used name costs a hash and two comparisons, a new one a lock. Memory is
 * bounded: beyond the limit every new name gets the id of one placeholder. Memory comes from the system (memory.h) and
 * stays mapped; that of names that were given up is used again.
 *
 * A ring of segments (ring.h) gives names up: tt_intern_evict() takes names that no kept segment has out of the table,
 * and makes the threads' caches invalid by a new epoch. A thread may still be about to use such an id, so the name
 * keeps its text and id for many calls more, and a use in that time keeps it longer. Then the id gets another name.
 * Whoever holds an id for longer than a moment - in a handle, a table - pins its name. */
#ifndef TT_CAPTURE_SPOOL_INTERN_H
#define TT_CAPTURE_SPOOL_INTERN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tt_name {
    uint64_t hash;
    uint32_t id, len;
    uint64_t used;  /* serial of the last file that has the name, 0 = none; of the writer thread */
    uint32_t since; /* call of tt_intern_evict() that took the name out of the table, 0 = it is in the table */
    bool pinned;    /* guarded by the lock, as `since` */
    char text[];
} tt_name;

enum { TT_NAME_NONE = 0, TT_NAME_FULL = 1 }; /* ids 0 and 1: "", "(string table full)" */
enum { TT_NAMES_PAGE = 4096, TT_NAMES_PAGES = 1024, TT_NAMES_SIZES = 48 };

typedef struct tt_intern {
    pthread_mutex_t lock;
    tt_name **slot;
    size_t n_slots, n_used;                 /* n_used: names in the table */
    tt_name *_Atomic *page[TT_NAMES_PAGES]; /* names by id; pages never move */
    uint32_t n;                             /* end of the ids given so far */
    uint32_t *free_ids;                     /* ids below n without a name */
    size_t n_free, cap_free;
    size_t bytes, limit; /* bytes of names */
    uint64_t refused;
    _Atomic uint32_t epoch; /* caches of an earlier epoch are invalid */
    uint32_t rounds;        /* calls of tt_intern_evict() */
    char *next;             /* free part of the current piece of memory */
    size_t left;
    tt_name *given_up[TT_NAMES_SIZES]; /* lists of memory to use again, by size */
} tt_intern;

typedef struct tt_intern_cache { /* one for each thread */
    uint32_t epoch;
    const tt_name *of[256];
} tt_intern_cache;

int tt_intern_init(tt_intern *t, size_t limit); /* 0 or -ENOMEM */
/* Id of a name, interned if new; cache may be NULL. The id is for records that are written soon. */
uint32_t tt_intern_put(tt_intern *t, tt_intern_cache *cache, const char *text, size_t len);
/* Id of a name that is never given up. */
uint32_t tt_intern_pin(tt_intern *t, const char *text, size_t len);
/* The name of an id, "" for an unknown id; a pinned one is valid for ever. */
const tt_name *tt_intern_at(const tt_intern *t, uint32_t id);

/* ---- for the writer thread */

/* The name, if it must be written to the file with this serial (above 0) before a record uses it; else NULL. */
const tt_name *tt_intern_use(tt_intern *t, uint32_t id, uint64_t file);
/* Take names out of the table that were last used before file `oldest`, and give up those taken out `rounds` calls
 * ago or earlier. file: serial of the file that is written; names that were not used yet count as used in the one
 * before. */
void tt_intern_evict(tt_intern *t, uint64_t oldest, uint64_t file, uint32_t rounds);

#endif

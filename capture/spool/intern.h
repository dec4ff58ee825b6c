/* capture/spool/intern.h - names inside the recorded process: interned, each with an id that never changes.
 *
 * Any thread may intern names; a recently used name costs a hash and a comparison, a new one a lock. Memory is
 * bounded: beyond the limit every new name gets the id of one placeholder. Names are never removed. Memory comes
 * from the system (memory.h). */
#ifndef TT_CAPTURE_SPOOL_INTERN_H
#define TT_CAPTURE_SPOOL_INTERN_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tt_name {
    uint64_t hash;
    uint32_t id, len;
    char text[];
} tt_name;

enum { TT_NAME_NONE = 0, TT_NAME_FULL = 1 }; /* ids 0 and 1: "", "(string table full)" */

typedef struct tt_intern {
    pthread_mutex_t lock;
    tt_name **slot;
    size_t n_slots;
    tt_name **by_id; /* grows by copying, under the lock */
    size_t cap;
    uint32_t n; /* number of ids given */
    size_t bytes, limit;
    uint64_t refused;
    char *next; /* free part of the current piece of memory */
    size_t left;
} tt_intern;

typedef struct tt_intern_cache { /* one for each thread */
    const tt_name *of[256];
} tt_intern_cache;

int tt_intern_init(tt_intern *t, size_t limit); /* 0 or -ENOMEM */
/* Id of a name, interned if new; cache may be NULL. */
uint32_t tt_intern_put(tt_intern *t, tt_intern_cache *cache, const char *text, size_t len);
/* The name of an id, "" for an unknown id; valid for ever. */
const tt_name *tt_intern_at(tt_intern *t, uint32_t id);

#endif

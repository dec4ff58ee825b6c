/* capture/spool/intern.c - a hash table behind a lock, with a small cache in front for each thread. See intern.h. */
#include "capture/spool/intern.h"

#include <errno.h>
#include <string.h>

#include "capture/format/spool.h"
#include "capture/spool/memory.h"

#define PIECE ((size_t)1 << 18)
enum { STEP = 32, STEPS_MOST = 1024 };

static uint64_t hash_of(const char *p, size_t n)
{
    uint64_t h = UINT64_C(0x9E3779B97F4A7C15) ^ n, w;
    for (; n >= 8; p += 8, n -= 8) {
        memcpy(&w, p, 8);
        h = (h ^ w) * UINT64_C(0xFF51AFD7ED558CCD);
        h ^= h >> 32;
    }
    w = 0;
    memcpy(&w, p, n);
    h = (h ^ w) * UINT64_C(0xC4CEB9FE1A85EC53);
    return h ^ h >> 29;
}

/* ---- memory of names ---- */

/* Round the size of a name up to a size of which lists exist: multiples of STEP, above STEPS_MOST powers of two.
 * Returns the list's index. */
static unsigned size_class(size_t *size)
{
    unsigned i = (unsigned)((*size + STEP - 1) / STEP);
    if (*size <= STEPS_MOST) {
        *size = (size_t)i * STEP;
        return i;
    }
    size_t up = STEPS_MOST;
    for (i = STEPS_MOST / STEP; up < *size; i++) up *= 2;
    *size = up;
    return i;
}
_Static_assert(STEPS_MOST / STEP + 6 < TT_NAMES_SIZES && STEPS_MOST << 6 > TT_SPOOL_STRING_MOST,
               "a list for each size");

static size_t size_of(size_t len) { return sizeof(tt_name) + len + 1; }

static tt_name *take_memory(tt_intern *t, size_t len)
{
    size_t size = size_of(len);
    unsigned list = size_class(&size);
    if (t->bytes + size > t->limit) return NULL;
    tt_name *n = t->given_up[list];
    if (n) {
        memcpy(&t->given_up[list], n->text, sizeof n);
    } else {
        if (size > t->left) {
            char *more = tt_memory_take(PIECE);
            if (!more) return NULL;
            t->next = more; /* the rest of the previous piece stays unused */
            t->left = PIECE;
        }
        n = (tt_name *)(void *)t->next;
        t->next += size;
        t->left -= size;
    }
    t->bytes += size;
    return n;
}

static void give_memory(tt_intern *t, tt_name *n)
{
    size_t size = size_of(n->len);
    unsigned list = size_class(&size);
    t->bytes -= size;
    memcpy(n->text, &t->given_up[list], sizeof n);
    t->given_up[list] = n;
}
_Static_assert(sizeof(tt_name) + sizeof(tt_name *) <= 2 * STEP, "the link of a list fits");

/* ---- the table ---- */

static void enter(tt_intern *t, tt_name *n)
{
    size_t at = n->hash & (t->n_slots - 1);
    while (t->slot[at]) at = (at + 1) & (t->n_slots - 1);
    t->slot[at] = n;
    t->n_used++;
}

static bool room_for_slots(tt_intern *t)
{
    if (t->n_used * 2 < t->n_slots) return true;
    size_t n = t->n_slots ? t->n_slots * 2 : 4096, old = t->n_slots;
    tt_name **slot = tt_memory_take(n * sizeof *slot), **was = t->slot;
    if (!slot) return false;
    t->slot = slot;
    t->n_slots = n;
    t->n_used = 0;
    for (size_t i = 0; i < old; i++) {
        if (was[i]) enter(t, was[i]);
    }
    tt_memory_give(was, old * sizeof *was);
    return true;
}

static void take_out(tt_intern *t, const tt_name *n)
{
    size_t mask = t->n_slots - 1, at = n->hash & mask;
    while (t->slot[at] != n) at = (at + 1) & mask;
    for (size_t next = (at + 1) & mask; t->slot[next]; next = (next + 1) & mask) {
        /* move a name up if the gap lies between its own place and here */
        if (((next - (t->slot[next]->hash & mask)) & mask) < ((next - at) & mask)) continue;
        t->slot[at] = t->slot[next];
        at = next;
    }
    t->slot[at] = NULL;
    t->n_used--;
}

static tt_name *find(const tt_intern *t, uint64_t hash, const char *text, size_t len)
{
    for (size_t at = hash & (t->n_slots - 1); t->slot[at]; at = (at + 1) & (t->n_slots - 1)) {
        tt_name *n = t->slot[at];
        if (n->hash == hash && n->len == len && !memcmp(n->text, text, len)) return n;
    }
    return NULL;
}

/* ---- ids ---- */

static tt_name *_Atomic *place_of(const tt_intern *t, uint32_t id)
{
    return t->page[id / TT_NAMES_PAGE] + id % TT_NAMES_PAGE;
}

/* An id without a name whose place exists; false: none. */
static bool next_id(tt_intern *t, uint32_t *id)
{
    *id = t->n_free ? t->free_ids[t->n_free - 1] : t->n;
    if (*id >= TT_NAMES_PAGE * TT_NAMES_PAGES) return false;
    tt_name *_Atomic **page = &t->page[*id / TT_NAMES_PAGE];
    if (!*page) *page = tt_memory_take(TT_NAMES_PAGE * sizeof **page);
    return *page != NULL;
}

static bool room_for_free_id(tt_intern *t)
{
    if (t->n_free < t->cap_free) return true;
    size_t cap = t->cap_free ? t->cap_free * 2 : 1024;
    uint32_t *more = tt_memory_grow(t->free_ids, t->cap_free * sizeof *more, cap * sizeof *more);
    if (!more) return false;
    t->free_ids = more;
    t->cap_free = cap;
    return true;
}

static tt_name *new_name(tt_intern *t, uint64_t hash, const char *text, size_t len)
{
    uint32_t id;
    if (!room_for_slots(t) || !next_id(t, &id)) return NULL;
    tt_name *n = take_memory(t, len);
    if (!n) return NULL;
    *n = (tt_name){.hash = hash, .id = id, .len = (uint32_t)len};
    memcpy(n->text, text, len);
    n->text[len] = 0;
    if (id == t->n) {
        t->n++;
    } else {
        t->n_free--;
    }
    atomic_store_explicit(place_of(t, id), n, memory_order_release);
    enter(t, n);
    return n;
}

/* ---- for all threads ---- */

int tt_intern_init(tt_intern *t, size_t limit)
{
    static const char full[] = "(string table full)";
    *t = (tt_intern){.limit = limit < 4096 ? 4096 : limit, .epoch = 1};
    pthread_mutex_init(&t->lock, NULL);
    bool good = tt_intern_pin(t, "", 0) == TT_NAME_NONE && t->n == 1;
    return good && tt_intern_pin(t, full, sizeof full - 1) == TT_NAME_FULL && t->n == 2 ? 0 : -ENOMEM;
}

static tt_name *look_up(tt_intern *t, uint64_t hash, const char *text, size_t len)
{
    tt_name *n = t->n_slots ? find(t, hash, text, len) : NULL;
    if (!n) n = new_name(t, hash, text, len);
    if (!n) t->refused++;
    return n;
}

uint32_t tt_intern_put(tt_intern *t, tt_intern_cache *cache, const char *text, size_t len)
{
    if (len > TT_SPOOL_STRING_MOST) len = TT_SPOOL_STRING_MOST;
    uint64_t hash = hash_of(text, len);
    const tt_name **memo = cache ? &cache->of[hash & 255] : NULL;
    if (memo && *memo && cache->epoch == atomic_load_explicit(&t->epoch, memory_order_acquire) &&
        (*memo)->hash == hash && (*memo)->len == len && !memcmp((*memo)->text, text, len)) {
        return (*memo)->id;
    }
    pthread_mutex_lock(&t->lock);
    const tt_name *n = look_up(t, hash, text, len);
    uint32_t epoch = atomic_load_explicit(&t->epoch, memory_order_relaxed), id = n ? n->id : TT_NAME_FULL;
    pthread_mutex_unlock(&t->lock);
    if (cache && cache->epoch != epoch) *cache = (tt_intern_cache){.epoch = epoch};
    if (n && memo) *memo = n;
    return id;
}

uint32_t tt_intern_pin(tt_intern *t, const char *text, size_t len)
{
    if (len > TT_SPOOL_STRING_MOST) len = TT_SPOOL_STRING_MOST;
    pthread_mutex_lock(&t->lock);
    tt_name *n = look_up(t, hash_of(text, len), text, len);
    if (n) n->pinned = true;
    pthread_mutex_unlock(&t->lock);
    return n ? n->id : TT_NAME_FULL;
}

static tt_name *name_at(const tt_intern *t, uint32_t id)
{
    bool known = id < TT_NAMES_PAGE * TT_NAMES_PAGES && t->page[id / TT_NAMES_PAGE];
    tt_name *n = known ? atomic_load_explicit(place_of(t, id), memory_order_acquire) : NULL;
    return n ? n : atomic_load_explicit(place_of(t, TT_NAME_NONE), memory_order_relaxed);
}

const tt_name *tt_intern_at(const tt_intern *t, uint32_t id) { return name_at(t, id); }

/* ---- for the writer thread ---- */

const tt_name *tt_intern_use(tt_intern *t, uint32_t id, uint64_t file)
{
    tt_name *n = name_at(t, id);
    if (n->id == TT_NAME_NONE || n->used == file) return NULL;
    n->used = file;
    return n;
}

/* Give the name up; its memory and its id go to the next new name. */
static void give_up(tt_intern *t, tt_name *n)
{
    if (!room_for_free_id(t)) return;
    t->free_ids[t->n_free++] = n->id;
    atomic_store_explicit(place_of(t, n->id), NULL, memory_order_relaxed);
    give_memory(t, n);
}

typedef struct round {
    uint64_t oldest, file;
    uint32_t rounds;
} round;

/* True: the name was taken out of the table. */
static bool judge(tt_intern *t, tt_name *n, const round *r)
{
    if (!n || n->pinned) return false;
    /* not written yet: as old as the file before this one, which does not have it either */
    if (!n->used && r->file > r->oldest) n->used = r->file - 1;
    if (n->used >= r->oldest || (!n->used && r->file == r->oldest)) {
        if (n->since) n->since = t->rounds; /* used by a thread that had its id: wait again */
    } else if (!n->since) {
        take_out(t, n);
        n->since = t->rounds;
        return true;
    } else if (t->rounds - n->since >= r->rounds) {
        give_up(t, n);
    }
    return false;
}

void tt_intern_evict(tt_intern *t, uint64_t oldest, uint64_t file, uint32_t rounds)
{
    const round r = {oldest, file, rounds};
    if (!++t->rounds) t->rounds = 1;
    uint32_t id = TT_NAME_FULL + 1;
    for (bool more = true; more;) { /* a page at a time: other threads may wait for the lock */
        bool taken = false;
        pthread_mutex_lock(&t->lock);
        for (uint32_t i = 0; i < TT_NAMES_PAGE && id < t->n; i++, id++)
            taken |= judge(t, atomic_load_explicit(place_of(t, id), memory_order_relaxed), &r);
        more = id < t->n;
        if (taken) atomic_fetch_add_explicit(&t->epoch, 1, memory_order_release);
        pthread_mutex_unlock(&t->lock);
    }
}

/* capture/spool/intern.c - a hash table behind a lock, with a small cache in front for each thread. See intern.h. */
#include "capture/spool/intern.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "capture/format/spool.h"
#include "capture/spool/memory.h"

#define PIECE ((size_t)1 << 18)

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

static bool room_for_slots(tt_intern *t)
{
    if ((size_t)t->n * 2 < t->n_slots) return true;
    size_t n = t->n_slots ? t->n_slots * 2 : 4096;
    tt_name **slot = tt_memory_take(n * sizeof *slot);
    if (!slot) return false;
    for (size_t i = 0; i < t->n_slots; i++) {
        if (!t->slot[i]) continue;
        size_t at = t->slot[i]->hash & (n - 1);
        while (slot[at]) at = (at + 1) & (n - 1);
        slot[at] = t->slot[i];
    }
    tt_memory_give(t->slot, t->n_slots * sizeof *t->slot);
    t->slot = slot;
    t->n_slots = n;
    return true;
}

static tt_name *new_name(tt_intern *t, uint64_t hash, const char *text, size_t len)
{
    size_t need = (sizeof(tt_name) + len + 1 + 7) & ~(size_t)7;
    if (t->bytes + need > t->limit || !room_for_slots(t)) return NULL;
    if (t->n == t->cap) {
        size_t cap = t->cap ? t->cap * 2 : 1024;
        tt_name **more = tt_memory_grow(t->by_id, t->cap * sizeof *more, cap * sizeof *more);
        if (!more) return NULL;
        t->by_id = more;
        t->cap = cap;
    }
    if (need > t->left) {
        size_t piece = need > PIECE ? need : PIECE;
        char *more = tt_memory_take(piece);
        if (!more) return NULL;
        t->next = more; /* the rest of the previous piece stays unused */
        t->left = piece;
    }
    tt_name *n = (tt_name *)(void *)t->next;
    t->next += need;
    t->left -= need;
    t->bytes += need;
    n->hash = hash;
    n->len = (uint32_t)len;
    memcpy(n->text, text, len);
    n->text[len] = 0;
    n->id = t->n;
    t->by_id[t->n++] = n;
    size_t at = hash & (t->n_slots - 1);
    while (t->slot[at]) at = (at + 1) & (t->n_slots - 1);
    t->slot[at] = n;
    return n;
}

static tt_name *find(const tt_intern *t, uint64_t hash, const char *text, size_t len)
{
    for (size_t at = hash & (t->n_slots - 1); t->slot[at]; at = (at + 1) & (t->n_slots - 1)) {
        tt_name *n = t->slot[at];
        if (n->hash == hash && n->len == len && !memcmp(n->text, text, len)) return n;
    }
    return NULL;
}

int tt_intern_init(tt_intern *t, size_t limit)
{
    static const char full[] = "(string table full)";
    *t = (tt_intern){.limit = limit < 4096 ? 4096 : limit};
    pthread_mutex_init(&t->lock, NULL);
    if (!new_name(t, hash_of("", 0), "", 0)) return -ENOMEM;
    return new_name(t, hash_of(full, sizeof full - 1), full, sizeof full - 1) ? 0 : -ENOMEM;
}

uint32_t tt_intern_put(tt_intern *t, tt_intern_cache *cache, const char *text, size_t len)
{
    if (len > TT_SPOOL_STRING_MOST) len = TT_SPOOL_STRING_MOST;
    uint64_t hash = hash_of(text, len);
    const tt_name **memo = cache ? &cache->of[hash & 255] : NULL;
    if (memo && *memo && (*memo)->hash == hash && (*memo)->len == len && !memcmp((*memo)->text, text, len)) {
        return (*memo)->id;
    }
    pthread_mutex_lock(&t->lock);
    const tt_name *n = find(t, hash, text, len);
    if (!n) n = new_name(t, hash, text, len);
    if (!n) t->refused++;
    pthread_mutex_unlock(&t->lock);
    if (n && memo) *memo = n;
    return n ? n->id : TT_NAME_FULL;
}

const tt_name *tt_intern_at(tt_intern *t, uint32_t id)
{
    pthread_mutex_lock(&t->lock);
    const tt_name *n = id < t->n ? t->by_id[id] : t->by_id[0];
    pthread_mutex_unlock(&t->lock);
    return n;
}

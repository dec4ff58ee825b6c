/* Strings kept once: see strings.h. An open-addressing table of (hash tag, id); bytes live in an arena. */
#include "model/text/strings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* One seed for a process rather than one for a table: ids must agree between tables, and a constant would invite
 * collisions. Only the first call writes it, before any loader thread exists (tt_strings_init). */
uint64_t tt_hash_seed;

static void seed_once(void)
{
    if (tt_hash_seed) return;
    uint64_t s = 0;
    if (getrandom(&s, sizeof s, GRND_NONBLOCK) != (ssize_t)sizeof s)
        s = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15);
    tt_hash_seed = s | 1;
}

void tt_strings_init(tt_strings *s)
{
    seed_once();
    *s = (tt_strings){0};
    s->n_slots = 64;
    s->slot = tt_calloc(s->n_slots, sizeof *s->slot);
    tt_strings_put(s, "", 0);
}

void tt_strings_free(tt_strings *s)
{
    free(s->slot);
    tt_vec_free(&s->text);
    tt_vec_free(&s->len);
    tt_arena_free(&s->arena);
    *s = (tt_strings){0};
}

static void rehash(tt_strings *s)
{
    size_t n = s->n_slots * 2;
    uint64_t *slot = tt_calloc(n, sizeof *slot);
    for (size_t id = 0; id < s->text.n; id++) {
        uint64_t h = tt_hash(s->text.at[id], s->len.at[id]);
        size_t i = h & (n - 1);
        while (slot[i]) i = (i + 1) & (n - 1);
        slot[i] = (h >> 32 << 32) | (id + 1);
    }
    free(s->slot);
    s->slot = slot;
    s->n_slots = n;
}

tt_sid tt_strings_add_(tt_strings *s, const char *bytes, size_t len, uint64_t h, size_t slot)
{
    uint32_t id = (uint32_t)s->text.n;
    *tt_vec_push(&s->text) = tt_arena_strndup(&s->arena, bytes, len);
    *tt_vec_push(&s->len) = (uint32_t)len;
    s->slot[slot] = (h >> 32 << 32) | (uint64_t)(id + 1);
    if (s->text.n * 2 > s->n_slots) rehash(s);
    return id;
}

tt_sid tt_strings_find(const tt_strings *s, const char *bytes, size_t len)
{
    size_t i = tt_strings_slot_(s, bytes, len, tt_hash(bytes, len));
    return s->slot[i] ? (uint32_t)s->slot[i] - 1 : UINT32_MAX;
}

size_t tt_strings_bytes(const tt_strings *s)
{
    return s->arena.total + s->n_slots * sizeof *s->slot + s->text.cap * sizeof *s->text.at +
           s->len.cap * sizeof *s->len.at;
}

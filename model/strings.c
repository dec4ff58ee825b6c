/* Strings kept once: see strings.h. An open-addressing table of (hash tag, id); bytes live in an arena. */
#include "model/strings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static uint64_t read64(const unsigned char *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    __uint128_t m = (__uint128_t)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Per process and not per table: ids must agree between tables of one run, and a constant would invite collisions.
 * Written by the first call only, before any loader thread exists (tt_strings_init). */
static uint64_t hash_seed;

static void seed_once(void)
{
    if (hash_seed) return;
    uint64_t s = 0;
    if (getrandom(&s, sizeof s, GRND_NONBLOCK) != (ssize_t)sizeof s)
        s = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15);
    hash_seed = s | 1;
}

/* Multiply-and-fold over 16 bytes a turn, in the manner of wyhash. */
uint64_t tt_hash(const void *bytes, size_t len)
{
    const uint64_t k0 = UINT64_C(0xA0761D6478BD642F), k1 = UINT64_C(0xE7037ED1A0B428DB);
    const unsigned char *p = bytes;
    uint64_t h = hash_seed ^ (uint64_t)len * k0;
    size_t n = len;
    for (; n > 16; n -= 16, p += 16) h = mix(read64(p) ^ k1, read64(p + 8) ^ h);
    uint64_t a = 0, b = 0;
    if (n >= 8) {
        a = read64(p);
        b = read64(p + n - 8);
    } else if (n) {
        memcpy(&a, p, n);
    }
    return mix(a ^ k1, b ^ h ^ k0);
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

/* The slot of the bytes, or the empty slot where they belong. */
static size_t probe(const tt_strings *s, const char *bytes, size_t len, uint64_t h)
{
    size_t i = h & (s->n_slots - 1);
    for (; s->slot[i]; i = (i + 1) & (s->n_slots - 1)) {
        if (s->slot[i] >> 32 != h >> 32) continue;
        uint32_t id = (uint32_t)s->slot[i] - 1;
        if (s->len.at[id] == len && !memcmp(s->text.at[id], bytes, len)) break;
    }
    return i;
}

tt_sid tt_strings_put(tt_strings *s, const char *bytes, size_t len)
{
    uint64_t h = tt_hash(bytes, len);
    size_t i = probe(s, bytes, len, h);
    if (s->slot[i]) return (uint32_t)s->slot[i] - 1;
    uint32_t id = (uint32_t)s->text.n;
    *tt_vec_push(&s->text) = tt_arena_strndup(&s->arena, bytes, len);
    *tt_vec_push(&s->len) = (uint32_t)len;
    s->slot[i] = (h >> 32 << 32) | (uint64_t)(id + 1);
    if (s->text.n * 2 > s->n_slots) rehash(s);
    return id;
}

tt_sid tt_strings_find(const tt_strings *s, const char *bytes, size_t len)
{
    size_t i = probe(s, bytes, len, tt_hash(bytes, len));
    return s->slot[i] ? (uint32_t)s->slot[i] - 1 : UINT32_MAX;
}

size_t tt_strings_bytes(const tt_strings *s)
{
    return s->arena.total + s->n_slots * sizeof *s->slot + s->text.cap * sizeof *s->text.at +
           s->len.cap * sizeof *s->len.at;
}

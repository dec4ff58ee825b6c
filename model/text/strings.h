/* model/text/strings.h - strings kept once and known by a number.
 *
 * Ids are dense from 0; id 0 is the empty string. Equal bytes have equal ids. A stored string is NUL-terminated; a NUL
 * inside it was written as C0 80 when it was decoded, so every string is a C string. Strings may hold any other byte of
 * the input (control characters, invalid UTF-8): only sanitised output leaves the program.
 * Threads: one writer and no reader, or any number of readers. */
#ifndef TT_MODEL_TEXT_STRINGS_H
#define TT_MODEL_TEXT_STRINGS_H

#include <stdbool.h>
#include <string.h>

#include "model/base/mem.h"

typedef uint32_t tt_sid;

typedef struct tt_strings {
    TT_VEC(const char *) text; /* by id */
    TT_VEC(uint32_t) len;      /* bytes without the NUL */
    uint64_t *slot;            /* open addressing: high half of the hash << 32 | id + 1 */
    size_t n_slots;            /* a power of two */
    tt_arena arena;
} tt_strings;

void tt_strings_init(tt_strings *s); /* afterwards id 0 is "" */
void tt_strings_free(tt_strings *s);
static inline tt_sid tt_strings_put(tt_strings *s, const char *bytes, size_t len);
/* The id of the bytes, or UINT32_MAX when they are not stored. */
tt_sid tt_strings_find(const tt_strings *s, const char *bytes, size_t len);
size_t tt_strings_bytes(const tt_strings *s); /* memory held */

static inline const char *tt_str(const tt_strings *s, tt_sid id) { return s->text.at[id]; }

/* ---- functions that every event calls several times: inline ---- */

extern uint64_t tt_hash_seed; /* set once, by the first table; then constant */

static inline uint64_t tt_hash_read_(const unsigned char *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static inline uint64_t tt_hash_mix_(uint64_t a, uint64_t b)
{
    __uint128_t m = (__uint128_t)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Hash of bytes, seeded once per process so that no file can be made to collide. Multiply-and-fold over 16 bytes a
 * turn, in the manner of wyhash. */
static inline uint64_t tt_hash(const void *bytes, size_t len)
{
    const uint64_t k0 = UINT64_C(0xA0761D6478BD642F), k1 = UINT64_C(0xE7037ED1A0B428DB);
    const unsigned char *p = bytes;
    uint64_t h = tt_hash_seed ^ (uint64_t)len * k0;
    size_t n = len;
    for (; n > 16; n -= 16, p += 16) h = tt_hash_mix_(tt_hash_read_(p) ^ k1, tt_hash_read_(p + 8) ^ h);
    uint64_t a = 0, b = 0;
    if (n >= 8) {
        a = tt_hash_read_(p);
        b = tt_hash_read_(p + n - 8);
    } else {
        for (size_t i = 0; i < n; i++) a |= (uint64_t)p[i] << 8 * i;
    }
    return tt_hash_mix_(a ^ k1, b ^ h ^ k0);
}

/* memcmp() is a call, which costs more than comparing a name. */
static inline bool tt_same_bytes(const char *a, const char *b, size_t len)
{
    uint64_t x, y;
    uint32_t v, w;
    if (len > 64) return !memcmp(a, b, len);
    if (len >= 8) {
        for (size_t i = 0; i + 8 < len; i += 8) {
            memcpy(&x, a + i, 8);
            memcpy(&y, b + i, 8);
            if (x != y) return false;
        }
        memcpy(&x, a + len - 8, 8);
        memcpy(&y, b + len - 8, 8);
        return x == y;
    }
    if (len < 4) {
        for (size_t i = 0; i < len; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }
    memcpy(&v, a, 4);
    memcpy(&w, b, 4);
    if (v != w) return false;
    memcpy(&v, a + len - 4, 4);
    memcpy(&w, b + len - 4, 4);
    return v == w;
}

/* The slot of the bytes with hash h, or the empty slot where they belong. */
static inline size_t tt_strings_slot_(const tt_strings *s, const char *bytes, size_t len, uint64_t h)
{
    size_t i = h & (s->n_slots - 1);
    for (; s->slot[i]; i = (i + 1) & (s->n_slots - 1)) {
        if (s->slot[i] >> 32 != h >> 32) continue;
        uint32_t id = (uint32_t)s->slot[i] - 1;
        if (s->len.at[id] == len && tt_same_bytes(s->text.at[id], bytes, len)) break;
    }
    return i;
}

tt_sid tt_strings_add_(tt_strings *s, const char *bytes, size_t len, uint64_t h, size_t slot);

static inline tt_sid tt_strings_put(tt_strings *s, const char *bytes, size_t len)
{
    uint64_t h = tt_hash(bytes, len);
    size_t i = tt_strings_slot_(s, bytes, len, h);
    return s->slot[i] ? (uint32_t)s->slot[i] - 1 : tt_strings_add_(s, bytes, len, h, i);
}

#endif

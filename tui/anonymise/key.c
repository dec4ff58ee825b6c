/* tui/anonymise/key.c - SipHash-2-4, and the file that keeps its key. */
#include "tui/anonymise/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "model/base/clock.h"
#include "tui/files/state_file.h"

static uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void rounds(uint64_t v[4], int n)
{
    for (int i = 0; i < n; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] = rotated(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[2] = rotated(v[2], 32);
    }
}

/* Up to eight bytes as a number, the lowest first. */
static uint64_t word_at(const unsigned char *p, size_t n)
{
    uint64_t w = 0;
    for (size_t i = 0; i < n && i < 8; i++) w |= (uint64_t)p[i] << 8 * i;
    return w;
}

static void mix_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

uint64_t tt_keyed_hash(const tt_hash_key *key, const void *text, size_t n)
{
    uint64_t v[4] = {key->at[0] ^ UINT64_C(0x736F6D6570736575), key->at[1] ^ UINT64_C(0x646F72616E646F6D),
                     key->at[0] ^ UINT64_C(0x6C7967656E657261), key->at[1] ^ UINT64_C(0x7465646279746573)};
    const unsigned char *p = text;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) mix_word(v, word_at(p + i, 8));
    mix_word(v, word_at(p + i, n - i) | (uint64_t)n << 56);
    v[2] ^= 0xFF;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static const char key_file[] = "anonymise_key";

static bool read_key(tt_hash_key *key)
{
    FILE *f = tt_state_read(key_file);
    bool is = f && fscanf(f, "%16" SCNx64 " %16" SCNx64, &key->at[0], &key->at[1]) == 2;
    if (f) fclose(f);
    return is;
}

tt_hash_key tt_hash_key_own(void)
{
    tt_hash_key key, kept;
    tt_state_file out;
    if (read_key(&key)) return key;
    if (getrandom(&key, sizeof key, 0) != (ssize_t)sizeof key) /* before Linux 3.17: time and an address are all */
        key = (tt_hash_key){{(uint64_t)tt_clock_ns(), (uint64_t)(uintptr_t)&key}};
    if (tt_state_begin(&out, key_file)) {
        fprintf(out.f, "%016" PRIx64 " %016" PRIx64 "\n", key.at[0], key.at[1]);
        tt_state_end(&out);
    }
    /* two processes that begin at the same time both use the key written last */
    return read_key(&kept) ? kept : key;
}

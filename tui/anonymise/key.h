/* tui/anonymise/key.h - hashes that nobody can try out who has not the key: SipHash-2-4 of Aumasson and Bernstein
 * (2012), a pseudo-random function of 64 bits under a key of 128. */
#ifndef TT_TUI_ANONYMISE_KEY_H
#define TT_TUI_ANONYMISE_KEY_H

#include <stddef.h>
#include <stdint.h>

typedef struct tt_hash_key {
    uint64_t at[2];
} tt_hash_key;

/* The key of whoever runs this: random, made once and kept in a file of $XDG_STATE_HOME/tracetty that they alone can
 * read, so that traces which are exported one by one (the ranks of a run, two runs to compare) have the same words.
 * Where no file can be kept, a random one for this time alone. */
tt_hash_key tt_hash_key_own(void);
uint64_t tt_keyed_hash(const tt_hash_key *key, const void *text, size_t n);

#endif

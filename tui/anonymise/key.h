/* tui/anonymise/key.h - hashes that nobody can test without the key: SipHash-2-4 of Aumasson and Bernstein (2012), a
 * pseudo-random function of 64 bits under a key of 128. */
#ifndef TT_TUI_ANONYMISE_KEY_H
#define TT_TUI_ANONYMISE_KEY_H

#include <stddef.h>
#include <stdint.h>

typedef struct tt_hash_key {
    uint64_t at[2];
} tt_hash_key;

/* The user's key: random, made once, kept in $XDG_STATE_HOME/tracetty in a file that only the user can read. So traces
 * that are exported one by one (ranks of a run, two runs to compare) have the same words. Without such a file the key
 * is random for this process. */
tt_hash_key tt_hash_key_own(void);
uint64_t tt_keyed_hash(const tt_hash_key *key, const void *text, size_t n);

#endif

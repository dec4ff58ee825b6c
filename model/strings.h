/* model/strings.h - strings kept once and known by a number.
 *
 * Ids are dense from 0; id 0 is the empty string. Equal bytes have equal ids. A stored string is NUL-terminated; a NUL inside
 * it was written as C0 80 when it was decoded, so every string is a C string. Strings may hold any other byte of the
 * input (control characters, invalid UTF-8): only sanitised output leaves the program.
 * Threads: one writer and no reader, or any number of readers.                                                       */
#ifndef TT_MODEL_STRINGS_H
#define TT_MODEL_STRINGS_H

#include "model/mem.h"

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
tt_sid tt_strings_put(tt_strings *s, const char *bytes, size_t len);
/* The id of the bytes, or UINT32_MAX when they are not there. */
tt_sid tt_strings_find(const tt_strings *s, const char *bytes, size_t len);
size_t tt_strings_bytes(const tt_strings *s); /* memory held */

static inline const char *tt_str(const tt_strings *s, tt_sid id) { return s->text.at[id]; }

/* Hash of bytes, seeded once per process so that no file can be made to collide. */
uint64_t tt_hash(const void *bytes, size_t len);

#endif

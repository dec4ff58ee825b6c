/* model/summary/wire.h - encodes numbers and texts of a summary file: little endian, varints, independent of the
 * machine.
 *
 * After an error reading continues with zeros and `bad` set, so that a reader checks once, at the end. Sizes in the
 * data are not trusted: tt_wire_count() refuses numbers that the remaining bytes cannot hold. */
#ifndef TT_MODEL_SUMMARY_WIRE_H
#define TT_MODEL_SUMMARY_WIRE_H

#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/mem.h"

void tt_wire_put_u(tt_text *out, uint64_t v);            /* 7 bits per byte, low bits first */
void tt_wire_put_i(tt_text *out, int64_t v);             /* zigzag: small numbers of either sign are short */
void tt_wire_put_fixed(tt_text *out, uint64_t v, int n); /* n bytes */
void tt_wire_put_text(tt_text *out, const char *text);   /* length and bytes; NULL is stored as "" */

typedef struct tt_wire {
    const unsigned char *p, *end;
    bool bad;
} tt_wire;

uint64_t tt_wire_u(tt_wire *in);
int64_t tt_wire_i(tt_wire *in);
uint64_t tt_wire_fixed(tt_wire *in, int n);
/* Read a text into the arena; it ends at a NUL. */
const char *tt_wire_text(tt_wire *in, tt_arena *a);
/* Read the number of following items, each of at least `least` bytes: 0 with bad set if they cannot fit. */
uint64_t tt_wire_count(tt_wire *in, size_t least);

/* Read the index of one of n strings that were read before, and return that string; 0 with bad set if there is none. */
uint32_t tt_wire_sid(tt_wire *in, const uint32_t *strings, size_t n);

/* Compress and uncompress. raw: uncompressed length stated by the file; TT_ERR_INPUT if it is wrong. */
void tt_wire_pack(const char *bytes, size_t n, tt_text *out);
tt_status tt_wire_unpack(const void *packed, size_t n, uint64_t raw, tt_text *out, tt_err *err);
uint32_t tt_wire_crc(uint32_t crc, const void *bytes, size_t n); /* zlib's CRC-32; start with 0 */

#endif

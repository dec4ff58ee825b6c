/* model/summary/wire.h - numbers and texts of a summary file as bytes: little endian, varints, nothing that depends on
 * the machine.
 *
 * Reading goes on after a mistake with zeros and sets `bad`, so that a reader looks once, at the end. No size that is
 * read is trusted: tt_wire_count() refuses what the bytes that are left cannot hold. */
#ifndef TT_MODEL_SUMMARY_WIRE_H
#define TT_MODEL_SUMMARY_WIRE_H

#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/mem.h"

void tt_wire_put_u(tt_text *out, uint64_t v);            /* 7 bits a byte, the low ones first */
void tt_wire_put_i(tt_text *out, int64_t v);             /* zigzag: small numbers of either sign are short */
void tt_wire_put_fixed(tt_text *out, uint64_t v, int n); /* n bytes */
void tt_wire_put_text(tt_text *out, const char *text);   /* length and bytes; NULL as "" */

typedef struct tt_wire {
    const unsigned char *p, *end;
    bool bad;
} tt_wire;

uint64_t tt_wire_u(tt_wire *in);
int64_t tt_wire_i(tt_wire *in);
uint64_t tt_wire_fixed(tt_wire *in, int n);
/* A text, copied into the arena; a NUL in it ends it. */
const char *tt_wire_text(tt_wire *in, tt_arena *a);
/* The number of things that follow, each of at least `least` bytes: 0 and bad where so many cannot be there. */
uint64_t tt_wire_count(tt_wire *in, size_t least);

/* Compressed and back. raw: how long the bytes are, as the file says; TT_ERR_INPUT when they are not. */
void tt_wire_pack(const char *bytes, size_t n, tt_text *out);
tt_status tt_wire_unpack(const void *packed, size_t n, uint64_t raw, tt_text *out, tt_err *err);
uint32_t tt_wire_crc(uint32_t crc, const void *bytes, size_t n); /* CRC-32 of zlib; 0 to begin with */

#endif

/* model/summary/wire.c - see wire.h. */
#include "model/summary/wire.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void tt_wire_put_u(tt_text *out, uint64_t v)
{
    tt_vec_reserve(out, out->n + 11);
    while (v >= 0x80) {
        out->at[out->n++] = (char)(v | 0x80);
        v >>= 7;
    }
    out->at[out->n++] = (char)v;
}

void tt_wire_put_i(tt_text *out, int64_t v) { tt_wire_put_u(out, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0)); }

void tt_wire_put_fixed(tt_text *out, uint64_t v, int n)
{
    tt_vec_reserve(out, out->n + 9);
    for (int i = 0; i < n; i++) out->at[out->n++] = (char)(v >> 8 * i);
}

void tt_wire_put_text(tt_text *out, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    tt_wire_put_u(out, n);
    if (n) tt_text_put(out, text, n);
}

uint64_t tt_wire_u(tt_wire *in)
{
    uint64_t v = 0;
    for (int shift = 0; shift < 64 && in->p < in->end; shift += 7) {
        unsigned char c = *in->p++;
        v |= (uint64_t)(c & 0x7F) << shift;
        if (!(c & 0x80)) return v;
    }
    in->bad = true;
    return 0;
}

int64_t tt_wire_i(tt_wire *in)
{
    uint64_t v = tt_wire_u(in);
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

uint64_t tt_wire_fixed(tt_wire *in, int n)
{
    uint64_t v = 0;
    if (in->end - in->p < n) {
        in->bad = true;
        return 0;
    }
    for (int i = 0; i < n; i++) v |= (uint64_t)*in->p++ << 8 * i;
    return v;
}

const char *tt_wire_text(tt_wire *in, tt_arena *a)
{
    uint64_t n = tt_wire_count(in, 1);
    char *text = tt_arena_strndup(a, (const char *)in->p, (size_t)n);
    in->p += n;
    return text;
}

uint32_t tt_wire_sid(tt_wire *in, const uint32_t *strings, size_t n)
{
    uint64_t i = tt_wire_u(in);
    if (i < n) return strings[i];
    in->bad = true;
    return 0;
}

uint64_t tt_wire_count(tt_wire *in, size_t least)
{
    uint64_t n = tt_wire_u(in);
    if (n <= (uint64_t)(in->end - in->p) / least) return n;
    in->bad = true;
    return 0;
}

void tt_wire_pack(const char *bytes, size_t n, tt_text *out)
{
    uLongf room = compressBound((uLong)n);
    tt_vec_reserve(out, out->n + room + 1);
    if (compress2((Bytef *)out->at + out->n, &room, (const Bytef *)(n ? bytes : ""), (uLong)n, 6) != Z_OK)
        tt_mem_fail(); /* the only possible failure */
    out->n += room;
}

/* Memory grows with the unpacked data, as the stated length is not trusted. */
tt_status tt_wire_unpack(const void *packed, size_t n, uint64_t raw, tt_text *out, tt_err *err)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)n};
    int r = n > UINT32_MAX / 2 ? Z_DATA_ERROR : inflateInit(&z);
    bool begun = r == Z_OK;
    out->n = 0;
    while (r == Z_OK) {
        size_t left = raw > out->n ? (size_t)(raw - out->n) : 0;
        size_t room = left < ((size_t)1 << 20) ? left + 1 : (size_t)1 << 20; /* one byte more than allowed */
        tt_vec_reserve(out, out->n + room);
        z.next_out = (Bytef *)out->at + out->n;
        z.avail_out = (uInt)room;
        r = inflate(&z, Z_NO_FLUSH);
        out->n += room - z.avail_out;
        if (out->n > raw || (r == Z_OK && z.avail_out == room && !z.avail_in)) r = Z_DATA_ERROR;
    }
    if (begun) inflateEnd(&z);
    if (r == Z_MEM_ERROR) tt_mem_fail();
    if (r != Z_STREAM_END || out->n != raw || z.avail_in)
        return tt_fail(err, TT_ERR_INPUT, -1, "its compressed data are damaged");
    return TT_OK;
}

uint32_t tt_wire_crc(uint32_t crc, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t k; n; n -= k, p += k) {
        k = n < ((size_t)1 << 30) ? n : (size_t)1 << 30;
        crc = (uint32_t)crc32(crc, p, (uInt)k);
    }
    return crc;
}

/* parser/protobuf/wire.c - decodes fields of protocol buffers. See wire.h. */
#include "parser/protobuf/wire.h"

#include <string.h>

size_t tt_pb_varint(const char *p, const char *e, uint64_t *out)
{
    uint64_t v = 0;
    for (size_t i = 0; i < 10 && p + i < e; i++) {
        uint64_t byte = (unsigned char)p[i];
        if (i == 9 && byte > 1) return 0;
        v |= (byte & 0x7F) << 7 * i;
        if (!(byte & 0x80)) {
            *out = v;
            return i + 1;
        }
    }
    return 0;
}

/* Little-endian bytes, n of them. */
static uint64_t fixed(const char *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) v |= (uint64_t)(unsigned char)p[i] << 8 * i;
    return v;
}

bool tt_pb_next(tt_pb *m, tt_pb_field *f)
{
    uint64_t tag, len;
    size_t n;
    if (m->p == m->e || m->bad) return false;
    m->bad = true; /* cleared once the field proves complete */
    if (!(n = tt_pb_varint(m->p, m->e, &tag)) || tag >> 3 == 0 || tag > UINT32_MAX) return false;
    *f = (tt_pb_field){.number = (uint32_t)(tag >> 3), .type = tag & 7};
    const char *p = m->p + n;
    size_t left = (size_t)(m->e - p);
    switch (f->type) {
    case TT_PB_VARINT:
        if (!(n = tt_pb_varint(p, m->e, &f->value))) return false;
        break;
    case TT_PB_FIXED64:
    case TT_PB_FIXED32:
        n = f->type == TT_PB_FIXED64 ? 8 : 4;
        if (left < n) return false;
        f->value = fixed(p, n);
        break;
    case TT_PB_BYTES:
        if (!(n = tt_pb_varint(p, m->e, &len)) || len > left - n) return false;
        f->bytes = p + n;
        f->len = (size_t)len;
        n += f->len;
        break;
    default: return false; /* groups, which no writer uses */
    }
    m->p = p + n;
    m->bad = false;
    return true;
}

double tt_pb_float(const tt_pb_field *f)
{
    double d;
    float v;
    uint32_t bits = (uint32_t)f->value;
    if (f->type == TT_PB_FIXED64) {
        memcpy(&d, &f->value, sizeof d);
        return d;
    }
    if (f->type != TT_PB_FIXED32) return (double)f->value;
    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

bool tt_pb_collect(tt_pb m, tt_pb_fields *out)
{
    tt_pb_field f;
    memset(out, 0, sizeof *out);
    while (tt_pb_next(&m, &f)) {
        if (f.number >= TT_PB_FIELDS) continue;
        out->at[f.number] = f;
        out->have |= 1u << f.number;
    }
    return !m.bad;
}

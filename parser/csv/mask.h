/* parser/csv/mask.h - a bit mask of the separators, quotes and newlines among 64 bytes: bit i for byte i.
 *
 * Cells are short: one mask serves several of them, where a byte search would be called for each. */
#ifndef TT_PARSER_CSV_MASK_H
#define TT_PARSER_CSV_MASK_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Eight bytes at a time: exact arithmetic on seven bits sets the high bit of each byte that is 0 after the xor. */
static inline uint64_t tt_csv_mask_words(const char *p, char separator)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    const uint64_t is[3] = {ones * (unsigned char)separator, ones * '"', ones * '\n'};
    uint64_t mask = 0;
    for (int word = 0; word < 8; word++) {
        uint64_t v, hit = 0;
        memcpy(&v, p + 8 * word, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v = __builtin_bswap64(v);
#endif
        for (int k = 0; k < 3; k++) {
            uint64_t x = v ^ is[k];
            hit |= ~(((x & low) + low) | x | low);
        }
        mask |= ((hit >> 7) * UINT64_C(0x0102040810204080)) >> 56 << (8 * word);
    }
    return mask;
}

/* The mask of p[0 .. 64), which must be readable. */
static inline uint64_t tt_csv_mask(const char *p, char separator)
{
#ifdef __SSE2__
    const __m128i s = _mm_set1_epi8(separator), q = _mm_set1_epi8('"'), l = _mm_set1_epi8('\n');
    uint64_t mask = 0;
    for (int k = 0; k < 4; k++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * k));
        __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, s), _mm_cmpeq_epi8(v, q)), _mm_cmpeq_epi8(v, l));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(hit) << (16 * k);
    }
    return mask;
#else
    return tt_csv_mask_words(p, separator);
#endif
}

#endif

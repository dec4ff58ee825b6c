/* parser/json/index_simd.h - simdjson's stage 1 behind a C interface, one call per window of text.
 *
 * The index of a text is the ascending list of offsets of { } [ ] : , outside strings and of the first byte of every
 * scalar (for a string: its opening quote). The reader needs nothing else of a JSON library: values are decoded from
 * the raw text, so that time stamps stay exact. simdjson chooses its implementation (the vector code) at run time, by
 * the processor or by SIMDJSON_FORCE_IMPLEMENTATION. Any version from 1.0 to 4 works. */
#ifndef TT_PARSER_JSON_INDEX_SIMD_H
#define TT_PARSER_JSON_INDEX_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TT_SIMD_PADDING = 64 }; /* readable bytes of any value required behind the text */

typedef enum tt_simd_result {
    TT_SIMD_OK,
    TT_SIMD_BAD_UTF8,
    TT_SIMD_CONTROL, /* a raw control character in a string */
    TT_SIMD_OPEN,    /* a string without its closing quote */
    TT_SIMD_EMPTY,   /* white space only */
    TT_SIMD_FAILED,
} tt_simd_result;

typedef struct tt_simd tt_simd;
tt_simd *tt_simd_new(void); /* NULL when out of memory */
void tt_simd_free(tt_simd *s);
/* Index len < 2^31 bytes at text. *at is valid until the next call; at[n] and at[n + 1] are len. TT_SIMD_FAILED may
 * give no index: NULL and 0. */
tt_simd_result tt_simd_index(tt_simd *s, const char *text, size_t len, const uint32_t **at, size_t *n);

/* Version and implementation, "simdjson 3.0.1, implementation haswell". False when no vector code is in use:
 * "fallback", or "none", with which every call of tt_simd_index() fails. */
bool tt_simd_describe(char *text, size_t cap);

#ifdef __cplusplus
}
#endif
#endif

/* parser/json/index_scalar.h - the index of a text that is not valid JSON (see index_simd.h for what an index is).
 *
 * Accepts what trace writers really produce: raw control characters, invalid UTF-8, invalid escapes, quotes inside
 * strings that were not escaped (see tt_json_ends_string()). */
#ifndef TT_PARSER_JSON_INDEX_SCALAR_H
#define TT_PARSER_JSON_INDEX_SCALAR_H

#include "model/base/problems.h"

#include <stdint.h>

typedef TT_VEC(uint32_t) tt_index_list;

/* Index [text, text + len); two entries `len` follow the index proper (n does not count them). Problems (may be
 * NULL) are counted with places from base on, those before `noted` not again. False when the text ends inside a
 * string: that string is the last entry. */
bool tt_tolerant_index(const char *text, size_t len, uint64_t base, tt_index_list *out, tt_problems *problems,
                       uint64_t noted);

#endif

/* parser/json/index_scalar.h - the index of a text that is no valid JSON (index_simd.h defines an index).
 *
 * Accepts the faults that trace writers really produce: raw control characters, invalid UTF-8, invalid escapes,
 * unescaped quotes inside strings (see tt_json_ends_string()). */
#ifndef TT_PARSER_JSON_INDEX_SCALAR_H
#define TT_PARSER_JSON_INDEX_SCALAR_H

#include "model/base/problems.h"

#include <stdint.h>

typedef TT_VEC(uint32_t) tt_index_list;

/* Index [text, text + len); two entries `len` follow the index proper (n does not count them). Problems (may be NULL)
 * are reported with offsets from base on, except those before `noted`. False when the text ends inside a string: that
 * string is the last entry. */
bool tt_tolerant_index(const char *text, size_t len, uint64_t base, tt_index_list *out, tt_problems *problems,
                       uint64_t noted);

#endif

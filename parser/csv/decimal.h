/* parser/csv/decimal.h - decimal text to whole units, exactly.
 *
 * Profilers of Ascend write times and sizes as decimals of microseconds, milliseconds, KB and MB, some of them with
 * twenty digits of a double's noise behind the dot, some as 5e-05. The product with the unit is computed on the
 * digits and rounded half up once (away from 0 when negative); nothing passes through a double. Pure; any thread;
 * O(digits). Only the token is read, with blanks around it. */
#ifndef TT_PARSER_CSV_DECIMAL_H
#define TT_PARSER_CSV_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many of the wanted units (ns, bytes) one of the file's is. */
#define TT_NS_OF_NS UINT64_C(1)
#define TT_NS_OF_TICKS UINT64_C(10) /* of the clock of step_trace_raw */
#define TT_NS_OF_US UINT64_C(1000)
#define TT_NS_OF_MS UINT64_C(1000000)
#define TT_NS_OF_S UINT64_C(1000000000)
#define TT_BYTES_OF_KB UINT64_C(1000)
#define TT_BYTES_OF_KIB UINT64_C(1024)
#define TT_BYTES_OF_MB UINT64_C(1000000)
#define TT_BYTES_OF_MIB (UINT64_C(1) << 20)
#define TT_BYTES_OF_GB UINT64_C(1000000000)
#define TT_DECIMAL_UNIT_MOST (UINT64_C(1) << 31) /* units are below */

/* text[0 .. n) * unit, rounded. False, with *out as it was, when the text is no finite number or the result is beyond
 * +-2^61. */
bool tt_decimal(const char *text, size_t n, uint64_t unit, int64_t *out);
/* A number without a fraction: "16", "16.0", "1.6e1". False otherwise, or when it is no int64. */
bool tt_decimal_whole(const char *text, size_t n, int64_t *out);

#endif

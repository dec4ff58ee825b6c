/* parser/csv/decimal.h - converts decimal text to whole units, exactly.
 *
 * Ascend's profilers write times and sizes as decimals of microseconds, milliseconds, KB and MB, some with twenty
 * digits from a double's rounding error, some as 5e-05. The product with the unit is computed on the digits and
 * rounded once, half up (away from 0 if negative), without a double. Pure; any thread; O(digits). Reads only the token
 * and the blanks around it. */
#ifndef TT_PARSER_CSV_DECIMAL_H
#define TT_PARSER_CSV_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of target units (ns, bytes) in one unit of the file. */
#define TT_NS_OF_NS UINT64_C(1)
#define TT_NS_OF_TICKS UINT64_C(10) /* ticks of step_trace_raw's clock */
#define TT_NS_OF_US UINT64_C(1000)
#define TT_NS_OF_MS UINT64_C(1000000)
#define TT_NS_OF_S UINT64_C(1000000000)
#define TT_BYTES_OF_KB UINT64_C(1000)
#define TT_BYTES_OF_KIB UINT64_C(1024)
#define TT_BYTES_OF_MB UINT64_C(1000000)
#define TT_BYTES_OF_MIB (UINT64_C(1) << 20)
#define TT_BYTES_OF_GB UINT64_C(1000000000)
#define TT_DECIMAL_UNIT_MOST (UINT64_C(1) << 31) /* units must be smaller */

/* Convert text[0 .. n) * unit, rounded. False, with *out unchanged = the text is no finite number, or the result
 * exceeds +-2^61. */
bool tt_decimal(const char *text, size_t n, uint64_t unit, int64_t *out);
/* Convert a number without a fraction: "16", "16.0", "1.6e1". False = another text, or no int64. */
bool tt_decimal_whole(const char *text, size_t n, int64_t *out);

#endif

/* tui/args/parse_values.h - values that a person types: counts, sizes, times, windows, steps. Options and commands
 * of the explorer share them. All functions return false for an invalid text, and leave the result undefined then. */
#ifndef TT_TUI_ARGS_PARSE_VALUES_H
#define TT_TUI_ARGS_PARSE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

bool tt_parse_count(const char *s, int64_t *out); /* digits only; fits int64 */
/* bytes: "512M", "4GiB", "100"; K, M, G, T are powers of 1024; fits int64 */
bool tt_parse_size(const char *s, uint64_t *out);
/* Read "12.5ms" as exact ns. A number without a unit counts in default_ns (ns per unit). *end is behind the text
 * read. False: there is no number, or it does not fit. */
bool tt_parse_time(const char *s, const char **end, int64_t default_ns, int64_t *out);
/* Read "12.5ms-80ms" as a half-open window. "12ms-" reaches to the end of time. A first value without a unit has the
 * unit of the second. */
bool tt_parse_range(const char *s, int64_t *t0, int64_t *t1);
/* Read a point in time: "12.5ms", "50%" of whole_ns, "+250us" and "-3" (ms) from from_ns. Times further than 73
 * years away are refused, so that adding the length of a trace cannot overflow. */
bool tt_parse_point(const char *s, int64_t from_ns, int64_t whole_ns, int64_t *at);
bool tt_parse_steps(const char *s, int64_t *first, int64_t *last); /* "3-7", "5", "3-" */

#endif

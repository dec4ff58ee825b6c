/* tui/args/parse_values.h - what a person types as a value: counts, sizes, times, windows, steps. The same for
 * options and for commands of the explorer. All return false, and leave the result undefined, when the text is none. */
#ifndef TT_TUI_ARGS_PARSE_VALUES_H
#define TT_TUI_ARGS_PARSE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

bool tt_parse_count(const char *s, int64_t *out); /* digits only, fits int64 */
bool tt_parse_size(const char *s, uint64_t *out); /* bytes: "512M", "4GiB", "100"; K M G T of 1024, fits int64 */
/* "12.5ms" -> ns, exact; without a unit default_ns (ns per unit). Stops at *end, false when there is no number or it
 * does not fit. */
bool tt_parse_time(const char *s, const char **end, int64_t default_ns, int64_t *out);
/* "12.5ms-80ms": half-open window; an open end is the end of time. A first value without a unit has the unit of the
 * second. */
bool tt_parse_range(const char *s, int64_t *t0, int64_t *t1);
/* A point in time: "12.5ms", "50%" of whole_ns, "+250us" and "-3" (ms) from from_ns. None is further than 73
 * years away, so that a span of a trace can be added to it. */
bool tt_parse_point(const char *s, int64_t from_ns, int64_t whole_ns, int64_t *at);
bool tt_parse_steps(const char *s, int64_t *first, int64_t *last); /* "3-7", "5", "3-" */

#endif

/* tui/widgets/format_value.h - values as text: tables on screen, text output, the timeline. Pure, thread-safe, no
 * locale. */
#ifndef TT_TUI_WIDGETS_FORMAT_VALUE_H
#define TT_TUI_WIDGETS_FORMAT_VALUE_H

#include "model/tables/table.h"

typedef enum tt_unit { TT_UNIT_AUTO, TT_UNIT_NS, TT_UNIT_US, TT_UNIT_MS, TT_UNIT_S } tt_unit;

enum { TT_TEXT_CAP = 48 }; /* every text below fits, NUL included */

/* A duration in four digits: "850 ns", "22.80 µs", "1.500 ms", "12.00 s". Whole microseconds have no decimals, since
 * some clocks count no finer. In a fixed unit three decimals: "0.850 µs". 0 is "0". Returns out. */
char *tt_format_duration(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* A rough duration in three digits, from seconds to days: "7.83 min", "3.20 d". */
char *tt_format_long(char out[TT_TEXT_CAP], int64_t ns);
#define TT_LONG_NS INT64_C(10000000000000) /* from this length on an axis is labelled in hours and days */
/* A duration or a place on the time axis, to the nanosecond, without trailing zeros: "1.234567 ms". */
char *tt_format_time(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* "1,234,567" */
char *tt_format_count(char out[TT_TEXT_CAP], int64_t n);
/* "1 slice", "1,234 slices". `what` has a plural in s and at most 16 bytes. */
char *tt_format_counted(char out[TT_TEXT_CAP], int64_t n, const char *what);
/* "512 B", "1.50 KiB", "226 KiB", "79.18 GiB", "512.5 MiB", also negative */
char *tt_format_bytes(char out[TT_TEXT_CAP], int64_t bytes);
/* "12.3%", below 1 "0.45%"; a value that would round to 0 is "<0.01%", negative ">-0.01%"; 0 is "0" */
char *tt_format_percent(char out[TT_TEXT_CAP], double pct);
/* "2.5", "46.5", "641", "1,048,576": three digits, whole numbers in full; NaN and infinities are "-" */
char *tt_format_number(char out[TT_TEXT_CAP], double v);
/* 10^k, |k| <= 22, exactly rounded. pow() of a new C library would not run with an old one. */
double tt_power_of_ten(int k);

/* Decimals of the values of a column, so that decimal points stand below each other. Values of one unit have equally
 * many: enough for four digits of the largest (numbers: three; percentages: one decimal, two where all are below 1%),
 * none where no value needs them. Times have one unit and all their digits. Zero-initialise, then learn every value. */
typedef struct tt_digits {
    uint8_t decimals[8]; /* by unit: decimals of the largest value plus 1; 0 = no value yet */
    uint8_t parts;       /* bit by unit: some value is not whole */
    uint8_t need;        /* numbers: decimals that the smallest needs */
    uint8_t top, grain;  /* times: unit of the largest value; decimals in nanoseconds that all values need, plus 1 */
} tt_digits;
void tt_digits_learn(tt_digits *d, tt_type type, tt_cell v);

/* A cell of any column but a string; unknown is "-". A share above 100% is ">100%", unless the column allows it
 * (above_all): its parts overlap, or outlast the whole. Differences have a sign: "+1.500 ms"; changes above +400% are a
 * factor: "x48". digits: decimals of the column; NULL = the value stands alone. */
char *tt_format_cell(char out[TT_TEXT_CAP], const tt_column *c, tt_cell v, tt_unit unit, const tt_digits *digits);
/* A value of a type that stands alone; sign: with its sign. */
char *tt_format_typed(char out[TT_TEXT_CAP], tt_type type, tt_cell v, tt_unit unit, bool sign);
/* The text of a string cell on a screen, not sanitised; for an unknown cell the column's text for it, else "-". */
const char *tt_cell_text(const tt_column *c, tt_cell v);
/* Like tt_cell_text(), for printed tables: an unknown operator is "(unattributed)", another unknown cell "-". */
const char *tt_cell_output(const tt_column *c, tt_cell v);
/* Replace every "µs" by "us" in place, for outputs without UTF-8. Returns text. */
char *tt_format_ascii(char *text);

/* Copy a text of a table with "12 µs" for "12 us", cut at cap. Returns out. */
char *tt_format_micro(const char *text, char *out, size_t cap);

#endif

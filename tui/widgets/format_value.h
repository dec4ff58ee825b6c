/* tui/widgets/format_value.h - values as text for people: tables on screen, text output, the timeline. Pure,
 * thread-safe, no locale. */
#ifndef TT_TUI_WIDGETS_FORMAT_VALUE_H
#define TT_TUI_WIDGETS_FORMAT_VALUE_H

#include "model/tables/table.h"

typedef enum tt_unit { TT_UNIT_AUTO, TT_UNIT_NS, TT_UNIT_US, TT_UNIT_MS, TT_UNIT_S } tt_unit;

enum { TT_TEXT_CAP = 48 }; /* every text below fits, NUL included */

/* A duration to four digits: "850 ns", "22.80 µs", "1.500 ms", "12.00 s"; whole microseconds without decimals, as
 * clocks that count them give no more; in a fixed unit three decimals, "0.850 µs". 0 = "0". Returns out. */
char *tt_format_duration(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* A duration whose size is all that matters, from seconds to days in three digits: "7.83 min", "3.20 d". */
char *tt_format_long(char out[TT_TEXT_CAP], int64_t ns);
#define TT_LONG_NS INT64_C(10000000000000) /* from this length on an axis is labelled in hours and days */
/* A duration or a place on the time axis, to the nanosecond, without trailing zeros: "1.234567 ms". */
char *tt_format_time(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* "1,234,567" */
char *tt_format_count(char out[TT_TEXT_CAP], int64_t n);
/* "1 slice", "1,234 slices": what is a word with a plural in s, of at most 16 bytes. */
char *tt_format_counted(char out[TT_TEXT_CAP], int64_t n, const char *what);
/* "512 B", "1.50 KiB", "226 KiB", "79.18 GiB", "512.5 MiB", also negative */
char *tt_format_bytes(char out[TT_TEXT_CAP], int64_t bytes);
/* "12.3%", below 1 "0.45%"; "<0.01%", negative ">-0.01%" for what would look like nothing; "0" */
char *tt_format_percent(char out[TT_TEXT_CAP], double pct);
/* Three digits, whole numbers in full: "2.5", "46.5", "641", "1,048,576"; NaN and infinities "-" */
char *tt_format_number(char out[TT_TEXT_CAP], double v);
/* 10^k, |k| <= 22, as near as a double comes. pow() of today asks for a C library of today. */
double tt_power_of_ten(int k);

/* How many decimals the values of a column have, so that their points stand below each other: as many for the same
 * unit everywhere, four digits of the largest (numbers: three; percentages: one, two where all are
 * below 1%), none where no value needs them; places on the time
 * axis have one unit and all their digits. Zero-initialise, then learn every value. */
typedef struct tt_digits {
    uint8_t decimals[8]; /* by unit: of the largest value, plus 1; 0 = no value yet */
    uint8_t parts;       /* bit by unit: some value is not whole */
    uint8_t need;        /* numbers: decimals that the smallest needs */
    uint8_t top, grain; /* times: the unit of the largest, and how many digits end all of them in nanoseconds, plus 1 */
} tt_digits;
void tt_digits_learn(tt_digits *d, tt_type type, tt_cell v);

/* A cell of any column but a string; unknown = "-". A share of more than all is ">100%", unless its column says that it
 * means something (above_all): what is measured overlaps, or outlasts what it is a share of. Differences have their
 * sign: "+1.500 ms"; of percentages, what is above +400% is a factor: "x48". digits: of the column; NULL = the value
 * stands alone. */
char *tt_format_cell(char out[TT_TEXT_CAP], const tt_column *c, tt_cell v, tt_unit unit, const tt_digits *digits);
/* A value of this type that stands alone, likewise. */
char *tt_format_typed(char out[TT_TEXT_CAP], tt_type type, tt_cell v, tt_unit unit, bool sign);
/* A string cell on a screen, not yet sanitised: the text itself; for unknown what its column says, else "-". */
const char *tt_cell_text(const tt_column *c, tt_cell v);
/* The same in printed tables: for unknown "(unattributed)" where an operator was looked for, else "-". */
const char *tt_cell_output(const tt_column *c, tt_cell v);
/* The text with "us" for every "µs", in place: for what cannot show UTF-8. Returns text. */
char *tt_format_ascii(char *text);

/* The other way, for texts of tables: "12 us" as "12 µs", into out, cut when it is full. Returns out. */
char *tt_format_micro(const char *text, char *out, size_t cap);

#endif

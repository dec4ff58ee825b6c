/* tui/widgets/format_value.h - values as text for people: tables on screen, text output, the timeline. Pure,
 * thread-safe, no locale. */
#ifndef TT_TUI_WIDGETS_FORMAT_VALUE_H
#define TT_TUI_WIDGETS_FORMAT_VALUE_H

#include "model/tables/table.h"

typedef enum tt_unit { TT_UNIT_AUTO, TT_UNIT_NS, TT_UNIT_US, TT_UNIT_MS, TT_UNIT_S } tt_unit;

enum { TT_TEXT_CAP = 48 }; /* every text below fits, NUL included */

/* A duration: "850 ns", "22.804 us", "1.500 ms", "12.000 s"; in a fixed unit "0.850 us". Returns out. */
char *tt_format_duration(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* A place on the time axis, to the nanosecond, without trailing zeros: "1.234567 ms". */
char *tt_format_time(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit);
/* "1,234,567" */
char *tt_format_count(char out[TT_TEXT_CAP], int64_t n);
/* "1 slice", "1,234 slices": what is a word with a plural in s, of at most 16 bytes. */
char *tt_format_counted(char out[TT_TEXT_CAP], int64_t n, const char *what);
/* "512 B", "1.50 KiB", "3.25 GiB", also negative */
char *tt_format_bytes(char out[TT_TEXT_CAP], int64_t bytes);
/* "12.34%"; "<0.01%" for what would look like nothing */
char *tt_format_percent(char out[TT_TEXT_CAP], double pct);
/* At most four decimals: "2.5", "1048576"; NaN and infinities "-" */
char *tt_format_number(char out[TT_TEXT_CAP], double v);

/* A cell of any column but a string; unknown = "-". */
char *tt_format_cell(char out[TT_TEXT_CAP], const tt_column *c, tt_cell v, tt_unit unit);
/* What to print for a string cell, not yet sanitised: the text itself; for unknown "(unattributed)" where an
 * operator was looked for, else "-". */
const char *tt_cell_text(const tt_column *c, tt_cell v);

#endif

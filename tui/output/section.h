/* tui/output/section.h - the columns and options of a section that text and Markdown show. */
#ifndef TT_TUI_OUTPUT_SECTION_H
#define TT_TUI_OUTPUT_SECTION_H

#include "tui/output/writers.h"

enum { TT_OPTION_NAME_CAP = 24 };

/* Values of the type are left-aligned, like words; numbers are right-aligned. */
static inline bool tt_type_left(tt_type t) { return t == TT_T_STRING || t == TT_T_BOOL; }
/* The option is the default grouping, which is not mentioned. */
bool tt_section_option_default(const tt_section *s, uint32_t i);
/* "group-by", as on the command line. Returns out. */
const char *tt_section_option_name(const tt_section *s, uint32_t i, char out[TT_OPTION_NAME_CAP]);
/* Clear shown[column] for columns that `part` says already, and for columns of a priority above 0 without any value. */
void tt_section_drop_noise(const tt_section *s, bool *shown);
/* The shown column to leave out first, -1 = all shown columns must stay. */
int tt_section_least_column(const tt_section *s, const bool *shown);

#endif

/* tui/output/section.h - what text and Markdown show of a section: which columns, which options. */
#ifndef TT_TUI_OUTPUT_SECTION_H
#define TT_TUI_OUTPUT_SECTION_H

#include "tui/output/writers.h"

enum { TT_OPTION_NAME_CAP = 24 };

/* How people read them: words to the left, numbers to the right. */
static inline bool tt_type_left(tt_type t) { return t == TT_T_STRING || t == TT_T_BOOL; }
/* An option that goes without saying: the rows are grouped as they always are. */
bool tt_section_option_default(const tt_section *s, uint32_t i);
/* "group-by", as on the command line. Returns out. */
const char *tt_section_option_name(const tt_section *s, uint32_t i, char out[TT_OPTION_NAME_CAP]);
/* shown[column] becomes false for what a part has said already, and for what nobody must see (prio above 0) and has no
 * value in any row: noise. */
void tt_section_drop_noise(const tt_section *s, bool *shown);
/* The shown column that is to go first, -1 = all of them are always shown. */
int tt_section_least_column(const tt_section *s, const bool *shown);

#endif

/* tui/anonymise/names.h - lists of public names, which an anonymous trace may show.
 *
 * A text stays only if a list has it. There are no patterns, except that `#` in a list stands for a run of digits. The
 * lists are data (.def), sorted, and read only by names.c. */
#ifndef TT_TUI_ANONYMISE_NAMES_H
#define TT_TUI_ANONYMISE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum tt_names {
#define LIST(name, word, about) TT_NAMES_##name,
#include "tui/anonymise/lists.def"
#undef LIST
    TT_NAMES_COUNT_
} tt_names;

/* The list has the text. O(log names). */
bool tt_names_have(tt_names list, const char *text, size_t n);
/* The list has the text with each run of at most 20 digits written as `#`. */
bool tt_names_have_numbered(tt_names list, const char *text, size_t n);
/* The text behind `at` in the list; at NULL: the first text. *n: its bytes; it has no NUL. NULL = no more texts. */
const char *tt_names_next(tt_names list, const char *at, size_t *n);

#endif

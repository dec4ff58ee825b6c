/* tui/anonymise/names.h - lists of exact public names: what an anonymous trace may show.
 *
 * A text stays only if a list has it. Patterns do not exist; the one thing that is written for many is a number: `#` in
 * a list stands for a run of digits. The lists are data (.def), sorted, and read by nothing but names.c. */
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
/* The text behind `at` in the list, the first one behind NULL, of *n bytes and without a NUL. NULL = no more. */
const char *tt_names_next(tt_names list, const char *at, size_t *n);

#endif

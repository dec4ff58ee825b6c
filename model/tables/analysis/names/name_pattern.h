/* model/tables/analysis/names/name_pattern.h - whether a name contains one of many short patterns, in any case.
 *
 * Lists of patterns say what a kernel does (kernel_class.c) and which library communicates (comm_names.c). The pairs
 * of letters in a text are collected once; a pattern with another pair needs no search. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_NAME_PATTERN_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_NAME_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tt_pattern_text {
    const char *text;   /* text of the caller, which must outlive the questions */
    uint64_t pairs[16]; /* bit set of hashes of neighbouring letters */
} tt_pattern_text;

tt_pattern_text tt_pattern_text_of(const char *text);
/* Whether the text contains the pattern. After "=" the pattern is a whole word: "=add" fits "AddV2" and
 * "functor_add", but not "padding". A word ends where no letter follows, or where a capital follows a small letter. */
bool tt_pattern_fits(const tt_pattern_text *in, const char *pattern);

#endif

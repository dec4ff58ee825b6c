/* model/tables/analysis/names/name_pattern.h - whether a name holds one of many short patterns, in any case.
 *
 * Lists of such patterns say what a kernel does (kernel_class.c) and which library communicates (comm_names.c). A text
 * is looked at once, for the pairs of letters in it; a pattern with another pair costs no search. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAME_PATTERN_H
#define TT_MODEL_TABLES_ANALYSIS_NAME_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tt_pattern_text {
    const char *text;   /* the caller's, as long as it is asked about */
    uint64_t pairs[16]; /* bits, by the hash of two letters that follow each other */
} tt_pattern_text;

tt_pattern_text tt_pattern_text_of(const char *text);
/* The text has the pattern. After "=" it is a whole word: "=add" fits "AddV2" and "functor_add", not "padding": words
 * end where no letter follows, or where a capital follows a small one. */
bool tt_pattern_fits(const tt_pattern_text *in, const char *pattern);

#endif

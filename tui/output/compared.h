/* tui/output/compared.h - what text and Markdown say about two runs before their tables. Texts are sanitised. */
#ifndef TT_TUI_OUTPUT_COMPARED_H
#define TT_TUI_OUTPUT_COMPARED_H

#include "tui/output/writers.h"

/* "BASE a.json (6 steps), NEW b.json (7 steps); per step; 2 workers: rank0, rank1". Caller frees. */
char *tt_compared_head(const tt_document *d);

/* "step 76.800 ms -> 116.900 ms, +40.400 ms (+52.60%), slower"; "no change of step" where nothing is known. Caller
 * frees. */
char *tt_compared_verdict(const tt_document *d);
/* The values of a condition: "76.800 ms -> 116.900 ms, +40.400 ms (+52.60%), slower". Caller frees. */
char *tt_condition_values(const tt_condition *c, tt_unit unit);

#endif

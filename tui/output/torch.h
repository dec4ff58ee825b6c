/* tui/output/torch.h - table key_averages in the layout that PyTorch's key_averages().table() prints. */
#ifndef TT_TUI_OUTPUT_TORCH_H
#define TT_TUI_OUTPUT_TORCH_H

#include "tui/output/writers.h"

/* PyTorch has a layout for the table, one for each worker and span. */
bool tt_out_torch_has(const tt_table *t);
/* The section can be printed so: rows of one worker and span, which its part names. */
bool tt_out_torch_fits(const tt_section *s);
/* Columns of 12 (names and shapes wider), units by size unless `unit` says one, and the lines of totals, which are
 * of the whole table, not only of the rows printed. */
void tt_out_torch(FILE *f, const tt_section *s, tt_unit unit);

#endif

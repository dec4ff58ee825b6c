/* tui/output/torch.h - table key_averages in the layout that PyTorch's key_averages().table() prints. */
#ifndef TT_TUI_OUTPUT_TORCH_H
#define TT_TUI_OUTPUT_TORCH_H

#include "tui/output/writers.h"

/* PyTorch has a layout for the table; each worker and span is printed on its own. */
bool tt_out_torch_has(const tt_table *t);
/* The section fits PyTorch's layout: its rows are of one worker and span, named by its part. */
bool tt_out_torch_fits(const tt_section *s);
/* Print the section: columns of 12 characters (names and shapes wider), units by size unless `unit` says one, then the
 * totals of all rows of the table, not of the printed rows alone. */
void tt_out_torch(FILE *f, const tt_section *s, tt_unit unit);

#endif

/* model/tables/sort_words.h - the words that PyTorch's and Paddle's tables are sorted by, beside the keys of columns.
 */
#ifndef TT_MODEL_TABLES_SORT_WORDS_H
#define TT_MODEL_TABLES_SORT_WORDS_H

#include "model/tables/table.h"

/* The column of a table that a key or a word of another profiler means; -1 = it has none. */
int tt_sort_column(const tt_table *t, const char *word);
/* The same before the table is computed, from its descriptor alone: whether it has such a column. */
bool tt_sort_known(const tt_table_desc *d, const char *word);
/* The words, one after the other; NULL behind the last. */
const char *tt_sort_word(uint32_t i);
/* Whether a column goes up when nobody says which way: texts, moments, and Paddle's CPUMin and GPUMin. */
bool tt_sort_ascends(const tt_column *col, const char *word);

#endif

/* model/tables/sort_words.h - the words that PyTorch and Paddle sort their tables by, beside the keys of columns. */
#ifndef TT_MODEL_TABLES_SORT_WORDS_H
#define TT_MODEL_TABLES_SORT_WORDS_H

#include "model/tables/table.h"

/* Index of the column that a key, or a word of another profiler, means; -1 = the table has none. */
int tt_sort_column(const tt_table *t, const char *word);
/* Whether a table has such a column, from its descriptor alone. */
bool tt_sort_known(const tt_table_desc *d, const char *word);
/* Word i of the list; NULL behind the last. */
const char *tt_sort_word(uint32_t i);
/* Whether a column is sorted upwards by default: texts, times, and Paddle's CPUMin and GPUMin. */
bool tt_sort_ascends(const tt_column *col, const char *word);

#endif

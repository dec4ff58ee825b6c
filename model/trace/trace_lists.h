/* model/trace/trace_lists.h - the columns and lists of a trace as data, for code that treats all of them alike. */
#ifndef TT_MODEL_TRACE_TRACE_LISTS_H
#define TT_MODEL_TRACE_TRACE_LISTS_H

#include "model/trace/trace.h"

typedef enum tt_trace_list {
#define X(list, count, memory) TT_LIST_##list,
#include "model/trace/lists.def"
#undef X
    TT_LIST_COUNT_
} tt_trace_list;

/* The items of a list, one after another. */
void **tt_trace_list_at(tt_trace *s, tt_trace_list list);
/* The number of its items. */
uint32_t *tt_trace_list_n(tt_trace *s, tt_trace_list list);
size_t tt_trace_list_item(tt_trace_list list); /* bytes of an item */
/* Allocate the list for n items, in the memory that lists.def says. The number of its items stays. */
void tt_trace_list_alloc(tt_trace *s, tt_trace_list list, uint32_t n);
/* Give back the memory behind the items of a list on the heap. */
void tt_trace_list_shrink(tt_trace *s, tt_trace_list list);

/* Copy n rows of `from`, from row `first` on, to the rows of `to` from `row` on: all columns. */
void tt_trace_columns_copy(tt_trace *to, tt_row row, const tt_trace *from, tt_row first, size_t n);

#endif

/* model/text/text_order.h - compares names: numbers in them by value, and names by their endings. */
#ifndef TT_MODEL_TEXT_TEXT_ORDER_H
#define TT_MODEL_TEXT_TEXT_ORDER_H

#include <stdbool.h>
#include <string.h>

/* Compare names with numbers by value: worker2 before worker10. Bytes decide between equals; 0 only for the same
 * text. */
int tt_natural_order(const char *a, const char *b);

static inline bool tt_ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && memcmp(s + n - m, end, m) == 0;
}

#endif

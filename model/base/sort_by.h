/* model/base/sort_by.h - sorting of rows by their members, the order written where the rows are sorted:
 *
 *     TT_SORT_BY(steps.at, steps.n, TT_ASC(step, start), TT_DESC(step, length), TT_ASC(step, row));
 *
 * Rows are compared by the first key, equal ones by the next. Rows that all keys call equal stay in their order.
 * A list of no rows may be NULL. Members are integers, bool, double, texts and arrays of char; a member of another
 * type does not compile. Texts are compared byte by byte and are not NULL.
 * Long unsorted lists take 1.4 times as long as with a comparator for qsort(), sorted ones a tenth. */
#ifndef TT_MODEL_BASE_SORT_BY_H
#define TT_MODEL_BASE_SORT_BY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sort n rows by keys. */
#define TT_SORT_BY(rows, n, ...)                                                                                       \
    do {                                                                                                               \
        static const tt_sort_key keys_[] = {__VA_ARGS__};                                                              \
        tt_sort_by((rows), (n), sizeof *(rows), keys_, sizeof keys_ / sizeof *keys_);                                  \
    } while (0)
/* Sort n pointers to rows by keys. */
#define TT_SORT_POINTERS_BY(pointers, n, ...)                                                                          \
    do {                                                                                                               \
        static const tt_sort_key keys_[] = {__VA_ARGS__};                                                              \
        tt_sort_pointers_by((pointers), (n), keys_, sizeof keys_ / sizeof *keys_);                                     \
    } while (0)
/* Sort n numbers or texts, the smallest or the largest first. */
#ifndef __cppcheck__
#define TT_SORT_UP(values, n) TT_SORT_BY(values, n, {0, TT_SORT_TYPE(*(values)), false})
#define TT_SORT_DOWN(values, n) TT_SORT_BY(values, n, {0, TT_SORT_TYPE(*(values)), true})
/* Index of a value in a list that TT_SORT_UP() has sorted; n if the list lacks the value. */
#define TT_SORTED_FIND(values, n, value)                                                                               \
    tt_sorted_find((values), (n), sizeof *(values), TT_SORT_TYPE(*(values)), &(__typeof__(*(values))){value})
#else /* cppcheck 2.10 cannot read them */
#define TT_SORT_UP(values, n) tt_sort_by((values), (n), sizeof *(values), NULL, 0)
#define TT_SORT_DOWN(values, n) TT_SORT_UP(values, n)
#define TT_SORTED_FIND(values, n, value) ((void)(value), tt_sorted_find((values), (n), 0, TT_SORT_I64, (values)))
#endif

/* A key of TT_SORT_BY(): the member of a type of rows, the smallest or the largest first. */
#define TT_ASC(type, member)                                                                                           \
    {                                                                                                                  \
        offsetof(type, member), TT_SORT_TYPE(((type *)0)->member), false                                               \
    }
#define TT_DESC(type, member)                                                                                          \
    {                                                                                                                  \
        offsetof(type, member), TT_SORT_TYPE(((type *)0)->member), true                                                \
    }

typedef enum tt_sort_type {
    TT_SORT_I8,
    TT_SORT_U8,
    TT_SORT_I16,
    TT_SORT_U16,
    TT_SORT_I32,
    TT_SORT_U32,
    TT_SORT_I64,
    TT_SORT_U64,
    TT_SORT_DOUBLE,
    TT_SORT_TEXT,  /* pointer to a text */
    TT_SORT_CHARS, /* text inside the row */
} tt_sort_type;

typedef struct tt_sort_key {
    size_t offset; /* bytes from the begin of a row to the member */
    tt_sort_type type;
    bool descending;
} tt_sort_key;

/* The type of a member. The address tells pointers to texts from arrays of char. */
#define TT_SORT_TYPE(member)                                                                                           \
    _Generic(&(member),                                                                                                \
        char **: TT_SORT_TEXT,                                                                                         \
        const char **: TT_SORT_TEXT,                                                                                   \
        default: _Generic((member),                                                                                    \
            signed char: TT_SORT_I8,                                                                                   \
            bool: TT_SORT_U8,                                                                                          \
            unsigned char: TT_SORT_U8,                                                                                 \
            short: TT_SORT_I16,                                                                                        \
            unsigned short: TT_SORT_U16,                                                                               \
            int: TT_SORT_I32,                                                                                          \
            unsigned: TT_SORT_U32,                                                                                     \
            long: TT_SORT_I64,                                                                                         \
            long long: TT_SORT_I64,                                                                                    \
            unsigned long: TT_SORT_U64,                                                                                \
            unsigned long long: TT_SORT_U64,                                                                           \
            double: TT_SORT_DOUBLE,                                                                                    \
            char *: TT_SORT_CHARS,                                                                                     \
            const char *: TT_SORT_CHARS))

void tt_sort_by(void *rows, size_t n, size_t size, const tt_sort_key *keys, size_t n_keys);
void tt_sort_pointers_by(void *pointers, size_t n, const tt_sort_key *keys, size_t n_keys);
size_t tt_sorted_find(const void *values, size_t n, size_t size, tt_sort_type type, const void *value);

#endif

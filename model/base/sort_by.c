/* Sorting by members: see sort_by.h. */
#include "model/base/sort_by.h"

#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort.h"

_Static_assert(sizeof(long) == 8 && sizeof(long long) == 8, "TT_SORT_TYPE() takes both for 64 bits");

typedef struct order {
    const tt_sort_key *keys;
    size_t n;
} order;

#define COMPARE(type, a, b) ((*(const type *)(a) > *(const type *)(b)) - (*(const type *)(a) < *(const type *)(b)))

static int compare_members(const void *a, const void *b, tt_sort_type type)
{
    switch (type) {
    case TT_SORT_I8: return COMPARE(int8_t, a, b);
    case TT_SORT_U8: return COMPARE(uint8_t, a, b);
    case TT_SORT_I16: return COMPARE(int16_t, a, b);
    case TT_SORT_U16: return COMPARE(uint16_t, a, b);
    case TT_SORT_I32: return COMPARE(int32_t, a, b);
    case TT_SORT_U32: return COMPARE(uint32_t, a, b);
    case TT_SORT_I64: return COMPARE(int64_t, a, b);
    case TT_SORT_U64: return COMPARE(uint64_t, a, b);
    case TT_SORT_DOUBLE: return COMPARE(double, a, b);
    case TT_SORT_TEXT: return strcmp(*(const char *const *)a, *(const char *const *)b);
    case TT_SORT_CHARS: return strcmp(a, b);
    }
    return 0;
}

static int compare_rows(const void *a, const void *b, void *arg)
{
    const order *o = arg;
    for (const tt_sort_key *k = o->keys, *end = k + o->n; k < end; k++) {
        int c = compare_members((const char *)a + k->offset, (const char *)b + k->offset, k->type);
        if (c) return k->descending ? -c : c;
    }
    return 0;
}

static int compare_pointers(const void *a, const void *b, void *arg)
{
    return compare_rows(*(const void *const *)a, *(const void *const *)b, arg);
}

void tt_sort_by(void *rows, size_t n, size_t size, const tt_sort_key *keys, size_t n_keys)
{
    tt_sort_runs_with(rows, n, size, compare_rows, &(order){keys, n_keys});
}

void tt_sort_pointers_by(void *pointers, size_t n, const tt_sort_key *keys, size_t n_keys)
{
    tt_sort_runs_with(pointers, n, sizeof(void *), compare_pointers, &(order){keys, n_keys});
}

size_t tt_sorted_find(const void *values, size_t n, size_t size, tt_sort_type type, const void *value)
{
    const char *at = values;
    size_t lo = 0, hi = n;
    TT_BISECT(lo, hi, i, compare_members(at + i * size, value, type) < 0);
    return lo < n && compare_members(at + lo * size, value, type) == 0 ? lo : n;
}

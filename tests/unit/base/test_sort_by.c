/* Sorting of rows by members, checked row by row against the keys. */
#include "model/base/sort_by.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/check.h"

enum { MOST = 300 };

typedef enum { GREEN, RED, BLUE } colour;

typedef struct row {
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    double real;
    bool flag;
    colour colour;
    const char *text;
    char word[8];
    struct {
        int64_t start;
    } range;
    uint32_t made; /* number of the row in order of creation, which tells equal rows apart */
} row;

static uint32_t seed = 5;
static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* Rows whose members take few values, negative ones and the widest among them. */
static void fill(row *at, uint32_t n)
{
    static const char *const texts[] = {"", "a", "aa", "b", "\xc3\xa4"};
    memset(at, 0, n * sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        at[i] = (row){.i8 = (int8_t)rnd(256),
                      .u8 = (uint8_t)rnd(256),
                      .i16 = (int16_t)(rnd(4) * 20000),
                      .u16 = (uint16_t)(rnd(4) * 20000),
                      .i32 = (int32_t)(rnd(4) * 1200000000u),
                      .u32 = rnd(4) * 1200000000u,
                      .i64 = rnd(3) ? INT64_MIN + rnd(3) : INT64_MAX - rnd(3),
                      .u64 = rnd(3) ? UINT64_MAX - rnd(3) : rnd(3),
                      .real = (double)rnd(5) / 4 - 0.5,
                      .flag = rnd(2),
                      .colour = (colour)rnd(3),
                      .text = texts[rnd(5)],
                      .range.start = -(int64_t)rnd(4),
                      .made = i};
        memcpy(at[i].word, texts[i % 5], strlen(texts[i % 5]));
    }
}

#define CHECK_SORTED(at, n, order)                                                                                     \
    for (uint32_t i = 1; i < (n); i++) {                                                                               \
        const row *x = &(at)[i - 1], *y = &(at)[i];                                                                    \
        int c = (order);                                                                                               \
        CHECK(c < 0 || (c == 0 && x->made < y->made));                                                                 \
    }
#define ORDER(m) ((x->m > y->m) - (x->m < y->m))
/* Sort by one member up and down; equal rows stay in their order. */
#define CHECK_MEMBER(m, up)                                                                                            \
    do {                                                                                                               \
        fill(at, MOST);                                                                                                \
        TT_SORT_BY(at, MOST, TT_ASC(row, m));                                                                          \
        CHECK_SORTED(at, MOST, up)                                                                                     \
        fill(at, MOST);                                                                                                \
        TT_SORT_BY(at, MOST, TT_DESC(row, m));                                                                         \
        CHECK_SORTED(at, MOST, -(up))                                                                                  \
    } while (0)

static void rows_are_sorted_by_a_member_of_any_type(void)
{
    static row at[MOST];
    CHECK_MEMBER(i8, ORDER(i8));
    CHECK_MEMBER(u8, ORDER(u8));
    CHECK_MEMBER(i16, ORDER(i16));
    CHECK_MEMBER(u16, ORDER(u16));
    CHECK_MEMBER(i32, ORDER(i32));
    CHECK_MEMBER(u32, ORDER(u32));
    CHECK_MEMBER(i64, ORDER(i64));
    CHECK_MEMBER(u64, ORDER(u64));
    CHECK_MEMBER(real, ORDER(real));
    CHECK_MEMBER(flag, ORDER(flag));
    CHECK_MEMBER(colour, ORDER(colour));
    CHECK_MEMBER(range.start, ORDER(range.start));
    CHECK_MEMBER(text, strcmp(x->text, y->text));
    CHECK_MEMBER(word, strcmp(x->word, y->word));
}

static void a_later_key_orders_rows_that_earlier_keys_call_equal(void)
{
    static row at[MOST];
    fill(at, MOST);
    TT_SORT_BY(at, MOST, TT_ASC(row, text), TT_DESC(row, flag), TT_ASC(row, range.start));
    CHECK_SORTED(at, MOST,
                 strcmp(x->text, y->text) ? strcmp(x->text, y->text)
                 : ORDER(flag)            ? -ORDER(flag)
                                          : ORDER(range.start))
    TT_SORT_BY(at, MOST, TT_DESC(row, made));
    for (uint32_t i = 0; i < MOST; i++) CHECK_INT(at[i].made, MOST - 1 - i);
}

static void pointers_are_sorted_by_what_they_point_to(void)
{
    static row at[MOST];
    const row *p[MOST];
    fill(at, MOST);
    for (uint32_t i = 0; i < MOST; i++) p[i] = &at[i];
    TT_SORT_POINTERS_BY(p, MOST, TT_ASC(row, i16), TT_DESC(row, u32));
    for (uint32_t i = 1; i < MOST; i++) {
        const row *x = p[i - 1], *y = p[i];
        int c = ORDER(i16) ? ORDER(i16) : -ORDER(u32);
        CHECK(c < 0 || (c == 0 && x->made < y->made));
    }
}

static void numbers_and_texts_are_sorted_as_they_are(void)
{
    int64_t number[] = {3, INT64_MIN, INT64_MAX, -1, 0};
    TT_SORT_UP(number, 5);
    CHECK(number[0] == INT64_MIN && number[1] == -1 && number[2] == 0 && number[3] == 3 && number[4] == INT64_MAX);
    uint32_t node[] = {7, UINT32_MAX, 0};
    TT_SORT_DOWN(node, 3);
    CHECK(node[0] == UINT32_MAX && node[1] == 7 && node[2] == 0);
    double real[] = {0.5, -2, 0.25};
    TT_SORT_UP(real, 3);
    CHECK(real[0] < -1 && real[1] < 0.3 && real[2] > 0.4);
    const char *name[] = {"b", "", "ab", "a"};
    TT_SORT_UP(name, 4);
    CHECK_STR(name[0], "");
    CHECK_STR(name[1], "a");
    CHECK_STR(name[2], "ab");
    CHECK_STR(name[3], "b");
}

static void values_are_found_in_sorted_lists(void)
{
    const int64_t number[] = {INT64_MIN, -1, 3, 3, INT64_MAX};
    CHECK_INT(TT_SORTED_FIND(number, 5, INT64_MIN), 0);
    CHECK_INT(TT_SORTED_FIND(number, 5, 3), 2);
    CHECK_INT(TT_SORTED_FIND(number, 5, INT64_MAX), 4);
    CHECK_INT(TT_SORTED_FIND(number, 5, 0), 5);
    uint32_t node[] = {1, UINT32_MAX};
    CHECK_INT(TT_SORTED_FIND(node, 2, UINT32_MAX), 1);
    CHECK_INT(TT_SORTED_FIND(node, 2, 2), 2);
    CHECK_INT(TT_SORTED_FIND(node, 0, 1), 0);
    const char *name[] = {"", "ab", "b"};
    CHECK_INT(TT_SORTED_FIND(name, 3, "ab"), 1);
    CHECK_INT(TT_SORTED_FIND(name, 3, "a"), 3);
}

static void no_rows_may_be_NULL(void)
{
    row *none = NULL;
    const row **nobody = NULL;
    TT_SORT_BY(none, 0, TT_ASC(row, made));
    TT_SORT_POINTERS_BY(nobody, 0, TT_ASC(row, made));
    row one = {.made = 4};
    int64_t *missing = NULL;
    CHECK_INT(TT_SORTED_FIND(missing, 0, 7), 0);
    TT_SORT_BY(&one, 1, TT_DESC(row, made));
    CHECK_INT(one.made, 4);
}

int main(void)
{
    rows_are_sorted_by_a_member_of_any_type();
    a_later_key_orders_rows_that_earlier_keys_call_equal();
    pointers_are_sorted_by_what_they_point_to();
    numbers_and_texts_are_sorted_as_they_are();
    values_are_found_in_sorted_lists();
    no_rows_may_be_NULL();
    return check_done();
}

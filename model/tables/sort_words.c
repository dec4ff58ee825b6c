/* model/tables/sort_words.c - words of other profilers for columns. */
#include "model/tables/sort_words.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *columns;
} words[] = {
#define X(word, columns) {word, columns},
#include "model/tables/sort_words.def"
#undef X
};

enum { N_WORDS = sizeof words / sizeof *words };

/* The next key among those that a word means; false behind the last. Advances *p. */
static bool next_key(const char **p, char *key, size_t cap)
{
    *p += strspn(*p, " ");
    size_t n = strcspn(*p, " ");
    if (!n) return false;
    snprintf(key, cap, "%.*s", (int)n, *p);
    *p += n;
    return true;
}

static const char *columns_of(const char *word)
{
    for (size_t i = 0; i < N_WORDS; i++)
        if (!strcmp(words[i].word, word)) return words[i].columns;
    return "";
}

int tt_sort_column(const tt_table *t, const char *word)
{
    char key[64];
    int col = tt_table_column(t, word);
    for (const char *p = columns_of(word); col < 0 && next_key(&p, key, sizeof key);) col = tt_table_column(t, key);
    return col;
}

static bool has_column(const tt_table_desc *d, const char *key)
{
    for (uint32_t c = 0; c < d->n_cols; c++)
        if (!strcmp(d->cols[c].key, key)) return true;
    return false;
}

bool tt_sort_known(const tt_table_desc *d, const char *word)
{
    char key[64];
    bool found = has_column(d, word);
    for (const char *p = columns_of(word); !found && next_key(&p, key, sizeof key);) found = has_column(d, key);
    return found;
}

const char *tt_sort_word(uint32_t i) { return i < N_WORDS ? words[i].word : NULL; }

bool tt_sort_ascends(const tt_column *col, const char *word)
{
    size_t n = strlen(word);
    return col->type == TT_T_STRING || col->type == TT_T_TIME || (n > 3 && !strcmp(word + n - 3, "Min"));
}

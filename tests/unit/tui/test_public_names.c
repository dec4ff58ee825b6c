/* The lists of names that an anonymous trace keeps: sorted, without twins, exact. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/check.h"
#include "tui/anonymise/names.h"

static bool in_order(tt_names list, const char *a, const char *b)
{
    if (list == TT_NAMES_HEADS && strlen(a) != strlen(b)) return strlen(a) > strlen(b);
    return strcmp(a, b) < 0;
}

static void check_order(tt_names list, const char *title)
{
    size_t n;
    const char *const *at = tt_names_all(list, &n);
    for (size_t i = 1; i < n; i++) {
        if (in_order(list, at[i - 1], at[i])) continue;
        fprintf(stderr, "%s: \"%s\" before \"%s\"\n", title, at[i - 1], at[i]);
        CHECK(false);
    }
    CHECK(n > 0);
}

/* A list has its texts, and none with a letter more or less that is not one of them, too. */
static void check_exact(tt_names list)
{
    size_t n;
    char longer[256];
    const char *const *at = tt_names_all(list, &n);
    for (size_t i = 0; list != TT_NAMES_HEADS && i < n; i++) {
        size_t length = strlen(at[i]);
        snprintf(longer, sizeof longer, "%s~", at[i]);
        CHECK(tt_names_have(list, at[i], length));
        CHECK(tt_names_have(list, longer, length));
        CHECK(!tt_names_have(list, longer, length + 1));
    }
}

static void numbers(void)
{
    CHECK(tt_names_have_numbered(TT_NAMES_PLACES, "thread 7", 8));
    CHECK(tt_names_have_numbered(TT_NAMES_PLACES, "thread 140034", 13));
    CHECK(!tt_names_have_numbered(TT_NAMES_PLACES, "thread 7.1", 10));
    CHECK(!tt_names_have_numbered(TT_NAMES_PLACES, "thread 123456789012345678901", 28));
    CHECK(!tt_names_have_numbered(TT_NAMES_PLACES, "thread x", 8));
    CHECK(tt_names_have_numbered(TT_NAMES_RANGES, "ProfilerStep#12", 15));
}

int main(void)
{
#define LIST(name, word, about) check_order(TT_NAMES_##name, #name);
#include "tui/anonymise/lists.def"
#undef LIST
    for (int list = 0; list < TT_NAMES_COUNT_; list++) check_exact((tt_names)list);
    numbers();
    return check_done();
}

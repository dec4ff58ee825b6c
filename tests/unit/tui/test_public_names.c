/* The lists of names that an anonymous trace keeps are sorted, without duplicates, and matched exactly. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/check.h"
#include "tui/anonymise/names.h"

enum { LONGEST = 200 };

static bool in_order(tt_names list, const char *a, const char *b)
{
    if (list == TT_NAMES_HEADS && strlen(a) != strlen(b)) return strlen(a) > strlen(b);
    return strcmp(a, b) < 0;
}

static void check_order(tt_names list, const char *title)
{
    char name[LONGEST], before[LONGEST] = "";
    size_t n, count = 0;
    for (const char *at = NULL; (at = tt_names_next(list, at, &n)) != NULL; count++) {
        CHECK(n < LONGEST);
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        if (count && !in_order(list, before, name)) {
            fprintf(stderr, "%s: \"%s\" before \"%s\"\n", title, before, name);
            CHECK(false);
        }
        memcpy(before, name, sizeof before);
    }
    CHECK(count > 0);
}

/* A list contains its texts; a text with a letter more or less is found only if the list has it, too. */
static void check_exact(tt_names list)
{
    char longer[LONGEST + 2];
    size_t n;
    for (const char *at = NULL; list != TT_NAMES_HEADS && (at = tt_names_next(list, at, &n)) != NULL;) {
        snprintf(longer, sizeof longer, "%.*s~", (int)n, at);
        CHECK(tt_names_have(list, at, n));
        CHECK(tt_names_have(list, longer, n));
        CHECK(!tt_names_have(list, longer, n + 1));
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

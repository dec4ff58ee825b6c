/* SQL that a time limit can stop: LIKE and GLOB on long texts, selecting and sorting; answers equal those of SQLite
 * and of the C library. */
#include "tests/unit/check.h"

#ifdef TT_HAVE_SQLITE
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tui/sql/allowed.h"
#include "tui/sql/sort.h"
#include "tui/sql/text_match.h"

static uint32_t next_random(uint32_t *state) { return (*state = *state * 1664525 + 1013904223) >> 8; }

static void make_text(uint32_t *seed, const char *const *parts, uint32_t n_parts, uint32_t most, char *out, size_t cap)
{
    *out = '\0';
    for (uint32_t n = next_random(seed) % (most + 1); n; n--) {
        size_t at = strlen(out);
        snprintf(out + at, cap - at, "%s", parts[next_random(seed) % n_parts]);
    }
}

static void patterns_match_as_in_sqlite(void)
{
    static const char *const texts[] = {"a", "b", "A", "-", "]", "^", "\xc3\xa9", "\xc3", "\xa9", "%", "_", "*"},
                             *const likes[] = {"a", "b", "%", "%", "_", "\\", "\xc3\xa9", "\xc3", "%_", "A"},
                             *const globs[] = {"a",     "b",    "*", "*", "?",     "[ab]",     "[^a]",
                                               "[a-c]", "[]a]", "[", "]", "[^]-]", "\xc3\xa9", "[\xc3\xa9-\xc3\xaa]",
                                               "A",     "[a-]"};
    tt_sql_clock clock = {0};
    uint32_t seed = 1;
    for (int i = 0; i < 60000; i++) {
        char text[64], pattern[64];
        bool glob = i % 2;
        uint32_t escape = glob || i % 4 ? 0 : '\\';
        make_text(&seed, texts, i % 3 ? 3 : 12, 9, text, sizeof text);
        make_text(&seed, glob ? globs : likes, glob ? 16 : 10, 6, pattern, sizeof pattern);
        bool want = glob ? !sqlite3_strglob(pattern, text) : !sqlite3_strlike(pattern, text, escape);
        bool got = tt_sql_match(&clock, pattern, text, glob, escape) == TT_SQL_MATCH;
        if (want != got) fprintf(stderr, "%s '%s' '%s': %d\n", glob ? "glob" : "like", text, pattern, got);
        CHECK(want == got);
    }
    CHECK(tt_sql_match(&clock, "a%%b%", "a%xb", false, '%') == TT_SQL_NO_MATCH); /* % and _ only escape */
    CHECK(tt_sql_match(&clock, "a%%b", "a%b", false, '%') == TT_SQL_MATCH);
    CHECK(tt_sql_match(&clock, "a__b", "a_b", false, '_') == TT_SQL_MATCH);
}

static void a_match_ends(void)
{
    enum { TEXT = 4 << 20 };
    _Atomic bool stop = true;
    tt_sql_clock stopped = {.stop = &stop}, late = {.ends_at = 1};
    char *text = malloc(TEXT + 1), pattern[1000];
    memset(text, 'a', TEXT);
    text[TEXT] = '\0';
    memset(pattern, 'a', sizeof pattern);
    pattern[0] = '%';
    pattern[sizeof pattern - 2] = 'b';
    pattern[sizeof pattern - 1] = '\0';
    CHECK(tt_sql_match(&stopped, pattern, text, false, 0) == TT_SQL_MATCH_ENDED && stopped.why == TT_SQL_STOPPED);
    CHECK(tt_sql_match(&late, pattern, text, false, 0) == TT_SQL_MATCH_ENDED && late.why == TT_SQL_OUT_OF_TIME);
    free(text);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void numbers_are_selected(void)
{
    enum { N = 300 };
    int64_t at[N], sorted[N];
    tt_sql_clock clock = {0};
    uint32_t seed = 7;
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + next_random(&seed) % N, k = next_random(&seed) % n;
        uint32_t values = 1 + next_random(&seed) % (round % 2 ? 5 : 1000);
        for (size_t i = 0; i < n; i++) sorted[i] = at[i] = (int64_t)(next_random(&seed) % values) - 2;
        qsort(sorted, n, sizeof *sorted, by_value);
        CHECK(tt_sql_select(&clock, at, n, k) && at[k] == sorted[k]);
        for (size_t i = 0; i < n; i++) CHECK(i < k ? at[i] <= at[k] : at[i] >= at[k]);
    }
    clock.why = TT_SQL_STOPPED;
    CHECK(!tt_sql_select(&clock, at, 2, 0));
}

static void intervals_are_sorted(void)
{
    enum { N = 200000 };
    tt_iv *at = malloc(N * sizeof *at);
    tt_sql_clock clock = {0};
    for (int shape = 0; shape < 4; shape++) {
        uint32_t seed = 3;
        int64_t sum = 0, check = 0;
        for (int i = 0; i < N; i++) {
            int64_t t = shape == 0 ? i : shape == 1 ? -i : shape == 2 ? 5 : (int64_t)next_random(&seed);
            at[i] = (tt_iv){t, i};
            sum += t ^ i;
        }
        CHECK(tt_sql_sort_intervals(&clock, at, N));
        for (int i = 0; i < N; i++) {
            CHECK(!i || at[i - 1].t0 <= at[i].t0);
            check += at[i].t0 ^ at[i].t1;
        }
        CHECK(sum == check);
    }
    CHECK(tt_sql_sort_intervals(&clock, at, 0) && tt_sql_sort_intervals(&clock, at, 1));
    clock.why = TT_SQL_OUT_OF_TIME;
    CHECK(!tt_sql_sort_intervals(&clock, at, N));
    free(at);
}

static void functions_are_allowed(void)
{
    static const char *const yes[] = {"->", "->>", "abs", "COUNT", "zeroblob", "substr", "json", "like", "Printf"},
                             *const no[] = {"", "load_extension", "jsonb_patch", "fts3_tokenizer", "readfile", "zz"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) CHECK(tt_sql_is_allowed(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) CHECK(!tt_sql_is_allowed(no[i]));
}

int main(void)
{
    patterns_match_as_in_sqlite();
    a_match_ends();
    numbers_are_selected();
    intervals_are_sorted();
    functions_are_allowed();
    return check_done();
}
#else
int main(void)
{
    puts("skip sql clock: built without libsqlite3");
    return 0;
}
#endif

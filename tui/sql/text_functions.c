/* tui/sql/text_functions.c - functions of SQLite that take seconds to hours on long texts: instr, replace, trim, ltrim,
 * rtrim, LIKE, GLOB, json_patch. Here they are linear or look at the clock; their answers are SQLite's. */
#include <stdlib.h>
#include <string.h>

#include "tui/sql/data.h"
#include "tui/sql/text_match.h"

static bool is_null(sqlite3_value *v) { return sqlite3_value_type(v) == SQLITE_NULL; }

typedef struct text_of {
    const char *at;
    size_t n;
} text_of;

/* The value as a text; false: it is NULL, or SQLite has no memory. */
static bool get_text(sqlite3_value *v, text_of *out)
{
    out->at = (const char *)sqlite3_value_text(v);
    out->n = out->at ? (size_t)sqlite3_value_bytes(v) : 0;
    return out->at != NULL;
}

/* ---- instr(x, y) ---- */

static sqlite3_int64 characters(const char *p, size_t n)
{
    sqlite3_int64 count = 0;
    for (size_t i = 0; i < n; i++) count += !i || ((unsigned char)p[i] & 0xC0) != 0x80;
    return count;
}

/* The place of the first byte of y in x; -1 = y is not in it. Text is compared where characters begin. */
static ptrdiff_t find(text_of x, text_of y, bool text)
{
    if (!y.n) return 0;
    if (y.n > x.n) return -1;
    if (text && ((unsigned char)*y.at & 0xC0) == 0x80) return memcmp(x.at, y.at, y.n) == 0 ? 0 : -1;
    const char *found = memmem(x.at, x.n, y.at, y.n);
    return found ? found - x.at : -1;
}

static void instr(sqlite3_context *c, int n, sqlite3_value **v)
{
    text_of x, y;
    bool text = sqlite3_value_type(v[0]) != SQLITE_BLOB || sqlite3_value_type(v[1]) != SQLITE_BLOB;
    (void)n;
    if (is_null(v[0]) || is_null(v[1])) return;
    if (text) {
        if (!get_text(v[0], &x) || !get_text(v[1], &y)) {
            sqlite3_result_error_nomem(c);
            return;
        }
    } else {
        x = (text_of){sqlite3_value_blob(v[0]), (size_t)sqlite3_value_bytes(v[0])};
        y = (text_of){sqlite3_value_blob(v[1]), (size_t)sqlite3_value_bytes(v[1])};
    }
    ptrdiff_t at = find(x, y, text);
    sqlite3_int64 before = at <= 0 ? 0 : text ? characters(x.at, (size_t)at) : (sqlite3_int64)at;
    sqlite3_result_int64(c, at < 0 ? 0 : before + 1);
}

/* ---- replace(x, y, z) ---- */

/* Like memmem(), which under a checker looks at all of x in every call. */
static const char *next_in(text_of x, text_of y)
{
    if (y.n > 1) return x.n >= y.n ? memmem(x.at, x.n, y.at, y.n) : NULL;
    return x.n ? memchr(x.at, *y.at, x.n) : NULL;
}

/* Write x with z for every y to out, unless that is NULL. Returns its length. */
static size_t put_replaced(text_of x, text_of y, text_of z, char *out)
{
    size_t n = 0;
    for (;;) {
        const char *found = next_in(x, y);
        size_t before = found ? (size_t)(found - x.at) : x.n;
        if (out) memcpy(out + n, x.at, before);
        n += before;
        if (!found) return n;
        if (out) memcpy(out + n, z.at, z.n);
        n += z.n;
        x.at += before + y.n;
        x.n -= before + y.n;
    }
}

static void replace(sqlite3_context *c, int n, sqlite3_value **v)
{
    const tt_sql_data *d = sqlite3_user_data(c);
    text_of x, y, z;
    (void)n;
    if (is_null(v[0]) || is_null(v[1])) return;
    if (!get_text(v[0], &x) || !get_text(v[1], &y)) {
        sqlite3_result_error_nomem(c);
        return;
    }
    if (!*y.at) { /* since SQLite 3.46 a text, before it the value itself */
        sqlite3_result_text64(c, x.at, x.n, SQLITE_TRANSIENT, SQLITE_UTF8);
        return;
    }
    if (is_null(v[2])) return;
    if (!get_text(v[2], &z)) {
        sqlite3_result_error_nomem(c);
        return;
    }
    size_t length = put_replaced(x, y, z, NULL);
    if (length > (size_t)d->value_most) {
        sqlite3_result_error_toobig(c);
        return;
    }
    char *out = sqlite3_malloc64(length + 1);
    if (!out) {
        sqlite3_result_error_nomem(c);
        return;
    }
    put_replaced(x, y, z, out);
    out[length] = '\0';
    sqlite3_result_text64(c, out, length, sqlite3_free, SQLITE_UTF8);
}

/* ---- trim(x, y), ltrim, rtrim ---- */

enum { TRIM_LEFT = 1, TRIM_RIGHT = 2 };

/* The end of the character at p. */
static const char *behind_character(const char *p, const char *end)
{
    if ((unsigned char)*p++ < 0xC0) return p;
    while (p < end && ((unsigned char)*p & 0xC0) == 0x80) p++;
    return p;
}

/* Length of the character of `set` that x begins (or ends) with; 0 = none, -1 = the query has to end. */
static ptrdiff_t at_edge(tt_sql_clock *clock, text_of x, text_of set, bool left)
{
    const char *end = set.at + set.n;
    for (const char *p = set.at; p < end;) {
        const char *next = behind_character(p, end);
        size_t n = (size_t)(next - p);
        if (tt_sql_step_ends(clock)) return -1;
        if (n <= x.n && memcmp(left ? x.at : x.at + x.n - n, p, n) == 0) return (ptrdiff_t)n;
        p = next;
    }
    return 0;
}

static void trim_sides(sqlite3_context *c, int n, sqlite3_value **v, int sides)
{
    tt_sql_data *d = sqlite3_user_data(c);
    text_of x, set = {" ", 1};
    ptrdiff_t cut;
    if (is_null(v[0]) || (n == 2 && is_null(v[1]))) return;
    if (!get_text(v[0], &x) || (n == 2 && !get_text(v[1], &set))) {
        sqlite3_result_error_nomem(c);
        return;
    }
    for (int side = TRIM_LEFT; side <= TRIM_RIGHT; side++) {
        if (!(sides & side)) continue;
        while (x.n && (cut = at_edge(&d->clock, x, set, side == TRIM_LEFT)) != 0) {
            if (cut < 0) {
                sqlite3_result_error_code(c, SQLITE_INTERRUPT);
                return;
            }
            x.n -= (size_t)cut;
            if (side == TRIM_LEFT) x.at += cut;
        }
    }
    sqlite3_result_text64(c, x.at, x.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void trim(sqlite3_context *c, int n, sqlite3_value **v) { trim_sides(c, n, v, TRIM_LEFT | TRIM_RIGHT); }
static void ltrim(sqlite3_context *c, int n, sqlite3_value **v) { trim_sides(c, n, v, TRIM_LEFT); }
static void rtrim(sqlite3_context *c, int n, sqlite3_value **v) { trim_sides(c, n, v, TRIM_RIGHT); }

/* ---- LIKE and GLOB ---- */

/* Bytes of a pattern times bytes of a text that SQLite matches in milliseconds. */
enum { MATCH_AT_ONCE = 1 << 20 };

/* The character behind ESCAPE; 0 = the text has none or several. */
static uint32_t escape_character(const char *p)
{
    const unsigned char *at = (const unsigned char *)p;
    uint32_t c = *at;
    const char *end = c ? behind_character(p, p + strlen(p)) : p;
    if (!c || *end) return 0;
    if (c < 0xC0) return c;
    c &= c < 0xE0 ? 0x1F : c < 0xF0 ? 0x0F : 0x07;
    for (at++; *at; at++) c = (c << 6) + (*at & 0x3F);
    return c;
}

static void match(sqlite3_context *c, int n, sqlite3_value **v, bool glob)
{
    tt_sql_data *d = sqlite3_user_data(c);
    text_of pattern, text, escape;
    uint32_t behind_escape = 0;
    if (d->no_like_of_blobs && (sqlite3_value_type(v[0]) == SQLITE_BLOB || sqlite3_value_type(v[1]) == SQLITE_BLOB)) {
        sqlite3_result_int(c, 0);
        return;
    }
    if (sqlite3_value_bytes(v[0]) > sqlite3_limit(sqlite3_context_db_handle(c), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1)) {
        sqlite3_result_error(c, "LIKE or GLOB pattern too complex", -1);
        return;
    }
    if (n == 3) {
        if (!get_text(v[2], &escape)) return;
        behind_escape = escape_character(escape.at);
        if (!behind_escape) {
            sqlite3_result_error(c, "ESCAPE expression must be a single character", -1);
            return;
        }
    }
    if (!get_text(v[0], &pattern) || !get_text(v[1], &text)) return;
    if (pattern.n * text.n <= MATCH_AT_ONCE && behind_escape != '%' && behind_escape != '_') {
        sqlite3_result_int(
            c, !(glob ? sqlite3_strglob(pattern.at, text.at) : sqlite3_strlike(pattern.at, text.at, behind_escape)));
        return;
    }
    switch (tt_sql_match(&d->clock, pattern.at, text.at, glob, behind_escape)) {
    case TT_SQL_NO_MATCH: sqlite3_result_int(c, 0); break;
    case TT_SQL_MATCH: sqlite3_result_int(c, 1); break;
    case TT_SQL_MATCH_ENDED: sqlite3_result_error_code(c, SQLITE_INTERRUPT); break;
    }
}

static void like(sqlite3_context *c, int n, sqlite3_value **v) { match(c, n, v, false); }
static void glob(sqlite3_context *c, int n, sqlite3_value **v) { match(c, n, v, true); }

/* ---- json_patch ---- */

/* Bytes of both arguments multiplied, at most: SQLite compares each member of the patch with each of the target. */
#define PATCH_MOST ((uint64_t)1 << 34)

static void json_patch(sqlite3_context *c, int n, sqlite3_value **v)
{
    if ((uint64_t)sqlite3_value_bytes(v[0]) * (uint64_t)sqlite3_value_bytes(v[1]) > PATCH_MOST) {
        sqlite3_result_error_toobig(c);
        return;
    }
    tt_sql_call(c, "json_patch", n, v);
    sqlite3_result_subtype(c, 'J');
}

/* ---- collations: comparing many long texts is one instruction ---- */

static int shorter_first(int n, int m) { return (n > m) - (n < m); }

static int nocase(void *arg, int n, const void *a, int m, const void *b)
{
    tt_sql_clock *clock = arg;
    if (clock->why != TT_SQL_GOES_ON || (n + m > TT_SQL_LOOK_EVERY && tt_sql_ends(clock))) return 0;
    int order = sqlite3_strnicmp(a, b, n < m ? n : m);
    return order ? order : shorter_first(n, m);
}

static int without_blanks(const char *p, int n)
{
    while (n && p[n - 1] == ' ') n--;
    return n;
}

static int rtrim_compare(void *arg, int n, const void *a, int m, const void *b)
{
    tt_sql_clock *clock = arg;
    if (clock->why != TT_SQL_GOES_ON || (n + m > TT_SQL_LOOK_EVERY && tt_sql_ends(clock))) return 0;
    n = without_blanks(a, n);
    m = without_blanks(b, m);
    int order = n && m ? memcmp(a, b, (size_t)(n < m ? n : m)) : 0;
    return order ? order : shorter_first(n, m);
}

int tt_sql_register_text_functions(sqlite3 *db, tt_sql_data *d)
{
    static const struct {
        const char *name;
        int args;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {
        {"instr", 2, instr}, {"replace", 3, replace}, {"trim", 1, trim},   {"trim", 2, trim},
        {"ltrim", 1, ltrim}, {"ltrim", 2, ltrim},     {"rtrim", 1, rtrim}, {"rtrim", 2, rtrim},
        {"like", 2, like},   {"like", 3, like},       {"glob", 2, glob},   {"json_patch", 2, json_patch},
    };
    int rc = SQLITE_OK;
    d->no_like_of_blobs = sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS");
    for (size_t i = 0; i < sizeof functions / sizeof *functions && rc == SQLITE_OK; i++)
        rc = sqlite3_create_function_v2(db, functions[i].name, functions[i].args, SQLITE_UTF8 | SQLITE_DETERMINISTIC, d,
                                        functions[i].call, NULL, NULL, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_create_collation_v2(db, "NOCASE", SQLITE_UTF8, &d->clock, nocase, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_create_collation_v2(db, "RTRIM", SQLITE_UTF8, &d->clock, rtrim_compare, NULL);
    return rc;
}

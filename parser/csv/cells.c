/* Finds columns by name and reads the values of cells: see csv.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "parser/csv/internal.h"
#include "parser/json/number.h"

/* ---- columns ---- */

static bool matches(const tt_csv_text *name, const char *want, size_t n)
{
    bool prefix = n && want[n - 1] == '*';
    if (prefix) n--;
    return (prefix ? name->n >= n : name->n == n) && strncasecmp(name->at, want, n) == 0;
}

int tt_csv_column(const tt_csv *c, const char *names)
{
    for (;;) {
        size_t n = strcspn(names, "|");
        for (size_t i = 0; i < c->names.n; i++) {
            if (matches(&c->names.at[i], names, n)) return (int)i;
        }
        if (!names[n]) return -1;
        names += n + 1;
    }
}

int tt_csv_need(tt_csv *c, const char *names)
{
    char text[100];
    int column = tt_csv_column(c, names);
    if (column >= 0 || !c->names.n) return column;
    snprintf(text, sizeof text, "column %.*s is missing", (int)strcspn(names, "|*"), names);
    tt_csv_say_(c, TT_PROBLEM_MISSING_COLUMN, c->header_line, text);
    return -1;
}

uint32_t tt_csv_columns(const tt_csv *c) { return (uint32_t)c->names.n; }

tt_csv_text tt_csv_name(const tt_csv *c, int column)
{
    return column >= 0 && (size_t)column < c->names.n ? c->names.at[column] : (tt_csv_text){"", 0};
}

uint64_t tt_csv_time_unit(const tt_csv *c, int column, uint64_t otherwise)
{
    static const struct {
        char text[5];
        uint64_t unit;
    } units[] = {{"(us)", TT_NS_OF_US}, {"(ms)", TT_NS_OF_MS}, {"(ns)", TT_NS_OF_NS}, {"(s)", TT_NS_OF_S}};
    tt_csv_text name = tt_csv_name(c, column);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (memmem(name.at, name.n, units[i].text, strlen(units[i].text))) return units[i].unit;
    }
    return otherwise;
}

/* ---- texts ---- */

/* Remove quotes in place: the outer ones, and one of each doubled quote. Text after the closing quote stays. */
static size_t unquote(char *p, size_t n)
{
    char *to = p, *e = p + n;
    const char *from = p;
    bool inside = false;
    while (from < e) {
        const char *quote = memchr(from, '"', (size_t)(e - from));
        size_t plain = (size_t)((quote && (inside || to == p) ? quote : e) - from);
        memmove(to, from, plain);
        to += plain;
        from += plain;
        if (from == e) break;
        if (!inside) {
            inside = true;
        } else if (from + 1 < e && from[1] == '"') {
            *to++ = '"';
            from++;
        } else {
            from++;
            memmove(to, from, (size_t)(e - from));
            to += e - from;
            break;
        }
        from++;
    }
    return (size_t)(to - p);
}

tt_csv_text tt_csv_cell(tt_csv *c, int column)
{
    if (column < 0 || (size_t)column >= c->cells.n) return (tt_csv_text){"", 0};
    tt_csv_cell_ *cell = &c->cells.at[column];
    char *row = c->buf + c->row;
    if (cell->state != TT_CSV_DONE_) {
        tt_csv_text t = tt_csv_strip_(row + cell->at, cell->n);
        if (cell->state == TT_CSV_QUOTED_) t = tt_csv_strip_(t.at, unquote(row + (t.at - row), t.n));
        if (t.n == 3 && memcmp(t.at, "N/A", 3) == 0) t.n = 0;
        *cell = (tt_csv_cell_){(uint32_t)(t.at - row), (uint32_t)t.n, TT_CSV_DONE_};
    }
    return (tt_csv_text){cell->n ? row + cell->at : "", cell->n};
}

bool tt_csv_is(tt_csv *c, int column, const char *text)
{
    tt_csv_text t = tt_csv_cell(c, column);
    return t.n == strlen(text) && memcmp(t.at, text, t.n) == 0;
}

void tt_csv_bad(tt_csv *c, int column, const char *what)
{
    char text[sizeof((tt_problem *)0)->example];
    tt_csv_text name = tt_csv_name(c, column), cell = tt_csv_cell(c, column);
    if (column < 0) {
        snprintf(text, sizeof text, "%s", what);
    } else if (name.n) {
        snprintf(text, sizeof text, "%.*s %s: '%.*s'", name.n < 40 ? (int)name.n : 40, name.at, what,
                 cell.n < 40 ? (int)cell.n : 40, cell.at);
    } else {
        snprintf(text, sizeof text, "column %d %s: '%.*s'", column + 1, what, cell.n < 40 ? (int)cell.n : 40, cell.at);
    }
    tt_csv_say_(c, TT_PROBLEM_BAD_ROW, c->line, text);
}

/* ---- values ---- */

/* Parse a usual time: 1736408883657086.220, 5.120. Reads up to eight bytes after the token, which lie in the window.
 * */
static bool quick_us(tt_csv_text t, int64_t *ns)
{
    uint64_t us;
    if (t.n < 5 || t.n > 4 + 16 || t.at[t.n - 4] != '.') return false;
    uint32_t sub = tt_decimals_(t.at + t.n, 3);
    if (sub == UINT32_MAX || !tt_digits(t.at, t.at + t.n - 4, &us) || us > UINT64_C(2000000000000000)) return false;
    *ns = (int64_t)(us * 1000 + sub);
    return true;
}

static bool scaled(tt_csv *c, int column, uint64_t unit, int64_t *out)
{
    tt_csv_text t = tt_csv_cell(c, column);
    if (!t.n) return false;
    if (unit == TT_NS_OF_US && quick_us(t, out)) return true;
    if (tt_decimal(t.at, t.n, unit, out)) return true;
    tt_csv_bad(c, column, "is not a number");
    return false;
}

bool tt_csv_ns(tt_csv *c, int column, uint64_t unit, int64_t *out) { return scaled(c, column, unit, out); }
bool tt_csv_bytes(tt_csv *c, int column, uint64_t unit, int64_t *out) { return scaled(c, column, unit, out); }

bool tt_csv_int(tt_csv *c, int column, int64_t *out)
{
    tt_csv_text t = tt_csv_cell(c, column);
    uint64_t digits;
    if (!t.n) return false;
    if (t.n <= 16 && tt_digits(t.at, t.at + t.n, &digits)) {
        *out = (int64_t)digits;
        return true;
    }
    if (tt_decimal_whole(t.at, t.n, out)) return true;
    tt_csv_bad(c, column, "is not a whole number");
    return false;
}

bool tt_csv_double(tt_csv *c, int column, double *out)
{
    tt_csv_text t = tt_csv_cell(c, column);
    if (!t.n) return false;
    double v = tt_parse_double(t.at, t.at + t.n);
    if (!isnan(v)) {
        *out = v;
        return true;
    }
    tt_csv_bad(c, column, "is not a number");
    return false;
}

bool tt_csv_bool(tt_csv *c, int column, bool *out)
{
    static const char *const words[] = {"false", "true", "no", "yes", "0", "1"};
    tt_csv_text t = tt_csv_cell(c, column);
    if (!t.n) return false;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (t.n == strlen(words[i]) && strncasecmp(t.at, words[i], t.n) == 0) {
            *out = i & 1;
            return true;
        }
    }
    tt_csv_bad(c, column, "is neither true nor false");
    return false;
}

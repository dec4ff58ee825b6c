/* tui/table/conditions.c - limits on columns in the filter of a table. */
#include "tui/table/conditions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/args/parse_values.h"

enum { MS = 1000000 };

/* A person types keys without units: "total" for "total_ns". */
static bool is_key(const char *key, const char *word, size_t n)
{
    static const char *const suffixes[] = {"", "_ns", "_at_ns", "_bytes", "_pct"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strncmp(key, word, n) && !strcmp(key + n, suffixes[i])) return true;
    return false;
}

static bool is_title(const char *title, const char *word, size_t n)
{
    size_t i = 0;
    for (const char *p = title; *p; p++) {
        if (*p == ' ') continue;
        if (i == n || tolower((unsigned char)*p) != tolower((unsigned char)word[i])) return false;
        i++;
    }
    return i == n;
}

/* The column of numbers with this key, else with this title. */
static int column_of(const tt_table *t, const char *word, size_t n)
{
    for (int titles = 0; titles < 2; titles++) {
        for (uint32_t c = 0; c < t->n_cols; c++) {
            if (t->cols[c]->type == TT_T_STRING) continue;
            if (titles ? is_title(t->cols[c]->title, word, n) : is_key(t->cols[c]->key, word, n)) return (int)c;
        }
    }
    return -1;
}

static bool parse_limit(tt_type type, const char *s, tt_cell *out)
{
    const char *end;
    char *rest;
    uint64_t size;
    switch (type) {
    case TT_T_DURATION:
    case TT_T_TIME: return tt_parse_time(s, &end, MS, &out->i) && !*end;
    case TT_T_BYTES: return tt_parse_size(s, &size) && (out->i = (int64_t)size) >= 0;
    case TT_T_PERCENT:
    case TT_T_NUMBER:
        out->d = strtod(s, &rest);
        if (rest == s) return false;
        return !*rest || (type == TT_T_PERCENT && !strcmp(rest, "%"));
    default: return tt_parse_count(s, &out->i);
    }
}

static const char *wanted(tt_type type)
{
    switch (type) {
    case TT_T_DURATION:
    case TT_T_TIME: return "a time, as 250us or 1.5ms";
    case TT_T_BYTES: return "a size, as 512K or 1MiB";
    case TT_T_PERCENT: return "a percentage, as 5%";
    case TT_T_NUMBER: return "a number";
    default: return "a whole number";
    }
}

/* 1: a condition was taken; 0: the word is text; -1: its value is wrong. */
static int take(const tt_table *t, const char *word, tt_conditions *out, tt_err *err)
{
    size_t n = strcspn(word, "<>=");
    int col = word[n] && n && out->n < TT_MOST_CONDITIONS ? column_of(t, word, n) : -1;
    if (col < 0) return 0;
    struct tt_condition_on c = {.col = (uint32_t)col, .less = word[n] == '<', .more = word[n] == '>'};
    const char *value = word + n + 1;
    c.equal = word[n] == '=' || *value == '=';
    if (word[n] != '=' && *value == '=') value++;
    tt_type type = t->cols[col]->type;
    if (!parse_limit(type, value, &c.limit)) {
        (void)tt_fail(err, TT_ERR_USAGE, -1, "filter: %s wants %s, not '%s'", t->cols[col]->title, wanted(type), value);
        return -1;
    }
    out->at[out->n++] = c;
    return 1;
}

bool tt_conditions_parse(const tt_table *t, const char *filter, tt_conditions *out, tt_err *err)
{
    *out = (tt_conditions){0};
    size_t at = 0;
    for (const char *p = filter; *p;) {
        char word[sizeof out->text];
        size_t gap = strspn(p, " "), n = strcspn(p + gap, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, p + gap);
        int taken = n ? take(t, word, out, err) : 0;
        if (taken < 0) return false;
        /* text keeps its blanks, except those around a condition */
        if (!taken) at += (size_t)snprintf(out->text + at, sizeof out->text - at, "%.*s", (int)(gap + n), p);
        if (at >= sizeof out->text) break;
        p += gap + n;
    }
    if (out->n) {
        size_t lead = strspn(out->text, " "), len = strlen(out->text + lead);
        memmove(out->text, out->text + lead, len + 1);
        while (len && out->text[len - 1] == ' ') out->text[--len] = '\0';
    }
    return true;
}

static int compare(tt_type type, tt_cell v, tt_cell limit)
{
    if (type == TT_T_PERCENT || type == TT_T_NUMBER) return (v.d > limit.d) - (v.d < limit.d);
    return (v.i > limit.i) - (v.i < limit.i);
}

bool tt_conditions_hold(const tt_table *t, uint32_t row, const tt_conditions *c)
{
    for (int i = 0; i < c->n; i++) {
        const struct tt_condition_on *on = &c->at[i];
        tt_type type = t->cols[on->col]->type;
        tt_cell v = tt_table_cell(t, row, on->col);
        if (tt_cell_unknown(type, v)) return false;
        int order = compare(type, v, on->limit);
        if (!(order < 0 ? on->less : order > 0 ? on->more : on->equal)) return false;
    }
    return true;
}

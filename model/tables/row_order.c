/* model/tables/row_order.c - an order of rows: filter, then sort by 64-bit keys.
 *
 * Numbers become keys with the same order as unsigned integers. Texts are sorted eight bytes at a time, and runs of
 * equal keys go on with the next eight bytes, so that a long common prefix, as kernel names have, costs one pass and
 * not one comparison per pair. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/table.h"
#include "model/text/regex.h"

typedef struct item {
    uint64_t key;
    const char *at;    /* rest of the text to compare; NULL when it has ended */
    const char *begin; /* start of the text */
    uint32_t row;
} item;

enum { RADIX_MIN = 512 }; /* below this many rows qsort is faster than setting up histograms */

/* A comparator of its own, which is faster than keys: a text column sorts each run of equal beginnings again. */
static int by_key(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Stable sort by key; tmp has room for n items. Rows ascend at the first call, so qsort may break ties by row. */
static void sort_by_key(item *v, item *tmp, size_t n)
{
    bool sorted = true;
    for (size_t i = 1; i < n && sorted; i++) sorted = v[i - 1].key <= v[i].key;
    if (sorted) return;
    if (n < RADIX_MIN) {
        qsort(v, n, sizeof *v, by_key);
        return;
    }
    static const size_t passes = sizeof v->key;
    size_t(*count)[256] = tt_calloc(passes, sizeof *count);
    for (size_t i = 0; i < n; i++) {
        for (size_t p = 0; p < passes; p++) count[p][v[i].key >> (8 * p) & 255]++;
    }
    item *from = v, *to = tmp;
    for (size_t p = 0; p < passes; p++) {
        size_t at = 0;
        if (count[p][from[0].key >> (8 * p) & 255] == n) continue; /* all keys have the same byte here */
        for (int b = 0; b < 256; b++) {
            size_t c = count[p][b];
            count[p][b] = at;
            at += c;
        }
        for (size_t i = 0; i < n; i++) to[count[p][from[i].key >> (8 * p) & 255]++] = from[i];
        item *swap = from;
        from = to;
        to = swap;
    }
    if (from != v) memcpy(v, from, n * sizeof *v);
    free(count);
}

/* The next eight bytes of a text's sort key: its bytes, with the length before each number, so that 9 comes before
 * 10. */
static uint64_t next_key(item *it)
{
    uint64_t key = 0;
    const char *p = it->at;
    int n = 0;
    while (n < 8 && *p) {
        if (isdigit((unsigned char)*p) && (p == it->begin || !isdigit((unsigned char)p[-1]))) {
            while (*p == '0' && isdigit((unsigned char)p[1])) p++;
            size_t len = strspn(p, "0123456789");
            key = key << 8 | (uint64_t)('0' + (len < 9 ? len : 9));
            if (++n == 8) break;
        }
        key = key << 8 | (unsigned char)*p++;
        n++;
    }
    it->at = *p ? p : NULL;
    return n == 8 ? key : key << (8 * (8 - n));
}

static bool same_texts(const item *v, size_t n)
{
    bool same = true; /* names are interned: equal pointers need no comparison of bytes */
    for (size_t i = 1; i < n && same; i++) same = v[i].at == v[0].at && v[i].begin == v[0].begin;
    return same;
}

/* Skip the common prefix, but not the beginning of a number: its length matters. */
static void skip_common(item *v, size_t n)
{
    if (!v[0].at) return;
    size_t len = strlen(v[0].at);
    for (size_t i = 1; i < n && len; i++) {
        size_t k = 0;
        while (k < len && v[i].at && v[i].at[k] == v[0].at[k]) k++;
        len = k;
    }
    while (len && isdigit((unsigned char)v[0].at[len - 1])) len--;
    for (size_t i = 0; i < n && len; i++) {
        v[i].at += len;
        if (!*v[i].at) v[i].at = NULL;
    }
}

static void sort_by_text(item *v, item *tmp, size_t n, bool desc)
{
    /* a loop instead of a recursion when all texts are one run: texts may be long, the stack is not */
    for (bool again = true; again && !same_texts(v, n);) {
        skip_common(v, n);
        for (size_t i = 0; i < n; i++) {
            v[i].key = v[i].at ? next_key(&v[i]) : 0;
            if (desc) v[i].key = ~v[i].key;
        }
        sort_by_key(v, tmp, n);
        again = false;
        for (size_t i = 0, k; i < n; i = k) {
            bool more = v[i].at != NULL;
            for (k = i + 1; k < n && v[k].key == v[i].key; k++) more = more || v[k].at;
            if (!more || k - i < 2) continue;
            again = k - i == n;
            if (!again) sort_by_text(v + i, tmp, k - i, desc);
        }
    }
}

static uint64_t number_key(tt_type type, tt_cell c)
{
    const uint64_t sign = (uint64_t)1 << 63;
    if (type != TT_T_PERCENT && type != TT_T_NUMBER) return (uint64_t)c.i ^ sign;
    double d = c.d + 0.0; /* -0 and 0 are the same value */
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static void set_texts(const tt_table *t, item *v, size_t n, int col)
{
    for (size_t i = 0; i < n; i++) {
        const char *s = col < 0 ? NULL : tt_table_cell(t, v[i].row, (uint32_t)col).s;
        v[i].begin = s;
        v[i].at = s && *s ? s : NULL;
    }
}

static int first_text_column(const tt_table *t)
{
    for (uint32_t c = t->lead; c < t->n_cols; c++) {
        if (t->cols[c]->type == TT_T_STRING) return (int)c;
    }
    return -1;
}

/* Move rows with a value to the front, in their order; returns how many they are. */
static size_t unknown_last(const tt_table *t, item *v, item *tmp, size_t n, uint32_t col)
{
    size_t known = 0, unknown = 0;
    for (size_t i = 0; i < n; i++) {
        if (tt_cell_unknown(t->cols[col]->type, tt_table_cell(t, v[i].row, col))) {
            tmp[unknown++] = v[i];
        } else {
            v[known++] = v[i];
        }
    }
    memcpy(v + known, tmp, unknown * sizeof *v);
    return known;
}

static void sort_rows(const tt_table *t, const tt_row_order_spec *spec, uint32_t *rows, size_t n)
{
    uint32_t col = (uint32_t)spec->sort_col;
    tt_type type = t->cols[col]->type;
    item *v = tt_calloc(2 * n, sizeof *v), *tmp = v + n;
    for (size_t i = 0; i < n; i++) v[i].row = rows[i];
    size_t known = unknown_last(t, v, tmp, n, col);
    if (type == TT_T_STRING) {
        set_texts(t, v, known, (int)col);
        sort_by_text(v, tmp, known, spec->desc);
    } else {
        for (size_t i = 0; i < known; i++) {
            v[i].key = number_key(type, tt_table_cell(t, v[i].row, col));
            if (spec->desc) v[i].key = ~v[i].key;
        }
        sort_by_key(v, tmp, known);
        int text = first_text_column(t);
        set_texts(t, v, n, text);
        for (size_t i = 0, k; i < known && text >= 0; i = k) {
            for (k = i + 1; k < known && v[k].key == v[i].key;) k++;
            if (k - i > 1) sort_by_text(v + i, tmp, k - i, false);
        }
        sort_by_text(v + known, tmp, n - known, false);
    }
    for (size_t i = 0; i < n; i++) rows[i] = v[i].row;
    free(v);
}

/* ---- filter ---- */

typedef struct filter {
    regex_t regex;
    bool is_regex;
    unsigned char fold[256];
    unsigned char *needle; /* text to find, in lower case */
    size_t len;
} filter;

static tt_status filter_init(filter *f, const tt_row_order_spec *spec, tt_err *err)
{
    f->is_regex = spec->regex;
    f->needle = NULL;
    if (spec->regex) return tt_regex_compile(&f->regex, spec->filter, err);
    for (int i = 0; i < 256; i++) f->fold[i] = (unsigned char)(i >= 'A' && i <= 'Z' ? i + 32 : i);
    f->len = strlen(spec->filter);
    f->needle = tt_malloc(f->len + 1);
    for (size_t i = 0; i <= f->len; i++) f->needle[i] = f->fold[(unsigned char)spec->filter[i]];
    return TT_OK;
}

static bool filter_text(const filter *f, const char *s)
{
    if (f->is_regex) return regexec(&f->regex, s, 0, NULL, 0) == 0;
    if (!f->len) return true;
    for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
        if (f->fold[*p] != f->needle[0]) continue;
        size_t i = 1;
        while (i < f->len && f->fold[p[i]] == f->needle[i])
            i++; /* the NUL at the end of the text stops the loop: no needle contains one */
        if (i == f->len) return true;
    }
    return false;
}

static void filter_done(filter *f)
{
    if (f->is_regex) regfree(&f->regex);
    free(f->needle);
}

static tt_status filter_rows(const tt_table *t, const tt_row_order_spec *spec, tt_row_order *out, tt_err *err)
{
    filter f;
    TT_TRY(filter_init(&f, spec, err));
    int name = spec->name_only ? tt_table_column(t, "name") : -1;
    if (name >= 0 && t->cols[name]->type != TT_T_STRING) name = -1;
    const char *last_text = NULL; /* text of the row before: neighbouring rows often share one */
    bool last_hit = false;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        bool hit = false;
        for (uint32_t c = 0; c < t->n_cols && !hit; c++) {
            if (t->cols[c]->type != TT_T_STRING || (name >= 0 && (int)c != name)) continue;
            const char *s = tt_table_cell(t, r, c).s;
            if (!s) continue;
            if (s != last_text) last_hit = filter_text(&f, last_text = s);
            hit = last_hit;
        }
        if (hit) out->rows[out->n++] = r;
    }
    filter_done(&f);
    return TT_OK;
}

/* ---- */

tt_row_order_spec tt_row_order_default(const tt_table *t)
{
    tt_row_order_spec spec = {.sort_col = -1, .desc = t->desc->default_desc};
    if (t->desc->default_sort) spec.sort_col = tt_table_column(t, t->desc->default_sort);
    return spec;
}

tt_status tt_row_order_make(const tt_table *t, const tt_row_order_spec *spec, tt_row_order *out, tt_err *err)
{
    *out = (tt_row_order){.rows = tt_calloc(t->n_rows, sizeof *out->rows)};
    if (spec->filter) {
        tt_status st = filter_rows(t, spec, out, err);
        if (st != TT_OK) {
            tt_row_order_free(out);
            return st;
        }
    } else {
        for (uint32_t r = 0; r < t->n_rows; r++) out->rows[out->n++] = r;
    }
    if (spec->sort_col >= 0 && (uint32_t)spec->sort_col < t->n_cols) {
        sort_rows(t, spec, out->rows, out->n);
    } else if (spec->desc && !t->desc->default_sort) {
        /* reverse the order of the table */
        for (uint32_t i = 0, k = out->n; i + 1 < k; i++) {
            uint32_t swap = out->rows[i];
            out->rows[i] = out->rows[--k];
            out->rows[k] = swap;
        }
    }
    return TT_OK;
}

void tt_row_order_free(tt_row_order *v)
{
    free(v->rows);
    *v = (tt_row_order){0};
}

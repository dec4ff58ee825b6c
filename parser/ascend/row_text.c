/* parser/ascend/row_text.c - see row_text.h. */
#include "parser/ascend/row_text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "parser/csv/csv.h"
#include "parser/json/scan.h"
#include "parser/json/write.h"

enum { ROW_MOST = 1 << 20, HEADER_MOST = 1 << 16, COLUMNS_MOST = 512 };

typedef struct row_text {
    tt_text_source source; /* first: leads back here */
    tt_text_source *timeline, *csv;
    uint64_t base;
} row_text;

/* ---- one row ---- */

typedef struct cells {
    tt_csv_text at[COLUMNS_MOST];
    size_t n;
    char *buf; /* of the texts */
} cells;

/* The text of the quoted cell at p, unquoted in place; *end = behind it. */
static tt_csv_text quoted(char *p, const char *to, char **end)
{
    char *out = p, *from = ++p;
    for (; p < to; p++) {
        if (*p == '"' && !(p + 1 < to && p[1] == '"')) break;
        if (*p == '"') p++;
        *out++ = *p;
    }
    *end = p < to ? p + 1 : p;
    return (tt_csv_text){from - 1, (size_t)(out - (from - 1))};
}

/* The row that begins at `at`; false when there is none. */
static bool read_row(const row_text *x, uint64_t at, size_t most, cells *c)
{
    *c = (cells){.buf = tt_malloc(most)};
    int64_t got = x->csv->read(x->csv, at, c->buf, most);
    char *p = c->buf, *to = p + (got > 0 ? got : 0);
    while (p < to && (*p == '\n' || *p == '\r')) p++;
    if (to - p >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3)) p += 3;
    while (p < to && c->n < COLUMNS_MOST) {
        tt_csv_text text;
        if (*p == '"') {
            text = quoted(p, to, &p);
            while (p < to && *p != ',' && *p != '\n') p++;
        } else {
            char *from = p;
            while (p < to && *p != ',' && *p != '\n') p++;
            text = (tt_csv_text){from, (size_t)(p - from)};
        }
        while (text.n && (text.at[text.n - 1] == '\r' || text.at[text.n - 1] == '\t' || text.at[text.n - 1] == ' '))
            text.n--;
        c->at[c->n++] = text;
        if (p == to || *p == '\n') break;
        p++;
    }
    return c->n > 0;
}

/* ---- as an event ---- */

static bool is(tt_csv_text t, const char *text) { return t.n == strlen(text) && !strncasecmp(t.at, text, t.n); }

static tt_csv_text find(const cells *names, const cells *row, const char *name)
{
    for (size_t i = 0; i < names->n && i < row->n; i++) {
        if (is(names->at[i], name)) return row->at[i];
    }
    return (tt_csv_text){"", 0};
}

static void put_value(tt_json *j, tt_csv_text t)
{
    if (tt_json_is_number(t.at, t.at + t.n))
        tt_json_raw(j, t.at, t.n);
    else
        tt_json_string(j, t.at, t.n);
}

static void put_event(const cells *names, const cells *row, tt_text *out)
{
    tt_json j;
    tt_csv_text name = find(names, row, "Name"), start = find(names, row, "Start Time(us)"),
                dur = find(names, row, "Duration(us)"), stream = find(names, row, "Stream ID");
    tt_json_init_text(&j, out);
    tt_json_open(&j, '{', true);
    tt_json_key_text(&j, "ph", "X");
    tt_json_key_text(&j, "cat", "kernel");
    tt_json_key(&j, "name");
    tt_json_string(&j, name.at, name.n);
    tt_json_key_text(&j, "pid", "Ascend Hardware");
    tt_json_key(&j, "tid");
    put_value(&j, stream.n ? stream : (tt_csv_text){"0", 1});
    tt_json_key(&j, "ts");
    put_value(&j, start);
    tt_json_key(&j, "dur");
    put_value(&j, dur.n ? dur : (tt_csv_text){"0", 1});
    tt_json_key(&j, "args");
    tt_json_open(&j, '{', true);
    for (size_t i = 0; i < row->n && i < names->n; i++) {
        if (!row->at[i].n || is(row->at[i], "N/A") || is(names->at[i], "Name")) continue;
        tt_json_key_bytes(&j, names->at[i].at, names->at[i].n);
        put_value(&j, row->at[i]);
    }
    tt_json_close(&j, '}');
    tt_json_close(&j, '}');
}

static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    const row_text *x = (const row_text *)(const void *)self;
    if (offset < x->base) return x->timeline ? x->timeline->read(x->timeline, offset, out, cap) : 0;
    cells *names = tt_calloc(2, sizeof *names), *row = names + 1;
    tt_text text = {0};
    if (read_row(x, 0, HEADER_MOST, names) && read_row(x, offset - x->base, ROW_MOST, row)) put_event(names, row, &text);
    size_t n = text.n < cap ? text.n : cap;
    if (n) memcpy(out, text.at, n);
    tt_vec_free(&text);
    free(names->buf);
    free(row->buf);
    free(names);
    return (int64_t)n;
}

static void close_text(tt_text_source *self)
{
    row_text *x = (row_text *)(void *)self;
    if (x->timeline) x->timeline->close(x->timeline);
    x->csv->close(x->csv);
    free(x);
}

tt_text_source *tt_ascend_row_text(tt_text_source *timeline, uint64_t base, tt_input *in, const char *role)
{
    tt_source *source;
    tt_err err;
    if (tt_input_open(in, role, &source, &err) != TT_OK) return NULL;
    row_text *x = tt_calloc(1, sizeof *x);
    x->source = (tt_text_source){.read = read_text, .close = close_text, .single = true};
    x->timeline = timeline;
    x->csv = tt_input_text(in, source);
    x->base = base;
    return &x->source;
}

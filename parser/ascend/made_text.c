/* parser/ascend/made_text.c - see made_text.h.
 *
 * A trace without a timeline has single events, each made when it is asked for. After a timeline the records of memory
 * continue its text; each has the same length, padded with blanks, so the text is read in windows like a file. */
#include "parser/ascend/made_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "parser/ascend/kernel_rows.h"
#include "parser/json/scan.h"
#include "parser/json/write.h"

enum { ROW_MOST = 1 << 20, HEADER_MOST = 1 << 16, COLUMNS_MOST = 512 };

typedef struct made_text {
    tt_text_source source; /* the first member, so that it leads back to this object */
    tt_text_source *timeline, *csv;
    const tt_trace *trace; /* the trace that owns the text */
    tt_ascend_places at;
    uint32_t *record; /* records of the trace, in the order of their text */
} made_text;

/* ---- one row ---- */

typedef struct cells {
    tt_csv_text at[COLUMNS_MOST];
    size_t n;
    char *buf; /* holds the texts */
} cells;

/* Read the quoted cell at p and unquote it in place; *end = after the cell. */
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

/* Read the row that begins at `at`; false = there is none. */
static bool read_row(const made_text *x, uint64_t at, size_t most, cells *c)
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
    tt_csv_text core = find(names, row, "Accelerator Core");
    bool collective = tt_ascend_is_collective(is(core, "N/A") ? (tt_csv_text){"", 0} : core, name);
    tt_json_init_text(&j, out);
    tt_json_open(&j, '{', true);
    tt_json_key_text(&j, "ph", "X");
    if (!collective) tt_json_key_text(&j, "cat", "kernel"); /* collectives are known by their process */
    tt_json_key(&j, "name");
    tt_json_string(&j, name.at, name.n);
    tt_json_key_text(&j, "pid", collective ? TT_ASCEND_COLLECTIVES : TT_ASCEND_HARDWARE);
    tt_json_key(&j, "tid");
    put_value(&j, stream.n && !is(stream, "N/A") ? stream
                                                 : (tt_csv_text){TT_ASCEND_NO_STREAM, strlen(TT_ASCEND_NO_STREAM)});
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

static size_t put_row(const made_text *x, uint64_t at, char *out, size_t cap)
{
    cells *names = tt_calloc(2, sizeof *names), *row = names + 1;
    tt_text text = {0};
    if (read_row(x, 0, HEADER_MOST, names) && read_row(x, at, ROW_MOST, row)) put_event(names, row, &text);
    size_t n = text.n < cap ? text.n : cap;
    if (n) memcpy(out, text.at, n);
    tt_vec_free(&text);
    free(names->buf);
    free(row->buf);
    free(names);
    return n;
}

/* ---- records of memory ---- */

/* Write record k as an event, padded with blanks to its full length. */
static void put_record(const made_text *x, uint32_t k, char out[TT_ASCEND_RECORD])
{
    const tt_trace *s = x->trace;
    const tt_memory_record *m = &s->memory[x->record[k]];
    const tt_track *track = &s->tracks[m->track];
    tt_text text = {0};
    tt_json j;
    tt_json_init_text(&j, &text);
    tt_json_open(&j, '{', true);
    tt_json_key_text(&j, "ph", "i");
    tt_json_key_text(&j, "s", "t");
    tt_json_key_text(&j, "name", "[memory]");
    tt_json_key_text(&j, "pid", tt_str(&s->strings, track->pid));
    tt_json_key_text(&j, "tid", tt_str(&s->strings, track->tid));
    tt_json_key_us(&j, "ts", m->ts + s->origin_ns);
    tt_json_key(&j, "args");
    tt_json_open(&j, '{', true);
    tt_json_key_int(&j, "Device Type", m->device_type);
    tt_json_key_int(&j, "Device Id", m->device_id);
    if (m->addr) tt_json_key_uint(&j, "Addr", m->addr);
    tt_json_key_int(&j, "Bytes", m->bytes);
    tt_json_key_known(&j, "Total Allocated", m->allocated);
    tt_json_key_known(&j, "Total Reserved", m->reserved);
    tt_json_close(&j, '}');
    tt_json_close(&j, '}');
    memset(out, ' ', TT_ASCEND_RECORD);
    memcpy(out, text.at, text.n < TT_ASCEND_RECORD ? text.n : TT_ASCEND_RECORD);
    tt_vec_free(&text);
}

static size_t put_records(const made_text *x, uint64_t at, char *out, size_t cap)
{
    size_t n = 0;
    for (uint64_t k = at / TT_ASCEND_RECORD; k < x->at.n_memory && n < cap; k++) {
        char text[TT_ASCEND_RECORD];
        size_t from = n ? 0 : (size_t)(at % TT_ASCEND_RECORD), len = TT_ASCEND_RECORD - from;
        put_record(x, (uint32_t)k, text);
        if (len > cap - n) len = cap - n;
        memcpy(out + n, text + from, len);
        n += len;
        if (x->source.single) break;
    }
    return n;
}

/* ---- the source ---- */

static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    const made_text *x = (const made_text *)(const void *)self;
    if (offset >= x->at.memory_at) return (int64_t)put_records(x, offset - x->at.memory_at, out, cap);
    if (x->timeline) return x->timeline->read(x->timeline, offset, out, cap);
    return x->csv && offset >= x->at.rows_at ? (int64_t)put_row(x, offset - x->at.rows_at, out, cap) : 0;
}

static void close_text(tt_text_source *self)
{
    made_text *x = (made_text *)(void *)self;
    if (x->timeline) x->timeline->close(x->timeline);
    if (x->csv) x->csv->close(x->csv);
    free(x->record);
    free(x);
}

void tt_ascend_add_text(tt_trace *s, const tt_ascend_places *places, tt_input *in)
{
    tt_source *source;
    tt_err err;
    if (!places->n_memory && (s->text || !places->rows)) return;
    made_text *x = tt_calloc(1, sizeof *x);
    *x = (made_text){.source = {.read = read_text, .close = close_text, .single = !s->text},
                     .timeline = s->text,
                     .trace = s,
                     .at = *places,
                     .record = tt_calloc(places->n_memory, sizeof *x->record)};
    if (!s->text && places->rows && tt_input_open(in, ROLE_KERNELS, &source, &err) == TT_OK)
        x->csv = tt_input_text(in, source);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        uint64_t at = s->memory[i].text, k = (at - places->memory_at) / TT_ASCEND_RECORD;
        if (at >= places->memory_at && k < places->n_memory) x->record[k] = i;
    }
    s->text = &x->source;
}

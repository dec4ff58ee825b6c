/* Rows of a csv file: the window, dividing it into rows and cells, and handling damage. See csv.h.
 *
 * A row is scanned by masks of its separators, quotes and newlines, again from its beginning each time the window
 * grew; the window at least doubles, so a long row takes only a few scans. Cells are places in the window; quotes are
 * removed when a cell is asked for (cells.c).
 *
 * A quote without end would make the rest of the file one cell. If the text or the longest allowed row ends inside
 * quotes, the row is given up and reading goes on after its first newline. From then on only complete rows are
 * returned, because other rows may lie inside the broken cell. */
#include "parser/csv/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/csv/internal.h"
#include "parser/csv/mask.h"

#define WINDOW ((size_t)1 << 20)
#define ROW_MOST ((size_t)128 << 20) /* offsets of cells have 31 bits */
#define CELLS_MOST ((size_t)1 << 20)
#define RECOVER_MOST 16 /* each costs up to one scan of ROW_MOST */
#define PAD 64          /* bytes after the text that masks and numbers may read */

enum scan { SCAN_ROW, SCAN_MORE, SCAN_QUOTE }; /* MORE: more text is needed; QUOTE: the text ended inside quotes */

/* ---- messages ---- */

void tt_csv_say_(const tt_csv *c, tt_problem_kind kind, uint64_t line, const char *what)
{
    char text[sizeof((tt_problem *)0)->example];
    int n = snprintf(text, sizeof text, "%s:%" PRIu64 ": %s", c->name, line, what);
    if (n < 0) n = 0;
    tt_problem_add(c->problems, kind, -1, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* The reason in an error, without the leading path. */
static const char *reason(const tt_err *err)
{
    const char *p = strstr(err->message, ": ");
    return p ? p + 2 : err->message;
}

static void say_missing(const tt_csv *c, const char *what) { tt_csv_say_(c, TT_PROBLEM_MISSING_FILE, 1, what); }

/* ---- the window ---- */

static void end_of_text(tt_csv *c)
{
    int64_t at;
    const char *damage = tt_source_damage(c->source, &at);
    c->eof = true;
    if (damage) tt_csv_say_(c, TT_PROBLEM_BAD_COMPRESSION, c->line + c->lines, damage);
}

/* Read more text after the rest of the window, at least as much again. */
static void fill(tt_csv *c)
{
    size_t left = c->n - c->at, want = left + (left > c->window ? left : c->window);
    if (want > 3 + c->row_most + c->window) want = 3 + c->row_most + c->window; /* 3 for a byte order mark */
    if (left) memmove(c->buf, c->buf + c->at, left);
    c->base += c->at;
    c->n = left;
    c->at = 0;
    if (want + PAD > c->cap) c->buf = tt_realloc(c->buf, c->cap = want + PAD, 1);
    while (c->n < want && !c->eof) {
        size_t got = 0;
        tt_err err = {0};
        tt_status st = tt_source_read(c->source, c->buf + c->n, want - c->n, &got, &err);
        c->cancelled = st == TT_ERR_CANCELLED;
        if (st != TT_OK && !c->cancelled) tt_csv_say_(c, TT_PROBLEM_BAD_ROW, c->line + c->lines, reason(&err));
        c->n += got;
        if (st != TT_OK) c->eof = true;
        if (st == TT_OK && !got) end_of_text(c);
    }
    memset(c->buf + c->n, 0, PAD);
}

/* ---- a row ---- */

static void put_cell(tt_csv *c, size_t from, size_t to, bool quoted)
{
    if (c->cells.n == CELLS_MOST) return;
    *tt_vec_push(&c->cells) =
        (tt_csv_cell_){(uint32_t)(from - c->at), (uint32_t)(to - from), quoted ? TT_CSV_QUOTED_ : TT_CSV_PLAIN_};
}

static bool blank_between(const char *p, const char *e)
{
    while (p < e && (*p == ' ' || *p == '\t')) p++;
    return p == e;
}

/* Divide the row at c->at into c->cells; *end = after the row. */
static enum scan scan_row(tt_csv *c, size_t *end)
{
    const char *buf = c->buf;
    const char separator = c->separator;
    size_t block = c->at, cell = block, closed = SIZE_MAX; /* closed: last quote that ended a quoted part */
    bool inside = false, quoted = false, literal = false;
    uint64_t mask = c->at < c->n ? tt_csv_mask(buf + block, separator) : 0;
    c->cells.n = 0;
    c->lines = 0;
    for (;;) {
        while (!mask) {
            block += 64;
            if (block >= c->n) goto out_of_text;
            mask = tt_csv_mask(buf + block, separator);
        }
        size_t i = block + (size_t)__builtin_ctzll(mask);
        if (i >= c->n) goto out_of_text;
        mask &= mask - 1;
        char ch = buf[i];
        if (ch == '"') {
            if (inside) {
                inside = false;
                closed = i;
            } else if (quoted ? i == closed + 1 : !literal && blank_between(buf + cell, buf + i)) {
                inside = quoted = true; /* a doubled quote, or the first quote of the cell */
            } else {
                literal = true;
            }
            continue;
        }
        if (ch == '\n') c->lines++;
        if (inside) continue;
        put_cell(c, cell, i, quoted);
        cell = i + 1;
        quoted = literal = false;
        if (ch != '\n') continue;
        *end = i + 1;
        return SCAN_ROW;
    }
out_of_text:
    if (!c->eof) return SCAN_MORE;
    *end = c->n;
    if (inside) return SCAN_QUOTE;
    put_cell(c, cell, c->n, quoted);
    return SCAN_ROW;
}

/* As scan_row(), with cells separated by any number of blanks. */
static enum scan scan_words(tt_csv *c, size_t *end)
{
    const char *p = c->buf + c->at, *newline = memchr(p, '\n', c->n - c->at), *e = newline ? newline : c->buf + c->n;
    c->cells.n = 0;
    c->lines = newline != NULL;
    if (!newline && !c->eof) return SCAN_MORE;
    *end = (size_t)(e - c->buf) + (newline != NULL);
    while (p < e) {
        while (p < e && tt_csv_blank_(*p)) p++;
        const char *from = p;
        while (p < e && !tt_csv_blank_(*p)) p++;
        if (p > from) put_cell(c, (size_t)(from - c->buf), (size_t)(p - c->buf), false);
    }
    return SCAN_ROW;
}

static size_t newline_behind(const tt_csv *c, size_t at)
{
    const char *p = memchr(c->buf + at, '\n', c->n - at);
    return p ? (size_t)(p - c->buf) + 1 : SIZE_MAX;
}

/* Give up the row and go on after its first line. */
static void give_up_row(tt_csv *c, const char *why)
{
    size_t next = newline_behind(c, c->at);
    tt_csv_say_(c, TT_PROBLEM_BAD_ROW, c->line, why);
    while (next == SIZE_MAX && !c->eof) { /* a line that is too long */
        c->at = c->n;
        fill(c);
        next = newline_behind(c, c->at);
    }
    c->at = next == SIZE_MAX ? c->n : next;
    c->lines = 1;
    if (++c->recovered <= RECOVER_MOST) return;
    tt_csv_say_(c, TT_PROBLEM_BAD_ROW, c->line, "too much damage; the rest of the file is left out");
    c->at = c->n;
    c->eof = true;
}

/* Whether the row is text: it has no control characters except white space. */
static bool is_text_row(const tt_csv *c)
{
    for (size_t i = c->row; i < c->at; i++) {
        unsigned char b = (unsigned char)c->buf[i];
        if (b < ' ' && !(b >= '\t' && b <= '\r')) return false;
    }
    return true;
}

/* Divide the next row of any kind into c->cells and set its place c->row .. c->at; false = end of the text. */
static bool next_row(tt_csv *c)
{
    size_t end = 0;
    for (;;) {
        c->line += c->lines;
        c->lines = 0;
        if (c->at == c->n) {
            if (c->eof) return false;
            fill(c);
            continue;
        }
        enum scan got = c->separator == ' ' ? scan_words(c, &end) : scan_row(c, &end);
        if ((got == SCAN_MORE ? c->n : end) - c->at > c->row_most) {
            give_up_row(c, "the row is too long");
        } else if (got == SCAN_QUOTE && !c->cancelled) {
            give_up_row(c, "a quote does not end");
        } else if (got == SCAN_MORE) {
            fill(c);
            c->lines = 0; /* the row is divided again */
        } else {
            break;
        }
    }
    c->row = c->at;
    c->cut = c->buf[end - 1] != '\n';
    c->at = end;
    if (!c->looked && !is_text_row(c)) {
        say_missing(c, "this is no text");
        c->at = c->n;
        c->eof = c->no_text = true;
    }
    c->looked = true;
    return !c->cancelled && !c->no_text;
}

static bool is_blank_row(const tt_csv *c)
{
    return !c->cells.n ||
           (c->cells.n == 1 && tt_csv_strip_(c->buf + c->row + c->cells.at[0].at, c->cells.at[0].n).n == 0);
}

static void say_cells(tt_csv *c, size_t cells, const char *more)
{
    char text[80];
    snprintf(text, sizeof text, "%zu of %zu columns%s", cells, c->names.n, more);
    tt_csv_say_(c, TT_PROBLEM_BAD_ROW, c->line, text);
}

/* Compare the row with the header. False = skip the row. */
static bool check_cells(tt_csv *c)
{
    size_t cells = c->cells.n, columns = c->names.n;
    if (c->ragged || cells == columns) return true;
    if (c->recovered) return false;
    if (cells > columns) {
        const tt_csv_cell_ *last = &c->cells.at[cells - 1];
        bool comma = cells == columns + 1 && !tt_csv_strip_(c->buf + c->row + last->at, last->n).n;
        if (!comma) say_cells(c, cells, "");
        return true;
    }
    say_cells(c, cells, c->cut ? "; the file is cut here" : "");
    if (c->cut) c->cells.at[cells - 1].n = 0; /* the cell may be incomplete, so it counts as missing */
    return true;
}

bool tt_csv_next(tt_csv *c)
{
    while (c->open && next_row(c)) {
        if (!is_blank_row(c) && check_cells(c)) return true;
    }
    c->cells.n = 0;
    return false;
}

/* ---- opening ---- */

static void skip_byte_order_mark(tt_csv *c)
{
    while (c->n < 3 && !c->eof) fill(c);
    if (c->n >= 3 && memcmp(c->buf, "\xEF\xBB\xBF", 3) == 0) c->at = 3;
}

static void read_header(tt_csv *c)
{
    while (next_row(c)) {
        if (is_blank_row(c)) continue;
        for (uint32_t i = 0; i < c->cells.n; i++) {
            tt_csv_text cell = tt_csv_cell(c, (int)i);
            tt_csv_text *name = tt_vec_push(&c->names);
            *name = (tt_csv_text){tt_arena_strndup(&c->arena, cell.at, cell.n), cell.n};
        }
        c->header_line = c->line;
        c->recovered = 0; /* rows given up before the header do not count */
        c->open = true;
        return;
    }
}

static tt_csv *new_csv(const char *path, const tt_csv_options *o, tt_problems *problems)
{
    const char *slash = strrchr(path, '/');
    tt_csv *c = tt_calloc(1, sizeof *c);
    if (o) c->ragged = o->ragged || o->no_header;
    c->separator = o && o->separator ? o->separator : ',';
    c->window = o && o->window ? o->window : WINDOW;
    c->row_most = o && o->row_most && o->row_most < ROW_MOST ? o->row_most : ROW_MOST;
    c->name = tt_arena_strndup(&c->arena, slash ? slash + 1 : path, strlen(slash ? slash + 1 : path));
    c->problems = problems;
    c->line = 1;
    return c;
}

static void begin(tt_csv *c, tt_source *source, bool no_header)
{
    c->source = source;
    skip_byte_order_mark(c);
    if (no_header) {
        if (c->at == c->n && !c->eof) fill(c); /* the window held only the mark */
        c->open = c->at < c->n;
    } else {
        read_header(c);
    }
    if (!c->open && !c->cancelled && !c->no_text) say_missing(c, "the file is empty");
}

tt_csv *tt_csv_open_source(tt_source *source, const char *path, const tt_csv_options *options, tt_problems *problems)
{
    tt_csv *c = new_csv(path, options, problems);
    begin(c, source, options && options->no_header);
    return c;
}

static tt_csv *csv_open_part(tt_input *in, uint32_t part, const tt_csv_options *options, tt_problems *problems)
{
    if (part >= tt_input_parts(in)) return new_csv("", options, problems);
    tt_csv *c = new_csv(tt_input_part_path(in, part), options, problems);
    tt_source *source = NULL;
    tt_err err = {0};
    tt_status st = tt_input_open_part(in, part, &source, &err);
    c->cancelled = st == TT_ERR_CANCELLED;
    if (st == TT_OK) begin(c, source, options && options->no_header);
    if (st != TT_OK && !c->cancelled) say_missing(c, reason(&err));
    return c;
}

tt_csv *tt_csv_open(tt_input *in, const char *role, const tt_csv_options *options, tt_problems *problems)
{
    return csv_open_part(in, tt_input_find(in, role, 0), options, problems);
}

void tt_csv_close(tt_csv *c)
{
    if (!c) return;
    free(c->buf);
    tt_vec_free(&c->cells);
    tt_vec_free(&c->names);
    tt_arena_free(&c->arena);
    free(c);
}

bool tt_csv_is_open(const tt_csv *c) { return c->open; }
uint64_t tt_csv_offset(const tt_csv *c) { return c->base + c->at; }
uint64_t tt_csv_line(const tt_csv *c) { return c->line; }
uint32_t tt_csv_cells(const tt_csv *c) { return (uint32_t)c->cells.n; }

/* tui/output/torch.c - the form of PyTorch's table: right-aligned columns with two blanks after each, rules of
 * dashes, times with three digits, shares with two, FLOPs in the unit of the smallest row. Every number comes from
 * the table. */
#include "tui/output/torch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/operators/columns.h"
#include "model/text/text_safety.h"

enum { MOST_COLUMNS = 20, USUAL_WIDTH = 12, NAME_MOST = 55, SHAPES_MOST = 80, SOURCE_MOST = 75 };

typedef enum form { NAME, SHARE, TIME, MEMORY, COUNT, SHAPES, SOURCE, WORK } form;

typedef enum when { ALWAYS, WITH_DEVICE_TIME, WITH_MEMORY, WITH_DEVICE_MEMORY, WITH_FLOPS, WITH_LISTS } when;

static const struct {
    const char *title;
    uint32_t column;
    form form;
    when when;
} known[] = {
    {"Name", TT_KEY_AVERAGES_NAME, NAME, ALWAYS},
    {"Self CPU %", TT_KEY_AVERAGES_CPU_SELF_PCT, SHARE, ALWAYS},
    {"Self CPU", TT_KEY_AVERAGES_CPU_SELF, TIME, ALWAYS},
    {"CPU total %", TT_KEY_AVERAGES_CPU_TOTAL_PCT, SHARE, ALWAYS},
    {"CPU total", TT_KEY_AVERAGES_CPU_TOTAL, TIME, ALWAYS},
    {"CPU time avg", TT_KEY_AVERAGES_CPU_MEAN, TIME, ALWAYS},
    {"Self CUDA", TT_KEY_AVERAGES_CUDA_SELF, TIME, WITH_DEVICE_TIME},
    {"Self CUDA %", TT_KEY_AVERAGES_CUDA_SELF_PCT, SHARE, WITH_DEVICE_TIME},
    {"CUDA total", TT_KEY_AVERAGES_CUDA_TOTAL, TIME, WITH_DEVICE_TIME},
    {"CUDA time avg", TT_KEY_AVERAGES_CUDA_MEAN, TIME, WITH_DEVICE_TIME},
    {"CPU Mem", TT_KEY_AVERAGES_CPU_MEMORY_BYTES, MEMORY, WITH_MEMORY},
    {"Self CPU Mem", TT_KEY_AVERAGES_CPU_MEMORY_SELF_BYTES, MEMORY, WITH_MEMORY},
    {"CUDA Mem", TT_KEY_AVERAGES_CUDA_MEMORY_BYTES, MEMORY, WITH_DEVICE_MEMORY},
    {"Self CUDA Mem", TT_KEY_AVERAGES_CUDA_MEMORY_SELF_BYTES, MEMORY, WITH_DEVICE_MEMORY},
    {"# of Calls", TT_KEY_AVERAGES_CALLS, COUNT, ALWAYS},
    {"Input Shapes", TT_KEY_AVERAGES_INPUT_SHAPES, SHAPES, WITH_LISTS},
    {"Source Location", TT_KEY_AVERAGES_STACK, SOURCE, WITH_LISTS},
    {"Total FLOPs", TT_KEY_AVERAGES_FLOPS, WORK, WITH_FLOPS},
};

typedef struct column {
    int at; /* index of the table's column */
    form form;
    char title[16];
    uint32_t width;
} column;

typedef struct print {
    FILE *f;
    const tt_section *s;
    tt_unit unit;
    column col[MOST_COLUMNS];
    uint32_t n;
    double flops_scale;
} print;

static tt_cell cell(const tt_section *s, uint32_t row, uint32_t col)
{
    return tt_table_cell(s->table, row, (uint32_t)tt_column_shown(s->table, col));
}

/* The word for devices ("CUDA", "NPU"), read from the titles of the table. */
static const char *device_word(const tt_section *s)
{
    static const char before[] = "Self ";
    const char *title = s->table->cols[tt_column_shown(s->table, TT_KEY_AVERAGES_CUDA_SELF)]->title;
    return strncmp(title, before, sizeof before - 1) == 0 ? title + sizeof before - 1 : title;
}

static void put_word(char *out, size_t cap, const char *title, const char *word)
{
    const char *at = strstr(title, "CUDA");
    if (at)
        snprintf(out, cap, "%.*s%s%s", (int)(at - title), title, word, at + strlen("CUDA"));
    else
        snprintf(out, cap, "%s", title);
}

/* The row is of the worker and span of the section; without a part all rows are. */
static bool own(const tt_section *s, uint32_t row)
{
    for (uint32_t c = 0; c < s->skip && s->n_rows; c++)
        if (strcmp(tt_table_cell(s->table, row, c).s, tt_table_cell(s->table, s->rows[0], c).s) != 0) return false;
    return true;
}

/* Some row has a number above 0 in the column; any: some row has a number other than 0. */
static bool some(const tt_section *s, uint32_t col, bool any)
{
    for (uint32_t r = 0; r < s->table->n_rows; r++) {
        int64_t v = cell(s, r, col).i;
        if (v != TT_UNKNOWN && (v > 0 || (any && v)) && own(s, r)) return true;
    }
    return false;
}

/* Some row of the column has a list: shapes or stacks were recorded. */
static bool some_list(const tt_section *s, uint32_t col)
{
    int c = tt_column_shown(s->table, col);
    for (uint32_t r = 0; c >= 0 && r < s->table->n_rows; r++) {
        const char *v = tt_table_cell(s->table, r, (uint32_t)c).s;
        if (v && *v && strcmp(v, "[]") != 0 && own(s, r)) return true;
    }
    return false;
}

static bool shown(const tt_section *s, when w, uint32_t col)
{
    switch (w) {
    case WITH_DEVICE_TIME: return some(s, TT_KEY_AVERAGES_CUDA_SELF, false);
    case WITH_MEMORY: return s->n_rows && cell(s, s->rows[0], TT_KEY_AVERAGES_CPU_MEMORY_BYTES).i != TT_UNKNOWN;
    case WITH_DEVICE_MEMORY: return some(s, TT_KEY_AVERAGES_CUDA_MEMORY_SELF_BYTES, true);
    case WITH_FLOPS: return some(s, TT_KEY_AVERAGES_FLOPS, false);
    case WITH_LISTS: return some_list(s, col);
    default: return true;
    }
}

static uint32_t length(const char *s)
{
    uint32_t n = 0;
    for (; *s; s++) n += (*s & 0xC0) != 0x80;
    return n;
}

/* Cut s behind its first n characters; returns its new end. */
static char *cut(char *s, uint32_t n)
{
    for (; *s; s++) {
        if ((*s & 0xC0) != 0x80 && !n--) break;
    }
    *s = '\0';
    return s;
}

static char *clean(const char *s)
{
    size_t n = s ? strlen(s) : 0, need = tt_sanitize_term(NULL, 0, s ? s : "", n);
    char *out = tt_malloc(need + 8); /* and "..." */
    tt_sanitize_term(out, need + 1, s ? s : "", n);
    return out;
}

static void format_time(char *out, size_t cap, int64_t ns, tt_unit unit)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {
        [TT_UNIT_NS] = {"ns", 1}, [TT_UNIT_US] = {"us", 1e3}, [TT_UNIT_MS] = {"ms", 1e6}, [TT_UNIT_S] = {"s", 1e9}};
    if (unit == TT_UNIT_AUTO) unit = ns >= 1000000000 ? TT_UNIT_S : ns >= 1000000 ? TT_UNIT_MS : TT_UNIT_US;
    snprintf(out, cap, "%.3f%s", (double)ns / units[unit].ns, units[unit].name);
}

static void format_memory(char *out, size_t cap, int64_t v)
{
    static const char *const names[] = {"KB", "MB", "GB"};
    double size = fabs((double)v), by = 1;
    int unit = -1;
    while (unit < 2 && size >= by * 1024) {
        by *= 1024;
        unit++;
    }
    if (unit < 0)
        snprintf(out, cap, "%" PRId64 " B", v);
    else
        snprintf(out, cap, "%.2f %s", (double)v / by, names[unit]);
}

/* Choose the unit of FLOPs by the smallest row that has FLOPs. */
static void scale_flops(print *p, column *c)
{
    static const char *const units[] = {"", "K", "M", "G", "T", "P"};
    int64_t least = INT64_MAX;
    for (uint32_t r = 0; r < p->s->table->n_rows; r++) {
        int64_t v = cell(p->s, r, TT_KEY_AVERAGES_FLOPS).i;
        if (v > 0 && v < least) least = v;
    }
    int unit = 0;
    p->flops_scale = 1;
    for (double v = (double)least; v >= 1000 && unit < 5; v /= 1000, unit++) p->flops_scale *= 1e-3;
    snprintf(c->title, sizeof c->title, "Total %sFLOPs", units[unit]);
}

static void lay_out(print *p)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!shown(p->s, known[i].when, known[i].column)) continue;
        column *c = &p->col[p->n++];
        *c = (column){.at = tt_column_shown(p->s->table, known[i].column), .form = known[i].form, .width = USUAL_WIDTH};
        put_word(c->title, sizeof c->title, known[i].title, device_word(p->s));
        if (c->form == WORK) scale_flops(p, c);
        if (c->form != NAME && c->form != SHAPES && c->form != SOURCE) continue;
        uint32_t most = c->form == NAME ? NAME_MOST : c->form == SHAPES ? SHAPES_MOST : SOURCE_MOST, longest = 0;
        for (uint32_t r = 0; r < p->s->table->n_rows; r++) {
            char *text = clean(tt_table_cell(p->s->table, r, (uint32_t)c->at).s), *end = strchr(text, ';');
            if (c->form == SOURCE && end) *end = '\0';
            if (length(text) > longest) longest = length(text);
            free(text);
        }
        c->width = longest + 4 < most ? longest + 4 : most;
    }
}

static void print_cell(print *p, const column *c, const char *text)
{
    uint32_t n = length(text), pad = n < c->width ? c->width - n : 0;
    if (c->form == SOURCE)
        fprintf(p->f, "%s%*s  ", text, (int)pad, "");
    else
        fprintf(p->f, "%*s%s  ", (int)pad, "", text);
}

static void put_rule(print *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        for (uint32_t k = 0; k < p->col[i].width; k++) fputc('-', p->f);
        fputs("  ", p->f);
    }
    fputc('\n', p->f);
}

static void put_text(print *p, const column *c, const char *value)
{
    char *text = clean(value);
    if (c->form == NAME && length(text) >= NAME_MOST - 3) memcpy(cut(text, NAME_MOST - 3), "...", 4);
    if (c->form == SHAPES) cut(text, c->width);
    print_cell(p, c, text);
    free(text);
}

/* Write a frame; a long one loses its beginning, since the end of a path says more. */
static void put_frame(print *p, const column *c, const char *frame, size_t n)
{
    char *all = tt_strndup(frame, n), *text = clean(all), *from = text;
    for (uint32_t over = length(text); over > c->width; over--) {
        from++;
        while ((*from & 0xC0) == 0x80) from++;
    }
    if (from == text) {
        print_cell(p, c, text);
    } else {
        char *kept = from;
        for (int i = 0; i < 3 && *kept; i++) {
            kept++;
            while ((*kept & 0xC0) == 0x80) kept++;
        }
        char *line = tt_malloc(strlen(kept) + 4);
        memcpy(line, "...", 3);
        memcpy(line + 3, kept, strlen(kept) + 1);
        print_cell(p, c, line);
        free(line);
    }
    free(text);
    free(all);
}

static void put_cell(print *p, const column *c, uint32_t row)
{
    tt_cell v = tt_table_cell(p->s->table, row, (uint32_t)c->at);
    char text[64];
    switch (c->form) {
    case NAME:
    case SHAPES: put_text(p, c, v.s); return;
    case SOURCE: put_frame(p, c, v.s ? v.s : "", v.s ? strcspn(v.s, ";") : 0); return;
    case SHARE:
        if (isnan(v.d))
            snprintf(text, sizeof text, "NaN");
        else
            snprintf(text, sizeof text, "%.2f%%", v.d);
        break;
    case TIME: format_time(text, sizeof text, v.i == TT_UNKNOWN ? 0 : v.i, p->unit); break;
    case MEMORY: format_memory(text, sizeof text, v.i == TT_UNKNOWN ? 0 : v.i); break;
    case WORK:
        if (v.i > 0)
            snprintf(text, sizeof text, "%8.3f", (double)v.i * p->flops_scale);
        else
            snprintf(text, sizeof text, "--");
        break;
    default: snprintf(text, sizeof text, "%" PRId64, v.i); break;
    }
    print_cell(p, c, text);
}

/* Write the further frames of a stack, a line each, then an empty line. */
static void put_frames(print *p, uint32_t row)
{
    uint32_t source = 0;
    while (source < p->n && p->col[source].form != SOURCE) source++;
    if (source == p->n) return;
    const char *at = tt_table_cell(p->s->table, row, (uint32_t)p->col[source].at).s;
    bool more = true;
    at = at ? strchr(at, ';') : NULL;
    while (more) {
        more = at != NULL;
        for (uint32_t i = 0; i < p->n; i++) {
            if (i == source && more)
                put_frame(p, &p->col[i], at + 1, strcspn(at + 1, ";"));
            else
                print_cell(p, &p->col[i], "");
        }
        fputc('\n', p->f);
        if (more) at = strchr(at + 1, ';');
    }
}

static void put_total(print *p, const char *title, uint32_t col, bool device_rows)
{
    int64_t sum = 0;
    char text[64];
    for (uint32_t r = 0; r < p->s->table->n_rows; r++) {
        int64_t v = cell(p->s, r, col).i;
        if ((!device_rows || !strcmp(cell(p->s, r, TT_KEY_AVERAGES_SIDE).s, "device")) && v != TT_UNKNOWN &&
            own(p->s, r))
            sum += v;
    }
    format_time(text, sizeof text, sum, p->unit);
    fprintf(p->f, "%s: %s\n", title, text);
}

bool tt_out_torch_has(const tt_table *t) { return !strcmp(t->desc->id, "key_averages"); }

bool tt_out_torch_fits(const tt_section *s)
{
    return tt_out_torch_has(s->table) && s->table->lead == s->skip && s->table->n_rows;
}

void tt_out_torch(FILE *f, const tt_section *s, tt_unit unit)
{
    print p = {.f = f, .s = s, .unit = unit};
    if (s->part) {
        char *part = clean(s->part);
        fprintf(f, "%s\n", part);
        free(part);
    }
    lay_out(&p);
    put_rule(&p);
    for (uint32_t i = 0; i < p.n; i++) print_cell(&p, &p.col[i], p.col[i].title);
    fputc('\n', f);
    put_rule(&p);
    for (uint32_t r = 0; r < s->n_rows; r++) {
        for (uint32_t i = 0; i < p.n; i++) put_cell(&p, &p.col[i], s->rows[r]);
        fputc('\n', f);
        put_frames(&p, s->rows[r]);
    }
    put_rule(&p);
    put_total(&p, "Self CPU time total", TT_KEY_AVERAGES_CPU_SELF, false);
    char total[40];
    put_word(total, sizeof total, "Self CUDA time total", device_word(s));
    if (some(s, TT_KEY_AVERAGES_CUDA_SELF, false)) put_total(&p, total, TT_KEY_AVERAGES_CUDA_SELF, true);
    if (s->n_found > s->n_rows) fprintf(f, "(%u of %u rows)\n", s->n_rows, s->n_found);
}

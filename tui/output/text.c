/* tui/output/text.c - tables for people: aligned columns, values with units. On a terminal the lines fit: texts are
 * shortened first, then the columns that matter least are left out (and named below the table). Elsewhere nothing is
 * shortened. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/registry/registry.h"
#include "model/text/text_safety.h"
#include "tui/output/compared.h"
#include "tui/output/first_lines.h"
#include "tui/output/section.h"
#include "tui/output/torch.h"
#include "tui/widgets/canvas.h"

/* How far texts shrink before columns are left out. Columns that are always shown tell rows apart. */
enum { GAP = 2, ROOMY_TEXT = 32, NARROW_TEXT = 16, LEAST_TEXT = 8, CUT_BYTES = 4096 };

typedef struct layout {
    const tt_section *s;
    const tt_document *d;
    bool *shown;     /* by column */
    uint32_t *width; /* by column, cells */
    char **titles;   /* by column, sanitised: titles of a query's columns come from the query */
    char **texts;    /* sanitised; [row * n_cols + col] */
    uint32_t n_cols;
    tt_digits *digits; /* by column, of the rows that are printed */
    int name_col;      /* the column that is indented by depth in a tree; -1 */
} layout;

static uint32_t cells_of(const char *s) { return (uint32_t)tt_text_width(s, strlen(s)); }

/* Show a tree in its own order with indented names, without path and depth. */
static void detect_tree(layout *l)
{
    const tt_table *t = l->s->table;
    int path = tt_path_column(t), depth = tt_depth_column(t);
    l->name_col = -1;
    if (l->s->sorted || !(t->desc->flags & TT_TABLE_TREE) || path < 0 || depth < 0) return;
    l->shown[path] = l->shown[depth] = false;
    l->name_col = (int)tt_name_column(t);
}

static char *cell_text(const layout *l, uint32_t row, uint32_t c)
{
    const tt_table *t = l->s->table;
    tt_cell v = tt_table_cell(t, row, c);
    if (t->cols[c]->type != TT_T_STRING) {
        char text[TT_TEXT_CAP];
        tt_format_cell(text, t->cols[c], v, l->d->unit, &l->digits[c]);
        return tt_strdup(l->d->ascii ? tt_format_ascii(text) : text);
    }
    char *name = tt_sanitize_term_new(tt_cell_output(t->cols[c], v));
    if ((int)c != l->name_col) return name;
    int64_t depth = tt_table_cell(t, row, (uint32_t)tt_depth_column(t)).i;
    size_t indent = depth > 0 ? 2 * (size_t)(depth < 64 ? depth : 64) : 0, n = strlen(name);
    char *out = tt_malloc(indent + n + 1);
    memset(out, ' ', indent);
    memcpy(out + indent, name, n + 1);
    free(name);
    return out;
}

static uint32_t line_width(const layout *l)
{
    uint32_t w = 0;
    for (uint32_t c = 0; c < l->n_cols; c++) {
        if (l->shown[c]) w += l->width[c] + (w ? GAP : 0);
    }
    return w;
}

static uint32_t least_width(const layout *l, uint32_t c, bool desperate)
{
    return desperate ? LEAST_TEXT : l->s->table->cols[c]->prio || c < l->s->table->lead ? NARROW_TEXT : ROOMY_TEXT;
}

/* Widest text column that can still shrink, -1. */
static int widest_text(const layout *l, bool desperate)
{
    int best = -1;
    for (uint32_t c = 0; c < l->n_cols; c++) {
        bool text = l->s->table->cols[c]->type == TT_T_STRING;
        if (!l->shown[c] || !text || l->width[c] <= least_width(l, c, desperate)) continue;
        if (best < 0 || l->width[c] > l->width[best]) best = (int)c;
    }
    return best;
}

static void measure_texts(layout *l)
{
    for (uint32_t c = 0; c < l->n_cols; c++) {
        l->width[c] = cells_of(l->titles[c]);
        for (uint32_t r = 0; r < l->s->n_rows; r++) {
            uint32_t n = cells_of(l->texts[(size_t)r * l->n_cols + c]);
            if (n > l->width[c]) l->width[c] = n;
        }
    }
}

static void fit(layout *l, uint32_t limit)
{
    for (bool desperate = false;;) {
        uint32_t w = line_width(l);
        if (w <= limit) return;
        int c = widest_text(l, desperate);
        if (c >= 0) {
            uint32_t over = w - limit, can = l->width[c] - least_width(l, (uint32_t)c, desperate);
            l->width[c] -= over < can ? over : can;
            continue;
        }
        if (desperate) return; /* only columns that must stay are left: the terminal wraps the lines */
        c = tt_section_least_column(l->s, l->shown);
        desperate = c < 0;
        if (desperate) continue;
        l->shown[c] = false;
        measure_texts(l); /* there is room again: texts grow back to their own width, then shrink anew */
    }
}

static void put_padded(FILE *f, const char *text, uint32_t width, bool left, bool last)
{
    uint32_t n = cells_of(text), pad = width > n ? width - n : 0;
    if (!left) fprintf(f, "%*s", (int)pad, "");
    fputs(text, f);
    if (left && !last) fprintf(f, "%*s", (int)pad, "");
}

static uint32_t last_shown(const layout *l)
{
    uint32_t last = 0;
    for (uint32_t c = 0; c < l->n_cols; c++) {
        if (l->shown[c]) last = c;
    }
    return last;
}

static void put_head(FILE *f, const layout *l)
{
    bool first = true;
    uint32_t last = last_shown(l);
    if (l->d->color) fputs("\033[36m", f);
    for (uint32_t c = 0; c < l->n_cols; c++) {
        if (!l->shown[c]) continue;
        if (!first) fprintf(f, "%*s", GAP, "");
        first = false;
        put_padded(f, l->titles[c], l->width[c], tt_type_left(l->s->table->cols[c]->type), c == last);
    }
    fputs(l->d->color ? "\033[0m\n" : "\n", f);
}

static void put_row(FILE *f, const layout *l, uint32_t r)
{
    char cut[CUT_BYTES];
    bool first = true;
    uint32_t last = last_shown(l);
    for (uint32_t c = 0; c < l->n_cols; c++) {
        if (!l->shown[c]) continue;
        if (!first) fprintf(f, "%*s", GAP, "");
        first = false;
        const char *text = l->texts[(size_t)r * l->n_cols + c];
        if (cells_of(text) > l->width[c]) {
            tt_cut how = strpbrk(text, "<(") ? TT_CUT_KERNEL : TT_CUT_MIDDLE;
            tt_text_cut(cut, sizeof cut, text, (int)l->width[c], how, l->d->ascii);
            text = cut;
        }
        bool dim = l->d->color && !strcmp(text, "0");
        if (dim) fputs("\033[2m", f);
        put_padded(f, text, l->width[c], tt_type_left(l->s->table->cols[c]->type), c == last);
        if (dim) fputs("\033[0m", f);
    }
    fputc('\n', f);
}

static void put_title(FILE *f, const layout *l)
{
    const tt_section *s = l->s;
    char *title = tt_sanitize_term_new(s->table->desc->title);
    fprintf(f, "%s%s%s", l->d->color ? "\033[1m" : "", title, l->d->color ? "\033[0m" : "");
    free(title);
    if (s->part) {
        char *part = tt_sanitize_term_new(s->part);
        fprintf(f, ", %s", part);
        free(part);
    }
    for (uint32_t i = 0; i < s->n_options; i++) {
        if (tt_section_option_default(s, i)) continue;
        char *value = tt_sanitize_term_new(s->options[i].value), key[TT_OPTION_NAME_CAP];
        fprintf(f, ", %s %s", tt_section_option_name(s, i, key), value);
        free(value);
    }
    fputc('\n', f);
}

static void put_foot(FILE *f, const layout *l, const bool *left_out)
{
    const tt_section *s = l->s;
    const char *dim = l->d->color ? "\033[2m" : "", *off = l->d->color ? "\033[0m" : "";
    if (!s->n_rows || s->table->note) {
        char *note = s->table->note ? tt_sanitize_term_new(s->table->note) : NULL;
        fprintf(f, "%s(%s)%s\n", dim, note ? note : "no rows", off);
        free(note);
    }
    if (s->n_rows && s->n_rows < s->n_found) {
        fprintf(f, "%s... %u more of %u rows; --limit 0 prints all%s\n", dim, s->n_found - s->n_rows, s->n_found, off);
    }
    if (s->remark) fprintf(f, "%s(%s)%s\n", dim, s->remark, off);
    uint32_t hidden = 0;
    for (uint32_t c = s->skip; c < l->n_cols; c++) hidden += !l->shown[c] && !left_out[c];
    if (hidden && s->n_rows) fprintf(f, "%s%u columns do not fit on this terminal%s\n", dim, hidden, off);
}

static void put_section(FILE *f, const tt_document *d, const tt_section *s)
{
    const tt_table *t = s->table;
    layout l = {.s = s, .d = d, .n_cols = t->n_cols};
    size_t n_texts = (size_t)s->n_rows * t->n_cols;
    l.shown = tt_calloc(t->n_cols, sizeof *l.shown);
    l.titles = tt_calloc(t->n_cols, sizeof *l.titles);
    for (uint32_t c = 0; c < t->n_cols; c++)
        l.titles[c] = tt_sanitize_term_new(tt_table_title(t, c, (char[TT_TITLE_CAP]){0}));
    l.width = tt_calloc(t->n_cols, sizeof *l.width);
    l.texts = tt_calloc(n_texts, sizeof *l.texts);
    l.digits = tt_calloc(t->n_cols, sizeof *l.digits);
    bool *left_out = tt_calloc(t->n_cols, sizeof *left_out); /* columns left out for other reasons than room */
    for (uint32_t c = 0; c < t->n_cols; c++) l.shown[c] = c >= s->skip;
    detect_tree(&l);
    tt_section_drop_noise(s, l.shown);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        left_out[c] = c >= s->skip && !l.shown[c];
        for (uint32_t r = 0; r < s->n_rows; r++)
            tt_digits_learn(&l.digits[c], t->cols[c]->type, tt_table_cell(t, s->rows[r], c));
        for (uint32_t r = 0; r < s->n_rows; r++) l.texts[(size_t)r * t->n_cols + c] = cell_text(&l, s->rows[r], c);
    }
    measure_texts(&l);
    if (d->width) fit(&l, d->width);
    put_title(f, &l);
    if (s->n_rows) put_head(f, &l);
    for (uint32_t r = 0; r < s->n_rows; r++) put_row(f, &l, r);
    put_foot(f, &l, left_out);
    for (size_t i = 0; i < n_texts; i++) free(l.texts[i]);
    for (uint32_t c = 0; c < t->n_cols; c++) free(l.titles[c]);
    free(l.titles);
    free(l.texts);
    free(l.digits);
    free(l.shown);
    free(l.width);
    free(left_out);
}

static void put_conditions(FILE *f, const tt_document *d)
{
    const tt_compared *compared = d->compared;
    if (compared->n_conditions) fprintf(f, "%sConditions\n", d->n_sections ? "\n" : "");
    for (uint32_t i = 0; i < compared->n_conditions; i++) {
        const tt_condition *c = &compared->conditions[i];
        char *text = tt_sanitize_term_new(c->text), *values = tt_condition_values(c, d->unit);
        fprintf(f, "%s  %s  (%s)\n", c->held ? "FAIL" : "ok  ", text, values);
        free(text);
        free(values);
    }
}

void tt_out_text(FILE *f, const tt_document *d)
{
    if (d->compared) {
        char *head = tt_compared_head(d);
        fprintf(f, "%s\n\n", head);
        free(head);
    }
    if (d->about_run)
        tt_first_lines(f, d->session, tt_table_get(d->session, tt_table_find("overview"), d->scope, NULL),
                       tt_table_get(d->session, tt_table_find("findings"), d->scope, NULL), d->color, d->ascii);
    for (uint32_t i = 0; i < d->n_sections; i++) {
        if (i || d->about_run) fputc('\n', f);
        if (!d->alike && tt_out_torch_fits(&d->sections[i]))
            tt_out_torch(f, &d->sections[i], d->unit);
        else
            put_section(f, d, &d->sections[i]);
    }
    if (d->compared) put_conditions(f, d);
}

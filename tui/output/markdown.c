/* tui/output/markdown.c - tables as GitHub-flavoured Markdown, for pull requests and notes. Values are formatted as in
 * the text format. Pipes, markup, HTML, and names of people and issues in texts of a trace stay text. */
#include <stdlib.h>
#include <string.h>

#include "model/text/strings.h"
#include "model/text/text_safety.h"
#include "tui/output/compared.h"
#include "tui/output/markdown_text.h"
#include "tui/output/section.h"

enum { MOST_COLUMNS = 12 };

/* The texts of a column by row, shortened unless different texts would become equal. Caller frees. */
static char **column_texts(const tt_section *s, uint32_t c)
{
    uint32_t n = s->n_rows;
    char **texts = tt_calloc(n, sizeof *texts), **cuts = tt_calloc(n, sizeof *cuts);
    uint32_t *id = tt_calloc(n, sizeof *id);                   /* id of the shortened text */
    uint32_t *first = tt_calloc(n + (size_t)1, sizeof *first); /* by id: row + 1 */
    bool *several =
        tt_calloc(n + (size_t)1, sizeof *several); /* by id: several texts are shortened to it, so they stay whole */
    tt_strings left;
    tt_strings_init(&left);
    for (uint32_t r = 0; r < n; r++) {
        texts[r] = tt_sanitize_term_new(tt_cell_output(s->table->cols[c], tt_table_cell(s->table, s->rows[r], c)));
        cuts[r] = tt_markdown_short(texts[r]);
        id[r] = tt_strings_put(&left, cuts[r], strlen(cuts[r]));
        if (!first[id[r]]) first[id[r]] = r + 1;
        several[id[r]] |= strcmp(texts[first[id[r]] - 1], texts[r]) != 0;
    }
    for (uint32_t r = 0; r < n; r++) {
        char *unused = several[id[r]] ? cuts[r] : texts[r];
        if (!several[id[r]]) texts[r] = cuts[r];
        free(unused);
    }
    tt_strings_free(&left);
    free(cuts);
    free(id);
    free(first);
    free(several);
    return texts;
}

/* Choose the columns with the best priorities; returns how many more columns have values. Columns of one priority stay
 * or go together: the lower end of an interval says nothing without the upper. */
static uint32_t choose_columns(const tt_section *s, bool *shown)
{
    const tt_table *t = s->table;
    uint32_t n = 0, dropped = 0;
    memset(shown, true, t->n_cols * sizeof *shown);
    tt_section_drop_noise(s, shown);
    for (uint32_t c = 0; c < t->n_cols; c++) n += shown[c];
    for (int least; n - dropped > MOST_COLUMNS && (least = tt_section_least_column(s, shown)) >= 0;) {
        uint8_t prio = t->cols[least]->prio;
        for (uint32_t c = 0; c < t->n_cols; c++) {
            if (!shown[c] || t->cols[c]->prio != prio) continue;
            shown[c] = false;
            dropped++;
        }
    }
    return dropped;
}

static void put_head(FILE *f, const tt_section *s, const bool *shown)
{
    const tt_table *t = s->table;
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (!shown[c]) continue;
        fputs("| ", f);
        tt_markdown_text(f, tt_table_title(t, c, (char[TT_TITLE_CAP]){0}));
        fputc(' ', f);
    }
    fputs("|\n", f);
    for (uint32_t c = 0; c < t->n_cols; c++)
        if (shown[c]) fputs(tt_type_left(t->cols[c]->type) ? "| --- " : "| ---: ", f);
    fputs("|\n", f);
}

static void put_rows(FILE *f, const tt_document *d, const tt_section *s, const bool *shown)
{
    const tt_table *t = s->table;
    char ***names =
        tt_calloc(t->n_cols, sizeof *names); /* texts by column; NULL: the column is left out, or holds numbers */
    for (uint32_t c = 0; c < t->n_cols; c++)
        if (shown[c] && t->cols[c]->type == TT_T_STRING) names[c] = column_texts(s, c);
    tt_digits *digits = tt_calloc(t->n_cols, sizeof *digits);
    for (uint32_t c = 0; c < t->n_cols; c++)
        for (uint32_t r = 0; r < s->n_rows; r++)
            tt_digits_learn(&digits[c], t->cols[c]->type, tt_table_cell(t, s->rows[r], c));
    for (uint32_t r = 0; r < s->n_rows; r++) {
        for (uint32_t c = 0; c < t->n_cols; c++) {
            char text[TT_TEXT_CAP];
            if (!shown[c]) continue;
            fputs("| ", f);
            tt_format_cell(text, t->cols[c], tt_table_cell(t, s->rows[r], c), d->unit, &digits[c]);
            tt_markdown_plain(f, names[c] ? names[c][r] : d->ascii ? tt_format_ascii(text) : text);
            fputc(' ', f);
        }
        fputs("|\n", f);
    }
    for (uint32_t c = 0; c < t->n_cols; c++) {
        for (uint32_t r = 0; names[c] && r < s->n_rows; r++) free(names[c][r]);
        free(names[c]);
    }
    free(names);
    free(digits);
}

static void put_section(FILE *f, const tt_document *d, const tt_section *s)
{
    fputs("### ", f);
    tt_markdown_text(f, s->table->desc->title);
    if (s->part) {
        fputs(", ", f);
        tt_markdown_text(f, s->part);
    }
    for (uint32_t i = 0; i < s->n_options; i++) {
        if (tt_section_option_default(s, i)) continue;
        char key[TT_OPTION_NAME_CAP];
        fprintf(f, ", %s ", tt_section_option_name(s, i, key));
        tt_markdown_text(f, s->options[i].value);
    }
    fputs("\n\n", f);
    bool *shown = tt_calloc(s->table->n_cols, sizeof *shown);
    uint32_t dropped = choose_columns(s, shown);
    if (s->n_rows) {
        put_head(f, s, shown);
        put_rows(f, d, s, shown);
    }
    free(shown);
    if (!s->n_rows || s->table->note) {
        fputs(s->n_rows ? "\n(" : "(", f);
        tt_markdown_text(f, s->table->note ? s->table->note : "no rows");
        fputs(")\n", f);
    }
    if (s->n_rows && s->n_rows < s->n_found)
        fprintf(f, "\n%u more of %u rows: `--limit 0`\n", s->n_found - s->n_rows, s->n_found);
    if (s->remark) fprintf(f, "\n(%s)\n", s->remark);
    if (s->n_rows && dropped) fprintf(f, "\n%u more columns: `--format csv` or `json`\n", dropped);
}

/* Write the head of a comparison: runs, verdict, conditions. */
static void put_compared(FILE *f, const tt_document *d)
{
    const tt_compared *compared = d->compared;
    char *verdict = tt_compared_verdict(d), *head = tt_compared_head(d);
    fputs("**", f);
    fputs(verdict, f);
    fputs("**\n\n", f);
    tt_markdown_plain(f, head);
    fputs("\n\n", f);
    free(verdict);
    free(head);
    for (uint32_t i = 0; i < compared->n_conditions; i++) {
        const tt_condition *c = &compared->conditions[i];
        char *values = tt_condition_values(c, d->unit);
        fputs(c->held ? "- **failed** " : "- passed ", f);
        tt_markdown_text(f, c->text);
        fputs(": ", f);
        fputs(values, f);
        fputs(i + 1 < compared->n_conditions ? "\n" : "\n\n", f);
        free(values);
    }
}

void tt_out_markdown(FILE *f, const tt_document *d)
{
    if (d->compared) put_compared(f, d);
    for (uint32_t i = 0; i < d->n_sections; i++) {
        if (i) fputc('\n', f);
        put_section(f, d, &d->sections[i]);
    }
}

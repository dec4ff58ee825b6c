/* tui/app/dump/digest.c - see digest.h. What it says comes from tables, by the keys of their columns. */
#include "tui/app/dump/digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/devices/columns.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/overview/columns.h"
#include "model/tables/steps/columns.h"
#include "model/tables/table.h"
#include "model/tables/verdict/alike.h"
#include "model/text/text_safety.h"
#include "tui/output/first_lines.h"
#include "tui/output/markdown_text.h"
#include "tui/screen/table_fetch.h"
#include "tui/screens/overview/run_facts.h"
#include "tui/widgets/format_value.h"

enum { MOST_FINDINGS = 8, MOST_KERNELS = 10 };

typedef struct digest {
    FILE *f;
    tt_session *s;
    const tt_scope *scope;
} digest;

/* A value as text, with the digits of its column (NULL = it stands alone); "" if it is unknown. */
static const char *value(char out[TT_TEXT_CAP], const tt_table *t, uint32_t row, uint32_t column,
                         const tt_digits *digits)
{
    int c = tt_column_shown(t, column);
    *out = 0;
    if (c < 0 || tt_cell_unknown(t->cols[c]->type, tt_table_cell(t, row, (uint32_t)c))) return out;
    return tt_format_cell(out, t->cols[c], tt_table_cell(t, row, (uint32_t)c), TT_UNIT_AUTO, digits);
}

/* What a column's digits are learnt from. */
static void learn(tt_digits *digits, const tt_table *t, uint32_t row, uint32_t column)
{
    int c = tt_column_shown(t, column);
    if (c >= 0) tt_digits_learn(digits, t->cols[c]->type, tt_table_cell(t, row, (uint32_t)c));
}

/* ---- the head ---- */

/* Write "2 x NVIDIA H100 80GB HBM3", and other devices if there are any. */
static void put_devices(const digest *d)
{
    const tt_table *t = tt_table_of(d->s, d->scope, "devices");
    for (uint32_t i = 0, said = 0; t && i < t->n_rows; i++) {
        const char *name = tt_cell_s(t, i, TT_DEVICES_NAME);
        uint32_t n = 0;
        bool before = false;
        for (uint32_t k = 0; k < t->n_rows; k++) {
            bool same = *name && !strcmp(name, tt_cell_s(t, k, TT_DEVICES_NAME));
            n += same;
            before = before || (same && k < i);
        }
        if (before || !n || said++ >= 4) continue;
        fputs(", ", d->f);
        if (n > 1) fprintf(d->f, "%" PRIu32 " &times; ", n);
        tt_markdown_text(d->f, name);
    }
}

/* Steps of the first worker that has some: how many, their average, the slowest. */
static void put_steps(const digest *d)
{
    const tt_table *t = tt_table_of(d->s, d->scope, "step_breakdown");
    int step = t ? tt_column_shown(t, TT_STEP_BREAKDOWN_STEP) : -1,
        total = t ? tt_column_shown(t, TT_STEP_BREAKDOWN_TOTAL) : -1;
    uint32_t n = 0, slowest = 0;
    int64_t sum = 0, most = -1;
    if (step < 0 || total < 0) return;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        if (i && strcmp(tt_cell_worker(t, i), tt_cell_worker(t, 0)) != 0) continue;
        int64_t ns = tt_table_cell(t, i, (uint32_t)total).i;
        sum += ns;
        n++;
        if (ns > most) most = ns, slowest = i;
    }
    if (n < 2) return;
    char average[TT_TEXT_CAP], worst[TT_TEXT_CAP];
    tt_format_duration(average, sum / n, TT_UNIT_AUTO);
    tt_format_duration(worst, most, TT_UNIT_AUTO);
    fprintf(d->f, ", %" PRIu32 " steps of %s on average, slowest step ", n, average);
    tt_markdown_text(d->f, tt_cell_s(t, slowest, TT_STEP_BREAKDOWN_STEP));
    fprintf(d->f, " with %s", worst);
}

static void put_head(const digest *d, const char *source)
{
    const tt_table *run = tt_table_of(d->s, d->scope, "run");
    const char *slash = source;
    for (const char *p = source; *p; p++)
        if (*p == '/' && p[1]) slash = p + 1;
    fputs("### ", d->f);
    tt_markdown_text(d->f, slash);
    fputs("\n\n**", d->f);
    tt_markdown_text(d->f, tt_first_line(tt_table_of(d->s, d->scope, "overview")));
    fputs("**\n\n", d->f);
    tt_markdown_text(d->f, tt_run_value(run, "framework"));
    put_devices(d);
    if (d->s->n_workers > 1) fprintf(d->f, ", %" PRIu32 " workers", d->s->n_workers);
    put_steps(d);
    fputs("\n", d->f);
}

/* ---- where the time goes ---- */

static void put_account(const digest *d)
{
    tt_first_account(d->f, d->s, tt_table_of(d->s, d->scope, "overview"), false, "\n```text\n", "```\n");
}

/* ---- findings ---- */

static void put_findings(const digest *d)
{
    const tt_table *t = tt_table_of(d->s, d->scope, "findings");
    uint32_t roots = 0, more = 0, root = 0;
    if (!t || !t->n_rows) return;
    uint32_t *on = tt_findings_alike(t);
    fputs("\n#### Findings\n\n", d->f);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        char saving[TT_TEXT_CAP];
        bool symptom = *tt_cell_s(t, i, TT_FINDING_CAUSE) != 0;
        if (!symptom) root = i, roots += on[i] > 0;
        if (!on[root]) continue;
        if (roots > MOST_FINDINGS) {
            more++;
            continue;
        }
        if (symptom && roots) {
            fputs("   - with it: ", d->f);
            tt_markdown_text(d->f, tt_cell_s(t, i, TT_FINDING_TITLE));
            fputs("\n", d->f);
            continue;
        }
        fprintf(d->f, "%" PRIu32 ". **", roots);
        tt_markdown_text(d->f, tt_cell_s(t, i, TT_FINDING_TITLE));
        fputs("**", d->f);
        if (*value(saving, t, i, TT_FINDING_SAVING, NULL)) fprintf(d->f, ", up to %s", saving);
        if (on[i] > 1) fprintf(d->f, ", on %" PRIu32 " ranks", on[i]);
        if (on[i] == 1 && *tt_cell_worker(t, i) && d->s->n_workers > 1) {
            fputs(", ", d->f);
            tt_markdown_text(d->f, tt_cell_worker(t, i));
        }
        fputs("\n", d->f);
        if (!*tt_cell_s(t, i, TT_FINDING_DETAIL)) continue;
        fputs("   - fix: ", d->f);
        tt_markdown_text(d->f, tt_cell_s(t, i, TT_FINDING_DETAIL));
        fputs("\n", d->f);
    }
    if (more) fprintf(d->f, "\n%" PRIu32 " more findings\n", more);
    free(on);
}

/* ---- kernels ---- */

static void put_kernels(const digest *d)
{
    static const struct {
        uint32_t column;
        const char *title;
    } columns[] = {{TT_KERNELS_CALLS, "Calls"},
                   {TT_KERNELS_TOTAL, "Total"},
                   {TT_KERNELS_MEAN, "Mean"},
                   {TT_KERNELS_RATIO_PCT, "%"}};
    const tt_table *t = tt_table_of(d->s, d->scope, "kernels");
    tt_row_order rows;
    tt_err err;
    if (!t || !t->n_rows) return;
    tt_row_order_spec spec = tt_row_order_default(t);
    if (tt_row_order_make(t, &spec, &rows, &err) != TT_OK) return;
    bool worker = tt_has_worker(t);
    tt_digits digits[sizeof columns / sizeof *columns] = {{.top = 0}};
    for (uint32_t i = 0; i < rows.n && i < MOST_KERNELS; i++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            learn(&digits[c], t, rows.rows[i], columns[c].column);
    fprintf(d->f, "\n#### Top kernels by total time\n\n%s| Kernel ", worker ? "| Worker " : "");
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) fprintf(d->f, "| %s ", columns[c].title);
    fprintf(d->f, "|\n%s| --- | ---: | ---: | ---: | ---: |\n", worker ? "| --- " : "");
    for (uint32_t i = 0; i < rows.n && i < MOST_KERNELS; i++) {
        char *clean = tt_sanitize_term_new(tt_cell_s(t, rows.rows[i], TT_KERNELS_NAME)),
             *name = tt_markdown_short(clean);
        fputs("| ", d->f);
        if (worker) {
            tt_markdown_text(d->f, tt_cell_worker(t, rows.rows[i]));
            fputs(" | ", d->f);
        }
        tt_markdown_plain(d->f, name);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            char cell[TT_TEXT_CAP];
            fprintf(d->f, " | %s", value(cell, t, rows.rows[i], columns[c].column, &digits[c]));
        }
        fputs(" |\n", d->f);
        free(clean);
        free(name);
    }
    if (rows.n > MOST_KERNELS) fprintf(d->f, "\n%" PRIu32 " more kernels\n", rows.n - MOST_KERNELS);
    tt_row_order_free(&rows);
}

/* ---- environment ---- */

static void put_environment(const digest *d)
{
    tt_run_fact facts[TT_RUN_FACTS];
    const tt_table *run = tt_table_of(d->s, d->scope, "run");
    if (!run) return;
    int n = tt_run_facts(d->s, run, tt_table_of(d->s, d->scope, "devices"), facts);
    fputs("\n<details><summary>Environment</summary>\n\n| | |\n| --- | --- |\n", d->f);
    for (int i = 0; i < n; i++) {
        fprintf(d->f, "| %s | ", facts[i].label);
        tt_markdown_text(d->f, facts[i].text);
        fputs(" |\n", d->f);
    }
    fputs("| tracetty | " TT_VERSION " |\n\n</details>\n", d->f);
}

void tt_out_digest(FILE *f, tt_session *s, const tt_scope *scope, const char *source)
{
    digest d = {f, s, scope};
    put_head(&d, source);
    put_account(&d);
    put_findings(&d);
    put_kernels(&d);
    put_environment(&d);
}

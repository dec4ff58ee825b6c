/* tui/output/first_lines.c - see first_lines.h. */
#include "tui/output/first_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/hang/hang.h"
#include "model/tables/cells.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/verdict/alike.h"
#include "model/tables/verdict/columns.h"
#include "model/tables/verdict/parts.h"
#include "model/text/text_safety.h"
#include "tui/widgets/account_bar.h"
#include "tui/widgets/cause_style.h"
#include "tui/widgets/format_value.h"

enum { MOST_WORKERS = 6, MOST_FINDINGS = 8, BAR = 100 };

static bool is(const tt_table *t, uint32_t row, const char *what)
{
    return !strcmp(tt_cell_s(t, row, TT_OVERVIEW_WHAT), what);
}

static void put_safe(FILE *f, const char *text)
{
    char *safe = tt_sanitize_term_new(text);
    fputs(safe, f);
    free(safe);
}

const char *tt_first_line(const tt_table *t)
{
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (is(t, r, "verdict")) return tt_cell_s(t, r, TT_OVERVIEW_TEXT);
    return "";
}

/* "rank 3: 6 steps, 1.066 s": the row `window`. */
static void put_window(FILE *f, const tt_session *s, const tt_table *t, uint32_t row, bool ascii)
{
    char buf[32], ns[TT_TEXT_CAP];
    const char *worker = tt_cell_worker(t, row);
    int64_t steps = tt_cell_i(t, row, TT_OVERVIEW_COUNT);
    int64_t length = tt_cell_i(t, row, TT_OVERVIEW_TIME);
    if (*worker) {
        put_safe(f, tt_rank_name(s, worker, buf));
        fputs(": ", f);
    }
    if (is(t, row, "window") && !strcmp(tt_cell_s(t, row, TT_OVERVIEW_NAME), "steps") && steps != TT_UNKNOWN)
        fputs(tt_format_counted(ns, steps, "step"), f);
    else
        fprintf(f, "the %s", tt_cell_s(t, row, TT_OVERVIEW_NAME));
    if (length == TT_UNKNOWN) return;
    tt_format_duration(ns, length, TT_UNIT_AUTO);
    fprintf(f, ", %s", ascii ? tt_format_ascii(ns) : ns);
}

/* Write the bar as letters, which stand for its colours: "CCCCCCCIIIO". */
static void put_bar(FILE *f, const int64_t ns[TT_ACCOUNT_PARTS])
{
    int64_t whole = 0;
    double at = 0;
    for (int p = 0; p < TT_ACCOUNT_PARTS; p++) whole += ns[p];
    for (int p = 0; p < TT_ACCOUNT_PARTS && whole > 0; p++) {
        int from = (int)(at * BAR / (double)whole + 0.5), to = (int)((at + (double)ns[p]) * BAR / (double)whole + 0.5);
        int letter = toupper((unsigned char)tt_cause_letter(tt_account_category((tt_account_part)p)));
        at += (double)ns[p];
        for (int i = from; i < to; i++) fputc(letter, f);
    }
    fputc('\n', f);
}

/* Write the rows of one worker and span, which begin with its row `window`; returns the row behind them. */
static uint32_t put_account(FILE *f, const tt_session *s, const tt_table *t, uint32_t window, bool ascii)
{
    int64_t ns[TT_ACCOUNT_PARTS] = {0};
    uint32_t r = window + 1, n = 0;
    put_window(f, s, t, window, ascii);
    for (; r < t->n_rows && !is(t, r, "window"); r++) {
        char device[TT_TITLE_CAP];
        if (is(t, r, "device"))
            fprintf(f, "   %s %.1f%% busy", tt_device_shown(tt_cell_s(t, r, TT_OVERVIEW_DEVICE), device),
                    tt_cell_d(t, r, TT_OVERVIEW_PCT));
        tt_account_part p = is(t, r, "part") ? tt_account_part_of(tt_cell_s(t, r, TT_OVERVIEW_NAME)) : TT_ACCOUNT_PARTS;
        if (p < TT_ACCOUNT_PARTS) ns[p] = tt_cell_i(t, r, TT_OVERVIEW_TIME);
    }
    fputc('\n', f);
    put_bar(f, ns);
    for (uint32_t k = window + 1; k < r; k++) {
        double pct = tt_cell_d(t, k, TT_OVERVIEW_PCT);
        if (!is(t, k, "part") || pct < 0.05) continue;
        const char *name = tt_cell_s(t, k, TT_OVERVIEW_NAME);
        int letter = toupper((unsigned char)tt_cause_letter(tt_account_category(tt_account_part_of(name))));
        fprintf(f, "%s%c %s %.1f%%", n++ ? "   " : "", letter, name, pct);
    }
    if (n) fputc('\n', f);
    return r;
}

/* A trace with nothing but memory events has no time to account for. */
static bool has_account(const tt_table *t, uint32_t row)
{
    return is(t, row, "window") && tt_cell_i(t, row, TT_OVERVIEW_TIME) != 0;
}

void tt_first_account(FILE *f, const tt_session *s, const tt_table *t, bool ascii, const char *before,
                      const char *after)
{
    uint32_t n = 0, more = 0;
    for (uint32_t r = 0; r < t->n_rows;) {
        if (!has_account(t, r) || n == MOST_WORKERS) {
            more += has_account(t, r);
            r++;
            continue;
        }
        if (!n++) fputs(before, f);
        r = put_account(f, s, t, r, ascii);
    }
    if (more) fprintf(f, "%u more: table overview\n", more);
    if (n) fputs(after, f);
}

static void put_finding(FILE *f, const tt_table *t, uint32_t row, uint32_t workers, bool ascii)
{
    bool symptom = *tt_cell_s(t, row, TT_FINDING_CAUSE);
    char ns[TT_TEXT_CAP];
    int64_t saving = tt_cell_i(t, row, TT_FINDING_SAVING);
    fprintf(f, "%-8s%s", symptom ? "" : tt_cell_s(t, row, TT_FINDING_SEVERITY), symptom ? "  with it: " : "");
    put_safe(f, tt_cell_s(t, row, TT_FINDING_TITLE));
    if (saving > 0) {
        tt_format_duration(ns, saving, TT_UNIT_AUTO);
        fprintf(f, "; saves up to %s", ascii ? tt_format_ascii(ns) : ns);
    }
    if (workers > 1) fprintf(f, "; on %u ranks", workers);
    fputc('\n', f);
    if (symptom || !*tt_cell_s(t, row, TT_FINDING_DETAIL)) return;
    fputs("        fix: ", f);
    put_safe(f, tt_cell_s(t, row, TT_FINDING_DETAIL));
    fputc('\n', f);
}

/* What to do about the worst fault of a hang. */
static void put_advice(FILE *f, const tt_hang *h)
{
    tt_arena a = {0};
    const char *next = h->n_faults ? tt_hang_advice(h, &h->faults[0], &a) : NULL;
    if (next) {
        fputs("next: ", f);
        put_safe(f, next);
        fputc('\n', f);
    }
    tt_arena_free(&a);
}

void tt_first_lines(FILE *f, const tt_session *s, const tt_table *overview, const tt_table *findings, bool color,
                    bool ascii)
{
    if (color) fputs("\033[1m", f);
    put_safe(f, tt_first_line(overview));
    fputs(color ? "\033[0m\n" : "\n", f);
    const tt_hang *h = tt_hang_get(s);
    if (h) put_advice(f, h);
    if (h && !tt_hang_of_recordings(h)) return; /* the faults follow as a table */
    tt_first_account(f, s, overview, ascii, "\n", "");
    if (findings->n_rows) fprintf(f, "\n%sFindings%s\n", color ? "\033[1m" : "", color ? "\033[0m" : "");
    uint32_t roots = 0, more = 0, *on = tt_findings_alike(findings);
    for (uint32_t r = 0, root = 0; r < findings->n_rows; r++) { /* symptoms stand behind their root */
        bool symptom = *tt_cell_s(findings, r, TT_FINDING_CAUSE);
        if (!symptom) root = r, roots += on[r] > 0;
        if (roots <= MOST_FINDINGS && on[root])
            put_finding(f, findings, r, symptom ? 1 : on[r], ascii);
        else
            more += !symptom && on[r];
    }
    if (more) fprintf(f, "... %u more: table findings\n", more);
    free(on);
}

/* tui/output/compared.c - two runs in one line: their files, the workers that match, the verdict on the step. */
#include "tui/output/compared.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/compare/columns.h"
#include "model/text/engine_step.h"
#include "model/text/text_safety.h"

enum { WORKERS_NAMED = 4 };

static void put_clean(FILE *f, const char *s)
{
    char *out = tt_sanitize_term_new(s);
    fputs(out, f);
    free(out);
}

static void put_side(FILE *f, const char *side, const char *path, uint32_t steps, uint32_t phases)
{
    char counted[TT_TEXT_CAP], what[32] = "step";
    for (int p = 0; p < TT_PHASE_COUNT_; p++)
        if (phases == 1u << p) snprintf(what, sizeof what, "%s step", tt_phase_word((tt_phase)p));
    fprintf(f, "%s ", side);
    put_clean(f, path);
    fprintf(f, " (%s)", steps ? tt_format_counted(counted, steps, what) : "no steps");
}

char *tt_compared_head(const tt_document *d)
{
    const tt_matching *m = d->compared->matching;
    char *text = NULL, counted[TT_TEXT_CAP];
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) return tt_strdup("");
    put_side(f, "BASE", d->compared->base_path, m->n_samples[TT_BASE], m->scope[TT_BASE].phases);
    fputs(", ", f);
    put_side(f, "NEW", d->n_paths ? d->paths[0] : "", m->n_samples[TT_NEW], m->scope[TT_NEW].phases);
    fprintf(f, "; %s; %s", m->per_step ? "per step" : "totals of the runs",
            tt_format_counted(counted, (int64_t)m->workers.n, "worker"));
    for (size_t i = 0; i < m->workers.n && m->workers.n <= WORKERS_NAMED; i++) {
        const tt_matched_worker *w = &m->workers.at[i];
        fputs(i ? ", " : ": ", f);
        put_clean(f, w->name[TT_BASE]);
        if (!strcmp(w->name[TT_BASE], w->name[TT_NEW])) continue;
        fputs(" = ", f);
        put_clean(f, w->name[TT_NEW]);
    }
    fclose(f);
    return text;
}

typedef struct change {
    tt_type type;
    tt_cell base, now, delta, pct;
    const char *verdict; /* "" or NULL: no verdict */
} change;

static char *change_text(const char *what, const change *c, tt_unit unit, const char *doubt)
{
    char base[TT_TEXT_CAP], now[TT_TEXT_CAP], delta[TT_TEXT_CAP], pct[TT_TEXT_CAP] = "", *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) return tt_strdup("");
    fprintf(f, "%s%s -> %s, %s", what, tt_format_typed(base, c->type, c->base, unit, false),
            tt_format_typed(now, c->type, c->now, unit, false), tt_format_typed(delta, c->type, c->delta, unit, true));
    if (!tt_cell_unknown(TT_T_PERCENT, c->pct))
        fprintf(f, " (%s)", tt_format_typed(pct, TT_T_PERCENT, c->pct, unit, true));
    if (c->verdict && *c->verdict) fprintf(f, ", %s", c->verdict);
    fputs(doubt, f);
    fclose(f);
    return text;
}

char *tt_compared_verdict(const tt_document *d)
{
    const tt_table *t = d->compared->summary;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *metric = tt_cell_s(t, r, TT_DIFF_SUMMARY_METRIC);
        change c = {.type = TT_T_DURATION};
        c.base.i = tt_cell_i(t, r, TT_DIFF_SUMMARY_BASE);
        c.now.i = tt_cell_i(t, r, TT_DIFF_SUMMARY_NEW);
        c.delta.i = tt_cell_i(t, r, TT_DIFF_SUMMARY_DELTA);
        c.pct.d = tt_cell_d(t, r, TT_DIFF_SUMMARY_DELTA_PCT);
        c.verdict = tt_cell_s(t, r, TT_DIFF_SUMMARY_VERDICT);
        if (!strcmp(metric, "step") && !tt_cell_unknown(c.type, c.delta)) return change_text("step ", &c, d->unit, "");
    }
    return tt_strdup("the time of the steps cannot be compared");
}

char *tt_condition_values(const tt_condition *c, tt_unit unit)
{
    if (c->delta == TT_UNKNOWN) return tt_strdup("one run has no value");
    change v = {.type = c->type,
                .base.i = c->base,
                .now.i = c->now,
                .delta.i = c->delta,
                .pct.d = c->delta_pct,
                .verdict = c->verdict};
    bool noisy = c->about != TT_CONDITION_FINDINGS && !c->noise_known;
    return change_text("", &v, unit, noisy ? "; noise is unknown" : "");
}

/* model/build/passes/step_names.c - tells steps from other ranges by their names.
 *
 * Readers know categories, not steps: an annotation or operator named ProfilerStep#7 is a profiler step, and an
 * annotation with the name of an engine's step is an engine step. Each name is looked at once. */
#include <stdlib.h>

#include "model/build/passes/finish_internal.h"
#include "model/text/engine_step.h"

enum { NO_STEP, PROFILER_STEP, ENGINE_STEP };

static tt_kind kind_of_step(uint8_t role, tt_kind kind)
{
    bool range = kind == TT_KIND_ANNOTATION;
    if (role == PROFILER_STEP && (range || kind == TT_KIND_CPU_OP)) return TT_KIND_STEP;
    return role == ENGINE_STEP && range ? TT_KIND_ENGINE_STEP : kind;
}

void tt_finish_step_categories(tt_finish *fin)
{
    tt_trace *s = fin->s;
    bool found[ENGINE_STEP + 1] = {false};
    fin->steps.role = tt_calloc(s->strings.text.n, sizeof *fin->steps.role);
    for (tt_sid i = 0; i < s->strings.text.n; i++) {
        const char *name = s->strings.text.at[i];
        size_t len = s->strings.len.at[i];
        uint8_t role = tt_names_profiler_step(name, len)      ? PROFILER_STEP
                       : tt_engine_step_read(name, len, NULL) ? ENGINE_STEP
                                                              : NO_STEP;
        fin->steps.role[i] = role;
        found[role] = true;
    }
    for (uint32_t i = 0, n = s->n_cats; i < n; i++) {
        for (unsigned role = PROFILER_STEP; role <= ENGINE_STEP; role++) {
            tt_kind kind = kind_of_step(role, s->cats[i].kind);
            if (!found[role] || kind == s->cats[i].kind || s->n_cats >= 254) continue;
            s->kind_of[s->n_cats] = (uint8_t)kind;
            s->cats[s->n_cats++] = (tt_category){.name = s->cats[i].name, .kind = kind};
            fin->steps.any = true;
        }
    }
}

void tt_finish_step_lookup(tt_finish *fin)
{
    const tt_trace *s = fin->s;
    for (unsigned role = NO_STEP; role <= ENGINE_STEP; role++) {
        for (uint32_t i = 0; i < s->n_cats; i++) {
            tt_kind kind = kind_of_step(role, s->cats[i].kind);
            fin->steps.cat[role][i] = (uint8_t)i;
            for (uint32_t k = 0; k < s->n_cats; k++)
                if (s->cats[k].kind == kind && s->cats[k].name == s->cats[i].name) fin->steps.cat[role][i] = (uint8_t)k;
        }
    }
}

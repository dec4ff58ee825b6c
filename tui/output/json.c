/* tui/output/json.c - the JSON document of `summary` and `diff`: source, problems, tables; one row a line. */
#include <string.h>

#include "model/text/engine_step.h"
#include "parser/json/write.h"
#include "tui/output/writers.h"

static const struct {
    const char *name, *unit;
} types[] = {
    [TT_T_STRING] = {"string", ""},       [TT_T_COUNT] = {"count", ""},   [TT_T_BOOL] = {"bool", ""},
    [TT_T_DURATION] = {"duration", "ns"}, [TT_T_TIME] = {"time", "ns"},   [TT_T_BYTES] = {"bytes", "bytes"},
    [TT_T_PERCENT] = {"percent", "%"},    [TT_T_NUMBER] = {"number", ""},
};

const char *tt_type_name(tt_type t) { return types[t].name; }
const char *tt_type_unit(tt_type t) { return types[t].unit; }

static void put_cell(tt_json *j, tt_type type, tt_cell c)
{
    if (tt_cell_unknown(type, c)) {
        tt_json_null(j);
        return;
    }
    switch (type) {
    case TT_T_STRING: tt_json_text(j, c.s); break;
    case TT_T_BOOL: tt_json_bool(j, c.i != 0); break;
    case TT_T_PERCENT:
    case TT_T_NUMBER: tt_json_double(j, c.d); break;
    default: tt_json_int(j, c.i);
    }
}

static void put_list(tt_json *j, const char *key, const char *const *texts, uint32_t n)
{
    tt_json_key(j, key);
    tt_json_open(j, '[', true);
    for (uint32_t i = 0; i < n; i++) tt_json_text(j, texts[i]);
    tt_json_close(j, ']');
}

/* Write one input. Inputs of two runs have the number of steps that are compared; -1: left out. */
static void put_source(tt_json *j, const char *key, const tt_session *s, const char *const *paths, uint32_t n_paths,
                       int64_t steps)
{
    tt_json_key(j, key);
    tt_json_open(j, '{', false);
    put_list(j, "paths", paths, n_paths);
    tt_json_key_text(j, "format", tt_session_format(s));
    tt_json_key_int(j, "events", (int64_t)tt_session_events(s));
    tt_json_key_int(j, "slices", (int64_t)tt_session_slices(s));
    put_list(j, "workers", (const char *const *)s->workers, s->n_workers);
    put_list(j, "spans", (const char *const *)s->spans, s->n_spans);
    if (steps >= 0) tt_json_key_int(j, "steps", steps);
    tt_json_close(j, '}');
}

static void put_sources(tt_json *j, const tt_document *d)
{
    const tt_compared *c = d->compared;
    if (!c) {
        put_source(j, "source", d->session, d->paths, d->n_paths, -1);
        return;
    }
    const tt_matching *m = c->matching;
    uint32_t base = m->n_samples[TT_BASE], now = m->n_samples[TT_NEW];
    put_source(j, "base", c->base, &c->base_path, 1, base);
    put_source(j, "new", d->session, d->paths, d->n_paths, now);
    tt_json_key(j, "matched");
    tt_json_open(j, '{', false);
    tt_json_key_text(j, "per", m->per_step ? "step" : "run");
    tt_json_key_int(j, "steps", !m->per_step ? 0 : base < now ? base : now);
    for (int p = 0; p < TT_PHASE_COUNT_; p++)
        if (m->scope[TT_BASE].phases == 1u << p) tt_json_key_text(j, "phase", tt_phase_word((tt_phase)p));
    tt_json_key(j, "workers");
    tt_json_open(j, '[', true);
    for (size_t i = 0; i < m->workers.n; i++) {
        tt_json_open(j, '[', true);
        for (int side = 0; side < TT_SIDES; side++) tt_json_text(j, m->workers.at[i].name[side]);
        tt_json_close(j, ']');
    }
    tt_json_close(j, ']');
    tt_json_close(j, '}');
}

/* side: "base" or "new", NULL when there is one input. offset -1 = none. */
static void put_problem(tt_json *j, const char *side, const char *kind, uint64_t count, int64_t offset,
                        const char *example)
{
    tt_json_open(j, '{', true);
    if (side) tt_json_key_text(j, "side", side);
    tt_json_key_text(j, "kind", kind);
    tt_json_key_int(j, "count", (int64_t)count);
    tt_json_key(j, "offset");
    if (offset < 0) {
        tt_json_null(j);
    } else {
        tt_json_int(j, offset);
    }
    tt_json_key_text(j, "example", example);
    tt_json_close(j, '}');
}

static void put_problems_of(tt_json *j, const tt_session *s, const char *side)
{
    tt_problems all = {0};
    for (uint32_t i = 0; i < s->n_traces; i++) tt_problems_merge(&all, &s->traces[i]->problems);
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &all.of[k];
        if (p->count) put_problem(j, side, tt_problem_key[k], p->count, p->offset, p->example[0] ? p->example : NULL);
    }
}

static void put_problems(tt_json *j, const tt_document *d)
{
    static const char *const sides[] = {"base", "new"};
    const tt_compared *c = d->compared;
    tt_json_key(j, "problems");
    tt_json_open(j, '[', false);
    for (int side = 0; c && side < TT_SIDES; side++) {
        put_problems_of(j, side == TT_BASE ? c->base : d->session, sides[side]);
        for (size_t i = 0; i < c->matching->unmatched[side].n; i++)
            put_problem(j, sides[side], "unmatched_worker", 1, -1, c->matching->unmatched[side].at[i]);
    }
    if (!c) put_problems_of(j, d->session, NULL);
    tt_json_close(j, ']');
}

static void put_number(tt_json *j, const char *what, tt_type type, int64_t v)
{
    static const char *const units[] = {[TT_T_DURATION] = "_ns", [TT_T_BYTES] = "_bytes", [TT_T_COUNT] = ""};
    char key[24];
    snprintf(key, sizeof key, "%s%s", what, units[type]);
    tt_json_key(j, key);
    put_cell(j, type, (tt_cell){.i = v});
}

static void put_conditions(tt_json *j, const tt_compared *compared)
{
    tt_json_key(j, "conditions");
    tt_json_open(j, '[', false);
    for (uint32_t i = 0; i < compared->n_conditions; i++) {
        const tt_condition *c = &compared->conditions[i];
        tt_json_open(j, '{', true);
        tt_json_key_text(j, "text", c->text);
        tt_json_key(j, "held");
        tt_json_bool(j, c->held);
        put_number(j, "base", c->type, c->base);
        put_number(j, "new", c->type, c->now);
        put_number(j, "delta", c->type, c->delta);
        tt_json_key(j, "delta_pct");
        put_cell(j, TT_T_PERCENT, (tt_cell){.d = c->delta_pct});
        tt_json_key_text(j, "verdict", c->verdict);
        tt_json_key(j, "noise_known");
        tt_json_bool(j, c->noise_known);
        tt_json_close(j, '}');
    }
    tt_json_close(j, ']');
}

static void put_table(tt_json *j, const tt_section *s)
{
    const tt_table *t = s->table;
    tt_json_open(j, '{', false);
    tt_json_key_text(j, "id", t->desc->id);
    tt_json_key_text(j, "title", t->desc->title);
    tt_json_key(j, "options");
    tt_json_open(j, '{', true);
    for (uint32_t i = 0; i < s->n_options; i++) {
        tt_json_key_text(j, s->options[i].key, s->options[i].value);
    }
    tt_json_close(j, '}');
    if (t->note) {
        tt_json_key_text(j, "note", t->note);
    }
    tt_json_key(j, "columns");
    tt_json_open(j, '[', false);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        tt_json_open(j, '{', true);
        tt_json_key_text(j, "key", t->cols[c]->key);
        tt_json_key_text(j, "title", t->cols[c]->title);
        tt_json_key_text(j, "type", tt_type_name(t->cols[c]->type));
        tt_json_close(j, '}');
    }
    tt_json_close(j, ']');
    tt_json_key(j, "rows");
    tt_json_open(j, '[', false);
    for (uint32_t r = 0; r < s->n_rows; r++) {
        tt_json_open(j, '{', true);
        for (uint32_t c = 0; c < t->n_cols; c++) {
            tt_json_key(j, t->cols[c]->key);
            put_cell(j, t->cols[c]->type, tt_table_cell(t, s->rows[r], c));
        }
        tt_json_close(j, '}');
    }
    tt_json_close(j, ']');
    tt_json_close(j, '}');
}

void tt_out_json(FILE *f, const tt_document *d)
{
    tt_json j;
    tt_json_init(&j, f);
    tt_json_open(&j, '{', false);
    tt_json_key_text(&j, "tool", "tracetty");
    tt_json_key_text(&j, "version", TT_VERSION);
    if (d->compared) tt_json_key_text(&j, "command", "diff");
    put_sources(&j, d);
    put_problems(&j, d);
    if (d->compared) put_conditions(&j, d->compared);
    tt_json_key(&j, "tables");
    tt_json_open(&j, '[', false);
    for (uint32_t i = 0; i < d->n_sections; i++) put_table(&j, &d->sections[i]);
    tt_json_close(&j, ']');
    tt_json_close(&j, '}');
}

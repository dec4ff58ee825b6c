/* model/tables/compare/side_tree.c - merges trees of traces into one. */
#include "model/tables/compare/side_tree.h"

#include <stdlib.h>

#include "model/tables/analysis/calls/operator_tree.h"
#include "model/text/short_name.h"

typedef struct name_pair {
    uint32_t name, family;
} name_pair;

typedef struct side_build {
    tt_side_tree *out;
    tt_strings *names;
    bool short_names;
    tt_arena arena; /* short names until they are interned */
} side_build;

static uint32_t id_of(side_build *b, const char *text) { return tt_strings_put(b->names, text, strlen(text)); }

/* "what runs it: Operator1" belongs to the family "Operator": versions differ in what they record around an
 * operator. */
static const char *without_lead(const char *text)
{
    for (const char *p = text; (p = strstr(p, ": ")) != NULL; text = p) p += 2;
    return text;
}

static name_pair names_of(side_build *b, const char *text, bool is_device)
{
    const char *brief = tt_brief_name(&b->arena, text, is_device);
    uint32_t family = id_of(b, is_device ? brief : without_lead(brief));
    return (name_pair){id_of(b, b->short_names ? brief : text), family};
}

/* Merge the places of a trace into the tree of its side. */
static void join(side_build *b, const tt_trace *s, uint32_t trace, const tt_operator_tree *o)
{
    uint32_t n = tt_path_tree_count(&o->places);
    uint32_t *joined = tt_calloc(n + 1u, sizeof *joined); /* place in the side's tree, by place of the trace */
    tt_groups known;
    tt_groups_init(&known);
    TT_VEC(name_pair) names = {0};
    for (uint32_t i = 0; i < n; i++) {
        const tt_tree_place *p = &o->at.at[i];
        uint32_t name = tt_place_name(&o->places, i), parent = tt_place_parent(&o->places, i);
        const char *text = tt_str(&s->strings, name);
        uint32_t at = tt_groups_put(&known, (tt_group_key){name, p->is_device, 0});
        if (at == names.n) *tt_vec_push(&names) = names_of(b, text, p->is_device);
        name_pair pair = names.at[at];
        uint32_t around = parent == TT_PLACE_ROOT ? TT_PLACE_ROOT : joined[parent];
        uint32_t place = joined[i] = tt_path_tree_put(&b->out->places, around, pair.name, p->is_device);
        if (place == b->out->at.n)
            *tt_vec_push(&b->out->at) = (tt_side_place){
                .name = pair.name, .family = pair.family, .is_device = p->is_device, .trace = trace, .slice = text};
        tt_side_place *to = &b->out->at.at[place];
        if (to->trace != trace) to->trace = TT_NONE;
        to->calls += p->dev.n;
        to->host_total += p->host.total;
        to->host_self += p->host_self;
        to->device_total += p->dev.total;
    }
    tt_vec_free(&names);
    tt_groups_free(&known);
    free(joined);
}

/* Cut the scope of the side's trace to its steps among the samples; false: no such step. */
static bool cut_to_samples(const tt_matching *m, int side, uint32_t worker, uint32_t trace, tt_scope *scope)
{
    const tt_matched_worker *w = &m->workers.at[worker];
    bool any = false;
    for (uint32_t i = 0; i < m->n_samples[side]; i++) {
        if (w->samples[side][i].trace != trace) continue;
        int64_t number = m->of[side]->traces[trace]->steps[w->samples[side][i].step].number;
        if (!any || number < scope->step_first) scope->step_first = number;
        if (!any || number > scope->step_last) scope->step_last = number;
        any = scope->has_steps = true;
    }
    return any;
}

static void add_trace(side_build *b, const tt_matching *m, int side, uint32_t worker, uint32_t trace)
{
    tt_scope scope = m->scope[side];
    if (m->per_step && !cut_to_samples(m, side, worker, trace, &scope)) return;
    tt_windows windows = tt_scope_windows(m->of[side], &scope, trace);
    tt_query q = {.session = m->of[side], .scope = &scope, .trace = trace, .windows = &windows};
    tt_operator_tree o = tt_operator_tree_make(&q);
    b->out->has_device = b->out->has_device || o.has_device;
    join(b, m->of[side]->traces[trace], trace, &o);
    tt_operator_tree_free(&o);
    tt_windows_free(&windows);
}

/* Link children: count them, compute where each list begins, then fill in the places. */
static void link_inside(tt_side_tree *t)
{
    uint32_t n = tt_path_tree_count(&t->places);
    t->first = tt_calloc(n + (size_t)3, sizeof *t->first);
    t->inside = tt_calloc(n + (size_t)1, sizeof *t->inside);
    uint32_t *end = t->first + 1; /* start of list i; filling advances it to the start of list i + 1 */
    for (uint32_t i = 0; i < n; i++) end[(uint32_t)(tt_place_parent(&t->places, i) + 1) + 1]++;
    for (uint32_t i = 0; i <= n; i++) end[i + 1] += end[i];
    for (uint32_t i = 0; i < n; i++) t->inside[end[(uint32_t)(tt_place_parent(&t->places, i) + 1)]++] = i;
}

tt_side_tree tt_side_tree_make(const tt_matching *m, int side, bool short_names, tt_strings *names)
{
    tt_side_tree t = {0};
    side_build b = {&t, names, short_names, {0}};
    tt_path_tree_init(&t.places);
    for (uint32_t w = 0; w < m->workers.n; w++) {
        uint32_t trace;
        for (uint32_t i = 0; (trace = tt_matching_trace(m, side, w, i)) != TT_NONE; i++)
            add_trace(&b, m, side, w, trace);
    }
    link_inside(&t);
    tt_arena_free(&b.arena);
    return t;
}

void tt_side_tree_free(tt_side_tree *t)
{
    free(t->first);
    free(t->inside);
    tt_vec_free(&t->at);
    tt_path_tree_free(&t->places);
}

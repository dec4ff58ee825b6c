/* model/tables/analysis/graphs/graph_owner.c - see graph_owner.h. */
#include "model/tables/analysis/graphs/graph_owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/tables/analysis/graphs/eager_operators.h"
#include "model/tables/analysis/graphs/graph_match.h"
#include "model/tables/analysis/graphs/replay_steps.h"
#include "model/text/json_text.h"
#include "model/trace/analysis_cache.h"

const char *const tt_graph_source_name[TT_GRAPH_SOURCE_COUNT_] = {[TT_GRAPH_ANNOTATION] = "annotation",
                                                                  [TT_GRAPH_CAPTURE] = "capture",
                                                                  [TT_GRAPH_LAUNCH] = "launch",
                                                                  [TT_GRAPH_EAGER] = "eager",
                                                                  [TT_GRAPH_NONE] = "none"};

typedef struct owning {
    tt_graphs *g;
    const tt_session *session;
    uint32_t number; /* place of the trace in its session */
    tt_graph_match matching;
    tt_groups named; /* (source, name) -> owner */
    TT_VEC(uint32_t) owner_of_name;
    TT_VEC(uint32_t) owner_of_call;       /* by word of the captures: owner + 1; 0 = not made yet; NO_OPERATOR */
    TT_VEC(uint32_t) owner_of_annotation; /* by launch shape, alike */
    TT_VEC(uint32_t) owner_of_node;       /* by launch shape, alike */
    const char **eager;                   /* made when work is left that nothing else knows */
} owning;

#define NO_OPERATOR UINT32_MAX

static tt_sid name_of(tt_graphs *g, const char *text, size_t len)
{
    tt_sid name = tt_strings_find(&g->trace->strings, text, len);
    if (name != UINT32_MAX) return name;
    return (tt_sid)g->trace->strings.text.n + tt_strings_put(&g->more, text, len);
}

const char *tt_graph_text(const tt_graphs *g, tt_sid name)
{
    size_t own = g->trace->strings.text.n;
    return name < own ? tt_str(&g->trace->strings, name) : tt_str(&g->more, name - (tt_sid)own);
}

uint32_t tt_graph_names(const tt_graphs *g) { return (uint32_t)(g->trace->strings.text.n + g->more.text.n); }

static uint32_t add_owner(tt_graphs *g, const tt_graph_owner *o)
{
    *tt_vec_push(&g->owners) = *o;
    return (uint32_t)g->owners.n - 1;
}

/* The owner that has nothing but a source and a name. */
static uint32_t named_owner(owning *o, tt_graph_source source, tt_sid name)
{
    uint32_t at = tt_groups_put(&o->named, (tt_group_key){source, name, 0});
    if (at == o->owner_of_name.n)
        *tt_vec_push(&o->owner_of_name) = add_owner(
            o->g,
            &(tt_graph_owner){.source = source, .name = name, .capture = TT_NONE, .call = TT_NONE, .op = TT_NONE});
    return o->owner_of_name.at[at];
}

/* The name in a list of annotations, outermost first, written as JSON: that of the last one. */
static bool last_name(const char *text, size_t len, tt_json_member *out)
{
    const char *p = text + 1, *end = text + len;
    tt_json_member item;
    bool found = false;
    if (!len || *text != '[') return false;
    while (tt_json_item(&p, end, &item)) {
        tt_json_member name;
        const char *stop = item.value + item.value_n;
        if (!item.value_n) continue;
        if (*item.value == '{' &&
            (tt_json_find(item.value, stop, "name", &name) || tt_json_find(item.value, stop, "str", &name)))
            item = name;
        found = item.value_n > 2 && *item.value == '"';
        if (found) *out = (tt_json_member){.value = item.value + 1, .value_n = item.value_n - 2};
    }
    return found;
}

static uint32_t annotation_owner(owning *o, uint32_t shape)
{
    const tt_trace *s = o->g->trace;
    tt_sid text = s->shapes[shape].annotation;
    if (!text) return NO_OPERATOR;
    uint32_t *to = &o->owner_of_annotation.at[shape];
    if (*to) return *to - 1;
    tt_json_member name;
    if (last_name(tt_str(&s->strings, text), s->strings.len.at[text], &name))
        text = name_of(o->g, name.value, name.value_n);
    return (*to = named_owner(o, TT_GRAPH_ANNOTATION, text) + 1) - 1;
}

/* The innermost operator around a captured call on its thread. */
static tt_row operator_around(const tt_trace *s, tt_row call)
{
    tt_row r = tt_row_ancestor(s, call, TT_OPERATOR_KINDS);
    return r != TT_NONE ? r : tt_operator_or_none(s, tt_row_ancestor(s, call, 1u << TT_KIND_ANNOTATION));
}

/* The owner that a call of a capture is; NO_OPERATOR: it was made outside of operators. */
static uint32_t call_owner(owning *o, uint32_t capture, uint32_t call)
{
    const tt_capture *c = &o->g->captures->at.at[capture];
    uint32_t *to = &o->owner_of_call.at[c->word + call];
    if (*to == NO_OPERATOR) return NO_OPERATOR;
    if (*to) return *to - 1;
    tt_row op = operator_around(c->trace, c->trace->captured[c->first + call].row);
    if (op == TT_NONE) return *to = NO_OPERATOR;
    tt_sid name = name_of(o->g, tt_row_name(c->trace, op), c->trace->strings.len.at[c->trace->name[op]]);
    tt_graph_owner owner = {
        .source = TT_GRAPH_CAPTURE, .name = name, .capture = capture, .call = c->first + call, .op = op};
    return (*to = add_owner(o->g, &owner) + 1) - 1;
}

/* The moment that the node was made; of a copy, that of the node which it was copied from. NULL: not recorded. */
static const tt_graph_node *making_of(const tt_trace *s, uint64_t node)
{
    for (uint32_t copies = 0; copies <= s->n_graph_nodes; copies++) {
        uint32_t lo = 0, hi = s->n_graph_nodes;
        TT_BISECT(lo, hi, i, s->graph_nodes[i].node < node);
        if (lo == s->n_graph_nodes || s->graph_nodes[lo].node != node) return NULL;
        if (!s->graph_nodes[lo].original) return &s->graph_nodes[lo];
        node = s->graph_nodes[lo].original;
    }
    return NULL; /* copies of each other */
}

/* The owner of work whose node was made within a range: the innermost one then. */
static uint32_t node_owner(owning *o, uint32_t shape)
{
    const tt_trace *s = o->g->trace;
    if (!s->n_graph_nodes || !s->shapes[shape].node) return NO_OPERATOR;
    uint32_t *to = &o->owner_of_node.at[shape];
    if (*to) return *to == NO_OPERATOR ? NO_OPERATOR : *to - 1;
    const tt_graph_node *n = making_of(s, s->shapes[shape].node);
    tt_row op = n ? tt_track_slice_at(s, n->track, n->start, TT_OPERATOR_KINDS | 1u << TT_KIND_ANNOTATION) : TT_NONE;
    if (op == TT_NONE) return *to = NO_OPERATOR;
    tt_graph_owner owner = {
        .source = TT_GRAPH_CAPTURE, .name = s->name[op], .capture = TT_NONE, .call = TT_NONE, .op = op};
    return (*to = add_owner(o->g, &owner) + 1) - 1;
}

static uint32_t eager_owner(owning *o, tt_row work)
{
    const tt_trace *s = o->g->trace;
    if (tt_row_kind(s, work) != TT_KIND_KERNEL) return NO_OPERATOR;
    if (!o->eager) o->eager = tt_eager_operators(o->session, o->number);
    const char *op = o->eager[s->name[work]];
    return op ? named_owner(o, TT_GRAPH_EAGER, name_of(o->g, op, strlen(op))) : NO_OPERATOR;
}

/* What is known of a replay before its work is looked at. */
typedef struct known {
    uint32_t capture;      /* TT_NONE */
    const uint32_t *calls; /* call of each work; NULL = those in the same places */
    uint32_t launch;       /* owner; NO_OPERATOR */
} known;

static uint32_t owner_of_work(owning *o, const known *k, uint32_t place, const tt_activity *d)
{
    uint32_t owner = annotation_owner(o, d->shape);
    if (owner == NO_OPERATOR && k->capture != TT_NONE)
        owner = call_owner(o, k->capture, k->calls ? k->calls[place] : place);
    if (owner == NO_OPERATOR) owner = node_owner(o, d->shape);
    if (owner == NO_OPERATOR) owner = k->launch;
    if (owner == NO_OPERATOR) owner = eager_owner(o, d->row);
    return owner != NO_OPERATOR ? owner : named_owner(o, TT_GRAPH_NONE, name_of(o->g, "(graph)", strlen("(graph)")));
}

/* How many replays of a sequence the step has had. */
typedef struct turns {
    uint32_t step, taken;
} turns;

static void own_replay(owning *o, const tt_replay *p, const tt_replay_step *at, turns *turn)
{
    tt_graphs *g = o->g;
    known k = {.capture = TT_NONE, .launch = NO_OPERATOR};
    tt_graph_choice choice = tt_graph_match_choose(&o->matching, p->sequence, at->size);
    if (turn->step != at->step) *turn = (turns){.step = at->step};
    if (choice.n) {
        k.capture = o->matching.chosen.at[choice.first + turn->taken++ % choice.n];
        k.calls = tt_graph_match_calls(&o->matching, choice.fit, p->sequence, k.capture);
    }
    tt_row op = tt_operator_or_none(g->trace, g->trace->detail[p->launch]);
    if (op != TT_NONE) k.launch = named_owner(o, TT_GRAPH_LAUNCH, g->trace->name[op]);
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t dev = g->replays.work.at[p->first + i];
        g->owner[dev] = owner_of_work(o, &k, i, &g->trace->dev[dev]);
    }
}

static void own_all(owning *o)
{
    tt_graphs *g = o->g;
    size_t words = g->captures->words.n, shapes = g->trace->n_shapes;
    uint32_t sequences = tt_replays_sequences(&g->replays);
    turns *turn = tt_calloc(sequences, sizeof *turn);
    tt_replay_step at = TT_REPLAY_NO_STEP;
    g->owner = tt_malloc(g->trace->n_dev * sizeof *g->owner);
    memset(g->owner, 0xFF, g->trace->n_dev * sizeof *g->owner);
    tt_vec_reserve(&o->owner_of_call, words + 1);
    memset(o->owner_of_call.at, 0, (words + 1) * sizeof *o->owner_of_call.at);
    tt_vec_reserve(&o->owner_of_annotation, shapes + 1);
    memset(o->owner_of_annotation.at, 0, (shapes + 1) * sizeof *o->owner_of_annotation.at);
    tt_vec_reserve(&o->owner_of_node, shapes + 1);
    memset(o->owner_of_node.at, 0, (shapes + 1) * sizeof *o->owner_of_node.at);
    tt_groups_init(&o->named);
    tt_graph_match_begin(&o->matching, g->captures, &g->replays, g->trace, o->number);
    for (uint32_t i = 0; i < sequences; i++) turn[i].step = TT_NONE;
    for (size_t i = 0; i < g->replays.at.n; i++) {
        const tt_replay *p = &g->replays.at.at[i];
        tt_replay_step_at(g->trace, p->launch, &at);
        own_replay(o, p, &at, &turn[p->sequence]);
    }
    tt_graph_match_free(&o->matching);
    tt_groups_free(&o->named);
    tt_vec_free(&o->owner_of_name);
    tt_vec_free(&o->owner_of_call);
    tt_vec_free(&o->owner_of_annotation);
    tt_vec_free(&o->owner_of_node);
    free(o->eager);
    free(turn);
}

static void *build(const tt_session *s, uint32_t trace)
{
    tt_graphs *g = tt_calloc(1, sizeof *g);
    g->trace = s->traces[trace];
    bool *launches = tt_graph_launch_names(g->trace);
    tt_strings_init(&g->more);
    tt_strings_init(&g->replays.sequences);
    if (launches) {
        g->captures = tt_captures_get(s);
        tt_replays_find(g->trace, g->captures, &g->replays);
    }
    if (g->replays.at.n) own_all(&(owning){.g = g, .session = s, .number = trace});
    free(launches);
    return g;
}

static void destroy(void *value)
{
    tt_graphs *g = value;
    tt_replays_free(&g->replays);
    tt_vec_free(&g->owners);
    free(g->owner);
    tt_strings_free(&g->more);
    free(g);
}

const tt_graphs *tt_graphs_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"graphs", build, destroy};
    return tt_analysis_get(s, trace, &kind);
}

tt_sid tt_work_operator(const tt_graphs *g, const tt_activity *d)
{
    const tt_graph_owner *owner = tt_graph_owner_of(g, d);
    if (owner) return owner->name;
    tt_row op = tt_activity_operator(g->trace, d);
    return op == TT_NONE || tt_row_kind(g->trace, op) == TT_KIND_STEP ? TT_NONE : g->trace->name[op];
}

const tt_replay *tt_graph_replay_of(const tt_graphs *g, tt_row launch)
{
    const tt_trace *s = g->trace;
    size_t lo = 0, hi = g->replays.at.n;
    TT_BISECT(lo, hi, i, s->start[g->replays.at.at[i].launch] < s->start[launch]);
    while (lo < g->replays.at.n && s->start[g->replays.at.at[lo].launch] == s->start[launch]) {
        if (g->replays.at.at[lo].launch == launch) return &g->replays.at.at[lo];
        lo++;
    }
    return NULL;
}

const char *tt_graph_word_of(const tt_replay *p, char out[32])
{
    if (p->graph) {
        (void)snprintf(out, 32, "%" PRId64, p->graph);
    } else {
        (void)snprintf(out, 32, "#%" PRIu32, p->sequence + 1);
    }
    return out;
}

/* model/tables/operators/replayed_ops.c - see replayed_ops.h. */
#include "model/tables/operators/replayed_ops.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/graphs/eager_operators.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/table_util.h"

void tt_op_texts_init(tt_op_texts *t, const tt_trace *s)
{
    *t = (tt_op_texts){.s = s};
    tt_strings_init(&t->more);
    *tt_vec_push(&t->at) = "";
}

void tt_op_texts_free(tt_op_texts *t)
{
    tt_strings_free(&t->more);
    tt_vec_free(&t->at);
}

tt_sid tt_op_texts_put(tt_op_texts *t, const char *text)
{
    size_t len = strlen(text);
    tt_sid id = tt_strings_find(&t->s->strings, text, len);
    if (id != UINT32_MAX) return id;
    id = tt_strings_put(&t->more, text, len);
    if (id == t->at.n) *tt_vec_push(&t->at) = text;
    return (tt_sid)t->s->strings.text.n + id;
}

const char *tt_op_text(const tt_op_texts *t, tt_sid id)
{
    size_t own = t->s->strings.text.n;
    return id < own ? tt_str(&t->s->strings, id) : t->at.at[id - own];
}

tt_owned_work *tt_owned_work_in(const tt_query *q)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_graphs *g = tt_graphs_get(q->session, q->trace);
    const tt_name_classes *names = tt_name_classes_get(q->session, q->trace);
    tt_row_range rows = tt_query_rows(q);
    if (!g->owner) return NULL;
    tt_owned_work *of = tt_calloc(g->owners.n, sizeof *of);
    for (size_t i = 0; i < g->replays.work.n; i++) {
        const tt_activity *d = &s->dev[g->replays.work.at[i]];
        if (!tt_query_has_dev(q, s, d, rows)) continue;
        tt_owned_work *o = &of[g->owner[g->replays.work.at[i]]];
        bool tensor = tt_row_kind(s, d->row) == TT_KIND_KERNEL && names->of[s->name[d->row]] & TT_NAME_TENSOR;
        o->works++;
        o->ns += s->dur[d->row];
        o->tensor_ns += tensor ? s->dur[d->row] : 0;
    }
    return of;
}

typedef struct collecting {
    const tt_graphs *g;
    tt_groups calls, names; /* (trace, row) and name -> place in the list */
    TT_VEC(uint32_t) place_of_call;
    TT_VEC(uint32_t) place_of_name;
    tt_replayed_ops out;
} collecting;

static tt_replayed_op *call_at(collecting *c, const tt_trace *s, tt_row op)
{
    uint32_t at = tt_groups_put(&c->calls, (tt_group_key){(uintptr_t)s, op, 0});
    if (at == c->place_of_call.n) {
        *tt_vec_push(&c->place_of_call) = (uint32_t)c->out.at.n;
        *tt_vec_push(&c->out.at) = (tt_replayed_op){.name = tt_row_name(s, op), .trace = s, .row = op};
    }
    return &c->out.at.at[c->place_of_call.at[at]];
}

/* An operator ran as often as the most replayed of its calls. */
static void add_captured(collecting *c, const tt_graph_owner *owner, const tt_owned_work *o)
{
    const tt_trace *s = tt_graph_owner_trace(c->g, owner);
    for (tt_row op = owner->op; op != TT_NONE; op = tt_row_ancestor(s, op, TT_OPERATOR_KINDS)) {
        tt_replayed_op *to = call_at(c, s, op);
        if (o->works > to->calls) to->calls = o->works;
        to->total_ns += o->ns;
        to->tensor_total_ns += o->tensor_ns;
        if (op != owner->op) continue;
        to->self_ns += o->ns;
        to->tensor_self_ns += o->tensor_ns;
    }
}

static void add_named(collecting *c, const tt_graph_owner *owner, const tt_owned_work *o)
{
    uint32_t at = tt_groups_put(&c->names, (tt_group_key){owner->name, 0, 0});
    if (at == c->place_of_name.n) {
        *tt_vec_push(&c->place_of_name) = (uint32_t)c->out.at.n;
        *tt_vec_push(&c->out.at) = (tt_replayed_op){.name = tt_graph_text(c->g, owner->name), .row = TT_NONE};
    }
    tt_replayed_op *to = &c->out.at.at[c->place_of_name.at[at]];
    to->self_ns += o->ns;
    to->total_ns += o->ns;
    to->tensor_self_ns += o->tensor_ns;
    to->tensor_total_ns += o->tensor_ns;
}

tt_replayed_ops tt_replayed_ops_in(const tt_query *q)
{
    collecting c = {.g = tt_graphs_get(q->session, q->trace)};
    tt_owned_work *of = tt_owned_work_in(q);
    if (!of) return c.out;
    tt_groups_init(&c.calls);
    tt_groups_init(&c.names);
    for (size_t i = 0; i < c.g->owners.n; i++) {
        const tt_graph_owner *owner = &c.g->owners.at[i];
        if (!of[i].works) continue;
        if (owner->source == TT_GRAPH_CAPTURE) add_captured(&c, owner, &of[i]);
        if (owner->source == TT_GRAPH_ANNOTATION || owner->source == TT_GRAPH_EAGER) add_named(&c, owner, &of[i]);
    }
    free(of);
    tt_groups_free(&c.calls);
    tt_groups_free(&c.names);
    tt_vec_free(&c.place_of_call);
    tt_vec_free(&c.place_of_name);
    return c.out;
}

void tt_replayed_ops_free(tt_replayed_ops *r) { tt_vec_free(&r->at); }

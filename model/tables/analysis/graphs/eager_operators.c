/* model/tables/analysis/graphs/eager_operators.c - see eager_operators.h. */
#include "model/tables/analysis/graphs/eager_operators.h"

#include <stdlib.h>
#include <string.h>

#include "model/keys/keys.h"
#include "model/tables/analysis/graphs/replays.h"

static bool has_operators(const tt_trace *s)
{
    for (uint32_t c = 0; c < s->n_cats; c++)
        if (TT_OPERATOR_KINDS >> s->kind_of[c] & 1) return true;
    return false;
}

tt_row tt_operator_or_none(const tt_trace *s, tt_row linked)
{
    if (linked == TT_NONE || TT_OPERATOR_KINDS >> tt_row_kind(s, linked) & 1) return linked;
    return tt_row_kind(s, linked) == TT_KIND_ANNOTATION && !has_operators(s) ? linked : TT_NONE;
}

typedef struct eager {
    const tt_trace *s;   /* the trace that is asked about */
    const char **op;     /* by name: NULL = not seen yet */
    const char *several; /* in place of an operator: there are several, or an unknown one */
} eager;

static void see(eager *e, tt_sid kernel, const char *op)
{
    const char **to = &e->op[kernel];
    if (!*to) *to = op;
    if (*to != op && *to != e->several && strcmp(*to, op) != 0) *to = e->several;
}

/* Whether the work is part of a graph, as far as the trace tells. */
static bool in_graph(const tt_trace *s, const tt_activity *d, const bool *launches)
{
    if (d->launch != TT_NONE) return launches && launches[s->name[d->launch]];
    return s->shapes[d->shape].graph > 0 || s->shapes[d->shape].node > 0;
}

static void see_trace(eager *e, const tt_trace *s)
{
    bool *launches = tt_graph_launch_names(s);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (tt_row_kind(s, d->row) != TT_KIND_KERNEL || in_graph(s, d, launches)) continue;
        tt_sid name = s->name[d->row];
        if (s != e->s) name = tt_strings_find(&e->s->strings, tt_row_name(s, d->row), s->strings.len.at[name]);
        if (name == UINT32_MAX || e->op[name] == e->several) continue;
        tt_row op = tt_operator_or_none(s, tt_activity_operator(s, d));
        see(e, name, op == TT_NONE ? e->several : tt_row_name(s, op));
    }
    free(launches);
}

const char **tt_eager_operators(const tt_session *s, uint32_t trace)
{
    const tt_trace *t = s->traces[trace];
    eager e = {.s = t, .op = tt_calloc(t->strings.text.n, sizeof *e.op), .several = ""};
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (!strcmp(s->traces[i]->worker, t->worker)) see_trace(&e, s->traces[i]);
    for (uint32_t i = 0; i < tt_keys_count(tt_session_keys(s)); i++) {
        const tt_trace *key = tt_keys_trace(tt_session_keys(s), i);
        if (key) see_trace(&e, key);
    }
    for (size_t i = 0; i < t->strings.text.n; i++)
        if (e.op[i] == e.several) e.op[i] = NULL;
    return e.op;
}

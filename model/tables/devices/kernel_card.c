/* model/tables/devices/kernel_card.c - see kernel_card.h. */
#include "model/tables/devices/kernel_card.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/sort_by.h"
#include "model/index/path_tree.h"
#include "model/tables/analysis/calls/backward.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/path/critical_path.h"
#include "model/trace/rules/advice.h"

/* Kinds that count as callers: not steps; Python functions have lines of their own. */
#define CALLERS                                                                                                        \
    (1u << TT_KIND_CPU_OP | 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_FORWARD | 1u << TT_KIND_BACKWARD |                \
     1u << TT_KIND_OPTIMIZATION | 1u << TT_KIND_COMMUNICATION | 1u << TT_KIND_PYTHON_OP)

typedef struct counts { /* by id of a string or a place */
    TT_VEC(int64_t) at;
} counts;

static void count(counts *c, uint32_t id, int64_t by)
{
    while (c->at.n <= id) *tt_vec_push(&c->at) = 0;
    c->at.at[id] += by;
}

typedef struct making {
    const tt_session *session;
    uint32_t trace;
    const tt_trace *t;
    const tt_graphs *graphs;
    tt_kernel_card *card;
    tt_path_tree tree;
    tt_line_memo lines;
    tt_groups roofs;                 /* rows of calls counted in card->roof */
    counts calls, ns;                /* by place of the caller tree */
    counts of_shape, of_text;        /* by launch shape, by id of card->text */
    TT_VEC(uint32_t) first_of_shape; /* by launch shape: its first device work */
    TT_VEC(uint8_t) module;          /* by id of card->text: a module, no line */
} making;

static void count_text(making *m, const char *text, bool module)
{
    tt_sid id = tt_strings_put(&m->card->text, text, strlen(text));
    while (m->module.n <= id) *tt_vec_push(&m->module) = 0;
    m->module.at[id] = module;
    count(&m->of_text, id, 1);
}

static void count_drilldown(making *m, tt_row launch)
{
    uint32_t track = tt_row_track(m->t, launch);
    char line[512];
    if (tt_program_line_with(m->session, m->trace, &m->lines, launch, line, sizeof line)) count_text(m, line, false);
    char path[512];
    if (tt_module_path_at(m->t, &m->lines, track, m->t->start[launch], path, sizeof path)) count_text(m, path, true);
}

/* Count the operators around the launch, outermost first; of the work of a graph the operator that owns it. */
static void count_callers(making *m, const tt_activity *d, int64_t ns)
{
    const tt_graph_owner *owner = tt_graph_owner_of(m->graphs, d);
    tt_sid up[64];
    int n = 0;
    uint32_t place = TT_PLACE_ROOT;
    tt_row op = owner ? TT_NONE : tt_activity_operator(m->t, d);
    for (; op != TT_NONE && n < 64; op = tt_row_ancestor(m->t, op, CALLERS)) {
        if (tt_row_kind(m->t, op) != TT_KIND_STEP) up[n++] = m->t->name[op];
    }
    if (owner) up[n++] = owner->name;
    if (!n) m->card->no_caller++;
    while (n-- > 0) {
        place = tt_path_tree_put(&m->tree, place, up[n], 0);
        count(&m->calls, place, 1);
        count(&m->ns, place, ns);
    }
}

/* Add the operator call that a device work counts for, once. */
static void add_roof(making *m, const tt_session *s, uint32_t trace, uint32_t activity)
{
    const tt_roofline_call *call = tt_roofline_of_activity(tt_roofline_get(s, trace), activity);
    tt_roofline_work *sum = &m->card->roof;
    size_t seen = m->roofs.key.n;
    if (!call || tt_groups_put(&m->roofs, (tt_group_key){.a = call->row}) < seen) return;
    if (sum->calls)
        tt_roofline_add(sum, &call->work);
    else
        *sum = call->work;
}

/* Count a launch shape by its first work, as shape numbers depend on the order of reading threads. */
static void count_shape(making *m, const tt_activity *d)
{
    while (m->first_of_shape.n <= d->shape) *tt_vec_push(&m->first_of_shape) = TT_NONE;
    if (m->first_of_shape.at[d->shape] == TT_NONE) m->first_of_shape.at[d->shape] = (uint32_t)(d - m->t->dev);
    count(&m->of_shape, d->shape, 1);
}

static void add_call(making *m, const tt_activity *d)
{
    tt_kernel_card *c = m->card;
    int64_t ns = m->t->dur[d->row];
    c->calls++;
    c->total_ns += ns;
    count_shape(m, d);
    count_callers(m, d, ns);
    if (d->launch != TT_NONE) count_drilldown(m, d->launch);
}

static void put_results(making *m)
{
    tt_kernel_card *c = m->card;
    uint32_t *order, *depth;
    for (uint32_t i = 0; i < m->of_text.at.n; i++) {
        tt_card_line one = {tt_str(&c->text, i), m->of_text.at.at[i]};
        if (!one.calls) continue;
        if (m->module.at[i]) {
            *tt_vec_push(&c->modules) = one;
        } else {
            *tt_vec_push(&c->lines) = one;
        }
    }
    for (uint32_t i = 1; i < m->of_shape.at.n; i++) { /* 0: nothing is known */
        int64_t calls = m->of_shape.at.at[i];
        if (calls) *tt_vec_push(&c->shapes) = (tt_card_shape){&m->t->shapes[i], calls, m->first_of_shape.at[i]};
    }
    TT_SORT_BY(c->lines.at, c->lines.n, TT_DESC(tt_card_line, calls), TT_ASC(tt_card_line, text));
    TT_SORT_BY(c->modules.at, c->modules.n, TT_DESC(tt_card_line, calls), TT_ASC(tt_card_line, text));
    TT_SORT_BY(c->shapes.at, c->shapes.n, TT_DESC(tt_card_shape, calls), TT_ASC(tt_card_shape, first));
    tt_path_tree_order(&m->tree, m->ns.at.at, &order, &depth);
    for (uint32_t i = 0; i < tt_path_tree_count(&m->tree); i++) {
        uint32_t place = order[i];
        *tt_vec_push(&c->callers) = (tt_card_caller){tt_graph_text(m->graphs, tt_place_name(&m->tree, place)), depth[i],
                                                     m->calls.at.at[place], m->ns.at.at[place]};
    }
    free(order);
    free(depth);
}

static void count_calls(making *m, const tt_session *s, const tt_scope *scope, uint32_t trace, tt_sid name)
{
    const tt_device_work *work = tt_device_work_get(s, trace);
    tt_windows windows = tt_scope_windows(s, scope, trace);
    for (uint32_t i = 0; i < m->t->n_dev; i++) {
        const tt_activity *d = &m->t->dev[i];
        uint32_t w = work->of_activity[i];
        if (w == TT_NONE || !tt_windows_have_dev(&windows, m->t, d)) continue;
        m->card->busy_ns += m->t->dur[d->row];
        if (m->t->name[d->row] != name) continue;
        m->card->work_class = tt_work_class_name[work->at[w].of_class];
        add_call(m, d);
        add_roof(m, s, trace, i);
    }
    tt_windows_free(&windows);
}

static void measure_path(tt_kernel_card *c, const tt_session *s, const tt_scope *scope, uint32_t trace, tt_sid name)
{
    tt_path *p = tt_path_make(s, scope, trace);
    c->path_ns = p->ns;
    c->on_path_ns = p->at.n ? 0 : TT_UNKNOWN;
    for (size_t i = 0; i < p->at.n; i++) {
        const tt_path_segment *g = &p->at.at[i];
        bool runs = g->category >= TT_PATH_COMPUTATION && g->row != TT_NONE;
        if (runs && s->traces[trace]->name[g->row] == name) c->on_path_ns += g->t1 - g->t0;
    }
    tt_path_free(p);
}

tt_kernel_card *tt_kernel_card_make(const tt_session *s, const tt_scope *scope, uint32_t trace, const char *name)
{
    tt_kernel_card *c = tt_calloc(1, sizeof *c);
    const tt_trace *t = s->traces[trace];
    tt_sid id = tt_strings_find(&t->strings, name, strlen(name));
    making m = {.session = s, .trace = trace, .t = t, .graphs = tt_graphs_get(s, trace), .card = c};
    tt_strings_init(&c->text);
    c->on_path_ns = TT_UNKNOWN;
    c->advice = tt_advice_of(t->rules);
    c->name = id == UINT32_MAX ? "" : tt_str(&t->strings, id);
    if (id == UINT32_MAX) return c;
    c->tensor_core = (tt_name_classes_get(s, trace)->of[id] & TT_NAME_TENSOR) != 0;
    tt_path_tree_init(&m.tree);
    tt_groups_init(&m.roofs);
    count_calls(&m, s, scope, trace, id);
    put_results(&m);
    measure_path(c, s, scope, trace, id);
    tt_path_tree_free(&m.tree);
    tt_line_memo_free(&m.lines);
    tt_groups_free(&m.roofs);
    tt_vec_free(&m.calls.at);
    tt_vec_free(&m.ns.at);
    tt_vec_free(&m.of_shape.at);
    tt_vec_free(&m.first_of_shape);
    tt_vec_free(&m.of_text.at);
    tt_vec_free(&m.module);
    return c;
}

void tt_kernel_card_free(tt_kernel_card *c)
{
    if (!c) return;
    tt_vec_free(&c->shapes);
    tt_vec_free(&c->lines);
    tt_vec_free(&c->modules);
    tt_vec_free(&c->callers);
    tt_strings_free(&c->text);
    free(c);
}

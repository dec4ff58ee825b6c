/* model/tables/analysis/device/attention_chain.c - one pass over the launches that keeps the operators since the
 * last product. Operators that cannot become a chain any more are dropped at once. */
#include "model/tables/analysis/device/attention_chain.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/names/name_class.h"
#include "model/trace/analysis_cache.h"

typedef enum operator_kind { PRODUCT, SOFTMAX, PLAIN, HINDERS, NO_WORK } operator_kind;

typedef struct step { /* consecutive launches of one operator */
    tt_row op;        /* the operator; TT_NONE: a launch outside operators */
    operator_kind is;
    uint32_t first, n; /* links of its launches: first and number */
} step;

typedef struct chain_build {
    const tt_trace *s;
    const tt_name_classes *names;
    const tt_device_work *work;
    tt_sid products[2], softmax;        /* 0: the trace does not have the name */
    step steps[TT_CHAIN_OPERATORS_MAX]; /* operators from a product on */
    uint32_t n;                         /* 0: no chain has begun */
    tt_row seen;                        /* the softmax among them; TT_NONE */
    tt_attention_chains *out;
} chain_build;

static tt_sid id_of(const tt_trace *s, const char *name)
{
    tt_sid id = tt_strings_find(&s->strings, name, strlen(name));
    return id == TT_NONE ? 0 : id;
}

/* Whether work may lie between the products: kernels of three classes, copies and sets. */
static bool is_plain(const chain_build *b, tt_row work)
{
    tt_kind kind = tt_row_kind(b->s, work);
    if (kind == TT_KIND_MEMCPY || kind == TT_KIND_MEMSET) return true;
    if (kind != TT_KIND_KERNEL) return false;
    tt_kernel_class c = tt_name_kernel_class(b->names, b->s->name[work]);
    return c == TT_KERNEL_ELEMENTWISE || c == TT_KERNEL_COPY || c == TT_KERNEL_NORM;
}

static operator_kind kind_of(const chain_build *b, tt_row op)
{
    tt_sid name = op == TT_NONE ? 0 : b->s->name[op];
    if (!name) return PLAIN;
    if (name == b->products[0] || name == b->products[1]) return PRODUCT;
    return name == b->softmax ? SOFTMAX : PLAIN;
}

static void put_works(chain_build *b, const step *of, tt_chain_role role)
{
    for (uint32_t i = of->first; i < of->first + of->n; i++) {
        uint32_t work = b->work->of_activity[b->s->launched_activity[i]];
        if (work != TT_NONE) *tt_vec_push(&b->out->works) = (tt_chain_work){work, role};
    }
}

static void put_chain(chain_build *b, const step *last)
{
    tt_attention_chain c = {.first_op = b->steps[0].op,
                            .softmax = b->seen,
                            .last_op = last->op,
                            .operators = b->n + 1,
                            .first = (uint32_t)b->out->works.n};
    for (uint32_t i = 0; i < b->n; i++) {
        static const tt_chain_role role[] = {TT_CHAIN_PRODUCT, TT_CHAIN_SOFTMAX, TT_CHAIN_BETWEEN};
        put_works(b, &b->steps[i], role[b->steps[i].is]);
    }
    put_works(b, last, TT_CHAIN_PRODUCT);
    c.n = (uint32_t)b->out->works.n - c.first;
    *tt_vec_push(&b->out->at) = c;
}

static void begin_with(chain_build *b, const step *product)
{
    b->n = product ? 1 : 0;
    b->seen = TT_NONE;
    if (product) b->steps[0] = *product;
}

/* Add the next operator of the thread. */
static void extend_chain(chain_build *b, const step *x)
{
    if (x->is == PRODUCT) {
        bool ends = b->n > 0 && b->seen != TT_NONE;
        if (ends) put_chain(b, x);
        begin_with(b, ends ? NULL : x);
        return;
    }
    /* other launches lie between the launches of the softmax */
    bool second = x->is == SOFTMAX && b->seen != TT_NONE && b->seen != x->op;
    if (!b->n || second || x->is == HINDERS || b->n + 1 == TT_CHAIN_OPERATORS_MAX) {
        begin_with(b, NULL);
        return;
    }
    b->steps[b->n++] = *x;
    if (x->is == SOFTMAX) b->seen = x->op;
}

/* Read the operator whose launches begin with link i, on a track that ends before row `end`. Returns the first link
 * behind them. */
static uint32_t step_at(const chain_build *b, uint32_t i, tt_row end, step *out)
{
    const tt_trace *s = b->s;
    const tt_activity *d = &s->dev[s->launched_activity[i]];
    tt_row launch = s->launch_row[i], op = tt_activity_operator(s, d);
    bool one = op == TT_NONE || tt_row_kind(s, op) != TT_KIND_CPU_OP;
    *out = (step){.op = one ? TT_NONE : op, .is = kind_of(b, one ? TT_NONE : op), .first = i};
    bool plain = true, works = false;
    for (; i < s->n_links && s->launch_row[i] < end; i++) {
        d = &s->dev[s->launched_activity[i]];
        if (s->launch_row[i] != launch && (one || tt_activity_operator(s, d) != op)) break;
        if (b->work->of_activity[s->launched_activity[i]] == TT_NONE)
            continue; /* the activity is a wait or an annotation */
        plain = plain && is_plain(b, d->row);
        works = true;
    }
    if (!works) out->is = NO_WORK;
    if (out->is == PLAIN && !plain) out->is = HINDERS;
    out->n = i - out->first;
    return i;
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_attention_chains *out = tt_calloc(1, sizeof *out);
    chain_build b = {.s = s,
                     .products = {id_of(s, "aten::bmm"), id_of(s, "aten::baddbmm")},
                     .softmax = id_of(s, "aten::_softmax"),
                     .seen = TT_NONE,
                     .out = out};
    if (!b.softmax || (!b.products[0] && !b.products[1])) return out;
    b.names = tt_name_classes_get(session, trace);
    b.work = tt_device_work_get(session, trace);
    for (uint32_t i = 0; i < s->n_links;) {
        const tt_track *track = &s->tracks[tt_row_track(s, s->launch_row[i])];
        tt_row end = track->first + track->n;
        begin_with(&b, NULL);
        while (i < s->n_links && s->launch_row[i] < end) {
            step x;
            i = step_at(&b, i, end, &x);
            if (x.is != NO_WORK) extend_chain(&b, &x);
        }
    }
    return out;
}

static void release(void *value)
{
    tt_attention_chains *chains = value;
    tt_vec_free(&chains->at);
    tt_vec_free(&chains->works);
    free(chains);
}

const tt_attention_chains *tt_attention_chains_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"attention chains", build, release};
    return tt_analysis_get(s, trace, &kind);
}

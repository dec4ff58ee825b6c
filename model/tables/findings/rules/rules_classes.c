/* model/tables/findings/rules/rules_classes.c - rules of table findings about the classes of kernels that take the
 * time, and what to fuse. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/analysis/device/attention_chain.h"
#include "model/tables/analysis/device/kernel_sums.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/findings/rules/rules.h"

#define ATTENTION_MORE_THAN 20.0 /* percentage of the kernel time */
#define CLASS_MORE_THAN 50.0
#define CLASS_LEAST 5.0 /* percentage of the account */

static int64_t in_account(const tt_finding_context *c, const tt_work *x)
{
    return tt_ivs_length_in(&c->account.time, x->start, x->end);
}

/* ---- attention ---- */

typedef struct chain_sum { /* chains of one device */
    int64_t ns;            /* durations inside the account */
    uint32_t chains;
} chain_sum;

static chain_sum *sum_chains(const tt_finding_context *c, const tt_attention_chains *l)
{
    chain_sum *of = tt_calloc(c->work->n_devices + (size_t)1, sizeof *of);
    /* per device the last chain that was counted */
    uint32_t *last = tt_malloc((c->work->n_devices + (size_t)1) * sizeof *last);
    for (uint32_t d = 0; d < c->work->n_devices; d++) last[d] = TT_NONE;
    for (uint32_t i = 0; i < l->at.n; i++)
        for (uint32_t k = l->at.at[i].first; k < l->at.at[i].first + l->at.at[i].n; k++) {
            const tt_work *x = &c->work->at[l->works.at[k].work];
            uint32_t d = c->work->streams[x->stream].device;
            int64_t ns = in_account(c, x);
            of[d].ns += ns;
            if (ns && last[d] != i) of[d].chains++, last[d] = i;
        }
    free(last);
    return of;
}

/* One kernel for everything leaves out the softmax and the work between the products. */
static void replay_fused(tt_finding_context *c, uint32_t row, const tt_attention_chains *l, int64_t bound)
{
    tt_finding_replay *r = tt_finding_replays(c, row, 0, bound);
    r->works = tt_malloc((l->works.n + 1) * sizeof *r->works);
    for (size_t k = 0; k < l->works.n; k++)
        if (l->works.at[k].role != TT_CHAIN_PRODUCT)
            r->works[r->change.n_works++] = (tt_replay_work){l->works.at[k].work, 0};
    TT_SORT_BY(r->works, r->change.n_works, TT_ASC(tt_replay_work, work));
    r->change.works = r->works;
}

void tt_find_unfused_attention(tt_finding_context *c)
{
    if (!c->work->n || c->account.clocks_differ) return;
    const tt_attention_chains *l = tt_attention_chains_get(c->q->session, c->q->trace);
    if (!l->at.n) return;
    chain_sum *sums = sum_chains(c, l);
    uint32_t d = TT_NONE;
    for (uint32_t i = 0; i < c->work->n_devices; i++)
        if (tt_claim_rather(&c->source, i, sums[i].ns, d, d == TT_NONE ? 0 : sums[d].ns)) d = i;
    chain_sum own = {0};
    if (d != TT_NONE) own = sums[d];
    free(sums);
    if (d == TT_NONE) return;
    tt_kernel_sums all = tt_kernel_sums_of(c->q->session, c->q->trace, d, &c->account.time);
    double v = tt_pct((double)own.ns, (double)all.all_ns);
    if (!(v > ATTENTION_MORE_THAN)) return;
    tt_ivs set = {0};
    for (size_t k = 0; k < l->works.n; k++) {
        const tt_work *x = &c->work->at[l->works.at[k].work];
        if (c->work->streams[x->stream].device == d) tt_ivs_add(&set, x->start, x->end);
    }
    tt_ivs_normalise(&set);
    tt_claim claim = tt_claim_of_set(&c->source, d, &set);
    tt_vec_free(&set);
    int64_t bound = claim.ns;
    uint32_t row = tt_finding_add(
        c, tt_finding_severity(tt_finding_pct(c, d, claim.ns)),
        tt_arena_printf(&c->t->arena,
                        "Unfused attention: bmm + softmax + bmm take %.1f%% of the kernel time (%u chain%s)", v,
                        own.chains, own.chains == 1 ? "" : "s"),
        "Use torch.nn.functional.scaled_dot_product_attention, or the model's attn_implementation=\"sdpa\"");
    tt_finding_claims(c, row, &claim);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
    tt_set_i(c->t, row, TT_FINDING_COUNT, own.chains);
    replay_fused(c, row, l, bound);
}

/* ---- classes ---- */

/* classes that fusing shrinks, and how */
static const struct {
    tt_kernel_class class;
    const char *title, *detail;
} classes[] = {
    {TT_KERNEL_ELEMENTWISE, "Elementwise kernels",
     "Fuse them: torch.compile, a fused or foreach optimizer, fused activations and norms"},
    {TT_KERNEL_NORM, "Norm and reduction kernels", "Fuse them: torch.compile, fused norms (one kernel a layer)"},
    {TT_KERNEL_COPY, "Copy kernels",
     "Move less: one memory layout (channels_last), fewer .contiguous(), transposes and casts between types"},
    {TT_KERNEL_OTHER, "Kernels of no known class", "The largest: "},
};

typedef struct class_work { /* kernels of the class on a device */
    tt_finding_context *c;
    const tt_name_classes *names;
    uint32_t device;
    tt_kernel_class class;
} class_work;

static bool in_class(const class_work *w, const tt_work *x)
{
    const tt_trace *s = w->c->s;
    return tt_row_kind(s, x->row) == TT_KIND_KERNEL && tt_name_kernel_class(w->names, s->name[x->row]) == w->class;
}

/* "a, b, c": the names with most time. */
static const char *largest_names(const class_work *w, const tt_work_device *dev)
{
    tt_finding_context *c = w->c;
    int64_t *ns = tt_calloc(c->s->strings.text.n + (size_t)1, sizeof *ns);
    const char *text = "";
    for (const tt_work *x = c->work->at + dev->first, *end = x + dev->n; x < end; x++)
        if (in_class(w, x)) ns[c->s->name[x->row]] += in_account(c, x);
    for (int n = 0; n < 3; n++) {
        tt_sid most = 0;
        for (tt_sid i = 1; i < c->s->strings.text.n; i++)
            if (ns[i] && (ns[i] > ns[most] || (most && ns[i] == ns[most] &&
                                               strcmp(tt_str(&c->s->strings, i), tt_str(&c->s->strings, most)) < 0)))
                most = i;
        if (!most) break;
        text = tt_arena_printf(&c->t->arena, "%s%s%s", text, n ? ", " : "", tt_str(&c->s->strings, most));
        ns[most] = 0;
    }
    free(ns);
    return text;
}

/* Claim the kernels of the class that other roots do not claim. */
static tt_claim claim_class(const class_work *w, const tt_work_device *dev, tt_finding_replay *r)
{
    tt_finding_context *c = w->c;
    tt_ivs set = {0};
    r->works = tt_malloc((dev->n + (size_t)1) * sizeof *r->works);
    for (uint32_t i = dev->first; i < dev->first + dev->n; i++) {
        if (!in_class(w, &c->work->at[i])) continue;
        tt_ivs_add(&set, c->work->at[i].start, c->work->at[i].end);
        r->works[r->change.n_works++] = (tt_replay_work){i, 0};
    }
    r->change.works = r->works;
    tt_ivs_normalise(&set);
    set = tt_finding_untaken(c, w->device, set);
    tt_claim claim = tt_claim_of_set(&c->source, w->device, &set);
    tt_vec_free(&set);
    return claim;
}

static void say_class(tt_finding_context *c, uint32_t device, size_t k, const tt_kernel_sums *sums)
{
    const tt_work_device *dev = &c->work->devices[device];
    class_work w = {c, tt_name_classes_get(c->q->session, c->q->trace), device, classes[k].class};
    tt_finding_replay r = {.change = tt_replay_change_none()};
    tt_claim claim = claim_class(&w, dev, &r);
    int64_t bound = claim.ns, of_class = sums->ns[w.class];
    double v = tt_pct((double)of_class, (double)sums->all_ns);
    if (tt_finding_pct(c, device, claim.ns) > CLASS_LEAST && claim.ns * 2 > of_class) {
        const char *names = w.class == TT_KERNEL_OTHER ? largest_names(&w, dev) : "";
        uint32_t row = tt_finding_add(
            c, tt_finding_severity(tt_finding_pct(c, device, claim.ns)),
            tt_arena_printf(&c->t->arena, "%s take %.1f%% of the kernel time (%" PRId64 " launch%s)", classes[k].title,
                            v, sums->calls[w.class], sums->calls[w.class] == 1 ? "" : "es"),
            tt_arena_printf(&c->t->arena, "%s%s", classes[k].detail, names));
        tt_finding_claims(c, row, &claim);
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
        tt_set_i(c->t, row, TT_FINDING_COUNT, sums->calls[w.class]);
        r.bound = bound;
        *tt_finding_replays(c, row, 0, bound) = r;
        r.works = NULL;
    }
    tt_claim_free(&claim);
    free(r.works);
}

void tt_find_kernel_class(tt_finding_context *c)
{
    uint32_t device = TT_NONE;
    size_t most = 0;
    tt_kernel_sums sums = {0};
    if (!c->work->n || c->account.clocks_differ) return;
    for (uint32_t d = 0; d < c->work->n_devices; d++) {
        tt_kernel_sums own = tt_kernel_sums_of(c->q->session, c->q->trace, d, &c->account.time);
        for (size_t k = 0; k < COUNT_OF(classes); k++) {
            int64_t ns = own.ns[classes[k].class], best = device == TT_NONE ? 0 : sums.ns[classes[most].class];
            if (!(tt_pct((double)ns, (double)own.all_ns) > CLASS_MORE_THAN)) continue;
            if (tt_claim_rather(&c->source, d, ns, device, best)) device = d, most = k, sums = own;
        }
    }
    if (device != TT_NONE) say_class(c, device, most, &sums);
}

/* ---- under them ---- */

const char *tt_finding_class_root(const tt_finding_context *c, uint32_t device, const tt_ivs *work)
{
    static const char *const roots[] = {"unfused_attention", "kernel_class"};
    int64_t all = tt_ivs_length(work);
    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        uint32_t row = tt_finding_found(c, roots[i]);
        if (row == TT_NONE || c->of.at[row - c->first].claim.device != device) continue;
        const tt_claim *x = &c->of.at[row - c->first].claim;
        int64_t ns = 0;
        for (size_t k = 0; k < x->pieces.n; k++) ns += tt_ivs_length_in(work, x->pieces.at[k].t0, x->pieces.at[k].t1);
        if (ns * 2 > all) return roots[i];
    }
    return NULL;
}

/* model/tables/findings/rules/rules_roof.c - rule of table findings about operators that take much longer than their
 * device needs for their FLOP and bytes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/operators/roofline.h"

#define LEAST_SHARE 5.0 /* least share, percent of the devices' busy time */
#define FAR_BELOW 40.0  /* largest percent of the roof that counts as far below */

typedef struct slow_row { /* shapes of an operator below the roof */
    uint32_t op;          /* index into slow_ops */
    uint32_t factor;      /* part of its time that must remain, in units of TT_REPLAY_WHOLE */
} slow_row;

typedef struct slow_op { /* all such shapes of an operator */
    tt_sid name;
    int64_t calls, device_ns, roof_ns, compute_ns;
    const tt_roofline_row *largest;
    TT_VEC(tt_replay_work) works; /* work on its device */
} slow_op;

typedef struct slow_list {
    TT_VEC(slow_row) rows; /* all looked-up shapes: op is TT_NONE if not below the roof */
    TT_VEC(slow_op) ops;
    tt_groups by_shapes, by_name; /* groups of rows and of ops */
} slow_list;

static uint32_t op_of(slow_list *l, tt_sid name)
{
    uint32_t at = tt_groups_put(&l->by_name, (tt_group_key){.a = name});
    if (at == l->ops.n) *tt_vec_push(&l->ops) = (slow_op){.name = name};
    return at;
}

static slow_row *row_of(slow_list *l, tt_sid name, tt_sid shapes, tt_data_type type)
{
    uint32_t at = tt_groups_put(&l->by_shapes, (tt_group_key){name, shapes, (uint64_t)type});
    if (at == l->rows.n) *tt_vec_push(&l->rows) = (slow_row){.op = TT_NONE};
    return &l->rows.at[at];
}

static void add_row(slow_list *l, const tt_roofline_row *r, const tt_roofline_rate *rate)
{
    uint32_t at = op_of(l, r->name);
    slow_op *op = &l->ops.at[at];
    double left = (double)rate->roof_ns / (double)r->work.device_ns;
    op->calls += r->work.calls;
    op->device_ns += r->work.device_ns;
    op->roof_ns += rate->roof_ns;
    if (rate->compute_bound) op->compute_ns += r->work.device_ns;
    if (!op->largest || r->work.device_ns > op->largest->work.device_ns) op->largest = r;
    *row_of(l, r->name, r->shapes, r->work.type) = (slow_row){at, (uint32_t)(left * (double)TT_REPLAY_WHOLE)};
}

/* Find the work of every operator, on all devices. */
static void find_works(const tt_finding_context *c, slow_list *l)
{
    const tt_trace *s = c->s;
    const tt_roofline_calls *calls = tt_roofline_get(c->q->session, c->q->trace);
    for (uint32_t i = 0; i < c->work->n; i++) {
        const tt_roofline_call *call = tt_roofline_of_activity(calls, s->detail[c->work->at[i].row]);
        if (!call) continue;
        const slow_row *r = row_of(l, s->name[call->row], s->op_args[s->detail[call->row]].shapes, call->work.type);
        if (r->op != TT_NONE) *tt_vec_push(&l->ops.at[r->op].works) = (tt_replay_work){i, r->factor};
    }
}

/* The operator's work on the device with most of it in the account; none there: TT_NONE and an empty set. */
static tt_ivs work_of(const tt_finding_context *c, const slow_op *op, uint32_t *device)
{
    tt_ivs most = {0};
    int64_t ns = 0;
    *device = TT_NONE;
    for (size_t i = 0; i < op->works.n;) { /* ascending order groups works by device */
        uint32_t d = c->work->streams[c->work->at[op->works.at[i].work].stream].device;
        const tt_work_device *dev = &c->work->devices[d];
        tt_ivs set = {0};
        for (; i < op->works.n && op->works.at[i].work < dev->first + dev->n; i++) {
            const tt_work *w = &c->work->at[op->works.at[i].work];
            tt_ivs_add(&set, w->start, w->end);
        }
        tt_ivs_normalise(&set);
        tt_ivs time = tt_account_of_device(&c->account, dev), own = tt_ivs_intersect(&set, &time);
        tt_vec_free(&set);
        tt_vec_free(&time);
        int64_t own_ns = tt_ivs_length(&own);
        bool more = tt_claim_rather(&c->source, d, own_ns, *device, ns);
        tt_vec_free(more ? &most : &own);
        if (more) most = own, ns = own_ns, *device = d;
    }
    return most;
}

static void say(tt_finding_context *c, slow_op *op, double busy_share)
{
    tt_arena *a = &c->t->arena;
    uint32_t device;
    tt_ivs work = work_of(c, op, &device);
    const char *cause = device == TT_NONE ? NULL : tt_finding_class_root(c, device, &work);
    if (device != TT_NONE && !cause) work = tt_finding_untaken(c, device, work);
    if (!work.n) {
        tt_vec_free(&work);
        return;
    }
    tt_claim claim = tt_claim_of_set(&c->source, device, &work);
    tt_vec_free(&work);
    bool compute = op->compute_ns * 2 > op->device_ns;
    int64_t bound = claim.ns;
    const char *title = tt_arena_printf(
        a, "Below the roofline: %s takes %.1f%% %s (%s, %.1f%% of the busy time) at %.1f%% of what the %s can %s",
        tt_str(&c->s->strings, op->name), tt_finding_pct(c, claim.device, claim.ns), tt_finding_of_time(c),
        tt_finding_time(c, &claim, "stretches"), busy_share, 100.0 * (double)op->roof_ns / (double)op->device_ns,
        c->s->rules->device, compute ? "compute" : "move");
    uint32_t row = tt_finding_add(
        c, "medium", title,
        tt_arena_printf(a, "%s. %" PRId64 " calls, most of the time with the shapes %s: see table roofline",
                        compute ? "Use larger inputs, sizes that are multiples of 16, a lower precision, or another "
                                  "implementation"
                                : "Fuse it with its neighbours, avoid layout copies, use a lower precision",
                        op->calls, tt_list_text(c->s, op->largest->shapes)));
    tt_finding_of(c, row)->cause = cause;
    tt_finding_claims(c, row, &claim);
    tt_finding_replay *r = tt_finding_replays(c, row, 0, bound);
    r->works = op->works.at;
    r->change.works = r->works;
    r->change.n_works = op->works.n;
    op->works.at = NULL;
    op->works.n = op->works.cap = 0;
}

void tt_find_below_roof(tt_finding_context *c)
{
    int64_t busy = 0;
    slow_list slow = {0};
    if (!c->gpu_time || !tt_roofline_any(c->s)) return;
    tt_groups_init(&slow.by_shapes);
    tt_groups_init(&slow.by_name);
    for (uint32_t i = 0; i < c->gpu_time->n_rows; i++) busy += tt_finding_int(c->gpu_time, i, "busy_ns");
    tt_roofline_rows rows = tt_roofline_rows_make(c->q);
    for (size_t i = 0; i < rows.n; i++) {
        tt_roofline_rate rate = tt_roofline_rate_of(&rows.at[i].work, &c->q->options);
        if (rate.roof_ns != TT_UNKNOWN && rate.of_roof_pct < FAR_BELOW) add_row(&slow, &rows.at[i], &rate);
    }
    if (slow.rows.n) find_works(c, &slow);
    for (size_t i = 0; i < slow.ops.n; i++) {
        double share = tt_pct((double)slow.ops.at[i].device_ns, (double)busy);
        if (share > LEAST_SHARE) say(c, &slow.ops.at[i], share);
        tt_vec_free(&slow.ops.at[i].works);
    }
    tt_vec_free(&slow.ops);
    tt_vec_free(&slow.rows);
    tt_groups_free(&slow.by_shapes);
    tt_groups_free(&slow.by_name);
    tt_vec_free(&rows);
}

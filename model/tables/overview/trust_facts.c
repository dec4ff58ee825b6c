/* model/tables/overview/trust_facts.c - the one pass over a trace that the checks of trust.h rest on. */
#include "model/tables/overview/trust_facts.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/interval_set.h"
#include "model/base/median.h"
#include "model/base/sort_by.h"

/* Kernels, copies and sets; not whole collectives, which some profilers show besides their tasks. */
static bool is_work(tt_kind k) { return k == TT_KIND_KERNEL || k == TT_KIND_MEMCPY || k == TT_KIND_MEMSET; }

/* Union of the steps with a slice, else the single step that stands for all host time. */
static tt_ivs time_of_steps(const tt_trace *s, bool host)
{
    tt_ivs set = {0};
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (p->row != TT_NONE || s->steps[0].row == TT_NONE)
            tt_ivs_add(&set, host ? p->host_start : p->start, host ? p->host_end : p->end);
    }
    tt_ivs_normalise(&set);
    return set;
}

static void count_work(const tt_trace *s, tt_trust_facts *f)
{
    tt_ivs steps = time_of_steps(s, false);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        int64_t t0 = s->start[d->row], ns = s->dur[d->row];
        if (!is_work(tt_row_kind(s, d->row))) continue;
        f->work++;
        f->work_ns += ns;
        f->outside_ns += ns - tt_ivs_length_in(&steps, t0, t0 + ns);
        f->brief += ns < TT_TRUST_SHORT_NS;
        if (!ns && !f->zero++) f->first_zero = d->row;
        if (d->launch == TT_NONE && d->op == TT_NONE) {
            if (!f->orphans++) f->first_orphan = d->row;
            f->early += tt_activity_asked_at(s, d) == INT64_MIN;
        }
        bool before = d->launch != TT_NONE && t0 < s->start[d->launch];
        if (before && f->first_before == TT_NONE) f->first_before = d->row;
        double occupancy = s->shapes[d->shape].occupancy_pct;
        if (occupancy >= 0) f->occupancy_ns += ns;
        if (occupancy == 0) f->occupancy_zero_ns += ns;
    }
    tt_vec_free(&steps);
}

/* Whether the call launches exactly one kernel: graphs launch any number. */
static bool launches_kernel(const char *name)
{
    return strstr(name, "LaunchKernel") || strstr(name, "LaunchCooperativeKernel");
}

/* Whether a driver call lies inside a runtime call: only one of both has the kernel. */
static bool is_inner(const tt_trace *s, tt_row r)
{
    return s->parent[r] != TT_NONE && tt_kind_is_launch(tt_row_kind(s, s->parent[r]));
}

static void count_calls(const tt_trace *s, tt_trust_facts *f)
{
    enum { NOT_ASKED, NO, YES };
    uint8_t *launches = tt_calloc(s->strings.text.n + (size_t)1, 1);
    for (uint32_t r = 0, link = 0; r < s->n; r++) {
        tt_kind k = tt_row_kind(s, r);
        if (!tt_kind_is_launch(k)) continue;
        f->host_calls = true;
        uint8_t *known = &launches[s->name[r]];
        if (!*known) *known = launches_kernel(tt_row_name(s, r)) ? YES : NO;
        while (link < s->n_links && s->launch_row[link] < r) link++;
        if (*known == NO || is_inner(s, r)) continue;
        f->calls++;
        if (link < s->n_links && s->launch_row[link] == r) continue;
        uint32_t inside;
        bool by_driver = r + 1 < s->n && s->parent[r + 1] == r && (tt_row_launched(s, r + 1, &inside), inside > 0);
        if (!by_driver && !f->lost_calls++) f->first_lost_call = r;
    }
    free(launches);
}

static void count_overhead(const tt_trace *s, tt_trust_facts *f)
{
    tt_ivs overhead = {0}, steps = time_of_steps(s, true);
    bool any = false;
    for (uint32_t c = 0; c < s->n_cats; c++) any |= s->cats[c].kind == TT_KIND_OVERHEAD;
    for (uint32_t r = 0; any && r < s->n; r++) {
        if (tt_row_kind(s, r) != TT_KIND_OVERHEAD) continue;
        int64_t t0 = s->start[r], t1 = tt_row_end(s, r);
        tt_ivs_add(&overhead, t0, t1);
        if (!tt_ivs_length_in(&steps, t0, t1)) continue;
        if (f->longest_overhead == TT_NONE || s->dur[r] > s->dur[f->longest_overhead]) f->longest_overhead = r;
    }
    tt_ivs_normalise(&overhead);
    tt_ivs inside = tt_ivs_intersect(&overhead, &steps);
    f->overhead_ns = tt_ivs_length(&inside);
    f->overhead_of_ns = tt_ivs_length(&steps);
    tt_vec_free(&inside);
    tt_vec_free(&overhead);
    tt_vec_free(&steps);
}

static void count_steps(const tt_trace *s, tt_trust_facts *f)
{
    int64_t *number = tt_malloc((s->n_steps + (size_t)1) * sizeof *number),
            *ns = tt_malloc((s->n_steps + (size_t)1) * 8);
    int64_t until = INT64_MIN;
    size_t n = 0, kept = 0;
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (p->row == TT_NONE) continue;
        number[n++] = p->number;
        if (p->host_start < until && !f->overlapping++) f->overlapping_step = i;
        if (p->host_end > until) until = p->host_end;
        f->steps += p->kept;
        f->cut_steps += !p->kept;
        if (!p->kept) continue;
        if (!kept) f->first_step = p->row;
        ns[kept++] = p->end - p->start;
    }
    TT_SORT_UP(number, n);
    for (size_t i = 1; i < n; i++) {
        uint64_t skipped = (uint64_t)number[i] - (uint64_t)number[i - 1];
        f->repeated += skipped == 0;
        if (skipped < 2) continue;
        if (!f->missing) f->first_missing = number[i - 1] + 1;
        f->missing += skipped - 1;
    }
    if (kept >= 2) {
        f->first_ns = ns[0];
        f->median_ns = tt_median(ns + 1, kept - 1);
    }
    free(number);
    free(ns);
}

tt_trust_facts tt_trust_count(const tt_trace *s)
{
    tt_trust_facts f = {.first_orphan = TT_NONE,
                        .first_zero = TT_NONE,
                        .first_before = TT_NONE,
                        .first_lost_call = TT_NONE,
                        .longest_overhead = TT_NONE,
                        .overlapping_step = TT_NONE,
                        .first_step = TT_NONE};
    count_work(s, &f);
    count_calls(s, &f);
    count_overhead(s, &f);
    count_steps(s, &f);
    return f;
}

/* model/tables/steps/account.c - see account.h. */
#include "model/tables/steps/account.h"

#include <stdlib.h>
#include <string.h>

#include "model/summary/stub.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/trace/analysis_cache.h"

/* the clocks differ when everything together lasts this many times as long as the longest of host and devices */
#define CLOCKS_APART 1000

const char *const tt_account_kind_name[] = {"recording", "steps", "range"};

/* ---- the recording ---- */

/* Whether slices of this category are activity, rather than say something about the recording or other slices. */
static bool is_activity(const tt_trace *s, uint32_t cat)
{
    static const char *const no_activity[] = {"cuda_profiler_range", "mtia_insight"};
    tt_kind kind = s->cats[cat].kind;
    if (kind == TT_KIND_OVERHEAD || kind == TT_KIND_TRACE || tt_kind_is_device(kind)) return false;
    for (size_t i = 0; i < COUNT_OF(no_activity); i++)
        if (!strcmp(tt_str(&s->strings, s->cats[cat].name), no_activity[i])) return false;
    return true;
}

static void find_host(const tt_trace *s, tt_recording *out)
{
    bool active[256];
    out->host_t0 = INT64_MAX;
    out->host_t1 = INT64_MIN;
    for (uint32_t c = 0; c < s->n_cats; c++) active[c] = is_activity(s, c);
    for (tt_row r = 0; r < s->n; r++) {
        int64_t end = tt_row_end(s, r);
        if (s->start[r] >= out->host_t0 && end <= out->host_t1) continue; /* nearly always true */
        if (!active[s->cat[r]]) continue;
        if (s->start[r] < out->host_t0) out->host_t0 = s->start[r];
        if (end > out->host_t1) out->host_t1 = end;
    }
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_device_work *w = tt_device_work_get(session, trace);
    tt_recording *x = tt_calloc(1, sizeof *x);
    find_host(session->traces[trace], x);
    x->t0 = x->host_t0;
    x->t1 = x->host_t1;
    int64_t longest = x->host_t0 < x->host_t1 ? x->host_t1 - x->host_t0 : 0;
    for (uint32_t i = 0; i < w->n_devices; i++) {
        const tt_work_device *d = &w->devices[i];
        if (d->start < x->t0) x->t0 = d->start;
        if (d->end > x->t1) x->t1 = d->end;
        if (d->end - d->start > longest) longest = d->end - d->start;
    }
    x->clocks_differ = longest > 0 && (x->t1 - x->t0) / CLOCKS_APART > longest;
    return x;
}

const tt_recording *tt_recording_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"recording", build, free};
    return tt_analysis_get(s, trace, &kind);
}

/* ---- the account ---- */

/* Add the windows of steps. Steps that were asked for count whole: the time window is cut out of them later. */
static void add_steps(const tt_session *session, const tt_scope *asked, uint32_t trace, tt_account *a)
{
    const tt_trace *s = session->traces[trace];
    tt_scope scope = *asked;
    scope.has_range = asked->has_range && !asked->has_steps;
    tt_windows windows = tt_scope_windows(session, &scope, trace);
    tt_query q = {.session = session, .scope = &scope, .trace = trace, .windows = &windows};
    int64_t last = INT64_MIN;
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (p->row == TT_NONE || !tt_step_shown(&q, p)) continue;
        a->steps++;
        tt_ivs_add(&a->time, p->start, p->end);
        if (p->end < last) continue;
        last = p->end;
        a->host = tt_row_track(s, p->row);
    }
    tt_ivs_normalise(&a->time);
    tt_windows_free(&windows);
}

/* Replace a->time by the time window, cut to the recording; when steps were asked for, keep the part of a->time
 * inside the window. */
static void cut_to_range(const tt_session *s, const tt_scope *scope, uint32_t trace, const tt_recording *r,
                         tt_account *a)
{
    int64_t t0, t1;
    tt_ivs range = {0}, time;
    if (__builtin_sub_overflow(scope->t0, s->offset_ns[trace], &t0) || t0 < r->t0) t0 = r->t0;
    if (__builtin_sub_overflow(scope->t1, s->offset_ns[trace], &t1) || t1 > r->t1) t1 = r->t1;
    if (t0 < t1) tt_ivs_add(&range, t0, t1);
    time = scope->has_steps ? tt_ivs_intersect(&a->time, &range) : range;
    if (scope->has_steps) tt_vec_free(&range);
    tt_vec_free(&a->time);
    a->time = time;
    a->kind = TT_ACCOUNT_RANGE;
}

/* Length of a summary without steps, whose collectives do not fill it: the length in table overview. */
static int64_t kept_ns(const tt_summary *x)
{
    const char *why;
    const tt_imported *t = tt_summary_rows(x, "overview", &why);
    int what = t ? tt_imported_column_of(t, "what") : -1, ns = t ? tt_imported_column_of(t, "time_ns") : -1;
    for (uint32_t r = 0; what >= 0 && ns >= 0 && r < t->n_rows; r++) {
        const tt_cell *row = t->cells + (size_t)r * t->n_cols;
        if (row[what].s && !strcmp(row[what].s, "window") && row[ns].i != TT_UNKNOWN) return row[ns].i;
    }
    return 0;
}

tt_account tt_account_make(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    tt_account a = {.host = TT_NONE};
    if (!tt_scope_has_trace(s, scope, trace)) return a;
    const tt_recording *r = tt_recording_get(s, trace);
    if (!scope->no_steps) add_steps(s, scope, trace, &a);
    if (scope->has_range)
        cut_to_range(s, scope, trace, r, &a);
    else if (a.steps || scope->has_steps)
        a.kind = TT_ACCOUNT_STEPS;
    else
        tt_ivs_add(&a.time, r->t0, r->t1);
    if (a.kind == TT_ACCOUNT_RECORDING)
        tt_ivs_normalise(&a.time); /* nothing was recorded, or the recording has no length */
    a.clocks_differ = r->clocks_differ && a.kind != TT_ACCOUNT_RANGE && !scope->has_steps;
    if (a.clocks_differ && a.kind == TT_ACCOUNT_RECORDING) {
        a.time.n = 0;
        if (r->host_t0 < r->host_t1) tt_ivs_add(&a.time, r->host_t0, r->host_t1);
    }
    a.ns = tt_ivs_length(&a.time);
    if (s->traces[trace]->summary && a.kind == TT_ACCOUNT_RECORDING) a.ns = kept_ns(tt_summary_of(s->traces[trace]));
    return a;
}

void tt_account_free(tt_account *a) { tt_vec_free(&a->time); }

tt_ivs tt_account_of_device(const tt_account *a, const tt_work_device *device)
{
    tt_ivs time = {0};
    if (a->clocks_differ) {
        if (device->start < device->end) tt_ivs_add(&time, device->start, device->end);
        return time;
    }
    for (size_t i = 0; i < a->time.n; i++) *tt_vec_push(&time) = a->time.at[i];
    return time;
}

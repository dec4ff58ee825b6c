/* tui/screens/verdict.c - see verdict.h. */
#include "tui/screens/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/analysis/python_line.h"
#include "model/tables/analysis/stages.h"
#include "model/tables/idle/gap_detail.h"
#include "tui/screen/table_fetch.h"
#include "tui/screens/step_parts.h"
#include "tui/widgets/format_value.h"

/* What share of the time a finding is about: the parts of the bar by title. */
static const struct {
    const char *id, *parts[2];
} about[] = {
    {"input_stall", {"input"}},
    {"input_bound", {"input", "DataLoader"}},
    {"host_bound", {"CPU", "launch"}},
    {"launch_bound", {"launch", "CPU"}},
    {"sync_stall", {"sync"}},
    {"stream_wait", {"queued"}},
    {"exposed_communication", {"exposed comm."}},
    {"communication_bound", {"exposed comm.", "Communication"}},
    {"exposed_copy", {"copies"}},
};

static int64_t share_about(const tt_time_shares *o, const char *id)
{
    int64_t ns = 0;
    for (size_t k = 0; k < sizeof about / sizeof *about; k++)
        for (int i = 0; i < o->n && !strcmp(id, about[k].id); i++)
            for (int p = 0; p < 2; p++)
                if (about[k].parts[p] && !strcmp(o->at[i].title, about[k].parts[p])) ns += o->at[i].ns;
    return ns;
}

uint32_t tt_verdict_root(const tt_table *t, const tt_time_shares *shares)
{
    uint32_t first = TT_NONE, costly = TT_NONE, best = TT_NONE;
    int64_t most_ns = shares->ns / 20;
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        if (*tt_cell_str(t, r, "cause")) continue;
        if (first == TT_NONE) first = r;
        if (!strcmp(tt_cell_str(t, r, "severity"), "info")) continue;
        if (costly == TT_NONE) costly = r;
        int64_t ns = share_about(shares, tt_cell_str(t, r, "id"));
        if (ns > most_ns) most_ns = ns, best = r;
    }
    return best != TT_NONE ? best : costly != TT_NONE ? costly : first;
}

void tt_frame_file_line(const char *frame, char *out, size_t cap)
{
    const char *open = strchr(frame, '(');
    const char *name = frame;
    out[0] = 0;
    if (!open || open == frame) return;
    for (const char *p = frame; p < open; p++)
        if (*p == '/' || *p == '\\') name = p + 1;
    long line = strtol(open + 1, NULL, 10);
    if (line > 0) snprintf(out, cap, "%.*s:%ld", (int)(open - name), name, line);
}

static int64_t step_at(const tt_trace *t, int64_t at)
{
    for (uint32_t i = 0; i < t->n_steps; i++)
        if (t->steps[i].row != TT_NONE && at >= t->steps[i].start && at < t->steps[i].end) return t->steps[i].number;
    return TT_UNKNOWN;
}

static bool is_input(const char *id) { return !strcmp(id, "input_stall") || !strcmp(id, "input_bound"); }

/* How long the steps of a trace wait for their input: which one longest, and whether all wait alike. False: no step
 * of the scope waits, or there is one only and the finding's own evidence says as much. */
static bool waits_of_steps(const tt_session *s, const tt_scope *scope, uint32_t trace, tt_verdict_place *p, char *frame,
                           size_t cap)
{
    const tt_trace *t = s->traces[trace];
    const tt_stages *st = tt_stages_get(s, trace);
    int64_t *waits = tt_calloc(t->n_steps + (size_t)1, sizeof *waits), sum = 0, least = INT64_MAX, once = 0;
    uint32_t n = 0, longest = TT_NONE;
    tt_windows w = tt_scope_windows(s, scope, trace);
    for (uint32_t i = 0; i < st->n; i++)
        if (st->at[i].stage == TT_STAGE_DATALOADER && st->at[i].step != TT_NONE)
            waits[st->at[i].step] += t->dur[st->at[i].row];
    for (uint32_t i = 0; i < t->n_steps; i++) {
        if (t->steps[i].row == TT_NONE || !t->steps[i].kept || !tt_windows_have_step(&w, &t->steps[i])) continue;
        n++;
        sum += waits[i];
        if (waits[i] < least) least = waits[i];
        if (longest == TT_NONE || waits[i] > waits[longest]) longest = i;
    }
    tt_windows_free(&w);
    bool any = n > 1 && waits[longest] > 0;
    if (any) {
        p->each = least * 4 >= waits[longest] * 3;
        p->step = t->steps[longest].number;
        p->ns = p->each ? sum / n : waits[longest];
    }
    for (uint32_t i = 0; i < st->n && any; i++) {
        if (st->at[i].stage != TT_STAGE_DATALOADER || st->at[i].step != longest || t->dur[st->at[i].row] <= once)
            continue;
        once = t->dur[st->at[i].row];
        tt_python_line_of_slice(t, st->at[i].row, frame, cap);
    }
    free(waits);
    return any;
}

/* The line of the program that the longest gap of a device in [a, b) of a trace waits for. */
static void line_of_gap(const tt_session *s, uint32_t trace, int64_t a, int64_t b, char *frame, size_t cap)
{
    const tt_device_work *w = tt_device_work_get(s, trace);
    tt_gap_detail longest = {.gap = {0}};
    for (uint32_t d = 0; d < w->n_devices; d++) {
        tt_gap_detail g;
        if (!tt_gap_detail_of(s, trace, d, a, b, &g)) continue;
        if (g.gap.t1 - g.gap.t0 > longest.gap.t1 - longest.gap.t0) longest = g;
    }
    if ((longest.gap.t1 - longest.gap.t0) * 2 > b - a) snprintf(frame, cap, "%s", longest.line);
}

void tt_verdict_find_place(const tt_session *s, const tt_scope *scope, const tt_table *t, uint32_t row,
                           tt_verdict_place *p)
{
    char frame[256] = "";
    *p = (tt_verdict_place){.ns = TT_UNKNOWN, .step = TT_UNKNOWN};
    const tt_drilldown *e = row != TT_NONE && t->origins ? &t->origins[row] : NULL;
    if (!e || e->trace >= s->n_traces || e->what == TT_ORIGIN_NONE) return;
    const tt_trace *trace = s->traces[e->trace];
    if (is_input(tt_cell_str(t, row, "id")) && waits_of_steps(s, scope, e->trace, p, frame, sizeof frame)) {
        /* that is its place */
    } else if (e->what == TT_ORIGIN_ROW) {
        p->ns = trace->dur[e->row];
        p->step = step_at(trace, trace->start[e->row]);
        tt_python_line_of_slice(trace, e->row, frame, sizeof frame);
    } else if (e->what == TT_ORIGIN_RANGE && e->t1 > e->t0) {
        int64_t a = e->t0 - s->offset_ns[e->trace], b = e->t1 - s->offset_ns[e->trace];
        p->ns = b - a;
        p->step = step_at(trace, a);
        line_of_gap(s, e->trace, a, b, frame, sizeof frame);
    }
    tt_frame_file_line(frame, p->line, sizeof p->line);
}

/* Whether the sentence says the step already. */
static bool names_step(const char *title)
{
    return strstr(title, "step ") && strpbrk(strstr(title, "step "), "0123456789");
}

/* All idle time, in permille, and its largest cause; NULL = none. */
static int idle_of(const tt_time_shares *o, const tt_time_share **largest)
{
    int all = 0;
    *largest = NULL;
    for (int i = 0; i < o->n; i++) {
        if (!o->at[i].idle) continue;
        all += o->at[i].permille;
        if (!*largest || o->at[i].ns > (*largest)->ns) *largest = &o->at[i];
    }
    return all;
}

static void no_findings(const tt_time_shares *o, char *out, size_t cap)
{
    const tt_time_share *idle;
    int busy = 1000 - idle_of(o, &idle);
    size_t n = (size_t)snprintf(out, cap, "No findings.");
    if (!o->device) return;
    n += (size_t)snprintf(out + n, cap - n, " GPU busy %d.%d%%", busy / 10, busy % 10);
    if (idle && n < cap)
        snprintf(out + n, cap - n, ", largest idle cause %d.%d%% (%s)", idle->permille / 10, idle->permille % 10,
                 idle->title);
}

/* Most of the exposed communication of what is in scope is waiting for one rank: that rank is the cause. False: it is
 * not, or not known. */
static bool waits_for(const tt_session *s, const tt_verdict *v, const char *id, char *out, size_t cap)
{
    const tt_straggler *x = v->straggler;
    const char *worker = v->steps && v->steps->n_rows && v->one_worker ? tt_cell_str(v->steps, 0, "worker") : "";
    char ns[TT_TEXT_CAP], why[160], buf[32], own[32];
    int64_t waited = 0, exposed = share_about(v->shares, "exposed_communication");
    if (strcmp(id, "exposed_communication") && strcmp(id, "communication_bound")) return false;
    if (!x || !strcmp(worker, x->worker)) return false;
    for (uint32_t r = 0; r < x->ranks->n_rows; r++)
        if (!*worker || !strcmp(worker, tt_cell_str(x->ranks, r, "worker"))) waited += x->waited[r];
    if (waited * 2 < exposed) return false;
    tt_straggler_why(x, why, sizeof why);
    snprintf(out, cap, "Straggler: %s waits %s for %s%s%s", *worker ? tt_rank_name(s, worker, own) : "the run",
             tt_brief_ns(ns, waited), tt_rank_name(s, x->worker, buf), *why ? "; " : "", why);
    return true;
}

/* The critical path may lie on the CPU though the device computes most of the time, right behind it: then the idle time
 * is what the CPU costs, and less than its part of the path. False: it is not so. */
static bool device_mostly_computes(const tt_session *s, const tt_time_shares *o, const char *id, char *out, size_t cap,
                                   tt_style *style)
{
    const char *device = s->n_traces ? s->traces[0]->rules->device : "GPU";
    int compute = 0, waits = 0;
    if (strcmp(id, "host_bound") != 0 && strcmp(id, "launch_bound") != 0) return false;
    for (int i = 0; i < o->n; i++) {
        if (!strcmp(o->at[i].title, "compute")) compute = o->at[i].permille;
        if (!strcmp(o->at[i].title, "CPU") || !strcmp(o->at[i].title, "launch")) waits += o->at[i].permille;
    }
    if (!o->device || compute < 500 || compute < waits) return false;
    const tt_time_share *largest;
    int idle = idle_of(o, &largest);
    size_t n =
        (size_t)snprintf(out, cap, "%s computes %d.%d%% of the time; it is ", device, compute / 10, compute % 10);
    *style = largest && idle > 0 ? TT_ROLE_WARN : TT_ROLE_BETTER;
    if (n >= cap) return true;
    if (*style == TT_ROLE_BETTER) {
        snprintf(out + n, cap - n, "hardly ever idle");
    } else if (waits >= largest->permille) {
        snprintf(out + n, cap - n, "idle %d.%d%%, waiting for CPU work and launches", waits / 10, waits % 10);
    } else {
        snprintf(out + n, cap - n, "idle %d.%d%%, largest cause %d.%d%% (%s)", idle / 10, idle % 10,
                 largest->permille / 10, largest->permille % 10, largest->title);
    }
    return true;
}

static tt_style style_of(const char *severity)
{
    if (!strcasecmp(severity, "high")) return TT_ROLE_ERROR;
    return strcasecmp(severity, "info") ? TT_ROLE_WARN : TT_ROLE_TEXT;
}

tt_style tt_verdict_text(const tt_session *s, const tt_verdict *v, char *out, size_t cap)
{
    const tt_table *t = v->findings;
    const tt_verdict_place *p = v->place;
    char ns[TT_TEXT_CAP], step[40] = "";
    out[0] = 0;
    if (!t) return TT_ROLE_DIM;
    uint32_t row = tt_verdict_root(t, v->shares);
    if (row == TT_NONE) {
        no_findings(v->shares, out, cap);
        return TT_ROLE_BETTER;
    }
    const char *id = tt_cell_str(t, row, "id");
    char title[512];
    tt_format_micro(tt_cell_str(t, row, "title"), title, sizeof title);
    tt_style style = style_of(tt_cell_str(t, row, "severity"));
    size_t n;
    if (waits_for(s, v, id, out, cap)) return style;
    if (device_mostly_computes(s, v->shares, id, out, cap, &style)) return style;
    if (p && p->step != TT_UNKNOWN) snprintf(step, sizeof step, "step %lld", (long long)p->step);
    if (is_input(id) && p && p->ns != TT_UNKNOWN) {
        const char *who = p->each ? "each step" : *step ? step : "the program";
        n = (size_t)snprintf(out, cap, "Input-bound: %s waits %s for the DataLoader", who, tt_brief_ns(ns, p->ns));
    } else {
        bool told = !*step || names_step(title) || !v->steps || v->steps->n_rows < 2;
        size_t brief = strcspn(title, "("); /* the details are in the list */
        while (brief && title[brief - 1] == ' ') brief--;
        n = (size_t)snprintf(out, cap, "%.*s%s%s", (int)brief, title, told ? "" : ", most in ", told ? "" : step);
    }
    if (p && *p->line && n < cap) snprintf(out + n, cap - n, ", %s", p->line);
    return style;
}

tt_style tt_verdict_of(tt_session *s, const tt_scope *scope, char *out, size_t cap)
{
    tt_scope all = *scope;
    all.worker = TT_ALL;
    const tt_table *steps = tt_table_of(s, scope, "step_breakdown"), *found = tt_table_of(s, scope, "findings");
    tt_time_shares shares =
        tt_time_shares_of(steps, tt_table_of(s, scope, "gpu_time"), tt_table_of(s, scope, "idle_causes"));
    tt_straggler late = {.row = TT_NONE};
    if (s->n_workers > 1)
        late = tt_straggler_of(tt_table_of(s, &all, "comm_ranks"), tt_table_of(s, &all, "comm_waits"),
                               tt_table_of(s, &all, "step_breakdown"));
    tt_verdict v = {.findings = found,
                    .steps = steps,
                    .shares = &shares,
                    .straggler = late.row != TT_NONE && late.waited ? &late : NULL,
                    .one_worker = scope->worker != TT_ALL};
    tt_verdict_place place;
    if (found) {
        tt_verdict_find_place(s, scope, found, tt_verdict_root(found, &shares), &place);
        v.place = &place;
    }
    tt_style style = tt_verdict_text(s, &v, out, cap);
    tt_straggler_free(&late);
    return style;
}

/* model/tables/overview/trust_checks.c - the checks of trust.h, one function each, registered by trust.def. A
 * function without anything to check adds nothing. */
#include "model/tables/overview/trust_checks.h"
#include "model/summary/stub.h"
#include "model/tables/communication/tables.h"
#include "model/tables/table_util.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Least shares for a doubt, percent. */
static const double ORPHANS = 1, LOST_CALLS = 2, OUTSIDE = 10, OVERHEAD = 5, MUCH_OVERHEAD = 20, ZERO = 1, BRIEF = 20,
                    EARLY_START = 1, NO_OCCUPANCY = 50, MUCH_DROPPED = 1;
static const double WARM_UP = 1.5; /* least ratio of the first step to the median */
enum { CLOCK_NOISE = 50000 };      /* scatter of a collective's ends even on one clock, ns */

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/* "1,234" */
static const char *count(tt_trust_context *c, uint64_t n)
{
    char digits[24], text[32];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    return tt_arena_strndup(&c->out->arena, text, (size_t)at);
}

/* "1 event", "1,234 events" */
static const char *counted(tt_trust_context *c, uint64_t n, const char *what)
{
    return tt_arena_printf(&c->out->arena, "%s %s%s", count(c, n), what, n == 1 ? "" : "s");
}

/* Percent with one decimal; never shows 0 or 100 unless exact. */
static const char *percent(tt_trust_context *c, double pct)
{
    if (pct > 0 && pct < 0.1) return "under 0.1%";
    if (pct < 100 && pct > 99.9) pct = 99.9;
    return tt_arena_printf(&c->out->arena, "%.1f%%", pct);
}

/* Whole percents, for a mark. */
static const char *whole_percent(tt_trust_context *c, double pct)
{
    if (pct > 0 && pct < 1) return "<1%";
    if (pct < 100 && pct > 99) pct = 99;
    return tt_arena_printf(&c->out->arena, "%.0f%%", pct);
}

static const char *time_text(tt_trust_context *c, int64_t ns)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double v = (double)ns / units[i].ns;
        if (v >= 1) return tt_arena_printf(&c->out->arena, "%.*f %s", v < 10 ? 2 : v < 100 ? 1 : 0, v, units[i].unit);
    }
    return tt_arena_printf(&c->out->arena, "%" PRId64 " ns", ns);
}

static const tt_trace *trace_of(const tt_trust_context *c, uint32_t i) { return c->s->traces[c->traces[i]]; }
/* The framework's word for its devices. */
static const char *gpu(const tt_trust_context *c) { return trace_of(c, 0)->rules->device; }

/* "1,234 GPU events" */
static const char *work_events(tt_trust_context *c)
{
    return counted(c, c->all.work, tt_arena_printf(&c->out->arena, "%s event", gpu(c)));
}

/* " of rank 3" if there are several ranks, else "". */
static const char *of_whom(tt_trust_context *c, uint32_t i)
{
    const tt_trace *s = trace_of(c, i);
    if (c->n_traces < 2) return "";
    if (s->rank >= 0) return tt_arena_printf(&c->out->arena, " of rank %" PRId64, s->rank);
    return tt_arena_printf(&c->out->arena, " of %.60s", s->worker);
}

static tt_trust_check *add(tt_trust_context *c, const char *check, tt_trust_level v, const char *evidence)
{
    tt_trust_check *k = tt_vec_push(&c->out->checks);
    *k = (tt_trust_check){.check = check, .verdict = v, .evidence = evidence};
    return k;
}

/* Add a doubt with its mark and the affected results. */
static tt_trust_check *doubt(tt_trust_context *c, const char *check, tt_trust_level v, const char *brief,
                             const char *evidence, const char *affects)
{
    tt_trust_check *k = add(c, check, v, evidence);
    k->brief = brief;
    k->affects = c->n_traces ? tt_in_words_of(&c->out->arena, trace_of(c, 0)->rules->device, affects) : affects;
    return k;
}

static void at_row(tt_trust_context *c, tt_trust_check *k, uint32_t trace, tt_row row)
{
    if (row != TT_NONE) k->drilldown = (tt_drilldown){.what = TT_DRILL_ROW, .trace = c->traces[trace], .row = row};
}

/* Lead the check to the first slice of this fact in any trace. */
static void at_first(tt_trust_context *c, tt_trust_check *k, size_t member)
{
    for (uint32_t i = 0; i < c->n_traces && k->drilldown.what == TT_DRILL_NONE; i++) {
        tt_row row;
        memcpy(&row, (const char *)&c->of[i] + member, sizeof row);
        at_row(c, k, i, row);
    }
}
#define AT_FIRST(c, k, member) at_first(c, k, offsetof(tt_trust_facts, member))

static uint64_t problems(const tt_trust_context *c, tt_problem_kind kind)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->n_traces; i++) n += trace_of(c, i)->problems.of[kind].count;
    return n;
}

/* ---- what was read ---- */

#define CUT_AFFECTS "all totals and counts: what is missing is in none"

void tt_trust_check_input(tt_trust_context *c)
{
    static const struct {
        tt_problem_kind kind;
        tt_trust_level level;
        const char *brief, *affects;
    } cut[] = {
        {TT_PROBLEM_TRUNCATED, TT_TRUST_BAD, "input is cut off", CUT_AFFECTS},
        {TT_PROBLEM_BAD_COMPRESSION, TT_TRUST_BAD, "compressed input is damaged", CUT_AFFECTS},
        {TT_PROBLEM_ARCHIVE_CUT, TT_TRUST_BAD, "archive is cut off", CUT_AFFECTS},
        {TT_PROBLEM_FILE_CHANGED, TT_TRUST_BAD, "input changed while it was read", CUT_AFFECTS},
        {TT_PROBLEM_CANCELLED, TT_TRUST_BAD, "loading was cancelled", CUT_AFFECTS},
        {TT_PROBLEM_MISSING_FILE, TT_TRUST_WARN, "a file of the folder is missing", "tables that need the file"},
        {TT_PROBLEM_RECORDER_TAKEN, TT_TRUST_BAD, "another profiler took CUPTI", "device work and API calls after it"},
        {TT_PROBLEM_UNCLEAN_END, TT_TRUST_WARN, "recorded process was killed", "the last moments of the recording"},
    };
    uint64_t lost = 0, repaired = 0;
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        if (k == TT_PROBLEM_RECORDER_DROPS) continue; /* has a check of its own, below */
        if (tt_problem_level_of[k] == TT_LEVEL_LOSS) lost += problems(c, (tt_problem_kind)k);
        if (tt_problem_level_of[k] == TT_LEVEL_REPAIR) repaired += problems(c, (tt_problem_kind)k);
    }
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        if (!problems(c, cut[i].kind)) continue;
        doubt(c, "input complete", cut[i].level, cut[i].brief, tt_problem_meaning[cut[i].kind], cut[i].affects);
        return;
    }
    if (!lost && !repaired) {
        add(c, "input complete", TT_TRUST_OK, "nothing was lost or repaired while reading");
        return;
    }
    const char *what = counted(c, lost ? lost : repaired, lost ? "event" : "repair");
    doubt(c, "input complete", TT_TRUST_WARN,
          tt_arena_printf(&c->out->arena, lost ? "%s could not be read" : "%s of the input", what),
          tt_arena_printf(&c->out->arena, "%s lost, %s repaired while reading: see Problems", count(c, lost),
                          count(c, repaired)),
          lost ? "totals and counts, by what was lost" : "the events that were repaired");
}

void tt_trust_check_dropped(tt_trust_context *c)
{
    uint64_t dropped = problems(c, TT_PROBLEM_RECORDER_DROPS), events = 0;
    for (uint32_t i = 0; i < c->n_traces; i++) {
        const char *cut = tt_trace_meta(trace_of(c, i), "truncated_by_producer");
        events += trace_of(c, i)->n;
        if (!cut || !*cut) continue;
        doubt(c, "dropped events", TT_TRUST_BAD, "profiler cut the recording",
              tt_arena_printf(&c->out->arena, "the profiler cut the recording%s: %.300s", of_whom(c, i), cut),
              "everything after the cut; tables from other files may have it");
        return;
    }
    if (!dropped) return; /* the recorder's silence does not prove that nothing was dropped */
    double pct = share((double)dropped, (double)dropped + (double)events);
    doubt(
        c, "dropped events", pct >= MUCH_DROPPED ? TT_TRUST_BAD : TT_TRUST_WARN,
        tt_arena_printf(&c->out->arena, "%s dropped", counted(c, dropped, "event")),
        tt_arena_printf(&c->out->arena, "the profiler dropped %s (%s)", counted(c, dropped, "event"), percent(c, pct)),
        "totals and counts are too small");
}

/* ---- device work and its launches ---- */

void tt_trust_check_no_work(tt_trust_context *c)
{
    if (c->all.work || !c->all.calls) return;
    tt_trust_check *k = doubt(
        c, "device activity", TT_TRUST_BAD, tt_arena_printf(&c->out->arena, "no %s activity recorded", gpu(c)),
        tt_arena_printf(&c->out->arena, "%s, but no kernel was recorded", counted(c, c->all.calls, "launch call")),
        "everything about devices: idle time, utilisation, kernels");
    AT_FIRST(c, k, first_lost_call);
}

void tt_trust_check_lost_kernels(tt_trust_context *c)
{
    if (!c->all.work || !c->all.calls) return;
    double pct = share((double)c->all.lost_calls, (double)c->all.calls);
    if (pct < LOST_CALLS) {
        add(c, "kernels of launches", TT_TRUST_OK,
            tt_arena_printf(&c->out->arena, "%s of %s have no kernel", count(c, c->all.lost_calls),
                            counted(c, c->all.calls, "launch call")));
        return;
    }
    tt_trust_check *k =
        doubt(c, "kernels of launches", TT_TRUST_WARN,
              tt_arena_printf(&c->out->arena, "%s of launches have no kernel", whole_percent(c, pct)),
              tt_arena_printf(&c->out->arena, "%s of %s (%s) have no kernel in the trace", count(c, c->all.lost_calls),
                              counted(c, c->all.calls, "launch call"), percent(c, pct)),
              "kernel times and utilisation are too small");
    AT_FIRST(c, k, first_lost_call);
}

static bool has_kind(const tt_trust_context *c, tt_kind kind)
{
    for (uint32_t i = 0; i < c->n_traces; i++)
        for (uint32_t k = 0; k < trace_of(c, i)->n_cats; k++)
            if (trace_of(c, i)->cats[k].kind == kind) return true;
    return false;
}

void tt_trust_check_no_launch(tt_trust_context *c)
{
    static const char no_launch[] = "GPU time of operators, modules and steps; why devices wait";
    if (!c->all.work) return;
    double pct = share((double)c->all.orphans, (double)c->all.work);
    const char *all = work_events(c), *device = gpu(c);
    if (pct < ORPHANS) {
        add(c, "launches", TT_TRUST_OK,
            tt_arena_printf(&c->out->arena, "%s of %s (%s) have no launch", count(c, c->all.orphans), all,
                            percent(c, pct)));
        return;
    }
    const char *early = c->all.early ? tt_arena_printf(&c->out->arena, "; %s launched before the recording began",
                                                       count(c, c->all.early))
                                     : "";
    if (!c->all.host_calls && !has_kind(c, TT_KIND_CPU_OP)) {
        doubt(c, "launches", TT_TRUST_OK, NULL,
              "neither runtime calls nor operators were recorded: there is nothing to link", no_launch);
        return;
    }
    tt_trust_check *k =
        doubt(c, "launches", TT_TRUST_WARN,
              tt_arena_printf(&c->out->arena, "%s of %s events have no launch", whole_percent(c, pct), device),
              c->all.host_calls
                  ? tt_arena_printf(&c->out->arena, "%s of %s (%s) have no launch in the trace%s",
                                    count(c, c->all.orphans), all, percent(c, pct), early)
                  : tt_arena_printf(&c->out->arena, "%s of %s (%s) have no launch: no runtime calls were recorded",
                                    count(c, c->all.orphans), all, percent(c, pct)),
              no_launch);
    AT_FIRST(c, k, first_orphan);
}

/* ---- clocks ---- */

void tt_trust_check_rank_clocks(tt_trust_context *c)
{
    bool absolute = true;
    uint32_t doubtful = 0, rows = 0;
    if (c->n_traces < 2 || c->s->n_workers < 2 || c->scope->worker != TT_ALL) return;
    for (uint32_t i = 0; i < c->n_traces; i++)
        absolute = absolute && (trace_of(c, i)->absolute || !trace_of(c, i)->n_events);
    tt_table *t = tt_table_compute(c->s, &tt_table_comm_clock, c->scope, &(tt_options){0});
    int trusted = tt_table_column(t, "trusted"), worker = tt_table_column(t, "worker"),
        spread = tt_table_column(t, "spread_ns");
    const char *who = NULL;
    int64_t most = 0;
    for (uint32_t r = 0; r < t->n_rows && trusted >= 0 && worker >= 0 && spread >= 0; r++) {
        int64_t ns = tt_table_cell(t, r, (uint32_t)spread).i;
        rows++;
        if (tt_table_cell(t, r, (uint32_t)trusted).i > 0 || ns <= CLOCK_NOISE) continue;
        doubtful++;
        if (ns >= most) {
            most = ns;
            who = tt_arena_printf(&c->out->arena, "%.60s", tt_table_cell(t, r, (uint32_t)worker).s);
        }
    }
    tt_table_free(t);
    const char *whom = c->s->n_spans > 1 ? "recording" : "rank";
    static const char check[] = "clocks of ranks", affects[] = "which rank is last to arrive, and waits in collectives";
    if (doubtful) {
        doubt(c, check, TT_TRUST_WARN, "clocks of ranks not aligned",
              tt_arena_printf(&c->out->arena, "%s of %s: the ends of shared collectives differ by up to %s (%s)",
                              count(c, doubtful), counted(c, rows, whom), time_text(c, most), who),
              affects);
    } else if (rows) {
        add(c, check, TT_TRUST_OK,
            tt_arena_printf(&c->out->arena, "%s agree at the ends of their collectives", counted(c, rows, whom)));
    } else if (!absolute) {
        doubt(c, check, TT_TRUST_WARN, "clocks of ranks not comparable",
              "no collective is shared, and times are not those of a wall clock", affects);
    }
}

/* A single rank needs no check; a few of many can be mistaken for all. */
void tt_trust_check_ranks(tt_trust_context *c)
{
    int64_t world = 0;
    for (uint32_t i = 0; i < c->n_traces; i++)
        if (trace_of(c, i)->world_size > world) world = trace_of(c, i)->world_size;
    if (world < 2) return;
    uint32_t open = c->scope->worker == TT_ALL ? c->s->n_workers : 1;
    tt_trust_check *k =
        add(c, "ranks", TT_TRUST_OK,
            tt_arena_printf(&c->out->arena, "%s of %s are open", count(c, open), counted(c, (uint64_t)world, "rank")));
    if (open < world) k->affects = "stragglers and waits: of the ranks that are open only";
}

void tt_trust_check_host_clock(tt_trust_context *c)
{
    uint64_t n = problems(c, TT_PROBLEM_BEFORE_LAUNCH), launched = c->all.work - c->all.orphans;
    if (!launched) return;
    double pct = share((double)n, (double)launched);
    const char *evidence = tt_arena_printf(&c->out->arena, "%s of %s %s events with a launch (%s) start before it",
                                           count(c, n), count(c, launched), gpu(c), percent(c, pct));
    if (pct < EARLY_START) {
        add(c, "clock of the host", TT_TRUST_OK, evidence);
        return;
    }
    tt_trust_check *k = doubt(
        c, "clock of the host", TT_TRUST_WARN,
        tt_arena_printf(&c->out->arena, "%s of %s events start before their launch", whole_percent(c, pct), gpu(c)),
        tt_arena_printf(&c->out->arena, "%s: the clocks of host and %s differ", evidence, gpu(c)),
        "launch delays, queue lengths and why devices wait");
    AT_FIRST(c, k, first_before);
}

/* A microsecond clock rounds kernels by up to a microsecond: much for kernels of a few microseconds. */
void tt_trust_check_resolution(tt_trust_context *c)
{
    bool coarse = false;
    if (!c->all.work) return;
    for (uint32_t i = 0; i < c->n_traces; i++) coarse |= trace_of(c, i)->resolution_ns >= 1000;
    double zero = share((double)c->all.zero, (double)c->all.work),
           brief = share((double)c->all.brief, (double)c->all.work);
    const char *clock = coarse ? "times are whole microseconds" : "times are nanoseconds";
    const char *evidence =
        tt_arena_printf(&c->out->arena, "%s: %s of %s (%s) have a duration of 0, %s are under 10 us", clock,
                        count(c, c->all.zero), work_events(c), percent(c, zero), percent(c, brief));
    static const char affects[] = "times of short kernels, gaps between them, launch delays";
    tt_trust_check *k;
    if (zero >= ZERO) {
        k = doubt(c, "timestamps", TT_TRUST_WARN,
                  tt_arena_printf(&c->out->arena, "%s of %s events have no duration", whole_percent(c, zero), gpu(c)),
                  evidence, affects);
    } else if (coarse && brief >= BRIEF) {
        k = doubt(c, "timestamps", TT_TRUST_WARN, "times are whole microseconds", evidence, affects);
    } else {
        k = add(c, "timestamps", TT_TRUST_OK, evidence);
    }
    AT_FIRST(c, k, first_zero);
}

/* ---- steps ---- */

void tt_trust_check_steps(tt_trust_context *c)
{
    for (uint32_t i = 0; i < c->n_traces; i++) {
        const tt_trust_facts *f = &c->of[i];
        const char *steps = counted(c, f->steps + f->cut_steps, "step");
        tt_trust_check *k = NULL;
        if (f->overlapping) {
            k = doubt(c, "steps", TT_TRUST_WARN, "steps overlap",
                      tt_arena_printf(&c->out->arena,
                                      "%s of %s%s begin before an earlier one ends: several loops or "
                                      "processes in one file",
                                      count(c, f->overlapping), steps, of_whom(c, i)),
                      "times of steps: what runs at once counts in the step begun last");
            at_row(c, k, i, trace_of(c, i)->steps[f->overlapping_step].row);
        } else if (f->repeated) {
            k = doubt(c, "steps", TT_TRUST_WARN, "step numbers repeat",
                      tt_arena_printf(&c->out->arena,
                                      "%s of %s%s have the number of an earlier one: several runs in one file",
                                      count(c, f->repeated), steps, of_whom(c, i)),
                      "means and totals over steps, choosing steps by number");
        } else if (f->missing) {
            k = doubt(c, "steps", TT_TRUST_WARN,
                      tt_arena_printf(&c->out->arena, "%s missing", counted(c, f->missing, "step")),
                      tt_arena_printf(&c->out->arena, "%s missing%s, step %" PRId64 " first",
                                      counted(c, f->missing, "step"), of_whom(c, i), f->first_missing),
                      "means and totals over steps");
        }
        if (k) return;
    }
    if (!(c->all.steps + c->all.cut_steps)) return;
    tt_arena *a = &c->out->arena;
    const char *cut =
        c->all.cut_steps ? tt_arena_printf(a, "; %s incomplete and left out", count(c, c->all.cut_steps)) : "";
    add(c, "steps", TT_TRUST_OK,
        tt_arena_printf(a, "%s, none overlaps, repeats or is missing%s",
                        counted(c, (uint64_t)c->all.steps + c->all.cut_steps, "step"), cut));
}

void tt_trust_check_warm_up(tt_trust_context *c)
{
    uint32_t worst = TT_NONE;
    double most = 0;
    for (uint32_t i = 0; i < c->n_traces; i++) {
        const tt_trust_facts *f = &c->of[i];
        double times = f->median_ns > 0 ? (double)f->first_ns / (double)f->median_ns : 0;
        if (times > most) most = times, worst = i;
    }
    if (worst == TT_NONE) return;
    const tt_trust_facts *f = &c->of[worst];
    const char *evidence =
        tt_arena_printf(&c->out->arena, "the first step%s takes %s, %.1fx the median of the others (%s)",
                        of_whom(c, worst), time_text(c, f->first_ns), most, time_text(c, f->median_ns));
    tt_trust_check *k;
    if (most >= WARM_UP) {
        k = doubt(c, "warm-up", TT_TRUST_WARN,
                  tt_arena_printf(&c->out->arena, "first step is %.1fx the median: warm-up", most), evidence,
                  "means and totals over steps, the slowest step");
    } else {
        k = add(c, "warm-up", TT_TRUST_OK, evidence);
    }
    at_row(c, k, worst, f->first_step);
}

void tt_trust_check_outside_steps(tt_trust_context *c)
{
    if (!c->all.work_ns) return;
    double pct = share((double)c->all.outside_ns, (double)c->all.work_ns);
    bool steps = c->all.steps + c->all.cut_steps > 0, by_host = trace_of(c, 0)->rules->steps_are_host_ranges;
    const char *outside = time_text(c, c->all.outside_ns), *all = time_text(c, c->all.work_ns);
    if (pct < OUTSIDE) {
        add(c, "work in steps", TT_TRUST_OK,
            tt_arena_printf(&c->out->arena, "%s of %s of %s work lie in no step", outside, all, gpu(c)));
        return;
    }
    const char *why = !steps    ? "run outside of the time that the CPU recorded, and there are no steps"
                      : by_host ? "lie in no step: kernels outlast their steps"
                                : "lie in no step";
    const char *brief = !steps ? "is not in the step tables" : by_host ? "outlasts the steps" : "is in no step";
    doubt(c, "work in steps", TT_TRUST_WARN,
          tt_arena_printf(&c->out->arena, "%s of %s time %s", whole_percent(c, pct), gpu(c), brief),
          tt_arena_printf(&c->out->arena, "%s of %s of %s work %s", outside, all, gpu(c), why),
          by_host ? "utilisation and SM efficiency, which are limited to 100%"
                  : "where a step goes, sums over steps, utilisation");
}

/* ---- the profiler ---- */

/* What the profiler recorded at a cost, as the file says: "Python stacks, shapes, memory". */
static const char *costly(tt_trust_context *c)
{
    static const char *const key[] = {"with_stack", "record_shapes", "profile_memory"};
    static const char *const what[] = {"Python stacks", "shapes", "memory"};
    const char *text = "";
    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        const char *v = tt_trace_meta(trace_of(c, 0), key[i]);
        if (!v || (strcmp(v, "1") != 0 && strcmp(v, "true") != 0)) continue;
        text = tt_arena_printf(&c->out->arena, "%s%s%s", text, *text ? ", " : "", what[i]);
    }
    return text;
}

void tt_trust_check_overhead(tt_trust_context *c)
{
    uint32_t worst = 0;
    double pct = -1;
    const char *cost = costly(c);
    for (uint32_t i = 0; i < c->n_traces; i++) {
        double of = share((double)c->of[i].overhead_ns, (double)c->of[i].overhead_of_ns);
        if (c->of[i].longest_overhead != TT_NONE && of > pct) pct = of, worst = i;
    }
    if (pct < 0 && !*cost) return;
    const char *evidence = "";
    if (pct >= 0) {
        const tt_trace *s = trace_of(c, worst);
        tt_row r = c->of[worst].longest_overhead;
        evidence =
            tt_arena_printf(&c->out->arena, "%s of the steps%s (%s) is the profiler's own, most of it %.60s (%s)",
                            time_text(c, c->of[worst].overhead_ns), of_whom(c, worst), percent(c, pct),
                            tt_row_name(s, r), time_text(c, s->dur[r]));
    }
    if (*cost) {
        evidence = tt_arena_printf(&c->out->arena, "%s%s%s recorded, which slows the CPU down", evidence,
                                   *evidence ? "; " : "", cost);
    }
    static const char affects[] = "CPU times, and idle time where the CPU sets the pace";
    tt_trust_check *k;
    if (pct >= OVERHEAD) {
        k = doubt(c, "profiler overhead", pct >= MUCH_OVERHEAD ? TT_TRUST_BAD : TT_TRUST_WARN,
                  tt_arena_printf(&c->out->arena, "profiler overhead: %s of the steps", whole_percent(c, pct)),
                  evidence, affects);
    } else {
        k = add(c, "profiler overhead", TT_TRUST_OK, evidence);
        if (*cost) k->affects = affects;
    }
    if (pct >= 0) at_row(c, k, worst, c->of[worst].longest_overhead);
}

/* Occupancy is estimated from the launch and rounded down to whole percents: small grids show 0. */
void tt_trust_check_occupancy(tt_trust_context *c)
{
    if (!c->all.occupancy_ns) return;
    double pct = share((double)c->all.occupancy_zero_ns, (double)c->all.occupancy_ns);
    const char *evidence =
        tt_arena_printf(&c->out->arena, "%s of the kernel time with an occupancy has 0%%", percent(c, pct));
    if (pct < NO_OCCUPANCY) {
        add(c, "occupancy", TT_TRUST_OK, evidence);
        return;
    }
    doubt(c, "occupancy", TT_TRUST_WARN,
          tt_arena_printf(&c->out->arena, "occupancy is 0 for %s of kernel time", whole_percent(c, pct)), evidence,
          "occupancy of devices and kernels: rounded down, or not measured");
}

/* State what was not recorded: no doubt, but the reason of an empty screen. */
void tt_trust_check_recorded(tt_trust_context *c)
{
    bool host = false, stacks = false, shapes = false, memory = false;
    for (uint32_t i = 0; i < c->n_traces; i++) {
        const tt_trace *s = trace_of(c, i);
        for (uint32_t k = 0; k < s->n_cats; k++) {
            host |= s->cats[k].kind == TT_KIND_CPU_OP;
            stacks |= tt_kind_is_python(s->cats[k].kind);
        }
        for (uint32_t k = 0; k < s->n_op_args; k++) {
            stacks |= s->op_args[k].stack != 0;
            shapes |= s->op_args[k].shapes != 0;
        }
        memory |= s->n_memory > 0;
    }
    if (!host) return;
    const struct {
        bool has;
        const char *what, *affects;
    } part[] = {{stacks, "Python stacks", "source lines, modules"},
                {shapes, "shapes", "groups by shape, FLOPs"},
                {memory, "memory", "Memory"}};
    const char *has = "", *lacks = "", *affects = "";
    tt_arena *a = &c->out->arena;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const char **to = part[i].has ? &has : &lacks;
        *to = tt_arena_printf(a, "%s%s%s", *to, **to ? ", " : "", part[i].what);
        if (!part[i].has) affects = tt_arena_printf(a, "%s%s%s", affects, *affects ? "; " : "", part[i].affects);
    }
    tt_trust_check *k = add(c, "recorded", TT_TRUST_OK,
                            !*lacks ? tt_arena_printf(a, "%s", has)
                            : *has  ? tt_arena_printf(a, "%s; no %s", has, lacks)
                                    : tt_arena_printf(a, "no %s", lacks));
    if (*affects) k->affects = affects;
}

/* ---- summaries: doubts when each recording was summarised ---- */

/* Whether the check also runs on summaries. */
static bool made_here(const char *check)
{
    static const char *const here[] = {"input complete", "clocks of ranks", "ranks", "steps", "warm-up", "recorded"};
    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        if (!strcmp(here[i], check)) return true;
    return false;
}

typedef struct doubted { /* check that some recordings failed */
    const char *check, *evidence, *affects;
    tt_trust_level level;
    uint32_t n, last; /* number of recordings, and the last one */
} doubted;
typedef TT_VEC(doubted) doubted_list;

static void doubt_recording(doubted_list *l, uint32_t i, const tt_imported *t)
{
    const int check = tt_imported_column_of(t, "check"), verdict = tt_imported_column_of(t, "verdict");
    const int evidence = tt_imported_column_of(t, "evidence"), affects = tt_imported_column_of(t, "affects");
    if (check < 0 || verdict < 0 || t->cols[check].type != TT_T_STRING || t->cols[verdict].type != TT_T_STRING) return;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const tt_cell *row = &t->cells[(size_t)r * t->n_cols];
        const char *name = row[check].s, *word = row[verdict].s;
        if (!name || !word || made_here(name) || !strcmp(word, tt_trust_level_name[TT_TRUST_OK])) continue;
        size_t at = 0;
        while (at < l->n && strcmp(l->at[at].check, name) != 0) at++;
        if (at == l->n && at >= 32) continue; /* limit: there are fewer checks */
        if (at == l->n) *tt_vec_push(l) = (doubted){.check = name, .last = TT_NONE};
        doubted *d = &l->at[at];
        if (!d->n && evidence >= 0 && t->cols[evidence].type == TT_T_STRING) d->evidence = row[evidence].s;
        if (!d->n && affects >= 0 && t->cols[affects].type == TT_T_STRING) d->affects = row[affects].s;
        if (!strcmp(word, tt_trust_level_name[TT_TRUST_BAD])) d->level = TT_TRUST_BAD;
        if (d->last != i) d->n++;
        d->last = i;
    }
}

void tt_trust_check_recordings(tt_trust_context *c)
{
    doubted_list l = {0};
    uint32_t all = 0;
    for (uint32_t i = 0; i < c->n_traces; i++) {
        const tt_summary *x = tt_summary_of(trace_of(c, i));
        const char *note;
        const tt_imported *t = x ? tt_summary_rows(x, "trust", &note) : NULL;
        all += x != NULL;
        if (t) doubt_recording(&l, i, t);
    }
    if (all && !l.n)
        add(c, "recordings", TT_TRUST_OK,
            tt_arena_printf(&c->out->arena, "%s, none doubted when it was summarised", counted(c, all, "recording")));
    for (size_t i = 0; i < l.n; i++) {
        const doubted *d = &l.at[i];
        const char *of = tt_arena_printf(&c->out->arena, "%s of %s", count(c, d->n), counted(c, all, "recording"));
        doubt(c, d->check, d->level == TT_TRUST_BAD ? TT_TRUST_BAD : TT_TRUST_WARN,
              tt_arena_printf(&c->out->arena, "%s: %s", d->check, of),
              tt_arena_printf(&c->out->arena, "%s; the first: %s", of, d->evidence ? d->evidence : ""),
              d->affects ? d->affects : "");
    }
    tt_vec_free(&l);
}

/* model/tables/findings/findings.c - table findings: what an experienced person would notice first, each with the
 * number that proves it.
 *
 * The rules are listed in claims/findings.def; their functions are in rules/, by theme. This file runs them, and
 * gives their findings causes, savings and an order. Limits are those of TensorBoard's plugin if it has them. */
#include "model/tables/findings/findings.h"
#include "model/tables/idle/tables.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/tables/findings/none_found.h"
#include "model/tables/findings/ranking.h"
#include "model/tables/findings/root_claims.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/findings/rules/stragglers.h"
#include "model/tables/operators/roofline.h"
#include "model/tables/summary_rows.h"
#include "model/text/process_name.h"

static const struct {
    const char *id, *under;
    void (*find)(tt_finding_context *c);
} rules[] = {
#define X(id, rank, under) {#id, (under), tt_find_##id},
#include "model/tables/findings/claims/findings.def"
#undef X
};

static const tt_column columns[] = {
    [TT_FINDING_ID] = COL("id", "Id", STRING, 2, "name of the rule"),
    [TT_FINDING_SEVERITY] = COL("severity", "Severity", STRING, 1, "high, medium, or info"),
    [TT_FINDING_TITLE] = COL("title", "Finding", STRING, 0, "what was found"),
    [TT_FINDING_DETAIL] = COL("detail", "What to do", STRING, 1, "why, and what helps"),
    [TT_FINDING_CAUSE] =
        COL_OPT("cause", "Symptom of", STRING, 3,
                "id of the finding that this one is a symptom of: their time is the same, and counts once"),
    [TT_FINDING_DEVICE] = COL("device", "Device", STRING, 3, "device whose time it claims"),
    [TT_FINDING_TIME] = COL("time_ns", "Time", DURATION, 2,
                            "time of the account that it claims on that device: gpu_time.total_ns has all"),
    [TT_FINDING_COUNT] = COL("count", "Pieces", COUNT, 4,
                             "pieces of that time which are at least 1% of the longest: see table evidence"),
    [TT_FINDING_LONGEST] = COL("longest_ns", "Longest", DURATION, 4, "the longest piece"),
    [TT_FINDING_LINE] = COL("line", "Line", STRING, 3, "line of the program below which most of that time goes"),
    [TT_FINDING_VALUE_PCT] =
        COL("value_pct", "Value %", PERCENT, 0,
            "the number the rule looks at: share of the account, utilization, share of kernel time, share of memory"),
    [TT_FINDING_SAVING] =
        COL("saving_ns", "Saves up to", DURATION, 2,
            "the account would be so much shorter without it: a replay of the critical path, see what_if"),
    [TT_FINDING_START_AT] =
        COL("start_at_ns", "Start", TIME, 4, "start of the shortest window that shows at least half of its time"),
    [TT_FINDING_END_AT] = COL("end_at_ns", "End", TIME, 4, "end of that window"),
};

/* ---- data that the rules examine ---- */

enum { THE_PATH, THE_STEPS, THE_GPUS, THE_ROOFLINE, THE_CLAIMS, PARTS };

/* tasks that run side by side */
static void make_part(void *arg, size_t part)
{
    tt_finding_context *c = arg;
    const tt_query *q = c->q;
    if (part == THE_PATH) c->path = tt_path_make(q->session, q->scope, q->trace);
    if (part == THE_STEPS) c->steps = tt_breakdown_make(q);
    if (part == THE_GPUS) c->gpus = tt_gpus_make(q);
    if (part == THE_ROOFLINE && c->work->n && tt_roofline_any(c->s)) (void)tt_roofline_get(q->session, q->trace);
    if (part == THE_CLAIMS && c->work->n) tt_root_claims_make(c);
}

static void open_context(tt_finding_context *c)
{
    const tt_query *q = c->q;
    c->work = tt_device_work_get(q->session, q->trace);
    c->account = tt_account_make(q->session, q->scope, q->trace);
    c->source = (tt_claim_source){q->session, q->trace, &c->account, c->work, &c->t->arena};
    c->first_call = TT_NONE;
    tt_parallel(tt_threads(), PARTS, make_part, c);
    if (c->steps.n) {
        c->t0 = c->steps.at[0].step->start;
        c->t1 = c->steps.at[c->steps.n - 1].step->end;
    }
    if (c->work->n) c->gpu_time = tt_finding_own_table(c, &tt_table_gpu_time);
}

static void close_context(tt_finding_context *c)
{
    tt_table_free(c->gpu_time);
    tt_table_free(c->serving);
    tt_replay_list_free(c->replay);
    tt_path_free(c->path);
    tt_account_free(&c->account);
    for (int k = 0; k < TT_ROOT_COUNT_; k++) tt_claim_free(&c->roots[k]);
    free(c->idle);
    tt_vec_free(&c->steps);
    tt_vec_free(&c->gpus);
}

/* ---- causes ---- */

/* The root that stands for id: the root of that finding of this trace, or the finding itself; NULL = it was not
 * found. */
static const char *root_of(const tt_finding_context *c, const char *id)
{
    uint32_t row = tt_finding_found(c, id);
    if (row == TT_NONE) return NULL;
    const char *cause = tt_finding_text(c->t, row, "cause");
    return cause ? cause : rules[c->of.at[row - c->first].rule].id;
}

static const char *first_root(const tt_finding_context *c, const char *under)
{
    char id[64];
    for (const char *p = under; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n >= sizeof id) return NULL;
        memcpy(id, p, n);
        id[n] = '\0';
        const char *root = root_of(c, id);
        if (root) return root;
        p += n;
    }
    return NULL;
}

/* Name the root of each symptom. The root may belong to another trace: only one rank reports a straggler. */
static void relate(tt_finding_context *c)
{
    for (size_t i = 0; i < c->of.n; i++) {
        const tt_finding *f = &c->of.at[i];
        const char *cause = first_root(c, f->cause ? f->cause : rules[f->rule].under);
        if (!cause) cause = f->cause;
        if (cause) tt_set_ref(c->t, c->first + (uint32_t)i, TT_FINDING_CAUSE, cause);
    }
}

/* ---- savings ---- */

static const char *text_of(const tt_finding_context *c, size_t i, const char *key)
{
    return tt_finding_text(c->t, c->first + (uint32_t)i, key);
}

/* Begin titles of findings that are not severe as the rule asks: "Waits for the CPU: ..." for "CPU-bound: ..." */
static void soften(tt_finding_context *c, size_t i)
{
    const char *title = text_of(c, i, "title"), *colon = strchr(title, ':');
    if (!c->of.at[i].mild || !colon || !strcmp(text_of(c, i, "severity"), "high")) return;
    tt_set_ref(c->t, c->first + (uint32_t)i, TT_FINDING_TITLE,
               tt_arena_printf(&c->t->arena, "%s%s", c->of.at[i].mild, colon));
}

static bool has_replay(const tt_finding_context *c) { return c->s->n_links && c->path->at.n; }

static bool is_predicted(const tt_finding_context *c, size_t i)
{
    return c->of.at[i].replay && has_replay(c) && !text_of(c, i, "cause");
}

/* Set the savings. A root that saves less than 1 % is only for information. Roots together save no more than there
 * is: the first call is part of the host's categories, so where both together exceed that, the host's saving counts
 * alone. */
static void save(tt_finding_context *c)
{
    const tt_replay_change **changes = tt_malloc((c->of.n + 1) * sizeof *changes);
    tt_replay_result *results = tt_malloc((c->of.n + 1) * sizeof *results);
    size_t n = 0, at = 0, first = c->of.n;
    int64_t left = c->account.ns, of_first = 0;
    for (size_t i = 0; i < c->of.n; i++)
        if (is_predicted(c, i)) changes[n++] = &c->of.at[i].replay->change;
    if (n && !c->replay) c->replay = tt_replay_list_make(c->q->session, c->q->trace, c->path);
    if (n) tt_replay_run(c->replay, changes, n, results);
    for (size_t i = 0; i < c->of.n; i++) {
        if (!is_predicted(c, i)) continue;
        int64_t bound = c->of.at[i].replay->bound, saved = results[at].saved < bound ? results[at].saved : bound;
        at++;
        if (saved < c->account.ns / 100) tt_set_ref(c->t, c->first + (uint32_t)i, TT_FINDING_SEVERITY, "info");
        if (!strcmp(rules[c->of.at[i].rule].id, "first_call")) {
            first = i;
            of_first = saved;
            continue;
        }
        if (saved > left) saved = left;
        left -= saved;
        tt_set_i(c->t, c->first + (uint32_t)i, TT_FINDING_SAVING, saved);
    }
    if (first < c->of.n && of_first <= left) tt_set_i(c->t, c->first + (uint32_t)first, TT_FINDING_SAVING, of_first);
    for (size_t i = 0; i < c->of.n; i++) soften(c, i);
    free(changes);
    free(results);
}

/* ---- the table ---- */

static void list_free(tt_finding_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        tt_claim_free(&l->at[i].claim);
        if (l->at[i].replay) free(l->at[i].replay->works);
        free(l->at[i].replay);
    }
    tt_vec_free(l);
}

enum { THE_RULES, THE_REPLAY };

static bool is_of_hang(uint32_t rule)
{
    return rule - TT_RULE_hang_mismatch_ <= TT_RULE_missing_ranks_ - TT_RULE_hang_mismatch_;
}

/* Run the rules and the making of the replay list side by side: whether a saving is needed is known only after the
 * rules, and most traces need one. */
static void find_or_prepare(void *arg, size_t task)
{
    tt_finding_context *c = arg;
    if (task == THE_REPLAY) {
        c->replay = tt_replay_list_make(c->q->session, c->q->trace, c->path);
        return;
    }
    for (uint32_t i = 0; i < COUNT_OF(rules); i++) {
        if (is_of_hang(i) || (c->s->summary && !tt_summary_asks_again(rules[i].id))) continue;
        c->rule = i;
        c->id = rules[i].id;
        rules[i].find(c);
    }
}

/* The first dump of a flight recorder speaks for all. */
static void find_hang(tt_finding_context *c)
{
    for (uint32_t i = 0; i < c->q->trace; i++)
        if (c->q->session->traces[i]->flight) return;
    for (uint32_t i = 0; i < COUNT_OF(rules); i++) {
        if (!is_of_hang(i)) continue;
        c->rule = i;
        c->id = rules[i].id;
        rules[i].find(c);
    }
}

/* Find the findings of a trace, in the order of their rows, which are added to t. */
static tt_finding_list find_all(const tt_query *q, tt_table *t)
{
    bool summary = tt_query_trace(q)->summary != NULL;
    tt_finding_context c = {.q = q, .s = tt_query_trace(q), .t = t, .first = t->n_rows};
    if (c.s->flight) find_hang(&c);
    if (tt_trace_is_dump(c.s)) return c.of;             /* it has calls of collectives alone */
    if (tt_process_front_end(c.s->worker)) return c.of; /* it has no device, and takes the time that requests take */
    if (summary && !tt_query_is_first(q) && tt_straggler_longest_waiter(q) != q->trace) return c.of;
    open_context(&c);
    bool ahead = tt_threads() > 1 && has_replay(&c);
    tt_parallel(tt_threads(), ahead ? 2 : 1, find_or_prepare, &c);
    relate(&c);
    save(&c);
    close_context(&c);
    return c.of;
}

static void kept_free(tt_attached *attached)
{
    tt_findings_kept *k = (tt_findings_kept *)attached;
    list_free(&k->of);
    free(k);
}

/* Let the table keep the findings of its last rows. Rows that a summary brought before them claim nothing. */
static void keep(tt_table *t, tt_finding_list *l)
{
    const size_t brought = t->n_rows - l->n;
    tt_findings_kept *k = (tt_findings_kept *)t->attached;
    if (!k) k = tt_calloc(1, sizeof *k);
    k->attached.free = kept_free;
    t->attached = &k->attached;
    while (k->of.n < brought) *tt_vec_push(&k->of) = (tt_finding){.claim = {.device = TT_NONE}};
    for (size_t i = 0; i < l->n; i++) *tt_vec_push(&k->of) = l->at[i];
    tt_vec_free(l);
}

static void order(tt_table *t)
{
    uint32_t *from = tt_findings_order(t);
    tt_findings_kept *k = (tt_findings_kept *)t->attached;
    tt_finding *old = k ? k->of.at : NULL;
    if (k && k->of.n == t->n_rows) {
        k->of.at = tt_malloc((k->of.n + 1) * sizeof *k->of.at);
        k->of.cap = k->of.n + 1;
        for (uint32_t r = 0; r < t->n_rows; r++) k->of.at[r] = old[from[r]];
        free(old);
    }
    free(from);
}

static void compute(const tt_query *q, tt_table *t)
{
    tt_finding_list found = find_all(q, t);
    if (t->options.claims)
        keep(t, &found);
    else
        list_free(&found);
    if (!tt_query_is_last(q)) return;
    order(t);
    if (!t->note && tt_findings_say_nothing(t)) t->note = tt_none_found(q, t);
    if (!t->n_rows && !t->note) t->note = "No findings";
}

const tt_table_desc tt_table_findings = {
    .id = "findings",
    .title = "Findings",
    .meaning = "what costs most, and what to do about it",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_DEFAULT | TT_TABLE_KEPT_TOO | TT_TABLE_CLAIMS,
    .compute = compute,
};

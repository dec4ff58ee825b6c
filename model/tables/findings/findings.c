/* model/tables/findings/findings.c - what an experienced person would notice first, each with the number that says
 * so.
 *
 * The rules are listed in findings.def and live by theme in rules_*.c; this file walks them. Limits are those of
 * TensorBoard's plugin where it has them. saving_ns is an upper bound: the time that would be gone if the cause
 * were. It is measured on the critical path, where every instant counts once (ranking.h). What is shown as the
 * evidence is the longest case: the longest wait, the longest gap. */
#include "model/tables/findings/findings.h"
#include "model/base/parallel.h"
#include "model/tables/analysis/name_class.h"
#include "model/tables/operators/roofline.h"
#include "model/tables/summary_rows.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id;
    tt_finding_claim usual;
    void (*find)(tt_finding_context *c);
} rules[] = {
#define X(id, kind, of) {#id, {TT_FINDING_##kind, (of), NULL}, tt_find_##id},
#include "model/tables/findings/findings.def"
#undef X
};

static const tt_column columns[] = {
    COL("id", "Id", STRING, 2, "name of the rule"),
    COL("severity", "Severity", STRING, 1, "high, medium, or info"),
    COL("title", "Finding", STRING, 0, "what was found"),
    COL("detail", "What to do", STRING, 1, "why, and what helps"),
    COL_OPT("cause", "Symptom of", STRING, 3,
            "id of the finding that this one is a symptom of: their time is the same, and counts once"),
    COL("value_pct", "Value %", PERCENT, 0,
        "the number the rule looks at: share of the step, utilization, share of kernel time, share of memory"),
    COL("saving_ns", "Saves up to", DURATION, 2, "time in scope that would be gone without the cause, at most"),
    COL("start_at_ns", "Start", TIME, 4, "where it begins"),
    COL("end_at_ns", "End", TIME, 4, "where it ends"),
};

uint32_t tt_finding_add(tt_finding_context *c, const char *severity, const char *title, const char *detail)
{
    uint32_t row = tt_table_add(c->t);
    *tt_vec_push(&c->claims) = c->usual;
    tt_set_ref(c->t, row, TT_FINDING_ID, c->id);
    tt_set_ref(c->t, row, TT_FINDING_SEVERITY, severity);
    tt_set_ref(c->t, row, TT_FINDING_TITLE, title);
    tt_set_ref(c->t, row, TT_FINDING_DETAIL, detail);
    if (c->t0 < c->t1) {
        tt_set_i(c->t, row, TT_FINDING_START, tt_at(c->q, c->t0));
        tt_set_i(c->t, row, TT_FINDING_END, tt_at(c->q, c->t1));
        tt_set_range(c->q, c->t, row, c->t0, c->t1);
    }
    return row;
}

tt_finding_claim *tt_finding_claim_of(tt_finding_context *c, uint32_t row) { return &c->claims.at[row - c->first]; }

uint32_t tt_finding_found(const tt_finding_context *c, const char *id)
{
    for (uint32_t r = c->first; r < c->t->n_rows; r++) {
        if (!strcmp(tt_finding_text(c->t, r, "id"), id)) return r;
    }
    return TT_NONE;
}

int64_t tt_finding_steps(const tt_finding_context *c)
{
    int64_t sum = 0;
    for (size_t i = 0; i < c->steps.n; i++) sum += c->steps.at[i].total;
    return sum;
}

double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns)
{
    int64_t total = tt_finding_steps(c);
    *ns = 0;
    for (size_t i = 0; i < c->steps.n; i++) *ns += c->steps.at[i].part[part];
    return total > 0 ? 100.0 * (double)*ns / (double)total : 0;
}

void tt_finding_show_longest(const tt_finding_context *c, uint32_t row, tt_time_class role)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    tt_row longest = TT_NONE;
    for (tt_row r = 0; r < c->s->n; r++) {
        if (longest != TT_NONE && c->s->dur[r] <= c->s->dur[longest]) continue;
        if (c->s->start[r] < c->t0 || c->s->start[r] >= c->t1 || !tt_query_has_row(c->q, r)) continue;
        if (tt_role_of(c->s, names, r) == role) longest = r;
    }
    if (longest != TT_NONE) tt_set_row(c->q, c->t, row, longest);
}

int64_t tt_finding_on_path(const tt_finding_context *c, uint32_t of)
{
    int64_t ns = 0;
    for (unsigned p = 0; p < TT_PATH_COUNT_; p++) {
        if (of >> p & 1) ns += c->on_path[p];
    }
    return ns;
}

void tt_finding_path_in(const tt_finding_context *c, int64_t t0, int64_t t1, int64_t of[TT_PATH_COUNT_])
{
    const tt_path *p = c->path;
    for (uint32_t i = tt_path_at(p, t0); i < p->at.n && p->at.at[i].t0 < t1; i++) {
        const tt_path_segment *g = &p->at.at[i];
        of[g->category] += (g->t1 < t1 ? g->t1 : t1) - (g->t0 > t0 ? g->t0 : t0);
    }
}

uint32_t tt_finding_excess_of(const tt_finding_context *c, size_t step)
{
    int64_t here[TT_PATH_COUNT_] = {0}, more = 0;
    int64_t others = (int64_t)c->steps.n - 1;
    uint32_t of = TT_FINDING_ON_ALL;
    tt_finding_path_in(c, c->steps.at[step].step->start, c->steps.at[step].step->end, here);
    for (unsigned p = 0; p < TT_PATH_COUNT_ && others > 0; p++) {
        int64_t usual = (c->on_path[p] - here[p]) / others;
        if (here[p] - usual > more) more = here[p] - usual, of = 1u << p;
    }
    return of;
}

tt_table *tt_finding_own_table(const tt_finding_context *c, const char *id)
{
    const tt_session *s = c->q->session;
    tt_scope scope = *c->q->scope;
    tt_options none = {0};
    tt_scope_to_trace(s, c->q->trace, &scope);
    return tt_table_compute(s, tt_table_find(id), &scope, &none);
}

tt_table *tt_finding_table(const tt_finding_context *c, const char *id)
{
    return c->s->n_imported ? tt_finding_own_table(c, id) : NULL;
}

int64_t tt_finding_int(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell_of(t, row, key, TT_T_COUNT).i;
}
double tt_finding_real(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell_of(t, row, key, TT_T_NUMBER).d;
}
const char *tt_finding_text(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell_of(t, row, key, TT_T_STRING).s;
}

uint32_t tt_finding_largest(const tt_table *t, const char *key)
{
    uint32_t most = TT_NONE;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (most == TT_NONE || tt_finding_real(t, r, key) > tt_finding_real(t, most, key)) most = r;
    }
    return most;
}

tt_path_segment tt_finding_stretch(const tt_finding_context *c, uint32_t of)
{
    tt_path_segment longest = {.row = TT_NONE}, now = longest;
    int64_t of_row = 0;
    for (size_t i = 0; i < c->path->at.n; i++) {
        const tt_path_segment *g = &c->path->at.at[i];
        if (!(of >> g->category & 1)) continue;
        if (now.t1 != g->t0 || now.t0 == now.t1) now = *g, of_row = 0;
        now.t1 = g->t1;
        if (g->t1 - g->t0 > of_row) of_row = g->t1 - g->t0, now.row = g->row;
        if (now.t1 - now.t0 > longest.t1 - longest.t0) longest = now;
    }
    return longest;
}

bool tt_finding_is_first(const tt_query *q)
{
    for (uint32_t i = 0; i < q->trace; i++) {
        if (tt_scope_has_store(q->session, q->scope, i)) return false;
    }
    return true;
}

/* ---- nothing found ---- */

static bool is_last(const tt_query *q)
{
    for (uint32_t i = q->trace + 1; i < q->session->n_traces; i++) {
        if (tt_scope_has_store(q->session, q->scope, i)) return false;
    }
    return true;
}

static bool same_device(const tt_table *a, uint32_t row, const tt_table *b, uint32_t of)
{
    static const char *const keys[] = {"device", "worker", "span"};
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        const char *x = tt_finding_text(a, row, keys[k]), *y = tt_finding_text(b, of, keys[k]);
        if (x && y ? strcmp(x, y) != 0 : x != y) return false;
    }
    return true;
}

/* Both tables have their devices in the same order: the search goes on where the last one ended. */
uint32_t *tt_finding_largest_causes(const tt_table *causes, const tt_table *time)
{
    uint32_t n = time->n_rows, at = 0, *most = tt_malloc((n + (size_t)1) * sizeof *most);
    for (uint32_t d = 0; d < n; d++) most[d] = TT_NONE;
    for (uint32_t r = 0; r < causes->n_rows; r++) {
        uint32_t looked = 0;
        while (looked < n && !same_device(causes, r, time, at)) at = (at + 1) % n, looked++;
        if (looked == n) continue;
        int64_t ns = tt_finding_int(causes, r, "idle_ns");
        if (ns > (most[at] == TT_NONE ? 0 : tt_finding_int(causes, most[at], "idle_ns"))) most[at] = r;
    }
    return most;
}

int tt_finding_wait(const char *name)
{
    for (int w = 0; w < TT_WAIT_COUNT_; w++) {
        if (!strcmp(tt_wait_name[w], name)) return w;
    }
    return TT_WAIT_UNKNOWN;
}

/* How busy the least busy device is in all of the scope, and what it idles for most. NULL: no device worked. */
static const char *none_found(const tt_query *q, tt_table *t)
{
    tt_options none = {0};
    const char *note = NULL;
    tt_table *time = tt_table_compute(q->session, tt_table_find("gpu_time"), q->scope, &none);
    tt_table *causes = tt_table_compute(q->session, tt_table_find("idle_causes"), q->scope, &none);
    uint32_t least = tt_finding_largest(time, "idle_pct");
    if (least != TT_NONE) {
        const char *worker = tt_finding_text(time, least, "worker");
        char device[TT_TITLE_CAP], rank[32];
        uint32_t *largest = tt_finding_largest_causes(causes, time), cause = largest[least];
        free(largest);
        note = tt_arena_printf(&t->arena, "No findings. %s%s%s is busy %.1f%% of the time",
                               tt_device_shown(tt_finding_text(time, least, "device"), device), worker ? " of " : "",
                               worker ? tt_rank_name(q->session, worker, rank) : "",
                               100 - tt_finding_real(time, least, "idle_pct"));
        if (cause != TT_NONE)
            note = tt_arena_printf(&t->arena, "%s, largest idle cause %s %.1f%%", note,
                                   tt_wait_text[tt_finding_wait(tt_finding_text(causes, cause, "cause"))],
                                   tt_pct((double)tt_finding_int(causes, cause, "idle_ns"),
                                          (double)tt_finding_int(time, least, "total_ns")));
    }
    tt_table_free(time);
    tt_table_free(causes);
    return note;
}

enum { THE_PATH, THE_STEPS, THE_GPUS, THE_ROOFLINE, PARTS };

/* What the rules look at, side by side. */
static void make_part(void *arg, size_t part)
{
    tt_finding_context *c = arg;
    const tt_query *q = c->q;
    if (part == THE_PATH) c->path = tt_path_make(q->session, q->scope, q->trace);
    if (part == THE_STEPS) c->steps = tt_breakdown_make(q);
    if (part == THE_GPUS) c->gpus = tt_gpus_make(q);
    if (part == THE_ROOFLINE && c->work->n && tt_roofline_any(c->s)) (void)tt_roofline_get(q->session, q->trace);
}

static void open_context(tt_finding_context *c)
{
    const tt_query *q = c->q;
    c->work = tt_device_work_get(q->session, q->trace);
    tt_parallel(tt_threads(), PARTS, make_part, c);
    if (c->steps.n) {
        c->t0 = c->steps.at[0].step->start;
        c->t1 = c->steps.at[c->steps.n - 1].step->end;
    }
    if (c->path->t0 < c->path->t1) tt_finding_path_in(c, c->path->t0, c->path->t1, c->on_path);
    if (c->work->n) c->gpu_time = tt_finding_own_table(c, "gpu_time");
}

/* Without device work the path is the host's alone, and what other files or workers tell of a device is not on it. */
static void forget_devices(tt_finding_context *c)
{
    const uint32_t host = TT_FINDING_ON_HOST | 1u << TT_WAIT_INPUT | 1u << TT_WAIT_SYNC;
    for (size_t i = 0; i < c->claims.n; i++) {
        if (c->claims.at[i].of & ~host) c->claims.at[i].of = 0;
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    bool summary = tt_query_store(q)->summary != NULL;
    if (summary && !tt_finding_is_first(q)) return;
    tt_finding_context c = {.q = q, .s = tt_query_store(q), .t = t, .first = t->n_rows};
    open_context(&c);
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (summary && !tt_summary_asks_again(rules[i].id)) continue;
        c.id = rules[i].id;
        c.usual = rules[i].usual;
        rules[i].find(&c);
    }
    if (!c.work->n) forget_devices(&c);
    tt_findings_relate(t, c.first, &c.claims, c.on_path);
    tt_findings_order(t);
    if (!t->n_rows && is_last(q) && !summary) t->note = none_found(q, t);
    if (!t->n_rows && !t->note) t->note = "No findings";
    tt_table_free(c.gpu_time);
    tt_path_free(c.path);
    tt_vec_free(&c.claims);
    tt_vec_free(&c.steps);
    tt_vec_free(&c.gpus);
}

const tt_table_desc tt_table_findings = {
    .id = "findings",
    .title = "Findings",
    .meaning = "what costs most, and what to do about it",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_DEFAULT | TT_TABLE_KEPT_TOO,
    .compute = compute,
};

/* model/tables/what_if/what_if.c - table what_if: how much shorter the steps would be if something took no time. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/findings/tables.h"
#include "model/tables/path/path_names.h"
#include "model/tables/path/replay.h"
#include "model/tables/table_util.h"
#include "model/tables/trace_rows.h"

enum { CANDIDATES = 20 };
enum { BY_KERNEL, BY_OPERATOR, BY_CATEGORY, BY_FINDING };
static const char *const groups[] = {"kernel", "operator", "category", "finding", NULL};

enum { KIND, NAME, TOTAL, ON_PATH, SAVING, PCT };
static const tt_column columns[] = {
    COL("kind", "Kind", STRING, 1,
        "kernel: GPU work of the name; operator: own time of CPU slices of the name, calls among them, without what "
        "they wait for; category: of the critical path; finding: what table findings names; combination: what "
        "--what-if "
        "names"),
    COL("name", "Name", STRING, 0, "what would take no time; of a combination the factors"),
    COL("total_ns", "Total", DURATION, 1, "time that would be taken away, summed; the saving is at most this"),
    COL("path_ns", "On path", DURATION, 0, "time of it on the critical path: the 20 names with most are candidates"),
    COL("saving_ns", "Saves up to", DURATION, 0,
        "the steps would be so much shorter: everything else waits for the same things as long as it did; what runs "
        "beside other work saves nothing"),
    COL("saving_pct", "%", PERCENT, 0, "share of the critical path"),
};

typedef struct candidate {
    const char *name;
    tt_sid sid;
    unsigned category;
    int64_t path_ns;
    tt_replay_change change;
    tt_replay_result result;
} candidate;
typedef TT_VEC(candidate) candidate_list;

typedef struct prediction {
    const tt_query *q;
    const tt_trace *s;
    tt_path *path;
    const tt_path_inputs *in;
    uint8_t *work_class, *host_class; /* classes of names, per tt_sid, for the candidates */
    uint8_t *work_part, *host_part;   /* classes of names, per tt_sid, for the combination */
    candidate_list list;
} prediction;

static tt_replay_change names_change(const uint8_t *work_class, const uint8_t *host_class)
{
    tt_replay_change c = tt_replay_change_none();
    c.work_class = work_class;
    c.host_class = host_class;
    return c;
}

static bool is_host(const tt_path_segment *g) { return g->category < TT_WAIT_BETWEEN; }
static bool is_work(const tt_path_segment *g) { return g->category >= TT_WAIT_COUNT_; }

/* ---- candidates ---- */

static void collect_names(prediction *p)
{
    bool kernels = p->q->options.group == BY_KERNEL;
    uint32_t *of_name = tt_calloc(p->s->strings.text.n + 1, sizeof *of_name); /* per name its index + 1 */
    for (size_t i = 0; i < p->path->at.n; i++) {
        const tt_path_segment *x = &p->path->at.at[i];
        if (kernels ? !is_work(x) : !is_host(x)) continue;
        tt_sid sid = tt_path_segment_name(p->s, x);
        if (!of_name[sid]) {
            *tt_vec_push(&p->list) = (candidate){.sid = sid, .name = tt_str(&p->s->strings, sid)};
            of_name[sid] = (uint32_t)p->list.n;
        }
        p->list.at[of_name[sid] - 1].path_ns += x->t1 - x->t0;
    }
    free(of_name);
    TT_SORT_BY(p->list.at, p->list.n, TT_DESC(candidate, path_ns), TT_ASC(candidate, name));
    if (p->list.n > CANDIDATES) p->list.n = CANDIDATES;
    for (size_t i = 0; i < p->list.n; i++) {
        candidate *c = &p->list.at[i];
        (kernels ? p->work_class : p->host_class)[c->sid] = (i + 1) & 0xffu;
        c->change = names_change(p->work_class, p->host_class);
        c->change.factor[i + 1] = 0;
    }
}

static void collect_categories(prediction *p)
{
    int64_t sums[TT_PATH_COUNT_] = {0};
    for (size_t i = 0; i < p->path->at.n; i++)
        sums[p->path->at.at[i].category] += p->path->at.at[i].t1 - p->path->at.at[i].t0;
    for (unsigned k = 0; k < TT_PATH_COUNT_; k++) {
        if (!sums[k]) continue;
        candidate *c = tt_vec_push(&p->list);
        *c = (candidate){.name = tt_path_name(k), .category = k, .path_ns = sums[k]};
        c->change = tt_replay_change_none();
        c->change.category[k] = 0;
    }
}

/* ---- the combination ---- */

static bool is_category(const char *name, unsigned *out)
{
    for (unsigned k = 0; k < TT_PATH_COUNT_; k++)
        if (!strcmp(name, tt_path_name(k))) {
            *out = k;
            return true;
        }
    return false;
}

/* Mark the names that equal the text, else those that contain it; false: there are none. */
static bool mark_names(prediction *p, const uint8_t *used, const char *text, uint8_t class)
{
    const tt_strings *all = &p->s->strings;
    bool found = false;
    for (int within = 0; within < 2 && !found; within++)
        for (tt_sid i = 1; i < all->text.n; i++) {
            if (!used[i] || (within ? !strstr(tt_str(all, i), text) : strcmp(tt_str(all, i), text) != 0)) continue;
            p->work_part[i] = p->host_part[i] = class;
            found = true;
        }
    return found;
}

static void add_combination(prediction *p, tt_table *t)
{
    const tt_options *o = &p->q->options;
    uint8_t *used = tt_replay_names(p->in, p->path);
    candidate c = {.change = names_change(p->work_part, p->host_part), .category = TT_PATH_COUNT_};
    bool whole[TT_PATH_COUNT_] = {0};
    const char *name = "";
    for (uint32_t i = 0; i < o->n_what_if; i++) {
        const tt_what_if *w = &o->what_if[i];
        unsigned category;
        uint32_t factor = w->millionths * (TT_REPLAY_WHOLE / 1000000);
        bool found = true;
        if (is_category(w->name, &category)) {
            c.change.category[category] = factor;
            whole[category] = true;
        } else {
            c.change.factor[i + 1] = factor;
            found = mark_names(p, used, w->name, (i + 1) & 0xffu);
        }
        name = tt_arena_printf(&t->arena, "%s%s%s=%g%s", name, i ? ", " : "", w->name, w->millionths / 1e6,
                               found ? "" : " (there is no such name)");
    }
    free(used);
    c.name = name;
    for (size_t i = 0; i < p->path->at.n; i++) {
        const tt_path_segment *g = &p->path->at.at[i];
        const uint8_t *part = is_work(g) ? p->work_part : is_host(g) ? p->host_part : NULL;
        if (whole[g->category] || (part && part[tt_path_segment_name(p->s, g)])) c.path_ns += g->t1 - g->t0;
    }
    *tt_vec_push(&p->list) = c;
}

/* ---- the table ---- */

static void run(prediction *p)
{
    const tt_replay_change **changes = tt_malloc(p->list.n * sizeof *changes);
    tt_replay_result *results = tt_malloc(p->list.n * sizeof *results);
    for (size_t i = 0; i < p->list.n; i++) changes[i] = &p->list.at[i].change;
    tt_replay_list *list = tt_replay_list_make(p->q->session, p->q->trace, p->path);
    tt_replay_run(list, changes, p->list.n, results);
    tt_replay_list_free(list);
    for (size_t i = 0; i < p->list.n; i++) p->list.at[i].result = results[i];
    free(changes);
    free(results);
}

static void put_row(const prediction *p, const candidate *c, tt_table *t)
{
    uint32_t row = tt_table_add(t), kinds = 0;
    uint8_t group = p->q->options.group;
    bool combination = c->category == TT_PATH_COUNT_;
    for (unsigned k = 0; k < TT_KIND_COUNT_; k++)
        if (group == BY_KERNEL ? tt_kind_is_work(k) : !tt_kind_is_device(k) && !tt_kind_is_python(k)) kinds |= 1u << k;
    if (c->sid) tt_set_slices(p->q, t, row, kinds, c->name);
    tt_set_ref(t, row, KIND, combination ? "combination" : groups[group]);
    tt_set_ref(t, row, NAME, c->name);
    tt_set_i(t, row, TOTAL, c->result.removed);
    tt_set_i(t, row, ON_PATH, c->path_ns);
    tt_set_i(t, row, SAVING, c->result.saved);
    tt_set_d(t, row, PCT, tt_pct((double)c->result.saved, (double)p->path->ns));
}

static void predict(prediction *p, tt_table *t)
{
    size_t n = p->s->strings.text.n;
    uint8_t **const classes[] = {&p->work_class, &p->host_class, &p->work_part, &p->host_part};
    for (size_t i = 0; i < COUNT_OF(classes); i++) *classes[i] = tt_calloc(n, 1);
    p->in = tt_path_inputs_get(p->q->session, p->q->trace);
    if (p->q->options.group == BY_CATEGORY)
        collect_categories(p);
    else
        collect_names(p);
    if (p->q->options.n_what_if) add_combination(p, t);
    run(p);
    for (size_t i = 0; i < p->list.n; i++) put_row(p, &p->list.at[i], t);
    for (size_t i = 0; i < COUNT_OF(classes); i++) free(*classes[i]);
    tt_vec_free(&p->list);
}

/* ---- by finding ---- */

/* Categories of the path that findings take away; other findings take away work or calls of their own. */
static const struct {
    const char *id;
    uint32_t categories;
} of_findings[] = {
    {"input_stall", 1u << TT_WAIT_INPUT},
    {"sync_stall", 1u << TT_WAIT_SYNC},
    {"host_bound", 1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR | 1u << TT_WAIT_BETWEEN},
    {"stream_wait", 1u << TT_WAIT_QUEUE},
    {"exposed_communication", 1u << TT_PATH_COMMUNICATION},
    {"exposed_copy", 1u << TT_PATH_COPY},
};

static int64_t time_on_path(const tt_path *path, const char *id)
{
    for (size_t i = 0; i < COUNT_OF(of_findings); i++) {
        int64_t ns = 0;
        if (strcmp(of_findings[i].id, id) != 0) continue;
        for (size_t k = 0; k < path->at.n; k++)
            if (of_findings[i].categories >> path->at.at[k].category & 1) ns += path->at.at[k].t1 - path->at.at[k].t0;
        return ns;
    }
    return TT_UNKNOWN;
}

/* Copy the savings from the findings: a second replay could differ from them. */
static void put_findings(const tt_query *q, const tt_path *path, tt_table *t)
{
    tt_options none = {0};
    /* findings of all traces, computed once */
    const tt_table *of = tt_table_get(q->session, &tt_table_findings, q->scope, &none);
    tt_row_list own = tt_rows_of_trace(q, t, of);
    for (uint32_t k = 0; k < own.n; k++) {
        uint32_t r = own.at[k];
        const char *id = tt_table_cell_of(of, r, "id", TT_T_STRING).s;
        int64_t saving = tt_table_cell_of(of, r, "saving_ns", TT_T_DURATION).i;
        if (saving == TT_UNKNOWN) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, KIND, "finding");
        tt_set_s(t, row, NAME, id);
        tt_set_i(t, row, TOTAL, tt_table_cell_of(of, r, "time_ns", TT_T_DURATION).i);
        tt_set_i(t, row, ON_PATH, time_on_path(path, id));
        tt_set_i(t, row, SAVING, saving);
        tt_set_d(t, row, PCT, tt_pct((double)saving, (double)path->ns));
        if (of->drilldowns) *tt_set_drilldown(t, row) = of->drilldowns[r];
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    prediction p = {.q = q, .s = tt_query_trace(q), .path = tt_path_make(q->session, q->scope, q->trace)};
    if (q->options.group == BY_FINDING)
        put_findings(q, p.path, t);
    else if (p.path->at.n)
        predict(&p, t);
    if (p.path->account.clocks_differ) t->note = "No critical path: the clocks of device and host differ";
    tt_path_free(p.path);
}

const tt_table_desc tt_table_what_if = {
    .id = "what_if",
    .title = "What if",
    .meaning = "how much shorter the steps would be if something took no time, all else being equal",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = groups,
    .default_sort = "saving_ns",
    .default_desc = true,
    .flags = TT_TABLE_WHAT_IF,
    .note = "None of this kind is on the critical path",
    .compute = compute,
};

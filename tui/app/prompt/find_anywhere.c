/* tui/app/prompt/find_anywhere.c - the search over all names. */
#include "tui/app/prompt/find_anywhere.h"
#include "model/base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/devices/columns.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/operators/columns.h"
#include "model/tables/steps/columns.h"
#include "model/trace/session.h"
#include "tui/app/app_api.h"
#include "tui/app/prompt/prompt.h"
#include "tui/screen/table_fetch.h"
#include "tui/widgets/format_value.h"

enum { NO_CALLS = 0x7fffffff };
/* What has names: a table each, but for threads. tab: where its row is; NULL: on the timeline. */
static const struct kind {
    const char *one, *many, *table, *tab;
    uint32_t name, calls; /* columns; NO_CALLS: it says no calls */
} kinds[] = {
    {"kernel", "kernels", "kernels", "kernels", TT_KERNELS_NAME, TT_KERNELS_CALLS},
    {"operator", "operators", "operators", "operators", TT_OPERATORS_NAME, TT_OPERATORS_CALLS},
    {"module", "modules", "modules", "modules", TT_MODULES_NAME, NO_CALLS},
    {"annotation", "annotations", "user_ranges", NULL, TT_USER_RANGES_NAME, TT_USER_RANGES_CALLS},
    {"step", "steps", "step_breakdown", NULL, TT_STEP_BREAKDOWN_STEP, NO_CALLS},
    {"finding", "findings", "findings", NULL, TT_FINDING_TITLE, NO_CALLS},
    {"thread", "threads", NULL, NULL, 0, NO_CALLS},
};
enum { KINDS = sizeof kinds / sizeof *kinds, STEP_KIND = 4, FINDING_KIND = 5, THREAD_KIND = 6, FIRST_OF_EACH = 4 };

typedef struct name {
    const char *text; /* the table's or the trace's */
    uint32_t row;     /* row of the table of its kind; for a thread its first slice */
    uint32_t trace;   /* trace of a thread */
    uint8_t kind;
    int64_t calls; /* TT_UNKNOWN */
} name;
typedef TT_VEC(name) names;

struct tt_anywhere {
    tt_app *app;
    names all; /* by kind, in the order of its table */
    const tt_table *table[KINDS];
    uint32_t *hit; /* indices into all: what contains the text, the first of each kind before all others */
    uint32_t n_hits, of_kind[KINDS];
    int64_t calls[KINDS];
    char text[128];
    uint32_t at, top;
    int page;
    bool ready, closed; /* closed: the job frees it */
    unsigned jobs;
};

typedef struct gather_job {
    tt_anywhere *to;
    tt_session *session;
    tt_scope scope;
    names all;
    const tt_table *table[KINDS];
} gather_job;

/* ---- gathering ---- */

/* Keep each name once, at its first place, with the sum of the calls of all workers. */
static void merge(names *all, size_t from)
{
    size_t n = from;
    if (all->n == from) return;
    TT_SORT_BY(all->at + from, all->n - from, TT_ASC(name, text), TT_ASC(name, row));
    for (size_t i = from; i < all->n; i++) {
        name *before = n > from ? &all->at[n - 1] : NULL;
        if (before && !strcmp(before->text, all->at[i].text)) {
            if (before->calls != TT_UNKNOWN && all->at[i].calls > 0) before->calls += all->at[i].calls;
        } else {
            all->at[n++] = all->at[i];
        }
    }
    all->n = n;
}

/* The rows of a table in the order in which its tab lists them. */
static void add_table(gather_job *j, int kind)
{
    const tt_table *t = tt_table_of(j->session, &j->scope, kinds[kind].table);
    tt_row_order order = {0};
    size_t from = j->all.n;
    j->table[kind] = t;
    if (!t || !t->n_rows) return;
    tt_row_order_spec spec = tt_row_order_default(t);
    if (tt_row_order_make(t, &spec, &order, NULL) != TT_OK) return;
    for (uint32_t i = 0; i < order.n; i++) {
        const char *text = tt_cell_s(t, order.rows[i], kinds[kind].name);
        if (!*text) continue;
        *tt_vec_push(&j->all) = (name){text, i, 0, (uint8_t)kind, tt_cell_i(t, order.rows[i], kinds[kind].calls)};
    }
    if (kind != STEP_KIND && kind != FINDING_KIND) merge(&j->all, from);
    if (j->all.n > from) TT_SORT_BY(j->all.at + from, j->all.n - from, TT_ASC(name, row));
    for (size_t i = from; i < j->all.n; i++) j->all.at[i].row = order.rows[j->all.at[i].row];
    tt_row_order_free(&order);
}

static void add_threads(gather_job *j)
{
    for (uint32_t i = 0; i < j->session->n_traces; i++) {
        const tt_trace *s = j->session->traces[i];
        if (!tt_scope_has_trace(j->session, &j->scope, i)) continue;
        for (uint32_t k = 0; k < s->n_tracks; k++) {
            const tt_track *t = &s->tracks[k];
            if (!t->n) continue;
            *tt_vec_push(&j->all) = (name){tt_str(&s->strings, t->name), t->first, i, THREAD_KIND, t->n};
        }
    }
}

static void gather_run(void *arg)
{
    gather_job *j = arg;
    for (int k = 0; k < KINDS; k++)
        if (kinds[k].table) add_table(j, k);
    add_threads(j);
}

static void destroy(tt_anywhere *x)
{
    tt_vec_free(&x->all);
    free(x->hit);
    free(x);
}

static void gather_done(void *arg, tt_host *h)
{
    tt_app *a = tt_app_of(h);
    gather_job *j = arg;
    tt_anywhere *x = j->to;
    x->jobs--;
    if (x->closed) {
        tt_vec_free(&j->all);
        destroy(x);
    } else {
        x->all = j->all;
        memcpy(x->table, j->table, sizeof x->table);
        x->hit = tt_calloc(x->all.n + 1, sizeof *x->hit);
        x->ready = true;
        tt_anywhere_set(x, x->text);
        tt_host_dirty(&a->host);
    }
    free(j);
}

tt_anywhere *tt_anywhere_new(tt_app *a)
{
    tt_anywhere *x = tt_calloc(1, sizeof *x);
    gather_job *j = tt_calloc(1, sizeof *j);
    x->app = a;
    x->jobs = 1;
    *j = (gather_job){.to = x, .session = tt_host_session(&a->host), .scope = *tt_host_scope(&a->host)};
    tt_app_job(a, gather_run, gather_done, j);
    return x;
}

void tt_anywhere_free(tt_anywhere *x)
{
    if (!x) return;
    x->closed = true;
    if (!x->jobs) destroy(x);
}

void tt_app_find_anywhere(tt_app *a)
{
    tt_anywhere_free(a->anywhere);
    a->anywhere = NULL; /* without a worker it is filled at once */
    tt_prompt_open(&a->prompt, TT_PROMPT_ANYWHERE, "");
    a->anywhere = tt_anywhere_new(a);
}

/* Go to the chosen one; false = there is none. The box may be freed afterwards. */
static bool anywhere_go(tt_anywhere *x)
{
    if (x->at >= x->n_hits) return false;
    name m = x->all.at[x->hit[x->at]];
    const tt_table *t = x->table[m.kind];
    tt_app *a = x->app;
    tt_drilldown thread = {.what = TT_DRILL_ROW, .trace = m.trace, .row = m.row};
    if (m.kind == THREAD_KIND) return tt_host_show_drilldown(&a->host, &thread);
    if (kinds[m.kind].tab && tt_host_show_row(&a->host, kinds[m.kind].tab, t, m.row)) return true;
    if (!t->drilldowns || t->drilldowns[m.row].what == TT_DRILL_NONE) return false;
    return m.kind == FINDING_KIND ? tt_host_show_evidence(&a->host, &t->drilldowns[m.row])
                                  : tt_host_show_drilldown(&a->host, &t->drilldowns[m.row]);
}

void tt_app_close_anywhere(tt_app *a, bool go)
{
    tt_anywhere *x = a->anywhere;
    a->anywhere = NULL;
    if (go && x && !anywhere_go(x)) tt_app_set_status(a, "nothing to go to");
    tt_anywhere_free(x);
}

/* ---- searching ---- */

/* "step 4" finds the step that its table calls "4". */
static bool contains(const name *n, const char *text)
{
    if (n->kind != STEP_KIND) return strcasestr(n->text, text) != NULL;
    char whole[64];
    snprintf(whole, sizeof whole, "step %.50s", n->text);
    return strcasestr(whole, text) != NULL;
}

void tt_anywhere_set(tt_anywhere *x, const char *text)
{
    uint32_t seen[KINDS] = {0}, n = 0;
    if (text != x->text) snprintf(x->text, sizeof x->text, "%s", text);
    x->at = x->top = x->n_hits = 0;
    memset(x->of_kind, 0, sizeof x->of_kind);
    memset(x->calls, 0, sizeof x->calls);
    if (!x->ready || !*x->text) return;
    for (size_t i = 0; i < x->all.n; i++) {
        const name *m = &x->all.at[i];
        if (!contains(m, x->text)) continue;
        x->hit[n++] = (uint32_t)i;
        x->of_kind[m->kind]++;
        if (m->calls > 0) x->calls[m->kind] += m->calls;
    }
    uint32_t *sorted = tt_malloc((n + (size_t)1) * sizeof *sorted), k = 0;
    for (int late = 0; late < 2; late++) { /* the first of each kind are always in sight */
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < n; i++) {
            int kind = x->all.at[x->hit[i]].kind;
            if ((seen[kind]++ >= FIRST_OF_EACH) == late) sorted[k++] = x->hit[i];
        }
    }
    memcpy(x->hit, sorted, n * sizeof *sorted);
    free(sorted);
    x->n_hits = n;
}

bool tt_anywhere_key(tt_anywhere *x, tt_key k)
{
    int64_t by = 0;
    switch (k) {
    case TT_KEY_UP: by = -1; break;
    case TT_KEY_DOWN:
    case TT_KEY_TAB: by = 1; break;
    case TT_KEY_PGUP: by = -(x->page > 1 ? x->page : 10); break;
    case TT_KEY_PGDN: by = x->page > 1 ? x->page : 10; break;
    default: return false;
    }
    int64_t to = (int64_t)x->at + by, last = x->n_hits ? (int64_t)x->n_hits - 1 : 0;
    x->at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
    return true;
}

/* ---- drawing ---- */

/* "gemm: 12 kernels, 3,400 calls; 2 operators, 48 calls". */
static void summary(const tt_anywhere *x, char *out, size_t cap)
{
    char n_text[TT_TEXT_CAP], calls[TT_TEXT_CAP];
    tt_buf line = tt_buf_on(out, cap);
    for (int k = 0; k < KINDS; k++) {
        if (!x->of_kind[k]) continue;
        tt_buf_list(&line, "; ", "%s %s", tt_format_count(n_text, x->of_kind[k]),
                    x->of_kind[k] == 1 ? kinds[k].one : kinds[k].many);
        if (x->calls[k] && k != THREAD_KIND) tt_buf_add(&line, ", %s", tt_format_counted(calls, x->calls[k], "call"));
    }
}

void tt_anywhere_draw(tt_anywhere *x, tt_canvas *c)
{
    char line[400], text[TT_TEXT_CAP];
    int w = c->w - 4 < 116 ? c->w - 4 : 116, h = c->h < 18 ? c->h : 18;
    tt_canvas in = tt_box(c, c->h - h, (c->w - w) / 2, h, w, "Find anywhere");
    if (in.h < 2) return;
    summary(x, line, sizeof line);
    if (!*line)
        snprintf(line, sizeof line, "%s",
                 !x->ready  ? "gathering names ..."
                 : *x->text ? "nothing has such a name"
                            : "type: kernels, operators, modules, annotations, steps, findings, threads");
    tt_put_cut(&in, 0, 1, TT_ROLE_DIM, line, in.w - 2, TT_CUT_END);
    x->page = in.h - 1;
    if (x->top > x->at) x->top = x->at;
    if (x->at >= x->top + (uint32_t)x->page) x->top = x->at - (uint32_t)x->page + 1;
    for (int y = 1; y < in.h && x->top + (uint32_t)y - 1 < x->n_hits; y++) {
        uint32_t i = x->top + (uint32_t)y - 1;
        const name *m = &x->all.at[x->hit[i]];
        int right = m->calls > 0 ? 16 : 2;
        tt_put(&in, y, 2, TT_ROLE_DIM, kinds[m->kind].one, 10);
        int at = 13 + (m->kind == STEP_KIND ? tt_put(&in, y, 13, TT_ROLE_POPUP, "step ", -1) : 0);
        tt_put_cut(&in, y, at, TT_ROLE_POPUP, m->text, in.w - at - right, TT_CUT_KERNEL);
        if (m->calls > 0)
            tt_put_right(&in, y, in.w - 16, 15, TT_ROLE_NUMBER,
                         tt_format_counted(text, m->calls, m->kind == THREAD_KIND ? "slice" : "call"));
        if (i != x->at) continue;
        tt_restyle(&in, y, 0, 1, in.w, TT_ROLE_CURSOR);
        tt_put_char(&in, y, 0, TT_ROLE_CURSOR, '>');
    }
}

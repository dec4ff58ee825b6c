/* parser/mindinsight/data_pipeline.c - operators of the input pipeline and the fill of the queues after them: from
 * minddata_pipeline_raw, or from pipeline_profiling, of which MindSpore makes the former.
 *
 * Suspects, as MindInsight finds them: an operator with a child whose queue is fuller than its own by more than a
 * tenth (the operator is too slow), and a source whose queue is filled below 60 % (it reads too slowly). If all queues
 * are filled to 80 % and more the data comes fast enough: then only the root is a suspect. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/text/json_text.h"
#include "parser/json/number.h"
#include "parser/mindinsight/data.h"

#define FULLER 0.1
#define FULL 0.8
#define FED 0.6
#define OPS_MOST 100000 /* more than any pipeline has */

typedef struct node {
    int64_t id, parent, workers, capacity, samples, sum; /* TT_UNKNOWN = none */
    double mean, usage;                                  /* NaN = none; usage from 0 to 1 */
    const char *type;
    bool suspect;
    /* pipeline_profiling: children of the operator in the file */
    const char *children; /* JSON list up to children_end; NULL = none */
    const char *children_end, *metrics, *metrics_end;
} node;

typedef struct pipeline {
    tt_mi *m;
    tt_mi_curve *curve;
    TT_VEC(node) at;
    tt_arena a;
} pipeline;

enum { ID, NAME, TYPE, WORKERS, PARENT, SAMPLES, MEAN, CAPACITY, USAGE, SUSPECT };
static const tt_imported_key columns[] = {
    {"op_id", TT_T_COUNT},       {"name", TT_T_STRING},          {"type", TT_T_STRING},
    {"workers", TT_T_COUNT},     {"parent_id", TT_T_COUNT},      {"samples", TT_T_COUNT},
    {"queue_mean", TT_T_NUMBER}, {"queue_capacity", TT_T_COUNT}, {"queue_usage_pct", TT_T_PERCENT},
    {"suspect", TT_T_BOOL},
};

static node *new_node(pipeline *p, int64_t id, const char *type, size_t n)
{
    node *k = tt_vec_push(&p->at);
    *k = (node){
        .id = id, .parent = TT_UNKNOWN, .workers = TT_UNKNOWN, .capacity = TT_UNKNOWN, .mean = NAN, .usage = NAN};
    k->type = tt_arena_strndup(&p->a, type, n);
    return k;
}

static const char *name_of(pipeline *p, const node *k)
{
    return tt_arena_printf(&p->a, "%s_%lld", k->type, (long long)k->id);
}

/* Add the samples of a queue, "[10, 20]", to the curve. False = an item is no size. */
static bool add_samples(pipeline *p, node *k, const char *list, size_t n)
{
    const char *at = list, *end = list + n, *name = name_of(p, k);
    tt_json_member v;
    bool good = true;
    if (!n || *at != '[') return !n;
    for (at++; tt_json_item(&at, end, &v);) {
        int64_t size;
        if (!tt_decimal_whole(v.value, v.value_n, &size) || size < 0 || size > INT32_MAX) {
            good = false;
            continue;
        }
        tt_mi_curve_add(p->curve, name, k->samples++, size);
        k->sum += size;
    }
    return good && end[-1] == ']';
}

/* Mean of the samples; in files without samples the mean in the file. */
static void means(node *k)
{
    if (k->samples) k->mean = (double)k->sum / (double)k->samples;
    if (k->capacity > 0 && !isnan(k->mean)) k->usage = k->mean / (double)k->capacity;
}

/* ---- minddata_pipeline_raw ---- */

static void read_row(pipeline *p, tt_csv *c, const int *at)
{
    int64_t id, v;
    double d;
    tt_csv_text type = tt_csv_cell(c, at[1]), list = tt_csv_cell(c, at[3]);
    if (!tt_csv_cell(c, at[0]).n) tt_csv_bad(c, -1, "has no op_id");
    if (!tt_csv_int(c, at[0], &id) || p->at.n >= OPS_MOST) return;
    node *k = new_node(p, id, type.at, type.n);
    if (tt_csv_int(c, at[2], &v)) k->workers = v;
    if (tt_csv_int(c, at[5], &v) && v > 0) k->capacity = v;
    if (tt_csv_int(c, at[7], &v)) k->parent = v;
    if (!add_samples(p, k, list.at, list.n)) tt_csv_bad(c, -1, "has an output_queue_size that is no list of sizes");
    if (tt_csv_double(c, at[4], &d)) k->mean = d;
    if (k->capacity != TT_UNKNOWN && tt_csv_double(c, at[6], &d)) k->usage = d;
    means(k);
}

static bool read_csv(pipeline *p)
{
    tt_csv *c = tt_mi_csv(p->m, "pipeline", NULL);
    if (!c) return false;
    const int at[] = {tt_csv_need(c, "op_id"),
                      tt_csv_need(c, "op_type"),
                      tt_csv_need(c, "num_workers"),
                      tt_csv_need(c, "output_queue_size"),
                      tt_csv_column(c, "output_queue_average_size"),
                      tt_csv_need(c, "output_queue_length"),
                      tt_csv_column(c, "output_queue_usage_rate"),
                      tt_csv_need(c, "parent_id")};
    while (at[0] >= 0 && tt_csv_next(c) && !tt_mi_cancelled(p->m)) read_row(p, c, at);
    tt_csv_close(c);
    return p->at.n > 0;
}

/* ---- pipeline_profiling ---- */

static int by_id(const void *pa, const void *pb)
{
    const node *a = pa, *b = pb;
    return (a->id > b->id) - (a->id < b->id);
}

/* List the operators of the file, sorted by id. */
static void list_operators(pipeline *p, const char *from, const char *end)
{
    tt_json_member list, op, v;
    if (!tt_json_find(from, end, "op_info", &list) || !list.value_n || *list.value != '[') return;
    const char *at = list.value + 1, *to = list.value + list.value_n;
    while (p->at.n < OPS_MOST && tt_json_item(&at, to, &op)) {
        const char *e = op.value + op.value_n;
        int64_t id;
        if (!op.value_n || *op.value != '{' || !tt_mi_integer(op.value, e, "op_id", &id)) continue;
        const char *type = tt_mi_string(op.value, e, "op_type", &p->a);
        node *k = new_node(p, id, type, strlen(type));
        (void)tt_mi_integer(op.value, e, "num_workers", &k->workers);
        if (tt_json_find(op.value, e, "children", &v) && v.value_n && *v.value == '[') {
            k->children = v.value + 1;
            k->children_end = v.value + v.value_n;
        }
        if (!tt_json_find(op.value, e, "metrics", &v) || !v.value_n || *v.value != '{') continue;
        if (!tt_json_find(v.value, v.value + v.value_n, "output_queue", &v) || !v.value_n || *v.value != '{') continue;
        k->metrics = v.value;
        k->metrics_end = v.value + v.value_n;
    }
    if (p->at.n) qsort(p->at.at, p->at.n, sizeof *p->at.at, by_id);
}

static node *find(pipeline *p, int64_t id)
{
    const node key = {.id = id};
    return p->at.n ? bsearch(&key, p->at.at, p->at.n, sizeof key, by_id) : NULL;
}

typedef struct visit {
    node *k;
    int64_t parent;
} visit;

/* Walk from the root outwards and list the nodes in that order with parents and samples. Operators without a queue are
 * left out: their children get their parent. */
static void walk(pipeline *p, node *root)
{
    TT_VEC(visit) todo = {0};
    TT_VEC(node) order = {0};
    bool *seen = tt_calloc(p->at.n, sizeof *seen);
    *tt_vec_push(&todo) = (visit){root, TT_UNKNOWN};
    for (size_t i = 0; i < todo.n; i++) {
        visit v = todo.at[i];
        tt_json_member child, list;
        int64_t id, parent = v.k->metrics || v.k == root ? v.k->id : v.parent;
        if (seen[v.k - p->at.at]) continue; /* a circle */
        seen[v.k - p->at.at] = true;
        for (const char *at = v.k->children; at && tt_json_item(&at, v.k->children_end, &child);) {
            node *next = tt_decimal_whole(child.value, child.value_n, &id) ? find(p, id) : NULL;
            if (next) *tt_vec_push(&todo) = (visit){next, parent};
        }
        if (!v.k->metrics && v.k != root) continue;
        v.k->parent = v.parent;
        if (v.k->metrics) {
            (void)tt_mi_integer(v.k->metrics, v.k->metrics_end, "length", &v.k->capacity);
            if (tt_json_find(v.k->metrics, v.k->metrics_end, "size", &list))
                (void)add_samples(p, v.k, list.value, list.value_n);
            means(v.k);
        }
        *tt_vec_push(&order) = *v.k;
    }
    free(seen);
    tt_vec_free(&todo);
    free(p->at.at);
    p->at.at = order.at;
    p->at.n = order.n;
    p->at.cap = order.cap;
}

static void read_json(pipeline *p)
{
    tt_text text;
    if (!tt_mi_text(p->m, "pipeline_json", &text)) return;
    const char *end = text.at + text.n, *from = tt_json_blanks(text.at, end);
    list_operators(p, from, end);
    if (p->at.n) {
        node *root = find(p, 0);
        walk(p, root ? root : &p->at.at[0]);
    }
    if (!p->at.n) tt_mi_bad(p->m, "pipeline_json", &text, NULL, "has no op_info with operators");
    if (p->at.n && !tt_json_value_end(from, end)) tt_mi_bad(p->m, "pipeline_json", &text, end, "ends early");
    tt_vec_free(&text);
}

/* ---- suspects ---- */

static double used(const node *k) { return isnan(k->usage) ? 0 : k->usage; }

/* The fullest queue among a node's children, in the nodes sorted by parent; *any: there is a child. */
static double fullest_child(node *const *sorted, size_t n, int64_t id, bool *any)
{
    size_t lo = 0, hi = n;
    double most = 0;
    *any = false;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (sorted[mid]->parent < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < n && sorted[lo]->parent == id; lo++) {
        *any = true;
        if (used(sorted[lo]) > most) most = used(sorted[lo]);
    }
    return most;
}

static void find_suspects(pipeline *p)
{
    size_t n = 0;
    bool all_full = true;
    node **sorted = tt_calloc(p->at.n, sizeof *sorted), *root = NULL;
    for (size_t i = 0; i < p->at.n; i++) {
        node *k = &p->at.at[i];
        if (k->parent == TT_UNKNOWN) {
            if (!root) root = k;
            continue;
        }
        sorted[n++] = k;
        all_full &= used(k) >= FULL;
    }
    TT_SORT_POINTERS_BY(sorted, n, TT_ASC(node, parent));
    for (size_t i = 0; i < n; i++) {
        bool inner;
        double child = fullest_child(sorted, n, sorted[i]->id, &inner);
        sorted[i]->suspect = !all_full && (inner ? child - used(sorted[i]) > FULLER : used(sorted[i]) < FED);
    }
    if (root && n && all_full) root->suspect = true;
    free(sorted);
}

static void add_row(pipeline *p, tt_imported *t, const node *k)
{
    uint32_t row = tt_imported_row(t);
    const char *name = name_of(p, k);
    tt_imported_set_i(t, row, ID, k->id);
    tt_imported_set_s(t, row, NAME, name, strlen(name));
    tt_imported_set_s(t, row, TYPE, k->type, strlen(k->type));
    if (k->workers != TT_UNKNOWN) tt_imported_set_i(t, row, WORKERS, k->workers);
    if (k->parent != TT_UNKNOWN) tt_imported_set_i(t, row, PARENT, k->parent);
    tt_imported_set_i(t, row, SAMPLES, k->samples);
    if (!isnan(k->mean)) tt_imported_set_d(t, row, MEAN, k->mean);
    if (k->capacity != TT_UNKNOWN) tt_imported_set_i(t, row, CAPACITY, k->capacity);
    if (!isnan(k->usage)) tt_imported_set_d(t, row, USAGE, 100 * k->usage);
    tt_imported_set_i(t, row, SUSPECT, k->suspect);
}

void tt_mi_pipeline(tt_mi *m, tt_mi_curve *curve)
{
    pipeline p = {.m = m, .curve = curve};
    if (!read_csv(&p)) read_json(&p);
    if (p.at.n) {
        tt_imported *t = TT_MI_TABLE(m, "data_pipeline", columns);
        find_suspects(&p);
        for (size_t i = 0; i < p.at.n; i++) add_row(&p, t, &p.at.at[i]);
    }
    tt_vec_free(&p.at);
    tt_arena_free(&p.a);
}

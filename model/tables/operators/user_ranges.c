/* model/tables/operators/user_ranges.c - tables user_ranges and memcpy: named host ranges with the device work
 * launched inside, and copies. */
#include "model/tables/analysis/calls/call_order.h"
#include "model/tables/analysis/calls/code_places.h"
#include "model/tables/analysis/device/device_time.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/operators/columns.h"
#include "model/tables/table_util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Kinds of the ranges. */
static uint32_t ranges_of(const tt_trace *s)
{
    uint32_t kinds = 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_ENGINE_STEP;
    return s->rules->operators_are_ranges ? kinds | 1u << TT_KIND_CPU_OP : kinds;
}

typedef struct group {
    tt_stat host, dev;
    int64_t bytes;
    int64_t with_bytes; /* number of copies with known bytes */
    double most;        /* fastest rate of these copies, GB/s; NaN */
} group;
typedef TT_VEC(group) group_list;

static group *group_at(tt_groups *groups, group_list *list, tt_group_key key)
{
    uint32_t at = tt_groups_put(groups, key);
    if (at == list->n) *tt_vec_push(list) = (group){.most = (double)NAN};
    return &list->at[at];
}

/* The range copies or sets memory, judged by its name. */
static bool moves_memory(const char *name)
{
    return strcasestr(name, "memcpy") || strcasestr(name, "memorycopy") || strcasestr(name, "memset");
}

/* Whether the program, not its framework, named the range. */
static bool is_users(const tt_trace *s, tt_row r)
{
    const char *category = s->rules->user_range_category;
    return !category || strcasecmp(tt_str(&s->strings, s->cats[s->cat[r]].name), category) == 0;
}

static void collect_ranges(const tt_query *q, bool memory, tt_groups *groups, group_list *list, uint64_t kind)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_device_time *launched = tt_device_time_get(q->session, q->trace);
    bool by_call = s->rules->tie == TT_TIE_FIRST_CALL;
    const tt_call_order *calls = by_call ? tt_call_order_get(q->session, q->trace) : NULL;
    tt_row_range rows = tt_query_rows(q);
    const uint32_t kinds = ranges_of(s);
    uint32_t n = calls ? calls->n : rows.end - rows.first;
    for (uint32_t i = 0; i < n; i++) {
        tt_row r = calls ? calls->row[i] : rows.first + i;
        if (!(kinds >> tt_row_kind(s, r) & 1) || !tt_query_has(q, s->start[r])) continue;
        if (!tt_row_range_has(rows, r)) continue;
        bool moves = moves_memory(tt_row_name(s, r));
        if (memory ? !moves : (moves && s->rules->copies_are_no_user_ranges) || !is_users(s, r)) continue;
        group *g = group_at(groups, list, (tt_group_key){.a = s->name[r], .b = kind});
        tt_stat_add(&g->host, s->dur[r]);
        tt_stat_add(&g->dev, launched->ns[r]);
        tt_step_sums_host(q->sums, s, (uint32_t)(g - list->at), s->start[r], memory ? launched->ns[r] : s->dur[r]);
    }
}

/* Base of host ratios: the union of the steps in scope; the trace without steps. */
static int64_t steps_total(const tt_query *q)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_windows *w = q->windows;
    int64_t total = 0;
    for (uint32_t i = 0, k = 0; i < s->n_step_spans && k < w->n;) {
        const tt_step_span *x = &s->step_spans[i];
        int64_t t0 = x->t0 > w->at[k].t0 ? x->t0 : w->at[k].t0, t1 = x->t1 < w->at[k].t1 ? x->t1 : w->at[k].t1;
        if (t0 < t1) total += t1 - t0;
        if (x->t1 < w->at[k].t1)
            i++;
        else
            k++;
    }
    return total;
}

/* Base of device ratios: all work launched by the steps in scope, on any thread. */
static int64_t steps_device(const tt_query *q)
{
    const tt_trace *s = tt_query_trace(q);
    int64_t total = 0;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (!tt_kind_is_work(tt_row_kind(s, d->row)) || !tt_windows_have_dev(q->windows, s, d)) continue;
        if (tt_step_at(s, tt_activity_asked_at(s, d)) != TT_NONE) total += s->dur[d->row];
    }
    return total;
}

/* ---- user_ranges ---- */

static const tt_column range_columns[] = {
    [TT_USER_RANGES_NAME] = COL(
        "name", "Range", STRING, 0,
        "name given to record_function, NVTX or RecordEvent; profiler steps have tables of their own, and so has what "
        "moves memory in Paddle"),
    [TT_USER_RANGES_CALLS] = COL("calls", "Calls", COUNT, 1, "how often the range was entered"),
    [TT_USER_RANGES_HOST_TOTAL] = COL("host_total_ns", "CPU total", DURATION, 0, "time from start to end, summed"),
    [TT_USER_RANGES_HOST_MEAN] = COL("host_mean_ns", "CPU mean", DURATION, 1, "CPU total / calls"),
    [TT_USER_RANGES_HOST_MAX] = COL("host_max_ns", "CPU max", DURATION, 3, "longest"),
    [TT_USER_RANGES_HOST_MIN] = COL("host_min_ns", "CPU min", DURATION, 4, "shortest"),
    [TT_USER_RANGES_HOST_RATIO_PCT] =
        COL("host_ratio_pct", "CPU %", PERCENT, 3,
            "share of the time of the profiler steps in scope; above 100 where ranges outlast the steps or run side by "
            "side"),
    [TT_USER_RANGES_DEVICE_TOTAL] =
        COL("device_total_ns", "GPU total", DURATION, 0,
            "kernels, copies and sets launched inside, on the same thread: sum of durations"),
    [TT_USER_RANGES_DEVICE_MEAN] = COL("device_mean_ns", "GPU mean", DURATION, 2, "GPU total / calls"),
    [TT_USER_RANGES_DEVICE_MAX] = COL("device_max_ns", "GPU max", DURATION, 4, "largest of one call"),
    [TT_USER_RANGES_DEVICE_MIN] = COL("device_min_ns", "GPU min", DURATION, 5, "smallest of one call"),
    [TT_USER_RANGES_DEVICE_RATIO_PCT] = COL("device_ratio_pct", "GPU %", PERCENT, 4,
                                            "share of all GPU time that the steps in scope launched, on any thread"),
};

static void compute_ranges(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_device_time *launched = tt_device_time_get(q->session, q->trace);
    int64_t host_all = steps_total(q), device_all = steps_device(q);
    tt_groups groups;
    group_list list = {0};
    tt_groups_init(&groups);
    collect_ranges(q, false, &groups, &list, 0);
    for (size_t i = 0; i < list.n; i++) {
        const group *g = &list.at[i];
        uint32_t row = tt_table_add(t);
        const char *name = tt_str(&s->strings, (tt_sid)groups.key.at[i].a);
        tt_set_slices(q, t, row, ranges_of(s), name);
        tt_set_ref(t, row, TT_USER_RANGES_NAME, name);
        tt_set_i(t, row, TT_USER_RANGES_CALLS, g->host.n);
        tt_set_stat(t, row, TT_USER_RANGES_HOST_TOTAL, &g->host);
        tt_set_d(t, row, TT_USER_RANGES_HOST_RATIO_PCT, tt_pct((double)g->host.total, (double)host_all));
        if (!launched->has_device) continue;
        tt_set_stat(t, row, TT_USER_RANGES_DEVICE_TOTAL, &g->dev);
        tt_set_d(t, row, TT_USER_RANGES_DEVICE_RATIO_PCT, tt_pct_of_all((double)g->dev.total, (double)device_all));
    }
    if (!t->n_rows) tt_note_advice(t, "No annotations", tt_advice_of(tt_query_trace(q)->rules)->mark_ranges);
    tt_groups_free(&groups);
    tt_vec_free(&list);
}

const tt_table_desc tt_table_user_ranges = {
    .id = "user_ranges",
    .title = "Annotations",
    .meaning = "ranges that the program named itself, and the device work launched inside",
    .cols = range_columns,
    .n_cols = COUNT_OF(range_columns),
    .default_sort = "host_total_ns",
    .default_desc = true,
    .flags = TT_TABLE_THREADS | TT_TABLE_STEP_SUMS,
    .compute = compute_ranges,
};

/* ---- memcpy ---- */

enum { DEVICE_COPY, DEVICE_SET, HOST_RANGE };

static const char *const copy_kinds[] = {"device copy", "device set", "host range"};
static const uint32_t copy_slices[] = {1u << TT_KIND_MEMCPY, 1u << TT_KIND_MEMSET};

static const tt_column copy_columns[] = {
    [TT_MEMCPY_KIND] =
        COL("kind", "Kind", STRING, 1,
            "device copy, device set; host range: a named range whose name says that it copies or sets memory"),
    [TT_MEMCPY_NAME] = COL("name", "Name", STRING, 0, "name of the copy: direction and memory kinds"),
    [TT_MEMCPY_CALLS] = COL("calls", "Calls", COUNT, 1, "how many"),
    [TT_MEMCPY_BYTES] = COL("bytes", "Bytes", BYTES, 0, "bytes moved, where the trace says"),
    [TT_MEMCPY_GB_PER_S] = COL("gb_per_s", "GB/s", NUMBER, 1,
                               "10^9 bytes a second: bytes / GPU total; unknown unless every copy says its bytes"),
    [TT_MEMCPY_MAX_GB_PER_S] = COL("max_gb_per_s", "Max GB/s", NUMBER, 3, "of the fastest copy"),
    [TT_MEMCPY_HOST_TOTAL] = COL("host_total_ns", "CPU total", DURATION, 2, "CPU time of the named ranges"),
    [TT_MEMCPY_HOST_MEAN] = COL("host_mean_ns", "CPU mean", DURATION, 5, "CPU total / calls"),
    [TT_MEMCPY_HOST_MAX] = COL("host_max_ns", "CPU max", DURATION, 6, "longest range"),
    [TT_MEMCPY_HOST_MIN] = COL("host_min_ns", "CPU min", DURATION, 7, "shortest range"),
    [TT_MEMCPY_HOST_RATIO_PCT] =
        COL("host_ratio_pct", "CPU %", PERCENT, 5,
            "share of the time of the profiler steps in scope; above 100 where ranges outlast the steps or run side by "
            "side"),
    [TT_MEMCPY_DEVICE_TOTAL] = COL("device_total_ns", "GPU total", DURATION, 0,
                                   "time on the device: of the copies, or launched inside the named range"),
    [TT_MEMCPY_DEVICE_MEAN] = COL("device_mean_ns", "GPU mean", DURATION, 1, "GPU total / calls"),
    [TT_MEMCPY_DEVICE_MAX] = COL("device_max_ns", "GPU max", DURATION, 3, "longest"),
    [TT_MEMCPY_DEVICE_MIN] = COL("device_min_ns", "GPU min", DURATION, 4, "shortest"),
    [TT_MEMCPY_DEVICE_RATIO_PCT] =
        COL("device_ratio_pct", "GPU %", PERCENT, 3,
            "share of all copies and sets on the device; of a named range: of the GPU time of the steps"),
    [TT_MEMCPY_LINE] = COL_PLACE("line", "Python line", 1, "the line of the program that asks for most of them"),
};

static int64_t collect_copies(const tt_query *q, tt_groups *groups, group_list *list)
{
    const tt_trace *s = tt_query_trace(q);
    tt_row_range rows = tt_query_rows(q);
    int64_t all = 0;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        tt_kind k = tt_row_kind(s, d->row);
        if ((k != TT_KIND_MEMCPY && k != TT_KIND_MEMSET) || !tt_query_has_dev(q, s, d, rows)) continue;
        uint64_t kind = k == TT_KIND_MEMCPY ? DEVICE_COPY : DEVICE_SET;
        group *g = group_at(groups, list, (tt_group_key){.a = s->name[d->row], .b = kind});
        tt_stat_add(&g->dev, s->dur[d->row]);
        tt_step_sums_dev(q->sums, s, (uint32_t)(g - list->at), d);
        all += s->dur[d->row];
        if (d->bytes != TT_UNKNOWN) {
            g->bytes += d->bytes;
            g->with_bytes++;
            g->most = fmax(g->most, tt_gb_per_s((double)d->bytes, s->dur[d->row]));
        }
    }
    return all;
}

static void compute_copies(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_device_time *launched = tt_device_time_get(q->session, q->trace);
    tt_groups groups;
    group_list list = {0};
    tt_groups_init(&groups);
    int64_t all = collect_copies(q, &groups, &list), host_all = steps_total(q), device_all = steps_device(q);
    collect_ranges(q, true, &groups, &list, HOST_RANGE);
    for (size_t i = 0; i < list.n; i++) {
        const group *g = &list.at[i];
        uint64_t kind = groups.key.at[i].b;
        uint32_t row = tt_table_add(t);
        const char *name = tt_str(&s->strings, (tt_sid)groups.key.at[i].a);
        tt_set_slices(q, t, row, kind == HOST_RANGE ? ranges_of(s) : copy_slices[kind], name);
        tt_set_ref(t, row, TT_MEMCPY_KIND, copy_kinds[kind]);
        if (*name) tt_set_ref(t, row, TT_MEMCPY_NAME, name); /* without a name, the trace gives no direction */
        tt_set_i(t, row, TT_MEMCPY_CALLS, kind == HOST_RANGE ? g->host.n : g->dev.n);
        if (g->with_bytes) tt_set_i(t, row, TT_MEMCPY_BYTES, g->bytes);
        if (g->with_bytes && g->with_bytes == g->dev.n)
            tt_set_d(t, row, TT_MEMCPY_GB_PER_S, tt_gb_per_s((double)g->bytes, g->dev.total));
        tt_set_d(t, row, TT_MEMCPY_MAX_GB_PER_S, g->most);
        if (q->options.places)
            tt_set_ref(t, row, TT_MEMCPY_LINE, tt_code_line(q, (tt_sid)groups.key.at[i].a, kind != HOST_RANGE));
        tt_set_stat(t, row, TT_MEMCPY_HOST_TOTAL, &g->host);
        if (kind == HOST_RANGE)
            tt_set_d(t, row, TT_MEMCPY_HOST_RATIO_PCT, tt_pct((double)g->host.total, (double)host_all));
        if (kind == HOST_RANGE && !launched->has_device) continue;
        tt_set_stat(t, row, TT_MEMCPY_DEVICE_TOTAL, &g->dev);
        tt_set_d(t, row, TT_MEMCPY_DEVICE_RATIO_PCT,
                 tt_pct_of_all((double)g->dev.total, (double)(kind == HOST_RANGE ? device_all : all)));
    }
    if (!t->n_rows && tt_query_trace(q)->n_dev)
        t->note = "No memory copies";
    else if (!t->n_rows)
        tt_note_advice(t, "No memory copies", tt_advice_of(tt_query_trace(q)->rules)->record_device);
    tt_groups_free(&groups);
    tt_vec_free(&list);
}

const tt_table_desc tt_table_memcpy = {
    .id = "memcpy",
    .title = "Memory copies",
    .meaning = "copies and sets on the device by direction, and named host ranges that move memory",
    .cols = copy_columns,
    .n_cols = COUNT_OF(copy_columns),
    .default_sort = "device_total_ns",
    .default_desc = true,
    .flags = TT_TABLE_THREADS | TT_TABLE_STEP_SUMS,
    .compute = compute_copies,
};

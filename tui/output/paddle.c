/* tui/output/paddle.c - the layout of Paddle's Profiler.summary(): titles, columns, notes and digits as its users know
 * them.
 *
 * Every number comes from the tables; only the form is Paddle's. Columns are left-aligned and two blanks follow
 * each, the last included; a title stands centred in dashes as wide as the row. Widths count characters. */
#include "tui/output/paddle.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/analysis/device/columns.h"
#include "model/tables/cells.h"
#include "model/tables/devices/columns.h"
#include "model/tables/memory/columns.h"
#include "model/tables/operators/columns.h"
#include "model/tables/overview/columns.h"
#include "model/tables/registry/registry.h"
#include "model/tables/sort_words.h"
#include "model/text/text_safety.h"
#include "tui/output/paddle_perf.h"

enum { MOST_COLUMNS = 8, CALLS_WIDTH = 6, STAT_WIDTH = 40 };

typedef struct print {
    FILE *f;
    tt_session *session;
    const tt_select *sel;
    tt_scope scope; /* one worker and span */
    const tt_trace *trace;
    const char *unit;
    double per_unit; /* ns */
    uint32_t limit;
    tt_arena arena;
    tt_err *err;
    bool failed;
    bool wrote; /* something was printed for the view */
} print;

typedef struct line { /* a line of a view; a line that is only a title has no cells */
    const char *title;
    const char *cell[MOST_COLUMNS];
} line;

typedef struct view { /* a view: its lines are collected first, because widths depend on all of them */
    TT_VEC(line) lines;
    uint32_t n; /* columns */
    uint32_t width[MOST_COLUMNS];
} view;

/* ---- the form ---- */

static uint32_t length(const char *s)
{
    uint32_t n = 0;
    for (; *s; s++) n += (*s & 0xC0) != 0x80;
    return n;
}

static void put_cell(print *p, const char *text, uint32_t width)
{
    uint32_t n = length(text);
    fprintf(p->f, "%s%*s", text, (int)(n < width ? width - n : 0) + 2, "");
}

static void put_dashes(print *p, uint32_t n)
{
    while (n--) fputc('-', p->f);
}

static void put_row(print *p, const view *v, const char *const cell[])
{
    for (uint32_t c = 0; c < v->n; c++) put_cell(p, cell[c], v->width[c]);
    fputc('\n', p->f);
}

static void put_rule(print *p, const view *v)
{
    for (uint32_t c = 0; c < v->n; c++) {
        put_dashes(p, v->width[c]);
        fputs("  ", p->f);
    }
    fputc('\n', p->f);
}

static uint32_t line_length(const view *v)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < v->n; c++) n += v->width[c] + 2;
    return n - 2;
}

static void put_title(print *p, const view *v, const char *title)
{
    uint32_t all = line_length(v), n = length(title), left = all > n ? all - n : 0;
    p->wrote = true;
    put_dashes(p, left / 2);
    fputs(title, p->f);
    put_dashes(p, left - left / 2);
    fputc('\n', p->f);
}

static void put_head(print *p, const view *v, const char *title, const char *const head[], bool with_unit)
{
    put_title(p, v, title);
    if (with_unit) fprintf(p->f, "Time unit: %s\n", p->unit);
    put_rule(p, v);
    put_row(p, v, head);
    put_rule(p, v);
}

static void put_lines(print *p, const view *v)
{
    for (size_t i = 0; i < v->lines.n; i++) {
        const line *l = &v->lines.at[i];
        if (l->title) {
            put_title(p, v, l->title);
        } else {
            put_row(p, v, l->cell);
        }
    }
}

static void put_note(print *p, const view *v, const char *note)
{
    put_rule(p, v);
    fprintf(p->f, "%s\n", note);
    put_dashes(p, line_length(v));
    fputs("\n\n\n", p->f);
}

/* Set the widths of the columns; columns of the mask `growing` are at least as wide as their longest cell. */
static void fit(view *v, uint32_t n, const uint32_t *width, uint32_t growing)
{
    v->n = n;
    for (uint32_t c = 0; c < n; c++) {
        v->width[c] = width[c];
        for (size_t i = 0; growing >> c & 1 && i < v->lines.n; i++) {
            const line *l = &v->lines.at[i];
            uint32_t w = l->title ? 0 : length(l->cell[c]);
            if (w > v->width[c]) v->width[c] = w;
        }
    }
}

static line *add_line(view *v)
{
    line *l = tt_vec_push(&v->lines);
    *l = (line){0};
    return l;
}

/* ---- values ---- */

static const char *clean(print *p, const char *s)
{
    size_t n = strlen(s), need = tt_sanitize_term(NULL, 0, s, n);
    char *out = tt_arena_alloc(&p->arena, need + 1);
    tt_sanitize_term(out, need + 1, s, n);
    return out;
}

/* The first characters and "..." of a text that is longer than `most`. */
static const char *cut(print *p, const char *s, uint32_t most)
{
    if (length(s) <= most) return s;
    const char *e = s;
    for (uint32_t n = 0; *e; e++) {
        if ((*e & 0xC0) != 0x80 && n++ == most - 3) break;
    }
    return tt_arena_printf(&p->arena, "%.*s...", (int)(e - s), s);
}

static int64_t int_of(const tt_table *t, uint32_t row, uint32_t column)
{
    int64_t v = tt_cell_i(t, row, column);
    return v == TT_UNKNOWN ? 0 : v;
}

static double ratio_of(const tt_table *t, uint32_t row, uint32_t column)
{
    double v = tt_cell_d(t, row, column);
    return isnan(v) ? 0 : v;
}

static const char *text_of(print *p, const tt_table *t, uint32_t row, uint32_t column)
{
    return clean(p, tt_cell_s(t, row, column));
}

static const char *count_text(print *p, int64_t n) { return tt_arena_printf(&p->arena, "%" PRId64, n); }

static const char *time_text(print *p, double ns) { return tt_arena_printf(&p->arena, "%.2f", ns / p->per_unit); }

static const char *ratio_text(print *p, double pct) { return tt_arena_printf(&p->arena, "%.2f", pct); }

/* "total / avg / max / min / ratio"; 0 where nothing was measured. total: the column with the sum, behind which mean,
 * longest and shortest follow. */
static const char *stat_text(print *p, const tt_table *t, uint32_t row, uint32_t total, int64_t calls, double pct)
{
    double sum = (double)int_of(t, row, total), longest = (double)int_of(t, row, total + 2),
           shortest = (double)int_of(t, row, total + 3);
    return tt_arena_printf(&p->arena, "%.2f / %.2f / %.2f / %.2f / %.2f", sum / p->per_unit,
                           calls ? sum / (double)calls / p->per_unit : 0, longest / p->per_unit, shortest / p->per_unit,
                           pct);
}

static double share(int64_t part, double whole) { return whole > 0 ? 100 * (double)part / whole : 0; }

static const tt_table *table(print *p, const char *id, int64_t thread)
{
    tt_options o = p->sel->options;
    tt_scope scope = p->scope;
    o.thread_sep = false;
    o.group = 0;
    scope.thread = thread;
    return tt_table_get(p->session, tt_table_find(id), &scope, &o);
}

/* The rows in order: by --sort as Paddle's SortedKeys do (Min keys ascend), else by the column `otherwise`, TT_NONE =
 * as computed. Free with tt_row_order_free(). */
static tt_row_order ordered(print *p, const tt_table *t, const char *key, uint32_t otherwise)
{
    tt_row_order v = {0};
    tt_row_order_spec spec = {.sort_col = -1, .filter = p->sel->filter, .regex = p->sel->regex, .name_only = true};
    int col = key && *key ? tt_sort_column(t, key) : -1;
    if (col < 0 && otherwise != TT_NONE) col = tt_column_shown(t, otherwise);
    if (col >= 0) {
        spec.sort_col = col;
        spec.desc = t->cols[col]->type != TT_T_STRING && !strstr(t->cols[col]->key, "min_ns");
        if (p->sel->sort_dir) spec.desc = p->sel->sort_dir < 0;
    }
    if (tt_row_order_make(t, &spec, &v, p->err) != TT_OK) p->failed = true;
    if (p->limit && v.n > p->limit) v.n = p->limit;
    return v;
}

/* The sum of a column over all rows, to which ratios refer: --filter and --limit do not change it. */
static double sum_of(const tt_table *t, uint32_t column)
{
    double sum = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) sum += (double)int_of(t, r, column);
    return sum;
}

/* ---- the views ---- */

static void device_view(print *p)
{
    static const char *const head[] = {"Device", "Utilization (%)"};
    static const uint32_t width[] = {30, 20};
    const tt_table *t = table(p, "devices", TT_ALL);
    view v = {0};
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double used = tt_cell_d(t, r, TT_DEVICES_UTILIZATION_PCT);
        line *l = add_line(&v);
        l->cell[0] = text_of(p, t, r, TT_DEVICES_DEVICE);
        l->cell[1] = isnan(used) ? "-" : ratio_text(p, used);
    }
    fit(&v, 2, width, 0);
    put_head(p, &v, "Device Summary", head, false);
    put_lines(p, &v);
    put_note(
        p, &v,
        "Note:\n"
        "CPU(Process) Utilization = Current process CPU time over all cpu cores / elapsed time, so max utilization "
        "can be reached 100% * number of cpu cores.\n"
        "CPU(System) Utilization = All processes CPU time over all cpu cores(busy time) / (busy time + idle time).\n"
        "GPU Utilization = Current process GPU time / elapsed time.");
    tt_vec_free(&v.lines);
}

static void add_type(print *p, view *v, const tt_table *t, uint32_t r, bool indent)
{
    line *l = add_line(v);
    l->cell[0] = tt_arena_printf(&p->arena, "%s%s", indent ? "  " : "", text_of(p, t, r, TT_EVENT_TYPES_TYPE));
    l->cell[1] = count_text(p, int_of(t, r, TT_EVENT_TYPES_CALLS));
    l->cell[2] = time_text(p, (double)int_of(t, r, TT_EVENT_TYPES_TIME));
    l->cell[3] = ratio_text(p, ratio_of(t, r, TT_EVENT_TYPES_RATIO_PCT));
}

static void overview_view(print *p)
{
    static const char *const host_head[] = {"Event Type", "Calls", "CPU Time", "Ratio (%)"}, *const device_head[] = {
                                                                                                 "", "Calls",
                                                                                                 "GPU Time",
                                                                                                 "Ratio (%)"};
    static const uint32_t width[] = {25, 25, 25, 25};
    const tt_table *t = table(p, "event_types", TT_ALL);
    view host = {0}, device = {0};
    for (int on_host = 0; on_host < 2; on_host++) {
        tt_row_order rows = ordered(p, t, NULL, on_host ? TT_EVENT_TYPES_TIME : TT_NONE);
        for (uint32_t i = 0; i < rows.n; i++) {
            bool is_host = !strcmp(text_of(p, t, rows.rows[i], TT_EVENT_TYPES_SIDE), "host");
            if (is_host == (on_host == 1))
                add_type(p, is_host ? &host : &device, t, rows.rows[i], !is_host || host.lines.n);
        }
        tt_row_order_free(&rows);
    }
    fit(&host, 4, width, 0);
    fit(&device, 4, width, 0);
    put_head(p, &host, "Overview Summary", host_head, true);
    put_lines(p, &host);
    put_rule(p, &host);
    put_row(p, &device, device_head);
    put_rule(p, &device);
    put_lines(p, &device);
    put_note(
        p, &host,
        "Note:\n"
        "In this table, We sum up all collected events in terms of event type.\n"
        "The time of events collected on host are presented as CPU Time, and as GPU Time if on device.\n"
        "Events with different types may overlap or inclusion, e.g. Operator includes OperatorInner, so the sum of "
        "ratios is not 100%.\n"
        "The time of events in the same type with overlap will not calculate twice, and all time is summed after "
        "merged.\n"
        "Example:\n"
        "Thread 1:\n"
        "  Operator: |___________|     |__________|\n"
        "Thread 2:\n"
        "  Operator:   |____________|     |___|\n"
        "After merged:\n"
        "  Result:   |______________|  |__________|\n");
    tt_vec_free(&host.lines);
    tt_vec_free(&device.lines);
}

static const char *const call_head[] = {"Name", "Calls", "CPU Total / Avg / Max / Min / Ratio(%)",
                                        "GPU Total / Avg / Max / Min / Ratio(%)", "FLOPs"};

static void model_view(print *p)
{
    static const uint32_t width[] = {15, CALLS_WIDTH, STAT_WIDTH, STAT_WIDTH};
    const tt_table *t = table(p, "stages", TT_ALL);
    view v = {0};
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *name = text_of(p, t, r, TT_STAGES_STAGE);
        double host = ratio_of(t, r, TT_STAGES_HOST_RATIO_PCT), device = ratio_of(t, r, TT_STAGES_DEVICE_RATIO_PCT);
        line *l = add_line(&v);
        if (!strcmp(name, "DataLoader")) name = "Dataloader";
        l->cell[0] = tt_arena_printf(&p->arena, "%s%s", strcmp(name, "ProfileStep") != 0 ? "  " : "", name);
        if (!strcmp(name, "Others")) {
            l->cell[1] = "-";
            l->cell[2] = tt_arena_printf(&p->arena, "%s / - / - / - / %.2f",
                                         time_text(p, (double)int_of(t, r, TT_STAGES_HOST_TOTAL)), host);
            l->cell[3] = tt_arena_printf(&p->arena, "%s / - / - / - / %.2f",
                                         time_text(p, (double)int_of(t, r, TT_STAGES_DEVICE_TOTAL)), device);
        } else {
            int64_t calls = int_of(t, r, TT_STAGES_CALLS);
            l->cell[1] = count_text(p, calls);
            l->cell[2] = stat_text(p, t, r, TT_STAGES_HOST_TOTAL, calls, host);
            l->cell[3] = stat_text(p, t, r, TT_STAGES_DEVICE_TOTAL, calls, device);
        }
    }
    if (v.lines.n > 2) { /* several kinds and their sum */
        fit(&v, 4, width, 1 << 1 | 1 << 2 | 1 << 3);
        put_head(p, &v, "Model Summary", call_head, true);
        put_lines(p, &v);
        put_note(
            p, &v,
            "Note:\n"
            "In this table, GPU time is the sum of all device(GPU) events called in the phase.\n"
            "Unlike overview summary, if two device(GPU) events execute on different streams with overlap time, we "
            "sum them directly here.\n");
    }
    tt_vec_free(&v.lines);
}

static void distribution_view(print *p)
{
    static const char *const head[] = {"Name", "Total Time", "Ratio (%)"};
    static const uint32_t width[] = {25, 25, 25};
    const tt_table *t = table(p, "distribution", TT_ALL);
    if (!t->n_rows) return;
    view v = {0};
    for (uint32_t r = 0; r < t->n_rows; r++) {
        line *l = add_line(&v);
        l->cell[0] = tt_arena_printf(&p->arena, "%s%s", r ? "  " : "", text_of(p, t, r, TT_DISTRIBUTION_NAME));
        l->cell[1] = time_text(p, (double)int_of(t, r, TT_DISTRIBUTION_TOTAL));
        l->cell[2] = ratio_text(p, ratio_of(t, r, TT_DISTRIBUTION_RATIO_PCT));
    }
    fit(&v, 3, width, 0);
    put_head(p, &v, "Distribution Summary", head, true);
    put_lines(p, &v);
    put_note(p, &v,
             "Note:\n"
             "Communication time: Communication Event time, Communication Op time and its kernel time on gpu.\n"
             "Computation time: Kernel time, except kernels belong to communication(nccl kernels).\n"
             "Overlap time: Communication time intersects with computation time.\n"
             "Example:\n"
             "Communication:\n"
             "  CPU:              |_________________|\n"
             "  GPU:                                  |______________|\n"
             "  Total:            |_________________| |______________|\n"
             "Computation time(Kernel):\n"
             "  GPU:         |________________|\n"
             "Overlap time:       |___________|\n");
    tt_vec_free(&v.lines);
}

/* Call `each` for the merged threads, or with --thread-sep for every host thread. */
static void for_threads(print *p, view *v, bool (*each)(print *p, view *v, int64_t thread, const char *title))
{
    if (!p->sel->thread_sep) {
        (void)each(p, v, TT_ALL, "Thread: All threads merged");
        return;
    }
    for (uint32_t i = 0; i < p->trace->n_tracks; i++) {
        const tt_track *t = &p->trace->tracks[i];
        if (t->kind != TT_TRACK_THREAD || !t->n) continue;
        const char *tid = clean(p, tt_str(&p->trace->strings, t->tid));
        (void)each(p, v, i, tt_arena_printf(&p->arena, "Thread: %s", tid));
    }
}

enum { OPERATOR_WIDTH = 52 };
static const char no_stat[] = "- / - / - / - / -";

static void add_part(print *p, view *v, const tt_table *tree, uint32_t r, uint32_t indent, int64_t host, int64_t device)
{
    int64_t calls = int_of(tree, r, TT_OPERATOR_TREE_CALLS);
    bool work = int_of(tree, r, TT_OPERATOR_TREE_IS_DEVICE) != 0;
    line *l = add_line(v);
    l->cell[0] = tt_arena_printf(&p->arena, "%*s%s", (int)indent, "",
                                 cut(p, text_of(p, tree, r, TT_OPERATOR_TREE_NAME), OPERATOR_WIDTH - indent));
    l->cell[1] = count_text(p, calls);
    l->cell[2] = work ? no_stat
                      : stat_text(p, tree, r, TT_OPERATOR_TREE_HOST_TOTAL, calls,
                                  share(int_of(tree, r, TT_OPERATOR_TREE_HOST_TOTAL), (double)host));
    l->cell[3] = stat_text(p, tree, r, TT_OPERATOR_TREE_DEVICE_TOTAL, calls,
                           share(int_of(tree, r, TT_OPERATOR_TREE_DEVICE_TOTAL), (double)device));
    l->cell[4] = "-";
}

/* Add the parts of an operator, the rows behind its own in the tree: inner calls, each with the device work that it
 * launched itself, then the operator's own device work. */
static void add_parts(print *p, view *v, const tt_table *tree, uint32_t root)
{
    int64_t host = int_of(tree, root, TT_OPERATOR_TREE_HOST_TOTAL),
            device = int_of(tree, root, TT_OPERATOR_TREE_DEVICE_TOTAL);
    for (int own = 0; own < 2; own++) {
        int64_t inner_device = 0;
        bool inside = false;
        for (uint32_t r = root + 1; r < tree->n_rows && int_of(tree, r, TT_OPERATOR_TREE_DEPTH) > 0; r++) {
            int64_t depth = int_of(tree, r, TT_OPERATOR_TREE_DEPTH);
            bool work = int_of(tree, r, TT_OPERATOR_TREE_IS_DEVICE) != 0;
            if (depth == 1) inside = !work;
            if (depth == 1 && work == (own == 1)) {
                inner_device = int_of(tree, r, TT_OPERATOR_TREE_DEVICE_TOTAL);
                add_part(p, v, tree, r, 2, host, device);
            } else if (depth == 2 && work && inside && !own) {
                add_part(p, v, tree, r, 4, 0, inner_device);
            }
        }
    }
}

static uint32_t root_of(const tt_table *tree, const char *name)
{
    for (uint32_t r = 0; r < tree->n_rows; r++) {
        if (!int_of(tree, r, TT_OPERATOR_TREE_DEPTH) && !strcmp(tt_cell_s(tree, r, TT_OPERATOR_TREE_NAME), name))
            return r;
    }
    return TT_NONE;
}

static bool add_operators(print *p, view *v, int64_t thread, const char *title)
{
    const tt_table *t = table(p, "operators", thread), *tree = table(p, "operator_tree", thread);
    if (!t->n_rows) return false;
    double host = sum_of(t, TT_OPERATORS_HOST_TOTAL), device = sum_of(t, TT_OPERATORS_DEVICE_TOTAL);
    tt_row_order rows = ordered(p, t, p->sel->sort_key, TT_OPERATORS_HOST_TOTAL);
    add_line(v)->title = title;
    for (uint32_t i = 0; i < rows.n; i++) {
        uint32_t r = rows.rows[i];
        int64_t calls = int_of(t, r, TT_OPERATORS_CALLS);
        line *l = add_line(v);
        l->cell[0] = text_of(p, t, r, TT_OPERATORS_NAME);
        l->cell[1] = count_text(p, calls);
        l->cell[2] =
            stat_text(p, t, r, TT_OPERATORS_HOST_TOTAL, calls, share(int_of(t, r, TT_OPERATORS_HOST_TOTAL), host));
        l->cell[3] = stat_text(p, t, r, TT_OPERATORS_DEVICE_TOTAL, calls,
                               share(int_of(t, r, TT_OPERATORS_DEVICE_TOTAL), device));
        l->cell[4] = "0"; /* the trace has no FLOPs */
        uint32_t root = root_of(tree, tt_cell_s(t, r, TT_OPERATORS_NAME));
        if (root != TT_NONE && !p->sel->no_op_detail) add_parts(p, v, tree, root);
    }
    tt_row_order_free(&rows);
    return true;
}

static void operator_view(print *p)
{
    static const uint32_t width[] = {OPERATOR_WIDTH, CALLS_WIDTH, STAT_WIDTH, STAT_WIDTH, 10};
    view v = {0};
    for_threads(p, &v, add_operators);
    if (v.lines.n) {
        fit(&v, 5, width, 1 << 1 | 1 << 2 | 1 << 3);
        put_head(p, &v, "Operator Summary", call_head, true);
        put_lines(p, &v);
        put_rule(p, &v);
        fputs("\n\n", p->f);
    }
    tt_vec_free(&v.lines);
}

/* "name<...>(...)" without the argument list. */
static const char *kernel_name(print *p, const char *name)
{
    const char *open = *name ? strchr(name + 1, '<') : NULL, *end = NULL;
    for (const char *q = open; q && (q = strstr(q, ">(")) != NULL; q++) {
        if (strchr(q, ')')) end = q + 1;
    }
    return cut(p, end ? tt_arena_strndup(&p->arena, name, (size_t)(end - name)) : name, 90);
}

static void kernel_view(print *p)
{
    static const char *const head[] = {"Name", "Calls", "GPU Total / Avg / Max / Min / Ratio(%)"};
    static const uint32_t width[] = {90, CALLS_WIDTH, STAT_WIDTH};
    const tt_table *t = table(p, "kernels", TT_ALL);
    const char *key = p->sel->sort_key;
    if (!t->n_rows) return;
    view v = {0};
    /* keys of device times also sort kernels; keys of CPU times do not */
    tt_row_order rows = ordered(p, t, strncmp(key, "device_", 7) == 0 ? key + 7 : key, TT_KERNELS_TOTAL);
    double all = sum_of(t, TT_KERNELS_TOTAL);
    for (uint32_t i = 0; i < rows.n; i++) {
        uint32_t r = rows.rows[i];
        int64_t calls = int_of(t, r, TT_KERNELS_CALLS);
        line *l = add_line(&v);
        l->cell[0] = kernel_name(p, text_of(p, t, r, TT_KERNELS_NAME));
        l->cell[1] = count_text(p, calls);
        l->cell[2] = stat_text(p, t, r, TT_KERNELS_TOTAL, calls, share(int_of(t, r, TT_KERNELS_TOTAL), all));
    }
    fit(&v, 3, width, 1 << 1 | 1 << 2);
    put_head(p, &v, "Kernel Summary", head, true);
    put_lines(p, &v);
    put_rule(p, &v);
    fputs("\n\n", p->f);
    tt_row_order_free(&rows);
    tt_vec_free(&v.lines);
}

typedef struct range_columns { /* columns of a table of ranges */
    uint32_t name, calls, host_total, host_ratio, device_total, device_ratio;
} range_columns;

static void add_range(print *p, view *v, const tt_table *t, uint32_t r, const range_columns *c)
{
    int64_t calls = int_of(t, r, c->calls);
    line *l = add_line(v);
    l->cell[0] = text_of(p, t, r, c->name);
    l->cell[1] = count_text(p, calls);
    l->cell[2] = stat_text(p, t, r, c->host_total, calls, ratio_of(t, r, c->host_ratio));
    l->cell[3] = stat_text(p, t, r, c->device_total, calls, ratio_of(t, r, c->device_ratio));
}

static const uint32_t range_width[] = {0, CALLS_WIDTH, STAT_WIDTH, STAT_WIDTH};
enum { RANGE_GROWS = 15 };

static void manipulation_view(print *p)
{
    static const range_columns columns = {TT_MEMCPY_NAME,           TT_MEMCPY_CALLS,        TT_MEMCPY_HOST_TOTAL,
                                          TT_MEMCPY_HOST_RATIO_PCT, TT_MEMCPY_DEVICE_TOTAL, TT_MEMCPY_DEVICE_RATIO_PCT};
    const tt_table *t = table(p, "memcpy", TT_ALL);
    tt_row_order rows = ordered(p, t, NULL, TT_NONE);
    view v = {0};
    for (uint32_t i = 0; i < rows.n; i++) {
        if (!strcmp(tt_cell_s(t, rows.rows[i], TT_MEMCPY_KIND), "host range"))
            add_range(p, &v, t, rows.rows[i], &columns);
    }
    if (v.lines.n) {
        fit(&v, 4, range_width, RANGE_GROWS);
        put_head(p, &v, "Memory Manipulation Summary", call_head, true);
        put_lines(p, &v);
        put_rule(p, &v);
        fputs("\n\n", p->f);
    }
    tt_row_order_free(&rows);
    tt_vec_free(&v.lines);
}

static bool add_ranges(print *p, view *v, int64_t thread, const char *title)
{
    static const range_columns columns = {TT_USER_RANGES_NAME,         TT_USER_RANGES_CALLS,
                                          TT_USER_RANGES_HOST_TOTAL,   TT_USER_RANGES_HOST_RATIO_PCT,
                                          TT_USER_RANGES_DEVICE_TOTAL, TT_USER_RANGES_DEVICE_RATIO_PCT};
    const tt_table *t = table(p, "user_ranges", thread);
    if (!t->n_rows) return false;
    tt_row_order rows = ordered(p, t, p->sel->sort_key, TT_USER_RANGES_HOST_TOTAL);
    add_line(v)->title = title;
    for (uint32_t i = 0; i < rows.n; i++) add_range(p, v, t, rows.rows[i], &columns);
    tt_row_order_free(&rows);
    return true;
}

static void user_view(print *p)
{
    view v = {0};
    for_threads(p, &v, add_ranges);
    if (v.lines.n) {
        fit(&v, 4, range_width, RANGE_GROWS);
        put_head(p, &v, "UserDefined Summary", call_head, true);
        put_lines(p, &v);
        fputs("\n\n", p->f);
    }
    tt_vec_free(&v.lines);
}

/* "GPU0" -> "Place(gpu:0)" */
static const char *place_text(print *p, const char *device)
{
    size_t n = strcspn(device, "0123456789");
    char *name = tt_arena_strndup(&p->arena, device, n);
    for (char *c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
    return tt_arena_printf(&p->arena, "Place(%s%s%s)", name, device[n] ? ":" : "", device + n);
}

static void add_memory(print *p, view *v, const tt_table *t, const tt_row_order *rows, const char *device,
                       const char *kind)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        uint32_t r = rows->rows[i];
        const char *name = text_of(p, t, r, TT_MEMORY_NAMES_NAME);
        if (!*name || strcmp(text_of(p, t, r, TT_MEMORY_NAMES_DEVICE), device) ||
            strcmp(text_of(p, t, r, TT_MEMORY_NAMES_KIND), kind))
            continue;
        line *l = add_line(v);
        l->cell[0] = name;
        l->cell[1] = !strcmp(kind, "reserved") ? "Reserved" : "Allocated";
        for (uint32_t c = 0; c < 5; c++) /* allocations, frees, bytes of both, their difference */
            l->cell[2 + c] = count_text(p, int_of(t, r, TT_MEMORY_NAMES_ALLOCATION_COUNT + c));
    }
}

static void memory_view(print *p)
{
    static const char *const head[] = {
        "Name", "Type", "Allocation Count", "Free Count", "Allocation Size", "Free Size", "Increased Size"};
    static const uint32_t width[] = {50, 12, 15, 15, 15, 15, 15};
    const tt_table *t = table(p, "memory_names", TT_ALL), *devices = table(p, "memory_devices", TT_ALL);
    tt_row_order rows = ordered(p, t, NULL, TT_MEMORY_NAMES_INCREASE_BYTES);
    for (uint32_t d = 0; d < devices->n_rows; d++) {
        const char *device = text_of(p, devices, d, TT_MEMORY_DEVICES_DEVICE);
        view v = {0};
        add_memory(p, &v, t, &rows, device, "allocated");
        bool any = v.lines.n > 0;
        add_memory(p, &v, t, &rows, device, "reserved");
        fit(&v, 7, width, 0);
        if (any) { /* Paddle leaves out places where nothing was allocated */
            put_title(p, &v, tt_arena_printf(&p->arena, "Memory Summary - %s", place_text(p, device)));
            fprintf(p->f, "Peak Allocated Memory: %" PRId64 "\nPeak Reserved Memory: %" PRId64 "\n",
                    int_of(devices, d, TT_MEMORY_DEVICES_PEAK_ALLOCATED_BYTES),
                    int_of(devices, d, TT_MEMORY_DEVICES_PEAK_RESERVED_BYTES));
            put_rule(p, &v);
            put_row(p, &v, head);
            put_rule(p, &v);
            put_lines(p, &v);
            fputs("\n\n", p->f);
        }
        tt_vec_free(&v.lines);
    }
    tt_row_order_free(&rows);
}

static void perf_view(print *p) { p->wrote = tt_out_paddle_perf(p->f, table(p, "throughput", TT_ALL)); }

/* ---- all of them ---- */

static const struct {
    const char *tables; /* the view is printed when one of these tables is asked for */
    const char *title;
    void (*print)(print *p);
} views[] = {{" devices ", "Device Summary", device_view},
             {" event_types ", "Overview Summary", overview_view},
             {" stages ", "Model Summary", model_view},
             {" distribution ", "Distribution Summary", distribution_view},
             {" operators operator_tree ", "Operator Summary", operator_view},
             {" kernels ", "Kernel Summary", kernel_view},
             {" memcpy ", "Memory Manipulation Summary", manipulation_view},
             {" user_ranges ", "UserDefined Summary", user_view},
             {" memory_devices memory_names memory_operators ", "Memory Summary", memory_view},
             {" throughput ", "Perf Summary", perf_view}};

enum { N_VIEWS = sizeof views / sizeof *views };

static bool shows(const char *tables, const char *id)
{
    char word[80];
    snprintf(word, sizeof word, " %s ", id);
    return strstr(tables, word) != NULL;
}

static bool asked(const tt_select *sel, const char *tables)
{
    for (size_t i = 0; sel->asked && !sel->all && i < sel->tables.n; i++)
        if (shows(tables, sel->tables.at[i]->id)) return true;
    return !sel->asked || sel->all;
}

tt_status tt_paddle_check(const tt_select *sel, tt_err *err)
{
    for (size_t i = 0; sel->asked && !sel->all && i < sel->tables.n; i++) {
        const char *id = sel->tables.at[i]->id;
        bool found = false;
        for (size_t v = 0; v < N_VIEWS && !found; v++) found = shows(views[v].tables, id);
        if (found) continue;
        char list[512];
        tt_buf b = tt_buf_of(list);
        for (size_t v = 0; v < N_VIEWS; v++) {
            int n = (int)strcspn(views[v].tables + 1, " ");
            tt_buf_list(&b, ", ", "%.*s", n, views[v].tables + 1);
        }
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "--style paddle: Paddle has no view of '%s'; it has views of %s. Leave out --style to print it",
                       id, list);
    }
    return TT_OK;
}

/* Without a step Paddle has nothing to divide by. */
static bool has_steps(const tt_trace *s) { return s->n_steps && s->steps[0].row != TT_NONE; }

static void print_trace(print *p, uint32_t trace)
{
    const tt_session *s = p->session;
    p->trace = s->traces[trace];
    p->scope = p->sel->scope;
    tt_scope_to_trace(s, trace, &p->scope);
    if (s->n_traces > 1) {
        fprintf(p->f, "worker %s, span %s\n", clean(p, p->trace->worker), clean(p, p->trace->span));
    }
    bool steps = has_steps(p->trace);
    for (size_t i = 0; i < N_VIEWS && !p->failed; i++) {
        if (!asked(p->sel, views[i].tables)) continue;
        p->wrote = false;
        if (steps || !i) views[i].print(p);
        if (p->wrote || !p->sel->asked || p->sel->all) continue;
        tt_note("no %s: %s", views[i].title,
                steps ? "the trace has nothing for it" : "Paddle needs a ProfileStep for it");
    }
}

bool tt_out_paddle(FILE *f, tt_session *s, const tt_select *sel, uint32_t limit, tt_err *err)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {[TT_UNIT_AUTO] = {"ms", 1e6},
                 [TT_UNIT_NS] = {"ns", 1},
                 [TT_UNIT_US] = {"us", 1e3},
                 [TT_UNIT_MS] = {"ms", 1e6},
                 [TT_UNIT_S] = {"s", 1e9}};
    print p = {.f = f,
               .session = s,
               .sel = sel,
               .unit = units[sel->unit].name,
               .per_unit = units[sel->unit].ns,
               .limit = limit,
               .err = err};
    for (uint32_t i = 0; i < s->n_traces && !p.failed; i++) print_trace(&p, i);
    tt_arena_free(&p.arena);
    return !p.failed;
}

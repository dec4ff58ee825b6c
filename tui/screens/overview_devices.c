/* tui/screens/overview_devices.c - a line a device: when it was busy, how well it was used, its memory, and whom its
 * rank waits for. The strips are made by a job, cells of the same length for all devices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/base/mem.h"
#include "model/index/memory_curve.h"
#include "model/tables/idle/gpu_time.h"
#include "tui/screen/app.h"
#include "tui/screens/overview.h"

/* ---- on the worker ---- */

static void fill_strip(const tt_session *s, uint32_t device, device_strip *d)
{
    int64_t offset = s->offset_ns[d->trace], span = d->t1 - d->t0;
    for (int i = 0; i < STRIP_CELLS; i++) {
        int64_t a = d->t0 + span / STRIP_CELLS * i + span % STRIP_CELLS * i / STRIP_CELLS;
        int64_t b = d->t0 + span / STRIP_CELLS * (i + 1) + span % STRIP_CELLS * (i + 1) / STRIP_CELLS;
        tt_gpu_time t = {0};
        if (b <= a) continue;
        tt_gpu_time_in(s, d->trace, device, a - offset, b - offset, &t);
        if (t.total <= 0 || t.idle >= t.total) continue;
        double busy = (double)(t.total - t.idle) / (double)t.total;
        d->busy[i] = (uint8_t)(1 + busy * 254);
        d->of_class[i] = t.communication_exposed > t.computation && t.communication_exposed >= t.copy_exposed
                             ? TT_WORK_COMMUNICATION
                         : t.copy_exposed > t.computation ? TT_WORK_COPY
                                                          : TT_WORK_COMPUTATION;
    }
}

/* Which series is a device's, of many: by its trace and name. */
typedef struct memory_index {
    tt_memory_curves *curves; /* NULL without any */
    tt_strings names;
    tt_groups groups;
    TT_VEC(uint32_t) series; /* by group; 0 = none, else the series + 1 */
} memory_index;

static uint32_t *series_at(memory_index *m, uint32_t trace, const char *name)
{
    uint32_t at = tt_groups_put(&m->groups, (tt_group_key){trace, tt_strings_put(&m->names, name, strlen(name)), 0});
    if (at == m->series.n) *tt_vec_push(&m->series) = 0;
    return &m->series.at[at];
}

static void index_memory(memory_index *m, tt_memory_curves *curves)
{
    *m = (memory_index){.curves = curves};
    tt_strings_init(&m->names);
    tt_groups_init(&m->groups);
    for (uint32_t k = 0; curves && k < curves->n; k++)
        if (curves->at[k].peak != TT_UNKNOWN) *series_at(m, curves->at[k].trace, curves->at[k].name) = k + 1;
}

static void free_memory(memory_index *m)
{
    tt_memory_curves_free(m->curves);
    tt_strings_free(&m->names);
    tt_groups_free(&m->groups);
    tt_vec_free(&m->series);
}

static void fill_memory(memory_index *m, device_strip *d)
{
    int64_t span = d->t1 - d->t0;
    uint32_t k = *series_at(m, d->trace, d->name);
    d->peak = d->capacity = TT_UNKNOWN;
    if (!k) return;
    const tt_memory_series *x = &m->curves->at[k - 1];
    d->peak = x->peak;
    d->capacity = x->device_bytes;
    for (int i = 0; i < SPARK_CELLS && x->peak > 0; i++) {
        tt_memory_point p =
            tt_memory_series_highest(x, d->t0 + span / SPARK_CELLS * i, d->t0 + span / SPARK_CELLS * (i + 1));
        if (p.allocated > 0) d->spark[i] = (uint8_t)(255 * ((double)p.allocated / (double)x->peak));
    }
}

/* The time that the strips show, as utilisation is counted: the steps or the window in scope, else all steps, else the
 * whole recording. */
static void time_of(const tt_session *s, const tt_scope *scope, uint32_t trace, int64_t *t0, int64_t *t1)
{
    const tt_trace *t = s->traces[trace];
    int64_t a = 0, b = t->end, offset = s->offset_ns[trace];
    tt_windows time = tt_scope_time(s, scope, trace);
    if (!time.everything && time.n) a = time.at[0].t0, b = time.at[time.n - 1].t1;
    if (time.everything && t->steps[0].row != TT_NONE) a = t->steps[0].start, b = t->steps[0].end;
    for (uint32_t i = 1; time.everything && i < t->n_steps; i++)
        if (t->steps[i].end > b) b = t->steps[i].end;
    tt_windows_free(&time);
    if (a >= b) return;
    if (a + offset < *t0) *t0 = a + offset;
    if (b + offset > *t1) *t1 = b + offset;
}

void tt_overview_strips(const tt_session *s, const tt_scope *scope, overview_facts *f)
{
    tt_scope all = *scope;
    const char *span = NULL;
    int64_t t0 = INT64_MAX, t1 = INT64_MIN;
    uint32_t n = 0;
    all.worker = TT_ALL;
    bool *taken = tt_calloc(s->n_traces, sizeof *taken);
    for (uint32_t i = 0; i < s->n_traces; i++) { /* of one span: others may lie days apart */
        if (!tt_scope_has_store(s, &all, i) || !tt_device_work_get(s, i)->n_devices) continue;
        if (!span) span = s->traces[i]->span;
        taken[i] = !strcmp(span, s->traces[i]->span);
        if (taken[i]) time_of(s, &all, i, &t0, &t1), n += tt_device_work_get(s, i)->n_devices;
    }
    f->strip = tt_calloc(n + (size_t)1, sizeof *f->strip);
    memory_index memory;
    index_memory(&memory, n ? tt_memory_curves_new(s) : NULL);
    for (uint32_t i = 0; i < s->n_traces && t0 < t1; i++) {
        const tt_device_work *w = taken[i] ? tt_device_work_get(s, i) : NULL;
        for (uint32_t k = 0; w && k < w->n_devices; k++) {
            device_strip *d = &f->strip[f->n_strips++];
            *d = (device_strip){.trace = i, .name = w->devices[k].name, .t0 = t0, .t1 = t1};
            fill_strip(s, k, d);
            fill_memory(&memory, d);
        }
    }
    free_memory(&memory);
    free(taken);
}

void tt_overview_facts_free(overview_facts *f)
{
    if (f) free(f->strip);
    if (f) tt_straggler_free(&f->straggler);
    free(f);
}

/* ---- drawing ---- */

/* A line: a row of table devices, with its strip when that is there. */
static bool is_device(const tt_table *t, uint32_t row)
{
    return strncmp(tt_cell_str(t, row, "device"), "CPU(", 4) != 0; /* processors are facts of the run */
}

static const device_strip *strip_of(const tt_session *s, const overview *o, uint32_t row)
{
    const tt_table *t = o->all.at[DEVICES];
    const char *worker = tt_cell_str(t, row, "worker"), *span = tt_cell_str(t, row, "span");
    const char *device = tt_cell_str(t, row, "device");
    for (uint32_t i = 0; o->facts && i < o->facts->n_strips; i++) {
        const device_strip *d = &o->facts->strip[i];
        const tt_trace *trace = s->traces[d->trace];
        if (*worker && strcmp(worker, trace->worker)) continue;
        if (*span && strcmp(span, trace->span)) continue;
        if (!strcmp(d->name, device)) return d;
    }
    return NULL;
}

int tt_overview_devices_want(const overview *o)
{
    const tt_table *t = o->all.at[DEVICES];
    int n = 0;
    for (uint32_t r = 0; t && r < t->n_rows; r++) n += is_device(t, r);
    return n;
}

static double busy_of(const tt_table *t, uint32_t row)
{
    double busy = tt_cell_num(t, row, "utilization_pct");
    return busy > 100.05 ? NAN : busy; /* no device is busier than all of the time: its times are wrong */
}

typedef struct usage_row {
    double busy;
    uint32_t row;
} usage_row;

static int by_usage(const void *a, const void *b)
{
    const usage_row *x = a, *y = b;
    double p = isnan(x->busy) ? 101 : x->busy, q = isnan(y->busy) ? 101 : y->busy;
    if (p != q) return p < q ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The devices that are shown: all, or those that work least, and one line for the others; *median: of those. */
static void choose(overview *o, int h, double *median)
{
    const tt_table *t = o->all.at[DEVICES];
    uint32_t n = 0, room = (uint32_t)most(h, 0);
    usage_row *all = tt_malloc((t->n_rows + (size_t)1) * sizeof *all);
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (is_device(t, r)) all[n++] = (usage_row){busy_of(t, r), r};
    tt_overview_lines(o, LIST_DEVICES, n + 1);
    *median = NAN;
    if (n > room) {
        uint32_t kept = room > 1 ? room - 1 : 0;
        qsort(all, n, sizeof *all, by_usage);
        *median = all[kept + (n - kept) / 2].busy;
        n = kept;
    }
    for (uint32_t i = 0; i < n; i++) tt_overview_add(o, LIST_DEVICES, all[i].row);
    tt_overview_in_order(o, LIST_DEVICES);
    if (!isnan(*median) || (int)n < tt_overview_devices_want(o)) tt_overview_add(o, LIST_DEVICES, TT_NONE);
    free(all);
}

/* "rank 1", "GPU 0", or both where a rank has several devices. */
static void label_of(const tt_session *s, const overview *o, uint32_t row, char *out, size_t cap)
{
    const tt_table *t = o->all.at[DEVICES];
    const char *device = tt_cell_str(t, row, "device"), *worker = tt_cell_str(t, row, "worker");
    char buf[32], shown[TT_TITLE_CAP];
    bool several = false;
    for (uint32_t r = 0; *worker && r < t->n_rows; r++)
        several = several || (r != row && is_device(t, r) && !strcmp(tt_cell_str(t, r, "worker"), worker) &&
                              strcmp(tt_cell_str(t, r, "device"), device) != 0);
    size_t n = 0;
    if (*worker) n = (size_t)snprintf(out, cap, "%s%s", tt_rank_name(s, worker, buf), several ? " " : "");
    if ((!*worker || several) && n < cap) snprintf(out + n, cap - n, "%s", tt_device_shown(device, shown));
}

static void draw_strip(const device_strip *d, tt_canvas *c, int y, int x, int w)
{
    static const tt_hue hues[] = {[TT_WORK_COMPUTATION] = TT_HUE_KERNEL,
                                  [TT_WORK_COMMUNICATION] = TT_HUE_COMMUNICATION,
                                  [TT_WORK_COPY] = TT_HUE_MEMCPY};
    bool letters = c->mono || c->few || c->ascii;
    for (int i = 0; i < w && d; i++) {
        int a = i * STRIP_CELLS / w, b = (i + 1) * STRIP_CELLS / w, sum = 0, n = 0, time[TT_WORK_CLASS_COUNT_] = {0};
        if (b <= a) b = a + 1;
        for (int k = a; k < b && k < STRIP_CELLS; k++) sum += d->busy[k], n++, time[d->of_class[k]] += d->busy[k];
        int best = 0, high = n ? (sum * 8 + n * 127) / (n * 255) : 0;
        for (int k = 1; k < TT_WORK_CLASS_COUNT_; k++)
            if (time[k] > time[best]) best = k;
        if (sum && !high) high = 1;
        if (!high) {
            tt_put_char(c, y, x + i, TT_ROLE_DIM, tt_glyph_of(c, TT_G_DOT));
        } else if (letters) {
            tt_put_char(c, y, x + i, TT_ROLE_BAR, tt_height(c, high));
        } else {
            tt_put_char(c, y, x + i, tt_style_fill(tt_paint_hue(hues[best], 0), TT_PAINT_NONE), tt_height(c, high));
        }
    }
}

typedef enum field { BUSY, WAITS_FOR, SM, TENSOR, OCCUPANCY, PEAK, SPARK, N_FIELDS } field;

static void gib(char *out, size_t cap, const device_strip *d)
{
    double peak = (double)d->peak / 1073741824.0;
    if (d->capacity > 0)
        snprintf(out, cap, "peak %.1f/%.1f GiB", peak, (double)d->capacity / 1073741824.0);
    else
        snprintf(out, cap, "peak %.*f GiB", peak < 1 ? 2 : 1, peak);
}

/* The text of a field; "" = nothing is known. */
static void field_text(const tt_session *s, const overview *o, uint32_t row, field f, char *out, size_t cap)
{
    static const struct {
        const char *key, *words;
    } percents[] = {[SM] = {"sm_efficiency_pct", "SM eff"},
                    [TENSOR] = {"tensor_core_pct", "tensor"},
                    [OCCUPANCY] = {"achieved_occupancy_pct", "occ"}};
    const tt_table *t = o->all.at[DEVICES];
    char ns[TT_TEXT_CAP], buf[32];
    out[0] = 0;
    if (f == BUSY) {
        double busy = busy_of(t, row);
        if (!isnan(busy)) snprintf(out, cap, "%.1f%% busy", busy);
        return;
    }
    if (f == WAITS_FOR) {
        const tt_straggler *x = straggler_of(o);
        for (uint32_t r = 0; x && r < x->ranks->n_rows; r++) {
            if (strcmp(tt_cell_str(x->ranks, r, "worker"), tt_cell_str(t, row, "worker")) != 0) continue;
            if (r == x->row)
                snprintf(out, cap, "others wait for it: %s", tt_brief_ns(ns, x->caused));
            else if (x->waited[r] > 0)
                snprintf(out, cap, "waits for %s: %s", tt_rank_name(s, x->worker, buf), tt_brief_ns(ns, x->waited[r]));
        }
        return;
    }
    if (f == PEAK) {
        const device_strip *d = strip_of(s, o, row);
        if (d && d->peak != TT_UNKNOWN) gib(out, cap, d);
        return;
    }
    if (f == SPARK) return;
    double pct = tt_cell_num(t, row, percents[f].key);
    if (!isnan(pct) && pct <= 100.05) snprintf(out, cap, "%s %.0f%%", percents[f].words, pct);
}

/* Columns that the fields have in all lines: those that fit, by their importance, with at least `least_strip` cells
 * for the strip. */
static void field_widths(const tt_session *s, const overview *o, int room, int width[N_FIELDS])
{
    enum { LEAST_STRIP = 16 };
    for (int f = 0; f < N_FIELDS; f++) {
        char text[96];
        int w = 0;
        for (uint32_t i = 0; i < o->n_lines[LIST_DEVICES]; i++) {
            uint32_t row = o->line[LIST_DEVICES][i];
            if (row == TT_NONE) continue;
            field_text(s, o, row, (field)f, text, sizeof text);
            const device_strip *d = f == SPARK ? strip_of(s, o, row) : NULL;
            if (d && d->peak > 0) snprintf(text, sizeof text, "%*s", SPARK_CELLS / 2, "");
            w = most(w, tt_width_of(text));
        }
        width[f] = w && room - w - 2 >= (f == BUSY ? 4 : f == SPARK ? 60 : LEAST_STRIP) ? w : 0;
        if (width[f]) room -= w + 2;
    }
}

static void draw_device(const tt_session *s, const overview *o, uint32_t row, const int width[N_FIELDS], int label,
                        tt_canvas *c, int y)
{
    char text[96];
    const device_strip *d = strip_of(s, o, row);
    int fields = 0;
    for (int f = 0; f < N_FIELDS; f++) fields += width[f] ? width[f] + 2 : 0;
    int strip = c->w - 2 - label - 1 - fields, x = 1 + label + 1 + strip;
    label_of(s, o, row, text, sizeof text);
    tt_put_cut(c, y, 1, TT_ROLE_STRONG, text, label, TT_CUT_START);
    draw_strip(d, c, y, 1 + label + 1, strip);
    for (int f = 0; f < N_FIELDS; f++) {
        if (!width[f]) continue;
        field_text(s, o, row, (field)f, text, sizeof text);
        x += 2;
        for (int i = 0; f == SPARK && d && d->peak > 0 && i < width[f]; i++) {
            int high = d->spark[i * SPARK_CELLS / width[f]] * 8 / 255;
            tt_put_char(c, y, x + i, TT_ROLE_PLOT, high ? tt_height(c, high) : ' ');
        }
        if (f == BUSY)
            tt_put_right(c, y, x, width[f], TT_ROLE_NUMBER, text);
        else
            tt_put(c, y, x, f == WAITS_FOR ? TT_ROLE_WARN : TT_ROLE_TEXT, text, width[f]);
        x += width[f];
    }
}

void tt_overview_draw_devices(tt_screen *screen, overview *o, tt_canvas *c, int y0)
{
    const tt_session *s = tt_app_session(screen->app);
    int width[N_FIELDS], label = 0, hidden = tt_overview_devices_want(o);
    double median;
    char text[96];
    choose(o, c->h, &median);
    tt_overview_stands(o, LIST_DEVICES, y0, 0, c->h, c->w);
    for (uint32_t i = 0; i < o->n_lines[LIST_DEVICES]; i++) {
        if (o->line[LIST_DEVICES][i] == TT_NONE) continue;
        hidden--;
        label_of(s, o, o->line[LIST_DEVICES][i], text, sizeof text);
        label = most(label, tt_width_of(text));
    }
    label = least(label, most(c->w / 5, 6));
    field_widths(s, o, c->w - 3 - label, width);
    for (uint32_t i = 0; i < o->n_lines[LIST_DEVICES]; i++) {
        uint32_t row = o->line[LIST_DEVICES][i];
        if (row != TT_NONE) {
            draw_device(s, o, row, width, label, c, (int)i);
        } else {
            int n = snprintf(text, sizeof text, i ? "... %d more" : "%d devices", hidden);
            if (!isnan(median)) snprintf(text + n, sizeof text - (size_t)n, ", median %.0f%% busy", median);
            tt_put(c, (int)i, 1, TT_ROLE_DIM, text, -1);
        }
        if (is_on(o, LIST_DEVICES, i)) tt_overview_mark(c, (int)i);
    }
}

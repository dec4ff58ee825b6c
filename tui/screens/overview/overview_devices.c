/* tui/screens/overview/overview_devices.c - a line for each device: its work and waiting during the account, its
 * busy share, its memory, and the rank that its rank waits for.
 *
 * A job makes the strips; their cells have the same length for all devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/group_by.h"
#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/index/memory_curve.h"
#include "model/tables/cells.h"
#include "model/tables/idle/columns.h"
#include "model/tables/idle/gpu_time.h"
#include "model/tables/idle/idle_gaps.h"
#include "model/tables/steps/account.h"
#include "tui/screen/host.h"
#include "tui/screens/overview/overview.h"
#include "tui/widgets/account_bar.h"

/* ---- on the worker ---- */

/* Add to ns, by part, the time of [a, b) on the axis in a device's account. */
static void add_parts(const tt_session *s, const device_strip *d, uint32_t device, const tt_ivs *account, int64_t a,
                      int64_t b, int64_t ns[TT_ACCOUNT_PARTS])
{
    for (size_t i = 0; i < account->n && account->at[i].t0 < b; i++) {
        int64_t t0 = account->at[i].t0 > a ? account->at[i].t0 : a, t1 = account->at[i].t1 < b ? account->at[i].t1 : b;
        int64_t offset = s->offset_ns[d->trace], wait[TT_WAIT_COUNT_] = {0};
        tt_gpu_time t = {0};
        if (t1 <= t0) continue;
        tt_gpu_time_in(s, d->trace, device, t0 - offset, t1 - offset, &t);
        ns[TT_ACCOUNT_COMPUTE] += t.computation;
        ns[TT_ACCOUNT_COMMUNICATION] += t.communication_exposed;
        ns[TT_ACCOUNT_COPY] += t.copy_exposed;
        if (t.idle <= 0) continue;
        tt_idle_parts_in(s, d->trace, device, t0 - offset, t1 - offset, wait);
        for (int k = 0; k < TT_WAIT_COUNT_; k++) {
            ns[tt_account_part_of_wait((tt_wait_cause)k)] += wait[k];
            t.idle -= wait[k];
        }
        if (t.idle > 0) ns[TT_ACCOUNT_IDLE_UNKNOWN] += t.idle; /* time outside of all known gaps */
    }
}

static void fill_cell(device_strip *d, int cell, const int64_t ns[TT_ACCOUNT_PARTS])
{
    int64_t busy = 0, all = 0;
    int work = 0, wait = TT_ACCOUNT_FIRST_IDLE;
    for (int p = 0; p < TT_ACCOUNT_FIRST_HOST; p++) {
        all += ns[p];
        if (p < TT_ACCOUNT_FIRST_IDLE) busy += ns[p];
        if (p < TT_ACCOUNT_FIRST_IDLE && ns[p] > ns[work]) work = p;
        if (p > TT_ACCOUNT_FIRST_IDLE && ns[p] > ns[wait]) wait = p;
    }
    d->work[cell] = (uint8_t)work;
    d->wait[cell] = (uint8_t)(all > 0 ? wait : TT_ACCOUNT_PARTS);
    d->busy[cell] = (uint8_t)(busy > 0 ? 1 + 254 * ((double)busy / (double)all) : 0);
}

/* Fill the strip: its cells cover the intervals of the axis without the time between them. */
static void fill_strip(const tt_session *s, uint32_t device, const tt_ivs *axis, const tt_ivs *account, device_strip *d)
{
    int64_t length = tt_ivs_length(axis), done = 0;
    size_t i = 0, from = 0;
    for (int k = 0; k < STRIP_CELLS; k++) {
        int64_t a = length / STRIP_CELLS * k + length % STRIP_CELLS * k / STRIP_CELLS, ns[TT_ACCOUNT_PARTS] = {0};
        int64_t b = length / STRIP_CELLS * (k + 1) + length % STRIP_CELLS * (k + 1) / STRIP_CELLS;
        for (size_t at = i; a < b && at < axis->n; at++) {
            int64_t n = axis->at[at].t1 - axis->at[at].t0, t0 = axis->at[at].t0 + (a > done ? a - done : 0);
            int64_t t1 = axis->at[at].t0 + (b < done + n ? b - done : n);
            while (from < account->n && account->at[from].t1 <= t0) from++;
            tt_ivs rest = {.at = account->at + from, .n = account->n - from};
            add_parts(s, d, device, &rest, t0, t1, ns);
            if (b < done + n) break;
            done += n;
            i = at + 1;
        }
        fill_cell(d, k, ns);
    }
}

/* an index that finds the memory series of a device by trace and name */
typedef struct memory_index {
    tt_memory_curves *curves; /* the curves; NULL = no curves */
    tt_strings names;
    tt_groups groups;
    TT_VEC(uint32_t) series; /* by group: the number of the series + 1; 0 = none */
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

/* a trace that has strips, with its account on the common axis */
typedef struct strip_trace {
    bool taken;
    tt_account account;
} strip_trace;

static void add_time(const tt_session *s, uint32_t trace, const tt_ivs *time, tt_ivs *axis)
{
    for (size_t i = 0; i < time->n; i++)
        tt_ivs_add(axis, time->at[i].t0 + s->offset_ns[trace], time->at[i].t1 + s->offset_ns[trace]);
}

/* Add the strips of a trace. If clocks differ, each device has its own axis. */
static void add_strips(const tt_session *s, uint32_t trace, const tt_account *account, const tt_ivs *axis,
                       memory_index *memory, overview_facts *f)
{
    const tt_device_work *w = tt_device_work_get(s, trace);
    for (uint32_t k = 0; k < w->n_devices; k++) {
        device_strip *d = &f->strip[f->n_strips++];
        tt_ivs time = tt_account_of_device(account, &w->devices[k]), own = {0};
        add_time(s, trace, &time, &own);
        const tt_ivs *shown = account->clocks_differ ? &own : axis;
        *d = (device_strip){.trace = trace, .name = w->devices[k].name};
        if (shown->n) d->t0 = shown->at[0].t0, d->t1 = shown->at[shown->n - 1].t1;
        fill_strip(s, k, shown, &own, d);
        fill_memory(memory, d);
        tt_vec_free(&time);
        tt_vec_free(&own);
    }
}

void tt_overview_strips(const tt_session *s, const tt_scope *scope, overview_facts *f)
{
    tt_scope all = *scope;
    const char *span = NULL;
    tt_ivs axis = {0};
    uint32_t n = 0;
    all.worker = TT_ALL;
    strip_trace *of = tt_calloc(s->n_traces, sizeof *of);
    for (uint32_t i = 0; i < s->n_traces; i++) { /* traces of one span: other spans may lie days apart */
        if (!tt_scope_has_trace(s, &all, i) || !tt_device_work_get(s, i)->n_devices) continue;
        if (!span) span = s->traces[i]->span;
        of[i].taken = !strcmp(span, s->traces[i]->span);
        if (!of[i].taken) continue;
        of[i].account = tt_account_make(s, &all, i);
        add_time(s, i, &of[i].account.time, &axis);
        n += tt_device_work_get(s, i)->n_devices;
    }
    tt_ivs_normalise(&axis);
    f->strip = tt_calloc(n + (size_t)1, sizeof *f->strip);
    memory_index memory;
    index_memory(&memory, n ? tt_memory_curves_new(s) : NULL);
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (of[i].taken) add_strips(s, i, &of[i].account, &axis, &memory, f);
    for (uint32_t i = 0; i < s->n_traces; i++) tt_account_free(&of[i].account);
    free_memory(&memory);
    tt_vec_free(&axis);
    free(of);
}

void tt_overview_facts_free(overview_facts *f)
{
    if (f) free(f->strip);
    if (f) free(f->memory);
    if (f) tt_row_order_free(&f->by_size);
    if (f) tt_straggler_free(&f->straggler);
    free(f);
}

/* ---- drawing ---- */

/* The strip of a line (a row of table gpu_time), NULL = not there yet. */
static const device_strip *strip_of(const tt_session *s, const overview *o, uint32_t row)
{
    const tt_table *t = o->all.at[GPU_TIME];
    const char *worker = tt_cell_worker(t, row), *span = tt_cell_span(t, row);
    const char *device = tt_cell_s(t, row, TT_GPU_TIME_DEVICE);
    for (uint32_t i = 0; o->facts && i < o->facts->n_strips; i++) {
        const device_strip *d = &o->facts->strip[i];
        const tt_trace *trace = s->traces[d->trace];
        if (*worker && strcmp(worker, trace->worker)) continue;
        if (*span && strcmp(span, trace->span)) continue;
        if (!strcmp(d->name, device)) return d;
    }
    return NULL;
}

static int n_devices(const overview *o) { return o->all.at[GPU_TIME] ? (int)o->all.at[GPU_TIME]->n_rows : 0; }

/* Lines wanted: one more than devices, because a line above them shows the time; on a host without devices it stands
 * above the bar. */
int tt_overview_devices_want(const overview *o)
{
    return n_devices(o) || tt_overview_account_want(o, 80) ? 1 + n_devices(o) : 0;
}

static double busy_of(const tt_table *t, uint32_t row)
{
    int64_t total = tt_cell_i(t, row, TT_GPU_TIME_TOTAL);
    return total > 0 ? 100.0 * (double)tt_cell_i(t, row, TT_GPU_TIME_BUSY) / (double)total : 0;
}

typedef struct usage_row {
    double busy;
    uint32_t row;
} usage_row;

/* Choose the devices that are shown: all, or the devices of the worker that the first line names and the least busy
 * ones, with one line for the others; *median: median of the others, -1 = none. */
static void choose(overview *o, int h, double *median)
{
    const tt_table *t = o->all.at[GPU_TIME];
    uint32_t n = t ? t->n_rows : 0, room = (uint32_t)most(h, 0);
    usage_row *all = tt_malloc((n + (size_t)1) * sizeof *all);
    const tt_table *found = findings_of(o);
    const char *named = found && found->n_rows ? tt_cell_worker(found, 0) : "";
    for (uint32_t r = 0; r < n; r++)
        all[r] = (usage_row){*named && !strcmp(tt_cell_worker(t, r), named) ? -1 : busy_of(t, r), r};
    tt_overview_lines(o, LIST_DEVICES, n + 1);
    *median = -1;
    if (n > room) {
        uint32_t kept = room > 1 ? room - 1 : 0;
        TT_SORT_BY(all, n, TT_ASC(usage_row, busy), TT_ASC(usage_row, row));
        *median = all[kept + (n - kept) / 2].busy;
        n = kept;
    }
    for (uint32_t i = 0; i < n; i++) tt_overview_add(o, LIST_DEVICES, all[i].row);
    tt_overview_in_order(o, LIST_DEVICES);
    if (*median >= 0) tt_overview_add(o, LIST_DEVICES, TT_NONE);
    free(all);
}

/* The label of a line: "rank 1", "GPU 0", or both if a rank has several devices. */
static void label_of(const tt_session *s, const overview *o, uint32_t row, char *out, size_t cap)
{
    const tt_table *t = o->all.at[GPU_TIME];
    const char *device = tt_cell_s(t, row, TT_GPU_TIME_DEVICE), *worker = tt_cell_worker(t, row);
    char buf[32], shown[TT_TITLE_CAP];
    bool several = false;
    for (uint32_t r = 0; *worker && r < t->n_rows; r++)
        several = several || (r != row && !strcmp(tt_cell_worker(t, r), worker) &&
                              strcmp(tt_cell_s(t, r, TT_GPU_TIME_DEVICE), device) != 0);
    tt_buf line = tt_buf_on(out, cap);
    if (*worker) tt_buf_add(&line, "%s%s", tt_rank_name(s, worker, buf), several ? " " : "");
    if (!*worker || several) tt_buf_add(&line, "%s", tt_device_shown(device, shown));
}

static void draw_strip(const device_strip *d, tt_canvas *c, int y, int x, int w)
{
    for (int i = 0; i < w && d; i++) {
        int a = i * STRIP_CELLS / w, b = (i + 1) * STRIP_CELLS / w, busy = 0, n = 0, time[TT_ACCOUNT_PARTS] = {0};
        int work = 0, wait = TT_ACCOUNT_FIRST_IDLE;
        if (b <= a) b = a + 1;
        for (int k = a; k < b && k < STRIP_CELLS; k++) {
            if (d->wait[k] == TT_ACCOUNT_PARTS) continue;
            n++;
            busy += d->busy[k];
            time[d->work[k]] += d->busy[k];
            time[d->wait[k]] += 255 - d->busy[k];
        }
        if (!n) continue;
        for (int p = 0; p < TT_ACCOUNT_FIRST_HOST; p++) {
            if (p < TT_ACCOUNT_FIRST_IDLE && time[p] > time[work]) work = p;
            if (p > TT_ACCOUNT_FIRST_IDLE && time[p] > time[wait]) wait = p;
        }
        int high = (busy * 8 + n * 127) / (n * 255);
        if (high)
            tt_account_busy(c, y, x + i, (tt_account_part)work, high);
        else
            tt_account_idle(c, y, x + i, (tt_account_part)wait);
    }
}

typedef enum field { BUSY, WAITS_FOR, PEAK, SPARK, N_FIELDS } field;

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
    const tt_table *t = o->all.at[GPU_TIME];
    char ns[TT_TEXT_CAP], buf[32];
    out[0] = 0;
    if (f == BUSY) {
        snprintf(out, cap, "%.1f%% busy", busy_of(t, row));
        return;
    }
    if (f == WAITS_FOR) {
        const tt_straggler *x = straggler_of(o);
        for (uint32_t r = 0; x && r < x->ranks->n_rows; r++) {
            if (strcmp(tt_cell_worker(x->ranks, r), tt_cell_worker(t, row)) != 0) continue;
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
}

/* Set the widths of the fields in all lines: the most important fields that fit beside `least_strip` cells of the
 * strip. */
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
    const tt_session *s = tt_host_session(screen->host);
    int width[N_FIELDS], label = 0, hidden = n_devices(o);
    double median;
    char text[96];
    choose(o, c->h - 1, &median);
    tt_overview_stands(o, LIST_DEVICES, y0 + 1, 0, c->h - 1, c->w);
    tt_overview_window_text(s, o, text, sizeof text);
    tt_rule(c, 0, text, NULL);
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
        int y = 1 + (int)i;
        if (row != TT_NONE) {
            draw_device(s, o, row, width, label, c, y);
        } else {
            snprintf(text, sizeof text, i ? "... %d more, median %.1f%% busy" : "%d devices, median %.1f%% busy",
                     hidden, median);
            tt_put(c, y, 1, TT_ROLE_DIM, text, -1);
        }
        if (is_on(o, LIST_DEVICES, i)) tt_overview_mark(c, y);
    }
}

/* parser/mindinsight/data_queues.c - the queue on the host, filled by the input pipeline, the queue on the device,
 * emptied by training, and the stage that the others wait for.
 *
 * Host: lines "TYPE EXTRA BATCH VALUE [TIME]". Type 0 is a time in ms, of EXTRA 0 = making a batch, 1 = sending it, 2
 * = both; type 1 is the fill of the queue when a batch was taken, with EXTRA = its capacity. Device: lines "GetNext...
 * START END SIZE", in us on an Ascend and in ns on a GPU, among lines of other operators. */
#include <stdlib.h>
#include <string.h>

#include "parser/mindinsight/data.h"

static const tt_csv_options words = {.separator = ' ', .no_header = true};

typedef struct mean {
    int64_t sum, n;
} mean;

typedef struct queue {
    const char *name;
    int64_t samples, empty, full, capacity;
    mean size, get, push, batch;
} queue;

enum { QUEUE, SAMPLES, EMPTY, FULL, CAPACITY, SIZE, EMPTY_PCT, GET, PUSH, BATCH };
static const tt_imported_key columns[] = {
    {"queue", TT_T_STRING},          {"samples", TT_T_COUNT},
    {"empty", TT_T_COUNT},           {"full", TT_T_COUNT},
    {"capacity", TT_T_COUNT},        {"mean_size", TT_T_NUMBER},
    {"empty_pct", TT_T_PERCENT},     {"get_mean_ns", TT_T_DURATION},
    {"push_mean_ns", TT_T_DURATION}, {"batch_mean_ns", TT_T_DURATION},
};
static const tt_imported_key stage_columns[] = {{"stage", TT_T_STRING}, {"bottleneck", TT_T_BOOL}};
static const tt_imported_key curve_columns[] = {{"queue", TT_T_STRING}, {"sample", TT_T_COUNT}, {"size", TT_T_COUNT}};

void tt_mi_curve_add(tt_mi_curve *c, const char *name, int64_t sample, int64_t size)
{
    if (!c->t) c->t = TT_MI_TABLE(c->m, "data_queue_curve", curve_columns);
    uint32_t row = tt_imported_row(c->t);
    tt_imported_set_s(c->t, row, 0, name, strlen(name));
    tt_imported_set_i(c->t, row, 1, sample);
    tt_imported_set_i(c->t, row, 2, size);
}

static void add(mean *m, int64_t v)
{
    if (v > INT64_MAX / 4 || m->sum > INT64_MAX / 2) return;
    m->sum += v;
    m->n++;
}

static void sample(queue *q, tt_mi_curve *curve, int64_t size)
{
    tt_mi_curve_add(curve, q->name, q->samples++, size);
    q->empty += size == 0;
    add(&q->size, size);
}

/* Read the cells of columns at[0 .. n); false = one is missing or negative. */
static bool integers(tt_csv *c, const int *at, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        if (!tt_csv_cell(c, at[i]).n) {
            tt_csv_bad(c, -1, "has too few numbers");
            return false;
        }
        if (!tt_csv_int(c, at[i], &out[i])) return false;
        if (out[i] < 0) {
            tt_csv_bad(c, -1, "has a number below 0");
            return false;
        }
    }
    return true;
}

static void read_host(tt_mi *m, const char *role, queue *q, tt_mi_curve *curve)
{
    static const int at[] = {0, 1, 3}, value = 3;
    tt_csv *c = tt_mi_csv(m, role, &words);
    if (!c) return;
    while (tt_csv_next(c) && !tt_mi_cancelled(m)) {
        int64_t v[3], ns;
        if (!integers(c, at, 2, v)) continue;
        if (v[0] == 1) {
            if (!integers(c, at, 3, v)) continue;
            sample(q, curve, v[2]);
            q->full += v[2] == v[1] && v[1] > 0;
            q->capacity = v[1];
        } else if (v[0] == 0 && v[1] <= 2 && tt_csv_ns(c, value, TT_NS_OF_MS, &ns)) {
            if (ns < 0)
                tt_csv_bad(c, -1, "has a time below 0");
            else
                add(v[1] == 0 ? &q->get : v[1] == 1 ? &q->push : &q->batch, ns);
        }
    }
    tt_csv_close(c);
}

static bool read_device(tt_mi *m, const char *role, uint64_t unit, queue *q, tt_mi_curve *curve)
{
    static const int at[] = {3};
    tt_csv *c = tt_mi_csv(m, role, &words);
    if (!c) return false;
    while (tt_csv_next(c) && !tt_mi_cancelled(m)) {
        int64_t size, start, end;
        tt_csv_text name = tt_csv_cell(c, 0);
        if (name.n < 7 || memcmp(name.at, "GetNext", 7) != 0) continue;
        if (!integers(c, at, 1, &size)) continue;
        sample(q, curve, size);
        if (!tt_csv_ns(c, 1, unit, &start) || !tt_csv_ns(c, 2, unit, &end)) continue;
        if (end < start)
            tt_csv_bad(c, -1, "ends before it starts");
        else
            add(&q->get, end - start);
    }
    tt_csv_close(c);
    return q->samples > 0;
}

static void set_mean(tt_imported *t, uint32_t row, uint32_t col, const mean *m)
{
    if (m->n) tt_imported_set_i(t, row, col, (m->sum + m->n / 2) / m->n);
}

static void add_row(tt_imported *t, const queue *q)
{
    uint32_t row = tt_imported_row(t);
    tt_imported_set_s(t, row, QUEUE, q->name, strlen(q->name));
    tt_imported_set_i(t, row, SAMPLES, q->samples);
    tt_imported_set_i(t, row, EMPTY, q->empty);
    if (q->capacity) tt_imported_set_i(t, row, FULL, q->full);
    if (q->capacity) tt_imported_set_i(t, row, CAPACITY, q->capacity);
    if (q->size.n) tt_imported_set_d(t, row, SIZE, (double)q->size.sum / (double)q->size.n);
    if (q->samples) tt_imported_set_d(t, row, EMPTY_PCT, 100.0 * (double)q->empty / (double)q->samples);
    set_mean(t, row, GET, &q->get);
    set_mean(t, row, PUSH, &q->push);
    set_mean(t, row, BATCH, &q->batch);
}

/* Find the slow stage. The host's queue is empty in more than 30 % of the samples: making batches is slow. Else the
 * device's queue is ever empty: sending is slow. Else training does not wait for data. */
static void put_stages(tt_mi *m, const queue *host, const queue *device)
{
    static const char *const names[] = {"data_process", "data_transfer", "training"};
    size_t slow = 10 * host->empty > 3 * host->samples ? 0 : device->empty > 0 ? 1 : 2;
    tt_imported *t = TT_MI_TABLE(m, "data_stages", stage_columns);
    for (size_t i = 0; i < 3; i++) {
        uint32_t row = tt_imported_row(t);
        tt_imported_set_s(t, row, 0, names[i], strlen(names[i]));
        tt_imported_set_i(t, row, 1, i == slow);
    }
}

/* Tables data_queues and data_stages. */
static void mi_queues(tt_mi *m, tt_mi_curve *curve)
{
    queue host = {.name = "host"}, device = {.name = "device"};
    bool first = tt_input_has(m->in, "device_queue");
    read_host(m, first ? "device_queue" : "dataset_iterator", &host, curve);
    if (!read_device(m, "get_next_us", TT_NS_OF_US, &device, curve))
        read_device(m, "get_next_ns", TT_NS_OF_NS, &device, curve);
    if (!host.samples && !device.samples) return;
    tt_imported *t = TT_MI_TABLE(m, "data_queues", columns);
    if (host.samples) add_row(t, &host);
    if (device.samples) add_row(t, &device);
    put_stages(m, &host, &device);
}

void tt_mi_data(tt_mi *m)
{
    tt_mi_curve curve = {.m = m};
    mi_queues(m, &curve);
    tt_mi_pipeline(m, &curve);
    tt_mi_cpu(m);
}

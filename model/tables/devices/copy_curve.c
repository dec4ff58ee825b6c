/* model/tables/devices/copy_curve.c - table copy_curve: rates of copies and sets over time. */
#include "model/tables/devices/copy_rate.h"
#include "model/tables/table_util.h"

enum { DEVICE, KIND, AT, RATE };

static const tt_column columns[] = {
    COL("device", "Device", STRING, 0, "device"),
    COL("kind", "Kind", STRING, 0, "direction of the copy, or that memory is set"),
    COL("at_ns", "Time", TIME, 0, "when copies begin or end; the rate holds from then on"),
    COL("gb_per_s", "GB/s", NUMBER, 0,
        "10^9 bytes a second: bytes / duration of the copies that run, added up; only those that say their bytes"),
};

typedef struct asked {
    const tt_query *q;
    const tt_trace *s;
    tt_row_range rows;
} asked;

static bool takes(const void *arg, const tt_work *w)
{
    const asked *a = arg;
    return tt_query_has_dev(a->q, a->s, &a->s->dev[a->s->detail[w->row]], a->rows);
}

static void compute(const tt_query *q, tt_table *t)
{
    asked a = {q, tt_query_trace(q), tt_query_rows(q)};
    bool everything = q->windows->everything && a.rows.first == 0 && a.rows.end == a.s->n;
    const tt_device_work *work = tt_device_work_get(q->session, q->trace);
    tt_copy_rates *own = everything ? NULL : tt_copy_rates_make(q->session, q->trace, takes, &a);
    const tt_copy_rates *rates = own ? own : tt_copy_rates_get(q->session, q->trace);
    for (size_t i = 0; i < rates->at.n; i++) {
        const tt_copy_rate *r = &rates->at.at[i];
        for (size_t k = 0; k < r->gb_per_s.at.n; k++) {
            const tt_sample *x = &r->gb_per_s.at.at[k];
            uint32_t row = tt_table_add(t);
            tt_set_ref(t, row, DEVICE, work->devices[r->device].name);
            tt_set_s(t, row, KIND, r->kind);
            tt_set_i(t, row, AT, tt_at(q, x->ts));
            tt_set_d(t, row, RATE, x->value);
            if (k + 1 < r->gb_per_s.at.n) tt_set_range(q, t, row, x->ts, x[1].ts);
        }
    }
    if (own) tt_copy_rates_free(own);
    if (!t->n_rows) t->note = "No memory copies with a size";
}

const tt_table_desc tt_table_copy_curve = {
    .id = "copy_curve",
    .title = "Copy bandwidth",
    .meaning = "how fast each device copies and sets memory over time, by direction",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_THREADS,
    .compute = compute,
};

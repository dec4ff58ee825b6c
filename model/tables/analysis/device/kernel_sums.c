/* model/tables/analysis/device/kernel_sums.c - see kernel_sums.h. */
#include "model/tables/analysis/device/kernel_sums.h"

#include "model/tables/analysis/names/name_class.h"

/* Length of [t0, t1) inside the intervals, for calls with ascending t0: *hint (0 at first) remembers where the last
 * one was. */
static int64_t cut_length(const tt_ivs *in, size_t *hint, int64_t t0, int64_t t1)
{
    int64_t sum = 0;
    while (*hint < in->n && in->at[*hint].t1 <= t0) ++*hint;
    for (size_t i = *hint; i < in->n && in->at[i].t0 < t1; i++) {
        int64_t from = in->at[i].t0 > t0 ? in->at[i].t0 : t0, to = in->at[i].t1 < t1 ? in->at[i].t1 : t1;
        sum += to - from;
    }
    return sum;
}

tt_kernel_sums tt_kernel_sums_of(const tt_session *session, uint32_t trace, uint32_t device, const tt_ivs *in)
{
    const tt_trace *s = session->traces[trace];
    const tt_device_work *w = tt_device_work_get(session, trace);
    const tt_name_classes *names = tt_name_classes_get(session, trace);
    const tt_work_device *d = &w->devices[device];
    tt_kernel_sums sums = {0};
    for (uint32_t k = d->first_stream; k < d->first_stream + d->n_streams; k++) {
        const tt_work_stream *stream = &w->streams[k];
        size_t hint = 0;
        for (const tt_work *x = w->at + stream->first, *end = x + stream->n; x < end; x++) {
            if (tt_row_kind(s, x->row) != TT_KIND_KERNEL) continue;
            int64_t ns = in ? cut_length(in, &hint, x->start, x->end) : x->end - x->start;
            bool point = x->start == x->end && (!in || (hint < in->n && in->at[hint].t0 <= x->start));
            if (ns <= 0 && !point) continue;
            tt_kernel_class c = tt_name_kernel_class(names, s->name[x->row]);
            sums.ns[c] += ns;
            sums.calls[c]++;
            sums.all_ns += ns;
            sums.all_calls++;
        }
    }
    return sums;
}

/* tui/record/step_info.c - see step_info.h. */
#include "tui/record/step_info.h"

#include <inttypes.h>

#include "model/base/buf.h"

static void on_range(tt_step_info *i, const tt_spool_range *r)
{
    bool reads = r->cat == TT_SPOOL_CAT_DATALOADER;
    for (size_t k = 0; !reads && k < i->readers.n; k++) reads = i->readers.at[k] == r->h.a;
    if (!reads || r->end <= r->start) return;
    i->reader_ns += r->end - r->start;
    i->reads++;
}

static void on_string(tt_step_info *i, const tt_spool_text *t)
{
    static const char pytorch[] = "enumerate(DataLoader)#";
    size_t n = sizeof pytorch - 1;
    if (t->len >= n && t->len <= t->h.size - sizeof *t && !memcmp(t->text, pytorch, n))
        *tt_vec_push(&i->readers) = t->h.a;
}

static void line(tt_step_info *i, char *out, size_t cap)
{
    tt_buf b = tt_buf_on(out, cap);
    double batch = (double)i->batch_ns / 1e9;
    tt_buf_add(&b, "step %" PRIu64 ":", i->step);
    if (i->reads) tt_buf_add(&b, " reader_cost: %.5f s", (double)i->reader_ns / 1e9 / (double)i->reads);
    tt_buf_add(&b, " batch_cost: %.5f s ips: %.3f %s/s", batch / (double)i->steps,
               batch > 0 ? (double)(i->without ? i->steps : i->samples) / batch : 0, i->without ? "steps" : "samples");
    i->steps = i->reads = i->samples = 0;
    i->batch_ns = i->reader_ns = 0;
}

static bool on_step(tt_step_info *i, const tt_spool_step *s, char *out, size_t cap)
{
    bool next = i->begun && s->number == i->step + 1 && s->ts > i->ts;
    if (next) {
        i->steps++;
        i->batch_ns += s->ts - i->ts;
        if (s->samples < 0) i->without = true;
        if (s->samples > 0) i->samples += (uint64_t)s->samples;
    }
    i->begun = true;
    i->ts = s->ts;
    i->step = s->number;
    if (i->steps < i->every) return false;
    line(i, out, cap);
    return true;
}

bool tt_step_info_add(tt_step_info *i, const tt_spool_rec *r, char *out, size_t cap)
{
    const void *p = r;
    switch (r->type) {
    case TT_SPOOL_STRING: on_string(i, p); return false;
    case TT_SPOOL_RANGE: on_range(i, p); return false;
    case TT_SPOOL_STEP: return on_step(i, p, out, cap);
    default: return false;
    }
}

void tt_step_info_free(tt_step_info *i) { tt_vec_free(&i->readers); }

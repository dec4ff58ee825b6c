/* model/tables/table_util.c - helpers of the table files. */
#include "model/tables/table_util.h"

#include <inttypes.h>
#include <math.h>

void tt_set_stat(tt_table *t, uint32_t row, uint32_t total_col, const tt_stat *st)
{
    if (!st->n) return;
    tt_set_i(t, row, total_col, st->total);
    tt_set_i(t, row, total_col + 1, tt_stat_mean(st));
    tt_set_i(t, row, total_col + 2, st->max);
    tt_set_i(t, row, total_col + 3, st->min);
}

double tt_gb_per_s(double bytes, int64_t ns) { return ns > 0 ? round(bytes / (double)ns * 1e6) / 1e6 : (double)NAN; }

tt_drilldown *tt_set_slices(const tt_query *q, tt_table *t, uint32_t row, uint32_t kinds, const char *name)
{
    tt_drilldown *o = tt_set_drilldown(t, row);
    o->what = TT_DRILL_SLICES;
    o->trace = q->trace;
    o->kinds = kinds;
    o->name = name;
    return o;
}

void tt_set_range(const tt_query *q, tt_table *t, uint32_t row, int64_t t0, int64_t t1)
{
    tt_drilldown *o = tt_set_drilldown(t, row);
    o->what = TT_DRILL_RANGE;
    o->trace = q->trace;
    o->t0 = tt_at(q, t0);
    o->t1 = tt_at(q, t1);
}

void tt_set_row(const tt_query *q, tt_table *t, uint32_t row, tt_row slice)
{
    tt_drilldown *o = tt_set_drilldown(t, row);
    o->what = TT_DRILL_ROW;
    o->trace = q->trace;
    o->row = slice;
}

const char *tt_device_text(tt_table *t, const tt_rules *rules, int type, int64_t id)
{
    if (type == TT_DEVICE_PINNED) return "GPU_PINNED";
    if (type == 0 || (type < 0 && id < 0)) return "CPU";
    return tt_arena_printf(&t->arena, "%s%" PRId64, type == 20 ? "NPU" : rules->device, id < 0 ? 0 : id);
}

const char *tt_in_words_of(tt_arena *a, const char *device, const char *text)
{
    static const char gpu[] = "GPU";
    if (!text || !device || !strcmp(device, gpu)) return text;
    for (size_t from = 0; strstr(text + from, gpu);) {
        int at = (int)(strstr(text + from, gpu) - text);
        text = tt_arena_printf(a, "%.*s%s%s", at, text, device, text + at + sizeof gpu - 1);
        from = (size_t)at + strlen(device);
    }
    return text;
}

void tt_note_advice(tt_table *t, const char *missing, const char *advice)
{
    t->note = tt_arena_printf(&t->arena, "%s: %s", missing, advice);
}

const char *tt_inferred_note(const tt_trace *s, tt_table *t)
{
    return tt_arena_printf(&t->arena, "steps inferred (confidence %.1f%%)", s->steps_confidence);
}

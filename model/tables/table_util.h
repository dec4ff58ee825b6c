/* model/tables/table_util.h - small things that every table file uses: columns, scope of a query, sets of four
 * duration cells. */
#ifndef TT_MODEL_TABLES_TABLE_UTIL_H
#define TT_MODEL_TABLES_TABLE_UTIL_H

#include "model/base/group_by.h"
#include "model/tables/table.h"
#include "model/trace/advice.h"

/* A column: key, title, type (STRING, COUNT, ...), prio, help; COL_G: only in the groupings of the bit mask. */
#define COL(k, t, ty, p, h)                                                                                            \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_##ty, .prio = (p), .help = (h)                                          \
    }
#define COL_G(k, t, ty, p, g, h)                                                                                       \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_##ty, .prio = (p), .in_groups = (g), .help = (h)                        \
    }
#define COUNT_OF(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

/* A percentage that means something above 100. */
#define COL_ABOVE(k, t, p, h)                                                                                          \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_PERCENT, .prio = (p), .help = (h), .above_all = true                    \
    }

/* Numbers of rows that have units of their own. */
#define COL_MIXED(k, t, p, h)                                                                                          \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_NUMBER, .prio = (p), .help = (h), .own_digits = true                    \
    }

#define COL_OPT(k, t, ty, p, h)                                                                                        \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_##ty, .prio = (p), .help = (h), .optional = true                        \
    }

/* Where in the program a row comes from: on screens only, and not where nothing is known. */
#define COL_PLACE(k, t, p, h)                                                                                          \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_STRING, .prio = (p), .help = (h), .optional = true, .place = true       \
    }

/* What follows from other columns, such as a share or a mean: likewise on screens only. */
#define COL_SCREEN(k, t, ty, p, h)                                                                                     \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_##ty, .prio = (p), .help = (h), .optional = true, .place = true         \
    }

static inline const tt_trace *tt_query_trace(const tt_query *q) { return q->session->traces[q->trace]; }

/* Rows that the thread of the scope allows: those of its track, else all. */
typedef struct tt_row_range {
    tt_row first, end;
} tt_row_range;
static inline tt_row_range tt_query_rows(const tt_query *q)
{
    const tt_trace *s = tt_query_trace(q);
    int64_t t = q->scope->thread;
    if (t < 0 || t >= s->n_tracks) return (tt_row_range){0, s->n};
    return (tt_row_range){s->tracks[t].first, s->tracks[t].first + s->tracks[t].n};
}
static inline bool tt_row_range_has(tt_row_range rows, tt_row r) { return r >= rows.first && r < rows.end; }
/* A host event is in scope by its start; device work has tt_query_has_dev(), what may be either tt_query_has_row(). */
static inline bool tt_query_has(const tt_query *q, int64_t start)
{
    return q->windows->everything || tt_windows_have(q->windows, start);
}
static inline bool tt_query_has_row(const tt_query *q, tt_row r)
{
    return q->windows->everything || tt_windows_have_row(q->windows, tt_query_trace(q), r);
}
/* A piece of device work is in scope: in a step by its launch, and when a thread is chosen, on that stream or
 * launched from that thread. */
static inline bool tt_query_has_dev(const tt_query *q, const tt_trace *s, const tt_activity *d, tt_row_range rows)
{
    if (!tt_windows_have_dev(q->windows, s, d)) return false;
    if (rows.first == 0 && rows.end == s->n) return true;
    return tt_row_range_has(rows, d->row) || (d->launch != TT_NONE && tt_row_range_has(rows, d->launch));
}

/* Its trace is the first, the last one in scope: where a table is about all of them, one speaks for the others. */
static inline bool tt_query_is_first(const tt_query *q)
{
    for (uint32_t i = 0; i < q->trace; i++)
        if (tt_scope_has_trace(q->session, q->scope, i)) return false;
    return true;
}
static inline bool tt_query_is_last(const tt_query *q)
{
    for (uint32_t i = q->trace + 1; i < q->session->n_traces; i++)
        if (tt_scope_has_trace(q->session, q->scope, i)) return false;
    return true;
}

/* 10^9 bytes a second, to the kilobyte: finer than any clock can tell. NaN for no time. */
double tt_gb_per_s(double bytes, int64_t ns);
/* total, mean, max, min into the columns total_col ... total_col + 3; unknown without values. */
void tt_set_stat(tt_table *t, uint32_t row, uint32_t total_col, const tt_stat *st);
/* Origin: slices of this trace with these kinds and this name (NULL = any). */
tt_drilldown *tt_set_slices(const tt_query *q, tt_table *t, uint32_t row, uint32_t kinds, const char *name);
/* Origin: a window of trace time. */
void tt_set_range(const tt_query *q, tt_table *t, uint32_t row, int64_t t0, int64_t t1);
/* Origin: one slice. */
void tt_set_row(const tt_query *q, tt_table *t, uint32_t row, tt_row slice);
/* A time of the trace on the session's axis. */
static inline int64_t tt_at(const tt_query *q, int64_t t) { return t + q->session->offset_ns[q->trace]; }
/* A list of the trace; "[]" for one that was not recorded. */
static inline const char *tt_list_text(const tt_trace *s, tt_sid text)
{
    return text ? tt_str(&s->strings, text) : "[]";
}

/* The text of a device: "GPU0", or what the rules call it; "NPU0" for accelerators behind PrivateUse1; "CPU";
 * "GPU_PINNED": host memory that devices reach. type: as in tt_memory_record. */
const char *tt_device_text(tt_table *t, const tt_rules *rules, int type, int64_t id);

/* The text with what a trace's devices are called ("NPU") for every "GPU"; text itself where nothing changes. */
const char *tt_in_words_of(tt_arena *a, const char *device, const char *text);
/* A note for a table that has no rows: what is missing and, in the words of the framework, what gives it. */
void tt_note_advice(tt_table *t, const char *missing, const char *advice);

#endif

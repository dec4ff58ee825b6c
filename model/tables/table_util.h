/* model/tables/table_util.h - helpers of every table's file: columns, the scope of a query, four cells of a
 * duration. */
#ifndef TT_MODEL_TABLES_TABLE_UTIL_H
#define TT_MODEL_TABLES_TABLE_UTIL_H

#include "model/base/group_by.h"
#include "model/tables/table.h"
#include "model/trace/rules/advice.h"

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

/* A percentage that may exceed 100. */
#define COL_ABOVE(k, t, p, h)                                                                                          \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_PERCENT, .prio = (p), .help = (h), .above_all = true                    \
    }

/* Numbers whose rows have units of their own. */
#define COL_MIXED(k, t, p, h)                                                                                          \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_NUMBER, .prio = (p), .help = (h), .own_digits = true                    \
    }

#define COL_OPT(k, t, ty, p, h)                                                                                        \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_##ty, .prio = (p), .help = (h), .optional = true                        \
    }

/* The place in the program where a row comes from; computed for screens only, and unknown if nothing tells it. */
#define COL_PLACE(k, t, p, h)                                                                                          \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_STRING, .prio = (p), .help = (h), .optional = true, .place = true       \
    }

/* A value that follows from other columns, such as a share or a mean: on screens only. */
#define COL_SCREEN(k, t, ty, p, h)                                                                                     \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_##ty, .prio = (p), .help = (h), .optional = true, .place = true         \
    }

static inline const tt_trace *tt_query_trace(const tt_query *q) { return q->session->traces[q->trace]; }

/* Rows of the thread in scope: rows of its track; all rows when no thread is chosen. */
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
/* Whether a host event is in scope, by its start. Use tt_query_has_dev() for device work, tt_query_has_row() for any
 * slice. */
static inline bool tt_query_has(const tt_query *q, int64_t start)
{
    return q->windows->everything || tt_windows_have(q->windows, start);
}
static inline bool tt_query_has_row(const tt_query *q, tt_row r)
{
    return q->windows->everything || tt_windows_have_row(q->windows, tt_query_trace(q), r);
}
/* Whether a piece of device work is in scope: by the step of its launch and, when a thread is chosen, on that stream
 * or launched from that thread. */
static inline bool tt_query_has_dev(const tt_query *q, const tt_trace *s, const tt_activity *d, tt_row_range rows)
{
    if (!tt_windows_have_dev(q->windows, s, d)) return false;
    if (rows.first == 0 && rows.end == s->n) return true;
    return tt_row_range_has(rows, d->row) || (d->launch != TT_NONE && tt_row_range_has(rows, d->launch));
}

/* Whether the query's trace is the first in scope (is_last: the last), where a table over several traces lets one
 * trace speak for all. */
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

/* Rate in 10^9 bytes per second, rounded to the kilobyte, which is finer than clocks can tell. NaN for no time. */
double tt_gb_per_s(double bytes, int64_t ns);
/* Set total, mean, max and min in the columns total_col ... total_col + 3; unknown without values. */
void tt_set_stat(tt_table *t, uint32_t row, uint32_t total_col, const tt_stat *st);
/* Drill down to slices of this trace with these kinds and this name (NULL = any). */
tt_drilldown *tt_set_slices(const tt_query *q, tt_table *t, uint32_t row, uint32_t kinds, const char *name);
/* Drill down to a window of trace time. */
void tt_set_range(const tt_query *q, tt_table *t, uint32_t row, int64_t t0, int64_t t1);
/* Drill down to one slice. */
void tt_set_row(const tt_query *q, tt_table *t, uint32_t row, tt_row slice);
/* Convert trace time to the session's axis. */
static inline int64_t tt_at(const tt_query *q, int64_t t) { return t + q->session->offset_ns[q->trace]; }
/* A list that the trace recorded, as text; "[]" when it was not recorded. */
static inline const char *tt_list_text(const tt_trace *s, tt_sid text)
{
    return text ? tt_str(&s->strings, text) : "[]";
}

/* Note of a table that uses inferred steps. Lives as long as t. */
const char *tt_inferred_note(const tt_trace *s, tt_table *t);

/* Name of a device: "GPU0", or as the rules call it; "NPU0" for accelerators behind PrivateUse1; "CPU"; "GPU_PINNED"
 * for host memory that devices reach. type: as in tt_memory_record. */
const char *tt_device_text(tt_table *t, const tt_rules *rules, int type, int64_t id);

/* The text with every "GPU" replaced by the trace's word for its devices ("NPU"); the text itself if nothing
 * changes. */
const char *tt_in_words_of(tt_arena *a, const char *device, const char *text);
/* Set the note of an empty table: the missing data and, in terms of the framework, how to record it. */
void tt_note_advice(tt_table *t, const char *missing, const char *advice);

#endif

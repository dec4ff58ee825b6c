/* model/trace/trace_memory.c - the memory of a trace: its columns, references, freeing. */
#include <stdatomic.h>
#include <stdlib.h>

#include "model/trace/ancestors.h"
#include "model/trace/imported.h"
#include "model/trace/session.h"
#include "model/trace/snapshot.h"
#include "model/trace/trace.h"

/* All columns, for allocating, counting and freeing. */
struct column {
    size_t offset, item;
};
#define C(member)                                                                                                      \
    {                                                                                                                  \
        offsetof(tt_trace, member), sizeof(*((tt_trace *)0)->member)                                                   \
    }
static const struct column columns[] = {C(start),  C(dur),    C(name),  C(cat),     C(correlation), C(external_id),
                                        C(parent), C(detail), C(depth), C(text_lo), C(text_hi)};
#undef C
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void **column_at(tt_trace *s, int i) { return (void **)(void *)((char *)s + columns[i].offset); }

void tt_trace_columns_alloc(tt_trace *s)
{
    s->column_bytes = 0;
    for (int i = 0; i < N_COLUMNS; i++) {
        *column_at(s, i) = tt_pages_alloc(s->n * columns[i].item);
        s->column_bytes += s->n * columns[i].item;
    }
}

void tt_trace_columns_take(tt_trace *s, tt_row from, tt_row to, tt_page_pool *stock)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        size_t a = tt_pages_around(from * columns[i].item), b = tt_pages_within(to * columns[i].item);
        if (a < b) tt_page_pool_take(stock, (char *)*column_at(s, i) + a, b - a);
    }
}

tt_trace *tt_trace_ref(tt_trace *s)
{
    atomic_fetch_add(&s->more_refs, 1);
    return s;
}

void tt_trace_free(tt_trace *s)
{
    if (!s || atomic_fetch_sub(&s->more_refs, 1)) return; /* more_refs was 0: this is the last reference */
    tt_ancestors_free(s);
    for (int i = 0; i < N_COLUMNS; i++) tt_pages_free(*column_at(s, i), s->n * columns[i].item);
    tt_pages_free(s->dev, s->n_dev * sizeof *s->dev);
    tt_pages_free(s->flows, s->n_flows * sizeof *s->flows);
    tt_pages_free(s->launch_flows, s->n_launch_flows * sizeof *s->launch_flows);
    tt_pages_free(s->memory, s->n_memory * sizeof *s->memory);
    void *const owned[] = {s->path,       s->worker, s->span,    s->tracks,     s->processes,
                           s->op_args,    s->colls,  s->shapes,  s->launch_row, s->launched_activity,
                           s->instants,   s->series, s->samples, s->peaks,      s->steps,
                           s->step_spans, s->meta,   s->devices, s->pairs,      s->others};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    for (uint32_t i = 0; i < s->n_imported; i++) tt_imported_free(s->imported[i]);
    free(s->imported);
    tt_snapshot_free(s->snapshot);
    if (s->summary) s->summary->free(s->summary);
    tt_strings_free(&s->strings);
    if (s->text) s->text->close(s->text);
    free(s);
}

size_t tt_trace_memory(const tt_trace *s)
{
    return sizeof *s + s->column_bytes + s->n_flows * sizeof *s->flows + s->n_launch_flows * sizeof *s->launch_flows +
           s->n_tracks * sizeof *s->tracks + s->n_processes * sizeof *s->processes + s->n_dev * sizeof *s->dev +
           s->n_op_args * sizeof *s->op_args + s->n_colls * sizeof *s->colls + s->n_shapes * sizeof *s->shapes +
           s->n_links * (sizeof *s->launch_row + sizeof *s->launched_activity) + s->n_instants * sizeof *s->instants +
           s->n_series * sizeof *s->series + s->n_samples * sizeof *s->samples + s->n_memory * sizeof *s->memory +
           s->n_peaks * sizeof *s->peaks + s->n_steps * sizeof *s->steps + s->n_step_spans * sizeof *s->step_spans +
           s->n_meta * sizeof *s->meta + s->n_devices * sizeof *s->devices + s->n_pairs * sizeof *s->pairs +
           s->n_others * sizeof *s->others + tt_strings_bytes(&s->strings) +
           (s->snapshot ? tt_snapshot_bytes(s->snapshot) : 0);
}

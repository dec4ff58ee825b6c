/* model/trace/engine_name.c - see engine_name.h. */
#include "model/trace/engine_name.h"

#include <string.h>

static bool read_row(const tt_trace *s, tt_row r, tt_engine_step_name *out)
{
    const char *name = tt_row_name(s, r);
    return tt_row_kind(s, r) == TT_KIND_ENGINE_STEP && tt_engine_step_read(name, strlen(name), out);
}

tt_engine_step_name tt_engine_step_of_row(const tt_trace *s, tt_row row)
{
    tt_engine_step_name all, inner;
    const tt_track *track = &s->tracks[tt_row_track(s, row)];
    (void)read_row(s, row, &all);
    for (tt_row r = row + 1; r < track->first + track->n && s->start[r] < tt_row_end(s, row); r++)
        if (tt_row_end(s, r) <= tt_row_end(s, row) && read_row(s, r, &inner)) tt_engine_step_add(&all, &inner);
    return all;
}

/* model/tables/path/path_names.c - names of segments. */
#include "model/tables/path/path_names.h"

tt_sid tt_path_segment_name(const tt_trace *s, const tt_path_segment *g)
{
    return g->row == TT_NONE ? 0 : s->name[g->row];
}

tt_sid tt_path_segment_operator(const tt_trace *s, const tt_path_segment *g)
{
    if (g->row == TT_NONE || g->category == TT_WAIT_BETWEEN) return 0;
    const tt_activity *d = tt_row_dev(s, g->row);
    tt_row op = g->row;
    if (d)
        op = tt_activity_operator(s, d);
    else if (tt_kind_is_launch(tt_row_kind(s, g->row)))
        op = s->detail[g->row];
    return op == TT_NONE ? 0 : s->name[op];
}

/* model/trace/call_stack.c - see call_stack.h. */
#include "model/trace/call_stack.h"

#include <string.h>

tt_sid tt_call_stack_recorded(const tt_trace *s, tt_row r)
{
    tt_kind k = tt_row_kind(s, r);
    bool none = tt_kind_is_launch(k) || tt_kind_is_python(k) || tt_kind_is_device(k);
    return none || s->detail[r] >= s->n_op_args ? 0 : s->op_args[s->detail[r]].stack;
}

/* Innermost frame around r. At equal starts the order of rows says which slice is outside. */
static tt_row call_stack_frame(const tt_trace *s, uint32_t track, tt_row r)
{
    tt_row f = tt_track_slice_at(s, track, s->start[r], TT_PYTHON_FRAMES);
    while (f != TT_NONE && f > r) f = tt_row_ancestor(s, f, TT_PYTHON_FRAMES);
    return f;
}

bool tt_call_stack_is(const tt_trace *s, uint32_t track, tt_row r, const char *text)
{
    tt_sid whole = tt_call_stack_recorded(s, r);
    if (whole) return !strcmp(tt_str(&s->strings, whole), text);
    tt_row f = call_stack_frame(s, track, r);
    for (int i = 0; f != TT_NONE; f = tt_row_ancestor(s, f, TT_PYTHON_FRAMES), i++) {
        size_t n = s->strings.len.at[s->name[f]];
        if (i == TT_STACK_FRAMES) return !strcmp(text, TT_STACK_CUT);
        if (i && *text++ != ';') return false;
        if (strncmp(text, tt_row_name(s, f), n) != 0) return false;
        text += n;
    }
    return !*text;
}

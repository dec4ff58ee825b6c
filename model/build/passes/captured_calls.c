/* model/build/passes/captured_calls.c - the calls in captures of graphs.
 *
 * Nothing runs while a stream captures: launches, copies and sets become nodes of a graph. */
#include <stdlib.h>
#include <string.h>

#include "model/build/passes/finish_internal.h"
#include "model/text/call_name.h"

enum role { OTHER, BEGIN, END, NODE };

static uint8_t role_of(const char *name)
{
    if (tt_call_begins_capture(name)) return BEGIN;
    if (tt_call_ends_capture(name)) return END;
    return tt_call_launches_kernel(name) || strstr(name, "Memcpy") || strstr(name, "Memset") ? NODE : OTHER;
}

/* Role of each name; NULL when no name begins a capture. */
static uint8_t *roles(const tt_trace *s)
{
    bool found = false;
    for (tt_sid i = 1; i < s->strings.text.n && !found; i++) found = role_of(tt_str(&s->strings, i)) == BEGIN;
    if (!found) return NULL;
    uint8_t *role = tt_malloc(s->strings.text.n);
    for (tt_sid i = 0; i < s->strings.text.n; i++) role[i] = role_of(tt_str(&s->strings, i));
    return role;
}

typedef TT_VEC(tt_captured_call) call_list;

/* List the captured calls of one thread, whose launches ascend. A capture that does not end is none. */
static void list_track(const tt_trace *s, const uint8_t *role, const tt_row *launches, size_t n, call_list *out)
{
    tt_row begin = TT_NONE;
    int64_t inside = INT64_MIN; /* end of the last captured call */
    size_t first = out->n;      /* calls of the open capture */
    for (size_t i = 0; i < n; i++) {
        tt_row r = launches[i];
        uint8_t is = role[s->name[r]];
        if (is == BEGIN && begin == TT_NONE) {
            begin = r;
        } else if (is == END && begin != TT_NONE) {
            for (size_t k = first; k < out->n; k++) out->at[k].end = r;
            begin = TT_NONE;
            first = out->n;
        } else if (is == NODE && begin != TT_NONE && s->start[r] >= tt_row_end(s, begin) && tt_row_end(s, r) > inside) {
            *tt_vec_push(out) = (tt_captured_call){.row = r, .kernel = s->detail[r], .begin = begin};
            inside = tt_row_end(s, r);
        }
    }
    out->n = first;
}

void tt_finish_captured_calls(tt_finish *fin)
{
    tt_trace *s = fin->s;
    call_list all = {0};
    uint8_t *role = roles(s);
    for (uint32_t t = 0; role && t < s->n_tracks; t++)
        list_track(s, role, fin->rows[t].launches.at, fin->rows[t].launches.n, &all);
    free(role);
    s->captured = all.at;
    s->n_captured = (uint32_t)all.n;
}

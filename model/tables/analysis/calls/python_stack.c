/* model/tables/analysis/calls/python_stack.c - see python_stack.h. */
#include "model/tables/analysis/calls/python_stack.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/calls/python_line.h"

static bool is_frame(const tt_trace *s, tt_row r) { return TT_PYTHON_FRAMES >> tt_row_kind(s, r) & 1; }

void tt_python_frames_init(tt_python_frames *f, const tt_trace *s)
{
    *f = (tt_python_frames){.s = s, .none = true};
    for (uint32_t i = 0; i < s->n_cats; i++) f->none &= !(TT_PYTHON_FRAMES >> s->kind_of[i] & 1);
    tt_path_tree_init(&f->tree);
}

void tt_python_frames_free(tt_python_frames *f)
{
    tt_path_tree_free(&f->tree);
    tt_vec_free(&f->line);
    tt_vec_free(&f->module);
    tt_vec_free(&f->open);
}

static uint32_t place_of(tt_python_frames *f, uint32_t caller, tt_row r)
{
    const tt_trace *s = f->s;
    uint32_t place = tt_path_tree_put(&f->tree, caller, s->name[r], tt_row_kind(s, r));
    if (place < f->line.n) return place;
    bool module = tt_row_kind(s, r) == TT_KIND_MODULE;
    tt_sid line = caller == TT_PLACE_ROOT ? 0 : f->line.at[caller];
    tt_sid around = caller == TT_PLACE_ROOT ? 0 : f->module.at[caller];
    if (!module && tt_python_is_user(tt_row_name(s, r))) line = s->name[r];
    *tt_vec_push(&f->line) = line;
    *tt_vec_push(&f->module) = module ? s->name[r] : around;
    return place;
}

static void open_frame(tt_python_frames *f, tt_row r)
{
    uint32_t caller = f->open.n ? f->open.at[f->open.n - 1].place : TT_PLACE_ROOT;
    *tt_vec_push(&f->open) = (tt_open_frame){r, place_of(f, caller, r)};
}

/* Open the frames down to r. Mostly the caller of r is open; where slices cross it is not, and all frames are opened
 * anew. */
static void enter(tt_python_frames *f, tt_row r)
{
    tt_row caller = tt_row_ancestor(f->s, r, TT_PYTHON_FRAMES);
    size_t n = f->open.n;
    while (n && f->open.at[n - 1].row != caller) n--;
    if (!n && caller != TT_NONE) {
        TT_VEC(tt_row) up = {0};
        for (tt_row at = caller; at != TT_NONE; at = tt_row_ancestor(f->s, at, TT_PYTHON_FRAMES))
            *tt_vec_push(&up) = at;
        f->open.n = 0;
        while (up.n) open_frame(f, up.at[--up.n]);
        tt_vec_free(&up);
        n = f->open.n;
    }
    f->open.n = n;
    open_frame(f, r);
}

uint32_t tt_python_frames_at(tt_python_frames *f, tt_row r)
{
    const tt_trace *s = f->s;
    if (f->none) return TT_NONE;
    if (r >= f->end || r < f->next) {
        const tt_track *track = &s->tracks[tt_row_track(s, r)];
        f->next = track->first;
        f->end = track->first + track->n;
        f->open.n = 0;
    }
    for (; f->next < r; f->next++) {
        if (is_frame(s, f->next)) enter(f, f->next);
    }
    while (f->open.n && tt_row_end(s, f->open.at[f->open.n - 1].row) <= s->start[r]) f->open.n--;
    return f->open.n ? f->open.at[f->open.n - 1].place : TT_NONE;
}

uint32_t tt_call_stack_id(tt_python_frames *f, tt_row r)
{
    tt_sid text = tt_call_stack_recorded(f->s, r);
    if (text) return text;
    uint32_t place = tt_python_frames_at(f, r);
    return place == TT_NONE ? 0 : (uint32_t)f->s->strings.text.n + place;
}

uint32_t tt_call_stack_ids(const tt_python_frames *f)
{
    return (uint32_t)f->s->strings.text.n + tt_path_tree_count(&f->tree);
}

static const char *first_frames(const char *text, unsigned most, tt_arena *a)
{
    const char *p = text;
    for (unsigned left = most; left && (p = strchr(p, ';')) != NULL; left--, p++)
        if (left == 1) return tt_arena_printf(a, "%.*s", (int)(p - text), text);
    return text;
}

const char *tt_call_stack_text(const tt_python_frames *f, uint32_t id, unsigned most, tt_arena *a)
{
    const tt_trace *s = f->s;
    if (id < s->strings.text.n) return first_frames(tt_str(&s->strings, id), most, a);
    uint32_t innermost = id - (uint32_t)s->strings.text.n, place = innermost;
    size_t size = sizeof TT_STACK_CUT, n = 0, cap = most ? most : TT_STACK_FRAMES;
    for (; place != TT_PLACE_ROOT && n < cap; place = tt_place_parent(&f->tree, place), n++)
        size += s->strings.len.at[tt_place_name(&f->tree, place)] + 1;
    bool cut = !most && place != TT_PLACE_ROOT;
    char *text = tt_arena_alloc(a, size + 1), *at = text;
    for (place = innermost; n--; place = tt_place_parent(&f->tree, place)) {
        tt_sid name = tt_place_name(&f->tree, place);
        if (at > text) *at++ = ';';
        memcpy(at, tt_str(&s->strings, name), s->strings.len.at[name]);
        at += s->strings.len.at[name];
    }
    memcpy(at, cut ? TT_STACK_CUT : "", cut ? sizeof TT_STACK_CUT : 1);
    return text;
}

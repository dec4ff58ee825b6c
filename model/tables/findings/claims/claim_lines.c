/* model/tables/findings/claims/claim_lines.c - see claim_lines.h. */
#include "model/tables/findings/claims/claim_lines.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/text/frame_name.h"
#include "model/trace/call_stack.h"

typedef struct frame_edge { /* the innermost frame from here to the next edge */
    int64_t t;
    tt_sid frame; /* innermost frame of the program; 0 = none */
} frame_edge;
typedef TT_VEC(frame_edge) frame_edges;

struct tt_claim_frames {
    const tt_trace *s;
    bool any;             /* the trace has Python functions */
    uint8_t *is_user;     /* per tt_sid: 1 = a frame of the program, 2 = not, 0 = not looked at */
    frame_edges *of;      /* edges of each track */
    bool *made;           /* per track whether its edges are made */
    tt_strings of_stacks; /* lines of recorded call stacks */
    tt_sid *of_stack;     /* per tt_sid of a call stack: 1 + id in of_stacks, 0 = not looked at; NULL = not made */
};

struct tt_claim_lines {
    tt_claim_frames *f;
    int64_t *ns;       /* time per tt_sid of frames */
    int64_t *of_stack; /* time per id in of_stacks */
    size_t n_stack;
};

static bool is_user(tt_claim_frames *f, tt_sid name)
{
    if (!f->is_user[name]) f->is_user[name] = tt_python_is_user(tt_str(&f->s->strings, name)) ? 1 : 2;
    return f->is_user[name] == 1;
}

tt_claim_frames *tt_claim_frames_new(const tt_session *s, uint32_t trace)
{
    tt_claim_frames *f = tt_calloc(1, sizeof *f);
    f->s = s->traces[trace];
    for (uint32_t c = 0; c < f->s->n_cats; c++) f->any |= f->s->cats[c].kind == TT_KIND_PYTHON;
    f->is_user = tt_calloc(f->s->strings.text.n + (size_t)1, 1);
    f->of = tt_calloc(f->s->n_tracks + (size_t)1, sizeof *f->of);
    f->made = tt_calloc(f->s->n_tracks + (size_t)1, sizeof *f->made);
    tt_strings_init(&f->of_stacks);
    return f;
}

void tt_claim_frames_free(tt_claim_frames *f)
{
    if (!f) return;
    for (uint32_t i = 0; i < f->s->n_tracks; i++) tt_vec_free(&f->of[i]);
    free(f->of);
    free(f->made);
    free(f->is_user);
    free(f->of_stack);
    tt_strings_free(&f->of_stacks);
    free(f);
}

typedef struct open_frame {
    int64_t end;
    tt_sid name;
} open_frame;
typedef TT_VEC(open_frame) open_frames;

static void put_edge(frame_edges *l, int64_t t, tt_sid frame)
{
    if (l->n && l->at[l->n - 1].t == t)
        l->at[l->n - 1].frame = frame;
    else
        *tt_vec_push(l) = (frame_edge){t, frame};
}

/* Leave the frames that end before t. */
static void leave(open_frames *open, int64_t t, frame_edges *out)
{
    while (open->n && open->at[open->n - 1].end <= t) {
        int64_t end = open->at[--open->n].end;
        while (open->n && open->at[open->n - 1].end <= end) open->n--;
        put_edge(out, end, open->n ? open->at[open->n - 1].name : 0);
    }
}

static const frame_edges *frames_of(tt_claim_frames *f, uint32_t track)
{
    frame_edges *l = &f->of[track];
    const tt_track *t = &f->s->tracks[track];
    open_frames open = {0};
    if (f->made[track]) return l;
    f->made[track] = true;
    for (tt_row r = t->first; f->any && r < t->first + t->n; r++) {
        if (tt_row_kind(f->s, r) != TT_KIND_PYTHON || f->s->dur[r] <= 0 || !is_user(f, f->s->name[r])) continue;
        leave(&open, f->s->start[r], l);
        *tt_vec_push(&open) = (open_frame){tt_row_end(f->s, r), f->s->name[r]};
        put_edge(l, f->s->start[r], f->s->name[r]);
    }
    leave(&open, INT64_MAX, l);
    tt_vec_free(&open);
    return l;
}

tt_claim_lines *tt_claim_lines_new(tt_claim_frames *f)
{
    tt_claim_lines *l = tt_calloc(1, sizeof *l);
    l->f = f;
    if (f->any) l->ns = tt_calloc(f->s->strings.text.n + (size_t)1, sizeof *l->ns);
    return l;
}

void tt_claim_lines_free(tt_claim_lines *l)
{
    if (!l) return;
    free(l->ns);
    free(l->of_stack);
    free(l);
}

/* Line in the call stack of the operator, or of one around it: 1 + its id in of_stacks. */
static tt_sid line_of_op(tt_claim_frames *f, tt_row op)
{
    char line[512];
    tt_sid stack = 0;
    for (tt_row r = op; r != TT_NONE && !stack; r = f->s->parent[r])
        if (tt_row_kind(f->s, r) == TT_KIND_CPU_OP) stack = tt_call_stack_recorded(f->s, r);
    if (!f->of_stack) f->of_stack = tt_calloc(f->s->strings.text.n + (size_t)1, sizeof *f->of_stack);
    if (!f->of_stack[stack]) {
        bool found = stack && tt_python_line_of_stack(tt_str(&f->s->strings, stack), line, sizeof line);
        f->of_stack[stack] = 1 + (found ? tt_strings_put(&f->of_stacks, line, strlen(line)) : 0);
    }
    return f->of_stack[stack];
}

static void add_to_stack(tt_claim_lines *l, tt_row op, int64_t ns)
{
    size_t id = line_of_op(l->f, op) - 1;
    if (id >= l->n_stack) {
        l->of_stack = tt_realloc(l->of_stack, 2 * id + 16, sizeof *l->of_stack);
        memset(l->of_stack + l->n_stack, 0, (2 * id + 16 - l->n_stack) * sizeof *l->of_stack);
        l->n_stack = 2 * id + 16;
    }
    l->of_stack[id] += ns;
}

void tt_claim_lines_add(tt_claim_lines *l, uint32_t track, tt_row op, const tt_ivs *stretches)
{
    if (track == TT_NONE) return;
    if (!l->f->any) {
        if (op != TT_NONE) add_to_stack(l, op, tt_ivs_length(stretches));
        return;
    }
    const frame_edges *e = frames_of(l->f, track);
    for (size_t i = 0; i < stretches->n; i++) {
        tt_iv at = stretches->at[i];
        size_t lo = 0, hi = e->n; /* find the first edge after the start */
        TT_BISECT(lo, hi, k, e->at[k].t <= at.t0);
        for (size_t k = lo ? lo - 1 : 0; k < e->n && e->at[k].t < at.t1; k++) {
            int64_t t0 = e->at[k].t > at.t0 ? e->at[k].t : at.t0;
            int64_t t1 = k + 1 < e->n && e->at[k + 1].t < at.t1 ? e->at[k + 1].t : at.t1;
            l->ns[e->at[k].frame] += t1 - t0;
        }
    }
}

const char *tt_frame_shown(tt_arena *a, const char *frame)
{
    size_t file;
    long line;
    const char *name = strstr(frame, "): ");
    if (!name || !tt_frame_place(frame, &file, &line)) return tt_arena_printf(a, "%s", frame);
    return tt_arena_printf(a, "%s (%.*s:%ld)", name + 3, (int)file, frame, line);
}

const char *tt_claim_lines_most(const tt_claim_lines *l, int64_t ns, tt_arena *a)
{
    const tt_strings *names = l->ns ? &l->f->s->strings : &l->f->of_stacks;
    const int64_t *of = l->ns ? l->ns : l->of_stack;
    size_t n = l->ns ? names->text.n : l->n_stack < names->text.n ? l->n_stack : names->text.n;
    tt_sid most = 0;
    for (tt_sid i = 1; i < n; i++) {
        if (!of[i] || of[i] < (most ? of[most] : 1)) continue;
        if (!most || of[i] > of[most] || strcmp(tt_str(names, i), tt_str(names, most)) < 0) most = i;
    }
    return most && of[most] >= ns / 5 && ns > 0 ? tt_frame_shown(a, tt_str(names, most)) : NULL;
}

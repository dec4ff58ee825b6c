/* model/tables/analysis/calls/code_places.c - see code_places.h. One walk over the host slices of a trace: what is
 * around each is known from the walk, and costs a hash of (name, line, module). */
#include "model/tables/analysis/calls/code_places.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/calls/backward.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/analysis/calls/python_stack.h"
#include "model/text/frame_name.h"
#include "model/trace/analysis_cache.h"

enum { HOST, DEVICE, SIDES };

typedef struct found {
    tt_sid line, module; /* ids in the texts; 0 = unknown */
    double share;
} found;

struct tt_code_places {
    tt_strings text;     /* texts of lines and of classes of modules */
    TT_VEC(found) best;  /* the best place of each name; index 0 is no place */
    uint32_t *of[SIDES]; /* per name its index into best */
};

typedef struct making {
    const tt_session *session;
    uint32_t trace;
    const tt_trace *s;
    tt_code_places *out;
    tt_python_frames frames;
    tt_line_memo lines;
    tt_groups groups;    /* keys: a: name and side; b: line and module, ids of out->text */
    TT_VEC(int64_t) ns;  /* time of each group */
    TT_VEC(tt_sid) line; /* per place of frames its line in out->text */
    TT_VEC(tt_sid) module;
    uint32_t *of_stack; /* per id of a recorded stack its line + 1; 0 = not looked at */
} making;

typedef struct place {
    tt_sid line, module;
} place;

static tt_sid keep(making *m, const char *text) { return tt_strings_put(&m->out->text, text, strlen(text)); }

static place place_of_frames(making *m, uint32_t at)
{
    const tt_strings *names = &m->s->strings;
    if (at == TT_NONE) return (place){0};
    for (size_t i = m->line.n; i < m->frames.line.n; i++) {
        char class[256];
        tt_sid module = m->frames.module.at[i];
        if (module) tt_module_class(class, sizeof class, tt_str(names, module));
        *tt_vec_push(&m->line) = keep(m, tt_str(names, m->frames.line.at[i]));
        *tt_vec_push(&m->module) = module ? keep(m, class) : 0;
    }
    return (place){m->line.at[at], m->module.at[at]};
}

/* Line of the innermost operator at or around r that has a stack of its own. */
static tt_sid line_of_stack(making *m, tt_row r)
{
    for (; r != TT_NONE; r = m->s->parent[r]) {
        char line[512];
        tt_sid stack = tt_call_stack_recorded(m->s, r);
        if (!stack) continue;
        if (!m->of_stack[stack])
            m->of_stack[stack] =
                1 + (tt_python_line_of_stack(tt_str(&m->s->strings, stack), line, sizeof line) ? keep(m, line) : 0);
        if (m->of_stack[stack] > 1) return m->of_stack[stack] - 1;
    }
    return 0;
}

/* Place of the forward operator, else of the slice that the step's thread runs at that time. */
static place place_elsewhere(making *m, tt_row r)
{
    char line[512], class[128];
    const tt_trace *s = m->s;
    place p = {0};
    tt_row forward = tt_forward_of(m->session, m->trace, r), module = TT_NONE;
    if (tt_program_line_elsewhere(m->session, m->trace, &m->lines, r, line, sizeof line)) p.line = keep(m, line);
    if (forward != TT_NONE) module = tt_track_slice_at(s, tt_row_track(s, forward), s->start[forward], TT_TREE_MODULES);
    if (module == TT_NONE) return p;
    tt_module_class(class, sizeof class, tt_row_name(s, module));
    p.module = keep(m, class);
    return p;
}

static void add(making *m, tt_sid name, int side, place p, int64_t ns)
{
    tt_group_key key = {.a = (uint64_t)name << 1 | (uint64_t)side, .b = (uint64_t)p.line << 32 | p.module};
    uint32_t at = tt_groups_put(&m->groups, key);
    if (at == m->ns.n) *tt_vec_push(&m->ns) = 0;
    m->ns.at[at] += ns + 1;
}

static void add_row(making *m, tt_row r)
{
    const tt_trace *s = m->s;
    tt_kind kind = tt_row_kind(s, r);
    uint32_t n = 0;
    const uint32_t *work = tt_kind_is_launch(kind) ? tt_row_launched(s, r, &n) : NULL;
    place p = place_of_frames(m, tt_python_frames_at(&m->frames, r));
    if (!p.line && m->of_stack) p.line = line_of_stack(m, r);
    if (!p.line && n) p = place_elsewhere(m, r);
    add(m, s->name[r], HOST, p, s->dur[r]);
    for (uint32_t i = 0; i < n; i++) {
        tt_row d = s->dev[work[i]].row;
        add(m, s->name[d], DEVICE, p, s->dur[d]);
    }
}

static bool has_stacks(const tt_trace *s)
{
    for (uint32_t i = 1; i < s->n_op_args; i++) {
        if (s->op_args[i].stack) return true;
    }
    return false;
}

/* Choose for each name the place with the most time, the first one of several equal ones. */
static void choose(making *m)
{
    tt_code_places *c = m->out;
    size_t n = m->s->strings.text.n;
    int64_t *best[SIDES], *all[SIDES];
    for (int side = 0; side < SIDES; side++) {
        best[side] = tt_calloc(n, sizeof *best[side]);
        all[side] = tt_calloc(n, sizeof *all[side]);
        c->of[side] = tt_calloc(n, sizeof *c->of[side]);
    }
    *tt_vec_push(&c->best) = (found){0};
    for (size_t i = 0; i < m->ns.n; i++) {
        const tt_group_key *k = &m->groups.key.at[i];
        tt_sid name = (tt_sid)(k->a >> 1), line = (tt_sid)(k->b >> 32);
        int side = k->a & 1;
        all[side][name] += m->ns.at[i];
        if ((!line && !(tt_sid)k->b) || m->ns.at[i] <= best[side][name]) continue;
        best[side][name] = m->ns.at[i];
        if (!c->of[side][name]) {
            c->of[side][name] = (uint32_t)c->best.n;
            *tt_vec_push(&c->best) = (found){0};
        }
        c->best.at[c->of[side][name]] = (found){line, (tt_sid)k->b, 0};
    }
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < n; i++)
            if (c->of[side][i]) c->best.at[c->of[side][i]].share = tt_pct((double)best[side][i], (double)all[side][i]);
        free(best[side]);
        free(all[side]);
    }
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_code_places *c = tt_calloc(1, sizeof *c);
    making m = {.session = session, .trace = trace, .s = s, .out = c};
    tt_strings_init(&c->text);
    tt_groups_init(&m.groups);
    tt_python_frames_init(&m.frames, s);
    if (has_stacks(s)) m.of_stack = tt_calloc(s->strings.text.n, sizeof *m.of_stack);
    for (uint32_t k = 0; (m.of_stack || !m.frames.none) && k < s->n_tracks; k++) {
        const tt_track *track = &s->tracks[k];
        if (track->kind != TT_TRACK_THREAD) continue;
        for (tt_row r = track->first; r < track->first + track->n; r++) {
            tt_kind kind = tt_row_kind(s, r);
            if (!tt_kind_is_python(kind) && !tt_kind_is_device(kind)) add_row(&m, r);
        }
    }
    choose(&m);
    tt_python_frames_free(&m.frames);
    tt_line_memo_free(&m.lines);
    tt_groups_free(&m.groups);
    tt_vec_free(&m.ns);
    tt_vec_free(&m.line);
    tt_vec_free(&m.module);
    free(m.of_stack);
    return c;
}

static void release(void *value)
{
    tt_code_places *c = value;
    tt_strings_free(&c->text);
    tt_vec_free(&c->best);
    for (int side = 0; side < SIDES; side++) free(c->of[side]);
    free(c);
}

const tt_code_places *tt_code_places_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"code places", build, release};
    return tt_analysis_get(s, trace, &kind);
}

tt_code_place tt_code_place_of(const tt_code_places *c, tt_sid name, bool device)
{
    const found *f = &c->best.at[c->of[device ? DEVICE : HOST][name]];
    return (tt_code_place){f->line ? tt_str(&c->text, f->line) : NULL, f->module ? tt_str(&c->text, f->module) : NULL,
                           f->share};
}

const char *tt_code_line(const tt_query *q, tt_sid name, bool device)
{
    return tt_code_place_of(tt_code_places_get(q->session, q->trace), name, device).line;
}

void tt_set_code_place(const tt_query *q, tt_table *t, uint32_t row, uint32_t line_col, tt_sid name, bool device)
{
    tt_code_place p = tt_code_place_of(tt_code_places_get(q->session, q->trace), name, device);
    tt_set_ref(t, row, line_col, p.line);
    tt_set_ref(t, row, line_col + 1, p.module);
}

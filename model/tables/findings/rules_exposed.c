/* model/tables/findings/rules_exposed.c - rules about work of a device that nothing hides: it computes nothing
 * meanwhile. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/findings/stragglers.h"

/* Does the host wait here for the end of device work by an operator that reads a value back, and is the call that
 * blocks not in the file? Then the replay does not know that the host goes on earlier when the work is shorter. */
static bool reads_back(const tt_trace *s, tt_row op)
{
    const char *name = tt_row_name(s, op);
    if (strcmp(name, "aten::_local_scalar_dense") != 0 && strcmp(name, "aten::item") != 0) return false;
    const tt_track *t = &s->tracks[tt_row_track(s, op)];
    for (tt_row r = op + 1; r < t->first + t->n && s->start[r] < tt_row_end(s, op); r++)
        if (tt_kind_is_launch(tt_row_kind(s, r)) && tt_call_blocks(tt_row_name(s, r))) return false;
    return true;
}

/* At the end of most of the claim the host is in such an operator. */
static bool is_read_back(const tt_finding_context *c, const tt_claim *claim)
{
    int64_t ns = 0;
    for (size_t i = 0; i < claim->pieces.n; i++)
        for (uint32_t t = 0; t < c->s->n_tracks; t++) {
            tt_row op = c->s->tracks[t].device >= 0
                            ? TT_NONE
                            : tt_track_slice_at(c->s, t, claim->pieces.at[i].t1 - 1, 1u << TT_KIND_CPU_OP);
            if (op == TT_NONE || !reads_back(c->s, op)) continue;
            ns += claim->pieces.at[i].ns;
            break;
        }
    return ns * 2 > claim->ns;
}

static bool has_read_back(const tt_trace *s)
{
    for (tt_sid i = 1; i < s->strings.text.n; i++)
        if (!strcmp(tt_str(&s->strings, i), "aten::_local_scalar_dense")) return true;
    return false;
}

static uint32_t add(tt_finding_context *c, tt_root_claim root, const char *name, const char *does, const char *advice,
                    tt_path_category category)
{
    tt_claim *x = &c->roots[root];
    if (!c->work->n || x->device == TT_NONE || !x->ns) return TT_NONE;
    double v = tt_finding_pct(c, x->device, x->ns);
    int64_t bound = x->ns;
    const char *title = tt_arena_printf(&c->t->arena, "%s: %.1f%% %s %s only %s (%s)", name, v, tt_finding_of_time(c),
                                        tt_finding_device(c, x->device), does, tt_finding_time(c, x, "stretches"));
    uint32_t row = tt_finding_add(c, tt_finding_severity(v), title, advice);
    bool known = !(has_read_back(c->s) && is_read_back(c, x));
    tt_finding_claims(c, row, x);
    if (known) tt_finding_replays(c, row, 1u << category, bound);
    return row;
}

/* Most of it is waiting for a worker that is late. */
static bool is_waiting(const tt_finding_context *c, const tt_claim *claim)
{
    if (c->q->session->n_workers < 2 || !tt_straggler_of_run(c->q).worker) return false;
    tt_comm_waits waits = tt_comm_waits_of(c->q);
    tt_ivs set = tt_comm_waits_on(&waits, c->work, claim->device);
    int64_t ns = 0;
    for (size_t i = 0; i < claim->pieces.n; i++)
        ns += tt_ivs_length_in(&set, claim->pieces.at[i].t0, claim->pieces.at[i].t1);
    tt_vec_free(&set);
    tt_vec_free(&waits);
    return ns * 2 >= claim->ns;
}

void tt_find_exposed_communication(tt_finding_context *c)
{
    uint32_t row = add(c, TT_ROOT_COMMUNICATION, "Exposed communication", "communicates",
                       tt_advice_of(c->s->rules)->overlap_communication, TT_PATH_COMMUNICATION);
    if (row != TT_NONE && is_waiting(c, &tt_finding_of(c, row)->claim)) tt_finding_of(c, row)->cause = "straggler";
}

void tt_find_exposed_copy(tt_finding_context *c)
{
    (void)add(c, TT_ROOT_COPY, "Exposed copies", "copies", tt_advice_of(c->s->rules)->overlap_copies, TT_PATH_COPY);
}

/* model/tables/findings/rules_exposed.c - rules about work of a device that nothing hides: it computes nothing
 * meanwhile. */
#include "model/tables/findings/findings.h"

typedef struct exposed {
    const char *share; /* column of gpu_time */
    double from, high; /* percent: said from here on, and how severe it is */
    const char *title, *does;
    const char *advice;
    unsigned category;     /* of the path */
    tt_time_class of_time; /* the evidence where the path has none of it */
} exposed;

static void find(tt_finding_context *c, const exposed *x)
{
    uint32_t of = c->gpu_time ? tt_finding_largest(c->gpu_time, x->share) : TT_NONE;
    double v = of != TT_NONE ? tt_finding_real(c->gpu_time, of, x->share) : 0;
    char device[TT_TITLE_CAP];
    if (!(v > x->from)) return;
    uint32_t row =
        tt_finding_add(c, v > x->high ? "high" : "medium",
                       tt_arena_printf(&c->t->arena, "%s: %.1f%% of the time %s only %s", x->title, v,
                                       tt_device_shown(tt_finding_text(c->gpu_time, of, "device"), device), x->does),
                       x->advice);
    tt_path_segment g = tt_finding_stretch(c, 1u << x->category);
    if (g.row != TT_NONE)
        tt_set_row(c->q, c->t, row, g.row);
    else
        tt_finding_show_longest(c, row, x->of_time);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_i(c->t, row, TT_FINDING_SAVING, tt_finding_on_path(c, 1u << x->category));
}

void tt_find_exposed_communication(tt_finding_context *c)
{
    find(c, &(exposed){"communication_exposed_pct", 10, 30, "Exposed communication", "communicates",
                       tt_advice_of(c->s->rules)->overlap_communication, TT_PATH_COMMUNICATION, TT_TIME_COMMUNICATION});
}

void tt_find_exposed_copy(tt_finding_context *c)
{
    find(c, &(exposed){"copy_exposed_pct", 5, 20, "Exposed copies", "copies", tt_advice_of(c->s->rules)->overlap_copies,
                       TT_PATH_COPY, TT_TIME_MEMCPY});
}

/* capture/shared/stall.c - see stall.h. */
#include "capture/shared/stall.h"

/* A look so long after the last one means that the program, or the machine, stood still between. */
static const int64_t most_between_looks = 1000000000;

static void count_time(tt_stall *s, const tt_stall_facts *f)
{
    int64_t passed = s->looked ? f->now - s->looked : 0;
    if (passed > most_between_looks) passed = most_between_looks;
    s->looked = f->now;
    s->device_ns += passed;
    s->step_ns += passed;
    if (!f->due || f->done != s->done) {
        s->device_ns = 0;
        s->device_told = false;
    }
    if (!f->steps || f->steps != s->steps) {
        s->step_ns = 0;
        s->steps_told = false;
    }
    s->done = f->done;
    s->steps = f->steps;
}

tt_stall_kind tt_stall_look(tt_stall *s, const tt_stall_facts *f, int64_t limit)
{
    count_time(s, f);
    if (!limit) return TT_STALL_NONE;
    int64_t usual = f->step_ns * TT_STALL_STEPS, late = usual > limit ? usual : limit;
    bool device = s->device_ns >= limit, steps = s->step_ns >= late;
    /* a device that hangs holds up the steps: that is one stall, whichever is late first */
    bool device_news = device && !s->device_told, steps_news = steps && !s->steps_told && !s->device_told;
    s->device_told |= device || (steps_news && s->device_ns);
    s->steps_told |= steps;
    return device_news ? TT_STALL_DEVICE : steps_news ? TT_STALL_STEP : TT_STALL_NONE;
}

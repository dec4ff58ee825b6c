/* tui/app/about.c - the facts and doubts of the header. */
#include "tui/app/about.h"
#include "tui/widgets/short_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/app/app_api.h"

typedef struct about_job {
    const tt_session *session;
    const tt_screen_ops *ops[TT_MAX_SCREENS];
    int n;
    tt_about found;
    bool ran;
} about_job;

/* The name of the first device that did something. */
static void find_device(const tt_session *s, char *out, size_t cap)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        for (uint32_t d = 0; t->n_dev && d < t->n_devices; d++) {
            const char *name = tt_str(&t->strings, t->devices[d].name);
            if (t->devices[d].id != t->dev[0].device || !*name) continue;
            tt_short_device(name, out, cap);
            return;
        }
    }
}

static void find_facts(const tt_session *s, tt_about *out)
{
    bool ranks = true;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < s->traces[i]->n_steps; k++)
            n += s->traces[i]->steps[k].row != TT_NONE && s->traces[i]->steps[k].kept;
        if (n > steps) steps = n;
        ranks = ranks && s->traces[i]->rank >= 0;
    }
    if (s->n_workers > 1) tt_format_counted(out->ranks, s->n_workers, ranks ? "rank" : "worker");
    if (steps) tt_format_counted(out->steps, steps, "step");
    find_device(s, out->device, sizeof out->device);
}

static void about_run(void *arg)
{
    about_job *j = arg;
    j->found.trust = tt_trust_make(j->session, &tt_scope_all);
    find_facts(j->session, &j->found);
    for (int i = 0; i < j->n; i++) {
        if (j->ops[i]->tab.empty && j->ops[i]->tab.empty(j->session)) j->found.empty |= 1u << i;
    }
    j->ran = true;
}

static void about_done(void *arg, tt_host *h)
{
    tt_app *a = tt_app_of(h);
    about_job *j = arg;
    if (j->ran && a && j->found.serial == a->about.serial) {
        j->found.known = j->found.asked = true;
        a->about = j->found;
        tt_host_dirty(&a->host);
    } else {
        tt_trust_free(&j->found.trust);
    }
    free(j);
}

void tt_about_ask(tt_app *a)
{
    if (a->about.asked || !a->host.session || a->loading) return;
    about_job *j = tt_calloc(1, sizeof *j);
    j->session = a->host.session;
    j->found.serial = a->about.serial;
    while (j->n < a->tabs.n) j->ops[j->n] = a->tabs.screens[j->n].ops, j->n++;
    a->about.asked = true;
    tt_app_job(a, about_run, about_done, j);
}

void tt_about_forget(tt_app *a)
{
    unsigned serial = a->about.serial + 1;
    tt_trust_free(&a->about.trust);
    a->about = (tt_about){.serial = serial};
}

/* tui/timeline/screen/screen_filter.c - the filter of the Timeline screen: a job finds the slices; the newest text
 * wins. */
#include <stdlib.h>
#include <string.h>

#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/screen/screen.h"

struct tt_timeline_screen_filter {
    tt_screen *screen;
    tt_timeline *t;
    tt_timeline_filter *filter;
    tt_timeline_view view;
    atomic_bool stop; /* a newer text came */
    bool ran;         /* false when the program ends before */
};

static void start_job(tt_screen *s);

static void filter_run(void *arg)
{
    struct tt_timeline_screen_filter *j = arg;
    j->ran = true;
    if (!atomic_load(&j->stop)) tt_timeline_filter_build(j->t, j->view, j->filter, &j->stop);
}

static void say_count(tt_screen *s)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    char n[TT_TEXT_CAP];
    tt_host_set_status(s->host, "%s: %s (\\ clears)",
                       tt_format_counted(n, (int64_t)tt_timeline_filter_count(t), "slice"), tt_timeline_filter_text(t));
}

static void filter_done(void *arg, tt_host *a)
{
    struct tt_timeline_screen_filter *j = arg;
    tt_screen *s = j->screen;
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    (void)a;
    x->filter_job = NULL;
    if (atomic_load(&j->stop) || !j->ran) {
        tt_timeline_filter_free(j->filter);
        if (j->ran) start_job(s);
    } else {
        tt_view_set_filter(x->t, j->filter);
        say_count(s);
    }
    free(j);
}

/* Start the job for x->filter. */
static void start_job(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const char *why;
    if (!x->filter) {
        if (x->t->filter) tt_view_set_filter(x->t, NULL);
        return;
    }
    struct tt_timeline_screen_filter *j = tt_calloc(1, sizeof *j);
    j->screen = s;
    j->t = x->t;
    j->view = x->t->view;
    j->filter = tt_timeline_filter_new(tt_host_session(s->host), x->filter, &why);
    if (!j->filter) { /* the text is no filter, which was said before */
        free(j);
        return;
    }
    x->filter_job = j;
    tt_host_job(s->host, filter_run, filter_done, j);
}

static void want_filter(tt_screen *s, const char *text)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    free(x->filter);
    x->filter = *text ? tt_strdup(text) : NULL;
    if (x->filter_job) {
        atomic_store(&x->filter_job->stop, true); /* filter_done() starts with the new text */
    } else {
        start_job(s);
    }
}

bool tt_timeline_screen_filter_set(tt_screen *s, const char *text)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const char *why;
    if (strcmp(x->filter ? x->filter : "", text) == 0) return true;
    if (*text) {
        tt_timeline_filter *f = tt_timeline_filter_new(tt_host_session(s->host), text, &why);
        if (!f) {
            tt_host_set_status(s->host, "%s", why);
            return false;
        }
        tt_timeline_filter_free(f);
    }
    want_filter(s, text);
    if (!*text) tt_host_set_status(s->host, "filter cleared");
    return true;
}

void tt_timeline_screen_filter_drop(tt_screen *s)
{
    want_filter(s, "");
    tt_view_set_filter(tt_timeline_screen_of(s)->t, NULL);
    tt_host_set_status(s->host, "filter cleared to show the target");
}

/* test_flame_screen.c - the flame view on its screen: the drawing thread computes none of it; a filter restricts it.
 * */
#include "tests/unit/check.h"
#include "tests/unit/made.h"
#include "tests/unit/picture.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"

#include <poll.h>
#include <stdlib.h>

/* Two calls of an operator under a Python function, with two operators, a launch and its kernel inside. */
static tt_session *calls(void)
{
    static const struct {
        const char *cat, *name;
        int at, dur;
    } inside[] = {{"python_function", "train.py(1): step", 0, 95},
                  {"cpu_op", "aten::linear", 10, 80},
                  {"cpu_op", "aten::t", 12, 8},
                  {"cpu_op", "aten::addmm", 30, 50},
                  {"cuda_runtime", "cudaLaunchKernel", 40, 5}};
    made_trace m;
    made_begin(&m);
    for (int call = 0; call < 2; call++) {
        for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
            fprintf(m.f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,",
                    inside[i].cat, inside[i].name, 100 * call + inside[i].at, inside[i].dur);
            fprintf(m.f, "\"args\":{\"correlation\":%d}},\n", i == 4 ? call + 1 : 0);
        }
        fprintf(m.f, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":20,",
                100 * call + 60);
        fprintf(m.f, "\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},\n", call + 1);
    }
    return made_load(&m);
}

static const char *picture(tt_app *a) { return picture_of(a, 24, 100); }

static bool shows(tt_app *a, const char *text) { return strstr(picture(a), text) != NULL; }

/* Finish the worker's job: its result becomes visible only when the drawing thread takes it over. */
static void finish(tt_app *a)
{
    while (tt_jobs_busy(a->jobs)) {
        struct pollfd p = {.fd = tt_jobs_fd(a->jobs), .events = POLLIN};
        poll(&p, 1, 1000);
        tt_jobs_poll(a->jobs);
    }
}

static void test_worker(void)
{
    tt_app *a = tt_app_new(true);
    a->display.no_state = true;
    tt_app_set_session(a, calls());
    CHECK(tt_app_show_tab(a, "flame"));
    CHECK(shows(a, "computing ..."));
    finish(a);
    CHECK(shows(a, "aten::linear"));
    CHECK(tt_app_keys(a, "o", NULL));
    CHECK(shows(a, "indexing ..."));
    CHECK(tt_app_keys(a, "j w 0", NULL)); /* keys pressed before the graph is built do nothing */
    CHECK(tt_app_keys(a, "b", NULL));     /* the earlier request is obsolete */
    CHECK(shows(a, "indexing ..."));
    finish(a);
    CHECK(shows(a, "aten::addmm"));
    CHECK(!shows(a, "building"));
    CHECK(tt_app_keys(a, "o o b", NULL)); /* leave the screen while the graph is being built */
    picture(a);
    tt_app_free(a);
}

static void test_filter(void)
{
    tt_app *a = tt_app_new(false);
    tt_app_set_session(a, calls());
    CHECK(tt_app_show_tab(a, "flame"));
    CHECK(tt_app_keys(a, "F \"cpu op\" Enter", NULL));
    CHECK(shows(a, "filter: cpu op") && shows(a, "aten::linear") && shows(a, "aten::addmm"));
    CHECK(!shows(a, "train.py") && !shows(a, "cudaLaunch"));
    CHECK(tt_app_keys(a, "G", NULL)); /* the kernel of a launch counts for the operator around it */
    CHECK(shows(a, "aten::addmm") && shows(a, "GPU self 40 us"));
    CHECK(tt_app_keys(a, "F ^U \"kernel\" Enter", NULL));
    CHECK(shows(a, "GPU time 40 us") && shows(a, "gemm") && !shows(a, "aten::"));
    CHECK(tt_app_keys(a, "F ^U \"linear\" Enter", NULL)); /* weigh by time again */
    CHECK(shows(a, "CPU time 160 us") && shows(a, "aten::linear"));
    CHECK(tt_app_keys(a, "o", NULL));
    CHECK(shows(a, "Flame chart (by time)") && shows(a, "linear") && !shows(a, "addmm"));
    CHECK(tt_app_keys(a, "F ^U \"nobody\" Enter", NULL));
    CHECK(shows(a, "nothing here passes the filter"));
    CHECK(tt_app_keys(a, "o", NULL));
    CHECK(shows(a, "nothing here passes the filter"));
    CHECK(tt_app_keys(a, "\\", NULL));
    CHECK(shows(a, "train.py") && !shows(a, "filter:"));
    CHECK(tt_app_keys(a, "F \"~(\" Enter", NULL));
    CHECK(shows(a, "regular expression") && shows(a, "train.py"));
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    test_worker();
    test_filter();
    return check_done();
}

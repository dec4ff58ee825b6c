/* test_renew.c - the user's settings of a screen stay when its rows change: with another scope, and when a session
 * with more data and an earlier beginning replaces a preview. */
#include "model/trace/imported.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/picture.h"
#include "tests/unit/tempdir.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"
#include "tui/app/screen_list.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/screen/screen.h"

#include <poll.h>
#include <stdlib.h>

enum { KERNELS = 8 };

/* Kernel k is launched 10 * (k + 1) times in steps 1 and 2, the last two kernels in step 2 only; half = the file while
 * it is still being written. */
static const char *write_trace(bool half)
{
    static char text[1 << 20];
    size_t at = 0, cap = sizeof text;
#define PUT(...) at += (size_t)snprintf(text + at, cap - at, __VA_ARGS__)
    PUT("{\"schemaVersion\": 1, \"traceEvents\": [\n");
    for (int step = 1; step <= 2; step++) {
        int t0 = 1000 + step * 100000, id = step * 10000;
        PUT("{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,"
            "\"dur\":"
            "99000},\n",
            step, t0);
        for (int k = 0; k < KERNELS - (step == 1 ? 2 : 0); k++) {
            for (int i = 0; i < 10 * (k + 1); i++, id++) {
                PUT("{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%"
                    "d,"
                    "\"dur\":5,\"args\":{\"correlation\":%d}},\n",
                    t0 + 20 + (id % 10000) * 20, id);
                PUT("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"kernel_%d\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,"
                    "\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},\n",
                    k, t0 + 30 + (id % 10000) * 20, 1 + i % 9, id);
            }
        }
        if (half) break;
    }
    PUT("{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5}%s",
        half ? "late" : "early", half ? 200500 : 1000, half ? "," : "]}");
#undef PUT
    const char *path = temp_file("new", text, at);
    CHECK_INT(rename(path, temp_path("t.json")), 0);
    return temp_path("t.json");
}

static tt_session *load(const char *path)
{
    tt_err err = {0};
    tt_load_options o = {.threads = 1};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    CHECK(s != NULL);
    return s;
}

static const char *picture(tt_app *a) { return picture_of(a, 40, 120); }

/* The lines of the picture that begin with one of these characters, up to the first blank of each line. */
static const char *lines_with(const char *text, const char *first)
{
    static char out[1024];
    size_t at = 0;
    out[0] = 0;
    for (const char *p = text; p && *p && at < sizeof out; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
        if (strchr(first, *p)) at += (size_t)snprintf(out + at, sizeof out - at, "%.*s ", (int)strcspn(p, " \n"), p);
    }
    return out;
}

static tt_app *begin(tt_session *s)
{
    tt_app *a = tt_app_new(false);
    tt_app_set_session(a, s);
    picture(a);
    return a;
}

static void press(tt_app *a, const char *keys)
{
    CHECK(tt_app_keys(a, keys, NULL));
    picture(a);
}

static void test_scope(void)
{
    tt_app *a = begin(load(write_trace(false)));
    press(a, "3 Space j Space k"); /* sorted by time: the first and the third row are marked */
    CHECK_STR(lines_with(picture(a), "*#>"), "*kernel_5 #kernel_7 ");
    press(a, ": \"columns name,mean_ns,calls\" Enter : \"steps 1\" Enter"); /* step 1 has no kernel_7 */
    CHECK(strstr(picture(a), "1 marked"));
    CHECK_STR(lines_with(picture(a), "*#"), "*kernel_5 ");
    CHECK(!strstr(picture(a), "kernel_7"));
    const char *mean = strstr(picture(a), " Mean"), *calls = strstr(picture(a), " Calls");
    CHECK(mean && calls && mean < calls);
    press(a, ": \"all\" Enter");
    CHECK(strstr(picture(a), "2 marked"));
    CHECK_STR(lines_with(picture(a), "*#"), "*kernel_5 *kernel_7 ");
    press(a, "M : \"steps 2\" Enter : \"all\" Enter");
    CHECK(!strstr(picture(a), "marked"));
    tt_app_free(a);
}

static void test_session(void)
{
    char before[1024];
    tt_app *a = begin(load(write_trace(true)));
    press(a, "3 : \"columns name,total_ns,calls\" Enter Space j Space"); /* kernels 5, 4, 3 */
    press(a, "2 4 / \"kernel_3\" Enter Esc f f");                        /* searches on the timeline */
    press(a, ": \"tab kernels\" Enter");
    CHECK_STR(lines_with(picture(a), "*>"), "*kernel_5 *kernel_3 >kernel_2 ");
    CHECK_INT(a->jumps.at, 1);
    press(a, "9 : \"table runtime_api\" Enter Enter j j"); /* a screen behind the tabs: the slices of a call */
    snprintf(before, sizeof before, "%s", lines_with(picture(a), ">"));
    press(a, "3");
    tt_app_offer_session(a, load(write_trace(false)), true);
    picture(a);
    CHECK_STR(lines_with(picture(a), "*>"), "*kernel_5 *kernel_3 >kernel_2 ");
    CHECK(strstr(picture(a), "kernel_7")); /* the whole trace is loaded */
    CHECK(strstr(picture(a), "2 marked"));
    const char *total = strstr(picture(a), " Totalv"), *calls = strstr(picture(a), " Calls");
    CHECK(total && calls && total < calls);
    CHECK_INT(a->jumps.at, 2);
    tt_app_go(a, tt_app_index(a, &tt_screen_any_table));
    CHECK(strstr(picture(a), "cudaLaunchKernel"));
    CHECK_STR(lines_with(picture(a), ">"), before);
    press(a, "u"); /* to the API tab and to the slice on the timeline, which now lies 200 ms later */
    press(a, "u");
    CHECK(strstr(picture(a), "[4 Time"));
    CHECK(strstr(picture(a), "kernel_3"));
    CHECK(strstr(picture(a), "slice 61 of "));
    tt_app_free(a);
}

static void finish(tt_app *a)
{
    while (tt_jobs_busy(a->jobs)) {
        struct pollfd p = {.fd = tt_jobs_fd(a->jobs), .events = POLLIN};
        picture(a);
        poll(&p, 1, 1000);
        tt_jobs_poll(a->jobs);
        tt_app_adopt_session(a);
    }
}

/* Evidence puts the filter aside; after the session is replaced the filter is back, and no job searches its slices in
 * the old session any more (sanitizers would report that). */
static void test_filter_put_aside(void)
{
    tt_app *a = tt_app_new(true);
    a->display.no_state = true;
    tt_app_set_session(a, load(write_trace(true)));
    CHECK(tt_app_show_tab(a, "timeline"));
    finish(a);
    tt_screen *s = &a->tabs.screens[a->tabs.at];
    CHECK(tt_focus_filter(tt_screen_focus(s), "kernel_3"));
    finish(a);
    uint64_t few = tt_timeline_filter_count(tt_timeline_screen_of(s)->t);
    CHECK(few > 0);
    CHECK(tt_host_show_evidence(&a->host, &(tt_drilldown){.what = TT_DRILL_ROW, .trace = 0, .row = 0}));
    finish(a);
    CHECK_STR(tt_timeline_filter_text(tt_timeline_screen_of(s)->t), "");
    tt_app_offer_session(a, load(write_trace(false)), true);
    finish(a);
    CHECK_STR(tt_timeline_filter_text(tt_timeline_screen_of(s)->t), "kernel_3");
    CHECK_INT(tt_timeline_filter_count(tt_timeline_screen_of(s)->t), 2 * (int64_t)few);
    tt_app_free(a);
}

/* Another run replaces the compared one: screens ask for their rows without a comparison, and the old session stays
 * until their jobs end (sanitizers would report otherwise). */
static void test_other_while_compared(void)
{
    tt_app *a = tt_app_new(true);
    a->display.no_state = true;
    a->base = load(write_trace(true));
    tt_app_set_session(a, load(write_trace(false)));
    a->host.comparison = TT_COMPARISON_DEFAULT;
    a->host.comparison.base = a->base;
    a->host.comparison.serial = 1;
    tt_app_show_tab(a, "kernels");
    picture(a);
    finish(a);
    a->pending.other = true;
    tt_session *other = load(write_trace(false));
    tt_app_offer_session(a, other, true);
    for (int i = 0; i < 3 && tt_host_session(&a->host) != other; i++) {
        finish(a);
        tt_app_adopt_session(a);
    }
    finish(a);
    CHECK(tt_host_session(&a->host) == other);
    CHECK(!a->host.comparison.base);
    CHECK(strstr(picture(a), "kernel_7"));
    tt_app_free(a);
}

/* Give the session's first trace an imported table with this id. */
static tt_session *with_table(tt_session *s, const char *id, int64_t rows)
{
    tt_imported *t = tt_imported_new(id, "Queues", "");
    tt_imported_column(t, "queue", "Queue", TT_T_STRING, "");
    tt_imported_column(t, "size", "Size", TT_T_COUNT, "");
    for (int64_t i = 0; i < rows; i++) {
        char name[32];
        int n = snprintf(name, sizeof name, "queue_%d", (int)i);
        uint32_t row = tt_imported_row(t);
        tt_imported_set_s(t, row, 0, name, (size_t)n);
        tt_imported_set_i(t, row, 1, 10 * i);
    }
    tt_trace_import(s->traces[0], t);
    return s;
}

/* An imported table is found by name, stays when the session is replaced, and goes with a session that lacks it. */
static void test_imported(void)
{
    tt_app *a = begin(with_table(load(write_trace(true)), "made_queues", 3));
    press(a, ": \"table made_q\" Tab Enter");
    picture(a);
    press(a, "j");
    CHECK(strstr(picture(a), "Queues"));
    CHECK_STR(lines_with(picture(a), ">"), ">queue_1 ");
    tt_app_offer_session(a, with_table(load(write_trace(false)), "made_queues", 5), false);
    CHECK(strstr(picture(a), "queue_4"));
    CHECK_STR(lines_with(picture(a), ">"), ">queue_1 ");
    press(a, "1");
    tt_app_offer_session(a, load(write_trace(false)), true);
    tt_app_go(a, tt_app_index(a, &tt_screen_any_table));
    CHECK(!strstr(picture(a), "queue_4"));
    CHECK(strstr(picture(a), "Problems"));
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    test_scope();
    test_session();
    test_filter_put_aside();
    test_other_while_compared();
    test_imported();
    temp_end();
    return check_done();
}

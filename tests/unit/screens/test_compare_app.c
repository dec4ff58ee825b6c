/* test_compare_app.c - two sessions in one application: how the base arrives, follows the scope, swaps sides and goes.
 * */
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "model/tables/registry/registry.h"
#include "tests/unit/made.h"
#include "tests/unit/picture.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"
#include "tui/app/screen_list.h"
#include "tui/app/session/app_compare.h"

enum { STEPS = 3 };

static const char *picture(tt_app *a) { return picture_of(a, 40, 120); }

static void press(tt_app *a, const char *keys)
{
    CHECK(tt_app_keys(a, keys, NULL));
    picture(a);
}

static void command(tt_app *a, const char *line)
{
    tt_app_command(a, line);
    picture(a);
}

/* Write a run with STEPS steps numbered from `first`, whose kernel takes `ns` in each step, for this many ranks. */
static const char *run_of(const char *name, int first, int ns, int ranks)
{
    static char path[8][256];
    static int n;
    char *out = path[n++ % 8];
    snprintf(out, sizeof path[0], "%s", temp_path(name));
    if (ranks > 1) mkdir(out, 0700);
    for (int r = 0; r < ranks; r++) {
        made_trace m;
        char file[300];
        made_begin(&m);
        for (int s = 0; s < STEPS; s++) {
            int t = 1000 + s * 1000, id = 10 * s + 1;
            fprintf(
                m.f,
                "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,"
                "\"dur\":900},\n"
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,"
                "\"dur\":5,\"args\":{\"correlation\":%d}},\n"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"kernel_of_%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,"
                "\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},\n",
                first + s, t, t + 20, id, name, t + 40, ns, id);
        }
        fputs("{}]}\n", m.f);
        fclose(m.f);
        FILE *f;
        if (ranks > 1)
            snprintf(file, sizeof file, "%s/rank%d.pt.trace.json", out, r);
        else
            snprintf(file, sizeof file, "%s", out);
        f = fopen(file, "w");
        CHECK(f && fwrite(m.text, 1, m.len, f) == m.len);
        fclose(f);
        free(m.text);
    }
    return out;
}

static tt_app *begin(const char *path, bool interactive)
{
    tt_app *a = tt_app_new(interactive);
    tt_explore_options o = {.paths = &path, .n_paths = 1, .load = {.threads = 1}};
    CHECK(tt_app_begin(a, &o));
    tt_app_set_session(a, load_trace(path));
    picture(a);
    return a;
}

static void diff(tt_app *a, const char *path)
{
    char line[300];
    snprintf(line, sizeof line, "diff %s", path);
    command(a, line);
}

static void test_come_and_go(void)
{
    const char *one = run_of("one.json", 1, 100, 1), *two = run_of("two.json", 1, 200, 1);
    tt_app *a = begin(run_of("new.json", 1, 300, 1), false);
    int tab = tt_app_tab(a, "compare");
    CHECK(!tt_host_comparison(&a->host));
    CHECK(a->tabs.screens[tab].hidden);
    diff(a, one);
    const tt_comparison *c = tt_host_comparison(&a->host);
    CHECK(c && c->base == a->base && a->base != a->host.session);
    CHECK_INT(a->tabs.at, tab);
    CHECK(strstr(picture(a), "kernel_of_one"));
    CHECK(strstr(picture(a), "kernel_of_new"));
    uint64_t first = c->serial;
    command(a, "table diff_kernels");
    CHECK(strstr(picture(a), "kernel_of_one"));
    diff(a, two); /* the table of the earlier comparison is on screen */
    CHECK(c->serial != first);
    CHECK_INT(a->other.put_aside.n, 0);
    tt_app_go(a, tt_app_index(a, &tt_screen_any_table));
    CHECK(strstr(picture(a), "kernel_of_two") && !strstr(picture(a), "kernel_of_one"));
    tt_session *before = a->base;
    diff(a, "/nowhere/at.json");
    CHECK(strstr(a->status, "/nowhere/at.json"));
    CHECK(tt_host_comparison(&a->host) && a->base == before);
    command(a, "diff off");
    CHECK(!tt_host_comparison(&a->host) && !a->base);
    CHECK(a->tabs.screens[tab].hidden);
    CHECK(!strstr(picture(a), "kernel_of_two"));
    diff(a, one);
    tt_app_free(a);
}

/* Check the time of a kernel on both sides, as the table shows it. */
static void check_times(tt_app *a, const char *name, int64_t base, int64_t now)
{
    tt_comparison c = *tt_host_comparison(&a->host);
    tt_options o = {.compare = &c};
    const tt_table *t = tt_table_get(a->host.session, tt_table_find("diff_kernels"), &a->host.scope, &o);
    int of_name = tt_table_column(t, "name"),
        of[2] = {tt_table_column(t, "base_total_ns"), tt_table_column(t, "new_total_ns")};
    CHECK(of_name >= 0 && of[0] >= 0 && of[1] >= 0);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (strcmp(tt_table_cell(t, r, (uint32_t)of_name).s, name) != 0) continue;
        CHECK_INT(tt_table_cell(t, r, (uint32_t)of[0]).i, base);
        CHECK_INT(tt_table_cell(t, r, (uint32_t)of[1]).i, now);
        return;
    }
    CHECK(!"no such row");
}

static void test_sides(void)
{
    const char *one = run_of("one.json", 11, 100, 1), *new = run_of("new.json", 1, 300, 1);
    tt_app *a = begin(new, false);
    diff(a, one);
    const tt_session *base = a->base, *now = a->host.session;
    check_times(a, "kernel_of_one.json", 3 * 100000, 0);
    check_times(a, "kernel_of_new.json", 0, 3 * 300000);
    command(a, "steps 2-3"); /* the second and third step of the base are numbered 12 and 13 */
    CHECK_INT(tt_host_comparison(&a->host)->base_scope.step_first, 12);
    CHECK_INT(tt_host_comparison(&a->host)->base_scope.step_last, 13);
    check_times(a, "kernel_of_one.json", 2 * 100000, 0);
    for (int i = 0; i < a->tabs.n; i++) tt_app_go(a, i), picture(a); /* draw all screens with this session */
    tt_app_show_tab(a, "compare");
    press(a, "X");
    CHECK(a->host.session == base && a->base == now);
    CHECK_INT(a->host.scope.step_first, 12);
    CHECK_INT(tt_host_comparison(&a->host)->base_scope.step_first, 2);
    check_times(a, "kernel_of_one.json", 0, 2 * 100000);
    CHECK_STR(a->source, one);
    CHECK_STR(a->other.source, new);
    press(a, "R"); /* reopens the open run, not the earlier one */
    CHECK_STR(a->status, "reloaded: nothing has changed");
    CHECK_STR(a->host.session->traces[0]->path, one);
    CHECK_STR(a->base->traces[0]->path, new);
    check_times(a, "kernel_of_one.json", 0, 2 * 100000);
    base = a->host.session;
    for (int i = 0; i < a->tabs.n; i++) tt_app_go(a, i), picture(a);
    command(a, "diff swap");
    CHECK(a->host.session == now && a->base == base);
    command(a, "all");
    CHECK(!tt_host_comparison(&a->host)->base_scope.has_steps);
    command(a, "steps 9"); /* no such step: nothing changes */
    CHECK(!a->host.scope.has_steps);
    tt_app_free(a);
}

static void test_workers(void)
{
    const char *one = run_of("one", 1, 100, 2), *new = run_of("new", 1, 300, 2);
    tt_app *a = begin(new, false);
    diff(a, one);
    command(a, "worker rank1");
    const tt_comparison *c = tt_host_comparison(&a->host);
    CHECK(c->base_scope.worker >= 0);
    CHECK_STR(a->base->workers[c->base_scope.worker], "rank1");
    check_times(a, "kernel_of_one", 3 * 100000, 0);
    command(a, "all");
    CHECK_INT(c->base_scope.worker, TT_ALL);
    check_times(a, "kernel_of_one", 2 * 3 * 100000, 0);
    /* the open run has two ranks; the first entry of the list stands for both */
    press(a, "D Home j = j =");
    CHECK(c->base == a->host.session && !a->base);
    CHECK_STR(a->host.session->workers[c->base_scope.worker], "rank0");
    CHECK_STR(a->host.session->workers[a->host.scope.worker], "rank1");
    CHECK(strstr(picture(a), "base rank0") && strstr(picture(a), "new rank1"));
    tt_app_free(a);
}

static void test_steps(void)
{
    tt_app *a = begin(run_of("new.json", 5, 300, 1), false);
    press(a, "S j Space j Space ="); /* Space marked steps 5 and 6 */
    const tt_comparison *c = tt_host_comparison(&a->host);
    CHECK(c && c->base == a->host.session);
    CHECK_INT(c->base_scope.step_first, 5);
    CHECK_INT(a->host.scope.step_first, 6);
    CHECK_INT(a->tabs.at, tt_app_tab(a, "compare"));
    check_times(a, "kernel_of_new.json", 300000, 300000);
    press(a, "u"); /* back to all steps; the base stays */
    CHECK(!a->host.scope.has_steps);
    CHECK(tt_host_comparison(&a->host));
    uint64_t serial = c->serial;
    tt_app_offer_session(a, load_trace(run_of("new.json", 5, 300, 1)), true); /* as a newer preview does */
    CHECK(c->base == a->host.session && c->serial != serial);
    CHECK_INT(c->base_scope.step_first, 5);
    picture(a);
    /* on the Steps tab: the first chosen step becomes the base, the second the new side */
    command(a, "diff off");
    tt_app_show_tab(a, "steps");
    picture(a);
    press(a, "= j = ");
    CHECK_INT(c->base_scope.step_first, 5);
    CHECK_INT(a->host.scope.step_first, 6);
    tt_app_free(a);
}

/* A newer preview replaces the new run while another run is the base: the base stays. */
static void test_preview(void)
{
    const char *new = run_of("new.json", 1, 300, 1);
    tt_app *a = begin(new, false);
    diff(a, run_of("one.json", 11, 100, 1));
    command(a, "steps 3");
    const tt_session *base = a->base;
    uint64_t serial = tt_host_comparison(&a->host)->serial;
    tt_app_offer_session(a, load_trace(new), true);
    CHECK(a->base == base && tt_host_comparison(&a->host)->base == base);
    CHECK_INT(tt_host_comparison(&a->host)->serial, serial);
    CHECK_INT(tt_host_comparison(&a->host)->base_scope.step_first, 13);
    check_times(a, "kernel_of_one.json", 100000, 0);
    picture(a);
    tt_app_free(a);
}

static void test_words(void)
{
    tt_app *a = begin(run_of("new.json", 1, 300, 1), false);
    command(a, "diff per=run skip=2 match=short confidence=99 min-effect=0.5");
    const tt_comparison *c = &a->host.comparison;
    CHECK(c->per_run && c->short_names);
    CHECK_INT(c->skip, 2);
    CHECK(c->confidence > 98.9 && c->confidence < 99.1 && c->min_effect > 0.4 && c->min_effect < 0.6);
    command(a, "diff confidence=100");
    CHECK(strstr(a->status, "usage: diff"));
    CHECK(c->confidence < 99.1);
    command(a, "diff per=step skip=x");
    CHECK(strstr(a->status, "usage: diff"));
    CHECK(c->per_run); /* either all words or none */
    tt_app_free(a);
}

/* Both timelines are on screen while the base swaps sides, gives way to another base, and goes. */
static void test_pair(void)
{
    const char *one = run_of("one.json", 1, 100, 1), *two = run_of("two.json", 1, 200, 1);
    const tt_drilldown at[2] = {{.what = TT_DRILL_RANGE, .t0 = 0, .t1 = 1000000},
                                {.what = TT_DRILL_RANGE, .t0 = 0, .t1 = 1000000}};
    tt_app *a = begin(run_of("new.json", 1, 300, 1), false);
    diff(a, one);
    CHECK(tt_host_show_both(&a->host, at));
    picture(a);
    command(a, "diff swap");
    picture(a);
    CHECK(tt_host_show_both(&a->host, at));
    picture(a);
    diff(a, two);
    picture(a);
    CHECK(tt_host_show_both(&a->host, at));
    picture(a);
    command(a, "diff off");
    picture(a);
    press(a, "j l w");
    tt_app_free(a);
}

/* Mark two runs of the list, neither of them open. */
static void test_list(void)
{
    tt_app *a = begin(run_of("new.json", 1, 300, 1), false);
    run_of("one.json", 1, 100, 1);
    run_of("two.json", 1, 200, 1);
    press(a, "=");
    int at[2] = {-1, -1};
    for (int i = 0; i < a->picker.n; i++) {
        if (!strcmp(a->picker.names[i], "one.json")) at[0] = i;
        if (!strcmp(a->picker.names[i], "two.json")) at[1] = i;
    }
    CHECK(at[0] >= 0 && at[1] >= 0);
    for (int k = 0; k < 2; k++) {
        a->picker.at = at[k];
        press(a, "=");
    }
    CHECK(!a->picker.title);
    CHECK(tt_host_comparison(&a->host) && a->base);
    check_times(a, "kernel_of_one.json", 3 * 100000, 0);
    check_times(a, "kernel_of_two.json", 0, 3 * 200000);
    CHECK(strstr(a->source, "two.json") && strstr(a->other.source, "one.json"));
    tt_app_free(a);
}

/* ---- with a worker thread ---- */

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

typedef struct gate {
    atomic_bool open;
} gate;

static void wait_open(void *arg)
{
    gate *g = arg;
    while (!atomic_load(&g->open)) nap();
}

static void ignore(void *arg, tt_host *h)
{
    tt_app *a = tt_app_of(h);
    (void)arg;
    (void)a;
}

static void read_all(tt_app *a)
{
    tt_err err;
    while (a->other.load) {
        CHECK(tt_app_base_poll(a, &err));
        nap();
    }
}

/* Run until no job is left; a frame may start another job. */
static void rest(tt_app *a)
{
    for (int i = 0; i < 4; i++) {
        while (tt_jobs_busy(a->jobs)) {
            tt_jobs_poll(a->jobs);
            nap();
        }
        picture(a);
    }
}

static void test_busy(void)
{
    const char *one = run_of("one.json", 1, 100, 1), *two = run_of("two.json", 1, 200, 1);
    tt_app *a = begin(run_of("new.json", 1, 300, 1), true);
    gate g = {false};
    diff(a, one);
    read_all(a);
    rest(a);
    CHECK_INT(a->tabs.at, tt_app_tab(a, "compare"));
    CHECK(strstr(picture(a), "kernel_of_one"));
    tt_app_job(a, wait_open, ignore, &g);
    diff(a, two);
    read_all(a);
    picture(a);
    CHECK_INT(a->other.put_aside.n, 1); /* a job may still use the session */
    tt_app_swap_sides(a);               /* this one waits, too */
    CHECK(a->other.want_swap);
    const tt_session *base = a->base;
    atomic_store(&g.open, true);
    rest(a);
    tt_app_base_settle(a);
    CHECK_INT(a->other.put_aside.n, 0);
    CHECK(a->host.session == base);
    rest(a);
    CHECK(strstr(picture(a), "kernel_of_two") && !strstr(picture(a), "kernel_of_one"));
    diff(a, one); /* leave while the base is being read */
    CHECK(a->other.load != NULL);
    rest(a);
    tt_app_free(a);
}

static void test_stopped(void)
{
    tt_app *a = begin(run_of("new.json", 1, 300, 1), true);
    diff(a, run_of("one.json", 1, 100, 1));
    CHECK(a->other.load != NULL);
    press(a, "Esc");
    CHECK(!a->other.load && !tt_host_comparison(&a->host));
    rest(a);
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    test_come_and_go();
    test_sides();
    test_workers();
    test_steps();
    test_preview();
    test_words();
    test_pair();
    test_list();
    test_busy();
    test_stopped();
    temp_end();
    return check_done();
}

/* The late rank and its cause: three ranks with collectives made by hand. In step 2 rank 2 arrives 298 and 299 us
 * after the others, because its input takes 300 us longer; in steps 1 and 3 rank 0 arrives last, 1 and 2 us after
 * the others. */
#include <stdlib.h>

#include "model/tables/cells.h"
#include "model/tables/registry/registry.h"
#include "tests/unit/picture.h"
#include "tests/unit/two_runs.h"
#include "tui/app/app_api.h"
#include "tui/app/screen_list.h"
#include "tui/screens/overview/overview.h"
#include "tui/screens/overview/verdict.h"
#include "tui/screens/straggler.h"

enum { N_RANKS = 3, STEP = 1000 };

static const char ALL_REDUCE[] = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclComm*)";

/* late: delay of rank 2 in step 2 in us; input: because of its input, otherwise nothing recorded explains it. */
static tt_session *made(int late, bool input)
{
    made_run m = {0};
    for (int r = 0; r < N_RANKS; r++) {
        char name[16];
        snprintf(name, sizeof name, "worker%d", r);
        run_worker(&m, name, r);
        for (int k = 0; k < 3; k++) {
            int t0 = k * STEP, more = r == 2 && k == 1 ? late : 0;
            int begin = 203 - r + more, end = 253 + (k == 1 ? late : 0);
            run_step(&m, k + 1, t0, STEP - 1);
            run_slice(&m, "user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", t0 + 5,
                      50 + (input ? more : 0));
            run_kernel(&m, "sgemm", t0 + 60 + more, t0 + 70 + more, 100);
            run_kernel(&m, ALL_REDUCE, t0 + 65 + more, t0 + begin, end - begin);
        }
    }
    return run_load(&m);
}

static const tt_table *table(tt_session *s, const char *id)
{
    return tt_table_get(s, tt_table_find(id), &tt_scope_all, &(tt_options){0});
}

static tt_straggler of(tt_session *s)
{
    return tt_straggler_of(table(s, "comm_ranks"), table(s, "comm_waits"), table(s, "step_breakdown"));
}

static void late_input(void)
{
    tt_session *s = made(300, true);
    tt_straggler x = of(s);
    char why[160], buf[32];
    CHECK_STR(x.worker, "worker2");
    CHECK_STR(tt_rank_name(s, x.worker, buf), "rank 2");
    CHECK_INT(x.caused, (298 + 299) * 1000);
    CHECK_INT(x.once, (298 + 299) * 1000);
    CHECK_INT(x.longest, 299 * 1000);
    CHECK_INT(x.last, 1);
    CHECK_INT(x.calls, 3);
    CHECK_STR(x.step, "2");
    CHECK_INT(x.part_more, 300 * 1000);
    CHECK_INT(x.doubtful, 0);
    CHECK_INT(x.n_calls, 3);
    int64_t want[] = {298000, 299000, 0};
    for (uint32_t r = 0; x.ranks && r < x.ranks->n_rows && r < N_RANKS; r++) {
        const char *worker = tt_cell_worker(x.ranks, r);
        CHECK_INT(x.waited[r], want[worker[6] - '0']);
    }
    tt_straggler_why(&x, why, sizeof why);
    CHECK_STR(why, "in step 2 its DataLoader takes 300.0 \xc2\xb5s longer than the median rank's");
    tt_straggler_free(&x);
    tt_straggler_why(&x, why, sizeof why);
    CHECK_STR(why, "");
    tt_session_free(s);
}

/* No recorded part of its step explains the delay; only time without recorded slices is longer. */
static void late_for_nothing(void)
{
    tt_session *s = made(300, false);
    tt_straggler x = of(s);
    char why[160];
    CHECK_STR(x.worker, "worker2");
    tt_straggler_why(&x, why, sizeof why);
    CHECK(!strstr(why, "DataLoader") && !strstr(why, "Kernel"));
    tt_straggler_free(&x);
    tt_session_free(s);
}

static void nobody(void)
{
    made_run m = {0};
    run_worker(&m, "alone", 0);
    run_step(&m, 1, 0, STEP);
    run_kernel(&m, ALL_REDUCE, 5, 20, 300);
    tt_session *s = run_load(&m);
    tt_straggler x = of(s);
    CHECK_INT(x.row, TT_NONE);
    CHECK(!x.waited);
    tt_straggler_free(&x);
    x = tt_straggler_of(NULL, NULL, NULL);
    CHECK_INT(x.row, TT_NONE);
    tt_straggler_free(&x);
    tt_session_free(s);
}

/* The lines of the devices show the same delay. */
static void device_lines(void)
{
    tt_app *a = tt_app_new(false);
    tt_app_set_session(a, made(300, true));
    picture_of(a, 45, 160);
    const char *text = picture_of(a, 45, 160);
    CHECK(strstr(text, "others wait for it: 597.0 us"));
    CHECK(strstr(text, "waits for rank 2: 298.0 us"));
    CHECK(strstr(text, "waits for rank 2: 299.0 us"));
    const overview *o = a->tabs.screens[tt_app_index(a, &tt_screen_overview)].state;
    CHECK_INT(tt_overview_devices_want(o), 1 + N_RANKS); /* the line above them is the time axis */
    CHECK_INT(o->facts ? o->facts->n_strips : 0, N_RANKS);
    /* rank 0 works from its first kernel on: from 70 to 170, then from 203 */
    for (uint32_t i = 0; o->facts && i < o->facts->n_strips; i++) {
        const device_strip *d = &o->facts->strip[i];
        int64_t ns = (d->t1 - d->t0) / STRIP_CELLS, busy = 0;
        for (int k = 0; k < STRIP_CELLS; k++) busy += d->busy[k] ? (d->busy[k] - 1) * ns / 254 : 0;
        int64_t worked = (3 * 100 + (d->trace == 0 ? 50 + 350 + 50 : d->trace == 1 ? 51 + 351 + 51 : 3 * 52)) * 1000;
        CHECK(busy > worked - worked / 20 && busy < worked + worked / 20);
    }
    CHECK_INT(o->n_lines[LIST_DEVICES], N_RANKS);
    tt_app_free(a);
}

static void file_lines(void)
{
    static const char *const frames[][2] = {
        {"dir/train.py(44): step", "train.py:44"},
        {"train.py(44): step", "train.py:44"},
        {"C:\\work\\a b.py(7): f", "a b.py:7"},
        {"<built-in method apply>", ""},
        {"nn.Module: Linear_0", ""},
        {"(3): x", ""},
        {"x.py(0): f", ""},
        {"x.py(-1): f", ""},
        {"torch/nn/modules/module.py(): f", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        char out[160], brief[6];
        tt_frame_file_line(frames[i][0], out, sizeof out);
        CHECK_STR(out, frames[i][1]);
        tt_frame_file_line(frames[i][0], brief, sizeof brief); /* cut to the room that there is */
        CHECK(strlen(brief) < sizeof brief);
    }
}

int main(void)
{
    temp_begin();
    late_input();
    late_for_nothing();
    nobody();
    device_lines();
    file_lines();
    temp_end();
    return check_done();
}

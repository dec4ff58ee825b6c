/* Slices inside a window, against a scan of all slices: on a trace made here (long, crossing and empty slices, more
 * rows than the largest block of the index) and on the sample; the table over the whole trace against other tables. */
#include <glob.h>
#include <stdlib.h>

#include "model/base/interval_set.h"
#include "model/index/clip_to_window.h"
#include "model/index/self_time.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/analysis/names/time_class.h"
#include "model/tables/registry/registry.h"
#include "model/tables/steps/interval.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"

/* Two threads and a stream; durations range from 0 to a large part of the trace, so that many slices cross. */
static tt_session *made(void)
{
    made_trace m;
    made_begin(&m);
    for (int i = 0; i < 150000; i++) {
        int thread = (int)random_below(3);
        uint64_t dur = random_below(100) == 0 ? random_below(200000) : random_below(6);
        const char *cat = thread == 2 ? "kernel" : random_below(4) ? "cpu_op" : "cuda_runtime";
        fprintf(m.f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"n%d\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d", cat,
                (int)random_below(40), thread == 2 ? 0 : 1, thread, i, (int)dur);
        fprintf(m.f, ",\"args\":{%s}},\n", thread == 2 ? "\"device\":0,\"stream\":2" : "");
    }
    return made_load(&m);
}

static bool touches(const tt_trace *s, tt_row r, int64_t t0, int64_t t1)
{
    int64_t start = s->start[r], end = tt_row_end(s, r);
    return start == end ? start >= t0 && start < t1 : start < t1 && end > t0;
}

static int64_t cut(const tt_trace *s, tt_row r, int64_t t0, int64_t t1)
{
    int64_t a = s->start[r] > t0 ? s->start[r] : t0, b = tt_row_end(s, r) < t1 ? tt_row_end(s, r) : t1;
    return b > a ? b - a : 0;
}

typedef struct sums {
    uint64_t parts, fresh, ns, rows;
    int64_t last_t0;
    uint32_t last_track;
    bool ordered;
} sums;

static void visit(void *arg, const tt_clipped *p)
{
    sums *x = arg;
    x->ordered &= p->track != x->last_track || p->t0 >= x->last_t0;
    x->last_track = p->track;
    x->last_t0 = p->t0;
    x->parts++;
    x->fresh += !p->again;
    x->ns += (uint64_t)(p->t1 - p->t0);
    x->rows += (uint64_t)p->row * 2654435761u;
}

static void check_walk(const tt_session *session, const tt_windows *w, int64_t track)
{
    const tt_trace *s = session->traces[0];
    sums got = {.ordered = true, .last_track = TT_NONE}, want = {0};
    tt_clipped_walk(session, 0, w, track, visit, &got);
    for (tt_row r = 0; r < s->n; r++) {
        bool any = false;
        if (track != TT_ALL && tt_row_track(s, r) != track) continue;
        for (uint32_t i = 0; i < w->n; i++) {
            if (!touches(s, r, w->at[i].t0, w->at[i].t1)) continue;
            want.parts++;
            want.fresh += !any;
            any = true;
            want.ns += (uint64_t)cut(s, r, w->at[i].t0, w->at[i].t1);
            want.rows += (uint64_t)r * 2654435761u;
        }
    }
    CHECK(got.ordered);
    CHECK_INT(got.parts, want.parts);
    CHECK_INT(got.fresh, want.fresh);
    CHECK_INT(got.ns, want.ns);
    CHECK_INT(got.rows, want.rows);
}

static void walks(const tt_session *session)
{
    const tt_trace *s = session->traces[0];
    for (int i = 0; i < 40; i++) {
        struct tt_window at[3];
        int64_t t = (int64_t)random_below((uint64_t)s->end);
        tt_windows w = {.at = at, .n = 1 + (uint32_t)random_below(3)};
        for (uint32_t k = 0; k < w.n; k++) {
            at[k].t0 = t + (int64_t)random_below(2) * (int64_t)random_below((uint64_t)s->end / 8);
            t = at[k].t1 = at[k].t0 + 1 + (int64_t)random_below((uint64_t)s->end / 4);
        }
        check_walk(session, &w, i % 4 ? TT_ALL : (int64_t)random_below(s->n_tracks));
    }
    struct tt_window all = {INT64_MIN, INT64_MAX};
    check_walk(session, &(tt_windows){.at = &all, .n = 1, .everything = true}, TT_ALL);
}

/* ---- the table ---- */

static tt_table *interval(const tt_session *s, uint8_t group, int64_t t0, int64_t t1, int64_t track)
{
    tt_options o = {.group = group, .arg = {t0, t1, track}};
    return tt_table_compute(s, tt_table_find("interval"), &tt_scope_all, &o);
}

static int64_t cell(const tt_table *t, uint32_t row, const char *key)
{
    int c = tt_table_column(t, key);
    return c < 0 ? -999 : tt_table_cell(t, row, (uint32_t)c).i;
}

static const char *name(const tt_table *t, uint32_t row)
{
    return tt_table_cell(t, row, (uint32_t)tt_table_column(t, "name")).s;
}

static int row_of(const tt_table *t, const char *text)
{
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (strcmp(name(t, r), text) == 0) return (int)r;
    return -1;
}

/* Check the sum and union of each category, and kernels by name. */
static void check_interval(const tt_session *session, int64_t t0, int64_t t1, int64_t track)
{
    static const char *const roles[] = {"Kernel",  "Memcpy",     "Memset",  "Communication",
                                        "Runtime", "DataLoader", "CPU Exec"};
    const tt_trace *s = session->traces[0];
    const tt_name_classes *names = tt_name_classes_get(session, 0);
    int64_t arg = track == TT_ALL ? 0 : TT_INTERVAL_TRACK(0, track);
    tt_table *by_category = interval(session, TT_INTERVAL_CATEGORY, t0, t1, arg);
    tt_table *by_kernel = interval(session, TT_INTERVAL_KERNEL, t0, t1, arg);
    for (int role = 0; role < TT_TIME_COUNT_; role++) {
        tt_ivs all = {0};
        int64_t calls = 0, sum = 0;
        for (tt_row r = 0; r < s->n; r++) {
            if (tt_role_of(s, names, r) != (tt_time_class)role || !touches(s, r, t0, t1)) continue;
            if (track != TT_ALL && tt_row_track(s, r) != track) continue;
            calls++;
            sum += cut(s, r, t0, t1);
            tt_ivs_add(&all, s->start[r], tt_row_end(s, r));
        }
        tt_ivs_normalise(&all);
        int row = row_of(by_category, roles[role]);
        CHECK_INT(row >= 0, calls > 0);
        if (row >= 0) {
            CHECK_INT(cell(by_category, (uint32_t)row, "calls"), calls);
            CHECK_INT(cell(by_category, (uint32_t)row, "total_ns"), sum);
            CHECK_INT(cell(by_category, (uint32_t)row, "busy_ns"), tt_ivs_length_in(&all, t0, t1));
        }
        tt_vec_free(&all);
    }
    int64_t kernels = 0, listed = 0;
    for (tt_row r = 0; r < s->n; r++) {
        bool here = track == TT_ALL || tt_row_track(s, r) == track;
        if (here && tt_row_kind(s, r) == TT_KIND_KERNEL && touches(s, r, t0, t1)) kernels += cut(s, r, t0, t1);
    }
    for (uint32_t r = 0; r < by_kernel->n_rows; r++) listed += cell(by_kernel, r, "total_ns");
    CHECK_INT(listed, kernels);
    tt_table_free(by_category);
    tt_table_free(by_kernel);
}

/* Check that busy and idle time add up, and that the longest idle time is the longest gap in the union of device work.
 * */
static void check_devices(const tt_session *session, int64_t t0, int64_t t1)
{
    const tt_trace *s = session->traces[0];
    tt_table *t = interval(session, TT_INTERVAL_DEVICE, t0, t1, 0);
    for (uint32_t row = 0; row < t->n_rows; row++) {
        tt_ivs work = {0}, all = {0};
        for (uint32_t i = 0; i < s->n_dev; i++) {
            tt_row r = s->dev[i].row;
            if (tt_kind_is_work(tt_row_kind(s, r)) && s->dev[i].device == (int32_t)strtol(name(t, row) + 3, NULL, 10))
                tt_ivs_add(&work, s->start[r], tt_row_end(s, r));
        }
        tt_ivs_normalise(&work);
        tt_ivs_add(&all, t0, t1);
        tt_ivs idle = tt_ivs_subtract(&all, &work);
        int64_t longest = 0;
        for (size_t i = 0; i < idle.n; i++)
            longest = idle.at[i].t1 - idle.at[i].t0 > longest ? idle.at[i].t1 - idle.at[i].t0 : longest;
        CHECK_INT(cell(t, row, "busy_ns"), tt_ivs_length_in(&work, t0, t1));
        CHECK_INT(cell(t, row, "idle_ns"), tt_ivs_length(&idle));
        CHECK_INT(cell(t, row, "longest_idle_ns"), longest);
        tt_vec_free(&work);
        tt_vec_free(&all);
        tt_vec_free(&idle);
    }
    tt_table_free(t);
}

/* Part of slice r inside the interval that no whole slice inside r covers, as self time counts it. */
static int64_t self_in(const tt_trace *s, tt_row r, int64_t t0, int64_t t1)
{
    const tt_track *k = &s->tracks[tt_row_track(s, r)];
    tt_ivs inside = {0};
    int64_t end = tt_row_end(s, r);
    for (tt_row i = r + 1; i < k->first + k->n && s->start[i] < end; i++)
        if (tt_self_counts(tt_row_kind(s, i)) && tt_row_end(s, i) <= end)
            tt_ivs_add(&inside, s->start[i], tt_row_end(s, i));
    tt_ivs_normalise(&inside);
    int64_t a = s->start[r] > t0 ? s->start[r] : t0, b = end < t1 ? end : t1;
    int64_t self = a < b ? b - a - tt_ivs_length_in(&inside, a, b) : 0;
    tt_vec_free(&inside);
    return self;
}

/* Check self times of operators: each call cut to the interval, less the slices inside it. */
static void check_operators(const tt_session *session, int64_t t0, int64_t t1)
{
    const tt_trace *s = session->traces[0];
    int64_t *self = calloc(s->strings.text.n, sizeof *self);
    for (tt_row r = 0; r < s->n; r++)
        if (tt_row_kind(s, r) == TT_KIND_CPU_OP) self[s->name[r]] += self_in(s, r, t0, t1);
    tt_table *t = interval(session, TT_INTERVAL_OPERATOR, t0, t1, 0);
    CHECK(t->n_rows > 3);
    for (uint32_t row = 0; row < t->n_rows; row++)
        CHECK_INT(cell(t, row, "self_ns"), self[tt_strings_find(&s->strings, name(t, row), strlen(name(t, row)))]);
    tt_table_free(t);
    free(self);
}

/* Over the whole trace the numbers equal those of the tables operators and kernels. */
static void check_whole(tt_session *session)
{
    static const char *const table[] = {"operators", "kernels"}, *const keys[2][3] = {
                                                                     {"calls", "host_total_ns", "host_self_ns"},
                                                                     {"calls", "total_ns", "max_ns"}};
    static const char *const own[2][3] = {{"calls", "total_ns", "self_ns"}, {"calls", "total_ns", "max_ns"}};
    for (int i = 0; i < 2; i++) {
        tt_table *t = interval(session, i ? TT_INTERVAL_KERNEL : TT_INTERVAL_OPERATOR, 0, 0, 0);
        const tt_table *want = tt_table_get(session, tt_table_find(table[i]), &tt_scope_all, NULL);
        CHECK_INT(t->n_rows, want->n_rows);
        CHECK(want->n_rows > 5);
        for (uint32_t r = 0; r < want->n_rows; r++) {
            int row = row_of(t, name(want, r));
            CHECK(row >= 0);
            for (int k = 0; k < 3 && row >= 0; k++)
                CHECK_INT(cell(t, (uint32_t)row, own[i][k]), cell(want, r, keys[i][k]));
        }
        tt_table_free(t);
    }
}

/* An interval together with a scope selects the slices inside both. */
static void check_scope(const tt_session *session)
{
    const tt_trace *s = session->traces[0];
    const tt_step *step = &s->steps[1];
    tt_scope scope = tt_scope_all;
    scope.has_steps = true;
    scope.step_first = scope.step_last = step->number;
    int64_t middle = step->start + (step->end - step->start) / 3;
    for (uint8_t group = 0; group < TT_INTERVAL_GROUPS; group++) {
        tt_options o = {.group = group, .arg = {middle, s->end, 0}};
        tt_table *t = tt_table_compute(session, tt_table_find("interval"), &scope, &o);
        tt_table *want = interval(session, group, middle, step->end, 0);
        CHECK(want->n_rows > 0);
        CHECK_INT(t->n_rows, want->n_rows);
        for (uint32_t r = 0; r < want->n_rows && r < t->n_rows; r++) {
            CHECK_STR(name(t, r), name(want, r));
            CHECK_INT(cell(t, r, "calls"), cell(want, r, "calls"));
            CHECK_INT(cell(t, r, "total_ns"), cell(want, r, "total_ns"));
        }
        tt_table_free(t);
        tt_table_free(want);
        o.arg[0] = step->end + 1;
        t = tt_table_compute(session, tt_table_find("interval"), &scope, &o);
        CHECK_INT(t->n_rows, 0);
        tt_table_free(t);
    }
}

int main(void)
{
    temp_begin();
    tt_session *s = made();
    if (s) {
        CHECK(s->traces[0]->n > 1u << 17);
        walks(s);
        tt_session_free(s);
    }
    glob_t found;
    CHECK_INT(glob("assets/sample_gpu/*rank0*.json.gz", 0, NULL, &found), 0);
    s = load_trace(found.gl_pathv[0]);
    if (s) {
        int64_t end = s->traces[0]->end;
        walks(s);
        check_whole(s);
        check_scope(s);
        for (int i = 0; i < 8; i++) {
            int64_t t0 = (int64_t)random_below((uint64_t)end),
                    t1 = t0 + (int64_t)random_below((uint64_t)(end - t0)) + 1;
            check_interval(s, t0, t1, i % 2 ? TT_ALL : (int64_t)random_below(s->traces[0]->n_tracks));
            check_devices(s, t0, t1);
        }
        check_operators(s, end / 4, end / 2);
        tt_session_free(s);
    }
    globfree(&found);
    temp_end();
    return check_done();
}

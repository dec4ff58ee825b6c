/* Self times: by hand one trace for each sentence of the definition in self_time.h, in the three tables that show self
 * times; and on the samples, and on the traces of TRACETTY_CORPUS if set: self times add up to the time that the
 * slices of a track cover. Where slices cross the sum may be larger, because the overlap counts twice. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/interval_set.h"
#include "model/index/self_time.h"
#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"

enum { LARGEST = 3000000 }; /* stored bytes; larger traces only repeat the smaller ones */

/* ---- by hand ---- */

/* event() writes an event of thread 1, event_of() an event of any thread. */
static void event(made_trace *m, const char *cat, const char *name, double ts, double dur)
{
    fprintf(m->f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":7,\"tid\":1,\"ts\":%.3f,\"dur\":%.3f%s},\n",
            cat, name, ts, dur, strncmp(name, "nn.Module", 9) ? "" : ",\"args\":{\"Python module id\":0}");
}

static void event_of(made_trace *m, int thread, unsigned id, const char *cat, const char *name, double ts, double dur)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":7,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
            "\"args\":{\"External id\":%u,\"correlation\":%u}},\n",
            cat, name, thread, ts, dur, id, id + 100);
}

/* Sum of a column over the rows of a name; -1 = no such row. */
static int64_t sum_of(tt_session *s, const char *table, const char *column, const char *name)
{
    const tt_table *t = tt_table_get(s, tt_table_find(table), &tt_scope_all, &(tt_options){0});
    int col = tt_table_column(t, column), by = tt_table_column(t, "name");
    int64_t sum = -1;
    for (uint32_t row = 0; row < t->n_rows; row++) {
        if (strcmp(tt_table_cell(t, row, (uint32_t)by).s, name)) continue;
        sum = (sum < 0 ? 0 : sum) + tt_table_cell(t, row, (uint32_t)col).i;
    }
    return sum;
}

/* Self time of an operator in ns; checks that all tables agree. */
static int64_t self_of(tt_session *session, const char *name)
{
    const tt_trace *s = session->traces[0];
    int64_t self = sum_of(session, "operators", "host_self_ns", name), each = 0;
    CHECK_INT(sum_of(session, "key_averages", "cpu_self_ns", name), self);
    CHECK_INT(sum_of(session, "operator_tree", "host_self_ns", name), self);
    int64_t *of_rows = tt_trace_self_ns(s);
    for (tt_row r = 0; r < s->n; r++) {
        CHECK_INT(tt_row_self_ns(s, r, s->n), of_rows[r]);
        if (!strcmp(tt_row_name(s, r), name)) each += of_rows[r];
    }
    CHECK_INT(each, self);
    free(of_rows);
    return self;
}

static void check_kinds(void)
{
    static const struct {
        const char *cat, *name;
        bool child;
    } inner[] = {
        {"cpu_op", "aten::mm", true},
        {"user_annotation", "my part", true},
        {"user_annotation", "nccl:all_reduce", true},
        {"user_annotation", "gloo:barrier", true},
        {"user_annotation", "hccl:send", true},
        {"user_annotation", "Optimizer.step#SGD.step", true},
        {"user_annotation", "enumerate(DataLoader)#_Iter.__next__", true},
        {"user_annotation", "ProfilerStep#3", true},
        {"cuda_runtime", "cudaMalloc", true},
        {"cuda_driver", "cuLaunchKernel", true},
        {"hip_runtime", "hipMalloc", true},
        {"xpu_runtime", "urEnqueueKernelLaunch", true},
        {"python_function", "model.py(3): forward", false},
        {"python_function", "nn.Module: Linear_0", false},
        {"overhead", "Buffer Flush", false},
        {"cuda_sync", "Stream Sync", false},
    };
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        made_trace m;
        made_begin(&m);
        event(&m, "cpu_op", "aten::outer", 100, 50.5);
        event(&m, inner[i].cat, inner[i].name, 110, 20.25);
        event(&m, "cpu_op", "aten::leaf", 115, 5);
        tt_session *s = made_load(&m);
        /* a slice that is no child passes its own children on */
        CHECK_INT(self_of(s, "aten::outer"), inner[i].child ? 30250 : 45500);
        CHECK_INT(self_of(s, "aten::leaf"), 5000);
        tt_session_free(s);
    }
}

static void check_rules(void)
{
    made_trace m;
    made_begin(&m);
    /* another thread's call with the same id, and a call that outlasts it */
    event_of(&m, 1, 5, "cpu_op", "aten::to", 0, 100);
    event_of(&m, 2, 5, "cuda_runtime", "cudaMalloc", 10, 80);
    event_of(&m, 1, 6, "cpu_op", "aten::item", 200, 100);
    event_of(&m, 1, 6, "cuda_runtime", "cudaStreamSynchronize", 290, 50.5);
    /* a call with the same id as the range around it counts once, for the range */
    event_of(&m, 1, 7, "cpu_op", "record_param_comms", 400, 100);
    event(&m, "user_annotation", "nccl:all_reduce", 410, 80);
    event_of(&m, 1, 7, "cuda_runtime", "cudaLaunchKernel", 420, 40);
    /* crossing children 10-60 and 50-80 of 100: each instant counts once, the later child holds the slices in the
     * overlap */
    event(&m, "cpu_op", "aten::crossed", 600, 100);
    event(&m, "cpu_op", "aten::first", 610, 50);
    event(&m, "cpu_op", "aten::second", 650, 30);
    event(&m, "cuda_runtime", "cudaMalloc", 652, 5);
    /* modules take no self time from others and hide no children */
    event(&m, "cpu_op", "aten::holder", 800, 100);
    event(&m, "python_function", "nn.Module: Net_0", 810, 60);
    event(&m, "cpu_op", "aten::held", 820, 30);
    /* the same interval twice, and an empty slice at its end */
    event_of(&m, 1, 11, "cpu_op", "aten::whole", 1000, 100);
    event_of(&m, 1, 12, "cpu_op", "aten::same", 1000, 100);
    event_of(&m, 1, 13, "cpu_op", "aten::empty", 1100, 0);
    /* an only child of the same name: one call with the sum of both */
    event(&m, "cpu_op", "aten::again", 1200, 100);
    event(&m, "cpu_op", "aten::again", 1210, 80);
    event(&m, "cpu_op", "aten::deep", 1220, 15);
    tt_session *s = made_load(&m);
    CHECK_INT(self_of(s, "aten::to"), 100000);
    CHECK_INT(self_of(s, "aten::item"), 100000);
    CHECK_INT(self_of(s, "record_param_comms"), 20000);
    CHECK_INT(self_of(s, "aten::crossed"), 30000);
    CHECK_INT(self_of(s, "aten::first"), 50000);
    CHECK_INT(self_of(s, "aten::second"), 25000);
    CHECK_INT(self_of(s, "aten::holder"), 70000);
    CHECK_INT(self_of(s, "aten::whole"), 0);
    CHECK_INT(self_of(s, "aten::same"), 100000);
    CHECK_INT(self_of(s, "aten::again"), 85000);
    CHECK_INT(sum_of(s, "modules", "host_self_ns", "Net_0"), 30000);
    tt_session_free(s);
}

/* outer has the children 10-50, 49-70, 72-90 and 80-91, in units of `unit` us: the two pairs overlap or outlast each
 * other by 1 unit. In whole microseconds 1 us is rounding, so each child is subtracted whole. */
static int64_t self_of_rounded(double unit)
{
    made_trace m;
    made_begin(&m);
    event(&m, "cpu_op", "aten::outer", 0, 100 * unit);
    event(&m, "cpu_op", "aten::a", 10 * unit, 40 * unit);
    event(&m, "cpu_op", "aten::b", 49 * unit, 21 * unit);
    event(&m, "cpu_op", "aten::c", 72 * unit, 18 * unit);
    event(&m, "cpu_op", "aten::d", 80 * unit, 11 * unit);
    tt_session *s = made_load(&m);
    int64_t self = self_of(s, "aten::outer");
    tt_session_free(s);
    return self;
}

static void check_rounding(void)
{
    CHECK_INT(self_of_rounded(1), (100 - 40 - 21 - 18 - 11) * 1000); /* rounding */
    CHECK_INT(self_of_rounded(2), (100 - 60 - 19) * 2000);           /* both overlaps are more than rounding explains */
    CHECK_INT(self_of_rounded(0.5), (100 - 60 - 19) * 500);          /* a finer clock has no rounding */
}

/* ---- sums ---- */

/* Check the slices of a track that count for self time, or its Python frames. */
static void check_layer(const tt_trace *s, const tt_track *track, bool python, const int64_t *self, uint64_t *tracks)
{
    tt_ivs all = {0};
    int64_t sum = 0, covered;
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        CHECK(self[r] >= 0 && self[r] <= s->dur[r]);
        tt_kind k = tt_row_kind(s, r);
        if (python ? !tt_kind_is_python(k) : !tt_self_counts(k)) continue;
        sum += self[r];
        tt_ivs_add(&all, s->start[r], tt_row_end(s, r));
    }
    tt_ivs_normalise(&all);
    covered = tt_ivs_length(&all);
    if (track->crossing)
        CHECK(sum >= covered);
    else
        CHECK_INT(sum, covered);
    *tracks += sum > 0;
    tt_vec_free(&all);
}

static void check_file(const char *path, uint64_t *tracks)
{
    tt_session *session = load_trace(path);
    if (!session) return;
    for (uint32_t i = 0; i < session->n_traces; i++) {
        const tt_trace *s = session->traces[i];
        int64_t *self = tt_trace_self_ns(s);
        for (uint32_t t = 0; t < s->n_tracks; t++) {
            check_layer(s, &s->tracks[t], false, self, tracks);
            check_layer(s, &s->tracks[t], true, self, tracks);
        }
        free(self);
    }
    tt_session_free(session);
}

static void check_folder(const char *pattern, uint64_t *tracks)
{
    glob_t found;
    struct stat st;
    if (glob(pattern, 0, NULL, &found)) return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (stat(found.gl_pathv[i], &st) == 0 && st.st_size <= LARGEST) check_file(found.gl_pathv[i], tracks);
    globfree(&found);
}

int main(void)
{
    static const char *const kinds[] = {"pytorch", "amd", "paddle"};
    const char *corpus = getenv("TRACETTY_CORPUS");
    char pattern[4096];
    uint64_t tracks = 0;
    temp_begin();
    check_kinds();
    check_rules();
    check_rounding();
    check_folder("assets/sample_*/*trace.json*", &tracks);
    check_folder("assets/sample_*/*timeline*.json*", &tracks);
    check_folder("assets/sample_*/*/*/trace_view.json*", &tracks);
    for (size_t i = 0; corpus && i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(pattern, sizeof pattern, "%s/traces/%s/*/*.json*", corpus, kinds[i]);
        check_folder(pattern, &tracks);
    }
    CHECK(tracks > 0);
    temp_end();
    return check_done();
}

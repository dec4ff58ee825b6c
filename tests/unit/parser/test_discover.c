/* tests/unit/parser/test_discover.c - runs, workers, spans and ranks from the names of files. */
#include "parser/discover/discover.h"
#include "parser/discover/names.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

static tt_found_list found;

static void discover(const char *const *paths, uint32_t n)
{
    tt_err err = {0};

    CHECK_INT(tt_discover(paths, n, &found, &err), TT_OK);
    CHECK_STR(err.message, "");
}

static void discover1(const char *path) { discover(&path, 1); }

/* Compare the i-th worker found; `path` is the end of its path. */
static void expect(size_t i, const char *run, const char *worker, const char *span, int64_t rank, const char *path)
{
    const tt_found *f = &found.at[i];

    if (!CHECK(i < found.n)) return;
    CHECK_STR(f->run, run);
    CHECK_STR(f->worker, worker);
    CHECK_STR(f->span, span);
    CHECK_INT(f->rank, rank);
    CHECK_STR(f->path + (strlen(f->path) > strlen(path) ? strlen(f->path) - strlen(path) : 0), path);
}

static void expect_n(size_t n) { CHECK_INT(found.n, n); }

static void file(const char *path) { temp_file(path, "[]", 2); }

static void test_tensorboard(void)
{
    file("tb/run1/worker0.1623143566756.pt.trace.json.gz");
    file("tb/run1/worker0.1623143089861.pt.trace.json.gz");
    file("tb/run1/host_12.pt.trace.json");
    file("tb/run1/v1.2.333.pt.trace.json");
    file("tb/run1/worker10.5.pt.trace.json");
    file("tb/run1/worker2.5.pt.trace.json");
    file("tb/run1/.hidden.pt.trace.json");
    file("tb/run1/other_trace.json"); /* ignored beside *.pt.trace.json */
    file("tb/run1/notes.txt");
    file("tb/.git/worker0.pt.trace.json");
    file("tb/top.pt.trace.json");
    file("tb/deep/er/rank_3.pt.trace.json.zst");
    discover1(temp_path("tb"));
    expect_n(8);
    expect(0, "deep/er", "rank_3", "default", 3, "tb/deep/er/rank_3.pt.trace.json.zst");
    expect(1, "run1", "host_12", "default", -1, "tb/run1/host_12.pt.trace.json");
    expect(2, "run1", "v1.2", "1", -1, "v1.2.333.pt.trace.json");
    expect(3, "run1", "worker0", "1", 0, "worker0.1623143089861.pt.trace.json.gz");
    expect(4, "run1", "worker0", "2", 0, "worker0.1623143566756.pt.trace.json.gz");
    expect(5, "run1", "worker2", "1", 2, "worker2.5.pt.trace.json");
    expect(6, "run1", "worker10", "1", 10, "worker10.5.pt.trace.json");
    expect(7, "tb", "top", "default", -1, "tb/top.pt.trace.json");
    CHECK_STR(found.at[3].stamp, "1623143089861");
    tt_found_free(&found);
    expect_n(0);

    CHECK_INT(chdir(temp_path("tb/run1")), 0); /* for "." the run has the folder's name */
    discover1(".");
    expect_n(6);
    expect(0, "run1", "host_12", "default", -1, "host_12.pt.trace.json");
    tt_found_free(&found);
    CHECK_INT(chdir("/"), 0);
}

static void test_stamps_as_strings(void)
{
    file("s/w.9.pt.trace.json");
    file("s/w.10.pt.trace.json");
    file("s/w.pt.trace.json");
    discover1(temp_path("s/"));
    expect_n(3);
    expect(0, "s", "w", "default", -1, "/w.pt.trace.json");
    expect(1, "s", "w", "1", -1, "/w.10.pt.trace.json");
    expect(2, "s", "w", "2", -1, "/w.9.pt.trace.json");
    tt_found_free(&found);
}

static void test_other_names(void)
{
    file("o/a/rank0_trace.json");
    file("o/a/rank1_trace.json.gz");
    file("o/a/config.json");
    file("o/b/1757389200.25-TP-0-DP-0-EP-0-EXTEND.trace.json.gz");
    file("o/b/1757389200.25-TP-12-DP-0-EP-0-EXTEND.trace.json.gz");
    file("o/c/host_nodeApid_5100_time_2023_01_01_00_00_10_001234.paddle_trace.json");
    file("o/c/host_nodeApid_5100_time_2023_01_01_00_00_00_001234.paddle_trace.json");
    file("o/c/my_time_x_time_2023.paddle_trace.json");
    file("o/c/my_time_x_time_2023.paddle_trace.pb");
    file("o/d/prank7.1694128201557.trace.json");
    file("o/d/dp0_rank31.1694128201557.trace.json");
    discover1(temp_path("o"));
    expect_n(9);
    expect(0, "a", "rank0_trace", "default", 0, "rank0_trace.json");
    expect(1, "a", "rank1_trace", "default", 1, "rank1_trace.json.gz");
    expect(2, "b", "TP-0-DP-0-EP-0", "EXTEND", 0, ".trace.json.gz");
    expect(3, "b", "TP-12-DP-0-EP-0", "EXTEND", 12, ".trace.json.gz");
    expect(4, "c", "host_nodeApid_5100", "1", -1, "00_00_00_001234.paddle_trace.json");
    expect(5, "c", "host_nodeApid_5100", "2", -1, "00_00_10_001234.paddle_trace.json");
    expect(6, "c", "my_time_x", "1", -1, "my_time_x_time_2023.paddle_trace.json");
    expect(7, "d", "dp0_rank31", "1", 31, "dp0_rank31.1694128201557.trace.json");
    expect(8, "d", "prank7", "1", -1, "prank7.1694128201557.trace.json");
    tt_found_free(&found);
}

static void test_ascend(void)
{
    file("asc/node_12_20230628101435951_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
    file("asc/node_12_20230628101435951_ascend_pt/ASCEND_PROFILER_OUTPUT/communication_trace.json");
    file("asc/node_12_20230628101435951_ascend_pt/profiler_info_5.json");
    file("asc/node_12_20230628101435951_ascend_pt/PROF_1/device_0/timeline/msprof_0_1_1.json");
    file("asc/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json.gz");
    discover1(temp_path("asc"));
    expect_n(2);
    expect(0, "asc", "node_12", "1", 5, "asc/node_12_20230628101435951_ascend_pt"); /* each folder is one worker */
    expect(1, "asc", "rank1", "default", 1, "asc/rank1_ascend_pt");
    CHECK_INT(found.n ? found.at[0].parts.n : 0, 2); /* the raw data inside is no second worker */
    tt_found_free(&found);
    discover1(temp_path("asc/rank1_ascend_pt"));
    expect_n(1);
    expect(0, "rank1_ascend_pt", "rank1", "default", 1, "asc/rank1_ascend_pt");
    tt_found_free(&found);
    discover1(temp_path("asc/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT")); /* stands for the folder above */
    expect_n(1);
    expect(0, "rank1_ascend_pt", "rank1", "default", 1, "asc/rank1_ascend_pt");
    tt_found_free(&found);
    discover1(temp_path("asc/node_12_20230628101435951_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"));
    expect_n(1);
    expect(0, "", "node_12", "1", 5, "trace_view.json"); /* the file without its folder */
    tt_found_free(&found);
    file("msprof/PROF_2/device_1/timeline/msprof_1_2_10.json");
    file("msprof/PROF_2/device_1/timeline/msprof_1_2_9.json");
    file("msprof/PROF_2/device_0/timeline/step_trace_0_2_1.json");
    discover1(temp_path("msprof/PROF_2"));
    expect_n(2);
    expect(0, "PROF_2", "0", "default", 0, "msprof/PROF_2"); /* one worker for each device */
    expect(1, "PROF_2", "1", "default", 1, "msprof/PROF_2");
    if (found.n == 2 && found.at[1].parts.n == 2) CHECK(strstr(found.at[1].parts.at[0].path, "msprof_1_2_9.json"));
    tt_found_free(&found);
}

static void test_times(void)
{
    static const struct {
        const char *name;
        int64_t ns;
    } times[] = {
        {"worker0.1623143089861.pt.trace.json", 1623143089861000000},
        {"worker0.1623143089861123456.pt.trace.json.gz", 1623143089861123456},
        {"1757389200.25-TP-0-DP-0.trace.json", 1757389200250000000},
        {"host_2023_01_01_00_00_10", 1672531210000000000},
        {"host_nodeApid_5100_time_2023_01_01_00_00_10_001234.paddle_trace.json", 1672531210001234000},
        {"node_12_20230628101435951_ascend_pt", 1687947275951000000},
        {"tracetty-host-20230628-101435", 1687947275000000000},
        {"2023-06-28T10:14", 1687947240000000000},
        {"rank0.json", 0},
        {"pid_123456789", 0},
        {"2023_13_01_00_00_10", 0},
        {"9999999999999999999", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) CHECK_INT(tt_names_time(times[i].name), times[i].ns);
}

/* Names of servers' traces: stages are spans, a merged file is left out once, folders of ranks are workers. */
static void test_servers(void)
{
    file("sg/171.25-TP-0-DECODE.trace.json.gz");
    file("sg/171.25-TP-0-EXTEND.trace.json.gz");
    file("sg/171.25-TP-1-DP-2-DECODE.trace.json.gz");
    file("sg/run-a-172.5-TP-1-DP-2-DECODE.trace.json.gz");
    file("sg/171.25-TP-0-IDLE.trace.json.gz"); /* no stage that a name can have */
    file("sg/merged-171.25.trace.json.gz");
    file("sg/merged-9.5.trace.json.gz");
    discover1(temp_path("sg"));
    expect_n(6);
    expect(0, "sg", "TP-0", "DECODE", 0, "171.25-TP-0-DECODE.trace.json.gz");
    expect(1, "sg", "TP-0", "EXTEND", 0, "171.25-TP-0-EXTEND.trace.json.gz");
    expect(2, "sg", "TP-0-IDLE", "1", 0, "171.25-TP-0-IDLE.trace.json.gz");
    expect(3, "sg", "TP-1-DP-2", "DECODE", 1, "sg/171.25-TP-1-DP-2-DECODE.trace.json.gz");
    expect(4, "sg", "TP-1-DP-2", "DECODE", 1, "sg/run-a-172.5-TP-1-DP-2-DECODE.trace.json.gz");
    expect(5, "sg", "merged-9.5", "default", -1, "merged-9.5.trace.json.gz");
    tt_found_free(&found);

    file("vl/dp0_pp0_tp1_dcp0_ep1_rank1.1700000000123456789.pt.trace.json.gz");
    file("vl/host_7.async_llm.1700000000123456999.pt.trace.json.gz");
    file("vl/profiler_out_0.txt");
    discover1(temp_path("vl"));
    expect_n(2);
    expect(0, "vl", "dp0_pp0_tp1_dcp0_ep1_rank1", "1", 1, "rank1.1700000000123456789.pt.trace.json.gz");
    expect(1, "vl", "host_7.async_llm", "1", -1, "999.pt.trace.json.gz");
    CHECK_INT(found.warnings.n, 0);
    tt_found_free(&found);

    file("at/rank_0/host_1.1700000000123.pt.trace.json.gz");
    file("at/rank_10/host_1.1700000000123.pt.trace.json.gz");
    file("at/rank_2/host_1.1700000000124.pt.trace.json.gz");
    discover1(temp_path("at"));
    expect_n(3);
    expect(0, "at", "rank_0", "1", 0, "at/rank_0/host_1.1700000000123.pt.trace.json.gz");
    expect(1, "at", "rank_2", "1", 2, "at/rank_2/host_1.1700000000124.pt.trace.json.gz");
    expect(2, "at", "rank_10", "1", 10, "at/rank_10/host_1.1700000000123.pt.trace.json.gz");
    tt_found_free(&found);
    file("at/other.pt.trace.json.gz"); /* then the folders are runs of their own */
    discover1(temp_path("at"));
    expect_n(4);
    expect(1, "rank_0", "host_1", "1", -1, "at/rank_0/host_1.1700000000123.pt.trace.json.gz");
    tt_found_free(&found);
}

static void test_given_by_name(void)
{
    const char *two[] = {temp_path("g/x/rank0.json"), temp_path("g/y/rank0.json"), temp_path("g/odd name"), "-"};
    char folded[600];

    file("g/x/rank0.json");
    file("g/y/rank0.json");
    file("g/odd name");
    discover(two, 4);
    expect_n(4);
    snprintf(folded, sizeof folded, "%s/rank0", temp_path("g/x"));
    expect(0, "", folded, "default", 0, "g/x/rank0.json");
    snprintf(folded, sizeof folded, "%s/rank0", temp_path("g/y"));
    expect(1, "", folded, "default", 0, "g/y/rank0.json");
    expect(2, "", "odd name", "default", -1, "g/odd name");
    expect(3, "", "stdin", "default", -1, "-");
    tt_found_free(&found);

    two[1] = two[0]; /* the same file named twice is two workers */
    discover(two, 2);
    expect_n(2);
    CHECK(strcmp(found.at[0].worker, found.at[1].worker) != 0);
    tt_found_free(&found);

    two[0] = temp_path("g/x"), two[1] = temp_path("g/y"); /* several directories are the workers of one run */
    discover(two, 2);
    expect_n(2);
    expect(1, "", folded, "default", 0, "g/y/rank0.json");
    tt_found_free(&found);
}

static bool warned(const char *words)
{
    return found.warnings.n && memmem(found.warnings.at, found.warnings.n, words, strlen(words));
}

static void test_links(void)
{
    file("l/run/a.pt.trace.json");
    CHECK_INT(symlink("..", temp_path("l/run/up")), 0);
    CHECK_INT(symlink("run", temp_path("l/latest")), 0);
    CHECK_INT(symlink("nowhere", temp_path("l/run/broken.pt.trace.json")), 0);
    file("elsewhere/b.pt.trace.json");
    CHECK_INT(symlink("../elsewhere", temp_path("l/other")), 0);
    CHECK_INT(symlink("../l", temp_path("elsewhere/back")), 0);
    CHECK_INT(symlink("../../elsewhere/b.pt.trace.json", temp_path("l/run/b.pt.trace.json")), 0);
    CHECK_INT(symlink("a.pt.trace.json", temp_path("l/run/c.pt.trace.json")), 0); /* counts once */
    discover1(temp_path("l"));
    expect_n(1);
    expect(0, "run", "a", "default", -1, "run/a.pt.trace.json");
    CHECK(warned("2 links lead out of this folder") && warned("l/other -> ") && warned("run/b.pt.trace.json -> "));
    tt_found_free(&found);

    CHECK_INT(symlink("l/run", temp_path("named")), 0); /* a link that the user names is followed */
    discover1(temp_path("named"));
    expect_n(1);
    tt_found_free(&found);
    discover1(temp_path("l/other"));
    expect_n(1);
    tt_found_free(&found);
    discover1(temp_path("l/run/b.pt.trace.json"));
    expect_n(1);
    tt_found_free(&found);
}

/* A volume of Kubernetes: visible names are links through ..data into a hidden folder. */
static void test_links_inside(void)
{
    file("k/..2026/rank0.pt.trace.json");
    file("k/..2026/rank1.pt.trace.json");
    file("k/blobs/4711");
    CHECK_INT(symlink("..2026", temp_path("k/..data")), 0);
    CHECK_INT(symlink("..data/rank0.pt.trace.json", temp_path("k/rank0.pt.trace.json")), 0);
    CHECK_INT(symlink("..data/rank1.pt.trace.json", temp_path("k/rank1.pt.trace.json")), 0);
    CHECK_INT(symlink("blobs/4711", temp_path("k/rank2.pt.trace.json")), 0);
    discover1(temp_path("k"));
    expect_n(3);
    expect(0, "k", "rank0", "default", 0, "k/rank0.pt.trace.json");
    expect(2, "k", "rank2", "default", 2, "k/rank2.pt.trace.json");
    CHECK_INT(found.warnings.n, 0);
    tt_found_free(&found);
}

static void test_only_links_out(void)
{
    const char *path = temp_path("o2");
    tt_err err = {0};

    file("o2/notes.txt");
    CHECK_INT(symlink(temp_path("elsewhere"), temp_path("o2/latest")), 0);
    CHECK_INT(tt_discover(&path, 1, &found, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, "no trace in") && strstr(err.message, "1 link leads out") &&
          strstr(err.message, "o2/latest -> "));
}

static void test_errors(void)
{
    const char *path = temp_path("nothing-here");
    tt_err err = {0};

    CHECK_INT(tt_discover(&path, 1, &found, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, path) == err.message && strstr(err.message, "No such file"));
    expect_n(0);
    file("bare/readme.txt");
    path = temp_path("bare");
    CHECK_INT(tt_discover(&path, 1, &found, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, "no trace in") && strstr(err.message, "*.pt.trace.json"));
    expect_n(0);
    const char *mixed[] = {temp_path("s"), temp_path("nothing-here")};
    CHECK_INT(tt_discover(mixed, 2, &found, &err), TT_ERR_INPUT);
    expect_n(0);
}

/* Folders of MindInsight's profiler: the numbers in the file names are the workers. */
static void test_ranks(void)
{
    file("one/profiler/step_trace_raw_0_detail_time.csv");
    file("one/profiler/framework_raw_10.csv");
    file("one/profiler/flops_7.txt"); /* this file alone makes no worker */
    file("one/profiler/step_trace_point_info.json");
    discover1(temp_path("one"));
    expect_n(2);
    expect(0, "one", "0", "default", 0, "one/profiler");
    expect(1, "one", "10", "default", 10, "one/profiler");
    CHECK_INT(found.n ? found.at[0].parts.n : 0, 2);
    tt_found_free(&found);

    /* ranks in separate folders are one run; if a rank occurs twice they are two runs */
    file("all/device_1/data/profiler/step_trace_raw_1_detail_time.csv");
    file("all/device_0/data/profiler/step_trace_raw_0_detail_time.csv");
    discover1(temp_path("all"));
    expect_n(2);
    expect(0, "all", "0", "default", 0, "all/device_0/data/profiler");
    expect(1, "all", "1", "default", 1, "all/device_1/data/profiler");
    tt_found_free(&found);
    file("all/again/data/profiler/step_trace_raw_1_detail_time.csv");
    discover1(temp_path("all"));
    expect_n(3);
    expect(0, "again/data", "1", "default", 1, "all/again/data/profiler");
    expect(1, "device_0/data", "0", "default", 0, "all/device_0/data/profiler");
    tt_found_free(&found);
}

int main(void)
{
    setenv("TZ", "UTC", 1);
    temp_begin();
    test_tensorboard();
    test_stamps_as_strings();
    test_other_names();
    test_ascend();
    test_times();
    test_servers();
    test_given_by_name();
    test_links();
    test_links_inside();
    test_only_links_out();
    test_errors();
    test_ranks();
    temp_end();
    return check_done();
}

/* test_search.c - the runs below a folder: found by names and content, sorted by age, within limits. */
#include "model/base/clock.h"
#include "parser/discover/discover.h"
#include "parser/discover/search.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#include <fcntl.h>

static const char trace[] = "{\"schemaVersion\": 1, \"traceEvents\": []}";
static const char no_trace[] = "{\"name\": \"package\", \"version\": 1}";

static void file(const char *path) { temp_file(path, trace, sizeof trace - 1); }

/* Set the file's time to s seconds after 1970. */
static void changed(const char *path, int64_t s)
{
    struct timespec t[2] = {{.tv_sec = s}, {.tv_sec = s}};
    CHECK_INT(utimensat(AT_FDCWD, temp_path(path), t, 0), 0);
}

/* The run whose path ends with `end`; NULL = none. */
static const tt_search_run *run_of(const tt_search *s, const char *end)
{
    for (size_t i = 0; i < s->runs.n; i++) {
        const char *path = s->runs.at[i].path;
        if (strlen(path) >= strlen(end) && !strcmp(path + strlen(path) - strlen(end), end)) return &s->runs.at[i];
    }
    return NULL;
}

static tt_search search(const char *below) { return tt_search_runs(temp_path(below), &tt_search_usual, NULL); }

static void test_names_and_age(void)
{
    file("a/old/rank0.pt.trace.json");
    file("a/old/rank1.pt.trace.json");
    file("a/old/other_trace.json"); /* ignored beside *.pt.trace.json */
    file("a/new/deep/rank0.pt.trace.json");
    file("a/.hidden/rank0.pt.trace.json");
    changed("a/old/rank0.pt.trace.json", 1000);
    changed("a/old/rank1.pt.trace.json", 2000);
    changed("a/new/deep/rank0.pt.trace.json", 3000);
    tt_search s = search("a");
    CHECK_INT(s.runs.n, 2);
    if (s.runs.n == 2) {
        CHECK_STR(strrchr(s.runs.at[0].path, '/'), "/deep");
        CHECK_INT(s.runs.at[0].n_workers, 1);
        CHECK_STR(strrchr(s.runs.at[1].path, '/'), "/old");
        CHECK_INT(s.runs.at[1].n_traces, 2);
        CHECK_INT(s.runs.at[1].n_workers, 2);
        CHECK_INT(s.runs.at[1].bytes, 2 * (sizeof trace - 1));
        CHECK_INT(s.runs.at[1].changed, 2000);
        CHECK_INT(s.runs.at[1].inputs.n, 1);
    }
    CHECK(!s.stopped);
    tt_search_free(&s);
}

static void test_content(void)
{
    static const char list[] = " [\n {\"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"name\": \"x\"}]";
    file("b/one/what ever.json");
    temp_file("b/one/package.json", no_trace, sizeof no_trace - 1);
    temp_file("b/none/package.json", no_trace, sizeof no_trace - 1);
    temp_file("b/none/empty.json", "", 0);
    temp_file("b/list/l.json", list, sizeof list - 1);
    file("b/two/x.json");
    file("b/two/y.json");
    tt_search s = search("b");
    CHECK_INT(s.runs.n, 4);
    CHECK(run_of(&s, "/one/what ever.json") && run_of(&s, "/l.json"));
    CHECK(run_of(&s, "/two/x.json") && run_of(&s, "/two/y.json") && !run_of(&s, "package.json"));
    tt_search_free(&s);

    /* discovery finds the same runs */
    tt_found_list found = {0};
    tt_err err = {0};
    const char *path = temp_path("b/one");
    CHECK_INT(tt_discover(&path, 1, &found, &err), TT_OK);
    CHECK_INT(found.n, 1);
    CHECK(found.n == 1 && !strcmp(strrchr(found.at[0].path, '/'), "/what ever.json"));
    CHECK_STR(found.n ? found.at[0].run : "", "what ever.json");
    tt_found_free(&found);
    path = temp_path("b/two");
    CHECK_INT(tt_discover(&path, 1, &found, &err), TT_OK);
    CHECK_INT(found.runs.n, 2);
    tt_found_free(&found);
    path = temp_path("b/none");
    CHECK_INT(tt_discover(&path, 1, &found, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, "no trace in"));
}

/* A run whose folder contains another run is opened by its files, because opening its folder could open the other run.
 */
static void test_nested(void)
{
    file("c/rank0.pt.trace.json");
    file("c/inner/rank0.pt.trace.json");
    tt_search s = search("c");
    const tt_search_run *outer = run_of(&s, "/c"), *inner = run_of(&s, "/inner");
    CHECK_INT(s.runs.n, 2);
    CHECK(outer && outer->inputs.n == 1 && !strcmp(strrchr(outer->inputs.at[0], '/'), "/rank0.pt.trace.json"));
    CHECK(inner && inner->inputs.n == 1 && !strcmp(inner->inputs.at[0], inner->path));
    tt_search_free(&s);
}

static void test_workers(void)
{
    file("d/host_1_20230818142704_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
    file("d/host_2_20230818142704_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
    tt_search s = search("d");
    CHECK_INT(s.runs.n, 1);
    CHECK_INT(s.runs.n ? s.runs.at[0].n_workers : 0, 2);
    tt_search_free(&s);
}

static void test_links_and_hostile_names(void)
{
    char longest[256];
    memset(longest, 'l', 255);
    memcpy(longest + 241, ".pt.trace.json", 15);
    file("e/in/rank0.pt.trace.json");
    file("e/a\nb\033[31m/rank0.pt.trace.json");
    char path[300];
    snprintf(path, sizeof path, "e/%s", longest);
    file(path);
    CHECK_INT(symlink("..", temp_path("e/in/up")), 0);
    CHECK_INT(symlink("nowhere", temp_path("e/gone.pt.trace.json")), 0);
    CHECK_INT(symlink("self", temp_path("e/self")), 0);
    CHECK_INT(mkfifo(temp_path("e/pipe.json"), 0600), 0); /* opening it would wait for ever */
    tt_search s = search("e");
    CHECK_INT(s.runs.n, 3);
    CHECK(run_of(&s, "/e") && run_of(&s, "/in") && run_of(&s, "/a\nb\033[31m"));
    CHECK(!s.stopped);
    tt_search_free(&s);
}

/* Links out of the folder are not followed. A run made of links to traces elsewhere below the folder is opened by the
 * links' names: for the run's own folder these links would lead out. */
static void test_links_between(void)
{
    file("g/node0/rank0.pt.trace.json");
    file("g/node1/rank1.pt.trace.json");
    file("h/rank0.pt.trace.json");
    temp_file("g/all/notes.txt", "", 0);
    CHECK_INT(symlink("../node0/rank0.pt.trace.json", temp_path("g/all/rank0.pt.trace.json")), 0);
    CHECK_INT(symlink("../node1/rank1.pt.trace.json", temp_path("g/all/rank1.pt.trace.json")), 0);
    CHECK_INT(symlink("rank1.pt.trace.json", temp_path("g/node1/last.pt.trace.json")), 0);
    CHECK_INT(symlink("../h", temp_path("g/out")), 0);
    tt_search s = search("g");
    const tt_search_run *all = run_of(&s, "/all"), *node = run_of(&s, "/node1");
    CHECK_INT(s.runs.n, 3);
    CHECK_INT(s.led_out, 1);
    CHECK(all && all->n_traces == 2 && all->inputs.n == 2 && strstr(all->inputs.at[0], "all/rank0"));
    CHECK(node && node->n_traces == 1 && node->inputs.n == 1 && !strcmp(node->inputs.at[0], node->path));
    if (all) {
        tt_found_list found = {0};
        tt_err err = {0};
        CHECK_INT(tt_discover((const char *const *)all->inputs.at, 2, &found, &err), TT_OK);
        CHECK_INT(found.n, 2);
        tt_found_free(&found);
    }
    tt_search_free(&s);
}

static void test_limits(void)
{
    char name[64];
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "f/many/%03d.json", i);
        file(name);
    }
    file("f/1/2/3/4/rank0.pt.trace.json");
    tt_search_limits few = tt_search_usual;
    few.heads = 10;
    tt_search s = tt_search_runs(temp_path("f"), &few, NULL);
    CHECK_INT(s.runs.n, 11);
    CHECK(s.stopped != NULL); /* the search reports that it left files unopened */
    tt_search_free(&s);
    few = tt_search_usual;
    few.depth = 3;
    s = tt_search_runs(temp_path("f"), &few, NULL);
    CHECK(s.stopped && !run_of(&s, "/4"));
    tt_search_free(&s);
    few = tt_search_usual;
    few.entries = 50;
    s = tt_search_runs(temp_path("f"), &few, NULL);
    CHECK(s.stopped != NULL && s.runs.n <= 50);
    tt_search_free(&s);
    few = tt_search_usual;
    few.ms = 0;
    s = tt_search_runs(temp_path("f"), &few, NULL);
    CHECK(s.stopped && !s.runs.n);
    tt_search_free(&s);
    _Atomic bool stop = true;
    s = tt_search_runs(temp_path("f"), &tt_search_usual, &stop);
    CHECK_INT(s.runs.n, 0);
    tt_search_free(&s);
}

int main(void)
{
    temp_begin();
    test_names_and_age();
    test_content();
    test_nested();
    test_workers();
    test_links_and_hostile_names();
    test_links_between();
    test_limits();
    temp_end();
    return check_done();
}

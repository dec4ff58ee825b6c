/* test_outfile.c - escapes written in pieces of any size, compressed and large files, several files at once, private
 * files, and files that others put in the way. tests/cli/outputs.py tests the commands that write files. */
#include "model/base/mem.h"
#include "parser/json/escape.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/prompt/settings.h"
#include "tui/files/outfile.h"
#include "tui/files/state_file.h"
#include "tui/files/yank.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

typedef struct text {
    char at[4096];
    size_t n;
} text;

static bool keep(void *arg, const char *p, size_t n)
{
    text *t = arg;
    memcpy(t->at + t->n, p, n);
    t->n += n;
    t->at[t->n] = '\0';
    return true;
}

/* Write the text in pieces of k bytes. */
static void escaped(const char *in, size_t n, size_t k, const char *want)
{
    tt_json_escape e = {.n = 0};
    text out = {.n = 0};
    for (size_t i = 0; i < n; i += k) CHECK(tt_json_escape_write(&e, in + i, n - i < k ? n - i : k, keep, &out));
    CHECK(tt_json_escape_end(&e, keep, &out));
    CHECK_STR(out.at, want);
}

static void test_escape(void)
{
    static const char *const cases[][2] = {
        {"plain {\"a\": [1, 2]}", "plain {\"a\": [1, 2]}"},
        {"\x7f", "\\u007f"},
        {"a\xc2\x9b"
         "b",
         "a\\u009bb"},
        {"\u061c\u202e\u2066\u2028", "\\u061c\\u202e\\u2066\\u2028"},
        {"\u00a0\u00e9\u0628\u2010\u2026\u2065\u206a\u2192\u4e2d\U0001f600",
         "\u00a0\u00e9\u0628\u2010\u2026\u2065\u206a\u2192\u4e2d\U0001f600"},
        {"\xc2", "\xc2"}, /* invalid UTF-8 stays as it is */
        {"\xe2\x80", "\xe2\x80"},
        {"\xe2\x80\xe2\x80\xae", "\xe2\x80\\u202e"},
        {"\xc2\xc2\x9b\xe2\xd8\x9c", "\xc2\\u009b\xe2\\u061c"},
        {"\xe2\x81\x7f", "\xe2\x81\\u007f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i][0]);
        for (size_t k = 1; k <= n; k++) escaped(cases[i][0], n, k, cases[i][1]);
    }
}

static char *slurp(const char *path, size_t *n)
{
    gzFile z = gzopen(path, "rb"); /* gzopen() reads uncompressed files, too */
    char *at = tt_malloc(4 << 20);
    int got = z ? gzread(z, at, 4 << 20) : -1;
    CHECK(got >= 0);
    *n = got > 0 ? (size_t)got : 0;
    if (z) gzclose(z);
    return at;
}

static void test_sizes(const char *name, bool stream)
{
    enum { MOST = 3 << 20 };
    char *data = tt_malloc(MOST);
    tt_err err;
    size_t n, at = 0;
    uint32_t x = 1;
    for (size_t i = 0; i < MOST; i++) data[i] = (char)('a' + ((x = x * 1664525u + 1013904223u) >> 24) % 26);
    const char *path = temp_path(name);
    tt_outfile *o = tt_outfile_open(path, 0, NULL, &err);
    CHECK(o);
    for (size_t k = 0; o && at < MOST; at += n, k++) { /* small pieces, and some larger than any buffer */
        n = k % 9 == 8 ? 300000 : k % 700;
        n = n < MOST - at ? n : MOST - at;
        if (stream) fwrite(data + at, 1, n, tt_outfile_stream(o));
        if (!stream) CHECK(tt_outfile_write(o, data + at, n));
    }
    CHECK_INT(tt_outfile_close(o, true, &err), TT_OK);
    char *got = slurp(path, &n);
    CHECK_INT(n, MOST);
    CHECK(n == MOST && !memcmp(got, data, MOST));
    free(got);
    free(data);
}

static void test_several(void)
{
    enum { N = 20 };
    tt_outfile *o[N];
    tt_err err;
    char name[32];
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "several-%d", i);
        o[i] = tt_outfile_open(temp_path(name), 0, NULL, &err);
        CHECK(o[i] && tt_outfile_write(o[i], name, strlen(name)));
        CHECK(access(temp_path(name), F_OK)); /* the file appears only when it is complete */
    }
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "several-%d", i);
        CHECK_INT(tt_outfile_close(o[i], i % 2, &err), TT_OK);
        CHECK_INT(access(temp_path(name), F_OK), i % 2 ? 0 : -1);
    }
}

/* A file that appears while another is written is not replaced, unless the caller asked for that. */
static void test_fresh(void)
{
    tt_err err;
    const char *path = temp_path("fresh");
    tt_outfile *o = tt_outfile_open(path, TT_OUTFILE_FRESH, NULL, &err);
    CHECK(o && tt_outfile_write(o, "ours", 4));
    temp_file("fresh", "theirs", 6);
    CHECK_INT(tt_outfile_close(o, true, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, "fresh") && strstr(err.message, "exists"));
    size_t n;
    char *got = slurp(path, &n);
    CHECK(n == 6 && !memcmp(got, "theirs", 6));
    free(got);
    CHECK(!tt_outfile_open(path, TT_OUTFILE_FRESH, NULL, &err));
}

/* Writing never waits for a FIFO, never reads without end, and writes into regular files only. */
static void test_state(void)
{
    struct stat st;
    tt_state_file s;
    char path[512], target[512];
    setenv("XDG_STATE_HOME", temp_dir_, 1);
    setenv("XDG_CONFIG_HOME", temp_dir_, 1);
    CHECK(tt_state_begin(&s, "history"));
    CHECK(fputs("/gemm\n", s.f) >= 0 && tt_state_end(&s));
    snprintf(path, sizeof path, "%s/tracetty/history", temp_dir_);
    CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0600);
    CHECK(!chmod(path, 0644) && tt_state_begin(&s, "history") && tt_state_end(&s));
    CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0600); /* only its owner can read it again */
    snprintf(target, sizeof target, "%s/dotfile", temp_dir_);
    CHECK(!rename(path, target) && !symlink(target, path));
    CHECK(tt_state_begin(&s, "history") && fputs("/conv\n", s.f) >= 0 && tt_state_end(&s));
    CHECK(!lstat(path, &st) && S_ISLNK(st.st_mode) && !stat(target, &st) && st.st_size == 6);
    FILE *f = tt_state_read("history");
    CHECK(f);
    if (f) fclose(f);
    CHECK(!unlink(path) && !mkfifo(path, 0600));
    CHECK(!tt_state_read("history") && !tt_state_begin(&s, "history"));
    CHECK(!unlink(path) && !symlink("/dev/zero", path));
    CHECK(!tt_state_read("history") && !tt_state_begin(&s, "history"));
    CHECK(!unlink(path));
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && !ftruncate(fd, (off_t)1 << 40) && !close(fd)); /* a sparse file of 1 TiB */
    CHECK(!tt_state_read("history"));
    tt_prompt p = {0};
    tt_history_load(&p);
    tt_history_save(&p);
    tt_prompt_free(&p);
}

/* A relative folder in the environment is ignored, so that no file appears in the current folder. */
static void test_relative_folders(void)
{
    static const char *const variables[] = {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "HOME"};
    char path[512], here[512], want[600];
    tt_state_file s;
    CHECK(getcwd(here, sizeof here) && !chdir(temp_dir_));
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) setenv(variables[i], "relative", 1);
    CHECK(!tt_state_path(path, sizeof path, "history", true) && !tt_state_begin(&s, "history"));
    CHECK(!tt_base_path(path, sizeof path, "XDG_CONFIG_HOME", "/.config", "config"));
    CHECK(!tt_absolute_folder("XDG_RUNTIME_DIR") && !tt_absolute_folder("TMPDIR"));
    setenv("HOME", temp_dir_, 1);
    CHECK(tt_state_path(path, sizeof path, "history", true));
    snprintf(want, sizeof want, "%s/.local/state/tracetty/history", temp_dir_);
    CHECK_STR(path, want);
    CHECK(access("relative", F_OK) != 0);
    CHECK(!chdir(here));
}

static void yank(const char *what, bool want, const char *where)
{
    char path[512];
    size_t n;
    CHECK_INT(tt_yank_write(what, path, sizeof path), want);
    CHECK_STR(path, where);
    if (!want) return;
    char *got = slurp(path, &n);
    struct stat st;
    CHECK(n == strlen(what) && !memcmp(got, what, n));
    CHECK(!lstat(path, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0777) == 0600);
    free(got);
}

static void test_yank(void)
{
    char runtime[300], tmp[300], own[340], file[400], fall[400];
    struct stat st;
    snprintf(runtime, sizeof runtime, "%s/run", temp_dir_);
    snprintf(tmp, sizeof tmp, "%s/tmp", temp_dir_);
    snprintf(own, sizeof own, "%s/tracetty-%u", tmp, (unsigned)geteuid());
    snprintf(file, sizeof file, "%s/tracetty-yank", runtime);
    snprintf(fall, sizeof fall, "%s/tracetty-yank", own);
    CHECK(!mkdir(runtime, 0700) && !mkdir(tmp, 0777) && !chmod(tmp, 01777));
    setenv("XDG_RUNTIME_DIR", runtime, 1);
    setenv("TMPDIR", tmp, 1);
    yank("one", true, file);
    yank("two", true, file);
    CHECK(!unlink(file) && !mkfifo(file, 0666));
    yank("three", false, file); /* the FIFO has no reader, and yanking does not wait for one */
    const char *victim = temp_file("victim", "mine", 4);
    CHECK(!unlink(file) && !symlink(victim, file));
    yank("four", false, file);
    CHECK(!stat(victim, &st) && st.st_size == 4);
    CHECK(!unlink(file) && !chmod(runtime, 0777)); /* others may write into the folder, so it is not used */
    yank("five", true, fall);
    CHECK(access(file, F_OK) != 0 && !lstat(own, &st) && (st.st_mode & 0777) == 0700);
    unsetenv("XDG_RUNTIME_DIR");
    yank("six", true, fall);
    CHECK(!chmod(own, 0777));
    yank("seven", false, own); /* a folder that others can write into */
    CHECK(!unlink(fall) && !rmdir(own) && !symlink(runtime, own));
    yank("eight", false, own); /* or a folder elsewhere */
    CHECK(!unlink(own) && !mkfifo(own, 0666));
    yank("nine", false, own);
    if (geteuid() == 0) {
        CHECK(!unlink(own) && !mkdir(own, 0700) && !chown(own, 12345, 12345));
        yank("ten", false, own);
    }
}

int main(void)
{
    temp_begin();
    test_escape();
    test_sizes("plain", false);
    test_sizes("packed.gz", false);
    test_sizes("stream.gz", true);
    test_several();
    test_fresh();
    test_state();
    test_yank();
    test_relative_folders();
    temp_end();
    return check_done();
}

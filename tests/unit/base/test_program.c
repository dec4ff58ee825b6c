// tests/unit/base/test_program.c - arguments, descriptors and signals of a started program.
#include "model/base/run/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

/* Run a program, store its output in `out` and return its exit status; -1 = it did not start. */
static int run(const char *name, const tt_argument *arguments, size_t n, int kept, char *out, size_t cap, tt_err *err)
{
    int ends[2], status;
    pid_t pid;
    size_t got = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const tt_program p = {name, arguments, n, {-1, ends[1], STDERR_FILENO, kept}, true};
    tt_status st = tt_program_start(&p, &pid, err);
    close(ends[1]);
    for (ssize_t k; st == TT_OK && (k = read(ends[0], out + got, cap - 1 - got)) > 0;) got += (size_t)k;
    out[got] = '\0';
    close(ends[0]);
    if (st != TT_OK) return -1;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run_shell(const char *script, const tt_argument *more, size_t n_more, int kept, char *out, size_t cap,
                     tt_err *err)
{
    tt_argument all[16] = {{.text = "-c"}, {.text = script}, {.text = "sh"}};
    for (size_t i = 0; i < n_more; i++) all[3 + i] = more[i];
    return run("sh", all, 3 + n_more, kept, out, cap, err);
}

static void paths_are_absolute(void)
{
    static const char *const names[] = {"+!touch PWNED", "-c", "two words", "a;b", "$(touch PWNED)"};
    char out[2048], want[2048], here[400];
    tt_err err;
    temp_begin();
    CHECK(chdir(temp_path("")) == 0 && getcwd(here, sizeof here));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        temp_file(names[i], "x", 1);
        const tt_argument a[] = {{.text = "+12"}, {.path = names[i]}, {.text = "f=", .path = names[i], .tail = ":12"}};
        CHECK_INT(run_shell("printf '<%s>' \"$@\"", a, 3, -1, out, sizeof out, &err), 0);
        snprintf(want, sizeof want, "<+12><%s/%s><f=%s/%s:12>", here, names[i], here, names[i]);
        CHECK_STR(out, want);
    }
    CHECK(access("PWNED", F_OK) != 0);
    CHECK(symlink("two words", "+link") == 0);
    const tt_argument link = {.path = "+link"}, gone = {.path = "+gone"};
    snprintf(want, sizeof want, "%s/two words", here);
    CHECK_INT(run_shell("printf %s \"$1\"", &link, 1, -1, out, sizeof out, &err), 0);
    CHECK_STR(out, want);
    CHECK_INT(run_shell("printf %s \"$1\"", &gone, 1, -1, out, sizeof out, &err), -1);
    CHECK(err.code == TT_ERR_INPUT && strstr(err.message, "+gone: No such file"));
    CHECK(chdir("/") == 0);
    temp_end();
}

static void descriptors_are_those_given(void)
{
    char out[2048], want[600];
    tt_err err;
    temp_begin();
    const char *path = temp_file("kept", "x", 1);
    int low = open(path, O_RDONLY), high = fcntl(low, F_DUPFD, 200);
    CHECK(low >= 0 && high >= 200);
    CHECK_INT(run_shell("ls /proc/$$/fd; readlink /proc/$$/fd/0", NULL, 0, -1, out, sizeof out, &err), 0);
    CHECK_STR(out, "0\n1\n2\n/dev/null\n");
    CHECK_INT(run_shell("ls /proc/$$/fd; readlink /proc/$$/fd/3", NULL, 0, high, out, sizeof out, &err), 0);
    char *whole = realpath(path, NULL);
    snprintf(want, sizeof want, "0\n1\n2\n3\n%s\n", whole);
    CHECK_STR(out, want);
    free(whole);
    close(low);
    close(high);
    temp_end();
}

static void signals_are_reset(void)
{
    char out[2048];
    tt_err err;
    sigset_t some, old;
    sigemptyset(&some);
    sigaddset(&some, SIGTERM);
    sigaddset(&some, SIGWINCH);
    pthread_sigmask(SIG_BLOCK, &some, &old);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    CHECK_INT(run_shell("grep -E '^Sig(Ign|Blk)' /proc/self/status", NULL, 0, -1, out, sizeof out, &err), 0);
    unsigned long long blocked = 1, ignored = 1, own = 3ull << 31; /* the C library uses signals 32 and 33 */
    CHECK(sscanf(out, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored) == 2);
    CHECK(!blocked && !(ignored & ~own));
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &old, &some);
    CHECK(sigismember(&some, SIGTERM) && !sigismember(&some, SIGINT)); /* the signals of this process are unchanged */
}

static void programs_that_cannot_run(void)
{
    char out[200];
    tt_err err;
    temp_begin();
    const char *text = temp_file("bin/text", "no program", 10);
    CHECK_INT(run("/no/such/program", NULL, 0, -1, out, sizeof out, &err), -1);
    CHECK(err.code == TT_ERR_USAGE && !strcmp(err.message, "cannot run /no/such/program: No such file or directory"));
    CHECK_INT(run("tracetty-no-such-program", NULL, 0, -1, out, sizeof out, &err), -1);
    CHECK(err.code == TT_ERR_USAGE && strstr(err.message, "not on the PATH"));
    CHECK_INT(run(text, NULL, 0, -1, out, sizeof out, &err), -1);
    CHECK(err.code == TT_ERR_USAGE && strstr(err.message, "Permission denied"));
    CHECK(chmod(text, 0700) == 0);
    CHECK_INT(run(text, NULL, 0, -1, out, sizeof out, &err), -1); /* a text without #! is not handed to a shell */
    CHECK(err.code == TT_ERR_USAGE && strstr(err.message, "Exec format error"));
    CHECK(chdir(temp_path("bin")) == 0 && setenv("PATH", ":.:bin", 1) == 0);
    CHECK(!tt_program_find("text", out, sizeof out));
    CHECK(setenv("PATH", temp_path("bin"), 1) == 0 && tt_program_find("text", out, sizeof out));
    CHECK(chdir("/") == 0);
    temp_end();
}

int main(void)
{
    paths_are_absolute();
    descriptors_are_those_given();
    signals_are_reset();
    programs_that_cannot_run();
    return check_done();
}

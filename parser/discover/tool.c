/* parser/discover/tool.c - see tool.h. */
#include "parser/discover/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/run/child.h"
#include "parser/input/walk.h"

enum {
    LOOK_MS = 100,
    IDLE_SECONDS = 300, /* seconds without output or growth of the file, after which the tool counts as hanging */
};

bool tt_is_nsys_report(const char *path)
{
    static const char magic[] = "NVIDIA Tegra Profiler Report ";
    char head[sizeof magic - 1];
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return false;
    size_t n = 0;
    while (n < sizeof head) {
        ssize_t got = read(fd, head + n, sizeof head - n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        n += (size_t)got;
    }
    bool is = n == sizeof head && !memcmp(head, magic, sizeof head);
    close(fd);
    return is;
}

void tt_exported_remove(tt_exported *e)
{
    char path[512];
    tt_walk_names l = {0};
    if (*e->folder) tt_walk_read(e->folder, &l);
    for (size_t i = 0; i < l.n; i++) {
        if (snprintf(path, sizeof path, "%s/%s", e->folder, l.at[i]) < (int)sizeof path) unlink(path);
    }
    tt_walk_names_free(&l);
    if (*e->folder) rmdir(e->folder);
    *e = (tt_exported){0};
}

/* ---- running it ---- */

static off_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_size : 0;
}

/* Wait for its end: the exit status, -1 = ended because it hung, -2 = *stop was set. */
static int wait_for(tt_child *r, const char *output, const _Atomic bool *stop)
{
    int status;
    off_t size = 0;
    time_t active = time(NULL);
    for (;;) {
        bool said = tt_child_listen(r, LOOK_MS);
        if (tt_child_over(r, &status)) return status;
        off_t now = size_of(output);
        if (said || now != size) active = time(NULL);
        size = now;
        bool stopped = stop && atomic_load(stop);
        if (stopped || time(NULL) - active > IDLE_SECONDS) {
            tt_child_end(r);
            return stopped ? -2 : -1;
        }
    }
}

static tt_status make_folder(tt_exported *out, tt_err *err)
{
    const char *tmp = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
    if (!tmp || *tmp != '/' || strlen(tmp) > 200) tmp = "/tmp";
    snprintf(out->folder, sizeof out->folder, "%s/tracetty-nsys-XXXXXX", tmp);
    if (!mkdtemp(out->folder)) {
        int why = errno;
        *out->folder = 0;
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: a folder for the export cannot be made: %s; set TMPDIR to one", tmp,
                       strerror(why));
    }
    snprintf(out->path, sizeof out->path, "%s/report.sqlite", out->folder);
    return TT_OK;
}

static tt_status explain(tt_child *r, const char *report, int status, tt_err *err)
{
    if (status == -2) return tt_fail(err, TT_ERR_CANCELLED, -1, "%s: cancelled", report);
    if (status == -1)
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: nsys export wrote and said nothing for %d seconds, and was ended; run it yourself and open "
                       "the database",
                       report, IDLE_SECONDS);
    if (!status) return tt_fail(err, TT_ERR_INPUT, -1, "%s: nsys export wrote no database; run it yourself", report);
    const char *line = tt_child_last_line(r);
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: nsys export failed with status %d%s%.300s%s; run it yourself to see why",
                   report, status, *line ? ": '" : "", line, *line ? "'" : "");
}

tt_status tt_nsys_export(const char *report, const _Atomic bool *stop, tt_exported *out, tt_err *err)
{
    char tool[512];
    tt_child r;
    *out = (tt_exported){0};
    if (!tt_program_find("nsys", tool, sizeof tool))
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: --nsys-export needs nsys, which is not on the PATH; install Nsight Systems, or export the "
                       "report where it was recorded",
                       report);
    TT_TRY(make_folder(out, err));
    const tt_argument arguments[] = {{.text = "export"},   {.text = "--type"},  {.text = "sqlite"},
                                     {.text = "--output"}, {.text = out->path}, {.path = report}};
    tt_err why;
    tt_status st = tt_child_start(&r, tool, arguments, sizeof arguments / sizeof *arguments, -1, &why);
    if (st != TT_OK) {
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: the export does not start: %s", report, why.message);
    } else {
        int status = wait_for(&r, out->path, stop);
        tt_child_close(&r);
        if (status || !size_of(out->path)) st = explain(&r, report, status, err);
    }
    if (st != TT_OK) tt_exported_remove(out);
    return st;
}

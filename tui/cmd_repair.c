/* tui/cmd_repair.c - `tracetty repair IN -o OUT`: what was understood of a damaged trace, as valid JSON.
 *
 * Written beside OUT and renamed at the end, so that a full disk or an interruption leaves no half of a file. The name
 * decides about compression. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "parser/repair.h"
#include "tui/open.h"

static bool write_piece(void *arg, const char *p, size_t n)
{
    while (n) {
        unsigned part = n < 1u << 30 ? (unsigned)n : 1u << 30;
        errno = 0;
        if (gzwrite(arg, p, part) != (int)part) {
            if (!errno) errno = EIO;
            return false;
        }
        p += part;
        n -= part;
    }
    return true;
}

static bool ends_in_gz(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && !strcmp(path + n - 3, ".gz");
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void tell(const char *to, const tt_repaired *r)
{
    char text[1024];
    size_t n = (size_t)snprintf(text, sizeof text, "%s: %" PRIu64 " events written", to, r->events);
    const char *before = "; the input had";
    for (int k = 0; k < TT_PROBLEM_COUNT_ && n < sizeof text; k++) {
        if (!r->problems.of[k].count || tt_problem_level_of[k] == TT_LEVEL_NOTE) continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %" PRIu64 " %s", before, r->problems.of[k].count,
                              tt_problem_key[k]);
        before = ",";
    }
    tt_note("%s", text);
}

static tt_status fail_output(const char *to, tt_err *err)
{
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: cannot be written: %s", to, strerror(errno));
}

/* Write to fd, which is closed. */
static tt_status repair_to(const char *from, const char *to, int fd, tt_repaired *result, tt_err *err)
{
    gzFile z = gzdopen(fd, ends_in_gz(to) ? "wb6" : "wbT");
    if (!z) {
        close(fd);
        return fail_output(to, err);
    }
    tt_status status = tt_repair(from, write_piece, z, result, err);
    errno = 0;
    if (gzclose(z) != Z_OK && status == TT_OK) status = fail_output(to, err);
    return status;
}

static tt_status repair_file(const char *from, const char *to, tt_repaired *result, tt_err *err)
{
    size_t n = strlen(to) + 16;
    char *part = tt_malloc(n);
    snprintf(part, n, "%s.XXXXXX", to);
    int fd = mkstemp(part);
    tt_status status;
    if (fd < 0) {
        status = fail_output(to, err);
    } else {
        mode_t mask = umask(0);
        umask(mask);
        (void)fchmod(fd, 0666 & ~mask);
        status = repair_to(from, to, fd, result, err);
        if (status == TT_OK && rename(part, to) != 0) status = fail_output(to, err);
        if (status != TT_OK) unlink(part);
    }
    free(part);
    return status;
}

int tt_cmd_repair(const tt_cli *cli)
{
    tt_err err;
    tt_repaired result;
    const char *to = cli->value[TT_OPT_OUTPUT];
    if (cli->n_args != 1 || !to) {
        tt_fail(&err, TT_ERR_USAGE, -1, "repair takes one file and the name of the new one: tracetty repair %s",
                tt_commands[TT_CMD_REPAIR].args);
        return tt_report(&err);
    }
    bool to_stdout = !strcmp(to, "-");
    if (!to_stdout && same_file(cli->args[0], to)) {
        tt_fail(&err, TT_ERR_USAGE, -1, "%s: is the damaged file itself; choose another name for the output", to);
        return tt_report(&err);
    }
    tt_status status = to_stdout ? repair_to(cli->args[0], to, dup(STDOUT_FILENO), &result, &err)
                                 : repair_file(cli->args[0], to, &result, &err);
    if (status != TT_OK) return tt_report(&err);
    tell(to_stdout ? "standard output" : to, &result);
    return 0;
}

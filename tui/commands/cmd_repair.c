/* tui/commands/cmd_repair.c - `tracetty repair IN -o OUT`: write the readable part of a damaged trace as valid JSON.
 *
 * A full disk or an interruption leaves no partial file; the ending of the name decides about compression
 * (tui/files/outfile.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "parser/discover/inputs.h"
#include "parser/repair_file.h"
#include "tui/args/open_session.h"
#include "tui/files/outfile.h"

static void report_repairs(const char *to, const tt_repaired *r)
{
    char text[1024];
    tt_buf b = tt_buf_of(text);
    tt_buf_add(&b, "%s: %" PRIu64 " events written", to, r->events);
    const char *before = "; the input had";
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        if (!r->problems.of[k].count || tt_problem_level_of[k] == TT_LEVEL_NOTE) continue;
        tt_buf_add(&b, "%s %" PRIu64 " %s", before, r->problems.of[k].count, tt_problem_key[k]);
        before = ",";
    }
    const struct {
        uint64_t n;
        const char *what;
    } strict[] = {{r->strict.numbers, "times as text or without a value"},
                  {r->strict.durations, "slices without a usable duration, now 0"},
                  {r->strict.keys, "keys that came twice, the last value stays"}};
    for (size_t i = 0; i < sizeof strict / sizeof *strict; i++) {
        if (!strict[i].n) continue;
        tt_buf_add(&b, "%s %" PRIu64 " %s", before, strict[i].n, strict[i].what);
        before = ",";
    }
    tt_note("%s", text);
}

static tt_status repair(const char *given, const char *from, const char *to, tt_repaired *result, tt_err *err)
{
    tt_file_ids inputs = {0};
    tt_inputs_add(&inputs, given);
    tt_inputs_add(&inputs, from);
    tt_outfile *o = tt_outfile_open(to, TT_OUTFILE_JSON, &inputs, err);
    tt_vec_free(&inputs);
    if (!o) return err->code;
    tt_status status = tt_repair(from, tt_outfile_write, o, result, err);
    tt_status end = tt_outfile_close(o, status == TT_OK, err);
    return end != TT_OK ? end : status;
}

/* The only trace at the path, which may be an archive or a folder. Owned by the caller; NULL with err. */
static char *only_trace(const char *path, tt_err *err)
{
    tt_found_list found = {0};
    char *one = NULL;
    if (tt_discover(&path, 1, &found, err) != TT_OK) return NULL;
    if (found.n == 1) {
        one = tt_strdup(found.at[0].path);
    } else {
        tt_fail(err, TT_ERR_USAGE, -1, "%s: holds %zu traces; name one of them: %s", path, found.n, found.at[0].path);
    }
    tt_found_free(&found);
    return one;
}

int tt_cmd_repair(const tt_cli *cli)
{
    tt_err err;
    tt_repaired result = {0};
    const char *to = cli->value[TT_OPT_OUTPUT];
    if (cli->n_args != 1 || !to) {
        tt_fail(&err, TT_ERR_USAGE, -1, "repair takes one file and the name of the new one: tracetty repair %s",
                tt_commands[TT_CMD_REPAIR].args);
        return tt_report(&err);
    }
    bool to_stdout = !strcmp(to, "-");
    char *from = only_trace(cli->args[0], &err);
    if (!from) return tt_report(&err);
    tt_status status = repair(cli->args[0], from, to, &result, &err);
    free(from);
    if (status != TT_OK) return tt_report(&err);
    report_repairs(to_stdout ? "standard output" : to, &result);
    return 0;
}

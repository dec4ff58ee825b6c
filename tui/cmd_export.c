/* tui/cmd_export.c - `tracetty export`: what is selected as a trace file. */
#include <inttypes.h>
#include <string.h>

#include "tui/export_trace.h"
#include "tui/open.h"
#include "tui/select.h"

int tt_cmd_export(const tt_cli *cli)
{
    tt_session *s;
    tt_err err;
    tt_scope scope;
    tt_exported done;
    const char *to = cli->value[TT_OPT_OUTPUT];
    if (!to || cli->n_args < 1) {
        tt_fail(&err, TT_ERR_USAGE, -1, "export takes a trace and the name of the new file: tracetty export %s",
                tt_commands[TT_CMD_EXPORT].args);
        return tt_report(&err);
    }
    if (tt_select_scope(cli, &scope, &err) != TT_OK || tt_open(cli, true, &s, &err) != TT_OK) return tt_report(&err);
    tt_status st = tt_export_file(s, &scope, to, &done, &err);
    tt_session_free(s);
    if (st != TT_OK) return tt_report(&err);
    tt_note("%s: %" PRIu64 " events written", strcmp(to, "-") ? to : "standard output", done.events);
    if (done.poor)
        tt_warn("%" PRIu64 " events are written without their arguments: their text cannot be read again", done.poor);
    if (done.lost) tt_warn("%" PRIu64 " events are left out: their text cannot be read again", done.lost);
    return 0;
}

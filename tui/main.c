/* tui/main.c - from the command line to a command. Everything else is in the tables (tui/args/commands.def,
 * tui/args/options.def). */
#include <locale.h>

#include "model/base/mem.h"
#include "tui/commands/commands.h"
#include "tui/commands/docs.h"
#include "tui/files/outfile_part.h"

static int dispatch(const tt_cli *cli)
{
    if (cli->value[TT_OPT_HELP]) {
        if (cli->command == TT_CMD_EXPLORE)
            tt_docs_help(stdout);
        else
            tt_docs_command(stdout, cli->command);
        return tt_finish_output();
    }
    if (cli->value[TT_OPT_VERSION]) {
        tt_docs_version(stdout);
        return tt_finish_output();
    }
    return tt_command_run(cli);
}

int main(int argc, char **argv)
{
    tt_cli cli;
    tt_err err;
    tt_mem_set_oom(tt_parts_oom);
    setlocale(LC_CTYPE, ""); /* widths of characters; numbers keep their point */
    int status = tt_cli_parse(argc, argv, &cli, &err) == TT_OK ? dispatch(&cli) : tt_report(&err);
    tt_cli_free(&cli);
    return status;
}

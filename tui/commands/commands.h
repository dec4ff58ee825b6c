/* tui/commands/commands.h - the functions of tui/args/commands.def. */
#ifndef TT_TUI_COMMANDS_COMMANDS_H
#define TT_TUI_COMMANDS_COMMANDS_H

#include "tui/args/cli.h"

/* Each runs a command and returns the exit status. */
#define X(id, name, args, function, shown, help) int function(const tt_cli *cli);
#include "tui/args/commands.def"
#undef X

/* Run the command that the command line asks for; the exit status. */
int tt_command_run(const tt_cli *cli);

#endif

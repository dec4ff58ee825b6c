/* tui/commands/commands.h - the functions of tui/args/commands.def. */
#ifndef TT_TUI_COMMANDS_COMMANDS_H
#define TT_TUI_COMMANDS_COMMANDS_H

#include "tui/args/cli.h"
#include "tui/args/compare_options.h"

/* Each runs a command and returns the exit status. */
#define X(id, name, args, function, shown, help) int function(const tt_cli *cli);
#include "tui/args/commands.def"
#undef X

/* Run the command that the command line asks for; the exit status. */
int tt_command_run(const tt_cli *cli);

/* A screen as text, for `summary --screen`, with everything from the command line. The exit status. */
int tt_explore_print(const tt_cli *cli);
/* `diff` as pictures, with what tt_compare_parse() made of cli. print: the screen as text, as tt_explore_print(); else
 * the explorer on the terminal. Without --screen at the tab Compare. */
int tt_explore_diff(const tt_cli *cli, const tt_compare_options *two, bool print);
/* cmd_tables.c: the tables of a session and their columns to standard output, as JSON. NULL: the built-in ones. */
void tt_print_catalogue(const tt_session *s);

#endif

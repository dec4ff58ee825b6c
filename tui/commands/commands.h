/* tui/commands/commands.h - the functions of tui/args/commands.def. */
#ifndef TT_TUI_COMMANDS_COMMANDS_H
#define TT_TUI_COMMANDS_COMMANDS_H

#include "tui/args/cli.h"
#include "tui/args/compare_options.h"

/* Run a command; returns the exit status. */
#define X(id, name, args, function, shown, help) int function(const tt_cli *cli);
#include "tui/args/commands.def"
#undef X

/* Run the command that the command line names; returns the exit status. */
int tt_command_run(const tt_cli *cli);

/* Standard output is a terminal on which the explorer can draw. If it is one that cannot, stderr says why. */
bool tt_explore_possible(void);
/* Print a screen as text for `summary --screen`; returns the exit status. */
int tt_explore_print(const tt_cli *cli);
/* `diff` with screens; `two` comes from tt_compare_parse(). print: print the screen as text like tt_explore_print();
 * else open the explorer. Without --screen it opens the tab Compare. */
int tt_explore_diff(const tt_cli *cli, const tt_compare_options *two, bool print);
/* Print the tables of a session and their columns to standard output as JSON; s NULL: the built-in tables. In
 * cmd_tables.c. */
void tt_print_catalogue(const tt_session *s);

#endif

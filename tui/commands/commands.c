/* tui/commands/commands.c - see commands.h. */
#include "tui/commands/commands.h"

int tt_command_run(const tt_cli *cli)
{
    static int (*const run[TT_CMD_COUNT_])(const tt_cli *) = {
#define X(id, name, args, function, shown, help) [TT_CMD_##id] = function,
#include "tui/args/commands.def"
#undef X
    };
    return run[cli->command](cli);
}

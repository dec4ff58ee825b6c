/* tui/app/prompt/command_line.h - the commands of `:`, as tui/app/prompt/command_line.def lists them, and behind
 * them the settings of tui/app/prompt/settings.def. */
#ifndef TT_TUI_APP_PROMPT_COMMAND_LINE_H
#define TT_TUI_APP_PROMPT_COMMAND_LINE_H

#include "tui/screen/screen.h"

typedef struct tt_app tt_app;

typedef struct tt_line_command {
    const char *name, *args;
    bool (*run)(tt_app *a, const char *arg); /* false: the argument is wrong. NULL: the screen runs it */
    const char *values, *help;               /* values: what completion offers, NULL = free */
    bool setting;                            /* names a setting: "theme dark" is "set theme=dark" */
} tt_line_command;
extern const tt_line_command tt_line_commands[];                           /* ends with name NULL */
const tt_line_command *tt_line_command_find(const char *name, size_t len); /* NULL = no such command */

#endif

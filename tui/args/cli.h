/* tui/args/cli.h - the command line as data: commands, options, and one parser for both.
 *
 * Commands and options come from tui/args/commands.def and tui/args/options.def. Error messages quote arguments as
 * they were typed: print them with tt_report(), which sanitises them. */
#ifndef TT_TUI_ARGS_CLI_H
#define TT_TUI_ARGS_CLI_H

#include <stdio.h>

#include "model/tables/table.h"
#include "tui/args/parse_values.h"
#include "tui/widgets/format_value.h"

/* formats of tables */
typedef enum tt_out_format { TT_OUT_TEXT, TT_OUT_CSV, TT_OUT_JSON, TT_OUT_MARKDOWN } tt_out_format;
extern const char *const tt_out_format_names[]; /* "text", "csv", ...; ends with NULL */

typedef enum tt_command {
#define X(id, name, args, function, shown, help) TT_CMD_##id,
#include "tui/args/commands.def"
#undef X
    TT_CMD_COUNT_
} tt_command;

typedef enum tt_option {
#define X(id, name, arg, choices, commands, help) TT_OPT_##id,
#include "tui/args/options.def"
#undef X
    TT_OPT_COUNT_
} tt_option;

typedef struct tt_cli_values { /* values of an option that may be repeated */
    const char **at;           /* owned */
    uint32_t n;
} tt_cli_values;

typedef struct tt_cli {
    tt_command command;
    /* by option: NULL = not given; "" for a switch; the last value when given several times */
    const char *value[TT_OPT_COUNT_];
    /* all values of --what-if, --fail-on, --pass, --graph-key */
    tt_cli_values what_ifs, fail_ons, passes, graph_keys;
    const char **args; /* words that are not options: paths, or the argument of help; owned */
    uint32_t n_args;
} tt_cli;

typedef struct tt_command_info {
    const char *name, *args, *help;
    bool shown;
} tt_command_info;
extern const tt_command_info tt_commands[TT_CMD_COUNT_];

typedef struct tt_option_info {
    const char *name, *arg, *choices, *help;
    uint32_t commands; /* the commands that have the option: bits 1u << tt_command */
} tt_option_info;
extern const tt_option_info tt_option_infos[TT_OPT_COUNT_];

/* Read the command line. The first word names the command if it is a known one. Any other word is a path when a file
 * of that name exists, when it holds '/' or '.', or is "-". Everything after "--" is an argument. TT_ERR_USAGE: the
 * message names what is wrong and what is allowed. */
tt_status tt_cli_parse(int argc, char *const *argv, tt_cli *out, tt_err *err);
void tt_cli_free(tt_cli *c);

/* Print "tracetty: MESSAGE" on stderr, sanitised. Returns e->code. */
int tt_report(const tt_err *e);
/* Print a warning on stderr, sanitised. */
void tt_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Print a note on stderr, sanitised. */
void tt_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Flush standard output. Returns 0, or TT_ERR_INPUT with a message when it cannot be written. A closed pipe is no
 * error. */
int tt_finish_output(void);

/* The word closest to the typed one; NULL when none is close. */
const char *tt_closest(const char *typed, const char *const *words, uint32_t n);

#endif

/* tui/commands/docs.h - help, manual page and shell completions, written from the tables of commands, options, keys and
 * tables. */
#ifndef TT_TUI_COMMANDS_DOCS_H
#define TT_TUI_COMMANDS_DOCS_H

#include <stdio.h>

#include "tui/args/cli.h"

void tt_docs_command(FILE *f, tt_command command); /* one command with its options */
void tt_docs_man(FILE *f);                         /* troff, assets/tracetty.1 */
/* The version in the first line, then the commit (when it is known), the kind of build, libraries in it and not in it.
 */
void tt_docs_version(FILE *f);
/* shell: "bash", "zsh", "fish" */
void tt_docs_completions(FILE *f, const char *shell);
const char *tt_docs_command_word(tt_command c); /* "tracetty" or "tracetty summary", static */

/* What the program returns, and which variables it reads: used by help and the manual page. */
typedef struct tt_docs_pair {
    const char *key, *text;
} tt_docs_pair;
extern const tt_docs_pair tt_docs_statuses[]; /* ends with key NULL */
extern const tt_docs_pair tt_docs_record_statuses[];
extern const tt_docs_pair tt_docs_runs[];
extern const tt_docs_pair tt_docs_exports[];     /* likewise */
extern const tt_docs_pair tt_docs_kept[];        /* what an anonymous export keeps, likewise */
extern const tt_docs_pair tt_docs_environment[]; /* likewise */
extern const tt_docs_pair tt_docs_files[];       /* likewise */

#endif

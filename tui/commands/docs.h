/* tui/commands/docs.h - help, manual page and shell completions, generated from the lists of commands, options, keys
 * and tables. */
#ifndef TT_TUI_COMMANDS_DOCS_H
#define TT_TUI_COMMANDS_DOCS_H

#include <stdio.h>

#include "tui/args/cli.h"

void tt_docs_command(FILE *f, tt_command command); /* help of one command with its options */
void tt_docs_man(FILE *f);                         /* the manual page as troff, assets/tracetty.1 */
/* Print the version in the first line, then the commit (if known), the kind of build, and the libraries with and
 * without which it was built. */
void tt_docs_version(FILE *f);
/* shell: "bash", "zsh", "fish" */
void tt_docs_completions(FILE *f, const char *shell);
const char *tt_docs_command_word(tt_command c); /* "tracetty" or "tracetty summary"; static storage */

/* A key and its meaning: exit statuses, environment variables, ... for help and the manual page. */
typedef struct tt_docs_pair {
    const char *key, *text;
} tt_docs_pair;
extern const tt_docs_pair tt_docs_statuses[]; /* each list ends with key NULL */
extern const tt_docs_pair tt_docs_record_statuses[];
extern const tt_docs_pair tt_docs_runs[];
extern const tt_docs_pair tt_docs_exports[];
extern const tt_docs_pair tt_docs_kept[]; /* what an anonymous export keeps */
extern const tt_docs_pair tt_docs_environment[];
extern const tt_docs_pair tt_docs_files[];

#endif

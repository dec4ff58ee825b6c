/* tui/commands/docs.h - help, manual page and shell completions, generated from the lists of commands, options, keys
 * and tables. */
#ifndef TT_TUI_COMMANDS_DOCS_H
#define TT_TUI_COMMANDS_DOCS_H

#include <stdio.h>

#include "tui/args/cli.h"

void tt_docs_help(FILE *f);                        /* what the program does, its commands and formats */
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
extern const tt_docs_pair tt_docs_examples[]; /* each list ends with key NULL */
extern const tt_docs_pair tt_docs_samples[];
extern const tt_docs_pair tt_docs_runs[];
extern const tt_docs_pair tt_docs_exports[];
extern const tt_docs_pair tt_docs_kept[]; /* what an anonymous export keeps */
extern const tt_docs_pair tt_docs_environment[];
extern const tt_docs_pair tt_docs_files[];

/* An exit status of some commands. */
typedef struct tt_docs_status {
    uint32_t commands; /* bits 1u << tt_command */
    const char *status, *text;
} tt_docs_status;
extern const tt_docs_status tt_docs_statuses[]; /* ends with status NULL */

enum { TT_DOCS_WIDTH = 100 }; /* columns of a line of help */
/* Print `head`, and the text from this column on. Lines that follow begin in that column, too; a head that reaches
 * into it has a line of its own. */
void tt_docs_item(FILE *f, const char *head, int column, const char *text);
/* Print a list with its texts in one column. */
void tt_docs_pairs(FILE *f, const tt_docs_pair *p);

#endif

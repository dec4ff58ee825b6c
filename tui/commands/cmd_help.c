/* tui/commands/cmd_help.c - `tracetty help`: usage and options, generated from commands.def and options.def; also
 * prints completions and the manual page. */
#include <string.h>

#include "tui/commands/docs.h"

const tt_docs_pair tt_docs_statuses[] = {
    {"0", "success, also when a damaged file was repaired (with a warning)"},
    {"1", "'check' found problems"},
    {"2", "usage error"},
    {"3", "input missing, unreadable or not a trace; output not writable"},
    {"4", "a limit was exceeded; the message names it"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_record_statuses[] = {
    {"N", "exit status of the command; 128+N if killed by signal N; always 0 with --status-ok"},
    {"2", "usage error"},
    {"125", "recording impossible: another profiler is active, the directory is in use, the library is missing"},
    {"126", "command not executable"},
    {"127", "command not found"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_exports[] = {
    {"whole", "every event unchanged, repaired if it is not JSON, and all other members of the file"},
    {"--steps",
     "CPU events that start in the steps, the GPU work that they launched, flows between both; instants, counters "
     "and memory events within the steps; metadata of the whole file"},
    {"--range", "everything that overlaps the time window"},
    {"--merge",
     "every worker gets its own block of pids, and its own ids and process names; times are on a common axis; "
     "process_name and process_sort_index are replaced"},
    {"--anonymise",
     "every event; its names, files, keys and values become hashes, except numbers and the names listed in "
     "the next section; members beside the events only if a list has them"},
    {".sqlite", "all tables of 'tracetty sql', without arguments of events, of everything that is loaded; also .db"},
    {"Paddle .pb",
     "events as in Paddle's JSON, with exact times; without numbers of nodes and their roots, and without "
     "time and thread of an operator's supplement"},
    {"recordings", "the layout of Kineto; arrows from launches to their work, and the end of the window, are added"},
    {"left out",
     "elements of the list that are no objects, events that cannot be repaired or read again; they are counted"},
    {NULL, NULL},
};

static const tt_docs_pair samples[] = {
#define X(name, shows, path, new_path) {name, shows},
#include "tui/commands/samples.def"
#undef X
    {NULL, NULL},
};

const tt_docs_pair tt_docs_runs[] = {
    {"a run",
     "the traces in one folder, as workers and spans. A trace that is recognised only by its content is a run of "
     "its own. Traces of different frameworks, or with the same ranks, are different runs, each named after its "
     "first file. Folders with the numbers of their ranks are one run"},
    {"the newest",
     "is chosen if there are several runs: by the time in a file's name, in its events, in a folder's name, else "
     "by the last change of the files. Unreadable runs are skipped. The choice and the other runs are named on "
     "standard error. On a terminal tracetty shows the list, newest first; R, A and :run choose from it"},
    {"--run NAME", "chooses the run with this name, or whose name ends in it: old or 2024/old"},
    {"check", "checks all runs; its exit status is that of the worst run"},
    {"several PATHs",
     "are always workers of one run; a folder among them stands for its newest run. The same rank twice is a "
     "problem (rank_collision)"},
    {"skipped",
     "files that tracetty wrote or is writing (exports, summaries, tables as JSON, a recording in progress), if "
     "there are others"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_kept[] = {
    {"numbers",
     "of events, and numbers in texts; # in a list stands for a number. Network addresses, UUIDs, hosts, paths, "
     "hashes of commits and serial numbers are never kept"},
#define LIST(name, word, about) {word, about},
#include "tui/anonymise/lists.def"
#undef LIST
    {"classes",
     "a replaced kernel, call or range keeps, behind its hash, the word by which tables recognise it: gemm, norm, "
     "nccl, Memcpy, backward; a replaced process keeps its rank"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_environment[] = {
    {"TRACETTY_COMM", "additional communication kernels (name parts) and host ranges (prefix, ends in \":\"), "
                      "comma-separated: my_ring_kernel,mylib:"},
    {"TRACETTY_CUPTI", "the libcupti that 'record' uses, like --cupti"},
    {"TRACETTY_CAPTURE_LIB", "the libtracetty_capture.so that 'record' loads into the command (default: beside the "
                             "program, in ../lib/tracetty or ../libexec/tracetty)"},
    {"NO_COLOR", "when set and not empty: no colours, unless --color asks for them"},
    {"TERM, COLORTERM", "terminal capabilities"},
    {"LC_ALL, LC_CTYPE, LANG", "whether the terminal shows Unicode"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_files[] = {
    {"$XDG_CONFIG_HOME/tracetty/config",
     "settings of the explorer; ~/.config when the variable is not set or is no absolute path; never written"},
    {"$XDG_STATE_HOME/tracetty/history",
     "searches and commands; ~/.local/state when the variable is not set or is no absolute path"},
    {"$XDG_RUNTIME_DIR/tracetty-yank", "last copy, for terminals without a clipboard; else in a private "
                                       "folder tracetty-UID of $TMPDIR or /tmp"},
    {NULL, NULL},
};

static const char *const words[TT_CMD_COUNT_] = {
#define X(id, name, args, function, shown, help) "tracetty " name,
#include "tui/args/commands.def"
#undef X
};

const char *tt_docs_command_word(tt_command c) { return c == TT_CMD_EXPLORE ? "tracetty" : words[c]; }

static void put_option(FILE *f, const tt_option_info *o)
{
    char head[64];
    snprintf(head, sizeof head, "--%s%s%s", o->name, o->arg && *o->arg != '[' ? " " : "", o->arg ? o->arg : "");
    fprintf(f, "  %-26s %s", head, o->help);
    if (o->choices) {
        fputs(" [", f);
        for (const char *p = o->choices; *p; p++) {
            if (*p == '|') {
                fputs(", ", f);
            } else {
                fputc(*p, f);
            }
        }
        fputc(']', f);
    }
    fputc('\n', f);
}

static void put_options(FILE *f, tt_command command)
{
    for (int k = 0; k < TT_OPT_COUNT_; k++) {
        if (tt_option_infos[k].commands >> command & 1) put_option(f, &tt_option_infos[k]);
    }
}

/* help of the program as a whole */
static void docs_help(FILE *f)
{
    fputs("tracetty - explore deep-learning profiler traces in a terminal\n\n", f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        const tt_command_info *c = &tt_commands[i];
        if (!c->shown) continue;
        char head[64];
        snprintf(head, sizeof head, "%s %s", tt_docs_command_word((tt_command)i), c->args);
        fprintf(f, "  %-38s %s\n", head, c->help);
    }
    fputs("\nA PATH is a file, a directory (if it has several runs: the newest), or - for standard input. Several "
          "PATHs are "
          "workers of one run.\n"
          "The content decides the format, plain or compressed: PyTorch (Kineto), Paddle, XLA, any Chrome trace.\n\n"
          "Options of 'tracetty PATH...':\n",
          f);
    put_options(f, TT_CMD_EXPLORE);
    fputs("\n'tracetty help COMMAND' explains a command; '?' in the explorer shows its keys.\n", f);
}

void tt_docs_command(FILE *f, tt_command command)
{
    const tt_command_info *c = &tt_commands[command];
    if (command == TT_CMD_EXPLORE) {
        docs_help(f);
        return;
    }
    fprintf(f, "usage: %s%s%s\n%s\n\n", tt_docs_command_word(command), *c->args ? " " : "", c->args, c->help);
    put_options(f, command);
    if (command == TT_CMD_EXPORT) {
        fputs("\nwhat is written:\n", f);
        for (const tt_docs_pair *e = tt_docs_exports; e->key; e++) fprintf(f, "  %-10s  %s\n", e->key, e->text);
    }
    if (command == TT_CMD_DEMO) {
        fputs("\nsamples:\n", f);
        for (const tt_docs_pair *e = samples; e->key; e++) fprintf(f, "  %-10s  %s\n", e->key, e->text);
    }
    fputs("\nexit status:\n", f);
    const tt_docs_pair *s = command == TT_CMD_RECORD ? tt_docs_record_statuses : tt_docs_statuses;
    for (; s->key; s++) fprintf(f, "  %-*s  %s\n", command == TT_CMD_RECORD ? 3 : 1, s->key, s->text);
}

int tt_cmd_help(const tt_cli *cli)
{
    tt_err err;
    if (cli->value[TT_OPT_MAN]) {
        tt_docs_man(stdout);
    } else if (cli->value[TT_OPT_COMPLETIONS]) {
        tt_docs_completions(stdout, cli->value[TT_OPT_COMPLETIONS]);
    } else if (!cli->n_args) {
        docs_help(stdout);
    } else {
        const char *names[TT_CMD_COUNT_];
        int found = -1;
        for (int i = 0; i < TT_CMD_COUNT_; i++) {
            names[i] = tt_commands[i].shown ? tt_commands[i].name : "";
            if (*tt_commands[i].name && !strcmp(tt_commands[i].name, cli->args[0])) found = i;
        }
        if (found < 0) {
            const char *close = tt_closest(cli->args[0], names, TT_CMD_COUNT_);
            tt_fail(&err, TT_ERR_USAGE, -1, "there is no command '%s'%s%s%s", cli->args[0],
                    close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
            return tt_report(&err);
        }
        tt_docs_command(stdout, (tt_command)found);
    }
    return tt_finish_output();
}

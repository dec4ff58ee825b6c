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
    {"whole", "every event unchanged, repaired where it is not JSON, and all other members of the file"},
    {"--steps", "the CPU events that start in the steps, the GPU work that they launched, the flows between these, "
                "and what has only a time within them (instants, counters, memory); metadata of the whole file"},
    {"--range", "everything that overlaps the time window"},
    {"--merge", "pids of a worker get a block of numbers of its own, ids and names of processes change with them, "
                "times are on a common axis; process_name and process_sort_index are written anew"},
    {"--anonymise", "every event; its names, places, keys and values as hashes, but for numbers and what is listed in "
                    "the next section; nothing of the members beside the events that no list has"},
    {".sqlite", "all tables that 'tracetty sql' has but for arguments of events, of all that is loaded; also .db"},
    {"Paddle .pb", "the events as Paddle's JSON spells them, with exact times; not the numbers of nodes and the roots "
                   "that hold them together, nor the time and the thread of an operator's supplement"},
    {"recordings", "the layout of Kineto: arrows from launches to their work and the end of the window are made"},
    {"left out",
     "elements of the list that are no objects, events that cannot be mended or read again; their number is "
     "told"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_runs[] = {
    {"a run",
     "the traces that lie in one folder, as workers and spans; a trace that only its content shows to be one is "
     "a run of its own. Traces of different frameworks, and of one framework with ranks that collide, are "
     "different runs, each called by its first file. Folders of ranks that number themselves are one run"},
    {"the newest",
     "is taken of several: by the time in the name of a file, in its events, in the name of a folder, else "
     "by when the files were changed. What cannot be read is passed over. The choice and the other runs "
     "are said on standard error. On a terminal tracetty shows the list, newest first; R, A and :run "
     "choose from it"},
    {"--run NAME", "takes the run of this name, or of a name that ends so: old or 2024/old"},
    {"check", "looks at all runs; its status is the worst of them"},
    {"several PATHs", "are workers of one run, whatever they are; of a folder among them the newest run. Ranks that "
                      "collide are a problem (rank_collision)"},
    {"passed over",
     "what tracetty wrote or still writes (exports, summaries, tables as JSON, a recording in progress), "
     "when there is anything else"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_kept[] = {
    {"numbers", "of events, and texts of numbers; # in a list is a number. Addresses of networks, UUIDs, hosts, paths, "
                "hashes of commits and serial numbers never stay"},
#define LIST(name, word, about) {word, about},
#include "tui/anonymise/lists.def"
#undef LIST
    {"classes", "a replaced kernel, call or range keeps the word by which tables know it, behind its hash: gemm, norm, "
                "nccl, Memcpy, backward; a replaced process its rank"},
    {NULL, NULL},
};

const tt_docs_pair tt_docs_environment[] = {
    {"TRACETTY_COMM", "additional communication kernels (name parts) and host ranges (prefix, ends in \":\"), "
                      "comma-separated: my_ring_kernel,mylib:"},
    {"TRACETTY_CUPTI", "the libcupti that 'record' uses, as --cupti"},
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
    fputs("\nA PATH is a file, a directory (of several runs in it the newest), or - for standard input. Several are "
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

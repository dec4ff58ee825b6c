/* tui/commands/cmd_help.c - `tracetty help`: usage and options, generated from commands.def and options.def; also
 * prints completions and the manual page. */
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/registry/registry.h"
#include "parser/formats/formats.h"
#include "tui/commands/docs.h"

#define C(id) (1u << TT_CMD_##id)
#define ALL (C(COUNT_) - 1)
#define LOAD (C(EXPLORE) | C(DEMO) | C(SUMMARY) | C(CHECK) | C(DIFF) | C(SUMMARIZE) | C(SQL) | C(EXPORT) | C(CLUSTER))
#define SAY (C(TABLES) | C(DOCTOR) | C(HELP)) /* print what the program knows */
const tt_docs_status tt_docs_statuses[] = {
    {LOAD, "0", "success, also when a damaged file was repaired (with a warning)"},
    {ALL & ~LOAD & ~C(RECORD), "0", "success"},
    {C(RECORD), "N", "exit status of the command; 128+N if killed by signal N; always 0 with --status-ok"},
    {C(CHECK), "1", "a file has problems"},
    {C(SUMMARY) | C(DIFF), "1", "a condition of --fail-on holds"},
    {C(SUMMARY) | C(SUMMARIZE) | C(MERGE_TTS) | C(CLUSTER), "1",
     "with --require-all: a trace or summary cannot be read, or a rank of the run is missing"},
    {ALL, "2", "usage error"},
    {LOAD | C(REPAIR), "3", "input missing, unreadable or not a trace; output not writable"},
    {C(MERGE_TTS), "3", "no summary among the inputs can be read; output not writable"},
    {C(CTL), "3", "no recording that can be controlled, or no process that could follow: dump"},
    {SAY, "3", "output not writable"},
    {LOAD & ~C(CLUSTER), "4", "a limit was exceeded; the message names it"},
    {C(CLUSTER), "128+N", "ended by signal N; the next run goes on from there"},
    {C(RECORD), "125",
     "recording impossible: another profiler is active, the directory is in use, the library is missing"},
    {C(RECORD), "126", "command not executable"},
    {C(RECORD), "127", "command not found"},
    {0, NULL, NULL},
};
#undef SAY
#undef LOAD
#undef ALL
#undef C

/* DIR: the folder of a run; BASE and NEW: two runs. tests/cli/help.py runs those that need no GPU. */
const tt_docs_pair tt_docs_examples[] = {
    {"tracetty demo", "open a sample trace, to look around"},
    {"tracetty DIR", "open the newest run of a folder"},
    {"tracetty summary DIR", "print what the first screen shows: where the time went, and findings"},
    {"tracetty summary --table kernels --limit 10 DIR", "print the top ten kernels"},
    {"tracetty summary --table kernels --format csv DIR > kernels.csv", "write a table for other programs"},
    {"tracetty summary --screen timeline --size 160x45 DIR", "print a screen as text"},
    {"tracetty summary --fail-on hang DIR", "from the dumps of a hanging job: who is stuck, as exit status 1"},
    {"tracetty diff BASE NEW", "compare two runs"},
    {"tracetty diff --fail-on 'step>5%' --fail-on 'findings>0' BASE NEW",
     "in CI: exit status 1 if steps take 5% longer, or the new run has a finding that the other has not"},
    {"tracetty check DIR", "say what is wrong with the files, and whether the recording can be believed"},
    {"tracetty sql -e \"SELECT name, count(*) FROM slices WHERE kind = 'kernel' GROUP BY name\" DIR",
     "query the events"},
    {"tracetty export --steps 3-4 --rank 0 --output part.json.gz DIR",
     "cut steps out, for Perfetto or for a colleague"},
    {"tracetty export --anonymise --merge --output public.json.gz DIR",
     "replace the names of user code before a trace leaves"},
    {"tracetty record -- python train.py", "profile a command with CUDA, then open the recording"},
    {"tracetty record --live -- torchrun --nproc-per-node=8 train.py",
     "watch the recording of all ranks while they run"},
    {"tracetty cluster --output run.tts DIR", "reduce all ranks of a large run to one small file, over Slurm or MPI"},
    {"tracetty doctor", "say what recording needs and this machine lacks"},
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

const tt_docs_pair tt_docs_samples[] = {
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
    {"TERM, COLORTERM", "terminal capabilities; with TERM=dumb, or without TERM, tables are printed"},
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
    char head[64], text[1024];
    tt_buf b = tt_buf_of(text);
    snprintf(head, sizeof head, "  --%s%s%s", o->name, o->arg && *o->arg != '[' ? " " : "", o->arg ? o->arg : "");
    tt_buf_add(&b, "%s%s", o->help, o->choices ? " [" : "");
    for (const char *p = o->choices; p && *p; p++) tt_buf_add(&b, "%s%.*s", *p == '|' ? ", " : "", *p != '|', p);
    tt_buf_add(&b, "%s", o->choices ? "]" : "");
    tt_docs_item(f, head, 29, text);
}

static void put_options(FILE *f, tt_command c)
{
    for (int k = 0; k < TT_OPT_COUNT_; k++)
        if (tt_option_infos[k].commands >> c & 1) put_option(f, &tt_option_infos[k]);
}

static void put_statuses(FILE *f, tt_command c)
{
    char head[16];
    fputs("\nexit status:\n", f);
    for (const tt_docs_status *s = tt_docs_statuses; s->status; s++) {
        snprintf(head, sizeof head, "  %s", s->status);
        if (s->commands >> c & 1) tt_docs_item(f, head, 9, s->text);
    }
}

/* The titles of all formats, joined by ", ". */
static void list_formats(char *out, size_t cap)
{
    tt_buf b = tt_buf_on(out, cap);
    for (unsigned i = 0; i < tt_n_formats; i++) tt_buf_list(&b, ", ", "%s", tt_formats[i].info.title);
}

void tt_docs_help(FILE *f)
{
    enum { COLUMN = 42 };
    static const tt_docs_pair first[] = {
        {"demo", "open a sample trace; in it, ? shows the keys and q leaves"},
        {"PATH...", "open traces: files, folders, or - for standard input"},
        {"summary --table kernels PATH", "print a table; 'tracetty help tables' lists them"},
        {"record -- python train.py", "profile a command with CUDA, then open the result"},
    };
    char head[80], text[1024], formats[800];
    fputs("tracetty - explore deep-learning profiler traces in a terminal\n\n", f);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        snprintf(head, sizeof head, "  tracetty %s", first[i].key);
        tt_docs_item(f, head, COLUMN, first[i].text);
    }
    tt_docs_item(f, "\ncommands:", COLUMN + 1, "'tracetty help COMMAND' explains one");
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        const tt_command_info *c = &tt_commands[i];
        if (!c->shown || !*c->name) continue;
        snprintf(head, sizeof head, "  %s %s", c->name, c->args);
        snprintf(text, sizeof text, "%.*s", (int)strcspn(c->help, ";"), c->help);
        tt_docs_item(f, head, COLUMN, text);
    }
    list_formats(formats, sizeof formats);
    snprintf(text, sizeof text, "The content decides the format, plain or compressed: %s.", formats);
    fputc('\n', f);
    tt_docs_item(f, "", 0,
                 "A PATH is a file, a directory (if it has several runs: the newest), or - for standard input. Several "
                 "PATHs are workers of one run.");
    tt_docs_item(f, "", 0, text);
    fputs("\nOptions of 'tracetty PATH...': 'tracetty help explore'. All of it: 'man tracetty'.\n", f);
}

/* Print text in so much room; a longer one is cut at a blank. */
static void put_cut(FILE *f, const char *text, int room)
{
    int n = (int)strlen(text);
    bool fits = n <= room;
    for (n = fits ? n : room - 4; !fits && n > 0 && text[n] != ' '; n--) {}
    fprintf(f, "%.*s%s\n", n, text, fits ? "" : " ...");
}

/* Print one line for each table. */
static void put_tables(FILE *f)
{
    enum { TITLE = 27 }; /* columns of a title; one that is longer moves its meaning */
    int widest = 0;
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        int n = (int)strlen(tt_tables[i]->id);
        widest = n > widest ? n : widest;
    }
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        const tt_table_desc *d = tt_tables[i];
        int at = fprintf(f, "  %s%*s %-*s  ", d->id, widest - (int)strlen(d->id), "", TITLE, d->title);
        put_cut(f, d->meaning, TT_DOCS_WIDTH - at);
    }
}

void tt_docs_command(FILE *f, tt_command command)
{
    const tt_command_info *c = &tt_commands[command];
    char usage[160];
    snprintf(usage, sizeof usage, "usage: %s%s%s", tt_docs_command_word(command), *c->args ? " " : "", c->args);
    fprintf(f, "%s\n", usage);
    tt_docs_item(f, "", 0, c->help);
    fputc('\n', f);
    put_options(f, command);
    if (command == TT_CMD_EXPORT) {
        fputs("\nwhat is written:\n", f);
        tt_docs_pairs(f, tt_docs_exports);
    }
    if (command == TT_CMD_DEMO) {
        fputs("\nsamples:\n", f);
        tt_docs_pairs(f, tt_docs_samples);
    }
    if (command == TT_CMD_TABLES) {
        fputs("\ntables:\n", f);
        put_tables(f);
    }
    put_statuses(f, command);
}

/* The command that 'tracetty help WORD' explains; the explorer, which has no word of its own, is 'explore'. */
static tt_status find_command(const char *word, tt_command *out, tt_err *err)
{
    const char *names[TT_CMD_COUNT_];
    char list[400];
    tt_buf all = tt_buf_of(list);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        const char *name = i == TT_CMD_EXPLORE ? "explore" : tt_commands[i].name;
        *out = (tt_command)i;
        if (!strcmp(name, word)) return TT_OK;
        names[i] = tt_commands[i].shown ? name : "";
        if (tt_commands[i].shown) tt_buf_list(&all, ", ", "%s", name);
    }
    const char *close = tt_closest(word, names, TT_CMD_COUNT_);
    if (close) return tt_fail(err, TT_ERR_USAGE, -1, "there is no command '%s'; did you mean '%s'?", word, close);
    return tt_fail(err, TT_ERR_USAGE, -1, "there is no command '%s'; there are %s", word, list);
}

static tt_status help(const tt_cli *cli, tt_err *err)
{
    tt_command command;
    if (cli->value[TT_OPT_MAN]) {
        tt_docs_man(stdout);
    } else if (cli->value[TT_OPT_COMPLETIONS]) {
        tt_docs_completions(stdout, cli->value[TT_OPT_COMPLETIONS]);
    } else if (!cli->n_args) {
        tt_docs_help(stdout);
    } else {
        TT_TRY(find_command(cli->args[0], &command, err));
        tt_docs_command(stdout, command);
    }
    return TT_OK;
}

int tt_cmd_help(const tt_cli *cli)
{
    tt_err err;
    return help(cli, &err) == TT_OK ? tt_finish_output() : tt_report(&err);
}
